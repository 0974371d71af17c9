"""Equivalence states as numbers: Zobrist keys of the boxes and of the player's component (thesis, section 4.1.1)."""

from __future__ import annotations

import numpy as np

from sokoviz.core.compiling.jit import lean
from sokoviz.core.numbers.bits import ONE, WORD, ZERO, first, trailing_zeros
from sokoviz.core.types import Bits, Tables


@lean
def hash_boxes(tables: Tables, boxes: Bits) -> int:
    """Xor of the keys of all boxes."""
    key = ZERO
    for i in range(len(boxes)):
        word = boxes[i]
        while word != ZERO:
            key ^= tables.box_keys[WORD * i + np.int64(trailing_zeros(word))]
            word &= word - ONE
    return key


@lean
def hash_state(tables: Tables, boxes: Bits, reached: Bits) -> int:
    """Key of the equivalence state: boxes, and the component by its first square in reading order."""
    return hash_boxes(tables, boxes) ^ tables.player_keys[first(reached)]


@lean
def hash_after_push(tables: Tables, box_key: int, push: int) -> int:
    """Key of the boxes after a push, from the key before it."""
    square = push >> 2
    return box_key ^ tables.box_keys[square] ^ tables.box_keys[square + tables.steps[push & 3]]
