"""The reward of a Sokoban position: minus the cheapest perfect matching of boxes to goals (thesis, 4.1.2)."""

from __future__ import annotations

import numpy as np

from sokoviz.core.bounds.matching import MatchingScratch, assign_goals
from sokoviz.core.compiling.jit import lean
from sokoviz.core.numbers.bits import ONE, WORD, ZERO, has, trailing_zeros
from sokoviz.core.types import FAR, Bits, Distances, Tables


@lean
def reward_of(board: Tables, distances: Distances, boxes: Bits, by_pushes: int, scratch: MatchingScratch) -> int:
    """Reward of a position; 0 exactly where it is solved.

    Under Manhattan distance boxes on goals are left out: by the triangle inequality the value stays the same, and the
    work is less. Under push distances that shortcut would be wrong, so every box takes part.

    Parameters
    ----------
    board : Tables
    distances : int32[2, n_squares, n_goals], how far a square is from a goal, see `find_distances`
    boxes : uint64[n_words]
    by_pushes : 1 for the push distance of a lone box, 0 for Manhattan distance
    scratch : room for all boxes
    """
    n = _list_boxes(board, boxes, by_pushes, scratch)
    n_goals = _list_goals(board, boxes, by_pushes, scratch)
    if n == 0:
        return 0
    if n > n_goals:  # the player is walled off from the other goals
        return -FAR
    for index in range(n):
        square = scratch.boxes[index]
        for place in range(n_goals):
            scratch.costs[index, place] = distances[by_pushes, square, scratch.goals[place]]
    for place in range(n_goals):
        scratch.goal_price[place] = scratch.prices[scratch.goals[place]] if n == n_goals else 0
    total = assign_goals(scratch.costs, n, n_goals, scratch)
    for place in range(n_goals):
        scratch.prices[scratch.goals[place]] = scratch.goal_price[place] if total < FAR else 0
    return -total


@lean
def _list_boxes(board: Tables, boxes: Bits, all_of_them: int, scratch: MatchingScratch) -> int:
    """Write the squares of all boxes, or of those off goals, into the scratch; return their number."""
    n = 0
    for i in range(len(boxes)):
        word = boxes[i] if all_of_them else boxes[i] & ~board.goals[i]
        while word != ZERO:
            scratch.boxes[n] = WORD * i + np.int64(trailing_zeros(word))
            word &= word - ONE
            n += 1
    return n


@lean
def _list_goals(board: Tables, boxes: Bits, all_of_them: int, scratch: MatchingScratch) -> int:
    """Write the numbers of all goals, or of those without a box, into the scratch; return how many they are."""
    n = 0
    for goal in range(len(board.goal_squares)):
        if all_of_them or not has(boxes, board.goal_squares[goal]):
            scratch.goals[n] = goal
            n += 1
    return n


def find_distances(board: Tables) -> Distances:
    """Return how far each square is from each goal: by Manhattan distance (0), and by pushes of a lone box (1)."""
    squares = np.arange(board.width * board.height)[:, np.newaxis]
    rows = np.abs(squares // board.width - board.goal_squares // board.width)
    columns = np.abs(squares % board.width - board.goal_squares % board.width)
    return np.ascontiguousarray([rows + columns, board.push_distance.T], dtype=np.int32)
