"""Push and pull generation, making and undoing, against the twins."""

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from sokoviz.core.board import pushes as kernels
from tests.twins import naive
from tests.worlds import empty_numbers, world_of, worlds


def generated(world, generate, boxes, player):
    """What one of the two generators finds."""
    free, reached = world.reached(boxes, player)
    out = empty_numbers(4 * len(boxes))
    n = generate(world.tables, world.bits(boxes), reached, free, out)
    return world.pushes(out[:n])


@given(worlds())
def test_pushes_are_those_of_the_twin_each_once(world):
    found = generated(world, kernels.generate_pushes, world.boxes, world.player)
    assert sorted(found) == sorted(naive.pushes(world.floor, world.boxes, world.player))


@given(worlds())
def test_pulls_are_those_of_the_twin_each_once(world):
    found = generated(world, kernels.generate_pulls, world.boxes, world.player)
    assert sorted(found) == sorted(naive.pulls(world.floor, world.boxes, world.player))


def test_pushes_go_only_to_the_targets_allowed():
    world = world_of("######\n#@$ .#\n######")
    _, reached = world.reached(world.boxes, world.player)
    out = empty_numbers(4)
    assert kernels.generate_pushes(world.tables, world.bits(world.boxes), reached, world.bits([]), out) == 0


@given(worlds(), st.integers(0, 2**32))
def test_a_line_of_pushes_made_and_undone_leaves_all_as_it_was(world, seed):
    random, boxes, player, line = Random(seed), world.boxes, world.player, []
    bits = world.bits(boxes)
    for _ in range(12):
        found = sorted(naive.pushes(world.floor, boxes, player))
        if not found:
            break
        push = random.choice(found)
        number = 4 * world.number(push[0]) + "udlr".index(push[1])
        boxes, player = naive.after_push(boxes, push)
        assert divmod(kernels.make_push(world.tables, bits, number), world.width) == player
        assert world.squares(bits) == boxes
        line.append(number)
    for number in reversed(line):
        kernels.undo_push(world.tables, bits, number)
    assert world.squares(bits) == world.boxes


@given(worlds())
def test_after_a_pull_the_push_back_is_legal(world):
    for pull in sorted(naive.pulls(world.floor, world.boxes, world.player))[:5]:
        bits = world.bits(world.boxes)
        number = 4 * world.number(pull[0]) + "udlr".index(pull[1])
        kernels.make_push(world.tables, bits, number)
        player = divmod(int(kernels.player_after_pull(world.tables, number)), world.width)
        boxes, expected = naive.after_pull(world.boxes, pull)
        assert (world.squares(bits), player) == (boxes, expected)
        assert (naive.beside(*pull), naive.BACK[pull[1]]) in naive.pushes(world.floor, boxes, player)
