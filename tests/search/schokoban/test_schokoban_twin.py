"""The compiled search of Sokoban grows the trees of its naive twin, node by node, whatever its options."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sokoviz as sv
from tests.search.schokoban.schokobans import (
    IN_AND_OUT,
    IN_AND_OUT_OPTIONS,
    MARKS,
    assert_is_twin,
    engine_of,
    events_of,
    marks_of,
    options,
    pair,
    random_case,
    rooms,
    table_of,
)
from tests.twins import naive
from tests.twins.naive_schokoban import Room
from tests.worlds import random_text

pytestmark = pytest.mark.kernels

SCHOKOBAN = {"c": 8.0, "selection": "program", "repeats": "once"}
AS_WRITTEN = {"c": 2.0, "selection": "uct", "repeats": "once", "late": True, "remembered": False}
VANILLABAN = {"c": 8.0, "selection": "program", "repeats": "not on path", "stall": True}
PLAIN = {"c": 2.0, "selection": "uct", "repeats": "anywhere", "deadlocks": ("no push",), "distance": "push"}
PRESETS = {"Schokoban": SCHOKOBAN, "as written": AS_WRITTEN, "Vanillaban": VANILLABAN, "plain": PLAIN}

SEALED_GOAL = "########\n#@$ $.##\n#    ###\n#    #.#\n########"


def run_beside(engine, twin, n, after_solution=20):
    """Make iterations one by one and compare all that each does; stop soon after a solution. Return what happened."""
    seen, left = Counter[str](), n
    while left and not twin.root.is_eliminated:
        reason, made = engine.advance(1), twin.iterate()
        assert events_of(engine, engine.last) == made.events
        assert marks_of(engine, engine.last) == made.marks
        assert table_of(engine) == twin.table()
        assert reason == made.ended
        left = min(left - 1, after_solution) if twin.has_solution else left - 1
        seen.update([*made.marks, *(event[0] for event in made.events), made.ended or "goes on"])
        seen["no reward"] += all(event[0] != "passed" for event in made.events)
        seen["moved in and out"] += moves_in_and_out(made.events)
    assert_is_twin(engine, twin)
    return seen


def moves_in_and_out(events):
    """Whether a subtree moved to a leaf, and its top was eliminated there when the rest of it moved as well."""
    places = {(event[1], event[4]) for event in events if event[0] == "moved"}
    return any(event[0] == "removed" and event[1:3] in places for event in events)


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("number", range(1, 20))
def test_lessons(number, preset):
    engine, twin = pair(sv.load(f"lessons#{number}"), seed=number, **PRESETS[preset])
    assert run_beside(engine, twin, 200)["goes on"] > 0


@settings(max_examples=60)
@given(rooms(), options)
def test_random_rooms(text, chosen):
    engine, twin = pair(text, **chosen)
    run_beside(engine, twin, 150)


@settings(max_examples=40)
@given(rooms(), options, st.lists(st.integers(0, 90), min_size=1, max_size=4))
def test_portions(text, chosen, portions):
    """A run of many iterations at once ends where single ones end: at the solution, or with nothing left."""
    engine, twin = pair(text, **chosen)
    for n in portions:
        target = twin.n_made + n
        reason = engine.advance(n)
        while twin.n_made < target and not twin.root.is_eliminated and twin.iterate().ended != "solved":
            pass
        assert_is_twin(engine, twin)
        assert reason == (twin.made.ended if n else "")


@pytest.mark.parametrize("late", [False, True])
def test_dead_windows(late):
    """Not among the options of random rooms: the twin takes long to search all windows."""
    random, n_fewer = Random(4), 0
    for seed in range(4):
        text = random_text(random, 6, 7, 3, 0.2)
        engine, twin = pair(text, seed=seed, deadlocks=("locking tile", "window"), late=late)
        n_fewer += run_beside(engine, twin, 25)["deadlock"]
    assert n_fewer > 0


def test_all_that_can_happen_happens_in_the_sample():
    random, seen = Random(21), Counter[str]()
    for _ in range(60):
        text, chosen = random_case(random)
        engine, twin = pair(text, **chosen)
        seen += run_beside(engine, twin, 200)
    for kind in (*MARKS, "moved", "removed", "added", "passed", "solved", "unsolvable", "goes on", "no reward"):
        assert seen[kind] > 0, kind
    assert seen["moved"] > 40
    assert seen["unsolvable"] > 10


@pytest.mark.parametrize("remembered", [True, False])
def test_trees_in_which_subtrees_move_all_the_time(remembered):
    """A greedy search goes deep first, and finds the short ways later; most of these rooms have no solution."""
    random, seen = Random(1), Counter[str]()
    for seed in range(15):
        text = random_text(random, 8, 9, 3, 0)
        engine, twin = pair(text, c=0.5, seed=seed, deadlocks=(), remembered=remembered)
        seen += run_beside(engine, twin, 300)
    assert seen["moved"] > 100
    assert seen["removed"] > 100


def test_a_subtree_moves_in_and_its_top_is_eliminated_in_the_same_expansion():
    """Seldom: of a subtree that has just moved to a leaf, the rest moves up to the same leaf."""
    engine, twin = pair(IN_AND_OUT, **IN_AND_OUT_OPTIONS)
    assert run_beside(engine, twin, 60)["moved in and out"] == 1


# --- single rules ----------------------------------------------------------------------------------------------------


def test_an_unsolvable_level_ends_where_its_root_is_eliminated():
    engine = engine_of("#####\n#@$ #\n#  .#\n#####", deadlocks=("locking tile",))
    assert engine.advance(100) == "unsolvable"
    assert engine.last == 2
    assert engine.advance(100) == "unsolvable"
    assert engine.last == 2


def test_a_root_that_is_found_dead_late_ends_the_search_at_once():
    engine = engine_of("#####\n#$  #\n#@ .#\n#####", deadlocks=("locking tile",), late=True)
    assert engine.advance(1) == "unsolvable"
    assert engine.last == 1


def test_a_level_that_is_solved_is_solved_by_one_iteration():
    engine, twin = pair("#####\n#@* #\n#####")
    assert engine.advance(5) == "solved"
    assert (engine.last, engine.n_nodes) == (1, 1)
    assert engine.advance(5) == ""
    assert_is_twin(engine, twin.run(6))


@pytest.mark.parametrize("chosen", [{"distance": "push"}, {"deadlocks": ("bipartite",)}, {"deadlocks": ()}])
def test_more_boxes_than_goals_within_reach(chosen):
    """A goal is walled off: no matching. Under push distances the kernel once looked for one without end."""
    engine, twin = pair(SEALED_GOAL, **chosen)
    assert run_beside(engine, twin, 100)["unsolvable"] == 1


def test_a_leaf_that_stalls_is_selected_until_the_end():
    """The flaw of the published Vanillaban: c = 0 keeps to the best leaf, whose only successors are on the path."""
    chosen = {"repeats": "not on path", "deadlocks": ()}
    text = "#######\n#@$  .#\n### ###\n#    .#\n# $   #\n#######"
    for stall in (True, False):
        engine, twin = pair(text, stall=stall, **chosen)
        seen = run_beside(engine, twin, 100)
        assert (seen["no reward"] > seen["elimination"]) == stall


@settings(max_examples=15)
@given(rooms(max_side=6))
def test_the_distances_of_the_twin_are_those_of_one_box_after_the_other(text):
    room = Room(text)
    assert room.locking_tiles == naive.locking_tiles(room.floor, room.goals)
    for goal in room.goals:
        for square in room.floor:
            assert room.distance(square, goal) == naive.push_distance(room.floor, square, goal)
