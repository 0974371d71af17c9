"""The tree of a Monte Carlo search as arrays: nodes are numbered as they are added, and a number is never reused.

The children of a node stand side by side in a block, and so do their scores, so that selection is one scan. What is
known of one node stands side by side too: a step down or up the tree touches few lines of the cache. The sum of rewards
is kept, not their mean: rewards are integers, so sums are exact, and whatever is undone is undone exactly.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sokoviz.core.compiling.jit import lean
from sokoviz.core.compiling.prefetch import aligned_zeros
from sokoviz.core.tree.formulas import Formula, weight_of
from sokoviz.core.types import NOWHERE, Integers

# Rows of Arena.links.
PARENT, ACTION, FIRST, COUNT, DEPTH, VISITS, STATUS, PLACE = range(8)
N_LINKS = 8

# Bits of a node's status.
ELIMINATED, SOLVED = 1, 2

# Rows of Arena.scores.
VALUE, WEIGHT = range(2)

# Entries of Arena.counts.
NODES, SLOTS, AT = range(3)
N_COUNTS = 3


class Arena(NamedTuple):
    """A tree."""

    links: NDArray[np.int32]
    """int32[8, capacity], a node's entries side by side: parent, action that leads here, first slot of its children,
    their number, depth, visits, whether it was eliminated or is a solution, and its place among its siblings; an
    eliminated node still knows its parent"""
    sums: Integers
    """int64[capacity]: sum of the rewards, as the player sees them who moved into the node"""
    children: NDArray[np.int32]
    """int32[n]: blocks of children; a child that leaves its block leaves a slot free at the block's end"""
    scores: NDArray[np.float64]
    """float64[2, n], side by side in the slot of the child: value (mean reward) and weight of the exploration term;
    infinite and 0 where it is unvisited"""
    guesses: NDArray[np.int32]
    """int32[capacity]: the child of each node that selection went to last; it is often the one that it goes to next"""
    counts: Integers
    """int64[3]: nodes, used entries of ``children``, and the number of journal events that have been done"""


def make_arena(capacity: int) -> Arena:
    """Return an arena that holds a root without visits."""
    arena = Arena(
        links=aligned_zeros((N_LINKS, capacity), np.int32),
        sums=np.zeros(capacity, dtype=np.int64),
        children=np.zeros(capacity, dtype=np.int32),
        scores=aligned_zeros((2, capacity), np.float64),
        guesses=np.zeros(capacity, dtype=np.int32),
        counts=np.zeros(N_COUNTS, dtype=np.int64),
    )
    add_node(arena, NOWHERE, NOWHERE)
    return arena


def grow_arena(arena: Arena, capacity: int) -> Arena:
    """Return the same tree with room for more nodes."""
    return Arena(
        links=grown(arena.links, capacity),
        sums=grown(arena.sums, capacity),
        children=grown(arena.children, capacity),
        scores=grown(arena.scores, capacity),
        guesses=grown(arena.guesses, capacity),
        counts=arena.counts,
    )


def grown(array: NDArray[Any], capacity: int) -> NDArray[Any]:
    """Return an array whose last axis is longer, with the same entries in the same order."""
    shape = (*array.shape[:-1], capacity)
    larger = aligned_zeros(shape, array.dtype) if array.flags.f_contiguous else np.zeros(shape, array.dtype)
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
    links[STATUS, node] = 0
    links[PLACE, node] = 0
    arena.sums[node] = 0
    return node


@lean
def begin_block(arena: Arena, node: int) -> None:
    """Begin the block of a node's children behind all others."""
    arena.links[FIRST, node] = arena.counts[SLOTS]
    arena.links[COUNT, node] = 0


@lean
def append_child(arena: Arena, formula: Formula, node: int, child: int) -> None:
    """Append a child to the last block, which is this node's; others may have left that block already."""
    place = np.int64(arena.links[COUNT, node])
    slot = arena.links[FIRST, node] + place
    arena.links[COUNT, node] = place + 1
    arena.counts[SLOTS] = max(arena.counts[SLOTS], slot + 1)
    _seat(arena, formula, slot, place, child)


@lean
def _seat(arena: Arena, formula: Formula, slot: int, place: int, child: int) -> None:
    """Let a child have a slot, with its score."""
    arena.children[slot] = child
    arena.links[PLACE, child] = place
    _write_score(arena, formula, slot, np.int64(arena.links[VISITS, child]), arena.sums[child])


@lean
def _write_score(arena: Arena, formula: Formula, slot: int, visits: int, total: int) -> None:
    """Bring the score in a slot up to date."""
    if visits == 0:
        arena.scores[VALUE, slot] = np.inf
        arena.scores[WEIGHT, slot] = 0.0
    else:
        arena.scores[VALUE, slot] = total / visits
        arena.scores[WEIGHT, slot] = weight_of(formula, visits)


@lean
def _shift(arena: Arena, source: int, target: int, place: int) -> None:
    """Let a child have another slot of its block."""
    child = arena.children[source]
    arena.children[target] = child
    arena.links[PLACE, child] = place
    arena.scores[VALUE, target] = arena.scores[VALUE, source]
    arena.scores[WEIGHT, target] = arena.scores[WEIGHT, source]


@lean
def slot_of(arena: Arena, node: int) -> int:
    """The slot of any node but the root."""
    return np.int64(arena.links[FIRST, arena.links[PARENT, node]]) + arena.links[PLACE, node]


@lean
def take_child(arena: Arena, parent: int, place: int) -> None:
    """Take a child out of a block; those behind it move up, so that their order stays."""
    first, last = np.int64(arena.links[FIRST, parent]), np.int64(arena.links[COUNT, parent]) - 1
    for index in range(place, last):
        _shift(arena, first + index + 1, first + index, index)
    arena.links[COUNT, parent] = last


@lean
def put_child(arena: Arena, formula: Formula, parent: int, place: int, child: int) -> None:
    """Put a child back to where it was taken from."""
    first, count = np.int64(arena.links[FIRST, parent]), np.int64(arena.links[COUNT, parent])
    for index in range(count, place, -1):
        _shift(arena, first + index - 1, first + index, index)
    arena.links[COUNT, parent] = count + 1
    _seat(arena, formula, first + place, place, child)


@lean
def pass_along(arena: Arena, formula: Formula, node: int, stop: int, visits: int, reward: int) -> None:
    """Change the statistics of a node and of its ancestors below `stop`; where one player plays, no sign changes."""
    while node != stop:
        change_statistics(arena, formula, node, visits, reward)
        node = np.int64(arena.links[PARENT, node])


@lean
def common_ancestor(arena: Arena, one: int, other: int) -> int:
    """The deepest node that two nodes are both below, or one of them where the other is below it."""
    links = arena.links
    while one != other:
        if links[DEPTH, one] >= links[DEPTH, other]:
            one = np.int64(links[PARENT, one])
        else:
            other = np.int64(links[PARENT, other])
    return one


@lean
def shift_depths(arena: Arena, top: int, change: int) -> None:
    """Change the depth of a node and of all nodes below it, walking around its subtree without a stack."""
    links = arena.links
    links[DEPTH, top] += change
    node, place = top, 0
    while True:
        if place < links[COUNT, node]:
            node = np.int64(arena.children[links[FIRST, node] + place])
            links[DEPTH, node] += change
            place = 0
        elif node == top:
            return
        else:
            place = np.int64(links[PLACE, node]) + 1
            node = np.int64(links[PARENT, node])


@lean
def move_subtree(arena: Arena, formula: Formula, node: int, parent: int, action: int) -> None:
    """Make a node the last child of another one; it has been taken out of its old block (thesis, 5.2).

    The old ancestors lose the visits and rewards of the subtree, the new ones gain them; what both chains share keeps
    its own. Sums are moved, so that nothing is rounded.
    """
    links, former = arena.links, np.int64(arena.links[PARENT, node])
    visits, reward = links[VISITS, node], arena.sums[node]
    shared = common_ancestor(arena, former, parent)
    pass_along(arena, formula, former, shared, -visits, -reward)
    pass_along(arena, formula, parent, shared, visits, reward)
    links[PARENT, node] = parent
    links[ACTION, node] = action
    shift_depths(arena, node, links[DEPTH, parent] + 1 - links[DEPTH, node])


@lean
def change_statistics(arena: Arena, formula: Formula, node: int, visits: int, reward: int) -> None:
    """Add to a node's visits and to its sum of rewards, and bring its score up to date; the root has none."""
    links = arena.links
    total = np.int64(links[VISITS, node]) + visits
    links[VISITS, node] = total
    arena.sums[node] += reward
    if links[PARENT, node] != NOWHERE:
        _write_score(arena, formula, slot_of(arena, node), total, arena.sums[node])
