"""Pushes and pulls: generate, make, undo, count.

A push is 4 * square of the box + direction, and so is a pull; a pull's direction is the way the box goes, towards the
player. All four directions are generated word by word on bitsets.
"""

from __future__ import annotations

import numpy as np

from sokoviz.core.board.reach import find_free, flood
from sokoviz.core.compiling.jit import lean
from sokoviz.core.numbers.bits import ONE, WORD, ZERO, add, remove, shifted_word, trailing_zeros
from sokoviz.core.types import Bits, Integers, Tables


@lean
def _list_boxes(word: int, i: int, direction: int, out: Integers, n: int) -> int:
    """Append a push (or pull) for each box in word i of a bitset to the n in out; return their new number."""
    while word != ZERO:
        out[n] = 4 * (WORD * i + np.int64(trailing_zeros(word))) + direction
        word &= word - ONE
        n += 1
    return n


@lean
def generate_pushes(tables: Tables, boxes: Bits, reached: Bits, targets: Bits, out: Integers) -> int:
    """List the pushes that the player can do from anywhere in the component.

    Parameters
    ----------
    tables : Tables
    boxes : uint64[n_words]
    reached : uint64[n_words], the component of the player
    targets : uint64[n_words], squares a box may go to: the free floor, or only its live part
    out : int64[at least 4 * number of boxes], the pushes, by direction and then by square

    Returns
    -------
    number of pushes
    """
    n = 0
    for direction in range(4):
        step = tables.steps[direction]
        for i in range(len(boxes)):
            if boxes[i] == ZERO:
                continue
            word = boxes[i] & shifted_word(reached, i, step) & shifted_word(targets, i, -step)
            n = _list_boxes(word, i, direction, out, n)
    return n


@lean
def can_push(tables: Tables, boxes: Bits, reached: Bits, targets: Bits) -> bool:
    """Whether there is any push; the arguments are those of `generate_pushes`."""
    for direction in range(4):
        step = tables.steps[direction]
        for i in range(len(boxes)):
            if boxes[i] & shifted_word(reached, i, step) & shifted_word(targets, i, -step) != ZERO:
                return True
    return False


@lean
def generate_pulls(tables: Tables, boxes: Bits, reached: Bits, free: Bits, out: Integers) -> int:
    """List the pulls that the player can do: box and player each go one square in the pull's direction.

    Parameters
    ----------
    tables : Tables
    boxes : uint64[n_words]
    reached : uint64[n_words], the component of the player
    free : uint64[n_words], floor without boxes
    out : int64[at least 4 * number of boxes], the pulls, by direction and then by square

    Returns
    -------
    number of pulls
    """
    n = 0
    for direction in range(4):
        step = tables.steps[direction]
        for i in range(len(boxes)):
            if boxes[i] == ZERO:
                continue
            word = boxes[i] & shifted_word(reached, i, -step) & shifted_word(free, i, -2 * step)
            n = _list_boxes(word, i, direction, out, n)
    return n


@lean
def make_push(tables: Tables, boxes: Bits, push: int) -> int:
    """Move the box of a push (or of a pull) and return the square of the player after a push."""
    square = push >> 2
    remove(boxes, square)
    add(boxes, square + tables.steps[push & 3])
    return square


@lean
def undo_push(tables: Tables, boxes: Bits, push: int) -> int:
    """Take a push (or a pull) back and return a square of the player before the push."""
    square = push >> 2
    step = tables.steps[push & 3]
    remove(boxes, square + step)
    add(boxes, square)
    return square - step


@lean
def player_after_pull(tables: Tables, pull: int) -> int:
    """The square of the player after a pull: one beyond the box's new square."""
    return (pull >> 2) + 2 * tables.steps[pull & 3]


@lean
def count_lines(
    tables: Tables,
    boxes: Bits,
    player: int,
    depth: int,
    free: Bits,
    reached: Bits,
    pushes: Integers,
) -> int:
    """Number of ways to do depth pushes one after the other (perft, as chess programs call it).

    Parameters
    ----------
    tables : Tables
    boxes : uint64[n_words], unchanged on return
    player : square of the player
    depth : number of pushes, at least 1
    free, reached : uint64[n_words], scratch
    pushes : int64[depth, at least 4 * number of boxes], scratch
    """
    find_free(tables, boxes, free)
    flood(free, tables.width, player, reached)
    n = generate_pushes(tables, boxes, reached, free, pushes[depth - 1])
    if depth == 1:
        return n
    total = 0
    for k in range(n):
        push = pushes[depth - 1, k]
        after = make_push(tables, boxes, push)
        total += count_lines(tables, boxes, after, depth - 1, free, reached, pushes)
        undo_push(tables, boxes, push)
    return total
