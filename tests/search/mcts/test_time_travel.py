"""A search is at home at every moment of its record: going there in any way gives the same arrays."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sokoviz.errors import SearchError
from sokoviz.games.tictactoe import TicTacToe
from sokoviz.search.mcts import engine as engines
from sokoviz.search.mcts.search import MCTS
from tests.games.digits import Digits
from tests.search.searching import (
    THESIS,
    assert_same,
    assert_same_record,
    everything_of,
    record_of,
    seeds,
    selections,
    table_of,
)

pytestmark = pytest.mark.kernels

N = 120
GAMES = {
    "two players": lambda: MCTS(TicTacToe(), seed=3),
    "one player": lambda: MCTS(Digits(5), seed=3),
    "scripted": lambda: MCTS(TicTacToe(), seed=3, script=THESIS),
    "near the end": lambda: MCTS(TicTacToe("X.O/.X./..O"), seed=3),
}


@pytest.fixture(params=GAMES)
def make(request):
    """Makes a new search of one of the games."""
    return GAMES[request.param]


@pytest.fixture(scope="module")
def fresh():
    """What fresh searches hold after 0, 1, ..., N iterations, by game."""
    found = {}
    for name, make in GAMES.items():
        search = make()
        found[name] = [everything_of(search)]
        for _ in range(N):
            search.run(iterations=1)
            found[name].append(everything_of(search))
    return found


def run(search, *numbers):
    """Run a search by some numbers of iterations, one after the other."""
    for n in numbers:
        search.run(iterations=n)
    return search


def assert_holds(search, arrays):
    """A search holds some arrays where it stands."""
    for mine, yours in zip(everything_of(search), arrays, strict=True):
        np.testing.assert_array_equal(mine, yours)


# --- in pieces -------------------------------------------------------------------------------------------------------


def test_one_and_one_and_one_is_three(make):
    pieces, whole = run(make(), 1, 1, 1), run(make(), 3)
    assert_same(pieces, whole)
    assert_same_record(pieces, whole)


def test_steps_are_runs_of_one(make):
    stepped, whole = make(), run(make(), 25)
    for k in range(1, 26):
        assert stepped.step().number == k
    assert_same(stepped, whole)
    assert_same_record(stepped, whole)


@settings(max_examples=25)
@given(seeds, selections, st.lists(st.integers(min_value=0, max_value=40), max_size=8))
def test_any_pieces_are_the_whole(seed, selection, pieces):
    one = run(MCTS(TicTacToe(), seed=seed, selection=selection), *pieces)
    other = run(MCTS(TicTacToe(), seed=seed, selection=selection), sum(pieces))
    assert_same(one, other)
    assert_same_record(one, other)


@pytest.mark.parametrize("until", ["tie", "expansion", "terminal", "deeper", "leader", 7, 40])
def test_stopping_on_the_way_changes_nothing(until):
    stopped, whole = GAMES["near the end"](), run(GAMES["near the end"](), N)
    while stopped.last < N:
        stopped.run(iterations=N - stopped.last, until=until)
    assert_same(stopped, whole)
    assert_same_record(stopped, whole)


# --- back and forth --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", GAMES)
def test_any_order_of_moments(name, fresh):
    search, generator = run(GAMES[name](), N), random.Random(name)
    for k in [generator.randrange(N + 1) for _ in range(300)]:
        search.goto(k)
        assert (search.steps, search.phase, search.last) == (k, "", N)
        assert_holds(search, fresh[name][k])


@pytest.mark.parametrize("name", GAMES)
def test_any_order_of_phases(name, fresh):
    """Selection shows the tree before the iteration, backpropagation the one after it, the others what lies between."""
    search, generator = run(GAMES[name](), N), random.Random(name)
    for _ in range(300):
        k = generator.randrange(N)
        phases = search.phases_of(k + 1)
        assert ("expansion" in phases) == (len(fresh[name][k + 1][1]) > len(fresh[name][k][1]))
        phase = generator.choice(phases)
        search.goto(k, phase)
        assert (search.steps, search.phase) == (k, phase)
        if phase == "selection":
            assert_holds(search, fresh[name][k])
        elif phase == "backpropagation":
            assert_holds(search, fresh[name][k + 1])
        else:
            assert_is_between(search, fresh[name][k], fresh[name][k + 1])


def assert_is_between(search, before, after):
    """The nodes are those of after the iteration, the statistics those of before it."""
    (links, sums, scores, children, _), (n_before, n_after) = everything_of(search), (len(before[1]), len(after[1]))
    assert links.shape[1] == n_after
    np.testing.assert_array_equal(links[:5], after[0][:5])
    np.testing.assert_array_equal(links[5, :n_before], before[0][5])
    np.testing.assert_array_equal(sums[:n_before], before[1])
    np.testing.assert_array_equal(scores[:, : n_before - 1], before[2])
    np.testing.assert_array_equal(children, after[3])
    assert not links[5, n_before:].any()
    assert not sums[n_before:].any()


def test_stepping_by_phases_there_and_back(make):
    search, seen = make(), []
    while search.steps < 20:
        seen.append((search.moment, everything_of(search)))
        search.step_phase()
    assert len({moment for moment, _ in seen}) == len(seen)
    for moment, arrays in reversed(seen):
        search.back_phase()
        assert search.moment == moment
        assert_holds(search, arrays)
    search.back_phase()
    assert search.moment == (0, "")
    assert search.last == 20


def test_step_finishes_the_iteration_that_is_shown_and_back_returns_to_its_start(make):
    search = run(make(), 5)
    search.goto(3, "simulation")
    assert search.step().number == 4
    assert search.moment == (4, "")
    search.goto(3, "simulation")
    search.back()
    assert search.moment == (3, "")
    search.back()
    assert search.moment == (2, "")


def test_back_stops_at_the_bare_root():
    search = run(MCTS(TicTacToe()), 1)
    for _ in range(3):
        search.back()
    assert search.moment == (0, "")
    assert len(search.tree) == 1


def test_undo_to_the_bare_root_and_redo_to_the_end(make):
    search = run(make(), N)
    end, record = everything_of(search), record_of(search)
    search.goto(0)
    root = everything_of(search)
    assert root[1].tolist() == [0]
    assert root[2].size == 0
    assert root[4].tolist() == [1, 0, 0]
    search.goto(N)
    assert_holds(search, end)
    for mine, yours in zip(record_of(search), record, strict=True):
        np.testing.assert_array_equal(mine, yours)


@settings(max_examples=25)
@given(
    seeds,
    st.lists(st.tuples(st.integers(min_value=0, max_value=60), st.integers(min_value=0, max_value=30)), max_size=6),
)
def test_going_back_and_running_on_gives_the_same_tree(seed, journeys):
    wanderer = run(MCTS(TicTacToe(), seed=seed), 10)
    for k, n in journeys:
        wanderer.goto(min(k, wanderer.last))
        wanderer.run(iterations=n)
    wanderer.goto(wanderer.last)
    straight = run(MCTS(TicTacToe(), seed=seed), wanderer.last)
    assert_same(wanderer, straight)
    assert_same_record(wanderer, straight)


def test_going_on_from_a_phase_gives_the_same_tree(make):
    wanderer = run(make(), 30)
    wanderer.goto(11, "simulation")
    wanderer.run(iterations=50)
    assert wanderer.moment == (61, "")
    assert_same(wanderer, run(make(), 61))


def test_explaining_and_scoring_change_nothing(make):
    search, straight = make(), run(make(), N)
    for _ in range(N // 10):
        search.run(iterations=10)
        moment = search.moment
        for k in range(1, search.last + 1, 7):
            search.explain(k)
        search.candidates(0)
        assert search.moment == moment
    assert_same(search, straight)
    assert_same_record(search, straight)


@pytest.mark.parametrize("iteration", [-1, 31, 10**20])
def test_moments_beyond_the_record_are_refused(iteration):
    search = run(MCTS(TicTacToe()), 30)
    with pytest.raises(SearchError, match=f"expected an iteration from 0 to 30.*found {iteration}"):
        search.goto(iteration)
    assert search.steps == 30


def test_phases_that_an_iteration_does_not_have_are_refused():
    search = run(MCTS(TicTacToe()), 30)
    with pytest.raises(
        SearchError, match=r"phase of iteration 1 \(selection, simulation, backpropagation\).*'expansion'"
    ):
        search.goto(0, "expansion")
    with pytest.raises(SearchError, match="the record ends there"):
        search.goto(30, "selection")
    assert search.moment == (30, "")


# --- without a journal, and with little room -------------------------------------------------------------------------


@pytest.mark.parametrize("selection", ["uct", "puct"])
def test_without_a_journal_the_tree_is_the_same(selection):
    silent = MCTS(TicTacToe(), seed=9, selection=selection, journal=False)
    result = run(silent, 100, 900).result
    loud = run(MCTS(TicTacToe(), seed=9, selection=selection), 1000)
    assert table_of(silent.tree) == table_of(loud.tree)
    assert (result.iterations, silent.steps, silent.last) == (1000, 1000, 1000)
    assert result.move == loud.result.move


@pytest.mark.parametrize(
    "use",
    [
        lambda search: search.goto(3),
        lambda search: search.goto(0),
        lambda search: search.back(),
        lambda search: search.back_phase(),
        lambda search: search.step_phase(),
        lambda search: search.step(),
        lambda search: search.explain(2),
        lambda search: search.candidates(0),
        lambda search: search.history,
        lambda search: search.run(iterations=5, until=lambda _: True),
    ],
)
def test_without_a_journal_there_is_no_way_back(use):
    search = run(MCTS(TicTacToe(), journal=False), 5)
    with pytest.raises(SearchError, match="journal"):
        use(search)
    assert search.steps == search.last
    again = run(MCTS(TicTacToe(), journal=False), search.last)
    assert table_of(search.tree) == table_of(again.tree)


def test_growing_changes_nothing(make, monkeypatch):
    roomy = run(make(), 2000)
    monkeypatch.setattr(engines, "FIRST_CAPACITY", 4)
    tight = run(make(), 1, 7, 500, 1492)
    assert len(tight.engine.arena.sums) != len(roomy.engine.arena.sums)
    assert_same(tight, roomy)
    assert_same_record(tight, roomy)
    tight.goto(777)
    roomy.goto(777)
    assert_same(tight, roomy)
    assert tight.explain(1500) == roomy.explain(1500)


def test_growing_without_a_journal_changes_nothing(monkeypatch):
    roomy = run(MCTS(TicTacToe(), journal=False), 2000)
    monkeypatch.setattr(engines, "FIRST_CAPACITY", 4)
    tight = run(MCTS(TicTacToe(), journal=False), 2000)
    assert table_of(tight.tree) == table_of(roomy.tree)


def test_memory_that_is_full_ends_a_run_and_loses_nothing(monkeypatch):
    monkeypatch.setattr(engines, "FIRST_CAPACITY", 64)
    search = MCTS(TicTacToe(), memory=1_000_000)
    result = search.run(iterations=1_000_000)
    assert result.stopped_by == "memory"
    assert "memory" in repr(result)
    assert 0 < result.iterations == search.last < 1_000_000
    assert search.engine.n_bytes <= 1_000_000
    assert_same(search, run(MCTS(TicTacToe()), search.last))
    before = search.last
    assert search.run(iterations=10).stopped_by == "memory"
    with pytest.raises(SearchError, match="1,000,000 bytes"):
        search.step()
    assert search.last == before
    search.goto(before // 2)
    assert search.explain(before).number == before
    assert search.run(iterations=5).stopped_by == "iterations"


@pytest.mark.parametrize("room", [200_000, 700_000, 3_000_000])
def test_memory_is_never_exceeded(room, monkeypatch):
    monkeypatch.setattr(engines, "FIRST_CAPACITY", 32)
    search = MCTS(TicTacToe(), memory=room)
    assert search.run(iterations=10**7).stopped_by == "memory"
    assert room / 4 < search.engine.n_bytes <= room
