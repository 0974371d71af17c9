"""A subtree moves to a shorter way: one case worked out by hand, and the formulas of section 5.2 on random trees.

The formulas are those of the thesis, in means; the search keeps sums, so both must agree as fractions.
"""

from __future__ import annotations

from fractions import Fraction
from random import Random

import numpy as np
import pytest

from sokoviz.core.tree.arena import ACTION, DEPTH, ELIMINATED, PARENT, STATUS, VALUE, VISITS, slot_of
from sokoviz.core.tree.journal import TAKEN_OUT
from tests.search.schokoban.schokobans import children_of, engine_of, events_of
from tests.worlds import random_text

pytestmark = pytest.mark.kernels

# The goal cannot be reached. In 21 iterations a greedy search has taken the box right, right, down, down and left:
# nodes 4, 7, 9, 10 and 13, with 15 and 16 further left below. Then it expands node 6, right and down, from where a push
# down leads to the position of node 13 as well: after 3 pushes, not 5.
ROOM = """\
########
#    # #
# $  #.#
#      #
#   @ ##
########"""
OPTIONS = {"c": 0.5, "seed": 76, "selection": "uct", "deadlocks": ()}
MOVE = 22  # iteration
J, FORMER, LEAF = 13, 10, 6  # the node j that moves, its old parent, and the node i of section 5.1 that is expanded

# Visits and sums of rewards just before the move and just after it, before anything is eliminated.
BEFORE = {0: (17, -66), 4: (13, -47), 7: (10, -36), 9: (8, -31), 10: (5, -25), 6: (1, -4), 13: (3, -18), 15: (2, -13)}
AFTER = {0: (17, -66), 4: (13, -47), 7: (7, -18), 9: (5, -13), 10: (2, -7), 6: (4, -22), 13: (3, -18), 15: (2, -13)}


@pytest.fixture
def engine():
    """The search after the iteration with the move."""
    engine = engine_of(ROOM, **OPTIONS)
    assert engine.advance(MOVE) == ""
    return engine


def before_move(engine):
    """Go to just before the move."""
    engine.seek(engine.end_of(MOVE - 1))
    return engine.arena


def after_move(engine):
    """Go to just after the move: leaving and joining are two events."""
    engine.seek(engine.end_of(MOVE - 1) + 2)
    return engine.arena


def after_iteration(engine):
    """Go to the end of the iteration."""
    engine.seek(engine.end_of(MOVE))
    return engine.arena


def statistics_of(arena, nodes):
    """Visits and sum of rewards of some nodes."""
    return {node: (int(arena.links[VISITS, node]), int(arena.sums[node])) for node in nodes}


def means_of(engine):
    """Visits and exact mean reward of every node, 0 where there are no visits."""
    found = statistics_of(engine.arena, range(engine.n_nodes))
    return {node: (n, Fraction(total, n) if n else Fraction(0)) for node, (n, total) in found.items()}


def ancestors_of(arena, node):
    """All nodes above a node, its parent first."""
    found = []
    while (node := int(arena.links[PARENT, node])) != -1:
        found.append(node)
    return found


def take_off(k, j):
    """Visits and mean of a former predecessor k after the subtree of j has left (5.2, first formulas)."""
    (n_k, v_k), (n_j, v_j) = k, j
    return n_k - n_j, (v_k * n_k - v_j * n_j) / (n_k - n_j)


def give(k, j):
    """Visits and mean of a new predecessor after the subtree of j has joined (5.2, second formulas)."""
    (n_l, v_l), (n_j, v_j) = k, j
    return n_l + n_j, (v_l * n_l + v_j * n_j) / (n_l + n_j)


def by_formulas(means, j, old, new):
    """All visits and means after a move, first the old predecessors, then the new ones, as the thesis does it."""
    means = dict(means)
    for node in old:
        means[node] = take_off(means[node], means[j])
    for node in new:
        means[node] = give(means[node], means[j])
    return means


# --- the case worked out by hand -------------------------------------------------------------------------------------


def test_what_happens_in_the_iteration(engine):
    """The whole old branch is eliminated, the moved node is drawn as the only child of the leaf and scored again."""
    push_left, push_down = 4 * (4 * 8 + 4) + 2, 4 * (3 * 8 + 3) + 1
    moved = ("moved", J, FORMER, 0, LEAF, push_left, push_down)
    removed = [("removed", 10, 9, 0), ("removed", 9, 7, 0), ("removed", 7, 4, 1)]
    assert events_of(engine, MOVE) == [moved, *removed, ("passed", J, -5)]


def test_visits_and_sums_before_and_after_the_move(engine):
    assert statistics_of(before_move(engine), BEFORE) == BEFORE
    assert statistics_of(after_move(engine), AFTER) == AFTER


def test_means_are_those_of_the_formulas(engine):
    """Old parent: (-5 * 5 + 6 * 3) / (5 - 3) = -3.5; new parent: (-4 * 1 - 6 * 3) / (1 + 3) = -5.5."""
    before_move(engine)
    means = means_of(engine)
    assert means[J] == (3, -6)
    expected = by_formulas(means, J, old=[10, 9, 7, 4, 0], new=[6, 4, 0])
    arena = after_move(engine)
    assert means_of(engine) == expected
    assert [arena.scores[VALUE, slot_of(arena, node)] for node in (FORMER, LEAF)] == [-3.5, -5.5]


def test_common_ancestors_keep_their_statistics(engine):
    """What is taken off the root and node 4 is given back to them."""
    before = statistics_of(before_move(engine), (0, 4))
    assert statistics_of(after_move(engine), (0, 4)) == before


def test_the_subtree_is_two_pushes_nearer(engine):
    before = before_move(engine).links[DEPTH, [13, 15, 16]].tolist()
    assert before == [5, 6, 7]
    assert after_move(engine).links[DEPTH, [13, 15, 16]].tolist() == [3, 4, 5]


def test_the_moved_node_is_reached_by_another_push(engine):
    assert before_move(engine).links[[PARENT, ACTION], J].tolist() == [FORMER, 4 * (4 * 8 + 4) + 2]
    assert after_move(engine).links[[PARENT, ACTION], J].tolist() == [LEAF, 4 * (3 * 8 + 3) + 1]
    assert children_of(engine.arena, LEAF) == [J]


def test_the_old_branch_is_eliminated_up_to_the_first_node_with_another_child(engine):
    arena = after_move(engine)
    assert [children_of(arena, node) for node in (10, 9, 7, 4)] == [[], [10], [9], [6, 7]]
    arena = after_iteration(engine)
    assert [children_of(arena, node) for node in (10, 9, 7, 4)] == [[], [], [], [6]]
    assert (arena.links[STATUS, [10, 9, 7]] & ELIMINATED).all()
    assert not arena.links[STATUS, 4] & ELIMINATED


def test_elimination_changes_no_statistics(engine):
    """Node 4 keeps the 7 visits of node 7; only the reward -5 of node 13 is new above that."""
    arena = after_iteration(engine)
    assert statistics_of(arena, (7, 9, 10)) == {node: AFTER[node] for node in (7, 9, 10)}
    new = {node: (n + 1, total - 5) for node, (n, total) in AFTER.items() if node in {0, 4, 6, 13}}
    assert statistics_of(arena, (0, 4, 6, 13)) == new


# --- all moves of random searches ------------------------------------------------------------------------------------


def test_every_move_follows_the_formulas():
    random, n_moves = Random(1), 0
    for seed in range(12):
        engine = engine_of(random_text(random, 8, 9, 3, 0), c=0.5, seed=seed, deadlocks=())
        engine.advance(250)
        events = engine.written().events[: engine.end_of(engine.last)].copy()
        for event in np.flatnonzero(events[:, 0] == TAKEN_OUT).tolist():
            assert_formulas_hold(engine, event, j=int(events[event, 1]), i=int(events[event + 1, 1]))
            n_moves += 1
    assert n_moves > 50


def assert_formulas_hold(engine, event, j, i):
    """The move at an event changes means and visits as the thesis says, and all depths below by the same number."""
    engine.seek(event)
    arena, means = engine.arena, means_of(engine)
    old, new = ancestors_of(arena, j), [i, *ancestors_of(arena, i)]
    nearer = arena.links[DEPTH, j] - arena.links[DEPTH, i] - 1
    depths = {node: arena.links[DEPTH, node] for node in below(arena, j)}
    engine.seek(event + 2)
    assert nearer > 0
    assert means_of(engine) == by_formulas(means, j, old, new)
    assert {node: arena.links[DEPTH, node] + nearer for node in below(arena, j)} == depths


def below(arena, node):
    """A node and all nodes below it."""
    return [node, *(other for child in children_of(arena, node) for other in below(arena, child))]
