"""What a search of any game does at a leaf: a child for every action, a random game, and leaves that are taken out.

What a search of Sokoban does otherwise stands in sokoban_kernel.py; which of the two, hooks.py says.
"""

from __future__ import annotations

import numpy as np

from sokoviz.core.compiling.jit import lean
from sokoviz.core.numbers.rng import next_below
from sokoviz.core.tree.arena import (
    COUNT,
    ELIMINATED,
    NODES,
    PARENT,
    PLACE,
    STATUS,
    add_node,
    append_child,
    begin_block,
    take_child,
)
from sokoviz.core.tree.flags import ELIMINATION
from sokoviz.core.tree.journal import AnyTrace, begin_rollout, emit_added, emit_move, emit_removed
from sokoviz.core.types import NOWHERE, Integers
from sokoviz.games.game import AnyTables
from sokoviz.games.rules import list_actions, outcome, play
from sokoviz.search.mcts.arrays import IS_UNSOLVABLE, ITERATIONS, Machine

LEFT_TO_CHANCE = np.int64(-(1 << 62))  # an entry of a script that leaves it to chance
MOST_ATTEMPTS = 100_000  # rollouts to try for a scripted outcome


@lean
def copy_state(source: Integers, target: Integers) -> None:
    """Copy a position; a loop, because a slice assignment may allocate."""
    for index in range(len(source)):
        target[index] = source[index]


# --- expansion (3.2.2) -----------------------------------------------------------------------------------------------


@lean
def expand(tables: AnyTables, machine: Machine, trace: AnyTrace, node: int) -> int:
    """Add a child for every action."""
    arena = machine.arena
    count = list_actions(tables, machine.state, machine.actions)
    if count == 0:
        return 0
    first = arena.counts[NODES]
    begin_block(arena, node)
    for index in range(count):
        append_child(arena, machine.formula, node, add_node(arena, node, machine.actions[index]))
    emit_added(trace, node, first, count)
    return 0


# --- simulation (3.2.3) ----------------------------------------------------------------------------------------------


@lean
def play_out(tables: AnyTables, machine: Machine, trace: AnyTrace) -> tuple[int, int]:
    """A random game from the position at hand: its reward for the player who moved there, and its length.

    Where the outcome is scripted, games are drawn until one ends like that; LEFT_TO_CHANCE if none does.
    """
    iteration = machine.tip[ITERATIONS]
    if iteration >= len(machine.outcomes) or machine.outcomes[iteration] == LEFT_TO_CHANCE:
        return roll_out(tables, machine, trace)
    copy_state(machine.state, machine.saved)
    for _ in range(MOST_ATTEMPTS):
        copy_state(machine.saved, machine.state)
        reward, length = roll_out(tables, machine, trace)
        if reward == machine.outcomes[iteration]:
            return reward, length
    return LEFT_TO_CHANCE, 0


@lean
def roll_out(tables: AnyTables, machine: Machine, trace: AnyTrace) -> tuple[int, int]:
    """Random moves to the end of the game."""
    begin_rollout(trace)
    reward_sign, length = 1, 0
    count = list_actions(tables, machine.state, machine.actions)
    while count > 0:
        action = machine.actions[next_below(machine.generator, count)]
        emit_move(trace, action)
        play(tables, machine.state, action)
        length += 1
        reward_sign *= machine.sign
        count = list_actions(tables, machine.state, machine.actions)
    return reward_sign * outcome(tables, machine.state), length


# --- elimination (4.2.3) ---------------------------------------------------------------------------------------------


@lean
def eliminate(machine: Machine, trace: AnyTrace, node: int) -> int:
    """Take a node without children out of the tree, then each ancestor that is left without any; return the flag."""
    arena = machine.arena
    if arena.links[COUNT, node] > 0:
        return 0
    while node != NOWHERE and arena.links[COUNT, node] == 0:
        parent = np.int64(arena.links[PARENT, node])
        place = np.int64(arena.links[PLACE, node])
        emit_removed(trace, node, parent, place)
        arena.links[STATUS, node] |= ELIMINATED
        if parent == NOWHERE:
            machine.tip[IS_UNSOLVABLE] = 1
        else:
            take_child(arena, parent, place)
        node = parent
    return ELIMINATION
