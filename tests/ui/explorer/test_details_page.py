"""What the explorer of Sokoban has beside: layers of the board, the solution, successors left out, subtree moves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from sokoviz.picture import Picture
from tests.ui.explorer.explorers import PlainExplorer

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

    PageWith = Callable[..., Page]

LEFT_OUT: dict[str, Any] = {
    "node": 6,
    "title": "Successors of node 6 that are no children",
    "rows": [
        {"action": "Cc→Bc", "why": "wall sweep", "squares": "Bc", "more": "<b>the box</b> is lost", "dead": True},
        {
            "action": "Cc→Cb",
            "why": "in the tree: node 3",
            "squares": "",
            "more": "depth 1 there, 3 here",
            "dead": False,
        },
    ],
    "chosen": None,
}
CHANGED = {"node": 10, "visits": ["5", "2"], "total": ["−25", "−7"], "value": ["−5.00", "−3.50"], "state": "eliminated"}
SAME = {
    "node": 4,
    "visits": ["13", "13"],
    "total": ["−47", "−47"],
    "value": ["−3.62", "−3.62"],
    "state": "in both",
}
MOVE = {
    "title": "Node 13 moves from node 10 to node 6",
    "note": "depth 5 → 3, with its 3 visits, sum −18, value −6.00",
    "chains": [{"name": "left", "rows": [CHANGED, SAME]}, {"name": "joined", "rows": [SAME]}],
}
DETAILS: dict[str, Any] = {"moment": "10 ", "suggested": "children", "left_out": LEFT_OUT, "moves": []}
SOLVED = {"pushes": 3, "moves": 7, "at": 3, "shown": False}


@pytest.fixture
def explorer(page_with: PageWith) -> PlainExplorer:
    """An explorer of Sokoban."""
    about = {"layers": ["component", "pushes", "matching"], "solves": True}
    return PlainExplorer(page_with, about=about, details=DETAILS, solution=SOLVED)


# --- layers ----------------------------------------------------------------------------------------------------------


def test_layers_are_switched_in_the_model(explorer: PlainExplorer) -> None:
    for name, trait in (("Show reach", "component"), ("Show pushes", "pushes"), ("Show matching", "matching")):
        expect(explorer.button(name)).to_have_attribute("aria-pressed", "true")
        explorer.button(name).click()
        assert explorer.get(trait) is False
        expect(explorer.button(name)).to_have_attribute("aria-pressed", "false")  # it follows the frame of the tree


def test_layers_cannot_be_switched_while_the_solution_is_shown_without_them(explorer: PlainExplorer) -> None:
    explorer.show(solution={"at": 1, "shown": True})
    matching = explorer.button("Show matching")
    expect(matching).to_have_attribute("aria-pressed", "false")
    expect(matching).to_have_attribute("aria-disabled", "true")
    matching.click(force=True)
    assert explorer.get("matching") is True
    explorer.show(solution={"at": 1, "shown": False})
    expect(matching).to_have_attribute("aria-pressed", "true")
    expect(matching).to_have_attribute("aria-disabled", "false")


def test_other_games_have_neither_layers_nor_a_solution_nor_tabs(page_with: PageWith) -> None:
    explorer = PlainExplorer(page_with)
    for name in ("Show reach", "Play solution", "Left out"):
        assert not explorer.button(name).is_visible()


# --- successors that were left out -----------------------------------------------------------------------------------


def test_reasons_are_never_cut_off(explorer: PlainExplorer) -> None:
    explorer.show(details={"left_out": {**LEFT_OUT, "rows": [{**LEFT_OUT["rows"][0], "why": "locked boxes, " * 9}]}})
    explorer.button("Left out").click()
    cells = explorer.page.locator(".sokoviz-left-out td")
    assert all(cells.evaluate_all("all => all.map((each) => each.scrollWidth <= each.clientWidth)"))


def test_successors_are_listed_as_text_and_chosen(explorer: PlainExplorer) -> None:
    assert explorer.page.locator(".sokoviz-left-out").is_hidden()
    explorer.button("Left out").click()
    assert explorer.page.locator(".sokoviz-inspector").is_hidden()
    rows = explorer.page.locator(".sokoviz-left-out tbody tr")
    assert rows.nth(0).locator("td").all_inner_texts() == ["Cc→Bc", "wall sweep", "Bc", "<b>the box</b> is lost"]
    rows.nth(0).click()
    assert explorer.sent() == [{"kind": "successor", "action": "Cc→Bc"}]
    rows.nth(1).focus()
    assert explorer.press("Enter") == [{"kind": "successor", "action": "Cc→Cb"}]
    explorer.show(details={"left_out": {**LEFT_OUT, "chosen": "Cc→Bc"}})
    expect(rows.nth(0)).to_have_attribute("aria-current", "true")
    expect(rows.nth(1)).to_have_attribute("aria-current", "false")
    expect(explorer.page.locator(".sokoviz-left-out")).to_be_visible()


def test_what_the_reader_chose_lasts_while_there_is_any_of_it(explorer: PlainExplorer) -> None:
    explorer.button("Left out").click()
    explorer.show(details={"moment": "11 "})
    expect(explorer.page.locator(".sokoviz-left-out")).to_be_visible()
    explorer.show(details={"moment": "12 ", "left_out": {**LEFT_OUT, "rows": []}})
    expect(explorer.page.locator(".sokoviz-inspector")).to_be_visible()
    assert explorer.button("Left out").get_attribute("aria-disabled") == "true"
    explorer.show(details={**DETAILS, "moment": "13 "})
    expect(explorer.page.locator(".sokoviz-left-out")).to_be_visible()


# --- subtree moves ---------------------------------------------------------------------------------------------------


def test_a_move_is_shown_when_it_happens_with_both_chains(explorer: PlainExplorer) -> None:
    assert explorer.button("Subtree moves").get_attribute("aria-disabled") == "true"
    explorer.show(details={"moment": "10 expansion", "suggested": "moves", "moves": [MOVE]})
    moves = explorer.page.locator(".sokoviz-moves")
    expect(moves).to_be_visible()
    expect(moves).to_contain_text("Node 13 moves from node 10 to node 6 · depth 5 → 3, with its 3 visits")
    left, joined = moves.locator("table").nth(0), moves.locator("table").nth(1)
    cells = left.locator("tbody tr").nth(0).locator("td").all_inner_texts()
    assert cells == ["10", "5 → 2", "−25 → −7", "−5.00 → −3.50", "eliminated"]
    cells = joined.locator("tbody tr").nth(0).locator("td").all_inner_texts()
    assert cells == ["4", "13", "−47", "−3.62", "in both"]
    explorer.button("Children").click()
    expect(explorer.page.locator(".sokoviz-inspector")).to_be_visible()
    explorer.show(details={**DETAILS, "moment": "10 simulation"})
    expect(explorer.page.locator(".sokoviz-inspector")).to_be_visible()


def test_tabs_move_nothing(explorer: PlainExplorer) -> None:
    before = [box for box in explorer.boxes() if str(box[0]).startswith("sokoviz-at-")]
    explorer.button("Left out").click()
    assert [box for box in explorer.boxes() if str(box[0]).startswith("sokoviz-at-")] == before
    explorer.show(details={"moment": "10 expansion", "suggested": "moves", "moves": [MOVE] * 5})
    expect(explorer.page.locator(".sokoviz-moves")).to_be_visible()
    assert [box for box in explorer.boxes() if str(box[0]).startswith("sokoviz-at-")] == before


# --- the solution ----------------------------------------------------------------------------------------------------


def test_the_solution_is_stepped_and_scrubbed(explorer: PlainExplorer) -> None:
    assert explorer.page.get_by_text("push 3 of 3", exact=True).is_visible()
    assert explorer.button("Solution step").get_attribute("aria-disabled") == "true"
    explorer.button("Solution back").click()
    assert explorer.sent() == [{"kind": "solution", "push": 2}]
    explorer.slide("Push of the solution", 1)
    assert explorer.sent() == [{"kind": "solution", "push": 1}]
    explorer.show(solution={"at": None})
    expect(explorer.page.get_by_text("3 pushes", exact=True)).to_be_visible()
    explorer.button("Solution step").click()
    assert explorer.sent() == [{"kind": "solution", "push": 0}]


@pytest.mark.clock
def test_playing_asks_for_the_next_push_only_after_the_answer(explorer: PlainExplorer) -> None:
    explorer.show(speed=50)
    explorer.button("Play solution").click()
    assert explorer.sent() == [{"kind": "solution", "push": 0}]
    explorer.page.wait_for_timeout(120)
    assert explorer.sent() == []
    for push in range(3):
        explorer.show(solution={"at": push, "shown": True})
        explorer.page.wait_for_function("() => model.sent.length > 0")
        assert explorer.sent() == [{"kind": "solution", "push": push + 1}]
    explorer.show(solution={"at": 3, "shown": True})
    expect(explorer.button("Play solution")).to_be_visible()
    explorer.page.wait_for_timeout(80)
    assert explorer.sent() == []


@pytest.mark.clock
def test_playing_is_paused_and_goes_on_from_there(explorer: PlainExplorer) -> None:
    explorer.show(solution={"at": 1, "shown": True})
    explorer.button("Play solution").click()
    assert explorer.sent() == [{"kind": "solution", "push": 2}]
    explorer.button("Pause solution").click()
    explorer.show(solution={"at": 2, "shown": True})
    explorer.page.wait_for_timeout(400)
    assert explorer.sent() == []


def test_what_is_not_solved_cannot_be_played(explorer: PlainExplorer) -> None:
    explorer.show(solution={"pushes": 0, "moves": 0, "at": None})
    expect(explorer.page.get_by_text("no solution yet", exact=True)).to_be_visible()
    for name in ("Play solution", "Solution back", "Solution step"):
        assert explorer.button(name).get_attribute("aria-disabled") == "true"
    assert explorer.slider("Push of the solution").is_disabled()


@pytest.mark.clock
def test_pieces_glide_along_their_ways(explorer: PlainExplorer) -> None:
    picture = Picture((("floor", "player", "box", "floor"),))
    ways = [[[0, 0], [0, 1]], [[0, 1], [0, 2]]]
    explorer.show(position={"picture": picture.to_json(), "caption": "", "clickable": [], "ways": ways})
    moving = "() => document.querySelector('.sokoviz-room svg').getAnimations({subtree: true}).length"
    assert explorer.page.evaluate(moving) == 2
    explorer.page.wait_for_function(f"() => ({moving})() === 0")


# --- events ----------------------------------------------------------------------------------------------------------


def test_events_are_gone_back_to_by_button_and_key(explorer: PlainExplorer) -> None:
    assert explorer.button("Previous event").get_attribute("aria-disabled") == "true"
    explorer.choices("Run to").select_option("leader")
    explorer.button("Previous event").click()
    assert explorer.sent() == [{"kind": "previous", "to": "leader"}]
    explorer.focus()
    assert explorer.press("p") == [{"kind": "previous", "to": "leader"}]
    assert explorer.press("n") == [{"kind": "run", "to": "leader", "value": None}]


def test_the_diagram_dims_the_way_that_was_not_taken(explorer: PlainExplorer) -> None:
    dim = "() => [...document.querySelectorAll('[data-with].sokoviz-dim')].map((each) => each.dataset.with)"
    explorer.show(about={"eliminates": True}, story={"visited": True, "childless": False})
    explorer.page.wait_for_function(f"() => String([...new Set(({dim})())].sort()) === 'childless,false'")
    explorer.show(story={"visited": True, "childless": True})
    explorer.page.wait_for_function(f"() => String([...new Set(({dim})())].sort()) === 'child,false'")
