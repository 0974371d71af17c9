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

from sokoviz.core.bits import add, clear, first, is_subset, squares
from sokoviz.core.grid import from_bits, tables_of
from sokoviz.core.jit import lean
from sokoviz.core.pushes import generate_pulls, make_push, player_after_pull, undo_push
from sokoviz.core.reach import find_free, flood
from sokoviz.core.types import NOWHERE, Bits, Flags, Integers, Tables

MOST_SETS = 100_000  # of three squares: up to 85 that are no locking tiles; a larger level gets no table
N_PULLS = 12  # of three boxes, at most

# Rows of Triples.boards.
BOXES, FREE, REACHED, UNSEEN = range(4)

# What is known of a set of squares: some of the player's components solve it and some do not, or all, or none.
DEPENDS, ALIVE, DEAD = range(3)


class Triples(NamedTuple):
    """Which boxes on three squares, with which component of the player, can come to goals."""

    numbers: Integers
    """int64[n_squares]: the squares that are no locking tiles, numbered from 0; NOWHERE elsewhere"""
    live: Integers
    """int64[n]: the same squares by their numbers"""
    starts: Integers
    """int64[n_sets + 1]: where the components of a set begin; no sets where the level is too large for a table"""
    components: NDArray[np.int16]
    """int16[n_components]: the first square of each"""
    is_solvable: Flags
    """bool[n_components]"""
    verdicts: NDArray[np.int8]
    """int8[n_sets]: ALIVE, DEAD or DEPENDS"""
    boards: Bits
    """uint64[4, n_words], scratch"""
    boxes: Integers
    """int64[n_squares], scratch: squares of the boxes of a position"""


def no_triples(tables: Tables) -> Triples:
    """Return a table that knows nothing."""
    return _room_for(tables, [], 0, 0)


def triples_of(rows: tuple[str, ...]) -> Triples:
    """Return the table of a level, or one that knows nothing where the level has too many squares.

    It takes some tenths of a second and two bytes for each of at most some 150,000 entries.

    Parameters
    ----------
    rows : the level's rows, as for `tables_of`

    Returns
    -------
    Triples; the table is shared between callers, the scratch is the caller's own: searches run side by side
    """
    found = _solved_triples(rows)
    return found._replace(boards=np.zeros_like(found.boards), boxes=np.zeros_like(found.boxes))


@lru_cache(maxsize=16)
def _solved_triples(rows: tuple[str, ...]) -> Triples:
    """The table of a level, made once."""
    tables = tables_of(rows)
    live = from_bits(tables.live)
    n_sets = comb(len(live), 3)
    if not 0 < n_sets <= MOST_SETS:
        return no_triples(tables)
    n_components = list_components(tables, _room_for(tables, live, n_sets, 0))
    triples = _room_for(tables, live, n_sets, n_components)
    list_components(tables, triples)
    solve_triples(tables, triples, np.empty(n_components, dtype=np.int64), np.empty(N_PULLS, dtype=np.int64))
    return triples


def _room_for(tables: Tables, live: list[int], n_sets: int, n_components: int) -> Triples:
    """A table with nothing in it."""
    numbers = np.full(tables.width * tables.height, NOWHERE, dtype=np.int64)
    numbers[live] = np.arange(len(live))
    return Triples(
        numbers=numbers,
        live=np.array(live, dtype=np.int64),
        starts=np.zeros(n_sets + 1, dtype=np.int64),
        components=np.zeros(n_components, dtype=np.int16),
        is_solvable=np.zeros(n_components, dtype=np.bool_),
        verdicts=np.zeros(n_sets, dtype=np.int8),
        boards=np.zeros((4, len(tables.floor)), dtype=np.uint64),
        boxes=np.zeros(len(numbers), dtype=np.int64),
    )


# --- making the table ------------------------------------------------------------------------------------------------


@lean
def rank(a: int, b: int, c: int) -> int:
    """Number of a set of three squares by their numbers, a < b < c."""
    return a + b * (b - 1) // 2 + c * (c - 1) * (c - 2) // 6


@lean
def _place_boxes(triples: Triples, a: int, b: int, c: int, boxes: Bits) -> None:
    """Put boxes on three squares, by their numbers, and nowhere else."""
    clear(boxes)
    add(boxes, triples.live[a])
    add(boxes, triples.live[b])
    add(boxes, triples.live[c])


@lean
def list_components(tables: Tables, triples: Triples) -> int:
    """List the player's components for each set of squares, as far as there is room; return how many there are."""
    boards, n, at = triples.boards, 0, 0
    for c in range(2, len(triples.live)):
        for b in range(1, c):
            for a in range(b):
                triples.starts[at] = n
                at += 1
                _place_boxes(triples, a, b, c, boards[BOXES])
                find_free(tables, boards[BOXES], boards[FREE])
                find_free(tables, boards[BOXES], boards[UNSEEN])
                square = first(boards[UNSEEN])
                while square != NOWHERE:
                    if n < len(triples.components):
                        triples.components[n] = square
                    n += 1
                    flood(boards[FREE], tables.width, square, boards[REACHED])
                    for i in range(len(boards[UNSEEN])):
                        boards[UNSEEN, i] &= ~boards[REACHED, i]
                    square = first(boards[UNSEEN])
    triples.starts[at] = n
    return n


@lean
def solve_triples(tables: Tables, triples: Triples, queue: Integers, pulls: Integers) -> None:
    """Pull boxes back from all sets of three goals, whichever way the player stands, and note what is reached.

    Parameters
    ----------
    tables : Tables
    triples : the table with its components listed
    queue : int64[n_components], scratch: components, 8 bits each for the numbers of the squares above them
    pulls : int64[12], scratch
    """
    boards = triples.boards
    boxes, free, reached = boards[BOXES], boards[FREE], boards[REACHED]
    tail = _begin_at_goals(tables, triples, queue)
    head = 0
    while head < tail:
        packed = queue[head]
        head += 1
        _place_boxes(triples, packed & 255, packed >> 8 & 255, packed >> 16 & 255, boxes)
        find_free(tables, boxes, free)
        flood(free, tables.width, triples.components[packed >> 24], reached)
        for k in range(generate_pulls(tables, boxes, reached, free, pulls)):
            make_push(tables, boxes, pulls[k])
            packed = _component_of(tables, triples, boxes, player_after_pull(tables, pulls[k]))
            if not triples.is_solvable[packed >> 24]:
                triples.is_solvable[packed >> 24] = True
                queue[tail] = packed
                tail += 1
            undo_push(tables, boxes, pulls[k])
            find_free(tables, boxes, free)
    _judge(triples)


@lean
def _begin_at_goals(tables: Tables, triples: Triples, queue: Integers) -> int:
    """Enter all components of all sets of three goals into the queue; return their number."""
    tail, boxes = 0, triples.boards[BOXES]
    for c in range(2, len(triples.live)):
        for b in range(1, c):
            for a in range(b):
                _place_boxes(triples, a, b, c, boxes)
                if is_subset(boxes, tables.goals):
                    at = rank(a, b, c)
                    for component in range(triples.starts[at], triples.starts[at + 1]):
                        triples.is_solvable[component] = True
                        queue[tail] = component << 24 | c << 16 | b << 8 | a
                        tail += 1
    return tail


@lean
def _component_of(tables: Tables, triples: Triples, boxes: Bits, player: int) -> int:
    """The player's component among those of three boxes, with the numbers of their squares below it."""
    squares(boxes, triples.boxes)
    a, b, c = triples.numbers[triples.boxes[0]], triples.numbers[triples.boxes[1]], triples.numbers[triples.boxes[2]]
    return _find_component(tables, triples, boxes, player, rank(a, b, c)) << 24 | c << 16 | b << 8 | a


@lean
def _find_component(tables: Tables, triples: Triples, boxes: Bits, player: int, at: int) -> int:
    """The player's component among those of a set of boxes; there is always one."""
    free, reached = triples.boards[FREE], triples.boards[UNSEEN]
    find_free(tables, boxes, free)
    flood(free, tables.width, player, reached)
    square, component = first(reached), triples.starts[at]
    while triples.components[component] != square:
        component += 1
    return component


@lean
def _judge(triples: Triples) -> None:
    """Sum up what is known of each set."""
    for at in range(len(triples.verdicts)):
        start, end, n_solvable = triples.starts[at], triples.starts[at + 1], 0
        for component in range(start, end):
            n_solvable += triples.is_solvable[component]
        triples.verdicts[at] = DEAD if n_solvable == 0 else ALIVE if n_solvable == end - start else DEPENDS


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
                if _are_dead(tables, triples, other, triples.boxes[j], triples.boxes[k], player, culprits):
                    return True
    clear(culprits)
    return False


@lean
def _are_dead(tables: Tables, triples: Triples, one: int, low: int, high: int, player: int, culprits: Bits) -> bool:
    """Whether boxes on three squares, low before high, are dead; where that is found out they are the culprits."""
    if one in (low, high):
        return False
    a, b, c = triples.numbers[min(one, low)], triples.numbers[max(low, min(one, high))], triples.numbers[max(one, high)]
    is_known = min(a, b, c) != NOWHERE  # else a box is on a locking tile
    verdict = triples.verdicts[rank(a, b, c)] if is_known else DEAD
    if verdict == ALIVE:
        return False
    clear(culprits)
    add(culprits, one)
    add(culprits, low)
    add(culprits, high)
    if verdict == DEAD:
        return True
    return not triples.is_solvable[_find_component(tables, triples, culprits, player, rank(a, b, c))]
