"""Episodes: solved subcases, as lists of positions and box moves."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from sokoviz.levels import Level
from sokoviz.squares import Square  # noqa: TC001  fields of tuples

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sokoviz.board import Board


class Step(NamedTuple):
    """A box move of an episode."""

    source: Square
    target: Square
    player: Square
    """where the player stands afterwards: beside the box, where it pushed last"""

    def __str__(self) -> str:
        """Both squares, such as ``Ee→Fe``."""
        return f"{self.source.name}→{self.target.name}"


@dataclass(frozen=True)
class Episode:
    """A solved subcase of a level.

    Its first state is the subcase; each move leads to the next.
    """

    number: int
    """from 1 on, in the order in which they were found"""
    restart: int
    """which pass through the curriculum, from 0 on"""
    stage: int
    """number of boxes"""
    board: int
    """which board of the stage, from 0 on"""
    slot: int
    """place in the buffer"""
    nodes: int
    """positions that were evaluated until the board was solved, in all visits"""
    level: Level
    """the whole level"""
    boxes: tuple[Square, ...]
    """boxes of the subcase, at its start"""
    goals: tuple[Square, ...]
    moves: tuple[Step, ...]
    """without detours (OptimizeSolution): what SIMBA learns from"""
    found: tuple[Step, ...]
    """as they were found"""

    def __len__(self) -> int:
        return len(self.moves)

    def __repr__(self) -> str:
        boxes = "1 box" if self.stage == 1 else f"{self.stage} boxes"
        shortened = f", shortened from {len(self.found)}" if len(self.found) > len(self.moves) else ""
        return f"Episode {self.number}: {boxes}, {len(self.moves)} move{'s' * (len(self.moves) != 1)}{shortened}"

    @cached_property
    def subcase(self) -> Level:
        """The subcase as a level of its own."""
        return subcase_of(self.level, self.boxes, self.goals, f"{self.level.title or 'Subcase'}, {self!r}")

    @cached_property
    def states(self) -> tuple[frozenset[Square], ...]:
        """The boxes before each move, and after the last one."""
        return states_along(self.boxes, self.moves)

    def position(self, index: int, *, found: bool = False) -> Board:
        """Return the board before a move, or after the last one.

        Parameters
        ----------
        index
            Number of moves that are done, from 0 to all of them.
        found
            Whether moves are counted as they were found, detours included.
        """
        board = self.subcase.board()
        for move in (self.found if found else self.moves)[:index]:
            board.push_box(move.source, move.target, move.player)
        return board

    @cached_property
    def lurd(self) -> str:
        """The moves of the player that solve the subcase, played by the rules."""
        return self.position(len(self.moves)).moves


def states_along(boxes: Iterable[Square], moves: Iterable[Step]) -> tuple[frozenset[Square], ...]:
    """Return the boxes before each of some moves, and after the last one."""
    states = [frozenset(boxes)]
    for move in moves:
        states.append(states[-1] - {move.source} | {move.target})
    return tuple(states)


def subcase_of(level: Level, boxes: Iterable[Square], goals: Iterable[Square], title: str = "") -> Level:
    """Return a level with the same walls and player, and only some boxes and goals."""
    has_box, has_goal, player = set(boxes), set(goals), level.player

    def cell(row: int, column: int, character: str) -> str:
        square = (row, column)
        if character == "#":
            return character
        piece = "box" if square in has_box else "player" if square == player else ""
        return {"box": "$*", "player": "@+", "": " ."}[piece][square in has_goal]

    rows = [
        "".join(cell(row, column, character) for column, character in enumerate(line))
        for row, line in enumerate(level.rows)
    ]
    return Level(tuple(rows), title=title)
