"""An exported search in Chromium, without a kernel and without network: it steps, plays, jumps, selects."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

import sokoviz as sv
from sokoviz.search.loading import prepare
from sokoviz.widgets.base.recorder import recorded_spans
from sokoviz.widgets.explorer.frames import unpack_arrays
from sokoviz.widgets.explorer.widget import moment_of
from tests.ui.heatmaps.test_compare_heatmaps_page import open_exported
from tests.ui.heatmaps.test_heatmap_page import EVIL

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Browser, Locator

    from sokoviz.search.mcts.search import MCTS
    from tests.ui.jupyter import WatchedPage


class Recorded:
    """An exported search in a page, beside the search and an explorer of it in this process."""

    def __init__(self, watched: WatchedPage, search: Any, most: int = 300) -> None:
        self.places = [number for span in recorded_spans(search.last, most) for number in span]
        self.watched, self.page, self.search = watched, watched.page, search
        self.explorer = self.explore()
        self.page.locator(".sokoviz-at-tree[data-frame]").wait_for()

    def explore(self) -> Any:
        """An explorer of the search."""
        prepare(self.search.game)
        return self.search.explore()

    def button(self, name: str) -> Locator:
        """The button of this name."""
        return self.page.get_by_role("button", name=name, exact=True)

    def go(self, iteration: int) -> None:
        """Go to an iteration, in the page and here."""
        place = self.places.index(iteration)
        slider = self.page.get_by_role("slider", name="Iteration", exact=True)
        slider.evaluate("(input, place) => { input.value = place; input.dispatchEvent(new Event('input')); }", place)
        self.search.goto(iteration)

    def run_to(self, event: str, button: str = "Run") -> None:
        """Run to an event in the page."""
        self.page.get_by_role("combobox", name="Run to", exact=True).select_option(event)
        self.button(button).click()

    def renew(self) -> None:
        """Forget what tests did to the page."""
        self.go(self.search.last)
        self.page.get_by_role("combobox", name="Run to", exact=True).select_option("iteration")
        self.button("Children").click()
        for name in ("Follow", "Show reach", "Show pushes", "Show matching"):
            if self.button(name).get_attribute("aria-pressed") == "false":
                self.button(name).click()
        for trait in ("follow", "component", "pushes", "matching"):
            setattr(self.explorer, trait, True)

    def run_here_to(self, event: str) -> None:
        """Go in the explorer to the moment that shows the next event of a kind."""
        search = self.search
        later = range(search.steps + bool(search.phase) + 1, search.last + 1)
        number = next(number for number in later if event in search.explain(number).events)
        search.goto(*moment_of(search, event, number))

    def check(self) -> None:
        """The page shows what the explorer shows."""
        explorer = self.explorer
        explorer._publish_rest()  # at once: no kernel runs here whose turn would come
        heading, runs = explorer.story["heading"], explorer.story["runs"]
        expect(self.page.locator(".sokoviz-narration")).to_have_text(f"{heading}: {''.join(text for text, _ in runs)}")
        expect(self.page.locator(".sokoviz-place-name")).to_have_text(explorer.position["caption"])
        expect(self.page.locator(".sokoviz-inspector tbody tr")).to_have_count(len(explorer.children["rows"]))
        rows = self.page.locator(".sokoviz-inspector tbody tr td:first-child").all_inner_texts()
        assert rows == [str(row["node"]) for row in explorer.children["rows"]]
        n_drawn, n_nodes = explorer.tree["n_drawn"], explorer.tree["n_nodes"]
        expect(self.page.locator(".sokoviz-tree-count")).to_have_text(f"{n_drawn} of {n_nodes} nodes")
        expect(self.page.locator(".sokoviz-tree-plot .tracenodes .point")).not_to_have_count(0)


def exported(browser: Browser, search: MCTS, path: Path, frames: int = 300) -> Recorded:
    """Export a search and open its page."""
    return Recorded(open_exported(browser, search.export(path, frames)), search, frames)


@pytest.fixture(scope="module")
def solved_file(tmp_path_factory: pytest.TempPathFactory) -> tuple[sv.Schokoban, Path]:
    """A solved level and its page."""
    search = sv.Schokoban(sv.load("lessons#14"))
    search.run(progress=False)
    return search, search.export(tmp_path_factory.mktemp("pages") / "solved.html")


@pytest.fixture(scope="module")
def shared_page(browser: Browser, solved_file: tuple[sv.Schokoban, Path]) -> Iterator[Recorded]:
    """Its page, open for all tests of this file, for plotly.js takes a while; a test uses `solved`."""
    search, path = solved_file
    recorded = Recorded(open_exported(browser, path), search)
    yield recorded
    recorded.page.context.close()


@pytest.fixture
def solved(shared_page: Recorded) -> Iterator[Recorded]:
    """That page as it was in the beginning; errors in the console and requests to the outside fail the test."""
    shared_page.renew()
    yield shared_page
    assert shared_page.watched.problems == []


def test_it_opens_where_the_search_stands_and_steps_as_the_explorer_does(solved: Recorded) -> None:
    solved.check()
    solved.go(11)
    for name, step in (
        *(("Step phase", solved.search.step_phase),) * 7,
        ("Back iteration", solved.search.back),
        ("Step iteration", solved.search.step_on),
        *(("Back phase", solved.search.back_phase),) * 2,
    ):
        solved.button(name).click()
        step()
        solved.check()


def test_every_moment_around_an_event_is_that_of_the_explorer(solved: Recorded) -> None:
    solved.go(0)
    for event in ("elimination", "move", "elimination"):
        solved.run_to(event)
        solved.run_here_to(event)
        solved.check()
    solved.run_to("move", "Previous event")
    solved.explorer._on_previous("move")
    solved.check()
    expect(solved.page.locator(".sokoviz-progress-text")).to_contain_text("Subtree move in iteration")


def test_the_keys_and_the_slider_go_anywhere(solved: Recorded) -> None:
    solved.go(12)
    expect(solved.page.locator(".sokoviz-where")).to_contain_text("after iteration 12 of")
    solved.page.locator(".sokoviz-explorer").focus()
    solved.page.keyboard.press("Home")
    expect(solved.page.locator(".sokoviz-where")).to_contain_text("at iteration 0 of")
    expect(solved.button("Back phase")).to_have_attribute("aria-disabled", "true")
    solved.page.keyboard.press("ArrowRight")
    expect(solved.page.locator(".sokoviz-where")).to_contain_text("in iteration 1 of")


def test_an_iteration_is_run_to_by_its_number(solved: Recorded) -> None:
    field = solved.page.get_by_role("spinbutton", name="Run to iteration")
    expect(field).to_have_value(str(solved.search.last))
    field.fill("7")
    solved.button("Run").click()
    solved.search.goto(7)
    solved.check()


def test_at_the_end_there_is_no_further_and_it_says_why(solved: Recorded) -> None:
    for name in ("Step phase", "Step iteration"):
        expect(solved.button(name)).to_have_attribute("aria-disabled", "true")
        expect(solved.button(name)).to_have_attribute("title", "The recording ends here: to search on takes Python")
    for name in ("Deepest shown", "Fewest visits shown"):
        field = solved.page.get_by_role("spinbutton", name=name)
        expect(field).to_be_disabled()
        expect(field).to_have_attribute("title", f"{name}: to filter a recorded tree takes Python")
    solved.button("Back phase").click()
    expect(solved.button("Step phase")).to_have_attribute("title", "Do the next phase (Right)")
    expect(solved.button("Step phase")).to_be_enabled()


@pytest.mark.clock
def test_it_plays_to_the_end_and_then_from_the_beginning(solved: Recorded) -> None:
    solved.go(solved.search.last - 2)
    solved.page.get_by_role("combobox", name="Speed").select_option("64")
    solved.button("Play").click()
    expect(solved.page.locator(".sokoviz-where")).to_contain_text(f"after iteration {solved.search.last} of")
    expect(solved.button("Play")).to_be_visible()
    solved.page.get_by_role("combobox", name="Speed").select_option("1")
    solved.button("Play").click()
    expect(solved.page.locator(".sokoviz-where")).to_contain_text(re.compile(r"iteration \d of 19"))
    solved.button("Pause").click()


def test_selecting_a_node_shows_its_board_and_its_children(solved: Recorded) -> None:
    solved.go(13)
    for node in (1, 0, 7, 5):
        solved.page.get_by_role("textbox", name="Find node").fill(str(node))
        solved.page.keyboard.press("Enter")
        solved.explorer._on_select(node)
        solved.check()
    expect(solved.button("Follow")).to_have_attribute("aria-pressed", "false")
    solved.page.get_by_role("textbox", name="Find node").fill("99999")
    solved.page.keyboard.press("Enter")
    expect(solved.page.locator(".sokoviz-progress-text")).to_have_text(
        "Node 99,999 is not drawn at this moment of the recording."
    )


def test_the_layers_of_the_board_are_switched(solved: Recorded) -> None:
    solved.go(10)
    before = solved.page.locator(".sokoviz-position svg").inner_html()
    for name in ("component", "pushes", "matching"):
        solved.button(f"Show {'reach' if name == 'component' else name}").click()
        setattr(solved.explorer, name, False)
        solved.check()
    assert solved.page.locator(".sokoviz-position svg").inner_html() != before


@pytest.mark.clock
def test_the_solution_plays_on_the_board(solved: Recorded) -> None:
    solved.go(4)
    expect(solved.page.locator(".sokoviz-solution-text")).to_have_text("no solution yet")
    solved.go(solved.search.last)
    solved.page.get_by_role("combobox", name="Speed").select_option("64")
    solved.button("Play solution").click()
    pushes = solved.search.solution_line
    expect(solved.page.locator(".sokoviz-solution-text")).to_have_text(f"push {len(pushes) - 1} of {len(pushes) - 1}")
    solved.button("Solution back").click()
    solved.explorer._on_solution(len(pushes) - 2)
    solved.check()


def test_successors_that_became_no_children_are_shown(solved: Recorded) -> None:
    solved.go(0)
    solved.run_to("deadlock")
    solved.run_here_to("deadlock")
    solved.button("Left out").click()
    row = solved.page.locator(".sokoviz-left-out tbody tr").first
    row.click()
    solved.explorer._on_successor(str(row.get_attribute("data-action")))
    solved.check()
    expect(row).to_have_attribute("aria-current", "true")
    row.click()
    solved.explorer._on_successor(str(row.get_attribute("data-action")))
    solved.check()


def test_a_game_for_two_steps_too_and_squares_lead_to_children(browser: Browser, tmp_path: Path) -> None:
    search = sv.MCTS(sv.TicTacToe(), seed=1)
    search.run(iterations=60, progress=False)
    search.goto(30)
    recorded = exported(browser, search, tmp_path / "ttt.html")
    recorded.check()
    for _ in range(6):
        recorded.button("Step phase").click()
        search.step_phase()
        recorded.check()
    recorded.page.get_by_role("textbox", name="Find node").fill("0")
    recorded.page.keyboard.press("Enter")
    recorded.page.locator(".sokoviz-squares button[data-square='1,1']").click()
    recorded.explorer._on_select(0)
    recorded.explorer._on_square([1, 1])
    recorded.check()
    recorded.page.context.close()
    assert recorded.watched.problems == []


def test_a_record_with_a_gap_steps_over_it_and_says_so(browser: Browser, tmp_path: Path) -> None:
    search = sv.MCTS(sv.TicTacToe(), seed=1)
    search.run(iterations=400, progress=False)
    recorded = exported(browser, search, tmp_path / "gap.html", frames=10)
    expect(recorded.page.locator(".sokoviz-recorded")).to_contain_text("iterations 0 to 5 and 395 to 400 of 400")
    recorded.go(5)
    recorded.button("Step iteration").click()
    expect(recorded.page.locator(".sokoviz-where")).to_contain_text("after iteration 395 of 400")
    expect(recorded.page.locator(".sokoviz-progress-text")).to_have_text("Iterations 6 to 394 are not in this page.")
    search.goto(395)
    recorded.check()
    expect(recorded.page.get_by_role("slider", name="Iteration", exact=True)).to_have_attribute("max", "11")
    recorded.go(396)
    expect(recorded.page.locator(".sokoviz-where")).to_contain_text("after iteration 396 of 400")
    recorded.check()
    recorded.page.context.close()
    assert recorded.watched.problems == []


def test_what_is_folded_stays_folded_and_it_says_why(browser: Browser, tmp_path: Path) -> None:
    search = sv.MCTS(sv.TicTacToe(), seed=1)
    search.run(iterations=400, progress=False)
    recorded = exported(browser, search, tmp_path / "folded.html", frames=2)
    arrays = unpack_arrays(recorded.explorer.tree)
    folded = arrays["ids"][arrays["hidden"] > 0]
    recorded.page.get_by_role("textbox", name="Find node").fill(str(folded[0]))
    recorded.page.keyboard.press("Enter")
    recorded.page.locator(".sokoviz-tree-stage").focus()
    recorded.page.keyboard.press("Enter")
    words = "What is folded away is not in this page: unfolding needs Python."
    expect(recorded.page.locator(".sokoviz-progress-text")).to_have_text(words)
    recorded.page.context.close()
    assert recorded.watched.problems == []


def test_titles_are_text_in_the_page(browser: Browser, tmp_path: Path) -> None:
    search = sv.Vanillaban(sv.Level(sv.load("lessons#1").rows, title=f"</script>{EVIL}", author=EVIL))
    search.run(iterations=3, progress=False)
    recorded = exported(browser, search, tmp_path / "evil.html")
    expect(recorded.page.locator(".sokoviz-game")).to_have_text(f"Sokoban · </script>{EVIL}")
    assert recorded.page.locator("img").count() == 0
    recorded.page.context.close()
    assert recorded.watched.problems == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_follows_the_readers_preference_and_fits(
    browser: Browser, solved_file: tuple[sv.Schokoban, Path], scheme: str
) -> None:
    check_looks(browser, solved_file[1], scheme)


def check_looks(browser: Browser, path: Path, scheme: str) -> None:
    """A page follows what its reader prefers and fits windows of all sizes."""
    watched = open_exported(browser, path, color_scheme=scheme)
    page = watched.page
    page.locator(".sokoviz-at-tree[data-frame]").wait_for()
    paper = page.locator(".sokoviz-explorer").evaluate("(root) => getComputedStyle(root).backgroundColor")
    assert paper == {"light": "rgb(255, 255, 255)", "dark": "rgb(17, 18, 20)"}[scheme]
    for width in (1280, 820, 560):
        page.set_viewport_size({"width": width, "height": 900})
        assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    page.context.close()
    assert watched.problems == []
