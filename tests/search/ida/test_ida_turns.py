"""Turns of iterative deepening: what is searched in a turn is what a search with those parts alone searches."""

from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from sokoviz.core.branches import record as branches
from sokoviz.search.ida import arrays as machines
from sokoviz.search.ida.engine import DRAW, SAFE_TURN, _luby
from tests.search.ida.deepenings import HARD_WORLDS, TURNING, TURNING_WORLD, search_of, solved

pytestmark = pytest.mark.kernels

# Patterns and random numbers are kept from turn to turn, so that only without them a turn is a search of its own.
BOLD: dict[str, Any] = {**TURNING, "patterns": (), "share": 1.0}
SAFE: dict[str, Any] = {
    **BOLD,
    "tunnels": False,
    "macros": False,
    "goal_cuts": False,
    "relevance": False,
    "overestimation": 1.0,
}
PLAIN: dict[str, Any] = {**BOLD, "overestimation": 1.0}
ALONE: list[dict[str, Any]] = [
    BOLD,
    {**SAFE, "overestimation": 3.0},
    SAFE,
    BOLD,
    {**BOLD, "relevance": False},  # relevance cuts left nothing to search
    PLAIN,
    {**PLAIN, "relevance": False},  # and here
    {**BOLD, "relevance": False},
]
"""parts of each stretch of the search: a turn, or what is left of it without cuts"""
TURNS = [0, 1, 2, 3, 3, 4, 4, 5]
"""the turn of each stretch"""


UNCUT = [SAFE_TURN + number for number in (3, 7, 15)]
"""turns without cuts where chance decides about them"""


class Turns:
    """A search, and at which step, with which threshold and in which turn it began again each time."""

    def __init__(self, **options):
        self.search = search_of(TURNING_WORLD, **{**BOLD, **options})
        engine = self.search.engine
        begin_again, self.starts, self.nodes = engine._begin_again, [(0, engine.threshold)], [0]
        self.turns = [0]

        def begin(limit):
            self.starts.append((engine.last, limit))
            self.turns.append(engine._turn)
            self.nodes.append(engine.n_nodes)
            begin_again(limit)

        engine._begin_again = begin
        self.search.run(nodes=20_000, progress=False)

    def events(self, number):
        """The events of a stretch, nodes counted from its first event."""
        ends = [start for start, _ in self.starts[1:]] + [self.search.last]
        first, last = (self.search.record.end_of(step) for step in (self.starts[number][0], ends[number]))
        events = self.search.record.events[first:last].copy()
        events[events[:, branches.NODE] >= 0, branches.NODE] -= first
        return events


def assert_begins_with(search, limit, expected):
    """A search that begins with a threshold has some events, and no others while it makes them."""
    search.engine.machine.tip[machines.NEXT_LIMIT] = limit
    while len(search.record.events) < len(expected):
        search.run(steps=1, progress=False)
    np.testing.assert_array_equal(search.record.events, expected)


@pytest.fixture(scope="module")
def turns():
    """A search that came to the sixth turn."""
    return Turns()


def test_cuts_that_leave_nothing_are_given_up_within_their_turn(turns):
    assert turns.turns == TURNS


@pytest.mark.parametrize("number", range(len(ALONE)))
def test_a_stretch_is_a_search_of_its_own(turns, number):
    alone = search_of(TURNING_WORLD, **{**ALONE[number], "patience": 0})
    assert_begins_with(alone, turns.starts[number][1], turns.events(number))


def test_all_stretches_but_those_that_go_on_begin_with_the_bound(turns):
    bound = turns.search.explain(1).h
    limits = [limit for _, limit in turns.starts]
    bold = bound * 3 // 2
    assert [limits[number] for number in (0, 1, 2, 4, 5, 6)] == [bold, bound * 3, bound, bold, bound, bound]


def test_a_bold_turn_goes_on_with_the_threshold_at_which_it_was_left(turns):
    for left, taken_up in ((0, 3), (4, 7)):
        last = turns.search.explain(turns.starts[left + 1][0])
        assert turns.starts[taken_up][1] == last.threshold > turns.starts[left][1]


@pytest.fixture(scope="module")
def draws():
    """A search in which chance decides about cuts, in many turns of a few nodes."""
    return Turns(share=0.5, patience=1)


def test_draws_are_mostly_short_and_each_turn_without_cuts_is_longer_than_any_before(draws):
    assert [_luby(number) for number in range(1, 16)] == [1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8]
    assert draws.turns == list(range(18))
    made = np.diff(draws.nodes)
    assert made[:16].tolist() == [1, 2, 4, *(DRAW * _luby(number) for number in range(1, 14))]
    assert made[16] < DRAW * _luby(14)  # this draw left nothing to search


def test_each_draw_begins_anew_and_some_with_the_plain_bound(draws):
    bound = draws.search.explain(1).h
    limits = [limit for _, limit in draws.starts]
    drawn = {turn: limits[turn] for turn in range(SAFE_TURN + 1, 17) if turn not in UNCUT}
    assert {turn for turn, limit in drawn.items() if limit == bound} == {7, 11, 14}
    assert set(drawn.values()) == {bound, bound * 3 // 2}


def test_between_draws_one_search_without_cuts_goes_on(draws):
    for left, taken_up in pairwise(UNCUT):
        last = draws.search.explain(draws.starts[left + 1][0])
        assert draws.starts[taken_up][1] == last.threshold > draws.starts[left][1]
        alone = search_of(TURNING_WORLD, **{**BOLD, "relevance": False, "patience": 0})
        assert_begins_with(alone, draws.starts[left][1], draws.events(left))


def test_turns_are_as_long_as_patience_allows():
    turns = Turns(relevance=False, patience=1)
    assert np.diff(turns.nodes).tolist() == [1, 2, 4, 8, 16, 32, 64]


def test_a_stretch_ends_early_only_where_nothing_is_left(turns):
    lengths = [BOLD["patience"] << turn for turn in TURNS]
    early = [number for number, made in enumerate(np.diff(turns.nodes)) if made < lengths[number]]
    assert early == [3, 5]
    for number in early:
        kind, node = (turns.events(number)[-1, column] for column in (branches.KIND, branches.NODE))
        assert (kind, turns.events(number)[node, branches.KIND]) == (branches.DONE_BELOW, branches.THRESHOLD)


def test_how_a_run_is_cut_into_pieces_changes_no_turn(turns):
    pieces = search_of(TURNING_WORLD, **BOLD)
    while not pieces.engine.is_solved:
        pieces.run(nodes=3, progress=False)
    np.testing.assert_array_equal(pieces.record.events, turns.search.record.events)


def test_safe_parts_take_no_turns():
    for world in HARD_WORLDS[:4]:
        plain, patient = solved(world), solved(world, patience=2)
        np.testing.assert_array_equal(plain.record.events, patient.record.events)
