"""Loads the compiled kernels of a board in the background, so that it is shown and can be stepped at once.

The first time on a machine this compiles them, which takes many seconds; later it is a matter of one.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from sokoviz.board import Board
from sokoviz.levels import Level
from sokoviz.widgets.background import in_background

if TYPE_CHECKING:
    from collections.abc import Callable

_TINY = "######\n#@$. #\n######"

_loaded = threading.Event()


def is_warm() -> bool:
    """Whether the kernels can be used without waiting."""
    return _loaded.is_set()


def warm_up(then: Callable[[Exception | None], None]) -> None:
    """See to it that the kernels get loaded, and call back when they are.

    Parameters
    ----------
    then
        A method of a widget, called with what went wrong or None.
    """
    in_background("board", _load, then)


def _load() -> None:
    """Ask a tiny board for everything that widgets show."""
    board = Board(Level.parse(_TINY))
    _ = board.component, board.pushes, board.dead_squares, board.deadlocks, board.box_moves()
    board.walk(board.player)
    _loaded.set()
