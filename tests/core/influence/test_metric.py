"""The influence metric against its twin, and against the table of XSokoban 1."""

import json

import numpy as np
import pytest

from sokoviz.core.influence.metric import (
    AFTER_SKEW,
    AFTER_TUNNEL,
    by_squares,
    explain_pair,
    influence_of,
    maze_of,
    on_optimal_paths,
)
from sokoviz.core.types import FAR
from sokoviz.levels import load
from tests.twins import naive_influence as naive
from tests.worlds import random_worlds, world_of

WORLDS = [*random_worlds(10, seed=61), *random_worlds(4, seed=62, height=7, width=9, wall_share=0.4)]
each_world = pytest.mark.parametrize("world", WORLDS, ids=range(len(WORLDS)))


def rows_of(world):
    return tuple(row.ljust(world.width) for row in world.text.split("\n"))


def squares_of(world):
    return [divmod(int(square), world.width) for square in maze_of(rows_of(world)).squares]


@each_world
def test_dead_squares_are_those_of_the_twin(world):
    is_dead = maze_of(rows_of(world)).is_dead
    found = {square for square, dead in zip(squares_of(world), is_dead, strict=True) if dead}
    assert found == naive.dead_squares(world.floor, world.goals)


@each_world
def test_alternatives_are_those_of_the_twin(world):
    points = maze_of(rows_of(world)).points
    dead = naive.dead_squares(world.floor, world.goals)
    for place, square in enumerate(squares_of(world)):
        expected = [naive.alternatives(world.floor, dead, square, entrance) for entrance in [*"durl", None]]
        is_entered = [entrance is None or naive.beside(square, entrance) in world.floor for entrance in [*"durl", None]]
        assert [p for p, e in zip(points[place], is_entered, strict=True) if e] == [
            p for p, e in zip(expected, is_entered, strict=True) if e
        ]


@each_world
def test_the_whole_table_is_that_of_the_twin(world):
    squares, distances = squares_of(world), naive.all_distances(world.floor)
    found = influence_of(rows_of(world))
    for start, square in enumerate(squares):
        expected = naive.influences(world.floor, world.goals, distances, square)
        assert found[start].tolist() == [expected[target] for target in squares]


@each_world
def test_optimal_paths_are_those_of_the_twin(world):
    squares, distances = squares_of(world), naive.all_distances(world.floor)
    found = on_optimal_paths(maze_of(rows_of(world)))
    for start, square in enumerate(squares):
        expected = [naive.is_on_optimal_path(distances, world.goals, square, via) for via in squares]
        assert found[start].tolist() == expected


@each_world
def test_a_breakdown_is_of_a_path_and_adds_up_to_the_influence(world):
    maze, table, squares = maze_of(rows_of(world)), influence_of(rows_of(world)), squares_of(world)
    distances, rows = naive.all_distances(world.floor), np.empty((len(squares), 5), dtype=np.int32)
    for start, target in [(0, len(squares) - 1), (len(squares) - 1, 0), (len(squares) // 2, 0), (0, 0)]:
        found = rows[: explain_pair(maze, start, target, rows)]
        path = [squares[place] for place in found[:, 0]]
        assert path[0] == squares[start]
        assert path[-1] == squares[target]
        assert [tuple(row) for row in found[:, 1:].tolist()] == naive.breakdown(
            world.floor, world.goals, distances, path
        )
        assert found[:, [AFTER_SKEW, AFTER_TUNNEL]].sum() == table[start, target]


def test_a_table_by_squares_knows_only_floor():
    world = WORLDS[0]
    spread = by_squares(influence_of(rows_of(world)), rows_of(world))
    is_floor = np.zeros(len(spread), dtype=bool)
    is_floor[maze_of(rows_of(world)).squares] = True
    assert ((spread < FAR) == np.outer(is_floor, is_floor)).all()
    assert (spread[np.ix_(is_floor, is_floor)] == influence_of(rows_of(world))).all()


def test_the_length_of_a_tunnel_does_not_matter():
    short, long = (f"{'#' * (n + 8)}\n#@ {' ' * n}  .#\n#  #{'#' * (n - 2)}# $ #\n{'#' * (n + 8)}" for n in (3, 9))
    ends = [influence_of(rows_of(world_of(text)))[0, -1] for text in (short, long)]
    assert ends[0] == ends[1]


@pytest.fixture(scope="module")
def oracle(checkout):
    path = checkout.parent / "shared" / "oracles" / "influence_xsokoban1.json"
    if not path.is_file():
        pytest.skip(f"no published table in {path}")
    return json.loads(path.read_text(encoding="utf-8"))


@pytest.fixture
def first_level(shared_levels, monkeypatch):
    monkeypatch.setenv("SOKOVIZ_LEVELS", str(shared_levels))
    return load("xsokoban#1")


def test_the_table_of_xsokoban_1_is_reproduced_exactly(oracle, first_level):
    width = len(first_level.rows[0])
    squares = [list(divmod(int(square), width)) for square in maze_of(first_level.rows).squares]
    assert squares == oracle["squares"]
    assert influence_of(first_level.rows).tolist() == oracle["table"]


@pytest.mark.parametrize("pair", ["[C,A]", "[A,C]"])
def test_the_worked_example_is_reproduced_exactly(oracle, first_level, pair):
    rows = np.empty((len(oracle["squares"]), 5), dtype=np.int32)
    start, target = (oracle["squares"].index(oracle["labelled"][name]) for name in (pair[1], pair[3]))
    found = rows[: explain_pair(maze_of(first_level.rows), start, target, rows)].tolist()
    columns = ("alternatives", "after_skew", "connection", "after_tunnel")
    expected = [[row[column] or 0 for column in columns] for row in oracle["worked_example"][pair]]
    assert [row[1:] for row in found] == expected
    assert [oracle["squares"][row[0]] for row in found] == [row["square"] for row in oracle["worked_example"][pair]]
