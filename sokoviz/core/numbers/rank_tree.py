"""A tournament: the highest of many ranks that change one at a time.

Ranks stand in the second half of an array of a power of two; each entry of the first half is the higher of the two that
it is made of, so entry 1 is the highest of all. A change goes up one branch, and the winner is found down one branch.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sokoviz.core.compiling.jit import lean
from sokoviz.core.types import NOWHERE

Ranks = NDArray[np.float64]


def make_tournament(n: int) -> Ranks:
    """Return an array for n ranks, all 0."""
    size = 1
    while size < n:
        size *= 2
    return np.zeros(2 * size)


@lean
def set_rank(ranks: Ranks, index: int, rank: float) -> None:
    """Give an entry its rank, 0 or higher."""
    place = np.int64(len(ranks) >> 1) + index
    ranks[place] = rank
    while place > 1:
        place >>= 1
        higher = max(ranks[2 * place], ranks[2 * place + 1])
        if ranks[place] == higher:
            break
        ranks[place] = higher


@lean
def find_winner(ranks: Ranks) -> int:
    """The first entry with the highest rank; NOWHERE where all are 0."""
    if ranks[1] <= 0.0:
        return np.int64(NOWHERE)
    size, place = np.int64(len(ranks) >> 1), np.int64(1)
    while place < size:
        place = 2 * place if ranks[2 * place] == ranks[place] else 2 * place + 1
    return place - size


@lean
def clear_ranks(ranks: Ranks, n: int) -> None:
    """Set the first n ranks to 0; the others are 0 already."""
    first, last = np.int64(len(ranks) >> 1), np.int64(len(ranks) >> 1) + n
    while first > 0:
        for place in range(first, last + 1 if last < 2 * first else last):
            ranks[place] = 0.0
        first, last = first >> 1, last >> 1
