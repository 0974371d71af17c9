"""The arrays that describe a level to the kernels, and the constants they share.

A *square* is an integer, row * width + column. A *bitset* is uint64[n_words] with one bit a square. A *push* (or
pull) is an integer, 4 * square of the box + direction. Directions are up, down, left, right, so that
``direction ^ 1`` is the opposite one.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Bits = NDArray[np.uint64]
Integers = NDArray[np.int64]
Distances = NDArray[np.int32]
Sides = NDArray[np.int8]
Flags = NDArray[np.bool_]

UP, DOWN, LEFT, RIGHT = 0, 1, 2, 3
DIRECTIONS = "udlr"
NO_LIMIT = 1 << 30  # of nodes, depths and the like
FAR = 1 << 28  # a push distance that no level reaches: no way there
NOWHERE = -1


class Tables(NamedTuple):
    """What the kernels know of a level: everything that does not change when a box moves.

    Squares from which the player is walled off count as wall: nothing can ever happen there.
    """

    width: int
    height: int
    n_floor: int
    """number of floor squares, goals included"""
    steps: Integers
    """int64[4]: what to add to a square to go up, down, left, right"""
    floor: Bits
    """uint64[n_words]: squares that the player could reach were there no boxes"""
    goals: Bits
    """uint64[n_words]"""
    live: Bits
    """uint64[n_words]: floor that is no locking tile (thesis, algorithm 2)"""
    stuck: Bits
    """uint64[2, n_words]: where walls or a pair of locking tiles hold any box vertically (0) and horizontally (1)"""
    sweep_lines: Bits
    """uint64[4, n_words]: the outermost floor squares seen from the top, bottom, left and right (algorithm 3)"""
    wall_runs: Bits
    """uint64[n_runs, n_words]: straight runs from wall to wall that no box can leave (figure 4.6)"""
    goal_squares: Integers
    """int64[n_goals], ascending"""
    push_distance: Distances
    """int32[n_goals, n_squares]: pushes a lone box needs from a square to a goal, from the better side; or FAR"""
    place_distance: Distances
    """int32[4 * n_squares + 1, n_goals]: the same by the place of the box: 4 * square + direction of the player's side;
    the last row is for boxes that are nowhere, at no distance from any goal"""
    sides: Sides
    """int8[n_squares, 4]: for a lone box on a square, the zone in which its neighbour lies; -1 for wall"""
    box_keys: Bits
    """uint64[n_squares]: Zobrist keys of a box on a square"""
    player_keys: Bits
    """uint64[n_squares]: Zobrist keys of the player's component, by its first square"""
