"""From the rows of a level to the tables of the kernels.

Building the tables is plain Python and numpy, done once a level; only the floods and distances are compiled.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

import numpy as np

from sokoviz.core.board.distances import find_push_distances, label_sides
from sokoviz.core.numbers.rng import fill_random
from sokoviz.core.types import FAR, Bits, Distances, Integers, Tables

ZOBRIST_SEED = 20241116
GOAL_CHARACTERS = ".*+"
PLAYER_CHARACTERS = "@+"


@lru_cache(maxsize=256)
def tables_of(rows: tuple[str, ...]) -> Tables:
    """Build the kernel tables of a level.

    Parameters
    ----------
    rows : the level's rows in canonical characters, all of one length, closed by walls around the player

    Returns
    -------
    Tables; shared between callers, so nobody may write into them
    """
    width, height = len(rows[0]), len(rows)
    steps = np.array([-width, width, -1, 1], dtype=np.int64)
    floor_squares = _reachable_floor(rows)
    n_squares = width * height
    floor = to_bits(floor_squares, n_squares)
    goals = [s for s in sorted(floor_squares) if rows[s // width][s % width] in GOAL_CHARACTERS]
    sides = np.empty((n_squares, 4), dtype=np.int8)
    label_sides(floor, width, steps, sides)
    push_distance, place_distance = _push_distances(sides, steps, goals)
    live_squares = {s for s in floor_squares if len(goals) and push_distance[:, s].min() < FAR}
    keys = np.empty(2 * n_squares, dtype=np.uint64)
    fill_random(np.array([ZOBRIST_SEED], dtype=np.uint64), keys)
    return Tables(
        width=width,
        height=height,
        n_floor=len(floor_squares),
        steps=steps,
        floor=floor,
        goals=to_bits(goals, n_squares),
        live=to_bits(live_squares, n_squares),
        stuck=_stuck_squares(floor_squares, live_squares, width, n_squares),
        sweep_lines=_line_bits(_sweep_lines(floor_squares, width), n_squares),
        wall_runs=_line_bits(_wall_runs(floor_squares, width), n_squares),
        goal_squares=np.array(goals, dtype=np.int64),
        push_distance=push_distance,
        place_distance=place_distance,
        sides=sides,
        box_keys=keys[:n_squares].copy(),
        player_keys=keys[n_squares:].copy(),
    )


def to_bits(squares: Iterable[int], n_squares: int) -> Bits:
    """A bitset, uint64[n_words], of some squares."""
    is_in = np.zeros(-(-n_squares // 64) * 64, dtype=np.uint8)
    is_in[list(squares)] = 1
    return np.packbits(is_in, bitorder="little").view(np.uint64)


def from_bits(bits: Bits) -> list[int]:
    """The squares of a bitset, uint64[n_words], in ascending order."""
    return [int(s) for s in np.flatnonzero(np.unpackbits(bits.view(np.uint8), bitorder="little"))]


def _reachable_floor(rows: Sequence[str]) -> set[int]:
    """Squares that the player could reach were there no boxes."""
    width = len(rows[0])
    start = next(r * width + c for r, row in enumerate(rows) for c, cell in enumerate(row) if cell in PLAYER_CHARACTERS)
    seen, stack = {start}, [start]
    while stack:
        square = stack.pop()
        for step in (-width, width, -1, 1):
            near = square + step
            if near not in seen and rows[near // width][near % width] != "#":
                seen.add(near)
                stack.append(near)
    return seen


def _push_distances(sides: np.ndarray, steps: Integers, goals: Sequence[int]) -> tuple[Distances, Distances]:
    """Push distances to every goal, from every square and from every place: see `Tables`."""
    n_squares = len(sides)
    distance = np.empty((len(goals), n_squares), dtype=np.int32)
    side_distance = np.empty((n_squares, 4), dtype=np.int32)
    by_place = np.zeros((4 * n_squares + 1, len(goals)), dtype=np.int32)
    queue = np.empty(4 * n_squares, dtype=np.int64)
    zone = np.maximum(sides, 0)
    for k, goal in enumerate(goals):
        find_push_distances(sides, steps, goal, distance[k], side_distance, queue)
        from_side = np.where(sides < 0, FAR, np.take_along_axis(side_distance, zone, axis=1))
        by_place[:-1, k] = from_side.reshape(-1)
    return distance, by_place


def _stuck_squares(floor: set[int], live: set[int], width: int, n_squares: int) -> Bits:
    """Where no box can ever move, vertically and horizontally: uint64[2, n_words].

    A wall on either side is enough; locking tiles are needed on both sides, since the player may stand on one.
    """
    axes = []
    for step in (width, 1):
        held = [
            s
            for s in floor
            if s - step not in floor or s + step not in floor or (s - step not in live and s + step not in live)
        ]
        axes.append(to_bits(held, n_squares))
    return np.stack(axes)


def _sweep_lines(floor: set[int], width: int) -> list[list[int]]:
    """The outermost floor squares seen from the top, bottom, left and right (thesis, algorithm 3).

    Only squares inside the walls count: what the player cannot reach is not swept.
    """
    rows, columns = {s // width for s in floor}, {s % width for s in floor}
    return [
        *([s for s in floor if s // width == edge] for edge in (min(rows), max(rows))),
        *([s for s in floor if s % width == edge] for edge in (min(columns), max(columns))),
    ]


def _wall_runs(floor: set[int], width: int) -> list[list[int]]:
    """Straight runs from wall to wall whose squares all have a wall beside them: no box leaves such a run.

    To leave sideways a box needs floor on both sides, one for itself and one for the player.
    """
    runs = []
    for along, across in ((1, width), (width, 1)):
        for start in sorted(s for s in floor if s - along not in floor):
            run = [start]
            while run[-1] + along in floor:
                run.append(run[-1] + along)
            if len(run) > 1 and all(s - across not in floor or s + across not in floor for s in run):
                runs.append(run)
    return runs


def _line_bits(lines: Sequence[Sequence[int]], n_squares: int) -> Bits:
    """Bitsets of some lines of squares: uint64[n_lines, n_words]."""
    if not lines:
        return np.empty((0, -(-n_squares // 64)), dtype=np.uint64)
    return np.stack([to_bits(line, n_squares) for line in lines])
