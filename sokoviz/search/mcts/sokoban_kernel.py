"""What a search of Sokoban does otherwise than a search of any game (thesis, chapters 4 and 5).

It expands by pushes, and knows what to do with positions that are dead or were met before. Each fact of the published
program is an option here.
"""

from __future__ import annotations

import numpy as np

from sokoviz.core.board.positions import read_boxes
from sokoviz.core.board.pushes import can_push, generate_pushes, make_push, undo_push
from sokoviz.core.board.reach import component_after_push, find_free, flood
from sokoviz.core.bounds.rewards import reward_of
from sokoviz.core.compiling.jit import inlined, lean
from sokoviz.core.deadlocks.corrals import count_areas, find_dead_corral
from sokoviz.core.deadlocks.pi_corrals import keep_inward_pushes
from sokoviz.core.deadlocks.rules import (
    find_boxes_on_locking_tiles,
    find_locked_boxes,
    find_overfull_line,
)
from sokoviz.core.deadlocks.triples import find_dead_triple
from sokoviz.core.deadlocks.window_sets import find_dead_window
from sokoviz.core.numbers.bits import first, has, is_subset
from sokoviz.core.numbers.hashing import hash_after_push, hash_boxes
from sokoviz.core.tree.arena import (
    ACTION,
    DEPTH,
    ELIMINATED,
    NODES,
    PARENT,
    PLACE,
    SOLVED,
    STATUS,
    VISITS,
    add_node,
    append_child,
    begin_block,
    move_subtree,
    take_child,
)
from sokoviz.core.tree.flags import DEADLOCK, DUPLICATE, MOVE, SOLUTION
from sokoviz.core.tree.journal import (
    IN_TREE,
    ON_PATH,
    REMEMBERED,
    AnyTrace,
    emit_added,
    emit_considered,
    emit_dead,
    emit_kept,
    emit_left_out,
    emit_moved,
    emit_solved,
)
from sokoviz.core.tree.node_table import enter_state, find_state, prepare_to_find
from sokoviz.core.types import FAR, NOWHERE, Bits, Integers, Tables
from sokoviz.games.sokoban import SokobanTables
from sokoviz.search.mcts.arrays import (
    BOXES,
    BY_PUSHES,
    COUNTS_AREAS,
    CULPRITS,
    DEADLOCKS,
    FREE_AFTER,
    FREE_SQUARES,
    IS_INWARD,
    IS_LATE,
    IS_REMEMBERED,
    NOT_ON_PATH,
    ONCE,
    REACHED,
    REACHED_AFTER,
    REPEATS,
    SOLUTION_NODE,
    Machine,
)
from sokoviz.search.mcts.game_kernel import eliminate

# Bits of Machine.options[DEADLOCKS], in the order of the names in `sokoviz.search.options.DEADLOCK_TESTS`.
LOCKING_TILE, WALL_SWEEP, LOCKED_BOXES, WALL_RUN = 1, 2, 4, 8
BIPARTITE, CORRAL, THREE_BOXES, NO_PUSH, WINDOW = 16, 32, 64, 128, 256


@lean
def enter_root(board: Tables, machine: Machine) -> None:
    """Enter the position of the root into the table of positions."""
    boards, root = machine.boards, machine.root
    read_boxes(root, boards[BOXES])
    find_free(board, boards[BOXES], boards[FREE_SQUARES])
    flood(boards[FREE_SQUARES], board.width, root[len(root) - 1], boards[REACHED])
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


@inlined
def expand_pushes(tables: SokobanTables, machine: Machine, trace: AnyTrace, node: int) -> int:
    """Give a leaf its children, and return the flags of what happened.

    Successors are looked at one after the other. Subtrees that move here come first among the children, then those
    that are new, in the order of the pushes.
    """
    board, arena, boards, pushes = tables.board, machine.arena, machine.boards, machine.actions
    read_boxes(machine.state, boards[BOXES])
    find_free(board, boards[BOXES], boards[FREE_SQUARES])
    flood(boards[FREE_SQUARES], board.width, machine.state[len(machine.state) - 1], boards[REACHED])
    n_pushes = generate_pushes(board, boards[BOXES], boards[REACHED], boards[FREE_SQUARES], pushes)
    emit_considered(trace, pushes, n_pushes)
    if machine.options[IS_INWARD]:
        n_pushes = keep_inward_pushes(
            board, boards[BOXES], boards[FREE_SQUARES], boards[REACHED], pushes, n_pushes, tables.inward
        )
        emit_kept(trace, pushes, n_pushes)
    box_key = _key_of(board, machine.states.keys[node], boards[REACHED])  # the component's share taken out again
    first_new, n_new, flags = arena.counts[NODES], 0, 0
    n_left = _look_ahead(board, machine, trace, box_key, n_pushes)
    if n_left < n_pushes:
        flags |= DEADLOCK
    begin_block(arena, node)
    for index in range(n_left):
        push, key = pushes[index], machine.keys[index]
        found = _meet(tables, machine, trace, node, index, first_new + n_new)
        if found == 0:
            enter_state(machine.states, key, first_new + n_new)
            pushes[n_new] = push
            n_new += 1
        flags |= found
    if n_new > 0:
        for index in range(n_new):
            append_child(arena, machine.formula, node, add_node(arena, node, pushes[index]))
        emit_added(trace, node, first_new, n_new)
    return flags


@inlined
def _look_ahead(board: Tables, machine: Machine, trace: AnyTrace, box_key: int, n_pushes: int) -> int:
    """Find component and key of the position after each push, and ask for the memory where they are looked up.

    Pushes to locking tiles, the most of those that lead to dead positions, are taken off the list where that rule is
    chosen; return how many are left.
    """
    boards, pushes, n_left = machine.boards, machine.actions, 0
    is_tested = machine.options[DEADLOCKS] & LOCKING_TILE and not machine.options[IS_LATE]
    for index in range(n_pushes):
        push = pushes[index]
        if is_tested and not has(board.live, (push >> 2) + board.steps[push & 3]):
            emit_left_out(trace, push, LOCKING_TILE, NOWHERE)
            continue
        reached = boards[REACHED_AFTER + n_left]
        component_after_push(board, boards[FREE_SQUARES], boards[REACHED], push, boards[FREE_AFTER], reached)
        key = _key_of(board, hash_after_push(board, box_key, push), reached)
        prepare_to_find(machine.states, key)
        pushes[n_left], machine.keys[n_left] = push, key
        n_left += 1
    return n_left


@inlined
def _meet(tables: SokobanTables, machine: Machine, trace: AnyTrace, node: int, index: int, n_known: int) -> int:
    """Decide about a position ahead: return 0 where it becomes a new child, else the flag that says why not."""
    push, key, reached = machine.actions[index], machine.keys[index], machine.boards[REACHED_AFTER + index]
    arena, options = machine.arena, machine.options
    if options[REPEATS] == ONCE:
        met = find_state(machine.states, key, n_known)
        if met != NOWHERE and (met >= arena.counts[NODES] or not arena.links[STATUS, met] & ELIMINATED):
            return _resolve(machine, trace, node, push, met)
        if met != NOWHERE and options[IS_REMEMBERED]:
            emit_left_out(trace, push, REMEMBERED, met)
            return DUPLICATE
    elif options[REPEATS] == NOT_ON_PATH:
        met = _repeated_at(machine, node, key, n_known)
        if met != NOWHERE:
            emit_left_out(trace, push, ON_PATH, met)
            return DUPLICATE
    if not options[IS_LATE]:
        target = make_push(tables.board, machine.boards[BOXES], push) + tables.board.steps[push & 3]
        changed = target if node != 0 else NOWHERE  # a leaf was found alive itself, but nobody looked at the root
        find_free(tables.board, machine.boards[BOXES], machine.boards[FREE_AFTER])
        rule = rule_against(tables, machine, machine.boards[FREE_AFTER], reached, push >> 2, changed)
        undo_push(tables.board, machine.boards[BOXES], push)
        if rule != 0:
            emit_left_out(trace, push, rule, NOWHERE)
            return DEADLOCK
    return 0


@lean
def _repeated_at(machine: Machine, node: int, key: int, n_known: int) -> int:
    """The node with a position on the path from the root, or among the new children (Vanillaban as published)."""
    keys = machine.states.keys
    for other in range(machine.arena.counts[NODES], n_known):
        if keys[other] == key:
            return np.int64(other)
    while node != NOWHERE and keys[node] != key:
        node = np.int64(machine.arena.links[PARENT, node])
    return np.int64(node)


@lean
def _resolve(machine: Machine, trace: AnyTrace, node: int, push: int, met: int) -> int:
    """A successor is in the tree already: discard it, or move its subtree here if the way is shorter (algorithm 4)."""
    arena = machine.arena
    if met >= arena.counts[NODES] or arena.links[DEPTH, node] + 1 >= arena.links[DEPTH, met]:
        emit_left_out(trace, push, IN_TREE, met)
        return DUPLICATE
    former = np.int64(arena.links[PARENT, met])
    place = np.int64(arena.links[PLACE, met])
    emit_moved(trace, met, former, place, node, np.int64(arena.links[ACTION, met]), push)
    take_child(arena, former, place)
    append_child(arena, machine.formula, node, met)
    move_subtree(arena, machine.formula, met, node, push)
    return MOVE | eliminate(machine, trace, former)


# --- simulation and what follows it (4.3.1, 4.2.3) -------------------------------------------------------------------


@inlined
def value_position(tables: SokobanTables, machine: Machine) -> int:
    """Reward of the position at hand: no random game is played."""
    read_boxes(machine.state, machine.boards[BOXES])
    reward = _reward(tables, machine, machine.options[BY_PUSHES])
    if not machine.options[COUNTS_AREAS] or reward in (0, -FAR):
        return reward
    free, reached = machine.boards[FREE_AFTER], machine.boards[REACHED_AFTER]
    find_free(tables.board, machine.boards[BOXES], free)
    flood(free, tables.board.width, machine.state[len(machine.state) - 1], reached)
    return reward - count_areas(tables.board, free, reached, tables.corral)


@inlined
def _reward(tables: SokobanTables, machine: Machine, by_pushes: int) -> int:
    """Reward of the position of Machine.boards[BOXES]."""
    return reward_of(tables.board, tables.distances, machine.boards[BOXES], by_pushes, tables.matching)


@inlined
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
    player = machine.state[len(machine.state) - 1]
    flood(free, tables.board.width, player, reached)
    rule = rule_against(tables, machine, free, reached, player, NOWHERE)
    emit_dead(trace, rule)
    return DEADLOCK | eliminate(machine, trace, node) if rule != 0 else 0


# --- deadlocks (4.2.1) -----------------------------------------------------------------------------------------------


@inlined
def rule_against(  # noqa: C901  one a test
    tables: SokobanTables, machine: Machine, free: Bits, reached: Bits, player: int, changed: int
) -> int:
    """The first of the chosen tests that finds the position of Machine.boards[BOXES] dead; 0 for none.

    A solved position never is.

    free, reached and player are its free floor, the player's component and square. Where the position before the last
    push was found alive by the same tests, `changed` is the square that the box was pushed to: only it can be new to a
    line, to a set of locked boxes or to a locking tile. It is NOWHERE otherwise.
    """
    board = tables.board
    boxes, culprits, chosen = machine.boards[BOXES], machine.boards[CULPRITS], machine.options[DEADLOCKS]
    if is_subset(boxes, board.goals):
        return 0
    if chosen & LOCKING_TILE and changed == NOWHERE and find_boxes_on_locking_tiles(board, boxes, culprits):
        return LOCKING_TILE
    if chosen & WALL_SWEEP and find_overfull_line(board, boxes, board.sweep_lines, culprits, changed):
        return WALL_SWEEP
    if chosen & WALL_RUN and find_overfull_line(board, boxes, board.wall_runs, culprits, changed):
        return WALL_RUN
    if chosen & LOCKED_BOXES and find_locked_boxes(board, boxes, culprits, changed):
        return LOCKED_BOXES
    if chosen & NO_PUSH and not can_push(board, boxes, reached, free):
        return NO_PUSH
    if chosen & WINDOW and find_dead_window(board, boxes, player, tables.windows, culprits, changed):
        return WINDOW
    if chosen & THREE_BOXES and find_dead_triple(board, boxes, player, tables.triples, culprits, changed):
        return THREE_BOXES
    # Without a perfect matching under push distances some boxes together reach fewer goals than they are.
    if chosen & BIPARTITE and _reward(tables, machine, 1) == -FAR:
        return BIPARTITE
    if chosen & CORRAL and find_dead_corral(board, boxes, free, reached, player, tables.corral, culprits):
        return CORRAL
    return 0
