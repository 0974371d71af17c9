"""Box moves: one box from its square to another by any number of pushes, all other boxes fixed."""

from __future__ import annotations

import numpy as np

from sokoviz.core.bits import add, first, has, remove
from sokoviz.core.jit import kernel
from sokoviz.core.reach import find_free, flood
from sokoviz.core.types import NOWHERE, Bits, Flags, Integers, Tables


@kernel
def _zone(tables: Tables, square: int, reached: Bits) -> int:
    """The first direction in which the player can touch a box on a square, NOWHERE if in none."""
    for direction in range(4):
        if has(reached, square + tables.steps[direction]):
            return direction
    return NOWHERE


@kernel
def generate_box_moves(
    tables: Tables,
    boxes: Bits,
    player: int,
    source: int,
    targets: Integers,
    players: Integers,
    parents: Integers,
    directions: Integers,
) -> int:
    """Find every square that a box can be pushed to, and every zone in which the player can end up there.

    A breadth-first search over (square of the box, zone of the player), so the parents give a way with fewest pushes.

    Parameters
    ----------
    tables : Tables
    boxes : uint64[n_words], unchanged
    player : square of the player
    source : square of the box that moves
    targets : int64[4 * n_floor + 1], out: square of the box in each state found; entry 0 is where it stands
    players : int64[4 * n_floor + 1], out: first square of the player's component in each state
    parents : int64[4 * n_floor + 1], out: the state before, NOWHERE for entry 0
    directions : int64[4 * n_floor + 1], out: direction of the push that led here

    Returns
    -------
    number of states
    """
    free = np.empty_like(boxes)
    reached = np.empty_like(boxes)
    is_seen = np.zeros((tables.width * tables.height, 4), np.bool_)
    find_free(tables, boxes, free)
    flood(free, tables.width, player, reached)
    targets[0], players[0], parents[0], directions[0] = source, first(reached), NOWHERE, NOWHERE
    zone = _zone(tables, source, reached)
    if zone != NOWHERE:
        is_seen[source, zone] = True
    add(free, source)
    head, tail = 0, 1
    while head < tail:
        square = targets[head]
        remove(free, square)
        flood(free, tables.width, players[head], reached)
        add(free, square)
        tail = _push_on(tables, free, reached, square, head, tail, is_seen, targets, players, parents, directions)
        head += 1
    return tail


@kernel
def _push_on(
    tables: Tables,
    free: Bits,
    reached: Bits,
    square: int,
    head: int,
    tail: int,
    is_seen: Flags,
    targets: Integers,
    players: Integers,
    parents: Integers,
    directions: Integers,
) -> int:
    """Add the states that one more push of the box reaches; return the new number of states."""
    beyond = np.empty_like(free)
    for direction in range(4):
        target = square + tables.steps[direction]
        if not has(reached, square - tables.steps[direction]) or not has(free, target):
            continue
        remove(free, target)
        flood(free, tables.width, square, beyond)
        add(free, target)
        zone = _zone(tables, target, beyond)
        if is_seen[target, zone]:
            continue
        is_seen[target, zone] = True
        targets[tail], players[tail] = target, first(beyond)
        parents[tail], directions[tail] = head, direction
        tail += 1
    return tail
