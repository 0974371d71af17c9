"""Bitsets over the squares of a board: uint64[n_words], bit s & 63 of word s >> 6 stands for square s.

Words are asked for by unsigned numbers where it counts: numba looks at each signed one whether it is negative.
"""

from __future__ import annotations

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from sokoviz.core.compiling.jit import lean
from sokoviz.core.types import NOWHERE, Bits, Integers

ONE = np.uint64(1)
ZERO = np.uint64(0)
WORD = 64


@intrinsic
def trailing_zeros(typing_context, word):
    """Number of zero bits below the lowest one of a uint64; 64 for zero."""

    def generate(context, builder, signature, arguments):
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 0))

    return types.uint64(types.uint64), generate


@intrinsic
def count_ones(typing_context, word):
    """Number of one bits of a uint64."""

    def generate(context, builder, signature, arguments):
        return builder.ctpop(arguments[0])

    return types.uint64(types.uint64), generate


@lean
def has(bits: Bits, square: int) -> bool:
    """Whether a square is in the set."""
    return (bits[np.uint64(square >> 6)] >> np.uint64(square & 63)) & ONE != ZERO


@lean
def clear(bits: Bits) -> None:
    """Empty the set; a loop, because a slice assignment may allocate."""
    for i in range(len(bits)):
        bits[i] = ZERO


@lean
def add(bits: Bits, square: int) -> None:
    """Put a square into the set."""
    bits[np.uint64(square >> 6)] |= ONE << np.uint64(square & 63)


@lean
def remove(bits: Bits, square: int) -> None:
    """Take a square out of the set."""
    bits[np.uint64(square >> 6)] &= ~(ONE << np.uint64(square & 63))


@lean
def count(bits: Bits) -> int:
    """Number of squares in the set."""
    total = 0
    for i in range(len(bits)):
        total += np.int64(count_ones(bits[i]))
    return total


@lean
def first(bits: Bits) -> int:
    """The first square of the set in reading order, NOWHERE if it is empty."""
    for i in range(len(bits)):
        if bits[i] != ZERO:
            return WORD * i + np.int64(trailing_zeros(bits[i]))
    return NOWHERE


@lean
def squares(bits: Bits, out: Integers) -> int:
    """Write the squares of the set in ascending order into out: int64[at least as many]; return their number."""
    n = 0
    for i in range(len(bits)):
        word = bits[i]
        while word != ZERO:
            out[n] = WORD * i + np.int64(trailing_zeros(word))
            word &= word - ONE
            n += 1
    return n


@lean
def is_subset(bits: Bits, other: Bits) -> bool:
    """Whether every square of the first set is in the second."""
    for i in range(len(bits)):
        if bits[i] & ~other[i] != ZERO:
            return False
    return True


@lean
def count_common(bits: Bits, other: Bits) -> int:
    """Number of squares that are in both sets."""
    total = 0
    for i in range(len(bits)):
        total += np.int64(count_ones(bits[i] & other[i]))
    return total


@lean
def shifted_word(bits: Bits, i: int, offset: int) -> int:
    """Word i of the set moved by offset squares: square s is in it where s - offset is in the set.

    Sets of floor squares never wrap from one row into the next: the edge of the board is wall.
    """
    start = WORD * i - offset
    low = start >> 6
    part = np.uint64(start & 63)
    word = ZERO
    if 0 <= low < len(bits):
        word = bits[low] >> part
    if part != ZERO and 0 <= low + 1 < len(bits):
        word |= bits[low + 1] << (np.uint64(WORD) - part)
    return word
