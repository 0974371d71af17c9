"""Dead windows of a level: what is found is what exhaustive search of its windows finds, and no solvable position."""

from itertools import product
from random import Random

import pytest

from sokoviz.core.deadlocks.window_sets import MOST_FLOOR, find_dead_window, no_windows, windows_of
from sokoviz.core.types import NOWHERE
from tests.twins import naive
from tests.worlds import random_worlds, world_of


def find(world, boxes, player, changed=None):
    """Whether boxes are dead in some window, and which."""
    rows = tuple(row.ljust(world.width) for row in world.text.split("\n"))
    out, number = world.bits([]), NOWHERE if changed is None else world.number(changed)
    numbers = world.bits(boxes), world.number(player)
    return find_dead_window(world.tables, *numbers, windows_of(rows), out, number), world.squares(out)


def is_dead_by_twin(world, boxes, player):
    """Whether a window has boxes that cannot be cleared; those on locking tiles do not count."""
    boxes = boxes & world.squares(world.tables.live)
    windows = naive.windows(world.tables.height, world.width, world.floor, world.goals)
    return any(naive.is_dead_in_window(window, boxes, player) for window in windows)


def random_position(random, world):
    """Boxes on squares that are no locking tiles as far as there are any, and the player."""
    live = sorted(world.squares(world.tables.live))
    boxes = set(random.sample(live, min(len(world.boxes), len(live))))
    return boxes, random.choice(sorted(world.floor - boxes))


@pytest.mark.parametrize("n_boxes", [2, 4])
def test_positions_are_dead_where_exhaustive_search_of_all_windows_says_so(n_boxes):
    random, n_dead = Random(1), 0
    for world in random_worlds(10, seed=n_boxes, height=6, width=7, n_boxes=n_boxes, wall_share=0.3):
        for boxes, player in (random_position(random, world) for _ in range(5)):
            found, culprits = find(world, boxes, player)
            assert found == is_dead_by_twin(world, boxes, player), (world.text, boxes, player)
            assert found == bool(culprits)
            assert culprits <= boxes
            n_dead += found
    assert 10 < n_dead < 45


def test_the_boxes_named_are_dead_by_themselves():
    random, n_dead = Random(2), 0
    for world in random_worlds(20, seed=4, width=8, n_boxes=4, wall_share=0.15):
        for boxes, player in (random_position(random, world) for _ in range(5)):
            found, culprits = find(world, boxes, player)
            if found:
                n_dead += 1
                assert naive.solve(world.floor, world.goals, culprits, player) is None
    assert n_dead > 20


@pytest.mark.parametrize("n_boxes", [2, 3, 4])
def test_no_solvable_position_is_called_dead(n_boxes):
    random, n_solvable = Random(7), 0
    for world in random_worlds(25, seed=40 + n_boxes, width=8, n_boxes=n_boxes, wall_share=0.15):
        solvable = naive.solvable_states(world.floor, world.goals, n_boxes)
        states = sorted(solvable, key=lambda state: (sorted(state[0]), state[1]))
        for boxes, player in random.sample(states, min(200, len(states))):
            n_solvable += 1
            assert find(world, boxes, player) == (False, set()), world.text
    assert n_solvable > 900


def test_after_a_push_only_the_box_pushed_has_to_be_looked_at():
    random, n_dead = Random(3), 0
    for world in random_worlds(30, seed=5, height=7, width=8, n_boxes=4, wall_share=0.15):
        for boxes, player in (random_position(random, world) for _ in range(20)):
            if find(world, boxes, player)[0]:
                continue
            for box, direction in naive.pushes(world.floor, boxes, player):
                after = naive.after_push(boxes, (box, direction))
                target = naive.beside(box, direction)
                if target in world.squares(world.tables.live):
                    assert find(world, *after)[0] == find(world, *after, changed=target)[0]
                    n_dead += find(world, *after)[0]
    assert n_dead > 20


def test_the_player_inside_gets_boxes_out_that_are_lost_from_outside():
    rows = ["#########", "#       #", "#  $$   #", "# $ $   #", "# $$   .#", "#@   ...#", "#    .. #", "#########"]
    world = world_of("\n".join(rows))
    assert find(world, world.boxes, (1, 1)) == (True, world.boxes)
    assert find(world, world.boxes, (3, 3)) == (False, set())


def test_a_wide_board_has_windows_at_both_ends_of_its_words():
    width = 130
    for column in (3, 62, 63, 64, 127):
        rows = ["#" * width, *["#" + " " * (width - 2) + "#"] * 6, "#" * width]
        rows[1] = "#@" + "." * 4 + rows[1][6:]
        world = world_of("\n".join(rows))
        boxes = set(product((3, 4), (column - 1, column)))
        assert find(world, boxes, (6, 1)) == (True, boxes)
        assert find(world, boxes - {(3, column)}, (6, 1)) == (False, set())


def test_a_level_that_is_too_large_gets_no_table():
    world = world_of("\n".join(["#" * 42, "#@$." + " " * 37 + "#", *["#" + " " * 40 + "#"] * 25, "#" * 42]))
    assert world.tables.n_floor > MOST_FLOOR
    boxes = {(5, 5), (5, 6), (6, 5), (6, 6)}
    assert find(world, boxes, (1, 1)) == (False, set())


def test_a_table_of_nothing_finds_nothing():
    world = world_of("#######\n#@$$  #\n# $$  #\n# ....#\n#######")
    out = world.bits([])
    assert not find_dead_window(world.tables, world.bits(world.boxes), 8, no_windows(world.tables), out, NOWHERE)
