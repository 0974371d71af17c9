"""SIMBA against its twin, on random episodes."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sokoviz.learn.simba import clear_votes, count_votes, list_matches, make_votes
from tests.learn.worlds import RULES, attempt_on, random_episodes
from tests.twins import naive_curry
from tests.worlds import worlds

pytestmark = pytest.mark.kernels


def marks(world, attempt, squares):
    """Squares as the kernels mark them: int8[n_floor]."""
    is_in = np.zeros(world.tables.n_floor, dtype=np.int8)
    is_in[attempt.place_of[[world.number(square) for square in squares]]] = 1
    return is_in


def by_square(world, attempt, counts):
    """What is counted on each square."""
    squares = {int(place): divmod(number, world.width) for number, place in enumerate(attempt.place_of) if place >= 0}
    return {squares[place]: int(counts[place]) for place in np.flatnonzero(counts)}


@settings(max_examples=60)
@given(worlds(max_boxes=4, max_side=7), st.integers(0, 2**32), st.integers(1, 20), st.booleans())
def test_suggestions_and_value_are_those_of_the_twin(world, seed, n, goal_filter):
    episodes = random_episodes(world, Random(seed), n)
    attempt, buffer = attempt_on(world, episodes, RULES)
    is_box, is_goal = marks(world, attempt, world.boxes), marks(world, attempt, world.goals)
    votes = make_votes(len(episodes) + 1, world.tables.n_floor)
    matches = np.zeros((3, len(episodes)), dtype=np.int64)
    list_matches(buffer, is_box, is_goal, votes.boxes, matches)
    assert [tuple(match) for match in matches[:2].T.tolist()] == [naive_curry.simba(world.boxes, e) for e in episodes]
    for _ in range(2):  # a second count begins anew
        value = count_votes(buffer, is_box, is_goal, goal_filter, votes)
        said = naive_curry.suggestions(world.boxes, world.goals, episodes, goal_filter)
        sources, targets = [s for s, _, _ in said], [t for _, t, _ in said]
        assert by_square(world, attempt, votes.sources) == {s: sources.count(s) for s in sources}
        assert by_square(world, attempt, votes.targets) == {t: targets.count(t) for t in targets}
        assert votes.pairs.sum() == len(said)
        assert value == (sum(left for *_, left in said) / len(said) if said else np.inf)
    clear_votes(votes)
    assert not votes.pairs.any()
    assert not votes.sources.any()
    assert not votes.targets.any()


def test_of_states_that_share_as_many_boxes_the_first_counts():
    episode = {"boxes": {(1, 1), (1, 2)}, "goals": set(), "moves": [((1, 1), (1, 3), None), ((1, 3), (1, 4), None)]}
    assert naive_curry.overlaps({(1, 2), (3, 3)}, episode) == [1, 1]
    assert naive_curry.simba({(1, 2), (3, 3)}, episode) == (0, 1)
