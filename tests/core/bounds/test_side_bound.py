"""The bound that is kept up from push to push, against scipy's assignment of each position anew."""

from random import Random

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment

from sokoviz.core.bounds.side_bound import bound_after, grow_bounds, make_bounds, place_by_zone, place_of
from sokoviz.core.types import FAR
from tests.search.ida.deepenings import HARD_WORLDS
from tests.twins import naive
from tests.twins.naive_ida import lone_distances
from tests.worlds import random_worlds, world_of

N_DEPTHS = 40
ONE_WAY = """\
#######
#@$ $.#
###.###
#######"""


def reference(world, boxes, player):
    """Sum of a cheapest assignment of boxes to goals; FAR where one of them gets a goal that it cannot reach."""
    found = [lone_distances(world.floor, box, player) for box in boxes]
    costs = np.array([[row.get(goal, FAR) for goal in sorted(world.goals)] for row in found])
    return min(FAR, int(costs[linear_sum_assignment(costs)].sum())) if len(boxes) else 0


def places_of(world, boxes):
    """Where boxes are, and the player beside them."""
    free, reached = world.bits([]), world.bits([])
    player = world.number(world.player)
    return [place_by_zone(world.tables, world.number(box), player, free, reached) for box in boxes]


def bounds_of(world, boxes, n_depths=N_DEPTHS):
    """Matchings of a level with some of its boxes, by number."""
    return make_bounds(world.tables.place_distance, np.array(places_of(world, boxes)), n_depths)


def walk(world, boxes, seed, n_pushes=N_DEPTHS - 2):
    """Push at random, but stay where there is no way on; yield depth, number and place of the box, boxes and player."""
    random, boxes, player, depth = Random(seed), list(boxes), world.player, 0
    for _ in range(n_pushes):
        found = sorted(naive.pushes(world.floor, set(boxes), player))
        if not found:
            return
        box, direction = random.choice(found)
        number, target = boxes.index(box), naive.beside(box, direction)
        after = [target if square == box else square for square in boxes]
        yield depth, number, place_of(world.tables, world.number(target), world.number(box)), after, box
        if reference(world, after, box) < FAR:
            boxes, player, depth = after, box, depth + 1


@pytest.mark.parametrize("n_missing", [0, 1, 2])
def test_the_bound_along_random_pushes_is_that_of_scipy(n_missing):
    n_compared = 0
    for seed, world in enumerate(HARD_WORLDS):
        boxes = sorted(world.boxes)[n_missing:]
        bounds, total = bounds_of(world, boxes)
        assert total == reference(world, boxes, world.player), world
        for depth, number, target, *after in walk(world, boxes, seed) if total < FAR else ():
            assert bound_after(bounds, depth, total, number, target, 0) == reference(world, *after), world
            if reference(world, *after) < FAR:
                total = bound_after(bounds, depth, total, number, target, 1)
            n_compared += 1
    assert n_compared > 100


def test_to_look_at_a_push_changes_no_position_of_the_line():
    world = random_worlds(1, seed=12, width=9, n_boxes=4, wall_share=0.0)[0]
    bounds, total = bounds_of(world, sorted(world.boxes))
    before = [array[0].copy() for array in bounds[1:5]]
    for number in range(4):
        for square in world.floor:
            bound_after(bounds, 0, total, number, 4 * world.number(square), 0)
    for old, new in zip(before, bounds[1:5], strict=True):
        np.testing.assert_array_equal(old, new[0])


def test_goals_and_prices_prove_the_matching_cheapest():
    world = random_worlds(1, seed=12, width=9, n_boxes=4, wall_share=0.0)[0]
    bounds, total = bounds_of(world, sorted(world.boxes))
    for depth, number, target, *after in walk(world, sorted(world.boxes), 5, 12):
        if reference(world, *after) >= FAR:
            continue
        total = bound_after(bounds, depth, total, number, target, 1)
        row = depth + 1
        reduced = bounds.distances[bounds.places[row]] - bounds.box_price[row][:, None] - bounds.goal_price[row]
        assert reduced.min() >= 0
        assert not reduced[np.arange(4), bounds.goal_of[row]].any()


def test_a_box_with_the_player_on_the_wrong_side_takes_the_pushes_to_turn_it():
    world = world_of("##########\n#   ######\n#    $@ .#\n#   ######\n##########")
    solution = naive.solve(world.floor, world.goals, world.boxes, world.player)
    assert bounds_of(world, world.boxes)[1] == 9 == len(solution)


def test_more_boxes_than_goals_have_no_bound():
    world = world_of(ONE_WAY)
    three = [*sorted(world.boxes), (1, 3)]
    assert bounds_of(world, three)[1] == FAR


def test_a_goal_that_nobody_reaches_leaves_no_way():
    world = world_of("#######\n#@$ $ #\n#.## .#\n#######")
    assert bounds_of(world, sorted(world.boxes))[1] == reference(world, sorted(world.boxes), world.player) == FAR


def test_more_depths_keep_the_matchings():
    world = random_worlds(1, seed=12, width=9, n_boxes=4, wall_share=0.0)[0]
    bounds, total = bounds_of(world, sorted(world.boxes), 2)
    for depth, number, target, *after in walk(world, sorted(world.boxes), 5, 6):
        bounds = grow_bounds(bounds, len(bounds.places) + 1)
        if reference(world, *after) >= FAR:
            continue
        total = bound_after(bounds, depth, total, number, target, 1)
        assert total == reference(world, *after)
