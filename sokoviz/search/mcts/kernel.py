"""Monte Carlo Tree Search, compiled: selection, expansion, simulation, backpropagation (thesis, 3.2 and figure 3.2).

One call of `advance` makes any number of iterations. The stepper calls it with 1, an experiment with a million; what
it writes down is decided by the type of the trace (`sokoviz.core.tree.journal`), the game by the type of its tables.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sokoviz.core.compiling.by_address import refer
from sokoviz.core.compiling.jit import inlined, lean
from sokoviz.core.compiling.prefetch import read_afresh
from sokoviz.core.numbers.bits import ZERO, count_ones, trailing_zeros
from sokoviz.core.numbers.rng import next_below
from sokoviz.core.numbers.vectors import LANES, find_lanes, score_lanes
from sokoviz.core.tree.arena import (
    COUNT,
    DEPTH,
    FIRST,
    NODES,
    PARENT,
    SLOTS,
    SOLVED,
    STATUS,
    VALUE,
    VISITS,
    WEIGHT,
    change_statistics,
    slot_of,
)
from sokoviz.core.tree.flags import DEADLOCK, DEEPER, EXPANSION, NEW_LEADER, NO_REWARD, SOLUTION, TERMINAL, TIE
from sokoviz.core.tree.formulas import scale_of
from sokoviz.core.tree.journal import (
    AnyTrace,
    begin_step,
    emit_leaf,
    emit_passed,
    emit_score,
    end_step,
    has_room,
    mark_position,
)
from sokoviz.core.types import NOWHERE, Integers
from sokoviz.games.game import AnyTables
from sokoviz.search.mcts.arrays import (
    CHOICES,
    DEEPEST,
    HAS_STALL,
    IS_UNSOLVABLE,
    ITERATIONS,
    LEADER,
    MOST_NODES,
    N_LEADER_VISITS,
    STOP_FLAGS,
    STOP_NODE,
    Machine,
)
from sokoviz.search.mcts.game_kernel import LEFT_TO_CHANCE, copy_state, eliminate
from sokoviz.search.mcts.hooks import (
    by_address,
    ends_at,
    enter,
    grow,
    is_scored_again,
    most_events,
    settle,
    simulate,
)

# What `advance` returns.
DONE, FULL, MET, BAD_CHOICE, BAD_OUTCOME, SOLVED_NOW, UNSOLVABLE, ENOUGH_NODES = range(8)


@lean
def advance(tables: AnyTables, machine: Machine, trace: AnyTrace, n: int) -> int:
    """Make n iterations, or fewer: return why it ended."""
    rules, search = by_address(tables), refer(machine)
    for _ in range(n):
        if machine.tip[IS_UNSOLVABLE]:
            return UNSOLVABLE
        if machine.arena.counts[NODES] >= machine.stop[MOST_NODES]:
            return ENOUGH_NODES
        if not has_room_for_nodes(search) or not has_room(trace, most_events(rules, search)):
            return FULL
        status = _iterate(rules, search, trace)
        if status != DONE:
            return status
    return DONE


@lean
def has_room_for_nodes(machine: Machine) -> bool:
    """Whether one more leaf can be expanded."""
    arena, most = machine.arena, len(machine.actions)
    enough_nodes = arena.counts[NODES] + most <= len(arena.sums)
    return enough_nodes and arena.counts[SLOTS] + most + LANES <= len(arena.children)


@lean
def iterate(tables: AnyTables, machine: Machine, trace: AnyTrace) -> int:
    """Make one iteration; return why it ended."""
    return _iterate(by_address(tables), refer(machine), trace)


@inlined
def _iterate(tables: AnyTables, machine: Machine, trace: AnyTrace) -> int:
    """One pass through figure 3.2: a leaf without visits is simulated; another is expanded, and a new child is."""
    links, tip = machine.arena.links, machine.tip
    begin_step(trace, machine.generator[0], tip[CHOICES])
    node, flags = select_leaf(tables, machine, trace)
    emit_leaf(trace, node)
    if node != NOWHERE and links[VISITS, node] > 0 and not links[STATUS, node] & SOLVED:
        flags |= grow(tables, machine, trace, node)
        if links[COUNT, node] > 0:
            flags |= EXPANSION
            node = draw_new_child(tables, machine, node)
        elif not is_scored_again(tables):
            return _end_without_reward(machine, trace, node, flags)
    if node == NOWHERE:
        return BAD_CHOICE
    reward, length = simulate(tables, machine, trace, node)
    if reward == LEFT_TO_CHANCE:
        return BAD_OUTCOME
    if length == 0 and ends_at(tables, machine, node, reward):
        flags |= TERMINAL
    emit_passed(trace, node, reward)
    root_child, met = back_up(machine, node, reward)
    flags |= _look_at_tip(machine, node, root_child) | settle(tables, machine, trace, node, reward)
    _end_iteration(machine, trace, flags, root_child)
    if flags & SOLUTION:
        return SOLVED_NOW
    if tip[IS_UNSOLVABLE]:
        return UNSOLVABLE
    return MET if met or flags & machine.stop[STOP_FLAGS] else DONE


@inlined
def _end_iteration(machine: Machine, trace: AnyTrace, flags: int, root_child: int) -> None:
    """Count an iteration, and write down what is known after it."""
    machine.tip[ITERATIONS] += 1
    arena = machine.arena
    end_step(trace, flags, root_child, arena.sums[0], arena.counts[NODES], machine.tip[DEEPEST])
    mark_position(trace, arena)


@lean
def _end_without_reward(machine: Machine, trace: AnyTrace, node: int, flags: int) -> int:
    """A leaf got no children: all its successors are dead or in the tree already. That is an iteration all the same.

    The published Vanillaban forgets to eliminate a leaf all of whose successors were skipped, none of them dead.
    """
    if flags & DEADLOCK or not machine.options[HAS_STALL]:
        flags |= eliminate(machine, trace, node)
    _end_iteration(machine, trace, flags | NO_REWARD, NOWHERE)
    if machine.tip[IS_UNSOLVABLE]:
        return UNSOLVABLE
    return MET if flags & machine.stop[STOP_FLAGS] else DONE


# --- selection (3.2.1, algorithm 1) ----------------------------------------------------------------------------------


@inlined
def select_leaf(tables: AnyTables, machine: Machine, trace: AnyTrace) -> tuple[int, int]:
    """Go from the root to a leaf, always to the child with the highest score; return it and whether there was a tie.

    At nine nodes of ten that is the child of the last time. So the way goes on to that one, and the processor, which
    foresees that the guess will be right, looks at the next nodes while it still scores this one. The guess is read
    twice: once to go on with and once to compare, or the compiler would find out that both ways lead to one child.
    """
    copy_state(machine.root, machine.state)
    links, guesses = machine.arena.links, machine.arena.guesses
    node, flags = np.int64(0), 0
    while links[COUNT, np.uint64(node)] > 0:
        guess = np.int64(read_afresh(guesses, node))
        chosen, tied = choose_child(machine, trace, node)
        if chosen == NOWHERE:
            return chosen, flags
        flags |= tied
        if chosen == read_afresh(guesses, node):
            node = guess
        else:
            guesses[np.uint64(node)] = chosen
            node = chosen
        enter(tables, machine, node)
    return node, flags


@inlined
def choose_child(machine: Machine, trace: AnyTrace, node: int) -> tuple[int, int]:
    """The child with the highest score, one of them at random; one without visits counts as infinite.

    Two passes without branches: which child leads cannot be predicted, nor how many there are, and a wrong prediction
    costs more than a pass. So children are taken four at a time; what stands behind a block is read, but not counted.
    """
    arena, scores, children = machine.arena, machine.scores, machine.arena.children
    here = np.uint64(node)  # numba looks whether a signed index is negative
    first, count = np.int64(arena.links[FIRST, here]), np.int64(arena.links[COUNT, here])
    oldest = np.int64(children[np.uint64(first)])
    scale = scale_of(machine.formula, np.int64(arena.links[VISITS, here]), count)
    bonus = machine.formula.c * scale
    if count == 1 and arena.links[VISITS, np.uint64(oldest)] > 0:  # long lines without a choice are common in Sokoban
        value, weight = arena.scores[VALUE, np.uint64(first)], arena.scores[WEIGHT, np.uint64(first)]
        emit_score(trace, node, oldest, value, scale, weight, value + bonus * weight)
        return oldest, 0
    best = score_lanes(arena.scores, first, count, bonus, scores, 0)
    for start in range(LANES, count, LANES):
        best = max(best, score_lanes(arena.scores, first + start, count - start, bonus, scores, start))
    leaders = find_lanes(scores, 0, best)
    n_best, leading = np.int64(count_ones(leaders)), np.int64(trailing_zeros(leaders))
    for start in range(LANES, count, LANES):
        leaders = find_lanes(scores, start, best)
        n_best += np.int64(count_ones(leaders))
        leading = start + np.int64(trailing_zeros(leaders)) if leaders != ZERO else leading
    for index in range(count):  # nothing is left of this loop where scores are not written down
        slot = first + index
        value, weight = arena.scores[VALUE, slot], arena.scores[WEIGHT, slot]
        emit_score(trace, node, children[slot], value, scale, weight, scores[index])
    if best == np.inf:
        return draw_tied(machine, node, best, n_best), 0
    if n_best > 1:
        return draw_tied(machine, node, best, n_best), TIE
    return np.int64(children[np.uint64(first + leading)]), 0


@lean
def draw_tied(machine: Machine, node: int, best: float, n_best: int) -> int:
    """One of the children that share the best score, by script or at random; NOWHERE if the script names another."""
    arena = machine.arena
    scripted = next_choice(machine)
    left = next_below(machine.generator, n_best) if scripted == LEFT_TO_CHANCE and n_best > 1 else 0
    for index in range(arena.links[COUNT, node]):
        if machine.scores[index] != best:
            continue
        child = np.int64(arena.children[arena.links[FIRST, node] + index])
        if child == scripted or (scripted == LEFT_TO_CHANCE and left == 0):
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
        slot = slot_of(machine.arena, node)
        out[index] = scores[VALUE, slot] + machine.formula.c * scale * scores[WEIGHT, slot]


@lean
def next_choice(machine: Machine) -> int:
    """The next scripted choice, LEFT_TO_CHANCE where it is left to chance."""
    used = machine.tip[CHOICES]
    if used >= len(machine.choices):
        return LEFT_TO_CHANCE
    machine.tip[CHOICES] = used + 1
    return machine.choices[used]


# --- expansion (3.2.2) -----------------------------------------------------------------------------------------------


@lean
def draw_new_child(tables: AnyTables, machine: Machine, node: int) -> int:
    """One of the new children, by script or at random, and play the move to it; NOWHERE if the script is wrong."""
    arena = machine.arena
    first, count = arena.links[FIRST, node], arena.links[COUNT, node]
    child = next_choice(machine)
    if child == LEFT_TO_CHANCE:
        child = np.int64(arena.children[first + next_below(machine.generator, count)])
    elif not 0 <= child < arena.counts[NODES] or arena.links[PARENT, child] != node:
        return np.int64(NOWHERE)
    enter(tables, machine, child)
    return child


# --- backpropagation (3.2.4) -----------------------------------------------------------------------------------------


@inlined
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


@inlined
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
