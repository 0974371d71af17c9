"""The dead patterns of windows that can occur in one level, and whether a push has made one of them.

A window is laid on the board wherever it fits. Where there is no goal in it, its dead sets of boxes are those of the
shipped patterns whose walls are walls there. Where there are goals, it is searched there and then, with boxes on these
goals as solved as those that have left; that takes a moment, so such windows must not have too many squares.

Sets with a box on a locking tile are left out: that rule finds them, and every preset has it.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sokoviz.core.board.grid import tables_of
from sokoviz.core.compiling.jit import inlined, lean
from sokoviz.core.deadlocks.window_patterns import WindowPatterns, shipped_images
from sokoviz.core.deadlocks.windows import Window, find_smallest_sets, lowest, make_window
from sokoviz.core.numbers.bits import ONE, ZERO, add, clear, has, trailing_zeros
from sokoviz.core.types import NOWHERE, Bits, Integers, Tables

REACH = 4  # rows or columns between two squares of a window, at most
SIDE, SPAN = REACH + 1, 2 * REACH + 1
FIRST_ROW, FIRST_COLUMN = 0b11111, 0b00001_00001_00001_00001_00001  # of 5 x 5 squares
N_LOW = SPAN * (REACH + 1)  # squares around a box up to the end of its row; those below are in a second word
MOST_FLOOR = 1000  # squares of a level; a larger one gets no table, which would have millions of sets
MOST_FREE = 18  # squares of a window with goals that are no wall
MOST_LOOKED_AT = 1 << 25  # sets of boxes of all windows with goals, for each shape; it takes half a second


class WindowSets(NamedTuple):
    """Sets of boxes that are dead in a level, by each of their squares.

    A set is kept once for each of its boxes. It is marked in the 9 x 9 squares around that one, which hold every window
    with it: 81 bits row by row, 45 in the first word and 36 in the second.
    """

    first: NDArray[np.int32]
    """int32[n_squares + 1]: where the sets of a square begin"""
    boxes: Bits
    """uint64[n, 2]: where the boxes are"""
    inside: Bits
    """uint64[n, 2]: where the player gets them out all the same"""


def no_windows(tables: Tables) -> WindowSets:
    """Return a table that knows nothing."""
    none = np.zeros((0, 2), dtype=np.uint64)
    return WindowSets(np.zeros(tables.width * tables.height + 1, dtype=np.int32), none, none.copy())


@lru_cache(maxsize=16)
def windows_of(rows: tuple[str, ...]) -> WindowSets:
    """Return the dead sets of a level, or none where it has too many squares.

    It takes a tenth of a second for a level of the usual size, and the second time no time at all.

    Parameters
    ----------
    rows : the level's rows, as for `tables_of`

    Returns
    -------
    WindowSets; shared between callers, so nobody may write into them
    """
    tables = tables_of(rows)
    if tables.n_floor > MOST_FLOOR:
        return no_windows(tables)
    shapes = [find_sets_of_shape(tables, patterns) for patterns in shipped_images()]
    return _by_squares(tables.width * tables.height, tables.width, np.unique(np.concatenate(shapes), axis=0))


def find_sets_of_shape(tables: Tables, patterns: WindowPatterns) -> Integers:
    """Return the dead sets of all windows of one shape: int64[n, 3], as `list_window_sets` writes them."""
    window = make_window(patterns.n_rows, patterns.n_columns, MOST_FREE)
    room, n = 0, 1 << 14
    fitting = np.empty(len(patterns.walls), dtype=np.int64)
    while n > room:
        room = n
        sets = np.empty((room, 3), dtype=np.int64)
        n = list_window_sets(tables, patterns, window, fitting, sets)
    return sets[:n]


# --- the sets of a level ---------------------------------------------------------------------------------------------


@lean
def list_window_sets(
    tables: Tables, patterns: WindowPatterns, window: Window, fitting: Integers, sets: Integers
) -> int:
    """List the dead sets of boxes of all windows of one shape.

    Parameters
    ----------
    tables : Tables
    patterns : the patterns of this shape, in all positions
    window : room to search windows of this shape
    fitting : int64[n_patterns], scratch: patterns that fit the walls of a window, and of the next if it has the same
    sets : int64[m, 3], out: a square, and boxes and what is inside in the 5 x 5 squares of which it is the first

    Returns
    -------
    number of sets; those that there is no room for are counted too
    """
    n_sets, n_fitting, fitted, n_looked_at = 0, 0, NOWHERE, 0
    for top in range(max(1, tables.height - patterns.n_rows + 1)):
        for left in range(max(1, tables.width - patterns.n_columns + 1)):
            walls, goals, n_free = _read_window(tables, patterns.n_rows, patterns.n_columns, top, left)
            if goals == 0:
                if walls != fitted:
                    n_fitting, fitted = _fit_patterns(patterns, walls, fitting), walls
                for k in range(n_fitting):
                    boxes = np.int64(patterns.boxes[fitting[k]])
                    inside = np.int64(patterns.inside[fitting[k]]) & ~walls
                    n_sets += _keep_set(tables, patterns.n_columns, top, left, boxes, inside, sets, n_sets)
            elif n_free <= MOST_FREE and n_looked_at + (1 << n_free) <= MOST_LOOKED_AT:
                n_looked_at += 1 << n_free
                for k in range(find_smallest_sets(window, walls, goals)):
                    boxes, inside = window.found[k, 0], window.found[k, 1]
                    n_sets += _keep_set(tables, patterns.n_columns, top, left, boxes, inside, sets, n_sets)
    return n_sets


@lean
def _fit_patterns(patterns: WindowPatterns, walls: int, fitting: Integers) -> int:
    """List the patterns whose walls are among those of a window, and whose boxes are not on others; return how many."""
    n = 0
    for k in range(len(patterns.walls)):
        if (np.int64(patterns.walls[k]) & ~walls) | (np.int64(patterns.boxes[k]) & walls) == 0:
            fitting[n] = k
            n += 1
    return n


@lean
def _read_window(tables: Tables, n_rows: int, n_columns: int, top: int, left: int) -> tuple[int, int, int]:
    """Walls and goals of a window on the board, and the number of its squares that are no wall."""
    walls, goals, n_free = 0, 0, 0
    for row in range(n_rows):
        for column in range(n_columns):
            bit = 1 << row * n_columns + column
            square = (top + row) * tables.width + left + column
            is_on_board = top + row < tables.height and left + column < tables.width
            if not is_on_board or not has(tables.floor, square):
                walls |= bit
                continue
            n_free += 1
            if has(tables.goals, square):
                goals |= bit
    return walls, goals, n_free


@lean
def _keep_set(
    tables: Tables, n_columns: int, top: int, left: int, boxes: int, inside: int, sets: Integers, index: int
) -> int:
    """Write down a set of boxes of a window; return 1, or 0 where it is of no use in this level."""
    n_boxes, marked, around, rest = 0, 0, 0, boxes | inside
    while rest != 0:
        bit = lowest(rest)
        row, column = bit // n_columns, bit % n_columns
        place = 1 << row * SIDE + column
        if boxes >> bit & 1:
            if not has(tables.live, (top + row) * tables.width + left + column):
                return 0
            n_boxes += 1
            marked |= place
        else:
            around |= place
        rest &= rest - 1
    if n_boxes > len(tables.goal_squares):
        return 0
    while (marked | around) & FIRST_ROW == 0:
        marked, around, top = marked >> SIDE, around >> SIDE, top + 1
    while (marked | around) & FIRST_COLUMN == 0:
        marked, around, left = marked >> 1, around >> 1, left + 1
    if index < len(sets):
        sets[index, 0], sets[index, 1], sets[index, 2] = top * tables.width + left, marked, around
    return 1


def _by_squares(n_squares: int, width: int, sets: Integers) -> WindowSets:
    """Sets of boxes, int64[n, 3], by each of their squares; those with the fewest boxes first."""
    n = int(np.bitwise_count(sets[:, 1]).sum())
    squares, boxes, inside = np.empty(n, np.int64), np.empty((n, 2), np.uint64), np.empty((n, 2), np.uint64)
    spread_sets(sets, width, squares, boxes, inside)
    order = np.lexsort((np.bitwise_count(boxes).sum(axis=1), squares))
    first = np.searchsorted(squares[order], np.arange(n_squares + 1)).astype(np.int32)
    boxes, inside = boxes[order], inside[order]
    drop_larger_sets(first, boxes, inside)
    return WindowSets(first, boxes[: first[-1]].copy(), inside[: first[-1]].copy())


@lean
def spread_sets(sets: Integers, width: int, squares: Integers, boxes: Bits, inside: Bits) -> None:
    """Write down each set once for each of its boxes: its square, boxes and what is inside in the squares around it.

    Parameters
    ----------
    sets : int64[n, 3], as `list_window_sets` writes them
    width : of the board
    squares : int64[n_total], out
    boxes, inside : uint64[n_total, 2], out
    """
    index = 0
    for k in range(len(sets)):
        rest = sets[k, 1]
        while rest != 0:
            row, column = lowest(rest) // SIDE, lowest(rest) % SIDE
            squares[index] = sets[k, 0] + row * width + column
            _mark_around(sets[k, 1], row, column, boxes[index])
            _mark_around(sets[k, 2], row, column, inside[index])
            index += 1
            rest &= rest - 1


@lean
def _mark_around(places: int, row: int, column: int, out: Bits) -> None:
    """Mark some of the 5 x 5 squares of a set among the 9 x 9 squares around one of them: uint64[2]."""
    clear(out)
    while places != 0:
        place = lowest(places)
        bit = (place // SIDE - row + REACH) * SPAN + place % SIDE - column + REACH
        out[bit // N_LOW] |= ONE << np.uint64(bit % N_LOW)
        places &= places - 1


@lean
def drop_larger_sets(first: NDArray[np.int32], boxes: Bits, inside: Bits) -> None:
    """Take off the lists what a smaller set of the same list finds as well; the lists close up.

    Parameters
    ----------
    first : int32[n_squares + 1], in and out
    boxes, inside : uint64[n, 2], in and out: lists of sets, each with the smallest first
    """
    n_kept, start = 0, first[0]
    for square in range(len(first) - 1):
        begin, end = n_kept, first[square + 1]
        for k in range(start, end):
            if not _is_covered(boxes, inside, begin, n_kept, k):
                for word in range(2):
                    boxes[n_kept, word], inside[n_kept, word] = boxes[k, word], inside[k, word]
                n_kept += 1
        start = end
        first[square + 1] = n_kept


@lean
def _is_covered(boxes: Bits, inside: Bits, begin: int, end: int, k: int) -> bool:
    """Whether one of some sets is dead wherever set k is."""
    for j in range(begin, end):
        more = ZERO
        for word in range(2):
            more |= boxes[j, word] & ~boxes[k, word]
            more |= inside[j, word] & ~inside[k, word] & ~boxes[k, word]
        if more == ZERO:
            return True
    return False


# --- looking up ------------------------------------------------------------------------------------------------------


@lean
def find_dead_window(
    tables: Tables, boxes: Bits, player: int, windows: WindowSets, culprits: Bits, changed: int
) -> bool:
    """Boxes of a window that can never all leave it nor come to goals in it.

    Parameters
    ----------
    tables : Tables
    boxes : uint64[n_words]
    player : square of the player
    windows : the dead sets of the level
    culprits : uint64[n_words], out
    changed : where a box was pushed to, if no set was dead before that: only its sets are looked at, because a push of
        another box leaves a set and the player's area around it as they are; else NOWHERE
    """
    clear(culprits)
    if changed != NOWHERE:
        return find_dead_set(tables, boxes, player, windows, culprits, changed)
    for i in range(len(boxes)):
        rest = boxes[i]
        while rest != ZERO:
            square = (i << 6) + np.int64(trailing_zeros(rest))
            if find_dead_set(tables, boxes, player, windows, culprits, square):
                return True
            rest &= rest - ONE
    return False


@lean
def find_dead_set(tables: Tables, boxes: Bits, player: int, windows: WindowSets, culprits: Bits, square: int) -> bool:
    """Whether a dead set has a box on a square; its boxes are then the culprits."""
    start, end = np.int64(windows.first[square]), np.int64(windows.first[square + 1])
    if start == end:
        return False
    low, high = _look_around(tables.width, boxes, square)
    for k in range(start, end):
        is_there = (windows.boxes[k, 0] & ~low) | (windows.boxes[k, 1] & ~high) == ZERO
        if is_there and not _is_inside(tables.width, windows.inside[k], square, player):
            _add_around(tables.width, windows.boxes[k], square, culprits)
            return True
    return False


@inlined
def _look_around(width: int, boxes: Bits, square: int) -> tuple[int, int]:
    """The boxes on the 9 x 9 squares around one, as two words; beyond the ends of a row there are those of the next."""
    low = high = ZERO
    start = square - REACH * width - REACH
    for row in range(REACH + 1):
        low |= _nine_from(boxes, start + row * width) << np.uint64(row * SPAN)
    start = square + width - REACH
    for row in range(REACH):
        high |= _nine_from(boxes, start + row * width) << np.uint64(row * SPAN)
    return low, high


@inlined
def _nine_from(bits: Bits, square: int) -> int:
    """Which of nine squares side by side are in a set, as bits of a word; none of those that are not on the board."""
    word, part, nine = square >> 6, np.uint64(square & 63), ZERO
    if 0 <= word < len(bits):
        nine = bits[np.uint64(word)] >> part
    if part > np.uint64(64 - SPAN) and 0 <= word + 1 < len(bits):
        nine |= bits[np.uint64(word + 1)] << (np.uint64(64) - part)
    return nine & np.uint64((1 << SPAN) - 1)


@lean
def _is_inside(width: int, inside: Bits, square: int, player: int) -> bool:
    """Whether the player is on one of some squares around a square: uint64[2]."""
    row, column = player // width - square // width + REACH, player % width - square % width + REACH
    if not (0 <= row < SPAN and 0 <= column < SPAN):
        return False
    bit = row * SPAN + column
    return inside[bit // N_LOW] >> np.uint64(bit % N_LOW) & ONE != ZERO


@lean
def _add_around(width: int, around: Bits, square: int, out: Bits) -> None:
    """Put squares that are marked around a square, uint64[2], into a bitset: uint64[n_words]."""
    for word in range(2):
        rest = around[word]
        while rest != ZERO:
            bit = N_LOW * word + np.int64(trailing_zeros(rest))
            add(out, square + (bit // SPAN - REACH) * width + bit % SPAN - REACH)
            rest &= rest - ONE
