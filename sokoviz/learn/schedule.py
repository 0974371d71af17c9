"""What to try next: the curriculum from one box to all of them (Curry, CurriculumLearning and GetEpisodes).

Plain Python without kernels: it hands out tasks, and takes in what became of them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import ceil, exp, log
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from sokoviz.learn.subcases import Subcase, can_match, draw_subcases, mix

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sokoviz.core.types import Tables
    from sokoviz.learn.options import Options

Moves: TypeAlias = tuple[tuple[int, int, int], ...]
"""source, target and square of the player of each move, as the kernels count squares"""

OPEN, SOLVED, HOPELESS = "open", "solved", "hopeless"
FRESH_TRIES = 8  # seeds that are tried for a fresh board
MOST_GROWTH = 40.0  # logarithm: no visit could make so many trajectories


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


class Visit(NamedTuple):
    """A visit of a board, with what became of it."""

    task: Task
    outcome: Outcome
    episode: int | None
    """number of the episode that it gave; None where it gave none"""


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
    is_fresh: bool = False
    """whether each visit is of a new board, the last one"""
    seconds: float = 0.0
    trajectories: int = 0
    solved: int = 0
    """boards solved"""
    n_evaluated: int = 0
    """positions evaluated"""
    open_boards: list[int] = field(default_factory=list)
    """boards that may still be solved, in their order; those before the last fresh one are done with"""

    def add(self, subcase: Subcase) -> None:
        """Add a board."""
        self.open_boards = [*([] if self.is_fresh else self.open_boards), len(self.subcases)]
        self.subcases.append(subcase)
        self.status.append(OPEN)
        self.visits.append(0)
        self.nodes.append(0)

    def take(self, task: Task, outcome: Outcome) -> None:
        """Take in what became of a visit."""
        self.status[task.board] = outcome.status
        if outcome.status != OPEN:
            self.open_boards.remove(task.board)
        self.visits[task.board] += 1
        self.nodes[task.board] += outcome.nodes
        self.seconds += outcome.seconds
        self.trajectories += outcome.trajectories
        self.solved += outcome.status == SOLVED
        self.n_evaluated += outcome.nodes

    @property
    def hopeless(self) -> int:
        """Number of boards on which no way is left to try."""
        return self.status.count(HOPELESS)


class Standing(NamedTuple):
    """How a stage stands that nothing ends but enough solved boards."""

    boards: int
    solved: int
    asked: int
    """how many must be solved before the next stage"""
    lost: int
    """boards that have no solution: no way is left to try, or their boxes cannot come to a goal each"""

    @property
    def can_end(self) -> bool:
        """Whether enough boards are left, as far as is known."""
        return self.boards - self.lost >= self.asked

    def __str__(self) -> str:
        solved = f"{self.solved} of the {self.asked} boards solved that this stage asks for"
        if self.can_end:
            return solved
        return f"{solved}; it never ends, as {self.lost} of its {self.boards} boards have no solution"


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
        self.is_stuck = False
        """whether the stage at hand is proven to ask for more boards than have a solution, so that it never ends"""
        self._nodes_left = 0
        self._handed_out: list[Task] = []
        if boxes:
            self._begin()

    @property
    def stage(self) -> Stage:
        """The stage at hand; one without boards where there are no boxes."""
        return self.stages[-1] if self.stages else Stage(0, 0, [])

    @property
    def ending(self) -> str:
        """Why nothing is left to do; empty where something is."""
        if self.is_solved:
            return "solved"
        return "unsolvable" if self.is_unsolvable else "stuck" if self.is_stuck else ""

    @property
    def standing(self) -> Standing | None:
        """How the stage at hand stands; None where it also ends otherwise, or is the whole level."""
        stage, options = self.stage, self._options
        if options.visits or options.restarts or stage.n_boxes == len(self._boxes):
            return None
        boards = () if stage.is_fresh else zip(stage.status, stage.subcases, strict=True)
        # The matching is no part of the learner here: it is asked only for what can be said about the stage.
        lost = [s == HOPELESS or (s == OPEN and not can_match(self._tables, subcase)) for s, subcase in boards]
        n_boards = stage.asked if stage.is_fresh else len(stage.subcases)
        return Standing(n_boards, stage.solved, stage.asked, sum(lost))

    def _begin(self) -> None:
        """Begin the curriculum."""
        self._nodes_left = self._options.slice_nodes << (self.restart // 2)
        self._open_stage(1)

    def _open_stage(self, n_boxes: int) -> None:
        """Draw the boards of a stage; one without boards is passed over."""
        options, is_full = self._options, n_boxes == len(self._boxes)
        seed = mix(options.seed, self.restart, n_boxes)
        is_fresh = options.fresh and not is_full
        drawn = draw_subcases(self._tables, self._boxes, n_boxes, options.boards, seed, options)
        stage = Stage(self.restart, n_boxes, [], is_fresh=is_fresh)
        for subcase in drawn[:1] if is_fresh else drawn:
            stage.add(subcase)
        stage.asked = options.boards if is_fresh else ceil(options.share * len(drawn))
        self.stages.append(stage)
        if not stage.subcases and not is_full:
            self._open_stage(n_boxes + 1)

    def next_tasks(self, n: int) -> list[Task]:
        """Return visits of at most n different boards of the stage at hand: those visited least, in their order.

        They are the same until it is told what became of them.
        """
        if not self._handed_out:
            stage, waiting = self.stage, self.stage.open_boards
            fewest = min(stage.visits[board] for board in waiting)
            least = [board for board in waiting if stage.visits[board] == fewest]
            self._handed_out = [self._task(stage, board, self._options) for board in least[:n]]
        return self._handed_out

    def _task(self, stage: Stage, board: int, options: Options) -> Task:
        """A visit of a board."""
        visit = stage.visits[board]
        is_usual = visit * log(options.growth) < MOST_GROWTH
        trajectories = round(options.trajectories * (options.growth**visit if is_usual else exp(MOST_GROWTH)))
        seed = mix(options.seed, stage.restart, stage.n_boxes, board, visit)
        nodes = self._nodes_left if options.restarts else 1 << 62
        return Task(stage.restart, stage.n_boxes, board, visit, stage.subcases[board], trajectories, nodes, seed)

    def take(self, done: Iterable[tuple[Task, Outcome]]) -> None:
        """Take in what became of the tasks that were handed out together, in their order."""
        stage, self._handed_out = self.stage, []
        for task, outcome in done:
            stage.take(task, outcome)
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
        elif stage.is_fresh:
            self._draw_fresh(stage)
        elif not stage.open_boards:
            self._give_up()

    def _is_over(self, stage: Stage) -> bool:
        """Whether enough boards are solved, or the others have been tried often enough."""
        most = self._options.visits
        if stage.solved >= stage.asked or not most:
            return stage.solved >= stage.asked
        if stage.is_fresh:
            return len(stage.subcases) >= most * stage.asked
        return all(stage.visits[board] >= most for board in stage.open_boards)

    def _give_up(self) -> None:
        """All boards that are not solved are proven to have no solution, and too few are solved: begin anew, or end."""
        if self._options.restarts:
            self.restart += 1
            self._begin()
        else:
            self.is_stuck = True

    def _draw_fresh(self, stage: Stage) -> None:
        """A new random board instead of the one that was tried last: the text's first version."""
        if stage.status[-1] == OPEN:
            stage.status[-1] = HOPELESS
        for attempt in range(FRESH_TRIES):
            seed = mix(self._options.seed, stage.restart, stage.n_boxes, len(stage.subcases), attempt)
            drawn = draw_subcases(self._tables, self._boxes, stage.n_boxes, 1, seed, self._options)
            if drawn:
                stage.add(drawn[0])
                return
        stage.add(stage.subcases[0])  # others are too rare to be drawn
