"""A comparison in a plain page, answered by a real widget: controls, trees, figures, charts, keys, and narrow pages."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from playwright.sync_api import expect

import sokoviz as sv
from sokoviz.widgets.base.modules import join_modules
from sokoviz.widgets.explorer.frames import unpack_arrays
from tests.ui.compare.compares import PlainCompare

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

    PageWith = Callable[..., Page]

BOXES = """() => [...document.querySelectorAll('.sokoviz-compare :is(button, select, input, article, .sokoviz-growth)')]
  .filter((element) => element.getClientRects().length)
  .map((element) => JSON.stringify(element.getBoundingClientRect()))"""
EVIL = "<img src=x onerror=alert(1)> & <b>bold</b>"


@pytest.fixture
def compare(page_with: PageWith) -> PlainCompare:
    """Schokoban and Vanillaban on lesson 7, after iteration 60."""
    return PlainCompare(page_with, iteration=60)


def where(compare: PlainCompare) -> str:
    return compare.page.locator(".sokoviz-where").inner_text()


# --- what is shown ---------------------------------------------------------------------------------------------------


def test_every_control_has_its_exact_name(compare: PlainCompare) -> None:
    names = ["Back", "Step", "Play", "First difference", "Next event", "Run", "Large type"]
    assert {name: compare.button(name).count() for name in names} == dict.fromkeys(names, 1)
    for role, name in (("slider", "Iteration"), ("combobox", "Event"), ("spinbutton", "More iterations")):
        assert compare.page.get_by_role(role, name=name, exact=True).count() == 1  # type: ignore[arg-type]
    title = "Comparison of Schokoban and Vanillaban: Level lessons#7 'Four in a square', 8 x 7, 4 boxes"
    assert compare.page.get_by_role("region", name=title, exact=True).count() == 1


def test_figures_stand_under_their_trees(compare: PlainCompare) -> None:
    figures = compare.widget.comparison.figures(60)
    for each in figures:
        assert compare.figure(each.name, "distinct") == str(each.distinct)
        assert compare.figure(each.name, "redundant") == str(each.redundant)
    assert where(compare) == "after iteration 60 of 365"


def test_redundant_nodes_have_their_colour(compare: PlainCompare) -> None:
    drawn = {name: [point["color"] for point in compare.points(name)] for name in ("Schokoban", "Vanillaban")}
    color = "rgb(143, 63, 228)"
    arrays = unpack_arrays(compare.widget.trees[1])
    assert drawn["Schokoban"].count(color) == 0
    assert drawn["Vanillaban"].count(color) == int(np.count_nonzero(arrays["flags"] & 16)) > 20


def test_what_the_iteration_did_is_told_in_colours(compare: PlainCompare) -> None:
    compare.click("First difference")
    expect(compare.panel("Schokoban").locator(".sokoviz-panel-story .sokoviz-role-new")).to_have_text(
        "4 new children, nodes 10 to 13"
    )
    expect(compare.panel("Vanillaban").locator(".sokoviz-panel-story .sokoviz-role-new")).to_have_text(
        "5 new children, nodes 10 to 14"
    )
    expect(compare.page.get_by_role("heading", name="First difference: iteration 7, expansion")).to_be_visible()


def test_charts_have_the_same_axes_and_show_the_moment(compare: PlainCompare) -> None:
    charts = compare.page.locator(".sokoviz-growth")
    texts = [charts.nth(place).locator("text").all_text_contents() for place in (0, 1)]
    ends = [[text for text in each if re.fullmatch(r"[\d,]+( iterations)?", text)] for each in texts]
    assert ends[0] == ends[1] == ["0", "365 iterations", "681"]
    before = charts.first.locator(".sokoviz-growth-now").get_attribute("d")
    compare.click("Step")
    assert charts.first.locator(".sokoviz-growth-now").get_attribute("d") != before
    expect(charts.nth(1)).to_have_attribute("aria-label", re.compile("681 nodes in the tree, 237 distinct states"))


def test_a_click_into_a_chart_goes_there(compare: PlainCompare) -> None:
    box = compare.page.locator(".sokoviz-growth").first.bounding_box()
    assert box
    compare.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    compare.page.wait_for_function("() => model.get('iteration') !== 60")
    assert abs(compare.widget.iteration - 182) <= 2


# --- moving ----------------------------------------------------------------------------------------------------------


def test_buttons_move_the_clock(compare: PlainCompare) -> None:
    compare.click("Step")
    assert where(compare) == "after iteration 61 of 365"
    compare.click("Back")
    compare.click("Next event")
    assert compare.widget.iteration == compare.widget.comparison.next_event("redundant", 60)
    compare.page.get_by_role("combobox", name="Event").select_option("solution")
    compare.click("Next event")
    assert where(compare) == "after iteration 346 of 365"
    assert compare.figure("Schokoban", "solved_at") == "346"


def test_the_slider_scrubs(compare: PlainCompare) -> None:
    slider = compare.page.get_by_role("slider", name="Iteration")
    slider.evaluate("(input) => { input.value = 200; input.dispatchEvent(new Event('input')); }")
    compare.page.wait_for_function("() => model.get('iteration') === 200")
    assert compare.widget.iteration == 200


def test_keys_do_what_buttons_do(compare: PlainCompare) -> None:
    compare.page.locator(".sokoviz-compare").focus()
    keys = {"ArrowRight": "step", "ArrowLeft": "step", "d": "difference", "n": "event", "Home": "goto", "End": "goto"}
    for key, kind in keys.items():
        compare.page.keyboard.press(key)
        assert [message["kind"] for message in compare.sent()] == [kind]
    compare.page.keyboard.press("l")
    assert compare.page.locator(".sokoviz-compare.sokoviz-large").count() == 1


def test_no_key_gets_out_to_the_notebook(compare: PlainCompare) -> None:
    compare.page.evaluate("() => { globalThis.heard = []; addEventListener('keydown', (e) => heard.push(e.key)); }")
    compare.page.locator(".sokoviz-compare").focus()
    for key in ("a", "b", "x", "d", "ArrowRight"):
        compare.page.keyboard.press(key)
    assert compare.page.evaluate("() => heard") == []


@pytest.mark.clock
def test_playing_steps_on_until_it_is_paused(compare: PlainCompare) -> None:
    compare.page.evaluate("() => model.set('speed', 8)")
    compare.button("Play").click()
    compare.page.wait_for_function("() => model.get('iteration') >= 63")
    compare.button("Pause").click()
    compare.page.wait_for_function("() => !model.get('playing')")
    assert compare.widget.playing is False


@pytest.mark.clock
def test_run_asks_for_more_iterations_and_becomes_stop(compare: PlainCompare) -> None:
    compare.page.get_by_role("spinbutton", name="More iterations").fill("50")
    compare.button("Run").click()
    assert compare.sent() == [{"kind": "run", "iterations": 50}]
    compare.page.evaluate("() => model.take({record: {...model.get('record'), running: true, share: 0.5}})")
    compare.button("Stop").click()
    assert compare.sent() == [{"kind": "stop"}]
    expect(compare.page.locator(".sokoviz-progress-text")).to_have_text("All searches have ended.")


def test_a_wrong_number_is_not_sent(compare: PlainCompare) -> None:
    compare.page.get_by_role("spinbutton", name="More iterations").fill("-3")
    compare.button("Run").click()
    assert compare.sent() == []


# --- positions -------------------------------------------------------------------------------------------------------


def test_a_click_on_a_node_shows_its_position_in_all_trees(compare: PlainCompare) -> None:
    point = next(each for each in compare.points("Vanillaban") if each["color"] == "rgb(143, 63, 228)")
    compare.page.mouse.click(point["x"], point["y"])
    compare.page.wait_for_function("() => model.get('which') === 1")
    compare.wait_until_drawn()
    node = compare.widget.node
    assert node in np.flatnonzero(compare.widget.comparison.redundant(1, 60))
    expect(compare.page.locator(".sokoviz-place-name")).to_contain_text(f"node {node} of Vanillaban")
    rings = ".sokoviz-tree-plot .tracerings .point"
    assert compare.panel("Schokoban").locator(rings).count() >= 1
    expect(compare.page.locator(".sokoviz-compare-where dd").nth(1)).to_contain_text("again at node")


def test_fields_and_keys_of_a_tree_are_about_that_tree(compare: PlainCompare) -> None:
    field = compare.panel("Vanillaban").get_by_role("textbox", name="Find node")
    field.fill("12")
    field.press("Enter")
    compare.page.wait_for_function("() => model.get('node') === 12")
    assert (compare.widget.which, compare.widget.node) == (1, 12)
    compare.panel("Vanillaban").locator(".sokoviz-tree-stage").focus()
    compare.sent()
    compare.page.keyboard.press("ArrowUp")
    parent = int(compare.widget.searches[1].tree.parents[12])
    assert compare.sent() == [{"kind": "select", "node": parent, "search": 1}]


# --- other searches --------------------------------------------------------------------------------------------------


def test_a_game_without_positions_to_tell_apart(page_with: PageWith) -> None:
    searches = [sv.MCTS(sv.TicTacToe(), c=c) for c in (0.5, 2)]
    for search in searches:
        search.run(iterations=100, progress=False)
    compare = PlainCompare(page_with, *searches)
    assert compare.figure("MCTS · c = 2", "nodes") == str(len(searches[1].tree))
    assert compare.page.get_by_text("redundant").count() == 0
    assert compare.page.get_by_role("heading", name="The same line of moves").count() == 1


def test_searches_that_have_not_begun(page_with: PageWith) -> None:
    level = sv.load("lessons#7")
    compare = PlainCompare(page_with, sv.Schokoban(level), sv.Vanillaban(level))
    assert where(compare) == "after iteration 0 of 0"
    assert compare.button("Back").get_attribute("aria-disabled") == "true"
    assert compare.button("First difference").get_attribute("aria-disabled") == "true"
    compare.click("Step")
    assert where(compare) == "after iteration 1 of 1"


def test_text_from_files_is_text(page_with: PageWith) -> None:
    level = sv.Level(("#####", "#@$.#", "#####"), title=EVIL)
    compare = PlainCompare(page_with, sv.Schokoban(level), sv.Vanillaban(level))
    assert EVIL in compare.page.locator(".sokoviz-game").inner_text()
    assert compare.page.locator(".sokoviz-compare img").count() == 0


# --- room ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("width", "n_columns"), [(1180, 2), (980, 2), (700, 1), (480, 1)])
def test_panels_stand_side_by_side_where_there_is_room(page_with: PageWith, width: int, n_columns: int) -> None:
    compare = PlainCompare(page_with, iteration=60, page_options={"size": (width, 900)})
    boxes = [compare.panel(name).bounding_box() for name in ("Schokoban", "Vanillaban")]
    assert boxes[0]
    assert boxes[1]
    assert (boxes[0]["y"] == boxes[1]["y"]) == (n_columns == 2)
    assert compare.page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")


def test_nothing_jumps_from_step_to_step(compare: PlainCompare) -> None:
    def boxes() -> Any:
        return compare.page.evaluate(BOXES)

    before = boxes()
    for name in ("Step", "Step", "Next event", "First difference", "Back"):
        compare.click(name)
        assert boxes() == before


def test_it_leaves_nothing_behind(compare: PlainCompare) -> None:
    compare.page.evaluate("() => cleanup()")
    assert compare.page.locator(".sokoviz").count() == 0
    assert compare.page.evaluate("() => model.nHandlers()") == 0


def test_the_widget_is_one_module() -> None:
    module = join_modules("compare_widget")
    assert not re.search(r"^import ", module, re.MULTILINE)
    assert "export default" in module
