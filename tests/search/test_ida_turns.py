"""Turns of iterative deepening: what is searched in a turn is what a search with those parts alone searches."""

from typing import Any

import numpy as np
import pytest

from sokoviz.core import branches
from sokoviz.search import ida_machine as machines
from sokoviz.search.ida_engine import FIRST_TURNS
from tests.search.deepenings import HARD_WORLDS, TURNING, TURNING_WORLD, search_of, solved

pytestmark = pytest.mark.kernels

# Patterns and random numbers are kept from turn to turn, so that only without them a turn is a search of its own.
BOLD: dict[str, Any] = {**TURNING, "patterns": 0, "share": 1.0}
SAFE: dict[str, Any] = {
    **BOLD,
    "tunnels": False,
    "macros": False,
    "goal_cuts": False,
    "relevance": False,
    "overestimation": 1.0,
}
ALONE: list[dict[str, Any]] = [
    BOLD,
    {**SAFE, "overestimation": 3.0},
    SAFE,
    {**BOLD, "overestimation": 1.0},
    BOLD,
    {**BOLD, "overestimation": 1.0, "relevance": False},  # relevance cuts left nothing to search in the fourth turn
]


class Turns:
    """A search, and at which step and with which threshold each of its turns began."""

    def __init__(self, **options):
        self.search = search_of(TURNING_WORLD, **{**BOLD, **options})
        engine = self.search.engine
        begin_again, self.starts, self.nodes = engine._begin_again, [(0, engine.threshold)], [0]

        def begin(limit):
            self.starts.append((engine.last, limit))
            self.nodes.append(engine.n_nodes)
            begin_again(limit)

        engine._begin_again = begin
        self.search.run(nodes=20_000, progress=False)

    def events(self, turn):
        """The events of a turn, nodes counted from its first event."""
        ends = [start for start, _ in self.starts[1:]] + [self.search.last]
        first, last = (self.search.engine.end_of(step) for step in (self.starts[turn][0], ends[turn]))
        events = self.search.engine.events[first:last].copy()
        events[events[:, branches.NODE] >= 0, branches.NODE] -= first
        return events


@pytest.fixture(scope="module")
def turns():
    """A search that came to the sixth turn."""
    return Turns()


@pytest.mark.parametrize("turn", range(len(ALONE)))
def test_a_turn_is_a_search_of_its_own(turns, turn):
    alone = search_of(TURNING_WORLD, **{**ALONE[turn], "patience": 0})
    alone.engine.machine.tip[machines.NEXT_LIMIT] = turns.starts[turn][1]
    expected = turns.events(turn)
    while len(alone.engine.events) < len(expected):
        alone.run(steps=1, progress=False)
    np.testing.assert_array_equal(alone.engine.events, expected)


def test_all_turns_but_those_that_go_on_begin_with_the_bound(turns):
    bound = turns.search.explain(1).h
    limits = [limit for _, limit in turns.starts]
    assert limits[:4] == [bound * 3 // 2, bound * 3, bound, bound]


def test_a_bold_turn_goes_on_with_the_threshold_at_which_it_was_left(turns):
    left = turns.search.explain(turns.starts[1][0])
    assert turns.starts[4][1] == left.threshold > turns.starts[0][1]


def test_turns_are_as_long_as_patience_allows():
    turns = Turns(relevance=False, patience=1)
    assert np.diff(turns.nodes).tolist()[:6] == [*FIRST_TURNS, 16, 32]


def test_a_turn_ends_early_only_where_nothing_is_left(turns):
    lengths = [times * BOLD["patience"] for times in (*FIRST_TURNS, 16)]
    early = [turn for turn, made in enumerate(np.diff(turns.nodes)) if made < lengths[turn]]
    assert early == [3, 4]
    for turn in early:
        kind, node = (turns.events(turn)[-1, column] for column in (branches.KIND, branches.NODE))
        assert (kind, turns.events(turn)[node, branches.KIND]) == (branches.LEFT, branches.THRESHOLD)


def test_how_a_run_is_cut_into_pieces_changes_no_turn(turns):
    pieces = search_of(TURNING_WORLD, **BOLD)
    while not pieces.engine.is_solved:
        pieces.run(nodes=pieces.engine.n_nodes + 3, progress=False)
    np.testing.assert_array_equal(pieces.engine.events, turns.search.engine.events)


def test_safe_parts_take_no_turns():
    for world in HARD_WORLDS[:4]:
        plain, patient = solved(world), solved(world, patience=2)
        np.testing.assert_array_equal(plain.engine.events, patient.engine.events)
