"""How well the search plays: never worse than perfect play, and never past an immediate win."""

from __future__ import annotations

import random

import pytest

from sokoviz.games.tictactoe import TicTacToe
from sokoviz.search.mcts.search import MCTS
from tests.search.searching import text_of
from tests.twins import naive_games

N_ITERATIONS = 10_000
SEEDS = range(1, 21)


def move_of(board, seed):
    """The cell that a search takes."""
    search = MCTS(TicTacToe(text_of(board)), seed=seed, journal=False)
    node = search.run(iterations=N_ITERATIONS).node
    return int(search.tree.actions[node])


def positions_met(seed, mark):
    """Positions at which the search is to move when it plays one side, and the cell that it takes.

    The other side plays perfectly, and tries each of its perfect moves.
    """
    todo, met = [naive_games.EMPTY], {}
    while todo:
        board = todo.pop()
        if naive_games.player(board) != mark:
            todo += [naive_games.after(board, cell) for cell in naive_games.best_actions(board)]
        elif naive_games.actions(board) and board not in met:
            met[board] = move_of(board, seed)
            todo.append(naive_games.after(board, met[board]))
    return met


@pytest.mark.parametrize("mark", ["X", "O"])
@pytest.mark.parametrize("seed", SEEDS)
def test_it_never_loses_against_a_perfect_player(seed, mark):
    met = positions_met(seed, mark)
    wrong = {text_of(board): cell for board, cell in met.items() if cell not in naive_games.best_actions(board)}
    assert wrong == {}
    assert len(met) >= 10
    assert all(naive_games.value(board) == 0 for board in met)


def test_it_takes_every_immediate_win():
    winnable = [board for board in naive_games.reachable() if naive_games.winning_actions(board)]
    sample = random.Random(3).sample(winnable, 600)
    missed = {}
    for number, board in enumerate(sample):
        cell = move_of(board, seed=1 + number % 20)
        if cell not in naive_games.winning_actions(board):
            missed[text_of(board)] = cell
    assert missed == {}


def test_more_iterations_find_the_best_reply_more_often():
    """X has begun in the centre: only a corner holds the draw. It is found more often the longer the search runs."""
    shares = []
    for n in (30, 300, 3000):
        found = 0
        for seed in range(60):
            search = MCTS(TicTacToe(".../.X./..."), seed=seed, journal=False)
            found += search.run(iterations=n).move in {"Aa", "Ca", "Ac", "Cc"}
        shares.append(found / 60)
    assert shares[0] < shares[-1] == 1.0
    assert shares == sorted(shares)
