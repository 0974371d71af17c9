"""Where the player can walk: the connected component of the thesis's section 4.1.1."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sokoviz.core.bits import ONE, WORD, ZERO, add, clear, has, remove, shifted_word
from sokoviz.core.jit import inlined, lean
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


AROUND = 8  # squares around one


def _ring_table() -> NDArray[np.bool_]:
    """For each set of the squares around one: whether those beside it hang together, going around it."""
    return np.array([mask == 2**AROUND - 1 or _count_runs(mask) <= 1 for mask in range(2**AROUND)])


def _count_runs(mask: int) -> int:
    """Number of runs of squares around one that touch it; the corners are at odd places and touch nothing."""
    is_in = [bool(mask >> place & 1) for place in range(AROUND)]
    starts = [place for place in range(AROUND) if is_in[place] and not is_in[place - 1]]
    return sum(_touches(is_in, start) for start in starts)


def _touches(is_in: list[bool], start: int) -> bool:
    """Whether a run that begins somewhere has a square beside the middle."""
    place = start
    while is_in[place % AROUND]:
        if place % 2 == 0:
            return True
        place += 1
    return False


HANGS_TOGETHER = _ring_table()


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
    if opens or (has(reached, target) and not _stays_whole(tables.width, reached, target, square)):
        flood(free_after, tables.width, square, reached_after)
        return
    remove(reached_after, target)
    add(reached_after, square)


@lean
def _stays_whole(width: int, reached: Bits, target: int, square: int) -> bool:
    """Whether a component that gains a square surely hangs together without another one."""
    mask = 0
    for place in range(8):
        near = target + _ring_step(width, place)
        if near == square or has(reached, near):
            mask |= 1 << place
    return HANGS_TOGETHER[mask]


@lean
def _ring_step(width: int, place: int) -> int:
    """What to add to a square to come to one of those around it, clockwise from above."""
    down = -width if place in (7, 0, 1) else width if place in (3, 4, 5) else 0
    right = 1 if place in (1, 2, 3) else -1 if place in (5, 6, 7) else 0
    return down + right


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
