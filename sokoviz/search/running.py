"""Runs a search: in short calls of its kernel, to a limit or an event, in the foreground or in the background."""

from __future__ import annotations

import threading
import time
from abc import ABC, abstractmethod
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from sokoviz.core.tree import flags
from sokoviz.search.interrupts import holding_interrupts, noting_interrupts
from sokoviz.search.limits import NO_NODE, Until, make_limits
from sokoviz.search.loading import Announcement, is_ours
from sokoviz.search.progress import Progress, ProgressLine, saying
from sokoviz.search.watching import Moment, News, Watched

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sokoviz.games.game import Game
    from sokoviz.search.limits import Limits
    from sokoviz.search.mcts.engine import Engine
    from sokoviz.search.mcts.views.explanation import Iteration
    from sokoviz.search.result import Result

SECONDS_A_CALL = 0.03  # how long a kernel may keep an interrupt or a stop waiting
SECONDS_FOR_OTHERS = 0.0002  # between two calls in the background, so that who waits for the lock gets it
FIRST_PACE = 64
MOST_RECORDED = 300  # iterations or steps in a page: less than 10 MB beside plotly.js, mostly less than 1
MOST_PACE = 1 << 24  # iterations a call; where single ones are made to look at each, it would grow without end


class Running(Watched, ABC):
    """A search that can be run, interrupted, and run on.

    Parameters
    ----------
    game
        What is searched.
    """

    name: ClassVar[str]
    """of the kind of search"""

    def __init__(self, game: Game) -> None:
        super().__init__()
        self.game = game
        self.seconds = 0.0
        """time spent searching so far"""
        self._made: Engine | None = None
        self._moment = Moment(0)
        self._lock = threading.RLock()
        self._worker: threading.Thread | None = None
        self._is_working = False
        self._stopping = threading.Event()
        self._stopped_by = ""

    @abstractmethod
    def _make_engine(self) -> Engine:
        """The arrays of the search, at the bare root."""

    @abstractmethod
    def explain(self, number: int | None = None) -> Iteration:
        """Return what happened in an iteration."""

    @abstractmethod
    def _take_over(self) -> None:
        """Somebody moves the search by hand: end a run in the background; raises where there is no record."""

    @property
    @abstractmethod
    def group(self) -> str:
        """Name of the group of kernels with which it searches, see `sokoviz.warm.groups`."""

    @property
    @abstractmethod
    def result(self) -> Result:
        """What the search has come to where it stands."""

    @property
    def engine(self) -> Engine:
        """The arrays, made when first needed: that loads the compiled kernels."""
        with self._lock:
            if self._made is None:
                announcement = self._announcement()
                with saying(announcement):
                    made = self._make_engine()  # which compiles what makes the tables of a level
                announcement.is_compiled = made.is_compiled()
                with saying(announcement):
                    made.load()
                self._made = made
            return self._made

    @property
    def lower_bound(self) -> float:
        """Pushes that every solution is proven to take at least, infinite where there is proven to be none.

        0 where nothing is known, as of games without pushes.
        """
        return 0

    def _announcement(self) -> Announcement:
        """What to tell people who wait for the kernels, before anything is known about them."""
        what, is_kept = f"search for {self.game.name}", is_ours(self.game)
        return Announcement(what, is_compiled=None, group=self.group, is_kept=is_kept)

    # --- where it stands -------------------------------------------------------------------------------------------

    @property
    def moment(self) -> Moment:
        """Where the search stands."""
        return self._moment

    @property
    def iteration(self) -> int:
        """Number of complete iterations where the search stands; 0 is the bare root."""
        return self._moment.iteration

    @property
    def phase(self) -> str:
        """The phase of the next iteration that is shown; empty between iterations."""
        return self._moment.phase

    @property
    def last(self) -> int:
        """Number of iterations made: the end of the record."""
        return self._made.last if self._made else 0

    @property
    def is_running(self) -> bool:
        """Whether the search runs in the background."""
        return self._is_working

    # --- running ---------------------------------------------------------------------------------------------------

    def run(
        self,
        iterations: int | None = None,
        seconds: float | None = None,
        until: Until | None = None,
        *,
        nodes: int | None = None,
        progress: bool | Callable[[Progress], object] | None = None,
    ) -> Result:
        """Run from where the search stands; what is in the record already is not searched again.

        It may be interrupted at any time: nothing is lost, and another run goes on.

        Parameters
        ----------
        iterations
            How many to make at most; 100,000 where no limit is given.
        seconds
            How long to run at most.
        until
            Stop early: at the next iteration with a kind of event (``"tie"``, ``"expansion"``, ``"terminal"``,
            ``"deeper"``, ``"leader"``), when a node is visited (its number), or when a function of an `Iteration` is
            true of one.
        nodes
            End with the iteration in which the tree comes to so many nodes. Its expansion adds all of its children, so
            there may be a few more in the end.
        progress
            Whether to show how far it is; by default where a person looks on. A function is called with `Progress`.

        Returns
        -------
        Result
            What it has come to; its text is a sentence.
        """
        goal = make_limits(iterations, seconds, until, self.game.events, nodes)
        self.stop()
        self._run_here(goal, ProgressLine(progress))
        return self.result

    def _run_here(self, goal: Limits, shown: ProgressLine) -> None:
        """Run in the foreground, where an interrupt ends the run even if somebody swallows it."""
        with shown as line, noting_interrupts() as interrupted:
            reason = self._pursue(goal, line, interrupted.is_set)
        self._stopped_by = "interrupted" if reason == "stopped" else reason
        self._tell(News("moved"))

    def start(self, iterations: int | None = None, seconds: float | None = None, until: Until | None = None) -> None:
        """Run as `run` does, but in the background; `stop` ends it.

        Parameters
        ----------
        iterations, seconds, until
            As for `run`.
        """
        goal = make_limits(iterations, seconds, until, self.game.events)
        self.stop()
        self._start_working(goal)

    def _start_working(self, goal: Limits) -> None:
        """Begin a run in the background, after one before it has ended."""
        self._stopping.clear()
        self._is_working = True
        self._worker = threading.Thread(target=self._work, args=(goal,), name="sokoviz-search", daemon=True)
        self._worker.start()

    def stop(self) -> None:
        """End a run in the background and wait for it, a moment at most; everything it reached is kept."""
        worker = self._worker
        self._stopping.set()
        if worker is not None and worker is not threading.current_thread():
            worker.join()

    def _work(self, goal: Limits) -> None:
        """Run in the background."""
        error = None

        def is_stopped() -> bool:
            return self._stopping.wait(SECONDS_FOR_OTHERS)

        try:
            reason = self._pursue(goal, lambda progress: self._tell(News("progress", progress)), is_stopped)
        except Exception as raised:  # noqa: BLE001  whatever it is, the watchers show it
            reason, error = "error", raised
        self._stopped_by = reason
        self._is_working = False
        self._tell(News("ended", reason=reason, error=error))

    def _pursue(self, goal: Limits, tell: Callable[[Progress], object], is_stopped: Callable[[], bool]) -> str:
        """Run in short calls of the kernel; return why it ended."""
        first, pace = self.iteration, FIRST_PACE
        target = None if goal.iterations is None else first + goal.iterations
        try:
            engine = self.engine
            if goal.predicate is not None:
                engine.written()
            begin = time.monotonic()  # loading the kernels does not count
            while target is None or self.iteration < target:
                before = time.monotonic()
                if goal.seconds is not None and before - begin >= goal.seconds:
                    return "seconds"
                if is_stopped():
                    return "stopped"
                with self._lock:
                    reason = self._go_on(goal, pace if target is None else min(pace, target - self.iteration))
                if reason:
                    return reason
                spent = max(time.monotonic() - before, 1e-6)
                pace = max(1, min(4 * pace, int(pace * SECONDS_A_CALL / spent), MOST_PACE))
                made = self.iteration - first
                tell(Progress(made, goal.iterations, time.monotonic() - begin, goal.seconds, engine.n_nodes))
        except KeyboardInterrupt:
            return "interrupted"
        return "iterations"

    def _go_on(self, goal: Limits, n: int) -> str:
        """Go on by n iterations, from the record where it has them; return why it ended early."""
        done = self.iteration
        if done < self.last:
            upto, reason = self._find_end(goal, done, min(done + n, self.last))
            met = self._find_recorded(goal, done, upto)
            if met is None or (met == upto and reason == "solved"):
                self._moment = Moment(upto)
                return reason
            self._moment = Moment(met)
            return "until"
        with holding_interrupts():
            try:
                reason = self._search_on(n if goal.predicate is None else 1, goal.flags, goal.node, goal.nodes)
            finally:  # whatever ended it, an error too: nothing that was reached is lost
                self._moment = Moment(self.last)
        if reason or goal.predicate is None:
            return reason
        return "until" if goal.predicate(self.explain(self.last)) else ""

    def _search_on(self, n: int, stop_flags: int, node: int, nodes: int | None = None) -> str:
        """Make n iterations at the end of the record; return why it made fewer.

        Between two calls of its kernel an engine may take another turn, or move to larger arrays: an interrupt in the
        middle of that would make another search of it.
        """
        engine = self.engine
        with holding_interrupts():
            begin = time.perf_counter()
            try:
                reason = engine.advance(n, stop_flags, node, nodes)
            finally:
                self.seconds += time.perf_counter() - begin
        return {"met": "until"}.get(reason, reason)

    def _find_end(self, goal: Limits, done: int, upto: int) -> tuple[int, str]:
        """Where a stretch of the record ends a run as it did when it was made, and why: nodes or a solution."""
        reason = ""
        if goal.nodes is not None and (enough := self.engine.first_as_large(goal.nodes, done, upto)) is not None:
            upto, reason = enough, "nodes"
        solved = self.engine.first_marked(flags.SOLUTION, done, upto)
        return (upto, reason) if solved is None else (solved, "solved")

    def _find_recorded(self, goal: Limits, done: int, upto: int) -> int | None:
        """The first iteration of a stretch of the record at which to stop."""
        engine = self.engine
        if goal.flags:
            return engine.first_marked(goal.flags, done, upto)
        if goal.node != NO_NODE:
            return engine.first_visit(goal.node, done, upto)
        if goal.predicate is not None:
            return next((k for k in range(done + 1, upto + 1) if goal.predicate(self.explain(k))), None)
        return None

    # --- keeping ---------------------------------------------------------------------------------------------------

    def export(self, path: str | Path, frames: int = MOST_RECORDED) -> Path:
        """Write a page in which the search still steps, without a kernel and without network; return where it is.

        Parameters
        ----------
        path
            Name of the file, such as ``"search.html"``.
        frames
            How many iterations to record at most, steps of iterative deepening; where there are more, as many of the
            first as of the last.
        """
        from sokoviz.widgets.base.recorded_page import recorded_page

        self._take_over()
        target = Path(path)
        with self._elsewhere():
            page = recorded_page(self, frames)
        target.write_text(page, encoding="utf-8")
        return target

    @contextmanager
    def _elsewhere(self) -> Iterator[None]:
        """Let the search be moved for a while: nobody is told, and in the end it stands where it stood."""
        self.stop()
        moment, watchers = self._moment, self._watchers
        self._watchers = []
        try:
            yield
        finally:
            self._moment, self._watchers = moment, watchers
