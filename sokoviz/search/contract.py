"""What every search is made of, whatever its family: an engine that goes on, and a record that is asked about a moment.

`Search` (search.py) is written once, on top of these. A family writes an engine and a record.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np

from sokoviz.core.types import NOWHERE

if TYPE_CHECKING:
    from collections.abc import Callable

    from sokoviz.core.types import Integers

NEVER = 1 << 60
"""a limit that nothing reaches"""
CHUNK = 1 << 16  # steps of a record that are looked through at once


class Moment(NamedTuple):
    """Where a search stands: complete steps, and the phase of the next one that is shown; empty between two."""

    step: int
    phase: str = ""


class Counters(NamedTuple):
    """How much was done."""

    steps: int = 0
    """what a slider counts: an iteration of a tree search, an expansion, an episode"""
    iterations: int = 0
    """what the paper counts, those that are complete: iterations, thresholds, episodes"""
    nodes: int = 0
    """positions: nodes made by a tree search; elsewhere positions whose successors were generated"""

    def since(self, before: Counters) -> Counters:
        """Return how much of it was done after another moment."""
        return Counters(*(now - then for now, then in zip(self, before, strict=True)))


class Stop(NamedTuple):
    """Where to stop: counters of the whole search, and what a step may be marked with or visit."""

    iterations: int = NEVER
    nodes: int = NEVER
    marks: int = 0
    """bits of the events to stop at, see `sokoviz.core.tree.flags`"""
    node: int = NOWHERE
    """a node to stop at when it is visited, or expanded"""

    def reached(self, counters: Counters) -> str:
        """Return which limit is reached: nodes, iterations, or none."""
        if counters.nodes >= self.nodes:
            return "nodes"
        return "iterations" if counters.iterations >= self.iterations else ""


NO_STOP = Stop()


class Explanation(Protocol):
    """What happened in a step; as text it is a sentence or more."""

    @property
    def number(self) -> int:
        """The step."""


class Record(Protocol):
    """What a search has written down of its steps; it only grows, and a moment is a question to it."""

    @property
    def last(self) -> int:
        """Number of steps written down."""

    @property
    def marks(self) -> Integers:
        """int64[last]: bits of the events of each step."""

    def counters_after(self, step: int) -> Counters:
        """Return how much was done by the end of a step; 0 is before the first."""

    def first_reached(self, stop: Stop, done: int, upto: int) -> int | None:
        """Return the first of the moments from `done` to `upto` steps at which a limit is reached."""

    def first_visit(self, node: int, done: int, upto: int) -> int | None:
        """Return the first of the steps after `done` up to `upto` that visits a node."""


class Engine(Protocol):
    """The arrays of a search, at the end of its record, and the kernel that goes on from there."""

    @property
    def record(self) -> Record | None:
        """What it writes down; None where it does not."""

    @property
    def numbers_nodes(self) -> bool:
        """Whether nodes have numbers, so that it can stop at one."""

    @property
    def counters(self) -> Counters:
        """How much was done."""

    @property
    def ending(self) -> str:
        """Why nothing is left to go on with, empty while there is something.

        Either "unsolvable", where that proves that there is no solution, or "exhausted", where it proves nothing.
        """

    def load(self) -> None:
        """Load the kernel, or compile it, so that this is not counted as time of the search."""

    def is_compiled(self) -> bool:
        """Return whether the machine code is kept on this machine."""

    def advance(self, n: int, stop: Stop = NO_STOP) -> str:
        """Make n steps from the end of the record; return why it made fewer, nothing where it did not.

        The reasons: "solved", "unsolvable" and "exhausted", which end a search; "until" after a step that is marked
        with one of the bits, or visits the node; "nodes" or "iterations" where a limit is reached; and "memory".
        """


def first_marked(marks: Integers, wanted: int, done: int, upto: int) -> int | None:
    """Return the first of the steps after `done` up to `upto` that is marked with one of some bits.

    It goes through the marks by chunks, so a step that is near is found without looking at all others.
    """
    for start in range(done, upto, CHUNK):
        found = np.flatnonzero(marks[start : min(start + CHUNK, upto)] & wanted)
        if len(found):
            return start + 1 + int(found[0])
    return None


def last_marked(marks: Integers, wanted: int, before: int) -> int | None:
    """Return the last step before one that is marked with one of some bits."""
    for end in range(max(before - 1, 0), 0, -CHUNK):
        start = max(end - CHUNK, 0)
        found = np.flatnonzero(marks[start:end] & wanted)
        if len(found):
            return start + 1 + int(found[-1])
    return None


def first_reached(counters_after: Callable[[int], Counters], stop: Stop, done: int, upto: int) -> int | None:
    """Return the first of the moments from `done` to `upto` steps at which a limit is reached.

    Counters never fall, so it is found by halving.
    """
    moments = range(done, upto + 1)
    place = bisect_left(moments, 1, key=lambda step: int(stop.reached(counters_after(step)) != ""))
    return moments[place] if place < len(moments) else None


def step_of(event: int, end_of: Callable[[int], int], last: int) -> int:
    """Return the step in which an event happened, given how many events are done after each; found by halving."""
    return 1 + bisect_right(range(1, last + 1), event, key=end_of)
