"""What searches of Sokoban draw besides: lines between nodes, crossed nodes, and the state of elimination."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.ui.explorer.explorers import PlainExplorer
from tests.ui.parts import PlainTree
from tests.ui.tree.trees import ELIMINATED, MOVED, GrownTree, small_frame

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

    from tests.ui.parts import PartPage

PHASES = ["selection", "expansion", "simulation", "backpropagation"]


def linked(*links: list[Any], **changes: Any) -> dict[str, Any]:
    """Five nodes with lines between them."""
    frame = small_frame(**changes)
    return {**frame, "marks": {**frame["marks"], "links": [list(link) for link in links]}}


# --- lines -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("role", ["dead", "new", "context"])
def test_a_line_has_the_colour_of_its_role_and_joins_its_nodes(shared: PartPage, role: str) -> None:
    tree = PlainTree(shared, linked([2, 3, role]))
    line = tree.line(f"links{role}")
    assert line["stroke"] == tree.color(role)
    (x2, y2), (x3, y3) = tree.centers()[2], tree.centers()[3]
    left, top, right, bottom = line["box"]
    assert (left, right) == pytest.approx((x3, x2), abs=3)
    assert (top, bottom) == pytest.approx((y2, y3), abs=3)


def test_only_positions_known_already_are_dashed(shared: PartPage) -> None:
    tree = PlainTree(shared, linked([1, 3, "dead"], [2, 3, "new"], [2, 4, "context"]))
    dashes = {
        role: tree.page.locator(f".tracelinks{role} .js-line").evaluate(
            "line => getComputedStyle(line).strokeDasharray"
        )
        for role in ("dead", "new", "context")
    }
    assert (dashes["dead"], dashes["new"]) == ("none", "none")
    assert dashes["context"] == "4px, 4px"


def test_where_a_subtree_is_now_is_drawn_thicker_than_where_it_was(shared: PartPage) -> None:
    tree = PlainTree(shared, linked([1, 3, "dead"], [2, 3, "new"]))
    assert tree.line("linksnew")["width"] > tree.line("linksdead")["width"]


def test_lines_of_one_role_are_not_joined_to_each_other(shared: PartPage) -> None:
    tree = PlainTree(shared, linked([0, 3, "context"], [0, 4, "context"]))
    paths = tree.page.locator(".tracelinkscontext .js-line").evaluate_all(
        "all => all.map((each) => each.getAttribute('d'))"
    )
    assert [path.count("L") for path in paths] == [1, 1]


def test_a_line_to_a_node_that_is_not_drawn_is_left_out(shared: PartPage) -> None:
    tree = PlainTree(shared, linked([2, 99, "context"], [2, 4, "new"]))
    assert tree.line("linkscontext") == {}
    assert tree.line("linksnew") != {}


def test_lines_go_with_their_phase(shared: PartPage) -> None:
    tree = PlainTree(shared, linked([1, 3, "dead"]))
    tree.draw(small_frame(2))
    assert tree.line("linksdead") == {}


def test_dark_lines_are_those_of_the_dark_theme(shared: PartPage) -> None:
    light = PlainTree(shared, linked([1, 3, "dead"])).line("linksdead")["stroke"]
    shared.page.evaluate("() => { document.body.dataset.jpThemeLight = 'false'; }")
    dark = PlainTree(shared, linked([1, 3, "dead"]))
    assert dark.line("linksdead")["stroke"] == dark.color("dead") != light


# --- nodes -----------------------------------------------------------------------------------------------------------


def test_eliminated_nodes_are_red_and_crossed(shared: PartPage) -> None:
    tree = PlainTree(shared, small_frame(flags=[0, ELIMINATED, 0, ELIMINATED, 0]))
    assert tree.colors("eliminated", "fill") == [tree.color("dead")] * 2
    cross = tree.page.locator(".traceeliminated .point").first.get_attribute("d") or ""
    assert cross.count("M") > 1  # a ring, and the strokes within it


def test_a_cross_is_seen_in_any_crowd(shared: PartPage) -> None:
    tree = GrownTree(400)
    frame = tree.frame(flags=[0] * (len(tree.parents) - 1) + [ELIMINATED])
    PlainTree(shared, frame)
    width = "point => point.getBoundingClientRect().width"
    assert shared.page.locator(".traceeliminated .point").evaluate(width) >= 12
    assert shared.page.locator(".tracenodes .point").last.evaluate(width) < 9


def test_the_top_of_a_moved_subtree_has_a_ring_as_new_nodes_have(shared: PartPage) -> None:
    tree = PlainTree(shared, small_frame(flags=[0, 0, 0, MOVED, 0]), traits={"node": 0})
    assert tree.color("new") in tree.colors("rings", "stroke")


# --- the diagram -----------------------------------------------------------------------------------------------------


def states(explorer: PlainExplorer) -> list[str]:
    """States of the diagram."""
    found = explorer.page.locator(".sokoviz-diagram svg [data-state]")
    return found.evaluate_all("all => all.map((each) => each.dataset.state)")  # type: ignore[no-any-return]


@pytest.mark.parametrize("eliminates", [True, False])
def test_elimination_is_a_state_only_where_a_search_has_it(page_with: Callable[..., Page], *, eliminates: bool) -> None:
    explorer = PlainExplorer(page_with, about={"eliminates": eliminates})
    assert ("eliminate" in states(explorer)) is eliminates
    assert explorer.page.locator(".sokoviz-phases [data-state=eliminate]").count() == int(eliminates)


def test_another_search_in_the_same_explorer_gets_its_own_diagram(page_with: Callable[..., Page]) -> None:
    explorer = PlainExplorer(page_with)
    before = len(states(explorer))
    explorer.show(about={"eliminates": True})
    assert len(states(explorer)) == before + 1
    explorer.show(about={"eliminates": False})
    assert len(states(explorer)) == before


def test_elimination_is_lit_in_its_phase_and_dim_where_there_is_none(page_with: Callable[..., Page]) -> None:
    explorer = PlainExplorer(page_with, about={"eliminates": True})
    explorer.show(story={"state": "eliminate", "phases": ["selection", "expansion", "elimination"]})
    state = explorer.page.locator(".sokoviz-diagram svg [data-state=eliminate]")
    assert "sokoviz-lit" in (state.get_attribute("class") or "")
    assert explorer.page.get_by_role("img", name="State: eliminate", exact=True).count() == 1
    explorer.show(story={"state": "select", "phases": PHASES})
    assert "sokoviz-dim" in (state.get_attribute("class") or "")


def test_its_word_fits_in_its_box_and_its_box_in_the_diagram(page_with: Callable[..., Page]) -> None:
    explorer = PlainExplorer(page_with, about={"eliminates": True})
    inside = explorer.page.evaluate("""() => {
      const box = (query) => document.querySelector(`.sokoviz-diagram svg${query}`).getBoundingClientRect();
      const holds = (outer, inner) => outer.left <= inner.left && inner.right <= outer.right
        && outer.top <= inner.top && inner.bottom <= outer.bottom;
      const [all, rect, word] = ["", " [data-state=eliminate] .box", " [data-state=eliminate] text"].map(box);
      return [holds(all, rect), holds(rect, word)];
    }""")
    assert inside == [True, True]


# --- eliminated one after the other ----------------------------------------------------------------------------------

ANIMATIONS = """() => [...document.querySelectorAll(".traceeliminated .point")].map((point) =>
  point.getAnimations().map((each) => [each.animationName, each.effect.getTiming().delay]))"""


def eliminating(number: int = 1, *, nodes: tuple[int, ...] = (3, 1)) -> dict[str, Any]:
    """Node 3 is eliminated, then its parent, node 1; or others."""
    frame = small_frame(number, flags=[ELIMINATED if node in nodes else 0 for node in range(5)])
    return {**frame, "marks": {**frame["marks"], "eliminated": list(nodes)}}


def test_the_dead_node_turns_red_before_its_ancestors_and_then_they_fade(shared: PartPage) -> None:
    tree = PlainTree(shared, eliminating())
    parent, child = (dict(each) for each in tree.page.evaluate(ANIMATIONS))
    assert child["sokoviz-turn-red"] == 0
    assert parent["sokoviz-turn-red"] > 0
    assert child["sokoviz-fade"] == parent["sokoviz-fade"] > parent["sokoviz-turn-red"]


def test_who_wants_no_motion_sees_them_red_at_once(still: PartPage) -> None:
    tree = PlainTree(still, eliminating())
    assert tree.page.evaluate(ANIMATIONS) == [[], []]
    assert tree.colors("eliminated", "fill") == [tree.color("dead")] * 2


def test_before_its_turn_a_node_looks_as_it_did(shared: PartPage) -> None:
    tree = PlainTree(shared, small_frame())
    _, before, *_ = tree.colors("nodes", "fill")
    tree.draw(eliminating(2), settle=False)
    point = tree.page.locator(".traceeliminated .point").first
    look = "point => [getComputedStyle(point).fill, getComputedStyle(point).stroke]"
    point.evaluate("point => point.getAnimations().forEach((each) => { each.pause(); each.currentTime = 100; })")
    assert point.evaluate(look) == [before, "rgba(0, 0, 0, 0)"]
    point.evaluate("point => point.getAnimations().forEach((each) => { each.currentTime = 1000; })")
    assert point.evaluate(look) == [tree.color("dead"), tree.color("paper")]


@pytest.mark.clock
def test_another_elimination_begins_anew_and_the_same_does_not(shared: PartPage) -> None:
    tree = PlainTree(shared, eliminating())
    age = (
        "() => Math.max(...document.querySelector('.traceeliminated .point').getAnimations().map((a) => a.currentTime))"
    )
    tree.page.wait_for_timeout(600)
    tree.draw(eliminating(2), settle=False, node=2)
    assert tree.page.evaluate(age) >= 600
    tree.draw(eliminating(3, nodes=(4, 1)), settle=False)
    assert tree.page.evaluate(age) < 500
