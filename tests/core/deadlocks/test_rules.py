"""Deadlock rules against their twins, and all of them against exhaustive search."""

from itertools import combinations
from math import comb
from random import Random

import numpy as np
import pytest

from sokoviz.core.deadlocks import rules as kernels
from sokoviz.core.deadlocks.corrals import (
    DEAD,
    SOLVABLE,
    UNDECIDED,
    find_corral_deadlock,
    make_corral_scratch,
    search_boxes,
)
from sokoviz.core.deadlocks.triples import MOST_SETS, find_dead_triple, triples_of
from sokoviz.core.types import NOWHERE
from tests.twins import naive
from tests.worlds import random_worlds, world_of

WORLDS = random_worlds(25, seed=11, height=6, width=7, n_boxes=3)

RULES = {
    "locking tile": lambda t, boxes, _, out: kernels.find_boxes_on_locking_tiles(t, boxes, out),
    "wall sweep": lambda t, boxes, _, out: kernels.find_overfull_line(t, boxes, t.sweep_lines, out, NOWHERE),
    "locked boxes": lambda t, boxes, _, out: kernels.find_locked_boxes(t, boxes, out, NOWHERE),
    "wall run": lambda t, boxes, _, out: kernels.find_overfull_line(t, boxes, t.wall_runs, out, NOWHERE),
    "bipartite": lambda t, boxes, _, out: kernels.find_bipartite_deadlock(t, boxes, out),
    "corral": lambda t, boxes, player, out: find_corral_deadlock(t, boxes, player, 500, out),
}


def apply(rule, world, boxes, player=None):
    """Whether a rule finds a deadlock, and the squares it names."""
    out = world.bits([])
    if rule == "three boxes":
        return find_triple(world, boxes, player or world.player)
    number = world.number(player or world.player)
    return RULES[rule](world.tables, world.bits(boxes), number, out), world.squares(out)


def find_triple(world, boxes, player, changed=None):
    """Whether three boxes are dead, and which."""
    out, number = world.bits([]), NOWHERE if changed is None else world.number(changed)
    triples = triples_of(rows_of(world))
    is_dead = find_dead_triple(world.tables, world.bits(boxes), world.number(player), triples, out, number)
    return is_dead, world.squares(out)


def rows_of(world):
    """The rows of a world, as its tables were made of."""
    return tuple(row.ljust(world.width) for row in world.text.split("\n"))


def room_for(world, budget):
    """Room for a search of a world's boxes."""
    return make_corral_scratch(len(world.tables.floor), len(world.boxes), budget)


def placements(world, n, seed=0):
    """Some random places for the boxes."""
    random = Random(seed)
    everything = list(combinations(sorted(world.floor), len(world.boxes)))
    return [set(boxes) for boxes in random.sample(everything, min(n, len(everything)))]


@pytest.mark.parametrize("world", WORLDS[:10], ids=range(10))
def test_locking_tiles_are_those_of_the_twin(world):
    dead = naive.locking_tiles(world.floor, world.goals)
    for boxes in placements(world, 40):
        assert apply("locking tile", world, boxes) == (bool(boxes & dead), boxes & dead)


@pytest.mark.parametrize(("rule", "lines_of"), [("wall sweep", naive.sweep_lines), ("wall run", naive.wall_runs)])
def test_lines_are_overfull_where_the_twin_says_so(rule, lines_of):
    for world in WORLDS:
        for boxes in placements(world, 40):
            overfull = [line & boxes for line in lines_of(world.floor) if naive.is_overfull(line, world.goals, boxes)]
            found, squares = apply(rule, world, boxes)
            assert found == bool(overfull)
            assert squares in overfull if overfull else not squares


@pytest.mark.parametrize("world", WORLDS[:12], ids=range(12))
def test_locked_boxes_are_the_largest_set_that_holds_itself(world):
    for boxes in placements(world, 25):
        locked = naive.locked_boxes(world.floor, world.goals, boxes)
        assert apply("locked boxes", world, boxes) == (bool(locked - world.goals), locked)


@pytest.mark.parametrize("world", WORLDS[:12], ids=range(12))
def test_bipartite_deadlocks_are_those_without_a_perfect_matching(world):
    for boxes in placements(world, 25):
        assert apply("bipartite", world, boxes)[0] != naive.has_goal_for_each(world.floor, world.goals, boxes)


@pytest.mark.parametrize(("n_boxes", "at_least"), [(2, 1000), (3, 2000), (4, 3000)])
def test_no_rule_calls_a_solvable_position_dead(n_boxes, at_least):
    random, n_solvable = Random(7), 0
    for world in random_worlds(40, seed=20 + n_boxes, width=8, n_boxes=n_boxes, wall_share=0.12):
        solvable = naive.solvable_states(world.floor, world.goals, n_boxes)
        for boxes, player in random.sample(sorted(solvable, key=sorted_state), min(200, len(solvable))):
            n_solvable += 1
            fired = [rule for rule in (*RULES, "three boxes") if apply(rule, world, set(boxes), player)[0]]
            assert fired == [], world.text
    assert n_solvable >= at_least


def sorted_state(state):
    """States in an order that does not depend on hashing."""
    return sorted(state[0]), state[1]


def test_the_rules_find_a_good_part_of_all_deadlocks():
    n_dead = n_found = 0
    for world in WORLDS[:8]:
        solvable = naive.solvable_states(world.floor, world.goals, len(world.boxes))
        for boxes in placements(world, 100, seed=3):
            player = min(world.floor - boxes)
            if naive.key(world.floor, boxes, player) not in solvable:
                n_dead += 1
                n_found += any(apply(rule, world, boxes, player)[0] for rule in RULES)
    assert n_dead > 200
    assert n_found / n_dead > 0.9


@pytest.mark.parametrize("world", WORLDS[:15], ids=range(15))
def test_the_search_of_some_boxes_decides_what_exhaustive_search_decides(world):
    solvable = naive.solvable_states(world.floor, world.goals, len(world.boxes))
    for boxes in placements(world, 20, seed=4):
        player = max(world.floor - boxes)
        expected = SOLVABLE if naive.key(world.floor, boxes, player) in solvable else DEAD
        assert search_boxes(world.tables, world.bits(boxes), world.number(player), room_for(world, 20000)) == expected


def test_a_search_without_budget_decides_nothing():
    world = world_of("#########\n#@      #\n# $ $ ..#\n#       #\n#########")
    boxes, player = world.bits(world.boxes), world.number(world.player)
    assert search_boxes(world.tables, boxes, player, room_for(world, 2)) == UNDECIDED


def test_more_boxes_than_goals_is_a_bipartite_deadlock():
    # One goal is walled off, with nothing on it: two boxes are left with one goal.
    world = world_of("########\n#@   #.#\n# $$ ###\n#   .#\n######")
    assert apply("bipartite", world, world.boxes) == (True, world.boxes)


# --- three boxes -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("world", random_worlds(8, seed=5, n_boxes=5), ids=range(8))
def test_three_boxes_are_dead_where_exhaustive_search_says_so(world):
    """The first rule looks at all sets, the second at those with one box, each with boxes that may be anywhere."""
    solvable = naive.solvable_states(world.floor, world.goals, 3)
    for boxes in placements(world, 60, seed=6):
        player = min(world.floor - boxes)
        dead = [set(some) for some in combinations(boxes, 3) if naive.key(world.floor, some, player) not in solvable]
        found, culprits = apply("three boxes", world, boxes, player)
        assert found == bool(dead)
        assert culprits in dead if dead else not culprits
        for box in boxes:
            found, culprits = find_triple(world, boxes, player, changed=box)
            assert found == any(box in some for some in dead)
            assert not found or (box in culprits and culprits in dead)


def test_three_boxes_find_what_no_other_rule_finds():
    n_more = 0
    for world in random_worlds(40, seed=8, width=8, n_boxes=4, wall_share=0.1):
        for boxes in placements(world, 100, seed=9):
            player = min(world.floor - boxes)
            found = apply("three boxes", world, boxes, player)[0]
            n_more += found and not any(apply(rule, world, boxes, player)[0] for rule in RULES)
    assert n_more > 5


def test_a_level_that_is_too_large_gets_no_table():
    world = world_of("\n".join(["#" * 16, "#@$$$...       #", *["#              #"] * 9, "#" * 16]))
    assert comb(len(world.squares(world.tables.live)), 3) > MOST_SETS
    assert len(triples_of(rows_of(world)).verdicts) == 0
    assert apply("three boxes", world, {(1, 1), (1, 2), (2, 1)}, (5, 5)) == (False, set())


def test_tables_share_what_they_know_but_not_their_scratch():
    one, other = triples_of(rows_of(WORLDS[0])), triples_of(rows_of(WORLDS[0]))
    assert one.verdicts is other.verdicts
    assert one.zones is other.zones
    assert not np.shares_memory(one.boxes, other.boxes)
