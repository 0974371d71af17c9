"""Boxes to goals: minimum-cost perfect matching (the thesis's reward, section 4.1.2) and plain bipartite matching."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from sokoviz.core.compiling.jit import kernel, lean
from sokoviz.core.types import FAR, NOWHERE, Distances, Flags, Integers

UNBOUNDED = 1 << 60


@kernel
def manhattan_costs(width: int, box_squares: Integers, goal_squares: Integers, costs: Integers) -> None:
    """Fill costs, int64[n_boxes, n_goals], with the Manhattan distance of each box from each goal."""
    for i in range(len(box_squares)):
        row, column = divmod(box_squares[i], width)
        for j in range(len(goal_squares)):
            goal_row, goal_column = divmod(goal_squares[j], width)
            costs[i, j] = abs(row - goal_row) + abs(column - goal_column)


@kernel
def push_costs(push_distance: Distances, box_squares: Integers, costs: Integers) -> None:
    """Fill costs, int64[n_boxes, n_goals], with the push distance of each box to each goal."""
    for i in range(len(box_squares)):
        for j in range(len(push_distance)):
            costs[i, j] = push_distance[j, box_squares[i]]


class MatchingScratch(NamedTuple):
    """Room to match n boxes to n goals in, so that a search allocates nothing."""

    costs: Integers
    """int64[n, n]"""
    box_price: Integers
    """int64[n]"""
    goal_price: Integers
    """int64[n + 1]"""
    box_of: Integers
    """int64[n + 1]: the box of each goal; the last entry is the root of each search"""
    slack: Integers
    """int64[n]"""
    before: Integers
    """int64[n]"""
    is_done: Flags
    """bool[n + 1]"""
    has_goal: Flags
    """bool[n]"""
    boxes: Integers
    """int64[n]: squares of the boxes"""
    goals: Integers
    """int64[n]: numbers of the goals"""
    prices: Integers
    """int64[n]: what each goal was priced at when positions were matched last; the next one is much like it"""


def make_matching_scratch(n: int) -> MatchingScratch:
    """Return room for n boxes and as many goals."""
    return _make_scratch(n)


@kernel
def _make_scratch(n: int) -> MatchingScratch:
    """Room for n boxes and as many goals."""
    return MatchingScratch(
        np.empty((n, n), np.int64),
        np.empty(n, np.int64),
        np.empty(n + 1, np.int64),
        np.empty(n + 1, np.int64),
        np.empty(n, np.int64),
        np.empty(n, np.int64),
        np.empty(n + 1, np.bool_),
        np.empty(n, np.bool_),
        np.empty(n, np.int64),
        np.empty(n, np.int64),
        np.zeros(n, np.int64),
    )


@kernel
def match_boxes(costs: Integers, goal_of: Integers) -> int:
    """Find the cheapest way to give every box a goal of its own.

    Parameters
    ----------
    costs : int64[n_boxes, n_goals], FAR where a box cannot go
    goal_of : int64[n_boxes], out: the goal of each box

    Returns
    -------
    the sum of the costs; FAR if there are fewer goals than boxes or no perfect matching
    """
    n_boxes, n_goals = costs.shape
    if n_boxes > n_goals:
        return FAR
    scratch = _make_scratch(n_goals)
    scratch.goal_price[:] = 0
    total = assign_goals(costs, n_boxes, n_goals, scratch)
    for goal in range(n_goals):
        if scratch.box_of[goal] != NOWHERE:
            goal_of[scratch.box_of[goal]] = goal
    return total


@lean
def assign_goals(costs: Integers, n_boxes: int, n_goals: int, scratch: MatchingScratch) -> int:
    """Fill scratch.box_of with the cheapest way to give every box a goal of its own.

    Shortest augmenting paths with dual variables (R. Jonker, A. Volgenant, Computing 38, 1987), one box at a time.

    Parameters
    ----------
    costs : int64[at least n_boxes, at least n_goals], FAR where a box cannot go
    n_boxes, n_goals : how many there are, no more boxes than goals
    scratch : room for n_goals; goal_price holds what the goals are priced at to begin with, 0 where there are more
        goals than boxes. Any prices lead to the same sum, those of a position much like it lead there faster

    Returns
    -------
    the sum of the costs; FAR if there is no perfect matching
    """
    box_of, before = scratch.box_of, scratch.before
    _take_nearest_goals(costs, n_boxes, n_goals, scratch)
    for box in range(n_boxes):
        if scratch.has_goal[box]:
            continue
        box_of[n_goals] = box
        for goal in range(n_goals):
            scratch.slack[goal] = UNBOUNDED
            scratch.is_done[goal] = False
        scratch.is_done[n_goals] = False
        goal = n_goals
        while box_of[goal] != NOWHERE:
            goal = _grow_path(costs, goal, n_goals, scratch)
        while goal != n_goals:
            box_of[goal] = box_of[before[goal]]
            goal = before[goal]
    total = 0
    for goal in range(n_goals):
        if box_of[goal] != NOWHERE:
            total += costs[box_of[goal], goal]
    return min(total, FAR)


@lean
def _take_nearest_goals(costs: Integers, n_boxes: int, n_goals: int, scratch: MatchingScratch) -> None:
    """Price each box at the goal that is cheapest for it and give it that goal if it is still open."""
    for goal in range(n_goals + 1):
        scratch.box_of[goal] = NOWHERE
    scratch.goal_price[n_goals] = 0
    for box in range(n_boxes):
        nearest, lowest = 0, UNBOUNDED
        for goal in range(n_goals):
            reduced = costs[box, goal] - scratch.goal_price[goal]
            if reduced < lowest:
                nearest, lowest = goal, reduced
        scratch.box_price[box] = lowest
        scratch.has_goal[box] = scratch.box_of[nearest] == NOWHERE
        if scratch.has_goal[box]:
            scratch.box_of[nearest] = box


@lean
def _grow_path(costs: Integers, goal: int, n_goals: int, scratch: MatchingScratch) -> int:
    """Take one goal more into the search tree: the one that is cheapest to reach; return it."""
    slack, is_done, box_of = scratch.slack, scratch.is_done, scratch.box_of
    is_done[goal] = True
    box = box_of[goal]
    smallest, nearest = UNBOUNDED, NOWHERE
    for other in range(n_goals):
        if is_done[other]:
            continue
        reduced = costs[box, other] - scratch.box_price[box] - scratch.goal_price[other]
        if reduced < slack[other]:
            slack[other] = reduced
            scratch.before[other] = goal
        if slack[other] < smallest:
            smallest, nearest = slack[other], other
    for other in range(n_goals + 1):
        if is_done[other]:
            scratch.box_price[box_of[other]] += smallest
            scratch.goal_price[other] -= smallest
        elif other < n_goals:
            slack[other] -= smallest
    return nearest


@kernel
def find_crowded_boxes(costs: Integers, is_crowded: Flags) -> bool:
    """Look for boxes that together can reach fewer goals than they are (P. Hall, 1935): no perfect matching.

    Parameters
    ----------
    costs : int64[n_boxes, n_goals], FAR where a box cannot go
    is_crowded : bool[n_boxes], out: the boxes found, all of them False if a perfect matching exists

    Returns
    -------
    whether there are such boxes
    """
    n_boxes, n_goals = costs.shape
    box_of = np.full(n_goals, NOWHERE, np.int64)
    before = np.empty(n_goals, np.int64)
    queue = np.empty(n_boxes, np.int64)
    for box in range(n_boxes):
        goal = _find_open_goal(costs, box, box_of, before, queue, is_crowded)
        if goal == NOWHERE:
            return True
        while goal != NOWHERE:  # hand the goals along the path, back to the box
            owner = before[goal]
            given = NOWHERE
            for other in range(n_goals):
                if box_of[other] == owner:
                    given = other
            box_of[goal] = owner
            goal = given
    is_crowded[:] = False
    return False


@kernel
def _find_open_goal(
    costs: Integers,
    box: int,
    box_of: Integers,
    before: Integers,
    queue: Integers,
    is_visited: Flags,
) -> int:
    """Search breadth first for a goal without a box that alternating steps reach from a box; NOWHERE if none."""
    n_goals = costs.shape[1]
    is_visited[:] = False
    before[:] = NOWHERE
    queue[0] = box
    is_visited[box] = True
    head, tail = 0, 1
    while head < tail:
        here = queue[head]
        head += 1
        for goal in range(n_goals):
            if costs[here, goal] >= FAR or before[goal] != NOWHERE:
                continue
            before[goal] = here
            owner = box_of[goal]
            if owner == NOWHERE:
                return goal
            is_visited[owner] = True
            queue[tail] = owner
            tail += 1
    return NOWHERE
