"""OptimizeSolution: episodes without detours (Curry, "Optimizing the solution").

Where a box goes from A to B and later from B to C, it may go from A to C at once, the first time or the second, if all
other moves stay valid. Only the move generator is asked.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from sokoviz.core.board.box_moves import (
    PLAYER,
    SOURCE,
    TARGET,
    BoxScratch,
    label_blocks,
    make_box_scratch,
    mark_free,
    sides_reached,
    spread_box,
)
from sokoviz.core.board.reach import find_free, flood
from sokoviz.core.compiling.jit import lean
from sokoviz.core.numbers.bits import add, has, remove
from sokoviz.core.types import NOWHERE, Bits, Integers, Tables

ZONES = 4  # the player can be on at most four sides of the box that was moved last


class Replay(NamedTuple):
    """Memory for playing an episode again in all ways in which its moves can be meant."""

    boxes: Bits
    free: Bits
    reached: Bits
    """uint64[n_words] each"""
    zones: Integers
    """int64[longest + 1, 4]: squares of the player after each move, one for each zone in which it can end up"""
    origins: Integers
    """int64[longest + 1, 4]: from which of the zones before"""
    n_zones: Integers
    """int64[longest + 1]: how many there are"""
    tried: Integers
    """int64[2, longest]: moves of an episode that is being tried out, source and target"""
    scratch: BoxScratch


def make_replay(tables: Tables, longest: int) -> Replay:
    """Return memory for episodes of at most so many moves."""
    words = [np.zeros(len(tables.floor), dtype=np.uint64) for _ in range(3)]
    zones = [np.zeros((longest + 1, ZONES), dtype=np.int64) for _ in range(2)]
    n_zones, tried = np.zeros(longest + 1, dtype=np.int64), np.zeros((2, longest), dtype=np.int64)
    return Replay(*words, *zones, n_zones, tried, make_box_scratch(tables))


@lean
def can_replay(tables: Tables, boxes: Bits, player: int, moves: Integers, n: int, replay: Replay) -> bool:
    """Whether moves given by source and target can be made one after the other, the player ending up wherever it can.

    Parameters
    ----------
    tables : Tables
    boxes : uint64[n_words], where they stand at the start
    player : its square at the start
    moves : int64[at least 2, at least n], source and target of each move
    n : number of moves
    replay : Replay, out: the zones after each move
    """
    for word in range(len(boxes)):
        replay.boxes[word] = boxes[word]
    replay.zones[0, 0], replay.n_zones[0] = player, 1
    for step in range(n):
        source, target = moves[SOURCE, step], moves[TARGET, step]
        if not has(replay.boxes, source) or has(replay.boxes, target):
            return False
        if not _replay_move(tables, source, target, step, replay):
            return False
        remove(replay.boxes, source)
        add(replay.boxes, target)
    return True


@lean
def _replay_move(tables: Tables, source: int, target: int, step: int, replay: Replay) -> bool:
    """Find all zones in which the player can be after a move; return whether there is any."""
    scratch, n, all_sides = replay.scratch, 0, 0
    find_free(tables, replay.boxes, replay.free)
    mark_free(replay.free, scratch)
    scratch.is_free[source] = 1
    label_blocks(tables, source, scratch)
    for zone in range(replay.n_zones[step]):
        player = replay.zones[step, zone]
        flood(replay.free, tables.width, player, replay.reached)
        sides = sides_reached(tables, replay.reached, source)
        if sides == 0:
            continue
        for state in range(1, spread_box(tables, source, player, sides, scratch)):
            if scratch.targets[state] == target and not scratch.sides[state] & all_sides:
                all_sides |= scratch.sides[state]
                replay.zones[step + 1, n], replay.origins[step + 1, n] = scratch.players[state], zone
                n += 1
    replay.n_zones[step + 1] = n
    return n > 0


@lean
def write_players(replay: Replay, moves: Integers, n: int) -> None:
    """After `can_replay`: write where the player stands after each move, int64[3, n], in one way that works."""
    zone = np.int64(0)
    for step in range(n, 0, -1):
        moves[PLAYER, step - 1] = replay.zones[step, zone]
        zone = replay.origins[step, zone]


@lean
def optimize(tables: Tables, boxes: Bits, player: int, moves: Integers, n: int, replay: Replay) -> int:
    """Shorten an episode until nothing changes; return its new number of moves.

    Parameters
    ----------
    tables, boxes, player, n, replay : as for `can_replay`
    moves : int64[3, at least n], source, target and square of the player after each move; in and out
    """
    first = 0
    while first < n:
        second = _next_move_of(moves, n, first)
        shorter = _merge(tables, boxes, player, moves, n, first, second, replay) if second != NOWHERE else n
        first = 0 if shorter < n else first + 1
        n = shorter
    can_replay(tables, boxes, player, moves, n, replay)
    write_players(replay, moves, n)
    return n


@lean
def _next_move_of(moves: Integers, n: int, first: int) -> int:
    """The next move of the box that a move took somewhere; NOWHERE if there is none."""
    for later in range(first + 1, n):
        if moves[SOURCE, later] == moves[TARGET, first]:
            return later
    return NOWHERE


@lean
def _merge(
    tables: Tables, boxes: Bits, player: int, moves: Integers, n: int, first: int, second: int, replay: Replay
) -> int:
    """Try to make one move of two, at the place of the first or of the second; return the new number of moves."""
    for kept in (first, second):
        n_tried = _write_merged(moves, n, first, second, kept, replay.tried)
        if can_replay(tables, boxes, player, replay.tried, n_tried, replay):
            for step in range(n_tried):
                moves[SOURCE, step], moves[TARGET, step] = replay.tried[SOURCE, step], replay.tried[TARGET, step]
            return n_tried
    return n


@lean
def _write_merged(moves: Integers, n: int, first: int, second: int, kept: int, out: Integers) -> int:
    """Write the moves with one from A to C at the kept place instead of two; none where C is A."""
    n_written = 0
    start, end = moves[SOURCE, first], moves[TARGET, second]
    for step in range(n):
        if (step in (first, second)) and (step != kept or start == end):
            continue
        out[SOURCE, n_written] = start if step == kept else moves[SOURCE, step]
        out[TARGET, n_written] = end if step == kept else moves[TARGET, step]
        n_written += 1
    return n_written
