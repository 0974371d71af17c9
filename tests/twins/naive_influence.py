"""A slow and obvious twin of the influence metric and of the relevance cut, on sets of (row, column) squares."""

from __future__ import annotations

import heapq
from itertools import pairwise
from math import inf

from tests.twins.naive import BACK, STEPS, beside, box_moves


def dead_squares(floor, goals):
    """Corners, and straight runs from wall to wall with a wall beside every square, that hold no goal."""
    dead = set()
    for square in floor:
        for along, across in (("lr", "ud"), ("ud", "lr")):
            run = [square]
            for direction in along:
                near = beside(square, direction)
                while near in floor:
                    run.append(near)
                    near = beside(near, direction)
            walled = all(any(beside(s, d) not in floor for d in across) for s in run)
            cornered = all(any(beside(square, d) not in floor for d in axis) for axis in (along, across))
            if (walled and not goals & set(run)) or (cornered and square not in goals):
                dead.add(square)
    return dead


def can_push(floor, dead, square, direction):
    """Whether a box on a square could be pushed in a direction."""
    ahead = beside(square, direction)
    return ahead in floor and beside(square, BACK[direction]) in floor and ahead not in dead


def alternatives(floor, dead, square, entrance):
    """Points of a square that is entered from the side of a direction; None for the start."""
    values = {d: 1 + can_push(floor, dead, square, d) for d in STEPS if beside(square, d) in floor}
    values.pop(entrance, None)
    ways = sorted(values.values())
    return sum(ways[:-1])


def distances_from(floor, start):
    """Pushes of a lone box to each square that it can get to, the player on the best side."""
    best = {start: 0}
    for direction in STEPS:
        player = beside(start, direction)
        if player in floor:
            for (square, _), n_pushes in box_moves(floor, {start}, player, start).items():
                best[square] = min(best.get(square, inf), n_pushes)
    return best


def all_distances(floor):
    """The same for all starts."""
    return {start: distances_from(floor, start) for start in floor}


def is_on_optimal_path(distances, goals, start, square):
    """Whether a square lies on an optimal path of a box from the start to some goal."""
    return any(
        distances[start].get(square, inf) + distances[square].get(goal, inf) == distances[start][goal]
        for goal in goals
        if goal in distances[start]
    )


def connection(floor, dead, square, direction):
    """Points of a step before and after the tunnel rule."""
    points = 1 if can_push(floor, dead, square, direction) else 2
    return points, 0 if sum(beside(square, d) in floor for d in STEPS) == 2 else points


def influences(floor, goals, distances, start):
    """Least cost from a start to each square, over pairs of square and entrance, never straight back."""
    dead = dead_squares(floor, goals)

    def points(square, entrance):
        skewed = is_on_optimal_path(distances, goals, start, square)
        return alternatives(floor, dead, square, entrance) // (2 if skewed else 1)

    todo, settled = [(points(start, None), start, "")], {}
    while todo:
        cost, square, entrance = heapq.heappop(todo)
        if (square, entrance) in settled:
            continue
        settled[square, entrance] = cost
        for direction in STEPS:
            near = beside(square, direction)
            if near in floor and direction != entrance:
                link = connection(floor, dead, square, direction)[1]
                heapq.heappush(todo, (cost + link + points(near, BACK[direction]), near, BACK[direction]))
    return {square: min(c for (s, _), c in settled.items() if s == square) for square in floor}


def breakdown(floor, goals, distances, path):
    """Rows of a path: alternatives before and after skew, connection before and after the tunnel rule."""
    dead, rows = dead_squares(floor, goals), []
    for index, square in enumerate(path):
        entrance = next((d for d in STEPS if index and beside(square, d) == path[index - 1]), None)
        points = alternatives(floor, dead, square, entrance)
        skewed = is_on_optimal_path(distances, goals, path[0], square)
        onward = next((d for d in STEPS if index + 1 < len(path) and beside(square, d) == path[index + 1]), None)
        link = connection(floor, dead, square, onward) if onward else (0, 0)
        rows.append((points, points // 2 if skewed else points, *link))
    return rows


def is_cut(table, line, square, k, m, threshold):
    """Whether a push that begins on a square is cut after a line of such squares; table[a, b] by squares."""
    if not line or m < 1:
        return False
    moves = [*line, square]
    distant = [False] + [table[a, b] > threshold for a, b in pairwise(moves)]
    if sum(distant[-m:]) > k:
        return True
    return distant[-1] and any(table[before, square] <= threshold for before in line[-m:])
