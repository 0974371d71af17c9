"""How far a lone box is from a square, in pushes, with the player's side respected."""

from __future__ import annotations

import numpy as np

from sokoviz.core.board.reach import flood
from sokoviz.core.compiling.jit import kernel
from sokoviz.core.numbers.bits import has, remove
from sokoviz.core.types import FAR, Bits, Distances, Integers, Sides


@kernel
def label_sides(floor: Bits, width: int, steps: Integers, sides: Sides) -> None:
    """For a lone box on each square, number the zones into which it parts the floor around it.

    Parameters
    ----------
    floor : uint64[n_words], unchanged on return
    width : width of the board
    steps : int64[4]
    sides : int8[n_squares, 4], out: zone of the neighbour in each direction, numbered by the first direction that
        touches it; -1 for wall
    """
    reached = np.empty_like(floor)
    free = floor.copy()
    sides[:] = -1
    for square in range(len(sides)):
        if not has(floor, square):
            continue
        remove(free, square)
        for direction in range(4):
            near = square + steps[direction]
            if sides[square, direction] >= 0 or not has(free, near):
                continue
            flood(free, width, near, reached)
            for other in range(direction, 4):
                if has(reached, square + steps[other]):
                    sides[square, other] = direction
        free[square >> 6] = floor[square >> 6]


@kernel
def find_push_distances(
    sides: Sides,
    steps: Integers,
    target: int,
    distance: Distances,
    side_distance: Distances,
    queue: Integers,
) -> None:
    """Pushes that bring a lone box from every square to the target, by pulling backwards from it.

    This is algorithm 2 of the thesis with the number of pulls kept: squares that no pull reaches from any goal are the
    locking tiles.

    Parameters
    ----------
    sides : int8[n_squares, 4], from label_sides
    steps : int64[4]
    target : a floor square
    distance : int32[n_squares], out: the smaller of the distances from either side, FAR if there is no way
    side_distance : int32[n_squares, 4], out: the same by the zone in which the player starts
    queue : int64[4 * n_squares], scratch
    """
    distance[:] = FAR
    side_distance[:] = FAR
    tail = 0
    for direction in range(4):
        zone = sides[target, direction]
        if zone == direction:  # each zone once; after the last push the player may be on any side
            side_distance[target, zone] = 0
            queue[tail] = 4 * target + zone
            tail += 1
    distance[target] = 0
    head = 0
    while head < tail:
        square, zone = queue[head] >> 2, queue[head] & 3
        head += 1
        n_pushes = side_distance[square, zone]
        for direction in range(4):
            # The push that came here in this direction left the player behind the box: pull the box back there.
            behind = direction ^ 1
            before = square + steps[behind]
            if sides[square, behind] != zone or sides[before, behind] < 0:
                continue
            zone_before = sides[before, behind]
            if side_distance[before, zone_before] == FAR:
                side_distance[before, zone_before] = n_pushes + 1
                distance[before] = min(distance[before], n_pushes + 1)
                queue[tail] = 4 * before + zone_before
                tail += 1
