"""The one dispatch over games: the type of the tables chooses the rules, in plain Python and compiled."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

from sokoviz.core.compiling.jit import kernel
from sokoviz.errors import GameError
from sokoviz.games import rules
from sokoviz.games.tictactoe import TicTacToe
from tests.games.digits import Digits
from tests.games.worlds import make_game

pytestmark = pytest.mark.kernels


@kernel
def play_first(tables, state, actions):
    """Play the first legal action until the game is over; the outcome."""
    while rules.list_actions(tables, state, actions) > 0:
        rules.play(tables, state, actions[0])
    return rules.outcome(tables, state)


@pytest.mark.parametrize(("game", "reward"), [(TicTacToe(), 1), (Digits(), 4), (Digits(6), 6)])
def test_one_kernel_plays_any_game_and_plain_rules_agree(game, reward):
    actions = np.empty(game.max_actions, dtype=np.int64)
    assert play_first(game.tables, game.start(), actions) == reward
    assert play_first.py_func(game.tables, game.start(), actions) == reward


def test_legal_actions_leave_the_position_alone():
    game = TicTacToe("X.O/.X./...")
    state = game.start()
    assert rules.legal_actions(game, state) == [1, 3, 5, 6, 7, 8]
    assert state.tolist() == game.start().tolist()


def test_actions_are_applied_to_a_copy():
    game = TicTacToe()
    state = game.start()
    assert game.position_text(rules.apply(game, state, [4, 0, 8])) == "O../.X./..X"
    assert rules.apply(game, state, iter(())).tolist() == [0, 0]
    assert state.tolist() == [0, 0]


def test_an_illegal_action_is_refused_with_the_legal_ones():
    game = TicTacToe("X.O/.X./O.X")
    with pytest.raises(GameError, match="expected action 1 of 1 to be none, because the game is over; found 1"):
        rules.apply(game, game.start(), [1])
    game = TicTacToe("XOX/XOO/...")
    with pytest.raises(GameError, match=r"expected action 2 of 2 to be one of 6 \(Ac\), 8 \(Cc\); found 7"):
        rules.apply(game, game.start(), [7, 7])


def test_a_game_defined_again_is_compiled_again():
    for step in (1, 2):
        source = f"def play(tables, state, action):\n    state[0] += {step}\n    state[1] = 1 - state[1]\n"
        names: dict[str, Any] = {}
        exec(source, names)  # noqa: S102  as a notebook cell that is run again
        game = make_game(play=staticmethod(names["play"]))()
        assert rules.apply(game, game.start(), [1]).tolist() == [step, 1]


def test_a_rule_that_leaves_an_array_is_noticed_when_checking_is_on():
    if os.environ.get("NUMBA_BOUNDSCHECK") != "1":
        pytest.skip("bounds checking is off in this run (NUMBA_BOUNDSCHECK=1 turns it on)")

    def list_actions(tables, state, actions):  # noqa: ARG001
        actions[len(actions) + 3] = 1
        return 1

    game = make_game(list_actions=staticmethod(list_actions))()
    with pytest.raises(IndexError):
        rules.legal_actions(game, game.start())


def test_machine_code_for_our_own_games_is_kept(tmp_path):
    code = (
        "from sokoviz.games import rules; from sokoviz.games.tictactoe import TicTacToe; g = TicTacToe();"
        "rules.legal_actions(g, g.start()); print(sum(rules.fill_actions.stats.cache_hits.values()))"
    )
    environment = {**os.environ, "SOKOVIZ_CACHE": str(tmp_path)}
    hits = [
        subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True).stdout
        for _ in range(2)
    ]
    assert [int(text) for text in hits] == [0, 1]
