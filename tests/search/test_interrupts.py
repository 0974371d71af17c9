"""Interrupts: a run ends soon, keeps what it has, and goes on as if nothing had been."""

from __future__ import annotations

import os
import random
import signal
import sys
import threading
import time
from contextlib import contextmanager, suppress
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

import sokoviz as sv
from sokoviz.search.saving import _fingerprint as digest_of
from tests.search.ida.deepenings import TURNING, TURNING_WORLD, search_of
from tests.search.searching import assert_is_straight, record_of, straight

if TYPE_CHECKING:
    from collections.abc import Callable

FOREVER = 10**9
LATE = 60.0  # seconds after which a run ends that has lost an interrupt; kernels may compile meanwhile
LEVEL = "##########\n#  $  ...#\n# $$  $..#\n# $$ $ ..#\n# @      #\n##########"  # takes all of them longer than that
FAMILIES: dict[str, Callable[[], Any]] = {
    "tree search": lambda: sv.MCTS(sv.TicTacToe()),
    "IDA*": lambda: sv.IDA(LEVEL, preset="classic", deadlocks=(), table=False),
    "Curry": lambda: sv.Curry(LEVEL),
}


@contextmanager
def interrupted_after(seconds):
    """Interrupt the main thread as a notebook does; gives a list that takes the time when it happened."""
    sent = []

    def interrupt():
        sent.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)

    timer = threading.Timer(seconds, interrupt)
    timer.start()
    try:
        yield sent
    except KeyboardInterrupt:
        pytest.fail("the interrupt came through")
    finally:
        timer.cancel()
        timer.join()


@pytest.mark.clock
def test_an_interrupt_ends_a_run_within_a_quarter_of_a_second():
    search, delays = straight(1), []
    for _ in range(5):  # the best of some: others may keep this machine busy
        with interrupted_after(0.15) as sent:
            result = search.run(iterations=FOREVER)
            delays.append(time.monotonic() - sent[0])
        assert result.stopped_by == "interrupted"
        assert "interrupted; run() goes on from here" in repr(result)
        assert search.steps == search.last == result.iterations
    assert min(delays) < 0.25
    assert_is_straight(search)


def test_an_interrupt_while_a_function_decides():
    search = straight(1)
    with interrupted_after(0.1):
        result = search.run(iterations=FOREVER, until=lambda _: False)
    assert result.stopped_by == "interrupted"
    assert_is_straight(search)


@pytest.mark.parametrize("family", FAMILIES)
def test_no_family_of_searches_loses_an_interrupt_that_is_swallowed_where_progress_is_told(family):
    search, told, before = FAMILIES[family](), [], signal.getsignal(signal.SIGINT)

    def swallow(progress):
        told.append(progress)
        with suppress(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)

    result = search.run(seconds=LATE, progress=swallow)
    assert result.stopped_by == "interrupted"
    assert len(told) == 1
    assert signal.getsignal(signal.SIGINT) is before
    assert search.run(seconds=0.1, progress=False).stopped_by == "seconds"  # and it goes on


@pytest.mark.parametrize("family", [name for name in FAMILIES if name != "Curry"])
def test_no_search_with_steps_loses_an_interrupt_that_is_swallowed_where_a_function_decides(family):
    search = FAMILIES[family]()

    def swallow(step):
        if step.number == 20:
            with suppress(KeyboardInterrupt):
                signal.raise_signal(signal.SIGINT)
        return step.number > 200

    result = search.run(seconds=LATE, until=swallow)
    assert (result.stopped_by, search.last) == ("interrupted", 20)


def test_an_interrupt_that_is_swallowed_elsewhere_is_not_lost():
    """As one is that comes while the garbage collector calls back: Python prints it and goes on."""
    search, before = straight(1), signal.getsignal(signal.SIGINT)

    def swallow(iteration):
        if iteration.number == 20:
            with suppress(KeyboardInterrupt):
                signal.raise_signal(signal.SIGINT)
        return iteration.number > 1000

    result = search.run(iterations=FOREVER, until=swallow)
    assert result.stopped_by == "interrupted"
    assert search.last == 20
    assert signal.getsignal(signal.SIGINT) is before
    assert_is_straight(search)


def test_an_interrupt_in_the_recorded_part():
    search = straight(200_000)
    search.goto(0)
    with interrupted_after(0.1):
        result = search.run(iterations=FOREVER, until=lambda _: False)
    assert result.stopped_by == "interrupted"
    assert search.steps < search.last == 200_000
    assert_is_straight(search)


def test_interrupts_at_any_time_leave_no_trace():
    """A hundred of them, while the search runs, explains and grows; even where they come between two runs."""
    search, generator, n_caught = straight(1), random.Random(1), 0
    for number in range(100):
        timer = threading.Timer(generator.uniform(0.001, 0.006), os.kill, (os.getpid(), signal.SIGINT))
        with suppress(KeyboardInterrupt):
            timer.start()
            until = (lambda _: False) if number % 3 else None
            while search.run(iterations=3000, until=until).stopped_by != "interrupted":
                pass
            n_caught += 1
        timer.join()
    assert n_caught > 50
    assert_is_straight(search)
    for k in range(1, search.last + 1, search.last // 20):
        assert search.explain(k).number == k


# --- at any line, of any family --------------------------------------------------------------------------------------


def tree_record(search):
    """All that a tree search has written down, and all that decides how it goes on."""
    return [part.tolist() for part in record_of(search)]


def deepening_record(search):
    """The same of iterative deepening."""
    engine = search.engine
    tip = engine.machine.tip.tolist()
    return digest_of(search), tip, engine._turn, engine._end_of_turn, engine.is_complete, engine.lower_bound


def learner_record(search):
    """The same of a learner, but for how long it took."""
    visits = [(visit.task, visit.outcome._replace(seconds=0.0), visit.episode) for visit in search.visits]
    return visits, [(episode.number, episode.slot, episode.nodes) for episode in search.buffer()], search.solution


class Family(NamedTuple):
    """A search that ends soon, how it goes on, and what it has come to."""

    make: Callable[[], Any]
    go_on: Callable[[Any], object]
    has_ended: Callable[[Any], bool]
    record: Callable[[Any], object]


def tree_of_tictactoe():
    return sv.MCTS(sv.TicTacToe())


def schokoban():
    return sv.Schokoban(sv.load("lessons#14"))


def deepening(**options):
    """It takes turn after turn."""
    return search_of(TURNING_WORLD, **TURNING | options)


def learner(name, **options):
    return sv.Curry(sv.load(name), boards=12, memory=1 << 22, **options)


def run(search):
    search.run(iterations=300 - search.steps, progress=False)


def solve(search):
    search.run(iterations=2000, progress=False)


def turn(search):
    search.run(nodes=1500 - search.engine.n_nodes, progress=False)


def learn(search):
    search.run(seconds=LATE, progress=False)


def step(search):
    search.step_on()


def is_solved(search):
    return search.solution is not None


def has_grown(search):
    return search.last >= 300


def has_turned(search):
    return search.engine.n_nodes >= 1500


ENDING: dict[str, Family] = {
    "tree search": Family(tree_of_tictactoe, run, has_grown, tree_record),
    "tree search, stepped": Family(tree_of_tictactoe, step, has_grown, tree_record),
    "Schokoban": Family(schokoban, solve, is_solved, tree_record),
    "IDA*": Family(deepening, turn, has_turned, deepening_record),
    "IDA*, stepped": Family(deepening, step, has_turned, deepening_record),
    "IDA* without a journal": Family(partial(deepening, journal=False), turn, has_turned, deepening_record),
    "Curry": Family(partial(learner, "lessons#16"), learn, is_solved, learner_record),
    "Curry, text": Family(partial(learner, "lessons#20", preset="text", buffer=20), learn, is_solved, learner_record),
}


def interrupted_at(line, go_on, search):
    """Go on with a search, interrupted at some line of ours; return how many lines there were."""
    n_lines = 0

    def trace(frame, event, _argument):
        nonlocal n_lines
        if "sokoviz" not in frame.f_globals.get("__name__", ""):
            return None
        if event == "line":
            n_lines += 1
            if n_lines == line:
                signal.raise_signal(signal.SIGINT)
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        with suppress(KeyboardInterrupt):
            go_on(search)
    finally:
        sys.settrace(before)
    return n_lines


@pytest.mark.parametrize("family", ENDING)
def test_a_search_that_is_interrupted_at_any_line_goes_on_as_if_nothing_had_been(family):
    make, go_on, has_ended, record = ENDING[family]
    whole, n_lines, generator = make(), 0, random.Random(2)
    while not has_ended(whole):
        n_lines += interrupted_at(None, go_on, whole)
    for _ in range(40):
        search, left = make(), 4
        while not has_ended(search):
            interrupted_at(generator.randint(1, n_lines // 4) if left else None, go_on, search)
            left = max(0, left - 1)
        assert record(search) == record(whole)


@pytest.mark.parametrize("family", ["tree search", "Schokoban", "IDA*"])
def test_a_run_in_the_background_goes_on_through_an_interrupt_and_is_ended_by_stop(family):
    make, go_on, has_ended, record = ENDING[family]
    search, whole = make(), make()
    search.start(iterations=3)
    with pytest.raises(KeyboardInterrupt):
        signal.raise_signal(signal.SIGINT)
    search.stop()
    for each in (search, whole):
        while not has_ended(each):
            go_on(each)
    assert record(search) == record(whole)


def test_a_learner_that_is_interrupted_while_it_loads_knows_its_episodes_after_that(tmp_path, monkeypatch):
    whole = learner("lessons#20")
    whole.run(iterations=10, progress=False)
    whole.save(tmp_path / "kept")
    again = sv.Curry.load(tmp_path / "kept")
    with monkeypatch.context() as patch:
        patch.setattr(again, "_load_rules", partial(signal.raise_signal, signal.SIGINT))
        assert again.run(iterations=1).stopped_by == "interrupted"
    for each in (again, whole):
        each.run(seconds=LATE, progress=False)
    assert learner_record(again) == learner_record(whole)
