"""Counts nodes and positions after each iteration of a record, by reading the journal once from where it was left."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sokoviz.core.compiling.jit import lean
from sokoviz.core.tree.journal import ADDED, PASSED, REMOVED
from sokoviz.core.types import Integers

# Entries of a tally, and rows of what is written after each iteration.
DISTINCT, ELIMINATED, BEST = range(3)
N_TALLIES = 3

NO_REWARD_YET = np.iinfo(np.int64).min
NO_POSITIONS = np.zeros(0, dtype=np.int64)  # in place of positions that are not told apart


@lean
def count_on(
    events: NDArray[np.int32], ends: Integers, begin: int, first_of: Integers, standing: Integers, tally: Integers,
    out: Integers,
) -> None:  # fmt: skip
    """Count on from where the tally stands, and write it down after each iteration.

    Parameters
    ----------
    events
        int32[n, 4]: the journal.
    ends
        int64[m]: how many events are done after each of the iterations to look at.
    begin
        How many events are done before the first of them.
    first_of
        int64[n_nodes]: the first node that had the position of each; empty where positions are not told apart.
    standing
        int64[n_nodes]: how many nodes in the tree have the position of each node that was first; goes on.
    tally
        int64[3]: distinct positions in the tree, nodes eliminated, best reward; goes on.
    out
        int64[3, m].
    """
    row = begin
    for step in range(len(ends)):
        while row < ends[step]:
            _count_event(events[row], first_of, standing, tally)
            row += 1
        for entry in range(N_TALLIES):
            out[entry, step] = tally[entry]


@lean
def _count_event(event: NDArray[np.int32], first_of: Integers, standing: Integers, tally: Integers) -> None:
    """Take in one event; a subtree that moves changes no count."""
    kind = event[0]
    if kind == PASSED:
        tally[BEST] = max(tally[BEST], np.int64(event[2]))
    elif kind == ADDED:
        for node in range(event[2], event[2] + event[3]):
            _enter(node, 1, first_of, standing, tally)
    elif kind == REMOVED:
        tally[ELIMINATED] += 1
        _enter(np.int64(event[1]), -1, first_of, standing, tally)


@lean
def _enter(node: int, change: int, first_of: Integers, standing: Integers, tally: Integers) -> None:
    """Count a node into the tree or out of it."""
    if len(first_of) == 0:
        return
    first = first_of[node]
    before = standing[first]
    standing[first] = before + change
    if before == 0 or before + change == 0:
        tally[DISTINCT] += change
