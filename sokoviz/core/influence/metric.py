"""How much squares influence each other: the metric behind relevance cuts.

Junghanns and Schaeffer, "Sokoban: Improving the Search with Relevance Cuts", section 3.1. Influence is the cost of a
least-cost path over floor squares, boxes ignored: the smaller, the more influence. Squares on the path add points for
the alternatives that they leave open, and steps between them add points for the connection. What the text leaves open
is settled so that the example of its table 2 comes out.

A *place* is a floor square counted in reading order, so that a table of all pairs has no rows for walls.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from sokoviz.core.board.distances import find_push_distances
from sokoviz.core.board.grid import from_bits, tables_of
from sokoviz.core.compiling.jit import kernel, lean
from sokoviz.core.types import FAR, NOWHERE, Distances, Flags, Integers, Sides, Tables

AS_START = 4  # column of Maze.points for the square at which a path starts: it has no entrance
STEP_BITS = 20  # costs and numbers of steps share an integer, so that of the cheapest paths a shortest is found
PLACE, ALTERNATIVES, AFTER_SKEW, CONNECTION, AFTER_TUNNEL = range(5)
"""columns of the rows of `explain_pair`"""


class Maze(NamedTuple):
    """What the metric knows of a level; shared between callers, so nobody may write into it."""

    squares: Integers
    """int64[n_floor]: the square of each place, ascending"""
    near: Integers
    """int64[n_floor, 4]: the place beside a place in each direction; NOWHERE for wall"""
    goals: Integers
    """int64[n_goals]: places of the goals"""
    is_dead: Flags
    """bool[n_floor]: dead to the metric; other squares that no box can leave for a goal are not"""
    can_push: Flags
    """bool[n_floor, 4]: whether a box could be pushed from a place in a direction"""
    is_tunnel: Flags
    """bool[n_floor]: exactly two floor squares beside it, bends included"""
    points: Distances
    """int32[n_floor, 5]: points for alternatives by the direction in which the place is entered, and as start"""
    distance: Distances
    """int32[n_floor, n_floor]: pushes of a lone box from one place to another, from the better side; or FAR"""


@lru_cache(maxsize=64)
def maze_of(rows: tuple[str, ...]) -> Maze:
    """What the metric knows of a level, by its rows as for `tables_of`."""
    tables = tables_of(rows)
    squares = np.array(from_bits(tables.floor), dtype=np.int64)
    place_of = np.full(tables.width * tables.height, NOWHERE, dtype=np.int64)
    place_of[squares] = np.arange(len(squares))
    near = place_of[squares[:, None] + tables.steps]
    goals = place_of[tables.goal_squares]
    is_dead = _dead_places(tables, near, goals, place_of)
    # A box needs floor before it, which must not be dead, and behind it, for the player.
    can_push = (near >= 0) & (near[:, [1, 0, 3, 2]] >= 0) & ~is_dead[near]
    distance = np.empty((len(squares), len(squares)), dtype=np.int32)
    fill_distances(tables.sides, tables.steps, squares, distance)
    return Maze(
        squares=squares,
        near=near,
        goals=goals,
        is_dead=is_dead,
        can_push=can_push,
        is_tunnel=(near >= 0).sum(axis=1) == 2,  # noqa: PLR2004  one square behind, one ahead
        points=_alternatives(near, can_push),
        distance=distance,
    )


@lru_cache(maxsize=64)
def influence_of(rows: tuple[str, ...]) -> Distances:
    """The whole table of a level, int32[n_floor, n_floor]: influence of each place on each; read only."""
    maze = maze_of(rows)
    table = np.empty_like(maze.distance)
    fill_influence(maze, table)
    table.setflags(write=False)
    return table


def by_squares(table: Distances, rows: tuple[str, ...]) -> Distances:
    """A table of places as one of squares: int32[n_squares, n_squares], FAR where one of them is wall."""
    tables = tables_of(rows)
    squares = maze_of(rows).squares
    n_squares = tables.width * tables.height
    spread = np.full((n_squares, n_squares), FAR, dtype=np.int32)
    spread[np.ix_(squares, squares)] = table
    return spread


def on_optimal_paths(maze: Maze) -> Flags:
    """Pairs of which the second place is on an optimal path of a box from the first to some goal: bool[n, n]."""
    is_on = np.empty(maze.distance.shape, dtype=np.bool_)
    for start in range(len(maze.squares)):
        mark_optimal(maze, start, is_on[start])
    return is_on


def _dead_places(tables: Tables, near: Integers, goals: Integers, place_of: Integers) -> Flags:
    """Corners, and runs from wall to wall along walls, that hold no goal: bool[n_floor]."""
    is_wall = near < 0
    is_dead = (is_wall[:, 0] | is_wall[:, 1]) & (is_wall[:, 2] | is_wall[:, 3])
    is_dead[goals] = False
    for run in tables.wall_runs:
        places = place_of[from_bits(run)]
        if not np.isin(places, goals).any():
            is_dead[places] = True
    return is_dead


def _alternatives(near: Integers, can_push: Flags) -> Distances:
    """Points of squares for the alternatives to a path through them, before goal-skew: int32[n_floor, 5].

    A neighbour off the path counts 2 where a box can be pushed to it, else 1. The entrance is taken away, and one exit:
    always the highest-valued that is left, wherever the path goes on.
    """
    points = np.empty((len(near), AS_START + 1), dtype=np.int32)
    for entered in range(AS_START + 1):
        n_floor, n_pushable = (near >= 0).sum(axis=1), can_push.sum(axis=1)
        if entered != AS_START:
            n_floor = n_floor - 1
            n_pushable = n_pushable - can_push[:, entered ^ 1]
        exit_points = 1 + (n_pushable > 0)
        points[:, entered] = np.maximum(n_floor + n_pushable - exit_points, 0)
    return points


@kernel
def fill_distances(sides: Sides, steps: Integers, squares: Integers, distance: Distances) -> None:
    """Push distances of a lone box between all floor squares.

    Parameters
    ----------
    sides : int8[n_squares, 4], from label_sides
    steps : int64[4]
    squares : int64[n_floor]
    distance : int32[n_floor, n_floor], out: from the first square to the second
    """
    n_squares = len(sides)
    to_target = np.empty(n_squares, np.int32)
    side_distance = np.empty((n_squares, 4), np.int32)
    queue = np.empty(4 * n_squares, np.int64)
    for target in range(len(squares)):
        find_push_distances(sides, steps, squares[target], to_target, side_distance, queue)
        for start in range(len(squares)):
            distance[start, target] = to_target[squares[start]]


@lean
def mark_optimal(maze: Maze, start: int, is_on: Flags) -> None:
    """Mark places on an optimal path of a box from a start to any goal: bool[n_floor], out.

    Each of the three distances takes the best side of the player by itself, so a path may be counted as optimal
    although no player could follow it: so does the text's program.
    """
    is_on[:] = False
    for goal in maze.goals:
        whole = maze.distance[start, goal]
        if whole == FAR:
            continue
        for place in range(len(is_on)):
            if maze.distance[start, place] + maze.distance[place, goal] == whole:
                is_on[place] = True


@lean
def link_points(maze: Maze, place: int, direction: int) -> int:
    """Points for the step out of a place, to floor: 1 where a box can take it, else 2, none out of a tunnel."""
    if maze.is_tunnel[place]:
        return 0
    return 1 if maze.can_push[place, direction] else 2


@lean
def spread_influence(
    maze: Maze, start: int, is_on: Flags, score: Integers, entered: Integers, queue: Integers, is_waiting: Flags
) -> None:
    """Find a most influential path from a start to every place.

    Points of a square depend on where it is entered, not on where it is left. So they belong to the step into it, and
    the least cost over pairs of square and entrance is a shortest path over squares.

    Parameters
    ----------
    maze : the level
    start : a place
    is_on : bool[n_floor], from mark_optimal
    score : int64[n_floor], out: influence, and in its lowest STEP_BITS bits the number of steps
    entered : int64[n_floor], out: the direction in which the path enters a place, AS_START at the start
    queue : int64[n_floor], scratch, used as a ring
    is_waiting : bool[n_floor], scratch
    """
    n_places = len(score)
    score[:] = FAR << STEP_BITS
    is_waiting[:] = False
    score[start] = np.int64(maze.points[start, AS_START] >> np.int32(is_on[start])) << STEP_BITS
    entered[start] = AS_START
    queue[0], head, n_waiting = start, 0, 1
    while n_waiting > 0:
        place = queue[head]
        head = (head + 1) % n_places
        n_waiting -= 1
        is_waiting[place] = False
        for direction in range(4):
            after = maze.near[place, direction]
            if after < 0:
                continue
            points = link_points(maze, place, direction) + (maze.points[after, direction] >> np.int32(is_on[after]))
            found = score[place] + (np.int64(points) << STEP_BITS) + 1
            if found >= score[after]:
                continue
            score[after], entered[after] = found, direction
            if not is_waiting[after]:
                is_waiting[after] = True
                queue[(head + n_waiting) % n_places] = after
                n_waiting += 1


@kernel
def fill_influence(maze: Maze, table: Distances) -> None:
    """The whole table: int32[n_floor, n_floor], out: influence of the first place on the second."""
    n_places = len(table)
    is_on, is_waiting = np.empty(n_places, np.bool_), np.empty(n_places, np.bool_)
    score, entered, queue = np.empty(n_places, np.int64), np.empty(n_places, np.int64), np.empty(n_places, np.int64)
    for start in range(n_places):
        mark_optimal(maze, start, is_on)
        spread_influence(maze, start, is_on, score, entered, queue, is_waiting)
        for place in range(n_places):
            table[start, place] = score[place] >> STEP_BITS


@kernel
def explain_pair(maze: Maze, start: int, target: int, rows: Distances) -> int:
    """A most influential path with what each square and each step adds, as in table 2 of the text.

    Parameters
    ----------
    maze : the level
    start, target : places
    rows : int32[n_floor, 5], out: for each place of the path the place, its points for alternatives before and after
        goal-skew, and those for the connection to the next before and after the tunnel rule, 0 at the last place.
        The influence is the sum of the columns AFTER_SKEW and AFTER_TUNNEL.

    Returns
    -------
    The number of places on the path
    """
    n_places = len(rows)
    is_on, is_waiting = np.empty(n_places, np.bool_), np.empty(n_places, np.bool_)
    score, entered, queue = np.empty(n_places, np.int64), np.empty(n_places, np.int64), np.empty(n_places, np.int64)
    mark_optimal(maze, start, is_on)
    spread_influence(maze, start, is_on, score, entered, queue, is_waiting)
    n_rows = (score[target] & ((1 << STEP_BITS) - 1)) + 1
    place = target
    for row in range(n_rows - 1, -1, -1):
        direction = entered[place]
        points = maze.points[place, direction]
        rows[row, PLACE] = place
        rows[row, ALTERNATIVES] = points
        rows[row, AFTER_SKEW] = points >> np.int32(is_on[place])
        rows[row, CONNECTION] = rows[row, AFTER_TUNNEL] = 0
        if row < n_rows - 1:
            onward = entered[rows[row + 1, PLACE]]
            rows[row, CONNECTION] = 1 if maze.can_push[place, onward] else 2
            rows[row, AFTER_TUNNEL] = link_points(maze, place, onward)
        if row > 0:
            place = maze.near[place, direction ^ 1]
    return n_rows
