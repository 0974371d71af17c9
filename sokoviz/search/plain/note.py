"""What a search in plain Python notes of itself, and the record that comes of it.

A line of the record is an event. All of them together tell what the forest of nodes was at any moment: nothing is ever
taken back, and a node that is linked to another parent keeps the events that told of the former one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from sokoviz.core.tree import flags
from sokoviz.core.types import NOWHERE
from sokoviz.errors import SearchError
from sokoviz.search.contract import Counters, first_reached

if TYPE_CHECKING:
    from sokoviz.core.types import Integers
    from sokoviz.search.contract import Stop

ROOT, ADDED, EXPANDED, REJECTED, RELINKED, MET, SOLVED = range(7)
MARK_OF = {
    EXPANDED: flags.EXPANSION,
    REJECTED: flags.REJECTION,
    RELINKED: flags.RELINK,
    MET: flags.MEETING,
    SOLVED: flags.SOLUTION,
}
"""what a step is marked with where its events are of a kind"""
EVENTS = ("expansion", "rejection", "relink", "meeting", "solution")


class Event(NamedTuple):
    """One thing that was noted."""

    kind: int
    node: int
    """the node it is about; of what was rejected, the one whose successor that is"""
    other: int = NOWHERE
    """the parent, the new parent, or the node that is met"""
    action: Any = None
    why: str = ""


class Node(NamedTuple):
    """A node as it was when it came."""

    parent: int
    """NOWHERE for a root"""
    action: Any
    """what leads to it from its parent; where boxes are pulled, what leads back"""
    state: Any
    depth: int


class Note:
    """Where a search notes what it does; each verb is an event of the step under way.

    Nodes are numbers, in the order in which they come. What states and actions are is the search's own business; where
    they are boards of Sokoban and pushes, a solution is played by the rules before anybody sees it.
    """

    def __init__(self) -> None:
        self.nodes: list[Node] = []
        self.events: list[Event] = []
        self._parents: list[int] = []
        self._met: dict[int, int] = {}
        self._lines: list[tuple[Any, ...]] = []  # of the solutions, in the order in which they were found
        self._n_expanded = 0
        self._marks = 0
        self._n_steps = 0
        self._steps = np.zeros((1 << 8, 5), dtype=np.int64)  # events, nodes, expanded, marks and solutions after each
        self._is_clean = True  # whether nothing was noted since the last step ended

    # --- what a search notes -----------------------------------------------------------------------------------------

    def root(self, state: Any) -> int:  # noqa: ANN401  as the search has it
        """Begin with a state; a search from both ends has two roots. Return its node."""
        return self._bring(ROOT, NOWHERE, None, state)

    def add(self, parent: int, action: Any, state: Any) -> int:  # noqa: ANN401
        """Add a successor of a node, and what leads to it; return its node."""
        self._check(parent)
        return self._bring(ADDED, parent, action, state)

    def expand(self, node: int) -> None:
        """The successors of a node are about to be generated: that makes it one of the positions that are counted."""
        self._check(node)
        self._n_expanded += 1
        self._write(Event(EXPANDED, node))

    def reject(self, parent: int, action: Any, why: str) -> None:  # noqa: ANN401
        """Leave out a successor of a node, and say why in a few words."""
        self._check(parent)
        self._write(Event(REJECTED, parent, NOWHERE, action, str(why)))

    def relink(self, node: int, parent: int, action: Any = None) -> None:  # noqa: ANN401
        """A better way leads to a node: from another parent now, by an action."""
        self._check(node)
        self._check(parent)
        above = parent
        while above not in {node, NOWHERE}:
            above = self._parents[above]
        if above == node:
            message = f"expected a new parent that is not below the node itself, found {parent} below {node}"
            raise SearchError(message)
        self._parents[node] = parent
        self._write(Event(RELINKED, node, parent, action))

    def meet(self, a: int, b: int) -> None:
        """Two nodes are one position, found from both ends."""
        self._check(a)
        self._check(b)
        self._met |= {a: b, b: a}
        self._write(Event(MET, a, b))

    def solved(self, node: int) -> None:
        """A node solves the level; where it has met another one, the way goes on from that, back to the root there."""
        self._check(node)
        here, there = sorted((node, self._met.get(node, node)), key=self._root_of)
        self._lines.append(self.line(here) + (self.line(there)[::-1] if there != here else ()))
        self._write(Event(SOLVED, node))

    def state(self, node: int) -> Any:  # noqa: ANN401
        """Return the state of a node."""
        self._check(node)
        return self.nodes[node].state

    def parent(self, node: int) -> int | None:
        """Return the parent of a node as it is now, None for a root."""
        self._check(node)
        return None if self._parents[node] == NOWHERE else self._parents[node]

    def line(self, node: int) -> tuple[Any, ...]:
        """Return the actions that lead from a root to a node."""
        actions = []
        while self._parents[node] != NOWHERE:
            actions.append(self._action_into(node))
            node = self._parents[node]
        return tuple(actions[::-1])

    # --- what becomes of it ------------------------------------------------------------------------------------------

    def _bring(self, kind: int, parent: int, action: Any, state: Any) -> int:  # noqa: ANN401
        """A node comes."""
        depth = self.nodes[parent].depth + 1 if parent != NOWHERE else 0
        self.nodes.append(Node(parent, action, state, depth))
        self._parents.append(parent)
        self._write(Event(kind, len(self.nodes) - 1, parent, action))
        return len(self.nodes) - 1

    def _root_of(self, node: int) -> int:
        """Where the way to a node begins; the first root of all is the start."""
        while self._parents[node] != NOWHERE:
            node = self._parents[node]
        return node

    def _action_into(self, node: int) -> Any:  # noqa: ANN401
        """What leads to a node from its parent as it is now."""
        for event in reversed(self.events) if self._parents[node] != self.nodes[node].parent else ():
            if event.kind == RELINKED and event.node == node:
                return event.action
        return self.nodes[node].action

    def _write(self, event: Event) -> None:
        """Write an event down."""
        self.events.append(event)
        self._marks |= MARK_OF.get(event.kind, 0)
        self._is_clean = False

    def _check(self, node: object) -> None:
        """Raise where there is no node of a number."""
        if isinstance(node, bool) or not hasattr(node, "__index__") or not 0 <= node.__index__() < len(self.nodes):
            message = f"expected a node from 0 to {len(self.nodes) - 1}, found {node!r}"
            raise SearchError(message)

    def end_step(self, *, is_last: bool = False) -> bool:
        """A step is complete; return whether it counts: what comes after the last `yield` may be nothing."""
        if is_last and self._is_clean:
            return False
        if self._n_steps == len(self._steps):
            self._steps = np.concatenate([self._steps, np.zeros_like(self._steps)])
        row = len(self.events), len(self.nodes), self._n_expanded, self._marks, len(self._lines)
        self._steps[self._n_steps] = row
        self._n_steps += 1
        self._marks, self._is_clean = 0, True
        return True

    def drop_step(self) -> None:
        """A step came to nothing: forget what was noted of it."""
        events, nodes, expanded, _, lines = self._steps[self._n_steps - 1].tolist() if self._n_steps else (0,) * 5
        del self.events[events:], self.nodes[nodes:], self._parents[nodes:], self._lines[lines:]
        self._n_expanded, self._marks, self._is_clean = expanded, 0, True

    # --- the record --------------------------------------------------------------------------------------------------

    @property
    def last(self) -> int:
        """Number of steps."""
        return self._n_steps

    @property
    def marks(self) -> Integers:
        """int64[last]: bits of the events of each step."""
        return self._steps[: self._n_steps, 3]

    def end_of(self, step: int) -> int:
        """Return how many events are done after a step; 0 is before the first."""
        return int(self._steps[step - 1, 0]) if step else 0

    def n_nodes_after(self, step: int) -> int:
        """Return how many nodes there are after a step."""
        return int(self._steps[step - 1, 1]) if step else 0

    def counters_after(self, step: int) -> Counters:
        """Return how much was done by the end of a step."""
        return Counters(step, step, int(self._steps[step - 1, 2])) if step else Counters()

    def solution_after(self, step: int) -> tuple[Any, ...] | None:
        """Return the actions of the first solution, if it was found by the end of a step."""
        return self._lines[0] if step and self._steps[step - 1, 4] else None

    def first_reached(self, stop: Stop, done: int, upto: int) -> int | None:
        """Return the first of the moments from `done` to `upto` steps at which a limit is reached."""
        return first_reached(self.counters_after, stop, done, upto)

    def first_visit(self, node: int, done: int, upto: int) -> int | None:
        """Return the first of the steps after `done` up to `upto` that expands a node."""
        for step in range(done + 1, upto + 1):
            events = self.events[self.end_of(step - 1) : self.end_of(step)]
            if any(event.kind == EXPANDED and event.node == node for event in events):
                return step
        return None
