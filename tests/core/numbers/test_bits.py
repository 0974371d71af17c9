"""Bitsets against Python sets."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from sokoviz.core.board.grid import from_bits, to_bits
from sokoviz.core.numbers import bits as kernels

N_SQUARES = 200
squares = st.sets(st.integers(0, N_SQUARES - 1))


@given(squares)
def test_squares_survive_the_way_into_a_bitset_and_back(some):
    assert set(from_bits(to_bits(some, N_SQUARES))) == some


@given(squares, st.integers(0, N_SQUARES - 1))
def test_has_add_and_remove_are_those_of_a_set(some, square):
    bits = to_bits(some, N_SQUARES)
    assert kernels.has(bits, square) == (square in some)
    kernels.add(bits, square)
    assert set(from_bits(bits)) == some | {square}
    kernels.remove(bits, square)
    assert set(from_bits(bits)) == some - {square}


@given(squares)
def test_count_first_and_squares_read_the_whole_set(some):
    bits = to_bits(some, N_SQUARES)
    out = np.empty(N_SQUARES, dtype=np.int64)
    assert kernels.count(bits) == len(some)
    assert kernels.first(bits) == min(some, default=-1)
    assert list(out[: kernels.squares(bits, out)]) == sorted(some)


@given(squares, squares)
def test_subset_and_common_squares(some, others):
    assert kernels.is_subset(to_bits(some, N_SQUARES), to_bits(others, N_SQUARES)) == (some <= others)
    assert kernels.count_common(to_bits(some, N_SQUARES), to_bits(others, N_SQUARES)) == len(some & others)


@given(squares, st.integers(-150, 150))
def test_a_shift_moves_every_square_and_drops_those_that_leave(some, offset):
    bits = to_bits(some, N_SQUARES)
    shifted = np.array([kernels.shifted_word(bits, i, offset) for i in range(len(bits))], dtype=np.uint64)
    assert set(from_bits(shifted)) == {s + offset for s in some if 0 <= s + offset < 64 * len(bits)}
