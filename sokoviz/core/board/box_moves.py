"""Box moves: one box from its square to another by any number of pushes, all other boxes fixed.

Where a box goes, the player must get round it. A square parts what is around it only where it joins two *blocks* of
the floor, its biconnected components: two neighbours of a box hang together without the box's square exactly if the
edges to them lie in one block. So one depth-first search a box tells all (J. Hopcroft, R. Tarjan, "Algorithm 447", CACM
16, 1973), and each push after that takes constant time.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sokoviz.core.compiling.jit import inlined, lean
from sokoviz.core.numbers.bits import ONE as ONE_BIT
from sokoviz.core.numbers.bits import WORD, ZERO, has, trailing_zeros
from sokoviz.core.types import NOWHERE, Bits, Integers, Tables

SOURCE, TARGET, PLAYER = 0, 1, 2  # rows of a list of moves
TURN, STAMP = 0, 1  # entries of BoxScratch.counters


class BoxScratch(NamedTuple):
    """Memory that the generator works in; it need not be cleared between calls."""

    order: NDArray[np.int64]
    """int64[n_squares]: when the search came to a square; numbers go on from call to call"""
    low: NDArray[np.int64]
    """int64[n_squares]: the earliest square that can be reached from below"""
    block: NDArray[np.int64]
    """int64[n_squares]: the block of the edge by which the search came to a square"""
    way: NDArray[np.int64]
    """int64[n_squares]: squares from the start to where the search is"""
    waiting: NDArray[np.int64]
    """int64[n_squares]: squares whose block is not known yet"""
    turn: NDArray[np.int64]
    """int64[n_squares]: the next direction to look in"""
    seen: NDArray[np.int64]
    """int64[n_squares]: stamp * 16 + directions from which the player has touched the box there"""
    is_free: NDArray[np.int8]
    """int8[n_squares]: 1 where neither wall nor box is"""
    counters: NDArray[np.int64]
    """int64[2]: last number in order, last stamp"""
    targets: NDArray[np.int64]
    """int64[4 * n_floor + 1], out: square of the box in each state found; entry 0 is where it stands"""
    players: NDArray[np.int64]
    """int64[4 * n_floor + 1], out: a square of the player in each state, beside the box but in entry 0"""
    sides: NDArray[np.int64]
    """int64[4 * n_floor + 1]: directions from which the player can touch the box, as bits"""
    parents: NDArray[np.int64]
    """int64[4 * n_floor + 1], out: the state before, NOWHERE for entry 0"""
    directions: NDArray[np.int64]
    """int64[4 * n_floor + 1], out: direction of the push that led here"""


def make_box_scratch(tables: Tables) -> BoxScratch:
    """Return memory for the boxes of a level."""
    n_squares, n_states = tables.width * tables.height, 4 * tables.n_floor + 1
    by_square = [np.zeros(n_squares, dtype=np.int64) for _ in range(7)]
    by_state = [np.zeros(n_states, dtype=np.int64) for _ in range(5)]
    return BoxScratch(*by_square, np.zeros(n_squares, dtype=np.int8), np.zeros(2, dtype=np.int64), *by_state)


@lean
def mark_free(free: Bits, scratch: BoxScratch) -> None:
    """Write which squares are free into scratch.is_free: uint64[n_words] to one byte a square."""
    is_free = scratch.is_free
    for square in range(len(is_free)):
        is_free[square] = 0
    for i in range(len(free)):
        word = free[i]
        while word != ZERO:
            is_free[np.uint64(WORD * i) + trailing_zeros(word)] = 1
            word &= word - ONE_BIT


@lean
def label_blocks(tables: Tables, start: int, scratch: BoxScratch) -> None:
    """Find the blocks of the free floor around a square.

    Entries are asked for by unsigned numbers: numba looks at each signed one whether it is negative.

    Parameters
    ----------
    tables : Tables
    start : a free square
    scratch : BoxScratch, in: is_free; out: order and block of each square that hangs together with the start
    """
    order, low, block = scratch.order, scratch.low, scratch.block
    way, waiting, turn = scratch.way, scratch.waiting, scratch.turn
    before = scratch.counters[TURN]
    last, depth, n_waiting = before + 1, 0, 0
    here, lowest = np.int64(start), before + 1
    order[here], turn[here] = last, 0
    while True:
        direction = turn[np.uint64(here)]
        if direction < len(tables.steps):
            turn[np.uint64(here)] = direction + 1
            near = here + tables.steps[np.uint64(direction)]
            if not scratch.is_free[np.uint64(near)]:
                continue
            met = order[np.uint64(near)]
            if met <= before:
                low[np.uint64(here)], way[np.uint64(depth)] = lowest, here
                waiting[np.uint64(n_waiting)] = near
                n_waiting += 1
                depth += 1
                last += 1
                here, lowest = near, last
                order[np.uint64(near)], turn[np.uint64(near)] = last, 0
            elif depth == 0 or near != way[np.uint64(depth - 1)]:
                lowest = min(lowest, met)
            continue
        if depth == 0:
            break
        depth -= 1
        parent = way[np.uint64(depth)]
        if lowest >= order[np.uint64(parent)]:  # nothing below here leads past the parent: a block is complete
            near = np.int64(NOWHERE)
            while near != here:
                n_waiting -= 1
                near = waiting[np.uint64(n_waiting)]
                block[np.uint64(near)] = order[np.uint64(here)]
        here, lowest = parent, min(lowest, low[np.uint64(parent)])
    scratch.counters[TURN] = last


@inlined
def _block_between(scratch: BoxScratch, one: int, other: int) -> int:
    """The block of the edge between two squares: that by which the search came to the later one."""
    later = one if scratch.order[np.uint64(one)] > scratch.order[np.uint64(other)] else other
    return scratch.block[np.uint64(later)]


@inlined
def _sides_with(tables: Tables, scratch: BoxScratch, square: int, side: int) -> int:
    """All sides of a box that the player can walk to from one of them, as bits."""
    block = _block_between(scratch, square, square + tables.steps[side])
    sides = 0
    for direction in range(4):
        near = square + tables.steps[direction]
        if scratch.is_free[np.uint64(near)] and _block_between(scratch, square, near) == block:
            sides |= 1 << direction
    return sides


@lean
def sides_reached(tables: Tables, reached: Bits, square: int) -> int:
    """The sides of a box on a square that lie in a component, as bits."""
    sides = 0
    for direction in range(4):
        if has(reached, square + tables.steps[direction]):
            sides |= 1 << direction
    return sides


@lean
def spread_box(tables: Tables, source: int, player: int, sides: int, scratch: BoxScratch) -> int:
    """Find every square that a box can be pushed to, and every zone in which the player can end up there.

    A breadth-first search over (square of the box, zone of the player), so the parents give a way with fewest pushes.

    Parameters
    ----------
    tables : Tables
    source : square of the box; `label_blocks` has begun there, with the square itself free
    player : square of the player
    sides : sides of the box that the player can walk to
    scratch : BoxScratch, out: targets, players, sides, parents and directions

    Returns
    -------
    number of states
    """
    targets, players, seen = scratch.targets, scratch.players, scratch.seen
    scratch.counters[STAMP] += 1
    stamp = scratch.counters[STAMP] << 4
    targets[0], players[0], scratch.sides[0] = source, player, sides
    scratch.parents[0], scratch.directions[0] = NOWHERE, NOWHERE
    seen[source] = stamp | sides
    head, tail = 0, 1
    while head < tail:
        square, around = targets[np.uint64(head)], scratch.sides[np.uint64(head)]
        for side in range(4):
            target = square + tables.steps[side ^ 1]
            if not around >> side & 1 or not scratch.is_free[np.uint64(target)]:
                continue
            known = max(seen[np.uint64(target)], stamp)
            if known >> side & 1:
                continue
            zone = _sides_with(tables, scratch, target, side)
            seen[np.uint64(target)] = known | zone
            targets[np.uint64(tail)], players[np.uint64(tail)], scratch.sides[np.uint64(tail)] = target, square, zone
            scratch.parents[np.uint64(tail)], scratch.directions[np.uint64(tail)] = head, side ^ 1
            tail += 1
        head += 1
    return tail


@lean
def find_box_states(tables: Tables, free: Bits, reached: Bits, player: int, source: int, scratch: BoxScratch) -> int:
    """Find the states of one box; see `spread_box`.

    Parameters
    ----------
    tables : Tables
    free : uint64[n_words], floor without any box
    reached : uint64[n_words], the component of the player
    player : square of the player
    source : square of the box
    scratch : BoxScratch, out
    """
    mark_free(free, scratch)
    return _find_states(tables, reached, player, source, scratch)


@inlined
def _find_states(tables: Tables, reached: Bits, player: int, source: int, scratch: BoxScratch) -> int:
    """The states of one box, where scratch.is_free tells which squares are free."""
    sides, n = sides_reached(tables, reached, source), 1
    scratch.targets[0], scratch.players[0], scratch.parents[0] = source, player, NOWHERE
    if _can_start(tables, source, sides, scratch):
        scratch.is_free[source] = 1
        label_blocks(tables, source, scratch)
        n = spread_box(tables, source, player, sides, scratch)
        scratch.is_free[source] = 0
    return n


@inlined
def _can_start(tables: Tables, source: int, sides: int, scratch: BoxScratch) -> bool:
    """Whether a box can be pushed at all: most often it cannot, and nothing else has to be found out."""
    for side in range(4):
        if sides >> side & 1 and scratch.is_free[source + tables.steps[side ^ 1]]:
            return True
    return False


@lean
def list_box_moves(
    tables: Tables, boxes: Bits, free: Bits, reached: Bits, player: int, scratch: BoxScratch, moves: Integers, n: int
) -> int:
    """List the moves of all boxes: from a square to another one, one for each zone in which the player can end up.

    Parameters
    ----------
    tables : Tables
    boxes, free, reached : uint64[n_words], the boxes, floor without boxes, the component of the player
    player : square of the player
    scratch : BoxScratch
    moves : int[3, n + most], out: from column n on source, target and square of the player, boxes in reading order
    n : number of moves that are in the list already

    Returns
    -------
    new number of moves
    """
    mark_free(free, scratch)
    for i in range(len(boxes)):
        word = boxes[i]
        while word != ZERO:
            source = WORD * i + np.int64(trailing_zeros(word))
            word &= word - ONE_BIT
            n_states = _find_states(tables, reached, player, source, scratch)
            for state in range(1, n_states):
                if scratch.targets[state] != source:
                    moves[SOURCE, n] = source
                    moves[TARGET, n] = scratch.targets[state]
                    moves[PLAYER, n] = scratch.players[state]
                    n += 1
    return n
