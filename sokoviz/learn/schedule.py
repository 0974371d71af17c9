"""What to try next: the curriculum from one box to all of them (Curry, CurriculumLearning and GetEpisodes).

Plain Python without kernels: it hands out tasks, and takes in what became of them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import ceil
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from sokoviz.learn.subcases import Subcase, draw_subcases, mix

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sokoviz.core.types import Tables
    from sokoviz.learn.options import Options

Moves: TypeAlias = tuple[tuple[int, int, int], ...]
"""source, target and square of the player of each move, as the kernels count squares"""

OPEN, SOLVED, HOPELESS = "open", "solved", "hopeless"
FRESH_TRIES = 8  # attempts at fresh boards for each episode that a stage asks for


class Task(NamedTuple):
    """A visit of a board."""

    restart: int
    stage: int
    """number of boxes"""
    board: int
    """which board of the stage"""
    visit: int
    """how often it was visited before"""
    subcase: Subcase
    trajectories: int
    nodes: int
    """most positions to evaluate"""
    seed: int


class Outcome(NamedTuple):
    """What became of a visit."""

    status: str
    """open (not solved), solved, or hopeless: no way is left to try"""
    trajectories: int
    nodes: int
    """positions evaluated"""
    cycles: int
    """how often the way out of a cycle was taken"""
    seconds: float
    found: Moves
    """the solution as it was found; none where the board is not solved"""
    moves: Moves
    """the same without detours"""


@dataclass
class Stage:
    """The boards of a stage and what became of them."""

    restart: int
    n_boxes: int
    subcases: list[Subcase]
    status: list[str] = field(default_factory=list)
    visits: list[int] = field(default_factory=list)
    nodes: list[int] = field(default_factory=list)
    asked: int = 0
    """how many must be solved before the next stage"""
    seconds: float = 0.0
    trajectories: int = 0

    def add(self, subcase: Subcase) -> None:
        """Add a board."""
        self.subcases.append(subcase)
        self.status.append(OPEN)
        self.visits.append(0)
        self.nodes.append(0)

    @property
    def solved(self) -> int:
        """Number of boards solved."""
        return self.status.count(SOLVED)

    @property
    def hopeless(self) -> int:
        """Number of boards on which no way is left to try."""
        return self.status.count(HOPELESS)

    @property
    def n_evaluated(self) -> int:
        """Positions evaluated."""
        return sum(self.nodes)


class Schedule:
    """Where a curriculum stands.

    Parameters
    ----------
    tables
        The level.
    boxes
        Squares of its boxes, ascending.
    options
        How to learn.
    """

    def __init__(self, tables: Tables, boxes: tuple[int, ...], options: Options) -> None:
        self._tables, self._boxes, self._options = tables, boxes, options
        self.stages: list[Stage] = []
        self.restart = 0
        self.is_solved = False
        self.is_unsolvable = False
        self._nodes_left = 0
        if boxes:
            self._begin()

    @property
    def stage(self) -> Stage:
        """The stage at hand; one without boards where there are no boxes."""
        return self.stages[-1] if self.stages else Stage(0, 0, [])

    def _begin(self) -> None:
        """Begin the curriculum."""
        self._nodes_left = self._options.slice_nodes << (self.restart // 2)
        self._open_stage(1)

    def _open_stage(self, n_boxes: int) -> None:
        """Draw the boards of a stage; one without boards is passed over."""
        options, is_full = self._options, n_boxes == len(self._boxes)
        seed = mix(options.seed, self.restart, n_boxes)
        is_fresh = options.fresh and not is_full
        drawn = draw_subcases(self._tables, self._boxes, n_boxes, options.boards, seed)
        stage = Stage(self.restart, n_boxes, [])
        for subcase in drawn[:1] if is_fresh else drawn:
            stage.add(subcase)
        stage.asked = options.boards if is_fresh else ceil(options.share * len(drawn))
        self.stages.append(stage)
        if not stage.subcases and not is_full:
            self._open_stage(n_boxes + 1)

    def next_tasks(self, n: int) -> list[Task]:
        """Return visits of at most n different boards of the stage at hand: those visited least, in their order."""
        stage, options = self.stage, self._options
        waiting = [board for board, status in enumerate(stage.status) if status == OPEN]
        fewest = min(stage.visits[board] for board in waiting)
        return [
            self._task(stage, board, options)
            for board in [board for board in waiting if stage.visits[board] == fewest][:n]
        ]

    def _task(self, stage: Stage, board: int, options: Options) -> Task:
        """A visit of a board."""
        visit = stage.visits[board]
        trajectories = round(options.trajectories * options.growth**visit)
        seed = mix(options.seed, stage.restart, stage.n_boxes, board, visit)
        nodes = self._nodes_left if options.restarts else 1 << 62
        return Task(stage.restart, stage.n_boxes, board, visit, stage.subcases[board], trajectories, nodes, seed)

    def take(self, done: Iterable[tuple[Task, Outcome]]) -> None:
        """Take in what became of the tasks that were handed out together, in their order."""
        stage = self.stage
        for task, outcome in done:
            stage.status[task.board] = outcome.status
            stage.visits[task.board] += 1
            stage.nodes[task.board] += outcome.nodes
            stage.seconds += outcome.seconds
            stage.trajectories += outcome.trajectories
            self._nodes_left -= outcome.nodes
        self._go_on(stage)

    def _go_on(self, stage: Stage) -> None:
        """Open the next stage, or begin anew, where it is time."""
        is_full = stage.n_boxes == len(self._boxes)
        self.is_solved = is_full and stage.status[0] == SOLVED
        self.is_unsolvable = is_full and stage.status[0] == HOPELESS
        if self.is_solved or self.is_unsolvable:
            return
        if self._options.restarts and self._nodes_left <= 0:
            self.restart += 1
            self._begin()
        elif not is_full and self._is_over(stage):
            self._open_stage(stage.n_boxes + 1)
        elif self._options.fresh and not is_full:
            self._draw_fresh(stage)

    def _is_over(self, stage: Stage) -> bool:
        """Whether enough boards are solved, or the others have been tried often enough."""
        if stage.solved >= stage.asked:
            return True
        if self._options.fresh:
            return len(stage.subcases) >= FRESH_TRIES * stage.asked
        waiting = [board for board, status in enumerate(stage.status) if status == OPEN]
        return all(stage.visits[board] >= self._options.visits for board in waiting)

    def _draw_fresh(self, stage: Stage) -> None:
        """A new random board instead of the one that was tried last: the text's first version."""
        if stage.status[-1] == OPEN:
            stage.status[-1] = HOPELESS
        for attempt in range(FRESH_TRIES):
            seed = mix(self._options.seed, stage.restart, stage.n_boxes, len(stage.subcases), attempt)
            drawn = draw_subcases(self._tables, self._boxes, stage.n_boxes, 1, seed)
            if drawn:
                stage.add(drawn[0])
                return
