"""How far a run shall go: iterations, seconds, and something to stop at."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from sokoviz.errors import SearchError
from sokoviz.search.options import EVENTS, choose, is_number

if TYPE_CHECKING:
    from collections.abc import Callable

    from sokoviz.search.mcts.views.explanation import Iteration

DEFAULT_ITERATIONS = 100_000
NO_NODE = -1
NODE_LIMIT = 1 << 31

Until: TypeAlias = "str | int | Callable[[Iteration], bool]"


@dataclass(frozen=True)
class Limits:
    """How far a run shall go; the first limit reached ends it."""

    iterations: int | None
    seconds: float | None
    flags: int = 0
    """bits of the events to stop at"""
    node: int = NO_NODE
    """stop when this node is visited"""
    predicate: Callable[[Iteration], bool] | None = None
    nodes: int | None = None
    """stop after the iteration that comes to so many nodes; it may end with a few more"""


def make_limits(
    iterations: int | None,
    seconds: float | None,
    until: Until | None,
    events: tuple[str, ...] = tuple(EVENTS),
    nodes: int | None = None,
) -> Limits:
    """Return how far to run, from what a user asked for; `events` are the kinds of events that there are.

    Raises
    ------
    SearchError
        If a limit makes no sense or nothing can be run to.
    """
    if iterations is not None and (
        isinstance(iterations, bool) or not hasattr(iterations, "__index__") or iterations < 0
    ):
        message = f"expected a number of iterations of 0 or more, found {iterations!r}"
        raise SearchError(message)
    if seconds is not None and not (is_number(seconds) and seconds >= 0):
        message = f"expected 0 seconds or more, found {seconds!r}"
        raise SearchError(message)
    if nodes is not None and (isinstance(nodes, bool) or not hasattr(nodes, "__index__") or nodes < 1):
        message = f"expected a number of nodes of 1 or more, found {nodes!r}"
        raise SearchError(message)
    if iterations is None and seconds is None and nodes is None:
        iterations = DEFAULT_ITERATIONS
    limits = {
        "iterations": None if iterations is None else int(iterations),
        "seconds": None if seconds is None else float(seconds),
        "nodes": None if nodes is None else min(int(nodes), NODE_LIMIT),
    }
    if until is None:
        return Limits(**limits)  # type: ignore[arg-type]
    if isinstance(until, str):
        return Limits(**limits, flags=EVENTS[choose("kind of event", until, events)][0])  # type: ignore[arg-type]
    if callable(until):
        return Limits(**limits, predicate=until)  # type: ignore[arg-type]
    if hasattr(until, "__index__") and not isinstance(until, bool) and 0 <= until < NODE_LIMIT:
        return Limits(**limits, node=int(until))  # type: ignore[arg-type]
    kinds = ", ".join(map(repr, events))
    message = f"expected until to be a kind of event ({kinds}), a node, or a function of an Iteration; found {until!r}"
    raise SearchError(message)
