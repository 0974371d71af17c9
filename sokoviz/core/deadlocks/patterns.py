"""Pattern search: small sets of boxes that take more pushes together than their bound says, or can never be solved.

Rolling Stone's pattern searches (Junghanns and Schaeffer, 2.3; Crippa and Marocchi, 2.2.3). A set begins with the box
that was pushed last, alone in the maze. It is solved; then a box is added that stands where the solution pushes or
walks, and so on, until nothing is in the way, the effort is used up, or the set is dead. What is learned is kept: a
position that contains a set, with the player in the same zone, is dead too, or takes so many pushes more.

A dead set is proven dead by exhaustive search with all other boxes taken away. A penalty is not always admissible: in
the whole position the boxes may have to go to other goals.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from sokoviz.core.board.box_moves import BoxScratch
from sokoviz.core.board.pushes import generate_pushes
from sokoviz.core.board.reach import find_free, flood
from sokoviz.core.bounds.matching import MatchingScratch, assign_goals, make_matching_scratch
from sokoviz.core.bounds.side_bound import place_by_zone
from sokoviz.core.compiling.jit import lean
from sokoviz.core.deadlocks.dead_patterns import (
    DEAD,
    SOLVED,
    UNDECIDED,
    DeadScratch,
    find_dead_boxes,
    make_dead_scratch,
    meet_on_walk,
)
from sokoviz.core.deadlocks.rules import find_locked_boxes
from sokoviz.core.numbers.bits import ONE, WORD, ZERO, add, clear, first, has, is_subset, remove, trailing_zeros
from sokoviz.core.numbers.hashing import hash_state
from sokoviz.core.types import FAR, NOWHERE, Bits, Integers, Tables

MOST_PATTERNS = 20_000
MOST_BOXES = 6
N_SEEN = 1 << 16
N_BUCKETS = 64

# Rows of Patterns.boards.
CHOSEN, FREE, REACHED, TAKEN, ZONE, LOCKED, OTHERS = range(7)
N_BOARDS = 7

# Columns of Patterns.opened: what is known of each position of a search.
PLAYER, WAY, PARENT, PUSH, NEXT = range(5)
N_COLUMNS = 5


# Entries of Patterns.sizes.
N_PATTERNS, N_SEARCHED, GOAL, N_ASKED, N_TRIED = range(5)

# How many searches there may be. On many levels they find next to nothing and would take most of the time.
FREE_TRIES = 200  # at first
TRIES_A_PATTERN = 20  # for each pattern that was found
SELDOM = 16  # and one for so many positions


class Patterns(NamedTuple):
    """What pattern searches have learned about a level, and room for the next."""

    masks: Bits
    """uint64[capacity, n_words]: boxes of each pattern"""
    zones: Bits
    """uint64[capacity, n_words]: where the player is then"""
    penalties: Integers
    """int64[capacity]: pushes more than the bound says; FAR for a dead one"""
    heads: Integers
    """int64[n_squares]: the first pattern whose first box is on a square, NOWHERE for none"""
    following: Integers
    """int64[capacity]: the next one with the same first box"""
    nearest: Integers
    """int64[n_squares]: pushes from a square to the nearest goal"""
    boards: Bits
    """uint64[7, n_words], scratch"""
    positions: Bits
    """uint64[effort, n_words], scratch: boxes of the positions of a search"""
    opened: Integers
    """int64[effort, 5], scratch: player, pushes made, the position before, the push from it, the next in its bucket"""
    keys: Bits
    """uint64[effort], scratch"""
    slots: Integers
    """int64[power of two], scratch: a table from keys to positions"""
    buckets: Integers
    """int64[64], scratch: positions to go on with, by how much their bound exceeds the first"""
    pushes: Integers
    """int64[4 * most boxes], scratch"""
    seen: Bits
    """uint64[power of two]: keys of what was searched"""
    sizes: Integers
    """int64[5]: patterns kept, positions searched in all, the position that solved the last search, how often a search
    was asked for, and how often made"""
    walks: Integers
    """int64[2, n_squares], scratch"""
    matching: MatchingScratch
    dead: DeadScratch
    """room for deadlock searches; none where there are none"""


def make_patterns(tables: Tables, effort: int, deadlock_effort: int = 0) -> Patterns:
    """Return an empty store, with room for penalty and deadlock searches of so many positions; 0 for none of a kind."""
    n_words, n_squares = len(tables.floor), tables.width * tables.height
    capacity = MOST_PATTERNS if effort or deadlock_effort else 0
    nearest = tables.push_distance.min(axis=0, initial=FAR).astype(np.int64)
    return Patterns(
        masks=np.zeros((capacity, n_words), dtype=np.uint64),
        zones=np.zeros((capacity, n_words), dtype=np.uint64),
        penalties=np.zeros(capacity, dtype=np.int64),
        heads=np.full(n_squares, NOWHERE, dtype=np.int64),
        following=np.full(capacity, NOWHERE, dtype=np.int64),
        nearest=nearest,
        boards=np.zeros((N_BOARDS, n_words), dtype=np.uint64),
        positions=np.zeros((effort, n_words), dtype=np.uint64),
        opened=np.zeros((effort, N_COLUMNS), dtype=np.int64),
        keys=np.zeros(effort, dtype=np.uint64),
        slots=np.zeros(1 << max(4, (2 * effort - 1).bit_length()), dtype=np.int64),
        buckets=np.zeros(N_BUCKETS, dtype=np.int64),
        pushes=np.zeros(4 * MOST_BOXES, dtype=np.int64),
        seen=np.zeros(N_SEEN if capacity else 1, dtype=np.uint64),
        sizes=np.zeros(5, dtype=np.int64),
        walks=np.zeros((2, n_squares), dtype=np.int64),
        matching=make_matching_scratch(max(len(tables.goal_squares), MOST_BOXES)),
        dead=make_dead_scratch(tables, deadlock_effort),
    )


# --- using what is known ---------------------------------------------------------------------------------------------


@lean
def find_penalty(patterns: Patterns, boxes: Bits, player: int, adds_all: int) -> int:
    """Pushes that a position takes more than its bound says, as far as is known; FAR where it is dead.

    Penalties of sets that share a box are not added, unless all are wanted: overestimation.
    """
    taken, total = patterns.boards[TAKEN], 0
    clear(taken)
    for i in range(len(boxes)):
        word = boxes[i]
        while word != ZERO:
            square = WORD * i + np.int64(trailing_zeros(word))
            word &= word - ONE
            entry = patterns.heads[square]
            while entry != NOWHERE:
                if is_subset(patterns.masks[entry], boxes) and has(patterns.zones[entry], player):
                    total += _take(patterns, entry, adds_all)
                    if total >= FAR:
                        return FAR
                entry = patterns.following[entry]
    return total


@lean
def _take(patterns: Patterns, entry: int, adds_all: int) -> int:
    """The penalty of a pattern if none of its boxes has been counted; they are counted then."""
    taken, mask = patterns.boards[TAKEN], patterns.masks[entry]
    if patterns.penalties[entry] >= FAR:
        return FAR
    for i in range(len(taken)):
        if taken[i] & mask[i] != ZERO and not adds_all:
            return 0
    for i in range(len(taken)):
        taken[i] |= mask[i]
    return patterns.penalties[entry]


@lean
def _keep(patterns: Patterns, penalty: int) -> None:
    """Keep the chosen boxes with the player's zone; larger penalties stand before smaller ones."""
    n = patterns.sizes[N_PATTERNS]
    if n == len(patterns.penalties):
        return
    for i in range(patterns.masks.shape[1]):
        patterns.masks[n, i], patterns.zones[n, i] = patterns.boards[CHOSEN, i], patterns.boards[ZONE, i]
    patterns.penalties[n] = penalty
    square, before = first(patterns.boards[CHOSEN]), np.int64(NOWHERE)
    entry = patterns.heads[square]
    while entry != NOWHERE and patterns.penalties[entry] >= penalty:
        before, entry = entry, patterns.following[entry]
    patterns.following[n] = entry
    if before == NOWHERE:
        patterns.heads[square] = n
    else:
        patterns.following[before] = n
    patterns.sizes[N_PATTERNS] = n + 1


# --- searching -------------------------------------------------------------------------------------------------------


@lean
def learn_pattern(
    tables: Tables, patterns: Patterns, ways: BoxScratch, boxes: Bits, player: int, square: int, key: int
) -> int:
    """Search the pattern around a box, for a deadlock first, then for a penalty; return the positions searched.

    Where searches find little most of them are left out.

    Parameters
    ----------
    tables : Tables
    patterns : Patterns
    ways : BoxScratch
    boxes : uint64[n_words], the whole position
    player : square of the player
    square : the box that was pushed last
    key : key of the position; one that was searched from already is not searched again
    """
    place = np.int64(key & np.uint64(len(patterns.seen) - 1))
    if patterns.seen[place] == key or not _is_worth_while(patterns.sizes):
        return 0
    patterns.seen[place] = key
    is_dead, used = False, 0
    if len(patterns.dead.waiting) > 0:
        is_dead, used = _learn_deadlock(tables, patterns, ways, boxes, player, square)
    if not is_dead and len(patterns.opened) > 0:
        used += _learn_penalty(tables, patterns, boxes, player, square)
    patterns.sizes[N_SEARCHED] += used
    return used


@lean
def _is_worth_while(sizes: Integers) -> bool:
    """Whether what was found so far pays for one more search; counts how often it is asked, and the searches."""
    sizes[N_ASKED] += 1
    allowed = FREE_TRIES + TRIES_A_PATTERN * sizes[N_PATTERNS] + sizes[N_ASKED] // SELDOM
    if sizes[N_TRIED] >= allowed:
        return False
    sizes[N_TRIED] += 1
    return True


@lean
def _learn_deadlock(
    tables: Tables, patterns: Patterns, ways: BoxScratch, boxes: Bits, player: int, square: int
) -> tuple[bool, int]:
    """Search for dead boxes around one, and keep them; return whether there are any, and the positions searched."""
    boards = patterns.boards
    clear(boards[CHOSEN])
    add(boards[CHOSEN], square)
    is_dead, used = find_dead_boxes(tables, patterns.dead, ways, boxes, player, boards[CHOSEN])
    if is_dead:
        find_free(tables, boards[CHOSEN], boards[FREE])
        flood(boards[FREE], tables.width, player, boards[ZONE])
        _keep(patterns, FAR)
    return is_dead, used


@lean
def _learn_penalty(tables: Tables, patterns: Patterns, boxes: Bits, player: int, square: int) -> int:
    """Search for boxes around one that take more pushes than their bound says, and keep them; return what it took."""
    chosen, effort, worst, size, used = patterns.boards[CHOSEN], len(patterns.opened), 0, 1, 0
    clear(chosen)
    add(chosen, square)
    while size <= MOST_BOXES and used < effort:
        verdict, n = _solve(tables, patterns, player, effort - used)
        used += n
        if verdict == DEAD:
            _keep(patterns, FAR)
        if verdict != SOLVED:
            break
        penalty = patterns.opened[patterns.sizes[GOAL], WAY] - _match(tables, patterns, player)
        if penalty > worst:
            _keep(patterns, penalty)
            worst = penalty
        other = _find_conflict(tables, patterns, boxes)
        if other == NOWHERE:
            break
        add(chosen, other)
        size += 1
    return used


@lean
def _solve(tables: Tables, patterns: Patterns, player: int, effort: int) -> tuple[int, int]:
    """Search for the fewest pushes that bring the chosen boxes to goals; return the verdict and positions expanded.

    A*, with the pushes from each box to its nearest goal as bound; of equal bounds the newest goes first.
    """
    boards, opened = patterns.boards, patterns.opened
    for slot in range(len(patterns.slots)):
        patterns.slots[slot] = NOWHERE
    for bucket in range(N_BUCKETS):
        patterns.buckets[bucket] = NOWHERE
    find_free(tables, boards[CHOSEN], boards[FREE])
    flood(boards[FREE], tables.width, player, boards[ZONE])
    base = _bound(patterns, boards[CHOSEN])
    if base >= FAR:
        return DEAD, 0
    n = _open(tables, patterns, boards[CHOSEN], player, 0, NOWHERE, NOWHERE, base, 0)
    used, bucket = 0, 0
    while bucket < N_BUCKETS:
        here = patterns.buckets[bucket]
        if here == NOWHERE:
            bucket += 1
            continue
        patterns.buckets[bucket] = opened[here, NEXT]
        if is_subset(patterns.positions[here], tables.goals):
            patterns.sizes[GOAL] = here
            return SOLVED, used
        if used >= effort:
            return UNDECIDED, used
        used += 1
        n, bucket = _expand(tables, patterns, here, base, n, bucket)
        if n > len(opened):
            return UNDECIDED, used
    return DEAD, used


@lean
def _expand(tables: Tables, patterns: Patterns, here: int, base: int, n: int, bucket: int) -> tuple[int, int]:
    """Open what a position leads to; return how many are open in all, and the lowest bucket that may hold one."""
    boards, boxes, opened = patterns.boards, patterns.positions[here], patterns.opened
    find_free(tables, boxes, boards[FREE])
    flood(boards[FREE], tables.width, opened[here, PLAYER], boards[REACHED])
    n_pushes = generate_pushes(tables, boxes, boards[REACHED], boards[FREE], patterns.pushes)
    for index in range(n_pushes):
        push = patterns.pushes[index]
        square, target = push >> 2, (push >> 2) + tables.steps[push & 3]
        if not has(tables.live, target):
            continue
        remove(boxes, square)
        add(boxes, target)
        if not find_locked_boxes(tables, boxes, boards[LOCKED], NOWHERE):
            before = n
            n = _open(tables, patterns, boxes, square, opened[here, WAY] + 1, here, push, base, n)
            if n > before and n <= len(opened):
                bucket = min(bucket, _bucket_of(patterns, n - 1, base))
        remove(boxes, target)
        add(boxes, square)
        if n > len(opened):
            return n, bucket
    return n, bucket


@lean
def _bound(patterns: Patterns, boxes: Bits) -> int:
    """Pushes from each box to its nearest goal, all together."""
    total = 0
    for i in range(len(boxes)):
        word = boxes[i]
        while word != ZERO:
            total += patterns.nearest[WORD * i + np.int64(trailing_zeros(word))]
            word &= word - ONE
    return min(total, FAR)


@lean
def _bucket_of(patterns: Patterns, number: int, base: int) -> int:
    """Where a position waits: by how much its bound exceeds the first; all that exceeds it by much shares the last."""
    excess = patterns.opened[number, WAY] + _bound(patterns, patterns.positions[number]) - base
    return min(max(excess, 0), N_BUCKETS - 1)


@lean
def _open(
    tables: Tables, patterns: Patterns, boxes: Bits, player: int, way: int, parent: int, push: int, base: int, n: int
) -> int:
    """Hold a position unless it is held by as short a way; return their number, one more than there is room if full."""
    boards, opened = patterns.boards, patterns.opened
    find_free(tables, boxes, boards[LOCKED])
    flood(boards[LOCKED], tables.width, player, boards[TAKEN])
    key = hash_state(tables, boxes, boards[TAKEN])
    mask = len(patterns.slots) - 1
    slot = np.int64(key & np.uint64(mask))
    while patterns.slots[slot] != NOWHERE:
        known = patterns.slots[slot]
        if patterns.keys[known] == key and opened[known, WAY] <= way:
            return n
        if patterns.keys[known] == key:
            break  # the new way takes its place; what waits by the old one does no harm
        slot = (slot + 1) & mask
    if n < len(opened):
        patterns.slots[slot], patterns.keys[n] = n, key
        opened[n, PLAYER], opened[n, WAY], opened[n, PARENT], opened[n, PUSH] = player, way, parent, push
        for i in range(len(boxes)):
            patterns.positions[n, i] = boxes[i]
        bucket = _bucket_of(patterns, n, base)
        opened[n, NEXT] = patterns.buckets[bucket]
        patterns.buckets[bucket] = n
    return n + 1


@lean
def _match(tables: Tables, patterns: Patterns, player: int) -> int:
    """The cheapest matching of the chosen boxes to any goals, as the bound counts it."""
    scratch, n = patterns.matching, 0
    boxes = patterns.boards[CHOSEN]
    n_goals = len(tables.goal_squares)
    for i in range(len(boxes)):
        word = boxes[i]
        while word != ZERO:
            square = WORD * i + np.int64(trailing_zeros(word))
            word &= word - ONE
            place = place_by_zone(tables, square, player, patterns.boards[LOCKED], patterns.boards[REACHED])
            for goal in range(n_goals):
                scratch.costs[n, goal] = tables.place_distance[place, goal]
            n += 1
    for goal in range(n_goals):
        scratch.goal_price[goal] = 0
    return assign_goals(scratch.costs, n, n_goals, scratch)


@lean
def _find_conflict(tables: Tables, patterns: Patterns, boxes: Bits) -> int:
    """A box of the whole position where the solution of the chosen ones pushes or walks first; NOWHERE for none."""
    opened, free, others = patterns.opened, patterns.boards[FREE], patterns.boards[OTHERS]
    state, found = patterns.sizes[GOAL], np.int64(NOWHERE)
    for i in range(len(boxes)):
        others[i] = boxes[i] & ~patterns.boards[CHOSEN, i]
    while opened[state, PARENT] != NOWHERE:  # from the end to the beginning, so that the first conflict stays
        push, before = opened[state, PUSH], opened[state, PARENT]
        target = (push >> 2) + tables.steps[push & 3]
        if has(others, target):
            found = target
        behind = (push >> 2) - tables.steps[push & 3]
        find_free(tables, patterns.positions[before], free)
        met = meet_on_walk(tables, free, others, opened[before, PLAYER], behind, patterns.walks)
        found = found if met == NOWHERE else met
        state = before
    return found
