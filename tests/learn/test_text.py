"""Preset `text` is the text to the letter, `first` its first version; and the search by value that it tells of."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

import sokoviz as sv
from sokoviz.board import Board
from sokoviz.core.board.grid import tables_of
from sokoviz.errors import SearchError
from sokoviz.learn.curry import Curry
from sokoviz.learn.options import PRESETS, Options
from sokoviz.learn.subcases import draw_subcases
from tests.learn.test_curry import LOST_CORNER, untimed

# Single trajectories, so that boards are hard, and small slices, so that a learner with restarts would soon make some.
HARD = {"boards": 20, "trajectories": 1, "growth": 1.0, "slice_nodes": 100}
DETOUR = "#########\n#@  #####\n# $     #\n#  $#.#.#\n#   #####\n#########"
LEVELS = ("lessons#12", "lessons#16", "lessons#17", "lessons#20", LOST_CORNER, DETOUR)
HALF_LOST = "#########\n#$ @ $..#\n#########"  # the left box can never be pushed
MOSTLY_LOST = "#########################\n#$$$$$$$$$ @ $..........#\n#########################"  # one of ten can


def learned_by(name, seed, **options):
    level = sv.load(name) if name.startswith("lessons") else sv.Level.parse(name)
    curry = Curry(level, seed=seed, **options)
    curry.run(nodes=3000)
    return curry


# --- the text --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("name", LEVELS)
def test_the_text_never_begins_anew_and_never_empties_its_buffer(name, seed):
    curry = learned_by(name, seed, preset="text", **HARD)
    assert {visit.task.restart for visit in curry.visits} == {0}
    assert [len(curry.buffer(n)) for n in range(len(curry.episodes) + 1)] == list(range(len(curry.episodes) + 1))


@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("name", LEVELS)
def test_no_stage_of_the_text_ends_before_95_percent_of_its_boards_are_solved(name, seed):
    curry = learned_by(name, seed, preset="text", **HARD)
    assert all(stage.solved >= 0.95 * stage.boards for stage in curry.stages[:-1])
    assert all(stage.boards == 20 for stage in curry.stages[:-1])
    assert [stage.boxes for stage in curry.stages] == list(range(1, len(curry.stages) + 1))


def test_the_text_visits_the_boards_that_are_left_as_often_as_it_takes():
    curry = learned_by("lessons#17", 1, preset="text", **HARD)  # its rooms are apart, but that is hard to prove
    (stage,) = curry.stages
    assert stage.visits > 20 * 8
    assert stage.solved < stage.asked == 19


def test_a_full_buffer_of_the_text_is_handed_on_from_stage_to_stage():
    curry = learned_by("lessons#20", 1, preset="text", boards=20, buffer=15)
    assert [stage.boxes for stage in curry.stages] == [1, 2, 3]
    for n in range(15, len(curry.episodes)):
        before, after = curry.buffer(n), curry.buffer(n + 1)
        (gone,) = set(before) - set(after)
        assert (gone.stage, gone.nodes) == min((episode.stage, episode.nodes) for episode in before)


def test_the_boards_of_the_text_are_drawn_and_none_is_left_out():
    curry = Curry(LOST_CORNER, preset="text", seed=1, boards=2000)
    (stage,) = curry._schedule.stages
    drawn = Counter(stage.subcases)
    assert (len(stage.subcases), stage.asked) == (2000, 1900)
    assert len(drawn) == 2 * 2  # each box with each goal, that in the corner too
    assert all(440 < n < 560 for n in drawn.values())


@pytest.mark.parametrize(
    ("options", "n_kept"),
    [
        ({}, 3 * 3),
        ({"unsolved": True}, 3 * 3 - 1),  # not the box on its own goal
        ({"matching": True}, 2 * 3),  # not the box in the corner
        ({"unsolved": True, "matching": True}, 2 * 3 - 1),
    ],
)
def test_each_way_of_leaving_boards_out_is_an_option_by_itself(options, n_kept):
    rows = ("########", "#$     #", "#      #", "# @ *  #", "#   .  #", "#  $ . #", "#      #", "########")
    boxes = tuple(r * 8 + c for r, row in enumerate(rows) for c, cell in enumerate(row) if cell in "$*")
    chosen = PRESETS["text"] | options
    drawn = draw_subcases(tables_of(rows), boxes, 1, 500, 1, Options(**chosen))
    distinct = draw_subcases(tables_of(rows), boxes, 1, 500, 1, Options(**chosen | {"distinct": True}))
    assert (len(drawn), len(set(drawn))) == (500, n_kept)
    assert len(distinct) == n_kept
    assert set(distinct) == set(drawn)


def test_a_stage_with_too_many_boards_without_a_solution_goes_on_until_the_run_ends_and_says_so():
    curry = Curry(sv.load("lessons#17"), preset="text", seed=1)  # its rooms are apart
    result = curry.run(nodes=5000)
    assert (result.stopped_by, result.stage, result.solution) == ("nodes", 1, None)
    assert (
        "50 of the 95 boards solved that this stage asks for; it never ends, as 50 of its 100 boards have no"
        in repr(result)
    )


def test_a_stage_that_is_proven_never_to_end_ends_the_run_and_says_so():
    curry = Curry(HALF_LOST, preset="text", seed=1)
    result = curry.run(seconds=60)
    assert (result.stopped_by, result.stage, result.is_unsolvable) == ("stuck", 1, False)
    assert result.standing is not None
    assert (result.standing.boards, result.standing.asked, result.standing.can_end) == (100, 95, False)
    assert result.standing.solved + result.standing.lost == 100
    assert curry.run(nodes=100).nodes == result.nodes


def test_where_too_few_boards_are_left_a_learner_with_restarts_begins_anew():
    curry = Curry(HALF_LOST, seed=1, matching=False, visits=0)
    assert curry.run(until="restart").stopped_by == "until"
    assert curry.buffer() == ()


def test_a_stage_that_can_end_tells_how_many_boards_are_solved():
    curry = Curry(sv.load("lessons#20"), preset="text", seed=1)
    assert "(40 of the 95 boards solved that this stage asks for)" in repr(curry.run(iterations=40))
    assert curry.run(seconds=60).standing is None
    assert Curry(sv.load("lessons#20"), seed=1).run(iterations=4).standing is None


def test_a_board_that_is_solved_as_it_stands_counts_and_gives_no_episode(tmp_path):
    level = "#######\n#     #\n#@ *  #\n#  $. #\n#     #\n#######"
    curry = Curry(level, preset="text", seed=1, boards=40, file=tmp_path / "kept")
    curry.run(nodes=20_000)
    first = curry.stages[0]
    assert 0 < first.last < first.solved == 38
    assert untimed(Curry.load(tmp_path / "kept")) == untimed(curry)


def test_many_visits_do_not_ask_for_more_trajectories_than_there_are_numbers_for():
    curry = Curry(LOST_CORNER, preset="text", growth=100.0)
    stage = curry._schedule.stage
    stage.visits = [100_000] * len(stage.visits)
    (task,) = curry._schedule.next_tasks(1)
    assert task.trajectories > 1 << 50


def test_a_run_ends_where_no_position_is_new_though_its_stage_never_ends():
    """Within so few steps these boards are never solved, and soon all positions are known."""
    level = "#######\n#   + #\n#$$ $.#\n#. # ##\n#    ##\n#######"
    curry = Curry(level, preset="text", boards=20, seed=69, steps=3, steps_a_box=1)
    result = curry.run(nodes=1000)
    assert result.stopped_by == "nodes"
    assert result.nodes < 1000
    assert sum(visit.outcome.trajectories for visit in curry.visits) < 100 * 1000


def test_running_to_a_restart_without_restarts_is_refused():
    with pytest.raises(SearchError, match="expected until='restart' of a learner with restarts=True, found restarts=F"):
        Curry(LOST_CORNER, preset="text").run(until="restart")


# --- the first version -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["lessons#12", "lessons#17", "lessons#20"])
def test_the_first_version_tries_each_board_once_and_asks_for_as_many_episodes(name):
    curry = learned_by(name, 1, preset="first", boards=20, slice_nodes=100)
    assert {visit.task.restart for visit in curry.visits} == {0}
    n_boxes = len(curry.level.boxes)
    assert all((v.task.visit, v.outcome.trajectories) == (0, 1) for v in curry.visits if v.task.stage < n_boxes)
    assert [stage.solved for stage in curry.stages if stage.boxes < n_boxes] == [20] * (n_boxes - 1)


def test_the_first_version_tries_fresh_boards_without_a_limit():
    curry = Curry(MOSTLY_LOST, preset="first", boards=5, seed=5)
    assert curry.run(until="stage").stage == 2
    assert curry.stages[0].solved == 5
    assert curry.stages[0].boards > 8 * 5


def test_a_stage_of_the_first_version_learns_from_the_stage_before_alone():
    curry = Curry(sv.load("lessons#20"), preset="first", boards=20, seed=1)
    seen = 0
    while curry.run(until="episode").stopped_by == "until":
        asked, stage = curry.buffer(), curry._schedule.stage.n_boxes
        assert Counter(episode.stage for episode in asked) == ({stage - 1: 20} if stage > 1 else {})
        assert curry._workshop is not None
        assert int(curry._workshop.episodes.n[0]) == len(asked)
        seen = max(seen, stage)
    assert seen == 3
    assert curry.solution is not None
    assert [summary.buffer for summary in curry.stages] == [{1: 20}, {2: 20}, {2: 20}]
    assert [len(curry.buffer(n)) for n in (0, 19, 20, 39, 40)] == [0, 0, 20, 20, 20]


def test_a_learner_with_two_buffers_goes_on_from_its_file(tmp_path):
    level = sv.load("lessons#20")
    whole = Curry(level, preset="first", boards=20, seed=2)
    whole.run(seconds=60)
    for _ in range(60):
        part = Curry(level, preset="first", boards=20, seed=2, file=tmp_path / "kept")
        if part.run(iterations=1).solution:
            break
    assert untimed(part) == untimed(whole)


# --- by value --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["lessons#12", "lessons#16", "lessons#20"])
@pytest.mark.parametrize("tree", [True, False])
def test_a_search_by_value_differs_repeats_itself_and_solves(name, tree):
    one, again = (learned_by(name, 1, search="value", tree=tree) for _ in range(2))
    assert untimed(one) == untimed(again)
    assert untimed(one) != untimed(learned_by(name, 1, tree=tree))
    assert untimed(one) != untimed(learned_by(name, 1, tree=tree, search="value", width=2))
    assert untimed(one) != untimed(learned_by(name, 1, tree=tree, search="value", depth=1))
    for episode in one.episodes:
        board = Board(episode.subcase)
        board.play(episode.lurd)
        assert board.is_solved
    assert one.solution is not None
    board = Board(one.level)
    board.play(one.solution.lurd)
    assert board.is_solved


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"search": "luck"}, "expected a search out of 'policy', 'value'; found 'luck'"),
        ({"width": 0}, "expected a whole number from 1 on as width, found 0"),
        ({"depth": 0}, "expected a whole number from 1 on as depth, found 0"),
        ({"width": 50, "depth": 3}, "expected width times depth up to 100, found 50 times 3"),
    ],
)
def test_searches_that_make_no_sense_are_refused(options, words):
    with pytest.raises(SearchError, match=words):
        Curry(sv.load("lessons#1"), **options)


@pytest.mark.parametrize("tree", [True, False])
def test_a_search_by_value_ends_where_memory_does(tree):
    options: dict[str, Any] = {"search": "value", "width": 10, "depth": 10, "epsilon": 1.0, "trajectories": 500}
    curry = Curry(sv.load("lessons#17"), seed=1, tree=tree, memory=1 << 20, restarts=False, visits=0, **options)
    curry.run(nodes=4000)
    assert curry._workshop is not None
    capacity = len(curry._workshop.attempt.values)
    most = max(visit.outcome.nodes for visit in curry.visits)
    assert most > capacity - 10 * 10 - 10
    assert (most < capacity) == tree  # plain trajectories need nothing of those before, and begin anew
