"""Which child of the root is the move: each rule on trees made by hand."""

from __future__ import annotations

import pytest

from sokoviz.core.tree.arena import NODES, VISITS, add_node, append_child, begin_block, make_arena
from sokoviz.core.tree.formulas import UCT, make_formula
from sokoviz.errors import SearchError
from sokoviz.games.rules import legal_actions
from sokoviz.games.tictactoe import TicTacToe
from sokoviz.search.mcts.final_moves import expected_line, final_move
from sokoviz.search.mcts.search import MCTS
from sokoviz.search.mcts.views.tree import Tree
from sokoviz.search.options import FINAL_MOVES


def tree_of(*statistics, position=""):
    """A tree whose root has children with given visits and sums of rewards."""
    arena, game = make_arena(16), TicTacToe(position)
    grow(arena, 0, statistics, legal_actions(game, game.start()))
    return Tree(game, arena)


def grow(arena, node, statistics, actions):
    """Give a node children with given visits and sums."""
    begin_block(arena, node)
    for action, (visits, total) in zip(actions, statistics, strict=False):
        child = add_node(arena, node, action)
        arena.links[VISITS, child], arena.sums[child] = visits, total
        append_child(arena, make_formula(UCT, 1.0), node, child)
    return int(arena.counts[NODES])


@pytest.mark.parametrize("rule", FINAL_MOVES)
def test_there_is_no_move_before_a_child_was_visited(rule):
    assert final_move(tree_of(), rule) is None
    assert final_move(tree_of((0, 0), (0, 0)), rule) is None


@pytest.mark.parametrize("rule", FINAL_MOVES)
def test_unvisited_children_are_never_the_move(rule):
    assert final_move(tree_of((0, 0), (3, -3), (0, 0)), rule) == 2


def test_most_visited():
    assert final_move(tree_of((5, 5), (9, -9), (8, 8)), "most visited") == 2


def test_most_visited_prefers_the_higher_value_and_then_the_lower_number():
    assert final_move(tree_of((7, 1), (7, 2), (7, 2)), "most visited") == 2


def test_highest_value():
    assert final_move(tree_of((5, 5), (90, 89), (8, 7)), "highest value") == 1


def test_highest_value_prefers_more_visits_and_then_the_lower_number():
    assert final_move(tree_of((2, 1), (4, 2), (8, 4), (8, 4)), "highest value") == 3


def test_max_robust_has_both():
    assert final_move(tree_of((5, 4), (9, 9), (9, 8)), "max-robust") == 2
    assert final_move(tree_of((9, 4), (9, 9), (5, 5)), "max-robust") == 2


def test_max_robust_is_the_most_visited_where_no_child_has_both():
    assert final_move(tree_of((5, 5), (9, 3), (8, 7)), "max-robust") == 2
    assert final_move(tree_of((5, 5), (9, 3), (9, 4)), "max-robust") == 3


def test_secure_distrusts_few_visits():
    """1 - 1/sqrt(4) = 0.5 and 0.9 - 1/sqrt(100) = 0.8; 0 - 1/sqrt(10000) = -0.01."""
    assert final_move(tree_of((4, 4), (100, 90), (10_000, 0)), "secure") == 2
    assert final_move(tree_of((1, 1), (10_000, 99)), "secure") == 1
    assert final_move(tree_of((1, 1), (400, 40)), "secure") == 2


def test_the_four_rules_can_all_differ():
    tree = tree_of((100, -20), (4, 4), (60, 50), (99, 40))
    assert [final_move(tree, rule) for rule in FINAL_MOVES] == [1, 2, 1, 3]


def test_the_expected_line_follows_the_most_visited():
    arena = make_arena(32)
    grow(arena, 0, [(4, 4), (9, 1)], [0, 1])
    grow(arena, 2, [(1, 1), (5, 0), (3, 3)], [0, 2, 3])
    grow(arena, 4, [(0, 0), (0, 0)], [0, 3])
    tree = Tree(TicTacToe(), arena)
    assert expected_line(tree, 2) == tree.line(4)
    assert expected_line(tree, 1) == ("Aa",)
    assert expected_line(tree, None) == ()


@pytest.mark.parametrize("rule", FINAL_MOVES)
def test_a_win_at_once_comes_before_any_rule(rule):
    """Aa wins in any case, for it threatens both Ca and Cc; but Ca wins now."""
    tree = tree_of((50, 50), (49, 49), (2, 0), position=".O./OXX/XO.")
    assert [tree.action_name(node) for node in (1, 2)] == ["Aa", "Ca"]
    assert final_move(tree, rule) == 2


def test_a_win_at_once_is_not_taken_where_another_child_is_worth_more():
    """Rewards of three and more: a game that ends with a little is not better than one that goes on with much."""
    tree = tree_of((50, 90), (49, 49), (2, 0), position=".O./OXX/XO.")
    assert final_move(tree, "most visited") == 1
    assert tree.is_over(2)
    assert not tree.is_over(1)


@pytest.mark.parametrize("rule", FINAL_MOVES)
def test_a_search_uses_its_rule(rule):
    search = MCTS(TicTacToe("X.O/.X./..O"), final_move=rule, c=0.3, seed=2)
    result = search.run(iterations=60)
    assert result.node == final_move(search.tree, rule)
    assert result.move == search.tree.action_name(result.node or 0)
    assert result.line == expected_line(search.tree, result.node)


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("most visits", "did you mean 'most visited'"),
        ("max robust", "did you mean 'max-robust'"),
        ("best", "found 'best'$"),
    ],
)
def test_other_rules_are_refused(name, hint):
    with pytest.raises(SearchError, match=f"expected a final move out of 'most visited', .*{hint}"):
        MCTS(TicTacToe(), final_move=name)


def test_a_move_is_named_as_people_name_it():
    search = MCTS(TicTacToe("XX./OO./..."), seed=1)
    result = search.run(iterations=200)
    assert (result.move, result.line[0]) == ("Ca", "Ca")
    assert search.tree.state(result.node or 0).tolist() == [0b111, 0b011000]
    assert result.value == 1.0
