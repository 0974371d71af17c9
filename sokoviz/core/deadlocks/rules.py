"""Deadlock tests, one kernel a rule. Each returns whether the position is dead and marks the boxes that make it so.

The first three are the thesis's (section 4.2.1); wall runs and bipartite deadlocks go beyond it. None of them ever
calls a solvable position dead. Corrals need a search and stand in corrals.py.
"""

from __future__ import annotations

import numpy as np

from sokoviz.core.bounds.matching import find_crowded_boxes, push_costs
from sokoviz.core.compiling.jit import kernel, lean
from sokoviz.core.numbers.bits import ZERO, add, clear, count, count_common, has, shifted_word, squares
from sokoviz.core.types import NOWHERE, Bits, Tables


@lean
def find_boxes_on_locking_tiles(tables: Tables, boxes: Bits, culprits: Bits) -> bool:
    """Boxes on squares from which a lone box reaches no goal (algorithm 2).

    Parameters
    ----------
    tables : Tables
    boxes : uint64[n_words]
    culprits : uint64[n_words], out
    """
    found = ZERO
    for i in range(len(boxes)):
        culprits[i] = boxes[i] & ~tables.live[i]
        found |= culprits[i]
    return found != ZERO


@lean
def find_overfull_line(tables: Tables, boxes: Bits, lines: Bits, culprits: Bits, changed: int) -> bool:
    """The boxes on the first of some lines that holds more boxes than goals; a box on such a line never leaves it.

    With tables.sweep_lines this is the wall sweep (algorithm 3): boxes on the outermost floor squares stay there,
    because nobody can stand behind them. With tables.wall_runs it is the same for walls in the interior (figure 4.6).

    Parameters
    ----------
    tables : Tables
    boxes : uint64[n_words]
    lines : uint64[n_lines, n_words]
    culprits : uint64[n_words], out
    changed : where a box was pushed to, if no line was overfull before that: only its lines are looked at; else NOWHERE
    """
    for k in range(len(lines)):
        if changed != NOWHERE and not has(lines[k], changed):
            continue
        if count_common(boxes, lines[k]) > count_common(tables.goals, lines[k]):
            for i in range(len(boxes)):
                culprits[i] = boxes[i] & lines[k, i]
            return True
    clear(culprits)
    return False


@lean
def find_locked_boxes(tables: Tables, boxes: Bits, locked: Bits, changed: int) -> bool:
    """Boxes that hold each other in place, some of them off goal (section 4.2.1, "Locked Boxes").

    A box is locked horizontally by a wall on either side, by locking tiles on both sides, or by a locked box on either
    side; likewise vertically; it is locked if both hold. The thesis follows this recursively from one box; the greatest
    fixpoint is the same for all boxes at once: take all to be locked, and release those that can move until none can.

    Parameters
    ----------
    tables : Tables
    boxes : uint64[n_words]
    locked : uint64[n_words], out: all locked boxes, on goals or not
    changed : where a box was pushed to, if no box off goal was locked before that; else NOWHERE. Boxes that hold each
        other without that box did so before, so that nothing is left to find out once it is released

    Returns
    -------
    whether a locked box is off goal
    """
    if changed != NOWHERE and not _is_held(tables, boxes, changed):
        return False
    for i in range(len(boxes)):
        locked[i] = boxes[i]
    is_changing = True
    while is_changing:
        is_changing = False
        for i in range(len(boxes)):
            word = locked[i]
            if word == ZERO:
                continue
            across = tables.stuck[1, i] | shifted_word(locked, i, 1) | shifted_word(locked, i, -1)
            along = tables.stuck[0, i] | shifted_word(locked, i, tables.width) | shifted_word(locked, i, -tables.width)
            locked[i] = word & across & along
            is_changing |= locked[i] != word
        if changed != NOWHERE and not has(locked, changed):
            return False
    off_goal = ZERO
    for i in range(len(boxes)):
        off_goal |= locked[i] & ~tables.goals[i]
    return off_goal != ZERO


@lean
def _is_held(tables: Tables, boxes: Bits, square: int) -> bool:
    """Whether walls, locking tiles or any boxes hold a box on both axes: a quick look before the long one."""
    across = has(tables.stuck[1], square) or has(boxes, square - 1) or has(boxes, square + 1)
    width = tables.width
    return across and (has(tables.stuck[0], square) or has(boxes, square - width) or has(boxes, square + width))


@kernel
def find_bipartite_deadlock(tables: Tables, boxes: Bits, culprits: Bits) -> bool:
    """Boxes that together reach fewer goals than they are, each taken alone on the board.

    Parameters
    ----------
    tables : Tables
    boxes : uint64[n_words]
    culprits : uint64[n_words], out
    """
    n_boxes = count(boxes)
    box_squares = np.empty(n_boxes, np.int64)
    squares(boxes, box_squares)
    costs = np.empty((n_boxes, len(tables.goal_squares)), np.int64)
    push_costs(tables.push_distance, box_squares, costs)
    is_crowded = np.zeros(n_boxes, np.bool_)
    is_dead = find_crowded_boxes(costs, is_crowded)
    clear(culprits)
    for k in range(n_boxes):
        if is_crowded[k]:
            add(culprits, box_squares[k])
    return is_dead
