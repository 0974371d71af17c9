"""The decision of a relevance cut against its twin."""

import numpy as np
import pytest

from sokoviz.core.influence.relevance import RELEVANT, RETURNS, TOO_MANY, is_irrelevant, judge_push
from tests.twins import naive_influence as naive

NEAR, FAR_OFF, THRESHOLD = 3, 9, 6


def judge(squares, areas, **parameters):
    """What the kernel says of the last of some squares after the others; squares of one area influence each other."""
    table = np.array([[NEAR if a == b else FAR_OFF for b in areas] for a in areas], dtype=np.int32)
    *line, square = squares
    settings = {"k": 1, "m": 4, "threshold": THRESHOLD, **parameters}
    return judge_push(table, np.array([*line, -1]), len(line), square, *settings.values())


@pytest.mark.parametrize("seed", range(40))
def test_cuts_are_those_of_the_twin(seed):
    random = np.random.default_rng(seed)
    table = random.integers(0, 12, (8, 8)).astype(np.int32)
    by_pair = {(a, b): int(table[a, b]) for a in range(8) for b in range(8)}
    for _ in range(50):
        line, square = random.integers(0, 8, random.integers(0, 9)), int(random.integers(8))
        k, m, threshold = (int(random.integers(top)) for top in (4, 8, 12))
        expected = naive.is_cut(by_pair, line.tolist(), square, k, m, threshold)
        assert is_irrelevant(table, line, len(line), square, k, m, threshold) == expected


def test_the_first_push_is_never_cut():
    assert judge([0], "a") == RELEVANT


def test_a_switch_to_another_area_is_kept():
    assert judge([0, 0, 1], "ab") == RELEVANT


def test_a_second_switch_within_the_last_moves_is_cut():
    assert judge([0, 1, 1, 2], "abc") == TOO_MANY


def test_a_second_switch_is_kept_when_the_first_is_long_past():
    assert judge([0, 1, 1, 1, 1, 2], "abc") == RELEVANT


def test_a_return_to_an_area_just_left_is_cut_whatever_k_is():
    assert judge([0, 1, 1, 0], "ab", k=5) == RETURNS


def test_a_return_is_kept_when_the_area_was_left_long_ago():
    assert judge([0, 1, 1, 1, 1, 0], "ab", k=5) == RELEVANT


def test_moves_exactly_at_the_threshold_influence_each_other():
    assert judge([0, 1, 1, 2], "abc", threshold=FAR_OFF) == RELEVANT


def test_no_history_means_no_cut():
    assert judge([0, 1, 0, 1], "ab", m=0) == RELEVANT
