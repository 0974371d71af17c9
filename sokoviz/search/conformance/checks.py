"""What is asked of every search, one function a check. A check that does not apply to a search returns False."""

from __future__ import annotations

import math
import signal
import threading
from dataclasses import fields
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

import numpy as np

from sokoviz.core.tree import flags
from sokoviz.errors import SearchError
from sokoviz.search.contract import Counters, Moment
from sokoviz.search.options import EVENTS

if TYPE_CHECKING:
    from collections.abc import Callable

    from sokoviz.search.progress import Progress
    from sokoviz.search.search import AnySearch
    from sokoviz.search.watching import News

SECONDS_TO_END = 60.0  # that a run in the background may take
NOT_OF_THE_SEARCH = {"seconds", "stopped_by"}  # fields of a result that depend on how it was run
ENDED = {"solved", "unsolvable", "exhausted", "memory"}


class Standing(NamedTuple):
    """What a search is like at a moment."""

    counters: Counters
    lower_bound: float
    result: dict[str, Any]
    told: str
    """of the step made last; empty before the first"""


class Trial:
    """A search that was run for some steps, what it was like after each, and others like it.

    Parameters
    ----------
    search
        A search that has not been run.
    steps
        How many steps to make at most.
    """

    def __init__(self, search: AnySearch, steps: int) -> None:
        self.search = search
        self.whole = self.another(steps)
        """a search after all steps"""
        self.n = self.whole.last
        self.standings = [standing_of(self.another(k)) for k in self._moments()]
        """of searches that were run for 0, 1, ... steps and no further"""

    def _moments(self) -> range:
        """All moments between steps."""
        return range(self.n + 1)

    def another(self, steps: int, **changes: Any) -> AnySearch:
        """Return a search like it after some steps, fewer where it ends."""
        made = self.search.again(**changes)
        while made.last < steps and made.run(steps=steps - made.last, progress=False).stopped_by not in ENDED:
            pass
        return made

    def silent(self, steps: int) -> AnySearch | None:
        """Return one that keeps no record; None where there is no such option."""
        try:
            return self.another(steps, journal=False)
        except SearchError:
            return None

    def refuse(self, message: str) -> NoReturn:
        """Raise, naming the search."""
        text = f"{self.search!r}: {message}"
        raise SearchError(text)

    def compare(self, search: AnySearch, step: int, where: str) -> None:
        """Raise where a search is not what one is that was stopped after so many steps."""
        if search.moment != Moment(step):
            self.refuse(f"expected it to stand after step {step} {where}, found {search.moment}")
        found, expected = standing_of(search), self.standings[step]
        for name in Standing._fields:
            if not are_alike(getattr(found, name), getattr(expected, name)):
                known = f"{getattr(found, name)!r} and {getattr(expected, name)!r}"
                self.refuse(f"expected the same {name} after step {step} {where} as of a search stopped there: {known}")


def standing_of(search: AnySearch) -> Standing:
    """Return what a search is like where it stands."""
    result = search.result
    told = {field.name: getattr(result, field.name) for field in fields(result)}
    kept = {name: entry for name, entry in told.items() if name not in NOT_OF_THE_SEARCH}
    return Standing(search.counters, search.lower_bound, kept, str(search.explain()) if search.steps else "")


def are_alike(one: object, other: object) -> bool:
    """Whether two entries are the same, also where there is no number."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(are_alike(one[name], other[name]) for name in one)
    is_nan = isinstance(one, float) and isinstance(other, float) and math.isnan(one) and math.isnan(other)
    return is_nan or one == other


# --- going on and going back -----------------------------------------------------------------------------------------


def check_steps(trial: Trial) -> None:
    """Steps made one by one are those of a run."""
    search = trial.search.again()
    for step in range(1, trial.n + 1):
        told = search.step()
        if told.number != step:
            trial.refuse(f"expected step() to explain step {step}, found {told.number}")
        if str(told) != trial.standings[step].told:
            trial.refuse(f"expected step {step} to be that of a run, found {told}")
    trial.compare(search, trial.n, "made one by one")


def check_pieces(trial: Trial) -> None:
    """Runs of some steps each come to what one run comes to."""
    generator, search = np.random.default_rng(1), trial.search.again()
    while search.last < trial.n:
        before = search.steps
        search.run(steps=min(int(generator.integers(1, 8)), trial.n - before), progress=False)
        trial.compare(search, search.last, "after runs of some steps each")
        if search.steps == before:
            trial.refuse(f"expected run(steps=...) to go on after step {before}, found that it does not")


def check_moments(trial: Trial) -> None:
    """After going to a moment, forwards or backwards, everything is as in a search that was stopped there."""
    search, generator = trial.another(trial.n), np.random.default_rng(2)
    moments = [*range(trial.n, -1, -1), *range(trial.n + 1), *generator.integers(0, trial.n + 1, trial.n).tolist()]
    for step in moments:
        search.goto(step)
        trial.compare(search, step, "after going there")
    if search.last != trial.n:
        trial.refuse(f"expected a record of {trial.n} steps after moving about, found {search.last}")


def check_back(trial: Trial) -> None:
    """`back` goes back by one step, `step` makes the same one again, and nothing is made anew."""
    search = trial.another(trial.n)
    for step in range(trial.n - 1, -1, -1):
        search.back()
        trial.compare(search, step, "after going back")
    search.back()
    trial.compare(search, 0, "after going back from the start")
    search.step_on(trial.n)
    trial.compare(search, trial.n, "after going on through the record")


def check_phases(trial: Trial) -> None:
    """Phases lead from each step to the next, and back again."""
    search, places = trial.another(trial.n), [Moment(0)]
    search.goto(0)
    while search.steps < min(trial.n, 12):
        search.step_phase()
        places.append(search.moment)
    for step in range(search.steps):
        phases = tuple(place.phase for place in places if place.step == step and place.phase)
        if phases != search.phases_of(step + 1):
            known = search.phases_of(step + 1)
            trial.refuse(f"expected the phases {known} of step {step + 1} one after the other, found {phases}")
    for place in reversed(places[:-1]):
        search.back_phase()
        if search.moment != place:
            trial.refuse(f"expected to come back to {place}, found {search.moment}")
    trial.compare(search, 0, "after going back by phases")


def check_record(trial: Trial) -> None:
    """The record has a mark a step, and counters that never fall."""
    record = trial.whole.record
    if record.last != trial.n or len(record.marks) != trial.n:
        trial.refuse(f"expected marks of {trial.n} steps, found {len(record.marks)} and a last step of {record.last}")
    all_counters = [record.counters_after(step) for step in range(trial.n + 1)]
    for step, (before, after) in enumerate(pairwise(all_counters), start=1):
        if after.steps != step or any(now < then for now, then in zip(after, before, strict=True)):
            trial.refuse(f"expected counters of step {step} that rise from {before}, found {after}")


# --- limits ----------------------------------------------------------------------------------------------------------


def check_step_limit(trial: Trial) -> None:
    """A limit of steps is one of this run, in the record and beyond it."""
    search = trial.search.again()
    for done, more in ((0, 2), (2, trial.n - 2)):
        reason = search.run(steps=more, progress=False).stopped_by
        trial.compare(search, done + more, f"with {more} more allowed")
        if reason not in {"steps", *ENDED}:
            trial.refuse(f"expected a run of {more} steps to end by steps, found {reason!r}")


def check_iteration_limit(trial: Trial) -> None:
    """A limit of iterations is one of this run, in the record and beyond it."""
    _check_counted(trial, "iterations")


def check_node_limit(trial: Trial) -> None:
    """A limit of nodes is one of this run, in the record and beyond it."""
    _check_counted(trial, "nodes")


def _check_counted(trial: Trial, name: str) -> None:
    """Runs with a limit end with the first step that reaches it, wherever they begin."""
    counted = [getattr(standing.counters, name) for standing in trial.standings]
    for start in (0, trial.n // 3):
        first = counted[start] if start else 0  # the root counts in the run that makes it
        for target in sorted(set(counted[start + 1 :]))[:: max(1, trial.n // 8)]:
            if target <= first:
                continue
            wanted = next(step for step in range(start, trial.n + 1) if counted[step] >= target)
            for search in (trial.another(start), _gone_to(trial.another(trial.n), start)):
                reason = search.run(steps=trial.n - start, **{name: target - first}, progress=False).stopped_by
                what = f"of {target - first} {name} from step {start}"
                trial.compare(search, wanted, f"by a limit {what}")
                if reason not in {name, "steps", *ENDED}:
                    trial.refuse(f"expected a run {what} to end by {name}, found {reason!r}")


def _gone_to(search: AnySearch, step: int) -> AnySearch:
    """The search at a moment of its record."""
    search.goto(step)
    return search


def check_time_limits(trial: Trial) -> None:
    """No time allows no step, and the result says why it ended."""
    for name, reason in (("seconds", "seconds"), ("cpu_seconds", "cpu-seconds")):
        search = trial.search.again()
        none: dict[str, Any] = {name: 0}
        found = search.run(**none, progress=False).stopped_by
        if found != reason or search.last:
            trial.refuse(f"expected run({name}=0) to end by {reason} before the first step, found {found!r}")
        much: dict[str, Any] = {name: 1e9}
        found = search.run(**much, steps=1, progress=False).stopped_by
        if found == reason or not search.last:
            trial.refuse(f"expected {name} to limit one run alone, found that it also limits the next")


# --- running to something --------------------------------------------------------------------------------------------


def check_events(trial: Trial) -> bool:
    """A run to an event ends with the next step that has it, in the record and beyond it."""
    marks, is_asked = trial.whole.record.marks, False
    for event in trial.search.events:
        steps = [step for step in range(1, trial.n + 1) if marks[step - 1] & EVENTS[event][0]]
        for start, wanted in zip([0, *steps], steps[:4], strict=False):
            is_asked = True
            for search in (trial.another(start), _gone_to(trial.another(trial.n), start)):
                reason = search.run(until=event, steps=trial.n, progress=False).stopped_by
                trial.compare(search, wanted, f"by a run until {event!r} from step {start}")
                if reason not in {"until", *ENDED}:
                    trial.refuse(f"expected a run until {event!r} to end by until, found {reason!r}")
            if trial.whole.previous_event(event, wanted + 1) != wanted:
                trial.refuse(f"expected {event!r} in step {wanted} to be found from the one after it")
    return is_asked


def check_silent(trial: Trial) -> bool:
    """Without a record it does the same, and ends at the same events."""
    silent = trial.silent(trial.n)
    if silent is None:
        return False
    _compare_silent(trial, silent, trial.n, "without a record")
    marks = trial.whole.record.marks
    for event in trial.search.events:
        wanted = next((step for step in range(1, trial.n + 1) if marks[step - 1] & EVENTS[event][0]), None)
        if wanted is not None:
            search = trial.search.again(journal=False)
            search.run(until=event, steps=trial.n, progress=False)
            _compare_silent(trial, search, wanted, f"by a run until {event!r} without a record")
    for move in (lambda: silent.goto(0), silent.back, silent.step, lambda: silent.explain(1)):
        _expect_refusal(trial, move, "moving about without a record")
    return True


def _compare_silent(trial: Trial, search: AnySearch, step: int, where: str) -> None:
    """Raise where a search without a record has not come to what one with it has."""
    if (search.counters, search.lower_bound) != trial.standings[step][:2]:
        known = f"{search.counters} and {trial.standings[step].counters}"
        trial.refuse(f"expected the same counters and bound after step {step} {where}: {known}")


def check_function(trial: Trial) -> None:
    """A run until a function is true ends with that step, in the record and beyond it."""
    wanted = trial.n // 2
    for search in (trial.search.again(), _gone_to(trial.another(trial.n), 0)):
        search.run(until=lambda told: told.number == wanted, steps=trial.n, progress=False)
        trial.compare(search, wanted, "by a run until a function is true")


# --- being interrupted, and running in the background ----------------------------------------------------------------


def check_interrupt(trial: Trial) -> bool:
    """An interrupt ends a run, nothing is lost, and another run goes on as if there had been none."""
    if threading.current_thread() is not threading.main_thread() or not callable(signal.getsignal(signal.SIGINT)):
        return False
    search = trial.search.again()

    def interrupt(_progress: Progress) -> None:
        signal.raise_signal(signal.SIGINT)

    reason = search.run(until=lambda told: told.number >= trial.n, steps=trial.n, progress=interrupt).stopped_by
    if reason != "interrupted" or not search.last:
        trial.refuse(f"expected an interrupt to end a run after its first steps, found {reason!r}")
    trial.compare(search, search.last, "after an interrupt")
    search.run(steps=trial.n - search.last, progress=False)
    trial.compare(search, trial.n, "after an interrupt and a run that goes on")
    return True


def check_background(trial: Trial) -> None:
    """A run in the background comes to the same; one that is stopped keeps what it has."""
    search, ended = trial.search.again(), _Ended()
    search.watch(ended.hear)
    search.start(steps=trial.n)
    if not ended.event.wait(SECONDS_TO_END) or search.is_running:
        trial.refuse("expected a run in the background to end, and to tell those who watch")
    trial.compare(search, trial.n, "in the background")
    stopped = trial.search.again()
    stopped.start(steps=trial.n)
    stopped.stop()
    if stopped.is_running:
        trial.refuse("expected stop() to end a run in the background, found it still running")
    trial.compare(stopped, stopped.last, "after a run in the background was stopped")
    stopped.run(steps=trial.n - stopped.last, progress=False)
    trial.compare(stopped, trial.n, "after a run in the background was stopped and gone on with")


class _Ended:
    """Waits for the end of a run in the background."""

    def __init__(self) -> None:
        self.event = threading.Event()

    def hear(self, news: News) -> None:
        """Hear the news of a search."""
        if news.kind == "ended":
            self.event.set()


# --- keeping, and bad input ------------------------------------------------------------------------------------------


def check_files(trial: Trial) -> None:
    """A search that is read from a file stands where it stood, and goes on as if nothing had been."""
    search, half = trial.another(trial.n // 2 + 1), trial.n // 2
    search.goto(half)
    seconds = search.seconds
    with TemporaryDirectory() as folder:
        path = Path(folder, "search")
        search.save(path)
        found = type(search).load(path)
    trial.compare(found, half, "read from a file")
    if found.seconds != seconds or found.last != search.last:
        trial.refuse(f"expected {search.last} steps and {seconds} s in a file, found {found.last} and {found.seconds}")
    found.run(steps=trial.n - half, progress=False)
    trial.compare(found, trial.n, "after it was read from a file and gone on with")


def check_bad_input(trial: Trial) -> None:
    """What makes no sense is refused by a `SearchError`, and nothing is lost."""
    search = trial.another(trial.n)
    one: Any = search
    attempts: dict[str, Callable[[], object]] = {
        "goto(-1)": lambda: one.goto(-1),
        "goto(last + 1)": lambda: one.goto(trial.n + 1),
        "goto('2')": lambda: one.goto("2"),
        "goto(0, 'no such phase')": lambda: one.goto(0, "no such phase"),
        "explain(0)": lambda: one.explain(0),
        "explain(last + 1)": lambda: one.explain(trial.n + 1),
        "run(until='no such event')": lambda: one.run(until="no such event"),
        "run(until=2.5)": lambda: one.run(until=2.5),
        "run(until=-1)": lambda: one.run(until=-1),
        "previous_event('no such event')": lambda: one.previous_event("no such event", 2),
        "load('no such file')": lambda: type(one).load(Path(__file__)),
    }
    for name in ("steps", "iterations", "nodes", "seconds", "cpu_seconds"):
        for limit in (-1, "many", True):
            attempts[f"run({name}={limit!r})"] = lambda name=name, limit=limit: one.run(**{name: limit})  # type: ignore[misc]
            attempts[f"start({name}={limit!r})"] = lambda name=name, limit=limit: one.start(**{name: limit})  # type: ignore[misc]
    for name, attempt in attempts.items():
        _expect_refusal(trial, attempt, name)
    trial.compare(search, trial.n, "after what makes no sense was refused")


def check_unknown_options(trial: Trial) -> None:
    """An option that there is not is refused by a `SearchError` that names it."""
    _expect_refusal(trial, lambda: trial.search.again(no_such_option=1), "an unknown option", "no_such_option")


def _expect_refusal(trial: Trial, attempt: Callable[[], object], name: str, word: str = "") -> None:
    """Raise where something is not refused, or by another error."""
    try:
        attempt()
    except SearchError as error:
        if word not in str(error):
            trial.refuse(f"expected a message that names {word} of {name}, found {error}")
    except Exception as error:  # noqa: BLE001  whatever it is
        trial.refuse(f"expected {name} to be refused by a SearchError, found {type(error).__name__}: {error}")
    else:
        trial.refuse(f"expected {name} to be refused by a SearchError, found that it is not")


# --- what is proven --------------------------------------------------------------------------------------------------


def check_bounds(trial: Trial) -> None:
    """The proven bound never falls; a solution takes no fewer pushes, and is optimal just where it takes as many."""
    before = 0.0
    for step, standing in enumerate(trial.standings):
        if standing.lower_bound < before:
            trial.refuse(f"expected a bound that never falls, found {standing.lower_bound} after {before}, step {step}")
        before = standing.lower_bound
    result: Any = trial.whole.result
    solution = getattr(result, "solution", None)
    is_solved = bool(int(trial.whole.record.marks[-1]) & flags.SOLUTION) if trial.n else False
    if is_solved and hasattr(result, "solution") and solution is None:
        trial.refuse("expected a solution after a step that is marked with one, found none")
    if solution is not None and solution.pushes < before:
        trial.refuse(f"expected a bound of at most {solution.pushes} pushes, which solve it; found {before}")
    if solution is not None and result.is_optimal != (solution.pushes == before):
        trial.refuse(f"expected is_optimal to say whether {solution.pushes} pushes are the bound {before}")


CHECKS: dict[str, Callable[[Trial], bool | None]] = {
    "steps and runs": check_steps,
    "runs in pieces": check_pieces,
    "moments": check_moments,
    "back and on": check_back,
    "phases": check_phases,
    "record": check_record,
    "limit of steps": check_step_limit,
    "limit of iterations": check_iteration_limit,
    "limit of nodes": check_node_limit,
    "limits of time": check_time_limits,
    "until an event": check_events,
    "without a record": check_silent,
    "until a function": check_function,
    "interrupt": check_interrupt,
    "background": check_background,
    "files": check_files,
    "bad input": check_bad_input,
    "unknown options": check_unknown_options,
    "bounds": check_bounds,
}
"""by name, as a report lists them"""
