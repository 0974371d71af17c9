"""What the kernels say about one position, in squares. This is the bridge between `Board` and the compiled core."""

from __future__ import annotations

from copy import copy
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from sokoviz.actions import BoxMove, Deadlock, Matching, Push
from sokoviz.core.board.box_moves import BoxScratch, find_box_states, make_box_scratch
from sokoviz.core.board.grid import from_bits, tables_of, to_bits
from sokoviz.core.board.pushes import generate_pulls, generate_pushes
from sokoviz.core.board.reach import find_free, flood, walk_distances
from sokoviz.core.bounds.matching import manhattan_costs, match_boxes
from sokoviz.core.bounds.side_bound import place_by_zone
from sokoviz.core.compiling.jit import is_kept
from sokoviz.core.deadlocks.corrals import count_areas, find_corral_deadlock, find_dead_corral, make_corral_scratch
from sokoviz.core.deadlocks.rules import (
    find_bipartite_deadlock,
    find_boxes_on_locking_tiles,
    find_locked_boxes,
    find_overfull_line,
)
from sokoviz.core.deadlocks.triples import find_dead_triple, triples_of
from sokoviz.core.deadlocks.window_sets import find_dead_window, windows_of
from sokoviz.core.numbers.bits import add, first, has, remove
from sokoviz.core.numbers.hashing import hash_state
from sokoviz.core.types import DIRECTIONS, FAR, NOWHERE, Bits, Distances, Tables
from sokoviz.squares import Square

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from sokoviz.levels import Level

CORRAL_BUDGET = 2000
"""positions that the search of one closed area may hold"""


class Analysis:
    """A level with boxes and player somewhere on it; nothing here changes.

    Parameters
    ----------
    level
        Gives walls and goals.
    boxes, player
        Where they are now.
    """

    def __init__(self, level: Level, boxes: Iterable[Square], player: Square) -> None:
        self.rows = level.rows
        self.tables = tables_of(level.rows)
        floor = level.floor
        inside = [box for box in boxes if box in floor]
        # Boxes that the player is walled off from never move: on a goal they are solved, elsewhere they are lost.
        self.lost_boxes = tuple(sorted(set(boxes) - set(inside) - set(level.goals)))
        self.boxes: Bits = to_bits((self._number(box) for box in inside), self.n_squares)
        self.player = self._number(player)
        self._deadlocks: dict[str, Deadlock | None] = {}

    def after_walk(self, player: Square) -> Analysis:
        """Return the same state with the player elsewhere in the component; what is known of it stays known."""
        other = copy(self)
        other.player = self._number(player)
        return other

    @property
    def n_squares(self) -> int:
        """Number of squares of the whole rectangle."""
        return self.tables.width * self.tables.height

    def _number(self, square: tuple[int, int]) -> int:
        """A square as the kernels count it."""
        return square[0] * self.tables.width + square[1]

    def _square(self, number: int) -> Square:
        """A kernel's square as row and column."""
        return Square(*divmod(int(number), self.tables.width))

    def squares(self, bits: Bits) -> tuple[Square, ...]:
        """The squares of a bitset in reading order."""
        return tuple(self._square(number) for number in from_bits(bits))

    @cached_property
    def free(self) -> Bits:
        """Floor without boxes: uint64[n_words]."""
        free = np.empty_like(self.boxes)
        find_free(self.tables, self.boxes, free)
        return free

    @cached_property
    def reached(self) -> Bits:
        """The player's component: uint64[n_words]."""
        reached = np.empty_like(self.boxes)
        flood(self.free, self.tables.width, self.player, reached)
        return reached

    @cached_property
    def hash(self) -> int:
        """Zobrist key of the equivalence state, 64 bits."""
        return int(hash_state(self.tables, self.boxes, self.reached))

    def pushes(self) -> tuple[Push, ...]:
        """Pushes that can be done from anywhere in the component, boxes in reading order."""
        return self._generate(generate_pushes)

    def pulls(self) -> tuple[Push, ...]:
        """Pulls that can be done from anywhere in the component; the direction is the way the box goes."""
        return self._generate(generate_pulls)

    def _generate(self, generate: Callable[..., int]) -> tuple[Push, ...]:
        """Run one of the two generators."""
        out = np.empty(4 * len(self.squares(self.boxes)), dtype=np.int64)
        n = generate(self.tables, self.boxes, self.reached, self.free, out)
        return tuple(Push(self._square(push >> 2), DIRECTIONS[push & 3]) for push in sorted(out[:n]))

    def n_areas(self) -> int:
        """Number of closed areas."""
        return int(count_areas(self.tables, self.free, self.reached, make_corral_scratch(len(self.free), 1, 1)))

    def walk(self, target: Square) -> str | None:
        """A shortest walk to a square as a move string; None if the player cannot get there."""
        distance = np.empty(self.n_squares, dtype=np.int64)
        walk_distances(self.free, self.tables.steps, self.player, distance, np.empty_like(distance))
        square = self._number(target)
        if distance[square] == NOWHERE:
            return None
        letters = []
        while square != self.player:
            direction = next(d for d in range(4) if distance[square - self.tables.steps[d]] == distance[square] - 1)
            letters.append(DIRECTIONS[direction])
            square -= int(self.tables.steps[direction])
        return "".join(reversed(letters))

    def _box_states(self, source: Square) -> tuple[int, BoxScratch]:
        """Number of states of one box, and the arrays that hold them."""
        scratch = make_box_scratch(self.tables)
        number = self._number(source)
        return find_box_states(self.tables, self.free, self.reached, self.player, number, scratch), scratch

    def _component_after(self, source: Square, target: int, player: int) -> Bits:
        """The player's component after a box went from one square to another: uint64[n_words]."""
        free, reached = self.free.copy(), np.empty_like(self.free)
        add(free, self._number(source))
        remove(free, target)
        flood(free, self.tables.width, player, reached)
        return reached

    def box_moves(self, source: Square) -> tuple[BoxMove, ...]:
        """Where one box can go, all others fixed; one entry for each component the player can end in."""
        n_states, scratch = self._box_states(source)
        depth = [0] * n_states
        for state in range(1, n_states):
            depth[state] = depth[scratch.parents[state]] + 1
        ends = zip(scratch.targets[1:n_states].tolist(), scratch.players[1:n_states].tolist(), depth[1:], strict=True)
        return tuple(
            BoxMove(source, self._square(target), self._square(first(self._component_after(source, target, player))), n)
            for target, player, n in ends
            if self._square(target) != source
        )

    def push_path(self, source: Square, target: Square, player: Square | None = None) -> tuple[Push, ...] | None:
        """Fewest pushes that take a box to a square, all other boxes fixed; None if there are none.

        Where a player is given, only those count after which that square is in the player's component.
        """
        n, scratch = self._box_states(source)
        for found in np.flatnonzero(scratch.targets[1:n] == self._number(target)) + 1:
            reached = self._component_after(source, self._number(target), int(scratch.players[found]))
            if player is None or has(reached, self._number(player)):
                return self._pushes_to(int(found), scratch)
        return None

    def _pushes_to(self, state: int, scratch: BoxScratch) -> tuple[Push, ...]:
        """The pushes that lead to a state of a box."""
        path = []
        while state:
            parent = int(scratch.parents[state])
            path.append(Push(self._square(scratch.targets[parent]), DIRECTIONS[scratch.directions[state]]))
            state = parent
        return tuple(reversed(path))

    def matching(self, distance: str) -> Matching:
        """Give every box a goal at the least total distance (thesis, section 4.1.2); see `Board.matching`.

        Under Manhattan distance a box on a goal keeps it, as in the reward of the searches: so this is the matching
        that gave it, where there are several of the same cost.
        """
        boxes, goals = from_bits(self.boxes), [int(goal) for goal in self.tables.goal_squares]
        kept = sorted(set(boxes) & set(goals)) if distance == "manhattan" else []
        box_squares = np.array([box for box in boxes if box not in kept], dtype=np.int64)
        goal_squares = np.array([goal for goal in goals if goal not in kept], dtype=np.int64)
        costs = np.empty((len(box_squares), len(goal_squares)), dtype=np.int64)
        if distance == "manhattan":
            manhattan_costs(self.tables.width, box_squares, goal_squares, costs)
        else:
            costs[:] = [self._pushes_from(box, distance) for box in box_squares.tolist()]
        goal_of = np.empty(len(box_squares), dtype=np.int64)
        cost = match_boxes(costs, goal_of)
        if cost >= FAR:
            return Matching(None, ())
        pairs = sorted(
            [*zip(box_squares.tolist(), goal_squares[goal_of].tolist(), strict=True), *((box, box) for box in kept)]
        )
        return Matching(int(cost), tuple((self._square(box), self._square(goal)) for box, goal in pairs))

    def distance(self, square: Square, goal: Square, distance: str) -> int:
        """How far a square is from a goal, by Manhattan distance or in pushes of a lone box; see `Board.matching`."""
        if distance == "manhattan":
            return abs(square.row - goal.row) + abs(square.column - goal.column)
        index = self.tables.goal_squares.tolist().index(self._number(goal))
        return int(self._pushes_from(self._number(square), distance)[index])

    def _pushes_from(self, square: int, distance: str) -> Distances:
        """int32[n_goals]: pushes of a lone box to each goal, the player on its better side or where he is."""
        tables = self.tables
        free, reached = np.empty_like(tables.floor), np.empty_like(tables.floor)
        rows: Distances = tables.push_distance.T
        if distance == "side":
            rows, square = tables.place_distance, place_by_zone(tables, square, self.player, free, reached)
        found: Distances = rows[square]
        return found

    def deadlock(self, rule: str) -> Deadlock | None:
        """Apply one rule; None if it finds nothing."""
        if rule not in self._deadlocks:
            self._deadlocks[rule] = self._find_deadlock(rule)
        return self._deadlocks[rule]

    def _find_deadlock(self, rule: str) -> Deadlock | None:
        """Apply one rule, whatever was found before."""
        culprits = np.zeros_like(self.boxes)
        is_dead = FINDER_OF[rule](self, culprits)
        squares = self.squares(culprits)
        if rule == "locking tile":
            squares = tuple(sorted({*squares, *self.lost_boxes}))
            is_dead = len(squares) > 0
        if not is_dead:
            return None
        if rule == "locked boxes":
            squares = self._off_goal_clusters(squares)
        return Deadlock(rule, squares, self._reason(rule, squares))

    def _off_goal_clusters(self, locked: tuple[Square, ...]) -> tuple[Square, ...]:
        """Of the locked boxes those that touch, directly or through others, one that is off goal."""
        goals = {self._square(goal) for goal in self.tables.goal_squares}
        cluster = {square for square in locked if square not in goals}
        frontier = list(cluster)
        while frontier:
            row, column = frontier.pop()
            near = {(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)}
            found = [square for square in locked if square in near and square not in cluster]
            cluster.update(found)
            frontier.extend(found)
        return tuple(sorted(cluster))

    def _goals_on_line(self, squares: tuple[Square, ...]) -> int:
        """Number of goals on the sweep line or wall run that some boxes are on."""
        numbers = {self._number(square) for square in squares}
        lines = (set(from_bits(line)) for line in (*self.tables.sweep_lines, *self.tables.wall_runs))
        goals = {int(goal) for goal in self.tables.goal_squares}
        return min(len(line & goals) for line in lines if numbers <= line)

    def _n_goals_reached(self, squares: tuple[Square, ...]) -> int:
        """Number of goals that some boxes can reach between them, each taken alone."""
        numbers = [self._number(square) for square in squares]
        return int((self.tables.push_distance[:, numbers] < FAR).any(axis=1).sum())

    def _reason(self, rule: str, squares: tuple[Square, ...]) -> str:
        """One sentence for people."""
        boxes, one = _boxes_on(squares), len(squares) == 1
        if rule == "locking tile":
            return f"{boxes} can never be pushed to a goal from there"
        if rule in ("wall sweep", "wall run"):
            return f"{boxes} cannot leave the wall, which has {_count_goals(self._goals_on_line(squares))}"
        if rule == "locked boxes":
            return f"{boxes} can never move again" if one else f"{boxes} hold each other in place for ever"
        if rule == "bipartite":
            return f"{boxes} can reach {_count_goals(self._n_goals_reached(squares))}{'' if one else ' between them'}"
        if rule in ("corral", "three boxes", "window"):
            lost = "closes off an area and cannot be brought to a goal" if one else "around a closed area are lost"
            lost = lost if rule == "corral" else "cannot all be brought to goals"
            window = ", nor out of a few squares with free floor around them" if rule == "window" else ""
            return f"{boxes} {lost}{window}, even with no other box in the way"
        return "no box can be pushed, and the level is not solved"


def _boxes_on(squares: tuple[Square, ...]) -> str:
    """The boxes on some squares, in words."""
    *most, last = (square.name for square in squares) if squares else ("",)
    return f"the boxes on {', '.join(most)} and {last}" if most else f"the box on {last}"


def _count_goals(n: int) -> str:
    """A number of goals in words; rules speak only of too few."""
    return "no goal" if n == 0 else f"only {n} goal{'s' * (n != 1)}"


def are_kernels_kept() -> bool:
    """Return whether the machine code of the largest kernels of a board is kept: then they have only to be loaded."""
    return all(is_kept(kernel, (Tables,)) for kernel in (find_dead_corral, find_box_states, find_locked_boxes))


FINDER_OF: dict[str, Callable[[Analysis, Bits], bool]] = {
    "locking tile": lambda here, out: find_boxes_on_locking_tiles(here.tables, here.boxes, out),
    "wall sweep": lambda here, out: find_overfull_line(here.tables, here.boxes, here.tables.sweep_lines, out, NOWHERE),
    "locked boxes": lambda here, out: find_locked_boxes(here.tables, here.boxes, out, NOWHERE),
    "wall run": lambda here, out: find_overfull_line(here.tables, here.boxes, here.tables.wall_runs, out, NOWHERE),
    "bipartite": lambda here, out: find_bipartite_deadlock(here.tables, here.boxes, out),
    "corral": lambda here, out: find_corral_deadlock(here.tables, here.boxes, here.player, CORRAL_BUDGET, out),
    "three boxes": lambda here, out: find_dead_triple(
        here.tables, here.boxes, here.player, triples_of(here.rows), out, NOWHERE
    ),
    "no push": lambda here, _: not here.pushes(),
    "window": lambda here, out: find_dead_window(
        here.tables, here.boxes, here.player, windows_of(here.rows), out, NOWHERE
    ),
}
"""The deadlock tests by name: the first three are the thesis's (section 4.2.1), the others go beyond it."""
