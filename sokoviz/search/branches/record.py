"""The record of a search that expands positions: what `sokoviz.core.branches.record` holds, asked for a moment.

IDA* and breadth-first search keep one each. Whatever is asked of a step is looked up, not searched for: what a long
record costs is the memory that it takes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sokoviz.core.branches import record as branches
from sokoviz.search.contract import Counters, first_reached, step_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sokoviz.core.types import Integers
    from sokoviz.search.contract import Stop

FIRST_STEPS = 1 << 12
STEPS_AT_ONCE = 1 << 12  # whose events are looked through at once


class BranchRecord:
    """All that happened to successors, step by step.

    Parameters
    ----------
    memory
        Bytes that it may take.
    """

    def __init__(self, memory: int) -> None:
        self.arrays = branches.make_branches(FIRST_STEPS)
        """what the kernel writes to"""
        self.memory = memory

    def grow(self) -> bool:
        """Make room for twice as many steps; return whether the memory allows it."""
        if 2 * sum(array.nbytes for array in self.arrays) > self.memory:
            return False
        self.arrays = branches.grow_branches(self.arrays)
        return True

    @property
    def last(self) -> int:
        """Number of steps."""
        return int(self.arrays.sizes[branches.STEPS])

    @property
    def steps(self) -> Integers:
        """int64[last, 7]: what is known after each step, see `Branches.steps`."""
        return self.arrays.steps[: self.last]

    @property
    def marks(self) -> Integers:
        """int64[last]: bits of the events of each step."""
        return self.steps[:, branches.MARKS]

    @property
    def events(self) -> NDArray[np.int32]:
        """int32[n, 8]: all events."""
        return self.arrays.events[: self.arrays.sizes[branches.EVENTS]]

    def end_of(self, step: int) -> int:
        """Return how many events are done after a step; 0 is before the first."""
        return int(self.arrays.steps[step - 1, branches.END]) if step else 0

    def step_of(self, event: int) -> int:
        """Return the step in which an event happened, found by halving."""
        return step_of(event, self.end_of, self.last)

    def counters_after(self, step: int) -> Counters:
        """Return how much was done by the end of a step."""
        if not step:
            return Counters()
        row = self.arrays.steps[step - 1]
        return Counters(step, int(row[branches.FINISHED]), int(row[branches.CLOCK]))

    def first_reached(self, stop: Stop, done: int, upto: int) -> int | None:
        """Return the first of the moments from `done` to `upto` steps at which a limit is reached, found by halving."""
        return first_reached(self.counters_after, stop, done, upto)

    def first_visit(self, node: int, done: int, upto: int) -> int | None:
        """Return the first of the steps after `done` up to `upto` that expands a node."""
        for start in range(done, upto, STEPS_AT_ONCE):
            begin, end = self.end_of(start), self.end_of(min(start + STEPS_AT_ONCE, upto))
            events = self.events[begin:end]
            is_it = (events[:, branches.KIND] == branches.EXPANDED) & (events[:, branches.NODE] == node)
            found = np.flatnonzero(is_it)
            if len(found):
                return self.step_of(begin + int(found[0]))
        return None
