"""Exported iterative deepening in Chromium, without a kernel and without network: it steps, plays, jumps, selects."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

import sokoviz as sv
from sokoviz.search.loading import prepare_deepening
from tests.ui.explorer.test_recorded_page import Recorded, check_looks
from tests.ui.heatmaps.heatmaps import BOXES, SMALL
from tests.ui.heatmaps.test_compare_heatmaps_page import open_exported
from tests.ui.heatmaps.test_heatmap_page import EVIL
from tests.ui.ida.deepening_pages import searched

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Browser, Locator

    from sokoviz.widgets.ida.widget import DeepeningExplorer


class RecordedDeepening(Recorded):
    """Exported iterative deepening in a page, beside the search and an explorer of it in this process."""

    def explore(self) -> DeepeningExplorer:
        """An explorer of the search."""
        explorer: DeepeningExplorer = self.search.explore()
        return explorer

    def renew(self) -> None:
        """Forget what tests did to the page."""
        self.go(self.search.last)
        self.page.get_by_role("combobox", name="Run to", exact=True).select_option("iteration")
        self.page.get_by_role("combobox", name="Speed").select_option("2")
        if self.button("Follow").get_attribute("aria-pressed") == "false":
            self.button("Follow").click()
        self.explorer.follow = True

    def rows(self) -> Locator:
        """The rows of the successors."""
        return self.page.get_by_role("table", name="Successors", exact=True).locator("tbody tr")

    def moves(self) -> Locator:
        """The moves of the line, the start first."""
        return self.page.get_by_role("list", name="Line of moves").locator("button")

    def check(self) -> None:
        """The page shows what the explorer shows."""
        explorer = self.explorer
        heading, runs = explorer.story["heading"], explorer.story["runs"]
        expect(self.page.locator(".sokoviz-narration")).to_have_text(f"{heading}: {''.join(text for text, _ in runs)}")
        expect(self.page.locator(".sokoviz-place-name")).to_have_text(explorer.position["caption"])
        expect(self.page.locator(".sokoviz-why")).to_have_text(explorer.children["note"])
        expect(self.rows().locator("td:first-child")).to_have_text([row["action"] for row in explorer.children["rows"]])
        expect(self.moves()).to_have_count(1 + len(explorer.line["moves"]))
        n_drawn, n_nodes = explorer.tree["n_drawn"], explorer.tree["n_nodes"]
        expect(self.page.locator(".sokoviz-tree-count")).to_have_text(re.compile(f"^{n_drawn} of {n_nodes:,} nodes?$"))
        expect(self.page.locator(".sokoviz-tree-plot .tracenodes .point")).not_to_have_count(0)


@pytest.fixture(scope="module")
def solved_file(tmp_path_factory: pytest.TempPathFactory) -> tuple[sv.IDA, Path]:
    """A solved level of many thresholds and its page."""
    search = searched(5)
    return search, search.export(tmp_path_factory.mktemp("pages") / "solved.html")


@pytest.fixture(scope="module")
def shared_page(browser: Browser, solved_file: tuple[sv.IDA, Path]) -> Iterator[RecordedDeepening]:
    """Its page, open for all tests of this file, for plotly.js takes a while; a test uses `solved`."""
    search, path = solved_file
    recorded = RecordedDeepening(open_exported(browser, path), search)
    yield recorded
    recorded.page.context.close()


@pytest.fixture
def solved(shared_page: RecordedDeepening) -> Iterator[RecordedDeepening]:
    """That page as it was in the beginning; errors in the console and requests to the outside fail the test."""
    shared_page.renew()
    yield shared_page
    assert shared_page.watched.problems == []


def test_it_opens_where_the_search_stands_and_steps_as_the_explorer_does(solved: RecordedDeepening) -> None:
    solved.check()
    assert solved.button("Export page").count() == 0
    solved.go(11)
    for name, step in (("Step iteration", solved.search.step_on),) * 3 + (("Back iteration", solved.search.back),):
        solved.button(name).click()
        step()
        solved.check()


def test_the_keys_and_the_slider_go_anywhere(solved: RecordedDeepening) -> None:
    solved.go(12)
    solved.check()
    solved.page.locator(".sokoviz-explorer").focus()
    solved.page.keyboard.press("Home")
    expect(solved.page.locator(".sokoviz-where")).to_contain_text(f"at the start · step 0 of {solved.search.last}")
    expect(solved.button("Back iteration")).to_have_attribute("aria-disabled", "true")
    solved.page.keyboard.press("ArrowRight")
    expect(solved.page.locator(".sokoviz-where")).to_contain_text(f"step 1 of {solved.search.last}")
    solved.page.keyboard.press("End")
    expect(solved.page.locator(".sokoviz-narration")).to_contain_text("Solved: ")
    expect(solved.button("Step iteration")).to_have_attribute("aria-disabled", "true")


def test_events_of_every_kind_are_found_forwards_and_backwards(solved: RecordedDeepening) -> None:
    solved.go(1)
    for event in ("relevance", "transposition", "threshold"):
        solved.run_to(event)
        solved.search.run(until=event, progress=False)
        solved.check()
    solved.run_to("threshold", "Previous event")
    solved.explorer._on_previous("threshold")
    solved.check()
    expect(solved.page.locator(".sokoviz-progress-text")).to_have_text(solved.explorer.record["text"])
    solved.run_to("threshold", "Previous event")
    expect(solved.page.locator(".sokoviz-progress-text")).to_have_text("No threshold is recorded before step 1.")


def test_the_ticks_are_those_of_the_explorer(solved: RecordedDeepening) -> None:
    ticks = solved.explorer.ticks
    paths = solved.page.locator(".sokoviz-ticks path")
    expect(paths).to_have_count(len(ticks))
    drawn = [(paths.nth(lane).get_attribute("d") or "").count("M") for lane in range(len(ticks))]
    assert drawn == [len(steps) for steps in ticks.values()]


@pytest.mark.clock
def test_it_plays_to_the_end_and_then_from_the_beginning(solved: RecordedDeepening) -> None:
    solved.go(solved.search.last - 2)
    solved.page.get_by_role("combobox", name="Speed").select_option("64")
    solved.button("Play").click()
    expect(solved.page.locator(".sokoviz-narration")).to_contain_text("The level is solved")
    expect(solved.button("Play")).to_be_visible()
    solved.page.get_by_role("combobox", name="Speed").select_option("1")
    solved.button("Play").click()
    expect(solved.page.locator(".sokoviz-where")).to_contain_text(re.compile(r"step \d of"))
    solved.button("Pause").click()


def test_a_row_shows_why_its_move_was_cut(solved: RecordedDeepening) -> None:
    solved.go(0)
    solved.run_to("deadlock")
    solved.search.run(until="deadlock", progress=False)
    row = next(row for row in solved.explorer.children["rows"] if row["fate"] == "deadlock")
    solved.page.locator(f".sokoviz-successors tr[data-node='{row['node']}']").click()
    solved.explorer._on_select(row["node"])
    solved.check()
    expect(solved.page.locator(".sokoviz-why")).to_contain_text("Deadlock: ")
    assert solved.page.locator(".sokoviz-position .mark.deadlock").count() > 0
    expect(solved.button("Follow")).to_have_attribute("aria-pressed", "false")


def test_the_line_can_be_clicked_and_its_way_is_marked_in_the_tree(solved: RecordedDeepening) -> None:
    solved.go(next(step for step in range(1, 60) if len(solved.search.explain(step).line) > 2))
    n = len(solved.search.explain().line) + 1
    expect(solved.moves()).to_have_count(n)
    solved.moves().nth(1).click()
    expect(solved.moves()).to_have_count(2)
    names = solved.page.locator(".tracelabels text").all_text_contents()
    assert solved.moves().nth(1).inner_text() in names
    solved.button("Follow").click()
    expect(solved.moves()).to_have_count(n)


def test_a_bar_leads_to_its_threshold(solved: RecordedDeepening) -> None:
    bars = solved.page.locator(".sokoviz-bar")
    assert bars.count() == len(solved.explorer.charts["rows"]) > 3
    bars.nth(1).locator(".sokoviz-bar-target").click()
    solved.search.goto(solved.explorer.charts["rows"][1]["first"])
    solved.check()
    expect(bars.nth(1).locator(".sokoviz-bar-now")).to_have_count(1)


@pytest.mark.clock
def test_the_solution_plays_on_the_board(solved: RecordedDeepening) -> None:
    solved.go(4)
    expect(solved.page.locator(".sokoviz-solution-text")).to_have_text("no solution yet")
    solved.go(solved.search.last)
    solved.page.get_by_role("combobox", name="Speed").select_option("64")
    pushes = solved.search.solution.pushes
    solved.button("Play solution").click()
    expect(solved.page.locator(".sokoviz-solution-text")).to_have_text(f"push {pushes} of {pushes}")
    solved.button("Solution back").click()
    solved.explorer._on_solution(pushes - 1)
    solved.check()


def test_a_node_that_is_not_recorded_is_told(solved: RecordedDeepening) -> None:
    solved.page.get_by_role("textbox", name="Find node").fill("99999")
    solved.page.keyboard.press("Enter")
    words = "Node 99,999 is not drawn at this moment of the recording."
    expect(solved.page.locator(".sokoviz-progress-text")).to_have_text(words)


def test_a_position_above_the_tree_is_shown_and_that_is_said(browser: Browser, tmp_path: Path) -> None:
    search = searched(12, "optimal")
    recorded = RecordedDeepening(open_exported(browser, search.export(tmp_path / "deep.html")), search)
    recorded.moves().nth(2).click()
    words = "This position is not in the part of the tree that is drawn here."
    expect(recorded.page.locator(".sokoviz-progress-text")).to_have_text(words)
    expect(recorded.page.locator(".sokoviz-place-name")).to_contain_text("depth 2")
    recorded.moves().nth(0).click()
    expect(recorded.page.locator(".sokoviz-place-name")).to_contain_text("the start · depth 0")
    recorded.button("Follow").click()
    recorded.check()
    recorded.page.context.close()
    assert recorded.watched.problems == []


def test_nothing_jumps_from_step_to_step(solved: RecordedDeepening) -> None:
    def places() -> list[str]:
        boxes = solved.page.evaluate(BOXES)
        return [box for box in boxes if box.startswith(("Step", "Back", "Play ", "Iteration", "Run to", "Follow"))]

    before = places()
    for step in (0, 1, 40):
        solved.go(step)
        expect(solved.page.locator(".sokoviz-where")).to_contain_text(f"step {step} of")
        assert places() == before


def test_no_text_is_tiny(solved: RecordedDeepening) -> None:
    for width in (560, 820, 1280):
        solved.page.set_viewport_size({"width": width, "height": 900})
        solved.page.wait_for_function(f"() => ({SMALL})().length === 0")


def test_a_record_with_a_gap_steps_over_it_and_says_so(browser: Browser, tmp_path: Path) -> None:
    search = searched(5)
    last = search.last
    recorded = RecordedDeepening(open_exported(browser, search.export(tmp_path / "gap.html", 10)), search, 10)
    expect(recorded.page.locator(".sokoviz-recorded")).to_contain_text(
        f"steps 0 to 5 and {last - 5} to {last} of {last}"
    )
    recorded.go(5)
    recorded.button("Step iteration").click()
    words = f"Steps 6 to {last - 6} are not in this page."
    expect(recorded.page.locator(".sokoviz-progress-text")).to_have_text(words)
    search.goto(last - 5)
    recorded.check()
    recorded.page.locator(".sokoviz-bar").nth(2).locator(".sokoviz-bar-target").click()
    search.goto(5)
    recorded.check()
    expect(recorded.page.locator(".sokoviz-progress-text")).to_have_text(words)
    recorded.page.context.close()
    assert recorded.watched.problems == []


def test_titles_are_text_in_the_page(browser: Browser, tmp_path: Path) -> None:
    search = sv.IDA(sv.Level(sv.load("lessons#1").rows, title=f"</script>{EVIL}", author=EVIL), memory=1 << 20)
    prepare_deepening(search)
    search.run(seconds=10, progress=False)
    recorded = RecordedDeepening(open_exported(browser, search.export(tmp_path / "evil.html")), search)
    expect(recorded.page.locator(".sokoviz-game")).to_have_text(f"Sokoban · </script>{EVIL}")
    assert recorded.page.locator("img").count() == 0
    recorded.page.context.close()
    assert recorded.watched.problems == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_looks_as_its_reader_prefers(browser: Browser, solved_file: tuple[sv.IDA, Path], scheme: str) -> None:
    check_looks(browser, solved_file[1], scheme)
