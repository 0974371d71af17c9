"""Drives the compiled breadth-first search: its arrays, and their growth."""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from sokoviz.core.board.grid import tables_of, to_bits
from sokoviz.core.branches import record as branches
from sokoviz.core.compiling.jit import is_kept
from sokoviz.core.tree.journal import Silent
from sokoviz.core.tree.node_table import grow_states, make_states
from sokoviz.core.types import NOWHERE
from sokoviz.errors import SearchError
from sokoviz.search.branches.record import BranchRecord
from sokoviz.search.breadth import kernel
from sokoviz.search.contract import NO_STOP, Counters
from sokoviz.search.lower_bound import least_pushes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sokoviz.levels import Level
    from sokoviz.search.breadth.search import Options
    from sokoviz.search.contract import Stop

FIRST_CAPACITY = 1 << 12
REASONS = {kernel.SOLVED_NOW: "solved", kernel.MET: "until", kernel.ENOUGH_NODES: "nodes"}


class Standing(NamedTuple):
    """What was known at some moment."""

    layer: int
    """pushes so far of the position expanded last"""
    lower_bound: float
    """pushes that every solution is proven to take at least; infinite where there is proven to be none"""
    nodes: int


class BreadthEngine:
    """The arrays of one search.

    Parameters
    ----------
    level
        What is searched.
    options
        How it is searched.
    """

    def __init__(self, level: Level, options: Options) -> None:
        self.tables = tables_of(level.rows)
        self.memory = options.memory
        self.record = BranchRecord(options.memory) if options.journal else None
        self._least = least_pushes(level)
        width, n_words = self.tables.width, len(self.tables.floor)
        squares = [r * width + c for r, c in level.boxes if (r, c) in level.floor]
        n_most = max(len(squares), 1)
        capacity = max(FIRST_CAPACITY, 8 * n_most)
        self.frontier = kernel.Frontier(
            boxes=np.zeros((capacity, n_words), dtype=np.uint64),
            numbers=np.zeros((capacity, kernel.N_COLUMNS), dtype=np.int64),
            states=make_states(capacity),
            boards=np.zeros((kernel.N_BOARDS, n_words), dtype=np.uint64),
            actions=np.zeros(4 * n_most, dtype=np.int64),
            move=np.array([0, 0, 0, 1], dtype=np.int64),
            tip=np.zeros(kernel.N_TIP, dtype=np.int64),
        )
        tip = self.frontier.tip
        tip[kernel.SOLVED_AT] = tip[kernel.STOP_NODE] = NOWHERE
        tip[kernel.LEAST] = 0 if self._least == inf else int(self._least)
        tip[kernel.HAS_DEAD_SQUARES] = "locking tile" in options.deadlocks
        self.frontier.boards[kernel.BOXES] = to_bits(squares, width * self.tables.height)
        kernel.enter_start(self.tables, self.frontier, level.player[0] * width + level.player[1])

    def load(self) -> None:
        """Load the kernel, or compile it, so that this is not counted as time of the search."""
        kernel.advance(self.tables, self.frontier, self._trace, 0)

    def is_compiled(self) -> bool:
        """Return whether the machine code is kept on this machine."""
        return bool(is_kept(kernel.advance, (kernel.Frontier, type(self._trace))))

    @property
    def _trace(self) -> branches.AnyBranches:
        """What the kernel writes to."""
        return Silent(0) if self.record is None else self.record.arrays

    def written(self) -> BranchRecord:
        """The record; raises where none is kept."""
        if self.record is None:
            message = "expected a search that keeps a record, found journal=False: it can only run and tell its result"
            raise SearchError(message)
        return self.record

    @property
    def numbers_nodes(self) -> bool:
        """Nodes are numbered by the record."""
        return self.record is not None

    @property
    def last(self) -> int:
        """Number of steps made: positions expanded."""
        return int(self.frontier.tip[kernel.DONE_WITH])

    @property
    def counters(self) -> Counters:
        """How much was done."""
        return Counters(self.last, self.last, self.last)

    @property
    def is_solved(self) -> bool:
        """Whether a solution was found."""
        return bool(self.frontier.tip[kernel.SOLVED_AT] != NOWHERE)

    @property
    def ending(self) -> str:
        """Why nothing is left to go on with: all that can be reached was looked at, or the bound says so."""
        return "unsolvable" if self._is_over() and not self.is_solved else ""

    def _is_over(self) -> bool:
        """Whether there is nothing left to expand."""
        tip = self.frontier.tip
        return bool(tip[kernel.DONE_WITH] == tip[kernel.FOUND] or self._least == inf)

    def advance(self, n: int, stop: Stop = NO_STOP) -> str:
        """Make n steps from the end of the record; return why it made fewer, nothing where it did not.

        The reasons: "solved", "unsolvable", "until", "nodes", "iterations", "memory".
        """
        wanted, tip = self.last + n, self.frontier.tip
        most = min(stop.nodes, stop.iterations)
        tip[kernel.MOST_NODES], tip[kernel.STOP_MARKS], tip[kernel.STOP_NODE] = most, stop.marks, stop.node
        while self.last < wanted and not self.ending:
            status = kernel.advance(self.tables, self.frontier, self._trace, wanted - self.last)
            if status == kernel.MET and self._is_over():
                break
            if status == kernel.ENOUGH_NODES:
                return stop.reached(self.counters)
            if status in REASONS:
                return REASONS[status]
            if status == kernel.FULL and not self._grow():
                return "memory"
        return self.ending

    def _grow(self) -> bool:
        """Double what is full; return whether the memory allows it."""
        frontier, n = self.frontier, int(self.frontier.tip[kernel.FOUND])
        if n + len(frontier.actions) <= len(frontier.boxes):
            return self.record is not None and self.record.grow()
        arrays = (frontier.boxes, frontier.numbers, *frontier.states)
        if 2 * sum(array.nbytes for array in arrays) > self.memory:
            return False
        capacity = 2 * len(frontier.boxes)
        boxes = np.zeros((capacity, frontier.boxes.shape[1]), dtype=np.uint64)
        numbers = np.zeros((capacity, kernel.N_COLUMNS), dtype=np.int64)
        boxes[:n], numbers[:n] = frontier.boxes[:n], frontier.numbers[:n]
        states = grow_states(frontier.states, n, capacity)
        self.frontier = frontier._replace(boxes=boxes, numbers=numbers, states=states)
        return True

    def standing_after(self, step: int) -> Standing:
        """Return what was known after a step."""
        tip = self.frontier.tip
        if step == self.last:
            bound = inf if self.ending else max(int(tip[kernel.LEAST]), int(self._least))
            return Standing(int(tip[kernel.LAYER]), bound, step)
        if not step or self.record is None:
            return Standing(0, self._least, step)
        row = self.record.steps[step - 1]
        return Standing(int(row[branches.LIMIT_THEN]), int(row[branches.PROVEN]), step)

    def deeds(self) -> Iterator[bytes]:
        """Yield all positions that were found, and the record where there is one."""
        n = int(self.frontier.tip[kernel.FOUND])
        yield self.frontier.boxes[:n].tobytes()
        yield self.frontier.numbers[:n].tobytes()
        if self.record is not None:
            yield self.record.events.tobytes()

    def pushes(self) -> list[int]:
        """Return the pushes of the solution, each 4 * square + direction."""
        numbers, number, found = self.frontier.numbers, int(self.frontier.tip[kernel.SOLVED_AT]), list[int]()
        while number != NOWHERE and numbers[number, kernel.PARENT] != NOWHERE:
            found.append(int(numbers[number, kernel.PUSH]))
            number = int(numbers[number, kernel.PARENT])
        return found[::-1]
