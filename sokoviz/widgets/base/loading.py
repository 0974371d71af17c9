"""Loads the compiled kernels of a board in the background, so that it is shown and can be stepped at once.

The first time on a machine this compiles them, which takes many seconds; later it is a matter of one.
"""

from __future__ import annotations

import threading
from functools import cache
from typing import TYPE_CHECKING

from sokoviz.search.loading import Announcement, prepare_board
from sokoviz.widgets.base.background import in_background

if TYPE_CHECKING:
    from collections.abc import Callable

MEANWHILE = "Steps by key work meanwhile."

_loaded = threading.Event()
_missing = threading.Event()
"""set where the kernels have to be compiled first"""


def is_warm() -> bool:
    """Whether the kernels can be used without waiting."""
    return _loaded.is_set()


def announcement() -> str:
    """Return what to tell people who wait for the kernels."""
    return f"{_announcement(is_compiled=not _missing.is_set())} {MEANWHILE}"


@cache
def _announcement(*, is_compiled: bool) -> Announcement:
    """One for all boards, which wait for the same."""
    return Announcement("rules", is_compiled=is_compiled, group="board")


def find_out(then: Callable[[Exception | None], None]) -> None:
    """Find out whether the kernels have to be compiled, which loads the compiler itself, and call back.

    Parameters
    ----------
    then
        A method of a widget, called with what went wrong or None.
    """
    in_background("board compiled?", _look_up, then)


def _look_up() -> None:
    """Ask the cache."""
    from sokoviz.analysis.positions import are_kernels_kept

    if not are_kernels_kept():
        _missing.set()


def warm_up(then: Callable[[Exception | None], None]) -> None:
    """See to it that the kernels get loaded, and call back when they are.

    Parameters
    ----------
    then
        A method of a widget, called with what went wrong or None.
    """
    in_background("board", _load, then)


def _load() -> None:
    """Load them, and note that."""
    prepare_board()
    _loaded.set()
