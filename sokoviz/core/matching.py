"""Boxes to goals: minimum-cost perfect matching (the thesis's reward, section 4.1.2) and plain bipartite matching."""

from __future__ import annotations

import numpy as np

from sokoviz.core.jit import kernel
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


@kernel
def match_boxes(costs: Integers, goal_of: Integers) -> int:
    """Find the cheapest way to give every box a goal of its own.

    Shortest augmenting paths with dual variables (R. Jonker, A. Volgenant, Computing 38, 1987), one box at a time.

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
    box_price = np.zeros(n_boxes, np.int64)
    goal_price = np.zeros(n_goals + 1, np.int64)
    box_of = np.full(n_goals + 1, NOWHERE, np.int64)  # the last entry is the root of each search
    slack = np.empty(n_goals, np.int64)
    before = np.empty(n_goals, np.int64)
    is_done = np.empty(n_goals + 1, np.bool_)
    has_goal = _take_nearest_goals(costs, box_price, box_of)
    for box in range(n_boxes):
        if has_goal[box]:
            continue
        box_of[n_goals] = box
        slack[:] = UNBOUNDED
        is_done[:] = False
        goal = n_goals
        while box_of[goal] != NOWHERE:
            goal = _grow_path(costs, goal, box_price, goal_price, box_of, slack, before, is_done)
        while goal != n_goals:
            box_of[goal] = box_of[before[goal]]
            goal = before[goal]
    total = 0
    for goal in range(n_goals):
        if box_of[goal] != NOWHERE:
            goal_of[box_of[goal]] = goal
            total += costs[box_of[goal], goal]
    return min(total, FAR)


@kernel
def _take_nearest_goals(costs: Integers, box_price: Integers, box_of: Integers) -> Flags:
    """Price each box at its nearest goal and give it that goal if it is still open; return who got one."""
    n_boxes, n_goals = costs.shape
    has_goal = np.zeros(n_boxes, np.bool_)
    for box in range(n_boxes):
        nearest = 0
        for goal in range(1, n_goals):
            if costs[box, goal] < costs[box, nearest]:
                nearest = goal
        box_price[box] = costs[box, nearest]
        if box_of[nearest] == NOWHERE:
            box_of[nearest] = box
            has_goal[box] = True
    return has_goal


@kernel
def _grow_path(
    costs: Integers,
    goal: int,
    box_price: Integers,
    goal_price: Integers,
    box_of: Integers,
    slack: Integers,
    before: Integers,
    is_done: Flags,
) -> int:
    """Take one goal more into the search tree: the one that is cheapest to reach; return it."""
    n_goals = costs.shape[1]
    is_done[goal] = True
    box = box_of[goal]
    smallest, nearest = UNBOUNDED, NOWHERE
    for other in range(n_goals):
        if is_done[other]:
            continue
        reduced = costs[box, other] - box_price[box] - goal_price[other]
        if reduced < slack[other]:
            slack[other] = reduced
            before[other] = goal
        if slack[other] < smallest:
            smallest, nearest = slack[other], other
    for other in range(n_goals + 1):
        if is_done[other]:
            box_price[box_of[other]] += smallest
            goal_price[other] -= smallest
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
