"""The stepping interface that all searches share: step, run, go back and forth, explain, watch."""

from __future__ import annotations

import threading
import time
import weakref
from abc import ABC, abstractmethod
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from sokoviz.core import flags
from sokoviz.errors import SearchError
from sokoviz.search.goal import NO_NODE, Until, make_goal
from sokoviz.search.preparing import announcement
from sokoviz.search.progress import Progress, ProgressLine, saying

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from sokoviz.games.game import Game
    from sokoviz.search.engine import Engine
    from sokoviz.search.explanation import Iteration
    from sokoviz.search.goal import Goal
    from sokoviz.search.options import Settings
    from sokoviz.search.result import Result
    from sokoviz.widgets.explorer import Explorer

SECONDS_A_CALL = 0.03  # how long a kernel may keep an interrupt or a stop waiting
SECONDS_FOR_OTHERS = 0.0002  # between two calls in the background, so that who waits for the lock gets it
FIRST_PACE = 64
MOST_KEPT = 8  # explanations kept, so that stepping to and fro by phases explains each iteration once


class Moment(NamedTuple):
    """Where a search stands: complete iterations, and the phase of the next one that is shown; empty between two."""

    iteration: int
    phase: str = ""


@dataclass(frozen=True)
class News:
    """What the watchers of a search are told."""

    kind: str
    """moved, progress or ended"""
    progress: Progress | None = None
    reason: str = ""
    """why a run in the background ended"""
    error: Exception | None = None
    """what went wrong in it"""


class Search(ABC):
    """A search that can be stepped, run, watched, taken back and explained.

    Parameters
    ----------
    game
        What is searched.
    settings
        How it is searched.
    """

    name: ClassVar[str]

    def __init__(self, game: Game, settings: Settings) -> None:
        self.game = game
        self.settings = settings
        self.seconds = 0.0
        """time spent searching so far"""
        self._made: Engine | None = None
        self._moment = Moment(0)
        self._lock = threading.RLock()
        self._watchers: list[weakref.ref[Any]] = []
        self._explained: dict[int, Iteration] = {}
        self._worker: threading.Thread | None = None
        self._is_working = False
        self._stopping = threading.Event()
        self._stopped_by = ""

    @abstractmethod
    def _make_engine(self) -> Engine:
        """The arrays of the search, at the bare root."""

    @abstractmethod
    def phases_of(self, number: int) -> tuple[str, ...]:
        """Return the phases of an iteration that has been made."""

    @abstractmethod
    def _explain(self, engine: Engine, number: int) -> Iteration:
        """The explanation of an iteration; may move the engine."""

    @abstractmethod
    def _result(self, stopped_by: str, *, is_brief: bool = False) -> Result:
        """What the search has come to where it stands; without the line that it expects where that is not wanted."""

    @property
    def engine(self) -> Engine:
        """The arrays, made when first needed: that loads the compiled kernels."""
        with self._lock:
            if self._made is None:
                with saying(f"Loading the search for {self.game.name} …"):
                    made = self._make_engine()
                with saying(announcement(f"search for {self.game.name}", is_compiled=made.is_compiled())):
                    made.load()
                self._made = made
            return self._made

    def __repr__(self) -> str:
        return f"{self.name} on {self.game!r}: {self.settings.describe()}, iteration {self.iteration} of {self.last}"

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

    @contextmanager
    def at(self, moment: Moment) -> Iterator[Engine]:
        """Give the engine at a moment, for as long as nobody else needs it elsewhere."""
        with self._lock:
            self.engine.seek(self._event_of(moment))
            yield self.engine

    def _event_of(self, moment: Moment) -> int:
        """How many events of the journal are done at a moment."""
        engine, (done, phase) = self.engine, moment
        if phase in {"", "selection"}:
            return engine.end_of(done)
        if phase in {"expansion", "simulation"}:
            return engine.before_reward(done + 1)
        return engine.after_reward(done + 1)

    # --- moving ----------------------------------------------------------------------------------------------------

    def goto(self, iteration: int, phase: str = "") -> None:
        """Go to any moment of the record, forwards or backwards.

        Parameters
        ----------
        iteration
            Number of complete iterations, from 0 to `last`.
        phase
            A phase of the iteration after that; empty for the state between the two.
        """
        self._take_over()
        if not 0 <= iteration <= self.last:
            message = f"expected an iteration from 0 to {self.last}, where the record ends; found {iteration}"
            raise SearchError(message)
        if phase and (iteration == self.last or phase not in self.phases_of(iteration + 1)):
            known = (
                "none, the record ends there" if iteration == self.last else ", ".join(self.phases_of(iteration + 1))
            )
            message = f"expected a phase of iteration {iteration + 1} ({known}); found {phase!r}"
            raise SearchError(message)
        self._move(Moment(int(iteration), phase))

    def step(self) -> Iteration:
        """Make the next iteration, or finish the one that is shown, and return what happened."""
        self.step_iteration()
        return self.explain(self.iteration)

    def step_iteration(self, n: int = 1) -> None:
        """Go on by some iterations, as `step` does, without explaining them."""
        self._take_over()
        for _ in range(n):
            with self._lock:
                self._ensure_next()
            self._moment = Moment(self.iteration + 1)
        self._tell(News("moved"))

    def step_phase(self) -> None:
        """Go on by one phase; after the last one the iteration is complete."""
        self._take_over()
        with self._lock:
            self._ensure_next()
        done, phase = self._moment
        phases = self.phases_of(done + 1)
        index = phases.index(phase) + 1 if phase else 0
        self._move(Moment(done, phases[index]) if index < len(phases) else Moment(done + 1))

    def back(self) -> None:
        """Go back to the start of the iteration that is shown, or of the one before."""
        self._take_over()
        done, phase = self._moment
        self._move(Moment(done if phase else max(0, done - 1)))

    def back_phase(self) -> None:
        """Go back by one phase."""
        self._take_over()
        done, phase = self._moment
        if phase:
            phases = self.phases_of(done + 1)
            index = phases.index(phase)
            self._move(Moment(done, phases[index - 1] if index else ""))
        elif done:
            self._move(Moment(done - 1, self.phases_of(done)[-1]))

    def _take_over(self) -> None:
        """Somebody moves the search by hand: end a run in the background; raises where there is no journal to go by."""
        self.stop()
        if not self.settings.journal:
            self.engine.written()

    def _ensure_next(self) -> None:
        """Search on by one iteration where the record ends."""
        if self.iteration < self.last:
            return
        self._search_on(1, 0, NO_NODE)
        if self.iteration < self.last:
            return
        if self.engine.is_unsolvable:
            message = "expected something to go on with; found the level proven unsolvable, no push is left to try"
        else:
            message = f"expected room for another iteration; found the {self.settings.memory:,} bytes allowed are full"
        raise SearchError(message)

    def _move(self, moment: Moment) -> None:
        """Stand elsewhere, and tell the watchers."""
        self._moment = moment
        self._tell(News("moved"))

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
            How many nodes the tree may have at most.
        progress
            Whether to show how far it is; by default where a person looks on. A function is called with `Progress`.

        Returns
        -------
        Result
            What it has come to; its text is a sentence.
        """
        goal = make_goal(iterations, seconds, until, self.game.events, nodes)
        self.stop()
        with ProgressLine(progress) as line:
            self._stopped_by = self._pursue(goal, line, lambda: False)
        self._tell(News("moved"))
        return self.result

    def start(self, iterations: int | None = None, seconds: float | None = None, until: Until | None = None) -> None:
        """Run as `run` does, but in the background; `stop` ends it.

        Parameters
        ----------
        iterations, seconds, until
            As for `run`.
        """
        goal = make_goal(iterations, seconds, until, self.game.events)
        self.stop()
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

    def _work(self, goal: Goal) -> None:
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

    def _pursue(self, goal: Goal, tell: Callable[[Progress], object], is_stopped: Callable[[], bool]) -> str:
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
                pace = max(1, min(4 * pace, int(pace * SECONDS_A_CALL / spent)))
                made = self.iteration - first
                tell(Progress(made, goal.iterations, time.monotonic() - begin, goal.seconds, engine.n_nodes))
        except KeyboardInterrupt:
            return "interrupted"
        return "iterations"

    def _go_on(self, goal: Goal, n: int) -> str:
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
        try:
            if goal.predicate is None:
                return self._search_on(n, goal.flags, goal.node, goal.nodes)
            reason = self._search_on(1, 0, NO_NODE, goal.nodes)
            return reason or ("until" if goal.predicate(self.explain(self.last)) else "")
        finally:  # whatever ended it, an interrupt or an error: nothing that was reached is lost
            self._moment = Moment(self.last)

    def _search_on(self, n: int, stop_flags: int, node: int, nodes: int | None = None) -> str:
        """Make n iterations at the end of the record; return why it made fewer."""
        engine, begin = self.engine, time.perf_counter()
        try:
            reason = engine.advance(n, stop_flags, node, nodes)
        finally:
            self.seconds += time.perf_counter() - begin
        return {"met": "until"}.get(reason, reason)

    def _find_end(self, goal: Goal, done: int, upto: int) -> tuple[int, str]:
        """Where a stretch of the record ends a run as it did when it was made, and why: nodes or a solution."""
        reason = ""
        if goal.nodes is not None and (enough := self.engine.first_as_large(goal.nodes, done, upto)) is not None:
            upto, reason = enough, "nodes"
        solved = self.engine.first_marked(flags.SOLUTION, done, upto)
        return (upto, reason) if solved is None else (solved, "solved")

    def _find_recorded(self, goal: Goal, done: int, upto: int) -> int | None:
        """The first iteration of a stretch of the record at which to stop."""
        engine = self.engine
        if goal.flags:
            return engine.first_marked(goal.flags, done, upto)
        if goal.node != NO_NODE:
            return engine.first_visit(goal.node, done, upto)
        if goal.predicate is not None:
            return next((k for k in range(done + 1, upto + 1) if goal.predicate(self.explain(k))), None)
        return None

    # --- looking ---------------------------------------------------------------------------------------------------

    def explain(self, number: int | None = None) -> Iteration:
        """Return what happened in an iteration, with every number that decided it.

        Parameters
        ----------
        number
            Which iteration, from 1 to `last`; where left out, the one that is shown or was completed last.
        """
        if number is None:
            number = self.iteration + bool(self.phase)
        if not 1 <= number <= self.last:
            message = f"expected an iteration from 1 to {self.last}, where the record ends; found {number}"
            raise SearchError(message)
        with self._lock:
            if number not in self._explained:
                while len(self._explained) >= MOST_KEPT:
                    del self._explained[next(iter(self._explained))]
                what, is_compiled = f"explanations for {self.game.name}", self.engine.is_compiled(in_detail=True)
                with saying(announcement(what, is_compiled=is_compiled)):
                    self._explained[number] = self._explain(self.engine, int(number))
            return self._explained[number]

    @property
    def result(self) -> Result:
        """What the search has come to where it stands."""
        return self._result(self._stopped_by)

    @property
    def brief_result(self) -> Result:
        """The same without the line that the search expects, which takes a while to find in a large tree."""
        return self._result(self._stopped_by, is_brief=True)

    # --- showing and keeping ---------------------------------------------------------------------------------------

    def explore(self, **options: Any) -> Explorer:
        """Show the search in a notebook: tree, board and numbers, step by step, forwards and backwards.

        Parameters
        ----------
        options
            Options of the `Explorer`.
        """
        from sokoviz.widgets.explorer import Explorer

        if not self.settings.journal:
            self.engine.written()  # raises: there is nothing to step through
        return Explorer(self, **options)  # type: ignore[arg-type]  # the explorer of trees is the only one

    def save(self, path: str | Path) -> None:
        """Write the search with its whole record to a file; `load` reads it."""
        from sokoviz.search.files import save

        save(self, path)

    # --- watching --------------------------------------------------------------------------------------------------

    def watch(self, method: Callable[[News], None]) -> None:
        """Call a method with each piece of `News`, for as long as its object lives; from another thread while running.

        Parameters
        ----------
        method
            A bound method.
        """
        self._watchers.append(weakref.WeakMethod(method))

    def unwatch(self, method: Callable[[News], None]) -> None:
        """Call a method no longer."""
        self._watchers = [reference for reference in self._watchers if reference() not in {None, method}]

    def _tell(self, news: News) -> None:
        """Tell the watchers; a run in the background that outlives them goes on."""
        for reference in list(self._watchers):
            method = reference()
            if method is None:
                self._watchers.remove(reference)
            else:
                method(news)
