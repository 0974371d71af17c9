"""Interrupts that cannot be lost, and leave nothing half done."""

from __future__ import annotations

import signal
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import FrameType


@contextmanager
def noting_interrupts() -> Iterator[threading.Event]:
    """Raise interrupts as always, and note them in the event besides.

    Raised inside a finalizer or a callback of the garbage collector, as libraries register them, a KeyboardInterrupt is
    only printed: what was to be interrupted would go on for ever. Outside the main thread there are no interrupts.
    """
    noted, before = threading.Event(), signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(before):
        yield noted
        return

    def note(number: int, frame: FrameType | None) -> None:
        noted.set()
        before(number, frame)

    signal.signal(signal.SIGINT, note)
    try:
        yield noted
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def holding_interrupts() -> Iterator[None]:
    """Keep interrupts back until something is done that makes no sense by half, then raise them.

    It should take some hundredths of a second at most. Outside the main thread there are no interrupts.
    """
    held: list[FrameType | None] = []
    before = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(before):
        yield
        return
    signal.signal(signal.SIGINT, lambda _number, frame: held.append(frame))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
        if held:
            before(signal.SIGINT, held[0])
