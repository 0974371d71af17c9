"""Makes a visit of a board: memory for the kernels, and the loop around them."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from sokoviz.core.board.grid import tables_of
from sokoviz.core.compiling.jit import is_kept
from sokoviz.core.types import Tables
from sokoviz.learn import schedule
from sokoviz.learn.attempt import (
    AHEAD,
    DELTA,
    EPSILON,
    FULL,
    HAS_TREE,
    HOPELESS,
    IS_FILTERED,
    MOST_NODES,
    MOST_STEPS,
    MOVE,
    N_CYCLES,
    N_NODES,
    N_STEPS,
    N_TRAJECTORIES,
    SOLVED,
    STOPPED,
    WIDTH,
    Attempt,
    begin,
    make_attempt,
    try_board,
)
from sokoviz.learn.optimizing import make_replay, optimize
from sokoviz.learn.schedule import Moves, Outcome, Task
from sokoviz.learn.simba import make_episodes, write_episode
from sokoviz.learn.subcases import bits_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from sokoviz.core.types import Integers
    from sokoviz.learn.options import Options
    from sokoviz.learn.subcases import Subcase

BYTES_A_NODE = 300
BYTES_A_MOVE = 18
MOVES_A_NODE = 150  # a guess: how memory is shared out between nodes and moves
TRAJECTORIES_A_CALL = 8  # so that an interrupt is heard within some hundredths of a second
MOST_NODES_KEPT = 1 << 22
STATUS_OF = {STOPPED: schedule.OPEN, FULL: schedule.OPEN, SOLVED: schedule.SOLVED, HOPELESS: schedule.HOPELESS}


def is_learning_compiled() -> bool:
    """Return whether the machine code of the largest kernels is kept: then they have only to be loaded."""
    return is_kept(begin, (Attempt,)) and is_kept(try_board, (Attempt,)) and is_kept(optimize, (Tables,))


@dataclass
class _Visit:
    """A visit that is under way."""

    task: Task
    status: int = STOPPED
    made: int = 0
    """trajectories"""
    made_before: int = 0
    nodes: int = 0
    """trajectories and positions before the memory was last emptied"""
    seconds: float = 0.0
    is_sound: bool = True
    """whether this is what the kernel's arrays say"""


class Workshop:
    """The arrays of a level in which visits are made, one after the other.

    Parameters
    ----------
    rows
        The level's rows.
    player
        Its player's square.
    n_boxes
        Number of its boxes.
    options
        How to learn.
    """

    def __init__(self, rows: tuple[str, ...], player: int, n_boxes: int, options: Options) -> None:
        self.rows, self.player, self.n_boxes, self.options = rows, player, n_boxes, options
        self.tables = tables = tables_of(rows)
        longest = options.longest(n_boxes)
        capacity = min(options.memory // (BYTES_A_NODE + MOVES_A_NODE * BYTES_A_MOVE), MOST_NODES_KEPT)
        most_a_trajectory = (max(longest, options.examined) + 1) * n_boxes * 4 * tables.n_floor
        room = max(capacity * MOVES_A_NODE, 2 * most_a_trajectory)
        self.attempt = make_attempt(tables, capacity, room, longest, options.buffer)
        self.episodes = make_episodes(options.buffer, longest, tables.n_floor)
        self._replay = make_replay(tables, longest)
        self._moves = np.zeros((3, longest), dtype=np.int64)
        self._visit: _Visit | None = None

    def load(self) -> None:
        """Load the kernels, or compile them, so that this does not count as time of a visit."""
        boxes = bits_of(self.tables, ())
        begin(self.attempt, self.episodes, boxes, boxes, self.player)
        try_board(self.attempt, self.episodes, 0)
        optimize(self.tables, boxes, self.player, self._moves, 0, self._replay)

    def write_episode(self, slot: int, subcase: Subcase, moves: Moves) -> None:
        """Write an episode into a slot of the buffer: the first free one, or one that is in use."""
        ends = [(source, target) for source, target, _ in moves]
        write_episode(self.episodes, self.attempt.place_of, slot, subcase.boxes, subcase.goals, ends)

    def forget_episodes(self) -> None:
        """Empty the buffer."""
        self.episodes.n[0] = 0

    @property
    def n_under_way(self) -> int:
        """Positions evaluated in the visit that is under way; 0 where there is none."""
        return self._visit.nodes + int(self.attempt.counts[N_NODES]) if self._visit and self._visit.is_sound else 0

    @property
    def made_under_way(self) -> int:
        """Trajectories made in the visit that is under way; 0 where there is none."""
        return self._visit.made if self._visit else 0

    def put_away(self) -> None:
        """Forget the visit that is under way: it is complete, or was made elsewhere."""
        self._visit = None

    def begin(self, task: Task) -> None:
        """Set up a board."""
        attempt, options = self.attempt, self.options
        attempt.rules[MOST_STEPS] = options.longest(task.stage)
        attempt.rules[MOST_NODES], attempt.rules[IS_FILTERED] = task.nodes, options.goal_filter
        attempt.rules[HAS_TREE] = options.tree
        attempt.rules[WIDTH], attempt.rules[AHEAD] = options.width if options.search == "value" else 0, options.depth
        attempt.chances[DELTA], attempt.chances[EPSILON] = options.delta, options.epsilon
        attempt.generator[0] = task.seed
        boxes, goals = (bits_of(self.tables, squares) for squares in task.subcase)
        begin(attempt, self.episodes, boxes, goals, self.player)

    def perform(self, task: Task, is_over: Callable[[], bool] = lambda: False) -> Outcome | None:
        """Make a visit; None where it was told to end before: asked for the same visit again, it goes on with it."""
        start = time.perf_counter()
        visit = self._take_up(task)
        while visit.status == STOPPED and visit.made < task.trajectories:
            if is_over():
                visit.seconds += time.perf_counter() - start
                return None
            self._go_on(visit)
        self.put_away()
        counts = self.attempt.counts
        found, moves = self._read_way(task) if visit.status == SOLVED else ((), ())
        seconds = visit.seconds + time.perf_counter() - start
        nodes, cycles = visit.nodes + int(counts[N_NODES]), int(counts[N_CYCLES])
        return Outcome(STATUS_OF[visit.status], visit.made, nodes, cycles, seconds, found, moves)

    def _take_up(self, task: Task) -> _Visit:
        """The visit that is under way if it is this one, else a new one."""
        if self._visit is None or self._visit.task != task or not self._visit.is_sound:
            self._visit = None  # an interrupt in between must not leave a visit that was never set up
            self.begin(task)
            self._visit = _Visit(task)
        return self._visit

    def _go_on(self, visit: _Visit) -> None:
        """Make some more trajectories."""
        task, counts = visit.task, self.attempt.counts
        visit.is_sound = False  # until all is written down: an interrupt may come before
        most = max(1, TRAJECTORIES_A_CALL // self.options.examined)
        visit.status = try_board(self.attempt, self.episodes, min(most, task.trajectories - visit.made))
        visit.made = visit.made_before + int(counts[N_TRAJECTORIES])
        if visit.status == FULL and not self.options.tree and visit.nodes + counts[N_NODES] < task.nodes:
            visit.nodes, visit.made_before = visit.nodes + int(counts[N_NODES]), visit.made
            self.begin(task._replace(seed=int(self.attempt.generator[0])))  # plain trajectories need nothing of before
            visit.status = STOPPED
        visit.is_sound = True

    def _read_way(self, task: Task) -> tuple[Moves, Moves]:
        """The solution that a visit found, as it is and without detours."""
        attempt, n = self.attempt, int(self.attempt.counts[N_STEPS])
        self._moves[:, :n] = attempt.moves[:, attempt.way[MOVE, :n]]
        found = _as_tuples(self._moves, n)
        if not self.options.optimized:
            return found, found
        boxes = bits_of(self.tables, task.subcase.boxes)
        n = optimize(self.tables, boxes, self.player, self._moves, n, self._replay)
        return found, _as_tuples(self._moves, n)


def _as_tuples(moves: Integers, n: int) -> Moves:
    """Moves as plain numbers."""
    return tuple((int(source), int(target), int(player)) for source, target, player in moves[:, :n].T)
