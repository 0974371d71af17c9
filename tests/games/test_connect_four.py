"""The game that lesson 2b defines: short enough, and right."""

from __future__ import annotations

import ast
import random
import sys
from types import ModuleType
from typing import Any

import nbformat
import pytest

from sokoviz.errors import GameError
from sokoviz.games import rules
from sokoviz.games.check import check_game
from sokoviz.squares import Square
from tests.conftest import CHECKOUT
from tests.twins import naive_games as naive

NOTEBOOK = CHECKOUT / "notebooks" / "02b-a-game-of-your-own.ipynb"
LONGEST_GAME = 80


@pytest.fixture(scope="module")
def sources():
    """The code cells up to the one that defines the game."""
    cells = [cell.source for cell in nbformat.read(NOTEBOOK, as_version=4).cells if cell.cell_type == "code"]
    last = next(number for number, source in enumerate(cells) if source.startswith("class ConnectFour"))
    return cells[: last + 1]


@pytest.fixture(scope="module")
def connect_four(sources):
    """The class, defined as in a notebook."""
    module: Any = ModuleType("connect_four_of_lesson_2b")
    sys.modules[module.__name__] = module
    for source in sources:
        exec(source, vars(module))  # noqa: S102  our own notebook
    yield module.ConnectFour
    del sys.modules[module.__name__]


def test_the_game_has_less_than_eighty_lines(sources):
    definitions = [
        node
        for source in sources
        for node in ast.parse(source).body
        if isinstance(node, ast.FunctionDef | ast.ClassDef)
    ]
    assert {node.name for node in definitions} == {"fours", "ConnectFour"}
    firsts = [min([node.lineno, *(line.lineno for line in node.decorator_list)]) for node in definitions]
    lengths = [(node.end_lineno or 0) - first + 1 for node, first in zip(definitions, firsts, strict=True)]
    assert sum(lengths) < LONGEST_GAME


@pytest.mark.kernels
def test_its_rules_and_pictures_are_those_of_the_twin(connect_four):
    game, chance = connect_four(), random.Random(1)
    for _ in range(100):
        state, board = game.start(), ("",) * 7
        while actions := naive.open_columns(board, 6):
            assert rules.legal_actions(game, state) == actions
            assert game.player_name(state) == "XO"[sum(map(len, board)) % 2]
            action = chance.choice(actions)
            assert game.squares_of(state, action) == (Square(5 - len(board[action]), action),)
            state, board = rules.apply(game, state, [action]), naive.drop(board, action)
            assert pieces_of(game.picture(state)) == list(board)
        check_the_end(game, state, board)


def check_the_end(game, state, board):
    """Outcome and tint of a game that is over."""
    assert rules.legal_actions(game, state) == []
    won = naive.four_in_a_row(board)
    assert game.outcome(game.tables, state) == bool(won)
    assert {(square.column, 5 - square.row) for square in game.picture(state).overlays[0].squares} == won
    assert game.outcome_name(state) == (f"{board[min(won)[0]][min(won)[1]]} wins" if won else "draw")


def pieces_of(picture):
    """What lies in each column, from the bottom upwards."""
    columns = zip(*reversed(picture.cells), strict=True)
    return ["".join(column).replace("floor", "") for column in columns]


@pytest.mark.kernels
def test_it_keeps_what_a_search_relies_on(connect_four):
    assert check_game(connect_four(), n_games=20).most_actions == 7
    assert check_game(connect_four("DDCEEB"), n_games=20).longest <= 36


@pytest.mark.kernels
def test_moves_beyond_the_top_of_a_column_are_refused(connect_four):
    with pytest.raises(GameError, match=r"expected action 7 of 7 to be one of 0 \(A\), 1 \(B\), .*; found 3"):
        connect_four("DDDDDDD").start()
