"""Goal rooms, and the order in which their goals can be filled (Crippa and Marocchi, sections 4.4.4 and 4.4.5).

A room is a part of the floor with at least three goals behind a few doors. For each set of its goals that can be filled
so that the others still can be, the plan says which goal comes next for a box that comes through a door. A search then
takes a box there in one move.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations
from math import comb
from typing import NamedTuple

import numpy as np

from sokoviz.core.board.box_moves import BoxScratch, find_box_states, make_box_scratch
from sokoviz.core.board.grid import from_bits, tables_of, to_bits
from sokoviz.core.board.reach import flood
from sokoviz.core.board.tunnels import find_corridors
from sokoviz.core.compiling.jit import lean
from sokoviz.core.numbers.bits import ONE, ZERO, has, is_subset
from sokoviz.core.types import FAR, NOWHERE, Bits, Integers, Tables

FEWEST_GOALS = 3
MOST_DOORS = 3
MOST_CHOICES = 3_000  # of so many doors at a time; where there are more they are not looked through
MOST_GOALS = 63  # a set of goals is a number
MOST_SETS = 5_000  # of filled goals that are looked at, a room


class Rooms(NamedTuple):
    """The goal rooms of a level."""

    squares: Bits
    """uint64[n_rooms, n_words]"""
    goals: Bits
    """uint64[n_rooms, n_words]"""
    bits: Bits
    """uint64[n_squares]: the bit of a goal in the sets of its room; 0 elsewhere"""
    first: Integers
    """int64[n_rooms + 1]: where the plan of a room begins"""
    filled: Bits
    """uint64[n_plans]: sets of filled goals, ascending in each room"""
    following: Integers
    """int64[n_plans, n_doors]: the goal to be filled next, by a box through each door; NOWHERE for none"""


def no_rooms(tables: Tables) -> Rooms:
    """Return no rooms at all."""
    return _as_arrays(tables, [], [])


class GoalRoom(NamedTuple):
    """A part of the floor behind doors."""

    squares: frozenset[int]
    doors: tuple[int, ...]


@lru_cache(maxsize=64)
def rooms_of(rows: tuple[str, ...], boxes: frozenset[int]) -> Rooms:
    """Return the goal rooms of a level with the plans to fill them; shared between callers.

    Parameters
    ----------
    rows : the level's rows, as for `tables_of`
    boxes : squares of the boxes at the start
    """
    tables = tables_of(rows)
    planned = [
        (room, _plan_room(tables, room, boxes)) for room in find_rooms(tables, boxes) if not room.squares & boxes
    ]
    planned = [(room, plan) for room, plan in planned if plan]
    left = frozenset(tables.goal_squares.tolist()).difference(*(room.squares for room, _ in planned))
    if len(left) >= FEWEST_GOALS:
        planned.append((GoalRoom(left, ()), plan_open_goals(tables, left, boxes)))
    return _as_arrays(tables, [room for room, _ in planned], [plan for _, plan in planned])


def _as_arrays(tables: Tables, rooms: list[GoalRoom], plans: list[dict[int, tuple[int, ...]]]) -> Rooms:
    """Rooms with their plans for the kernels."""
    n_squares = tables.width * tables.height
    goals = [[goal for goal in tables.goal_squares.tolist() if goal in room.squares] for room in rooms]
    bits = np.zeros(n_squares, dtype=np.uint64)
    for own in goals:
        bits[own] = ONE << np.arange(len(own), dtype=np.uint64)
    filled = [mask for plan in plans for mask in sorted(plan)]
    following = np.full((len(filled), MOST_DOORS), NOWHERE, dtype=np.int64)
    for row, nexts in zip(following, [plan[mask] for plan in plans for mask in sorted(plan)], strict=True):
        row[: len(nexts)] = nexts
    n_words = len(tables.floor)
    return Rooms(
        squares=_stack([to_bits(room.squares, n_squares) for room in rooms], n_words),
        goals=_stack([to_bits(own, n_squares) for own in goals], n_words),
        bits=bits,
        first=np.cumsum([0, *map(len, plans)], dtype=np.int64),
        filled=np.array(filled, dtype=np.uint64),
        following=following,
    )


def _stack(sets: Sequence[Bits], n_words: int) -> Bits:
    """Bitsets as rows, uint64[n, n_words]."""
    return np.stack(sets) if sets else np.zeros((0, n_words), dtype=np.uint64)


# --- finding rooms ---------------------------------------------------------------------------------------------------


def find_rooms(tables: Tables, boxes: frozenset[int]) -> list[GoalRoom]:
    """Return the best rooms by formula 4.6, one after the other as long as there are goals for another."""
    rooms: list[GoalRoom] = []
    taken: set[int] = set()
    candidates = list(_candidates(tables))
    while True:
        open_goals = set(tables.goal_squares.tolist()) - taken
        fitting = [
            room
            for room in candidates
            if FEWEST_GOALS <= len(room.squares & open_goals) <= MOST_GOALS and not room.squares & taken
        ]
        if not fitting:
            return rooms
        best = max(fitting, key=lambda room: _score(tables, room, boxes))
        rooms.append(best)
        taken |= best.squares


def _candidates(tables: Tables) -> Iterator[GoalRoom]:
    """All parts of the floor that up to three doors close off; a door is a square between walls."""
    floor = set(from_bits(tables.floor))
    corridors = find_corridors(tables)
    doors = sorted(set(from_bits(corridors[0])) | set(from_bits(corridors[1])))
    found: set[frozenset[int]] = set()
    for n in range(1, MOST_DOORS + 1):
        if comb(len(doors), n) > MOST_CHOICES:
            break
        for chosen in combinations(doors, n):
            for part in _parts(tables, floor, chosen, n):
                if part not in found:
                    found.add(part)
                    yield GoalRoom(part, chosen)


def _parts(tables: Tables, floor: set[int], doors: tuple[int, ...], n: int) -> list[frozenset[int]]:
    """The parts with enough goals that all of some doors lead into, while each leads elsewhere too."""
    free = to_bits(floor - set(doors), tables.width * tables.height)
    reached = np.empty_like(free)
    parts: list[frozenset[int]] = []
    for goal in tables.goal_squares.tolist():
        if goal in doors or any(goal in part for part in parts):
            continue
        flood(free, tables.width, goal, reached)
        part = frozenset(from_bits(reached))
        around = [{door + int(step) for step in tables.steps} & floor for door in doors]
        if all(near & part and near - part - set(doors) for near in around) and len(part) < len(floor) - n:
            parts.append(part)
    return [part for part in parts if sum(goal in part for goal in tables.goal_squares.tolist()) >= FEWEST_GOALS]


def _score(tables: Tables, room: GoalRoom, boxes: frozenset[int]) -> int:
    """Formula 4.6: few doors, few boxes within, many squares; doors through which only the player comes cost little."""
    for_player_only = sum(not list(_ways_in(tables, room, door)) for door in room.doors)
    within = len(boxes & room.squares)
    return 1000 * (20 - len(room.doors)) + 5 * len(room.squares) - 100 * for_player_only - 500 * within


def _ways_in(tables: Tables, room: GoalRoom, door: int) -> Iterator[int]:
    """Squares behind a door from which a box on it can be pushed into a room."""
    for step in tables.steps.tolist():
        behind = door - step
        if door + step in room.squares and behind not in room.squares and has(tables.floor, behind):
            yield behind


# --- planning --------------------------------------------------------------------------------------------------------


class _Planner:
    """Finds out which goals of a room can be filled in which order."""

    def __init__(self, tables: Tables, room: GoalRoom) -> None:
        self.tables = tables
        self.room = room
        self.goals = [goal for goal in tables.goal_squares.tolist() if goal in room.squares]
        self.floor = set(from_bits(tables.floor))
        self.scratch = make_box_scratch(tables)
        self.plan: dict[int, tuple[int, ...]] = {}
        self.hopeless: set[int] = set()

    def fill(self, mask: int) -> bool:
        """Whether the goals that are left can be filled; what comes next is written into the plan."""
        if mask in self.plan or mask == (1 << len(self.goals)) - 1:
            return True
        if mask in self.hopeless or len(self.plan) + len(self.hopeless) > MOST_SETS:
            return False
        nexts = tuple(self._next_goal(mask, door) for door in self.room.doors)
        if all(goal == NOWHERE for goal in nexts):
            self.hopeless.add(mask)
            return False
        self.plan[mask] = nexts
        return True

    def _next_goal(self, mask: int, door: int) -> int:
        """The goal that is farthest from a door among those that leave the others fillable; NOWHERE if none does."""
        for goal in self._reachable_goals(mask, door):
            if self.fill(mask | 1 << self.goals.index(goal)):
                return goal
        return NOWHERE

    def _reachable_goals(self, mask: int, door: int) -> list[int]:
        """Goals that a box on a door can be pushed to, after which the player can get out again; the farthest first."""
        walls = {goal for index, goal in enumerate(self.goals) if mask >> index & 1}
        n_squares = self.tables.width * self.tables.height
        free = to_bits(self.floor - walls - {door}, n_squares)
        reached = np.empty_like(free)
        found: dict[int, None] = {}
        for behind in _ways_in(self.tables, self.room, door):
            flood(free, self.tables.width, behind, reached)
            n_states = find_box_states(self.tables, free, reached, behind, door, self.scratch)
            for state in range(n_states - 1, 0, -1):
                goal = int(self.scratch.targets[state])
                if goal in self.goals and self._gets_out(walls | {goal}, int(self.scratch.players[state])):
                    found[goal] = None
        return list(found)

    def _gets_out(self, walls: set[int], player: int) -> bool:
        """Whether the player can leave the room, or has filled it."""
        if len(walls) == len(self.goals):
            return True
        free = to_bits(self.floor - walls, self.tables.width * self.tables.height)
        reached = np.empty_like(free)
        flood(free, self.tables.width, player, reached)
        return any(
            has(reached, behind) for door in self.room.doors for behind in _ways_in(self.tables, self.room, door)
        )


def _plan_room(tables: Tables, room: GoalRoom, boxes: frozenset[int]) -> dict[int, tuple[int, ...]]:
    """Which goal to fill next, door by door, for sets of filled goals that begin with what is filled at first."""
    planner = _Planner(tables, room)
    planner.fill(sum(1 << index for index, goal in enumerate(planner.goals) if goal in boxes))
    planner.fill(0)
    return planner.plan


class _OpenPlanner:
    """Finds an order for goals that no door closes off: a goal comes next that leaves the most ways to the others."""

    def __init__(self, tables: Tables, goals: frozenset[int], boxes: frozenset[int]) -> None:
        self.tables = tables
        self.goals = sorted(goals)
        self.starts = sorted(box for box in boxes - goals if has(tables.live, box))
        self.floor = set(from_bits(tables.floor))
        self.scratch = make_box_scratch(tables)

    def ways(self, filled: frozenset[int]) -> dict[int, int]:
        """From how many squares where boxes start each open goal can be reached, whatever side the player is on."""
        counts = dict.fromkeys((goal for goal in self.goals if goal not in filled), 0)
        n_squares = self.tables.width * self.tables.height
        for start in self.starts:
            free = to_bits(self.floor - filled - {start}, n_squares)
            n_states = find_box_states(self.tables, free, free, NOWHERE, start, self.scratch)
            for goal in set(self.scratch.targets[1:n_states].tolist()) & counts.keys():
                counts[goal] += 1
        return counts

    def next_goal(self, filled: frozenset[int]) -> int:
        """The next goal, of several as good ones the farthest; NOWHERE where each makes another unreachable."""
        best, most = NOWHERE, (-1, 0)
        for goal, n_ways in self.ways(filled).items():
            after = self.ways(filled | {goal}) if n_ways else {}
            merit = sum(after.values()), self._distance(goal)
            if n_ways and all(after.values()) and merit > most:
                best, most = goal, merit
        return best

    def _distance(self, goal: int) -> int:
        """How far a goal is from where boxes start, all of them together."""
        distances = self.tables.push_distance[self.tables.goal_squares.tolist().index(goal), self.starts]
        return int(distances[distances < FAR].sum())


def plan_open_goals(tables: Tables, goals: frozenset[int], boxes: frozenset[int]) -> dict[int, tuple[int, ...]]:
    """Return which goal to fill next where no door closes them off, from what is filled at first on."""
    planner = _OpenPlanner(tables, goals, boxes)
    filled, plan = frozenset(boxes & goals), dict[int, tuple[int, ...]]()
    while len(filled) < len(goals):
        goal = planner.next_goal(filled)
        if goal == NOWHERE:
            break
        plan[sum(1 << index for index, each in enumerate(planner.goals) if each in filled)] = (goal,)
        filled |= {goal}
    return plan


# --- using them ------------------------------------------------------------------------------------------------------


@lean
def find_plan(rooms: Rooms, room: int, boxes: Bits, inside: Bits) -> int:
    """The row of a plan for the goals that are filled; NOWHERE where another box is in the room, or there is none.

    inside is scratch, uint64[n_words].
    """
    for i in range(len(boxes)):
        inside[i] = boxes[i] & rooms.squares[room, i]
    if not is_subset(inside, rooms.goals[room]):
        return np.int64(NOWHERE)
    mask = ZERO
    for square in range(len(rooms.bits)):
        if rooms.bits[square] != ZERO and has(inside, square):
            mask |= rooms.bits[square]
    low, high = rooms.first[room], rooms.first[room + 1]
    while low < high:
        middle = (low + high) // 2
        if rooms.filled[middle] < mask:
            low = middle + 1
        else:
            high = middle
    found = low < rooms.first[room + 1] and rooms.filled[low] == mask
    return low if found else np.int64(NOWHERE)


@lean
def is_next(rooms: Rooms, plan: int, square: int) -> bool:
    """Whether a goal is to be filled next."""
    for door in range(rooms.following.shape[1]):
        if rooms.following[plan, door] == square:
            return True
    return False


@lean
def count_pushes(scratch: BoxScratch, state: int) -> int:
    """Number of pushes to a state that `find_box_states` has found."""
    n = 0
    while scratch.parents[state] != NOWHERE:
        state = scratch.parents[state]
        n += 1
    return n
