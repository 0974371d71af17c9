"""Heatmaps in a real JupyterLab: playing, sliders, votes, episodes, curves, and a page that is taken away."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from tests.ui.explorer.lab_explorers import LOADED

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Locator

    from tests.ui.jupyter import Lab, LabPage

START = """import json
import sokoviz as sv
curry = sv.Curry(sv.load("lessons#17"), seed=1)
curry.run(seconds=60, progress=False)
heat = sv.HeatmapWidget(curry)
heat"""
COMPARE = """compare = sv.CompareHeatmaps(curry.policy(stage=2), curry)
compare"""


class LabHeatmap:
    """Heatmaps in the first cell of a notebook, compared in the second."""

    def __init__(self, notebook: LabPage) -> None:
        self.notebook = notebook
        self.output = notebook.output(0)
        expect(self.output.locator(".sokoviz-heat .heat").nth(1)).to_be_attached(timeout=LOADED)

    def ask(self, expression: str) -> Any:
        """Value of an expression in the kernel."""
        return json.loads(self.notebook.run(f"print(json.dumps({expression}))"))

    def slide(self, output: Locator, name: str, value: int) -> None:
        """Draw a slider to a place."""
        slider = output.get_by_role("slider", name=name, exact=True)
        slider.evaluate("(input, value) => { input.value = value; input.dispatchEvent(new Event('input')); }", value)


@pytest.fixture
def heatmap(lab: Lab) -> LabHeatmap:
    """A learner that has solved its level; the page is checked for errors when it is closed."""
    return LabHeatmap(lab.open([START, COMPARE], size=(1280, 1000)))


def test_from_a_move_to_its_voters_and_their_episodes(heatmap: LabHeatmap) -> None:
    output = heatmap.output
    name = heatmap.ask("heat.chances[1]['name']")
    output.locator(f"tr[data-move='{name}']").first.click()
    expect(output.locator(".sokoviz-vote-sentence b")).to_have_text(name)
    assert heatmap.ask("heat.move") == name
    output.locator(".sokoviz-vote-list .sokoviz-vote").first.click()
    number = heatmap.ask("curry.policy().explain(heat.move).votes[0].episode.number")
    expect(output.locator(".sokoviz-episode strong")).to_contain_text(f"Episode {number}:")
    expect(output.locator(".sokoviz-strip .sokoviz-match-state")).to_have_count(1)
    assert heatmap.ask("heat.episode") == number
    output.get_by_role("tab", name="Learning curves").click()
    expect(output.locator(".sokoviz-curves")).to_have_attribute("data-drawn", "4", timeout=LOADED)
    heatmap.notebook.check()


@pytest.mark.clock
def test_playing_and_going_back_in_time(heatmap: LabHeatmap) -> None:
    output = heatmap.output
    heatmap.slide(output, "Stage", 2)
    expect(output.locator(".sokoviz-where")).to_contain_text("26 episodes known")
    assert heatmap.ask("[heat.stage, heat.n]") == [2, 26]
    heatmap.notebook.run("heat.n = 30")
    expect(output.locator(".sokoviz-where")).to_contain_text("30 episodes known")
    column, row = heatmap.ask("[*heat.board.player.name]")
    output.get_by_role("gridcell", name=f"row {row}, column {column}: player", exact=True).click()
    before = heatmap.ask("[each['name'] for each in heat.chances]")
    for key in ("ArrowRight", "ArrowRight", "x", "b"):  # the last two are none of the notebook's
        heatmap.notebook.page.keyboard.press(key)
    expect(output.locator(".sokoviz-counts")).to_contain_text("2 moves")
    assert heatmap.ask("[heat.moves, [each['name'] for each in heat.chances]]") == ["rr", before]
    output.get_by_role("button", name="Restart", exact=True).click()
    expect(output.locator(".sokoviz-counts")).to_contain_text("0 moves")
    heatmap.notebook.check()


@pytest.mark.clock
def test_a_comparison_is_played_and_taken_away(heatmap: LabHeatmap, tmp_path: Path) -> None:
    output = heatmap.notebook.output(1)
    heatmap.notebook.run("compare.speed = 10")
    labels = output.locator("figure.sokoviz-heat figcaption .sokoviz-note")
    expect(labels.nth(1)).to_contain_text("stage 4 of 4")
    heatmap.slide(output, "Stage B", 2)
    expect(output.locator(".sokoviz-where")).to_have_text("similarity 1.00")
    assert heatmap.ask("compare.stages") == [1, 2]
    output.get_by_role("button", name="Play curriculum").click()
    expect(labels.nth(1)).to_contain_text("stage 4 of 4")
    with heatmap.notebook.page.expect_download() as saved:
        output.get_by_role("button", name="Export page").click()
    saved.value.save_as(tmp_path / "heatmaps.html")
    assert 'id="sokoviz-values"' in (tmp_path / "heatmaps.html").read_text(encoding="utf-8")
    heatmap.notebook.check()
