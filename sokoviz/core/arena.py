"""The tree of a Monte Carlo search as arrays: nodes are numbered as they are added, and a number is never reused.

The children of a node stand side by side in a block of ``children``, so that selection is one scan. The sum of rewards
is kept, not their mean: rewards are integers, so sums are exact, and whatever is undone is undone exactly.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sokoviz.core.formulas import Formula, weight_of
from sokoviz.core.jit import lean
from sokoviz.core.types import NOWHERE, Integers

# Rows of Arena.links.
PARENT, ACTION, FIRST, COUNT, DEPTH, VISITS = range(6)
N_LINKS = 6

# Rows of Arena.scores.
VALUE, WEIGHT = range(2)

# Entries of Arena.counts.
NODES, SLOTS, AT = range(3)
N_COUNTS = 3


class Arena(NamedTuple):
    """A tree."""

    links: NDArray[np.int32]
    """int32[6, capacity]: parent, action that leads here, first slot of its children, their number, depth, visits"""
    sums: Integers
    """int64[capacity]: sum of the rewards, as the player sees them who moved into the node"""
    scores: NDArray[np.float64]
    """float64[2, capacity]: value (mean reward) and weight of the exploration term; infinite and 0 where unvisited"""
    children: NDArray[np.int32]
    """int32[capacity]: blocks of children"""
    counts: Integers
    """int64[3]: nodes, used entries of ``children``, and the number of journal events that have been done"""


def make_arena(capacity: int) -> Arena:
    """Return an arena that holds a root without visits."""
    arena = Arena(
        links=np.zeros((N_LINKS, capacity), dtype=np.int32),
        sums=np.zeros(capacity, dtype=np.int64),
        scores=np.zeros((2, capacity), dtype=np.float64),
        children=np.zeros(capacity, dtype=np.int32),
        counts=np.zeros(N_COUNTS, dtype=np.int64),
    )
    add_node(arena, NOWHERE, NOWHERE)
    return arena


def grow_arena(arena: Arena, capacity: int) -> Arena:
    """Return the same tree with room for more nodes."""
    return Arena(
        links=grown(arena.links, capacity),
        sums=grown(arena.sums, capacity),
        scores=grown(arena.scores, capacity),
        children=grown(arena.children, capacity),
        counts=arena.counts,
    )


def grown(array: NDArray[Any], capacity: int) -> NDArray[Any]:
    """Return an array whose last axis is longer, with the same entries."""
    larger = np.zeros((*array.shape[:-1], capacity), dtype=array.dtype)
    larger[..., : array.shape[-1]] = array
    return larger


@lean
def add_node(arena: Arena, parent: int, action: int) -> int:
    """Add a node without visits; the caller appends it to the block of its parent."""
    node = arena.counts[NODES]
    arena.counts[NODES] = node + 1
    links = arena.links
    links[PARENT, node] = parent
    links[ACTION, node] = action
    links[FIRST, node] = 0
    links[COUNT, node] = 0
    links[DEPTH, node] = 0 if parent == NOWHERE else links[DEPTH, parent] + 1
    links[VISITS, node] = 0
    arena.sums[node] = 0
    arena.scores[VALUE, node] = np.inf
    arena.scores[WEIGHT, node] = 0.0
    return node


@lean
def begin_block(arena: Arena, node: int) -> None:
    """Begin the block of a node's children behind all others."""
    arena.links[FIRST, node] = arena.counts[SLOTS]
    arena.links[COUNT, node] = 0


@lean
def append_child(arena: Arena, node: int, child: int) -> None:
    """Append a child to the last block, which is this node's."""
    arena.children[arena.counts[SLOTS]] = child
    arena.counts[SLOTS] += 1
    arena.links[COUNT, node] += 1


@lean
def change_statistics(arena: Arena, formula: Formula, node: int, visits: int, reward: int) -> None:
    """Add to a node's visits and to its sum of rewards, and bring its score up to date."""
    total = arena.links[VISITS, node] + visits
    arena.links[VISITS, node] = total
    arena.sums[node] += reward
    if total == 0:
        arena.scores[VALUE, node] = np.inf
        arena.scores[WEIGHT, node] = 0.0
    else:
        arena.scores[VALUE, node] = arena.sums[node] / total
        arena.scores[WEIGHT, node] = weight_of(formula, total)
