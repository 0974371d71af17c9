"""Searches side by side in a real JupyterLab: the first difference, a position in both trees, running and playing."""

from __future__ import annotations

import json
import re
import time
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from tests.ui.explorer.lab_explorers import LOADED

if TYPE_CHECKING:
    from playwright.sync_api import Locator

    from tests.ui.jupyter import Lab, LabPage

PATIENCE = 10  # seconds

START = """import json
import sokoviz as sv
level = sv.load("lessons#7")
searches = sv.Schokoban(level), sv.Vanillaban(level)
for search in searches:
    search.run(iterations=100, progress=False)
compare = sv.Compare(*searches)
compare"""


class LabCompare:
    """A comparison in the first cell of a notebook."""

    def __init__(self, notebook: LabPage) -> None:
        self.notebook = notebook
        self.output = notebook.output(0)
        self.where = self.output.locator(".sokoviz-where")
        self.trees = self.output.locator(".sokoviz-panel-tree")
        expect(self.output.locator(".sokoviz-panel-tree[data-frame]").nth(1)).to_be_attached(timeout=LOADED)

    def ask(self, expression: str) -> Any:
        """Value of an expression in the kernel."""
        return json.loads(self.notebook.run(f"print(json.dumps({expression}))"))

    def button(self, name: str) -> Locator:
        """The button of exactly this name."""
        return self.output.get_by_role("button", name=name, exact=True)

    def click(self, name: str) -> None:
        """Press a button, and wait until both trees show what Python does."""
        self.button(name).click()
        self.settle()

    def settle(self) -> None:
        """Wait until both trees show what Python does: a slow page may send a click after our question."""
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            frame = self.ask("compare.trees[0]['frame']")
            if [self.trees.nth(place).get_attribute("data-frame") for place in (0, 1)] == [str(frame)] * 2:
                return
        for place in (0, 1):
            expect(self.trees.nth(place)).to_have_attribute("data-frame", str(frame))

    def wait_for(self, expression: str) -> None:
        """Wait until an expression is true in the kernel."""
        deadline = time.monotonic() + PATIENCE
        while not self.ask(expression):
            assert time.monotonic() < deadline, f"{expression} did not come true"

    def figure(self, place: int, key: str) -> Locator:
        """A figure under a tree."""
        return self.output.locator(".sokoviz-panel").nth(place).locator(f"[data-figure={key}] dd")


@pytest.fixture
def compare(lab: Lab) -> LabCompare:
    """Two searches after a hundred iterations; the page is checked for errors when it is closed."""
    return LabCompare(lab.open([START], size=(1280, 1200)))


def test_to_the_first_difference_and_on(compare: LabCompare) -> None:
    expect(compare.where).to_have_text("after iteration 100 of 100")
    expect(compare.figure(1, "redundant")).to_have_text("80")
    compare.click("First difference")
    expect(compare.where).to_have_text("after iteration 7 of 100")
    expect(compare.figure(0, "redundant")).to_have_text("0")
    expect(compare.figure(1, "redundant")).to_have_text("1")
    compare.click("Back")
    expect(compare.figure(1, "redundant")).to_have_text("0")
    compare.click("Next event")
    expect(compare.where).to_have_text("after iteration 7 of 100")
    compare.notebook.check()


def test_a_position_is_found_in_both_trees(compare: LabCompare) -> None:
    field = compare.output.get_by_role("textbox", name="Find node").nth(1)
    redundant = compare.ask("int(compare.comparison.redundant(1, 100).argmax())")
    field.fill(str(redundant))
    field.press("Enter")
    expect(compare.output.locator(".sokoviz-place-name")).to_contain_text(f"node {redundant} of Vanillaban")
    expect(compare.output.locator(".sokoviz-compare-where dd").nth(1)).to_contain_text("again at")
    compare.settle()
    for place in (0, 1):
        expect(compare.trees.nth(place).locator(".tracerings .point").first).to_be_attached()
    assert compare.ask("[compare.which, compare.node]") == [1, redundant]
    compare.notebook.check()


def test_all_searches_run_on_and_end(compare: LabCompare) -> None:
    compare.output.get_by_role("spinbutton", name="More iterations").fill("1000")
    compare.button("Run").click()
    expect(compare.where).to_have_text("after iteration 365 of 365")
    expect(compare.output.locator(".sokoviz-progress-text")).to_have_text(
        "Schokoban solved in iteration 346; Vanillaban solved in iteration 365"
    )
    expect(compare.figure(0, "solved_at")).to_have_text("346")
    expect(compare.output.locator(".sokoviz-growth").nth(1)).to_have_attribute(
        "aria-label", re.compile("681 nodes in the tree, 237 distinct states")
    )
    compare.settle()
    compare.notebook.check()


@pytest.mark.clock
def test_playing_goes_on_while_the_page_draws(compare: LabCompare) -> None:
    compare.notebook.run("compare.iteration = 10; compare.speed = 16")
    compare.button("Play").click()
    expect(compare.where).to_have_text(re.compile(r"after iteration (1[5-9]|[2-9]\d) of 100"))
    compare.button("Pause").click()
    expect(compare.button("Play")).to_be_visible()
    compare.wait_for("compare.playing is False")
    compare.notebook.check()
