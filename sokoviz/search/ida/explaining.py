"""One step of iterative deepening, read out of its record: line, position, and what became of its successors."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sokoviz.board import Board
from sokoviz.core.branches import record as branches
from sokoviz.errors import SearchError
from sokoviz.search.branches.reader import BECAME, BranchReader
from sokoviz.words import count, listing

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sokoviz.actions import BoxMove
    from sokoviz.levels import Level
    from sokoviz.search.branches.reader import Successor
    from sokoviz.search.ida.engine import DeepeningEngine


@dataclass(frozen=True)
class IDAStep:
    """A step: one position is expanded, after what happened on the way from the one before."""

    number: int
    threshold: int
    n_thresholds: int
    node: int | None
    """the position expanded; None where a threshold came to its end instead"""
    line: tuple[BoxMove, ...]
    """the moves from the start to it"""
    g: int
    h: int
    cut: tuple[Successor, ...]
    """successors of earlier positions that were visited and cut before it"""
    left: tuple[tuple[int, int], ...]
    """positions that were searched to their end before it, and how many pushes are left from them at least"""
    successors: tuple[Successor, ...]
    is_resumed: bool
    """whether a goal cut was taken back here"""
    is_solved: bool

    def __str__(self) -> str:
        return "\n".join([self.sentence, *(f"  {successor}" for successor in self.successors)])

    @property
    def sentence(self) -> str:
        """What happened, in a sentence or two."""
        if self.is_solved:
            return f"Step {self.number}: solved after {count(self.g, 'push', 'pushes')}, threshold {self.threshold}."
        if self.node is None:
            return f"Step {self.number}: threshold {self.threshold} holds no solution."
        depth = count(len(self.line), "move")
        head = f"Step {self.number}: depth {depth}, f = {self.g} + {self.h} = {self.g + self.h} of {self.threshold}."
        kinds = [successor.became for successor in self.successors]
        parts = [f"{kinds.count(kind)} {kind}" for kind in dict.fromkeys(kinds)]
        again = " A goal cut is taken back." if self.is_resumed else ""
        return f"{head}{again} {count(len(kinds), 'successor')}{': ' + listing(parts) if parts else ''}."


def explain(engine: DeepeningEngine, number: int) -> IDAStep:
    """Return what happened in a step, from 1 on."""
    written = engine.written()
    record = BranchReader(written.events, engine.tables.width)
    start, end = written.end_of(number - 1), written.end_of(number)
    events = written.events[start:end]
    kinds, subjects, values = (events[:, c].tolist() for c in (branches.KIND, branches.NODE, branches.ORIGIN))
    expanded = [subject for kind, subject in zip(kinds, subjects, strict=True) if kind == branches.EXPANDED]
    solved = [subject for kind, subject in zip(kinds, subjects, strict=True) if kind == branches.SOLVES]
    told = list(zip(kinds, subjects, values, strict=True))
    node = (solved or expanded or [None])[-1]
    path = record.path(node) if node is not None else []
    n_thresholds, limit, _, _ = engine.standing_after(number)
    bounds = [value for kind, _, value in told if kind == branches.EXPANDED]
    return IDAStep(
        number=number,
        threshold=limit,
        n_thresholds=n_thresholds,
        node=node,
        line=tuple(record.move(each) for each in path),
        g=int(written.events[node, branches.WAY]) if path and node is not None else 0,
        h=bounds[-1] if bounds and not solved else 0,
        cut=tuple(record.successor(subject, why) for kind, subject, why in told if kind == branches.CLOSED),
        left=tuple((subject, score) for kind, subject, score in told if kind == branches.DONE_BELOW),
        successors=tuple(record.successor(start + place) for place, kind in enumerate(kinds) if kind in BECAME),
        is_resumed=branches.RESUMED in kinds,
        is_solved=bool(solved),
    )


def play_moves(level: Level, moves: Iterable[BoxMove] | Sequence[BoxMove]) -> Board:
    """Return the board after some moves, played by the rules.

    Raises
    ------
    SearchError
        If a move takes another number of pushes than it says.
    """
    board = Board(level)
    for move in moves:
        before = board.n_pushes
        board.push_box(move.source, move.target, move.player)
        if board.n_pushes - before != move.n_pushes:
            message = f"expected {move!r} to take {move.n_pushes} pushes, found {board.n_pushes - before}"
            raise SearchError(message)
    return board
