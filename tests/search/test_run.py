"""Running: how far, until what, interrupted, in the background, and with somebody watching."""

from __future__ import annotations

import math
import threading
import time
from typing import Any

import numpy as np
import pytest

from sokoviz.errors import ScriptError, SearchError
from sokoviz.games.tictactoe import TicTacToe
from sokoviz.search.contract import Counters, Moment
from sokoviz.search.limits import Limits
from sokoviz.search.mcts.search import MCTS
from sokoviz.search.options import EVENTS, Script
from sokoviz.search.progress import Progress
from tests.search.searching import assert_is_straight, straight, tic_tac_toe

POSITION = "X.O/.X./..O"
FOREVER = 10**9
PATIENCE = 30  # seconds that nothing here takes


# --- how far ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("n", [0, 1, 63, 64, 65, 1000, np.int64(20)])
def test_a_number_of_iterations(n):
    search = MCTS(TicTacToe())
    result = search.run(iterations=n)
    assert (search.steps, search.last, search.phase) == (n, n, "")
    assert (result.iterations, result.stopped_by) == (n, "iterations")
    assert search.tree.visits[0] == n


def test_a_run_goes_on_from_where_the_search_stands():
    search = straight(100)
    search.goto(40)
    assert search.run(iterations=50).iterations == 90
    assert search.last == 100
    assert search.run(iterations=50).iterations == 140
    assert search.last == 140


def test_without_limits_there_are_100_000_iterations():
    assert MCTS(TicTacToe()).run().iterations == 100_000


@pytest.mark.clock
def test_a_number_of_seconds():
    search = straight(1)
    begin = time.monotonic()
    result = search.run(seconds=0.2)
    assert 0.2 <= time.monotonic() - begin < PATIENCE
    assert result.stopped_by == "seconds"
    assert result.iterations == search.last > 1000
    assert "time was up" in repr(result)
    assert_is_straight(search)


def test_no_seconds_are_no_iterations():
    assert MCTS(TicTacToe()).run(seconds=0).iterations == 0


def test_whatever_comes_first_ends_a_run():
    search = MCTS(TicTacToe())
    assert search.run(iterations=10, seconds=PATIENCE).stopped_by == "iterations"
    assert search.run(iterations=FOREVER, seconds=0.01).stopped_by == "seconds"
    assert search.run(iterations=FOREVER, seconds=PATIENCE, until="tie").stopped_by == "until"


def test_time_of_the_search_is_counted_and_loading_is_not():
    search = MCTS(TicTacToe())
    assert search.result.seconds == 0.0
    search.run(seconds=0.05)
    assert 0.0 < search.seconds < PATIENCE
    assert search.result.seconds == search.seconds


def test_results_are_sentences():
    search = MCTS(TicTacToe(), seed=1)
    assert repr(search.result) == "MCTS on Tic-Tac-Toe: no move yet after 0 iterations, 1 node, 0.00 s"
    result = search.run(iterations=1234)
    assert f"MCTS on Tic-Tac-Toe: move {result.move} (node {result.node}, " in repr(result)
    assert "after 1,234 iterations" in repr(result)
    assert result.line[0] == result.move
    found = search.tree[result.node or 0]
    assert (result.visits, result.value) == (found.visits, found.value)


# --- until -----------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def course():
    """What the twin does in 300 iterations: the events of each, and the nodes that it goes through."""
    _, twin = tic_tac_toe(POSITION, seed=6)
    made = [twin.iterate() for _ in range(300)]
    return [(set(one.events), {change.node.number for change in one.changes}) for one in made]


def fresh():
    """The search that `course` is of."""
    return MCTS(TicTacToe(POSITION), seed=6)


def first_after(course, done, is_met):
    """The number of the first iteration after some that meets a condition."""
    return next(k for k in range(done + 1, 301) if is_met(course[k - 1]))


@pytest.mark.parametrize("recorded", [0, 150, 300])
@pytest.mark.parametrize("kind", EVENTS)
def test_until_an_event(course, kind, recorded):
    """In the record, across its end, and beyond it."""
    search = fresh()
    search.run(iterations=recorded)
    search.goto(0)
    wanted = [k for k in range(1, 301) if kind in course[k - 1][0]]
    for k in wanted[:30]:
        result = search.run(iterations=FOREVER, until=kind)
        assert (result.stopped_by, search.steps) == ("until", k)
        assert kind in search.explain().events


@pytest.mark.parametrize("recorded", [0, 150, 300])
@pytest.mark.parametrize("node", [0, 1, 4, 9, 20])
def test_until_a_node_is_visited(course, node, recorded):
    search = fresh()
    search.run(iterations=recorded)
    search.goto(0)
    wanted = [k for k in range(1, 301) if node in course[k - 1][1]]
    assert wanted
    for k in wanted[:20]:
        result = search.run(iterations=FOREVER, until=node)
        assert (result.stopped_by, search.steps) == ("until", k)


@pytest.mark.parametrize("recorded", [0, 30, 300])
def test_until_a_function_is_true(course, recorded):
    search = fresh()
    search.run(iterations=recorded)
    search.goto(0)
    k = first_after(course, 0, lambda made: {"tie", "terminal"} <= made[0])
    result = search.run(until=lambda told: {"tie", "terminal"} <= set(told.events))
    assert (result.stopped_by, search.steps) == ("until", k)
    assert "stopped where asked" in repr(result)
    k = first_after(course, k, lambda made: len(made[1]) == 4)
    result = search.run(until=lambda told: len(told.backpropagation) == 4)
    assert (result.stopped_by, search.steps) == ("until", k)


def test_a_function_sees_every_iteration_once_and_in_order():
    search, seen = straight(40), []
    search.goto(0)
    search.run(iterations=90, until=lambda told: seen.append(told.number))
    assert seen == list(range(1, 91))


def test_a_breakpoint_does_not_stop_twice_at_the_same_place(course):
    search = fresh()
    search.run(iterations=300)
    search.goto(0)
    found = []
    while search.run(iterations=300 - search.steps, until="terminal").stopped_by == "until":
        found.append(search.steps)
    assert found == [k for k in range(1, 301) if "terminal" in course[k - 1][0]]
    assert search.steps == 300


def test_a_run_that_meets_nothing_ends_by_its_limit():
    search = MCTS(TicTacToe())
    assert search.run(iterations=500, until=FOREVER).stopped_by == "iterations"
    assert search.run(iterations=500, until=lambda _: False).iterations == 1000
    assert_is_straight(search)


def test_until_without_a_journal():
    loud, silent = MCTS(TicTacToe(), seed=2), MCTS(TicTacToe(), seed=2, journal=False)
    for until in ("tie", "terminal", 3):
        assert silent.run(until=until).iterations == loud.run(until=until).iterations


# --- what makes no sense ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"iterations": -1}, "number of iterations of 0 or more, found -1"),
        ({"iterations": 2.5}, "number of iterations of 0 or more, found 2.5"),
        ({"iterations": "10"}, "number of iterations of 0 or more, found '10'"),
        ({"iterations": True}, "found True"),
        ({"seconds": -0.1}, "0 seconds or more, found -0.1"),
        ({"seconds": math.nan}, "0 seconds or more, found nan"),
        ({"seconds": "3"}, "0 seconds or more, found '3'"),
        ({"seconds": True}, "0 seconds or more, found True"),
        ({"until": "ties"}, "kind of event out of 'tie', .*; found 'ties'; did you mean 'tie'"),
        ({"until": "xyz"}, "kind of event out of .*; found 'xyz'$"),
        ({"until": -1}, "kind of event .*, a node, or a function of what a step is explained by; found -1"),
        ({"until": 1.5}, "found 1.5"),
        ({"until": True}, "found True"),
        ({"until": 2**70}, "a node, or a function"),
    ],
)
@pytest.mark.parametrize("how", ["run", "start"])
def test_arguments_that_make_no_sense(how, options, message):
    search = straight(3)
    with pytest.raises(SearchError, match=message):
        getattr(search, how)(**options)
    assert (search.last, search.is_running) == (3, False)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"sed": 1}, "expected an option out of 'c', 'seed', .*, 'journal'; found 'sed'; did you mean 'seed'"),
        ({"c": -1}, "constant c from 0 to 1e\\+09, found -1"),
        ({"c": math.inf}, "found inf"),
        ({"c": math.nan}, "found nan"),
        ({"c": "2"}, "found '2'"),
        ({"c": True}, "found True"),
        ({"seed": -1}, "whole number from 0 to 2\\*\\*64 - 1 as seed, found -1"),
        ({"seed": 2**64}, "as seed, found 18446744073709551616"),
        ({"seed": 1.0}, "as seed, found 1.0"),
        ({"selection": "uct1"}, "selection formula out of 'uct', .*; did you mean 'uct'"),
        ({"selection": None}, "selection formula .* found None"),
        ({"memory": 0}, "number of bytes as memory, found 0"),
        ({"memory": "1 GB"}, "number of bytes as memory, found '1 GB'"),
    ],
)
def test_settings_that_make_no_sense(options, message):
    with pytest.raises(SearchError, match=message):
        MCTS(TicTacToe(), **options)


@pytest.mark.parametrize("game", [None, TicTacToe, "Tic-Tac-Toe"])
def test_what_is_no_game(game):
    with pytest.raises(SearchError, match=r"expected a Game such as TicTacToe\(\)"):
        MCTS(game)


def test_numbers_of_numpy_are_numbers():
    numbers: dict[str, Any] = {"c": np.float32(0.5), "seed": np.uint64(7), "memory": np.int64(10**9)}
    search = MCTS(TicTacToe(), **numbers)
    assert (search.settings.c, search.settings.seed, search.settings.memory) == (0.5, 7, 10**9)
    assert {type(search.settings.c), type(search.settings.seed), type(search.settings.memory)} == {float, int}


def test_the_largest_constant_explores_evenly():
    search = MCTS(TicTacToe(), c=1e9)
    search.run(iterations=9 * 20 + 1)
    assert search.tree.visits[1:10].tolist() == [20] * 9


# --- in the background -----------------------------------------------------------------------------------------------


class Watcher:
    """Keeps the news of a search."""

    def __init__(self, search):
        self.news = []
        self.ended = threading.Event()
        self.threads = set()
        search.watch(self.hear)

    def hear(self, news):
        """Take a piece of news."""
        self.news.append(news)
        self.threads.add(threading.current_thread().name)
        if news.kind == "ended":
            self.ended.set()

    def of(self, kind):
        """The news of one kind."""
        return [news for news in self.news if news.kind == kind]


def wait_for(condition):
    """Wait until something is true."""
    limit = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < limit, "nothing happened"
        time.sleep(0.002)


def test_start_returns_at_once_and_stop_keeps_everything():
    search = straight(1)
    watcher = Watcher(search)
    begin = time.monotonic()
    search.start(iterations=FOREVER)
    assert time.monotonic() - begin < 1.0
    assert search.is_running
    wait_for(lambda: len(watcher.of("progress")) >= 3)
    search.stop()
    assert not search.is_running
    assert [(news.reason, news.error) for news in watcher.of("ended")] == [("stopped", None)]
    assert search.result.stopped_by == "stopped"
    reached = search.last
    assert search.steps == reached > 1
    time.sleep(0.05)
    assert search.last == reached
    search.run(iterations=500)
    assert_is_straight(search)


def test_progress_tells_how_far_it_is():
    search = straight(10)
    watcher = Watcher(search)
    search.start(iterations=200_000)
    assert watcher.ended.wait(PATIENCE)
    told = [news.progress for news in watcher.of("progress")]
    made = [progress.done.iterations for progress in told]
    assert made == sorted(set(made)) == [progress.done.steps for progress in told]
    assert all(progress.limits.iterations == 200_000 and 0 < progress.share <= 1 for progress in told)
    assert made[-1] == 200_000
    assert told[-1].nodes == len(search.tree)
    assert watcher.of("ended")[0].reason == "iterations"
    assert search.steps == 200_010
    assert "sokoviz-search" in watcher.threads


def test_a_run_in_the_background_ends_by_time_and_event():
    search = straight(1)
    for options, reason in (({"seconds": 0.05}, "seconds"), ({"until": "tie"}, "until"), ({"until": 7}, "until")):
        watcher = Watcher(search)
        search.start(**options)
        assert watcher.ended.wait(PATIENCE)
        assert watcher.of("ended")[0].reason == reason
    assert_is_straight(search)


@pytest.mark.parametrize(
    "move",
    [
        lambda search: search.goto(5),
        lambda search: search.step(),
        lambda search: search.step_phase(),
        lambda search: search.back(),
        lambda search: search.back_phase(),
        lambda search: search.run(iterations=3),
        lambda search: search.start(iterations=3),
    ],
)
def test_moving_by_hand_ends_a_run_in_the_background(move):
    search = straight(50)
    watcher = Watcher(search)
    search.start(iterations=FOREVER)
    wait_for(lambda: watcher.of("progress"))
    move(search)
    search.stop()
    assert watcher.of("ended")[0].reason == "stopped"
    assert not search.is_running
    assert_is_straight(search)


def assert_is_whole(tree):
    """Every node with children was simulated once itself, and all else came through its children."""
    parents, visits = tree.parents[1:], tree.visits
    from_below = np.bincount(parents, weights=visits[1:], minlength=len(tree))
    expanded = np.unique(parents)
    assert (visits[expanded] == 1 + from_below[expanded]).all()


def test_looking_on_while_it_runs():
    """Tree, explanation, scores, history and file are those of one moment, and nobody waits long for them."""
    search = straight(2000)
    explained = search.explain(1500)
    search._explained.clear()
    search.start(iterations=FOREVER)
    waits = []
    for _ in range(7):
        begin = time.monotonic()
        tree = search.tree
        waits.append(time.monotonic() - begin)
        assert_is_whole(tree)
        assert sum(candidate.visits for candidate in search.candidates(0)) >= 1999
    assert search.explain(1500) == explained
    history = search.history
    assert (history.index[-1], history["nodes"].is_monotonic_increasing) == (len(history), True)
    assert search.is_running
    search.stop()
    assert sorted(waits)[len(waits) // 2] < 0.25
    assert_is_straight(search)


def test_a_tree_without_journal_can_be_looked_at_while_it_grows():
    search = MCTS(TicTacToe(), journal=False)
    search.start(iterations=FOREVER)
    for _ in range(20):
        assert_is_whole(search.tree)
    search.stop()
    other = MCTS(TicTacToe(), journal=False)
    other.run(iterations=search.last)
    assert search.tree.to_frame().equals(other.tree.to_frame())


def test_an_error_in_a_function_reaches_the_watchers():
    search = straight(20)
    watcher = Watcher(search)
    search.start(until=lambda told: 1 // (25 - told.number) > 9)
    assert watcher.ended.wait(PATIENCE)
    ended = watcher.of("ended")[0]
    assert (ended.reason, type(ended.error)) == ("error", ZeroDivisionError)
    assert search.result.stopped_by == "error"
    assert search.steps == search.last == 25
    assert_is_straight(search)


def test_an_error_in_a_function_comes_out_of_a_run():
    search = straight(20)
    with pytest.raises(ZeroDivisionError):
        search.run(until=lambda told: 1 // (25 - told.number) > 9)
    assert search.steps == search.last == 25
    assert_is_straight(search)


def test_a_bad_script_reaches_the_watchers():
    search = MCTS(TicTacToe(), script=Script(outcomes=(None, None, 5)))
    watcher = Watcher(search)
    search.start(iterations=10)
    assert watcher.ended.wait(PATIENCE)
    assert isinstance(watcher.of("ended")[0].error, ScriptError)
    assert search.steps == search.last == 2


# --- watchers --------------------------------------------------------------------------------------------------------


def test_watchers_hear_of_every_move():
    search = straight(10)
    watcher = Watcher(search)
    for move in (
        lambda: search.goto(3),
        search.step,
        search.step_phase,
        search.back_phase,
        search.back,
        lambda: search.run(iterations=2),
    ):
        watcher.news.clear()
        move()
        assert [news.kind for news in watcher.news] == ["moved"]


def test_watchers_are_not_kept_alive():
    search = straight(10)
    watcher = Watcher(search)
    heard = watcher.news
    del watcher
    search.goto(3)
    assert heard == []
    assert search._watchers == []


def test_watchers_can_leave():
    search = straight(10)
    watcher, other = Watcher(search), Watcher(search)
    search.unwatch(watcher.hear)
    search.goto(3)
    assert (len(watcher.news), len(other.news)) == (0, 1)


# --- progress --------------------------------------------------------------------------------------------------------


def test_a_function_is_called_with_progress():
    told: list[Progress] = []
    search = straight(5)
    search.run(seconds=0.7, progress=told.append)
    assert len(told) >= 2
    assert all(isinstance(progress, Progress) for progress in told)
    assert [progress.done.steps for progress in told] == sorted(progress.done.steps for progress in told)
    assert all(progress.limits.seconds == 0.7 for progress in told)
    assert all(0 <= (progress.share or 0.0) <= 1 for progress in told)
    assert str(told[-1]).endswith(" a second")


def test_a_line_shows_progress_where_it_is_wanted(capsys):
    search = straight(1)
    search.run(seconds=0.9, progress=True)
    shown = capsys.readouterr().err
    assert " iterations, " in shown
    assert "interrupt to stop, nothing is lost" in shown
    assert "█" in shown
    assert shown.endswith("\r\x1b[K")


@pytest.mark.parametrize("wanted", [None, False])
def test_nothing_is_shown_where_nobody_looks_on(capsys, wanted):
    straight(1).run(seconds=0.7, progress=wanted)
    assert capsys.readouterr() == ("", "")


def test_progress_in_words():
    progress = Progress(Counters(2500, 2500, 1200), 1234, 0.5, 0.4, Limits(iterations=10_000))
    assert str(progress) == "2,500 of 10,000 iterations, 1,234 nodes, 0.5 s, 5,000 a second"
    assert progress.share == 0.25
    assert Progress(Counters(5, 1, 7), 7, 1.0, 1.0, Limits()).share is None
    assert Progress(Counters(5, 1, 7), 7, 9.0, 1.0, Limits(steps=10, seconds=10.0)).share == 0.9
    thresholds = Progress(Counters(500, 1, 700), 700, 1.0, 9.5, Limits(iterations=4, cpu_seconds=10.0), "step")
    assert str(thresholds) == "500 steps, 700 nodes, 1.0 s, 500 a second"
    assert thresholds.share == 0.95


def test_a_search_says_what_it_is():
    search = MCTS(TicTacToe(POSITION), c=1.4, seed=5, selection="ucb1")
    assert repr(search).endswith("seed 5 · c = 1.4 · UCB1, iteration 0 of 0")
    search.run(iterations=7)
    search.goto(3)
    assert search.moment == Moment(3)
    assert "iteration 3 of 7" in repr(search)
