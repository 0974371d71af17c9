"""What every solution of a level takes at least, before anything is searched."""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING

from sokoviz.board import Board

if TYPE_CHECKING:
    from sokoviz.levels import Level


def least_pushes(level: Level) -> float:
    """Return pushes that every solution of a level takes; infinite where its boxes cannot come to a goal each.

    Each box is alone on the board, with the player on the side where he is, and goes to a goal of its own (the bound
    of Junghanns and Schaeffer, section 2.3). Other boxes are only ever in its way, so no solution takes fewer.
    """
    if any(box not in level.floor for box in set(level.boxes) - set(level.goals)):
        return inf  # the player is walled off from that box
    cost = Board(level).matching("side").cost
    return inf if cost is None else cost
