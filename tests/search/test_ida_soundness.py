"""What iterative deepening claims is true: shortest solutions, proofs, and parts that lose nothing."""

import csv
from functools import cache
from typing import Any

import pytest

from sokoviz.levels import collection
from tests.bfs import Maze
from tests.search.deepenings import HARD_WORLDS, pulled_worlds, search_of, solved
from tests.worlds import random_worlds

pytestmark = pytest.mark.kernels

MOST_NODES = 20_000
PATIENCE = 500  # nodes after which unsafe parts are given up for a while
MOST_STATES = 200_000
SAFE_PARTS: dict[str, dict[str, Any]] = {
    "nothing": {"table": False, "ordering": False, "deadlocks": ()},
    "table": {"ordering": False, "deadlocks": ()},
    "ordering": {"table": False, "deadlocks": ()},
    **{name: {"deadlocks": (name,)} for name in ("locking tile", "locked boxes", "window", "three boxes")},
    **{name: {"patterns": (name,), "deadlocks": ()} for name in ("deadlock", "area")},
    "inward": {"inward": True, "deadlocks": ()},
    "optimal": {"preset": "optimal"},
}
UNSAFE_PARTS: dict[str, dict[str, Any]] = {
    "tunnels": {"tunnels": True},
    "macros": {"macros": True},
    "goal cuts": {"macros": True, "goal_cuts": True},
    "relevance": {"relevance": True, "m": 4, "threshold": 2},
    "some relevance cuts": {"relevance": True, "m": 4, "threshold": 2, "share": 0.8},
    "penalty": {"patterns": ("penalty",)},
    "crippa": {"preset": "crippa"},
    "best": {"preset": "best"},
}
WORLDS = HARD_WORLDS + pulled_worlds(10, seed=5, n_boxes=2, n_pulls=60)


@cache
def fewest_pushes(text):
    """By breadth-first search; None where there is no solution."""
    found = Maze(text).solve(MOST_STATES)
    return None if found is None else len(found)


@pytest.mark.parametrize("part", SAFE_PARTS)
def test_a_sound_part_keeps_solutions_shortest(part):
    n_solved = 0
    for world in WORLDS:
        search = search_of(world, **SAFE_PARTS[part])
        search.run(nodes=4000, progress=False)
        assert not search.result.is_unsolvable
        if search.solution:
            assert search.solution.pushes == fewest_pushes(world.text), world
            assert search.result.is_optimal
            n_solved += 1
    assert n_solved >= len(WORLDS) - 4


@pytest.mark.parametrize("part", UNSAFE_PARTS)
def test_where_an_unsafe_part_leaves_nothing_it_is_given_up(part):
    for world in WORLDS:
        search = solved(world, patience=PATIENCE, **UNSAFE_PARTS[part])
        assert search.solution is not None, world
        assert search.solution.pushes >= fewest_pushes(world.text)


@pytest.mark.parametrize("preset", ["optimal", "best"])
def test_unsolvable_is_what_breadth_first_search_finds_unsolvable(preset):
    n_lost = 0
    for world in random_worlds(60, seed=8, n_boxes=2, wall_share=0.2):
        search = search_of(world, preset=preset)
        search.run(nodes=2000, iterations=60, progress=False)
        lost = fewest_pushes(world.text) is None
        assert search.result.is_unsolvable == lost, world
        n_lost += lost
    assert 5 < n_lost < 60


def test_shortest_solutions_of_published_levels(shared_levels):
    """Microban levels whose fewest pushes are proven, as far as they are solved within 20,000 nodes."""
    table = shared_levels / "optimal.csv"
    if not table.exists():
        pytest.skip(f"no table of fewest pushes in {table}")
    with table.open() as lines:
        best = {int(row["level"]): int(row["best_pushes"]) for row in csv.DictReader(lines) if is_proven(row)}
    levels = collection(shared_levels / "microban.xsb")
    n_solved = 0
    for number in list(best)[::6]:
        search = search_of(levels[number - 1].text, preset="optimal", memory=1 << 22)
        search.run(nodes=MOST_NODES, progress=False)
        n_solved += search.solution is not None
        assert search.solution is None or search.solution.pushes == best[number], number
    assert n_solved >= 10


def is_proven(row):
    """Whether a row is about a Microban level with a proven number."""
    return row["set"] == "microban" and row["optimal"] == "yes"
