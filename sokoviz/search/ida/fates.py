"""What became of every node of a record of iterative deepening, looked up without going through the record again."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sokoviz.core.branches import record as branches
from sokoviz.search.branches.reader import BECAME
from sokoviz.search.ticks import more_ticks, no_ticks

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sokoviz.core.types import Integers
    from sokoviz.search.branches.record import BranchRecord

FATES = ("open", "line", "searched", *(name for name in BECAME.values() if name != "open"), "solution")
"""what may have become of a node at some moment: it waits, it is on the line that is searched, it was searched to its
end, it was cut, or it solves the level"""

OPEN, LINE, SEARCHED = range(3)
SOLUTION = len(FATES) - 1
N_KINDS = 32  # more than there are kinds of events
EXPANDED_AGAIN = 22  # a sort of event beside the kinds of the record: a goal cut is taken back
CUT_LATE = 24  # and what is cut on a visit: this, and by what
NEVER = np.iinfo(np.int32).max
FATE_OF = np.zeros(N_KINDS, dtype=np.int8)
for _kind, _name in BECAME.items():
    FATE_OF[_kind] = FATES.index(_name)

TICKS = ("threshold", "goal cut", "relevance", "solution")
"""events that have ticks on a slider"""
BLOCK = 4096  # events between two places at which it is known how many there are of each sort
MOST_SUCCESSORS = 4096  # of a position: more than any board has


class Fates:
    """Facts of all events of a record by their number; keeps up with the record by looking only at what is new."""

    def __init__(self) -> None:
        self.n = 0
        """how many events were looked at"""
        self.n_steps = 0
        """how many steps"""
        self.kinds = np.zeros(0, dtype=np.int8)
        """int8[capacity]: kind of each event"""
        self._sorts = np.zeros(0, dtype=np.int8)
        """int8[capacity]: the same, but that it tells events apart that are not alike to `counts`"""
        self._tallies = np.zeros((1, N_KINDS), dtype=np.int64)
        """int64[n // BLOCK + 1, 32]: how many events there are of each sort before each block"""
        self._n_closed = np.zeros(0, dtype=np.int64)
        """int64[n_thresholds]: how many nodes were cut when they were visited"""
        self._ticks = no_ticks(TICKS)
        self.before = np.zeros(1, dtype=np.int32)
        """int32[capacity + 1]: nodes brought by the events before each"""
        self.first_expanded, self.expanded, self.left, self.closed = (np.zeros(0, dtype=np.int32) for _ in range(4))
        """int32[capacity] each: the event at which a node was expanded first, last, left, or cut on a visit; NEVER"""
        self.why = np.zeros(0, dtype=np.int8)
        """int8[capacity]: what a node was cut by on a visit"""
        self.roots = np.zeros(0, dtype=np.int64)
        """int64[n_thresholds]: the events at which thresholds begin"""
        self.solved = (NEVER, -1)
        """the event that tells of a solution, and its node"""

    def take_in(self, record: BranchRecord) -> None:
        """Look at what is new in a record."""
        events, done = record.events, self.n
        if len(events) == done:
            return
        self._grow(len(events))
        kinds = events[done:, branches.KIND].astype(np.int8)
        self.kinds[done : len(events)] = kinds
        is_node = kinds <= branches.PATTERN
        self.before[done + 1 : len(events) + 1] = self.before[done] + np.cumsum(is_node)
        self._note_places(events, kinds)
        self._note_sorts(events, kinds)
        self._ticks = more_ticks(self._ticks, self.n_steps, record.marks)
        self.n, self.n_steps = len(events), record.last

    def _grow(self, n: int) -> None:
        """Make room for n events."""
        room = len(self.kinds)
        if n <= room:
            return
        more = max(n, 2 * room) - room
        for name in ("kinds", "why", "before", "_sorts"):
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

    def _note_sorts(self, events: NDArray[np.int32], kinds: NDArray[np.int8]) -> None:
        """Note of which sort new events are, and how many there are of each before each block."""
        done, n = self.n, len(events)
        sorts, places = kinds.copy(), np.arange(done, n)
        nodes = events[done:, branches.NODE]
        closed, expanded = kinds == branches.CLOSED, kinds == branches.EXPANDED
        sorts[closed] = CUT_LATE + events[done:, branches.ORIGIN][closed]
        again = expanded & (self.first_expanded[np.where(expanded, nodes, 0)] != places)
        sorts[again] = EXPANDED_AGAIN
        self._sorts[done:n] = sorts
        blocks = range(len(self._tallies) - 1, n // BLOCK)
        more = [np.bincount(self._sorts[b * BLOCK : (b + 1) * BLOCK], minlength=N_KINDS) for b in blocks]
        if more:
            self._tallies = np.concatenate([self._tallies, self._tallies[-1] + np.cumsum(more, axis=0)])
        late = np.bincount(np.searchsorted(self.roots, places[closed], side="right") - 1, minlength=len(self.roots))
        late[: len(self._n_closed)] += self._n_closed
        self._n_closed = late

    def _tally(self, end: int) -> Integers:
        """int64[32]: how many of the first events are of each sort; at most a block of them is looked at."""
        block = end // BLOCK
        tally: Integers = self._tallies[block] + np.bincount(self._sorts[block * BLOCK : end], minlength=N_KINDS)
        return tally

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
        sorts = self._tally(end) - self._tally(root)
        late = {name: int(sorts[CUT_LATE + kind]) for kind, name in BECAME.items()}
        found = dict.fromkeys(FATES, 0) | {name: int(sorts[kind]) + late[name] for kind, name in BECAME.items()}
        n_expanded, is_solved = int(sorts[branches.EXPANDED]), root <= self.solved[0] < end
        found["searched"] = int(sorts[branches.DONE_BELOW])
        found["line"] = n_expanded - found["searched"]
        found["open"] += 1 - sum(late.values()) - n_expanded - is_solved  # the root waits too, before it is expanded
        found["solution"] = int(is_solved)
        return found

    def n_closed(self) -> Integers:
        """int64[n_thresholds]: how many nodes of each threshold were cut when they were visited."""
        return self._n_closed

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
        return {name: steps.tolist() for name, steps in self._ticks.items()}
