"""The part of a tree that is drawn: which nodes, in which order, and where."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sokoviz.core.compiling.jit import kernel, lean
from sokoviz.core.tree.arena import COUNT, DEPTH, ELIMINATED, FIRST, NODES, PARENT, STATUS, VISITS, Arena
from sokoviz.core.types import NO_LIMIT, NOWHERE, Flags, Integers

SEPARATION = 1.0  # between neighbours of one depth
UNKNOWN = -2  # beside NOWHERE


class Excerpt(NamedTuple):
    """Some nodes of a tree, a parent before its children and children from left to right."""

    nodes: Integers
    """int64[n]: numbers of the nodes"""
    parents: Integers
    """int64[n]: where the parent stands in these arrays; NOWHERE for the root"""
    hidden: Integers
    """int64[n]: how many nodes below are left out"""
    xs: NDArray[np.float64]
    """float64[n]: place from left to right, the root at 0"""
    stub_xs: NDArray[np.float64]
    """float64[n]: place of the sign for what is left out, one depth below; NaN where nothing is"""


@kernel
def choose_nodes(arena: Arena, must: Integers, limit: int, deepest: int, fewest: int, widest: int = NO_LIMIT) -> Flags:
    """Which nodes to draw: those that must be, then by visits, as many as the limit allows.

    A child is never visited more often than its parent, so taking the most visited candidate each time gives the most
    visited nodes of the whole tree, and they hang together. Nodes deeper than `deepest` or visited less than `fewest`
    times are left out unless they must be drawn, and so are those for which there is no room at their depth, where at
    most `widest` are drawn side by side.
    """
    links = arena.links
    shown = np.zeros(arena.counts[NODES], dtype=np.bool_)
    widths = np.zeros(np.max(links[DEPTH, : arena.counts[NODES]]) + 1, dtype=np.int64)
    n_shown = 0
    for wanted in must:
        node = wanted
        while node != NOWHERE and not shown[node]:
            shown[node] = True
            n_shown += 1
            widths[links[DEPTH, node]] += 1
            node = np.int64(links[PARENT, node])
    heap = np.empty(arena.counts[NODES] + 1, dtype=np.int64)
    n_heap = 0
    for node in np.flatnonzero(shown):
        n_heap = _push_children(arena, node, shown, heap, n_heap, deepest, fewest)
    while n_heap > 0 and n_shown < limit:
        node = _pop(links, heap, n_heap)
        n_heap -= 1
        if widths[links[DEPTH, node]] >= widest:
            continue
        widths[links[DEPTH, node]] += 1
        shown[node] = True
        n_shown += 1
        n_heap = _push_children(arena, node, shown, heap, n_heap, deepest, fewest)
    return shown


@lean
def _push_children(
    arena: Arena, node: int, shown: Flags, heap: Integers, n_heap: int, deepest: int, fewest: int
) -> int:
    """Put the children of a node that may be drawn on the heap; return its new length."""
    links = arena.links
    if links[DEPTH, node] >= deepest:
        return n_heap
    for slot in range(links[FIRST, node], links[FIRST, node] + links[COUNT, node]):
        child = np.int64(arena.children[slot])
        if not shown[child] and links[VISITS, child] >= fewest:
            _push(links, heap, n_heap, child)
            n_heap += 1
    return n_heap


@lean
def _comes_first(links: NDArray[np.int32], a: int, b: int) -> bool:
    """More visits come first, then lower numbers."""
    return links[VISITS, a] > links[VISITS, b] or (links[VISITS, a] == links[VISITS, b] and a < b)


@lean
def _push(links: NDArray[np.int32], heap: Integers, n: int, node: int) -> None:
    """Add a node to a heap of n."""
    place = n
    while place > 0 and _comes_first(links, node, heap[(place - 1) >> 1]):
        heap[place] = heap[(place - 1) >> 1]
        place = (place - 1) >> 1
    heap[place] = node


@lean
def _pop(links: NDArray[np.int32], heap: Integers, n: int) -> int:
    """Take the first node off a heap of n."""
    first, last, place = heap[0], heap[n - 1], 0
    while True:
        child = 2 * place + 1
        if child >= n - 1:
            break
        if child + 1 < n - 1 and _comes_first(links, heap[child + 1], heap[child]):
            child += 1
        if not _comes_first(links, heap[child], last):
            break
        heap[place] = heap[child]
        place = child
    heap[place] = last
    return first


@kernel
def count_hidden(arena: Arena, shown: Flags) -> Integers:
    """Number of nodes that are left out below each node that is drawn, down to the next ones that are.

    One pass over the nodes in the order of their numbers, which is that of memory: going down the tree instead would
    wait for memory at each step. A parent is mostly older than its children; only a subtree that moved may hang below
    a younger node, whose own place is then looked up first.
    """
    links, n = arena.links, arena.counts[NODES]
    hidden = np.zeros(n, dtype=np.int64)
    owners = np.full(n, UNKNOWN, dtype=np.int32)  # the nearest node above that is drawn; NOWHERE off the tree
    for node in range(n):
        if shown[node]:
            owners[node] = node
        elif owners[node] == UNKNOWN:
            above = np.int64(links[PARENT, node])
            if above > node or links[STATUS, node] & ELIMINATED:
                _find_owner(links, shown, owners, node)
            else:
                owners[node] = owners[above]
        if owners[node] != NOWHERE and not shown[node]:
            hidden[owners[node]] += 1
    return hidden


@lean
def _find_owner(links: NDArray[np.int32], shown: Flags, owners: NDArray[np.int32], node: int) -> None:
    """Note for a node and those above it that have no owner yet which one they have."""
    top = np.int64(node)
    while owners[top] == UNKNOWN and not shown[top] and not links[STATUS, top] & ELIMINATED:
        top = np.int64(links[PARENT, top])
    owner = owners[top]
    if owner == UNKNOWN:
        owner = np.int32(top) if shown[top] else np.int32(NOWHERE)
    owners[top] = owner
    step = np.int64(node)
    while step != top:
        owners[step] = owner
        step = np.int64(links[PARENT, step])


@kernel
def order_nodes(arena: Arena, shown: Flags) -> tuple[Integers, Integers, Integers]:
    """Nodes to draw in depth-first order, where their parents stand, and how many nodes are left out below each."""
    links, left_out = arena.links, count_hidden(arena, shown)
    n = np.count_nonzero(shown)
    nodes, parents, hidden = np.empty(n, np.int64), np.empty(n, np.int64), np.empty(n, np.int64)
    stack, stack_parents = np.empty(n, np.int64), np.empty(n, np.int64)
    stack[0], stack_parents[0], height, index = 0, NOWHERE, 1, 0
    while height > 0:
        height -= 1
        node = stack[height]
        nodes[index], parents[index], hidden[index] = node, stack_parents[height], left_out[node]
        first, count = links[FIRST, node], links[COUNT, node]
        for slot in range(first + count - 1, first - 1, -1):
            child = arena.children[slot]
            if shown[child]:
                stack[height], stack_parents[height] = child, index
                height += 1
        index += 1
    return nodes, parents, hidden


@kernel
def lay_out(parents: Integers, depths: Integers, hidden: Integers) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Tidy places: subtrees as close as their outlines allow, each parent over the middle of its children.

    A subtree's outline is the leftmost and rightmost place at each depth. Where nodes are left out, their sign takes
    the place of a last child.
    """
    n, n_levels = len(parents), np.max(depths) - np.min(depths) + 2
    left, right = np.full((n, n_levels), np.inf), np.full((n, n_levels), -np.inf)
    offsets, stubs = np.zeros(n), np.full(n, np.nan)
    last_place = np.full(n, np.nan)  # of the last child placed, seen from the first
    _place_children(parents, hidden, left, right, offsets, stubs, last_place)
    xs = np.zeros(n)
    for index in range(1, n):
        xs[index] = xs[parents[index]] + offsets[index] - last_place[parents[index]] / 2
    for index in range(n):
        if hidden[index] > 0:
            stubs[index] = xs[index] + stubs[index] - last_place[index] / 2
    return xs, stubs


@kernel
def _place_children(
    parents: Integers,
    hidden: Integers,
    left: NDArray[np.float64],
    right: NDArray[np.float64],
    offsets: NDArray[np.float64],
    stubs: NDArray[np.float64],
    last_place: NDArray[np.float64],
) -> None:
    """Fill offsets and stubs, seen from the first child; row 0 of an outline is the node's own depth.

    Depth-first order backwards meets all children of a node before the node, the last child first: so they are
    collected in a chain and placed when the node itself is met.
    """
    n, n_levels = left.shape
    next_child, first_child = np.full(n, NOWHERE, np.int64), np.full(n, NOWHERE, np.int64)
    stub_left, stub_right = np.full(n_levels, np.inf), np.full(n_levels, -np.inf)
    stub_left[0], stub_right[0] = 0.0, 0.0
    for index in range(n - 1, -1, -1):
        child = first_child[index]
        while child != NOWHERE:
            offsets[child] = _append(left[index], right[index], left[child], right[child])
            last_place[index] = offsets[child]
            child = next_child[child]
        if hidden[index] > 0:
            stubs[index] = _append(left[index], right[index], stub_left, stub_right)
            last_place[index] = stubs[index]
        if not np.isnan(last_place[index]):
            left[index] -= last_place[index] / 2
            right[index] -= last_place[index] / 2
        left[index, 0], right[index, 0] = 0.0, 0.0
        if parents[index] != NOWHERE:
            next_child[index] = first_child[parents[index]]
            first_child[parents[index]] = index


@lean
def _append(
    left: NDArray[np.float64],
    right: NDArray[np.float64],
    child_left: NDArray[np.float64],
    child_right: NDArray[np.float64],
) -> float:
    """Put a subtree to the right of those already there, as close as it goes; return its place."""
    n_levels, place = len(left), -np.inf
    for level in range(1, n_levels):
        if right[level] > -np.inf and child_left[level - 1] < np.inf:
            place = max(place, right[level] - child_left[level - 1] + SEPARATION)
    if place == -np.inf:
        place = 0.0
    for level in range(1, n_levels):
        left[level] = min(left[level], place + child_left[level - 1])
        right[level] = max(right[level], place + child_right[level - 1])
    return place


def make_excerpt(
    arena: Arena, must: Integers, limit: int, deepest: int, fewest: int, widest: int = NO_LIMIT
) -> Excerpt:
    """Return the nodes to draw and their places."""
    shown = choose_nodes(arena, must, limit, deepest, fewest, widest)
    nodes, parents, hidden = order_nodes(arena, shown)
    xs, stub_xs = lay_out(parents, arena.links[DEPTH, nodes].astype(np.int64), hidden)
    return Excerpt(nodes, parents, hidden, xs, stub_xs)
