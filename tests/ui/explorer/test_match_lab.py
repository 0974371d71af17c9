"""A match against the search in a real JupyterLab."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.ui.explorer.lab_explorers import LabExplorer

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.ui.jupyter import Lab, LabPage

START = "import sokoviz as sv\nmatch = sv.Match(sv.TicTacToe(), budget=200)\nmatch"
POSITION = "it.search.game.position_text(it.state)"


@pytest.fixture(scope="module")
def notebook(shared_lab: Lab) -> Iterator[LabPage]:
    """A notebook with one cell, which shows a match."""
    yield shared_lab.open([START], run=False, size=(1280, 1000))
    assert shared_lab.close_pages() == []


@pytest.fixture
def match(notebook: LabPage) -> LabExplorer:
    """A new match."""
    notebook.run_again()
    return LabExplorer(notebook, name="match")


def move(match: LabExplorer, place: str) -> None:
    """Move to a square, and wait for the answer to it."""
    match.square(place).click()
    expect(match.where).to_contain_text("after iteration 200 of 200")
    expect(match.output.get_by_text("Your move")).to_be_visible()
    match.settle()


def test_click_a_square_and_the_search_answers(match: LabExplorer) -> None:
    status = match.output.get_by_role("group", name="Match", exact=True).get_by_role("status")
    expect(status).to_have_text("Your move: you are X.")
    expect(match.button("Take back")).to_have_attribute("aria-disabled", "true")
    move(match, "row b, column B")
    expect(status).to_have_text("Your move: you are X.")
    expect(match.place).to_contain_text("the match")
    expect(match.square("row b, column B")).to_have_count(0)
    position = match.ask(POSITION)
    assert (position.count("X"), position.count("O")) == (1, 1)
    assert match.ask("[it.node, it.search.last]") == [match.ask("it.search.result.node"), 200]


def test_explore_its_tree_and_return_to_the_match(match: LabExplorer) -> None:
    move(match, "row b, column B")
    position, answer = match.ask(f"[{POSITION}, it.node]")
    other = next(node for node, (_, depth, _) in match.nodes().items() if depth == 1 and node != answer)
    match.click_node(other)
    expect(match.place).to_contain_text(f"node {other} ·")
    match.step("Back phase")
    with match.drawing():
        match.output.locator(".sokoviz-squares button").first.click()  # explores: the match stands elsewhere
    assert match.ask(POSITION) == position
    match.step("Show the match")
    expect(match.place).to_contain_text("the match")
    assert match.ask("it.node") == answer


def test_take_back_begin_again_and_switch_sides(match: LabExplorer) -> None:
    move(match, "row a, column A")
    match.step("Take back")
    expect(match.square("row a, column A")).to_be_visible()
    assert match.ask(POSITION).count("X") == 0
    move(match, "row a, column C")
    match.step("New game")
    assert match.ask(POSITION).count("X") == 0
    match.choice("Iterations a move").select_option("50")
    match.button("Switch sides").click()
    expect(match.where).to_contain_text("after iteration 50 of 50")
    expect(match.output.get_by_text("Your move: you are O.")).to_be_visible()
    position = match.ask(POSITION)
    assert (position.count("X"), position.count("O")) == (1, 0)


def test_a_match_is_played_to_its_end(match: LabExplorer) -> None:
    over = match.output.get_by_text("The game is over:")
    for _ in range(5):
        match.output.locator(".sokoviz-squares button").first.click()
        mine = match.output.get_by_text("Your move")
        expect(mine.or_(over)).to_be_visible()
        match.settle()
        if over.is_visible():
            break
    expect(over).to_be_visible()
    expect(match.output.locator(".sokoviz-squares button")).to_have_count(0)
