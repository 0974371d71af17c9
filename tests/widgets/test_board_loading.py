"""A board widget before its kernels are loaded: it is there at once, and says what is being waited for."""

from __future__ import annotations

import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import pytest

from sokoviz.analysis.positions import are_kernels_kept
from sokoviz.levels import Level
from sokoviz.widgets.base import loading as warmup
from sokoviz.widgets.board.widget import BoardWidget
from tests.widgets.test_board_widget import ROOM, click, tell

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine


@pytest.fixture
def cold(monkeypatch: pytest.MonkeyPatch) -> threading.Event:
    """Kernels that are not loaded until the event is set."""
    gate, load = threading.Event(), warmup._load
    monkeypatch.setattr(warmup, "_loaded", threading.Event())
    monkeypatch.setattr(warmup, "_load", lambda: load() if gate.wait(20) else None)
    return gate


def test_the_board_is_there_before_the_kernels(cold: threading.Event) -> None:
    async def play() -> None:
        widget = BoardWidget(Level.parse(ROOM), component=True, coordinates=True)
        assert widget.scene["status"]["kind"] == "compiling"
        assert widget.scene["picture"]["overlays"] == []
        tell(widget, "step", direction="r")
        click(widget, "Cc")
        assert (widget.moves, widget.scene["selected"], widget.trouble["summary"]) == ("r", None, "")
        cold.set()
        await _until(lambda: widget.scene["status"]["kind"] == "hint")
        assert [overlay["role"] for overlay in widget.scene["picture"]["overlays"]] == ["component"]

    run_in_event_loop(play)


def test_the_cache_can_be_asked_about_the_kernels_of_a_board() -> None:
    """It asked about a function that is no kernel any more, and every first board of a process showed the exception."""
    warmup._load()
    assert are_kernels_kept() in {True, False}


@pytest.mark.parametrize("words", ["Loading the compiled rules", "Compiling the rules, once"])
def test_loading_and_compiling_are_told_apart(
    cold: threading.Event, monkeypatch: pytest.MonkeyPatch, words: str
) -> None:
    monkeypatch.setattr(warmup, "_missing", threading.Event())
    monkeypatch.setattr("sokoviz.analysis.positions.are_kernels_kept", lambda: words.startswith("Loading"))

    async def play() -> None:
        widget = BoardWidget(Level.parse(ROOM))
        await _until(lambda: widget.scene["status"]["text"].startswith(words))
        cold.set()
        await _until(lambda: widget.scene["status"]["kind"] == "hint")

    run_in_event_loop(play)


def test_all_widgets_that_wait_are_told_and_kernels_load_once(
    cold: threading.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def play() -> None:
        widgets = [BoardWidget(Level.parse(ROOM)) for _ in range(3)]
        await _until(lambda: len(loads) > 0)
        cold.set()
        await _until(lambda: {widget.scene["status"]["kind"] for widget in widgets} == {"hint"})

    loads, load = [], warmup._load

    def count_and_load() -> None:
        loads.append(1)
        load()

    monkeypatch.setattr(warmup, "_load", count_and_load)
    run_in_event_loop(play)
    assert len(loads) == 1


def test_what_goes_wrong_with_the_kernels_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> None:
        message = "no cache"
        raise OSError(message)

    async def play() -> None:
        widget = BoardWidget(Level.parse(ROOM))
        await _until(lambda: widget.trouble["summary"] == "OSError: no cache")

    monkeypatch.setattr(warmup, "_loaded", threading.Event())
    monkeypatch.setattr(warmup, "_load", refuse)
    run_in_event_loop(play)


def run_in_event_loop(play: Callable[[], Coroutine[Any, Any, None]]) -> None:
    """Run a coroutine in a thread of its own: in this one a loop of the browser tests may be running."""
    with ThreadPoolExecutor(1) as executor:
        executor.submit(lambda: asyncio.run(play())).result()


async def _until(test: Callable[[], bool]) -> None:
    """Wait until something holds."""
    for _ in range(400):
        if test():
            return
        await asyncio.sleep(0.05)
    raise AssertionError
