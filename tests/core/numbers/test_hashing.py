"""Keys of equivalence states."""

from random import Random

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from sokoviz.core.numbers.hashing import hash_after_push, hash_boxes, hash_state
from tests.twins import naive
from tests.worlds import random_worlds, worlds


def state_key(world, boxes, player):
    """The kernels' key of a state."""
    _, reached = world.reached(boxes, player)
    return int(hash_state(world.tables, world.bits(boxes), reached))


@given(worlds())
def test_key_is_the_same_from_every_square_of_the_component(world):
    squares = naive.reach(world.floor, world.boxes, world.player)
    assert len({state_key(world, world.boxes, square) for square in sorted(squares)[:20]}) == 1


def test_different_states_have_different_keys():
    (world,) = random_worlds(1, seed=5)
    random, states = Random(1), {}
    for _ in range(1500):
        *boxes, player = random.sample(sorted(world.floor), 4)
        states[naive.key(world.floor, set(boxes), player)] = state_key(world, set(boxes), player)
    assert len(set(states.values())) == len(states) > 500


@given(worlds(), st.integers(0, 2**32))
def test_key_of_the_boxes_is_carried_on_by_a_push(world, seed):
    found = sorted(naive.pushes(world.floor, world.boxes, world.player))
    if found:
        push = Random(seed).choice(found)
        boxes, _ = naive.after_push(world.boxes, push)
        number = 4 * world.number(push[0]) + "udlr".index(push[1])
        before = np.uint64(hash_boxes(world.tables, world.bits(world.boxes)))
        assert hash_after_push(world.tables, before, number) == hash_boxes(world.tables, world.bits(boxes))
