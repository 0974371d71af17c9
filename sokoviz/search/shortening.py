"""Shortens solutions: fewer pushes first, then fewer moves, and never a way that the rules do not allow.

Good solutions lie near found ones. So positions near a solution are collected, those that few pushes lead to and those
from which few pushes lead back, and the best way through all of them is taken. It may leave the old way in many places
at once. Positions near the new solution are others again, so this is repeated until nothing gets shorter.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from sokoviz.actions import Push, neighbour
from sokoviz.analysis.positions import Analysis
from sokoviz.board import Board
from sokoviz.core.board.grid import tables_of
from sokoviz.core.board.solution_area import (
    ACTION,
    BEST,
    DONE,
    FOUND,
    PARENT,
    Area,
    Ways,
    enter_line,
    go_on,
    grow_ways,
    has_room,
    make_area,
    make_desk,
    make_ways,
    spread,
)
from sokoviz.core.compiling.jit import is_kept
from sokoviz.core.numbers.bits import is_subset
from sokoviz.core.types import DIRECTIONS, NOWHERE
from sokoviz.errors import SearchError
from sokoviz.levels import Level
from sokoviz.search.loading import Announcement
from sokoviz.search.mcts.schokoban import Solution, replay
from sokoviz.search.progress import saying
from sokoviz.squares import Square
from sokoviz.words import count

if TYPE_CHECKING:
    from sokoviz.core.types import Integers

DEFAULT_STATES = 50_000
MOST_STATES = 1 << 28
A_CALL = 2_000  # positions that a kernel deals with before an interrupt is noticed
FIRST_ROOM = 1 << 12


@dataclass(frozen=True)
class ShortenedSolution(Solution):
    """A solution that was made shorter, or as short as it was."""

    original: Solution
    """what it was made from"""
    states: int
    """positions near the solution that were looked at, in all rounds"""
    is_proven: bool
    """whether these were all positions there are in the last round: then no solution has fewer pushes, and none of as
    many pushes has fewer moves"""
    stopped_by: str
    """nothing shorter, or interrupted"""

    def __repr__(self) -> str:
        before = f"from {count(self.original.pushes, 'push', 'pushes')}, {count(self.original.moves, 'move')}"
        return f"{super().__repr__()} ({before}{'; proven shortest' * self.is_proven})"


def shorten(level: Level | str, solution: Solution | str, *, states: int = DEFAULT_STATES) -> ShortenedSolution:
    r"""Make a solution shorter: fewer pushes first, then fewer moves of as many pushes. It never gets longer.

    It may be interrupted: what was reached by then is returned.

    Parameters
    ----------
    level
        The level, or its text.
    solution
        A solution of it, or its move string.
    states
        How many positions to look at on either side of the solution in each round: forwards by pushes, and backwards
        by pulls. Where that is more than the level has, the answer is proven to be shortest.

    Returns
    -------
    ShortenedSolution
        Replayed by the rules, and the same in every run.

    Raises
    ------
    SearchError
        If that is no solution of the level, or there is no room to look around.
    MoveError
        If the rules do not allow one of its moves.

    Examples
    --------
    >>> shorten("######\n#@ $.#\n#    #\n######", "drulrR")
    1 push, 2 moves: rR (from 1 push, 6 moves; proven shortest)
    """
    where = level if isinstance(level, Level) else Level.parse(level)
    original, line = _read(where, solution)
    if not hasattr(states, "__index__") or isinstance(states, bool) or not 1 <= states <= MOST_STATES:
        message = f"expected a number of states from 1 to {MOST_STATES:,}, found {states!r}"
        raise SearchError(message)
    best, n_states, is_proven, reason = original, 0, False, "nothing shorter"
    is_compiled = is_kept(go_on, (Area, Ways))
    try:
        compiling = Announcement("shortening", is_compiled=False, group="shortening")
        with saying("Shortening …" if is_compiled else compiling):
            vicinity, is_better = Vicinity(where, int(states)), True
            while is_better and not is_proven:
                line, is_proven = vicinity.best_way(line)
                n_states += vicinity.n_found
                way = replay(where, [vicinity.push_of(push) for push in line])
                is_better = (way.pushes, way.moves) < (best.pushes, best.moves)
                best = way if is_better else best
    except KeyboardInterrupt:
        reason = "interrupted"
    return ShortenedSolution(best.lurd, best.pushes, best.moves, original, n_states, is_proven, reason)


def _read(level: Level, solution: Solution | str) -> tuple[Solution, Integers]:
    """A solution as it was given, and its pushes as numbers; raises where it is none."""
    given: object = solution
    if not isinstance(given, Solution | str):
        message = f"expected a Solution or its move string, found {given!r}"
        raise SearchError(message)
    board = Board(level)
    board.play(given if isinstance(given, str) else given.lurd)
    if not board.is_solved:
        off = count(len(board.boxes - set(level.goals)), "box", "boxes")
        message = f"expected a solution of {level!r}, found moves that leave {off} off goals"
        raise SearchError(message)
    line, trial = [], Board(level)
    for letter in board.moves:
        if letter.isupper():
            line.append(Push(neighbour(trial.player, letter.lower()), letter.lower()))
        trial.step(letter.lower())
    width = level.width
    numbers = [4 * (box.row * width + box.column) + DIRECTIONS.index(direction) for box, direction in line]
    return Solution(board.moves, board.n_pushes, board.n_moves), np.array(numbers, dtype=np.int64)


class Vicinity:
    """The positions near a solution of a level, and the best way through them.

    Parameters
    ----------
    level
        The level.
    states
        How many positions to collect forwards, and how many backwards.
    """

    def __init__(self, level: Level, states: int) -> None:
        self.tables = tables_of(level.rows)
        start = Analysis(level, level.boxes, level.player)
        self.boxes, self.player = start.boxes, start.player
        self.states = states
        self.n_found = 0
        """positions found around the solution that was looked at last"""
        self._desk = make_desk(self.tables, len(level.boxes))

    def push_of(self, number: int) -> Push:
        """Return a push of the kernels as people write it."""
        return Push(Square(*divmod(int(number) >> 2, self.tables.width)), DIRECTIONS[int(number) & 3])

    def best_way(self, line: Integers) -> tuple[Integers, bool]:
        """Return the best way through the positions near a solution, and whether these are all there are.

        Parameters
        ----------
        line
            The pushes of the solution: int64[n_pushes].
        """
        if is_subset(self.boxes, self.tables.goals):
            return line[:0], True
        ahead = self._area(line, is_backwards=False)
        is_all = bool(ahead.counts[DONE] == ahead.counts[FOUND])
        behind = ahead if is_all else self._area(line, is_backwards=True)
        self.n_found = int(ahead.counts[FOUND]) + (0 if is_all else int(behind.counts[FOUND]))
        ways = make_ways(self.tables, self.boxes, self.player, max(FIRST_ROOM, len(self._desk.actions) + 1))
        while go_on(self.tables, ways, ahead, behind, self._desk, A_CALL):
            if not has_room(ways, self._desk):
                ways = grow_ways(ways)
        return _line_to(ways, int(ways.counts[BEST])), is_all

    def _area(self, line: Integers, *, is_backwards: bool) -> Area:
        """The positions near a solution on one side of it; at least those of the solution itself."""
        area = make_area(self.tables, max(self.states, len(line) + 1))
        enter_line(self.tables, area, self._desk, self.boxes, self.player, line)
        while spread(self.tables, area, self._desk, is_backwards, A_CALL):
            pass
        return area


def _line_to(ways: Ways, node: int) -> Integers:
    """The pushes that lead to a position: int64[n_pushes]."""
    line = []
    while ways.numbers[PARENT, node] != NOWHERE:
        line.append(ways.numbers[ACTION, node])
        node = int(ways.numbers[PARENT, node])
    return np.array(line[::-1], dtype=np.int64)
