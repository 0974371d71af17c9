"""Monte Carlo Tree Search, compiled: selection, expansion, simulation, backpropagation (thesis, 3.2 and figure 3.2).

One call of `advance` makes any number of iterations. The stepper calls it with 1, an experiment with a million; what
it writes down is decided by the type of the trace (`sokoviz.core.journal`), the game by the type of its tables.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sokoviz.core.arena import (
    ACTION,
    COUNT,
    DEPTH,
    FIRST,
    NODES,
    PARENT,
    SLOTS,
    VALUE,
    VISITS,
    WEIGHT,
    Arena,
    add_node,
    append_child,
    begin_block,
    change_statistics,
)
from sokoviz.core.flags import DEEPER, EXPANSION, NEW_LEADER, TERMINAL, TIE
from sokoviz.core.formulas import Formula, scale_of
from sokoviz.core.jit import lean
from sokoviz.core.journal import (
    AnyTrace,
    begin_rollout,
    begin_step,
    emit_added,
    emit_move,
    emit_passed,
    emit_score,
    end_step,
    has_room,
    mark_position,
)
from sokoviz.core.rng import next_below
from sokoviz.core.types import NOWHERE, Bits, Integers
from sokoviz.games.game import AnyTables
from sokoviz.games.rules import list_actions, outcome, play

# What `advance` returns.
DONE, FULL, MET, BAD_CHOICE, BAD_OUTCOME = range(5)

# Entries of Machine.tip: what is known where the record ends, and nowhere else.
ITERATIONS, CHOICES, DEEPEST, LEADER, N_LEADER_VISITS = range(5)
N_TIP = 5

# Entries of Machine.stop: bits of the flags to stop at, and a node.
STOP_FLAGS, STOP_NODE = range(2)

FREE = np.int64(-(1 << 62))  # an entry of a script that leaves it to chance
MOST_ATTEMPTS = 100_000  # rollouts to try for a scripted outcome


class Machine(NamedTuple):
    """Everything that a search works on."""

    arena: Arena
    formula: Formula
    sign: int
    """-1 where two players take turns, 1 for one player: what a reward is multiplied by on its way up"""
    root: Integers
    """int64[n]: the position at the root"""
    state: Integers
    """int64[n]: the position at hand"""
    saved: Integers
    """int64[n]: the position where a rollout began"""
    actions: Integers
    """int64[max_actions]"""
    scores: NDArray[np.float64]
    """float64[max_actions]: scores of the children at hand"""
    generator: Bits
    """uint64[1]"""
    choices: Integers
    """int64[m]: scripted choices, node numbers or FREE"""
    outcomes: Integers
    """int64[m]: scripted outcomes of the rollouts, by iteration, or FREE"""
    tip: Integers
    """int64[5]: iterations made, scripted choices used, deepest node, most visited child of the root, its visits"""
    stop: Integers
    """int64[2]: where to stop"""


@lean
def advance(tables: AnyTables, machine: Machine, trace: AnyTrace, n: int) -> int:
    """Make n iterations, or fewer: return why it ended."""
    for _ in range(n):
        if not _has_room_for_nodes(machine) or not has_room(trace):
            return FULL
        status = iterate(tables, machine, trace)
        if status != DONE:
            return status
    return DONE


@lean
def _has_room_for_nodes(machine: Machine) -> bool:
    """Whether one more leaf can be expanded."""
    arena, most = machine.arena, len(machine.actions)
    enough_nodes = arena.counts[NODES] + most <= len(arena.sums)
    return enough_nodes and arena.counts[SLOTS] + most <= len(arena.children)


@lean
def iterate(tables: AnyTables, machine: Machine, trace: AnyTrace) -> int:
    """One pass through figure 3.2: a leaf without visits is simulated; another is expanded, and a new child is."""
    links, tip = machine.arena.links, machine.tip
    begin_step(trace, machine.generator[0], tip[CHOICES])
    node, flags = select_leaf(tables, machine, trace)
    if node != NOWHERE and links[VISITS, node] > 0 and expand(tables, machine, trace, node):
        flags |= EXPANSION
        node = draw_new_child(tables, machine, node)
    if node == NOWHERE:
        return BAD_CHOICE
    reward, length = simulate(tables, machine, trace)
    if reward == FREE:
        return BAD_OUTCOME
    if length == 0:
        flags |= TERMINAL
    emit_passed(trace, node, reward)
    root_child, met = back_up(machine, node, reward)
    flags |= _look_at_tip(machine, node, root_child)
    tip[ITERATIONS] += 1
    end_step(trace, flags, root_child, machine.arena.sums[0], machine.arena.counts[NODES], tip[DEEPEST])
    mark_position(trace, machine.arena)
    return MET if met or flags & machine.stop[STOP_FLAGS] else DONE


@lean
def copy_state(source: Integers, target: Integers) -> None:
    """Copy a position; a loop, because a slice assignment may allocate."""
    for index in range(len(source)):
        target[index] = source[index]


# --- selection (3.2.1, algorithm 1) ----------------------------------------------------------------------------------


@lean
def select_leaf(tables: AnyTables, machine: Machine, trace: AnyTrace) -> tuple[int, int]:
    """Go from the root to a leaf, always to the child with the highest score; return it and whether there was a tie."""
    copy_state(machine.root, machine.state)
    links = machine.arena.links
    node, flags = 0, 0
    while links[COUNT, node] > 0:
        node, tied = choose_child(machine, trace, node)
        if node == NOWHERE:
            return node, flags
        flags |= tied
        play(tables, machine.state, np.int64(links[ACTION, node]))
    return node, flags


@lean
def choose_child(machine: Machine, trace: AnyTrace, node: int) -> tuple[int, int]:
    """The child with the highest score, one of them at random; one without visits counts as infinite.

    Two passes without branches: which child leads cannot be predicted, and a wrong prediction costs more than a pass.
    """
    arena, scores = machine.arena, machine.scores
    first, count = np.int64(arena.links[FIRST, node]), np.int64(arena.links[COUNT, node])
    scale = scale_of(machine.formula, arena.links[VISITS, node], count)
    bonus = machine.formula.c * scale
    best = -np.inf
    for index in range(count):
        child = arena.children[first + index]
        value, weight = arena.scores[VALUE, child], arena.scores[WEIGHT, child]
        score = value + bonus * weight
        emit_score(trace, node, child, value, scale, weight, score)
        scores[index] = score
        best = max(best, score)
    n_best, place = 0, 0
    for index in range(count):
        is_best = scores[index] == best
        n_best += is_best
        place = index if is_best else place
    if best == np.inf:
        return draw_tied(machine, node, best, n_best), 0
    if n_best > 1:
        return draw_tied(machine, node, best, n_best), TIE
    return np.int64(arena.children[first + place]), 0


@lean
def draw_tied(machine: Machine, node: int, best: float, n_best: int) -> int:
    """One of the children that share the best score, by script or at random; NOWHERE if the script names another."""
    arena = machine.arena
    scripted = next_choice(machine)
    left = next_below(machine.generator, n_best) if scripted == FREE and n_best > 1 else 0
    for index in range(arena.links[COUNT, node]):
        if machine.scores[index] != best:
            continue
        child = np.int64(arena.children[arena.links[FIRST, node] + index])
        if child == scripted or (scripted == FREE and left == 0):
            return child
        left -= 1
    return np.int64(NOWHERE)


@lean
def score_nodes(machine: Machine, nodes: Integers, out: NDArray[np.float64]) -> None:
    """Scores of any nodes but the root."""
    links, scores = machine.arena.links, machine.arena.scores
    for index in range(len(nodes)):
        node, parent = nodes[index], links[PARENT, nodes[index]]
        scale = scale_of(machine.formula, links[VISITS, parent], links[COUNT, parent])
        out[index] = scores[VALUE, node] + machine.formula.c * scale * scores[WEIGHT, node]


@lean
def next_choice(machine: Machine) -> int:
    """The next scripted choice, FREE where it is left to chance."""
    used = machine.tip[CHOICES]
    if used >= len(machine.choices):
        return FREE
    machine.tip[CHOICES] = used + 1
    return machine.choices[used]


# --- expansion (3.2.2) -----------------------------------------------------------------------------------------------


@lean
def expand(tables: AnyTables, machine: Machine, trace: AnyTrace, node: int) -> bool:
    """Add a child for every action; return whether there is any."""
    arena = machine.arena
    count = list_actions(tables, machine.state, machine.actions)
    if count == 0:
        return False
    first = arena.counts[NODES]
    begin_block(arena, node)
    for index in range(count):
        append_child(arena, node, add_node(arena, node, machine.actions[index]))
    emit_added(trace, node, first, count)
    return True


@lean
def draw_new_child(tables: AnyTables, machine: Machine, node: int) -> int:
    """One of the new children, by script or at random, and play the move to it; NOWHERE if the script is wrong."""
    arena = machine.arena
    first, count = arena.links[FIRST, node], arena.links[COUNT, node]
    child = next_choice(machine)
    if child == FREE:
        child = np.int64(arena.children[first + next_below(machine.generator, count)])
    elif not 0 <= child < arena.counts[NODES] or arena.links[PARENT, child] != node:
        return np.int64(NOWHERE)
    play(tables, machine.state, np.int64(arena.links[ACTION, child]))
    return child


# --- simulation (3.2.3) ----------------------------------------------------------------------------------------------


@lean
def simulate(tables: AnyTables, machine: Machine, trace: AnyTrace) -> tuple[int, int]:
    """A random game from the position at hand: its reward for the player who moved there, and its length.

    Where the outcome is scripted, games are drawn until one ends like that; FREE if none does.
    """
    iteration = machine.tip[ITERATIONS]
    if iteration >= len(machine.outcomes) or machine.outcomes[iteration] == FREE:
        return roll_out(tables, machine, trace)
    copy_state(machine.state, machine.saved)
    for _ in range(MOST_ATTEMPTS):
        copy_state(machine.saved, machine.state)
        reward, length = roll_out(tables, machine, trace)
        if reward == machine.outcomes[iteration]:
            return reward, length
    return FREE, 0


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


# --- backpropagation (3.2.4) -----------------------------------------------------------------------------------------


@lean
def back_up(machine: Machine, node: int, reward: int) -> tuple[int, bool]:
    """Pass a reward up to the root, negated at each step where players take turns.

    Return the child of the root that it came through, and whether it met the node to stop at.
    """
    links = machine.arena.links
    below, met = np.int64(NOWHERE), False
    while True:
        change_statistics(machine.arena, machine.formula, node, 1, reward)
        if node == machine.stop[STOP_NODE]:
            met = True
        parent = np.int64(links[PARENT, node])
        if parent == NOWHERE:
            return below, met
        below, node = node, parent
        reward *= machine.sign


@lean
def _look_at_tip(machine: Machine, node: int, root_child: int) -> int:
    """Whether the tree has become deeper, and whether another child of the root leads by visits."""
    tip, links, flags = machine.tip, machine.arena.links, 0
    if links[DEPTH, node] > tip[DEEPEST]:
        tip[DEEPEST] = links[DEPTH, node]
        flags |= DEEPER
    if root_child != NOWHERE and links[VISITS, root_child] > tip[N_LEADER_VISITS]:
        if root_child != tip[LEADER]:
            flags |= NEW_LEADER
        tip[LEADER] = root_child
        tip[N_LEADER_VISITS] = links[VISITS, root_child]
    return flags
