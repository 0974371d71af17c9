"""Breadth-first search over pushes, compiled: positions in the order in which they are found, each of them once.

One call of `advance` makes any number of steps; a step expands one position. What the thesis compares Schokoban with in
section 6.1.1, but with duplicate detection, which its program lacks.
"""

from __future__ import annotations

from typing import NamedTuple

from sokoviz.core.board.pushes import generate_pushes, make_push, undo_push
from sokoviz.core.board.reach import component_after_push, find_free, flood
from sokoviz.core.branches.record import (
    DEADLOCK,
    EXPANDED,
    OPEN,
    SOLVES,
    THRESHOLD,
    TRANSPOSITION,
    AnyBranches,
    emit,
    emit_successor,
    end_expansion,
    has_room_for,
)
from sokoviz.core.compiling.by_address import refer
from sokoviz.core.compiling.jit import lean
from sokoviz.core.numbers.bits import first, has, is_subset
from sokoviz.core.numbers.hashing import hash_after_push, hash_boxes
from sokoviz.core.tree.flags import DEADLOCK as DEADLOCK_MARK
from sokoviz.core.tree.flags import LAYER as LAYER_MARK
from sokoviz.core.tree.flags import SOLUTION as SOLUTION_MARK
from sokoviz.core.tree.flags import TRANSPOSITION as TRANSPOSITION_MARK
from sokoviz.core.tree.node_table import States, enter_state, find_state
from sokoviz.core.types import NOWHERE, Bits, Integers, Tables

# Columns of Frontier.numbers: what is known of each position beside its boxes.
PLAYER, DEPTH, PARENT, PUSH, NODE = range(5)
N_COLUMNS = 5

# Entries of Frontier.tip.
FOUND, DONE_WITH, SOLVED_AT, LEAST, LAYER, MARKED, MOST_NODES, STOP_MARKS, STOP_NODE, HAS_DEAD_SQUARES = range(10)
N_TIP = 10

# Rows of Frontier.boards.
BOXES, FREE, REACHED, FREE_AFTER, REACHED_AFTER = range(5)
N_BOARDS = 5

# What `advance` returns.
DONE, FULL, SOLVED_NOW, EXHAUSTED, MET, ENOUGH_NODES = range(6)


class Frontier(NamedTuple):
    """Everything that the search works on."""

    boxes: Bits
    """uint64[capacity, n_words]: boxes of each position found"""
    numbers: Integers
    """int64[capacity, 5]: the player's square, pushes so far, the position before and the push from it, the node"""
    states: States
    """the positions by their keys"""
    boards: Bits
    """uint64[5, n_words]"""
    actions: Integers
    """int64[4 * number of boxes]"""
    move: Integers
    """int64[4]: the push that is written down"""
    tip: Integers
    """int64[10]: positions found, those expanded, the one that is solved (NOWHERE while there is none), pushes that
    every solution is proven to take at least, pushes so far of the positions that are expanded, what the step under way
    is marked with; how many positions may be expanded, the marks to stop at, and the node; whether pushes to squares
    are left out from which a box comes to no goal"""


@lean
def advance(tables: Tables, frontier: Frontier, trace: AnyBranches, n: int) -> int:
    """Make n steps, or fewer: return why it ended."""
    board, search, tip = refer(tables), refer(frontier), frontier.tip
    status = _why_none(search, trace)
    for _ in range(n):
        if status != DONE:
            return status
        node = _expand_next(board, search, trace)
        is_there = tip[STOP_NODE] != NOWHERE and node == tip[STOP_NODE]
        if tip[SOLVED_AT] == NOWHERE and (is_there or tip[MARKED] & tip[STOP_MARKS]):
            return MET
        status = _why_none(search, trace)
    return status if status in (SOLVED_NOW, EXHAUSTED) else DONE


@lean
def _why_none(frontier: Frontier, trace: AnyBranches) -> int:
    """Why there can be no other step; DONE if there can."""
    tip, most = frontier.tip, len(frontier.actions)
    if tip[SOLVED_AT] != NOWHERE:
        return SOLVED_NOW
    if tip[DONE_WITH] == tip[FOUND]:
        return EXHAUSTED
    if tip[DONE_WITH] >= tip[MOST_NODES]:
        return ENOUGH_NODES
    if tip[FOUND] + most > len(frontier.boxes) or not has_room_for(trace, most + 4):
        return FULL
    return DONE


@lean
def enter_start(tables: Tables, frontier: Frontier, player: int) -> None:
    """Find the first position, whose boxes are on the first board."""
    boards = frontier.boards
    find_free(tables, boards[BOXES], boards[FREE])
    flood(boards[FREE], tables.width, player, boards[REACHED])
    key = hash_boxes(tables, boards[BOXES]) ^ tables.player_keys[first(boards[REACHED])]
    _enter(frontier, key, player, 0, NOWHERE, NOWHERE)


@lean
def _enter(  # noqa: PLR0913, PLR0917  one a column
    frontier: Frontier, key: int, player: int, depth: int, parent: int, push: int
) -> int:
    """Add the position on the first board; return its number."""
    number, row = frontier.tip[FOUND], frontier.numbers[frontier.tip[FOUND]]
    enter_state(frontier.states, key, number)
    for i in range(frontier.boxes.shape[1]):
        frontier.boxes[number, i] = frontier.boards[BOXES, i]
    row[PLAYER], row[DEPTH], row[PARENT], row[PUSH], row[NODE] = player, depth, parent, push, NOWHERE
    frontier.tip[FOUND] = number + 1
    return number


@lean
def _expand_next(tables: Tables, frontier: Frontier, trace: AnyBranches) -> int:
    """Expand the position that was found first of those that wait; return its node."""
    boards, tip = frontier.boards, frontier.tip
    number = tip[DONE_WITH]
    row = frontier.numbers[number]
    tip[MARKED] = 0
    if number == 0:
        row[NODE] = emit(trace, THRESHOLD, NOWHERE, 0)
    if row[DEPTH] > tip[LAYER]:
        tip[LAYER] = row[DEPTH]
        tip[MARKED] |= LAYER_MARK
    for i in range(frontier.boxes.shape[1]):
        boards[BOXES, i] = frontier.boxes[number, i]
    find_free(tables, boards[BOXES], boards[FREE])
    flood(boards[FREE], tables.width, row[PLAYER], boards[REACHED])
    tip[DONE_WITH] += 1
    if is_subset(boards[BOXES], tables.goals):  # of the start alone: others are looked at when they are found
        emit(trace, SOLVES, row[NODE], 0)
        tip[SOLVED_AT] = number
        tip[MARKED] |= SOLUTION_MARK
    else:
        # All positions with fewer pushes were expanded, and none of those with as many is solved.
        tip[LEAST] = max(tip[LEAST], row[DEPTH] + 1)
        emit(trace, EXPANDED, row[NODE], NOWHERE)
        _list_successors(tables, frontier, trace, number)
    end_expansion(trace, tip[DONE_WITH], tip[MARKED], 1, tip[DONE_WITH], tip[LEAST], tip[LAYER])
    return frontier.numbers[number, NODE]


@lean
def _list_successors(tables: Tables, frontier: Frontier, trace: AnyBranches, number: int) -> None:
    """Find the positions one push further; stop at one that is solved."""
    boards, tip, move = frontier.boards, frontier.tip, frontier.move
    depth, node = frontier.numbers[number, DEPTH] + 1, frontier.numbers[number, NODE]
    n = generate_pushes(tables, boards[BOXES], boards[REACHED], boards[FREE], frontier.actions)
    for index in range(n):
        push = frontier.actions[index]
        move[0], move[1], move[2] = push >> 2, (push >> 2) + tables.steps[push & 3], push >> 2
        if tip[HAS_DEAD_SQUARES] and not has(tables.live, move[1]):
            emit_successor(trace, DEADLOCK, node, move, depth, NOWHERE)
            tip[MARKED] |= DEADLOCK_MARK
            continue
        key = _look_after(tables, frontier, push)
        if find_state(frontier.states, key, tip[FOUND]) != NOWHERE:
            emit_successor(trace, TRANSPOSITION, node, move, depth, NOWHERE)
            tip[MARKED] |= TRANSPOSITION_MARK
            continue
        make_push(tables, boards[BOXES], push)
        child = _enter(frontier, key, push >> 2, depth, number, push)
        frontier.numbers[child, NODE] = emit_successor(trace, OPEN, node, move, depth, NOWHERE)
        is_solved = is_subset(boards[BOXES], tables.goals)
        undo_push(tables, boards[BOXES], push)
        if is_solved:
            emit(trace, SOLVES, frontier.numbers[child, NODE], depth)
            tip[SOLVED_AT] = child
            tip[MARKED] |= SOLUTION_MARK
            return


@lean
def _look_after(tables: Tables, frontier: Frontier, push: int) -> int:
    """The key of the position after a push."""
    boards = frontier.boards
    component_after_push(tables, boards[FREE], boards[REACHED], push, boards[FREE_AFTER], boards[REACHED_AFTER])
    key = hash_after_push(tables, hash_boxes(tables, boards[BOXES]), push)
    return key ^ tables.player_keys[first(boards[REACHED_AFTER])]
