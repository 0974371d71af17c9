"""The search of one window against exhaustive search in Python, and the smallest dead patterns of windows of a size."""

from functools import cache
from itertools import product
from random import Random

import numpy as np
import pytest

from sokoviz.core.deadlocks.window_patterns import (
    FILE,
    WindowPatterns,
    images_of,
    make_patterns,
    read_patterns,
    write_patterns,
)
from sokoviz.core.deadlocks.windows import make_window, solve_window
from sokoviz.experiments.window_proofs import prove
from tests.twins import naive

OUTSIDE = (-1, -1)
SIZES = [(2, 5), (3, 3), (3, 4), (4, 4), (5, 4), (1, 6)]


def squares_in(size, bits):
    """The squares of a window that some bits stand for."""
    return {divmod(number, size[1]) for number in range(size[0] * size[1]) if int(bits) >> number & 1}


def bits_in(size, squares):
    """The bits that stand for some squares of a window."""
    return sum(1 << row * size[1] + column for row, column in squares)


def random_pattern(random, size, n_boxes, n_goals):
    """Walls, goals and boxes anywhere in a window."""
    everything = list(product(range(size[0]), range(size[1])))
    walls = {square for square in everything if random.random() < 0.3}
    free = sorted(set(everything) - walls)
    return walls, set(random.sample(free, min(n_goals, len(free)))), set(random.sample(free, min(n_boxes, len(free))))


def alive_from(window, size, walls, goals, boxes):
    """The squares from which the player brings boxes out according to the kernel, OUTSIDE among them or not."""
    everything = list(product(range(size[0]), range(size[1])))
    free = [square for square in everything if square not in walls]
    assert solve_window(window, bits_in(size, walls), bits_in(size, goals)) == len(free)
    alive = int(window.alive[sum(1 << free.index(box) for box in boxes)])
    marked = {square for square, place in zip(everything, window.places.tolist(), strict=True) if alive >> place & 1}
    return marked | ({OUTSIDE} if alive & window.ring else set())


def clears(size, walls, goals, boxes, player):
    """Whether exhaustive search clears a window."""
    return naive.clears_window(size, frozenset(walls), frozenset(goals), frozenset(boxes), player)


@cache
def patterns_of(size):
    """The patterns of windows of a size that is searched in no time."""
    return make_patterns(*size, lambda _done, _n: None)


def as_sets(patterns):
    """Each pattern of a table as walls, boxes and what is inside."""
    return [tuple(squares_in(patterns[:2], mask) for mask in masks) for masks in zip(*patterns[2:], strict=True)]


@pytest.mark.parametrize("n_goals", [0, 2])
@pytest.mark.parametrize("size", SIZES)
def test_a_window_is_alive_from_where_exhaustive_search_clears_it(size, n_goals):
    random, window = Random(1), make_window(*size)
    for n_boxes in range(1, 7):
        walls, goals, boxes = random_pattern(random, size, n_boxes, n_goals)
        free = {*product(range(size[0]), range(size[1])), OUTSIDE} - walls - boxes
        expected = {square for square in free if clears(size, walls, goals, boxes, square)}
        assert alive_from(window, size, walls, goals, boxes) == expected


def test_boxes_around_the_player_are_dead_only_from_outside():
    boxes = {(0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1)}
    assert alive_from(make_window(3, 3), (3, 3), set(), set(), boxes) == {(1, 1)}


@pytest.mark.parametrize("size", [(2, 2), (2, 3), (3, 3)])
def test_what_the_patterns_of_a_small_size_fit_is_all_that_is_dead(size):
    """In all windows that have the least number among their mirror images, from outside."""
    fitting = [pattern for image in images_of(patterns_of(size)) if image[:2] == size for pattern in as_sets(image)]
    everything = list(product(range(size[0]), range(size[1])))
    for cells in product("# $", repeat=len(everything)):
        rows = [cells[start : start + size[1]] for start in range(0, len(cells), size[1])]
        if rows > min(rows[::-1], [row[::-1] for row in rows], [row[::-1] for row in rows[::-1]]):
            continue
        walls, boxes = ({s for s, cell in zip(everything, cells, strict=True) if cell == kind} for kind in "#$")
        found = any(some <= walls and others <= boxes for some, others, _ in fitting)
        assert found != clears(size, walls, set(), boxes, OUTSIDE), rows


@pytest.mark.parametrize("size", [(3, 3), (2, 5), (3, 4)])
def test_every_pattern_of_a_small_size_is_dead_but_from_inside(size):
    for walls, boxes, inside in as_sets(patterns_of(size)):
        free = {*product(range(size[0]), range(size[1])), OUTSIDE} - walls - boxes
        assert inside == {square for square in free if clears(size, walls, set(), boxes, square)}


@pytest.mark.parametrize("size", [(3, 3), (3, 4)])
def test_no_pattern_is_dead_with_a_box_or_a_wall_less(size):
    for walls, boxes, inside in as_sets(patterns_of(size)):
        starts = {*product(range(size[0]), range(size[1])), OUTSIDE} - walls - boxes - inside
        for square in walls | boxes:
            less = walls - {square}, set(), boxes - {square}
            assert any(clears(size, *less, start) for start in starts)


def test_the_shipped_patterns_are_those_that_the_kernels_find():
    shipped = read_patterns(FILE)
    assert [(patterns[:2], len(patterns.walls)) for patterns in shipped] == [((4, 4), 1261), ((4, 5), 41060)]
    for mine, yours in zip(patterns_of((4, 4))[2:], shipped[0][2:], strict=True):
        np.testing.assert_array_equal(mine, yours)


def test_shipped_patterns_are_dead_by_exhaustive_search():
    """A sample; `sokoviz tables check` proves all of them."""
    for patterns in read_patterns(FILE):
        for walls, boxes, _ in Random(2).sample([some for some in as_sets(patterns) if len(some[1]) < 6], 15):
            assert not clears(patterns[:2], walls, set(), boxes, OUTSIDE)


def test_all_patterns_together_are_proven_dead():
    assert all(prove(patterns_of((3, 4))))


def test_a_pattern_that_is_alive_is_not_proven():
    patterns = patterns_of((3, 3))
    for index in range(len(patterns.walls)):
        wrong = patterns.boxes.copy()
        wrong[index] &= wrong[index] - np.uint32(1)  # a box less
        assert not all(prove(WindowPatterns(3, 3, patterns.walls, wrong, patterns.inside)))


def test_a_file_holds_what_was_written(tmp_path):
    write_patterns(tmp_path / "some.npz", [patterns_of((3, 3)), patterns_of((2, 5))])
    for mine, yours in zip(
        read_patterns(tmp_path / "some.npz"), [patterns_of((3, 3)), patterns_of((2, 5))], strict=True
    ):
        assert as_sets(mine) == as_sets(yours)
