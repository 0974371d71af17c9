"""Where searches part ways: the first iteration in which their journals differ, and what each did there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from sokoviz.core.tree.arena import ACTION
from sokoviz.core.tree.flags import TIE
from sokoviz.core.tree.journal import EVENTS_END, FLAGS, NODES_AFTER
from sokoviz.search.contract import Moment

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from sokoviz.core.types import Integers
    from sokoviz.search.mcts.search import MCTS
    from sokoviz.search.mcts.views.explanation import Iteration


@dataclass(frozen=True)
class Difference:
    """The first iteration in which searches do something different."""

    iteration: int
    phase: str
    """the phase of it in which they part ways"""
    told: tuple[tuple[str, str], ...]
    """the name of each search, and what it did in that phase"""

    def __repr__(self) -> str:
        lines = (f"  {name}: {sentence}" for name, sentence in self.told)
        return "\n".join((f"The searches differ first in the {self.phase} of iteration {self.iteration:,}.", *lines))


def tell_difference(searches: Sequence[MCTS], names: Sequence[str], iteration: int) -> Difference:
    """Return what each search did in the iteration in which they part ways."""
    done = [search.explain(iteration) for search in searches]
    deeds = [_deeds_of(each) for each in done]
    phase = next(phase for phase in deeds[0] if any(each[phase] != deeds[0][phase] for each in deeds[1:]))
    told = (dict(each.sentences).get(phase, f"there is no {phase}.") for each in done)
    return Difference(iteration, phase, tuple(zip(names, told, strict=True)))


def _deeds_of(iteration: Iteration) -> dict[str, object]:
    """What an iteration did in each phase; nodes have the same numbers in trees that were the same before it."""
    expansion, simulation = iteration.expansion, iteration.simulation
    return {
        "selection": iteration.path,
        "expansion": expansion and (expansion.added, expansion.actions, expansion.moved, expansion.drawn),
        "simulation": simulation and (simulation.node, simulation.reward),
        "elimination": iteration.elimination,
    }


def first_different(one: MCTS, other: MCTS) -> int | None:
    """Return the first iteration in which the journals of two searches differ, None where they never do."""
    n = min(one.last, other.last)
    if not n:
        return None
    (ends, events), (other_ends, other_events) = _journal_of(one, n), _journal_of(other, n)
    number = _first(ends != other_ends, n) + 1
    n_events = int(ends[min(number, n) - 1])
    n_common = min(n_events, len(other_events))
    row = _first((events[:n_common] != other_events[:n_common]).any(axis=1), n_events)
    number = min(number, int(np.searchsorted(ends, row, side="right")) + 1)
    number = min(number, _first_other_child(one, other, number - 1))
    number = min(number, _first_other_leaf(one, other, number - 1))
    return number if number <= n else None


def _first(differs: NDArray[np.bool_], otherwise: int) -> int:
    """Where something first differs."""
    found = np.flatnonzero(differs)
    return int(found[0]) if len(found) else otherwise


def _journal_of(search: MCTS, n: int) -> tuple[Integers, NDArray[np.int32]]:
    """How many events are done after each of n iterations, and these events; no later iteration changes them."""
    with search.at(search.moment) as engine:
        ends = engine.steps[EVENTS_END, :n]
        return ends, engine.written().events[: ends[-1]]


def _first_other_child(one: MCTS, other: MCTS, n: int) -> int:
    """The first iteration in which a node comes by another action, where n iterations are the same otherwise.

    It is n + 1 where there is none. Moves of subtrees are among what is the same, so that actions which differ in the
    end have always differed.
    """
    actions, other_actions = _actions_after(one, n), _actions_after(other, n)
    node = _first(actions != other_actions, len(actions))
    with one.at(Moment(n)) as engine:
        made = int(np.searchsorted(engine.steps[NODES_AFTER, :n], node, side="right"))
    return made + 1


def _first_other_leaf(one: MCTS, other: MCTS, n: int) -> int:
    """The first iteration that leaves no event in either journal but ends at another leaf, of n that are the same.

    It is n + 1 where there is none. So it is where a leaf without successors stays (`stall`). Nothing has changed when
    the next iteration begins, which then ends at the same leaf unless chance had a say.
    """
    ends, _ = _journal_of(one, n) if n else (np.zeros(0, dtype=np.int64), None)
    is_empty = np.diff(ends, prepend=0) == 0
    is_same = np.zeros(n, dtype=np.bool_)
    is_same[1:] = is_empty[:-1] & ~_is_by_chance(one, n)[1:] & ~_is_by_chance(other, n)[1:]
    numbers = (np.flatnonzero(is_empty & ~is_same) + 1).tolist()
    return next((number for number in numbers if _leaf_of(one, number) != _leaf_of(other, number)), n + 1)


def _is_by_chance(search: MCTS, n: int) -> NDArray[np.bool_]:
    """Whether there was a tie, for each of n iterations."""
    with search.at(search.moment) as engine:
        return engine.steps[FLAGS, :n] & TIE > 0


def _leaf_of(search: MCTS, number: int) -> int:
    """Where selection ended in an iteration."""
    with search.at(Moment(number - 1)) as engine:
        return engine.measure(number).leaf


def _actions_after(search: MCTS, n: int) -> NDArray[np.int32]:
    """The actions that lead to the nodes after n iterations."""
    with search.at(Moment(n)) as engine:
        return engine.arena.links[ACTION, : engine.n_nodes].copy()
