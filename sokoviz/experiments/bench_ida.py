"""IDA*: nodes a second with each part switched on by itself, and which share of the time it takes.

The level is a warehouse of our own with a goal room. The rates are of the same number of nodes each; a part's share is
what a node takes more with it than without, beside the time that it takes with it.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from sokoviz.experiments.bench import MEASURED_SECONDS, PREFIX_SECONDS, Row, find_module
from sokoviz.search.ida import IDA

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import ModuleType

LEVEL = """\
##################
#        #   ....#
# $ $ $  #   ....#
#   $        ....#
# $ $ $  #   #####
#   $    #   #
# $ $ $      #
#   $    #####
#@       #
##########
"""
"""twelve boxes, a corridor of two doors, and a goal room; not solved within the nodes that are measured"""

N_NODES = 20_000
TABLE_MEMORY = 16 << 20
CLASSIC = ("locking tile", "locked boxes")
PARTS: dict[str, dict[str, Any]] = {
    "classic": {},
    "without table": {"table": False},
    "without ordering": {"ordering": False},
    "without deadlock tests": {"deadlocks": ()},
    "windows": {"deadlocks": (*CLASSIC, "window")},
    "three boxes": {"deadlocks": (*CLASSIC, "three boxes")},
    "area search": {"deadlocks": (*CLASSIC, "corral")},
    "inward": {"inward": True},
    "tunnels": {"tunnels": True},
    "goal macros": {"macros": True},
    "goal cuts": {"macros": True, "goal_cuts": True},
    "relevance cuts": {"relevance": True},
    "pattern search": {"patterns": 50},
    "everything": {"preset": "best", "patience": 0},
}


def rows() -> Iterator[Row]:
    """Measure each part beside the naive twin, which has the parts of the preset `classic`."""
    twin = find_module("tests.naive_ida")
    theirs = _twin_rate(twin) if twin else None
    expected = 0.0
    for name, options in PARTS.items():
        made, nodes, seconds = _measure(options)
        cost = seconds / made
        expected = expected or cost
        yield Row("ida", name, "nodes/s", nodes / seconds, "naive twin", theirs if name == "classic" else None, None)
        if cost > expected:
            yield Row("ida", f"{name}, share of time", "%", 100 * (1 - expected / cost), "", None, None)


def _measure(options: dict[str, Any]) -> tuple[int, int, float]:
    """Positions expanded, nodes with those of inner searches, and CPU-seconds."""
    made = nodes = 0
    seconds = 0.0
    while seconds < MEASURED_SECONDS:
        engine = IDA(LEVEL, journal=False, **{"preset": "classic", "memory": TABLE_MEMORY, **options}).engine
        engine.allow(N_NODES, None)
        start = time.process_time()
        engine.advance(N_NODES)
        seconds += time.process_time() - start
        made, nodes = made + engine.n_expanded, nodes + engine.n_nodes
    return made, nodes, seconds


def _twin_rate(twin: ModuleType) -> float:
    """Nodes that the twin expands per CPU-second, on a prefix of the same search."""
    n, start = 0, time.process_time()
    while (spent := time.process_time() - start) < PREFIX_SECONDS:
        n += twin.expanded_within(LEVEL, 100)
    return n / spent
