"""The player's component and walks against a plain flood over sets."""

from hypothesis import given

from sokoviz.core.board.reach import component_after_push, walk_distances
from tests.twins import naive
from tests.worlds import empty_numbers, world_of, worlds

SNAKE = "\n".join(
    ["#" * 22]
    + [
        ("#" + " " * 20 + "#") if row % 2 else ("##" + "#" * 18 + " #" if row % 4 else "# " + "#" * 20)
        for row in range(1, 18)
    ]
    + ["#@.$" + " " * 17 + "#", "#" * 22]
)


@given(worlds())
def test_component_is_that_of_the_twin(world):
    free, reached = world.reached(world.boxes, world.player)
    assert world.squares(free) == world.floor - world.boxes
    assert world.squares(reached) == naive.reach(world.floor, world.boxes, world.player)


def test_component_of_a_long_winding_corridor():
    world = world_of(SNAKE)
    _, reached = world.reached(set(), world.player)
    assert world.squares(reached) == world.floor
    assert len(world.floor) > 150


@given(worlds(max_side=7))
def test_walks_are_as_long_as_the_shortest_of_the_twin(world):
    free, _ = world.reached(world.boxes, world.player)
    n = world.tables.width * world.tables.height
    distance = empty_numbers(n)
    walk_distances(free, world.tables.steps, world.number(world.player), distance, empty_numbers(n))
    for square in sorted(world.floor)[:20]:
        expected = naive.walk_length(world.floor, world.boxes, world.player, square)
        assert distance[world.number(square)] == (-1 if expected is None else expected)


@given(worlds())
def test_component_after_a_push_is_that_of_the_twin(world):
    free, reached = world.reached(world.boxes, world.player)
    for push in naive.pushes(world.floor, world.boxes, world.player):
        number = 4 * world.number(push[0]) + "udlr".index(push[1])
        free_after, reached_after = world.bits([]), world.bits([])
        component_after_push(world.tables, free, reached, number, free_after, reached_after)
        boxes, player = naive.after_push(world.boxes, push)
        assert world.squares(free_after) == world.floor - boxes
        assert world.squares(reached_after) == naive.reach(world.floor, boxes, player)
