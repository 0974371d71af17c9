"""A lower bound that is kept up from push to push: the cheapest matching of boxes to goals under push distances.

Rolling Stone's bound (Junghanns and Schaeffer, section 2.3, "Lower Bound"). Prices of boxes and goals prove a matching
cheapest. When one box moves only its own prices are wrong, so one augmenting path mends the matching; mostly the box
keeps its goal, and there is nothing to mend.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from sokoviz.core.jit import inlined, lean
from sokoviz.core.matching import UNBOUNDED, MatchingScratch, assign_goals, make_matching_scratch
from sokoviz.core.types import FAR, NOWHERE, Distances, Flags, Integers


class Bounds(NamedTuple):
    """The matchings of a line of positions, one a depth, and room to look at the next one in.

    There are as many boxes as goals: where a level has fewer, the others are nowhere, at no distance from any goal.
    """

    distances: Distances
    """int32[n_squares + 1, n_goals]: pushes that a lone box needs from a square to a goal, FAR for no way; the last row
    is for boxes that are nowhere"""
    squares: Integers
    """int64[n_depths, n]: where each box is"""
    goal_of: Integers
    """int64[n_depths, n]: the goal of each box"""
    box_price: Integers
    """int64[n_depths, n]"""
    goal_price: Integers
    """int64[n_depths, n]"""
    box_of: Integers
    """int64[n + 1], scratch: the box of each goal; the last entry is the box that moves"""
    slack: Integers
    """int64[n], scratch"""
    before: Integers
    """int64[n], scratch"""
    is_done: Flags
    """bool[n + 1], scratch"""


def make_bounds(push_distance: Distances, boxes: Integers, n_depths: int) -> tuple[Bounds, int]:
    """Return room for the matchings of lines of so many positions, and the bound of the first.

    Parameters
    ----------
    push_distance : int32[n_goals, n_squares]
    boxes : int64[n_boxes], squares of the boxes at first
    n_depths : how many positions a line may have
    """
    n_goals, n_squares = push_distance.shape
    distances = np.zeros((n_squares + 1, n_goals), dtype=np.int32)
    distances[:n_squares] = push_distance.T
    bounds = Bounds(distances, *_rows(n_depths, n_goals), *_scratch(n_goals))
    if len(boxes) > n_goals:
        return bounds, FAR
    bounds.squares[0] = n_squares
    bounds.squares[0, : len(boxes)] = boxes
    return bounds, match_all(bounds, make_matching_scratch(max(n_goals, 1)))


def _rows(n_depths: int, n: int) -> list[Integers]:
    """Squares, goals, and both prices."""
    return [np.zeros((n_depths, n), dtype=np.int64) for _ in range(4)]


def _scratch(n: int) -> tuple[Integers, Integers, Integers, Flags]:
    """Room for one augmenting path."""
    entries = [np.zeros(size, dtype=np.int64) for size in (n + 1, n, n)]
    return (*entries, np.zeros(n + 1, dtype=np.bool_))  # type: ignore[return-value]


def grow_bounds(bounds: Bounds, n_depths: int) -> Bounds:
    """Return the same matchings with room for longer lines."""
    larger = _rows(n_depths, bounds.squares.shape[1])
    for old, new in zip(bounds[1:5], larger, strict=True):
        new[: len(old)] = old
    return bounds._replace(**dict(zip(("squares", "goal_of", "box_price", "goal_price"), larger, strict=True)))


@lean
def match_all(bounds: Bounds, scratch: MatchingScratch) -> int:
    """Match the boxes of the first position; return the sum, FAR where there is no perfect matching."""
    n = bounds.squares.shape[1]
    for box in range(n):
        for goal in range(n):
            scratch.costs[box, goal] = bounds.distances[bounds.squares[0, box], goal]
    for goal in range(n):
        scratch.goal_price[goal] = 0
    total = assign_goals(scratch.costs, n, n, scratch)
    for place in range(n):
        bounds.goal_price[0, place] = scratch.goal_price[place]
        bounds.goal_of[0, scratch.box_of[place]] = place
        bounds.box_price[0, place] = scratch.box_price[place]
    return total


@inlined
def bound_after(bounds: Bounds, depth: int, total: int, box: int, square: int, is_kept: int) -> int:
    """The bound after a box goes to another square.

    Parameters
    ----------
    bounds : Bounds, the matching of the position at hand in row `depth`; out: the goal of the box in row `depth + 1`
    depth : row of the position
    total : its bound, less than FAR
    box : number of the box
    square : where it goes
    is_kept : 1 if row `depth + 1` shall hold the whole matching then

    Returns
    -------
    the sum of the cheapest matching; FAR where there is no perfect one
    """
    old_goal, old_square, after = bounds.goal_of[depth, box], bounds.squares[depth, box], depth + 1
    lowest = UNBOUNDED
    for goal in range(bounds.distances.shape[1]):
        lowest = min(lowest, bounds.distances[square, goal] - bounds.goal_price[depth, goal])
    is_tight = bounds.distances[square, old_goal] - bounds.goal_price[depth, old_goal] == lowest
    if is_kept or not is_tight:
        _copy_row(bounds, depth)
        bounds.squares[after, box], bounds.box_price[after, box] = square, lowest
    if is_tight:
        bounds.goal_of[after, box] = old_goal
        return min(total + bounds.distances[square, old_goal] - bounds.distances[old_square, old_goal], FAR)
    return _mend(bounds, after, box, old_goal)


@lean
def _copy_row(bounds: Bounds, depth: int) -> None:
    """Begin with the matching of the position before."""
    for box in range(bounds.squares.shape[1]):
        bounds.squares[depth + 1, box] = bounds.squares[depth, box]
        bounds.goal_of[depth + 1, box] = bounds.goal_of[depth, box]
        bounds.box_price[depth + 1, box] = bounds.box_price[depth, box]
    for goal in range(bounds.goal_price.shape[1]):
        bounds.goal_price[depth + 1, goal] = bounds.goal_price[depth, goal]


@lean
def _mend(bounds: Bounds, row: int, box: int, open_goal: int) -> int:
    """Find the cheapest way to hand goals on from a box to the goal that it left; return the new sum.

    The same shortest augmenting paths as in `matching.assign_goals`, for one box.
    """
    box_of, n_goals = bounds.box_of, bounds.distances.shape[1]
    for other in range(n_goals):
        box_of[bounds.goal_of[row, other]] = other
        bounds.slack[other], bounds.is_done[other] = UNBOUNDED, False
    box_of[open_goal], box_of[n_goals], bounds.is_done[n_goals] = NOWHERE, box, False
    goal = n_goals
    while box_of[goal] != NOWHERE:
        goal = _grow_path(bounds, row, goal)
    while goal != n_goals:
        box_of[goal] = box_of[bounds.before[goal]]
        bounds.goal_of[row, box_of[goal]] = goal
        goal = bounds.before[goal]
    total = 0
    for other in range(n_goals):
        total += bounds.distances[bounds.squares[row, other], bounds.goal_of[row, other]]
    return min(total, FAR)


@lean
def _grow_path(bounds: Bounds, row: int, goal: int) -> int:
    """Take one goal more into the search tree, the one that is cheapest to reach; return it."""
    slack, is_done, box_of = bounds.slack, bounds.is_done, bounds.box_of
    n_goals = bounds.distances.shape[1]
    is_done[goal] = True
    box = box_of[goal]
    square, price = bounds.squares[row, box], bounds.box_price[row, box]
    smallest, nearest = UNBOUNDED, NOWHERE
    for other in range(n_goals):
        if is_done[other]:
            continue
        reduced = bounds.distances[square, other] - price - bounds.goal_price[row, other]
        if reduced < slack[other]:
            slack[other] = reduced
            bounds.before[other] = goal
        if slack[other] < smallest:
            smallest, nearest = slack[other], other
    for other in range(n_goals + 1):
        if is_done[other]:
            bounds.box_price[row, box_of[other]] += smallest
            if other < n_goals:
                bounds.goal_price[row, other] -= smallest
        elif other < n_goals:
            slack[other] -= smallest
    return nearest
