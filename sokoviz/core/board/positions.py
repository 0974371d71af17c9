"""Sokoban positions as a search writes them: int64[n_words + 1], the words of the boxes and the player's square."""

from __future__ import annotations

import numpy as np

from sokoviz.core.board.pushes import generate_pushes
from sokoviz.core.board.reach import find_free, flood
from sokoviz.core.compiling.jit import lean
from sokoviz.core.numbers.bits import is_subset
from sokoviz.core.types import Bits, Integers, Tables

BIT = np.int64(1)


@lean
def toggle_push(board: Tables, state: Integers, push: int) -> None:
    """Take the box of a push to where it goes, or back: both change the same two bits."""
    square = push >> 2
    target = square + board.steps[push & 3]
    state[np.uint64(square >> 6)] ^= BIT << np.int64(square & 63)
    state[np.uint64(target >> 6)] ^= BIT << np.int64(target & 63)


@lean
def play_push(board: Tables, state: Integers, push: int) -> None:
    """Push a box; the player then stands where the box was."""
    toggle_push(board, state, push)
    state[len(state) - 1] = push >> 2


@lean
def read_boxes(state: Integers, boxes: Bits) -> None:
    """Copy the boxes of a position into boxes, uint64[n_words]."""
    for i in range(len(boxes)):
        boxes[i] = np.uint64(state[i])


@lean
def find_pushes(board: Tables, scratch: Bits, state: Integers, pushes: Integers) -> int:
    """Write the pushes of a position, none where it is solved; scratch is uint64[3, n_words]."""
    boxes, free, reached = scratch[0], scratch[1], scratch[2]
    read_boxes(state, boxes)
    if is_subset(boxes, board.goals):
        return 0
    find_free(board, boxes, free)
    flood(free, board.width, state[len(state) - 1], reached)
    return generate_pushes(board, boxes, reached, free, pushes)
