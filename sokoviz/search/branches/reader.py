"""What became of successors, read out of the record of a search that expands positions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sokoviz.actions import BoxMove
from sokoviz.core.branches import record as branches
from sokoviz.squares import Square
from sokoviz.words import count

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

BECAME = {
    branches.OPEN: "open",
    branches.BOUND: "bound",
    branches.TRANSPOSITION: "transposition",
    branches.DEADLOCK: "deadlock",
    branches.INWARD: "inward",
    branches.GOAL_CUT: "goal cut",
    branches.RELEVANCE: "relevance",
    branches.PATTERN: "pattern",
}
"""what becomes of a successor, by its number in the record"""

IN_WORDS = {
    "open": "to be visited",
    "bound": "cut by the bound: more pushes than the threshold allows",
    "transposition": "cut by the transposition table: searched before with as much left",
    "deadlock": "dead",
    "inward": "left out: a push into a closed area has to come and can come first",
    "goal cut": "left out by a goal cut: a box can go to its goal instead, or the room is only entered by macros",
    "relevance": "cut as not relevant to the moves before",
    "pattern": "cut by a pattern",
}


@dataclass(frozen=True)
class Successor:
    """A position one move further, and what became of it."""

    node: int
    """its number in the record"""
    parent: int
    move: BoxMove
    g: int
    """pushes made"""
    h: int | None
    """lower bound of the pushes left; None where that was not asked for, or there is no way"""
    became: str
    """open, bound, transposition, deadlock, inward, goal cut or relevance"""

    @property
    def f(self) -> int | None:
        """Pushes of a solution through it, at least."""
        return None if self.h is None else self.g + self.h

    def __str__(self) -> str:
        value = "" if self.f is None else f" f = {self.g} + {self.h} = {self.f}"
        return f"{self.move} ({count(self.move.n_pushes, 'push', 'pushes')}){value}: {IN_WORDS[self.became]}"


class BranchReader:
    """What the record of a search says, in squares.

    Parameters
    ----------
    events
        int32[n, 8]: see `sokoviz.core.branches.record`.
    width
        Of the board.
    """

    def __init__(self, events: NDArray[np.int32], width: int) -> None:
        self.events = events
        self.width = width

    def square(self, number: int) -> Square:
        """A square of the board."""
        return Square(*divmod(int(number), self.width))

    def move(self, node: int) -> BoxMove:
        """The move that leads to a node."""
        _, _, origin, target, player, cost, _, _ = map(int, self.events[node])
        return BoxMove(self.square(origin), self.square(target), self.square(player), cost)

    def is_root(self, node: int) -> bool:
        """Whether a node is where a threshold begins."""
        return bool(self.events[node, branches.KIND] == branches.THRESHOLD)

    def path(self, node: int) -> list[int]:
        """The nodes from the root to a node, the root left out."""
        nodes: list[int] = []
        while not self.is_root(node):
            nodes.append(node)
            node = int(self.events[node, branches.NODE])
        return nodes[::-1]

    def successor(self, node: int, became: int | None = None) -> Successor:
        """A node as a successor of its parent."""
        kind, parent, _, _, _, _, way, left = map(int, self.events[node])
        known = left if 0 <= left < branches.NO_BOUND else None
        return Successor(node, parent, self.move(node), way, known, BECAME[kind if became is None else became])
