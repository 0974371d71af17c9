"""How much squares of a level influence each other, and which pushes a relevance cut would drop.

Junghanns and Schaeffer, "Sokoban: Improving the Search with Relevance Cuts": the metric of section 3.1 and the rules of
section 3.2. The smaller the number, the more one square influences another.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from sokoviz.actions import Push, neighbour
from sokoviz.analysis.influence_path import Breakdown, PathStep
from sokoviz.board import Board
from sokoviz.core.board.grid import tables_of
from sokoviz.core.influence.metric import by_squares, explain_pair, influence_of, maze_of, on_optimal_paths
from sokoviz.core.influence.relevance import RELEVANT, RETURNS, TOO_MANY, judge_push
from sokoviz.core.numbers.bits import has
from sokoviz.errors import SearchError
from sokoviz.levels import Level
from sokoviz.squares import Square
from sokoviz.words import count, listing

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from sokoviz.widgets.influence.widget import InfluenceWidget

SquareLike: TypeAlias = "tuple[int, int] | str"
"""a square: row and column, or its name such as ``"Gh"``"""

LEAST_THRESHOLD = 6
LONGEST_HISTORY = 10
DEFAULT_K = 1
RULES = {RELEVANT: "", TOO_MANY: "too many", RETURNS: "return"}


def influence(level: Level | str, *, released: bool = False) -> Influence:
    """Measure how much the squares of a level influence each other.

    Parameters
    ----------
    level
        The level, or its text.
    released
        Whether threshold and history are those of the authors' released program, which differ from their text.

    Examples
    --------
    >>> found = influence(load("lessons#17"))
    >>> found.between("Ce", "Gb").total
    """
    return Influence(Level.parse(level) if isinstance(level, str) else level, released=released)


@dataclass(frozen=True)
class Verdict:
    """What the rules of relevance cuts say about a push."""

    push: Push
    is_cut: bool
    rule: str
    """``too many`` or ``return`` where it is cut, else empty"""
    influence: int | None
    """of the square where the push before it began on the square where this one begins; None for the first"""
    is_distant: bool
    """whether that is above the threshold"""
    reason: str
    """why it is cut or kept, in words"""

    def __repr__(self) -> str:
        """The push and what becomes of it."""
        return f"<{self.push} {'cut' if self.is_cut else 'kept'}: {self.reason}>"


class Influence:
    """The influence of all floor squares of a level on each other.

    Parameters
    ----------
    level
        The level.
    released
        As for `influence`.
    """

    def __init__(self, level: Level, *, released: bool = False) -> None:
        self.level = level
        self.released = released
        self._maze = maze_of(level.rows)
        self._width = len(level.rows[0])
        self.squares: tuple[Square, ...] = tuple(Square(*divmod(int(s), self._width)) for s in self._maze.squares)
        """the floor squares in reading order"""
        self.table: NDArray[np.int32] = influence_of(level.rows)
        """int32[n, n]: influence of the first square on the second, both by their places in `squares`; read only"""
        self._place_of = {square: place for place, square in enumerate(self.squares)}

    def __repr__(self) -> str:
        """The level and the parameters."""
        parameters = f"threshold {self.threshold}, m {self.m}{', as released' if self.released else ''}"
        return f"<Influence on {self.level!r}: {len(self.squares)} squares, {parameters}>"

    def __getitem__(self, pair: tuple[SquareLike, SquareLike]) -> int:
        """The influence of one square on another: ``found["Dg", "Gh"]``."""
        source, target = pair
        return int(self.table[self.place(source), self.place(target)])

    def place(self, square: SquareLike) -> int:
        """Where a square is in `squares`.

        Raises
        ------
        SearchError
            If it is no floor square of the level.
        """
        wanted = Square.parse(square) if isinstance(square, str) else Square(*square)
        if wanted not in self._place_of:
            message = f"expected a floor square of {self.level!r}, found {wanted.name}"
            raise SearchError(message)
        return self._place_of[wanted]

    # --- the parameters of section 3.2 -------------------------------------------------------------------------------

    @cached_property
    def on_optimal_path(self) -> NDArray[np.bool_]:
        """bool[n, n]: whether the second square is on an optimal path of a box from the first to some goal."""
        return on_optimal_paths(self._maze)

    @cached_property
    def is_alive(self) -> NDArray[np.bool_]:
        """bool[n]: whether a box on the square can be pushed to some goal."""
        live = tables_of(self.level.rows).live
        return np.array([has(live, int(square)) for square in self._maze.squares], dtype=np.bool_)

    @cached_property
    def threshold(self) -> int:
        """The influence up to which squares are near: half of an average, and at least 6.

        The text averages pairs of which the second square is on an optimal path from the first to a goal; the released
        program takes all pairs of live squares, and adds one. What is left of a fraction decides nothing, since
        influences are whole numbers.
        """
        pairs = np.outer(self.is_alive, self.is_alive) if self.released else self.on_optimal_path
        return max(LEAST_THRESHOLD, int(_mean(self.table[pairs]) / 2) + self.released)

    @cached_property
    def m(self) -> int:
        """The number of moves that are looked back at: an average, and at most 10.

        The text averages pairs of which the second square is alive; the released program takes pairs of live squares of
        which the second is on an optimal path from the first to a goal, and adds one.
        """
        if self.released:
            pairs = self.on_optimal_path & np.outer(self.is_alive, self.is_alive)
        else:
            pairs = np.broadcast_to(self.is_alive, self.table.shape)
        return min(LONGEST_HISTORY, int(_mean(self.table[pairs])) + self.released)

    # --- fields and pairs --------------------------------------------------------------------------------------------

    def field_from(self, square: SquareLike) -> dict[Square, int]:
        """How much a square influences each square."""
        return dict(zip(self.squares, self.table[self.place(square)].tolist(), strict=True))

    def field_to(self, square: SquareLike) -> dict[Square, int]:
        """How much each square influences a square."""
        return dict(zip(self.squares, self.table[:, self.place(square)].tolist(), strict=True))

    @property
    def asymmetry(self) -> NDArray[np.int32]:
        """int32[n, n]: influence of the first square on the second less that of the second on the first.

        Where it is negative, the first influences the second more than the other way round.
        """
        return self.table - self.table.T

    def between(self, source: SquareLike, target: SquareLike) -> Breakdown:
        """Break the influence of one square on another down, as the text's table 2 does.

        Of several most influential paths it takes one with the fewest squares.
        """
        rows = np.empty((len(self.squares), 5), dtype=np.int32)
        start, end = self.place(source), self.place(target)
        found = rows[: explain_pair(self._maze, start, end, rows)].tolist()
        last = len(found) - 1
        steps = tuple(
            PathStep(self.squares[place], points, skewed, *((link, tunnelled) if index < last else (None, None)))
            for index, (place, points, skewed, link, tunnelled) in enumerate(found)
        )
        return Breakdown(self.squares[start], self.squares[end], steps)

    def explore(self, **options: Any) -> InfluenceWidget:
        """Show fields, paths, the whole table and relevance cuts in a notebook.

        Parameters
        ----------
        options
            Options of the `InfluenceWidget`.
        """
        from sokoviz.widgets.influence.widget import InfluenceWidget

        return InfluenceWidget(self, **options)

    # --- relevance cuts ----------------------------------------------------------------------------------------------

    @cached_property
    def deciding(self) -> NDArray[np.int32]:
        """int32[n_squares, n_squares]: what decides whether moves are distant, by row * width + column of both squares.

        In the released program a move is distant only if neither square influences the other.
        """
        table = np.minimum(self.table, self.table.T) if self.released else self.table
        return by_squares(table, self.level.rows)

    def cuts(
        self,
        position: Board | Level,
        pushes: Iterable[Push] | str = (),
        *,
        k: int = DEFAULT_K,
        m: int | None = None,
        threshold: int | None = None,
    ) -> tuple[Verdict, ...]:
        """Say of each legal push whether a relevance cut would drop it after a history of pushes, and why.

        Parameters
        ----------
        position
            The level, or a board of it, whose own pushes belong to the history.
        pushes
            What is done there first, as pushes or as a move string.
        k
            How many distant moves are let pass within the last `m`.
        m, threshold
            Those of this object where left out.

        Raises
        ------
        MoveError
            If the pushes are against the rules.
        SearchError
            If the position is one of another level.
        """
        board, line = self._played(position, pushes)
        judge = _Judge(self, k, self.m if m is None else m, self.threshold if threshold is None else threshold)
        return tuple(judge.verdict(line, push) for push in board.pushes)

    def line(
        self,
        position: Board | Level,
        pushes: Iterable[Push] | str = (),
        *,
        k: int = DEFAULT_K,
        m: int | None = None,
        threshold: int | None = None,
    ) -> tuple[Verdict, ...]:
        """Say of each push of a history whether a relevance cut would have dropped it; parameters as for `cuts`."""
        _, line = self._played(position, pushes)
        judge = _Judge(self, k, self.m if m is None else m, self.threshold if threshold is None else threshold)
        return tuple(judge.verdict(line[:index], push) for index, push in enumerate(line))

    def judge(self, line: Sequence[Push], push: Push, *, k: int, m: int, threshold: int) -> Verdict:
        """Say of one push whether a relevance cut would drop it after a line of pushes; their squares alone count."""
        return _Judge(self, k, m, threshold).verdict(line, push)

    def _played(self, position: Board | Level, pushes: Iterable[Push] | str) -> tuple[Board, list[Push]]:
        """The position after some pushes, and all pushes that led there."""
        level = position if isinstance(position, Level) else position.level
        if level.floor != self.level.floor or level.width != self.level.width:
            message = f"expected a position of {self.level!r}, found one of {level!r}"
            raise SearchError(message)
        board = Board(level)
        if isinstance(position, Board):
            board.play(position.moves)
        if isinstance(pushes, str):
            board.play(pushes)
        else:
            for push in pushes:
                board.push(push)
        return board, pushes_of(level, board.moves)


def pushes_of(level: Level, moves: str) -> list[Push]:
    """The pushes of a move string from a level's start, which must be legal."""
    player, found = level.player, []
    for letter in moves:
        player = neighbour(player, letter.lower())
        if letter.isupper():
            found.append(Push(player, letter.lower()))
    return found


def _mean(values: NDArray[np.int32]) -> float:
    """The mean; 0 of nothing."""
    return float(values.mean()) if values.size else 0.0


@dataclass(frozen=True)
class _Judge:
    """The rules of section 3.2 with their parameters, in words; the kernel decides."""

    found: Influence
    k: int
    m: int
    threshold: int

    def value(self, source: Square, target: Square) -> int:
        """What decides whether moves that begin on two squares are distant."""
        width = self.found.level.width
        return int(self.found.deciding[source.row * width + source.column, target.row * width + target.column])

    def verdict(self, line: Sequence[Push], push: Push) -> Verdict:
        """Judge a push after a line of pushes."""
        width = self.found.level.width
        froms = np.array([before.box.row * width + before.box.column for before in line], dtype=np.int64)
        square = push.box.row * width + push.box.column
        ruling = int(judge_push(self.found.deciding, froms, len(line), square, self.k, self.m, self.threshold))
        value = self.value(line[-1].box, push.box) if line else None
        is_distant = value is not None and value > self.threshold
        reason = self._reason(line, push, ruling, value)
        return Verdict(push, ruling != RELEVANT, RULES[ruling], value, is_distant, reason)

    def _reason(self, line: Sequence[Push], push: Push, ruling: int, value: int | None) -> str:
        """Why the kernel ruled so."""
        if value is None:
            return "nothing was pushed before"
        side = f"distant: {value} from {line[-1].box.name}, above {self.threshold}"
        if value <= self.threshold:
            side = f"near: {value} from {line[-1].box.name}, at most {self.threshold}"
        if ruling == RETURNS:
            index = max(i for i, old in enumerate(line) if self.value(old.box, push.box) <= self.threshold)
            back = f"push {index + 1} from {line[index].box.name} ({self.value(line[index].box, push.box)})"
            return f"{side}; but near to {back}: back to where it just was"
        if ruling == TOO_MANY:
            return f"{side}; {self._switches(line, push)}, more than k = {self.k}"
        return f"{side}; {self._switches(line, push)}, k = {self.k}" if value > self.threshold else side

    def _switches(self, line: Sequence[Push], push: Push) -> str:
        """The distant moves within the last m, the new one counted."""
        moves = [*line, push]
        first = max(1, len(moves) - self.m)
        distant = [i for i in range(first, len(moves)) if self.value(moves[i - 1].box, moves[i].box) > self.threshold]
        names = ["this one" if i == len(line) else f"push {i + 1}" for i in distant]
        told = f" ({listing(names)})" if names else ""
        return f"{count(len(distant), 'distant move')} in the last {self.m}{told}"
