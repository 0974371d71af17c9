"""Nodes by their positions: an open hash table over 64-bit keys.

Nothing is ever taken out. A node of a later moment than the one that is looked at has a higher number than all nodes
of that moment, so the table serves every moment of a record.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sokoviz.core.compiling.jit import lean
from sokoviz.core.compiling.prefetch import prefetch
from sokoviz.core.types import NOWHERE, Bits, Integers

LOW = np.int64(0x7FFFFFFF)
HIGH = np.uint64(0xFFFFFFFF80000000)  # a node's number takes the other 31 bits

FILLED = 2  # slots for each node at least


class States(NamedTuple):
    """A table from positions to nodes."""

    keys: Bits
    """uint64[capacity]: key of each node's position"""
    earlier: NDArray[np.int32]
    """int32[capacity]: the node before it with the same key, NOWHERE for none"""
    slots: Integers
    """int64[power of two]: the last node with a key in the low half, the key's high half beside it, so that most looks
    go no further than here; NOWHERE where a slot is empty"""


def make_states(capacity: int) -> States:
    """Return an empty table with room for some nodes."""
    n_slots = 1
    while n_slots < FILLED * capacity:
        n_slots *= 2
    return States(
        keys=np.zeros(capacity, dtype=np.uint64),
        earlier=np.full(capacity, NOWHERE, dtype=np.int32),
        slots=np.full(n_slots, NOWHERE, dtype=np.int64),
    )


def grow_states(states: States, n_nodes: int, capacity: int) -> States:
    """Return the same table with room for more nodes."""
    larger = make_states(capacity)
    larger.keys[:n_nodes] = states.keys[:n_nodes]
    enter_all(larger, n_nodes)
    return larger


@lean
def enter_all(states: States, n_nodes: int) -> None:
    """Enter nodes whose keys are there."""
    for node in range(n_nodes):
        enter_state(states, states.keys[node], node)


@lean
def _tag_of(key: int) -> int:
    """The high half of a key, in its place."""
    return np.int64(key & HIGH)


@lean
def _slot_of(states: States, key: int) -> int:
    """The slot of a key, or the empty one where it belongs."""
    slots, mask, tag = states.slots, np.uint64(len(states.slots) - 1), _tag_of(key)
    slot = np.int64(key & mask)
    while slots[slot] != NOWHERE and (slots[slot] & ~LOW != tag or states.keys[slots[slot] & LOW] != key):
        slot = np.int64(np.uint64(slot + 1) & mask)
    return slot


@lean
def prepare_to_find(states: States, key: int) -> None:
    """Ask for the memory that finding a key needs, before it is looked for."""
    prefetch(states.slots, np.int64(key & np.uint64(len(states.slots) - 1)))


@lean
def _last_in(states: States, slot: int) -> int:
    """The last node in a slot; NOWHERE where it is empty."""
    entry = states.slots[slot]
    return entry & LOW if entry != NOWHERE else np.int64(NOWHERE)


@lean
def enter_state(states: States, key: int, node: int) -> None:
    """Enter a node, unless it is there already: then an iteration is being made again."""
    slot = _slot_of(states, key)
    before = _last_in(states, slot)
    if before >= node:
        return
    states.keys[node] = key
    states.earlier[node] = before
    states.slots[slot] = _tag_of(key) | node


@lean
def find_state(states: States, key: int, n_nodes: int) -> int:
    """The last of the first n nodes that has a key; NOWHERE if none has."""
    node = _last_in(states, _slot_of(states, key))
    while node >= n_nodes:
        node = np.int64(states.earlier[node])
    return node
