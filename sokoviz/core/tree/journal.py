"""What a search did, written down as it does it: enough to undo it, to do it again, and to explain it.

The *type* of the trace decides when a kernel is compiled what is written: nothing (`Silent`, no cost at all), the
journal (`Journal`), or every number that decided one iteration (`Detail`).
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from sokoviz.core.compiling.jit import lean, standing_for
from sokoviz.core.tree.arena import (
    AT,
    COUNT,
    ELIMINATED,
    FIRST,
    NODES,
    PARENT,
    SLOTS,
    SOLVED,
    STATUS,
    Arena,
    append_child,
    change_statistics,
    move_subtree,
    put_child,
    take_child,
)
from sokoviz.core.tree.formulas import Formula
from sokoviz.core.types import NOWHERE, Integers

# Columns of Journal.steps: what is known of each iteration. GENERATOR and CHOICES are from before it, all others from
# after it.
GENERATOR, CHOICES_USED, EVENTS_END, FLAGS, ROOT_CHILD, ROOT_SUM, NODES_AFTER, DEEPEST_AFTER = range(8)
N_STEP_FIELDS = 8

# Kinds of events, the first entry of a row of Journal.events; what follows is in brackets.
ADDED = 0  # [parent, first child, number of children]: a leaf was expanded
PASSED = 1  # [node, reward, status]: a reward was passed from a node up to the root; SOLVED if that found a solution
TAKEN_OUT = 2  # [node, former parent, place in its block]: a subtree moves; the next event says where to
JOINED = 3  # [new parent, former action, new action]
REMOVED = 4  # [node, parent, place in its block]: a node was eliminated

# Entries of sizes.
STEPS, EVENTS = range(2)
SCORES, ROLLOUT_MOVES, LEAF, CONSIDERED, LEFT_OUT, DEAD_BY = range(6)

EVENTS_AN_ITERATION = 2

# Columns of Detail.scores.
SCORE_PARENT, SCORE_CHILD, EXPLOITATION, SCALE, WEIGHT_COLUMN, SCORE = range(6)
N_SCORE_COLUMNS = 6


class Silent(NamedTuple):
    """Writes nothing."""

    unused: int


class Journal(NamedTuple):
    """Writes what changed."""

    steps: Integers
    """int64[capacity, 8]: one row an iteration, 64 bytes, so that writing it touches one line of the cache"""
    events: NDArray[np.int32]
    """int32[capacity, 4]: kind and three numbers"""
    sizes: Integers
    """int64[2]: number of iterations and of events"""


# Columns of Detail.left_out, and why a successor became no child where no deadlock rule decided: its position is in the
# tree or on the path, at a node; it was eliminated before; or a closed area has to be opened first.
LEFT_ACTION, LEFT_WHY, LEFT_NODE = range(3)
IN_TREE, ON_PATH, REMEMBERED, AREA_FIRST = -1, -2, -3, -4


class Detail(NamedTuple):
    """Writes what decided a single iteration: scores, moves, successors; what does not fit is counted only."""

    end: int
    """number of events done when the iteration is complete"""
    scores: NDArray[np.float64]
    """float64[capacity, 6]: parent, child, exploitation term, scale, weight, score"""
    moves: Integers
    """int64[capacity]: moves of the rollout"""
    sizes: Integers
    """int64[6]: number of scores and of moves, the leaf that selection ended at, number of successors that were looked
    at and of those left out, and the deadlock rule by which the simulated node was eliminated, 0 for none"""
    considered: Integers
    """int64[max_actions]: actions of the leaf that were looked at"""
    left_out: Integers
    """int64[max_actions, 3]: action, why it became no child (a deadlock rule, or one of the above), and the node that
    has its position"""


AnyTrace: TypeAlias = Silent | Journal | Detail


def make_journal(capacity: int) -> Journal:
    """Return an empty journal with room for some iterations of the usual number of events."""
    return Journal(
        steps=np.zeros((capacity, N_STEP_FIELDS), dtype=np.int64),
        events=np.zeros((EVENTS_AN_ITERATION * capacity, 4), dtype=np.int32),
        sizes=np.zeros(2, dtype=np.int64),
    )


def grow_journal(journal: Journal, capacity: int) -> Journal:
    """Return the same journal with room for more iterations."""
    steps = np.zeros((capacity, N_STEP_FIELDS), dtype=np.int64)
    steps[: len(journal.steps)] = journal.steps
    events = np.zeros((EVENTS_AN_ITERATION * capacity, 4), dtype=np.int32)
    events[: len(journal.events)] = journal.events
    return Journal(steps, events, journal.sizes)


def make_detail(end: int, n_scores: int, n_moves: int, n_actions: int = 0) -> Detail:
    """Return room for the scores and moves of an iteration after which that many events are done."""
    scores = np.zeros((n_scores, N_SCORE_COLUMNS), dtype=np.float64)
    moves, considered = np.zeros(n_moves, dtype=np.int64), np.zeros(n_actions, dtype=np.int64)
    sizes, left_out = np.zeros(6, dtype=np.int64), np.zeros((n_actions, 3), dtype=np.int64)
    return Detail(end, scores, moves, sizes, considered, left_out)


# --- what kernels call; which body they get is decided by the type of the trace ------------------------------------


def has_room(trace: AnyTrace, most_events: int) -> bool:
    """Whether one more iteration of so many events can be written down."""
    raise NotImplementedError


def begin_step(trace: AnyTrace, generator: int, choices: int) -> None:
    """An iteration begins."""
    raise NotImplementedError


def end_step(trace: AnyTrace, flags: int, root_child: int, root_sum: int, n_nodes: int, deepest: int) -> None:
    """An iteration is complete."""
    raise NotImplementedError


def emit_added(trace: AnyTrace, node: int, first: int, count: int) -> None:
    """A leaf got children."""
    raise NotImplementedError


def emit_passed(trace: AnyTrace, node: int, reward: int) -> None:
    """A reward was passed up from a node."""
    raise NotImplementedError


def emit_solved(trace: AnyTrace) -> None:
    """The reward that was passed last marks its node as solved: it had no such mark before."""
    raise NotImplementedError


def emit_moved(trace: AnyTrace, node: int, former: int, place: int, parent: int, before: int, action: int) -> None:
    """A subtree is about to move: from where, to where, and the actions that led and will lead to it."""
    raise NotImplementedError


def emit_removed(trace: AnyTrace, node: int, parent: int, place: int) -> None:
    """A node was eliminated."""
    raise NotImplementedError


def emit_score(
    trace: AnyTrace, parent: int, child: int, value: float, scale: float, weight: float, score: float
) -> None:
    """A child was scored in selection."""
    raise NotImplementedError


def emit_leaf(trace: AnyTrace, node: int) -> None:
    """Selection ended at a leaf."""
    raise NotImplementedError


def emit_considered(trace: AnyTrace, actions: Integers, n: int) -> None:
    """The first n actions are those that a leaf may be expanded by."""
    raise NotImplementedError


def emit_kept(trace: AnyTrace, actions: Integers, n: int) -> None:
    """Only the first n actions are looked at: for all others a closed area comes first."""
    raise NotImplementedError


def emit_left_out(trace: AnyTrace, action: int, why: int, node: int) -> None:
    """A successor becomes no child: why, and the node that has its position, NOWHERE for none."""
    raise NotImplementedError


def emit_dead(trace: AnyTrace, rule: int) -> None:
    """The node that was simulated is eliminated, because a deadlock rule finds it dead."""
    raise NotImplementedError


def mark_position(trace: AnyTrace, arena: Arena) -> None:
    """An iteration is complete: note in the arena how many events are done."""
    raise NotImplementedError


def begin_rollout(trace: AnyTrace) -> None:
    """A rollout begins, or begins anew."""
    raise NotImplementedError


def emit_move(trace: AnyTrace, action: int) -> None:
    """A rollout made a move."""
    raise NotImplementedError


@standing_for(has_room, inline="always")
def _has_room(trace, most_events):
    if trace.instance_class is Journal:

        def room_in_journal(trace, most_events):
            n_steps, n_events = trace.sizes[STEPS], trace.sizes[EVENTS]
            return n_steps < len(trace.steps) and n_events + most_events <= len(trace.events)

        return room_in_journal
    return lambda trace, most_events: True


@standing_for(begin_step)
def _begin_step(trace, generator, choices):
    if trace.instance_class is Journal:

        def begin(trace, generator, choices):
            step = trace.sizes[STEPS]
            trace.steps[step, GENERATOR] = np.int64(generator)
            trace.steps[step, CHOICES_USED] = choices

        return begin
    return lambda trace, generator, choices: None


@standing_for(end_step)
def _end_step(trace, flags, root_child, root_sum, n_nodes, deepest):
    if trace.instance_class is Journal:

        def end(trace, flags, root_child, root_sum, n_nodes, deepest):
            step, steps = trace.sizes[STEPS], trace.steps
            steps[step, EVENTS_END] = trace.sizes[EVENTS]
            steps[step, FLAGS] = flags
            steps[step, ROOT_CHILD] = root_child
            steps[step, ROOT_SUM] = root_sum
            steps[step, NODES_AFTER] = n_nodes
            steps[step, DEEPEST_AFTER] = deepest
            trace.sizes[STEPS] = step + 1

        return end
    return lambda trace, flags, root_child, root_sum, n_nodes, deepest: None


@lean
def _write_event(journal: Journal, kind: int, a: int, b: int, c: int) -> None:
    """Append an event."""
    row = journal.sizes[EVENTS]
    journal.events[row, 0] = kind
    journal.events[row, 1] = a
    journal.events[row, 2] = b
    journal.events[row, 3] = c
    journal.sizes[EVENTS] = row + 1


@standing_for(emit_added)
def _emit_added(trace, node, first, count):
    if trace.instance_class is Journal:
        return lambda trace, node, first, count: _write_event(trace, ADDED, node, first, count)
    return lambda trace, node, first, count: None


@standing_for(emit_passed)
def _emit_passed(trace, node, reward):
    if trace.instance_class is Journal:
        return lambda trace, node, reward: _write_event(trace, PASSED, node, reward, 0)
    return lambda trace, node, reward: None


@standing_for(emit_solved)
def _emit_solved(trace):
    if trace.instance_class is Journal:

        def write(trace):
            trace.events[trace.sizes[EVENTS] - 1, 3] = SOLVED

        return write
    return lambda trace: None


@standing_for(emit_moved)
def _emit_moved(trace, node, former, place, parent, before, action):
    if trace.instance_class is Journal:

        def write(trace, node, former, place, parent, before, action):
            _write_event(trace, TAKEN_OUT, node, former, place)
            _write_event(trace, JOINED, parent, before, action)

        return write
    return lambda trace, node, former, place, parent, before, action: None


@standing_for(emit_removed)
def _emit_removed(trace, node, parent, place):
    if trace.instance_class is Journal:
        return lambda trace, node, parent, place: _write_event(trace, REMOVED, node, parent, place)
    return lambda trace, node, parent, place: None


@standing_for(emit_score)
def _emit_score(trace, parent, child, value, scale, weight, score):
    if trace.instance_class is Detail:

        def write(trace, parent, child, value, scale, weight, score):
            row = trace.sizes[SCORES]
            trace.sizes[SCORES] = row + 1
            if row < len(trace.scores):
                columns = trace.scores[row]
                columns[SCORE_PARENT] = parent
                columns[SCORE_CHILD] = child
                columns[EXPLOITATION] = value
                columns[SCALE] = scale
                columns[WEIGHT_COLUMN] = weight
                columns[SCORE] = score

        return write
    return lambda trace, parent, child, value, scale, weight, score: None


@standing_for(emit_leaf)
def _emit_leaf(trace, node):
    if trace.instance_class is Detail:

        def write(trace, node):
            trace.sizes[LEAF] = node

        return write
    return lambda trace, node: None


@standing_for(emit_considered)
def _emit_considered(trace, actions, n):
    if trace.instance_class is Detail:

        def write(trace, actions, n):
            trace.sizes[CONSIDERED] = n
            for index in range(min(n, len(trace.considered))):
                trace.considered[index] = actions[index]

        return write
    return lambda trace, actions, n: None


@standing_for(emit_kept)
def _emit_kept(trace, actions, n):
    if trace.instance_class is Detail:

        def write(trace, actions, n):
            for index in range(min(trace.sizes[CONSIDERED], len(trace.considered))):
                is_kept = False
                for other in range(n):
                    is_kept |= actions[other] == trace.considered[index]
                if not is_kept:
                    emit_left_out(trace, trace.considered[index], AREA_FIRST, NOWHERE)

        return write
    return lambda trace, actions, n: None


@standing_for(emit_left_out)
def _emit_left_out(trace, action, why, node):
    if trace.instance_class is Detail:

        def write(trace, action, why, node):
            row = trace.sizes[LEFT_OUT]
            trace.sizes[LEFT_OUT] = row + 1
            if row < len(trace.left_out):
                trace.left_out[row, LEFT_ACTION] = action
                trace.left_out[row, LEFT_WHY] = why
                trace.left_out[row, LEFT_NODE] = node

        return write
    return lambda trace, action, why, node: None


@standing_for(emit_dead)
def _emit_dead(trace, rule):
    if trace.instance_class is Detail:

        def write(trace, rule):
            trace.sizes[DEAD_BY] = rule

        return write
    return lambda trace, rule: None


@standing_for(mark_position)
def _mark_position(trace, arena):
    if trace.instance_class is Journal:

        def mark(trace, arena):
            arena.counts[AT] = trace.sizes[EVENTS]

        return mark
    if trace.instance_class is Detail:

        def mark_end(trace, arena):
            arena.counts[AT] = trace.end

        return mark_end
    return lambda trace, arena: None


@standing_for(begin_rollout)
def _begin_rollout(trace):
    if trace.instance_class is Detail:

        def begin(trace):
            trace.sizes[ROLLOUT_MOVES] = 0

        return begin
    return lambda trace: None


@standing_for(emit_move)
def _emit_move(trace, action):
    if trace.instance_class is Detail:

        def write(trace, action):
            row = trace.sizes[ROLLOUT_MOVES]
            trace.sizes[ROLLOUT_MOVES] = row + 1
            if row < len(trace.moves):
                trace.moves[row] = action

        return write
    return lambda trace, action: None


# --- going through the journal ---------------------------------------------------------------------------------------


@lean
def pass_up(arena: Arena, formula: Formula, node: int, visits: int, reward: int, sign: int) -> None:
    """Change the statistics of a node and of all its ancestors; the sign is -1 where players take turns (3.2.4)."""
    while node != NOWHERE:
        change_statistics(arena, formula, node, visits, reward)
        reward *= sign
        node = arena.links[PARENT, node]


@lean
def seek(arena: Arena, formula: Formula, sign: int, events: NDArray[np.int32], target: int) -> None:
    """Undo or redo events until as many are done as asked for."""
    while arena.counts[AT] < target:
        redo(arena, formula, sign, events, arena.counts[AT])
        arena.counts[AT] += 1
    while arena.counts[AT] > target:
        arena.counts[AT] -= 1
        undo(arena, formula, sign, events, arena.counts[AT])


@lean
def redo(arena: Arena, formula: Formula, sign: int, events: NDArray[np.int32], index: int) -> None:
    """Do an event again; what undoing leaves behind in the arrays is still there."""
    event = events[index]
    kind, node, count = event[0], np.int64(event[1]), np.int64(event[3])
    if kind == ADDED:
        if arena.links[COUNT, node] == 0:
            arena.links[FIRST, node] = arena.counts[SLOTS]
        for child in range(event[2], event[2] + count):
            append_child(arena, formula, node, child)
        arena.counts[NODES] += count
    elif kind == PASSED:
        arena.links[STATUS, node] |= event[3]
        pass_up(arena, formula, node, 1, np.int64(event[2]), sign)
    elif kind == TAKEN_OUT:
        take_child(arena, event[2], count)
        _join(arena, formula, node, events[index + 1])
    elif kind == REMOVED:
        arena.links[STATUS, node] |= ELIMINATED
        if event[2] != NOWHERE:
            take_child(arena, event[2], count)


@lean
def _join(arena: Arena, formula: Formula, node: int, joined: NDArray[np.int32]) -> None:
    """Let a subtree that has left its place become the last child of another node."""
    parent = np.int64(joined[1])
    if arena.links[COUNT, parent] == 0:
        arena.links[FIRST, parent] = arena.counts[SLOTS]
    append_child(arena, formula, parent, node)
    move_subtree(arena, formula, node, parent, np.int64(joined[3]))


@lean
def undo(arena: Arena, formula: Formula, sign: int, events: NDArray[np.int32], index: int) -> None:
    """Undo an event."""
    event = events[index]
    kind, node, count = event[0], np.int64(event[1]), np.int64(event[3])
    if kind == ADDED:
        _shorten_block(arena, node, count)
        arena.counts[NODES] -= count
    elif kind == PASSED:
        arena.links[STATUS, node] &= ~event[3]
        pass_up(arena, formula, node, -1, -np.int64(event[2]), sign)
    elif kind == TAKEN_OUT:
        joined = events[index + 1]
        _shorten_block(arena, np.int64(joined[1]), 1)
        move_subtree(arena, formula, node, np.int64(event[2]), np.int64(joined[2]))
        put_child(arena, formula, np.int64(event[2]), count, node)
    elif kind == REMOVED:
        arena.links[STATUS, node] &= ~ELIMINATED
        if event[2] != NOWHERE:
            put_child(arena, formula, np.int64(event[2]), count, node)


@lean
def _shorten_block(arena: Arena, node: int, count: int) -> None:
    """Take the last children off the last block, which is this node's; an empty block takes no room."""
    arena.links[COUNT, node] -= count
    if arena.links[COUNT, node] == 0:
        arena.counts[SLOTS] = arena.links[FIRST, node]
        arena.links[FIRST, node] = 0
