"""Loads the compiled kernels in the background, so that a board is shown and can be stepped at once.

The first time on a machine this compiles them, which takes many seconds; later it is a matter of one.
"""

from __future__ import annotations

import asyncio
import threading
from typing import TYPE_CHECKING

from sokoviz.board import Board
from sokoviz.levels import Level

if TYPE_CHECKING:
    from collections.abc import Callable

_TINY = "######\n#@$. #\n######"

_loaded = threading.Event()
_lock = threading.Lock()
_waiting: list[Callable[[Exception | None], None]] = []


def is_warm() -> bool:
    """Whether the kernels can be used without waiting."""
    return _loaded.is_set()


def warm_up(then: Callable[[Exception | None], None]) -> None:
    """See to it that the kernels get loaded, and call back when they are.

    In a notebook they load in a thread and the call comes from the kernel's event loop, when it has nothing else to
    do; elsewhere they load at once, before this returns.

    Parameters
    ----------
    then
        Called once, with what went wrong or None.
    """
    try:
        loop = asyncio.get_running_loop()
    except RuntimeError:
        then(_load())
        return
    with _lock:
        _waiting.append(lambda error: _call_later(loop, then, error))
        if len(_waiting) == 1:
            threading.Thread(target=_load_and_tell, name="sokoviz-warm-up", daemon=True).start()


def _call_later(
    loop: asyncio.AbstractEventLoop, then: Callable[[Exception | None], None], error: Exception | None
) -> None:
    """Call from the event loop, unless that has ended meanwhile."""
    if not loop.is_closed():
        loop.call_soon_threadsafe(then, error)


def _load_and_tell() -> None:
    """Load the kernels and call back everyone who waits; runs in its own thread."""
    error = _load()
    with _lock:
        called, _waiting[:] = _waiting[:], []
    for call in called:
        call(error)


def _load() -> Exception | None:
    """Ask a tiny board for everything that widgets show; return what went wrong."""
    try:
        board = Board(Level.parse(_TINY))
        _ = board.component, board.pushes, board.dead_squares, board.deadlocks, board.box_moves()
        board.walk(board.player)
    except Exception as error:  # noqa: BLE001  whatever it is, it is shown under the widget
        return error
    _loaded.set()
    return None
