"""Positions near a solution, and the best way through them: what shortening a solution is made of.

An *area* grows around the positions of a solution, by pushes from them or by pulls back from them, breadth first. Then
all ways through two such areas are looked at, layer by layer: a layer is a number of pushes, so the first solved
position is one of fewest pushes, and within a layer each position keeps the way with fewest moves.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from sokoviz.core.board.pushes import generate_pulls, generate_pushes, make_push, player_after_pull, undo_push
from sokoviz.core.board.reach import component_after_push, find_free, flood, walk_distances
from sokoviz.core.compiling.jit import lean
from sokoviz.core.numbers.bits import first, is_subset
from sokoviz.core.numbers.hashing import hash_after_push, hash_boxes
from sokoviz.core.tree.node_table import States, enter_state, find_state, grow_states, make_states
from sokoviz.core.types import NOWHERE, Bits, Integers, Tables

FOUND, DONE, BEST = 0, 1, 2  # counts of an area and of ways
BOXES, FREE, REACHED, TARGETS, FREE_AFTER, REACHED_AFTER = range(6)  # rows of Desk.boards
PLAYER, PUSHES, MOVES, PARENT, ACTION = range(5)  # rows of Ways.numbers


class Desk(NamedTuple):
    """What the kernels write on while they work."""

    boards: Bits
    """uint64[6, n_words]"""
    actions: Integers
    """int64[at least 4 * number of boxes]"""
    distance: Integers
    """int64[n_squares]"""
    queue: Integers
    """int64[n_squares]"""


class Area(NamedTuple):
    """Positions near a solution: boxes, and the player's component."""

    boxes: Bits
    """uint64[capacity, n_words]"""
    players: Integers
    """int64[capacity]: a square of the player's component"""
    states: States
    counts: Integers
    """int64[2]: positions found, and those whose neighbours were looked at"""


class Ways(NamedTuple):
    """Positions with the very square of the player, each with the best way to it."""

    boxes: Bits
    """uint64[capacity, n_words]"""
    numbers: Integers
    """int64[5, capacity]: the player's square, pushes and moves so far, the position before and the push from it"""
    states: States
    counts: Integers
    """int64[3]: positions found, those gone on from, and the best solved one or NOWHERE"""


def make_desk(tables: Tables, n_boxes: int) -> Desk:
    """Return scratch for a level."""
    n_squares = tables.width * tables.height
    numbers = [np.empty(n, dtype=np.int64) for n in (4 * n_boxes, n_squares, n_squares)]
    return Desk(np.zeros((6, len(tables.floor)), dtype=np.uint64), *numbers)


def make_area(tables: Tables, capacity: int) -> Area:
    """Return an empty area with room for some positions."""
    boxes = np.zeros((capacity, len(tables.floor)), dtype=np.uint64)
    counts = np.zeros(2, dtype=np.int64)
    return Area(boxes, np.zeros(capacity, dtype=np.int64), make_states(capacity), counts)


def make_ways(tables: Tables, boxes: Bits, player: int, capacity: int) -> Ways:
    """Return ways of which only the beginning is known."""
    ways = Ways(
        np.zeros((capacity, len(boxes)), dtype=np.uint64),
        np.zeros((5, capacity), dtype=np.int64),
        make_states(capacity),
        np.array([1, 0, NOWHERE], dtype=np.int64),
    )
    ways.boxes[0] = boxes
    ways.numbers[:, 0] = player, 0, 0, NOWHERE, NOWHERE
    enter_state(ways.states, np.uint64(hash_boxes(tables, boxes)) ^ tables.player_keys[player], 0)
    return ways


def grow_ways(ways: Ways) -> Ways:
    """Return the same ways with room for twice as many positions."""
    n, capacity = int(ways.counts[FOUND]), 2 * len(ways.boxes)
    larger = Ways(
        np.zeros((capacity, ways.boxes.shape[1]), dtype=np.uint64),
        np.zeros((5, capacity), dtype=np.int64),
        grow_states(ways.states, n, capacity),
        ways.counts,
    )
    larger.boxes[:n] = ways.boxes[:n]
    larger.numbers[:, :n] = ways.numbers[:, :n]
    return larger


# --- areas -----------------------------------------------------------------------------------------------------------


@lean
def _enter(area: Area, boxes: Bits, player: int, key: int) -> None:
    """Put a position into an area, unless it is there or there is no room."""
    node = area.counts[FOUND]
    if node == len(area.players) or find_state(area.states, key, node) != NOWHERE:
        return
    enter_state(area.states, key, node)
    for i in range(len(boxes)):
        area.boxes[node, i] = boxes[i]
    area.players[node] = player
    area.counts[FOUND] += 1


@lean
def _look_around(tables: Tables, desk: Desk, player: int) -> None:
    """Find free floor and component of the boxes on the desk."""
    boards = desk.boards
    find_free(tables, boards[BOXES], boards[FREE])
    flood(boards[FREE], tables.width, player, boards[REACHED])


@lean
def _live_pushes(tables: Tables, desk: Desk) -> int:
    """List the pushes of the position on the desk that lead to no locking tile; return their number."""
    boards = desk.boards
    for i in range(boards.shape[1]):
        boards[TARGETS, i] = boards[FREE, i] & tables.live[i]
    return generate_pushes(tables, boards[BOXES], boards[REACHED], boards[TARGETS], desk.actions)


@lean
def enter_line(tables: Tables, area: Area, desk: Desk, boxes: Bits, player: int, line: Integers) -> None:
    """Put all positions of a solution into an area; line is int64[n_pushes]."""
    boards = desk.boards
    for i in range(len(boxes)):
        boards[BOXES, i] = boxes[i]
    for index in range(len(line) + 1):
        if index > 0:
            player = make_push(tables, boards[BOXES], line[index - 1])
        _look_around(tables, desk, player)
        key = hash_boxes(tables, boards[BOXES]) ^ tables.player_keys[first(boards[REACHED])]
        _enter(area, boards[BOXES], player, key)


@lean
def spread(tables: Tables, area: Area, desk: Desk, is_backwards: bool, n: int) -> bool:  # noqa: FBT001  kernels know no keywords
    """Look at the neighbours of up to n positions of an area; return whether there are more to look at.

    Parameters
    ----------
    tables : Tables
    area : Area
    desk : Desk
    is_backwards : whether to pull boxes back instead of pushing them on
    n : how many positions
    """
    boxes, counts = desk.boards[BOXES], area.counts
    while n > 0 and counts[DONE] < counts[FOUND] < len(area.players):
        node = counts[DONE]
        for i in range(len(boxes)):
            boxes[i] = area.boxes[node, i]
        _look_around(tables, desk, area.players[node])
        if is_backwards:
            _pull_back(tables, area, desk)
        else:
            _push_on(tables, area, desk)
        counts[DONE] += 1
        n -= 1
    return counts[DONE] < counts[FOUND] < len(area.players)


@lean
def _push_on(tables: Tables, area: Area, desk: Desk) -> None:
    """Enter the positions one push behind that on the desk."""
    boards = desk.boards
    box_key = hash_boxes(tables, boards[BOXES])
    for index in range(_live_pushes(tables, desk)):
        push = desk.actions[index]
        component_after_push(tables, boards[FREE], boards[REACHED], push, boards[FREE_AFTER], boards[REACHED_AFTER])
        key = hash_after_push(tables, box_key, push) ^ tables.player_keys[first(boards[REACHED_AFTER])]
        make_push(tables, boards[BOXES], push)
        _enter(area, boards[BOXES], push >> 2, key)
        undo_push(tables, boards[BOXES], push)


@lean
def _pull_back(tables: Tables, area: Area, desk: Desk) -> None:
    """Enter the positions one push before that on the desk."""
    boards = desk.boards
    box_key = hash_boxes(tables, boards[BOXES])
    for index in range(generate_pulls(tables, boards[BOXES], boards[REACHED], boards[FREE], desk.actions)):
        pull = desk.actions[index]
        player = player_after_pull(tables, pull)
        make_push(tables, boards[BOXES], pull)
        find_free(tables, boards[BOXES], boards[FREE_AFTER])
        flood(boards[FREE_AFTER], tables.width, player, boards[REACHED_AFTER])
        key = hash_after_push(tables, box_key, pull) ^ tables.player_keys[first(boards[REACHED_AFTER])]
        _enter(area, boards[BOXES], player, key)
        undo_push(tables, boards[BOXES], pull)


# --- ways ------------------------------------------------------------------------------------------------------------


@lean
def go_on(tables: Tables, ways: Ways, ahead: Area, behind: Area, desk: Desk, n: int) -> bool:
    """Go on from up to n positions, within two areas; return whether there are more to go on from.

    It ends early where the ways need more room: then positions are left, and `has_room` is false.
    """
    counts, numbers = ways.counts, ways.numbers
    while n > 0 and counts[DONE] < counts[FOUND]:
        node = counts[DONE]
        if counts[BEST] != NOWHERE and numbers[PUSHES, node] >= numbers[PUSHES, counts[BEST]]:
            return False
        if not has_room(ways, desk):
            return True
        _go_on_from(tables, ways, ahead, behind, desk, node)
        counts[DONE] += 1
        n -= 1
    return counts[DONE] < counts[FOUND]


@lean
def has_room(ways: Ways, desk: Desk) -> bool:
    """Whether there is room for all positions that a position can lead to."""
    return ways.counts[FOUND] + len(desk.actions) <= len(ways.boxes)


@lean
def _go_on_from(tables: Tables, ways: Ways, ahead: Area, behind: Area, desk: Desk, node: int) -> None:
    """Find the positions one push on from a position, or better ways to them."""
    boards, numbers = desk.boards, ways.numbers
    for i in range(boards.shape[1]):
        boards[BOXES, i] = ways.boxes[node, i]
    _look_around(tables, desk, numbers[PLAYER, node])
    walk_distances(boards[FREE], tables.steps, numbers[PLAYER, node], desk.distance, desk.queue)
    box_key = hash_boxes(tables, boards[BOXES])
    for index in range(_live_pushes(tables, desk)):
        push = desk.actions[index]
        component_after_push(tables, boards[FREE], boards[REACHED], push, boards[FREE_AFTER], boards[REACHED_AFTER])
        after = hash_after_push(tables, box_key, push)
        key = after ^ tables.player_keys[first(boards[REACHED_AFTER])]
        if not _is_in(ahead, key) and not _is_in(behind, key):
            continue
        moves = numbers[MOVES, node] + desk.distance[(push >> 2) - tables.steps[push & 3]] + 1
        make_push(tables, boards[BOXES], push)
        _arrive(tables, ways, boards[BOXES], after ^ tables.player_keys[push >> 2], node, push, moves)
        undo_push(tables, boards[BOXES], push)


@lean
def _is_in(area: Area, key: int) -> bool:
    """Whether a position is in an area."""
    return find_state(area.states, key, area.counts[FOUND]) != NOWHERE


@lean
def _arrive(tables: Tables, ways: Ways, boxes: Bits, key: int, node: int, push: int, moves: int) -> None:
    """Note a way to a position, if it is the first one or has fewer moves than that of as many pushes."""
    counts, numbers = ways.counts, ways.numbers
    found = find_state(ways.states, key, counts[FOUND])
    if found == NOWHERE:
        found = counts[FOUND]
        enter_state(ways.states, key, found)
        for i in range(len(boxes)):
            ways.boxes[found, i] = boxes[i]
        numbers[PLAYER, found] = push >> 2
        numbers[PUSHES, found] = numbers[PUSHES, node] + 1
        counts[FOUND] += 1
    elif numbers[PUSHES, found] <= numbers[PUSHES, node] or numbers[MOVES, found] <= moves:
        return
    numbers[MOVES, found] = moves
    numbers[PARENT, found] = node
    numbers[ACTION, found] = push
    if is_subset(boxes, tables.goals) and (counts[BEST] == NOWHERE or moves < numbers[MOVES, counts[BEST]]):
        counts[BEST] = found
