"""What a search of Sokoban does otherwise than a search of any game (thesis, chapters 4 and 5).

It expands by pushes, and knows what to do with positions that are dead or were met before. Each fact of the published
program is an option here.
"""

from __future__ import annotations

import numpy as np

from sokoviz.core.arena import (
    ACTION,
    COUNT,
    DEPTH,
    ELIMINATED,
    NODES,
    PARENT,
    SOLVED,
    STATUS,
    VISITS,
    add_node,
    append_child,
    begin_block,
    move_subtree,
    place_of,
    take_child,
)
from sokoviz.core.bits import first, has, is_subset
from sokoviz.core.deadlocks import (
    find_boxes_on_locking_tiles,
    find_locked_boxes,
    find_overfull_line,
)
from sokoviz.core.flags import DEADLOCK, DUPLICATE, ELIMINATION, MOVE, SOLUTION
from sokoviz.core.hashing import hash_after_push, hash_boxes
from sokoviz.core.jit import lean
from sokoviz.core.journal import AnyTrace, emit_added, emit_moved, emit_removed, emit_solved
from sokoviz.core.positions import read_boxes, toggle_push
from sokoviz.core.pushes import can_push, generate_pushes, make_push, undo_push
from sokoviz.core.reach import component_after_push, find_free, flood
from sokoviz.core.rewards import reward_of
from sokoviz.core.states import enter_state, find_state
from sokoviz.core.types import FAR, NOWHERE, Bits, Integers, Tables
from sokoviz.games.sokoban import SokobanTables
from sokoviz.search.machine import (
    BOXES,
    BY_PUSHES,
    CULPRITS,
    DEADLOCKS,
    FREE_AFTER,
    FREE_SQUARES,
    IS_LATE,
    IS_REMEMBERED,
    IS_UNSOLVABLE,
    NOT_ON_PATH,
    ONCE,
    REACHED,
    REACHED_AFTER,
    REPEATS,
    SOLUTION_NODE,
    Machine,
)

# Bits of Machine.options[DEADLOCKS], in the order of the names in `sokoviz.board.DEADLOCK_RULES`.
LOCKING_TILE, WALL_SWEEP, LOCKED_BOXES, WALL_RUN, BIPARTITE, CORRAL, NO_PUSH = 1, 2, 4, 8, 16, 32, 64


@lean
def place_boxes(board: Tables, machine: Machine, node: int) -> None:
    """Bring the position of a node about: all pushes on the way to it change bits that do not depend on their order."""
    links, state = machine.arena.links, machine.state
    for i in range(len(state)):
        state[i] = machine.root[i]
    if node != 0:
        state[len(state) - 1] = links[ACTION, node] >> 2
    while node != 0:
        toggle_push(board, state, np.int64(links[ACTION, node]))
        node = np.int64(links[PARENT, node])
    read_boxes(state, machine.boards[BOXES])


@lean
def enter_root(board: Tables, machine: Machine) -> None:
    """Enter the position of the root into the table of positions."""
    place_boxes(board, machine, 0)
    boards = machine.boards
    find_free(board, boards[BOXES], boards[FREE_SQUARES])
    flood(boards[FREE_SQUARES], board.width, machine.state[len(machine.state) - 1], boards[REACHED])
    enter_state(machine.states, _key_of(board, hash_boxes(board, boards[BOXES]), boards[REACHED]), 0)


@lean
def _key_of(board: Tables, box_key: int, reached: Bits) -> int:
    """Key of an equivalence state: boxes, and the component by its first square (4.1.1)."""
    return box_key ^ board.player_keys[first(reached)]


@lean
def find_node(board: Tables, machine: Machine, state: Integers, leaf: int) -> int:
    """The node in the tree that a position would be met at if a leaf led to it; NOWHERE for none."""
    boards, options = machine.boards, machine.options
    read_boxes(state, boards[BOXES])
    find_free(board, boards[BOXES], boards[FREE_AFTER])
    flood(boards[FREE_AFTER], board.width, state[len(state) - 1], boards[REACHED_AFTER])
    key = _key_of(board, hash_boxes(board, boards[BOXES]), boards[REACHED_AFTER])
    if options[REPEATS] == ONCE:
        node = find_state(machine.states, key, machine.arena.counts[NODES])
        return node if node != NOWHERE and not machine.arena.links[STATUS, node] & ELIMINATED else np.int64(NOWHERE)
    node = np.int64(leaf)
    while node != NOWHERE and machine.states.keys[node] != key:
        node = np.int64(machine.arena.links[PARENT, node])
    return node


# --- expansion (3.2.2, 4.2, 5.1) -------------------------------------------------------------------------------------


@lean
def expand_pushes(tables: SokobanTables, machine: Machine, trace: AnyTrace, node: int) -> int:
    """Give a leaf its children, and return the flags of what happened.

    Successors are looked at one after the other. Subtrees that move here come first among the children, then those
    that are new, in the order of the pushes.
    """
    board, arena, boards, pushes = tables.board, machine.arena, machine.boards, machine.actions
    place_boxes(board, machine, node)
    find_free(board, boards[BOXES], boards[FREE_SQUARES])
    flood(boards[FREE_SQUARES], board.width, machine.state[len(machine.state) - 1], boards[REACHED])
    n_pushes = generate_pushes(board, boards[BOXES], boards[REACHED], boards[FREE_SQUARES], pushes)
    box_key = hash_boxes(board, boards[BOXES])
    first_new, n_new, flags = arena.counts[NODES], 0, 0
    begin_block(arena, node)
    for index in range(n_pushes):
        push = pushes[index]
        if _enters_locking_tile(board, machine, push):  # most dead successors, told at a glance
            flags |= DEADLOCK
            continue
        key = _look_ahead(board, machine, box_key, push)
        found = _meet(tables, machine, trace, node, push, key, first_new + n_new)
        if found == 0:
            enter_state(machine.states, key, first_new + n_new)
            pushes[n_new] = push
            n_new += 1
        flags |= found
    if n_new > 0:
        for index in range(n_new):
            append_child(arena, node, add_node(arena, node, pushes[index]))
        emit_added(trace, node, first_new, n_new)
    return flags


@lean
def _enters_locking_tile(board: Tables, machine: Machine, push: int) -> bool:
    """Whether a push is left out because no box comes from its target to a goal."""
    is_tested = machine.options[DEADLOCKS] & LOCKING_TILE and not machine.options[IS_LATE]
    return is_tested and not has(board.live, (push >> 2) + board.steps[push & 3])


@lean
def _look_ahead(board: Tables, machine: Machine, box_key: int, push: int) -> int:
    """Component and key of the position after a push."""
    boards = machine.boards
    free, reached = boards[FREE_SQUARES], boards[REACHED]
    component_after_push(board, free, reached, push, boards[FREE_AFTER], boards[REACHED_AFTER])
    return _key_of(board, hash_after_push(board, box_key, push), boards[REACHED_AFTER])


@lean
def _meet(
    tables: SokobanTables, machine: Machine, trace: AnyTrace, node: int, push: int, key: int, n_known: int
) -> int:
    """Decide about a successor: return 0 where it becomes a new child, else the flag that says why not."""
    arena, options = machine.arena, machine.options
    if options[REPEATS] == ONCE:
        met = find_state(machine.states, key, n_known)
        if met != NOWHERE and (met >= arena.counts[NODES] or not arena.links[STATUS, met] & ELIMINATED):
            return _resolve(machine, trace, node, push, met)
        if met != NOWHERE and options[IS_REMEMBERED]:
            return DUPLICATE
    elif options[REPEATS] == NOT_ON_PATH and _is_repeated(machine, node, key, n_known):
        return DUPLICATE
    if not options[IS_LATE]:
        make_push(tables.board, machine.boards[BOXES], push)
        dead = is_dead(tables, machine, machine.boards[FREE_AFTER], machine.boards[REACHED_AFTER])
        undo_push(tables.board, machine.boards[BOXES], push)
        if dead:
            return DEADLOCK
    return 0


@lean
def _is_repeated(machine: Machine, node: int, key: int, n_known: int) -> bool:
    """Whether a position is on the path from the root, or among the new children (Vanillaban as published)."""
    keys = machine.states.keys
    for other in range(machine.arena.counts[NODES], n_known):
        if keys[other] == key:
            return True
    while node != NOWHERE:
        if keys[node] == key:
            return True
        node = np.int64(machine.arena.links[PARENT, node])
    return False


@lean
def _resolve(machine: Machine, trace: AnyTrace, node: int, push: int, met: int) -> int:
    """A successor is in the tree already: discard it, or move its subtree here if the way is shorter (algorithm 4)."""
    arena = machine.arena
    if met >= arena.counts[NODES] or arena.links[DEPTH, node] + 1 >= arena.links[DEPTH, met]:
        return DUPLICATE
    former = np.int64(arena.links[PARENT, met])
    place = place_of(arena, former, met)
    emit_moved(trace, met, former, place, node, np.int64(arena.links[ACTION, met]), push)
    take_child(arena, former, place)
    append_child(arena, node, met)
    move_subtree(arena, machine.formula, met, node, push)
    return MOVE | eliminate(machine, trace, former)


# --- simulation and what follows it (4.3.1, 4.2.3) -------------------------------------------------------------------


@lean
def value_position(tables: SokobanTables, machine: Machine, node: int) -> int:
    """Reward of a node's position: no random game is played."""
    place_boxes(tables.board, machine, node)
    return reward_of(tables.board, machine.boards[BOXES], machine.options[BY_PUSHES], tables.matching)


@lean
def settle_position(tables: SokobanTables, machine: Machine, trace: AnyTrace, node: int, reward: int) -> int:
    """Note a solution; where deadlocks are looked for late, eliminate a dead node after its reward has gone up."""
    if reward == 0:
        if not machine.arena.links[STATUS, node] & SOLVED:
            emit_solved(trace)
        machine.arena.links[STATUS, node] |= SOLVED
        if machine.tip[SOLUTION_NODE] != NOWHERE:
            return 0
        machine.tip[SOLUTION_NODE] = node
        return SOLUTION
    late = machine.options[IS_LATE] and machine.arena.links[VISITS, node] == 1
    if not late:
        return 0
    free, reached = machine.boards[FREE_AFTER], machine.boards[REACHED_AFTER]
    find_free(tables.board, machine.boards[BOXES], free)
    flood(free, tables.board.width, machine.state[len(machine.state) - 1], reached)
    return DEADLOCK | eliminate(machine, trace, node) if is_dead(tables, machine, free, reached) else 0


# --- elimination (4.2.3) ---------------------------------------------------------------------------------------------


@lean
def eliminate(machine: Machine, trace: AnyTrace, node: int) -> int:
    """Take a node without children out of the tree, then each ancestor that is left without any; return the flag."""
    arena = machine.arena
    if arena.links[COUNT, node] > 0:
        return 0
    while node != NOWHERE and arena.links[COUNT, node] == 0:
        parent = np.int64(arena.links[PARENT, node])
        place = 0 if parent == NOWHERE else place_of(arena, parent, node)
        emit_removed(trace, node, parent, place)
        arena.links[STATUS, node] |= ELIMINATED
        if parent == NOWHERE:
            machine.tip[IS_UNSOLVABLE] = 1
        else:
            take_child(arena, parent, place)
        node = parent
    return ELIMINATION


# --- deadlocks (4.2.1) -----------------------------------------------------------------------------------------------


@lean
def is_dead(tables: SokobanTables, machine: Machine, free: Bits, reached: Bits) -> bool:
    """Whether one of the chosen tests finds the position of Machine.boards[BOXES] dead; a solved one never is.

    free and reached are its free floor and the player's component.
    """
    board = tables.board
    boxes, culprits, chosen = machine.boards[BOXES], machine.boards[CULPRITS], machine.options[DEADLOCKS]
    if is_subset(boxes, board.goals):
        return False
    if chosen & LOCKING_TILE and find_boxes_on_locking_tiles(board, boxes, culprits):
        return True
    if chosen & WALL_SWEEP and find_overfull_line(board, boxes, board.sweep_lines, culprits):
        return True
    if chosen & WALL_RUN and find_overfull_line(board, boxes, board.wall_runs, culprits):
        return True
    if chosen & LOCKED_BOXES and find_locked_boxes(board, boxes, culprits):
        return True
    if chosen & NO_PUSH and not can_push(board, boxes, reached, free):
        return True
    # Without a perfect matching under push distances some boxes together reach fewer goals than they are.
    return chosen & BIPARTITE != 0 and reward_of(board, boxes, 1, tables.matching) == -FAR
