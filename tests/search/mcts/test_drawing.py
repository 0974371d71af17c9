"""The part of a search's tree that is drawn: its numbers are those of the tree, and it can be put on paper."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import numpy as np
import pytest

from sokoviz.games.tictactoe import TicTacToe
from sokoviz.search.contract import Moment
from sokoviz.search.mcts.search import MCTS
from sokoviz.search.mcts.views.drawing import NEW, TERMINAL
from sokoviz.search.mcts.views.tree_svg import Scene, scene_svg
from sokoviz.search.mcts.views.view import View
from tests.games.digits import Digits

POSITION = "X.O/.X./..O"


@pytest.fixture(scope="module")
def search():
    """A search from the middle of a game."""
    made = MCTS(TicTacToe(POSITION), seed=5)
    made.run(iterations=300)
    return made


@pytest.mark.parametrize("k", [0, 1, 2, 40, 300])
def test_numbers_are_those_of_the_tree(search, k):
    drawing, tree = search.draw(Moment(k), View(limit=60)), search.tree_at(Moment(k))
    nodes = drawing.nodes
    assert len(nodes) == min(60, len(tree))
    assert drawing.n_nodes == len(tree)
    assert len(nodes) + drawing.hidden.sum() == len(tree)
    np.testing.assert_array_equal(drawing.visits, tree.visits[nodes])
    np.testing.assert_array_equal(drawing.values, tree.values[nodes])
    np.testing.assert_array_equal(drawing.depths, tree.depths[nodes])
    np.testing.assert_array_equal(nodes[drawing.parents[1:]], tree.parents[nodes[1:]])
    assert list(drawing.actions) == [tree.action_name(int(node)) for node in nodes]
    assert (drawing.flags & TERMINAL > 0).tolist() == [tree.is_over(int(node)) for node in nodes]


def test_scores_are_those_of_selection(search):
    search.goto(120)
    drawing = search.draw(search.moment, View(limit=10_000, widest=10_000))
    scores = dict(zip(drawing.nodes.tolist(), drawing.scores.tolist(), strict=True))
    for node in range(len(search.tree)):
        for candidate in search.candidates(node):
            assert scores[candidate.node] == candidate.score
    assert np.isnan(scores[0])


def test_new_nodes_are_marked(search):
    told = search.explain(2)
    drawing = search.draw(Moment(2), View(), marked=dict.fromkeys(told.expansion.added, NEW))
    assert drawing.nodes[drawing.flags & NEW > 0].tolist() == list(told.expansion.added)


def test_what_must_be_drawn_and_what_is_unfolded_is_drawn(search):
    tree = search.tree_at(Moment(300))
    deepest = int(tree.depths.argmax())
    folded = search.draw(Moment(300), View(limit=5))
    assert deepest not in folded.nodes
    assert set(tree.path(deepest)) <= set(search.draw(Moment(300), View(limit=5), must=[deepest]).nodes.tolist())
    unfolded = search.draw(Moment(300), View(limit=5, unfolded=frozenset({3})))
    assert set(tree.children(3)) <= set(unfolded.nodes.tolist())


def test_nodes_that_are_not_there_yet_are_left_out(search):
    drawing = search.draw(Moment(2), View(unfolded=frozenset({50})), must=[70, 3])
    assert drawing.nodes.tolist() == list(range(len(search.tree_at(Moment(2)))))


def test_filters(search):
    drawing = search.draw(Moment(300), View(deepest=2, fewest=3))
    assert drawing.depths.max() <= 2
    assert drawing.visits[1:].min() >= 3
    assert np.bincount(search.draw(Moment(300), View(widest=4)).depths).max() <= 4


def test_colours_keep_their_meaning_at_all_moments(search):
    assert {search.draw(Moment(k), View()).value_range for k in (0, 1, 300)} == {(-1.0, 1.0)}


def test_values_of_one_player_have_their_own_range():
    search = MCTS(Digits(4), seed=1)
    search.run(iterations=200)
    rewards = [search.explain(k).backpropagation[0].reward for k in range(1, 201)]
    assert search.draw(Moment(0), View()).value_range == (min(rewards), max(rewards))


def test_a_drawing_can_be_put_on_paper(search):
    for k in (0, 2, 300):
        drawing = search.draw(Moment(k), View(limit=40))
        marks = {"path": [0], "simulated": 0, "tail": None, "changes": []}
        scene = Scene(("a title",), search.game.picture(search.game.start()), "a caption", drawing, 0, marks)
        picture = ET.fromstring(scene_svg(scene))  # noqa: S314  our own text
        nodes = [part for part in picture.iter() if "node" in part.get("class", "").split()]
        assert len(nodes) == len(drawing.nodes)
