"""Box moves against a search over sets."""

from hypothesis import given, settings

from sokoviz.core.boxmoves import generate_box_moves
from tests import naive
from tests.worlds import empty_numbers, world_of, worlds


def states_of(world, box):
    """Pushes to each (square of the box, first square of the component), as the kernel finds them."""
    arrays = [empty_numbers(4 * len(world.floor) + 1) for _ in range(4)]
    n = generate_box_moves(
        world.tables, world.bits(world.boxes), world.number(world.player), world.number(box), *arrays
    )
    targets, players, parents, _ = (array[:n] for array in arrays)
    depth = [0] * n
    for k in range(1, n):
        depth[k] = depth[parents[k]] + 1
    states = [(divmod(int(t), world.width), divmod(int(p), world.width)) for t, p in zip(targets, players, strict=True)]
    assert len(set(states)) == n
    return dict(zip(states, depth, strict=True))


@settings(max_examples=60)
@given(worlds(max_side=7))
def test_states_and_fewest_pushes_are_those_of_the_twin(world):
    for box in world.boxes:
        assert states_of(world, box) == naive.box_moves(world.floor, world.boxes, world.player, box)


def test_one_square_can_end_in_two_components():
    # A box in the upper corridor parts the floor, and it can come there from either side: (source, target) alone does
    # not fix the next state.
    world = world_of("#########\n#@      #\n# $ #   #\n#   #   #\n##### ###\n#   .   #\n#########")
    (box,) = world.boxes
    components = {player for square, player in states_of(world, box) if square == (1, 4)}
    assert components == {(1, 1), (1, 5)}
