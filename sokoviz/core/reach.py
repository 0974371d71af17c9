"""Where the player can walk: the connected component of the thesis's section 4.1.1."""

from __future__ import annotations

import numpy as np

from sokoviz.core.bits import ONE, WORD, ZERO, add, clear, has, shifted_word
from sokoviz.core.jit import lean
from sokoviz.core.types import NOWHERE, Bits, Integers, Tables


@lean
def find_free(tables: Tables, boxes: Bits, free: Bits) -> None:
    """Write the floor without the boxes into free: uint64[n_words]."""
    for i in range(len(free)):
        free[i] = tables.floor[i] & ~boxes[i]


@lean
def _spread(free: Bits, width: int, reached: Bits, i: int) -> bool:
    """Grow the component within word i until nothing changes; return whether anything did."""
    # What other words hand in does not change while this word grows, so it is gathered once.
    before = reached[i]
    incoming = shifted_word(reached, i, width) | shifted_word(reached, i, -width)
    incoming |= shifted_word(reached, i, 1) | shifted_word(reached, i, -1)
    word = before | (incoming & free[i])
    if word == ZERO:
        return False
    # Rows of 64 squares or more lie in different words: then no step up or down stays within the word.
    down = np.uint64(width) if width < WORD else ZERO
    while True:
        near = (word << ONE) | (word >> ONE)
        if down != ZERO:
            near |= (word << down) | (word >> down)
        grown = word | (near & free[i])
        if grown == word:
            break
        word = grown
    reached[i] = word
    return word != before


@lean
def flood(free: Bits, width: int, start: int, reached: Bits) -> None:
    """Find the component of a square.

    Parameters
    ----------
    free : uint64[n_words], squares that can be walked on
    width : width of the board
    start : the player's square
    reached : uint64[n_words], out: the squares that can be reached, start included
    """
    n_words = len(free)
    clear(reached)
    add(reached, start)
    changed = True
    while changed:
        changed = False
        for i in range(n_words):
            changed |= _spread(free, width, reached, i)
        if changed and n_words > 1:
            changed = False
            for i in range(n_words - 1, -1, -1):
                changed |= _spread(free, width, reached, i)


@lean
def walk_distances(free: Bits, steps: Integers, start: int, distance: Integers, queue: Integers) -> None:
    """Steps from start to every free square by breadth-first search.

    Parameters
    ----------
    free : uint64[n_words]
    steps : int64[4]
    start : the player's square
    distance : int64[n_squares], out; NOWHERE where there is no way
    queue : int64[n_squares], scratch
    """
    for square in range(len(distance)):
        distance[square] = NOWHERE
    distance[start] = 0
    queue[0] = start
    head, tail = 0, 1
    while head < tail:
        square = queue[head]
        head += 1
        for direction in range(4):
            near = square + steps[direction]
            if has(free, near) and distance[near] == NOWHERE:
                distance[near] = distance[square] + 1
                queue[tail] = near
                tail += 1
