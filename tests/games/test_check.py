"""The check of a game: good games pass, and every way to break one has its own message."""

# ruff: noqa: ARG001, ARG005  a rule takes what the compiler gives it

from __future__ import annotations

import itertools
import json
import re
from typing import Any

import numpy as np
import pytest

from sokoviz.errors import GameError
from sokoviz.games.check import check_game
from sokoviz.picture import Picture
from sokoviz.squares import Square
from tests.games.digits import Digits
from tests.games.worlds import LAST, Count, make_game
from tests.twins import naive_games as naive

START = np.zeros(2, dtype=np.int64)
COUNTER = itertools.count()
FROZEN = 1


def rule(function):
    """A rule as a class holds it."""
    return staticmethod(function)


def list_and_spoil(tables, state, actions):
    n = Count.list_actions(tables, state, actions)
    state[1] = 7
    return n


def list_in_turn(tables, state, actions):
    n = Count.list_actions(tables, state, actions)
    actions[:n] = np.roll(actions[:n], next(COUNTER))
    return n


def list_what_was_there(tables, state, actions):
    return 1  # and writes nothing


def list_twice_the_same(tables, state, actions):
    actions[:2] = 1
    return 2 if state[0] < LAST else 0


def list_too_many(tables, state, actions):
    actions[:3] = [1, 2, 3]
    return 3


def write_too_many(tables, state, actions):
    actions[2] = 3
    return Count.list_actions(tables, state, actions)


def write_far_too_many(tables, state, actions):
    actions[1000] = 3
    return 1


def play_nothing(tables, state, action):
    pass


def play_anything(tables, state, action):
    state[0] += action + next(COUNTER) % 3


def play_for_ever(tables, state, action):
    state[1] = 1 - state[1]


def play_with_tables(tables, state, action):
    Count.play(tables, state, action)
    tables.steps[0] += 1


def list_with_tables(tables, state, actions):
    n = Count.list_actions(tables, state, actions)
    tables.steps[:] = [2, 1]
    actions[:2] = [1, 2]
    return n


def score_with_tables(tables, state):
    tables.steps[0] += 1
    return 1


def play_off_the_board(tables, state, action):
    state[2] = action


def score_and_spoil(tables, state):
    state[0] = 0
    return 1


def play_frozen(tables, state, action):
    state[0] += FROZEN
    state[1] = 1 - state[1]


def list_frozen(tables, state, actions):
    actions[0] = FROZEN
    return 1 if state[0] < LAST else 0


def score_frozen(tables, state):
    return FROZEN


def play_by_json(tables, state, action):
    state[0] += json.loads("1")
    state[1] = 1 - state[1]


def look_and_spoil(self, state):
    state[0] = 5
    return Count.picture(self, state)


def from_two_settings(cls, data: dict[str, Any]) -> Any:
    return cls(data["one"], data["two"])


def no_click(self, state, square):
    return None


@pytest.mark.kernels
@pytest.mark.parametrize(
    ("game", "sentence"),
    [
        (
            Count(),
            r"Count keeps the rules: 100 random games of 3 to 5 actions .* with at most 2 actions; rewards: 1 in 100",
        ),
        (
            Digits(),
            r"Digits keeps the rules: 100 random games of 2 to 4 actions .* with at most 3 actions; .*10 in \d+",
        ),
    ],
)
def test_a_good_game_passes_and_is_described(game, sentence):
    assert re.fullmatch(sentence, repr(check_game(game)))


BROKEN: dict[str, tuple[dict[str, Any], str]] = {
    "no tables": ({"tables": 3, "__init__": lambda self: None}, "expected tables to be an instance of Tables, found 3"),
    "no room for actions": ({"max_actions": 0}, "expected max_actions to be an integer above 0, found 0"),
    "no length": ({"max_length": 2.5}, "expected max_length to be an integer above 0, found 2.5"),
    "start is a list": ({"start": lambda self: [0, 0]}, "expected start() to return a one-dimensional array of int64"),
    "start is a grid": ({"start": lambda self: np.zeros((2, 2), dtype=np.int64)}, "one-dimensional array of int64"),
    "start holds reals": ({"start": lambda self: np.zeros(2)}, "one-dimensional array of int64, found array([0., 0.])"),
    "start is shared": ({"start": lambda self: START}, "expected start() to return a new array each time"),
    "start is random": (
        {"start": lambda self: np.array([next(COUNTER), 0])},
        "expected start() to return the same position each time",
    ),
    "settings are no data": ({"to_json": lambda self: {"one": {1}}}, "found TypeError: Object of type set"),
    "settings are not taken": (
        {"to_json": lambda self: {"one": 1}},
        "expected from_json to take what to_json gave, {'one': 1}, found TypeError",
    ),
    "settings are missing": (
        {"from_json": classmethod(from_two_settings)},
        "expected from_json to take what to_json gave, {}, found KeyError: 'one'",
    ),
    "settings change": (
        {"to_json": lambda self: {"n": next(COUNTER)}, "from_json": classmethod(lambda cls, data: cls())},
        "expected to_json to be the same after from_json",
    ),
    "settings lose the start": (
        {"from_json": classmethod(lambda cls, data: make_game(start=lambda self: np.ones(2, dtype=np.int64))())},
        "expected from_json(to_json()) to give the same game",
    ),
    "settings lose a size": (
        {"from_json": classmethod(lambda cls, data: make_game(max_length=9)())},
        "expected from_json(to_json()) to give the same game",
    ),
    "listing changes the state": (
        {"list_actions": rule(list_and_spoil)},
        "expected list_actions to leave the state as it is, found [0, 7] after it; at the start of random game 1",
    ),
    "listing is random": (
        {"list_actions": rule(list_in_turn)},
        "expected list_actions to list the same twice, found [",
    ),
    "listing reads the array": (
        {"list_actions": rule(list_what_was_there)},
        "expected list_actions to list the same twice, found [-1] and [-2]",
    ),
    "actions repeat": ({"list_actions": rule(list_twice_the_same)}, "expected different actions, found [1, 1]"),
    "too many actions": (
        {"list_actions": rule(list_too_many)},
        "expected list_actions to return 0 to max_actions = 2, found 3",
    ),
    "no number of actions": (
        {"list_actions": rule(lambda tables, state, actions: None)},
        "expected list_actions to return 0 to max_actions = 2, found None",
    ),
    "writing behind the actions": (
        {"list_actions": rule(write_too_many)},
        "expected list_actions to write at most max_actions = 2, found more",
    ),
    "writing far behind the actions": (
        {"list_actions": rule(write_far_too_many)},
        "expected list_actions to stay within its arrays, found IndexError",
    ),
    "playing does nothing": (
        {"play": rule(play_nothing)},
        "expected play to change the state, found it unchanged after action",
    ),
    "playing is random": ({"play": rule(play_anything)}, "expected play to do the same each time, found ["),
    "playing changes the tables": (
        {"play": rule(play_with_tables)},
        "expected the rules to leave the tables as they are, found them changed; after ",
    ),
    "listing changes the tables": (
        {"list_actions": rule(list_with_tables)},
        "expected the rules to leave the tables as they are, found them changed; at the start",
    ),
    "scoring changes the tables": (
        {"outcome": rule(score_with_tables)},
        "expected the rules to leave the tables as they are, found them changed; after ",
    ),
    "playing leaves the state": (
        {"play": rule(play_off_the_board)},
        "expected play to stay within its arrays, found IndexError",
    ),
    "games without end": (
        {"play": rule(play_for_ever)},
        "expected games to end within max_length = 5 actions, found more; after ",
    ),
    "a fraction as reward": (
        {"outcome": rule(lambda tables, state: 0.5)},
        "expected outcome to return an integer, found 0.5 (float)",
    ),
    "a reward that no record can hold": (
        {"outcome": rule(lambda tables, state: 1 << 40)},
        "expected outcome to be at most 2,147,483,647, found 1,099,511,627,776",
    ),
    "a truth value as reward": (
        {"outcome": rule(lambda tables, state: True)},
        "expected outcome to return an integer, found True (bool)",
    ),
    "scoring changes the state": (
        {"outcome": rule(score_and_spoil)},
        "expected outcome to leave the state as it is, found [0, ",
    ),
    "no picture": (
        {"picture": lambda self, state: str(state) if state[0] else Count.picture(self, state)},
        "expected picture to return a Picture, found '[",
    ),
    "no first picture": ({"picture": lambda self, state: None}, "expected picture to return a Picture, found None"),
    "a growing picture": (
        {"picture": lambda self, state: Picture((("X",) * (8 + state[0]),))},
        "expected pictures of 1 x 8 squares as at the start, found one of 1 x ",
    ),
    "showing changes the state": (
        {"picture": look_and_spoil, "squares_of": lambda self, state, action: ()},
        "expected showing a position to leave it as it is, found [5, 0] after it",
    ),
    "an action without a name": (
        {"action_name": lambda self, state, action: ""},
        "expected action_name to return text, found '' for action 1",
    ),
    "actions of one name": (
        {"action_name": lambda self, state, action: "go"},
        "expected a name of its own for each action, found 'go' for 1 and 2",
    ),
    "squares off the board": (
        {"squares_of": lambda self, state, action: (Square(0, 7),)},
        "expected squares_of to return a Square within 1 x 7 squares, found Square(row=0, column=7) for action 1",
    ),
    "squares that are none": (
        {"squares_of": lambda self, state, action: ((0, 1),)},
        "expected squares_of to return a Square within 1 x 7 squares, found (0, 1) for action 1",
    ),
    "a click that is illegal": (
        {"action_at": lambda self, state, square: 3},
        "expected action_at to return a legal action or None, found 3 on Aa",
    ),
    "a click that means another square": (
        {"action_at": lambda self, state, square: 2 if state[0] < LAST else None},
        "expected action_at on Ba to return one of those that change Ba, [1], found 2",
    ),
    "a click after the end": (
        {"action_at": lambda self, state, square: 1, "squares_of": lambda self, state, action: ()},
        "expected action_at to return a legal action or None, found 1 on Aa; after ",
    ),
    "a player who is alone but named": (
        {"players": 1},
        "expected player_name to be empty in a game for one player, found 'A'",
    ),
    "a player without a name": (
        {"player_name": lambda self, state: ""},
        "expected player_name to return text, found ''",
    ),
    "a player who moves twice": (
        {"player_name": lambda self, state: "A"},
        "expected two players to move in turn, found 'A', 'A'",
    ),
    "a third player": (
        {"player_name": lambda self, state: "ABCDEFG"[state[0]]},
        "expected two players to move in turn, found 'A', ",
    ),
    "an end without a name": (
        {"outcome_name": lambda self, state: None},
        "expected outcome_name to return text, found None; after ",
    ),
    "rules that do not compile": (
        {"play": rule(play_by_json)},
        "expected rules that numba can compile, found that it says:\n",
    ),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_game_is_refused_with_a_message_of_its_own(name):
    changes, message = BROKEN[name]
    with pytest.raises(GameError, match=re.escape(message)):
        check_game(make_game(**changes)())


@pytest.mark.kernels
@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"play": rule(play_frozen)}, r"expected the compiled play to give \[2, 1\], found \[1, 1\]"),
        (
            {"list_actions": rule(list_frozen), "action_at": no_click},
            r"expected the compiled list_actions to list \[2\], found \[1\]",
        ),
        ({"outcome": rule(score_frozen)}, "expected the compiled outcome to return 2, found 1"),
    ],
)
def test_compiled_rules_that_differ_from_plain_ones_are_noticed(monkeypatch, changes, message):
    game = make_game(**changes)()
    check_game(game, n_games=5)
    monkeypatch.setitem(globals(), "FROZEN", 2)
    with pytest.raises(GameError, match=message):
        check_game(game, n_games=5)


@pytest.mark.parametrize("thing", [Count, 3, None])
def test_only_an_instance_of_a_game_can_be_checked(thing):
    with pytest.raises(GameError, match=r"expected an instance of a game such as TicTacToe\(\), found "):
        check_game(thing)


@pytest.mark.kernels
def test_a_check_is_repeatable_and_depends_on_its_seed():
    assert check_game(Digits(), n_games=20) == check_game(Digits(), n_games=20)
    assert check_game(Digits(), n_games=20) != check_game(Digits(), n_games=20, seed=2)


def test_the_best_digits_are_known_and_greed_leads_into_the_trap():
    assert [naive.best_digits(n) for n in range(1, 8)] == [3, 5, 8, 10, 13, 15, 18]
    game = Digits()
    for line, reward in (([3, 2, 3, 2], 10), ([2, 3, 2, 3], 10), ([3, 2, 2, 3], 10), ([3, 3], 0)):
        state = game.start()
        for action in line:
            game.play(game.tables, state, action)
        assert game.list_actions(game.tables, state, np.empty(3, dtype=np.int64)) == 0
        assert game.outcome(game.tables, state) == reward
