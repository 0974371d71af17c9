"""A game as one class: what registration refuses, and what a game can do without saying so."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from typing import Any, NamedTuple

import pytest

from sokoviz.core.types import Tables as LevelTables
from sokoviz.errors import GameError, SokovizError
from sokoviz.games import Game, find_game
from sokoviz.games.game import RULES_OF
from sokoviz.games.tictactoe import TicTacToe
from tests.games.digits import Digits
from tests.games.worlds import Count, make_game


def define(**changes: Any) -> type[Game]:
    """A class of its own like `Count`, with names changed; None takes a name away."""

    class Tables(NamedTuple):
        steps: int

    names = {name: value for name, value in vars(Count).items() if not name.startswith("__") and name != "_abc_impl"}
    names |= {"Tables": Tables, "__module__": __name__, **changes}
    return type("Own", (Game,), {name: value for name, value in names.items() if value is not None})


def with_arguments(source):
    """A rule that takes other arguments."""
    return staticmethod(eval(f"lambda {source}: 0"))  # noqa: S307  written below


def test_a_complete_game_is_accepted() -> None:
    assert RULES_OF[define().Tables].play is Count.play


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"name": None}, "game Own: expected a name such as name = 'Tic-Tac-Toe', found None"),
        ({"name": ""}, "expected a name such as name = 'Tic-Tac-Toe', found ''"),
        ({"players": None}, "expected players = 1 or players = 2, found None"),
        ({"players": 3}, "expected players = 1 or players = 2, found 3"),
        ({"player_name": None}, "expected a method player_name, because two players move in turn"),
        ({"play": None}, "expected the rule play(tables, state, action), found none"),
        ({"outcome": None}, "expected the rule outcome(tables, state), found none"),
        ({"list_actions": None}, "expected the rule list_actions(tables, state, actions), found none"),
        ({"play": lambda tables, state, action: None}, "expected @staticmethod above the rule play"),  # noqa: ARG005
        (
            {"play": with_arguments("table, state, action")},
            "expected the rule play(tables, state, action), found the arguments (table, state, action)",
        ),
        ({"outcome": with_arguments("state")}, "expected the rule outcome(tables, state), found the arguments (state)"),
        ({"Tables": None}, "expected a NamedTuple class called Tables, found None"),
        ({"Tables": dict}, "expected a NamedTuple class called Tables, found <class 'dict'>"),
        ({"Tables": tuple}, "expected a NamedTuple class called Tables, found <class 'tuple'>"),
        ({"Tables": Digits.Tables}, "expected a class Tables of its own: this one belongs to another game"),
        ({"Tables": LevelTables}, "expected a class Tables of its own, found one of the package sokoviz"),
    ],
)
def test_an_incomplete_game_is_refused_when_it_is_defined(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(GameError, match=re.escape(message)):
        define(**changes)


def test_a_refused_game_leaves_no_trace() -> None:
    before = dict(RULES_OF)
    with pytest.raises(GameError):
        define(name="Nobody", Tables=dict)
    assert before == RULES_OF
    with pytest.raises(GameError):
        find_game("Nobody")


def test_game_errors_are_ours() -> None:
    assert issubclass(GameError, SokovizError)


def test_another_face_of_a_game_keeps_its_rules_and_tables() -> None:
    class Loud(TicTacToe):
        name = "LOUD TIC-TAC-TOE"

    assert Loud.Tables is TicTacToe.Tables
    assert repr(Loud()) == repr(TicTacToe())


def test_tables_of_all_games_have_names_of_their_own() -> None:
    one, other = make_game(), make_game()
    assert one.Tables.__name__ != other.Tables.__name__
    assert TicTacToe.Tables.__name__ == "sokoviz.games.tictactoe.TicTacToe.Tables"
    assert len({tables.__name__ for tables in RULES_OF}) == len(RULES_OF)


def test_a_game_is_found_by_name_the_latest_definition_first() -> None:
    assert find_game("Tic-Tac-Toe") is TicTacToe
    latest = define(name="Defined twice") and define(name="Defined twice")
    assert find_game("Defined twice") is latest
    with pytest.raises(GameError, match=r"out of .*Tic-Tac-Toe.*; found 'Chess': define or import its class first"):
        find_game("Chess")


def test_a_game_without_a_face_of_its_own_still_has_one() -> None:
    game = Digits()
    state = game.start()
    assert game.player_name(state) == ""
    assert game.action_at(state, (0, 0)) is None
    assert game.outcome_name(state) == "reward 0"
    assert Game.squares_of(game, state, 1) == ()
    assert repr(game) == "Digits, a game for one player"
    assert repr(Count()) == "Count, a game for two players"


@pytest.mark.parametrize(
    ("reward", "name"), [(1, "the last to move wins"), (0, "draw"), (-2, "the last to move loses")]
)
def test_an_outcome_has_a_name(reward: int, name: str) -> None:
    game = make_game(outcome=staticmethod(lambda tables, state: reward))()  # noqa: ARG005
    assert game.outcome_name(game.start()) == name


def test_settings_are_the_arguments_of_the_class() -> None:
    assert Digits.from_json(Digits(7).to_json()).max_length == 7
    assert Count.from_json({}).to_json() == {}


def test_a_game_shows_its_first_position() -> None:
    bundle = TicTacToe("X.O/.X./...")._repr_mimebundle_()
    assert bundle["text/plain"] == "Tic-Tac-Toe, O to move from X.O/.X./..."
    uses = ET.fromstring(bundle["image/svg+xml"]).iter("{http://www.w3.org/2000/svg}use")  # noqa: S314  our own
    assert [use.attrib["href"][-1] for use in uses] == ["X", "O", "X"]
