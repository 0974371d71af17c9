"""What can be done on a board, and what is found out about it, as small records of squares."""

from __future__ import annotations

from typing import NamedTuple

from sokoviz.squares import Square

STEP_OF = {"u": (-1, 0), "d": (1, 0), "l": (0, -1), "r": (0, 1)}
"""Row and column steps of the four directions."""

OPPOSITE_OF = {"u": "d", "d": "u", "l": "r", "r": "l"}


def neighbour(square: tuple[int, int], direction: str) -> Square:
    """The square beside another, in direction ``u``, ``d``, ``l`` or ``r``."""
    row_step, column_step = STEP_OF[direction]
    return Square(square[0] + row_step, square[1] + column_step)


class Push(NamedTuple):
    """One box pushed one square: an action of the thesis (section 4.1.1), whatever walk it needs before."""

    box: Square
    direction: str

    @property
    def target(self) -> Square:
        """Where the box goes."""
        return neighbour(self.box, self.direction)

    @property
    def back(self) -> Push:
        """The pull that takes it back, or the push that a pull takes back."""
        return Push(self.target, OPPOSITE_OF[self.direction])

    def __str__(self) -> str:
        """Both squares, such as ``Ee→Fe``."""
        return f"{self.box.name}→{self.target.name}"

    def __repr__(self) -> str:
        """The same, named."""
        return f"Push {self}"


class BoxMove(NamedTuple):
    """One box taken to another square by any number of pushes, all other boxes fixed."""

    source: Square
    target: Square
    player: Square
    """first square of the player's component afterwards: one (source, target) can end in several components"""
    n_pushes: int

    def __str__(self) -> str:
        """Both squares, such as ``Ee→Fe``."""
        return f"{self.source.name}→{self.target.name}"

    def __repr__(self) -> str:
        """The same, named, with the number of pushes."""
        return f"BoxMove {self} ({self.n_pushes} push{'es' * (self.n_pushes != 1)})"


class Matching(NamedTuple):
    """A goal for every box at the least total distance."""

    cost: int | None
    """the sum of the distances, None if no matching reaches every box"""
    pairs: tuple[tuple[Square, Square], ...]
    """box and goal of each pair, boxes in reading order"""


class Deadlock(NamedTuple):
    """Why a position can never be solved."""

    rule: str
    squares: tuple[Square, ...]
    reason: str


def describe(deadlocks: tuple[Deadlock, ...]) -> tuple[str, str]:
    """The rules that found a deadlock, and why the first of them did, as two sentences."""
    rules = ", ".join(deadlock.rule for deadlock in deadlocks)
    reason = deadlocks[0].reason
    return f"Deadlock: {rules}.", f"{reason[:1].upper()}{reason[1:]}."
