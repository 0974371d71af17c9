"""The course of a search in a few hundred points, kept up to date by looking only at what is new in the record.

Points and stretches lie on a grid whose stride is a power of two. When the record outgrows it, the stride doubles and
every second point goes: what stays is exact, and a chart does not wobble while the search goes on.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from sokoviz.core.tree.journal import DEEPEST_AFTER, FLAGS, NODES_AFTER, REMOVED, ROOT_CHILD, ROOT_SUM
from sokoviz.search.mcts.views.drawing import value_range
from sokoviz.search.mcts.views.history import root_visits
from sokoviz.search.result import Standing
from sokoviz.search.ticks import Ticks, more_ticks, no_ticks, stride_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from sokoviz.core.types import Integers
    from sokoviz.search.contract import Moment
    from sokoviz.search.mcts.engine import Engine

MOST_POINTS = 400  # besides the last iteration

Visits = dict[int, int]
"""how often each child of the root had been visited at some moment"""


class Summary(NamedTuple):
    """What is kept of the first iterations of a record; replaced as a whole, so that an interrupt does no harm."""

    n: int
    """how many iterations were looked at"""
    ticks: Ticks
    """for each kind of event the first iteration that it marks in each stretch"""
    visits: tuple[Visits, ...]
    """at each point of the grid"""
    now: Visits
    """after all iterations"""


def begin(events: Sequence[str]) -> Summary:
    """Return what is kept of no iterations, for some kinds of events."""
    return Summary(0, no_ticks(events), (), {})


class ChildSeries(NamedTuple):
    """How often a child of the root had been visited, at some iterations."""

    node: int
    action: str
    visits: NDArray[np.int64]


class Series(NamedTuple):
    """The course of a search at some iterations."""

    iterations: Integers
    """ascending, the first and the last among them"""
    nodes: Integers
    depth: Integers
    root_value: NDArray[np.float64]
    children: tuple[ChildSeries, ...]


def go_on(outline: Summary, steps: Integers) -> Summary:
    """Take in what a record has become.

    Parameters
    ----------
    outline
        What is kept of its beginning.
    steps
        int64[8, n]: the whole record; only what the outline does not know yet is looked at.
    """
    if steps.shape[1] == outline.n:
        return outline
    ticks = more_ticks(outline.ticks, outline.n, steps[FLAGS])
    visits = _count_visits(outline, steps)
    return Summary(steps.shape[1], ticks, visits[:-1], visits[-1])


def _count_visits(outline: Summary, steps: Integers) -> tuple[Visits, ...]:
    """Visits of the root's children at the points of the grid, and at last after all iterations."""
    n = steps.shape[1]
    stride = stride_of(n, MOST_POINTS)
    kept = outline.visits[:: stride // stride_of(outline.n, MOST_POINTS)]
    points = np.arange(1 + stride * len(kept), n + 1, stride)
    found, now = list(kept), outline.now
    for passed in np.split(steps[ROOT_CHILD, outline.n :], points - outline.n):
        now = _add(now, passed)
        found.append(now)
    return tuple(found)


def _add(visits: Visits, passed: Integers) -> Visits:
    """Visits after some more iterations, given the child of the root that each went through, -1 for none."""
    children, counts = np.unique(passed[passed >= 0], return_counts=True)
    more = dict(zip(children.tolist(), counts.tolist(), strict=True))
    return {child: visits.get(child, 0) + more.get(child, 0) for child in {**visits, **more}}


def course_of(outline: Summary, steps: Integers, most: int, names: Callable[[Sequence[int]], Sequence[str]]) -> Series:
    """Return the course of a search.

    Parameters
    ----------
    outline
        What is kept of the whole record.
    steps
        int64[8, n]: the record.
    most
        How many children of the root at most: those visited most.
    names
        Gives the names of the moves into some nodes.
    """
    at = 1 + stride_of(outline.n, MOST_POINTS) * np.arange(len(outline.visits))
    visits = outline.visits
    if outline.n and at[-1] != outline.n:
        at, visits = np.append(at, outline.n), (*visits, outline.now)
    children = sorted(sorted(outline.now, key=lambda child: (-outline.now[child], child))[:most])
    return Series(
        at,
        steps[NODES_AFTER, at - 1],
        steps[DEEPEST_AFTER, at - 1],
        steps[ROOT_SUM, at - 1] / root_visits(steps, at, outline.ticks),
        tuple(
            ChildSeries(child, name, np.array([each.get(child, 0) for each in visits]))
            for child, name in zip(children, names(children), strict=True)
        ),
    )


def standing_at(engine: Engine, moment: Moment) -> Standing:
    """Return what the record says about the tree at a moment: nodes come with expansion, a visit at the very end."""
    steps, (done, phase) = engine.steps, moment
    n_grown = done + (phase not in {"", "selection"})
    n_rewards = done + (phase in {"backpropagation", "elimination"})
    n_visits = int(root_visits(steps, np.array([n_rewards]), engine.game.events)[0]) if n_rewards else 0
    nodes = int(steps[NODES_AFTER, n_grown - 1]) if n_grown else 1
    return Standing(
        nodes=nodes,
        in_tree=nodes - _n_removed(engine, moment),
        visits=n_visits,
        value=int(steps[ROOT_SUM, n_rewards - 1]) / n_visits if n_visits else math.nan,
        value_range=value_range(engine),
    )


def _n_removed(engine: Engine, moment: Moment) -> int:
    """How many nodes are gone at a moment; in an expansion those are drawn still that it eliminates."""
    done, phase = moment
    if phase in {"", "selection", "expansion"}:
        end = engine.end_of(done)
    else:
        end = engine.before_reward(done + 1) if phase == "simulation" else engine.after_reward(done + 1)
    return int(np.count_nonzero(engine.written().events[:end, 0] == REMOVED))
