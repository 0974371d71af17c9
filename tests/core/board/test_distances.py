"""Push distances, sides and locking tiles against a search that pushes forwards."""

from math import inf

import pytest
from hypothesis import given, settings

from sokoviz.core.types import FAR
from tests.twins import naive
from tests.worlds import random_worlds, world_of, worlds


@pytest.mark.parametrize("world", random_worlds(12, seed=3), ids=range(12))
def test_push_distances_are_those_of_the_twin(world):
    for k, goal in enumerate(sorted(world.goals)):
        for square in world.floor:
            expected = naive.push_distance(world.floor, square, goal)
            found = world.tables.push_distance[k, world.number(square)]
            assert found == (FAR if expected == inf else expected)


@pytest.mark.parametrize("world", random_worlds(12, seed=4), ids=range(12))
def test_live_squares_are_all_but_the_locking_tiles(world):
    dead = naive.locking_tiles(world.floor, world.goals)
    assert world.squares(world.tables.live) == world.floor - dead


@settings(max_examples=30)
@given(worlds(max_side=6))
def test_sides_of_a_box_are_the_zones_that_it_parts(world):
    for square in sorted(world.floor)[:15]:
        for first in "udlr":
            near = naive.beside(square, first)
            label = world.tables.sides[world.number(square), "udlr".index(first)]
            if near not in world.floor:
                assert label == -1
                continue
            zone = naive.reach(world.floor, {square}, near)
            assert label == min(i for i, d in enumerate("udlr") if naive.beside(square, d) in zone)


def test_a_tile_can_be_locking_although_no_corner_holds_it():
    world = world_of("#######\n#@    #\n# $  .#\n#     #\n#######")
    assert (2, 1) not in world.squares(world.tables.live)
    assert (2, 2) in world.squares(world.tables.live)
