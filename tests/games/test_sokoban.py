"""Sokoban as a game: its rules against the twin and the board, and what people see of it."""

from __future__ import annotations

import json
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sokoviz as sv
from sokoviz.actions import Push
from sokoviz.core.types import FAR
from sokoviz.errors import GameError, LevelError
from sokoviz.games import rules
from sokoviz.games.sokoban import Sokoban
from sokoviz.squares import Square
from tests.twins import naive
from tests.twins.naive_schokoban import Room, manhattan
from tests.worlds import worlds

pytestmark = pytest.mark.kernels

DOORS = "#########\n#   #   #\n# @ $ . #\n#   #   #\n#   $ . #\n#   #   #\n#########"
SEALED_BOX = "########\n#@$ .# #\n#    #$#\n#    #.#\n########"
SEALED_GOAL = "########\n#@$ $.##\n#    ###\n#    #.#\n########"
FILLED_BESIDE = "########\n#@$ .# #\n#    #*#\n########"


def numbered(game, push):
    """A push of the twin as an action."""
    (row, column), direction = push
    return 4 * (row * game.level.width + column) + "udlr".index(direction)


def pushes_in_order(world, boxes, player):
    """The twin's pushes by direction and then by square."""
    return sorted(naive.pushes(world.floor, boxes, player), key=lambda push: ("udlr".index(push[1]), push[0]))


def walk(world, game, n, seed):
    """Positions on a random walk of pushes: state, and boxes and player of the twin."""
    random, state, boxes, player = Random(seed), game.start(), frozenset(world.boxes), world.player
    yield state, boxes, player
    for _ in range(n):
        pushes = pushes_in_order(world, boxes, player)
        if not pushes or boxes <= world.goals:
            return
        push = random.choice(pushes)
        state = rules.apply(game, state, [numbered(game, push)])
        boxes, player = naive.after_push(boxes, push)
        yield state, boxes, player


walks = st.tuples(worlds(), st.integers(0, 2**32))


# --- rules -----------------------------------------------------------------------------------------------------------


@settings(max_examples=60)
@given(walks)
def test_actions_are_the_pushes_of_the_twin_in_order(drawn):
    world, seed = drawn
    game = Sokoban(world.text)
    for state, boxes, player in walk(world, game, 12, seed):
        expected = [] if boxes <= world.goals else pushes_in_order(world, boxes, player)
        assert rules.legal_actions(game, state) == [numbered(game, push) for push in expected]


@settings(max_examples=40)
@given(walks)
def test_actions_are_the_pushes_of_the_board(drawn):
    world, seed = drawn
    game = Sokoban(world.text)
    for state, boxes, _ in walk(world, game, 8, seed):
        pushes = () if boxes <= world.goals else game.board(state).pushes
        assert sorted(rules.legal_actions(game, state)) == sorted(map(game.action_of, pushes))


@settings(max_examples=60)
@given(walks)
def test_playing_moves_the_box_and_leaves_the_player_behind_it(drawn):
    world, seed = drawn
    game = Sokoban(world.text)
    for state, boxes, player in walk(world, game, 12, seed):
        assert world.squares(state[:-1].view(np.uint64)) == boxes
        assert divmod(int(state[-1]), world.width) == player


@settings(max_examples=40)
@given(walks)
def test_plain_rules_are_the_compiled_ones(drawn):
    world, seed = drawn
    game, actions = Sokoban(world.text), np.empty(64, dtype=np.int64)
    for state, _, _ in walk(world, game, 6, seed):
        n = game.list_actions(game.tables, state, actions)
        assert actions[:n].tolist() == rules.legal_actions(game, state)
        for action in actions[:n].tolist():
            after = state.copy()
            game.play(game.tables, after, action)
            assert after.tolist() == rules.apply(game, state, [action]).tolist()


@settings(max_examples=60)
@given(st.tuples(worlds(max_side=7), st.integers(0, 2**32)))
def test_the_outcome_is_minus_the_cheapest_matching(drawn):
    """That of all boxes: those on goals may be left out, because the distance obeys the triangle inequality."""
    world, seed = drawn
    game, room = Sokoban(world.text), Room(world.text)
    for state, boxes, _ in walk(world, game, 12, seed):
        reward = game.outcome(game.tables, state)
        assert reward == -room.match(boxes, manhattan) == -(game.board(state).matching().cost or 0)
        assert (reward == 0) == (boxes <= world.goals)


def test_the_start_is_the_position_of_the_level():
    game = Sokoban(DOORS)
    assert game.board(game.start()).position == DOORS
    assert game.start().dtype == np.int64
    assert game.start() is not game.start()


def test_only_the_component_of_the_player_has_pushes():
    game = Sokoban(DOORS)
    assert [str(game.push_of(action)) for action in rules.legal_actions(game, game.start())] == ["Ec→Fc", "Ee→Fe"]


def test_nothing_can_be_pushed_where_the_level_is_solved():
    game = Sokoban("######\n#@$. #\n######")
    solved = rules.apply(game, game.start(), rules.legal_actions(game, game.start()))
    assert rules.legal_actions(game, solved) == []
    assert game.board(solved).is_solved


def test_an_illegal_push_is_refused():
    game = Sokoban(DOORS)
    with pytest.raises(GameError, match="found 4"):
        rules.apply(game, game.start(), [4])


# --- what the player is walled off from ------------------------------------------------------------------------------


def test_boxes_beyond_reach_off_goals_are_named_as_lost():
    assert Sokoban(SEALED_BOX).lost_boxes == [(2, 6)]
    assert Sokoban(FILLED_BESIDE).lost_boxes == []
    assert Sokoban(DOORS).lost_boxes == []


@pytest.mark.parametrize("text", [SEALED_BOX, FILLED_BESIDE])
def test_boxes_beyond_reach_take_no_part_and_stay_on_the_board(text):
    game = Sokoban(text)
    assert game.outcome(game.tables, game.start()) == -2
    state = rules.apply(game, game.start(), [game.action_of(Push(Square(1, 2), "r"))])
    assert len(game.board(state).boxes) == 2
    assert game.outcome(game.tables, state) == -1


def test_fewer_goals_within_reach_than_boxes_are_infinitely_far():
    game = Sokoban(SEALED_GOAL)
    assert game.outcome(game.tables, game.start()) == -FAR


# --- face ------------------------------------------------------------------------------------------------------------


@settings(max_examples=20)
@given(walks)
def test_a_position_is_drawn_as_its_board(drawn):
    world, seed = drawn
    game = Sokoban(world.text)
    for state, boxes, player in walk(world, game, 3, seed):
        board = game.board(state)
        assert game.picture(state) == board.picture()
        assert (set(board.boxes), board.player) == (boxes, player)


@settings(max_examples=20)
@given(walks)
def test_actions_and_pushes_are_two_names_of_one_thing(drawn):
    world, seed = drawn
    game = Sokoban(world.text)
    for state, _, _ in walk(world, game, 3, seed):
        for action in rules.legal_actions(game, state):
            push = game.push_of(action)
            assert game.action_of(push) == action
            assert game.action_name(state, action) == str(push)
            assert game.squares_of(state, action) == (push.box, push.target)


def test_a_click_pushes_where_one_box_can_go_there():
    game = Sokoban("#######\n#     #\n# $ $ #\n#@   .#\n#    .#\n#######")
    state = game.start()
    actions = rules.legal_actions(game, state)
    by_target = {push.target: game.action_of(push) for push in map(game.push_of, actions)}
    assert game.action_at(state, Square(1, 2)) == by_target[Square(1, 2)]
    assert game.action_at(state, Square(2, 3)) is None  # from the left and from the right
    assert game.action_at(state, Square(4, 1)) is None


def test_an_outcome_is_told_as_a_distance():
    game = Sokoban("#######\n#@$ . #\n#######")
    states = [game.start()]
    while actions := rules.legal_actions(game, states[-1]):
        states.append(rules.apply(game, states[-1], actions[-1:]))
    assert [game.outcome_name(state) for state in states] == ["distance 2", "distance 1", "solved"]


def test_a_game_is_kept_as_the_text_of_its_level():
    for number in (1, 5, 17):
        game = Sokoban(sv.load(f"lessons#{number}"))
        again = Sokoban.from_json(json.loads(json.dumps(game.to_json())))
        assert again.level.rows == game.level.rows
        assert again.start().tolist() == game.start().tolist()


@pytest.mark.parametrize("data", [{}, {"level": DOORS, "more": 1}, {"position": DOORS}])
def test_what_is_no_kept_game_is_refused(data):
    with pytest.raises(GameError, match="expected the text of a level"):
        Sokoban.from_json(data)


def test_text_that_is_no_level_is_refused():
    with pytest.raises(LevelError):
        Sokoban("#####\n#   #\n#####")


def test_a_game_says_which_level_it_is_on():
    assert repr(Sokoban(sv.load("lessons#3"))) == "Sokoban on Level lessons#3 'The dead end', 8 x 5, 1 box"
