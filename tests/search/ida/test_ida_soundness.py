"""What iterative deepening claims is true: shortest solutions, proofs, and parts that lose nothing."""

import csv
from functools import cache
from itertools import product
from math import inf
from typing import Any

import pytest

from sokoviz.levels import collection
from sokoviz.search.ida.arrays import IS_SURE
from sokoviz.search.ida.engine import SAFE_TURN
from tests.search.ida.deepenings import HARD_WORLDS, TURNING, TURNING_WORLD, pulled_worlds, search_of, solved
from tests.twins.bfs import Maze
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
    "overestimation": {"overestimation": 1.5},
    "growth": {"growth": 4.0},
    "growth without table": {"growth": 4.0, "table": False},
    "crippa": {"preset": "crippa"},
    "best": {"preset": "best"},
    "turning": TURNING,
}
ALL_PARTS = SAFE_PARTS | UNSAFE_PARTS
PRESETS = ("optimal", "classic", "crippa", "best")
WORLDS = HARD_WORLDS + pulled_worlds(10, seed=5, n_boxes=2, n_pulls=60)
KNOTS = [
    TURNING_WORLD,
    # With growth, safe turns come to longer solutions of these two.
    *pulled_worlds(1, 110, 8, 8, n_pulls=300, wall_share=0.3),
    *pulled_worlds(1, 147, 8, 9, n_boxes=4, n_pulls=400, wall_share=0.3),
]
STRETCH = 89  # positions between two looks at what is proven: in the middle of turns, and at their ends
FALSELY_OPTIMAL = [("crippa", 10, 67), ("crippa", 200, 94), ("best", 200, 132)]
"""Microban levels of which longer solutions were called the fewest possible"""


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
        search = solved(world, **{**UNSAFE_PARTS[part], "patience": PATIENCE})
        assert search.solution is not None, world


def follow(search, fewest, nodes=20_000):
    """Run to the end, or a long way; all that is claimed on the way agrees with the fewest pushes, None for none."""
    before = search.lower_bound
    while not search.engine.is_solved and not search.result.is_unsolvable and search.engine.n_nodes < nodes:
        assert before <= search.lower_bound <= (inf if fewest is None else fewest), search
        before = search.lower_bound
        search.run(nodes=STRETCH, progress=False)
    assert search.result.is_unsolvable == (search.lower_bound == inf)
    assert not search.result.is_unsolvable or fewest is None, search
    if search.solution:
        assert before <= search.lower_bound <= fewest <= search.solution.pushes
        assert search.result.is_optimal == (search.solution.pushes == search.lower_bound)


@pytest.mark.parametrize("patience", [10, 50, 200])
@pytest.mark.parametrize("part", ALL_PARTS)
def test_nothing_is_proven_in_any_turn_that_is_not_so(part, patience):
    for world in WORLDS + KNOTS:
        options = {**ALL_PARTS[part], "patience": patience}
        follow(search_of(world, **options), fewest_pushes(world.text))


@pytest.mark.parametrize("preset", PRESETS)
def test_nothing_is_proven_of_random_levels_that_is_not_so(preset):
    for world in random_worlds(60, seed=8, n_boxes=2, wall_share=0.2) + random_worlds(30, seed=9):
        follow(search_of(world, preset=preset, patience=10), fewest_pushes(world.text), nodes=2000)


def test_thresholds_with_growth_prove_what_they_searched_wholly():
    """Without a table nothing is left out, so all thresholds count, however far they lie apart."""
    n_raised = 0
    for world in WORLDS + KNOTS:
        search = search_of(world, growth=4.0, table=False)
        first = search.lower_bound
        follow(search, fewest_pushes(world.text))
        n_raised += first < search.lower_bound < inf
    assert n_raised > 10


def test_a_safe_turn_raises_the_bound_and_later_turns_keep_it():
    """Turns with growth, cuts, macros, penalties or an overestimated bound prove nothing of their own."""
    search, proven = search_of(TURNING_WORLD, **{**TURNING, "growth": 1.0, "patience": 20}), {}
    while search.engine.n_nodes < 1000:
        search.run(nodes=10, progress=False)
        proven[search.engine._turn] = search.lower_bound
    assert search.result.stopped_by == "nodes"  # no turn has found a solution
    assert list(proven.values()) == [8, 8, *[10] * (len(proven) - SAFE_TURN)]
    assert len(proven) > SAFE_TURN + 3
    assert fewest_pushes(TURNING_WORLD.text) == 10


def test_an_interrupt_between_a_safe_turn_and_the_next_leaves_no_claim(monkeypatch):
    search, begun = search_of(TURNING_WORLD, **{**TURNING, "growth": 1.0, "patience": 20}), []
    engine = search.engine
    begin_again = engine._begin_again

    def begin(limit):
        begun.append(engine._turn)
        if begun.count(SAFE_TURN + 1) == 1:
            raise KeyboardInterrupt
        begin_again(limit)

    monkeypatch.setattr(engine, "_begin_again", begin)
    assert search.run(nodes=1000, progress=False).stopped_by == "interrupted"
    assert (engine.is_complete, engine.machine.tip[IS_SURE]) == (False, 0)
    follow(search, fewest_pushes(TURNING_WORLD.text), nodes=1000)


@pytest.mark.parametrize("text", [f"#######\n#@ $ .#\n#    {x}#\n#######\n# $  {y}#\n#######" for x, y in (". ", " .")])
def test_a_box_that_nobody_can_reach_proves_a_level_unsolvable(text):
    result = search_of(text).run(nodes=1000, progress=False)
    assert (result.is_unsolvable, result.lower_bound, result.nodes) == (True, inf, 0)


def test_a_level_whose_bound_is_infinite_is_unsolvable_though_the_way_it_was_found_is_not_safe():
    """Without its relevance cuts, as in a bold turn, this search has no part left that may lose a solution."""
    text = "#######\n# #@# #\n# $ . #\n#*    #\n#     #\n#######"
    search = search_of(text, relevance=True, released=True, m=10)
    for nodes in range(1, 5):
        result = search.run(nodes=nodes, progress=False)
        assert result.is_unsolvable == (result.lower_bound == inf) == ("proven unsolvable" in repr(result))
    assert (result.is_unsolvable, fewest_pushes(text)) == (True, None)


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


@pytest.fixture(scope="module")
def microban(shared_levels):
    """Microban, and by number the fewest pushes of its levels for which they are proven."""
    table = shared_levels / "optimal.csv"
    if not table.exists():
        pytest.skip(f"no table of fewest pushes in {table}")
    with table.open() as lines:
        best = {int(row["level"]): int(row["best_pushes"]) for row in csv.DictReader(lines) if is_proven(row)}
    return collection(shared_levels / "microban.xsb"), best


def is_proven(row):
    """Whether a row is about a Microban level with a proven number."""
    return row["set"] == "microban" and row["optimal"] == "yes"


def run_published(microban, number, nodes, **options):
    """What a search of a Microban level comes to; it claims nothing that is known to be false."""
    levels, best = microban
    search = search_of(levels[number - 1].text, memory=1 << 22, journal=False, **options)
    result = search.run(nodes=nodes, progress=False)
    assert result.lower_bound <= best[number], number
    assert not result.is_optimal or result.solution.pushes == best[number], number
    return result


def test_shortest_solutions_of_published_levels(microban):
    """Microban levels whose fewest pushes are proven, as far as they are solved within 20,000 nodes."""
    results = [run_published(microban, number, MOST_NODES, preset="optimal") for number in list(microban[1])[::6]]
    n_solved = sum(result.solution is not None for result in results)
    assert n_solved == sum(result.is_optimal for result in results) >= 10


@pytest.mark.parametrize(("preset", "patience", "number"), FALSELY_OPTIMAL)
def test_a_longer_solution_is_not_called_the_fewest_possible(preset, patience, number, microban):
    result = run_published(microban, number, 200_000, preset=preset, patience=patience)
    assert result.solution.pushes > microban[1][number]
    assert not result.is_optimal
    assert "the fewest possible" not in repr(result)


@pytest.mark.parametrize(("preset", "patience"), [*product(("crippa", "best"), (10, 50, 200))])
def test_nothing_is_proven_of_published_levels_that_is_not_so(preset, patience, microban):
    options = {"preset": preset, "patience": patience}
    results = [run_published(microban, number, 5000, **options) for number in list(microban[1])[::5]]
    assert sum(result.solution is not None for result in results) > 10
