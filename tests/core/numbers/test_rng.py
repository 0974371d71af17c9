"""The random generator: the same numbers everywhere, and evenly spread."""

from itertools import islice

import numpy as np

from sokoviz.core.numbers.rng import fill_random, next_below, next_random
from tests.twins import naive


def test_numbers_are_those_of_the_twin():
    state = np.array([12345], dtype=np.uint64)
    assert [int(next_random(state)) for _ in range(50)] == list(islice(naive.splitmix64(12345), 50))


def test_first_number_is_the_published_one():
    # Reference value of splitmix64 with seed 0, as its authors' C program prints it.
    assert int(next_random(np.array([0], dtype=np.uint64))) == 0xE220A8397B1DCDAF


def test_filling_is_drawing_one_after_the_other():
    out = np.empty(20, dtype=np.uint64)
    fill_random(np.array([7], dtype=np.uint64), out)
    assert out.tolist() == list(islice(naive.splitmix64(7), 20))


def test_numbers_below_a_bound_are_all_drawn_about_equally_often():
    state = np.array([1], dtype=np.uint64)
    counts = np.bincount([next_below(state, 7) for _ in range(7000)], minlength=7)
    assert len(counts) == 7
    assert counts.min() > 850
    assert counts.max() < 1150
