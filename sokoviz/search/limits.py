"""How far a run shall go: steps, iterations, nodes, seconds, and something to stop at; each limits this run alone."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from sokoviz.core.types import NOWHERE
from sokoviz.errors import SearchError
from sokoviz.search.contract import NEVER, Counters, Stop
from sokoviz.search.options import EVENTS, choose, is_number

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

COUNTED = ("steps", "iterations", "nodes")
TIMED = ("seconds", "cpu_seconds")
MOST = 1 << 50  # far more than any run comes to
NODE_LIMIT = 1 << 31

Until: TypeAlias = "str | int | Callable[[Any], bool] | None"


@dataclass(frozen=True)
class Limits:
    """How far a run shall go; the first limit reached ends it."""

    steps: int | None = None
    iterations: int | None = None
    nodes: int | None = None
    """a step may come to a few more: it is not left half done"""
    seconds: float | None = None
    cpu_seconds: float | None = None
    marks: int = 0
    """bits of the events to stop at"""
    node: int = NOWHERE
    """stop when this node is visited"""
    predicate: Callable[[Any], bool] | None = None
    """stop when this is true of the explanation of a step"""

    def stop_after(self, start: Counters) -> Stop:
        """Return where a run stops that begins after so much.

        The root counts in the run that makes it: a tree that has nothing but its root is at its beginning.
        """
        nodes = start.nodes if start.steps else 0
        return Stop(
            iterations=NEVER if self.iterations is None else start.iterations + self.iterations,
            nodes=NEVER if self.nodes is None else nodes + self.nodes,
            marks=self.marks,
            node=self.node,
        )

    def time_is_up(self, clock: Clock) -> str:
        """Return which limit of time is reached: seconds, cpu-seconds, or none."""
        if self.seconds is not None and clock.seconds >= self.seconds:
            return "seconds"
        return "cpu-seconds" if self.cpu_seconds is not None and clock.cpu_seconds >= self.cpu_seconds else ""


class Clock:
    """Time since a run began: by the wall, and of the thread that runs, which other jobs do not lengthen."""

    def __init__(self) -> None:
        self._begin, self._begin_cpu = time.monotonic(), time.thread_time()

    @property
    def seconds(self) -> float:
        """Seconds so far."""
        return time.monotonic() - self._begin

    @property
    def cpu_seconds(self) -> float:
        """CPU-seconds of this thread so far; ask in the thread that made the clock."""
        return time.thread_time() - self._begin_cpu


def make_limits(
    limits: Mapping[str, object],
    until: object = None,
    events: Iterable[str] = (),
    default: Mapping[str, float] | None = None,
) -> Limits:
    """Return how far to run, from what a user asked for.

    Parameters
    ----------
    limits
        Steps, iterations, nodes, seconds and CPU-seconds by name; None where there is no limit.
    until
        A kind of event, a node, or a function of an explanation.
    events
        The kinds of events that there are.
    default
        Limits that hold where none is given.

    Raises
    ------
    SearchError
        If a limit makes no sense or nothing can be run to.
    """
    given = {name: limit for name, limit in limits.items() if limit is not None}
    checked: dict[str, Any] = {name: _checked(name, limit) for name, limit in given.items()}
    if not checked:
        checked = dict(default or {})
    return Limits(**checked, **_read_until(until, tuple(events)))


def _checked(name: str, limit: object) -> float:
    """A limit; raises where it makes no sense."""
    if name in TIMED:
        if not (is_number(limit) and limit >= 0):  # type: ignore[operator]  # a number can be compared
            message = f"expected 0 {'CPU-' * (name == 'cpu_seconds')}seconds or more, found {limit!r}"
            raise SearchError(message)
        return float(limit)  # type: ignore[arg-type]
    least = int(name == "nodes")
    if isinstance(limit, bool) or not hasattr(limit, "__index__") or limit.__index__() < least:
        message = f"expected a number of {name} of {least} or more, found {limit!r}"
        raise SearchError(message)
    return min(int(limit), MOST)


def _read_until(until: object, events: tuple[str, ...]) -> dict[str, Any]:
    """What to stop at, as fields of `Limits`."""
    if until is None:
        return {}
    if isinstance(until, str):
        return {"marks": EVENTS[choose("kind of event", until, events)][0]}
    if callable(until):
        return {"predicate": until}
    if hasattr(until, "__index__") and not isinstance(until, bool) and 0 <= until.__index__() < NODE_LIMIT:
        return {"node": until.__index__()}
    kinds = ", ".join(map(repr, events))
    message = (
        f"expected until to be a kind of event ({kinds}), a node, or a function of what a step is explained by; "
        f"found {until!r}"
    )
    raise SearchError(message)
