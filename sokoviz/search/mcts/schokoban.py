"""Vanillaban and Schokoban: the thesis's two solvers, one search with two settings."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from functools import cached_property
from math import inf
from typing import TYPE_CHECKING, Any, ClassVar, Never, Self

from sokoviz.board import Board
from sokoviz.errors import SearchError
from sokoviz.games.sokoban import Sokoban
from sokoviz.search import saving
from sokoviz.search.lower_bound import least_pushes
from sokoviz.search.mcts.search import MCTS
from sokoviz.search.mcts.views.explaining import path_to_root
from sokoviz.search.options import MOST_MEMORY, Pushing, Settings, choose, refuse_unknown, take_level
from sokoviz.search.result import SolverResult, Waypoint
from sokoviz.words import count

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from sokoviz.actions import Push
    from sokoviz.games.game import Game
    from sokoviz.levels import Level

THESIS_TESTS = ("locking tile", "wall sweep", "locked boxes", "no push")
BEST_TESTS = (*THESIS_TESTS, "wall run", "bipartite", "corral", "three boxes", "window")

PRESETS: dict[str, dict[str, Any]] = {
    "published": {"c": 8.0, "selection": "program", "deadlocks": THESIS_TESTS, "late": False, "remembered": True},
    "text": {"c": 2.0, "selection": "uct", "deadlocks": THESIS_TESTS, "late": True, "remembered": False},
    "best": {
        "c": 2.0,
        "selection": "uct",
        "deadlocks": BEST_TESTS,
        "remembered": True,
        "distance": "push",
        "inward": True,
        "areas": True,
    },
}
"""bundles of options: the facts of the published program; the thesis to the letter, with the constant of its appendix B
because it names no other; and whatever solves most"""

KEPT_OPTIONS = (
    "preset",
    "seed",
    "c",
    "selection",
    "deadlocks",
    "late",
    "remembered",
    "stall",
    "distance",
    "inward",
    "areas",
    "memory",
)
"""what a file keeps"""


@dataclass(frozen=True)
class Solution:
    """A way to solve a level, replayed by the rules before anybody sees it."""

    lurd: str
    """the moves, upper case where a box is pushed"""
    pushes: int
    moves: int

    def __repr__(self) -> str:
        return f"{count(self.pushes, 'push', 'pushes')}, {count(self.moves, 'move')}: {self.lurd}"


class SokobanSearch(MCTS):
    """Monte Carlo Tree Search for the pushes that solve a level (thesis, chapters 4 and 5).

    Parameters
    ----------
    level
        The level, or its text.
    preset
        A bundle of options: ``"published"`` (the facts of the published program), ``"text"`` (the thesis to the
        letter) or ``"best"`` (whatever solves most).
    c, selection
        Exploration constant and formula, see `MCTS`.
    seed
        Seed of all random choices.
    deadlocks
        Names of the deadlock tests, see `sokoviz.DEADLOCK_RULES`.
    late
        Whether a dead child is removed after it was simulated, as the text says, and not before it is added.
    remembered
        Whether a position that was eliminated is never added again.
    stall
        Whether a leaf all of whose successors are left out stays, to be selected again and again: a flaw of the
        published Vanillaban.
    distance
        How far a box is from a goal in the reward: ``"manhattan"`` or ``"push"``.
    inward
        Whether only pushes into a closed area are looked at where these have to come some time and can come first; no
        solution is lost by that.
    areas
        Whether the reward is lower by the number of closed areas.
    memory, journal
        As for `MCTS`.
    """

    repeats: ClassVar[str]
    """where a position may stand again in the tree"""

    def __init__(  # noqa: PLR0913  options by name
        self,
        level: Level | str,
        *,
        preset: str = "published",
        seed: int = 1,
        c: float | None = None,
        selection: str | None = None,
        deadlocks: tuple[str, ...] | None = None,
        late: bool | None = None,
        remembered: bool | None = None,
        stall: bool = False,
        distance: str | None = None,
        inward: bool | None = None,
        areas: bool | None = None,
        memory: int = MOST_MEMORY,
        journal: bool = True,
        **unknown: Never,
    ) -> None:
        refuse_unknown(unknown, SokobanSearch.__init__)
        choose("preset", preset, PRESETS)
        named = {"c": c, "selection": selection, "deadlocks": deadlocks, "late": late, "remembered": remembered}
        named |= {"distance": distance, "inward": inward, "areas": areas}
        chosen = PRESETS[preset] | {name: value for name, value in named.items() if value is not None}
        names = {name: chosen.pop(name) for name in ("c", "selection")}
        pushing = Pushing(repeats=self.repeats, stall=stall, **chosen)
        settings = Settings(seed=seed, memory=memory, journal=journal, pushing=pushing, **names)
        self.preset = preset
        self.level = take_level(level)
        self._sokoban = Sokoban(self.level, pushing.distance, areas=pushing.areas)
        self._replayed: tuple[list[int], Solution] | None = None
        self._line: tuple[list[int], tuple[Waypoint, ...]] = [], ()  # the solution that was asked for last
        self._set_up(self._sokoban, settings)

    @classmethod
    def load(cls, path: str | Path, game: Game | None = None) -> SokobanSearch:  # noqa: ARG003  the file says which
        """Return a search from a file that `save` has written; it is made again, iteration by iteration."""
        return saving.load(path, {kind.name: kind for kind in SOLVERS.values()})

    @classmethod
    def of_recipe(cls, game: Game, options: dict[str, Any]) -> Self:
        """Return a search that was made with some options."""
        if not isinstance(game, Sokoban):
            message = f"expected a level of Sokoban, found {game.name}"
            raise SearchError(message)
        return cls(game.level, **options)

    def recipe(self) -> dict[str, Any]:
        """Return the options that the search was made with."""
        known = {**asdict(self.settings), **asdict(self.settings.pushing), "preset": self.preset}
        return {name: known[name] for name in KEPT_OPTIONS}

    @property
    def solution(self) -> Solution | None:
        """The first solution found, None while there is none."""
        node = self.engine.solution_node
        if node is None:
            return None
        with self._lock:
            self.engine.go_to_end()
            actions = self.engine.actions_to(node)
        if self._replayed is None or self._replayed[0] != actions:
            self._replayed = actions, replay(self.level, [self._sokoban.push_of(action) for action in actions])
        return self._replayed[1]

    @property
    def solution_line(self) -> tuple[Waypoint, ...]:
        """The first solution node by node where the search stands; empty where it has none yet."""
        node = self._made.solution_node if self._made else None
        if node is None or not self._has_ended()[0]:
            return ()
        with self.at(self._moment) as engine:
            nodes, actions = path_to_root(engine, node)[::-1], engine.actions_to(node)
        if self._line[0] != actions:
            self._line = actions, tuple(waypoints(self.level, nodes, [self._sokoban.push_of(each) for each in actions]))
        return self._line[1]

    def _result(self, stopped_by: str, *, is_brief: bool) -> SolverResult:
        """What the search has come to."""
        common = vars(super()._result(stopped_by, is_brief=is_brief)) | {"search": f"{self.name} on {self.level!r}"}
        is_solved, is_unsolvable = self._has_ended()
        return SolverResult(**common, solution=self.solution if is_solved else None, is_unsolvable=is_unsolvable)

    @cached_property
    def _least(self) -> float:
        """The bound of the level."""
        return least_pushes(self.level)

    @property
    def lower_bound(self) -> float:
        """Pushes that every solution is proven to take at least; infinite where there is proven to be none.

        The bound of the level: only a tree without any line of pushes left, which proves that there is no solution,
        raises it.
        """
        return inf if self._made is not None and self._has_ended()[1] else self._least

    def _has_ended(self) -> tuple[bool, bool]:
        """Whether the level is solved, and whether it is proven unsolvable, where the search stands."""
        engine = self.engine
        if not self.settings.journal or self.steps == engine.last:
            return engine.solution_node is not None, engine.is_unsolvable
        found = engine.solved_in()
        return found is not None and found <= self.steps, False


class Vanillaban(SokobanSearch):
    """The thesis's first solver: no position twice on a path, but anywhere else (chapter 4)."""

    name = "Vanillaban"
    repeats = "not on path"


class Schokoban(SokobanSearch):
    """The thesis's second solver: one node a position, and a subtree moves where a shorter way is found (chapter 5)."""

    name = "Schokoban"
    repeats = "once"


SOLVERS: Mapping[str, type[SokobanSearch]] = {"schokoban": Schokoban, "vanillaban": Vanillaban}
"""these two by the names that the command line has for them"""


def waypoints(level: Level, nodes: Sequence[int], pushes: Sequence[Push]) -> Iterator[Waypoint]:
    """Yield nodes with the moves that lead to them, the root first; a push leads from each to the next."""
    board = Board(level)
    yield Waypoint(nodes[0], "", board.player)
    for node, push in zip(nodes[1:], pushes, strict=True):
        board.push(push)
        yield Waypoint(node, board.moves, board.player)


def replay(level: Level, pushes: list[Push]) -> Solution:
    """Return a solution as moves, after playing it by the rules.

    Raises
    ------
    SearchError
        If it does not solve the level.
    """
    board = Board(level)
    for push in pushes:
        board.push(push)
    if not board.is_solved:
        message = f"expected pushes that solve {level!r}, found that {len(pushes)} of them do not"
        raise SearchError(message)
    return Solution(board.moves, board.n_pushes, board.n_moves)
