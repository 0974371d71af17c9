"""The tables of a level against plain set arithmetic."""

import pytest
from hypothesis import given

from tests.twins import naive
from tests.worlds import random_worlds, world_of, worlds


@given(worlds())
def test_floor_and_goals_are_what_the_player_can_get_near(world):
    assert world.squares(world.tables.floor) == world.floor
    assert world.squares(world.tables.goals) == world.goals
    assert world.tables.n_floor == len(world.floor)


@given(worlds())
def test_sweep_lines_are_the_outermost_floor_squares(world):
    assert [world.squares(line) for line in world.tables.sweep_lines] == naive.sweep_lines(world.floor)


@given(worlds())
def test_wall_runs_are_those_of_the_twin(world):
    runs = [frozenset(world.squares(run)) for run in world.tables.wall_runs]
    assert len(runs) == len(set(runs))
    assert set(runs) == naive.wall_runs(world.floor)


@pytest.mark.parametrize("world", random_worlds(8, seed=6), ids=range(8))
def test_squares_are_stuck_between_walls_or_two_locking_tiles(world):
    dead = naive.locking_tiles(world.floor, world.goals)
    for axis, (one, other) in enumerate((("u", "d"), ("l", "r"))):
        ends = {s: (naive.beside(s, one), naive.beside(s, other)) for s in world.floor}
        held = {s for s, (a, b) in ends.items() if not {a, b} <= world.floor or {a, b} <= dead}
        assert world.squares(world.tables.stuck[axis]) == held


def test_walled_off_boxes_and_goals_are_no_part_of_the_game():
    world = world_of("########\n#@$.#*.#\n########")
    assert world.squares(world.tables.goals) == {(1, 3)}
    assert world.tables.n_floor == 3
