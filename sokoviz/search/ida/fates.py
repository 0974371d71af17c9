"""What became of every node of a record of iterative deepening, looked up without going through the record again."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sokoviz.core.branches import record as branches
from sokoviz.core.tree import flags
from sokoviz.search.ida.explaining import BECAME

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sokoviz.core.types import Integers
    from sokoviz.search.ida.engine import DeepeningEngine

FATES = ("open", "line", "searched", *(name for name in BECAME.values() if name != "open"), "solution")
"""what may have become of a node at some moment: it waits, it is on the line that is searched, it was searched to its
end, it was cut, or it solves the level"""

OPEN, LINE, SEARCHED = range(3)
SOLUTION = len(FATES) - 1
N_KINDS = 32  # more than there are kinds of events
NEVER = np.iinfo(np.int32).max
FATE_OF = np.zeros(N_KINDS, dtype=np.int8)
for _kind, _name in BECAME.items():
    FATE_OF[_kind] = FATES.index(_name)

TICKS = {
    "threshold": flags.THRESHOLD,
    "goal cut": flags.GOAL_CUT,
    "relevance": flags.RELEVANCE,
    "solution": flags.SOLUTION,
}
"""events that have ticks on a slider, and the flags of their steps"""
MOST_TICKS = 300  # of a kind
MOST_SUCCESSORS = 4096  # of a position: more than any board has


class Fates:
    """Facts of all events of a record by their number; keeps up with the record by looking only at what is new."""

    def __init__(self) -> None:
        self.n = 0
        """how many events were looked at"""
        self.n_steps = 0
        self.kinds = np.zeros(0, dtype=np.int8)
        """int8[capacity]: kind of each event"""
        self.before = np.zeros(1, dtype=np.int32)
        """int32[capacity + 1]: nodes brought by the events before each"""
        self.first_expanded, self.expanded, self.left, self.closed = (np.zeros(0, dtype=np.int32) for _ in range(4))
        """int32[capacity] each: the event at which a node was expanded first, last, left, or cut on a visit; NEVER"""
        self.why = np.zeros(0, dtype=np.int8)
        """int8[capacity]: what a node was cut by on a visit"""
        self.flags = np.zeros(0, dtype=np.int64)
        """int64[n_steps]: what steps are marked with"""
        self.roots = np.zeros(0, dtype=np.int64)
        """int64[n_thresholds]: the events at which thresholds begin"""
        self.solved = (NEVER, -1)
        """the event that tells of a solution, and its node"""

    def take_in(self, engine: DeepeningEngine) -> None:
        """Look at what is new in a record."""
        events, done = engine.events, self.n
        if len(events) == done:
            return
        self._grow(len(events))
        kinds = events[done:, branches.KIND].astype(np.int8)
        self.kinds[done : len(events)] = kinds
        is_node = kinds <= branches.PATTERN
        self.before[done + 1 : len(events) + 1] = self.before[done] + np.cumsum(is_node)
        self._note_places(events, kinds)
        last = engine.last
        self.flags = np.concatenate([self.flags, engine.flags_between(self.n_steps, last)])
        self.n, self.n_steps = len(events), last

    def _grow(self, n: int) -> None:
        """Make room for n events."""
        room = len(self.kinds)
        if n <= room:
            return
        more = max(n, 2 * room) - room
        for name in ("kinds", "why", "before"):
            setattr(self, name, np.pad(getattr(self, name), (0, more)))
        for name in ("first_expanded", "expanded", "left", "closed"):
            setattr(self, name, np.pad(getattr(self, name), (0, more), constant_values=NEVER))

    def _note_places(self, events: NDArray[np.int32], kinds: NDArray[np.int8]) -> None:
        """Note for each node where new events tell of it."""
        done = self.n
        nodes = events[done:, branches.NODE]
        places = {
            kind: np.flatnonzero(kinds == kind) for kind in (branches.EXPANDED, branches.DONE_BELOW, branches.CLOSED)
        }
        for kind, name in ((branches.EXPANDED, "expanded"), (branches.DONE_BELOW, "left"), (branches.CLOSED, "closed")):
            getattr(self, name)[nodes[places[kind]]] = done + places[kind]
        expanded = places[branches.EXPANDED]
        np.minimum.at(self.first_expanded, nodes[expanded], (done + expanded).astype(np.int32))
        closed = places[branches.CLOSED]
        self.why[nodes[closed]] = events[done + closed, branches.ORIGIN]
        roots = done + np.flatnonzero(kinds == branches.THRESHOLD)
        self.roots = np.concatenate([self.roots, roots])
        for place in np.flatnonzero(kinds == branches.SOLVES):
            self.solved = int(done + place), int(nodes[place])

    # --- at some moment ----------------------------------------------------------------------------------------------

    def threshold(self, end: int) -> int:
        """Return how many thresholds were begun in the first events."""
        return int(np.searchsorted(self.roots, end))

    def fates(self, nodes: Integers, end: int) -> NDArray[np.int8]:
        """int8[n]: what has become of nodes after the first `end` events."""
        found = FATE_OF[self.kinds[nodes]]
        found = np.where(self.closed[nodes] < end, FATE_OF[self.why[nodes]], found)
        found = np.where(self.first_expanded[nodes] < end, LINE, found)
        found = np.where(self.left[nodes] < end, SEARCHED, found)
        place, node = self.solved
        return np.where((nodes == node) & (place < end), SOLUTION, found).astype(np.int8)

    def below(self, nodes: Integers, end: int) -> Integers:
        """int64[n]: how many nodes are below nodes after the first `end` events.

        The search goes down before it goes on, so all that is below a node lies between its expansion and its end.
        """
        first = np.minimum(self.first_expanded[nodes], end)
        last = np.maximum(np.minimum(self.left[nodes], end), first)
        return (self.before[last] - self.before[first]).astype(np.int64)

    def counts(self, root: int, end: int) -> dict[str, int]:
        """Return how many nodes of a threshold have come to each fate after the first `end` events."""
        kinds = np.bincount(self.kinds[root:end], minlength=N_KINDS)
        found = dict.fromkeys(FATES, 0) | {name: int(kinds[kind]) for kind, name in BECAME.items()}
        closed = root + np.flatnonzero(self.closed[root:end] < end)
        for kind, n in enumerate(np.bincount(self.why[closed], minlength=len(BECAME)).tolist()):
            found[BECAME[kind]] += n
        n_expanded = int(np.count_nonzero(self.first_expanded[root:end] < end))
        is_solved = root <= self.solved[0] < end
        found["searched"] = int(kinds[branches.DONE_BELOW])
        found["line"] = n_expanded - found["searched"]
        found["open"] += 1 - len(closed) - n_expanded - is_solved  # the root waits too, before it is expanded
        found["solution"] = int(is_solved)
        return found

    def n_closed(self) -> Integers:
        """int64[n_thresholds]: how many nodes of each threshold were cut when they were visited."""
        closed = np.flatnonzero(self.closed[: self.n] < NEVER)
        return np.bincount(np.searchsorted(self.roots, closed, side="right") - 1, minlength=len(self.roots))

    def children(self, node: int, end: int) -> list[int]:
        """Return the successors of a node after the first `end` events, of both expansions where there are two."""
        places = dict.fromkeys((int(self.first_expanded[node]), int(self.expanded[node])))
        return [child for place in places if place < end for child in self._brought(place, end)]

    def _brought(self, place: int, end: int) -> range:
        """The nodes that an expansion brought."""
        upto = min(end, place + 1 + MOST_SUCCESSORS)
        others = np.flatnonzero(self.kinds[place + 1 : upto] > branches.PATTERN)
        return range(place + 1, place + 1 + int(others[0]) if len(others) else upto)

    def ticks(self) -> dict[str, list[int]]:
        """Return the steps with events of some kinds, thinned out where they lie too close to be told apart."""
        return {name: self._thinned(np.flatnonzero(self.flags & bit) + 1) for name, bit in TICKS.items()}

    def _thinned(self, steps: Integers) -> list[int]:
        """Some of these steps, one in each of equal stretches."""
        _, chosen = np.unique(steps * MOST_TICKS // max(self.n_steps, 1), return_index=True)
        return [int(step) for step in steps[chosen]]

    def previous(self, bit: int, before: int) -> int | None:
        """Return the last step before one that is marked with a flag."""
        found = np.flatnonzero(self.flags[: max(before - 1, 0)] & bit)
        return int(found[-1]) + 1 if len(found) else None
