"""Compile the kernels ahead of use: ``python -m sokoviz.warm`` fills the cache while a browser opens."""

from __future__ import annotations

import numpy as np

from sokoviz.analysis.influence import influence
from sokoviz.core.board.box_moves import find_box_states, make_box_scratch
from sokoviz.core.board.grid import tables_of, to_bits
from sokoviz.core.board.pushes import generate_pulls, generate_pushes
from sokoviz.core.board.reach import find_free, flood, walk_distances
from sokoviz.core.bounds.matching import manhattan_costs, match_boxes, push_costs
from sokoviz.core.deadlocks.corrals import find_corral_deadlock
from sokoviz.core.deadlocks.rules import (
    find_bipartite_deadlock,
    find_boxes_on_locking_tiles,
    find_locked_boxes,
    find_overfull_line,
)
from sokoviz.core.deadlocks.triples import find_dead_triple, triples_of
from sokoviz.core.deadlocks.window_sets import find_dead_window, windows_of
from sokoviz.core.numbers.hashing import hash_state
from sokoviz.core.types import NOWHERE
from sokoviz.games.sokoban import Sokoban
from sokoviz.games.tictactoe import TicTacToe
from sokoviz.learn.curry import Curry
from sokoviz.search.compare import comparing
from sokoviz.search.ida.search import IDA
from sokoviz.search.loading import prepare
from sokoviz.search.mcts.engine import Engine
from sokoviz.search.options import Settings
from sokoviz.search.shortening import shorten

ROWS = ("######", "#@$. #", "######")
LEARNABLE = (
    "#######",
    "#@ $ .#",
    "#  $ .#",
    "#     #",
    "#######",
)  # two stages, so that there is something to learn from
ROOMY = ("#######", "#@ $ .#", "#     #", "#######")  # a position with successors of all kinds


def warm_board_kernels() -> None:
    """Compile, or load from the cache, every kernel that a board uses."""
    tables = tables_of(ROWS)
    n_squares = tables.width * tables.height
    player, box = 7, 8
    boxes = to_bits([box], n_squares)
    free, reached, found = np.empty_like(boxes), np.empty_like(boxes), np.empty_like(boxes)
    numbers = np.empty(4 * n_squares, dtype=np.int64)
    find_free(tables, boxes, free)
    flood(free, tables.width, player, reached)
    walk_distances(free, tables.steps, player, numbers, numbers.copy())
    generate_pushes(tables, boxes, reached, free, numbers)
    generate_pulls(tables, boxes, reached, free, numbers)
    hash_state(tables, boxes, reached)
    find_box_states(tables, free, reached, player, box, make_box_scratch(tables))
    find_boxes_on_locking_tiles(tables, boxes, found)
    find_overfull_line(tables, boxes, tables.sweep_lines, found, NOWHERE)
    find_locked_boxes(tables, boxes, found, NOWHERE)
    find_bipartite_deadlock(tables, boxes, found)
    find_corral_deadlock(tables, boxes, player, 16, found)
    find_dead_triple(tables, boxes, player, triples_of(ROOMY), found, NOWHERE)
    find_dead_window(tables, boxes, player, windows_of(ROWS), found, NOWHERE)
    costs = np.empty((1, 1), dtype=np.int64)
    box_squares, goal_of = np.array([box], dtype=np.int64), np.empty(1, dtype=np.int64)
    manhattan_costs(tables.width, box_squares, tables.goal_squares, costs)
    push_costs(tables.push_distance, box_squares, costs)
    match_boxes(costs, goal_of)


def warm_search_kernels() -> None:
    """Compile, or load from the cache, the searches of our own games."""
    for game in (TicTacToe(), Sokoban("\n".join(ROOMY))):
        prepare(game)
        Engine(game, Settings(journal=False)).advance(3)
    comparing.prepare()
    shorten("\n".join(ROOMY), "rRR", states=1)
    found = influence("\n".join(ROOMY))
    found.cuts(found.level, "rR")
    found.between(found.squares[0], found.squares[-1])


def warm_deepening_kernels() -> None:
    """Compile, or load from the cache, iterative deepening, with a record and without."""
    for journal in (True, False):
        IDA("\n".join(LEARNABLE), journal=journal).run(seconds=60, progress=False)


def warm_learning_kernels() -> None:
    """Compile, or load from the cache, the learner and what asks its episodes."""
    curry = Curry("\n".join(LEARNABLE), seed=1)
    curry.run(seconds=60, progress=False)
    curry.policy()


if __name__ == "__main__":
    warm_board_kernels()
    warm_search_kernels()
    warm_deepening_kernels()
    warm_learning_kernels()
