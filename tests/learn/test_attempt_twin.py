"""Attempts at boards against a twin with node objects: the same random numbers, so the same tree, node by node."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sokoviz.learn.attempt import (
    COUNT,
    DEAD,
    FIRST,
    HOPELESS,
    MOVE,
    N_CYCLES,
    N_NODES,
    N_STEPS,
    NODE,
    SOLVED,
    STOPPED,
    UNTRIED,
    try_board,
)
from tests.learn.worlds import RULES, attempt_on, world_with_episodes
from tests.twins import naive_curry
from tests.worlds import random_worlds, world_of, worlds

pytestmark = pytest.mark.kernels

STATUS = {"stopped": STOPPED, "solved": SOLVED, "hopeless": HOPELESS}


def twin_of(world, episodes, rules):
    return naive_curry.Attempt(world.floor, world.boxes, world.goals, world.player, episodes, **rules)


def run_both(world, episodes, rules, n, *, tree=True):
    """Make n trajectories twice; compare status and way after each."""
    attempt, buffer = attempt_on(world, episodes, rules, tree=tree)
    twin = twin_of(world, episodes, rules)
    if world.boxes <= world.goals:
        assert try_board(attempt, buffer, 1) == SOLVED
        return attempt, twin
    for _ in range(n):
        said = twin.seek(tree=tree) if twin.width else twin.follow() if tree else twin.wander()
        assert try_board(attempt, buffer, 1) == STATUS[said]
        assert attempt.counts[N_STEPS] == len(twin.way)
        if said != "stopped":
            break
    return attempt, twin


def compare_trees(world, attempt, twin):
    """Every node, its moves, weights and children."""
    number_of = {id(node): number for number, node in enumerate(twin.nodes)}
    assert attempt.counts[N_NODES] == len(twin.nodes)
    assert attempt.counts[N_CYCLES] == twin.n_cycles
    for number, node in enumerate(twin.nodes):
        first, n = attempt.nodes[FIRST, number], attempt.nodes[COUNT, number]
        moves = slice(first, first + n)
        assert world.squares(attempt.boxes[number]) == node.boxes
        ends = [tuple(divmod(int(square), world.width) for square in move) for move in attempt.moves[:, moves].T]
        assert ends == node.moves
        assert attempt.weights[moves].tolist() == node.weights
        assert attempt.values[number] == node.value
        assert attempt.totals[number] == pytest.approx(node.total, rel=1e-12)
        children = [
            DEAD if is_dead else UNTRIED if child is None else number_of[id(child)]
            for child, is_dead in zip(node.children, node.is_dead_move, strict=True)
        ]
        assert attempt.children[moves].tolist() == children


@settings(max_examples=40)
@given(worlds(max_boxes=3, max_side=6), st.integers(0, 2**32), st.sampled_from([0, 1, 12]), st.booleans())
def test_trees_are_those_of_the_twin(world, seed, n_episodes, goal_filter):
    rules = RULES | {"seed": seed, "goal_filter": goal_filter}
    attempt, twin = run_both(world, world_with_episodes(world, seed, n_episodes), rules, 25)
    compare_trees(world, attempt, twin)


@pytest.mark.parametrize("index", range(6))
def test_long_attempts_are_those_of_the_twin(index):
    world = random_worlds(6, seed=71, n_boxes=2, height=6, width=6)[index]
    attempt, twin = run_both(world, world_with_episodes(world, index, 5), RULES | {"seed": index}, 150)
    compare_trees(world, attempt, twin)


def test_the_way_out_of_cycles_is_taken_as_the_twin_takes_it():
    # One box is lost in its corner, the other can be pushed around for ever: the tree is soon full of cycles.
    world = world_of("########\n#$    .#\n# @$  .#\n#      #\n#      #\n########")
    attempt, twin = run_both(world, [], RULES | {"epsilon": 0.0, "steps": 6}, 300)
    assert twin.n_cycles > 10
    compare_trees(world, attempt, twin)


@settings(max_examples=20)
@given(worlds(max_boxes=3, max_side=6), st.integers(0, 2**32))
def test_plain_trajectories_are_those_of_the_twin(world, seed):
    episodes = world_with_episodes(world, seed, 6)
    attempt, twin = run_both(world, episodes, RULES | {"seed": seed}, 10, tree=False)
    compare_trees(world, attempt, twin)


SEARCHES = st.fixed_dictionaries({"width": st.integers(1, 4), "depth": st.integers(1, 3)})


@settings(max_examples=30)
@given(worlds(max_boxes=3, max_side=6), st.integers(0, 2**32), SEARCHES, st.booleans())
def test_trajectories_by_value_are_those_of_the_twin(world, seed, search, tree):
    rules = RULES | search | {"seed": seed}
    attempt, twin = run_both(world, world_with_episodes(world, seed, 6), rules, 12, tree=tree)
    compare_trees(world, attempt, twin)


def test_by_value_the_move_is_made_behind_which_fewest_moves_are_left():
    # Each box can be the next; the episode has moved the left one already, and has only the right one left to move.
    world = world_of("#########\n#@      #\n#  $ $  #\n#       #\n#  . .  #\n#########")
    left, right = ((2, 3), (4, 3), (3, 3)), ((2, 5), (4, 5), (3, 5))
    episode = {"boxes": set(world.boxes), "goals": set(world.goals), "moves": [left, right]}
    rules = RULES | {"width": 400, "depth": 1, "epsilon": 1.0, "steps": 2}  # all moves are drawn, and all are as likely
    attempt, buffer = attempt_on(world, [episode], rules)
    twin = twin_of(world, [episode], rules)
    assert try_board(attempt, buffer, 1) == STATUS[twin.seek(tree=True)] == SOLVED
    made = attempt.moves[:2, attempt.way[MOVE, :2]].T
    assert [tuple(divmod(int(square), world.width) for square in move) for move in made] == [left[:2], right[:2]]


@settings(max_examples=30)
@given(worlds(max_boxes=3, max_side=6), st.integers(0, 2**32))
def test_a_way_leads_from_node_to_node_and_a_solution_to_the_goals(world, seed):
    attempt, buffer = attempt_on(world, world_with_episodes(world, seed, 6), RULES | {"seed": seed})
    status = try_board(attempt, buffer, 30)
    n = int(attempt.counts[N_STEPS])
    boxes = set(world.boxes)
    for node, move in attempt.way[:, :n].T[:, [NODE, MOVE]]:
        source, target = (divmod(int(square), world.width) for square in attempt.moves[:2, move])
        assert world.squares(attempt.boxes[node]) == boxes
        boxes = boxes - {source} | {target}
    assert status != SOLVED or boxes <= world.goals


def test_a_board_without_a_way_is_proven_hopeless():
    world = world_of("######\n#@ $.#\n#    #\n#$  .#\n######")  # the box in the corner never leaves it
    attempt, buffer = attempt_on(world, [], RULES | {"steps": 40}, capacity=20_000)
    assert try_board(attempt, buffer, 20_000) != SOLVED
    lost = world_of("#####\n#$@.#\n#####")
    attempt, buffer = attempt_on(lost, [], RULES)
    assert try_board(attempt, buffer, 5) == HOPELESS


def test_weights_share_what_several_sides_have():
    # The box can come to the upper corridor from either side: two moves with the same squares.
    world = world_of("#########\n#@      #\n# $ #   #\n#   #   #\n##### ###\n#   .   #\n#########")
    episode = {"boxes": {(2, 2)}, "goals": {(5, 4)}, "moves": [((2, 2), (1, 4), (1, 3))]}
    attempt, _ = attempt_on(world, [episode], RULES | {"goal_filter": False})
    n = int(attempt.nodes[COUNT, 0])
    same = np.flatnonzero(attempt.moves[1, :n] == world.number((1, 4)))
    assert len(same) == 2
    assert attempt.weights[same].tolist() == [(1 + 0.001 * 2) / 2] * 2
