"""What an iterative-deepening search did, written down as it does it: every successor, and what became of it.

A line of the record is an event; a *node* is known by the number of the event that brought it. Because every node names
its parent, the record holds the tree of each threshold whole: what people see at any moment is a stretch of it. As with
`sokoviz.core.tree.journal`, the type of the trace decides when a kernel is compiled whether anything is written.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from sokoviz.core.compiling.jit import standing_for
from sokoviz.core.tree.journal import Silent
from sokoviz.core.types import FAR, NOWHERE, Integers

# What becomes of a successor: it waits to be visited, or is cut. These are kinds of events that bring a node:
# [parent, origin, target, player, cost, g, h].
OPEN, BOUND, TRANSPOSITION, DEADLOCK, INWARD, GOAL_CUT, RELEVANCE, PATTERN = range(8)

# Kinds of events that tell more of a node: [node, ...].
EXPANDED = 16  # its successors follow
CLOSED = 17  # [node, why, rule]: a node that waited is cut when it is visited
DONE_BELOW = 18  # [node, score]: all its successors are done; so many pushes are left from it at least
SOLVES = 19  # [node]
THRESHOLD = 20  # [node of the root, threshold]: an iteration begins
RESUMED = 21  # [node]: all macros of a node failed, so its other pushes are looked at

N_COLUMNS = 8
KIND, NODE, ORIGIN, TARGET, PLAYER, COST, WAY, LEFT_OVER = range(N_COLUMNS)

NO_BOUND = FAR  # pushes left from a dead position, and from there on by which rule it was found dead

# Rules that find a position dead. A successor that is listed has its rule in LEFT_OVER, above NO_BOUND; one that is cut
# when it is visited has it in the column TARGET of the event that closes it.
LOST_BOX, LOCKED_BOXES, DEAD_WINDOW, NO_MATCHING, DEAD_TRIPLE, DEAD_AREA, LEARNED_PATTERN = range(1, 8)

# Columns of steps: what is known after each step.
END, CLOCK, MARKS, BEGUN, FINISHED, PROVEN, LIMIT_THEN = range(7)
N_STEP_COLUMNS = 7

# Entries of sizes.
STEPS, EVENTS = range(2)
EVENTS_A_STEP = 12


class Branches(NamedTuple):
    """Writes all that happens to successors."""

    steps: Integers
    """int64[capacity, 7]: after each step, an expansion with all that happens up to the next: how many events are done,
    positions whose successors were generated, bits of `sokoviz.core.tree.flags`, thresholds begun, those that came to
    their end, pushes that every solution is proven to take, and the threshold"""
    events: NDArray[np.int32]
    """int32[capacity, 8]: kind, node or parent, then what the kind says"""
    sizes: Integers
    """int64[2]: number of steps and of events"""


AnyBranches: TypeAlias = Silent | Branches


def make_branches(capacity: int) -> Branches:
    """Return an empty record with room for some steps."""
    return Branches(
        steps=np.zeros((capacity, N_STEP_COLUMNS), dtype=np.int64),
        events=np.zeros((EVENTS_A_STEP * capacity, N_COLUMNS), dtype=np.int32),
        sizes=np.zeros(2, dtype=np.int64),
    )


def grow_branches(branches: Branches) -> Branches:
    """Return the same record with twice the room."""
    larger = make_branches(2 * len(branches.steps))
    larger.steps[: len(branches.steps)] = branches.steps
    larger.events[: len(branches.events)] = branches.events
    return larger._replace(sizes=branches.sizes)


def has_room_for(trace: AnyBranches, n_events: int) -> bool:
    """Whether one more step of so many events can be written down."""
    raise NotImplementedError


def emit(trace: AnyBranches, kind: int, node: int, value: int) -> int:
    """Write an event about a node; return its number."""
    raise NotImplementedError


def emit_closed(trace: AnyBranches, node: int, why: int, rule: int) -> None:
    """Write that a node which waited is cut when it is visited, by what, and by which rule if it is dead."""
    raise NotImplementedError


def emit_successor(trace: AnyBranches, kind: int, parent: int, move: Integers, way: int, left: int) -> int:
    """Write a successor by its move, int64[at least 4], pushes made and pushes left; return its number."""
    raise NotImplementedError


def end_expansion(
    trace: AnyBranches, clock: int, marks: int, begun: int, finished: int, proven: int, limit: int
) -> None:
    """A step is complete: write down what is known after it, see `Branches.steps`."""
    raise NotImplementedError


@standing_for(has_room_for, inline="always")
def _has_room_for(trace, n_events):
    if trace.instance_class is Branches:

        def room_in_record(trace, n_events):
            return trace.sizes[STEPS] < len(trace.steps) and trace.sizes[EVENTS] + n_events <= len(trace.events)

        return room_in_record
    return lambda trace, n_events: True


@standing_for(emit)
def _emit(trace, kind, node, value):
    if trace.instance_class is Branches:

        def write_event(trace, kind, node, value):
            number = trace.sizes[EVENTS]
            trace.events[number, KIND] = kind
            trace.events[number, NODE] = node
            trace.events[number, ORIGIN] = value
            trace.sizes[EVENTS] = number + 1
            return number

        return write_event
    return lambda trace, kind, node, value: NOWHERE


@standing_for(emit_closed)
def _emit_closed(trace, node, why, rule):
    if trace.instance_class is Branches:

        def write_closed(trace, node, why, rule):
            trace.events[emit(trace, CLOSED, node, why), TARGET] = rule

        return write_closed
    return lambda trace, node, why, rule: None


@standing_for(emit_successor)
def _emit_successor(trace, kind, parent, move, way, left):
    if trace.instance_class is Branches:

        def write_successor(trace, kind, parent, move, way, left):
            number = emit(trace, kind, parent, move[0])
            for column in range(1, 4):
                trace.events[number, ORIGIN + column] = move[column]
            trace.events[number, WAY] = way
            trace.events[number, LEFT_OVER] = left
            return number

        return write_successor
    return lambda trace, kind, parent, move, way, left: NOWHERE


@standing_for(end_expansion)
def _end_expansion(trace, clock, marks, begun, finished, proven, limit):
    if trace.instance_class is Branches:

        def end_step(trace, clock, marks, begun, finished, proven, limit):
            row = trace.steps[trace.sizes[STEPS]]
            row[END], row[CLOCK], row[MARKS] = trace.sizes[EVENTS], clock, marks
            row[BEGUN], row[FINISHED], row[PROVEN], row[LIMIT_THEN] = begun, finished, proven, limit
            trace.sizes[STEPS] += 1

        return end_step
    return lambda trace, clock, marks, begun, finished, proven, limit: None
