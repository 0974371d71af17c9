"""Closed areas (thesis, figure 4.7): floor that the boxes cut off from the player, and a bounded search of its boxes.

The boxes around a closed area are looked at with all other boxes taken away and every goal open. What solves the level
solves this easier position too, so if a search of it ends without finding a solution, the level is dead. A search that
runs out of its budget proves nothing.
"""

from __future__ import annotations

import numpy as np

from sokoviz.core.bits import ZERO, count, first, is_subset, shifted_word
from sokoviz.core.deadlocks import find_locked_boxes
from sokoviz.core.hashing import hash_state
from sokoviz.core.jit import kernel
from sokoviz.core.pushes import generate_pushes, make_push, undo_push
from sokoviz.core.reach import find_free, flood
from sokoviz.core.types import NOWHERE, Bits, Integers, Tables

SOLVABLE, DEAD, UNDECIDED = 0, 1, 2


@kernel
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
    corral[:] = area
    changed = True
    while changed:
        changed = False
        for i in range(len(corral)):
            inner = boxes[i] & ~_neighbours(reached, i, tables.width)
            allowed = (boxes[i] & _neighbours(area, i, tables.width)) | inner
            grown = corral[i] | (allowed & _neighbours(corral, i, tables.width))
            changed |= grown != corral[i]
            corral[i] = grown
    for i in range(len(corral)):
        corral[i] &= boxes[i]


@kernel
def _neighbours(bits: Bits, i: int, width: int) -> int:
    """Word i of the squares beside those of a set."""
    near = shifted_word(bits, i, 1) | shifted_word(bits, i, -1)
    return near | shifted_word(bits, i, width) | shifted_word(bits, i, -width)


@kernel
def find_corral_deadlock(tables: Tables, boxes: Bits, player: int, budget: int, culprits: Bits) -> bool:
    """Look at each closed area for boxes that no sequence of pushes brings to goals.

    Parameters
    ----------
    tables : Tables
    boxes : uint64[n_words]
    player : square of the player
    budget : positions that each search may hold
    culprits : uint64[n_words], out: the boxes of the dead area

    Returns
    -------
    whether one was found
    """
    free = np.empty_like(boxes)
    reached = np.empty_like(boxes)
    area = np.empty_like(boxes)
    unseen = np.empty_like(boxes)
    find_free(tables, boxes, free)
    flood(free, tables.width, player, reached)
    for i in range(len(boxes)):
        unseen[i] = free[i] & ~reached[i]
    square = first(unseen)
    while square != NOWHERE:
        flood(free, tables.width, square, area)
        find_corral_boxes(tables, boxes, reached, area, culprits)
        if search_boxes(tables, culprits, player, budget) == DEAD:
            return True
        for i in range(len(boxes)):
            unseen[i] &= ~area[i]
        square = first(unseen)
    culprits[:] = ZERO
    return False


@kernel
def _find_slot(slots: Integers, keys: Bits, key: int) -> int:
    """Slot of a key in an open hash table, or the empty slot where it belongs."""
    mask = len(slots) - 1
    slot = np.int64(key & np.uint64(mask))
    while slots[slot] != NOWHERE and keys[slots[slot]] != key:
        slot = (slot + 1) & mask
    return slot


@kernel
def search_boxes(tables: Tables, start: Bits, player: int, budget: int) -> int:
    """Search breadth first for a way to bring all boxes to goals.

    Parameters
    ----------
    tables : Tables
    start : uint64[n_words], the boxes
    player : square of the player
    budget : how many positions may be held

    Returns
    -------
    SOLVABLE, DEAD (all reachable positions seen, none solved) or UNDECIDED (budget used up)
    """
    n_words = len(start)
    positions = np.empty((budget, n_words), np.uint64)
    players = np.empty(budget, np.int64)
    keys = np.empty(budget, np.uint64)
    n_slots = 16
    while n_slots < 2 * budget:
        n_slots *= 2
    slots = np.full(n_slots, NOWHERE, np.int64)
    free = np.empty(n_words, np.uint64)
    reached = np.empty(n_words, np.uint64)
    targets = np.empty(n_words, np.uint64)
    locked = np.empty(n_words, np.uint64)
    pushes = np.empty(4 * count(start), np.int64)
    if is_subset(start, tables.goals):
        return SOLVABLE
    positions[0] = start
    players[0] = player
    find_free(tables, start, free)
    flood(free, tables.width, player, reached)
    keys[0] = hash_state(tables, start, reached)
    slots[_find_slot(slots, keys, keys[0])] = 0
    head, tail = 0, 1
    while head < tail:
        boxes = positions[head]
        find_free(tables, boxes, free)
        flood(free, tables.width, players[head], reached)
        for i in range(n_words):
            targets[i] = free[i] & tables.live[i]
        n_pushes = generate_pushes(tables, boxes, reached, targets, pushes)
        for k in range(n_pushes):
            after = make_push(tables, boxes, pushes[k])
            if is_subset(boxes, tables.goals):
                return SOLVABLE
            if not find_locked_boxes(tables, boxes, locked, NOWHERE):
                find_free(tables, boxes, free)
                flood(free, tables.width, after, reached)
                key = hash_state(tables, boxes, reached)
                slot = _find_slot(slots, keys, key)
                if slots[slot] == NOWHERE:
                    if tail == budget:
                        return UNDECIDED
                    slots[slot] = tail
                    positions[tail] = boxes
                    players[tail] = after
                    keys[tail] = key
                    tail += 1
            undo_push(tables, boxes, pushes[k])
        head += 1
    return DEAD
