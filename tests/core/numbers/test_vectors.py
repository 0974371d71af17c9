"""Four children at a time against one after the other."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from sokoviz.core.compiling.jit import lean
from sokoviz.core.numbers.vectors import LANES, find_lanes, score_lanes

values = st.one_of(st.integers(-300, 0).map(lambda total: total / 7), st.just(np.inf))
weights = st.integers(1, 10**6).map(lambda visits: 1 / visits)
children = st.lists(st.tuples(values, weights), min_size=1, max_size=3 * LANES)


@lean
def score(scores, slot, count, bonus, out, place):
    """The kernel, to be called from Python."""
    return score_lanes(scores, slot, count, bonus, out, place)


@lean
def find(numbers, place, number):
    """The kernel, to be called from Python."""
    return find_lanes(numbers, place, number)


@given(children, st.floats(0, 100), st.integers(0, 5))
def test_scores_are_those_of_a_loop_to_the_last_bit(block, bonus, slot):
    scores = np.full((2, slot + len(block) + LANES), np.nan, order="F")
    scores[:, slot : slot + len(block)] = np.transpose(block)
    out = np.zeros(len(block) + LANES)
    for place in range(0, len(block), LANES):
        highest = score(scores, slot + place, len(block) - place, bonus, out, place)
        expected = [value + bonus * weight for value, weight in block[place : place + LANES]]
        assert out[place : place + LANES].tolist() == expected + [-np.inf] * (LANES - len(expected))
        assert highest == max(expected)


@given(st.lists(st.sampled_from((-1.5, 0.0, 2.0, np.inf, -np.inf)), min_size=LANES, max_size=3 * LANES), st.data())
def test_lanes_are_found_where_the_number_is(numbers, data):
    place, number = data.draw(st.integers(0, len(numbers) - LANES)), data.draw(st.sampled_from(numbers))
    expected = sum(1 << lane for lane in range(LANES) if numbers[place + lane] == number)
    assert find(np.array(numbers), place, number) == expected
