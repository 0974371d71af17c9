"""A search as people hold it, whatever its family: run, stop, step, go back and forth, explain, watch, export.

All of this is written here, once, on top of an `Engine` and its `Record` (contract.py): limits, runs in the background,
the pace of the kernel's calls, interrupts, and the lock.
"""

from __future__ import annotations

import threading
import time
from abc import ABC, abstractmethod
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Generic, NoReturn, Self, TypeAlias, TypeVar

from sokoviz.core.tree import flags
from sokoviz.core.types import NOWHERE
from sokoviz.errors import SearchError
from sokoviz.search.contract import NEVER, NO_STOP, Counters, Engine, Explanation, Moment, first_marked, last_marked
from sokoviz.search.interrupts import holding_interrupts, noting_interrupts
from sokoviz.search.limits import Clock, make_limits
from sokoviz.search.loading import Announcement, is_ours
from sokoviz.search.options import EVENTS, choose
from sokoviz.search.progress import Progress, ProgressLine, saying
from sokoviz.search.result import Result
from sokoviz.search.saving import Kept
from sokoviz.search.watching import News, Watched
from sokoviz.words import with_article

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from sokoviz.games.game import Game
    from sokoviz.search.contract import Record, Stop
    from sokoviz.search.limits import Limits, Until
    from sokoviz.widgets.base.recorder import Recorder

SECONDS_A_CALL = 0.03  # how long a kernel may keep an interrupt or a stop waiting
SECONDS_FOR_OTHERS = 0.0002  # between two calls in the background, so that who waits for the lock gets it
FIRST_PACE = 64
MOST_PACE = 1 << 24  # steps a call; where single ones are made to look at each, it would grow without end
MOST_RECORDED = 300  # steps in a page: less than 10 MB beside plotly.js, mostly less than 1
MOST_KEPT = 8  # explanations kept, so that stepping to and fro by phases explains each step once

HOW_IT_ENDED = {
    "solved": "the level is solved",
    "unsolvable": "the level is proven unsolvable, no push is left to try",
    "exhausted": "nothing is left to search",
}
"""why there is nothing to go on with, in words"""

AnySearch: TypeAlias = "Search[Any, Any, Any]"

AnyEngine = TypeVar("AnyEngine", bound=Engine)
Told = TypeVar("Told", bound=Explanation)
AnyResult = TypeVar("AnyResult", bound=Result)


class Search(Watched, Kept, ABC, Generic[AnyEngine, Told, AnyResult]):
    """A search that can be run, interrupted and run on, stepped, taken back, explained and watched.

    Parameters
    ----------
    game
        What is searched.
    """

    name: ClassVar[str]
    """of the kind of search"""
    units: ClassVar[tuple[str, str]] = ("iteration", "iteration")
    """what a step is called, and what the paper counts"""
    default_limits: ClassVar[Mapping[str, float]] = {"iterations": 100_000}
    """how far a run goes where no limit is given"""

    _made_with: tuple[tuple[Any, ...], dict[str, Any]]

    def __new__(cls, *arguments: Any, **options: Any) -> Self:
        """Remember what a search is made with: `again` makes another one like it."""
        made = super().__new__(cls)
        made._made_with = arguments, options
        return made

    def __init__(self, game: Game) -> None:
        super().__init__()
        self.game = game
        self.seconds = 0.0
        """time spent searching so far"""
        self._made: AnyEngine | None = None
        self._moment = Moment(0)
        self._lock = threading.RLock()
        self._worker: threading.Thread | None = None
        self._is_working = False
        self._stopping = threading.Event()
        self._stopped_by = ""
        self._explained: dict[int, Told] = {}

    # --- what a family says ----------------------------------------------------------------------------------------

    @abstractmethod
    def _make_engine(self) -> AnyEngine:
        """The arrays of the search, before its first step."""

    @abstractmethod
    def _explain(self, engine: AnyEngine, number: int) -> Told:
        """What happened in a step."""

    @abstractmethod
    def _result(self, stopped_by: str, *, is_brief: bool) -> AnyResult:
        """What the search has come to where it stands; without what takes a while to find where that is not wanted."""

    @property
    @abstractmethod
    def keeps_record(self) -> bool:
        """Whether steps are written down, so that one can go back to them and explain them."""

    @property
    @abstractmethod
    def memory(self) -> int:
        """Bytes that it may take."""

    @property
    @abstractmethod
    def group(self) -> str:
        """Name of the group of kernels with which it searches, see `sokoviz.warm.groups`."""

    @property
    def events(self) -> tuple[str, ...]:
        """The kinds of events that its steps may be marked with."""
        return self.game.events

    @property
    def lower_bound(self) -> float:
        """Pushes that every solution is proven to take at least, infinite where there is proven to be none.

        0 where nothing is known, as of games without pushes.
        """
        return 0

    def explore(self, **_options: Any) -> Any:  # noqa: ANN401  each kind of search has its own explorer
        """Show the search in a notebook, step by step, where its kind has an explorer."""
        self._refuse_to_be_shown()

    def recorder(self) -> Recorder:
        """Return what records the search for a page that works without a kernel, where its kind has an explorer."""
        self._refuse_to_be_shown()

    def _refuse_to_be_shown(self) -> NoReturn:
        message = f"expected a search with an explorer, found {self.name}: step() and explain() tell what it does"
        raise SearchError(message)

    def phases_of(self, number: int) -> tuple[str, ...]:  # noqa: ARG002  most have none
        """Return the phases of a step that has been made; none where it is shown as a whole."""
        return ()

    # --- where it stands -------------------------------------------------------------------------------------------

    @property
    def engine(self) -> AnyEngine:
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

    def load_kernels(self) -> None:
        """Load or compile all that a step needs, without a word."""
        with self._lock:
            if self._made is None:
                made = self._make_engine()
                made.load()
                self._made = made

    @property
    def is_loaded(self) -> bool:
        """Whether the search can be used without waiting."""
        return self._made is not None

    def _announcement(self) -> Announcement:
        """What to tell people who wait for the kernels, before anything is known about them."""
        what, is_kept = f"search for {self.game.name}", is_ours(self.game)
        return Announcement(what, is_compiled=None, group=self.group, is_kept=is_kept)

    @property
    def moment(self) -> Moment:
        """Where the search stands."""
        return self._moment

    @property
    def steps(self) -> int:
        """Number of complete steps where the search stands; 0 is before the first."""
        return self._moment.step

    @property
    def phase(self) -> str:
        """The phase of the next step that is shown; empty between steps."""
        return self._moment.phase

    @property
    def last(self) -> int:
        """Number of steps made: the end of the record."""
        return self._made.counters.steps if self._made else 0

    @property
    def counters(self) -> Counters:
        """How much was done up to where the search stands."""
        with self._lock:
            if not self.keeps_record:
                return self.engine.counters
            return self.record.counters_after(self.steps)

    @property
    def record(self) -> Record:
        """What was written down of the steps; raises where nothing is."""
        record = self.engine.record
        if record is None:
            message = "expected a search that keeps a record, found journal=False: it can only run and tell its result"
            raise SearchError(message)
        return record

    @property
    def is_running(self) -> bool:
        """Whether the search runs in the background."""
        return self._is_working

    @property
    def result(self) -> AnyResult:
        """What the search has come to where it stands."""
        return self._result(self._stopped_by, is_brief=False)

    @property
    def brief_result(self) -> AnyResult:
        """The same without what takes a while to find in a large record."""
        return self._result(self._stopped_by, is_brief=True)

    def again(self, **changes: Any) -> Self:
        """Return another search of the same, with the same options but for some; nothing is searched yet."""
        arguments, options = self._made_with
        return type(self)(*arguments, **{**options, **changes})

    # --- running ---------------------------------------------------------------------------------------------------

    def run(  # noqa: PLR0913  limits by name
        self,
        iterations: int | None = None,
        seconds: float | None = None,
        until: Until = None,
        *,
        steps: int | None = None,
        nodes: int | None = None,
        cpu_seconds: float | None = None,
        progress: bool | Callable[[Progress], object] | None = None,
    ) -> AnyResult:
        """Run from where the search stands; what is in the record already is not searched again.

        It may be interrupted at any time: nothing is lost, and another run goes on. Each limit is one of this run; the
        first one reached ends it. Where none is given, tree searches make 100,000 iterations, others take a minute.

        Parameters
        ----------
        iterations
            How many to make at most, of what the paper counts: iterations of a tree search, thresholds of IDA*.
        seconds
            How long to run at most.
        until
            Stop early: at the next step with a kind of event (one of `events`), when a node is visited or expanded (its
            number), or when a function of what a step is explained by is true of one.
        steps
            How many to make at most, of what a slider counts.
        nodes
            How many positions at most: nodes that a tree search makes, elsewhere positions whose successors are
            generated. A step is not left half done, so there may be a few more.
        cpu_seconds
            How long to compute at most, in time of the processor: other jobs on the machine do not count.
        progress
            Whether to show how far it is; by default where a person looks on. A function is called with `Progress`.

        Returns
        -------
        Result
            What it has come to; its text is a sentence.
        """
        given = {
            "iterations": iterations,
            "seconds": seconds,
            "steps": steps,
            "nodes": nodes,
            "cpu_seconds": cpu_seconds,
        }
        limits = self._limits(given, until)
        self.stop()
        with ProgressLine(progress) as line, noting_interrupts() as interrupted:
            reason = self._pursue(limits, line, interrupted.is_set)
        self._stopped_by = "interrupted" if reason == "stopped" else reason
        self._tell(News("moved"))
        return self.result

    def start(  # noqa: PLR0913  limits by name
        self,
        iterations: int | None = None,
        seconds: float | None = None,
        until: Until = None,
        *,
        steps: int | None = None,
        nodes: int | None = None,
        cpu_seconds: float | None = None,
    ) -> None:
        """Run as `run` does, but in the background; `stop` ends it.

        Parameters
        ----------
        iterations, seconds, until, steps, nodes, cpu_seconds
            As for `run`.
        """
        given = {
            "iterations": iterations,
            "seconds": seconds,
            "steps": steps,
            "nodes": nodes,
            "cpu_seconds": cpu_seconds,
        }
        limits = self._limits(given, until)
        self.stop()
        self._stopping.clear()
        self._is_working = True
        self._worker = threading.Thread(target=self._work, args=(limits,), name="sokoviz-search", daemon=True)
        self._worker.start()

    def _limits(self, given: Mapping[str, float | None], until: Until) -> Limits:
        """How far to run, after all limits are found to make sense."""
        limits = make_limits(given, until, self.events, self.default_limits)
        if limits.node != NOWHERE and not self.engine.numbers_nodes:
            message = f"expected a search that keeps a record to run to a node, found journal=False and until={until!r}"
            raise SearchError(message)
        if limits.predicate is not None:
            _ = self.record
        return limits

    def stop(self) -> None:
        """End a run in the background and wait for it, a moment at most; everything it reached is kept."""
        worker = self._worker
        self._stopping.set()
        if worker is not None and worker is not threading.current_thread():
            worker.join()

    def _work(self, limits: Limits) -> None:
        """Run in the background."""
        error = None

        def is_stopped() -> bool:
            return self._stopping.wait(SECONDS_FOR_OTHERS)

        try:
            reason = self._pursue(limits, lambda progress: self._tell(News("progress", progress)), is_stopped)
        except Exception as raised:  # noqa: BLE001  whatever it is, the watchers show it
            reason, error = "error", raised
        self._stopped_by = reason
        self._is_working = False
        self._tell(News("ended", reason=reason, error=error))

    def _pursue(self, limits: Limits, tell: Callable[[Progress], object], is_stopped: Callable[[], bool]) -> str:
        """Run in short calls of the kernel; return why it ended."""
        try:
            first, pace = self.counters, FIRST_PACE
            stop = limits.stop_after(first)
            end = NEVER if limits.steps is None else self.steps + limits.steps
            clock = Clock()  # loading the kernels does not count
            while self.steps < end:
                reason = limits.time_is_up(clock) or ("stopped" if is_stopped() else "")
                if reason:
                    return reason
                before = time.monotonic()
                with self._lock:
                    reason = self._go_on(limits, stop, min(pace, end - self.steps))
                    now = self.counters
                spent = max(time.monotonic() - before, 1e-6)
                pace = max(1, min(4 * pace, int(pace * SECONDS_A_CALL / spent), MOST_PACE))
                tell(Progress(now.since(first), now.nodes, clock.seconds, clock.cpu_seconds, limits, self.units[0]))
                if reason:
                    return reason
        except KeyboardInterrupt:
            return "interrupted"
        return "steps"

    def _go_on(self, limits: Limits, stop: Stop, n: int) -> str:
        """Go on by n steps, from the record where it has them; return why it ended early."""
        if self.steps < self.last:
            upto, reason = self._find_end(limits, stop, min(self.steps + n, self.last))
            self._moment = Moment(upto)
            return reason
        made = self.last
        with holding_interrupts():
            try:
                reason = self._search_on(n if limits.predicate is None else 1, stop)
            finally:  # whatever ended it, an error too: nothing that was reached is lost
                self._moment = Moment(self.last)
        if reason or limits.predicate is None or self.last == made:
            return reason
        return "until" if limits.predicate(self.explain(self.last)) else ""

    def _search_on(self, n: int, stop: Stop) -> str:
        """Make n steps at the end of the record; return why it made fewer.

        Between two calls of its kernel an engine may take another turn, or move to larger arrays: an interrupt in the
        middle of that would make another search of it.
        """
        engine = self.engine
        with holding_interrupts():
            begin = time.perf_counter()
            try:
                return engine.advance(n, stop)
            finally:
                self.seconds += time.perf_counter() - begin

    def _find_end(self, limits: Limits, stop: Stop, upto: int) -> tuple[int, str]:
        """Where a stretch of the record ends a run just as it would if it were made now, and why."""
        record, done = self.record, self.steps
        found = [
            (first_marked(record.marks, flags.SOLUTION, done, upto), "solved"),
            (upto if upto == self.last and self.engine.ending else None, self.engine.ending),
            (self._first_met(record, limits, done, upto), "until"),
        ]
        limit = record.first_reached(stop, done, upto)
        if limit is not None:
            found.append((limit, stop.reached(record.counters_after(limit))))
        ends = [(step, reason) for step, reason in found if step is not None]
        return min(ends, key=lambda end: end[0], default=(upto, ""))  # the first of several reasons, as kernels have it

    def _first_met(self, record: Record, limits: Limits, done: int, upto: int) -> int | None:
        """The first step of a stretch of the record that was to be met."""
        if limits.marks:
            return first_marked(record.marks, limits.marks, done, upto)
        if limits.node != NOWHERE:
            return record.first_visit(limits.node, done, upto)
        if limits.predicate is not None:
            return next((step for step in range(done + 1, upto + 1) if limits.predicate(self.explain(step))), None)
        return None

    # --- moving ----------------------------------------------------------------------------------------------------

    def goto(self, step: int, phase: str = "") -> None:
        """Go to any moment of the record, forwards or backwards.

        Parameters
        ----------
        step
            Number of complete steps, from 0 to `last`.
        phase
            A phase of the step after that; empty for the state between the two.
        """
        self._take_over()
        self._check_number(step, 0)
        if phase and (step == self.last or phase not in self.phases_of(step + 1)):
            phases = "none, the record ends there" if step == self.last else ", ".join(self.phases_of(step + 1))
            message = f"expected a phase of {self.units[0]} {step + 1} ({phases or 'it has none'}); found {phase!r}"
            raise SearchError(message)
        self._move(Moment(int(step), phase))

    def _check_number(self, step: object, first: int) -> None:
        """Raise where a step is none of the record."""
        if isinstance(step, bool) or not hasattr(step, "__index__") or not first <= step.__index__() <= self.last:
            one = with_article(self.units[0])
            message = f"expected {one} from {first} to {self.last}, where the record ends; found {step!r}"
            raise SearchError(message)

    def step(self) -> Told:
        """Make the next step, or finish the one that is shown, and return what happened."""
        self.step_on()
        return self.explain(self.steps)

    def step_on(self, n: int = 1) -> None:
        """Go on by some steps, as `step` does, without explaining them."""
        self._take_over()
        for _ in range(n):
            with self._lock:
                self._ensure_next()
            self._moment = Moment(self.steps + 1)
        self._tell(News("moved"))

    def step_phase(self) -> None:
        """Go on by one phase; after the last one the step is complete."""
        self._take_over()
        with self._lock:
            self._ensure_next()
        done, phase = self._moment
        phases = self.phases_of(done + 1)
        index = phases.index(phase) + 1 if phase else 0
        self._move(Moment(done, phases[index]) if index < len(phases) else Moment(done + 1))

    def back(self) -> None:
        """Go back to the start of the step that is shown, or of the one before."""
        self._take_over()
        done, phase = self._moment
        self._move(Moment(done if phase else max(0, done - 1)))

    def back_phase(self) -> None:
        """Go back by one phase."""
        self._take_over()
        done, phase = self._moment
        phases = self.phases_of(done + bool(phase)) if done or phase else ()
        index = phases.index(phase) if phase else len(phases)
        if phase:
            self._move(Moment(done, phases[index - 1] if index else ""))
        elif done:
            self._move(Moment(done - 1, phases[-1] if phases else ""))

    def _take_over(self) -> None:
        """Somebody moves the search by hand: end a run in the background; raises where there is no record to go by."""
        self.stop()
        if not self.keeps_record:
            _ = self.record

    def _ensure_next(self) -> None:
        """Search on by one step where the record ends."""
        if self.steps < self.last:
            return
        reason = self._search_on(1, NO_STOP)
        if self.steps < self.last:
            return
        if reason == "memory":
            one = self.units[0]
            message = f"expected room for another {one}; found the {self.memory:,} bytes allowed are full"
            raise SearchError(message)
        message = f"expected something to go on with; found that the search has ended: {HOW_IT_ENDED[reason]}"
        raise SearchError(message)

    def _move(self, moment: Moment) -> None:
        """Stand elsewhere, and tell the watchers."""
        self._moment = moment
        self._tell(News("moved"))

    # --- looking ---------------------------------------------------------------------------------------------------

    def explain(self, number: int | None = None) -> Told:
        """Return what happened in a step, with every number that decided it.

        Parameters
        ----------
        number
            Which step, from 1 to `last`; where left out, the one that is shown or was completed last.
        """
        if number is None:
            number = self.steps + bool(self.phase)
        self._check_number(number, 1)
        with self._lock:
            if number not in self._explained:
                while len(self._explained) >= MOST_KEPT:
                    del self._explained[next(iter(self._explained))]
                self._explained[number] = self._explain(self.engine, int(number))
            return self._explained[number]

    def previous_event(self, event: str, before: int) -> int | None:
        """Return the last step before one that is marked with a kind of event, None where there is none.

        Parameters
        ----------
        event
            A kind of event that the search has, such as ``"tie"``.
        before
            Number of a step.
        """
        with self._lock:
            return last_marked(self.record.marks, EVENTS[choose("kind of event", event, self.events)][0], before)

    # --- keeping ---------------------------------------------------------------------------------------------------

    def export(self, path: str | Path, frames: int = MOST_RECORDED) -> Path:
        """Write a page in which the search still steps, without a kernel and without network; return where it is.

        Parameters
        ----------
        path
            Name of the file, such as ``"search.html"``.
        frames
            How many steps to record at most; where there are more, as many of the first as of the last.
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
