"""The explorer of iterative deepening in a plain page, answered by a real widget."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from sokoviz.widgets.base.modules import join_modules
from tests.ui.heatmaps.heatmaps import BOXES, SMALL
from tests.ui.ida.deepening_pages import PlainDeepening

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

    PageWith = Callable[..., Page]


@pytest.fixture
def shown(page_with: PageWith) -> PlainDeepening:
    """The lesson of nine thresholds."""
    return PlainDeepening(page_with)


def test_every_control_has_its_exact_name(shown: PlainDeepening) -> None:
    for name in ("Step iteration", "Back iteration", "Play", "Run", "Previous event", "Follow", "Play solution"):
        assert shown.button(name).count() == 1, name
    assert shown.page.get_by_role("slider", name="Iteration", exact=True).count() == 1
    assert shown.button("Step phase").count() == 0
    kinds = shown.page.get_by_role("combobox", name="Run to", exact=True).locator("option").all_text_contents()
    assert kinds[:4] == ["step", "next threshold", "next goal cut", "next relevance cut"]


def test_the_header_says_threshold_limit_and_step(shown: PlainDeepening) -> None:
    expansion = shown.search.explain()
    words = shown.page.locator(".sokoviz-where").inner_text()
    assert words.startswith(f"threshold {expansion.n_thresholds} of ")
    assert f"limit {expansion.threshold} · step 60 of {shown.search.last}" in words


def test_buttons_and_keys_step(shown: PlainDeepening) -> None:
    shown.click("Back iteration")
    assert shown.widget.iteration == 59
    shown.page.keyboard.press("ArrowRight")
    shown.settle()
    shown.page.keyboard.press("ArrowRight")
    shown.settle()
    assert shown.widget.iteration == 61


def test_the_legend_counts_the_nodes_of_the_threshold(shown: PlainDeepening) -> None:
    for kind in shown.widget.tree["kinds"]:
        if kind["shown"]:
            assert shown.count(kind["name"]) == kind["count"], kind["name"]


def test_a_click_into_the_tree_selects_a_node(shown: PlainDeepening) -> None:
    point = shown.points()[0]
    shown.page.mouse.click(point["x"], point["y"])
    shown.settle()
    assert shown.widget.node == shown.widget.line["root"]
    expect(shown.moves()).to_have_count(1)


def test_a_row_shows_why_its_move_was_cut(shown: PlainDeepening) -> None:
    shown.slide("Iteration", 7)
    row = shown.rows().filter(has_text="deadlock").first
    row.click()
    shown.settle()
    expect(shown.page.locator(".sokoviz-why")).to_contain_text("Deadlock: ")
    assert shown.page.locator(".sokoviz-position .mark.deadlock").count() > 0


def test_the_line_can_be_clicked(shown: PlainDeepening) -> None:
    search = shown.search
    shown.slide("Iteration", next(step for step in range(1, 60) if len(search.explain(step).line) > 2))
    n = len(search.explain().line) + 1
    expect(shown.moves()).to_have_count(n)
    shown.moves().nth(1).click()
    shown.settle()
    expect(shown.moves()).to_have_count(2)
    shown.click("Follow")
    expect(shown.moves()).to_have_count(n)


def test_arrows_on_the_board_stand_for_successors(shown: PlainDeepening) -> None:
    shown.slide("Iteration", 7)
    expect(shown.page.locator(".sokoviz-position .arrow")).to_have_count(shown.rows().count())


def test_a_bar_leads_to_its_threshold(shown: PlainDeepening) -> None:
    bars = shown.page.locator(".sokoviz-bar")
    assert bars.count() == len(shown.widget.charts["rows"])
    bars.nth(1).locator(".sokoviz-bar-target").click()
    shown.settle()
    assert shown.widget.iteration == shown.widget.charts["rows"][1]["first"]
    expect(bars.nth(1).locator(".sokoviz-bar-now")).to_have_count(1)


def test_what_is_not_cut_is_named_beside_the_bars(shown: PlainDeepening) -> None:
    expect(shown.page.locator(".sokoviz-threshold-bars")).to_contain_text("not cut, others as in the tree")
    shown.click("Table")
    expect(shown.page.get_by_role("columnheader", name="not cut", exact=True)).to_have_text(" not cut")


def test_bars_show_patterns_in_a_colour_of_their_own(page_with: PageWith) -> None:
    shown = PlainDeepening(page_with, lesson=12, steps=20)
    assert shown.search.thresholds["pattern"].sum() > 0
    kinds = {kind["key"]: kind["color"] for kind in shown.widget.charts["kinds"]}
    assert kinds["pattern"] == "pattern"
    fills = shown.page.locator(".sokoviz-bar rect").evaluate_all("parts => parts.map((part) => part.style.fill)")
    assert "var(--sokoviz-pattern)" in fills


@pytest.mark.parametrize("name", ["Step iteration", "Run"])
def test_no_button_waits_for_ever_where_nothing_is_left(page_with: PageWith, name: str) -> None:
    shown = PlainDeepening(page_with, lesson=14, steps=1000)
    for _ in range(2):
        shown.click(name)
        shown.search.stop()  # waits for a run in the background, which ends at once
        shown.settle()
        expect(shown.button(name)).not_to_have_attribute("data-waiting", "")


def test_the_table_of_thresholds(shown: PlainDeepening) -> None:
    shown.click("Table")
    table = shown.page.get_by_role("table", name="Thresholds", exact=True)
    limits = table.locator("tbody tr td:nth-child(2)").all_text_contents()
    assert list(map(int, limits)) == shown.search.thresholds["threshold"].tolist()


def test_the_columns_of_the_table_have_names(shown: PlainDeepening) -> None:
    shown.click("Table")
    heads = shown.page.get_by_role("table", name="Thresholds", exact=True).locator("thead th[aria-label]")
    names = [heads.nth(index).get_attribute("aria-label") for index in range(heads.count())]
    assert names == [kind["name"] for kind in shown.widget.charts["kinds"]]


def test_labels_keep_clear_of_the_line(page_with: PageWith) -> None:
    shown = PlainDeepening(page_with, lesson=12, steps=12)
    crossed = """() => {
      const line = document.querySelector(".tracepath path");
      const places = Array.from({length: Math.floor(line.getTotalLength() / 3)}, (_, step) => {
        const {x, y} = line.getPointAtLength(3 * step).matrixTransform(line.getScreenCTM());
        return [x, y];
      });
      return [...document.querySelectorAll(".tracelabels text")].filter((text) => {
        const box = text.getBoundingClientRect();
        return places.some(([x, y]) => x > box.left + 3 && x < box.right - 3 && y > box.top + 3 && y < box.bottom - 3);
      }).map((text) => text.textContent);
    }"""
    assert shown.page.locator(".tracelabels text").count() > 5
    assert shown.page.evaluate(crossed) == []


@pytest.mark.clock
def test_the_solution_plays_on_the_board(page_with: PageWith) -> None:
    shown = PlainDeepening(page_with, lesson=14, steps=20, speed=64.0)
    shown.button("Play solution").click()
    expect(shown.page.locator(".sokoviz-solution-text")).to_have_text("push 6 of 6", timeout=20_000)
    assert shown.widget.position["caption"] == "the solution after push 6"


@pytest.mark.clock
def test_playing_goes_on_to_the_solution(page_with: PageWith) -> None:
    shown = PlainDeepening(page_with, lesson=14, steps=1, speed=16.0)
    shown.button("Play").click()
    expect(shown.page.locator(".sokoviz-narration")).to_contain_text("The level is solved", timeout=20_000)
    expect(shown.button("Play")).to_be_visible()


@pytest.mark.parametrize("width", [1280, 820, 560])
def test_nothing_overflows_and_no_text_is_tiny(page_with: PageWith, width: int) -> None:
    shown = PlainDeepening(page_with, page_options={"size": (width, 1000)})
    assert shown.page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    assert shown.page.evaluate(SMALL) == []


def test_nothing_jumps_from_step_to_step(shown: PlainDeepening) -> None:
    def places() -> list[str]:
        boxes = shown.page.evaluate(BOXES)
        return [box for box in boxes if box.startswith(("Step", "Back", "Play ", "Iteration", "Run to", "Follow"))]

    before = places()
    shown.click("Back iteration")
    shown.shown()
    assert places() == before


def test_a_page_is_asked_for_and_where_it_is_is_said(page_with: PageWith, monkeypatch: pytest.MonkeyPatch) -> None:
    shown = PlainDeepening(page_with, lesson=14, steps=20)
    sent: list[tuple[dict[str, str], list[bytes]]] = []
    monkeypatch.setattr(shown.widget, "send", lambda content, buffers: sent.append((content, buffers)))
    shown.click("Export page")
    expect(shown.page.locator(".sokoviz-progress-text")).to_contain_text("Among your downloads")
    ((content, (page,)),) = sent
    assert content == {"kind": "page", "name": "ida-sokoban-lessons-14-two-ways-round.html"}
    assert page.startswith(b"<!doctype html>")


def test_it_leaves_nothing_behind(shown: PlainDeepening) -> None:
    shown.page.evaluate("() => cleanup()")
    assert shown.page.evaluate("() => [host.childElementCount, model.nHandlers()]") == [0, 0]


def test_the_joined_module_mounts_the_same(page_with: PageWith) -> None:
    page = page_with(join_modules("deepening_widget").replace("export default", "globalThis.widget ="))
    page.wait_for_function("() => typeof globalThis.widget?.render === 'function'")
