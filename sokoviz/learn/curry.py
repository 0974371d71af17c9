"""Curry: a solver that learns a level from its own easier subcases."""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import asdict
from functools import cached_property
from math import inf
from typing import TYPE_CHECKING, Any

from sokoviz.board import Board
from sokoviz.core.board.grid import tables_of
from sokoviz.errors import SearchError
from sokoviz.learn.episodes import Episode, Step
from sokoviz.learn.options import options_of
from sokoviz.learn.parallel import perform_all
from sokoviz.learn.policy import Asker, Explanation, Policy, is_asking_compiled
from sokoviz.learn.record import RecordFile, check_visit, write_whole
from sokoviz.learn.report import CurryProgress, CurryResult, Limits, StageSummary, summarize
from sokoviz.learn.schedule import SOLVED, Schedule, Visit
from sokoviz.levels import Level
from sokoviz.search.interrupts import holding_interrupts, noting_interrupts
from sokoviz.search.limits import Clock
from sokoviz.search.loading import Announcement
from sokoviz.search.lower_bound import least_pushes
from sokoviz.search.options import take_level
from sokoviz.search.progress import ProgressLine, saying
from sokoviz.squares import Square
from sokoviz.words import count

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from concurrent.futures import Executor
    from contextlib import AbstractContextManager
    from pathlib import Path

    import pandas as pd

    from sokoviz.learn.performing import Workshop
    from sokoviz.learn.schedule import Moves, Outcome, Task
    from sokoviz.search.mcts.schokoban import Solution

BARREN = 100  # trajectories that count as a position where they come to no new one


class Curry:
    """Learns to solve a level from its own easier subcases, with no knowledge of Sokoban but the rules.

    Boards with one box come first, then with two, and so on to the whole level. Each solved board is an episode. For a
    new position every episode finds its own state that shares most boxes with it, and suggests the move that was made
    there (SIMBA). Moves are drawn in proportion to these votes.

    Parameters
    ----------
    level
        The level, or its text.
    preset
        A bundle of options: ``"best"``, ``"text"`` (the text to the letter: one buffer, no restart, a stage ends only
        when 95 % of its boards are solved) or ``"first"`` (its flawed first version: fresh random boards, single
        trajectories). `sokoviz.learn.options.PRESETS` tells all that ``"best"`` adds to the text.
    file
        Where to keep what is learned, as it is learned; a file that is there already must be of the same level and
        options, and is gone on with.
    options
        Options by name, see `sokoviz.learn.options.Options`.

    Examples
    --------
    >>> curry = Curry(load("lessons#16"), seed=1)
    >>> curry.run(seconds=10)
    """

    name = "Curry"

    def __init__(
        self, level: Level | str, *, preset: str = "best", file: str | Path | None = None, **options: Any
    ) -> None:
        self.level = take_level(level)
        self.options = options_of(preset, options)
        self._tables = tables_of(self.level.rows)
        inside = sorted(box for box in self.level.boxes if box in self.level.floor)
        self._boxes = tuple(self._number(box) for box in inside)
        self._player = self._number(self.level.player)
        self._asker: Asker | None = None
        self._workshop: Workshop | None = None
        self._file: RecordFile | None = None
        self._solution: Solution | None = None
        self._stopped_by = ""
        self.seconds = 0.0
        """time spent learning so far"""
        self.episodes: list[Episode] = []
        """solved subcases in the order in which they were found"""
        self.visits: list[Visit] = []
        """visits of boards in the order in which they were made"""
        self._waiting: list[tuple[Task, Outcome]] = []  # of a batch that is not complete
        self._efforts: list[tuple[int, int]] = []  # of the episodes in the buffer: boxes, positions
        with self._saying():  # drawing boards needs kernels too
            self._schedule = Schedule(self._tables, self._boxes, self.options)
        outside = set(self.level.boxes) - self.level.floor
        if not outside <= set(self.level.goals):  # a box that the player is walled off from never moves
            self._schedule.is_unsolvable = True
        elif Board(self.level).is_solved:
            self._schedule.is_solved, self._solution = True, self._replay(())
        if file is not None:
            self._open(RecordFile(file))

    def __repr__(self) -> str:
        n = len(self.episodes)
        return f"Curry on {self.level!r}: seed {self.options.seed}, {n:,} episode{'s' * (n != 1)}"

    def _number(self, square: tuple[int, int]) -> int:
        """A square as the kernels count it."""
        return square[0] * self._tables.width + square[1]

    def _square(self, number: int) -> Square:
        """A kernel's square as row and column."""
        return Square(*divmod(number, self._tables.width))

    # --- learning --------------------------------------------------------------------------------------------------

    def run(  # noqa: PLR0913  limits by name
        self,
        iterations: int | None = None,
        seconds: float | None = None,
        until: str | None = None,
        *,
        nodes: int | None = None,
        cpu_seconds: float | None = None,
        progress: bool | Callable[[CurryProgress], object] | None = None,
        executor: Executor | None = None,
    ) -> CurryResult:
        """Learn on from where it stands; it may be interrupted at any time, and another run goes on.

        Parameters
        ----------
        iterations
            How many episodes to find at most.
        seconds
            How long to run at most; a minute where no limit is given.
        until
            Stop early: after the next ``"episode"``, at the end of the ``"stage"``, or of this pass through the
            curriculum (``"restart"``, with option ``restarts``).
        nodes
            How many positions to evaluate at most; it is looked after every few trajectories, with an executor after
            every visit. A hundred trajectories count as one position at least, so that a run ends where no position is
            new any more.
        cpu_seconds
            How long to compute at most, in time of the processor: other jobs on the machine do not count. Not with an
            executor, whose time is not known.
        progress
            Whether to show how far it is; by default where a person looks on. A function is called with each
            `CurryProgress`.
        executor
            Where to try the boards of a batch at the same time (option ``batch``); any of `concurrent.futures`. The
            result depends on the size of the batch, but not on the executor.

        Returns
        -------
        CurryResult
            What it has come to; its text is a sentence.
        """
        limits = Limits.of(iterations, seconds, until, nodes, cpu_seconds)
        self._check_limits(limits, executor)
        schedule = self._schedule
        start = (len(self.episodes), self.nodes, self._trajectories, len(schedule.stages), schedule.restart)
        try:
            workshop = self._prepare()
            begin = time.perf_counter()  # loading the kernels does not count
            try:
                shown = ProgressLine(progress)  # type: ignore[arg-type]  # it shows anything that has a text
                with noting_interrupts() as interrupted, shown as line:
                    limits = limits._replace(is_interrupted=interrupted.is_set)
                    self._stopped_by = self._pursue(workshop, limits, start, line, executor)
            finally:
                self.seconds += time.perf_counter() - begin
        except KeyboardInterrupt:
            self._stopped_by = "interrupted"
        return self.result

    def _pursue(
        self,
        workshop: Workshop,
        limits: Limits,
        start: tuple[int, ...],
        line: ProgressLine,
        executor: Executor | None,
    ) -> str:
        """Visit boards until something ends the run; return what."""
        clock = Clock()
        while True:
            reason = self._reason_to_end(limits, start, clock)
            if reason:
                return reason

            def is_over() -> bool:
                line(self._progress(clock, limits))  # type: ignore[arg-type]
                return bool(self._reason_to_end(limits, start, clock))

            tasks = self._schedule.next_tasks(self.options.batch)[len(self._waiting) :]
            for outcome in perform_all(workshop, tasks, is_over, executor, self._lessons):
                if outcome is None:
                    break
                with holding_interrupts():  # half a visit taken in would be another course of learning
                    self._take(outcome)

    def _check_limits(self, limits: Limits, executor: Executor | None) -> None:
        """Refuse limits that can never be met."""
        if limits.until == "restart" and not self.options.restarts:
            message = "expected until='restart' of a learner with restarts=True, found restarts=False"
            raise SearchError(message)
        if limits.cpu_seconds is not None and executor is not None:
            message = "expected cpu_seconds without an executor, whose time is not known; found both"
            raise SearchError(message)

    def _prepare(self) -> Workshop:
        """The arrays of the kernels, made when they are first needed."""
        from sokoviz.learn.performing import Workshop

        if self._workshop is None:
            with self._saying():
                workshop = Workshop(self.level.rows, self._player, len(self._boxes), self.options)
                workshop.load()
                self._load_rules()
            self._refill(workshop)
            self._workshop = workshop  # only now, as an interrupt may come before it is whole
        return self._workshop

    def _saying(self) -> AbstractContextManager[None]:
        """Say that kernels are being loaded or compiled, where that takes more than a moment."""
        from sokoviz.learn.performing import is_learning_compiled

        what = f"learner for {self.level.name or 'the level'}"
        return saying(Announcement(what, is_compiled=is_learning_compiled(), group="learner"))

    def _load_rules(self) -> None:
        """Load the kernels with which a solution is played before it is shown, so that they do not count as time."""
        board = Board(self.level)
        board.box_moves()
        board.walk(board.player)

    def is_compiled(self) -> bool:
        """Return whether the kernels that answer questions about positions have only to be loaded."""
        return is_asking_compiled()

    def _reason_to_end(self, limits: Limits, start: tuple[int, ...], clock: Clock) -> str:
        """Why a run ends now; empty if it goes on."""
        schedule = self._schedule
        if schedule.ending:
            return schedule.ending
        if limits.is_interrupted():
            return "interrupted"
        episodes, nodes, made, stages, restart = start

        def spent() -> int:
            return max(self.nodes - nodes, (self._trajectories - made) // BARREN)

        reason = limits.reason(clock, len(self.episodes) - episodes, spent)
        if reason or limits.until is None:
            return reason
        met = {
            "episode": len(self.episodes) > episodes,
            "stage": len(schedule.stages) > stages,
            "restart": schedule.restart > restart,
        }
        return "until" if met[limits.until] else ""

    def _progress(self, clock: Clock, limits: Limits) -> CurryProgress:
        """How far a run has come."""
        stage, n_boxes = self._schedule.stage, len(self._boxes)
        place = (stage.restart, stage.n_boxes, n_boxes, stage.solved, stage.asked, len(self.episodes))
        return CurryProgress(*place, clock.seconds, limits, clock.cpu_seconds)

    # --- taking in what was found ----------------------------------------------------------------------------------

    def _take(self, outcome: Outcome, *, is_kept: bool = False) -> None:
        """Take in what became of the next visit; learn from a batch when all of it is there."""
        tasks = self._schedule.next_tasks(self.options.batch)
        task = tasks[len(self._waiting)]
        self._waiting.append((task, outcome))
        if self._workshop:
            self._workshop.put_away()
        if self._file is not None and not is_kept:
            self._file.add(task, outcome)
        if len(self._waiting) < len(tasks):
            return
        stage, done, self._waiting = self._schedule.stage, self._waiting, []
        for each, result in done:
            effort = stage.nodes[each.board] + result.nodes
            self.visits.append(Visit(each, result, self._learn(each, result, effort)))
        self._schedule.take(done)
        is_anew = self._schedule.restart > stage.restart
        if is_anew or (self._schedule.stage is not stage and not self.options.one_buffer):
            self._efforts = []
            if self._workshop:
                self._refill(self._workshop)
        if self._schedule.is_solved:
            self._solution = self._replay(done[-1][1].moves)

    def _refill(self, workshop: Workshop) -> None:
        """Write the buffer into the arrays of the kernels."""
        workshop.forget_episodes()
        for episode in self.buffer():
            workshop.write_episode(episode.slot, *self._lesson(episode))

    def _learn(self, task: Task, outcome: Outcome, effort: int) -> int | None:
        """Put an episode into the buffer, where it replaces the easiest one if there is no room; return its number."""
        if outcome.status != SOLVED or not outcome.moves:
            return None
        efforts = self._efforts
        if len(efforts) < self.options.buffer:
            slot = len(efforts)
            efforts.append((task.stage, effort))
        else:
            slot = min(range(len(efforts)), key=efforts.__getitem__)
            efforts[slot] = (task.stage, effort)
        episode = Episode(
            number=len(self.episodes) + 1,
            restart=task.restart,
            stage=task.stage,
            board=task.board,
            slot=slot,
            nodes=effort,
            level=self.level,
            boxes=tuple(self._square(box) for box in task.subcase.boxes),
            goals=tuple(self._square(goal) for goal in task.subcase.goals),
            moves=self._steps(outcome.moves),
            found=self._steps(outcome.found),
        )
        self.episodes.append(episode)
        if self._workshop and self.options.one_buffer:
            self._workshop.write_episode(slot, task.subcase, outcome.moves)
        return episode.number

    def _steps(self, moves: Moves) -> tuple[Step, ...]:
        """Moves of the kernels as squares."""
        return tuple(Step(*map(self._square, move)) for move in moves)

    def _replay(self, moves: Moves) -> Solution:
        """The solution of the level, played by the rules before anybody sees it."""
        from sokoviz.search.mcts.schokoban import Solution

        board = Board(self.level)
        for step in self._steps(moves):
            board.push_box(*step)
        if not board.is_solved:
            message = f"expected a solution, found that {board.moves!r} leaves a box off its goal"
            raise SearchError(message)
        return Solution(board.moves, board.n_pushes, board.n_moves)

    def _lesson(self, episode: Episode) -> tuple[Any, Moves]:
        """An episode as the kernels take it."""
        from sokoviz.learn.subcases import Subcase

        boxes, goals = (tuple(map(self._number, squares)) for squares in (episode.boxes, episode.goals))
        moves = tuple((self._number(s), self._number(t), self._number(p)) for s, t, p in episode.moves)
        return Subcase(boxes, goals), moves

    def _lessons(self) -> list[tuple[int, Any, Moves]]:
        """The buffer as another process takes it: slot, subcase and moves of each episode."""
        return [(episode.slot, *self._lesson(episode)) for episode in self.buffer()]

    # --- what it has come to ---------------------------------------------------------------------------------------

    @property
    def nodes(self) -> int:
        """Positions evaluated so far, those of a visit that is not complete included."""
        under_way = self._workshop.n_under_way if self._workshop else 0
        return under_way + sum(stage.n_evaluated for stage in self._schedule.stages)

    @property
    def _trajectories(self) -> int:
        """Trajectories made so far, those of a visit that is not complete included."""
        under_way = self._workshop.made_under_way if self._workshop else 0
        return under_way + sum(stage.trajectories for stage in self._schedule.stages)

    @property
    def solution(self) -> Solution | None:
        """The solution of the level, None while there is none."""
        return self._solution

    @property
    def result(self) -> CurryResult:
        """What the learner has come to."""
        return CurryResult(
            search=f"Curry on {self.level!r}",
            iterations=len(self.episodes),
            nodes=self.nodes,
            seconds=self.seconds,
            stopped_by=self._stopped_by,
            solution=self._solution,
            is_unsolvable=self._schedule.is_unsolvable,
            stage=self._schedule.stage.n_boxes,
            n_boxes=len(self._boxes),
            standing=self._schedule.standing,
            lower_bound=self.lower_bound,
        )

    @cached_property
    def _least(self) -> float:
        """The bound of the level."""
        return least_pushes(self.level)

    @property
    def lower_bound(self) -> float:
        """Pushes that every solution is proven to take at least; infinite where there is proven to be none."""
        return inf if self._schedule.is_unsolvable else self._least

    @property
    def stages(self) -> tuple[StageSummary, ...]:
        """The stages so far: boards solved, episodes, lengths, time, and the buffer at their end."""
        return summarize(self._schedule.stages, self.episodes, self._composition)

    def _composition(self, restart: int, n: int) -> dict[int, int]:
        """How many episodes with so many boxes are in the buffer of a pass after the first n were found."""
        return dict(sorted(Counter(episode.stage for episode in self._buffer_of(restart, n)).items()))

    @property
    def history(self) -> pd.DataFrame:
        """One row a visit of a board."""
        import pandas as pd

        rows = [
            {
                **{name: getattr(visit.task, name) for name in ("restart", "stage", "board", "visit")},
                **{
                    name: getattr(visit.outcome, name)
                    for name in ("status", "trajectories", "nodes", "cycles", "seconds")
                },
                "episode": visit.episode,
                "found": len(visit.outcome.found),
                "moves": len(visit.outcome.moves),
            }
            for visit in self.visits
        ]
        return pd.DataFrame(rows)

    # --- what it has learned ---------------------------------------------------------------------------------------

    def buffer(self, n: int | None = None) -> tuple[Episode, ...]:
        """Return the episodes in the buffer, in the order of their places.

        Parameters
        ----------
        n
            After how many episodes; as it is now where left out: empty when the curriculum has just begun anew.
        """
        known = self._check_n(n)
        is_now = n is None or not known  # a pass that has just begun knows nothing of the one before
        return self._buffer_of(self._schedule.restart if is_now else self.episodes[known - 1].restart, known)

    def _buffer_of(self, restart: int, n: int) -> tuple[Episode, ...]:
        """The buffer of a pass through the curriculum after n episodes were found."""
        slots: dict[int, Episode] = {}
        stage = None if self.options.one_buffer else self._stage_before(restart, n)
        for episode in reversed(self.episodes[:n]):
            if episode.restart != restart or len(slots) == self.options.buffer:
                break
            if stage in {None, episode.stage}:
                slots.setdefault(episode.slot, episode)
        return tuple(slots[slot] for slot in sorted(slots))

    def _stage_before(self, restart: int, n: int) -> int:
        """The last stage with episodes before the stage at hand when n episodes were found; 0 where there is none."""
        is_known = n < len(self.episodes) and self.episodes[n].restart == restart
        opened = [stage.n_boxes for stage in self._schedule.stages if stage.restart == restart]
        at_hand = self.episodes[n].stage if is_known else max(opened, default=0)
        earlier = (e.stage for e in self.episodes[:n] if e.restart == restart and e.stage < at_hand)
        return max(earlier, default=0)

    def _check_n(self, n: int | None) -> int:
        """A number of episodes."""
        if n is None:
            return len(self.episodes)
        if isinstance(n, bool) or not hasattr(n, "__index__") or not 0 <= n <= len(self.episodes):
            message = f"expected a number of episodes from 0 to {len(self.episodes)}, found {n!r}"
            raise SearchError(message)
        return int(n)

    def episodes_of(self, stage: int | None = None, n: int | None = None) -> tuple[Episode, ...]:
        """Return the buffer at the end of a stage, or after some episodes; as it is now where both are left out.

        Parameters
        ----------
        stage
            Number of boxes; the last time that this stage was passed.
        n
            Number of episodes.
        """
        if stage is None:
            return self.buffer(n)
        if n is not None:
            message = f"expected a stage or a number of episodes, found both: {stage!r} and {n!r}"
            raise SearchError(message)
        passed = [summary for summary in self.stages if summary.boxes == stage]
        if not passed:
            known = sorted({summary.boxes for summary in self.stages})
            message = f"expected a stage out of {', '.join(map(str, known))}; found {stage!r}"
            raise SearchError(message)
        return self._buffer_of(passed[-1].restart, passed[-1].last)

    def policy(
        self,
        board: Board | Level | None = None,
        *,
        stage: int | None = None,
        n: int | None = None,
        episodes: Sequence[Episode] | None = None,
    ) -> Policy:
        """Return what the episodes say about a position: heatmaps, and the distribution over the legal moves.

        Parameters
        ----------
        board
            The position: of the level or of a subcase; the level's start where left out.
        stage, n
            The buffer at the end of a stage, or after so many episodes; as it is now where left out.
        episodes
            Any episodes instead of the buffer.
        """
        if self._asker is None:
            self._asker = Asker(self.level, self.options)
        position = board.board() if isinstance(board, Level) else board or self.level.board()
        asked = self.episodes_of(stage, n) if episodes is None else tuple(episodes)
        return self._asker.ask(position, asked, self._label(stage, asked, is_chosen=episodes is not None))

    def _label(self, stage: int | None, asked: Sequence[Episode], *, is_chosen: bool) -> str:
        """Which episodes are asked, in words."""
        place = f"stage {stage} of {len(self._boxes)} · " if stage is not None and not is_chosen else ""
        return f"{place}{count(len(asked), 'chosen episode' if is_chosen else 'episode')} · seed {self.options.seed}"

    def explain(self, board: Board | Level | None, move: object, **which: Any) -> Explanation:
        """Return why a move has its probability: which episodes voted for it, and for its source and target.

        Parameters
        ----------
        board
            The position, as for `policy`.
        move
            A legal move: out of a policy, as source and target, or its name such as ``"Ee→Fe"``.
        which
            ``stage``, ``n`` or ``episodes``, as for `policy`.
        """
        return self.policy(board, **which).explain(move)

    # --- keeping ---------------------------------------------------------------------------------------------------

    def save(self, path: str | Path) -> None:
        """Write all that was learned to a file; `load` reads it."""
        done = [(visit.task, visit.outcome) for visit in self.visits]
        write_whole(path, self.level, self.options, [*done, *self._waiting])

    @classmethod
    def load(cls, path: str | Path) -> Curry:
        """Return the learner of a file that `save` has written, or that grew with it.

        Raises
        ------
        SearchFileError
            If the file is damaged or none of a learner.
        """
        level, options, _ = RecordFile(path).read()
        curry = cls(level, **asdict(options))
        curry.read(RecordFile(path))
        return curry

    def _open(self, file: RecordFile) -> None:
        """Go on with a file, or begin one."""
        if not file.path.exists():
            file.begin(self.level, self.options)
        else:
            level, options, _ = file.read()
            if level.rows != self.level.rows or options != self.options:
                message = f"expected {file.path.name} to be of this level and these options, found others in it"
                raise SearchError(message + options.differences(self.options))
            self.read(file)
            file.trim()
        self._file = file

    def read(self, file: RecordFile) -> None:
        """Take in the visits of a file; each must be the one that comes next, and each solution must be one."""
        with self._saying():
            for place, outcome in file.read()[2]:
                self._read_visit(file, place, outcome)

    def _read_visit(self, file: RecordFile, place: tuple[int, ...], outcome: Outcome) -> None:
        """Take in the next visit of a file."""
        from sokoviz.learn.checking import check_moves

        if self._schedule.ending:
            file.refuse("no visit after the last one")
        task = self._schedule.next_tasks(self.options.batch)[len(self._waiting)]
        try:
            check_visit(place, task)
            check_moves(self._tables, self._player, task, outcome)
        except SearchError as error:
            file.refuse(f"visits that belong together, found others: {error}")
        self.seconds += outcome.seconds
        self._take(outcome, is_kept=True)
