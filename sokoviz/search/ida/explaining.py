"""One step of iterative deepening, read out of its record: line, position, and what became of its successors."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sokoviz.actions import BoxMove
from sokoviz.board import Board
from sokoviz.core.branches import record as branches
from sokoviz.errors import SearchError
from sokoviz.squares import Square
from sokoviz.words import count, listing

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sokoviz.levels import Level
    from sokoviz.search.ida.engine import DeepeningEngine

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


class RecordReader:
    """What the record of a search says, in squares."""

    def __init__(self, engine: DeepeningEngine) -> None:
        self.events = engine.events
        self.engine = engine
        self.width = engine.tables.width

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


def explain(engine: DeepeningEngine, number: int) -> IDAStep:
    """Return what happened in a step, from 1 on."""
    record = RecordReader(engine)
    start, end = engine.end_of(number - 1), engine.end_of(number)
    events = engine.events[start:end]
    kinds, subjects, values = (events[:, c].tolist() for c in (branches.KIND, branches.NODE, branches.ORIGIN))
    expanded = [subject for kind, subject in zip(kinds, subjects, strict=True) if kind == branches.EXPANDED]
    solved = [subject for kind, subject in zip(kinds, subjects, strict=True) if kind == branches.SOLVES]
    told = list(zip(kinds, subjects, values, strict=True))
    node = (solved or expanded or [None])[-1]
    path = record.path(node) if node is not None else []
    limit, n_thresholds = threshold_at(engine, number)
    bounds = [value for kind, _, value in told if kind == branches.EXPANDED]
    return IDAStep(
        number=number,
        threshold=limit,
        n_thresholds=n_thresholds,
        node=node,
        line=tuple(record.move(each) for each in path),
        g=int(engine.events[node, branches.WAY]) if path and node is not None else 0,
        h=bounds[-1] if bounds and not solved else 0,
        cut=tuple(record.successor(subject, why) for kind, subject, why in told if kind == branches.CLOSED),
        left=tuple((subject, score) for kind, subject, score in told if kind == branches.DONE_BELOW),
        successors=tuple(record.successor(start + place) for place, kind in enumerate(kinds) if kind in BECAME),
        is_resumed=branches.RESUMED in kinds,
        is_solved=bool(solved),
    )


def threshold_at(engine: DeepeningEngine, number: int) -> tuple[int, int]:
    """The threshold of a step, and how many were begun up to it."""
    events = engine.events[: engine.end_of(number)]
    limits = events[events[:, branches.KIND] == branches.THRESHOLD, branches.ORIGIN]
    return (int(limits[-1]), len(limits)) if len(limits) else (engine.threshold, 0)


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
