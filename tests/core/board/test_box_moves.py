"""Box moves against a search over sets."""

from hypothesis import given, settings

from sokoviz.core.board.box_moves import find_box_states, make_box_scratch
from tests.twins import naive
from tests.worlds import world_of, worlds


def states_of(world, box):
    """Pushes to each (square of the box, first square of the component), as the kernel finds them."""
    scratch = make_box_scratch(world.tables)
    free, reached = world.reached(world.boxes, world.player)
    n = find_box_states(world.tables, free, reached, world.number(world.player), world.number(box), scratch)
    depth, states = [0] * n, []
    for k in range(n):
        depth[k] = depth[scratch.parents[k]] + 1 if k else 0
        target, player = (divmod(int(array[k]), world.width) for array in (scratch.targets, scratch.players))
        _, component = world.reached(world.boxes - {box} | {target}, player)
        states.append((target, min(world.squares(component))))
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
