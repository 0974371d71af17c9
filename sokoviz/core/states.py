"""Nodes by their positions: an open hash table over 64-bit keys.

Nothing is ever taken out. A node of a later moment than the one that is looked at has a higher number than all nodes
of that moment, so the table serves every moment of a record.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sokoviz.core.jit import lean
from sokoviz.core.types import NOWHERE, Bits

FILLED = 2  # slots for each node at least


class States(NamedTuple):
    """A table from positions to nodes."""

    keys: Bits
    """uint64[capacity]: key of each node's position"""
    earlier: NDArray[np.int32]
    """int32[capacity]: the node before it with the same key, NOWHERE for none"""
    slots: NDArray[np.int32]
    """int32[power of two]: the last node with a key, NOWHERE where a slot is empty"""


def make_states(capacity: int) -> States:
    """Return an empty table with room for some nodes."""
    n_slots = 1
    while n_slots < FILLED * capacity:
        n_slots *= 2
    return States(
        keys=np.zeros(capacity, dtype=np.uint64),
        earlier=np.full(capacity, NOWHERE, dtype=np.int32),
        slots=np.full(n_slots, NOWHERE, dtype=np.int32),
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
def _slot_of(states: States, key: int) -> int:
    """The slot of a key, or the empty one where it belongs."""
    mask = np.uint64(len(states.slots) - 1)
    slot = np.int64(key & mask)
    while states.slots[slot] != NOWHERE and states.keys[states.slots[slot]] != key:
        slot = np.int64(np.uint64(slot + 1) & mask)
    return slot


@lean
def enter_state(states: States, key: int, node: int) -> None:
    """Enter a node, unless it is there already: then an iteration is being made again."""
    slot = _slot_of(states, key)
    before = states.slots[slot]
    if before >= node:
        return
    states.keys[node] = key
    states.earlier[node] = before
    states.slots[slot] = node


@lean
def find_state(states: States, key: int, n_nodes: int) -> int:
    """The last of the first n nodes that has a key; NOWHERE if none has."""
    node = np.int64(states.slots[_slot_of(states, key)])
    while node >= n_nodes:
        node = np.int64(states.earlier[node])
    return node
