"""Whether machine code is kept, and what people who wait for it are told."""

import io
import re
import sys
import time
from contextlib import contextmanager

import pytest

from sokoviz.core.compiling import jit
from sokoviz.core.compiling.machine_code import Store
from sokoviz.games.tictactoe import TicTacToe
from sokoviz.search import progress
from sokoviz.search import search as every_search
from sokoviz.search.loading import is_compiled, prepare
from sokoviz.search.mcts import search as tree_search
from sokoviz.search.mcts.search import MCTS
from tests.games.digits import Digits


@pytest.fixture(autouse=True)
def _asked_anew():
    """Whether code is kept is asked once a process: what was found before must not count here."""
    jit.is_kept.cache_clear()
    yield
    jit.is_kept.cache_clear()


@pytest.fixture
def said(monkeypatch):
    """What a person would read if all of it took long."""
    texts = []

    @contextmanager
    def saying(text):
        texts.append(str(text))
        yield

    for module in (every_search, tree_search):
        monkeypatch.setattr(module, "saying", saying)
    return texts


def test_code_of_our_own_games_is_kept_and_that_of_others_is_not():
    for game in (TicTacToe(), Digits(4)):
        prepare(game)
    assert is_compiled(TicTacToe())
    assert not is_compiled(Digits(4))


def test_without_the_code_that_explains_it_is_not_compiled(monkeypatch):
    prepare(TicTacToe())
    holds = Store.holds
    monkeypatch.setattr(
        Store,
        "holds",
        lambda self, classes: holds(self, classes) and "Detail" not in {cls.__name__ for cls in classes},
    )
    assert not is_compiled(TicTacToe())


def test_code_that_is_kept_is_said_to_be_loaded(said):
    prepare(TicTacToe())
    MCTS(TicTacToe()).step()
    assert said == [
        "Loading the search for Tic-Tac-Toe …",
        "Loading the compiled search for Tic-Tac-Toe …",
        "Loading the compiled explanations for Tic-Tac-Toe …",
    ]


def test_code_that_is_not_kept_is_said_to_be_compiled(said):
    MCTS(Digits(4)).step()
    assert said[0] == f"Loading the search for {Digits.name} …"
    for text, what in zip(said[1:], ("search", "explanations"), strict=True):
        assert re.fullmatch(
            f"Compiling the {what} for {Digits.name}, once: (about \\d+ s left|a few seconds more) …", text
        )


class Terminal(io.StringIO):
    """A person looks on."""

    def isatty(self):
        return True


def test_a_terminal_shows_how_long_still_and_is_clean_in_the_end(monkeypatch):
    words = iter(("about 20 s left", "about 20 s left", "about 15 s left", *["…"] * 1000))
    monkeypatch.setattr(sys, "stderr", terminal := Terminal())
    monkeypatch.setattr(progress, "SECONDS_BEFORE", 0)
    monkeypatch.setattr(progress, "SECONDS_BETWEEN_WORDS", 0.001)

    class Words:
        def __str__(self):
            return next(words)

    with progress.saying(Words()):
        wait_until(lambda: "…" in terminal.getvalue())
    said = [line for line in terminal.getvalue().split("\r\x1b[K") if line]
    assert said == ["about 20 s left", "about 15 s left", "…"]
    assert terminal.getvalue().endswith("\r\x1b[K")


def test_what_is_over_at_once_says_nothing(monkeypatch):
    monkeypatch.setattr(sys, "stderr", terminal := Terminal())
    with progress.saying("Compiling"):
        pass
    assert terminal.getvalue() == ""


def wait_until(test):
    """Wait for another thread."""
    deadline = time.monotonic() + 20
    while not test():
        assert time.monotonic() < deadline
        time.sleep(0.001)
