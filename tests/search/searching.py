"""What the tests of searches share: pairs of a search and its naive twin, and comparing trees."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from sokoviz.core.tree.arena import NODES, SLOTS
from sokoviz.games.tictactoe import TicTacToe
from sokoviz.search.mcts.search import MCTS
from sokoviz.search.options import Script
from tests.games.digits import Digits
from tests.twins import naive_games, naive_mcts

EMPTY = ".../.../..."
ARRAYS = ("parents", "actions", "depths", "visits", "sums")
SELECTIONS = ("uct", "ucb1", "program", "puct")
GAMMA = 0x9E3779B97F4A7C15  # what splitmix64 adds to its state with each number

# The course of appendix B of the thesis: iteration 1 is a draw at the root, iteration 2 adds nine children and takes
# node 2, a loss for X; the other children follow with the outcomes of table B.1.
THESIS = Script(choices=(2, 1, 3, 4, 5, 6, 7, 8, 9), outcomes=(0, -1, 0, 1, 1, -1, 0, 1, 0, -1))

seeds = st.integers(min_value=0, max_value=2**64 - 1)
constants = st.one_of(st.sampled_from((0.0, 0.5, 1.0, 2.0, 8.0)), st.floats(min_value=0.0, max_value=50.0))
selections = st.sampled_from(SELECTIONS)
boards = st.sampled_from(naive_games.reachable())


def text_of(board):
    """A twin's board as text."""
    return "/".join("".join(board[3 * row : 3 * row + 3]) for row in range(3))


def tic_tac_toe(position=EMPTY, *, choices=(), outcomes=(), **options):
    """A search of Tic-Tac-Toe and its twin."""
    script = Script(choices, outcomes)
    twin = naive_mcts.NaiveSearch(
        naive_mcts.TIC_TAC_TOE, naive_games.read(position), choices=choices, outcomes=outcomes, **options
    )
    return MCTS(TicTacToe(position), script=script, **options), twin


def digits(n_digits=4, *, choices=(), outcomes=(), **options):
    """A search of the one-player game `Digits` and its twin."""
    twin = naive_mcts.NaiveSearch(
        naive_mcts.digits(n_digits), (), players=1, choices=choices, outcomes=outcomes, **options
    )
    return MCTS(Digits(n_digits), script=Script(choices, outcomes), **options), twin


def table_of(tree):
    """A tree as the twin writes it."""
    return {name: getattr(tree, name).tolist() for name in ARRAYS}


def assert_is_twin(search, twin):
    """A search has grown exactly the tree of its twin, with as many random numbers."""
    assert table_of(search.tree) == twin.table()
    for node in twin.nodes:
        assert search.tree.children(node.number) == tuple(child.number for child in node.children)
    assert int(search.engine.machine.generator[0]) == (search.settings.seed + twin.n_draws * GAMMA) % 2**64


def everything_of(search):
    """A copy of all that a search holds where it stands: tree, statistics, scores, children, counts."""
    with search.at(search.moment) as engine:
        arena = engine.arena
        n, n_slots = arena.counts[NODES], arena.counts[SLOTS]
        parts = (arena.links[:, :n], arena.sums[:n], arena.scores[:, :n_slots], arena.children[:n_slots], arena.counts)
        return [part.copy() for part in parts]


def assert_same(one, other):
    """Two searches hold the same where they stand."""
    for mine, yours in zip(everything_of(one), everything_of(other), strict=True):
        np.testing.assert_array_equal(mine, yours)


def record_of(search):
    """A copy of all that a search has written down, and of all that decides how it goes on."""
    engine = search.engine
    journal, machine = engine.written(), engine.machine
    n_events = journal.sizes[1]
    parts = (engine.steps, journal.events[:n_events], journal.sizes, machine.tip, machine.generator)
    return [part.copy() for part in parts]


def assert_same_record(one, other):
    """Two searches have the same behind them and would go on alike."""
    for mine, yours in zip(record_of(one), record_of(other), strict=True):
        np.testing.assert_array_equal(mine, yours)


def straight(n, **options):
    """A search that has run n iterations in one go."""
    search = MCTS(TicTacToe(), **options)
    search.run(iterations=n)
    return search


def assert_is_straight(search, **options):
    """A search has the record of one that ran in one go, and holds the same at its end."""
    other = straight(search.last, **options)
    search.goto(search.last)
    assert_same(search, other)
    assert_same_record(search, other)
