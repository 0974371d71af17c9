"""Where the player can walk: the connected component of the thesis's section 4.1.1."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sokoviz.core.compiling.jit import inlined, lean
from sokoviz.core.numbers.bits import ONE, WORD, ZERO, add, clear, has, remove, shifted_word
from sokoviz.core.types import LEFT, NOWHERE, UP, Bits, Integers, Tables


@lean
def find_free(tables: Tables, boxes: Bits, free: Bits) -> None:
    """Write the floor without the boxes into free: uint64[n_words]."""
    for i in range(len(free)):
        free[i] = tables.floor[i] & ~boxes[i]


@inlined
def _handed_in(reached: Bits, width: int, i: int) -> int:
    """What the words around word i hand in: their squares moved by one step."""
    if width >= WORD:  # rows lie in different words
        incoming = shifted_word(reached, i, width) | shifted_word(reached, i, -width)
        return incoming | shifted_word(reached, i, 1) | shifted_word(reached, i, -1)
    across, beside, incoming = np.uint64(WORD - width), np.uint64(WORD - 1), ZERO
    if i > 0:
        incoming = (reached[i - 1] >> across) | (reached[i - 1] >> beside)
    if i + 1 < len(reached):
        incoming |= (reached[i + 1] << across) | (reached[i + 1] << beside)
    return incoming


@inlined
def _spread(free: Bits, width: int, reached: Bits, i: int) -> bool:
    """Grow the component within word i until nothing changes; return whether anything did."""
    # What other words hand in does not change while this word grows, so it is gathered once.
    before, walkable = reached[i], free[i]
    word = before | (_handed_in(reached, width, i) & walkable)
    if word == ZERO:
        return False
    # Rows of 64 squares or more lie in different words: then no step up or down stays within the word.
    down = np.uint64(width if width < WORD else 1)
    while True:
        once = word | (((word << ONE) | (word >> ONE) | (word << down) | (word >> down)) & walkable)
        grown = once | (((once << ONE) | (once >> ONE) | (once << down) | (once >> down)) & walkable)
        if grown == once:
            break
        word = grown
    reached[i] = grown
    return grown != before


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


AROUND = (1, 2, 5, 8, 7, 6, 3, 0)  # the squares around the middle of a field of nine, clockwise from above
BEHIND = (7, 1, 5, 3)  # where a box came from that was pushed up, down, left, right to the middle


def _field_table() -> NDArray[np.bool_]:
    """For each set of nine squares: whether those beside the middle hang together, going around it."""
    return np.array([_count_runs([bool(field >> place & 1) for place in AROUND]) <= 1 for field in range(2**9)])


def _count_runs(is_in: list[bool]) -> int:
    """Number of runs of squares around one that touch it; the corners are at odd places and touch nothing."""
    if all(is_in):
        return 1
    starts = [place for place in range(len(is_in)) if is_in[place] and not is_in[place - 1]]
    return sum(_touches(is_in, start) for start in starts)


def _touches(is_in: list[bool], start: int) -> bool:
    """Whether a run that begins somewhere has a square beside the middle."""
    place = start
    while is_in[place % len(is_in)]:
        if place % 2 == 0:
            return True
        place += 1
    return False


HANGS_TOGETHER = _field_table()


@lean
def component_after_push(
    tables: Tables, free: Bits, reached: Bits, push: int, free_after: Bits, reached_after: Bits
) -> None:
    """Find the player's component after a push, mostly without a flood.

    The box leaves a square that the player then stands on. If that square opens no way to squares that were not
    reached, and the square that the box enters does not cut the component (its eight neighbours tell), the component
    is what it was but for these two squares.

    Parameters
    ----------
    tables : Tables
    free : uint64[n_words], floor without boxes before the push
    reached : uint64[n_words], the component before the push
    push : the push
    free_after, reached_after : uint64[n_words], out
    """
    square, step = push >> 2, tables.steps[push & 3]
    target = square + step
    aside = tables.steps[LEFT] if abs(step) > 1 else tables.steps[UP]
    for i in range(len(free)):
        free_after[i] = free[i]
        reached_after[i] = reached[i]
    add(free_after, square)
    remove(free_after, target)
    opens = has(free, square + aside) and not has(reached, square + aside)
    opens |= has(free, square - aside) and not has(reached, square - aside)
    if opens or (has(reached, target) and not _stays_whole(tables.width, reached, target, push & 3)):
        flood(free_after, tables.width, square, reached_after)
        return
    remove(reached_after, target)
    add(reached_after, square)


@inlined
def _stays_whole(width: int, reached: Bits, target: int, direction: int) -> bool:
    """Whether a component surely hangs together without a square that a box is pushed to, and with where it was."""
    above, below = _three_from(reached, target - width - 1), _three_from(reached, target + width - 1)
    field = above | (_three_from(reached, target - 1) << 3) | (below << 6) | (1 << BEHIND[direction])
    return HANGS_TOGETHER[field]


@inlined
def _three_from(bits: Bits, square: int) -> int:
    """Which of three squares side by side are in a set, as bits; there is always a wall beyond the board's floor."""
    part = square & 63
    word = bits[np.uint64(square >> 6)] >> np.uint64(part)
    if part > WORD - 3:
        word |= bits[np.uint64((square >> 6) + 1)] << np.uint64(WORD - part)
    return np.int64(word & np.uint64(7))


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
