"""Every family of searches proves a lower bound, and calls a solution the fewest pushes possible only where it is."""

from __future__ import annotations

import heapq
from functools import cache, partial
from math import inf
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

import sokoviz as sv
from sokoviz.search.lower_bound import least_pushes
from sokoviz.search.mcts.schokoban import PRESETS
from tests.search.ida.deepenings import pulled_worlds
from tests.twins.bfs import Maze
from tests.worlds import random_worlds

if TYPE_CHECKING:
    from collections.abc import Callable

LEVELS = [world.text for world in [*pulled_worlds(10, 5, n_boxes=2, n_pulls=60), *random_worlds(15, seed=8, n_boxes=2)]]
DETOUR = "#######\n#@    #\n# #$# #\n#  .  #\n#######"  # one push, by the bound and in truth
UNMATCHED = "#######\n#@ $$ #\n#    .#\n#.    #\n#######"  # both boxes are on the wall that has one goal
WALLED_OFF = "#######\n#@ $ .#\n#    .#\n#######\n# $   #\n#######"
SMALL: dict[str, Any] = {"boards": 10, "trajectories": 5, "memory": 1 << 22}
FAMILIES: dict[str, Callable[[str], Any]] = {
    **{f"Schokoban {preset}": partial(sv.Schokoban, preset=preset) for preset in PRESETS},
    **{f"Vanillaban {preset}": partial(sv.Vanillaban, preset=preset) for preset in PRESETS},
    **{f"Curry {preset}": partial(sv.Curry, preset=preset, **SMALL) for preset in ("best", "text", "first")},
    **{f"IDA* {preset}": partial(sv.IDA, preset=preset, patience=5) for preset in ("optimal", "crippa", "best")},
}


@cache
def fewest_pushes(text):
    """By breadth-first search; infinite where there is no solution."""
    found = Maze(text).solve(200_000)
    return inf if found is None else len(found)


@pytest.mark.parametrize("family", FAMILIES)
def test_no_family_claims_more_than_is_so(family):
    n_optimal = 0
    for text in LEVELS:
        search = FAMILIES[family](text)
        for nodes in (1, 50, 1000):
            result = search.run(nodes=nodes, progress=False)
            assert result.lower_bound == search.lower_bound <= fewest_pushes(text), text
            assert result.is_optimal == (result.solution is not None and result.solution.pushes == result.lower_bound)
            assert ("the fewest possible" in repr(result)) == result.is_optimal
            assert result.lower_bound == inf or not result.is_unsolvable
            if result.stopped_by != "nodes":
                break
        n_optimal += result.is_optimal
    assert n_optimal > 5


@pytest.mark.parametrize("family", FAMILIES)
def test_a_bound_is_there_before_the_first_step(family):
    assert FAMILIES[family](DETOUR).lower_bound == FAMILIES[family](DETOUR).result.lower_bound == 1


@pytest.mark.parametrize("text", [UNMATCHED, WALLED_OFF])
def test_the_bound_is_infinite_where_boxes_cannot_come_to_a_goal_each(text):
    assert least_pushes(sv.Level.parse(text)) == inf


def test_the_bound_of_a_tree_rises_where_no_line_of_pushes_is_left_and_is_what_it_was_before():
    text = "#######\n# #@# #\n# $ . #\n#*    #\n#     #\n#######"
    search: Any = sv.Schokoban(text)
    before = search.lower_bound
    assert search.run(progress=False).is_unsolvable
    assert search.lower_bound == inf > before
    search.goto(1)
    assert search.lower_bound == before


def test_nothing_is_known_of_games_without_pushes():
    search = sv.MCTS(sv.TicTacToe())
    assert search.lower_bound == search.run(iterations=3, progress=False).lower_bound == 0


def fewest_pushes_and_moves(text):
    """Dijkstra's algorithm on single moves; None where there is no solution."""
    cells = {(r, c): cell for r, row in enumerate(text.split("\n")) for c, cell in enumerate(row)}
    walls, goals = ({square for square, cell in cells.items() if cell in kind} for kind in ("#", ".*+"))
    boxes = tuple(sorted(square for square, cell in cells.items() if cell in "$*"))
    waiting, done = [(0, 0, next(square for square, cell in cells.items() if cell in "@+"), boxes)], set()
    while waiting:
        pushes, moves, player, boxes = heapq.heappop(waiting)
        if goals.issuperset(boxes):
            return pushes, moves
        if (player, boxes) in done:
            continue
        done.add((player, boxes))
        for dr, dc in ((-1, 0), (1, 0), (0, -1), (0, 1)):
            near, far = (player[0] + dr, player[1] + dc), (player[0] + 2 * dr, player[1] + 2 * dc)
            if near in boxes and far not in walls and far not in boxes:
                pushed = tuple(sorted({*boxes, far} - {near}))
                heapq.heappush(waiting, (pushes + 1, moves + 1, near, pushed))
            elif near not in boxes and near not in walls:
                heapq.heappush(waiting, (pushes, moves + 1, near, boxes))
    return None


def replayed(search):
    """The solution that a search finds, None for none."""
    return search.run(iterations=3000, progress=False).solution


def test_what_is_proven_shortest_has_fewest_pushes_and_of_those_fewest_moves():
    random, n_proven = Random(1), 0
    for text in LEVELS[:10]:
        found = replayed(sv.Vanillaban(text, seed=random.randrange(99)))
        for states in (1, 30, 1000, 20_000) if found else ():
            short = sv.shorten(text, found, states=states)
            assert (short.pushes, short.moves) >= fewest_pushes_and_moves(text)
            assert not short.is_proven or (short.pushes, short.moves) == fewest_pushes_and_moves(text)
            n_proven += short.is_proven
    assert n_proven > 5
