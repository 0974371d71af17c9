"""Tic-Tac-Toe: its rules against the twin on every position, and what people see of it."""

from __future__ import annotations

import re
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sokoviz.errors import GameError
from sokoviz.games import rules
from sokoviz.games.check import check_game
from sokoviz.games.tictactoe import TicTacToe
from sokoviz.picture import Fill
from sokoviz.squares import Square
from tests.twins import naive_games as naive

GAME = TicTacToe()
POSITIONS = naive.reachable()

# Number of games of each length that the rules allow, as everyone who counted them found.
PERFT = [9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872]


def text_of(board):
    """A twin's board as text."""
    return "/".join("".join(board[3 * row : 3 * row + 3]) for row in range(3))


def state_of(board):
    """A twin's board as a state."""
    return np.array([sum(1 << cell for cell in range(9) if board[cell] == mark) for mark in "XO"], dtype=np.int64)


def test_the_twin_reaches_as_many_positions_as_there_are():
    assert len(POSITIONS) == 5478


def test_plain_rules_are_those_of_the_twin_on_every_position():
    for board in POSITIONS:
        state, actions = state_of(board), np.empty(9, dtype=np.int64)
        n = GAME.list_actions(GAME.tables, state, actions)
        assert actions[:n].tolist() == naive.actions(board)
        for cell in naive.actions(board):
            after = state.copy()
            GAME.play(GAME.tables, after, cell)
            assert after.tolist() == state_of(naive.after(board, cell)).tolist()
        if not n:
            assert GAME.outcome(GAME.tables, state) == naive.reward(board)


@pytest.mark.kernels
def test_compiled_rules_are_those_of_the_twin_on_every_position():
    for board in POSITIONS:
        state = state_of(board)
        assert rules.legal_actions(GAME, state) == naive.actions(board)
        for cell in naive.actions(board)[:2]:
            assert rules.apply(GAME, state, [cell]).tolist() == state_of(naive.after(board, cell)).tolist()


@pytest.mark.kernels
def test_games_of_each_length_are_as_many_as_counted_elsewhere():
    level, found = {tuple(GAME.start()): 1}, []
    for _ in PERFT:
        after: dict[tuple[int, ...], int] = {}
        for position, n_ways in level.items():
            state = np.array(position, dtype=np.int64)
            for action in rules.legal_actions(GAME, state):
                child = tuple(rules.apply(GAME, state, [action]))
                after[child] = after.get(child, 0) + n_ways
        level = after
        found.append(sum(level.values()))
    assert found == PERFT


@pytest.mark.kernels
@given(st.permutations(range(9)))
def test_a_game_ends_where_the_twin_ends_it(cells):
    board = naive.EMPTY
    line = []
    for cell in cells:
        if naive.actions(board):
            board = naive.after(board, cell)
            line.append(cell)
    states, listed, reward = rules.replay(GAME, line)
    assert states[-1].tolist() == state_of(board).tolist()
    assert [len(actions) for actions in listed] == [*range(9, 9 - len(line), -1), 0]
    assert reward == naive.reward(board)


@pytest.mark.kernels
@pytest.mark.parametrize("position", ["", "X.O/.X./...", "XXX/OO./..."])
def test_it_keeps_what_a_search_relies_on(position):
    report = check_game(TicTacToe(position))
    assert report.longest <= 9
    assert set(report.rewards) <= {0, 1}


def test_names_and_clicks_are_those_of_the_twin_on_every_position():
    for board in POSITIONS:
        state, actions = state_of(board), naive.actions(board)
        if actions:
            assert GAME.player_name(state) == naive.player(board)
        else:
            assert GAME.outcome_name(state) == (f"{naive.winner(board)} wins" if naive.winner(board) else "draw")
        clicks = [GAME.action_at(state, Square(cell // 3, cell % 3)) for cell in range(9)]
        assert clicks == [cell if cell in actions else None for cell in range(9)]


def test_every_position_is_drawn_as_it_is_and_read_as_it_is_written():
    for board in POSITIONS:
        state = state_of(board)
        picture = GAME.picture(state)
        assert [name for row in picture.cells for name in row] == [letter.replace(".", "floor") for letter in board]
        assert bool(picture.overlays) == bool(naive.winner(board))
        assert GAME.position_text(state) == text_of(board)
        assert TicTacToe(text_of(board)).start().tolist() == state.tolist()


def test_three_in_a_row_are_tinted_even_two_at_once():
    game = TicTacToe("XXX/XOO/XOO")
    (won,) = game.picture(game.start()).overlays
    assert won == Fill([(0, 0), (0, 1), (0, 2), (1, 0), (2, 0)], "context")


def test_actions_are_named_by_column_and_row():
    names = [GAME.action_name(GAME.start(), action) for action in range(9)]
    assert names == ["Aa", "Ba", "Ca", "Ab", "Bb", "Cb", "Ac", "Bc", "Cc"]
    assert GAME.squares_of(GAME.start(), 5) == (Square(1, 2),)


def test_a_click_off_the_board_means_nothing():
    assert [GAME.action_at(GAME.start(), square) for square in ((0, 3), (3, 0), (-1, 0), (0, -1))] == [None] * 4


@pytest.mark.parametrize("position", ["X.O\n.X.\n...", "\nX.O\n.X.\n...\n", "x-o/_x_/   ", "X.O/.X./..."])
def test_a_position_can_be_written_in_several_ways(position):
    assert TicTacToe(position).to_json() == {"position": "X.O/.X./..."}


@pytest.mark.parametrize(
    ("position", "message"),
    [
        ("X.O/.X.", "expected three rows of three cells such as 'X.O/.X./...', found 'X.O/.X.'"),
        ("X.O/.X./....", "expected three rows of three cells"),
        ("X.O/.Z./...", "expected X, O or . in each cell, found 'Z' on Bb"),
        ("XX./.../...", "expected as many X as O or one more, because X begins; found 2 X and 0 O"),
        ("O../.../...", "expected as many X as O or one more, because X begins; found 0 X and 1 O"),
        ("XXX/OOO/...", "found that O moved after X had won"),
        ("XXX/OO./O..", "found that O moved after X had won"),
        ("OOO/XX./XX.", "found that X moved after O had won"),
    ],
)
def test_a_position_that_cannot_be_is_refused(position, message):
    with pytest.raises(GameError, match=re.escape(message)):
        TicTacToe(position)


@given(st.text("XO./", max_size=12) | st.text("XO.", min_size=9, max_size=9).map(text_of))
def test_any_text_is_a_position_or_a_clear_error(text):
    boards = {"", *map(text_of, POSITIONS)}
    if text in boards:
        assert TicTacToe(text).to_json() == {"position": text or ".../.../..."}
    else:
        with pytest.raises(GameError, match=re.escape(repr(text))):
            TicTacToe(text)


def test_it_says_what_it_is():
    assert repr(TicTacToe()) == "Tic-Tac-Toe, X to move"
    assert repr(TicTacToe("X.O/.X./...")) == "Tic-Tac-Toe, O to move from X.O/.X./..."
    assert repr(TicTacToe("XXX/OO./...")) == "Tic-Tac-Toe, X wins from XXX/OO./..."


def test_its_board_can_be_drawn_before_the_compiler_is_loaded():
    code = (
        "import sys; from sokoviz.games.tictactoe import TicTacToe as T; g = T('X.O/.X./...'); s = g.start();"
        "g.picture(s).to_svg(), g.action_name(s, 1), g.player_name(s), g.action_at(s, (0, 1)), g._repr_mimebundle_();"
        "print('numba' in sys.modules)"
    )
    answer = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert answer.stdout.strip() == "False"


def test_perfect_play_is_a_draw_and_the_twin_knows_the_classic_answers():
    assert naive.value(naive.EMPTY) == 0
    assert naive.best_actions(naive.read("X../.../...")) == [4]  # a corner is answered in the middle
    assert naive.best_actions(naive.read("X../.O./..X")) == [1, 3, 5, 7]  # two corners by an edge
    assert naive.winning_actions(naive.read("XX./OO./...")) == [2]
    assert naive.winning_actions(naive.read("XX./OO./X..")) == [5]
