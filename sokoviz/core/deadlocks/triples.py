"""Three boxes that can never all come to goals, found ahead: a table of all sets of three squares, made once a level.

All other boxes are taken away and every goal is open. What solves the level solves these easier positions too, so a
position is dead where three of its boxes are. Which sets can be solved is found by pulling boxes back from all sets of
three goals, as algorithm 2 of the thesis does with one box.
"""

from __future__ import annotations

from functools import lru_cache
from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sokoviz.core.board.grid import from_bits, tables_of
from sokoviz.core.board.pushes import generate_pulls, make_push, player_after_pull, undo_push
from sokoviz.core.board.reach import find_free, flood
from sokoviz.core.compiling.jit import lean
from sokoviz.core.numbers.bits import add, clear, first, has, is_subset, squares
from sokoviz.core.types import NOWHERE, Bits, Flags, Integers, Tables

MOST_SETS = 100_000  # of three squares: up to 85 that are no locking tiles; a larger level gets no table
N_PULLS = 12  # of three boxes, at most

# Rows of Making.boards.
BOXES, FREE, REACHED, UNSEEN = range(4)

# What is known of a set of squares where it does not depend on the player's component.
ALIVE, DEAD = -1, -2


class Triples(NamedTuple):
    """Which boxes on three squares, with which component of the player, can come to goals."""

    numbers: Integers
    """int64[n_squares]: the squares that are no locking tiles, numbered from 0; NOWHERE elsewhere"""
    verdicts: NDArray[np.int32]
    """int32[n_sets]: ALIVE, DEAD, or the row of zones; no sets where the level is too large for a table"""
    zones: Bits
    """uint64[n, n_words]: where the player has to be, for the sets that some of his components solve and some do not"""
    boxes: Integers
    """int64[n_squares], scratch: squares of the boxes of a position"""


class Making(NamedTuple):
    """A table that is being made."""

    numbers: Integers
    """int64[n_squares], as in `Triples`"""
    live: Integers
    """int64[n]: the same squares by their numbers"""
    starts: Integers
    """int64[n_sets + 1]: where the components of a set begin"""
    components: NDArray[np.int16]
    """int16[n_components]: the first square of each"""
    is_solvable: Flags
    """bool[n_components]"""
    boards: Bits
    """uint64[4, n_words], scratch"""
    boxes: Integers
    """int64[n_squares], scratch"""


def no_triples(tables: Tables) -> Triples:
    """Return a table that knows nothing."""
    return _to_fill(_room_for(tables, [], 0, 0), 0, 0)


def triples_of(rows: tuple[str, ...]) -> Triples:
    """Return the table of a level, or one that knows nothing where the level has too many squares.

    It takes some tenths of a second, four bytes for each of at most 100,000 sets, and a board of bits for each of
    those that depend on where the player is.

    Parameters
    ----------
    rows : the level's rows, as for `tables_of`

    Returns
    -------
    Triples; the table is shared between callers, the scratch is the caller's own: searches run side by side
    """
    found = _solved_triples(rows)
    return found._replace(boxes=np.zeros_like(found.boxes))


@lru_cache(maxsize=16)
def _solved_triples(rows: tuple[str, ...]) -> Triples:
    """The table of a level, made once."""
    tables = tables_of(rows)
    live = from_bits(tables.live)
    n_sets = comb(len(live), 3)
    if not 0 < n_sets <= MOST_SETS:
        return no_triples(tables)
    n_components = list_components(tables, _room_for(tables, live, n_sets, 0))
    making = _room_for(tables, live, n_sets, n_components)
    list_components(tables, making)
    solve_triples(tables, making, np.empty(n_components, dtype=np.int64), np.empty(N_PULLS, dtype=np.int64))
    n_zones = sum_up(tables, making, _to_fill(making, n_sets, 0))
    triples = _to_fill(making, n_sets, n_zones)
    sum_up(tables, making, triples)
    return triples


def _room_for(tables: Tables, live: list[int], n_sets: int, n_components: int) -> Making:
    """Room to make a table in."""
    numbers = np.full(tables.width * tables.height, NOWHERE, dtype=np.int64)
    numbers[live] = np.arange(len(live))
    return Making(
        numbers=numbers,
        live=np.array(live, dtype=np.int64),
        starts=np.zeros(n_sets + 1, dtype=np.int64),
        components=np.zeros(n_components, dtype=np.int16),
        is_solvable=np.zeros(n_components, dtype=np.bool_),
        boards=np.zeros((4, len(tables.floor)), dtype=np.uint64),
        boxes=np.zeros(len(numbers), dtype=np.int64),
    )


def _to_fill(making: Making, n_sets: int, n_zones: int) -> Triples:
    """A table with nothing in it."""
    zones = np.zeros((n_zones, making.boards.shape[1]), dtype=np.uint64)
    return Triples(making.numbers, np.zeros(n_sets, dtype=np.int32), zones, np.zeros_like(making.boxes))


# --- making the table ------------------------------------------------------------------------------------------------


@lean
def rank(a: int, b: int, c: int) -> int:
    """Number of a set of three squares by their numbers, a < b < c."""
    return a + b * (b - 1) // 2 + c * (c - 1) * (c - 2) // 6


@lean
def _place_boxes(making: Making, a: int, b: int, c: int, boxes: Bits) -> None:
    """Put boxes on three squares, by their numbers, and nowhere else."""
    clear(boxes)
    add(boxes, making.live[a])
    add(boxes, making.live[b])
    add(boxes, making.live[c])


@lean
def list_components(tables: Tables, making: Making) -> int:
    """List the player's components for each set of squares, as far as there is room; return how many there are."""
    boards, n, at = making.boards, 0, 0
    for c in range(2, len(making.live)):
        for b in range(1, c):
            for a in range(b):
                making.starts[at] = n
                at += 1
                _place_boxes(making, a, b, c, boards[BOXES])
                find_free(tables, boards[BOXES], boards[FREE])
                find_free(tables, boards[BOXES], boards[UNSEEN])
                square = first(boards[UNSEEN])
                while square != NOWHERE:
                    if n < len(making.components):
                        making.components[n] = square
                    n += 1
                    flood(boards[FREE], tables.width, square, boards[REACHED])
                    for i in range(len(boards[UNSEEN])):
                        boards[UNSEEN, i] &= ~boards[REACHED, i]
                    square = first(boards[UNSEEN])
    making.starts[at] = n
    return n


@lean
def solve_triples(tables: Tables, making: Making, queue: Integers, pulls: Integers) -> None:
    """Pull boxes back from all sets of three goals, whichever way the player stands, and note what is reached.

    Parameters
    ----------
    tables : Tables
    making : the table with its components listed
    queue : int64[n_components], scratch: components, 8 bits each for the numbers of the squares above them
    pulls : int64[12], scratch
    """
    boards = making.boards
    boxes, free, reached = boards[BOXES], boards[FREE], boards[REACHED]
    tail = _begin_at_goals(tables, making, queue)
    head = 0
    while head < tail:
        packed = queue[head]
        head += 1
        _place_boxes(making, packed & 255, packed >> 8 & 255, packed >> 16 & 255, boxes)
        find_free(tables, boxes, free)
        flood(free, tables.width, making.components[packed >> 24], reached)
        for k in range(generate_pulls(tables, boxes, reached, free, pulls)):
            make_push(tables, boxes, pulls[k])
            packed = _component_of(tables, making, boxes, player_after_pull(tables, pulls[k]))
            if not making.is_solvable[packed >> 24]:
                making.is_solvable[packed >> 24] = True
                queue[tail] = packed
                tail += 1
            undo_push(tables, boxes, pulls[k])
            find_free(tables, boxes, free)


@lean
def _begin_at_goals(tables: Tables, making: Making, queue: Integers) -> int:
    """Enter all components of all sets of three goals into the queue; return their number."""
    tail, boxes = 0, making.boards[BOXES]
    for c in range(2, len(making.live)):
        for b in range(1, c):
            for a in range(b):
                _place_boxes(making, a, b, c, boxes)
                if is_subset(boxes, tables.goals):
                    at = rank(a, b, c)
                    for component in range(making.starts[at], making.starts[at + 1]):
                        making.is_solvable[component] = True
                        queue[tail] = component << 24 | c << 16 | b << 8 | a
                        tail += 1
    return tail


@lean
def _component_of(tables: Tables, making: Making, boxes: Bits, player: int) -> int:
    """The player's component among those of three boxes, with the numbers of their squares below it."""
    squares(boxes, making.boxes)
    a, b, c = making.numbers[making.boxes[0]], making.numbers[making.boxes[1]], making.numbers[making.boxes[2]]
    free, reached = making.boards[FREE], making.boards[UNSEEN]
    find_free(tables, boxes, free)
    flood(free, tables.width, player, reached)
    square, component = first(reached), making.starts[rank(a, b, c)]
    while making.components[component] != square:  # there is always one
        component += 1
    return component << 24 | c << 16 | b << 8 | a


@lean
def sum_up(tables: Tables, making: Making, triples: Triples) -> int:
    """Say of each set whether all, none or some of the player's components solve it, and which squares these are.

    Returns the number of sets that depend on the player; zones are written as far as there is room.
    """
    n, at = 0, 0
    for c in range(2, len(making.live)):
        for b in range(1, c):
            for a in range(b):
                start, end, n_solvable = making.starts[at], making.starts[at + 1], 0
                for component in range(start, end):
                    n_solvable += making.is_solvable[component]
                triples.verdicts[at] = DEAD if n_solvable == 0 else ALIVE if n_solvable == end - start else n
                if triples.verdicts[at] >= 0:
                    if n < len(triples.zones):
                        _place_boxes(making, a, b, c, making.boards[BOXES])
                        _fill_zone(tables, making, start, end, triples.zones[n])
                    n += 1
                at += 1
    return n


@lean
def _fill_zone(tables: Tables, making: Making, start: int, end: int, zone: Bits) -> None:
    """Collect the squares of all components that solve a set; its boxes are on the board."""
    free, reached = making.boards[FREE], making.boards[REACHED]
    find_free(tables, making.boards[BOXES], free)
    for component in range(start, end):
        if making.is_solvable[component]:
            flood(free, tables.width, making.components[component], reached)
            for i in range(len(zone)):
                zone[i] |= reached[i]


# --- looking up ------------------------------------------------------------------------------------------------------


@lean
def find_dead_triple(tables: Tables, boxes: Bits, player: int, triples: Triples, culprits: Bits, changed: int) -> bool:
    """Three boxes that cannot all come to goals, even with no other box in the way.

    Parameters
    ----------
    tables : Tables
    boxes : uint64[n_words]
    player : square of the player
    triples : the table of the level
    culprits : uint64[n_words], out
    changed : where a box was pushed to, if no three boxes were dead before that: only its sets are looked at, because
        a push of another box leaves three boxes and the player's component around them as they are; else NOWHERE
    """
    clear(culprits)
    if len(triples.verdicts) == 0:
        return False
    n = squares(boxes, triples.boxes)
    for k in range(1, n):
        for j in range(k):
            for i in range(j if changed == NOWHERE else 1):
                other = triples.boxes[i] if changed == NOWHERE else changed
                if _are_dead(triples, other, triples.boxes[j], triples.boxes[k], player):
                    add(culprits, other)
                    add(culprits, triples.boxes[j])
                    add(culprits, triples.boxes[k])
                    return True
    return False


@lean
def _are_dead(triples: Triples, one: int, low: int, high: int, player: int) -> bool:
    """Whether boxes on three squares, low before high, are dead."""
    if one in (low, high):
        return False
    a, b, c = triples.numbers[min(one, low)], triples.numbers[max(low, min(one, high))], triples.numbers[max(one, high)]
    if min(a, b, c) == NOWHERE:
        return True  # a box is on a locking tile
    verdict = triples.verdicts[rank(a, b, c)]
    return verdict == DEAD or (verdict != ALIVE and not has(triples.zones[verdict], player))
