"""Keeps slow work out of a widget's way: in a thread, or a moment later."""

from __future__ import annotations

import asyncio
import threading
import weakref
from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

    Answer = Callable[[Exception | None], None]

SECONDS_BETWEEN_WORDS = 1.0  # about how long something still takes

_lock = threading.Lock()
_waiting: dict[Hashable, list[Answer]] = {}
"""who is to be told, for each piece of work that is under way"""


def in_background(key: Hashable, work: Callable[[], object], then: Answer) -> None:
    """Do some work and call back.

    In a notebook the work is done in a thread, and the call comes from the kernel's event loop when it has nothing
    else to do; elsewhere both are done before this returns.

    Parameters
    ----------
    key
        What the work is: while it is under way, whoever asks for the same waits for the same thread.
    work
        What to do.
    then
        A method of a widget. It is called with what went wrong or None, if the widget is still there.
    """
    answer = _weakly(then)
    try:
        loop = asyncio.get_running_loop()
    except RuntimeError:
        answer(_attempt(work))
        return

    def answer_later(error: Exception | None) -> None:
        if not loop.is_closed():
            loop.call_soon_threadsafe(answer, error)

    with _lock:
        is_under_way = key in _waiting
        _waiting.setdefault(key, []).append(answer_later)
    if not is_under_way:
        threading.Thread(target=_work_and_tell, args=(key, work), name="sokoviz-background", daemon=True).start()


def later(seconds: float, action: Callable[[], object]) -> None:
    """Do something a little later, from the kernel's event loop; where none runs, at once."""
    try:
        loop = asyncio.get_running_loop()
    except RuntimeError:
        action()
    else:
        loop.call_later(seconds, action)


def every(seconds: float, action: Callable[[], bool]) -> None:
    """Do something again and again from the kernel's event loop, until it says that this is enough.

    Parameters
    ----------
    seconds
        How long to wait before each time.
    action
        A method of a widget. Where no event loop runs, nothing is waited for, so it is never called.
    """
    reference = weakref.WeakMethod(action)

    def again() -> None:
        method = reference()
        if method is not None and method.__self__.comm is not None and method():  # type: ignore[attr-defined]  # a widget's
            loop.call_later(seconds, again)

    with suppress(RuntimeError):
        loop = asyncio.get_running_loop()
        loop.call_later(seconds, again)


def _work_and_tell(key: Hashable, work: Callable[[], object]) -> None:
    """Do some work and tell everyone who waits for it; runs in its own thread."""
    error = _attempt(work)
    with _lock:
        answers = _waiting.pop(key)
    for answer in answers:
        answer(error)


def _weakly(then: Answer) -> Answer:
    """A method of a widget that is called only if the widget is still there."""
    reference = weakref.WeakMethod(then)

    def call(error: Exception | None) -> None:
        method = reference()
        if method is not None and method.__self__.comm is not None:  # type: ignore[attr-defined]  # a widget's
            method(error)

    return call


def _attempt(work: Callable[[], object]) -> Exception | None:
    """Do some work; return what went wrong."""
    try:
        work()
    except Exception as error:  # noqa: BLE001  whatever it is, it is shown under the widget
        return error
    return None
