"""Copies of a tree at a few moments of its record, so that a far jump need not go through all events between.

A copy holds all nodes of the record, also those that come later: what undoing leaves behind in the arrays is what doing
them again begins with.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from sokoviz.core.tree.arena import AT, SLOTS

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from sokoviz.core.tree.arena import Arena
    from sokoviz.core.types import Integers

N_PARTS = 8  # of a record, between two copies each
MOST_BYTES = 64 << 20  # that all copies may take
FAR_JUMP = 10_000  # events that take as long as to bring a copy back


class Snapshot(NamedTuple):
    """A tree at a moment."""

    links: NDArray[np.int32]
    sums: Integers
    children: NDArray[np.int32]
    scores: NDArray[np.float64]
    counts: Integers
    end: int
    """events of the record when it was made: it knows nothing of nodes that were added later"""


class Snapshots:
    """Copies of one tree, made where far jumps pass by."""

    def __init__(self) -> None:
        self._kept: dict[int, Snapshot] = {}  # by the number of events that are done
        self._spacing = 0

    def bring_near(self, arena: Arena, target: int, end: int) -> None:
        """Bring back the copy that is nearest to a moment, where that is nearer than where the tree is.

        Parameters
        ----------
        arena
            The tree, which is changed.
        target
            How many events are to be done.
        end
            Events of the record.
        """
        at = int(arena.counts[AT])
        usable = [event for event, kept in self._kept.items() if at <= kept.end <= end]
        nearest = min(usable, key=lambda event: abs(event - target), default=at)
        if abs(at - target) - abs(nearest - target) > FAR_JUMP:
            _restore(arena, self._kept[nearest])

    def stop_on_the_way(self, at: int, target: int, end: int) -> int | None:
        """Return where a copy is to be made on the way from one moment to another; None for nowhere.

        It is the last place of several. Places are chosen anew when the record has become twice as long.
        """
        if end > 2 * N_PARTS * self._spacing:
            self._kept.clear()
            self._spacing = max(end // N_PARTS, 2 * FAR_JUMP)
        spacing = self._spacing
        place = (target // spacing if target > at else -(-target // spacing)) * spacing
        is_between = min(at, target) <= place <= max(at, target)
        return place if is_between and place and place not in self._kept else None

    def keep(self, arena: Arena, n_nodes: int, end: int) -> None:
        """Keep a copy of a tree as it is, unless there is no room for it.

        Parameters
        ----------
        arena
            The tree.
        n_nodes
            Nodes of the whole record.
        end
            Events of the record.
        """
        n_slots = int(arena.counts[SLOTS])
        made = Snapshot(
            arena.links[:, :n_nodes].copy(order="K"),
            arena.sums[:n_nodes].copy(),
            arena.children[:n_slots].copy(),
            arena.scores[:, :n_slots].copy(order="K"),
            arena.counts.copy(),
            end,
        )
        if sum(map(_n_bytes, [*self._kept.values(), made])) <= MOST_BYTES:
            self._kept[int(arena.counts[AT])] = made


def _n_bytes(snapshot: Snapshot) -> int:
    """Memory that a copy takes."""
    arrays: tuple[NDArray[Any], ...] = snapshot[:-1]
    return sum(array.nbytes for array in arrays)


def _restore(arena: Arena, kept: Snapshot) -> None:
    """Let a tree be what it was."""
    n_nodes, n_slots = len(kept.sums), len(kept.children)
    arena.links[:, :n_nodes] = kept.links
    arena.sums[:n_nodes] = kept.sums
    arena.children[:n_slots] = kept.children
    arena.scores[:, :n_slots] = kept.scores
    arena.counts[:] = kept.counts
