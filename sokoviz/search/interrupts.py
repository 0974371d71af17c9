"""Interrupts that cannot be lost, and leave nothing half done."""

from __future__ import annotations

import signal
import threading
import time
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import FrameType


MOST_PATIENCE = 2.0  # seconds that an interrupt is kept back where another one follows


class _Noted:
    """Interrupts of a run: each is noted, and raised as always, but later where something must not be left half done.

    Where that takes longer than a kernel ever does, as a search in plain Python may that never comes to its next step,
    another interrupt is raised at once.

    Parameters
    ----------
    before
        What hears interrupts otherwise.
    """

    def __init__(self, before: Callable[[int, FrameType | None], Any]) -> None:
        self.event = threading.Event()
        self._before = before
        self._n_holding = 0
        self._held: list[FrameType | None] = []
        self._held_since = 0.0

    def hear(self, number: int, frame: FrameType | None) -> None:
        """Note an interrupt; raise it, or keep it for later."""
        self.event.set()
        if not self._n_holding or (self._held and time.monotonic() - self._held_since > MOST_PATIENCE):
            self._before(number, frame)
            return
        self._held_since = self._held_since if self._held else time.monotonic()
        self._held.append(frame)

    def __enter__(self) -> None:
        """Something begins that must not be left half done."""
        self._n_holding += 1

    def __exit__(self, *_: object) -> None:
        """It is done: raise what came meanwhile."""
        self._n_holding -= 1
        if self._held and not self._n_holding:
            frame, self._held = self._held[0], []
            self._before(signal.SIGINT, frame)


_noting: list[_Noted] = []  # the runs of the main thread that note interrupts, the innermost last


@contextmanager
def noting_interrupts() -> Iterator[threading.Event]:
    """Raise interrupts as always, and note them in the event besides.

    Raised inside a finalizer or a callback of the garbage collector, as libraries register them, a KeyboardInterrupt is
    only printed: what was to be interrupted would go on for ever. Outside the main thread there are no interrupts.
    """
    before = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(before):
        yield threading.Event()
        return
    noted = _Noted(before)
    try:
        _noting.append(noted)
        signal.signal(signal.SIGINT, noted.hear)
        yield noted.event
    finally:
        with noted:  # an interrupt here must not leave it behind
            _noting[:] = [each for each in _noting if each is not noted]
            signal.signal(signal.SIGINT, before)


def holding_interrupts() -> AbstractContextManager[None]:
    """Keep interrupts back until something is done that makes no sense by half, then raise them.

    It should take some hundredths of a second at most. Outside the main thread there are no interrupts. A search does
    this before each call of its kernel, so in a run, where they are noted already, it costs next to nothing.
    """
    if threading.current_thread() is not threading.main_thread():
        return nullcontext()
    return _noting[-1] if _noting else _noting_and_holding()


@contextmanager
def _noting_and_holding() -> Iterator[None]:
    """Outside of any run."""
    with noting_interrupts(), _noting[-1] if _noting else nullcontext():
        yield
