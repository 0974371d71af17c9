"""The rules against sokoenginepy, an independent engine, and push counts against stored tables."""

import json
from random import Random

import numpy as np
import pytest
from sokoenginepy.game import BoardGraph, Direction, IllegalMoveError, Mover
from sokoenginepy.io import SokobanPuzzle

from sokoviz.core.board.pushes import count_lines
from sokoviz.levels import Level
from tests.conftest import CHECKOUT
from tests.worlds import random_text, world_of

DIRECTION_OF = {"u": Direction.UP, "d": Direction.DOWN, "l": Direction.LEFT, "r": Direction.RIGHT}
PERFT = json.loads((CHECKOUT / "tests" / "data" / "perft.json").read_text())


def mover_of(text):
    """The other engine in the same position."""
    return Mover(BoardGraph(SokobanPuzzle(board=text)))


def position_of(mover):
    """The other engine's position as our text: it writes floor as '-'."""
    return "\n".join(line.replace("-", " ").rstrip() for line in str(mover.board).split("\n"))


def can_move(mover, direction):
    """Whether the other engine allows a step; it is taken if so."""
    try:
        mover.move(DIRECTION_OF[direction])
    except IllegalMoveError:
        return False
    return True


@pytest.mark.parametrize("seed", range(12))
def test_random_play_is_the_same_as_in_sokoenginepy(seed):
    random = Random(seed)
    text = random_text(random, 7, 9, n_boxes=4, wall_share=0.2)
    board, mover = Level.parse(text).board(), mover_of(text)
    n_refused = 0
    for _ in range(250):
        direction = random.choice("udlr")
        legal = direction in map(str.lower, board.legal_moves)
        assert can_move(mover, direction) == legal
        if legal:
            board.step(direction)
        n_refused += not legal
        assert position_of(mover) == board.position
    assert 0 < n_refused < 250


@pytest.mark.parametrize("seed", range(6))
def test_component_is_what_sokoenginepy_can_reach(seed):
    text = random_text(Random(seed), 7, 9, n_boxes=4, wall_share=0.2)
    board, mover = Level.parse(text).board(), mover_of(text)
    pusher = mover.board_manager.pusher_position(mover.selected_pusher)
    reached = mover.board.positions_reachable_by_pusher(pusher, mover.board_manager.boxes_positions.values())
    assert {divmod(position, board.level.width) for position in reached} == set(board.component)


@pytest.mark.kernels
@pytest.mark.parametrize("case", PERFT, ids=[case["name"] for case in PERFT])
def test_numbers_of_push_lines_are_those_of_the_stored_table(case):
    world = world_of(case["level"])
    boxes, scratch = world.bits(world.boxes), world.bits([])
    pushes = np.empty((len(case["lines"]), 4 * len(world.boxes)), dtype=np.int64)
    for depth, expected in enumerate(case["lines"], start=1):
        player = world.number(world.player)
        assert count_lines(world.tables, boxes, player, depth, scratch, scratch.copy(), pushes) == expected
    assert world.squares(boxes) == world.boxes
