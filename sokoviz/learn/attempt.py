"""One attempt at a board: a search tree that grows by trajectories (Curry, "Choosing moves" and "Search tree").

A trajectory goes down from the root by moves drawn as the past episodes suggest, to a move that nobody has tried: leaf
selection. From there it goes on while the value gets better: the rollout. All positions stay in the tree with their
moves and weights, so that none is evaluated twice; those without a way out are marked dead, and so are their ancestors.

Or a small search goes before each move ("Computing value estimates"): moves drawn as before are examined, and the one
is made behind which fewest moves are left. What was examined is in the tree, so there is no leaf to find and no
rollout: such a trajectory goes on to its end.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sokoviz.core.board.box_moves import PLAYER, SOURCE, TARGET, BoxScratch, list_box_moves, make_box_scratch
from sokoviz.core.board.reach import find_free, flood
from sokoviz.core.compiling.by_address import refer
from sokoviz.core.compiling.jit import inlined, lean
from sokoviz.core.numbers.bits import ONE, WORD, ZERO, add, count, first, has, is_subset, remove, trailing_zeros
from sokoviz.core.numbers.hashing import hash_boxes
from sokoviz.core.numbers.rank_tree import clear_ranks, find_winner, make_tournament, set_rank
from sokoviz.core.numbers.rng import next_below, next_random
from sokoviz.core.types import NOWHERE, Bits, Integers, Tables
from sokoviz.learn.simba import Episodes, Votes, count_votes, make_votes

# Rows of Attempt.nodes.
FIRST, COUNT, ALIVE, WINNING, LEAF, PARENT, ORIGIN, DEPTH, MET, SLOT = range(10)
# Entries of Attempt.counts.
N_NODES, N_MOVES, N_STEPS, ROUND, N_TRAJECTORIES, N_CYCLES = range(6)
# Entries of Attempt.rules.
MOST_STEPS, MOST_NODES, IS_FILTERED, HAS_TREE, WIDTH, AHEAD = range(6)
# Rows of Attempt.way.
NODE, MOVE = range(2)
# Entries of Attempt.chances.
DELTA, EPSILON = range(2)
# Children of a move: a node, or one of these.
UNTRIED, DEAD = -1, -2
# Why a trajectory, or an attempt, ended.
STOPPED, SOLVED, HOPELESS, FULL = range(4)

LOW_BITS = np.uint64(11)
UNIT = 2.0**-53
TINY = 1e-300  # a way that is possible, however unlikely


class Attempt(NamedTuple):
    """A board with the tree of what has been tried on it."""

    tables: Tables
    goals: Bits
    """uint64[n_words]: targets of the subcase"""
    is_goal: NDArray[np.int8]
    """int8[n_floor]: the same"""
    place_of: NDArray[np.int16]
    """int16[n_squares]: number of each square among the floor"""
    rules: Integers
    """int64[6]: most steps of a trajectory; most nodes; whether suggestions to foreign goals are left out; whether
    trajectories grow a tree or are plain ones; moves that are examined before one is made, 0 where none are; moves that
    are looked ahead then"""
    chances: NDArray[np.float64]
    """float64[2]: delta, epsilon"""
    generator: Bits
    """uint64[1]: state of the random numbers"""
    counts: Integers
    """int64[6]: nodes, moves, steps of the way at hand, number of the descent, trajectories, ways out of cycles"""
    boxes: Bits
    """uint64[capacity, n_words]: boxes of each node"""
    nodes: Integers
    """int64[10, capacity], order F: first move, number of moves, of those that are not dead, the winning one, the
    likeliest untried one; the node before it and the move from there by which it was found, and how many of those lead
    here; last descent that came by; slot in the table"""
    values: NDArray[np.float64]
    """float64[capacity]: mean number of moves that are left"""
    totals: NDArray[np.float64]
    """float64[capacity]: sum of the weights of the moves that are not dead"""
    moves: NDArray[np.int16]
    """int16[3, room]: source, target, square of the player of each move"""
    weights: NDArray[np.float64]
    """float64[room]: what the episodes give each move"""
    children: NDArray[np.int32]
    """int32[room]: the node it leads to, UNTRIED or DEAD"""
    keys: Bits
    """uint64[capacity]: key of each node's position"""
    slots: NDArray[np.int32]
    """int32[power of two]: nodes by their keys"""
    way: Integers
    """int64[2, most steps + 1]: nodes of the way at hand, and the moves taken there"""
    reach: NDArray[np.float64]
    """float64[capacity]: probability of the way by which a node was found, as it was then"""
    ranks: NDArray[np.float64]
    """a tournament: the same of its likeliest untried move, 0 where all are tried"""
    is_box: NDArray[np.int8]
    """int8[n_floor], scratch"""
    n_sides: NDArray[np.int8]
    """int8[n_floor], scratch: in how many zones the player can end up for a target"""
    free: Bits
    reached: Bits
    """uint64[n_words] each, scratch"""
    scratch: BoxScratch
    votes: Votes


def make_attempt(tables: Tables, capacity: int, room: int, longest: int, buffer: int) -> Attempt:
    """Return memory for attempts at subcases of a level.

    Parameters
    ----------
    tables
        The level.
    capacity, room
        Most nodes, most moves of them all.
    longest
        Most steps of a trajectory.
    buffer
        Most episodes.
    """
    from sokoviz.core.board.grid import from_bits

    n_words, n_floor, n_squares = len(tables.floor), tables.n_floor, tables.width * tables.height
    place_of = np.full(n_squares, NOWHERE, dtype=np.int16)
    place_of[from_bits(tables.floor)] = np.arange(n_floor)
    n_slots = 1
    while n_slots < 2 * capacity:
        n_slots *= 2
    return Attempt(
        tables=tables,
        goals=np.zeros(n_words, dtype=np.uint64),
        is_goal=np.zeros(n_floor, dtype=np.int8),
        place_of=place_of,
        rules=np.zeros(6, dtype=np.int64),
        chances=np.zeros(2),
        generator=np.zeros(1, dtype=np.uint64),
        counts=np.zeros(6, dtype=np.int64),
        boxes=np.zeros((capacity, n_words), dtype=np.uint64),
        nodes=np.zeros((10, capacity), dtype=np.int64, order="F"),
        values=np.zeros(capacity),
        totals=np.zeros(capacity),
        moves=np.zeros((3, room), dtype=np.int16),
        weights=np.zeros(room),
        children=np.zeros(room, dtype=np.int32),
        keys=np.zeros(capacity, dtype=np.uint64),
        slots=np.full(n_slots, NOWHERE, dtype=np.int32),
        way=np.zeros((2, longest + 1), dtype=np.int64),
        reach=np.zeros(capacity),
        ranks=make_tournament(capacity),
        is_box=np.zeros(n_floor, dtype=np.int8),
        n_sides=np.zeros(n_floor, dtype=np.int8),
        free=np.zeros(n_words, dtype=np.uint64),
        reached=np.zeros(n_words, dtype=np.uint64),
        scratch=make_box_scratch(tables),
        votes=make_votes(buffer, n_floor),
    )


# --- positions -------------------------------------------------------------------------------------------------------


@lean
def begin(attempt: Attempt, episodes: Episodes, boxes: Bits, goals: Bits, player: int) -> None:
    """Forget the tree and begin at a board; its root is evaluated at once."""
    for node in range(attempt.counts[N_NODES]):
        attempt.slots[attempt.nodes[SLOT, node]] = NOWHERE
    clear_ranks(attempt.ranks, attempt.counts[N_NODES])
    for index in range(len(attempt.counts)):
        attempt.counts[index] = 0
    for word in range(len(goals)):
        attempt.goals[word] = goals[word]
        attempt.boxes[0, word] = boxes[word]
    for square in range(len(attempt.place_of)):
        if attempt.place_of[square] != NOWHERE:
            attempt.is_goal[attempt.place_of[square]] = has(goals, square)
    attempt.reach[0] = 1.0
    _enter(refer(attempt), refer(episodes), player, NOWHERE, NOWHERE)


@inlined
def _slot_of(attempt: Attempt, key: int) -> int:
    """The slot of a key, or the empty one where it belongs."""
    mask = np.uint64(len(attempt.slots) - 1)
    slot = np.int64(key & mask)
    while attempt.slots[slot] != NOWHERE and attempt.keys[attempt.slots[slot]] != key:
        slot = np.int64(np.uint64(slot + 1) & mask)
    return slot


@lean
def _enter(attempt: Attempt, episodes: Episodes, player: int, parent: int, move: int) -> tuple[int, bool]:
    """Find the node of the position that stands behind the last node, or make it one; return it, and if it is new.

    Parent and move tell how it was found.
    """
    tables, node = attempt.tables, attempt.counts[N_NODES]
    boxes = attempt.boxes[node]
    find_free(tables, boxes, attempt.free)
    flood(attempt.free, tables.width, player, attempt.reached)
    key = hash_boxes(tables, boxes) ^ tables.player_keys[first(attempt.reached)]
    slot = _slot_of(attempt, key)
    if attempt.slots[slot] != NOWHERE:
        return np.int64(attempt.slots[slot]), False
    attempt.slots[slot] = node
    attempt.keys[node], attempt.nodes[SLOT, node] = key, slot
    attempt.counts[N_NODES] = node + 1
    attempt.nodes[PARENT, node], attempt.nodes[ORIGIN, node], attempt.nodes[MET, node] = parent, move, 0
    attempt.nodes[DEPTH, node] = attempt.nodes[DEPTH, parent] + 1 if parent != NOWHERE else 0
    if parent != NOWHERE:
        attempt.reach[node] = attempt.reach[parent] * _chance_of(attempt, parent, move)
    _evaluate(attempt, episodes, node, player)
    _rank_leaf(attempt, node)
    return node, True


@lean
def _evaluate(attempt: Attempt, episodes: Episodes, node: int, player: int) -> None:
    """List a node's moves and weigh them (algorithm GetMoveProbability); find a winning one (HasWinningMove)."""
    boxes, nodes, start = attempt.boxes[node], attempt.nodes, attempt.counts[N_MOVES]
    end = list_box_moves(
        attempt.tables, boxes, attempt.free, attempt.reached, player, attempt.scratch, attempt.moves, start
    )
    attempt.counts[N_MOVES] = end
    _mark_boxes(attempt, boxes)
    value = count_votes(episodes, attempt.is_box, attempt.is_goal, attempt.rules[IS_FILTERED], attempt.votes)
    nodes[FIRST, node], nodes[COUNT, node], nodes[ALIVE, node] = start, end - start, end - start
    nodes[WINNING, node] = _find_winning(attempt, boxes, start, end)
    attempt.values[node] = value
    attempt.totals[node] = _weigh(attempt, start, end)


@inlined
def _mark_boxes(attempt: Attempt, boxes: Bits) -> None:
    """Write the boxes into is_box."""
    for place in range(len(attempt.is_box)):
        attempt.is_box[place] = 0
    for i in range(len(boxes)):
        word = boxes[i]
        while word != ZERO:
            attempt.is_box[attempt.place_of[WORD * i + np.int64(trailing_zeros(word))]] = 1
            word &= word - ONE


@inlined
def _find_winning(attempt: Attempt, boxes: Bits, start: int, end: int) -> int:
    """The first move that puts the last box on a target, NOWHERE where there is none."""
    off = NOWHERE
    for i in range(len(boxes)):
        word = boxes[i] & ~attempt.goals[i]
        if word != ZERO:
            if off != NOWHERE or word & (word - ONE) != ZERO:
                return NOWHERE
            off = WORD * i + np.int64(trailing_zeros(word))
    for index in range(start, end):
        if attempt.moves[SOURCE, index] == off and has(attempt.goals, np.int64(attempt.moves[TARGET, index])):
            return index
    return NOWHERE


@inlined
def _weigh(attempt: Attempt, start: int, end: int) -> float:
    """Give each move its weight: 1 for each vote, delta for each vote for its source and for its target.

    Moves that differ only in where the player ends up share the weight of their squares equally.
    """
    votes, delta, moves = attempt.votes, attempt.chances[DELTA], attempt.moves
    place_of, n_sides = attempt.place_of, attempt.n_sides
    total, index = 0.0, start
    while index < end:
        source, after = moves[SOURCE, index], index
        while after < end and moves[SOURCE, after] == source:  # moves of one box stand side by side
            n_sides[place_of[moves[TARGET, after]]] += 1
            after += 1
        for move in range(index, after):
            here, there = place_of[source], place_of[moves[TARGET, move]]
            weight = votes.pairs[here, there] + delta * (votes.sources[here] + votes.targets[there])
            attempt.weights[move] = weight / n_sides[there]
            attempt.children[move] = UNTRIED
            total += attempt.weights[move]
        for move in range(index, after):
            n_sides[place_of[moves[TARGET, move]]] = 0
        index = after
    return total


# --- choosing --------------------------------------------------------------------------------------------------------


@inlined
def _draw_unit(generator: Bits) -> float:
    """A number from 0 to below 1."""
    return np.float64(next_random(generator) >> LOW_BITS) * UNIT


@lean
def choose_move(attempt: Attempt, node: int) -> int:
    """Algorithm ChooseMove: a winning move, else with probability epsilon any, else by weight; NOWHERE if none."""
    nodes = attempt.nodes
    if nodes[WINNING, node] != NOWHERE:
        return nodes[WINNING, node]
    if nodes[ALIVE, node] == 0:
        return np.int64(NOWHERE)
    is_random = _draw_unit(attempt.generator) < attempt.chances[EPSILON]
    start, end = nodes[FIRST, node], nodes[FIRST, node] + nodes[COUNT, node]
    if is_random or attempt.totals[node] <= 0.0:
        left = next_below(attempt.generator, nodes[ALIVE, node])
        for move in range(start, end):
            if attempt.children[move] != DEAD:
                if left == 0:
                    return move
                left -= 1
    at = _draw_unit(attempt.generator) * attempt.totals[node]
    last = np.int64(NOWHERE)
    for move in range(start, end):
        if attempt.children[move] != DEAD and attempt.weights[move] > 0.0:
            last = move
            at -= attempt.weights[move]
            if at < 0.0:
                break
    return last


@lean
def _bury(attempt: Attempt, node: int, move: int) -> None:
    """Mark a move of a node as dead."""
    nodes = attempt.nodes
    attempt.children[move] = DEAD
    nodes[ALIVE, node] -= 1
    total = 0.0
    for other in range(nodes[FIRST, node], nodes[FIRST, node] + nodes[COUNT, node]):
        if attempt.children[other] != DEAD:
            total += attempt.weights[other]
    attempt.totals[node] = total
    _rank_leaf(attempt, node)


@lean
def _bury_up(attempt: Attempt) -> bool:
    """The last node of the way is dead: mark the move to it, and so on upwards; return whether the root is dead."""
    counts, way = attempt.counts, attempt.way
    while counts[N_STEPS] > 0:
        counts[N_STEPS] -= 1
        node = way[NODE, counts[N_STEPS]]
        _bury(attempt, node, way[MOVE, counts[N_STEPS]])
        if attempt.nodes[ALIVE, node] > 0:
            return False
    return True


# --- trajectories ----------------------------------------------------------------------------------------------------


@lean
def try_board(attempt: Attempt, episodes: Episodes, n: int) -> int:
    """Make n trajectories, or fewer; return why it ended: SOLVED leaves the solution in `way`."""
    if is_subset(attempt.boxes[0], attempt.goals):
        return SOLVED
    tried, known = refer(attempt), refer(episodes)
    for _ in range(n):
        if not has_room(tried, attempt.rules[MOST_STEPS]) or attempt.counts[N_NODES] >= attempt.rules[MOST_NODES]:
            return FULL
        attempt.counts[N_TRAJECTORIES] += 1
        attempt.counts[N_STEPS] = 0
        if attempt.rules[WIDTH] > 0:
            status = seek(tried, known)
        else:
            status = follow(tried, known) if attempt.rules[HAS_TREE] else wander(tried, known)
        if status != STOPPED:
            return status
    return STOPPED


@inlined
def has_room(attempt: Attempt, n: int) -> bool:
    """Whether so many more positions fit: a box can stand everywhere in the four zones of the player."""
    most, n_boxes = n + 1, count(attempt.goals)
    enough_moves = attempt.counts[N_MOVES] + most * n_boxes * 4 * attempt.tables.n_floor <= len(attempt.weights)
    enough_nodes = attempt.counts[N_NODES] + most < len(attempt.values)
    return enough_moves and enough_nodes


@lean
def wander(attempt: Attempt, episodes: Episodes) -> int:
    """A plain trajectory (algorithm GetEpisode); what is known of positions saves work, but decides nothing."""
    node = np.int64(0)
    for _ in range(attempt.rules[MOST_STEPS]):
        move = choose_move(attempt, node)
        if move == NOWHERE:
            return STOPPED
        _step(attempt, node, move)
        if move == attempt.nodes[WINNING, node]:
            return SOLVED
        node, _ = _child_of(attempt, episodes, node, move)
    return STOPPED


@lean
def follow(attempt: Attempt, episodes: Episodes) -> int:
    """One trajectory in the tree: leaf selection, then the rollout."""
    counts, nodes = attempt.counts, attempt.nodes
    counts[ROUND] += 1
    node, is_new = np.int64(0), False
    while not is_new:
        if counts[N_STEPS] >= attempt.rules[MOST_STEPS]:
            return STOPPED
        nodes[MET, node] = counts[ROUND]
        move = choose_move(attempt, node)
        if move == NOWHERE:
            return HOPELESS if _bury_up(attempt) else STOPPED
        _step(attempt, node, move)
        if move == nodes[WINNING, node]:
            return SOLVED
        node, is_new = _child_of(attempt, episodes, node, move)
        if nodes[ALIVE, node] == 0:
            return HOPELESS if _bury_up(attempt) else STOPPED
        if nodes[MET, node] == counts[ROUND]:  # a cycle
            counts[N_CYCLES] += 1
            counts[ROUND] += 1
            leaf = find_best_leaf(attempt)
            if leaf == NOWHERE:
                return STOPPED
            move = nodes[LEAF, leaf]
            _step(attempt, leaf, move)
            node, is_new = _child_of(attempt, episodes, leaf, move)
            if nodes[ALIVE, node] == 0:
                return HOPELESS if _bury_up(attempt) else STOPPED
    return roll_out(attempt, episodes, node)


@lean
def seek(attempt: Attempt, episodes: Episodes) -> int:
    """A trajectory with a small search before each move; dead positions are marked where there is a tree."""
    node = np.int64(0)
    for _ in range(attempt.rules[MOST_STEPS]):
        if not has_room(attempt, attempt.rules[WIDTH] * attempt.rules[AHEAD]):
            return FULL
        move = decide(attempt, episodes, node)
        if move == NOWHERE:
            return _give_up(attempt)
        _step(attempt, node, move)
        if move == attempt.nodes[WINNING, node]:
            return SOLVED
        node, _ = _child_of(attempt, episodes, node, move)
        if attempt.nodes[ALIVE, node] == 0:
            return _give_up(attempt)
    return STOPPED


@inlined
def _give_up(attempt: Attempt) -> int:
    """End a trajectory at a dead position."""
    return HOPELESS if attempt.rules[HAS_TREE] and _bury_up(attempt) else STOPPED


@lean
def decide(attempt: Attempt, episodes: Episodes, node: int) -> int:
    """Of some moves drawn by ChooseMove the first behind which fewest moves are left; NOWHERE if there is none."""
    best, fewest = np.int64(NOWHERE), np.inf
    for _ in range(attempt.rules[WIDTH]):
        move = choose_move(attempt, node)
        if move == NOWHERE or move == attempt.nodes[WINNING, node]:
            return move
        left = look_ahead(attempt, episodes, node, move)
        if best == NOWHERE or left < fewest:
            best, fewest = np.int64(move), left
    return best


@lean
def look_ahead(attempt: Attempt, episodes: Episodes, node: int, move: int) -> float:
    """Make a move, and some more as ChooseMove draws them; return how many that and the way that is left are in all.

    How many are left is the mean of what the episodes say, E.len - BestMatch each; it is infinite from dead positions.
    """
    node, _ = _child_of(attempt, episodes, node, move)
    for made in range(1, attempt.rules[AHEAD]):
        move = choose_move(attempt, node)
        if move == NOWHERE:
            return np.inf
        if move == attempt.nodes[WINNING, node]:
            return np.float64(made + 1)
        node, _ = _child_of(attempt, episodes, node, move)
    return np.inf if attempt.nodes[ALIVE, node] == 0 else attempt.rules[AHEAD] + attempt.values[node]


@inlined
def _step(attempt: Attempt, node: int, move: int) -> None:
    """Write a step of the way."""
    attempt.way[NODE, attempt.counts[N_STEPS]] = node
    attempt.way[MOVE, attempt.counts[N_STEPS]] = move
    attempt.counts[N_STEPS] += 1


@inlined
def _child_of(attempt: Attempt, episodes: Episodes, node: int, move: int) -> tuple[int, bool]:
    """The node that a move leads to, and whether it was made just now."""
    if attempt.children[move] >= 0:
        return np.int64(attempt.children[move]), False
    after = attempt.boxes[attempt.counts[N_NODES]]
    for word in range(len(after)):
        after[word] = attempt.boxes[node, word]
    remove(after, np.int64(attempt.moves[SOURCE, move]))
    add(after, np.int64(attempt.moves[TARGET, move]))
    child, is_new = _enter(attempt, episodes, np.int64(attempt.moves[PLAYER, move]), node, move)
    attempt.children[move] = child
    if attempt.nodes[LEAF, node] == move:
        _rank_leaf(attempt, node)
    return child, is_new


@lean
def roll_out(attempt: Attempt, episodes: Episodes, node: int) -> int:
    """Go on from a new node while the value gets better."""
    counts, is_better = attempt.counts, True
    while is_better and counts[N_STEPS] < attempt.rules[MOST_STEPS]:
        attempt.nodes[MET, node] = counts[ROUND]
        move = choose_move(attempt, node)
        _step(attempt, node, move)
        if move == attempt.nodes[WINNING, node]:
            return SOLVED
        child, _ = _child_of(attempt, episodes, node, move)
        if attempt.nodes[ALIVE, child] == 0:
            return HOPELESS if _bury_up(attempt) else STOPPED
        is_better = attempt.values[child] < attempt.values[node] and attempt.nodes[MET, child] != counts[ROUND]
        node = child
    return STOPPED


# --- the way out of cycles -------------------------------------------------------------------------------------------


@lean
def _rank_leaf(attempt: Attempt, node: int) -> None:
    """Find the likeliest untried move of a node, and how likely it is that a descent takes it."""
    nodes, weights = attempt.nodes, attempt.weights
    best, heaviest = np.int64(NOWHERE), -1.0
    for move in range(nodes[FIRST, node], nodes[FIRST, node] + nodes[COUNT, node]):
        if attempt.children[move] == UNTRIED and weights[move] > heaviest:
            best, heaviest = np.int64(move), weights[move]
    nodes[LEAF, node] = best
    rank = 0.0
    if best != NOWHERE and nodes[DEPTH, node] < attempt.rules[MOST_STEPS]:
        rank = max(attempt.reach[node] * _chance_of(attempt, node, best), TINY)
    set_rank(attempt.ranks, node, rank)


@inlined
def _chance_of(attempt: Attempt, node: int, move: int) -> float:
    """Probability that ChooseMove takes a move that is not dead."""
    n_alive, total, epsilon = attempt.nodes[ALIVE, node], attempt.totals[node], attempt.chances[EPSILON]
    if total <= 0.0:
        return 1.0 / n_alive
    return epsilon / n_alive + (1.0 - epsilon) * attempt.weights[move] / total


@lean
def find_best_leaf(attempt: Attempt) -> int:
    """The node whose untried move is the likeliest of all to be reached; `way` leads there. NOWHERE if there is none.

    How likely a node is reached was found when it was made, along the way by which it was found.
    """
    best = find_winner(attempt.ranks)
    if best == NOWHERE:
        return best
    n_steps = attempt.nodes[DEPTH, best]
    attempt.counts[N_STEPS] = n_steps
    below = best
    for step in range(n_steps - 1, -1, -1):
        attempt.way[MOVE, step], attempt.way[NODE, step] = attempt.nodes[ORIGIN, below], attempt.nodes[PARENT, below]
        below = attempt.nodes[PARENT, below]
    return best
