"""Pattern searches: dead sets are dead, penalties are what exhaustive search finds, and how both are looked up."""

from itertools import permutations
from random import Random
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sokoviz.core.board.box_moves import make_box_scratch
from sokoviz.core.deadlocks.patterns import (
    FREE_TRIES,
    MOST_BOXES,
    N_PATTERNS,
    N_SEARCHED,
    SELDOM,
    find_penalty,
    learn_pattern,
    make_patterns,
)
from sokoviz.core.types import FAR
from tests.twins import naive
from tests.twins.naive_ida import lone_distances
from tests.worlds import random_positions, random_text, random_worlds, wide_world, world_of

pytestmark = pytest.mark.kernels

ENOUGH = 5000  # positions, more than any search of a few boxes in a small level takes
SIZES = ((6, 7, 3, 0.2), (7, 8, 4, 0.2), (6, 9, 3, 0.3))
FROZEN = "##########\n#   #    #\n#  @$$ ..#\n#    #   #\n#  .   $ #\n#        #\n##########"
TUNNEL = "###############\n#     #########\n# .$  @ $ $ ..#\n#     #########\n###############"
FOUR_PUSHES = "######\n#  #.#\n# $  #\n#  $.#\n# @  #\n######"
WRONG_SIDE = "##########\n#   ######\n#    $@ .#\n#   ######\n##########"


class Pattern(NamedTuple):
    """One of a store, as sets of squares."""

    boxes: set[tuple[int, int]]
    zone: set[tuple[int, int]]
    penalty: int

    @property
    def is_dead(self):
        """Whether its boxes can never all come to goals."""
        return self.penalty >= FAR


def patterns_in(store, world):
    """All patterns of a store in the order in which they were found."""
    rows = range(store.sizes[N_PATTERNS])
    return [
        Pattern(world.squares(store.masks[n]), world.squares(store.zones[n]), int(store.penalties[n])) for n in rows
    ]


def learn(world, store, boxes, player, square, key=1):
    """Search the pattern around a box."""
    numbers = world.number(player), world.number(square)
    return learn_pattern(
        world.tables, store, make_box_scratch(world.tables), world.bits(boxes), *numbers, np.uint64(key)
    )


def look_up(world, store, boxes, player, adds_all=0):
    """What is known of a position."""
    return find_penalty(store, world.bits(boxes), world.number(player), adds_all)


def learned(world, n, seed, effort=ENOUGH):
    """A store after the patterns of some positions were searched."""
    store = make_patterns(world.tables, effort)
    for key, position in enumerate(random_positions(world, n, seed), start=1):
        learn(world, store, *position, key)
    return store


def true_penalty(world, pattern):
    """Pushes that the boxes of a pattern take more than a matching says; None where they are dead."""
    line = naive.solve(world.floor, world.goals, pattern.boxes, min(pattern.zone))
    if line is None:
        return None
    boxes, goals = sorted(pattern.boxes), sorted(world.goals)
    found = {box: lone_distances(world.floor, box, min(pattern.zone)) for box in boxes}
    costs = {(box, goal): found[box].get(goal, FAR) for box in boxes for goal in goals}
    orders = permutations(goals, len(boxes))
    return len(line) - min(sum(costs[pair] for pair in zip(boxes, order, strict=True)) for order in orders)


@pytest.fixture(scope="module")
def stores():
    """Levels, and what was learned in them."""
    worlds = [world for size in SIZES for world in random_worlds(6, 1, *size)]
    return [(world, patterns_in(learned(world, 15, seed=1), world)) for world in worlds]


# --- what is learned is true ---------------------------------------------------------------------------------------


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 2**32), st.sampled_from(SIZES), st.sampled_from([20, 100, ENOUGH]))
def test_dead_patterns_are_dead_by_exhaustive_search(seed, size, effort):
    world = world_of(random_text(Random(seed), *size))
    for pattern in patterns_in(learned(world, 4, seed, effort), world):
        if pattern.is_dead:
            assert naive.solve(world.floor, world.goals, pattern.boxes, min(pattern.zone)) is None, (world, pattern)


def test_patterns_of_every_kind_are_found(stores):
    found = [pattern for _, some in stores for pattern in some]
    assert {len(pattern.boxes) for pattern in found if pattern.is_dead} >= {1, 2, 3, 4}
    assert {len(pattern.boxes) for pattern in found if not pattern.is_dead} >= {2, 3}


def test_penalties_are_those_of_exhaustive_search(stores):
    for world, some in stores:
        for pattern in some:
            true = true_penalty(world, pattern)
            assert pattern.is_dead == (true is None), (world, pattern)
            assert pattern.is_dead or pattern.penalty == true > 0, (world, pattern)


def test_a_position_that_is_found_again_by_fewer_pushes_is_searched_by_these():
    world = world_of(FOUR_PUSHES)
    store = make_patterns(world.tables, ENOUGH)
    learn(world, store, world.boxes, world.player, (2, 2))
    assert len(naive.solve(world.floor, world.goals, world.boxes, world.player)) == 4
    assert look_up(world, store, world.boxes, world.player) == 0


def test_a_zone_is_where_the_player_can_go_among_the_boxes_of_the_pattern(stores):
    for world, some in stores:
        for pattern in some:
            assert pattern.zone == naive.reach(world.floor, pattern.boxes, min(pattern.zone))


def test_a_pattern_is_of_a_few_boxes_of_its_position_with_the_box_pushed_last():
    n_found = 0
    for world in random_worlds(10, 3, 8, 9, n_boxes=8, wall_share=0.1):
        for boxes, player, square in random_positions(world, 5, seed=2):
            store = make_patterns(world.tables, 500)
            learn(world, store, boxes, player, square)
            for pattern in patterns_in(store, world):
                assert square in pattern.boxes <= boxes
                assert len(pattern.boxes) <= MOST_BOXES
                assert player in pattern.zone
                n_found += 1
    assert n_found > 20


# --- sets that are known -------------------------------------------------------------------------------------------


def test_two_boxes_that_hold_each_other_are_found_without_the_third():
    world = world_of(FROZEN)
    store = make_patterns(world.tables, ENOUGH)
    learn(world, store, world.boxes, world.player, (2, 4))
    assert [(each.boxes, each.is_dead) for each in patterns_in(store, world)] == [({(2, 4), (2, 5)}, True)]
    assert look_up(world, store, world.boxes, world.player) == FAR


def test_two_boxes_in_a_tunnel_are_dead_though_both_can_be_pushed_or_walked_to():
    world = world_of(TUNNEL)
    store = make_patterns(world.tables, ENOUGH)
    learn(world, store, world.boxes, world.player, (2, 10))
    assert [(each.boxes, each.is_dead) for each in patterns_in(store, world)] == [({(2, 8), (2, 10)}, True)]


def test_nothing_is_learned_of_a_box_with_the_player_on_the_wrong_side_because_the_bound_knows_that():
    world = world_of(WRONG_SIDE)
    store = make_patterns(world.tables, ENOUGH)
    assert learn(world, store, world.boxes, world.player, (2, 5)) > 0
    assert patterns_in(store, world) == []


def test_too_little_effort_proves_nothing():
    world = world_of(TUNNEL)
    store = make_patterns(world.tables, 2)
    learn(world, store, world.boxes, world.player, (2, 10))
    assert patterns_in(store, world) == []


# --- how often it is searched --------------------------------------------------------------------------------------


def count_searches(world, square, n_asked):
    """How many of so many positions are searched, all with the same boxes and told apart by their keys."""
    store = make_patterns(world.tables, ENOUGH)
    return sum(learn(world, store, world.boxes, world.player, square, key) > 0 for key in range(1, n_asked + 1))


def test_searches_that_find_nothing_become_rare():
    n = 40 * SELDOM
    assert count_searches(world_of(WRONG_SIDE), (2, 5), FREE_TRIES) == FREE_TRIES
    assert count_searches(world_of(WRONG_SIDE), (2, 5), n) == FREE_TRIES + n // SELDOM


def test_searches_that_find_something_are_made_each_time():
    n = FREE_TRIES + 40 * SELDOM
    assert count_searches(world_of(TUNNEL), (2, 10), n) == n


# --- looking up ----------------------------------------------------------------------------------------------------


def naive_penalty(patterns, boxes, player, *, adds_all):
    """The largest penalties first, by the first of their boxes; none of a set that shares a box with one before."""
    total, taken = 0, set()
    fitting = [each for each in patterns if each.boxes <= boxes and player in each.zone]
    for pattern in sorted(fitting, key=lambda each: (min(each.boxes), -each.penalty)):
        if pattern.is_dead:
            return FAR
        if adds_all or not taken & pattern.boxes:
            total, taken = total + pattern.penalty, taken | pattern.boxes
    return total


@pytest.mark.parametrize("adds_all", [False, True])
def test_a_position_has_the_penalties_of_the_sets_in_it(adds_all):
    seen = set()
    for world in random_worlds(12, 5, 7, 8, n_boxes=4, wall_share=0.1):
        store = learned(world, 60, seed=4)
        patterns = patterns_in(store, world)
        for boxes, player, _ in random_positions(world, 100, seed=4):
            penalty = look_up(world, store, boxes, player, adds_all)
            assert penalty == naive_penalty(patterns, boxes, player, adds_all=adds_all)
            seen.add(penalty)
    assert seen > {0, 2, 4, FAR}


def test_sets_that_share_a_box_are_added_only_where_all_are_wanted():
    world = world_of("#######\n#@    #\n# $$$ #\n# ... #\n#######")
    store = make_patterns(world.tables, 1)
    store = store._replace(sizes=np.array([2, 0, 0]))
    for n, boxes in enumerate([{(2, 2), (2, 3)}, {(2, 3), (2, 4)}]):
        store.masks[n], store.zones[n], store.penalties[n] = world.bits(boxes), world.bits(world.floor), 2
        store.heads[world.number(min(boxes))] = n
    assert look_up(world, store, world.boxes, world.player) == 2
    assert look_up(world, store, world.boxes, world.player, adds_all=1) == 4


# --- effort and room -----------------------------------------------------------------------------------------------


def test_a_position_is_searched_once():
    world = world_of(FROZEN)
    store = make_patterns(world.tables, ENOUGH)
    n = learn(world, store, world.boxes, world.player, (2, 4), key=7)
    assert n == store.sizes[N_SEARCHED] > 0
    assert learn(world, store, world.boxes, world.player, (2, 4), key=7) == 0
    assert len(patterns_in(store, world)) == 1


@pytest.mark.parametrize("effort", [1, 10, 50])
def test_no_more_is_searched_than_the_effort_allows(effort):
    most = 0
    for world in random_worlds(10, 6, 7, 8, n_boxes=4, wall_share=0.1):
        for position in random_positions(world, 5, seed=1):
            most = max(most, learn(world, make_patterns(world.tables, effort), *position))
    assert 0 < most <= effort


def test_a_full_store_keeps_what_it_has():
    world = world_of(FROZEN)
    store = make_patterns(world.tables, ENOUGH)
    store = store._replace(masks=store.masks[:1], zones=store.zones[:1], penalties=store.penalties[:1])
    for key in (1, 2):
        learn(world, store, world.boxes, world.player, (2, 4), key)
    assert len(patterns_in(store, world)) == 1
    assert look_up(world, store, world.boxes, world.player) == FAR


def test_patterns_of_wide_levels_lie_across_words():
    for column in (62, 63, 64, 120):
        world = wide_world(column)
        store = make_patterns(world.tables, ENOUGH)
        learn(world, store, world.boxes, world.player, (2, column))
        assert (world.boxes, True) in [(each.boxes, each.is_dead) for each in patterns_in(store, world)]
