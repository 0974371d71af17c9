"""The tree that a search gives away: single nodes, tables, graphs, and the course of its numbers."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pandas as pd
import pytest

from sokoviz.errors import SearchError
from sokoviz.games.tictactoe import TicTacToe
from sokoviz.levels import load
from sokoviz.search.contract import Moment
from sokoviz.search.mcts.schokoban import Schokoban
from sokoviz.search.mcts.search import MCTS
from tests.search.searching import tic_tac_toe
from tests.twins.naive_schokoban import NaiveSchokoban

pytestmark = pytest.mark.kernels

POSITION = "X.O/.X./..O"
CELLS = ["Aa", "Ba", "Ca", "Ab", "Bb", "Cb", "Ac", "Bc", "Cc"]
N = 150


@pytest.fixture(scope="module")
def pair():
    """A search and its twin after the same iterations."""
    search, twin = tic_tac_toe(POSITION, seed=21)
    search.run(iterations=N)
    return search, twin.run(N)


def test_single_nodes_are_those_of_the_twin(pair):
    search, twin = pair
    assert len(search.tree) == len(twin.nodes)
    for node, (number, wanted) in zip(search.tree, enumerate(twin.nodes), strict=True):
        assert node == search.tree[number]
        assert (node.number, node.depth, node.visits) == (number, wanted.depth, wanted.visits)
        assert node.parent == (wanted.parent.number if wanted.parent else None)
        assert node.action == (CELLS[wanted.action] if wanted.parent else "")
        assert node.value == (wanted.total / wanted.visits if wanted.visits else None)
        assert node.children == tuple(child.number for child in wanted.children)


def test_paths_lines_and_positions_are_those_of_the_twin(pair):
    search, twin = pair
    tree = search.tree
    for wanted in twin.nodes[:: len(twin.nodes) // 40]:
        path = twin.path(wanted)[::-1]
        assert tree.path(wanted.number) == tuple(node.number for node in path)
        assert tree.line(wanted.number) == tuple(CELLS[node.action] for node in path[1:])
        marks = [sum(1 << cell for cell in range(9) if wanted.board[cell] == mark) for mark in "XO"]
        assert tree.state(wanted.number).tolist() == marks
        assert tree.picture(wanted.number) == search.game.picture(np.array(marks))
        assert tree.action_name(wanted.number) == (CELLS[wanted.action] if wanted.parent else "")


@pytest.mark.parametrize("node", [-1, 10**6, 10**20])
@pytest.mark.parametrize("name", ["children", "path", "state", "line", "picture", "action_name", "__getitem__"])
def test_nodes_that_are_not_there_are_refused(pair, name, node):
    tree = pair[0].tree
    with pytest.raises(SearchError, match=f"expected a node from 0 to {len(tree) - 1}, found {node}"):
        getattr(tree, name)(node)


def test_numbers_of_numpy_are_nodes(pair):
    tree = pair[0].tree
    assert tree[np.int64(3)] == tree[3]


def test_a_tree_keeps_its_moment():
    search = MCTS(TicTacToe(), seed=1)
    search.run(iterations=30)
    tree = search.tree
    before = tree.to_frame()
    search.run(iterations=500)
    search.goto(2)
    assert tree.to_frame().equals(before)
    assert len(search.tree) == 10
    assert len(search.tree_at(Moment(30))) == len(tree)
    assert repr(tree) == f"Tree of {len(tree)} nodes, {max(before['depth'])} deep, root visited 30 times"


def test_the_bare_root():
    tree = MCTS(TicTacToe()).tree
    assert (len(tree), tree.path(0), tree.line(0), tree.children(0)) == (1, (0,), (), ())
    assert (tree[0].value, tree[0].parent, tree[0].action) == (None, None, "")
    assert np.isnan(tree.values[0])  # noqa: PD011
    assert len(tree.to_frame()) == len(tree.to_networkx()) == 1


# --- tables and graphs -----------------------------------------------------------------------------------------------


def test_a_table_of_the_nodes(pair):
    search, twin = pair
    frame = search.tree.to_frame()
    assert frame.index.name == "node"
    assert list(frame.columns) == ["parent", "action", "depth", "visits", "sum", "value", "children", "eliminated"]
    assert len(frame) == len(twin.nodes)
    table = twin.table()
    for column, name in (("parent", "parents"), ("depth", "depths"), ("visits", "visits"), ("sum", "sums")):
        assert frame[column].tolist() == table[name]
    assert frame["action"].tolist() == ["", *(CELLS[action] for action in table["actions"][1:])]
    assert frame["children"].tolist() == [len(node.children) for node in twin.nodes]
    visited = frame[frame["visits"] > 0]
    assert (visited["value"] == visited["sum"] / visited["visits"]).all()
    assert frame[frame["visits"] == 0]["value"].isna().all()


def test_a_table_can_be_changed_without_changing_the_tree(pair):
    tree = pair[0].tree
    frame = tree.to_frame()
    frame.loc[:, "visits"] = 0
    assert tree.visits[0] == N


def test_a_graph_of_the_nodes(pair):
    search, twin = pair
    graph = search.tree.to_networkx()
    assert nx.is_arborescence(graph)
    assert list(graph.nodes) == list(range(len(twin.nodes)))
    assert {(node.parent.number, node.number) for node in twin.nodes[1:]} == set(graph.edges)
    for node in twin.nodes[:50]:
        attributes = graph.nodes[node.number]
        assert (attributes["visits"], attributes["sum"], attributes["depth"]) == (node.visits, node.total, node.depth)
        assert nx.shortest_path_length(graph, 0, node.number) == node.depth
        if node.parent:
            assert graph.edges[node.parent.number, node.number]["action"] == CELLS[node.action]
    assert {type(value) for value in graph.nodes[1].values()} <= {int, float, str, bool}


# --- eliminated nodes ------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module", params=[1, 2, 3])
def eliminating(request):
    """The tree of a search of Sokoban that has eliminated nodes and moved some, and the table of its twin."""
    search = Schokoban(load("lessons#12"), seed=request.param)
    search.run(iterations=150)
    twin = NaiveSchokoban("\n".join(search.level.rows), c=8.0, seed=request.param, selection="program")
    for _ in range(search.steps):
        twin.iterate()
    return search.tree, twin.table()


def test_eliminated_nodes_are_marked(eliminating):
    tree, twin = eliminating
    assert tree.to_frame()["eliminated"].tolist() == tree.eliminated.tolist() == twin["eliminated"]
    assert 0 < sum(twin["eliminated"]) < len(tree)
    assert [node.is_eliminated for node in tree] == twin["eliminated"]


def test_every_node_but_the_root_has_the_name_of_its_move(eliminating):
    tree, _ = eliminating
    names = tree.to_frame()["action"]
    assert names.tolist() == [node.action for node in tree]
    assert (names[1:] != "").all()


def test_a_graph_has_edges_only_in_the_tree(eliminating):
    tree, twin = eliminating
    graph = tree.to_networkx()
    gone = {node for node, data in graph.nodes(data=True) if data["eliminated"]}
    assert gone == {node for node, is_gone in enumerate(twin["eliminated"]) if is_gone}
    assert all(graph.degree(node) == 0 for node in gone)
    assert nx.is_arborescence(graph.subgraph(set(graph) - gone))
    assert set(graph.edges) == {(node, child) for node in range(len(tree)) for child in tree.children(node)}


# --- the course of a search ------------------------------------------------------------------------------------------


def test_history_is_the_tree_at_each_iteration():
    search = MCTS(TicTacToe(POSITION), seed=8)
    search.run(iterations=80)
    history = search.history
    assert history.index.name == "iteration"
    assert history.index.tolist() == list(range(1, 81))
    before = search.tree_at(Moment(0))
    for k in range(1, 81):
        tree, row = search.tree_at(Moment(k)), history.loc[k]
        assert row["nodes"] == len(tree)
        assert row["depth"] == tree.depths[tree.visits > 0].max()
        assert row["root_value"] == tree[0].value
        assert row["expansion"] == (len(tree) > len(before))
        children = [c for c in tree.children(0) if tree.visits[c] > (before.visits[c] if c < len(before) else 0)]
        assert row["root_child"] == (children[0] if children else -1)
        assert row["tie"] == any(choice.is_tie for choice in search.explain(k).selection)
        simulation = search.explain(k).simulation
        assert row["terminal"] == (simulation is not None and not simulation.moves)
        before = tree


def test_history_ends_where_the_search_stands():
    search = MCTS(TicTacToe(), seed=8)
    search.run(iterations=40)
    whole = search.history
    search.goto(25)
    pd.testing.assert_frame_equal(search.history, whole.iloc[:25])
    search.goto(0)
    assert len(search.history) == 0
    assert list(search.history.columns) == list(whole.columns)


def test_leaders_are_the_most_visited_children():
    search = MCTS(TicTacToe(), seed=8)
    search.run(iterations=300)
    history, leader, most = search.history, None, 0
    counts: dict[int, int] = {}
    for k, child in history["root_child"].items():
        if child >= 0:
            counts[child] = counts.get(child, 0) + 1
            overtakes = counts[child] > most and child != leader
            if counts[child] > most:
                leader, most = child, counts[child]
        assert history.loc[k, "leader"] == (child >= 0 and overtakes)
