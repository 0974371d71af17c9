"""Checks that an episode out of a file is one: its moves can be made, and solve its board."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sokoviz.errors import SearchError
from sokoviz.learn.optimizing import can_replay, make_replay
from sokoviz.learn.schedule import SOLVED
from sokoviz.learn.subcases import bits_of

if TYPE_CHECKING:
    from sokoviz.core.types import Tables
    from sokoviz.learn.schedule import Outcome, Task


def check_moves(tables: Tables, player: int, task: Task, outcome: Outcome) -> None:
    """Raise where the moves of a visit cannot be made or do not solve its board.

    Raises
    ------
    SearchError
        If something is wrong with them.
    """
    if outcome.status != SOLVED:
        if outcome.moves or outcome.found:
            message = "expected no moves where a board is not solved, found some"
            raise SearchError(message)
        return
    n_squares = tables.width * tables.height
    for moves in (outcome.found, outcome.moves):
        ends = np.array(moves, dtype=np.int64).reshape(-1, 3).T.copy()
        if ((ends < 0) | (ends >= n_squares)).any():
            message = f"expected squares from 0 to {n_squares - 1}, found others"
            raise SearchError(message)
        replay = make_replay(tables, len(moves))
        boxes = bits_of(tables, task.subcase.boxes)
        is_played = can_replay(tables, boxes, player, ends, len(moves), replay)
        if not is_played or not np.array_equal(replay.boxes, bits_of(tables, task.subcase.goals)):
            message = f"expected moves that solve board {task.board} of stage {task.stage}, found {list(moves)}"
            raise SearchError(message)
