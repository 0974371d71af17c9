"""What a run has come to, in one sentence and as data."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from sokoviz.words import count, number

if TYPE_CHECKING:
    from sokoviz.search.mcts.schokoban import Solution
    from sokoviz.squares import Square

ENDINGS = {
    "steps": "",
    "iterations": "",
    "seconds": ", time was up",
    "cpu-seconds": ", the CPU time allowed was up",
    "until": ", stopped where asked",
    "memory": ", the memory allowed is full",
    "interrupted": ", interrupted; run() goes on from here",
    "stopped": ", stopped; run() goes on from here",
    "error": ", ended by an error",
    "exhausted": ", nothing is left to search",
    "nodes": ", the nodes allowed are made",
}
"""ways a run may end, and how a sentence says it"""


@dataclass(frozen=True)
class Result:
    """What a run has come to."""

    search: str
    """the search and its game in words"""
    move: str | None
    """name of the final move; None before any child of the root was visited"""
    node: int | None
    """the child of the root that it leads to"""
    visits: int
    value: float | None
    line: tuple[str, ...]
    """the moves that the search expects, most visited child after most visited child"""
    iterations: int
    """what the paper counts, up to where the search stands"""
    nodes: int
    seconds: float
    """time spent searching so far, in all runs"""
    stopped_by: str
    """steps, iterations, nodes, seconds, cpu-seconds, until, memory, interrupted, stopped or error; for a solver also
    solved, unsolvable or exhausted; empty where nothing has been run"""
    lower_bound: float = 0
    """pushes that every solution is proven to take at least, infinite where there is proven to be none; 0 where nothing
    is known, as of games without pushes"""
    steps: int = 0
    """what a slider counts, up to where the search stands"""

    def __repr__(self) -> str:
        if self.move is None:
            move = "no move yet"
        else:
            move = f"move {self.move} (node {self.node}, {self.visits:,} visits, value {number(self.value)})"
        return f"{self.search}: {move} {_made(self)}{ENDINGS.get(self.stopped_by, '')}"


def _made(result: Result) -> str:
    """How much was done."""
    return f"after {count(result.iterations, 'iteration')}, {count(result.nodes, 'node')}, {result.seconds:.2f} s"


def solved_in(solution: Solution, *, is_optimal: bool) -> str:
    """Return how long a solution is, in words, and whether it takes the fewest pushes possible."""
    pushes, moves = count(solution.pushes, "push", "pushes"), count(solution.moves, "move")
    return f"solved in {pushes}{', the fewest possible,' * is_optimal} and {moves}"


@dataclass(frozen=True)
class SolverResult(Result):
    """What a search for a solution has come to; the final move is what it would push first."""

    solution: Solution | None = None
    is_unsolvable: bool = False
    """whether all lines of pushes are exhausted: under sound deadlock tests no solution exists"""

    @property
    def is_optimal(self) -> bool:
        """Whether no solution takes fewer pushes: it takes no more than is proven to be needed."""
        return self.solution is not None and self.solution.pushes == self.lower_bound

    @property
    def lurd(self) -> str | None:
        """The solution as a move string, None where there is none."""
        return self.solution.lurd if self.solution else None

    def __repr__(self) -> str:
        if self.solution:
            found = solved_in(self.solution, is_optimal=self.is_optimal)
        else:
            found = "proven unsolvable" if self.is_unsolvable else "not solved"
        return f"{self.search}: {found} {_made(self)}{ENDINGS.get(self.stopped_by, '')}"


class Waypoint(NamedTuple):
    """A node on the way to a solution."""

    node: int
    moves: str
    """what leads there from the root, upper case where a box is pushed"""
    player: Square
    """where the player stands then"""


class Standing(NamedTuple):
    """How large a tree is, and what its root is worth, at some moment."""

    nodes: int
    """nodes ever made"""
    in_tree: int
    """those of them that are not eliminated"""
    visits: int
    """of the root"""
    value: float
    """of the root; NaN before the first visit"""
    value_range: tuple[float, float]
    """lowest and highest reward up to the end of the record"""


BEFORE_ALL = Standing(1, 1, 0, math.nan, (-1.0, 1.0))
