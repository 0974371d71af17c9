"""Tunnels: where walls leave a width of one, a box is pushed on to the end at once (Crippa and Marocchi, 4.4.3)."""

from __future__ import annotations

import numpy as np

from sokoviz.core.board.grid import from_bits, to_bits
from sokoviz.core.compiling.jit import lean
from sokoviz.core.numbers.bits import has
from sokoviz.core.types import Bits, Tables


def find_corridors(tables: Tables) -> Bits:
    """Return floor with walls on both sides of somebody who goes up or down (0), and left or right (1).

    Returns
    -------
    uint64[2, n_words]
    """
    floor = set(from_bits(tables.floor))
    n_squares = tables.width * tables.height
    axes = [[s for s in floor if s - aside not in floor and s + aside not in floor] for aside in (1, tables.width)]
    return np.stack([to_bits(squares, n_squares) for squares in axes])


@lean
def tunnel_length(tables: Tables, corridors: Bits, free: Bits, origin: int, direction: int) -> int:
    """Number of pushes that bring a box out of a tunnel, or as far as it can go; 1 where it enters none.

    Box and player both stand between walls then, so that nothing but the same push can follow for this box. It may stop
    on a goal (figure 4.5).

    Parameters
    ----------
    tables : Tables
    corridors : uint64[2, n_words], see `find_corridors`
    free : uint64[n_words], floor without boxes
    origin : square of the box
    direction : where it is pushed
    """
    step, walled = tables.steps[direction], corridors[direction >> 1]
    length, target = 1, origin + step
    while has(walled, target) and has(walled, target - step) and not has(tables.goals, target):
        if not has(free, target + step) or not has(tables.live, target + step):
            break
        target += step
        length += 1
    return length
