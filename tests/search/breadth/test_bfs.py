"""Breadth-first search against its naive twin, step by step, and against an independent solver."""

from math import inf

import pytest

import sokoviz as sv
from sokoviz.errors import SearchError
from tests.twins import bfs, naive_breadth
from tests.worlds import random_worlds, wide_world, world_of

pytestmark = pytest.mark.kernels

OPEN = {"height": 8, "width": 9, "n_boxes": 2, "wall_share": 0.08}
WORLDS = [*random_worlds(25, seed=4), *random_worlds(80, seed=5, **OPEN), wide_world(66)]
FEWEST = 1000  # steps that are compared in all
ROOMY = "##########\n#        #\n# $ $  $ #\n#   $    #\n# $    $ #\n#    @   #\n#..... . #\n#        #\n##########"


def told_of(step):
    """What became of the successors of a step."""
    return [(tuple(each.move.source), tuple(each.move.target), each.became) for each in step.successors]


def compare(world, most, **options):
    """Search, and compare each step with the twin's; return how many there were."""
    search = sv.BFS(world.text, **options)
    search.run(nodes=most, progress=False)
    dead = world.floor - world.squares(world.tables.live) if options else frozenset()
    expected = list(naive_breadth.expand_all(world, most, dead))
    if search.engine.ending and not search.last:
        return 0  # the bound says that there is no solution: nothing is expanded
    assert search.last == len(expected)
    for number, (depth, successors) in enumerate(expected, start=1):
        step = search.explain(number)
        assert (step.layer, told_of(step)) == (depth, successors)
        assert search.record.counters_after(number).nodes == number
    return search.last


@pytest.mark.parametrize("options", [{}, {"deadlocks": ("locking tile",)}])
def test_every_step_is_that_of_the_twin(options):
    assert sum(compare(world, 120, **options) for world in WORLDS) >= FEWEST


def test_the_first_solution_takes_the_fewest_pushes():
    n_solved = n_unsolvable = 0
    for world in [*random_worlds(20, seed=6), *random_worlds(80, seed=6, **OPEN)]:
        search, expected = sv.BFS(world.text, journal=False), bfs.Maze(world.text).solve(100_000)
        result = search.run(progress=False)
        if expected is None:
            assert (result.is_unsolvable, result.lower_bound, result.solution) == (True, inf, None)
            n_unsolvable += 1
        else:
            assert result.solution is not None
            assert result.solution.pushes == len(expected) == result.lower_bound
            assert result.is_optimal
            n_solved += 1
    assert min(n_solved, n_unsolvable) >= 10


def test_the_bound_is_the_layer_and_never_more_than_the_fewest_pushes():
    for world in random_worlds(40, seed=8, **OPEN):
        expected = bfs.Maze(world.text).solve(100_000)
        search = sv.BFS(world.text)
        search.run(progress=False)
        for step in range(search.last + 1):
            search.goto(step)
            bound = search.lower_bound
            assert bound >= (search.explain().layer if step else 0)
            if expected is not None:
                assert bound <= len(expected)


def test_a_level_that_is_solved_takes_one_step_and_no_push():
    search = sv.BFS("#####\n#@* #\n#####")
    result = search.run(progress=False)
    assert (result.stopped_by, search.last, result.lower_bound) == ("solved", 1, 0)
    assert result.solution is not None
    assert result.solution.pushes == 0
    assert search.explain().sentence == "Step 1: layer 0, 0 successors. It is solved."


def test_arrays_that_grow_change_nothing(monkeypatch):
    from sokoviz.search.branches import record
    from sokoviz.search.breadth import engine

    level = sv.load("lessons#14")
    whole = sv.BFS(level)
    whole.run(nodes=3000, progress=False)
    monkeypatch.setattr(engine, "FIRST_CAPACITY", 16)
    monkeypatch.setattr(record, "FIRST_STEPS", 4)
    grown = sv.BFS(level)
    grown.run(nodes=3000, progress=False)
    assert list(grown.deeds()) == list(whole.deeds())


def test_full_memory_ends_a_run_and_keeps_what_it_has():
    search = sv.BFS(ROOMY, memory=1 << 20)
    result = search.run(nodes=10**6, progress=False)
    assert result.stopped_by == "memory"
    assert search.last > 100
    with pytest.raises(SearchError, match="bytes allowed are full"):
        search.step()
    assert search.explain().number == search.last


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"deadlocks": "locking tile"}, "expected names such as"),
        ({"deadlocks": ("window",)}, "expected a deadlock test out of 'locking tile'; found 'window'"),
        ({"memory": 10}, "expected bytes from"),
        ({"memory": "much"}, "expected bytes from"),
        ({"journal": 1}, "expected True or False as journal, found 1"),
    ],
)
def test_options_that_make_no_sense(options, message):
    with pytest.raises(SearchError, match=message):
        sv.BFS("#####\n#@$.#\n#####", **options)


def test_a_position_is_told_in_words():
    search = sv.BFS("#######\n#     #\n# $$@ #\n# . . #\n#######")
    step = search.step()
    assert step.sentence.startswith("Step 1: layer 0, ")
    assert search.run(until="layer", progress=False).layer == 1
    assert search.explain().line[0].n_pushes == 1
    assert repr(search.run(progress=False)).endswith(" s")
    assert "the fewest possible, and" in repr(search.result)


def test_the_seed_changes_nothing():
    world = world_of("#######\n#     #\n# $$@ #\n# . . #\n#######")
    one, other = (sv.BFS(world.text, seed=seed) for seed in (1, 2))
    for search in (one, other):
        search.run(progress=False)
    assert list(one.deeds()) == list(other.deeds())
