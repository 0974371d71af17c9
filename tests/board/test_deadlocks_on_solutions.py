"""No deadlock rule may fire along a solution: those that a breadth-first search finds for whole collections."""

import pytest

from sokoviz.levels import collection
from tests.twins.bfs import Maze

LARGEST_SPACE = 200_000
MOST_STATES = 60_000


def solution_of(level):
    """A solution with fewest pushes, None if the level is too large for the search."""
    return Maze(level.text).solve(MOST_STATES) if level.search_space().size <= LARGEST_SPACE else None


def check(level, pushes):
    """Replay a solution by the rules and ask all deadlock tests at every position."""
    board = level.board()
    for box, direction in pushes:
        assert board.deadlocks == (), f"{level.name} after {board.moves}"
        board.push(next(push for push in board.pushes if push == (box, direction)))
    assert board.is_solved


@pytest.mark.parametrize(("name", "at_least"), [("cbc", 60), ("microban3", 60)])
def test_no_deadlock_along_solutions_of_published_levels(name, at_least, shared_levels):
    levels = collection(shared_levels / f"{name}.xsb")
    solved = [(level, pushes) for level in levels if (pushes := solution_of(level)) is not None]
    for level, pushes in solved:
        check(level, pushes)
    assert len(solved) >= at_least


@pytest.mark.parametrize("level", collection("lessons"), ids=lambda level: level.title)
def test_no_deadlock_along_solutions_of_lessons(level):
    check(level, Maze(level.text).solve(MOST_STATES))
