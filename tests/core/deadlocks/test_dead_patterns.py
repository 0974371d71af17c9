"""Deadlock searches: what they call dead is dead by exhaustive search, and so is what a slow twin cannot take off."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sokoviz.core.board.box_moves import make_box_scratch
from sokoviz.core.deadlocks.dead_patterns import MOST_DEAD_BOXES, find_dead_boxes, make_dead_scratch
from tests.twins import naive
from tests.worlds import random_positions, random_text, random_worlds, wide_world, world_of

pytestmark = pytest.mark.kernels

ENOUGH = 3000  # positions, more than any search of a few boxes in a small level takes
SIZES = ((6, 7, 3, 0.2), (7, 8, 4, 0.2), (6, 9, 3, 0.3))
FROZEN = "##########\n#   #    #\n#  @$$ ..#\n#    #   #\n#  .   $ #\n#        #\n##########"
TUNNEL = "###############\n#     #########\n# .$  @ $ $ ..#\n#     #########\n###############"
FREE = "#######\n#@ $ .#\n#  $ .#\n#     #\n#######"
BESIDE = "########\n#      #\n# @$ . #\n#  $ . #\n#      #\n########"


def find(world, boxes, player, square, effort=ENOUGH):
    """What a search that begins with a box says: whether there are dead boxes, which it looked at, and what it took."""
    chosen = world.bits({square})
    scratch, ways = make_dead_scratch(world.tables, effort), make_box_scratch(world.tables)
    is_dead, used = find_dead_boxes(world.tables, scratch, ways, world.bits(boxes), world.number(player), chosen)
    return is_dead, world.squares(chosen), used


def can_all_leave(world, boxes, player):
    """The twin: whether boxes can all be taken off the board, each as soon as some push has brought it to a goal."""
    start = frozenset(boxes - world.goals), min(naive.reach(world.floor, boxes - world.goals, player))
    seen, waiting = {start}, [start]
    while waiting:
        left, man = waiting.pop()
        if not left:
            return True
        for push in naive.pushes(world.floor, left, man):
            boxes_then, man_then = naive.after_push(left, push)
            after = frozenset(boxes_then - world.goals)
            position = after, min(naive.reach(world.floor, after, man_then))
            if position not in seen:
                seen.add(position)
                waiting.append(position)
    return False


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32), st.sampled_from(SIZES), st.sampled_from([5, 20, ENOUGH]))
def test_what_is_called_dead_is_dead_by_exhaustive_search(seed, size, effort):
    world = world_of(random_text(Random(seed), *size))
    for boxes, player, square in random_positions(world, 4, seed):
        is_dead, looked_at, _ = find(world, boxes, player, square, effort)
        if is_dead:
            assert naive.solve(world.floor, world.goals, looked_at, player) is None, (world, looked_at)


def test_the_twin_cannot_take_off_what_is_dead_and_can_take_off_what_is_not():
    n_dead = n_alive = 0
    for world in [world for size in SIZES for world in random_worlds(10, 2, *size)]:
        for boxes, player, square in random_positions(world, 8, seed=3):
            is_dead, looked_at, used = find(world, boxes, player, square)
            if used:
                assert can_all_leave(world, looked_at, player) != is_dead, (world, looked_at)
                n_dead, n_alive = n_dead + is_dead, n_alive + (not is_dead)
    assert min(n_dead, n_alive) > 20


def test_boxes_looked_at_are_those_in_the_way_and_the_one_it_begins_with():
    sizes = set()
    for world in random_worlds(10, 3, 8, 9, n_boxes=8, wall_share=0.1):
        for boxes, player, square in random_positions(world, 5, seed=2):
            _, looked_at, _ = find(world, boxes, player, square, 100)
            assert square in looked_at <= boxes
            assert len(looked_at) <= MOST_DEAD_BOXES + 1
            sizes.add(len(looked_at))
    assert sizes >= {1, 2, 3, 4}


def test_two_boxes_that_hold_each_other_are_dead():
    world = world_of(FROZEN)
    assert find(world, world.boxes, world.player, (2, 4))[:2] == (True, {(2, 4), (2, 5)})


def test_two_boxes_in_a_tunnel_are_dead_though_both_can_be_pushed_or_walked_to():
    world = world_of(TUNNEL)
    assert find(world, world.boxes, world.player, (2, 10))[:2] == (True, {(2, 8), (2, 10)})


def test_a_box_that_can_be_pushed_to_a_goal_is_not_looked_at():
    world = world_of(FREE)
    assert find(world, world.boxes, world.player, (1, 3)) == (False, {(1, 3)}, 0)


def test_a_box_that_waits_for_another_is_looked_at_with_that_one():
    world = world_of(BESIDE)
    is_dead, looked_at, used = find(world, world.boxes, (1, 3), (2, 3))
    assert not is_dead
    assert looked_at <= world.boxes
    assert used <= 4


def test_too_little_effort_proves_nothing():
    world = world_of(TUNNEL)
    is_dead, _, used = find(world, world.boxes, world.player, (2, 10), effort=1)
    assert (is_dead, used) == (False, 1)


@pytest.mark.parametrize("effort", [1, 5, 20])
def test_no_more_is_looked_at_than_the_effort_allows(effort):
    most = 0
    for world in random_worlds(10, 6, 7, 8, n_boxes=5, wall_share=0.1):
        for position in random_positions(world, 5, seed=1):
            most = max(most, find(world, *position, effort)[2])
    assert 0 < most <= effort


def test_levels_wider_than_a_word_are_looked_at_too():
    for column in (62, 63, 64, 120):
        world = wide_world(column)
        assert find(world, world.boxes, world.player, (2, column))[:2] == (True, world.boxes)
