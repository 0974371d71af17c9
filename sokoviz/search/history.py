"""The course of a search over its iterations, as tables."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from sokoviz.core.journal import DEEPEST_AFTER, FLAGS, NODES_AFTER, ROOT_CHILD, ROOT_SUM
from sokoviz.search.options import EVENTS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import pandas as pd
    from numpy.typing import NDArray

    from sokoviz.core.types import Integers
    from sokoviz.search.engine import Engine


def history_frame(engine: Engine, n: int) -> pd.DataFrame:
    """Return a table of the first n iterations.

    Its columns: nodes and depth of the tree, value of the root, the root's child that the iteration went through (-1
    for none), and for each kind of event whether the iteration is marked with it.
    """
    import pandas as pd

    steps = engine.steps[:, :n]
    numbers = np.arange(1, n + 1)
    columns = {
        "nodes": steps[NODES_AFTER],
        "depth": steps[DEEPEST_AFTER],
        "root_value": steps[ROOT_SUM] / numbers,
        "root_child": steps[ROOT_CHILD],
        **{name: (steps[FLAGS] & bit) > 0 for name, (bit, _) in EVENTS.items()},
    }
    return pd.DataFrame(columns, index=pd.Index(numbers, name="iteration"))


def root_visits(engine: Engine, child: int, at: Integers) -> NDArray[np.int64]:
    """Return how often a child of the root had been visited after some iterations, ascending."""
    passed = np.flatnonzero(engine.steps[ROOT_CHILD] == child) + 1
    return np.searchsorted(passed, at, side="right")


def event_iterations(engine: Engine) -> dict[str, Integers]:
    """Return the iterations that are marked with each kind of event."""
    return {name: np.flatnonzero(engine.steps[FLAGS] & bit) + 1 for name, (bit, _) in EVENTS.items()}


class ChildCourse(NamedTuple):
    """How often a child of the root had been visited, at some iterations."""

    node: int
    action: str
    visits: NDArray[np.int64]


class Course(NamedTuple):
    """The course of a search at some iterations."""

    nodes: Integers
    depth: Integers
    root_value: NDArray[np.float64]
    children: tuple[ChildCourse, ...]


def course_of(engine: Engine, at: Integers, most: int, names: Callable[[Sequence[int]], Sequence[str]]) -> Course:
    """Return the course of a search at some iterations, counted from 1.

    Parameters
    ----------
    engine
        The search.
    at
        The iterations, ascending.
    most
        How many children of the root at most: those visited most.
    names
        Gives the names of the moves into some nodes.
    """
    steps = engine.steps
    passed = steps[ROOT_CHILD]
    counts = np.bincount(passed[passed >= 0]) if np.any(passed >= 0) else np.zeros(0, dtype=np.int64)
    children = sorted(sorted(map(int, np.flatnonzero(counts)), key=lambda child: -counts[child])[:most])
    lines = (
        ChildCourse(child, name, root_visits(engine, child, at))
        for child, name in zip(children, names(children), strict=True)
    )
    return Course(
        steps[NODES_AFTER, at - 1],
        steps[DEEPEST_AFTER, at - 1],
        steps[ROOT_SUM, at - 1] / np.maximum(at, 1),
        tuple(lines),
    )
