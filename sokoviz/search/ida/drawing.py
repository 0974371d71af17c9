"""The tree of a threshold as far as it is drawn: the line that is searched, what lies beside it, and what came last."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from sokoviz.core.branches import record as branches
from sokoviz.core.tree.excerpt import lay_out
from sokoviz.search.branches.reader import BranchReader
from sokoviz.search.ida.fates import FATES
from sokoviz.search.mcts.views.drawing import NEW, Drawing

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sokoviz.search.ida.engine import DeepeningEngine
    from sokoviz.search.ida.fates import Fates

N_LEVELS = 14  # of moves drawn below each other: a whole line would be too thin to read
RECENT = 1500  # events looked at for what came last


class Branching(NamedTuple):
    """The tree of a threshold at some moment, and the part of it that is drawn."""

    drawing: Drawing
    """its values are numbers of fates, see `FATES`; its visits count the nodes below each node, itself among them"""
    current: int
    """the node that was expanded last; the root where a threshold came to its end"""
    line: tuple[int, ...]
    """the nodes from the root to it, or to the selected node where that is elsewhere"""
    top_depth: int
    """how deep the uppermost node is that is drawn"""
    counts: dict[str, int]
    """nodes of the whole tree by fate"""
    n_thresholds: int
    """thresholds begun"""
    notes: tuple[str, ...]
    """pushes made and left, of each node drawn"""


class Stretch:
    """The events of a threshold up to some moment."""

    def __init__(self, engine: DeepeningEngine, outline: Fates, step: int) -> None:
        written = engine.written()
        outline.take_in(written)
        self.outline, self.record = outline, BranchReader(written.events, engine.tables.width)
        self.events = self.record.events
        self.begin, self.end = written.end_of(step - 1), written.end_of(step)
        self.n_thresholds = outline.threshold(self.end)
        self.root = int(outline.roots[self.n_thresholds - 1])

    def has(self, node: int) -> bool:
        """Whether a number is that of a node that is there."""
        if node == self.root:
            return True
        return self.root < node < self.end and bool(self.outline.kinds[node] <= branches.PATTERN)

    @property
    def current(self) -> int:
        """The node that the step is about."""
        kinds = self.outline.kinds[self.begin : self.end]
        found = np.flatnonzero((kinds == branches.EXPANDED) | (kinds == branches.SOLVES))
        return int(self.events[self.begin + found[-1], branches.NODE]) if len(found) else self.root

    def path(self, node: int) -> list[int]:
        """The nodes from the root to a node."""
        return [self.root, *self.record.path(node)]

    def draw(self, selected: int, limit: int, unfolded: Iterable[int] = ()) -> Branching:
        """Return what to draw.

        Parameters
        ----------
        selected
            A node that is drawn in any case, with those above it as far as there is room.
        limit
            How many nodes at most, beside these.
        unfolded
            Nodes all of whose children are drawn.
        """
        line, current = self.path(selected), self.current
        top = max(0, len(line) - N_LEVELS + 1)
        chosen = _Choice(self, line[top], limit)
        chosen.add_all(line[top:])
        for node in (*unfolded, *reversed(line[top:])):
            chosen.add_all(self.outline.children(node, self.end), limit)
        chosen.add_all(self.path(current), limit)
        chosen.add_all(self._recent(line[top]), limit)
        drawing = self._drawing(chosen)
        counts = self.outline.counts(self.root, self.end)
        notes = tuple(self.note(node) for node in drawing.nodes.tolist())
        return Branching(drawing, current, tuple(line), top, counts, self.n_thresholds, notes)

    def _recent(self, top: int) -> list[int]:
        """The nodes that came last below some node, the latest first."""
        end = min(self.end, int(self.outline.left[top]))
        begin = max(min(int(self.outline.first_expanded[top]), end), end - RECENT)
        found = np.flatnonzero(self.outline.kinds[begin:end] <= branches.PATTERN)
        return [int(place) for place in begin + found[::-1]]

    def note(self, node: int) -> str:
        """Pushes made to a node, left from it at least, and both."""
        if node == self.root:
            first = int(self.outline.first_expanded[node])
            return f"f = {self.events[first, branches.ORIGIN]}" if first < self.end else ""
        way, left = map(int, self.events[node, branches.WAY :])
        return f"f = {way} + {left} = {way + left}" if 0 <= left < branches.NO_BOUND else f"g = {way}"

    def name(self, node: int) -> str:
        """The move into a node, and how many pushes that takes where it takes several."""
        if node == self.root:
            return ""
        move = self.record.move(node)
        return f"{move} ×{move.n_pushes}" if move.n_pushes > 1 else str(move)

    def _drawing(self, chosen: _Choice) -> Drawing:
        """The nodes that were chosen, with their places."""
        order, parents, depths = chosen.in_order()
        nodes = np.array(order, dtype=np.int64)
        below = self.outline.below(nodes, self.end)
        hidden = below.copy()
        np.subtract.at(hidden, np.array(parents[1:], dtype=np.int64), below[1:] + 1)
        xs, stubs = lay_out(np.array(parents, dtype=np.int64), np.array(depths, dtype=np.int64), hidden)
        return Drawing(
            nodes=nodes,
            parents=np.array(parents, dtype=np.int64),
            xs=xs,
            stub_xs=stubs,
            depths=np.array(depths, dtype=np.int32),
            visits=(below + 1).astype(np.int32),
            values=self.outline.fates(nodes, self.end).astype(np.float64),
            scores=np.full(len(nodes), np.nan),
            hidden=hidden,
            flags=((nodes >= self.begin) & (nodes != self.root)).astype(np.uint8) * np.uint8(NEW),
            actions=tuple(self.name(node) for node in order),
            value_range=(0.0, float(len(FATES) - 1)),
            n_nodes=1 + int(self.outline.before[self.end] - self.outline.before[self.root]),
        )


class _Choice:
    """Nodes that are chosen to be drawn, below an uppermost one and not too deep."""

    def __init__(self, stretch: Stretch, top: int, limit: int) -> None:
        self._parents = stretch.events[:, branches.NODE]
        self._root = stretch.root
        self._limit = limit
        self.top = top
        self.depths = {top: 0}

    def add_all(self, nodes: Iterable[int], limit: int | None = None) -> None:
        """Choose nodes with those above them, as long as there are not too many."""
        for node in nodes:
            above = self._missing(node)
            if limit is not None and len(self.depths) + len(above) > limit:
                return
            for each in above:
                self.depths[each] = self.depths[int(self._parents[each])] + 1

    def _missing(self, node: int) -> list[int]:
        """A node and those above it that are not chosen yet, the uppermost first; none where it cannot be drawn."""
        found: list[int] = []
        while node not in self.depths:
            found.append(node)
            if node == self._root:
                return []  # not below the uppermost one
            node = int(self._parents[node])
        return found[::-1] if self.depths[node] + len(found) < N_LEVELS else []

    def in_order(self) -> tuple[list[int], list[int], list[int]]:
        """The nodes depth first, children from left to right; where their parents stand; and their depths."""
        children: dict[int, list[int]] = {}
        for node in sorted(self.depths, reverse=True):
            if node != self.top:
                children.setdefault(int(self._parents[node]), []).append(node)
        order, parents, stack = list[int](), list[int](), [(self.top, -1)]
        while stack:
            node, parent = stack.pop()
            stack += [(child, len(order)) for child in children.get(node, ())]
            order.append(node)
            parents.append(parent)
        return order, parents, [self.depths[node] for node in order]


def load() -> None:
    """Load the kernel that lays a tree out."""
    lay_out(np.array([-1, 0]), np.array([0, 1]), np.array([0, 1]))
