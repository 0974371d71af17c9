"""A board in the hand: moves, pushes, undo, and what it says about itself."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sokoviz.actions import Push
from sokoviz.board import DEADLOCK_RULES, Board
from sokoviz.errors import IllegalMoveError, UnknownMoveError
from sokoviz.levels import Level, load
from sokoviz.picture import Heat, Mark
from sokoviz.squares import Square
from tests.twins import naive
from tests.worlds import worlds

CORRIDOR = "#######\n#@ $ .#\n#######"
ROOM = "#######\n#     #\n# $@$ #\n# . . #\n#     #\n#######"


def board_of(text):
    """A board of a level text."""
    return Level.parse(text).board()


def test_a_step_walks_or_pushes():
    board = board_of(CORRIDOR)
    assert board.legal_moves == ("r",)
    assert [board.step("r"), board.step("r")] == ["r", "R"]
    assert (board.moves, board.n_moves, board.n_pushes) == ("rR", 2, 1)
    assert board.player == Square(1, 3)
    assert board.boxes == {(1, 4)}


def test_a_solved_level_knows_it():
    board = board_of(CORRIDOR)
    assert not board.is_solved
    board.play("rRR")
    assert board.is_solved
    assert board.position == "#######\n#   @*#\n#######"


@pytest.mark.parametrize(
    ("moves", "message"),
    [
        ("l", "a wall on Ab"),
        ("R", "no box on Cb"),
        ("rRRR", "the box on Fb blocked by a wall on Gb"),
    ],
)
def test_a_move_against_the_rules_says_why_and_changes_nothing(moves, message):
    board = board_of(CORRIDOR)
    before = board.position
    with pytest.raises(IllegalMoveError, match=message) as caught:
        board.play(moves)
    assert caught.value.index == len(moves) - 1
    assert (board.position, board.moves) == (before, "")


def test_a_box_does_not_push_another():
    board = board_of("#######\n#@$$..#\n#######")
    with pytest.raises(IllegalMoveError, match="the box on Cb blocked by a box on Db"):
        board.step("r")


def test_a_direction_must_be_one_of_four():
    with pytest.raises(UnknownMoveError, match="u, d, l, r"):
        board_of(CORRIDOR).step("x")


def test_undo_takes_back_a_push_with_its_walk_and_redo_does_it_again():
    board = board_of(ROOM)
    moves = board.push(Push(Square(2, 2), "d"))
    assert moves == "ulD"
    after = board.position
    assert board.undo()
    assert (board.moves, board.future, board.position) == ("", "ulD", board_of(ROOM).position)
    assert board.redo()
    assert (board.position, board.redo()) == (after, False)


def test_played_moves_are_undone_one_by_one():
    board = board_of(CORRIDOR)
    board.play("rRR")
    board.undo()
    assert board.moves == "rR"


def test_restart_keeps_what_was_done_for_redo():
    board = board_of(CORRIDOR)
    board.play("rRR")
    assert board.restart()
    assert (board.moves, board.future) == ("", "rRR")
    assert not board.restart()


def test_seek_goes_to_any_move_and_no_further():
    board = board_of(CORRIDOR)
    board.play("rRR")
    assert board.seek(1)
    assert (board.moves, board.player) == ("r", (1, 2))
    with pytest.raises(IndexError, match="from 0 to 3"):
        board.seek(4)


@settings(max_examples=40)
@given(worlds(), st.integers(0, 2**32))
def test_undoing_everything_leads_back_through_every_position(world, seed):
    board, random = board_of(world.text), Random(seed)
    positions = [board.position]
    for _ in range(15):
        if not board.legal_moves:
            break
        board.step(random.choice(board.legal_moves).lower())
        positions.append(board.position)
    while board.undo():
        positions.pop()
        assert board.position == positions[-1]
    assert len(positions) == 1


@settings(max_examples=40)
@given(worlds(max_side=7))
def test_pushes_component_and_key_are_those_of_the_twin(world):
    board = board_of(world.text)
    assert set(board.component) == naive.reach(world.floor, world.boxes, world.player)
    assert set(board.pushes) == naive.pushes(world.floor, world.boxes, world.player)
    assert set(board.pulls) == naive.pulls(world.floor, world.boxes, world.player)
    assert (frozenset(board.key[0]), board.key[1]) == naive.key(world.floor, world.boxes, world.player)


@settings(max_examples=40)
@given(worlds(max_side=7))
def test_every_legal_push_can_be_done_and_moves_that_box(world):
    board = board_of(world.text)
    for push in board.pushes:
        moves = board.push(push)
        assert moves[-1] == push.direction.upper()
        assert board.n_pushes == 1
        assert board.boxes == world.boxes - {push.box} | {push.target}
        board.undo()


def test_a_push_that_is_not_legal_is_refused_with_those_that_are():
    board = board_of(CORRIDOR)
    with pytest.raises(IllegalMoveError, match=r"\(Db→Eb\), found Db→Cb"):
        board.push(Push(Square(1, 3), "l"))


@settings(max_examples=30)
@given(worlds(max_side=6))
def test_box_moves_are_those_of_the_twin_and_can_be_done_in_as_many_pushes(world):
    board = board_of(world.text)
    for box in sorted(world.boxes):
        expected = naive.box_moves(world.floor, world.boxes, world.player, box)
        found = {(move.target, move.player): move.n_pushes for move in board.box_moves(box)}
        assert found == {state: n for state, n in expected.items() if state[0] != box}
        for target in {target for target, _ in found}:
            board.push_box(box, target)
            assert board.n_pushes == min(n for (square, _), n in found.items() if square == target)
            assert board.boxes == world.boxes - {box} | {target}
            board.undo()


def test_box_moves_of_all_boxes_are_those_of_each():
    board = board_of(ROOM)
    assert set(board.box_moves()) == {*board.box_moves((2, 2)), *board.box_moves((2, 4))}


def test_no_box_and_no_way_are_told_apart():
    board = board_of(CORRIDOR)
    with pytest.raises(IllegalMoveError, match="expected a box on Cb, found none"):
        board.push_box((1, 2), (1, 4))
    with pytest.raises(IllegalMoveError, match="expected a square to which the box on Db can be pushed, found Bb"):
        board.push_box((1, 3), (1, 1))


def test_a_walk_is_a_shortest_one_and_pushes_nothing():
    board = board_of(ROOM)
    walk = board.walk((2, 5))
    assert (len(walk), board.n_pushes, board.player) == (4, 0, (2, 5))


@pytest.mark.parametrize("square", [(0, 0), (1, 3), (1, 5), (99, 99)])
def test_no_walk_leads_into_walls_boxes_or_beyond(square):
    board = board_of(CORRIDOR)
    with pytest.raises(IllegalMoveError, match="expected a square that the player can walk to"):
        board.walk(square)
    assert board.moves == ""


def test_key_is_the_same_after_a_walk_and_another_after_a_push():
    board = board_of(ROOM)
    key, number = board.key, board.hash
    board.walk((4, 5))
    assert (board.key, board.hash) == (key, number)
    board.push(board.pushes[0])
    assert board.key != key
    assert board.hash != number


def test_matching_gives_every_box_a_goal():
    board = board_of(ROOM)
    assert board.matching() == (2, (((2, 2), (3, 2)), ((2, 4), (3, 4))))
    assert board.matching("push").cost == 2
    with pytest.raises(ValueError, match="expected distance 'manhattan', 'push' or 'side', found 'air'"):
        board.matching("air")


def test_a_matching_may_respect_the_side_of_the_player():
    board = board_of("##########\n#   ######\n#    $@ .#\n#   ######\n##########")
    assert (board.matching("push").cost, board.matching("side").cost) == (3, 9)
    assert board.matching_distances("side") == (9,)
    assert board.after(board.pushes[0]).matching("side").cost == 8


def test_no_matching_is_no_cost():
    board = board_of("######\n#@ $.#\n# ####\n#$  .#\n######")
    assert board.matching("push") == (None, ())
    assert board.matching().cost == 4


def test_walled_off_boxes_on_goals_are_solved():
    board = board_of("#########\n#@$.#***#\n#########")
    assert board.pushes == (Push(Square(1, 2), "r"),)
    assert board.deadlocks == ()
    board.play("R")
    assert board.is_solved


def test_a_walled_off_box_off_its_goal_is_lost():
    board = board_of("#########\n#@$.#.$*#\n#########")
    assert [(found.rule, found.squares) for found in board.deadlocks] == [("locking tile", ((1, 6),))]
    board.play("R")
    assert not board.is_solved


def test_a_solved_position_is_never_called_dead():
    board = board_of("####\n#@##\n#*##\n####")
    assert board.is_solved
    assert board.deadlocks == ()


def test_deadlock_rules_go_by_name():
    board = board_of(ROOM)
    assert all(board.deadlock(rule) is None for rule in DEADLOCK_RULES)
    with pytest.raises(ValueError, match=r"expected a deadlock rule out of locking tile, .*; found 'bad luck'"):
        board.deadlock("bad luck")


def test_a_deadlock_names_rule_squares_and_reason():
    board = board_of(ROOM)
    board.play("L")
    (found, *_) = board.deadlocks
    assert found.rule == "locking tile"
    assert found.squares == ((2, 1),)
    assert found.reason == "the box on Bc can never be pushed to a goal from there"


def test_without_any_push_left_the_position_is_dead():
    board = board_of("######\n#@$ .#\n#$  .#\n######")
    assert [found.rule for found in board.deadlocks if found.rule == "no push"] == []
    board = board_of("#####\n#+*##\n#$ ##\n#####")
    assert "no push" in [found.rule for found in board.deadlocks]


def test_picture_draws_what_is_asked_for():
    board = board_of(ROOM)
    kinds = {
        "component": ["fill"],
        "dead_squares": ["fill"],
        "pushes": ["arrow"] * len(board.pushes),
        "coordinates": [],
    }
    for option, expected in kinds.items():
        assert [overlay.kind for overlay in board.picture(**{option: True}).overlays] == expected
    drawn = board.picture(
        matching="push", heat={(1, 1): 2.0}, marks=[(1, 1), Mark((1, 2), "new")], path=[(1, 1), (1, 2)]
    )
    assert [overlay.kind for overlay in drawn.overlays] == ["heat", "arrow", "arrow", "mark", "mark", "path"]
    assert isinstance(drawn.overlays[0], Heat)


def test_picture_marks_the_boxes_of_a_deadlock():
    board = board_of(ROOM)
    board.play("L")
    picture = board.picture(deadlocks=True)
    marks = picture.overlays
    assert picture.caption.startswith("Deadlock: locking tile, ")
    assert picture.caption.endswith(". The box on Bc can never be pushed to a goal from there.")
    assert [(mark.square, mark.role) for mark in marks] == [((2, 1), "deadlock")]


def test_picture_shows_the_position_and_says_it():
    board = board_of(CORRIDOR)
    board.play("rRR")
    picture = board.picture()
    assert picture.to_text() == board.position
    assert picture.label.endswith("1 of 1 boxes on goals, player on Eb")
    assert picture.cell_label((1, 5)) == "row b, column F: box on goal"


def test_a_position_reads_back_even_with_a_blank_row_between_walls():
    level = Level.parse("#####\n#@$.#\n#####\n-\n#####")
    assert Level.parse(level.board().position).rows == level.rows


def test_a_copy_goes_its_own_way():
    board = board_of(CORRIDOR)
    other = board.copy()
    other.play("rR")
    assert (board.moves, board.player) == ("", (1, 1))
    assert isinstance(other, Board)


def test_after_a_push_is_another_board():
    board = board_of(CORRIDOR)
    (push,) = board.pushes
    assert board.after(push).moves == "rR"
    assert board.moves == ""
    assert repr(push) == "Push Db→Eb"
    assert repr(board.box_moves()) == "(BoxMove Db→Eb (1 push), BoxMove Db→Fb (2 pushes))"


def test_large_levels_work():
    size, n_boxes = 60, 100
    rows = [["#"] * size, *([*"#", *(" " * (size - 2)), *"#"] for _ in range(size - 2)), ["#"] * size]
    for k in range(n_boxes):
        rows[2 + 4 * (k // 10)][3 + 5 * (k % 10)] = "$"
        rows[3 + 4 * (k // 10)][3 + 5 * (k % 10)] = "."
    rows[1][1] = "@"
    board = board_of("\n".join(map("".join, rows)))
    assert len(board.pushes) == 4 * n_boxes
    assert board.matching("push").cost == board.matching().cost == n_boxes
    assert board.deadlocks == ()
    assert len(board.component) == 58 * 58 - n_boxes


REASONS = [
    ("lessons#3", "dR", "bipartite", "the box on Dc can reach no goal"),
    (
        "lessons#3",
        "dR",
        "corral",
        "the box on Dc closes off an area and cannot be brought to a goal, even with no other",
    ),
    ("lessons#4", "uullDRurD", "wall sweep", "the boxes on Dd and Fd cannot leave the wall, which has only 1 goal"),
    ("lessons#6", "lDurD", "locked boxes", "the boxes on Cd and Dd hold each other in place for ever"),
    ("lessons#8", "dLrD", "bipartite", "the boxes on Bc and De can reach only 1 goal between them"),
    (
        "lessons#9",
        "rrdrRllulldRR",
        "corral",
        "the boxes on Ec and Gc around a closed area are lost, even with no other",
    ),
    ("lessons#6", "lDurD", "no push", "no box can be pushed, and the level is not solved"),
]


def test_three_boxes_that_only_a_window_calls_dead_too():
    board = board_of("#######\n##@. .#\n###$* #\n### $ #\n####  #\n#######")
    found, other = board.deadlocks
    assert (found.rule, len(found.squares), other.rule) == ("three boxes", 3, "window")
    assert found.reason.startswith("the boxes on Dc, Ec and Ed cannot all be brought to goals, even with no other")


def test_a_window_that_no_other_rule_calls_dead():
    board = board_of("#######\n# #  ##\n#*    #\n#*$+# #\n#. $  #\n#######")
    (found,) = board.deadlocks
    assert (found.rule, len(found.squares)) == ("window", 4)
    assert "cannot all be brought to goals, nor out of a few squares with free floor around them" in found.reason
    assert naive.solve(*naive.read(board.position)) is None


@pytest.mark.parametrize(("name", "moves", "rule", "reason"), REASONS)
def test_reasons_are_sentences_about_the_boxes_at_fault(name, moves, rule, reason):
    board = load(name).board()
    board.play(moves)
    found = board.deadlock(rule)
    assert found is not None
    assert found.reason.startswith(reason)
