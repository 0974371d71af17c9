"""Does slow work in a thread, so that a widget is shown at once, and tells the widget when it is done."""

from __future__ import annotations

import asyncio
import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


def in_background(work: Callable[[], None], then: Callable[[Exception | None], None]) -> None:
    """Do some work and call back.

    In a notebook the work is done in a thread, and the call comes from the kernel's event loop when it has nothing
    else to do; elsewhere both are done before this returns.

    Parameters
    ----------
    work
        What to do.
    then
        Called once, with what went wrong or None.
    """
    try:
        loop = asyncio.get_running_loop()
    except RuntimeError:
        then(_attempt(work))
        return

    def work_and_tell() -> None:
        error = _attempt(work)
        if not loop.is_closed():
            loop.call_soon_threadsafe(then, error)

    threading.Thread(target=work_and_tell, name="sokoviz-background", daemon=True).start()


def _attempt(work: Callable[[], None]) -> Exception | None:
    """Do some work; return what went wrong."""
    try:
        work()
    except Exception as error:  # noqa: BLE001  whatever it is, it is shown under the widget
        return error
    return None
