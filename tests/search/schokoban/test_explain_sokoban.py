"""Explanations of iterations of Schokoban and Vanillaban: what was added, left out, moved and eliminated, and why."""

import numpy as np
import pytest

import sokoviz as sv
from tests.search.schokoban.schokobans import IN_AND_OUT, IN_AND_OUT_OPTIONS
from tests.search.schokoban.test_subtree_moves import AFTER, BEFORE, FORMER, LEAF, MOVE, OPTIONS, ROOM
from tests.search.searching import everything_of

LINE = "#######\n#@ $ .#\n#######"
TWO_ROOMS = "#########\n#   #   #\n#@  $  .#\n#   #####\n# $   . #\n#########"
NO_WAY = "######\n#@ $ #\n#  #.#\n######"
SOLVERS = (sv.Schokoban, sv.Vanillaban)


@pytest.fixture
def search():
    """Lesson 7 to its solution: moves, eliminations, duplicates, deadlocks."""
    search = sv.Schokoban(sv.load("lessons#7"), seed=1)
    search.run(progress=False)
    return search


def run(solver, level, iterations, **options):
    search = solver(level, **options)
    search.run(iterations=iterations, progress=False)
    return search


def find(search, event, number=0):
    """The explanation of an iteration marked with an event, and the tree before it."""
    history = search.history
    k = int(history.index[history[event]][number])
    search.goto(k - 1)
    return search.explain(k), search.tree


def told(iteration, phase):
    return dict(iteration.sentences)[phase]


# --- phases one by one -----------------------------------------------------------------------------------------------


def test_a_new_child_is_added_and_valued():
    search = run(sv.Schokoban, LINE, 2)
    iteration = search.explain(2)
    assert (iteration.leaf, iteration.expansion.added, iteration.expansion.actions) == (0, (1,), ("Db→Eb",))
    assert iteration.simulation.is_valued
    assert (iteration.simulation.node, iteration.simulation.moves, iteration.simulation.reward) == (1, (), -1)
    assert told(iteration, "simulation") == "Node 1 is valued as it is, no game is played: distance 1. Reward −1."


def test_where_a_closed_area_comes_first_other_pushes_are_left_out_and_areas_count():
    search = run(sv.Schokoban, TWO_ROOMS, 2, inward=True, areas=True)
    iteration = search.explain(2)
    assert iteration.expansion.actions == ("Ec→Fc",)
    assert [each.reason for each in iteration.expansion.left_out] == ["a closed area comes first"] * 2
    assert "Ce→Be (a closed area comes first)" in told(iteration, "expansion")
    assert told(iteration, "simulation").endswith("distance 6 and 1 closed area. Reward −7.")
    assert search.game.value_name(search.state(0)) == "distance 3 + 4 = 7 and 1 closed area, reward −8"


def test_a_duplicate_names_the_node_that_has_its_position(search):
    iteration, tree = find(search, "duplicate")
    known = [each for each in iteration.expansion.left_out if each.node is not None]
    assert known
    depths = f"depth {tree.depths[known[0].node]}, here {tree.depths[iteration.leaf] + 1}"
    assert f"{known[0].action} (node {known[0].node}, {depths})" in told(iteration, "expansion")
    for each in known:
        assert each.reason == "in the tree"
        assert 0 <= each.node < len(tree)
        assert tree.depths[each.node] <= tree.depths[iteration.leaf] + 1  # not nearer this way


def test_vanillaban_leaves_out_what_is_on_the_path():
    search = run(sv.Vanillaban, sv.load("lessons#7"), 400)
    iteration, _ = find(search, "duplicate")
    known = [each for each in iteration.expansion.left_out if each.node is not None]
    assert known
    assert {each.node for each in known} <= set(iteration.path)
    assert "already on the path: " in told(iteration, "expansion")


def test_a_dead_successor_names_the_rule_that_decided(search):
    iteration, tree = find(search, "deadlock")
    dead = [each for each in iteration.expansion.left_out if each.node is None]
    assert dead
    assert f"left out: {dead[0].action} ({dead[0].reason})" in told(iteration, "expansion")
    board = search.game.board(tree.state(iteration.leaf))
    for each in dead:
        after = next(push for push in board.pushes if str(push) == each.action)
        copy = search.game.board(tree.state(iteration.leaf))
        copy.push(after)
        order = ("locking tile", "wall sweep", "locked boxes", "no push")
        assert {*order} == {*search.settings.pushing.deadlocks}
        decided = next(rule for rule in order if copy.deadlock(rule))
        assert (each.reason, each.deadlocks) == (decided, (copy.deadlock(decided),))
        assert search.game.push_of(each.number) == after


def test_many_successors_are_told_by_the_first_two_and_a_number(search):
    iteration, _ = find(search, "move")
    known = [each for each in iteration.expansion.left_out if each.node is not None]
    assert len(known) == 8
    second = f"{known[1].action} (node {known[1].node}, depth {known[1].known_depth}, here {known[1].depth})"
    assert f"{second} and 6 more" in told(iteration, "expansion")
    assert len(told(iteration, "expansion")) < 480  # three lines below a tree


def test_a_subtree_move_tells_where_from_and_the_depths(search):
    iteration, before = find(search, "move")
    (move,) = iteration.expansion.moved
    search.goto(iteration.number)
    after = search.tree
    assert move.former == before.parents[move.node]
    assert after.parents[move.node] == iteration.leaf
    assert (move.depth_before, move.depth_after) == (before.depths[move.node], after.depths[move.node])
    assert move.depth_after < move.depth_before
    assert move.visits == before.visits[move.node]
    words = f"node {move.node} moves here from node {move.former}, from depth {move.depth_before} to {move.depth_after}"
    assert words in told(iteration, "expansion")


def test_a_move_has_the_statistics_of_both_chains():
    """The case that test_subtree_moves works out by hand."""
    search = run(sv.Schokoban, ROOM, MOVE, **OPTIONS)
    (move,) = search.explain(MOVE).expansion.moved
    assert [shift.node for shift in move.old_chain] == [FORMER, 9, 7, 4]
    assert [shift.node for shift in move.new_chain] == [LEAF, 4]
    for shift in (*move.old_chain, *move.new_chain):
        assert (shift.visits_before, shift.total_before) == BEFORE[shift.node]
        assert (shift.visits_after, shift.total_after) == AFTER[shift.node]
    assert (move.old_chain[0].value_before, move.old_chain[0].value_after) == (-5, -3.5)
    assert (move.new_chain[0].value_before, move.new_chain[0].value_after) == (-4, -5.5)
    assert (move.visits, move.total, move.depth_before, move.depth_after) == (3, -18, 5, 3)
    assert move.eliminated == (10, 9, 7)


def test_a_move_may_leave_its_former_parent_without_children():
    search = run(sv.Schokoban, IN_AND_OUT, 37, **IN_AND_OUT_OPTIONS)
    gone = [node for move in search.explain(37).expansion.moved for node in move.eliminated]
    assert gone
    assert "without children, to be eliminated" in told(search.explain(37), "expansion")
    assert "elimination" not in search.explain(37).phases  # that is the phase at the end


def test_eliminations_go_up_from_the_leaf(search):
    history = search.history
    chains = [search.explain(int(k)) for k in history.index[history["elimination"]]]
    chains = [each for each in chains if each.elimination]
    assert max(len(each.elimination) for each in chains) > 1
    for each in chains:
        search.goto(each.number - 1)
        path = each.path[::-1]
        assert each.elimination == path[: len(each.elimination)]
        assert told(each, "elimination").startswith(f"Node {each.leaf} has no children, so it is eliminated")
        for node in each.elimination[1:]:
            assert str(node) in told(each, "elimination")


def test_an_iteration_without_a_reward_has_no_simulation(search):
    iteration = next(each for each in map(search.explain, range(1, search.last)) if each.simulation is None)
    assert iteration.phases == ("selection", "expansion", "elimination")
    assert (iteration.expansion.drawn, iteration.expansion.added, iteration.backpropagation) == (None, (), ())
    assert iteration.simulated == iteration.leaf
    assert told(iteration, "expansion").endswith("No child is left.")


def test_the_end_of_an_unsolvable_level_is_the_elimination_of_the_root():
    search = run(sv.Schokoban, NO_WAY, 10)
    assert search.explain().elimination == (0,)
    assert told(search.explain(), "elimination") == "The root has no children, so it is eliminated."


def test_late_deadlocks_are_eliminated_after_their_reward():
    search = run(sv.Schokoban, sv.load("lessons#7"), 300, preset="text")
    iteration, _ = find(search, "deadlock")
    assert iteration.phases[-3:] == ("simulation", "backpropagation", "elimination")
    assert iteration.elimination[0] == iteration.simulation.node
    assert told(iteration, "elimination").startswith(f"Node {iteration.simulation.node} is dead, so it is eliminated")


# --- all iterations --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("options", [{}, {"preset": "text"}, {"stall": True, "remembered": False}])
def test_every_explanation_has_the_phases_that_stepping_has(solver, options):
    search = run(solver, sv.load("lessons#7"), 300, seed=2, **options)
    for k in range(1, search.last + 1):
        iteration = search.explain(k)
        assert iteration.phases == search.phases_of(k)
        assert bool(iteration.elimination) == ("elimination" in iteration.phases)


def test_every_reward_and_every_update_is_told_with_its_numbers(search):
    for k in range(1, search.last + 1, 7):
        iteration = search.explain(k)
        search.goto(k)
        for update in iteration.backpropagation:
            assert search.tree.visits[update.node] == update.visits_after
            assert search.tree.values[update.node] == pytest.approx(update.value_after)
        if iteration.simulation:
            reward = str(iteration.simulation.reward).replace("-", "−")
            assert told(iteration, "simulation").endswith(f"Reward {reward}.")
            assert f" gets {reward}, value " in told(iteration, "backpropagation")


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("options", [{}, {"preset": "text"}])
def test_through_all_phases_and_back_the_trees_are_the_same(solver, options):
    search = solver(sv.load("lessons#8"), seed=1, **options)
    forwards = [(search.moment, everything_of(search))]
    while search.last < 120 or search.phase:
        search.step_phase()
        forwards.append((search.moment, everything_of(search)))
    for moment, expected in reversed(forwards):
        assert search.moment == moment
        search.explain(max(1, search.steps))  # a glance elsewhere changes nothing
        for mine, yours in zip(comparable(everything_of(search)), comparable(expected), strict=True):
            np.testing.assert_array_equal(mine, yours)
        search.back_phase()


def comparable(parts):
    """What a journey leaves behind and means nothing is set to what a fresh search has; see `schokobans`."""
    from sokoviz.core.tree.arena import COUNT, FIRST, SOLVED, STATUS, VISITS

    links, *others = (part.copy() for part in parts)
    links[FIRST, links[COUNT] == 0] = 0
    links[STATUS, links[VISITS] == 0] &= ~SOLVED
    return [links, *others]


@pytest.mark.parametrize("stall", [False, True])
def test_the_node_that_an_iteration_has_come_to_is_read_out_of_the_record(stall):
    search = run(sv.Vanillaban, sv.load("lessons#12"), 80, seed=3, stall=stall)
    found = [search.outcome_node(number) for number in range(1, search.last + 1)]
    told = [search.explain(number) for number in range(1, search.last + 1)]
    assert found == [0 if each.elimination else each.simulated for each in told]
    assert search.outcome_node(0) == 0


@pytest.mark.parametrize("stall", [False, True])
def test_a_leaf_without_any_push_is_told(stall):
    search = run(sv.Vanillaban, "#####\n#@ .#\n# $##\n# .$#\n#####", 4, stall=stall, deadlocks=())
    iteration = search.explain(4)
    assert iteration.expansion.left_out == iteration.expansion.added == ()
    assert (
        told(iteration, "expansion") == "Node 2 has been visited before, but nothing can be pushed: it gets no child."
    )
    assert iteration.elimination == (() if stall else (2,))
