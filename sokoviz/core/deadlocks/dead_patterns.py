"""Deadlock search: the pattern search that asks only whether boxes can come to goals at all.

Crippa and Marocchi (2.2.3) tell of it. It takes a short cut, so that it can look at more boxes: a box that can be
pushed to a goal while the others stay is taken off the board at once, and so is one on a goal. That proves as much.
Whatever solves the position solves what is left too, because boxes that are gone are in nobody's way, and the player
gets wherever he got before. So if what is left cannot be solved, nor can the position.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from sokoviz.core.board.box_moves import BoxScratch, find_box_states
from sokoviz.core.board.pushes import generate_pushes
from sokoviz.core.board.reach import find_free, flood, walk_distances
from sokoviz.core.compiling.jit import lean
from sokoviz.core.deadlocks.rules import find_locked_boxes
from sokoviz.core.numbers.bits import ONE, WORD, ZERO, add, first, has, remove, trailing_zeros
from sokoviz.core.numbers.hashing import hash_state
from sokoviz.core.types import NOWHERE, Bits, Integers, Tables

MOST_DEAD_BOXES = 12
ROOM = 8  # positions held for each that may be looked at

SOLVED, DEAD, UNDECIDED = range(3)

# Rows of DeadScratch.boards.
FREE, REACHED, LOCKED, OTHERS, FREE_AFTER, REACHED_AFTER = range(6)
N_BOARDS = 6

# Columns of DeadScratch.opened.
PLAYER, CONFLICT = range(2)


class DeadScratch(NamedTuple):
    """Room for deadlock searches."""

    boards: Bits
    """uint64[6, n_words]: floor, component, locked boxes, the boxes of the whole position that are not chosen; floor
    and component once more for a position that is not there yet"""
    positions: Bits
    """uint64[room, n_words]: boxes of the positions held, those that can be taken off still there"""
    opened: Integers
    """int64[room, 2]: the player in each, and the first of the other boxes that was in the way up to there"""
    keys: Bits
    """uint64[room]"""
    slots: Integers
    """int64[power of two]: a table from keys to positions"""
    waiting: Integers
    """int64[room]: positions to go on with, the newest last"""
    pushes: Integers
    """int64[4 * most boxes]"""
    walks: Integers
    """int64[2, n_squares]"""
    way: Integers
    """int64[4 * n_floor + 1]: states of a box on its way to a goal, the last first"""


def make_dead_scratch(tables: Tables, effort: int) -> DeadScratch:
    """Return room for searches of so many positions; none at all for an effort of 0."""
    n_words, room = len(tables.floor), ROOM * effort
    return DeadScratch(
        boards=np.zeros((N_BOARDS, n_words), dtype=np.uint64),
        positions=np.zeros((room, n_words), dtype=np.uint64),
        opened=np.zeros((room, 2), dtype=np.int64),
        keys=np.zeros(room, dtype=np.uint64),
        slots=np.zeros(1 << max(4, (2 * room - 1).bit_length()), dtype=np.int64),
        waiting=np.zeros(room, dtype=np.int64),
        pushes=np.zeros(4 * MOST_DEAD_BOXES, dtype=np.int64),
        walks=np.zeros((2, tables.width * tables.height), dtype=np.int64),
        way=np.zeros(4 * tables.n_floor + 1, dtype=np.int64),
    )


@lean
def find_dead_boxes(
    tables: Tables, scratch: DeadScratch, ways: BoxScratch, boxes: Bits, player: int, chosen: Bits
) -> tuple[bool, int]:
    """Look for boxes that can never all come to goals, whatever becomes of the others.

    Where the chosen boxes alone can be solved, a box of the whole position that stands in the way of that is added.
    A box that can be pushed to a goal as things are is not looked at: a deadlock is not likely there.

    Parameters
    ----------
    tables : Tables
    scratch : DeadScratch, room for eight times as many positions as may be looked at
    ways : BoxScratch
    boxes : uint64[n_words], the whole position
    player : square of the player
    chosen : uint64[n_words], in: the box to begin with; out: the boxes looked at last

    Returns
    -------
    whether these are dead, and how many positions were looked at
    """
    effort, used = len(scratch.waiting) // ROOM, 0
    if _is_free_to_go(tables, scratch, ways, boxes, player, first(chosen)):
        return False, used
    for _ in range(MOST_DEAD_BOXES):
        for i in range(len(boxes)):
            scratch.boards[OTHERS, i] = boxes[i] & ~chosen[i]
        verdict, conflict, n = _free_all(tables, scratch, ways, chosen, player, effort - used)
        used += n
        if verdict == DEAD:
            return True, used
        if verdict == UNDECIDED or conflict == NOWHERE:
            return False, used
        add(chosen, conflict)
    return False, used


@lean
def _is_free_to_go(
    tables: Tables, scratch: DeadScratch, ways: BoxScratch, boxes: Bits, player: int, square: int
) -> bool:
    """Whether a box is on a goal, or can be pushed to one while all others stay."""
    if has(tables.goals, square):
        return True
    free, reached = scratch.boards[FREE], scratch.boards[REACHED]
    find_free(tables, boxes, free)
    flood(free, tables.width, player, reached)
    for state in range(1, find_box_states(tables, free, reached, player, square, ways)):
        if has(tables.goals, ways.targets[state]):
            return True
    return False


@lean
def _free_all(
    tables: Tables, scratch: DeadScratch, ways: BoxScratch, chosen: Bits, player: int, effort: int
) -> tuple[int, int, int]:
    """Try to take all boxes off the board; return the verdict, the first box in the way, and positions looked at."""
    boards, opened = scratch.boards, scratch.opened
    for slot in range(len(scratch.slots)):
        scratch.slots[slot] = NOWHERE
    n_held = _hold(tables, scratch, chosen, player, np.int64(NOWHERE), 0)
    n_waiting, used = 1, 0
    scratch.waiting[0] = 0
    while n_waiting > 0:
        if used >= effort:
            return UNDECIDED, np.int64(NOWHERE), used
        used += 1
        n_waiting -= 1
        here = scratch.waiting[n_waiting]
        boxes = scratch.positions[here]
        _take_off(tables, scratch, ways, here)
        if first(boxes) == NOWHERE:
            return SOLVED, opened[here, CONFLICT], used
        n_pushes = generate_pushes(tables, boxes, boards[REACHED], boards[FREE], scratch.pushes)
        for index in range(n_pushes):
            n_before = n_held
            n_held = _push(tables, scratch, here, scratch.pushes[index], n_held)
            if n_held > len(scratch.waiting):
                return UNDECIDED, np.int64(NOWHERE), used
            if n_held > n_before:
                scratch.waiting[n_waiting] = n_before
                n_waiting += 1
    return DEAD, np.int64(NOWHERE), used


@lean
def _push(tables: Tables, scratch: DeadScratch, here: int, push: int, n_held: int) -> int:
    """Hold what a push leads to, unless it is dead or known; return how many positions are held."""
    boxes, boards, opened = scratch.positions[here], scratch.boards, scratch.opened
    square, step = push >> 2, tables.steps[push & 3]
    target = square + step
    if not has(tables.live, target):
        return n_held
    conflict = opened[here, CONFLICT]
    if conflict == NOWHERE and has(boards[OTHERS], target):
        conflict = np.int64(target)
    if conflict == NOWHERE and has(boards[OTHERS], square - step):
        conflict = np.int64(square - step)
    remove(boxes, square)
    add(boxes, target)
    if not find_locked_boxes(tables, boxes, boards[LOCKED], target):
        n_held = _hold(tables, scratch, boxes, square, conflict, n_held)
    remove(boxes, target)
    add(boxes, square)
    return n_held


@lean
def _hold(tables: Tables, scratch: DeadScratch, boxes: Bits, player: int, conflict: int, n: int) -> int:
    """Hold a position if it is not held yet; return the number of positions, one more than there is room if full."""
    free, reached = scratch.boards[FREE_AFTER], scratch.boards[REACHED_AFTER]
    find_free(tables, boxes, free)
    flood(free, tables.width, player, reached)
    key, mask = hash_state(tables, boxes, reached), len(scratch.slots) - 1
    slot = np.int64(key & np.uint64(mask))
    while scratch.slots[slot] != NOWHERE:
        if scratch.keys[scratch.slots[slot]] == key:
            return n
        slot = (slot + 1) & mask
    if n < len(scratch.waiting):
        scratch.slots[slot], scratch.keys[n] = n, key
        scratch.opened[n, PLAYER], scratch.opened[n, CONFLICT] = player, conflict
        for i in range(len(boxes)):
            scratch.positions[n, i] = boxes[i]
    return n + 1


@lean
def _take_off(tables: Tables, scratch: DeadScratch, ways: BoxScratch, here: int) -> None:
    """Take all boxes off that are on goals or can be pushed to one while the others stay, as long as there are any.

    Afterwards the boards hold the floor and the player's component without them.
    """
    boxes, boards, player = scratch.positions[here], scratch.boards, scratch.opened[here, PLAYER]
    for i in range(len(boxes)):
        boxes[i] &= ~tables.goals[i]
    is_changing = True
    while is_changing:
        is_changing = False
        find_free(tables, boxes, boards[FREE])
        flood(boards[FREE], tables.width, player, boards[REACHED])
        for i in range(len(boxes)):
            word = boxes[i]
            while word != ZERO and not is_changing:
                square = WORD * i + np.int64(trailing_zeros(word))
                word &= word - ONE
                is_changing = _can_leave(tables, scratch, ways, here, square)
                if is_changing:
                    remove(boxes, square)


@lean
def _can_leave(tables: Tables, scratch: DeadScratch, ways: BoxScratch, here: int, square: int) -> bool:
    """Whether a box can be pushed to a goal while the others stay; notes the first box in its way."""
    boards, opened = scratch.boards, scratch.opened
    n_states = find_box_states(tables, boards[FREE], boards[REACHED], opened[here, PLAYER], square, ways)
    for state in range(1, n_states):
        if has(tables.goals, ways.targets[state]):
            if opened[here, CONFLICT] == NOWHERE:
                opened[here, CONFLICT] = _find_conflict(tables, scratch, ways, scratch.positions[here], state)
            return True
    return False


@lean
def _find_conflict(tables: Tables, scratch: DeadScratch, ways: BoxScratch, boxes: Bits, state: int) -> int:
    """The first of the other boxes where the player walks, or a box is pushed to, on the way to a state."""
    free, others, way, n = scratch.boards[FREE_AFTER], scratch.boards[OTHERS], scratch.way, 0
    while state != NOWHERE:
        way[n] = state
        state = ways.parents[state]
        n += 1
    for index in range(n - 1, 0, -1):
        before, after = way[index], way[index - 1]
        square = ways.targets[before]
        find_free(tables, boxes, free)
        add(free, ways.targets[0])
        remove(free, square)
        behind = square - tables.steps[ways.directions[after]]
        met = meet_on_walk(tables, free, others, ways.players[before], behind, scratch.walks)
        if met == NOWHERE and has(others, ways.targets[after]):
            met = ways.targets[after]
        if met != NOWHERE:
            return met
    return np.int64(NOWHERE)


@lean
def meet_on_walk(tables: Tables, free: Bits, others: Bits, start: int, end: int, walks: Integers) -> int:
    """The first square of a set on a shortest walk between two squares, the end included; NOWHERE for none.

    walks is scratch, int64[2, n_squares].
    """
    walk_distances(free, tables.steps, start, walks[0], walks[1])
    square, found = np.int64(end), np.int64(NOWHERE)
    while square != start:
        if has(others, square):
            found = square
        for direction in range(4):
            near = square + tables.steps[direction]
            if has(free, near) and walks[0, near] == walks[0, square] - 1:
                square = near
                break
    return found
