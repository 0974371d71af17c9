"""The highest of many ranks against a plain search."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from sokoviz.core.numbers.rank_tree import clear_ranks, find_winner, make_tournament, set_rank
from sokoviz.core.types import NOWHERE

CHANGES = st.lists(st.tuples(st.integers(0, 12), st.sampled_from([0.0, 0.25, 0.5, 1.0])), max_size=40)


@given(CHANGES)
def test_the_winner_is_the_first_of_the_highest(changes):
    ranks, known = make_tournament(13), [0.0] * 13
    for index, rank in changes:
        set_rank(ranks, index, rank)
        known[index] = rank
        assert find_winner(ranks) == (known.index(max(known)) if max(known) > 0 else NOWHERE)


@given(CHANGES, st.integers(13, 16))
def test_after_clearing_nothing_is_left(changes, n):
    ranks = make_tournament(16)
    for index, rank in changes:
        set_rank(ranks, index, rank)
    clear_ranks(ranks, n)
    assert not ranks.any()
