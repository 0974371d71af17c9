"""A most influential path between two squares, broken down as in table 2 of the text.

Junghanns and Schaeffer, "Sokoban: Improving the Search with Relevance Cuts", section 3.1.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sokoviz.squares import Square


@dataclass(frozen=True)
class PathStep:
    """What one square of a most influential path adds, and the step from it to the next."""

    square: Square
    alternatives: int
    """points for what the square leaves open"""
    after_skew: int
    """these points once goal-skew has halved them, if the square is on an optimal path to a goal"""
    connection: int | None
    """points for the step to the next square; None at the last"""
    after_tunnel: int | None
    """those points once the tunnel rule has taken them away, if the square is in a tunnel"""


@dataclass(frozen=True)
class Breakdown:
    """A most influential path from one square to another, with what its squares and steps add to the influence."""

    source: Square
    target: Square
    steps: tuple[PathStep, ...]

    @property
    def total(self) -> int:
        """The influence of the source on the target."""
        return sum(step.after_skew + (step.after_tunnel or 0) for step in self.steps)

    @property
    def path(self) -> tuple[Square, ...]:
        """The squares from source to target."""
        return tuple(step.square for step in self.steps)

    @property
    def rows(self) -> dict[str, tuple[int, ...]]:
        """The lines of the text's table 2: values of squares and of the steps between them, in turn.

        Each line takes one more property into account than the line before.
        """
        points = [step.alternatives for step in self.steps]
        skewed = [step.after_skew for step in self.steps]
        links = [step.connection or 0 for step in self.steps[:-1]]
        tunnelled = [step.after_tunnel or 0 for step in self.steps[:-1]]
        return {
            "alternatives": _in_turn(points, [0] * len(links)),
            "connection": _in_turn(points, links),
            "tunnel": _in_turn(points, tunnelled),
            "goal-skew": _in_turn(skewed, tunnelled),
        }

    def __str__(self) -> str:
        """The table as text."""
        names = [square.name for square in self.path]
        heads = ["", *" → ".join(names).split(" "), "influence"]
        lines = [[name, *map(str, values), str(sum(values))] for name, values in self.rows.items()]
        widths = [max(len(line[column]) for line in [heads, *lines]) for column in range(len(heads))]
        return "\n".join(
            " ".join(
                cell.rjust(width) if place else cell.ljust(width)
                for place, (cell, width) in enumerate(zip(line, widths, strict=True))
            )
            for line in [heads, *lines]
        )

    def __repr__(self) -> str:
        """Both squares and the total."""
        return f"<Breakdown: {self.source.name} influences {self.target.name} by {self.total}>"


def _in_turn(squares: Sequence[int], links: Sequence[int]) -> tuple[int, ...]:
    """Values of squares and of the links between them: one more of the former."""
    values = [0] * (len(squares) + len(links))
    values[::2], values[1::2] = squares, links
    return tuple(values)
