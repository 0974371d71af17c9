"""Every number of an explanation is the twin's, and the one in the tree before or after."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sokoviz.errors import SearchError
from sokoviz.games.tictactoe import TicTacToe
from sokoviz.search.mcts import engine as engines
from sokoviz.search.mcts.search import MCTS
from sokoviz.search.mcts.views import explanation
from tests.games.digits import Digits
from tests.search.searching import (
    THESIS,
    assert_same,
    assert_same_record,
    boards,
    constants,
    digits,
    everything_of,
    seeds,
    selections,
    text_of,
    tic_tac_toe,
)
from tests.twins import naive_games

pytestmark = pytest.mark.kernels

CELLS = ["Aa", "Ba", "Ca", "Ab", "Bb", "Cb", "Ac", "Bc", "Cc"]


def cell_name(cell):
    """What Tic-Tac-Toe calls a cell."""
    return CELLS[cell]


def outcome_name(board):
    """How the twin's game has ended, in words."""
    mark = naive_games.winner(board)
    return f"{mark} wins" if mark else "draw"


# --- against the twin ------------------------------------------------------------------------------------------------


@settings(max_examples=40)
@given(seeds, constants, selections, boards, st.integers(min_value=1, max_value=60))
def test_two_players_as_the_twin_has_it(seed, c, selection, board, n):
    search, twin = tic_tac_toe(text_of(board), seed=seed, c=c, selection=selection)
    search.run(iterations=n)
    made = [twin.iterate() for _ in range(n)]
    for k in {1, 2, n // 2 + 1, n} & set(range(1, n + 1)):
        compare(search.explain(k), k, made[k - 1], cell_name)
        told = search.explain(k).simulation
        assert told.outcome == outcome_name(made[k - 1].end)
        assert told.player == mover(made[k - 1].simulated)


def mover(node):
    """Who moved into a twin's node; at the root, who is not to move, as long as the game goes on there."""
    if node.parent:
        return naive_games.player(node.parent.board)
    return {"X": "O", "O": "X"}[naive_games.player(node.board)] if naive_games.actions(node.board) else ""


@settings(max_examples=20)
@given(seeds, constants, selections, st.integers(min_value=1, max_value=60))
def test_one_player_as_the_twin_has_it(seed, c, selection, n):
    search, twin = digits(4, seed=seed, c=c, selection=selection)
    search.run(iterations=n)
    made = [twin.iterate() for _ in range(n)]
    for k in {1, 2, n // 2 + 1, n} & set(range(1, n + 1)):
        compare(search.explain(k), k, made[k - 1], str)
        told = search.explain(k).simulation
        assert (told.outcome, told.player) == (f"reward {made[k - 1].reward}", "")


def compare(told, number, made, name):
    """An explanation says what the twin did."""
    assert told.number == number
    assert told.leaf == made.leaf.number
    assert told.path == (0, *(step.chosen.number for step in made.steps))
    assert told.events == made.events
    assert len(told.selection) == len(made.steps)
    for choice, step in zip(told.selection, made.steps, strict=True):
        compare_step(choice, step, name)
    if made.added:
        assert told.expansion.node == made.leaf.number
        assert told.expansion.added == tuple(node.number for node in made.added)
        assert told.expansion.actions == tuple(name(node.action) for node in made.added)
        assert told.expansion.drawn == made.simulated.number
    else:
        assert told.expansion is None
    assert told.phases == ("selection", *(("expansion",) if made.added else ()), "simulation", "backpropagation")
    assert told.simulation.node == made.simulated.number
    assert told.simulation.moves == tuple(map(name, made.moves))
    assert told.simulation.reward == made.reward
    assert len(told.backpropagation) == len(made.changes)
    for update, change in zip(told.backpropagation, made.changes, strict=True):
        compare_update(update, change)


def compare_step(choice, step, name):
    """A step of selection is the twin's."""
    assert (choice.node, choice.visits, choice.chosen) == (step.node.number, step.visits, step.chosen.number)
    assert choice.tied == (tuple(node.number for node in step.best) if len(step.best) > 1 else ())
    assert choice.winner.node == step.chosen.number
    assert choice.is_tie == (len(step.best) > 1 and choice.winner.score < math.inf)
    assert len(choice.candidates) == len(step.scored)
    for candidate, scored in zip(choice.candidates, step.scored, strict=True):
        assert (candidate.node, candidate.visits) == (scored.child.number, scored.visits)
        assert candidate.action == name(scored.child.action)
        assert candidate.value == candidate.exploitation == scored.exploitation
        assert candidate.score == scored.score
        assert candidate.exploration == pytest.approx(scored.exploration, abs=1e-12)
        assert (candidate.unit is None) == (scored.visits == 0)


def compare_update(update, change):
    """What backpropagation did to a node is what the twin did."""
    assert (update.node, update.reward) == (change.node.number, change.reward)
    assert (update.visits_before, update.visits_after) == (change.visits, change.visits + 1)
    assert update.value_before == (change.total / change.visits if change.visits else None)
    assert update.value_after == (change.total + change.reward) / (change.visits + 1)


# --- against the tree ------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def search():
    """A search of some depth from the middle of a game."""
    made = MCTS(TicTacToe("X.O/.../..."), seed=11, c=0.7)
    made.run(iterations=800)
    return made


@pytest.mark.parametrize("k", [1, 2, 3, 50, 333, 334, 799, 800])
def test_numbers_are_those_of_the_trees_before_and_after(search, k):
    told = search.explain(k)
    search.goto(k - 1)
    before = search.tree
    search.goto(k)
    after = search.tree
    for choice in told.selection:
        assert choice.visits == before.visits[choice.node]
        assert tuple(candidate.node for candidate in choice.candidates) == before.children(choice.node)
        for candidate in choice.candidates:
            assert candidate.visits == before.visits[candidate.node]
            assert candidate.action == before.action_name(candidate.node)
            if candidate.visits:
                assert candidate.value == before.values[candidate.node]
                assert candidate.score == pytest.approx(candidate.exploitation + candidate.exploration)
                assert candidate.exploration == pytest.approx(0.7 * candidate.unit)
                root = math.sqrt(2 * math.log(choice.visits) / candidate.visits)
                assert candidate.unit == pytest.approx(root)
    for update in told.backpropagation:
        was = before.visits[update.node] if update.node < len(before) else 0
        assert (update.visits_before, update.visits_after) == (was, after.visits[update.node])
        assert update.value_after == after.values[update.node]
        if was:
            assert update.value_before == before.values[update.node]
    path = [update.node for update in told.backpropagation]
    assert tuple(reversed(path)) == after.path(told.simulation.node)
    untouched = np.setdiff1d(np.arange(len(before)), path)
    assert np.array_equal(before.visits[untouched], after.visits[untouched])
    assert np.array_equal(before.sums[untouched], after.sums[untouched])
    added = told.expansion.added if told.expansion else ()
    assert added == tuple(range(len(before), len(after)))
    assert all(after.parents[node] == told.expansion.node for node in added)


def test_rollouts_are_games_that_can_be_played_and_end_as_told(search):
    lengths = set()
    for k in range(1, 800, 23):
        told = search.explain(k).simulation
        board = naive_games.read("X.O/.../...")
        for name in search.tree_at(type(search.moment)(800)).line(told.node):
            board = naive_games.after(board, CELLS.index(name))
        player = mover_on(board)
        for name in told.moves:
            assert CELLS.index(name) in naive_games.actions(board)
            board = naive_games.after(board, CELLS.index(name))
        assert naive_games.actions(board) == []
        assert told.outcome == outcome_name(board)
        assert told.player == player
        assert told.reward == {None: 0, player: 1}.get(naive_games.winner(board), -1)
        lengths.add(len(told.moves))
    assert {0, 3} <= lengths


def mover_on(board):
    """Who made the last move on a board."""
    return {"X": "O", "O": "X"}[naive_games.player(board)]


def test_candidates_are_what_the_next_selection_sees(search):
    for k in (2, 40, 400, 799):
        told = search.explain(k + 1)
        search.goto(k)
        for choice in told.selection:
            assert search.candidates(choice.node) == choice.candidates
    assert search.candidates(told.leaf) == () or told.expansion is None


# --- what it leaves alone --------------------------------------------------------------------------------------------


def test_explaining_neither_moves_the_search_nor_changes_it():
    search, straight = (MCTS(TicTacToe(), seed=4, script=THESIS) for _ in range(2))
    search.run(iterations=90)
    straight.run(iterations=90)
    for moment in ((90, ""), (37, ""), (10, "expansion"), (0, "")):
        search.goto(*moment)
        straight.goto(*moment)
        before = everything_of(search)
        for k in (1, 2, 11, 50, 90):
            assert search.explain(k).number == k
        search.candidates(0)
        assert search.moment == moment
        for mine, yours in zip(everything_of(search), before, strict=True):
            assert np.array_equal(mine, yours)
        assert_same(search, straight)
        assert_same_record(search, straight)


def test_an_iteration_is_explained_alike_from_everywhere():
    search = MCTS(TicTacToe(), seed=4)
    early = [search.step() for _ in range(30)]
    search.run(iterations=500)
    search.goto(17)
    assert [search.explain(k) for k in range(1, 31)] == early


def test_without_a_number_the_iteration_that_is_shown_is_explained():
    search = MCTS(TicTacToe(), seed=4)
    search.run(iterations=9)
    assert search.explain().number == 9
    search.goto(5)
    assert search.explain().number == 5
    search.goto(5, "selection")
    assert search.explain().number == 6


@pytest.mark.parametrize("number", [0, -1, 31])
def test_iterations_that_were_not_made_are_refused(number):
    search = MCTS(TicTacToe())
    search.run(iterations=30)
    with pytest.raises(SearchError, match=f"from 1 to 30.*found {number}"):
        search.explain(number)


def test_nothing_is_explained_before_the_first_iteration():
    with pytest.raises(SearchError, match="found 0"):
        MCTS(TicTacToe()).explain()


def test_candidates_of_a_node_that_is_not_there_are_refused():
    search = MCTS(TicTacToe())
    search.run(iterations=30)
    search.goto(5)
    for node in (-1, 10):
        with pytest.raises(SearchError, match=f"node from 0 to 9, found {node}"):
            search.candidates(node)


def test_long_selections_are_explained_whole(monkeypatch):
    """More scores than there is room for at first."""
    whole = MCTS(TicTacToe(), seed=2, c=0.1)
    whole.run(iterations=3000)
    deep = next(k for k in range(3000, 0, -1) if len(whole.explain(k).selection) >= 4)
    monkeypatch.setattr(engines, "N_DETAILED_SCORES", 2)
    short = MCTS(TicTacToe(), seed=2, c=0.1)
    short.run(iterations=3000)
    assert short.explain(deep) == whole.explain(deep)


# --- in words --------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def thesis():
    """The thesis's own course of events, and an eleventh iteration that takes node 7."""
    made = MCTS(TicTacToe(), script=type(THESIS)(choices=(*THESIS.choices, 7), outcomes=THESIS.outcomes))
    made.run(iterations=11)
    return made


def test_the_tie_of_the_thesis_in_words(thesis):
    told = dict(thesis.explain(11).sentences)
    assert "node 7 leads with UCT 5.29 = 1.00 + 4.29" in told["selection"]
    assert "ties with 3 and 4 and was drawn at random" in told["selection"]
    assert "Node 7 has been visited before, so it gets 8 children, nodes 10 to 17" in told["expansion"]
    assert str(thesis.explain(11)).startswith("Iteration 11\n  Selection: node 7 leads")


def test_the_first_two_iterations_of_the_thesis_in_words(thesis):
    first, second = (dict(thesis.explain(k).sentences) for k in (1, 2))
    assert "root" in first["selection"]
    assert "expansion" not in first
    assert "draw. Reward 0 for O, by whose eyes the root is seen" in first["simulation"]
    assert "the root gets 0, value – → 0.00 after 1 visit." in first["backpropagation"]
    assert "9 children, nodes 1 to 9" in second["expansion"]
    assert "node 2" in second["expansion"]
    assert "O wins. Reward −1 for X, who moved to node 2." in second["simulation"]
    assert "node 2 gets −1, value – → −1.00 after 1 visit" in second["backpropagation"]
    assert "the root gets +1, value 0.00 → 0.50 after 2 visits" in second["backpropagation"]


def test_unvisited_children_in_words(thesis):
    told = [dict(thesis.explain(k).sentences)["selection"] for k in range(3, 11)]
    assert told[0] == "node 1 is drawn at random (scripted) from the 8 children without visits."
    assert told[-2] == "node 8 is drawn at random (scripted) from the 2 children without visits."
    assert told[-1] == "node 9 is the one child without visits."


def test_one_child_and_the_end_of_the_game_in_words():
    search = MCTS(TicTacToe("XOX/OXO/OX."))
    search.run(iterations=3)
    second, third = (dict(search.explain(k).sentences) for k in (2, 3))
    assert "it gets a child, node 1." in second["expansion"]
    assert "The game is over at node 1, so there is nothing to play: X wins. Reward +1 for X" in second["simulation"]
    assert third["selection"] == "node 1 is the only child."
    assert "The game is over at node 1, so it gets no children: X wins." in third["simulation"]


def test_one_player_in_words():
    search = MCTS(Digits(4), seed=1)
    search.run(iterations=6)
    told = search.explain(6)
    reward = told.backpropagation[0].reward
    assert f"reward {reward}. Reward {'+' if reward else ''}{reward}." in dict(told.sentences)["simulation"]


def spoken(value):
    """A number with two places and a real minus sign, and no sign where it is nothing."""
    text = f"{value:.2f}".replace("-", "−")
    return "0.00" if text == "−0.00" else text


def test_numbers_in_words_are_those_of_the_explanation(search):
    for k in range(3, 800, 37):
        told = search.explain(k)
        words, first, last = dict(told.sentences), told.selection[0], told.backpropagation[-1]
        if first.winner.visits:
            split = f"{spoken(first.winner.exploitation)} + {spoken(first.winner.exploration)}"
            assert f"node {first.chosen} leads with UCT {spoken(first.winner.score)} = {split}" in words["selection"]
        if any(choice.tied for choice in told.selection[:2]):
            assert "drawn at random" in words["selection"]
        change = f"value {spoken(last.value_before)} → {spoken(last.value_after)} after {k} visits"
        assert change in words["backpropagation"]
        assert all(move in words["simulation"] for move in told.simulation.moves)
        assert told.simulation.outcome in words["simulation"]


def test_what_a_script_decided_is_said_and_what_chance_did_too(thesis):
    second, third, eleventh = (thesis.explain(k) for k in (2, 3, 11))
    assert second.expansion.by_script
    assert third.selection[0].by_script
    assert not eleventh.expansion.by_script
    assert "drawn at random (scripted)" in dict(third.sentences)["selection"]
    assert "(scripted)" not in dict(eleventh.sentences)["expansion"]


def test_markdown_has_the_sentences_and_no_markup_of_others(thesis):
    text = thesis.explain(11)._repr_markdown_()
    assert text.startswith("**Iteration 11**")
    assert "5.29 = 1.00 + 4.29" in text
    assert explanation._escaped("<b>*x*</b>") == "&#60;b&#62;&#42;x&#42;&#60;/b&#62;"
