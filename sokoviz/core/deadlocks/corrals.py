"""Closed areas (thesis, figure 4.7): floor that the boxes cut off from the player, and a bounded search of its boxes.

The boxes around a closed area are looked at with all other boxes taken away and every goal open. What solves the level
solves this easier position too, so if a search of it ends without finding a solution, the level is dead. A search that
runs out of its budget proves nothing.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from sokoviz.core.board.pushes import generate_pushes, make_push, undo_push
from sokoviz.core.board.reach import find_free, flood
from sokoviz.core.compiling.jit import lean
from sokoviz.core.deadlocks.rules import find_locked_boxes
from sokoviz.core.numbers.bits import ONE, ZERO, count, first, is_subset, shifted_word
from sokoviz.core.numbers.hashing import hash_state
from sokoviz.core.types import NOWHERE, Bits, Integers, Tables

SOLVABLE, DEAD, UNDECIDED = 0, 1, 2

# Rows of CorralScratch.boards.
AREA, UNSEEN, FREE, REACHED, TARGETS, LOCKED = range(6)

N_VERDICTS = 1 << 18


class CorralScratch(NamedTuple):
    """Room to look at closed areas in, so that a search allocates nothing, and what was found out before."""

    boards: Bits
    """uint64[6, n_words]"""
    positions: Bits
    """uint64[budget, n_words]: boxes of the positions held"""
    players: Integers
    """int64[budget]: the player's square in each"""
    keys: Bits
    """uint64[budget]"""
    slots: Integers
    """int64[power of two]: a table from keys to positions"""
    pushes: Integers
    """int64[4 * number of boxes]"""
    searched: Integers
    """int64[1]: positions whose pushes were looked at, in all searches"""
    verdicts: Bits
    """uint64[power of two]: keys of boxes that were looked at, the lowest bit 1 where they are dead; 0 for none. Most
    positions of a level share their closed areas with others"""


def make_corral_scratch(n_words: int, n_boxes: int, budget: int) -> CorralScratch:
    """Return room for so many positions a search."""
    return CorralScratch(
        boards=np.zeros((6, n_words), dtype=np.uint64),
        positions=np.zeros((budget, n_words), dtype=np.uint64),
        players=np.zeros(budget, dtype=np.int64),
        keys=np.zeros(budget, dtype=np.uint64),
        slots=np.zeros(1 << max(4, (2 * budget - 1).bit_length()), dtype=np.int64),
        pushes=np.zeros(4 * n_boxes, dtype=np.int64),
        searched=np.zeros(1, dtype=np.int64),
        verdicts=np.zeros(N_VERDICTS, dtype=np.uint64),
    )


def find_corral_deadlock(tables: Tables, boxes: Bits, player: int, budget: int, culprits: Bits) -> bool:
    """Look at the closed areas of one position with a budget of positions each; see `find_dead_corral`."""
    scratch = make_corral_scratch(len(boxes), count(boxes), budget)
    free, reached = np.empty_like(boxes), np.empty_like(boxes)
    find_free(tables, boxes, free)
    flood(free, tables.width, player, reached)
    return bool(find_dead_corral(tables, boxes, free, reached, player, scratch, culprits))


@lean
def find_corral_boxes(tables: Tables, boxes: Bits, reached: Bits, area: Bits, corral: Bits) -> None:
    """Collect the boxes of a closed area: those that touch it, and those behind them that the player cannot touch.

    Parameters
    ----------
    tables : Tables
    boxes : uint64[n_words]
    reached : uint64[n_words], the player's component
    area : uint64[n_words], the closed area
    corral : uint64[n_words], out
    """
    for i in range(len(corral)):
        corral[i] = area[i]
    changed = True
    while changed:
        changed = False
        for i in range(len(corral)):
            inner = boxes[i] & ~neighbours(reached, i, tables.width)
            allowed = (boxes[i] & neighbours(area, i, tables.width)) | inner
            grown = corral[i] | (allowed & neighbours(corral, i, tables.width))
            changed |= grown != corral[i]
            corral[i] = grown
    for i in range(len(corral)):
        corral[i] &= boxes[i]


@lean
def count_areas(tables: Tables, free: Bits, reached: Bits, scratch: CorralScratch) -> int:
    """Number of closed areas: components of the free floor but the player's."""
    area, unseen, n = scratch.boards[AREA], scratch.boards[UNSEEN], 0
    for i in range(len(free)):
        unseen[i] = free[i] & ~reached[i]
    square = first(unseen)
    while square != NOWHERE:
        flood(free, tables.width, square, area)
        for i in range(len(free)):
            unseen[i] &= ~area[i]
        n += 1
        square = first(unseen)
    return n


@lean
def neighbours(bits: Bits, i: int, width: int) -> int:
    """Word i of the squares beside those of a set."""
    near = shifted_word(bits, i, 1) | shifted_word(bits, i, -1)
    return near | shifted_word(bits, i, width) | shifted_word(bits, i, -width)


@lean
def find_dead_corral(
    tables: Tables, boxes: Bits, free: Bits, reached: Bits, player: int, scratch: CorralScratch, culprits: Bits
) -> bool:
    """Look at each closed area for boxes that no sequence of pushes brings to goals.

    Parameters
    ----------
    tables : Tables
    boxes : uint64[n_words]
    free, reached : uint64[n_words], floor without boxes, and the player's component
    player : square of the player
    scratch : room for as many positions as each search may hold
    culprits : uint64[n_words], out: the boxes of the dead area

    Returns
    -------
    whether one was found
    """
    area, unseen = scratch.boards[AREA], scratch.boards[UNSEEN]
    for i in range(len(boxes)):
        unseen[i] = free[i] & ~reached[i]
    square = first(unseen)
    while square != NOWHERE:
        flood(free, tables.width, square, area)
        find_corral_boxes(tables, boxes, reached, area, culprits)
        if _are_dead(tables, culprits, player, scratch):
            return True
        for i in range(len(boxes)):
            unseen[i] &= ~area[i]
        square = first(unseen)
    for i in range(len(boxes)):
        culprits[i] = ZERO
    return False


@lean
def _are_dead(tables: Tables, boxes: Bits, player: int, scratch: CorralScratch) -> bool:
    """Whether boxes that are alone on the board are dead, remembered or searched for."""
    if is_subset(boxes, tables.goals):
        return False
    find_free(tables, boxes, scratch.boards[FREE])
    flood(scratch.boards[FREE], tables.width, player, scratch.boards[REACHED])
    key = hash_state(tables, boxes, scratch.boards[REACHED])
    place = np.int64(key & np.uint64(len(scratch.verdicts) - 1))
    if scratch.verdicts[place] >> ONE == key >> ONE:
        return scratch.verdicts[place] & ONE == ONE
    is_dead = search_boxes(tables, boxes, player, scratch) == DEAD
    scratch.verdicts[place] = key | ONE if is_dead else key & ~ONE
    return is_dead


@lean
def _find_slot(slots: Integers, keys: Bits, key: int) -> int:
    """Slot of a key in an open hash table, or the empty slot where it belongs."""
    mask = len(slots) - 1
    slot = np.int64(key & np.uint64(mask))
    while slots[slot] != NOWHERE and keys[slots[slot]] != key:
        slot = (slot + 1) & mask
    return slot


@lean
def search_boxes(tables: Tables, start: Bits, player: int, scratch: CorralScratch) -> int:
    """Search breadth first for a way to bring all boxes to goals.

    Parameters
    ----------
    tables : Tables
    start : uint64[n_words], the boxes
    player : square of the player
    scratch : room for as many positions as may be held

    Returns
    -------
    SOLVABLE, DEAD (all reachable positions seen, none solved) or UNDECIDED (no room for more)
    """
    boards, pushes = scratch.boards, scratch.pushes
    free, reached, targets, locked = boards[FREE], boards[REACHED], boards[TARGETS], boards[LOCKED]
    if is_subset(start, tables.goals):
        return SOLVABLE
    for slot in range(len(scratch.slots)):
        scratch.slots[slot] = NOWHERE
    tail = _hold(tables, start, player, 0, scratch)
    head = 0
    while head < tail:
        boxes = scratch.positions[head]
        scratch.searched[0] += 1
        find_free(tables, boxes, free)
        flood(free, tables.width, scratch.players[head], reached)
        for i in range(len(start)):
            targets[i] = free[i] & tables.live[i]
        n_pushes = generate_pushes(tables, boxes, reached, targets, pushes)
        for k in range(n_pushes):
            after = make_push(tables, boxes, pushes[k])
            if is_subset(boxes, tables.goals):
                return SOLVABLE
            if not find_locked_boxes(tables, boxes, locked, NOWHERE):
                tail = _hold(tables, boxes, after, tail, scratch)
                if tail > len(scratch.positions):
                    return UNDECIDED
            undo_push(tables, boxes, pushes[k])
        head += 1
    return DEAD


@lean
def _hold(tables: Tables, boxes: Bits, player: int, n: int, scratch: CorralScratch) -> int:
    """Hold a position if it is not held yet; return the number of positions, one more than there is room if full."""
    free, reached = scratch.boards[FREE], scratch.boards[REACHED]
    find_free(tables, boxes, free)
    flood(free, tables.width, player, reached)
    key = hash_state(tables, boxes, reached)
    slot = _find_slot(scratch.slots, scratch.keys, key)
    if scratch.slots[slot] != NOWHERE:
        return n
    if n < len(scratch.positions):
        scratch.slots[slot] = n
        scratch.players[n] = player
        scratch.keys[n] = key
        for i in range(len(boxes)):
            scratch.positions[n, i] = boxes[i]
    return n + 1
