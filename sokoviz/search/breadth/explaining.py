"""One step of breadth-first search, read out of its record: the position, and what became of its successors."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sokoviz.core.branches import record as branches
from sokoviz.search.branches.reader import BECAME, BranchReader, Successor
from sokoviz.words import count, listing

if TYPE_CHECKING:
    from sokoviz.actions import BoxMove
    from sokoviz.search.branches.record import BranchRecord


@dataclass(frozen=True)
class BreadthStep:
    """A step: one position is expanded."""

    number: int
    node: int
    layer: int
    """pushes from the start to it"""
    line: tuple[BoxMove, ...]
    """these pushes"""
    successors: tuple[Successor, ...]
    is_solved: bool

    @property
    def sentence(self) -> str:
        """What happened, in a sentence."""
        kinds = [successor.became for successor in self.successors]
        parts = [f"{kinds.count(kind)} {kind}" for kind in dict.fromkeys(kinds)]
        solved = " The last one is solved." if self.is_solved and kinds else " It is solved." * self.is_solved
        told = f"{count(len(kinds), 'successor')}{': ' + listing(parts) if parts else ''}"
        return f"Step {self.number}: layer {self.layer}, {told}.{solved}"

    def __str__(self) -> str:
        return "\n".join([self.sentence, *(f"  {successor}" for successor in self.successors)])


def explain(record: BranchRecord, width: int, number: int) -> BreadthStep:
    """Return what happened in a step, from 1 on."""
    reader = BranchReader(record.events, width)
    start, end = record.end_of(number - 1), record.end_of(number)
    events = record.events[start:end]
    kinds = events[:, branches.KIND].tolist()
    about = kinds.index(branches.EXPANDED if branches.EXPANDED in kinds else branches.SOLVES)
    node = int(events[about, branches.NODE])
    line = tuple(reader.move(each) for each in reader.path(node))
    successors = tuple(reader.successor(start + place) for place, kind in enumerate(kinds) if kind in BECAME)
    return BreadthStep(number, node, len(line), line, successors, branches.SOLVES in kinds)
