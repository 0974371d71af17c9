"""Breadth-first search over pushes, as people hold it."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from math import inf
from typing import TYPE_CHECKING, Any, ClassVar

from sokoviz.errors import SearchError
from sokoviz.games.sokoban import Sokoban
from sokoviz.search.breadth.explaining import BreadthStep, explain
from sokoviz.search.mcts.schokoban import Solution, replay
from sokoviz.search.options import choose, is_number, take_level
from sokoviz.search.result import ENDINGS, SolverResult, solved_in
from sokoviz.search.search import Search
from sokoviz.words import count

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from sokoviz.levels import Level
    from sokoviz.search.branches.record import BranchRecord
    from sokoviz.search.breadth.engine import BreadthEngine

DEADLOCK_TESTS = ("locking tile",)
LEAST_MEMORY, MOST_MEMORY = 1 << 20, 1 << 40


@dataclass(frozen=True)
class Options:
    """All that decides what breadth-first search does with a level."""

    seed: int = 1
    """nothing is random; all solvers have one"""
    deadlocks: tuple[str, ...] = ()
    """names of the deadlock tests; the thesis compares with a search that has none"""
    memory: int = 8 << 30
    """bytes that the positions may take, and the record as many"""
    journal: bool = True
    """whether to write down what happens; without, nothing can be looked back at"""

    def __post_init__(self) -> None:
        """Refuse what makes no sense."""
        given: object = self.deadlocks
        if isinstance(given, str) or not isinstance(given, tuple | list):
            message = f"expected names such as {DEADLOCK_TESTS!r} as deadlocks, found {given!r}"
            raise SearchError(message)
        object.__setattr__(self, "deadlocks", tuple(self.deadlocks))
        for name in self.deadlocks:
            choose("deadlock test", name, DEADLOCK_TESTS)
        if not is_number(self.memory) or not LEAST_MEMORY <= self.memory <= MOST_MEMORY:
            message = f"expected bytes from {LEAST_MEMORY:,} to {MOST_MEMORY:,} as memory, found {self.memory!r}"
            raise SearchError(message)
        journal: object = self.journal
        if not isinstance(journal, bool):
            message = f"expected True or False as journal, found {journal!r}"
            raise SearchError(message)


@dataclass(frozen=True)
class BreadthResult(SolverResult):
    """What breadth-first search has come to; its iterations are expansions."""

    layer: int = 0
    """pushes so far of the position expanded last"""

    def __repr__(self) -> str:
        if self.solution:
            found = solved_in(self.solution, is_optimal=self.is_optimal)
        else:
            found = "proven unsolvable" if self.is_unsolvable else "not solved"
        made = f"after {count(self.nodes, 'position')}, layer {self.layer}, {self.seconds:.2f} s"
        return f"{self.search}: {found} {made}{ENDINGS.get(self.stopped_by, '')}"


class BFS(Search["BreadthEngine", BreadthStep, BreadthResult]):
    """Breadth-first search over pushes with duplicate detection: the first solution takes the fewest pushes possible.

    Parameters
    ----------
    level
        The level, or its text.
    options
        Options by name, see `sokoviz.search.breadth.search.Options`.

    Examples
    --------
    >>> search = BFS(load("lessons#14"))
    >>> search.run(seconds=10)
    """

    name = "breadth-first search"
    units = ("step", "expansion")
    default_limits: ClassVar[Mapping[str, float]] = {"seconds": 60.0}

    def __init__(self, level: Level | str, **options: Any) -> None:
        self.level = take_level(level)
        for name in options:
            choose("option", name, Options.__dataclass_fields__)
        self.options = Options(**options)
        super().__init__(Sokoban(self.level, "push"))
        self._solved: Solution | None = None

    def __repr__(self) -> str:
        return f"{self.name} on {self.level!r}: step {self.steps} of {self.last}"

    def _make_engine(self) -> BreadthEngine:
        """The arrays of the search."""
        from sokoviz.search.breadth.engine import BreadthEngine

        return BreadthEngine(self.level, self.options)

    @property
    def record(self) -> BranchRecord:
        """What was written down of the steps; raises where nothing is."""
        return self.engine.written()

    @property
    def keeps_record(self) -> bool:
        """Whether steps are written down, so that one can go back to them and explain them."""
        return self.options.journal

    @property
    def memory(self) -> int:
        """Bytes that the positions may take."""
        return self.options.memory

    @property
    def group(self) -> str:
        """Name of the group of kernels with which it searches."""
        return "breadth-first search" if self.options.journal else "breadth-first search, without"

    @property
    def events(self) -> tuple[str, ...]:
        """The kinds of events that its steps may be marked with."""
        return ("layer", "transposition", "deadlock", "solution")

    def _explain(self, engine: BreadthEngine, number: int) -> BreadthStep:
        """What happened in a step."""
        return explain(self.record, engine.tables.width, number)

    @property
    def solution(self) -> Solution | None:
        """The solution, replayed by the rules; None while there is none."""
        if self._made is None or not self.engine.is_solved:
            return None
        if self._solved is None:
            game = Sokoban(self.level)
            self._solved = replay(self.level, [game.push_of(push) for push in self.engine.pushes()])
        return self._solved

    @property
    def lower_bound(self) -> float:
        """Pushes that every solution is proven to take at least: the layer that is looked at, or the level's bound."""
        with self._lock:
            return self.engine.standing_after(self.steps).lower_bound

    def _result(self, stopped_by: str, *, is_brief: bool) -> BreadthResult:  # noqa: ARG002  nothing takes a while
        """What the search has come to where it stands."""
        with self._lock:
            then, is_at_end = self.engine.standing_after(self.steps), self.steps == self.last
        return BreadthResult(
            search=f"{self.name} on {self.level!r}",
            move=None,
            node=None,
            visits=0,
            value=None,
            line=(),
            iterations=self.steps,
            nodes=then.nodes,
            seconds=self.seconds,
            stopped_by=stopped_by,
            solution=self.solution if is_at_end else None,  # a solution ends the search
            is_unsolvable=then.lower_bound == inf,
            lower_bound=then.lower_bound,
            steps=self.steps,
            layer=then.layer,
        )

    def recipe(self) -> dict[str, Any]:
        """Return the options that the search was made with."""
        return asdict(self.options)

    def deeds(self) -> Iterator[bytes]:
        """Yield all positions that were found, and the record where there is one."""
        yield from self.engine.deeds()
