"""A lower bound that is kept up from push to push: the cheapest matching of boxes to goals under push distances.

Rolling Stone's bound (Junghanns and Schaeffer, section 2.3, "Lower Bound"). Prices of boxes and goals prove a matching
cheapest. When one box moves only its own prices are wrong, so one augmenting path mends the matching; mostly the box
keeps its goal, and there is nothing to mend.

Distances respect the side on which the player is (Rolling Stone's backout conflicts). He cannot walk through a box, so
that side stays what it is until the box itself is pushed, and he stands behind it then: a box has a place, its square
with that side.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from sokoviz.core.board.reach import flood
from sokoviz.core.bounds.matching import UNBOUNDED, MatchingScratch, assign_goals, make_matching_scratch
from sokoviz.core.compiling.jit import inlined, lean
from sokoviz.core.numbers.bits import has, remove
from sokoviz.core.types import FAR, NOWHERE, Bits, Distances, Flags, Integers, Tables


class Bounds(NamedTuple):
    """The matchings of a line of positions, one a depth, and room to look at the next one in.

    There are as many boxes as goals: where a level has fewer, the others are nowhere, at no distance from any goal.
    """

    distances: Distances
    """int32[4 * n_squares + 1, n_goals]: pushes that a lone box needs from a place to a goal, FAR for no way; the last
    row is for boxes that are nowhere"""
    places: Integers
    """int64[n_depths, n]: where each box is, and the player beside it: 4 * square + direction of his side"""
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


def make_bounds(distances: Distances, places: Integers, n_depths: int) -> tuple[Bounds, int]:
    """Return room for the matchings of lines of so many positions, and the bound of the first.

    Parameters
    ----------
    distances : int32[4 * n_squares + 1, n_goals]
    places : int64[n_boxes], places of the boxes at first
    n_depths : how many positions a line may have
    """
    n_places, n_goals = distances.shape
    bounds = Bounds(distances, *_rows(n_depths, n_goals), *_scratch(n_goals))
    if len(places) > n_goals:
        return bounds, FAR
    bounds.places[0] = n_places - 1
    bounds.places[0, : len(places)] = places
    return bounds, match_all(bounds, make_matching_scratch(max(n_goals, 1)))


def _rows(n_depths: int, n: int) -> list[Integers]:
    """Places, goals, and both prices."""
    return [np.zeros((n_depths, n), dtype=np.int64) for _ in range(4)]


def _scratch(n: int) -> tuple[Integers, Integers, Integers, Flags]:
    """Room for one augmenting path."""
    entries = [np.zeros(size, dtype=np.int64) for size in (n + 1, n, n)]
    return (*entries, np.zeros(n + 1, dtype=np.bool_))  # type: ignore[return-value]


def grow_bounds(bounds: Bounds, n_depths: int) -> Bounds:
    """Return the same matchings with room for longer lines."""
    larger = _rows(n_depths, bounds.places.shape[1])
    for old, new in zip(bounds[1:5], larger, strict=True):
        new[: len(old)] = old
    return bounds._replace(**dict(zip(("places", "goal_of", "box_price", "goal_price"), larger, strict=True)))


@lean
def place_of(tables: Tables, square: int, player: int) -> int:
    """The place of a box on a square with the player beside it."""
    side = np.int64(0)
    for direction in range(4):
        if square + tables.steps[direction] == player:
            side = np.int64(direction)
    return 4 * square + side


@lean
def place_by_zone(tables: Tables, square: int, player: int, free: Bits, reached: Bits) -> int:
    """The place of a box on a square with the player anywhere, as if it were alone.

    Parameters
    ----------
    tables : Tables
    square : square of the box
    player : square of the player
    free, reached : uint64[n_words], scratch
    """
    for i in range(len(free)):
        free[i] = tables.floor[i]
    remove(free, square)
    flood(free, tables.width, player, reached)
    for direction in range(4):
        if has(reached, square + tables.steps[direction]):
            return 4 * square + direction
    return 4 * square


@lean
def match_all(bounds: Bounds, scratch: MatchingScratch) -> int:
    """Match the boxes of the first position; return the sum, FAR where there is no perfect matching."""
    n = bounds.places.shape[1]
    for box in range(n):
        for goal in range(n):
            scratch.costs[box, goal] = bounds.distances[bounds.places[0, box], goal]
    for goal in range(n):
        scratch.goal_price[goal] = 0
    total = assign_goals(scratch.costs, n, n, scratch)
    for place in range(n):
        bounds.goal_price[0, place] = scratch.goal_price[place]
        bounds.goal_of[0, scratch.box_of[place]] = place
        bounds.box_price[0, place] = scratch.box_price[place]
    return total


@inlined
def bound_after(bounds: Bounds, depth: int, total: int, box: int, place: int, is_kept: int) -> int:
    """The bound after a box goes to another place.

    Parameters
    ----------
    bounds : Bounds, the matching of the position at hand in row `depth`; out: the goal of the box in row `depth + 1`
    depth : row of the position
    total : its bound, less than FAR
    box : number of the box
    place : where it goes
    is_kept : 1 if row `depth + 1` shall hold the whole matching then

    Returns
    -------
    the sum of the cheapest matching; FAR where there is no perfect one
    """
    old_goal, old_place, after = bounds.goal_of[depth, box], bounds.places[depth, box], depth + 1
    lowest = UNBOUNDED
    for goal in range(bounds.distances.shape[1]):
        lowest = min(lowest, bounds.distances[place, goal] - bounds.goal_price[depth, goal])
    is_tight = bounds.distances[place, old_goal] - bounds.goal_price[depth, old_goal] == lowest
    if is_kept or not is_tight:
        _copy_row(bounds, depth)
        bounds.places[after, box], bounds.box_price[after, box] = place, lowest
    if is_tight:
        bounds.goal_of[after, box] = old_goal
        return min(total + bounds.distances[place, old_goal] - bounds.distances[old_place, old_goal], FAR)
    return _mend(bounds, after, box, old_goal)


@lean
def _copy_row(bounds: Bounds, depth: int) -> None:
    """Begin with the matching of the position before."""
    for box in range(bounds.places.shape[1]):
        bounds.places[depth + 1, box] = bounds.places[depth, box]
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
        total += bounds.distances[bounds.places[row, other], bounds.goal_of[row, other]]
    return min(total, FAR)


@lean
def _grow_path(bounds: Bounds, row: int, goal: int) -> int:
    """Take one goal more into the search tree, the one that is cheapest to reach; return it."""
    slack, is_done, box_of = bounds.slack, bounds.is_done, bounds.box_of
    n_goals = bounds.distances.shape[1]
    is_done[goal] = True
    box = box_of[goal]
    place, price = bounds.places[row, box], bounds.box_price[row, box]
    smallest, nearest = UNBOUNDED, NOWHERE
    for other in range(n_goals):
        if is_done[other]:
            continue
        reduced = bounds.distances[place, other] - price - bounds.goal_price[row, other]
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
