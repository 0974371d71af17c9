"""Pushes into closed areas first: what is kept is what the twin keeps, and no shortest solution is lost."""

from random import Random

import numpy as np
import pytest
from hypothesis import given

from sokoviz.core.board.pushes import generate_pushes
from sokoviz.core.deadlocks.corrals import count_areas, make_corral_scratch
from sokoviz.core.deadlocks.pi_corrals import N_BOARDS, keep_inward_pushes
from tests.twins import naive
from tests.worlds import empty_numbers, random_worlds, world_of, worlds

OPEN_FIRST = """\
#########
#   #   #
#@  $  .#
#   #####
# $   . #
#########"""


def kept(world, boxes, player):
    """The pushes that the kernel keeps, in order, and all pushes."""
    free, reached = world.reached(boxes, player)
    pushes, boards = empty_numbers(4 * len(boxes)), np.zeros((N_BOARDS, len(free)), dtype=np.uint64)
    n = generate_pushes(world.tables, world.bits(boxes), reached, free, pushes)
    before = pushes[:n].copy()
    n_kept = keep_inward_pushes(world.tables, world.bits(boxes), free, reached, pushes, n, boards)
    return world.pushes(pushes[:n_kept]), world.pushes(before)


def kept_by_twin(world, boxes, player):
    """The pushes that the twin keeps; its locking tiles are tested elsewhere, and take long to find."""
    dead = world.floor - world.squares(world.tables.live)
    return naive.inward_pushes(world.floor, world.goals, set(boxes), player, dead)


@given(worlds(max_boxes=6))
def test_the_twin_keeps_the_same(world):
    mine, before = kept(world, world.boxes, world.player)
    assert set(mine) == kept_by_twin(world, world.boxes, world.player)
    assert mine == [push for push in before if push in mine]


@pytest.mark.parametrize(("n_boxes", "n_left_out"), [(3, 100), (4, 200)])
@pytest.mark.parametrize("n_more_goals", [0, 1])
def test_a_shortest_solution_begins_with_a_push_that_is_kept(n_boxes, n_left_out, n_more_goals):
    """In each solvable position, by exhaustive search: so none is lost, and none gets longer."""
    random, n_fewer = Random(3), 0
    for world in random_worlds(25, seed=n_boxes, width=8 if n_boxes < 4 else 7, n_boxes=n_boxes, wall_share=0.2):
        needed = naive.pushes_needed(world.floor, world.goals, n_boxes - n_more_goals)
        states = sorted((state for state in needed if needed[state]), key=lambda state: (sorted(state[0]), state[1]))
        for boxes, player in random.sample(states, min(200, len(states))):
            mine, before = kept(world, boxes, player)
            after = [naive.key(world.floor, *naive.after_push(boxes, push)) for push in mine]
            assert min(needed[state] for state in after if state in needed) == needed[boxes, player] - 1, world
            assert set(mine) == kept_by_twin(world, boxes, player)
            n_fewer += len(mine) < len(before)
    assert n_fewer > n_left_out / (1 + 9 * n_more_goals)


def test_a_door_is_opened_first():
    world = world_of(OPEN_FIRST)
    mine, before = kept(world, world.boxes, world.player)
    assert mine == [((2, 4), "r")]
    assert ((4, 2), "r") in before


@given(worlds(max_boxes=6))
def test_closed_areas_are_counted(world):
    free, reached = world.reached(world.boxes, world.player)
    unseen, n = world.floor - world.boxes - naive.reach(world.floor, world.boxes, world.player), 0
    while unseen:
        unseen -= naive.reach(world.floor, world.boxes, min(unseen))
        n += 1
    assert count_areas(world.tables, free, reached, make_corral_scratch(len(free), 1, 1)) == n
