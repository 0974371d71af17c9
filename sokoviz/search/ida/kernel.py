"""Iterative-deepening A*, compiled: a machine with a stack of its own.

As Junghanns and Schaeffer (2.3) and Crippa and Marocchi (2.2.2) describe it. One call of `advance` makes any number of
steps; a step is one expansion, with all that happens up to the next. The stepper calls it with 1, an experiment with a
million. What is expanded, and how, stands in successors.py.
"""

from __future__ import annotations

import numpy as np

from sokoviz.core.board.reach import find_free, flood
from sokoviz.core.bounds.side_bound import bound_after, place_of
from sokoviz.core.branches.record import (
    BOUND,
    DEAD_AREA,
    DEAD_TRIPLE,
    DEADLOCK,
    DONE_BELOW,
    LEARNED_PATTERN,
    PATTERN,
    RELEVANCE,
    RESUMED,
    SOLVES,
    THRESHOLD,
    TRANSPOSITION,
    AnyBranches,
    emit,
    emit_closed,
    end_expansion,
    has_room_for,
)
from sokoviz.core.branches.transpositions import find_entry, forget_all, put_entry
from sokoviz.core.compiling.by_address import refer
from sokoviz.core.compiling.jit import inlined, lean, spliced
from sokoviz.core.deadlocks.corrals import find_dead_corral
from sokoviz.core.deadlocks.patterns import find_penalty, learn_pattern
from sokoviz.core.deadlocks.triples import find_dead_triple
from sokoviz.core.numbers.bits import add as put
from sokoviz.core.numbers.bits import first, is_subset, remove
from sokoviz.core.numbers.hashing import hash_boxes
from sokoviz.core.tree.flags import RESUMED as RESUMED_MARK
from sokoviz.core.tree.flags import SOLUTION as SOLUTION_MARK
from sokoviz.core.tree.flags import THRESHOLD as THRESHOLD_MARK
from sokoviz.core.types import FAR, NOWHERE, Bits, Integers, Tables
from sokoviz.search.ida.arrays import (
    BEGAN,
    BEST,
    BOUND_HERE,
    BOX,
    CHILD,
    COST,
    COUNT,
    CULPRITS,
    DEPTH,
    FIRST,
    FIRST_ROW,
    FREE,
    GROWTH,
    HAS_CORRALS,
    HAS_GOAL_CUTS,
    HAS_TABLE,
    HAS_TRIPLES,
    IS_CUT_SHORT,
    IS_EXHAUSTED,
    IS_LAST,
    IS_SOLVED,
    IS_SURE,
    LEAST,
    LIMIT,
    LIMIT_COLUMN,
    MAN,
    MARK_OF,
    MARKED,
    MOST_FINISHED,
    MOST_NODES,
    MOST_ROWS,
    N_BEFORE,
    N_EXPANDED,
    N_FINISHED,
    N_INNER,
    N_NODES,
    N_SEARCHED_INSIDE,
    N_STEPS,
    N_THRESHOLDS,
    NEXT,
    NEXT_LIMIT,
    NODE,
    ORIGIN,
    PLAYER,
    REACHED,
    SIXTEENTHS,
    STOP_MARKS,
    STOP_NODE,
    STRIDE,
    TARGET,
    WAY,
    WEIGHT,
    Deepening,
)
from sokoviz.search.ida.successors import count, end_of_moves, estimate, expand

N_ALIKE = 3  # thresholds after which relevance cuts are found to leave nothing new

# What `advance` returns.
DONE, FULL, SOLVED_NOW, EXHAUSTED, MET, ENOUGH_NODES, ENOUGH_THRESHOLDS = range(7)


@lean
def advance(tables: Tables, machine: Deepening, trace: AnyBranches, n: int) -> int:
    """Make n steps, or fewer: return why it ended."""
    board, search, tip = refer(tables), refer(machine), machine.tip
    for _ in range(n):
        if tip[IS_SOLVED]:
            return SOLVED_NOW
        if tip[IS_EXHAUSTED]:
            return EXHAUSTED
        if tip[N_NODES] + tip[N_INNER] >= tip[MOST_NODES]:
            return ENOUGH_NODES
        if tip[N_FINISHED] >= tip[MOST_FINISHED]:
            return ENOUGH_THRESHOLDS
        if not _has_room(search, trace):
            return FULL
        _step(board, search, trace)
        if _has_met(search) and not tip[IS_SOLVED]:
            return MET
    if tip[IS_SOLVED]:
        return SOLVED_NOW
    return EXHAUSTED if tip[IS_EXHAUSTED] else DONE


@inlined
def _has_met(machine: Deepening) -> bool:
    """Whether the step made last is one to stop at."""
    tip, depth = machine.tip, machine.tip[DEPTH]
    is_there = tip[STOP_NODE] != NOWHERE and depth != NOWHERE and machine.frames[depth, NODE] == tip[STOP_NODE]
    return is_there or (tip[MARKED] & tip[STOP_MARKS]) != 0


@inlined
def _has_room(machine: Deepening, trace: AnyBranches) -> bool:
    """Whether one more position can be expanded, whatever happens before it."""
    n_macros = len(machine.rooms.squares) * machine.bounds.places.shape[1]
    depth, n_successors = machine.tip[DEPTH], len(machine.pushes) + n_macros
    n_moves = end_of_moves(machine, depth)
    enough = depth + 3 < len(machine.frames) and n_moves + 2 * n_successors <= len(machine.moves)
    enough &= max(machine.tip[LIMIT], machine.tip[NEXT_LIMIT]) < len(machine.froms)
    return enough and has_room_for(trace, 2 * n_moves + 2 * n_successors + 2 * depth + 16)


@spliced
def _step(tables: Tables, machine: Deepening, trace: AnyBranches) -> None:
    """Go on to the next position that is expanded, and expand it.

    At the end of a threshold nothing is expanded: the next step begins at the root again.
    """
    tip, frames, boards = machine.tip, machine.frames, machine.boards
    is_resumed = 0
    is_searching = True
    tip[MARKED] = 0
    if tip[DEPTH] == NOWHERE:
        _begin_threshold(tables, machine, trace)
        is_searching = False
    while is_searching:
        depth = tip[DEPTH]
        if frames[depth, NEXT] < frames[depth, COUNT]:
            move = machine.moves[frames[depth, FIRST] + frames[depth, NEXT]]
            frames[depth, NEXT] += 1
            is_searching = not _visit(tables, machine, trace, depth, move)
        elif frames[depth, IS_CUT_SHORT] and frames[depth, BEST] >= FAR:
            emit(trace, RESUMED, frames[depth, NODE], 0)
            tip[MARKED] |= RESUMED_MARK
            is_resumed = 1
            is_searching = False
        else:
            _leave(machine, trace, depth)
            is_searching = tip[DEPTH] != NOWHERE
    depth = tip[DEPTH]
    if depth != NOWHERE and not tip[IS_SOLVED]:
        find_free(tables, machine.boxes[depth], boards[FREE])
        flood(boards[FREE], tables.width, frames[depth, MAN], boards[REACHED])
        expand(tables, machine, trace, depth, machine.options[HAS_GOAL_CUTS] * (1 - is_resumed))
    tip[N_STEPS] += 1
    n_nodes = tip[N_NODES] + tip[N_INNER]
    end_expansion(trace, n_nodes, tip[MARKED], tip[N_THRESHOLDS], tip[N_FINISHED], tip[LEAST], tip[LIMIT])


@lean
def _begin_threshold(tables: Tables, machine: Deepening, trace: AnyBranches) -> None:
    """Begin again at the root with the next threshold."""
    tip, frames, boards = machine.tip, machine.frames, machine.boards
    tip[LIMIT] = tip[NEXT_LIMIT]
    if tip[IS_LAST]:
        forget_all(machine.table)
    tip[N_THRESHOLDS] += 1
    tip[MARKED] |= THRESHOLD_MARK
    machine.counts[min(tip[N_THRESHOLDS], MOST_ROWS) - 1, LIMIT_COLUMN] = tip[LIMIT]
    tip[DEPTH] = 0
    frames[0, NODE] = emit(trace, THRESHOLD, NOWHERE, tip[LIMIT])
    frames[0, WAY] = frames[0, COUNT] = 0
    frames[0, BOX] = frames[0, BEGAN] = NOWHERE
    find_free(tables, machine.boxes[0], boards[FREE])
    flood(boards[FREE], tables.width, frames[0, MAN], boards[REACHED])
    machine.keys[0] = key_of(tables, machine.boxes[0], boards[REACHED])
    if is_subset(machine.boxes[0], tables.goals):
        emit(trace, SOLVES, frames[0, NODE], 0)
        tip[IS_SOLVED] = 1
        tip[MARKED] |= SOLUTION_MARK
    elif machine.options[HAS_TABLE]:
        _keep(machine, 0, estimate(machine, frames[0, BOUND_HERE]))


@lean
def key_of(tables: Tables, boxes: Bits, reached: Bits) -> int:
    """Key of a position: its boxes, and the player's component by its first square."""
    return hash_boxes(tables, boxes) ^ tables.player_keys[first(reached)]


@lean
def _leave(machine: Deepening, trace: AnyBranches, depth: int) -> None:
    """All successors of a position are done: hand up the least that is left."""
    frames, tip = machine.frames, machine.tip
    score = frames[depth, BEST]
    emit(trace, DONE_BELOW, frames[depth, NODE], score)
    if machine.options[HAS_TABLE]:
        _keep(machine, depth, score)
    tip[DEPTH] = depth - 1
    if depth == 0:
        tip[N_FINISHED] += 1
        if tip[IS_SURE]:
            tip[LEAST] = max(tip[LEAST], score)
        tip[NEXT_LIMIT] = _reach_on(machine, score)
        is_whole = _is_whole(machine)
        tip[IS_EXHAUSTED] = score >= FAR or _is_stuck(machine) or (is_whole and tip[IS_LAST])
        tip[IS_LAST] = is_whole
        return
    box = frames[depth, BOX]
    machine.numbers[machine.bounds.places[depth - 1, box] >> 2] = box
    cost = frames[depth, WAY] - frames[depth - 1, WAY]
    frames[depth - 1, BEST] = min(frames[depth - 1, BEST], cost + score)


@lean
def _reach_on(machine: Deepening, limit: int) -> int:
    """The next threshold: the least that was cut, or further on where the last threshold brought little new.

    Where few positions are left each threshold would search nearly all that the one before did. So steps double as long
    as nodes grow too little (Sarkar et al. 1991, "Reducing reexpansions in iterative-deepening search").
    """
    tip, growth = machine.tip, machine.options[GROWTH]
    n = machine.counts[min(tip[N_THRESHOLDS], MOST_ROWS) - 1, N_EXPANDED]
    grew_enough = n << SIXTEENTHS >= growth * tip[N_BEFORE]
    tip[STRIDE] = max(1, tip[STRIDE] // 2) if grew_enough else 2 * tip[STRIDE]
    tip[N_BEFORE] = n
    if growth == 1 << SIXTEENTHS or limit >= FAR:
        return limit
    return tip[LIMIT] + tip[STRIDE] * (limit - tip[LIMIT])


@lean
def _is_whole(machine: Deepening) -> bool:
    """Whether nothing was cut in a threshold that a higher one would not cut too.

    Positions that the table knew from earlier thresholds may hide such cuts. So the next threshold begins with an empty
    table, and only if it cuts nothing either, all that can be reached was looked at.
    """
    counts = machine.counts[min(machine.tip[N_THRESHOLDS], MOST_ROWS) - 1]
    return counts[BOUND] == 0 and counts[RELEVANCE] == 0 and counts[PATTERN] == 0


@lean
def _is_stuck(machine: Deepening) -> bool:
    """Whether relevance cuts leave nothing new: some thresholds were all alike, or the last is twice the first."""
    row, counts = min(machine.tip[N_THRESHOLDS], MOST_ROWS) - 1, machine.counts
    if row - machine.tip[FIRST_ROW] < N_ALIKE - 1 or counts[row, RELEVANCE] == 0:
        return False
    if machine.tip[LIMIT] > 2 * estimate(machine, machine.frames[0, BOUND_HERE]):
        return True
    n_alike = 0
    for other in range(row - N_ALIKE + 1, row + 1):
        n_alike += counts[other, N_EXPANDED] == counts[row, N_EXPANDED]
    return n_alike == N_ALIKE


@inlined
def _visit(tables: Tables, machine: Deepening, trace: AnyBranches, depth: int, move: Integers) -> bool:
    """Go to a successor, or cut it; return whether the line goes on with it."""
    frames, tip, boards, child = machine.frames, machine.tip, machine.boards, depth + 1
    _enter(tables, machine, depth, move)
    if is_subset(machine.boxes[child], tables.goals):
        emit(trace, SOLVES, frames[child, NODE], frames[child, WAY])
        tip[DEPTH], tip[IS_SOLVED] = child, 1
        tip[MARKED] |= SOLUTION_MARK
        return True
    find_free(tables, machine.boxes[child], boards[FREE])
    flood(boards[FREE], tables.width, move[PLAYER], boards[REACHED])
    machine.keys[child] = key_of(tables, machine.boxes[child], boards[REACHED])
    left, why, rule = _look_up(machine, child), TRANSPOSITION, np.int64(0)
    score = estimate(machine, frames[child, BOUND_HERE])
    if left == NOWHERE:
        rule = _rule_against(tables, machine, child, move[TARGET])
        if rule != 0:
            left, why = np.int64(FAR), DEADLOCK
    if left == NOWHERE and len(machine.patterns.penalties) > 0:
        penalty = _penalize(tables, machine, child, move[TARGET])
        score = min(score + estimate(machine, penalty), np.int64(FAR))
        if frames[child, WAY] + score > tip[LIMIT]:
            left, why = score, PATTERN if penalty < FAR else DEADLOCK
            rule = np.int64(0 if penalty < FAR else LEARNED_PATTERN)
    if left != NOWHERE:
        emit_closed(trace, move[CHILD], why, rule)
        tip[MARKED] |= MARK_OF[why]
        count(machine, why, 1)
        frames[depth, BEST] = min(frames[depth, BEST], move[COST] + left)
        if why == DEADLOCK and machine.options[HAS_TABLE]:
            _keep(machine, child, FAR)
        return False
    if machine.options[HAS_TABLE]:
        _keep(machine, child, score)
    tip[DEPTH] = child
    machine.numbers[move[TARGET]] = frames[child, BOX]
    return True


@lean
def _enter(tables: Tables, machine: Deepening, depth: int, move: Integers) -> None:
    """Fill the next place of the line with the position after a move."""
    frames, child, box = machine.frames, depth + 1, machine.numbers[move[ORIGIN]]
    for i in range(machine.boxes.shape[1]):
        machine.boxes[child, i] = machine.boxes[depth, i]
    remove(machine.boxes[child], move[ORIGIN])
    put(machine.boxes[child], move[TARGET])
    for push in range(frames[depth, WAY], frames[depth, WAY] + move[COST]):
        machine.froms[push] = move[ORIGIN]
    frames[child, MAN], frames[child, WAY] = move[PLAYER], frames[depth, WAY] + move[COST]
    frames[child, BOX], frames[child, BEGAN] = box, move[ORIGIN]
    frames[child, NODE], frames[child, COUNT], frames[child, NEXT] = move[CHILD], 0, 0
    place = place_of(tables, move[TARGET], move[PLAYER])
    frames[child, BOUND_HERE] = bound_after(machine.bounds, depth, frames[depth, BOUND_HERE], box, place, 1)


@lean
def _keep(machine: Deepening, depth: int, score: int) -> None:
    """Write into the table what is left from a position of the line at least."""
    remaining = machine.tip[LIMIT] - machine.frames[depth, WAY]
    put_entry(machine.table, machine.keys[depth], score, remaining, machine.tip[N_THRESHOLDS])


@lean
def _look_up(machine: Deepening, depth: int) -> int:
    """What the table proves to be left from a position, if that is more than there may be; else NOWHERE.

    A position that is being searched, or was, with at least as much left to the threshold need not be searched again: a
    way from it takes more pushes than were left then. Pushes left keep their parity, so that is rounded up to the
    parity of what is known. Where thresholds lie far apart it is not searched twice under one of them at all: most
    positions are found on long ways first, and would be searched again for each shorter one. A shorter way left out
    like that may be on the shortest solution, so from then on thresholds prove nothing, and neither does the table.
    """
    if not machine.options[HAS_TABLE]:
        return _look_along(machine, depth)
    table, remaining = machine.table, machine.tip[LIMIT] - machine.frames[depth, WAY]
    entry = find_entry(table, machine.keys[depth])
    if entry == NOWHERE:
        return np.int64(NOWHERE)
    n = table.keys.shape[1]
    level, place = entry // n, entry % n
    score, searched = np.int64(table.scores[level, place]), np.int64(table.depths[level, place])
    is_once = machine.options[GROWTH] > 1 << SIXTEENTHS and table.rounds[level, place] == machine.tip[N_THRESHOLDS]
    if is_once and searched < remaining:
        searched = remaining
        if score <= remaining:
            machine.tip[IS_SURE] = 0
    if searched >= remaining and score <= searched:
        score = searched + 1 + ((searched + 1 - score) & 1)
    return score if score > remaining else np.int64(NOWHERE)


@lean
def _look_along(machine: Deepening, depth: int) -> int:
    """Without a table: FAR where a position is on the line that led to it, else NOWHERE."""
    for above in range(depth):
        if machine.keys[above] == machine.keys[depth]:
            return np.int64(FAR)
    return np.int64(NOWHERE)


@lean
def _rule_against(tables: Tables, machine: Deepening, depth: int, changed: int) -> int:
    """The test that takes long and finds a position dead, 0 for none; the others looked at it when it was listed."""
    boxes, boards, options = machine.boxes[depth], machine.boards, machine.options
    player = machine.frames[depth, MAN]
    if options[HAS_TRIPLES] and find_dead_triple(tables, boxes, player, machine.triples, boards[CULPRITS], changed):
        return np.int64(DEAD_TRIPLE)
    if not options[HAS_CORRALS]:
        return np.int64(0)
    before = machine.corral.searched[0]
    dead = find_dead_corral(tables, boxes, boards[FREE], boards[REACHED], player, machine.corral, boards[CULPRITS])
    _count_inner(machine, machine.corral.searched[0] - before)
    return np.int64(DEAD_AREA if dead else 0)


@lean
def _penalize(tables: Tables, machine: Deepening, depth: int, changed: int) -> int:
    """Pushes that pattern searches find a position to take more than its bound; FAR where it is dead."""
    boxes, player = machine.boxes[depth], machine.frames[depth, MAN]
    adds_all = machine.options[WEIGHT] > 1 << SIXTEENTHS
    penalty = find_penalty(machine.patterns, boxes, player, adds_all)
    remaining = machine.tip[LIMIT] - machine.frames[depth, WAY]
    if estimate(machine, machine.frames[depth, BOUND_HERE] + penalty) > remaining:
        return penalty
    n = learn_pattern(tables, machine.patterns, machine.box_scratch, boxes, player, changed, machine.keys[depth])
    _count_inner(machine, n)
    return find_penalty(machine.patterns, boxes, player, adds_all)


@lean
def _count_inner(machine: Deepening, n: int) -> None:
    """Count positions of inner searches."""
    machine.tip[N_INNER] += n
    count(machine, N_SEARCHED_INSIDE, n)
