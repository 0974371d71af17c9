"""Closed areas that have to be opened first: a test that leaves most pushes out and loses no solution.

Take a closed area with the boxes around it. If one of them, or a box within, is off goal, or a goal within is still to
be filled, each solution pushes one of the boxes around it at some time. If the first such push can only go into the
area, and each that ever can be the first can be made now, then it may as well be made now: what came before it happens
outside, and the box that went into the area is in nobody's way there. So no other push needs to be looked at. Solvers
know this as the PI-corral.
"""

from __future__ import annotations

import numpy as np

from sokoviz.core.board.reach import flood
from sokoviz.core.compiling.jit import lean
from sokoviz.core.deadlocks.corrals import neighbours
from sokoviz.core.numbers.bits import ONE, WORD, ZERO, add, count, first, has, trailing_zeros
from sokoviz.core.types import NOWHERE, Bits, Integers, Tables

NOT_INWARD, GROWN = -1, -2  # what is said of an area beside a number of pushes

# Rows of the scratch.
UNSEEN, CLOSED, INNER, AREA, BORDER, BEST_AREA, BEST_BORDER = range(7)
N_BOARDS = 7


@lean
def keep_inward_pushes(
    tables: Tables, boxes: Bits, free: Bits, reached: Bits, pushes: Integers, n_pushes: int, boards: Bits
) -> int:
    """Keep only the pushes into one closed area where these are all that need to be looked at.

    Of several such areas it is the one with the fewest pushes, the first in reading order. None at all may be left:
    then boxes hold each other so that the position is dead.

    Parameters
    ----------
    tables : Tables
    boxes : uint64[n_words]
    free, reached : uint64[n_words], floor without boxes, and the player's component
    pushes : int64[at least n_pushes], all pushes; those that are kept move to the front in their order
    n_pushes : their number
    boards : uint64[7, n_words], scratch

    Returns
    -------
    number of pushes kept
    """
    for i in range(len(boxes)):
        boards[CLOSED, i] = boards[UNSEEN, i] = free[i] & ~reached[i]
        boards[INNER, i] = boxes[i] & ~neighbours(reached, i, tables.width)
    square, fewest = first(boards[UNSEEN]), n_pushes
    while square != NOWHERE:
        flood(free, tables.width, square, boards[AREA])
        for i in range(len(boxes)):
            boards[UNSEEN, i] &= ~boards[AREA, i]
        found = np.int64(GROWN)
        while found == GROWN:
            found = _count_inward(tables, boxes, reached, boards)
        if 0 <= found < fewest and _has_to_change(tables, boxes, boards):
            fewest = found
            for i in range(len(boxes)):
                boards[BEST_AREA, i], boards[BEST_BORDER, i] = boards[AREA, i], boards[BORDER, i]
        square = first(boards[UNSEEN])
    return n_pushes if fewest == n_pushes else _keep(tables, boards, pushes, n_pushes)


@lean
def _keep(tables: Tables, boards: Bits, pushes: Integers, n_pushes: int) -> int:
    """Keep the pushes into the best area."""
    n = 0
    for index in range(n_pushes):
        square, target = pushes[index] >> 2, (pushes[index] >> 2) + tables.steps[pushes[index] & 3]
        if has(boards[BEST_BORDER], square) and has(boards[BEST_AREA], target) and has(tables.live, target):
            pushes[n] = pushes[index]
            n += 1
    return n


@lean
def _find_border(tables: Tables, boxes: Bits, boards: Bits) -> None:
    """Add to an area all that is closed in with it, even boxes that the player cannot touch; find the boxes around."""
    area, changed = boards[AREA], True
    while changed:
        changed = False
        for i in range(len(area)):
            grown = area[i] | ((boards[INNER, i] | boards[CLOSED, i]) & neighbours(area, i, tables.width))
            changed |= grown != area[i]
            area[i] = grown
    for i in range(len(area)):
        boards[BORDER, i] = boxes[i] & neighbours(area, i, tables.width) & ~area[i]


@lean
def _count_inward(tables: Tables, boxes: Bits, reached: Bits, boards: Bits) -> int:
    """Number of pushes into an area if no other push of a box around it can come first, else NOT_INWARD.

    Where a box could be pushed to or from another closed area, that one is added, and GROWN is returned.
    """
    _find_border(tables, boxes, boards)
    n, is_inward = 0, True
    for i in range(len(boxes)):
        word = boards[BORDER, i]
        while word != ZERO:
            square = WORD * i + np.int64(trailing_zeros(word))
            word &= word - ONE
            for direction in range(4):
                target, behind = square + tables.steps[direction], square - tables.steps[direction]
                if not _can_come_first(tables, boxes, boards, target, behind):
                    continue
                if has(boards[AREA], target) and has(reached, behind):
                    n += 1
                    continue
                beyond = behind if has(boards[AREA], target) else target
                if has(boards[CLOSED], beyond):
                    add(boards[AREA], beyond)
                    return GROWN
                is_inward = False
    return n if is_inward else NOT_INWARD


@lean
def _can_come_first(tables: Tables, boxes: Bits, boards: Bits, target: int, behind: int) -> bool:
    """Whether a box around an area can be pushed before any other of them, wherever the boxes outside may be then.

    The player cannot stand in the area or on the square of such a box, a box within stays where it is, and no solution
    has a push to a locking tile.
    """
    if not (has(tables.live, target) and has(tables.floor, behind)):
        return False
    if has(boards[AREA], behind) or has(boards[BORDER], behind) or has(boards[BORDER], target):
        return False
    return not (has(boards[AREA], target) and has(boxes, target))


@lean
def _has_to_change(tables: Tables, boxes: Bits, boards: Bits) -> bool:
    """Whether no solution leaves an area as it is."""
    off_goal = empty = ZERO
    for i in range(len(boxes)):
        area = boards[AREA, i]
        off_goal |= (boards[BORDER, i] | (area & boxes[i])) & ~tables.goals[i]
        empty |= area & tables.goals[i] & ~boxes[i]
    return off_goal != ZERO or (empty != ZERO and count(boxes) == len(tables.goal_squares))
