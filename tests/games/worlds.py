"""A tiny game for two to be broken in every possible way: count to five by one or two; who says five or more wins."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from sokoviz.games import Game
from sokoviz.picture import Picture
from sokoviz.squares import Square

if TYPE_CHECKING:
    from sokoviz.core.types import Integers

LAST = 5


class Count(Game):
    """Count to five. A state is int64[2]: the number said last, and who is to move."""

    name = "Count"
    players = 2
    max_actions = 2
    max_length = LAST

    class Tables(NamedTuple):
        """What the rules know."""

        steps: Integers
        """int64[2]"""

    def __init__(self) -> None:
        self.tables = self.Tables(np.array([1, 2], dtype=np.int64))

    @staticmethod
    def list_actions(tables: Tables, state: Integers, actions: Integers) -> int:
        """Go on by one or two."""
        if state[0] >= LAST:
            return 0
        actions[0] = tables.steps[0]
        actions[1] = tables.steps[1]
        return 2

    @staticmethod
    def play(tables: Tables, state: Integers, action: int) -> None:  # noqa: ARG004
        """Say the next number."""
        state[0] += action
        state[1] = 1 - state[1]

    @staticmethod
    def outcome(tables: Tables, state: Integers) -> int:  # noqa: ARG004
        """Who said the last number wins."""
        return 1

    def start(self) -> Integers:
        """Nothing is said yet."""
        return np.zeros(2, dtype=np.int64)

    def picture(self, state: Integers) -> Picture:
        """The numbers in a row, X on the one said last."""
        return Picture((tuple("X" if number == state[0] else "floor" for number in range(LAST + 2)),))

    def action_name(self, state: Integers, action: int) -> str:
        """The number that would be said."""
        return str(state[0] + action)

    def player_name(self, state: Integers) -> str:
        """Who is to move."""
        return "AB"[state[1]]

    def squares_of(self, state: Integers, action: int) -> tuple[Square, ...]:
        """Where X goes."""
        return (Square(0, int(state[0]) + action),)

    def action_at(self, state: Integers, square: tuple[int, int]) -> int | None:
        """The step to a number."""
        step = square[1] - int(state[0])
        return step if state[0] < LAST and step in {1, 2} else None


def make_game(**changes: Any) -> type[Game]:
    """A class like `Count` with something changed, and with tables of its own."""

    class Tables(NamedTuple):
        steps: Integers

    return type("Changed", (Count,), {"Tables": Tables, "__module__": __name__, **changes})
