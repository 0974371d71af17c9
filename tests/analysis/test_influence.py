"""Influence as Python shows it: fields, pairs, thresholds, and what relevance cuts say of pushes."""

from __future__ import annotations

import numpy as np
import pytest

import sokoviz as sv
from sokoviz.actions import Push
from sokoviz.analysis.influence import Influence, pushes_of
from tests.twins import naive, naive_influence
from tests.worlds import random_worlds

pytestmark = pytest.mark.kernels

# Two rooms with a goal each, joined by a corridor: what happens in one has little to do with the other.
HALVES = """
#####     #####
#.  #######   #
# $         $ #
#  @#######  .#
#####     #####
""".strip("\n")


@pytest.fixture(scope="module")
def halves() -> Influence:
    return sv.influence(HALVES)


def test_squares_are_the_floor_in_reading_order(halves: Influence) -> None:
    assert list(halves.squares) == sorted(sv.Level.parse(HALVES).floor)
    assert halves.table.shape == (len(halves.squares),) * 2
    assert halves.table.dtype == np.int32


def test_the_table_cannot_be_written_into(halves: Influence) -> None:
    with pytest.raises(ValueError, match="read-only"):
        halves.table[0, 0] = 1


def test_fields_are_rows_and_columns_of_the_table(halves: Influence) -> None:
    place = halves.place("Dc")
    assert list(halves.field_from("Dc").values()) == halves.table[place].tolist()
    assert list(halves.field_to((2, 3)).values()) == halves.table[:, place].tolist()


def test_asymmetry_is_what_both_directions_differ_by(halves: Influence) -> None:
    one, other = halves.squares[0], halves.squares[-1]
    assert halves.asymmetry[0, -1] == halves[one, other] - halves[other, one]
    assert (halves.asymmetry == -halves.asymmetry.T).all()


def test_a_breakdown_adds_up_and_its_lines_are_those_of_table_2(halves: Influence) -> None:
    found = halves.between("Cc", "Mc")
    assert found.total == halves["Cc", "Mc"] == sum(found.rows["goal-skew"])
    assert list(found.rows) == ["alternatives", "connection", "tunnel", "goal-skew"]
    assert found.path[0].name == "Cc"
    assert found.path[-1].name == "Mc"
    assert str(found).splitlines()[0].split()[:3] == ["Cc", "→", "Dc"]


def test_a_square_on_itself_is_its_own_alternatives(halves: Influence) -> None:
    found = halves.between("Cc", "Cc")
    assert len(found.steps) == 1
    assert found.total == found.steps[0].after_skew == halves["Cc", "Cc"]
    assert found.steps[0].connection is None


@pytest.mark.parametrize("square", ["Aa", (9, 9), (0, 3)])
def test_what_is_no_floor_is_refused(halves: Influence, square: str) -> None:
    with pytest.raises(sv.SearchError, match="expected a floor square"):
        halves.field_from(square)


@pytest.mark.parametrize("world", random_worlds(6, seed=63), ids=range(6))
def test_threshold_and_history_are_the_averages_of_the_text(world):
    found = sv.influence(world.text)
    distances = naive_influence.all_distances(world.floor)
    dead = naive.locking_tiles(world.floor, world.goals)
    values = {(a, b): found[a, b] for a in world.floor for b in world.floor}
    skewed = [v for (a, b), v in values.items() if naive_influence.is_on_optimal_path(distances, world.goals, a, b)]
    alive = [v for (_, b), v in values.items() if b not in dead]
    assert found.threshold == max(6, int(sum(skewed) / len(skewed) / 2))
    assert found.m == min(10, int(sum(alive) / len(alive)))


@pytest.mark.parametrize("world", random_worlds(6, seed=64), ids=range(6))
def test_the_released_program_has_other_averages(world):
    found = sv.influence(world.text, released=True)
    distances = naive_influence.all_distances(world.floor)
    live = world.floor - naive.locking_tiles(world.floor, world.goals)
    values = {(a, b): found[a, b] for a in live for b in live}
    skewed = [v for (a, b), v in values.items() if naive_influence.is_on_optimal_path(distances, world.goals, a, b)]
    assert found.threshold == max(6, int(sum(values.values()) / len(values) / 2) + 1)
    assert found.m == min(10, int(sum(skewed) / len(skewed)) + 1)


def test_in_the_released_program_both_directions_have_to_be_distant(halves: Influence) -> None:
    released = sv.influence(HALVES, released=True)
    width = released.level.width
    numbers = [square.row * width + square.column for square in released.squares]
    expected = np.minimum(halves.table, halves.table.T)
    assert (released.deciding[np.ix_(numbers, numbers)] == expected).all()


# --- relevance cuts --------------------------------------------------------------------------------------------------


def test_without_a_history_nothing_is_cut(halves: Influence) -> None:
    verdicts = halves.cuts(halves.level)
    assert [verdict.push for verdict in verdicts] == list(halves.level.board().pushes)
    assert {verdict.reason for verdict in verdicts} == {"nothing was pushed before"}
    assert not any(verdict.is_cut for verdict in verdicts)


def test_a_switch_is_kept_and_the_way_back_is_cut(halves: Influence) -> None:
    board = halves.level.board()
    board.push(Push(sv.Square(2, 2), "u"))
    switch = Push(sv.Square(2, 12), "d")
    there = next(verdict for verdict in halves.cuts(board) if verdict.push == switch)
    assert (there.is_cut, there.is_distant) == (False, True)
    back = [verdict for verdict in halves.cuts(board, [switch]) if verdict.push.box.column < 5]
    assert back
    assert {(verdict.is_cut, verdict.rule) for verdict in back} == {(True, "too many")}
    assert "2 distant moves in the last" in back[0].reason
    assert "more than k = 1" in back[0].reason


def test_with_a_larger_k_the_way_back_is_cut_as_a_return(halves: Influence) -> None:
    board = halves.level.board()
    for push in (Push(sv.Square(2, 2), "u"), Push(sv.Square(2, 12), "d")):
        board.push(push)
    back = [verdict for verdict in halves.cuts(board, k=3) if verdict.push.box.column < 5]
    assert {verdict.rule for verdict in back} == {"return"}
    assert "near to push 1 from Cc" in back[0].reason


def test_parameters_can_be_given(halves: Influence) -> None:
    board = halves.level.board()
    for push in (Push(sv.Square(2, 2), "u"), Push(sv.Square(2, 12), "d")):
        board.push(push)
    assert not any(verdict.is_cut for verdict in halves.cuts(board, threshold=1000))
    assert not any(verdict.is_cut for verdict in halves.cuts(board, m=1))


def test_a_history_may_be_a_move_string(halves: Influence) -> None:
    board = halves.level.board()
    board.push(Push(sv.Square(2, 2), "u"))
    assert halves.cuts(halves.level, board.moves) == halves.cuts(board)


@pytest.mark.parametrize("world", random_worlds(5, seed=65, n_boxes=3), ids=range(5))
def test_cuts_along_random_lines_are_those_of_the_twin(world):
    found, board, random = sv.influence(world.text), sv.Level.parse(world.text).board(), np.random.default_rng(5)
    table = {(a, b): found[a, b] for a in world.floor for b in world.floor}
    for _ in range(12):
        line = [push.box for push in pushes_of(board.level, board.moves)]
        for verdict in found.cuts(board, threshold=4, m=5):
            assert verdict.is_cut == naive_influence.is_cut(table, line, verdict.push.box, 1, 5, 4)
        if not board.pushes:
            break
        board.push(board.pushes[random.integers(len(board.pushes))])


def test_each_push_of_a_line_is_judged_by_those_before_it(halves: Influence) -> None:
    pushes = [Push(sv.Square(2, 2), "u"), Push(sv.Square(2, 12), "d"), Push(sv.Square(1, 2), "l")]
    line = halves.line(halves.level, pushes)
    assert [verdict.push for verdict in line] == pushes
    assert [verdict.is_cut for verdict in line] == [False, False, True]


def test_a_position_of_another_level_is_refused(halves: Influence) -> None:
    with pytest.raises(sv.SearchError, match="expected a position of"):
        halves.cuts(sv.Level.parse("#####\n#@$.#\n#####"))
