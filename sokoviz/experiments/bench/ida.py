"""IDA*: nodes a second with each part switched on by itself, and which share of the time it takes.

Beside the naive twin on a small level, which both search to its end. The parts are measured on six levels of XSokoban,
the same number of nodes each. A part's share is what a position takes more with it than with the parts of the
preset `classic` alone, beside all that it takes. Last the table of influences, pairs of squares a second.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import numpy as np

from sokoviz.core.influence.metric import fill_influence, maze_of
from sokoviz.experiments.bench.measuring import MEASURED_SECONDS, PREFIX_SECONDS, Figure, find_module, rate
from sokoviz.levels import Level, load
from sokoviz.search.contract import Stop
from sokoviz.search.ida.search import IDA

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from types import ModuleType

LEVELS = tuple(f"xsokoban#{number}" for number in (18, 20, 24, 48, 50, 69))
"""none of them is solved within the nodes that are measured, whatever parts are on"""

SMALL_LEVEL = """\
##########
#    #   #
# $$   $ #
#  # # $ #
#@ # #  ##
#.... # #
#######  #
      ####
"""

MOST_THRESHOLDS = 20
N_NODES = 20_000
TABLE_MEMORY = 16 << 20
SMALL_TABLE_MEMORY = 1 << 16  # a few hundred positions: to touch a large table for the first time would take longest
CLASSIC = ("locking tile", "locked boxes")
PARTS: dict[str, dict[str, Any]] = {
    "classic": {},
    "without table": {"table": False},
    "without ordering": {"ordering": False},
    "without deadlock tests": {"deadlocks": ()},
    "windows": {"deadlocks": (*CLASSIC, "window")},
    "three boxes": {"deadlocks": (*CLASSIC, "three boxes")},
    "inward": {"inward": True},
    "tunnels": {"tunnels": True},
    "goal macros": {"macros": True},
    "goal cuts": {"macros": True, "goal_cuts": True},
    "relevance cuts": {"relevance": True},
    "four of five relevance cuts": {"relevance": True, "share": 0.8},
    "deadlock search": {"patterns": ("deadlock",)},
    "area search": {"patterns": ("area",)},
    "penalty search": {"patterns": ("penalty",)},
    "overestimation": {"overestimation": 1.5},
    "growth": {"growth": 2.0},
    "everything": {"preset": "best", "patience": 0},
}


def rows() -> Iterator[Figure]:
    """Measure the preset `classic` beside the naive twin, then each part by itself."""
    levels = tuple(map(load, LEVELS))  # first, so that nothing is measured where they are missing
    twin = find_module("tests.twins.naive_ida")
    made, nodes, seconds = _measure((Level.parse(SMALL_LEVEL),), {"memory": SMALL_TABLE_MEMORY})
    yield Figure("ida", "classic, small level", "nodes/s", nodes / seconds, "naive twin", _twin_rate(twin), None)
    classic: tuple[float, float] | None = None  # nodes a second, and seconds a position
    for name, options in PARTS.items():
        made, nodes, seconds = _measure(levels, options)
        classic = classic or (nodes / seconds, seconds / made)
        yield Figure("ida", name, "nodes/s", nodes / seconds, "classic", classic[0], None)
        share = max(0.0, 1 - classic[1] * made / seconds)
        yield Figure("ida", f"{name}, share of time", "%", 100 * share, "all of it", 100.0, None)
    yield Figure("ida", "influence", "pairs/s", rate(_fill_influence), "naive twin", _influence_twin_rate(), None)


def _measure(levels: Sequence[Level], options: dict[str, Any]) -> tuple[int, int, float]:
    """Positions expanded, nodes with those of inner searches, and CPU-seconds, the same number on each level."""
    made = nodes = 0
    seconds = 0.0
    while seconds < MEASURED_SECONDS:
        for level in levels:
            engine = IDA(level, journal=False, **{"preset": "classic", "memory": TABLE_MEMORY, **options}).engine
            engine.load()
            stop = Stop(nodes=N_NODES)
            start = time.process_time()
            engine.advance(N_NODES, stop)
            seconds += time.process_time() - start
            made, nodes = made + engine.n_expanded, nodes + engine.n_nodes
    return made, nodes, seconds


def _twin_rate(twin: ModuleType | None) -> float | None:
    """Nodes that the twin expands per CPU-second; None where it is not there."""
    worlds = find_module("tests.worlds")
    if twin is None or worlds is None:
        return None
    world, n, start = worlds.world_of(SMALL_LEVEL), 0, time.process_time()
    while (spent := time.process_time() - start) < PREFIX_SECONDS:
        search = twin.NaiveIDA(world, table=True, ordering=True, locking_tile=True, locked_boxes=True)
        search.run(MOST_THRESHOLDS)
        n += sum(row["expanded"] for row in search.rows)
    return n / spent


def _fill_influence() -> int:
    """Fill the table of influences; return how many pairs it has."""
    maze = maze_of(Level.parse(SMALL_LEVEL).rows)
    n = len(maze.squares)
    fill_influence(maze, np.empty((n, n), dtype=np.int32))
    return n * n


def _influence_twin_rate() -> float | None:
    """Pairs that the twin fills per CPU-second, push distances known as they are to the kernel; None without it."""
    twin, worlds = find_module("tests.twins.naive_influence"), find_module("tests.worlds")
    if twin is None or worlds is None:
        return None
    world = worlds.world_of(SMALL_LEVEL)
    start, distances = min(world.floor), twin.all_distances(world.floor)
    return rate(lambda: len(twin.influences(world.floor, world.goals, distances, start)), PREFIX_SECONDS)
