"""A transposition table of two levels: what earlier visits of a position have proven about the way left from it.

Rolling Stone's table as Crippa and Marocchi describe it (section 4.1.1). The first level keeps, of two positions that
want one place, the one that was searched deeper; the other goes to the second level, which always takes the newest.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sokoviz.core.compiling.jit import lean
from sokoviz.core.types import NOWHERE, Bits

BYTES_AN_ENTRY = 20
LEVELS = 2


class Transpositions(NamedTuple):
    """Two levels of entries."""

    keys: Bits
    """uint64[2, power of two]: key of the position, 0 for none"""
    scores: NDArray[np.int32]
    """int32[2, power of two]: pushes that are left at least"""
    depths: NDArray[np.int32]
    """int32[2, power of two]: pushes that were left to be made up to the threshold when it was searched"""
    rounds: NDArray[np.int32]
    """int32[2, power of two]: number of the threshold under which it was searched"""


def make_transpositions(memory: int) -> Transpositions:
    """Return an empty table of at most so many bytes."""
    n = 1
    while 2 * n * BYTES_AN_ENTRY * LEVELS <= memory:
        n *= 2
    return Transpositions(
        keys=np.zeros((LEVELS, n), dtype=np.uint64),
        scores=np.zeros((LEVELS, n), dtype=np.int32),
        depths=np.zeros((LEVELS, n), dtype=np.int32),
        rounds=np.zeros((LEVELS, n), dtype=np.int32),
    )


@lean
def find_entry(table: Transpositions, key: int) -> int:
    """Where a position stands: its place, plus the size of a level for the second level; NOWHERE for none."""
    n = table.keys.shape[1]
    place = np.int64(key & np.uint64(n - 1))
    for level in range(LEVELS):
        if table.keys[level, place] == key:
            return place + level * n
    return np.int64(NOWHERE)


@lean
def put_entry(table: Transpositions, key: int, score: int, depth: int, threshold: int) -> None:
    """Keep what is known of a position; what is known of it already is overwritten."""
    n = table.keys.shape[1]
    place = np.int64(key & np.uint64(n - 1))
    if table.keys[0, place] == key:
        _write(table, 0, place, key, score, depth, threshold)
    elif table.keys[0, place] == 0 or table.depths[0, place] <= depth:
        _move_down(table, place)
        _write(table, 0, place, key, score, depth, threshold)
    else:
        _write(table, 1, place, key, score, depth, threshold)


@lean
def _move_down(table: Transpositions, place: int) -> None:
    """Copy an entry of the first level to the second."""
    table.keys[1, place], table.scores[1, place] = table.keys[0, place], table.scores[0, place]
    table.depths[1, place], table.rounds[1, place] = table.depths[0, place], table.rounds[0, place]


@lean
def _write(table: Transpositions, level: int, place: int, key: int, score: int, depth: int, threshold: int) -> None:
    """Write an entry."""
    table.keys[level, place] = key
    table.scores[level, place] = score
    table.depths[level, place] = depth
    table.rounds[level, place] = threshold


@lean
def forget_all(table: Transpositions) -> None:
    """Empty the table."""
    for level in range(LEVELS):
        for place in range(table.keys.shape[1]):
            table.keys[level, place] = 0
