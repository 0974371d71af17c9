"""The reward of a Sokoban position: minus the cheapest perfect matching of boxes to goals (thesis, 4.1.2)."""

from __future__ import annotations

import numpy as np

from sokoviz.core.bits import ONE, WORD, ZERO, trailing_zeros
from sokoviz.core.jit import lean
from sokoviz.core.matching import MatchingScratch, assign_goals
from sokoviz.core.types import FAR, Bits, Integers, Tables


@lean
def reward_of(board: Tables, boxes: Bits, by_pushes: int, scratch: MatchingScratch) -> int:
    """Reward of a position; 0 exactly where it is solved.

    Under Manhattan distance boxes on goals are left out: by the triangle inequality the value stays the same, and the
    work is less. Under push distances that shortcut would be wrong, so every box takes part.

    Parameters
    ----------
    board : Tables
    boxes : uint64[n_words]
    by_pushes : 1 for the push distance of a lone box, 0 for Manhattan distance
    scratch : room for all boxes
    """
    if by_pushes:
        n = _list_squares(boxes, boxes, 0, scratch.boxes)
        if n > len(board.goal_squares):  # the player is walled off from the others
            return -FAR
        for index in range(n):
            for goal in range(len(board.goal_squares)):
                scratch.costs[index, goal] = board.push_distance[goal, scratch.boxes[index]]
        return -assign_goals(scratch.costs, n, len(board.goal_squares), scratch)
    n = _list_squares(boxes, board.goals, 1, scratch.boxes)
    n_goals = _list_squares(board.goals, boxes, 1, scratch.goals)
    if n == 0:
        return 0
    if n > n_goals:
        return -FAR
    for index in range(n):
        row, column = scratch.boxes[index] // board.width, scratch.boxes[index] % board.width
        for goal in range(n_goals):
            goal_row, goal_column = scratch.goals[goal] // board.width, scratch.goals[goal] % board.width
            scratch.costs[index, goal] = abs(row - goal_row) + abs(column - goal_column)
    return -assign_goals(scratch.costs, n, n_goals, scratch)


@lean
def _list_squares(bits: Bits, others: Bits, without: int, out: Integers) -> int:
    """Write the squares of a set into out, without those of another set if asked; return their number."""
    n = 0
    for i in range(len(bits)):
        word = bits[i] & ~others[i] if without else bits[i]
        while word != ZERO:
            out[n] = WORD * i + np.int64(trailing_zeros(word))
            word &= word - ONE
            n += 1
    return n
