"""Playing against the search."""

import time

import pytest

import sokoviz as sv
from sokoviz.widgets.explorer.match import Match
from tests.twins import naive_games


def wait(match):
    end = time.monotonic() + 20
    while match._is_thinking or match.match["text"].startswith("It is thinking"):
        assert time.monotonic() < end
        time.sleep(0.01)


def text(match):
    return match.search.game.position_text(match.state)


@pytest.fixture
def match():
    return Match(sv.TicTacToe(), budget=200)


def click(match, square):
    match._handle_custom_msg({"kind": "square", "square": square}, [])
    assert match.trouble["summary"] == ""
    wait(match)


def test_a_click_moves_and_the_search_answers(match):
    assert match.match["text"] == "Your move: you are X."
    click(match, [1, 1])
    assert text(match).count("X") == 1
    assert text(match).count("O") == 1
    assert match.is_my_turn
    assert match.search.last == 200
    assert match.node == match.search.result.node
    assert match.position["caption"].startswith("the match")


def test_the_search_may_begin():
    match = Match(sv.TicTacToe(), first=False, budget=100)
    wait(match)
    assert text(match).count("X") == 1
    assert match.match["text"] == "Your move: you are O."


def test_a_move_by_name_and_a_wrong_one(match):
    match.play("Aa")
    wait(match)
    with pytest.raises(sv.GameError, match="expected a move out of"):
        match.play("Aa")


def test_taking_back_and_beginning_again(match):
    click(match, [0, 0])
    first = text(match)
    free = match.position["clickable"][0]
    click(match, free)
    match.take_back()
    assert text(match) == first
    match._handle_custom_msg({"kind": "switch_sides"}, [])
    wait(match)
    assert text(match).count("X") == 1
    match._handle_custom_msg({"kind": "new_game"}, [])
    wait(match)
    assert match.match["text"] == "Your move: you are O."


def test_exploring_does_not_move(match):
    click(match, [1, 1])
    before = text(match)
    match._handle_custom_msg({"kind": "select", "node": 0}, [])
    match._handle_custom_msg({"kind": "square", "square": match.position["clickable"][0]}, [])
    assert text(match) == before
    match._handle_custom_msg({"kind": "show_match"}, [])
    assert match.position["caption"].startswith("the match")


def test_stopping_makes_it_move_at_once():
    match = Match(sv.TicTacToe(), budget=1_000_000)
    match.play("Bb")
    while match.search.last < 100:
        time.sleep(0.01)
    match._handle_custom_msg({"kind": "stop"}, [])
    wait(match)
    assert text(match).count("O") == 1
    assert match.search.last < 1_000_000


def test_a_whole_game_against_a_perfect_player_is_not_lost():
    match = Match(sv.TicTacToe(), budget=5000, first=False)
    while True:
        wait(match)
        if match.is_over:
            break
        board = naive_games.read(text(match))
        match.play(match.search.game.action_name(match.state, naive_games.best_actions(board)[0]))
    assert match._game.outcome_name(match.state) != "O wins"
    assert "The game is over" in match.match["text"]


def test_a_game_for_one_is_refused():
    class One(sv.TicTacToe):
        name = "Tic-Tac-Toe for one"
        players = 1

    with pytest.raises(sv.GameError, match="two players"):
        Match(One())
