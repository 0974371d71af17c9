"""Iterative deepening against its naive twin: the same nodes and cuts threshold by threshold, the same line."""

from typing import Any

import pytest

import sokoviz as sv
from sokoviz.search.ida.arrays import IS_SURE
from tests.search.ida.deepenings import HARD_WORLDS, rows_of, search_of, twin_of
from tests.twins.naive_ida import FAR
from tests.worlds import random_worlds, world_of

pytestmark = pytest.mark.kernels

N_THRESHOLDS = 5
FEWEST = 60  # nodes that a set of levels has to come to, so that something is compared
RELEVANCE = {"relevance": True, "m": 4, "threshold": 5, "share": 1.0}
SAFE_TESTS = ("locking tile", "locked boxes")
PARTS: dict[str, dict[str, Any]] = {
    "nothing": {"table": False, "ordering": False, "deadlocks": ()},
    "locking tile": {"table": False, "ordering": False, "deadlocks": ("locking tile",)},
    "locked boxes": {"table": False, "ordering": False, "deadlocks": ("locked boxes",)},
    "table": {"ordering": False, "deadlocks": ()},
    "ordering": {"table": False, "deadlocks": ()},
    "classic": {},
    "inward": {"inward": True},
    "tunnels": {"tunnels": True},
    "macros": {"macros": True},
    "overestimation": {"overestimation": 1.5},
    "growth": {"growth": 2.0},
    "relevance": RELEVANCE,
    "optimal": {"preset": "optimal", "deadlocks": SAFE_TESTS, "patterns": ()},
    "crippa": {"preset": "crippa"},
    "best": {"preset": "best", "deadlocks": SAFE_TESTS, "patterns": (), **RELEVANCE},
}
INNER_PARTS: dict[str, dict[str, Any]] = {
    "window": {"deadlocks": ("window",)},
    "three boxes": {"table": False, "deadlocks": ("three boxes",)},
    "area": {"table": False, "patterns": ("area",)},
    "deadlock": {"table": False, "patterns": ("deadlock",), "deadlocks": ()},
    "penalty": {"table": False, "patterns": ("penalty",), "deadlocks": ()},
    "patterns and table": {"patterns": ("deadlock", "penalty")},
    "all tests": {"preset": "optimal"},
    "all parts": {"preset": "best", **RELEVANCE},
}
OPEN_WORLDS = [HARD_WORLDS[number] for number in (0, 4, 5, 8, 9, 10)]  # the twin looks at their windows in seconds
LESSONS = [world_of(sv.load(f"lessons#{number}").text) for number in (10, 11, 12, 16, 17)]


def compare(world, nodes=500, **options):
    """Run both; return how many positions they expanded."""
    search = search_of(world, **options)
    search.run(iterations=N_THRESHOLDS, nodes=nodes, progress=False)
    twin = twin_of(search, world)
    is_whole = search.result.stopped_by != "nodes"
    twin.run(min(N_THRESHOLDS, search.result.iterations - (not is_whole)))
    complete = len(twin.rows)  # a search goes on where its parts leave nothing, the twin does not
    mine, theirs = rows_of(search), [{name: n for name, n in row.items() if n} for row in twin.rows]
    if "area" in search.options.patterns:  # how much these search depends on what was remembered of them
        for row in (*mine, *theirs):
            row.pop("searched inside", None)
    assert mine[:complete] == theirs[:complete], world
    if not twin.is_exhausted:
        assert search.lower_bound == twin.lower_bound, world
        assert not is_whole or bool(search.engine.machine.tip[IS_SURE]) == twin.is_sure, world
    if is_whole and twin.solution is not None:
        line = [(divmod(m.origin, world.width), divmod(m.target, world.width)) for m in search.engine.line()]
        assert line == [move[:2] for move in twin.solution], world
        assert search.solution.pushes == sum(move[3] for move in twin.solution)
    return sum(row["expanded"] for row in theirs)


@pytest.mark.parametrize("part", PARTS)
def test_the_twin_does_the_same(part):
    assert sum(compare(world, **PARTS[part]) for world in HARD_WORLDS) >= FEWEST


@pytest.mark.parametrize("part", INNER_PARTS)
def test_the_twin_does_the_same_with_inner_searches_and_tables_of_the_level(part):
    worlds = OPEN_WORLDS if "window" in part or "all" in part else HARD_WORLDS
    assert sum(compare(world, nodes=3000, **INNER_PARTS[part]) for world in worlds) >= FEWEST


@pytest.mark.parametrize("part", ["classic", "optimal", "crippa", "best"])
def test_the_twin_does_the_same_on_lessons(part):
    assert sum(compare(world, **PARTS[part]) for world in LESSONS) >= len(LESSONS)


@pytest.mark.parametrize("options", [{}, {"table": False}])
def test_the_twin_ends_with_the_same_proofs(options):
    n_proofs = n_whole = 0
    for world in (*random_worlds(40, 8, n_boxes=2, wall_share=0.3), *random_worlds(40, 8, n_boxes=3)):
        search = search_of(world, deadlocks=(), **options)
        if not search.run(nodes=1000, progress=False).is_unsolvable:
            continue
        twin = twin_of(search, world)
        twin.run(search.result.iterations + 1)
        assert rows_of(search) == [{name: n for name, n in row.items() if n} for row in twin.rows]
        assert twin.is_exhausted
        n_proofs += search.result.iterations > 0  # else the bound of the level is a proof
        n_whole += twin.limit < FAR  # nothing was cut that a higher threshold would not cut too
    assert n_proofs >= 3
    assert n_whole == (not options)  # only a table leaves scores at which a position may look alive
