"""OptimizeSolution against its twin: shorter or equal, still valid, ending where it did."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sokoviz.core.board.box_moves import list_box_moves, make_box_scratch
from sokoviz.learn.optimizing import can_replay, make_replay, optimize
from tests.twins import naive, naive_curry
from tests.worlds import world_of, worlds

pytestmark = pytest.mark.kernels


def random_moves(world, random, n):
    """Legal moves one after the other."""
    boxes, player, moves = frozenset(world.boxes), world.player, []
    for _ in range(n):
        found = naive_curry.box_moves(world.floor, boxes, player)
        if not found:
            break
        move = random.choice(found)
        moves.append(move)
        boxes, player = boxes - {move[0]} | {move[1]}, move[2]
    return moves, boxes


def optimized(world, moves):
    """The moves as the kernel leaves them."""
    array = np.zeros((3, max(len(moves), 1)), dtype=np.int64)
    for step, move in enumerate(moves):
        array[:, step] = [world.number(square) for square in move]
    replay = make_replay(world.tables, max(len(moves), 1))
    n = optimize(world.tables, world.bits(world.boxes), world.number(world.player), array, len(moves), replay)
    return [tuple(divmod(int(square), world.width) for square in move) for move in array[:, :n].T]


@settings(max_examples=60)
@given(worlds(max_boxes=3, max_side=7), st.integers(0, 2**32), st.integers(0, 9))
def test_what_is_left_is_what_the_twin_leaves(world, seed, n):
    moves, end = random_moves(world, Random(seed), n)
    left = optimized(world, moves)
    assert len(left) <= len(moves)
    ends = [move[:2] for move in left]
    assert ends == naive_curry.optimize(world.floor, frozenset(world.boxes), world.player, [m[:2] for m in moves])
    boxes, player = frozenset(world.boxes), world.player
    for source, target, man in left:  # the player's squares belong together too
        sides = {
            min(naive.reach(world.floor, boxes - {source} | {target}, p))
            for s, t, p in naive_curry.moves_of(world.floor, boxes, player, source)
            if t == target
        }
        boxes, player = boxes - {source} | {target}, man
        assert min(naive.reach(world.floor, boxes, man)) in sides
    assert boxes == end


@settings(max_examples=40)
@given(worlds(max_boxes=3, max_side=6), st.integers(0, 2**32), st.integers(1, 6))
def test_moves_can_be_replayed_exactly_if_the_twin_can(world, seed, n):
    random = Random(seed)
    moves, _ = random_moves(world, random, n)
    random.shuffle(moves)
    ends = [move[:2] for move in moves]
    array = (
        np.array([[world.number(square) for square in move] for move in moves], dtype=np.int64).reshape(-1, 3).T.copy()
    )
    replay = make_replay(world.tables, n)
    played = can_replay(world.tables, world.bits(world.boxes), world.number(world.player), array, len(moves), replay)
    assert played == naive_curry.can_replay(world.floor, frozenset(world.boxes), world.player, ends)


@settings(max_examples=40)
@given(worlds(max_boxes=4, max_side=7))
def test_moves_of_all_boxes_are_those_of_the_twin_in_its_order(world):
    free, reached = world.reached(world.boxes, world.player)
    moves = np.zeros((3, len(world.boxes) * 4 * len(world.floor) + 1), dtype=np.int64)
    scratch = make_box_scratch(world.tables)
    where = (world.bits(world.boxes), free, reached, world.number(world.player))
    n = list_box_moves(world.tables, *where, scratch, moves, 1)
    found = [tuple(divmod(int(square), world.width) for square in move) for move in moves[:, 1:n].T]
    assert found == naive_curry.box_moves(world.floor, frozenset(world.boxes), world.player)


def test_a_detour_is_taken_out():
    world = world_of("########\n#@     #\n# $   .#\n#      #\n########")
    moves = [((2, 2), (2, 4), (2, 3)), ((2, 4), (3, 4), (2, 4)), ((3, 4), (2, 4), (3, 4)), ((2, 4), (2, 6), (2, 5))]
    moves = [move for move in moves if move[1] != (3, 4) and move[0] != (3, 4)]
    assert [move[:2] for move in optimized(world, moves)] == [((2, 2), (2, 6))]


def test_a_box_that_comes_back_need_not_go_at_all():
    world = world_of("########\n#@     #\n# $    #\n#   $  #\n#    . #\n#  .   #\n########")
    moves = [((2, 2), (2, 4), (2, 3)), ((2, 4), (2, 2), (2, 3)), ((3, 4), (3, 5), (3, 4))]
    assert [move[:2] for move in optimized(world, moves)] == [((3, 4), (3, 5))]
