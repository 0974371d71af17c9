"""Searches of people's own: a generator in plain Python, one `yield` a step, and everything else comes of it."""

from __future__ import annotations

import json
from abc import abstractmethod
from dataclasses import asdict, dataclass, fields
from typing import TYPE_CHECKING, Any, ClassVar

from sokoviz.actions import Push
from sokoviz.errors import SearchError
from sokoviz.games.game import Game
from sokoviz.games.sokoban import Sokoban
from sokoviz.search.lower_bound import least_pushes
from sokoviz.search.mcts.schokoban import Solution, replay
from sokoviz.search.options import choose, take_level
from sokoviz.search.plain import note as notes
from sokoviz.search.plain.engine import PlainEngine
from sokoviz.search.result import ENDINGS, SolverResult, solved_in
from sokoviz.search.search import Search
from sokoviz.words import count, listing

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from sokoviz.levels import Level
    from sokoviz.search.plain.note import Note

MOST_MEMORY = 4 << 30


@dataclass(frozen=True)
class PlainOptions:
    """Options that every search in plain Python has; a class of your own may add some."""

    seed: int = 1
    """of random choices, where it makes any"""


@dataclass(frozen=True)
class PlainStep:
    """What was noted in a step."""

    number: int
    expanded: tuple[int, ...]
    """nodes whose successors were generated"""
    added: tuple[tuple[int, int, Any], ...]
    """node, parent and action; of a root the parent is -1"""
    rejected: tuple[tuple[int, Any, str], ...]
    """the node whose successor it would be, the action, and why"""
    relinked: tuple[tuple[int, int], ...]
    """nodes and their new parents"""
    met: tuple[tuple[int, int], ...]
    solved: tuple[int, ...]

    @property
    def node(self) -> int | None:
        """The node that the step is about: that which was expanded last."""
        return self.expanded[-1] if self.expanded else None

    @property
    def sentence(self) -> str:
        """What happened, in a sentence."""
        parts = [
            *(f"node {node} is expanded" for node in self.expanded),
            *([f"{count(len(self.added), 'node')} added"] if self.added else []),
            *([f"{count(len(self.rejected), 'successor')} rejected"] if self.rejected else []),
            *(f"node {node} goes to node {parent}" for node, parent in self.relinked),
            *(f"nodes {a} and {b} meet" for a, b in self.met),
            *(f"node {node} solves it" for node in self.solved),
        ]
        return f"Step {self.number}: {listing(parts) if parts else 'nothing was noted'}."

    def __str__(self) -> str:
        added = [f"  {node}: {action} from {parent}" for node, parent, action in self.added if parent >= 0]
        return "\n".join(
            [self.sentence, *added, *(f"  {action} from {node}: {why}" for node, action, why in self.rejected)]
        )


@dataclass(frozen=True)
class PlainResult(SolverResult):
    """What a search in plain Python has come to; its iterations are its steps."""

    def __repr__(self) -> str:
        found = solved_in(self.solution, is_optimal=self.is_optimal) if self.solution else "not solved"
        made = f"after {count(self.steps, 'step')}, {count(self.nodes, 'position')}, {self.seconds:.2f} s"
        return f"{self.search}: {found} {made}{ENDINGS.get(self.stopped_by, '')}"


class PlainSearch(Search[PlainEngine, PlainStep, PlainResult]):
    """A search of your own: write `search`, and run, step, take back, explain, save, and solve with it.

    Parameters
    ----------
    game
        A level, its text, or any `Game`.
    options
        Options by name: those that the class `Options` of the search has.

    Examples
    --------
    >>> class Breadth(PlainSearch):
    ...     name = "breadth first"
    ...
    ...     def search(self, note):
    ...         waiting = [note.root(Board(self.level))]
    ...         for node in waiting:
    ...             note.expand(node)
    ...             for push in note.state(node).pushes:
    ...                 waiting.append(note.add(node, push, note.state(node).after(push)))
    ...             yield
    """

    name = "search"
    units = ("step", "step")
    default_limits: ClassVar[Mapping[str, float]] = {"seconds": 60.0}
    Options: ClassVar[type] = PlainOptions
    """a frozen dataclass of its options; those of your own come from `PlainOptions`"""

    def __init__(self, game: object, **options: Any) -> None:
        super().__init__(game if isinstance(game, Game) else Sokoban(take_level(game)))
        for name in options:
            choose("option", name, [field.name for field in fields(self.Options)])
        self.options = self.Options(**options)
        self._least = least_pushes(self.game.level) if isinstance(self.game, Sokoban) else 0

    @abstractmethod
    def search(self, note: Note) -> Iterator[None]:
        """Search: tell `note` what is done, and `yield` after each step."""

    @property
    def level(self) -> Level:
        """The level that is searched.

        Raises
        ------
        SearchError
            If the game is another one than Sokoban.
        """
        if not isinstance(self.game, Sokoban):
            message = f"expected a search on a level of Sokoban, found one on {self.game.name}"
            raise SearchError(message)
        return self.game.level

    def __repr__(self) -> str:
        return f"{self.name} on {self._of}: step {self.steps} of {self.last}"

    @property
    def _of(self) -> str:
        """What is searched, in words."""
        return repr(self.level) if isinstance(self.game, Sokoban) else self.game.name

    def _make_engine(self) -> PlainEngine:
        """The generator, before its first step."""
        return PlainEngine(self.search)

    def _explain(self, engine: PlainEngine, number: int) -> PlainStep:
        """What was noted in a step."""
        record = engine.record
        events = record.events[record.end_of(number - 1) : record.end_of(number)]
        of = {kind: [event for event in events if event.kind == kind] for kind in range(notes.SOLVED + 1)}
        brought = sorted([*of[notes.ROOT], *of[notes.ADDED]], key=lambda event: event.node)
        return PlainStep(
            number=number,
            expanded=tuple(event.node for event in of[notes.EXPANDED]),
            added=tuple((event.node, event.other, event.action) for event in brought),
            rejected=tuple((event.node, event.action, event.why) for event in of[notes.REJECTED]),
            relinked=tuple((event.node, event.other) for event in of[notes.RELINKED]),
            met=tuple((event.node, event.other) for event in of[notes.MET]),
            solved=tuple(event.node for event in of[notes.SOLVED]),
        )

    @property
    def keeps_record(self) -> bool:
        """A search in plain Python always writes down what it notes."""
        return True

    @property
    def memory(self) -> int:
        """Nothing limits it."""
        return MOST_MEMORY

    @property
    def group(self) -> str:
        """Only boards have kernels."""
        return "board"

    @property
    def events(self) -> tuple[str, ...]:
        """The kinds of events that its steps may be marked with."""
        return notes.EVENTS

    @property
    def lower_bound(self) -> float:
        """The bound of the level, where it is one of Sokoban: the search itself proves nothing."""
        return self._least

    @property
    def solution(self) -> Solution | None:
        """The first solution where the search stands, replayed by the rules; None while there is none."""
        line = self.engine.record.solution_after(self.steps)
        if line is None or not isinstance(self.game, Sokoban):
            return None
        for action in line:
            if not isinstance(action, Push):
                message = f"expected pushes as the actions of a solution, found {action!r}"
                raise SearchError(message)
        return replay(self.level, list(line))

    def _result(self, stopped_by: str, *, is_brief: bool) -> PlainResult:  # noqa: ARG002  nothing takes a while
        """What the search has come to where it stands."""
        counters = self.counters
        line = self.engine.record.solution_after(self.steps) or ()
        return PlainResult(
            search=f"{self.name} on {self._of}",
            move=None,
            node=None,
            visits=0,
            value=None,
            line=tuple(map(str, line)),
            iterations=counters.iterations,
            nodes=counters.nodes,
            seconds=self.seconds,
            stopped_by=stopped_by,
            solution=self.solution,
            lower_bound=self.lower_bound,
            steps=self.steps,
        )

    def recipe(self) -> dict[str, Any]:
        """Return the options that the search was made with."""
        return asdict(self.options)

    def deeds(self) -> Iterator[bytes]:
        """Yield all that was noted but for the states, whose text may be that of an object in memory."""
        record = self.engine.record
        told = [(event.kind, event.node, event.other, str(event.action), event.why) for event in record.events]
        yield json.dumps([told, [record.end_of(step) for step in range(1, record.last + 1)]]).encode()
