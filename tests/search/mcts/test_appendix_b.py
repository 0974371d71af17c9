"""The walk of appendix B of the thesis, with its own numbers: tables B.1 and B.2, figures B.2 to B.10."""

from __future__ import annotations

import pytest

from sokoviz.errors import ScriptError, SearchError
from sokoviz.games.tictactoe import TicTacToe
from sokoviz.search.contract import Moment
from sokoviz.search.mcts.search import MCTS
from sokoviz.search.options import Script
from tests.search.searching import THESIS

pytestmark = pytest.mark.kernels

TABLE_B1 = {1: 0, 2: -1, 3: 1, 4: 1, 5: -1, 6: 0, 7: 1, 8: 0, 9: -1}
TABLE_B2 = {1: 4.29, 2: 3.29, 3: 5.29, 4: 5.29, 5: 3.29, 6: 4.29, 7: 5.29, 8: 4.29, 9: 3.29}


@pytest.fixture
def search():
    """The thesis's search, before its first iteration."""
    return MCTS(TicTacToe(), c=2, seed=1, script=THESIS)


def test_figure_b2_the_bare_root(search):
    assert len(search.tree) == 1
    assert (search.tree[0].visits, search.tree[0].value) == (0, None)


def test_figures_b3_and_b4_the_first_simulation_is_a_draw_at_the_root(search):
    told = search.step()
    assert told.phases == ("selection", "simulation", "backpropagation")
    assert (told.leaf, told.simulation.node, told.simulation.reward, told.simulation.outcome) == (0, 0, 0, "draw")
    assert len(told.simulation.moves) == 9
    assert (search.tree[0].visits, search.tree[0].value) == (1, 0.0)
    assert len(search.tree) == 1


def test_figures_b5_to_b7_the_first_expansion_and_a_loss_for_x(search):
    search.run(iterations=1)
    told = search.step()
    assert told.phases == ("selection", "expansion", "simulation", "backpropagation")
    assert told.expansion.added == tuple(range(1, 10))
    assert (told.simulation.node, told.simulation.reward, told.simulation.outcome) == (2, -1, "O wins")
    assert (search.tree[2].visits, search.tree[2].value) == (1, -1.0)
    assert (search.tree[0].visits, search.tree[0].value) == (2, 0.5)
    assert [update.reward for update in told.backpropagation] == [-1, 1]


def test_figure_b8_and_table_b1(search):
    search.run(iterations=10)
    tree = search.tree
    assert len(tree) == 10
    assert {node: tree[node].value for node in range(1, 10)} == TABLE_B1
    assert [tree[node].visits for node in range(10)] == [10, *[1] * 9]
    assert tree[0].value == -sum(TABLE_B1.values()) / 10


def test_table_b2(search):
    search.run(iterations=10)
    scores = {candidate.node: candidate.score for candidate in search.candidates(0)}
    assert {node: round(score, 2) for node, score in scores.items()} == TABLE_B2


def test_the_tie_among_3_4_and_7_is_broken_at_random():
    taken = set()
    for seed in range(20):
        search = MCTS(TicTacToe(), c=2, seed=seed, script=THESIS)
        search.run(iterations=11)
        told = search.explain(11)
        assert told.events[0] == "tie"
        assert told.selection[0].tied == (3, 4, 7)
        assert {candidate.node: round(candidate.score, 2) for candidate in told.selection[0].candidates} == TABLE_B2
        assert told.leaf == told.selection[0].chosen
        assert told.expansion
        assert (told.expansion.node, len(told.expansion.added)) == (told.leaf, 8)
        taken.add(told.leaf)
    assert taken == {3, 4, 7}


@pytest.mark.parametrize("node", [3, 4, 7])
def test_the_tie_can_be_scripted_too(node):
    search = MCTS(TicTacToe(), script=Script((*THESIS.choices, node), THESIS.outcomes))
    search.run(iterations=11)
    assert search.explain(11).leaf == node


def test_the_final_move_is_the_most_visited_child(search):
    result = search.run(iterations=2000)
    visits = search.tree.visits[1:10]
    assert result.node == 1 + int(visits.argmax())
    assert result.move == search.tree.action_name(result.node)
    assert visits.sum() == 1999


# --- B.2: why values alternate ---------------------------------------------------------------------------------------


def first_visit_of(position, line, seed):
    """A search that has just simulated the node of a line of moves for the first time, and that iteration."""
    search = MCTS(TicTacToe(position), c=8, seed=seed)
    result = search.run(iterations=5000, until=lambda told: is_line(search, told, line))
    assert result.stopped_by == "until"
    return search, search.explain()


def is_line(search, told, line):
    """Whether an iteration simulates the node of a line of moves."""
    return len(told.backpropagation) == len(line) + 1 and search.tree_at(Moment(search.last)).line(
        told.simulation.node
    ) == tuple(line)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_figure_b9_a_win_for_x_lowers_its_parent_and_raises_the_one_above(seed):
    """X has Aa and Bb: after Ba (node 1) O does not look and plays Ab (node 2), and Cc (node 3) wins."""
    search, told = first_visit_of("X.O/.X./O..", ("Ba", "Ab", "Cc"), seed)
    assert (told.simulation.moves, told.simulation.outcome, told.simulation.player) == ((), "X wins", "X")
    assert "terminal" in told.events
    node_3, node_2, node_1, root = told.backpropagation
    assert [update.reward for update in told.backpropagation] == [1, -1, 1, -1]
    assert (node_3.value_before, node_3.value_after) == (None, 1.0)
    assert node_2.value_after < node_2.value_before or node_2.value_before == -1.0
    assert node_1.value_after > node_1.value_before or node_1.value_before == 1.0
    assert root.node == 0
    scores = {candidate.node: candidate.score for candidate in told.selection[1].candidates}
    after = {candidate.node: candidate.score for candidate in search.candidates(node_1.node)}
    assert after[node_2.node] < scores[node_2.node]


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_figure_b10_a_win_for_o_lowers_the_move_of_x_that_allowed_it(seed):
    """O has Ca and Cb: X plays Ba, O Ab, X does not look and plays Ac (node 3), and Cc (node 4) wins for O."""
    _, told = first_visit_of("X.O/.XO/...", ("Ba", "Ab", "Ac", "Cc"), seed)
    assert (told.simulation.moves, told.simulation.outcome, told.simulation.player) == ((), "O wins", "O")
    node_4, node_3 = told.backpropagation[:2]
    assert [update.reward for update in told.backpropagation] == [1, -1, 1, -1, 1]
    assert (node_4.value_before, node_4.value_after) == (None, 1.0)
    assert node_3.value_after < node_3.value_before or node_3.value_before == -1.0


def test_a_scripted_win_goes_up_with_alternating_signs():
    """X threatens both Ca and Ac once it has Aa: whichever O takes, X wins with the other one."""
    # Iteration 1 is the root. 2, 3 and 4 visit Ca, Ac and Aa (nodes 2, 3, 1), and only Aa wins. 5 and 6 visit the two
    # replies to it (nodes 5, 4), which tie; 7 takes node 5, and its only child is the end of the game.
    script = Script(choices=(2, 3, 1, 5, 4, 5, 6), outcomes=(None, 0, 0))
    search = MCTS(TicTacToe(".X./XOO/.OX"), c=0.5, script=script)
    search.run(iterations=7)
    told = search.explain()
    assert search.tree.line(6) == ("Aa", "Ac", "Ca")
    assert [(update.node, update.reward) for update in told.backpropagation] == [(6, 1), (5, -1), (1, 1), (0, -1)]
    assert told.simulation is not None
    assert (told.simulation.moves, told.simulation.outcome) == ((), "X wins")
    assert told.events == ("tie", "expansion", "terminal", "deeper")
    assert [search.tree[node].value for node in (6, 5, 4, 1)] == [1.0, -1.0, -1.0, 1.0]


# --- scripts that cannot happen --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("script", "message"),
    [
        (Script(choices=(10,)), "iteration 2: expected choice 1 of the script to be a node that could be drawn.* 10"),
        (Script(choices=(0,)), "iteration 2: expected choice 1 .* found node 0"),
        (Script(choices=(-5,)), "iteration 2: expected choice 1 .* found node -5"),
        (Script(choices=(2, 2)), "iteration 3: expected choice 2 .* found node 2"),
        (Script(choices=(2, 99)), "iteration 3: expected choice 2 .* found node 99"),
        (Script(outcomes=(2,)), "iteration 1: expected outcome 1 of the script to be possible; found 2"),
        (Script(outcomes=(None, None, 7)), "iteration 3: expected outcome 3 .* found 7"),
    ],
)
def test_scripts_that_cannot_happen_are_refused_and_undone(script, message):
    search = MCTS(TicTacToe(), seed=5, script=script)
    with pytest.raises(ScriptError, match=message):
        search.run(iterations=10)
    reached = search.last
    assert reached == int(message.split()[1].rstrip(":")) - 1
    with pytest.raises(ScriptError, match=message):
        search.step()
    search.goto(reached)
    assert search.tree.visits[0] == reached
    assert len(search.tree) == (10 if reached == 2 else 1)
    twin = MCTS(TicTacToe(), seed=5, script=Script(script.choices[: max(0, reached - 1)]))
    twin.run(iterations=reached)
    assert search.tree.to_frame().equals(twin.tree.to_frame())
    assert search.explain(reached).number == reached if reached else True


def test_a_game_that_is_lost_cannot_be_scripted_as_won():
    search = MCTS(TicTacToe("XXX/OO./..."), script=Script(outcomes=(-1,)))
    with pytest.raises(ScriptError, match="found -1, which no rollout gives there"):
        search.run(iterations=1)


@pytest.mark.parametrize("entries", [("a",), (1.5,), (True,), "12", 5, (2**70,), (-(2**62),)])
@pytest.mark.parametrize("name", ["choices", "outcomes"])
def test_what_is_no_number_is_no_script(name, entries):
    with pytest.raises(SearchError, match=f"{name} of a script"):
        Script(**{name: entries})


def test_a_script_is_a_script():
    with pytest.raises(SearchError, match="expected a Script"):
        MCTS(TicTacToe(), script=[2, 1])
    with pytest.raises(SearchError, match="journal"):
        MCTS(TicTacToe(), script=Script(outcomes=(0,)), journal=False)


def test_what_a_script_leaves_out_is_left_to_chance():
    """None draws as if there were no script."""
    free = MCTS(TicTacToe(), seed=8)
    gaps = MCTS(TicTacToe(), seed=8, script=Script((None,) * 30, (None,) * 30))
    free.run(iterations=60)
    gaps.run(iterations=60)
    assert gaps.tree.to_frame().equals(free.tree.to_frame())
    assert gaps.engine.machine.generator == free.engine.machine.generator
