"""The solution that iterative deepening has found, push by push."""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING, Any

from sokoviz.board import Board
from sokoviz.widgets.explorer.details import NO_SOLUTION

if TYPE_CHECKING:
    from sokoviz.search.ida.drawing import Stretch
    from sokoviz.search.ida.search import IDA


def solution_lines(search: IDA) -> list[str]:
    """Return the moves of the solution up to each of its pushes, none first; empty where the search has none here."""
    solution = search.solution if search.steps == search.last and search.last else None
    if solution is None:
        return []
    ends = [index + 1 for index, letter in enumerate(solution.lurd) if letter.isupper()]
    return ["", *(solution.lurd[:end] for end in ends)]


def solution_entry(search: IDA, push: int | None = None) -> dict[str, Any]:
    """Return how long the solution is, and after which of its pushes it is shown; None where it is not."""
    lines = solution_lines(search)
    if not lines:
        return NO_SOLUTION
    moves = len(search.solution.lurd) if search.solution else 0
    return {"pushes": len(lines) - 1, "moves": moves, "at": push, "shown": push is not None}


def solution_node(stretch: Stretch, push: int) -> int:
    """Return the node of the solution that has been reached after some pushes; a macro takes several to the next."""
    path = stretch.path(stretch.current)
    made = accumulate(stretch.record.move(node).n_pushes for node in path[1:])
    return path[sum(pushes <= push for pushes in made)]


def solution_board(search: IDA, push: int) -> Board:
    """Return the board after some pushes of the solution."""
    board = Board(search.level)
    board.play(solution_lines(search)[push])
    return board


def solution_caption(push: int) -> str:
    """Return what is written under that board."""
    return f"the solution after push {push}"
