"""The learner as people hold it: it solves, repeats itself, stops and goes on, keeps what it learned."""

from __future__ import annotations

import signal
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any

import pytest

import sokoviz as sv
from sokoviz.board import Board
from sokoviz.errors import SearchError
from sokoviz.learn.curry import Curry
from sokoviz.learn.performing import TRAJECTORIES_A_CALL, Workshop
from sokoviz.search.mcts.schokoban import Solution

SMALL = ("lessons#2", "lessons#7", "lessons#12", "lessons#16", "lessons#17")
NO_WAY = "######\n#@ $ #\n#  #.#\n######"
LOST_CORNER = "#######\n#$   .#\n#@ $ .#\n#     #\n#######"


@pytest.fixture(scope="module")
def lucky():
    """A learner that has solved its level."""
    curry = Curry(sv.load("lessons#17"), seed=1)
    curry.run(seconds=60)
    return curry


def untimed(curry):
    """All visits without the time that they took."""
    return [(visit.task, visit.outcome._replace(seconds=0), visit.episode) for visit in curry.visits]


@pytest.mark.parametrize("name", SMALL)
def test_lessons_are_solved_and_the_solution_was_played_by_the_rules(name):
    curry = Curry(sv.load(name), seed=1)
    result = curry.run(seconds=60)
    assert (result.stopped_by, result.iterations) == ("solved", len(curry.episodes))
    board = Board(sv.load(name))
    board.play(result.lurd or "")
    assert board.is_solved
    assert curry.solution == result.solution == Solution(board.moves, board.n_pushes, board.n_moves)
    assert repr(result).startswith(f"Curry on {curry.level!r}: solved in {board.n_pushes} push")


@pytest.mark.parametrize("name", SMALL)
def test_every_episode_replays_by_the_rules_as_found_and_without_detours(name):
    curry = Curry(sv.load(name), seed=3)
    curry.run(seconds=60)
    for episode in curry.episodes:
        for found in (False, True):
            moves = episode.found if found else episode.moves
            board = episode.position(len(moves), found=found)
            assert board.is_solved
            assert frozenset(board.boxes) == frozenset(episode.goals) == episode.states[-1]
        assert len(episode.moves) <= len(episode.found)
        replayed = Board(episode.subcase)
        replayed.play(episode.lurd)
        assert replayed.is_solved


def test_the_same_seed_gives_the_same_visits_and_another_one_others(lucky):
    again, other = Curry(lucky.level, seed=1), Curry(lucky.level, seed=2)
    again.run(seconds=60)
    other.run(seconds=60)
    assert untimed(again) == untimed(lucky)
    assert untimed(other) != untimed(lucky)


def test_many_short_runs_give_what_one_long_run_gives(lucky):
    curry = Curry(lucky.level, seed=1)
    assert curry.run(until="episode").iterations == 1
    assert curry.run(iterations=3).stopped_by == "iterations"
    assert len(curry.episodes) == 4
    stage = curry.run(until="stage").stage
    assert stage == 2
    while curry.run(seconds=0.002).stopped_by == "seconds":
        pass
    assert untimed(curry) == untimed(lucky)


def test_a_run_ends_at_so_many_positions_in_the_middle_of_a_visit(lucky):
    curry = Curry(lucky.level, seed=1)
    while curry.nodes < lucky.nodes:
        before = curry.nodes
        result = curry.run(nodes=5)
        assert curry.nodes - before < 5 + TRAJECTORIES_A_CALL * curry.options.longest(4)
        assert result.stopped_by == "solved" or curry.nodes - before >= 5
    assert untimed(curry) == untimed(lucky)


def test_a_visit_that_was_told_to_end_goes_on(monkeypatch):
    curry = Curry(LOST_CORNER, seed=1, trajectories=100, restarts=False)
    begun = []
    monkeypatch.setattr(Workshop, "begin", lambda self, task, begin=Workshop.begin: begun.append(begin(self, task)))
    for n in range(1, 5):
        assert curry.run(nodes=1).stopped_by == "nodes"
        assert curry.nodes >= n
    assert len(begun) == len(curry.visits) + 1


def test_an_interrupt_loses_only_the_visit_under_way(monkeypatch, lucky):
    curry = Curry(lucky.level, seed=1)
    curry.run(iterations=5)
    perform = type(curry._prepare()).perform

    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("sokoviz.learn.performing.Workshop.perform", interrupted)
    assert curry.run(seconds=60).stopped_by == "interrupted"
    monkeypatch.setattr("sokoviz.learn.performing.Workshop.perform", perform)
    curry.run(seconds=60)
    assert untimed(curry) == untimed(lucky)


def test_an_interrupt_that_is_swallowed_elsewhere_is_not_lost(lucky):
    curry = Curry(lucky.level, seed=1)

    def swallow(_):
        with suppress(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)

    assert curry.run(seconds=60, progress=swallow).stopped_by == "interrupted"
    curry.run(seconds=60)
    assert untimed(curry) == untimed(lucky)


@pytest.mark.parametrize("n_workers", [1, 3])
def test_an_executor_changes_nothing_but_the_time(n_workers):
    level = sv.load("lessons#12")
    alone = Curry(level, seed=1, batch=4)
    alone.run(seconds=60)
    together = Curry(level, seed=1, batch=4)
    lock = threading.Lock()
    with ThreadPoolExecutor(n_workers) as pool:
        submit = pool.submit

        def one_at_a_time(function, *arguments):  # threads share the arrays that a process has of its own
            def locked():
                with lock:
                    return function(*arguments)

            return submit(locked)

        pool.submit = one_at_a_time  # type: ignore[method-assign, assignment]
        together.run(seconds=60, executor=pool)
    assert untimed(together) == untimed(alone)
    assert together.solution == alone.solution


@pytest.mark.parametrize("level", [NO_WAY, LOST_CORNER])
def test_a_level_without_a_solution_is_proven_so_or_given_up(level):
    result = Curry(level, seed=1, slice_nodes=2000).run(seconds=3)
    assert result.solution is None
    assert result.stopped_by in {"unsolvable", "seconds"}
    assert Curry(NO_WAY).run(seconds=60).is_unsolvable


def test_restarts_begin_anew_with_another_seed_and_grow():
    curry = Curry(LOST_CORNER, seed=1, slice_nodes=300, visits=2)
    curry.run(until="restart")
    curry.run(until="restart")
    first, second = ([visit for visit in curry.visits if visit.task.restart == number] for number in (0, 1))
    assert first[0].task.seed != second[0].task.seed
    assert all(sum(visit.outcome.nodes for visit in some) >= 300 for some in (first, second))
    assert (curry.buffer(), curry.stages[-1].buffer) == ((), {})  # of the third pass


def test_the_buffer_keeps_the_hardest_episodes(lucky):
    curry = Curry(lucky.level, seed=1, buffer=10)
    curry.run(seconds=60)
    assert len(curry.buffer()) == 10
    n = len(curry.episodes)
    for k in range(11, n):
        before, new = curry.buffer(k - 1), curry.episodes[k - 1]
        (gone,) = set(before) - set(curry.buffer(k))
        assert gone.slot == new.slot
        assert (gone.stage, gone.nodes) == min((episode.stage, episode.nodes) for episode in before)


def test_stages_count_what_the_visits_tell(lucky):
    for summary in lucky.stages:
        visits = [visit for visit in lucky.visits if visit.task.stage == summary.boxes]
        assert summary.visits == len(visits)
        assert summary.nodes == sum(visit.outcome.nodes for visit in visits)
        assert (
            summary.solved == sum(visit.outcome.status == "solved" for visit in visits) == summary.last - summary.first
        )
        assert sum(summary.buffer.values()) == len(lucky.buffer(summary.last))
    assert [summary.boxes for summary in lucky.stages] == [1, 2, 3, 4]
    assert lucky.stages[-1].rate == 1.0


def test_progress_tells_stage_solved_episodes_and_time(lucky):
    told: list[Any] = []
    Curry(lucky.level, seed=1).run(seconds=60, progress=told.append)
    assert told
    assert all(0 <= each.solved <= each.asked and 1 <= each.stage <= 4 for each in told)
    assert str(told[0]).startswith("1 of 4 boxes: ")


def test_history_has_a_row_a_visit(lucky):
    table = lucky.history
    assert len(table) == len(lucky.visits)
    assert table["episode"].dropna().astype(int).tolist() == list(range(1, len(lucky.episodes) + 1))


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"delta": -1}, "expected a number from 0 to 1 as delta, found -1"),
        ({"epsilon": "much"}, "expected a number from 0 to 1 as epsilon, found 'much'"),
        ({"buffer": 0}, "expected a whole number from 1 on as buffer, found 0"),
        ({"seed": 1.5}, "expected a whole number from 0 on as seed, found 1.5"),
        ({"goal_filter": 1}, "expected True or False as goal_filter, found 1"),
        ({"bufer": 3}, "expected an option out of .* did you mean 'buffer'"),
        ({"preset": "worst"}, "expected a preset out of 'best', 'text', 'first'; found 'worst'"),
    ],
)
def test_options_that_make_no_sense_are_refused(options, words):
    with pytest.raises(SearchError, match=words):
        Curry(sv.load("lessons#1"), **options)


@pytest.mark.parametrize(
    ("limits", "words"),
    [
        ({"until": "dawn"}, "expected a place to run to out of 'episode', 'stage', 'restart'; found 'dawn'"),
        ({"seconds": -1}, "expected 0 seconds or more, found -1"),
        ({"iterations": -1}, "expected a number of iterations of 0 or more, found -1"),
        ({"nodes": 0}, "expected a number of nodes of 1 or more, found 0"),
        ({"cpu_seconds": -1}, "expected 0 CPU-seconds or more, found -1"),
        ({"cpu_seconds": "few"}, "expected 0 CPU-seconds or more, found 'few'"),
        ({"cpu_seconds": 1, "executor": ThreadPoolExecutor()}, "expected cpu_seconds without an executor"),
    ],
)
def test_limits_that_make_no_sense_are_refused(limits, words):
    with pytest.raises(SearchError, match=words):
        Curry(sv.load("lessons#1")).run(**limits)


def test_what_is_no_level_is_refused():
    with pytest.raises(SearchError, match="expected a Level or its text, found 7"):
        Curry(7)  # type: ignore[arg-type]


def test_boxes_that_are_walled_off_count_only_where_they_are_lost():
    solved_outside = "#########\n#@ $ .#*#\n#########"
    lost_outside = "#########\n#@ $ .#$#\n####### #\n      #.#\n      ###"
    assert Curry(solved_outside).run(seconds=60).solution is not None
    assert Curry(lost_outside).run(seconds=60).is_unsolvable


@pytest.mark.parametrize("text", ["#####\n#@* #\n#####", "#######\n#@  #*#\n#######"])
def test_a_level_that_is_solved_as_it_stands_needs_no_move(text):
    curry = Curry(text)
    result = curry.run(seconds=60)
    assert (result.stopped_by, result.lurd, curry.episodes) == ("solved", "", [])


def test_cpu_seconds_end_a_run_and_what_others_compute_does_not_count():
    is_over = threading.Event()

    def compute():
        while not is_over.is_set():
            sum(range(1000))

    curry = Curry(LOST_CORNER, seed=1)
    curry.run(iterations=1)  # the kernels are loaded
    other = threading.Thread(target=compute)
    other.start()
    start = time.thread_time()
    result = curry.run(cpu_seconds=0.2)
    spent = time.thread_time() - start
    is_over.set()
    other.join()
    assert result.stopped_by == "cpu-seconds"
    assert 0.2 <= spent < 1
    assert repr(result).endswith("; CPU time is up")


def test_time_is_kept():
    start = time.perf_counter()
    curry = Curry(LOST_CORNER, seed=1)
    curry.run(seconds=0.3)
    assert 0.25 < curry.seconds < time.perf_counter() - start + 0.01
