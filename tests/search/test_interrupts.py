"""Interrupts: a run ends soon, keeps what it has, and goes on as if nothing had been."""

from __future__ import annotations

import os
import random
import signal
import threading
import time
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

import pytest

import sokoviz as sv
from tests.search.searching import assert_is_straight, straight

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
        assert search.iteration == search.last == result.iterations
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
    assert search.iteration < search.last == 200_000
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
