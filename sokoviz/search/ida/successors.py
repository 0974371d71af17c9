"""The successors of a position in iterative deepening: which there are, which are cut at once, and in which order.

Each part of Rolling Stone that decides about successors is an option here (Junghanns and Schaeffer, 2.3 and 3.2;
Crippa and Marocchi, 2.2.3 and 4.4).
"""

from __future__ import annotations

import numpy as np

from sokoviz.core.board.box_moves import find_box_states
from sokoviz.core.board.goal_rooms import count_pushes, find_plan, is_next
from sokoviz.core.board.pushes import generate_pushes
from sokoviz.core.board.tunnels import tunnel_length
from sokoviz.core.bounds.side_bound import bound_after, place_of
from sokoviz.core.branches.record import (
    BOUND,
    DEAD_WINDOW,
    DEADLOCK,
    EXPANDED,
    GOAL_CUT,
    INWARD,
    LOCKED_BOXES,
    LOST_BOX,
    NO_MATCHING,
    OPEN,
    RELEVANCE,
    AnyBranches,
    emit,
    emit_successor,
)
from sokoviz.core.compiling.jit import inlined, lean
from sokoviz.core.deadlocks.pi_corrals import keep_inward_pushes
from sokoviz.core.deadlocks.rules import find_locked_boxes
from sokoviz.core.deadlocks.window_sets import find_dead_set
from sokoviz.core.influence.relevance import is_irrelevant
from sokoviz.core.numbers.bits import add as put
from sokoviz.core.numbers.bits import clear, has, remove
from sokoviz.core.numbers.rng import next_below
from sokoviz.core.types import FAR, NOWHERE, Tables
from sokoviz.search.ida.arrays import (
    AFTER,
    BEST,
    BOUND_AFTER,
    BOUND_HERE,
    BOX,
    CHILD,
    COST,
    COUNT,
    CULPRITS,
    FIRST,
    FREE,
    HAS_DEAD_SQUARES,
    HAS_FREEZE,
    HAS_MACROS,
    HAS_TUNNELS,
    HAS_WINDOWS,
    HISTORY,
    IS_CUT_SHORT,
    IS_INWARD,
    IS_ORDERED,
    LIMIT,
    MAN,
    MARK_OF,
    MARKED,
    MOST_DISTANT,
    MOST_ROWS,
    N_EXPANDED,
    N_MOVE_COLUMNS,
    N_NODES,
    N_THRESHOLDS,
    NEXT,
    NODE,
    ORIGIN,
    PLAYER,
    RANK,
    REACHED,
    RESERVED,
    SHARE,
    SIXTEENTHS,
    TARGET,
    THRESHOLD_NEAR,
    WAY,
    WEIGHT,
    WHOLE,
    Deepening,
)

SAME_BOX, OPTIMAL, OTHER = 0, 1, 2  # kinds of moves in the order in which they are tried


@inlined
def end_of_moves(machine: Deepening, depth: int) -> int:
    """Where the successors of a position end."""
    return machine.frames[depth, FIRST] + machine.frames[depth, COUNT] if depth >= 0 else np.int64(0)


@inlined
def estimate(machine: Deepening, bound: int) -> int:
    """What a bound counts for: more than itself where it is overestimated (Crippa and Marocchi, 2.2.3)."""
    return bound * machine.options[WEIGHT] >> SIXTEENTHS


@lean
def count(machine: Deepening, column: int, n: int) -> None:
    """Count something for the threshold under way."""
    machine.counts[min(machine.tip[N_THRESHOLDS], MOST_ROWS) - 1, column] += n


@inlined
def expand(tables: Tables, machine: Deepening, trace: AnyBranches, depth: int, is_cutting: int) -> None:
    """List the successors of a position in the order in which they are visited; boards hold its floor and component."""
    frames = machine.frames
    emit(trace, EXPANDED, frames[depth, NODE], frames[depth, BOUND_HERE])
    machine.tip[N_NODES] += 1
    count(machine, N_EXPANDED, 1)
    start = end_of_moves(machine, depth - 1)
    frames[depth, FIRST], frames[depth, NEXT] = start, 0
    frames[depth, BEST], frames[depth, IS_CUT_SHORT] = FAR, 0
    clear(machine.boards[RESERVED])
    end_of_macros = start
    if machine.options[HAS_MACROS]:
        end_of_macros = _list_macros(tables, machine, depth, is_cutting, start)
    end = _list_pushes(tables, machine, depth, end_of_macros)
    only_macros = is_cutting != 0 and end_of_macros > start
    n_open = 0
    for slot in range(start, end):
        became = _judge(tables, machine, depth, slot, slot < end_of_macros, only_macros)
        move = machine.moves[slot]
        way = frames[depth, WAY] + move[COST]
        move[CHILD] = emit_successor(trace, became, frames[depth, NODE], move, way, move[BOUND_AFTER])
        count(machine, became, 1)
        machine.tip[MARKED] |= MARK_OF[became]
        if became == OPEN:
            for column in range(N_MOVE_COLUMNS):
                machine.moves[start + n_open, column] = move[column]
            n_open += 1
    frames[depth, COUNT] = n_open
    if machine.options[IS_ORDERED]:
        _sort(machine, start, start + n_open)


@lean
def _list_pushes(tables: Tables, machine: Deepening, depth: int, end: int) -> int:
    """Add the pushes, or pushes through tunnels, to the moves that end somewhere; return where they end now."""
    boards, pushes = machine.boards, machine.pushes
    n_pushes = generate_pushes(tables, machine.boxes[depth], boards[REACHED], boards[FREE], pushes)
    n_kept = n_pushes
    if machine.options[IS_INWARD]:
        for index in range(n_pushes):
            machine.all_pushes[index] = pushes[index]
        n_kept = keep_inward_pushes(
            tables, machine.boxes[depth], boards[FREE], boards[REACHED], pushes, n_pushes, machine.inward
        )
    kept = 0
    for index in range(n_pushes):
        is_kept = n_kept == n_pushes or (kept < n_kept and pushes[kept] == machine.all_pushes[index])
        push = pushes[index] if n_kept == n_pushes else machine.all_pushes[index]
        kept += is_kept
        origin, step, length = push >> 2, tables.steps[push & 3], 1
        if machine.options[HAS_TUNNELS]:
            length = tunnel_length(tables, machine.corridors, boards[FREE], origin, push & 3)
        move = machine.moves[end]
        move[ORIGIN], move[TARGET], move[COST] = origin, origin + length * step, length
        move[PLAYER], move[RANK] = move[TARGET] - step, 0 if is_kept else INWARD
        end += 1
    return end


@lean
def _list_macros(tables: Tables, machine: Deepening, depth: int, is_cutting: int, end: int) -> int:
    """Add the moves that take a box to the next goal of a room; return where they end.

    Crippa and Marocchi, 4.4.4 and 4.4.5. Under goal cuts no box comes into a room with a plan, or leaves it, by other
    pushes.
    """
    rooms = machine.rooms
    for room in range(len(rooms.squares)):
        plan = find_plan(rooms, room, machine.boxes[depth], machine.boards[AFTER])
        if plan == NOWHERE:
            continue
        if is_cutting:
            for i in range(machine.boxes.shape[1]):
                machine.boards[RESERVED, i] |= rooms.squares[room, i]
        for box in range(machine.bounds.places.shape[1]):
            square = machine.bounds.places[depth, box] >> 2
            if square < len(machine.numbers) and not has(rooms.squares[room], square):
                end = _list_macro(tables, machine, depth, plan, square, end)
    return end


@lean
def _list_macro(tables: Tables, machine: Deepening, depth: int, plan: int, origin: int, end: int) -> int:
    """Add the move of one box to the next goal of a plan, if it can get there while all others stay where they are."""
    scratch, boards, player = machine.box_scratch, machine.boards, machine.frames[depth, MAN]
    n_states = find_box_states(tables, boards[FREE], boards[REACHED], player, origin, scratch)
    for state in range(1, n_states):
        if is_next(machine.rooms, plan, scratch.targets[state]):
            move = machine.moves[end]
            move[ORIGIN], move[TARGET], move[PLAYER] = origin, scratch.targets[state], scratch.players[state]
            move[COST] = count_pushes(scratch, state)
            return end + 1
    return end


# --- what becomes of a successor -------------------------------------------------------------------------------------


@inlined
def _judge(tables: Tables, machine: Deepening, depth: int, slot: int, is_macro: bool, only_macros: bool) -> int:
    """What becomes of a successor: it waits to be visited, or is dead, beyond the threshold or not relevant."""
    frames, move = machine.frames, machine.moves[slot]
    origin, target, cost = move[ORIGIN], move[TARGET], move[COST]
    box, bound, place = machine.numbers[origin], np.int64(FAR), place_of(tables, target, move[PLAYER])
    move[BOUND_AFTER] = NOWHERE
    if not is_macro and move[RANK] == INWARD:
        return INWARD
    is_reserved = has(machine.boards[RESERVED], target) or has(machine.boards[RESERVED], origin)
    if not is_macro and (only_macros or is_reserved):
        frames[depth, IS_CUT_SHORT] = 1
        return GOAL_CUT
    rule = np.int64(LOST_BOX)
    if not machine.options[HAS_DEAD_SQUARES] or has(tables.live, target):
        rule = _locks(tables, machine, depth, origin, target, move[PLAYER])
    if rule == 0:
        rule = np.int64(NO_MATCHING)
        bound = bound_after(machine.bounds, depth, frames[depth, BOUND_HERE], box, place, 0)
    move[BOUND_AFTER] = bound
    if bound >= FAR:
        move[BOUND_AFTER] = FAR + rule
        return DEADLOCK
    left, remaining = cost + estimate(machine, bound), machine.tip[LIMIT] - frames[depth, WAY]
    if left > remaining:
        frames[depth, BEST] = min(frames[depth, BEST], left)
        return BOUND
    if not is_macro and _is_cut_as_irrelevant(machine, frames[depth, WAY], origin):
        # Nothing is proven of what was not looked at: it may be looked at under the next threshold.
        beyond = remaining + 1
        frames[depth, BEST] = min(frames[depth, BEST], beyond + ((beyond - left) & 1))
        return RELEVANCE
    kind = SAME_BOX if box == frames[depth, BOX] else OPTIMAL if bound == frames[depth, BOUND_HERE] - cost else OTHER
    move[RANK] = kind * FAR + machine.bounds.distances[place, machine.bounds.goal_of[depth + 1, box]]
    return OPEN


@inlined
def _locks(tables: Tables, machine: Deepening, depth: int, origin: int, target: int, player: int) -> int:
    """The quick test that finds a deadlock where a box goes to a square; 0 for none."""
    boxes, options, rule = machine.boxes[depth], machine.options, np.int64(0)
    remove(boxes, origin)
    put(boxes, target)
    if options[HAS_FREEZE] and find_locked_boxes(tables, boxes, machine.boards[CULPRITS], target):
        rule = np.int64(LOCKED_BOXES)
    elif options[HAS_WINDOWS] and find_dead_set(
        tables, boxes, player, machine.windows, machine.boards[CULPRITS], target
    ):
        rule = np.int64(DEAD_WINDOW)
    remove(boxes, target)
    put(boxes, origin)
    return rule


@lean
def _is_cut_as_irrelevant(machine: Deepening, n_pushes: int, origin: int) -> bool:
    """Whether a relevance cut drops a move, and the cut is accepted (Junghanns and Schaeffer, 3.2 and 4.2).

    A macro before it counts as so many pushes, all from where its box began.
    """
    options = machine.options
    if len(machine.influence) == 0:
        return False
    k, m, threshold = options[MOST_DISTANT], options[HISTORY], options[THRESHOLD_NEAR]
    if not is_irrelevant(machine.influence, machine.froms, n_pushes, origin, k, m, threshold):
        return False
    return options[SHARE] == WHOLE or next_below(machine.generator, WHOLE) < options[SHARE]


@lean
def _sort(machine: Deepening, start: int, end: int) -> None:
    """Sort moves: of the box that was moved last, then those that lower the bound, then the others; by distance.

    Rolling Stone's order (Crippa and Marocchi, 2.2.3).
    """
    moves = machine.moves
    for index in range(start + 1, end):
        place = index
        while place > start and moves[place - 1, RANK] > moves[place, RANK]:
            for column in range(N_MOVE_COLUMNS):
                moves[place - 1, column], moves[place, column] = moves[place, column], moves[place - 1, column]
            place -= 1
