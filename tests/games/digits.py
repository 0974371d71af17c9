"""A game for one player, small enough to know everything about it: the greedy way leads into a trap."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from sokoviz.games import Game
from sokoviz.picture import Picture
from sokoviz.squares import Square

if TYPE_CHECKING:
    from sokoviz.core.types import Integers

DIGITS = (1, 2, 3)


class Digits(Game):
    """Choose digits out of 1, 2, 3 one after the other; the reward is their sum, but 3 after 3 ends the game with 0.

    The best four digits are 3, 2, 3, 2 or 2, 3, 2, 3 or 3, 2, 2, 3 with a sum of 10; who always takes the largest
    gets 0. A state is int64[2 + n_digits]: how many are chosen, whether the trap has shut, the digits.
    """

    name = "Digits"
    players = 1
    max_actions = len(DIGITS)

    class Tables(NamedTuple):
        """What the rules know."""

        n_digits: int

    def __init__(self, n_digits: int = 4) -> None:
        self.tables = self.Tables(n_digits)
        self.max_length = n_digits

    @staticmethod
    def list_actions(tables: Tables, state: Integers, actions: Integers) -> int:
        """All digits, until enough are chosen or the trap has shut."""
        if state[0] == tables.n_digits or state[1] == 1:
            return 0
        for i in range(3):
            actions[i] = i + 1
        return 3

    @staticmethod
    def play(tables: Tables, state: Integers, action: int) -> None:  # noqa: ARG004
        """Append a digit."""
        n = state[0]
        if n > 0 and state[1 + n] == 3 and action == 3:
            state[1] = 1
        state[2 + n] = action
        state[0] += 1

    @staticmethod
    def outcome(tables: Tables, state: Integers) -> int:  # noqa: ARG004
        """The sum, or nothing."""
        reward: int = 0 if state[1] == 1 else state[2:].sum()
        return reward

    def start(self) -> Integers:
        """Nothing is chosen."""
        return np.zeros(2 + self.max_length, dtype=np.int64)

    def picture(self, state: Integers) -> Picture:
        """The digits in a row."""
        return Picture((tuple(str(digit) if digit else "floor" for digit in state[2:]),))

    def action_name(self, state: Integers, action: int) -> str:  # noqa: ARG002
        """The digit."""
        return str(action)

    def squares_of(self, state: Integers, action: int) -> tuple[Square, ...]:  # noqa: ARG002
        """The next free square."""
        return (Square(0, int(state[0])),)

    def to_json(self) -> dict[str, Any]:
        """The number of digits."""
        return {"n_digits": self.max_length}
