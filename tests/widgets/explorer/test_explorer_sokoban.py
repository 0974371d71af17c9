"""The explorer of a search of Sokoban in Python: subtree moves, duplicates and eliminations on display."""

import pytest

import sokoviz as sv
from sokoviz.games.sokoban import Sokoban
from sokoviz.search.contract import Moment
from sokoviz.search.loading import prepare
from sokoviz.search.mcts.views.drawing import ELIMINATED, MOVED, NEW
from sokoviz.search.mcts.views.narration import MOST_SUCCESSORS_TOLD
from sokoviz.search.mcts.views.view import View
from sokoviz.widgets.explorer.frames import unpack_arrays
from tests.search.schokoban.schokobans import IN_AND_OUT, IN_AND_OUT_OPTIONS
from tests.widgets.explorer.exploring import go_to, send, shown, step, words

NO_WAY = "######\n#@ $ #\n#  #.#\n######"


@pytest.fixture(autouse=True, scope="module")
def _loaded():
    """The kernels are there: what an explorer shows before that is tested elsewhere."""
    prepare(Sokoban(NO_WAY))


def flagged(explorer, bit):
    """Nodes that are drawn with a flag."""
    arrays = unpack_arrays(explorer.tree)
    return set(arrays["ids"][(arrays["flags"] & bit) > 0].tolist())


def links(explorer, role):
    return [link[:2] for link in explorer.tree["marks"]["links"] if link[2] == role]


@pytest.fixture
def search():
    """Lesson 7 to its solution: moves, eliminations, duplicates, deadlocks."""
    search = sv.Schokoban(sv.load("lessons#7"), seed=1)
    search.run(progress=False)
    return search


# --- marks -----------------------------------------------------------------------------------------------------------


def test_a_subtree_move_shows_where_it_was_and_where_it_is(search):
    explorer = search.explore()
    iteration = go_to(search, "move", "expansion")
    (move,) = iteration.expansion.moved
    assert links(explorer, "dead") == [[move.former, move.node]]
    assert links(explorer, "new") == [[iteration.leaf, move.node]]
    assert flagged(explorer, MOVED) == {move.node}
    assert flagged(explorer, NEW) == set(iteration.expansion.added)
    assert {move.former, move.node, iteration.leaf} <= set(shown(explorer))
    assert explorer.tree["marks"]["path"] == list(iteration.path)


def test_duplicates_are_tied_to_the_nodes_that_have_their_positions(search):
    explorer = search.explore()
    iteration = go_to(search, "duplicate", "expansion")
    known = [each.node for each in iteration.expansion.left_out if each.node is not None]
    assert known
    assert links(explorer, "context") == [[iteration.leaf, node] for node in known]
    assert set(known) <= set(shown(explorer))


@pytest.mark.parametrize("phase", ["selection", "simulation", "backpropagation"])
def test_links_belong_to_expansion_alone(search, phase):
    explorer = search.explore()
    go_to(search, "move", phase)
    assert explorer.tree["marks"]["links"] == []


def test_in_elimination_the_chain_is_still_there_and_marked_and_then_gone(search):
    explorer = search.explore()
    history = search.history
    numbers = [int(k) for k in history.index[history["elimination"]] if len(search.explain(int(k)).elimination) > 1]
    iteration = search.explain(numbers[0])
    search.goto(iteration.number - 1, "elimination")
    assert flagged(explorer, ELIMINATED) == set(iteration.elimination)
    assert explorer.node == iteration.elimination[0]
    step(explorer)
    assert explorer.iteration == iteration.number
    assert not set(iteration.elimination) & set(shown(explorer))
    step(explorer, direction=-1)
    assert flagged(explorer, ELIMINATED) == set(iteration.elimination)


def test_a_parent_that_a_move_eliminates_is_drawn_with_the_move_and_not_after():
    search = sv.Schokoban(IN_AND_OUT, **IN_AND_OUT_OPTIONS)  # type: ignore[arg-type]
    explorer = search.explore()
    search.run(iterations=37, progress=False)
    expansion = search.explain(37).expansion
    assert expansion is not None
    gone = {node for move in expansion.moved for node in move.eliminated}
    for phase, is_there in (("expansion", True), ("simulation", False), ("backpropagation", False)):
        search.goto(36, phase)
        assert explorer.trouble["summary"] == ""
        assert flagged(explorer, ELIMINATED) == gone & set(shown(explorer)) == (gone if is_there else set())
    search.goto(36, "expansion")
    formers = {move.former for move in expansion.moved} & gone
    assert formers
    assert formers <= {link[0] for link in links(explorer, "dead")}
    assert set(expansion.added) <= set(shown(explorer))
    assert set(explorer.tree["marks"]["eliminated"]) == gone


def test_drawing_what_a_move_eliminated_leaves_the_search_as_it_was():
    search = sv.Schokoban(IN_AND_OUT, **IN_AND_OUT_OPTIONS)  # type: ignore[arg-type]
    search.run(iterations=37, progress=False)
    moment = Moment(36, "expansion")
    before = search.tree_at(moment)
    search.draw(moment, View())
    after = search.tree_at(moment)
    assert [before[node] for node in range(len(before))] == [after[node] for node in range(len(after))]
    search.goto(0)
    assert len(search.tree) == 1


def test_only_what_moved_and_the_path_is_named_in_full_and_duplicates_by_both_depths(search):
    explorer = search.explore()
    iteration = go_to(search, "move", "expansion")
    (move,) = iteration.expansion.moved
    labels = dict(explorer.tree["marks"]["labels"])
    known = [each.node for each in iteration.expansion.left_out if each.node is not None]
    deep = [node for node in known if search.tree.depths[node] > 1 and node not in iteration.path]
    assert deep
    depths = {each.node: f"depth {each.known_depth} ≤ {each.depth}" for each in iteration.expansion.left_out}
    told, untold = known[:MOST_SUCCESSORS_TOLD], known[MOST_SUCCESSORS_TOLD:]
    assert all(labels[node] == f"{node} · {depths[node]}" for node in told)
    assert not [node for node in untold if node in deep and node in labels]
    assert all(str(node) in words(explorer) for node in told)
    assert labels[move.node] == f"{move.node} · {search.tree.action_name(move.node)}"
    assert labels[move.former].startswith(f"{move.former} · ")


def test_nodes_are_counted_without_those_that_were_eliminated(search):
    explorer = search.explore()
    n_hidden = int(unpack_arrays(explorer.tree)["hidden"].sum())
    assert explorer.tree["n_nodes"] == len(shown(explorer)) + n_hidden < len(search.tree)
    assert f"{len(search.tree)} nodes made so far" in words(explorer)
    send(explorer, "find", text=str(len(search.tree) - 1))
    assert explorer.node == len(search.tree) - 1


# --- words -----------------------------------------------------------------------------------------------------------


def test_an_iteration_without_a_reward_is_told_and_lit(search):
    explorer = search.explore()
    iteration = next(each for each in map(search.explain, range(1, search.last)) if each.simulation is None)
    search.goto(iteration.number - 1)
    seen = []
    for _ in range(3):
        step(explorer)
        seen.append((explorer.story["heading"], explorer.story["state"]))
    assert seen == [("Selection", "select"), ("Expansion", "expand"), ("Elimination", "eliminate")]
    assert explorer.story["phases"] == ["selection", "expansion", "elimination"]
    assert words(explorer).startswith(f"Node {iteration.leaf} has no children, so it is eliminated")


def test_the_summary_tells_of_the_solution_only_where_it_is_found(search):
    explorer = search.explore()
    assert "solved in 8 pushes" in words(explorer)
    step(explorer, "iteration", -1)
    assert "solved" not in words(explorer)
    assert "the move would be" in words(explorer)


def test_only_searches_that_eliminate_say_so(search):
    assert search.explore().about["eliminates"] is True
    assert sv.MCTS(sv.TicTacToe()).explore().about["eliminates"] is False


def test_an_unsolvable_level_ends_with_a_word_and_no_error():
    search = sv.Schokoban(NO_WAY)
    explorer = search.explore()
    for _ in range(12):
        step(explorer)
    assert (explorer.iteration, explorer.phase, search.last) == (2, "", 2)
    assert "proven unsolvable" in words(explorer)
    assert "nothing is left to search" in explorer.record["text"]
    step(explorer, "iteration")
    assert explorer.iteration == 2
    step(explorer, direction=-1)
    assert explorer.phase == "elimination"


def test_playing_ends_where_nothing_is_left():
    search = sv.Schokoban(NO_WAY)
    explorer = search.explore()
    search.run(progress=False)
    explorer.playing = True
    send(explorer, "next", frame=explorer.tree["frame"])
    assert explorer.playing is False


def test_kernels_are_loaded_on_any_level():
    for text in (NO_WAY, "#####\n#@ *#\n#####", "#######\n#@ $ .#\n#######"):
        prepare(Sokoban(text))  # raises where a level ends too soon


# --- selecting -------------------------------------------------------------------------------------------------------


def test_a_square_selects_the_child_that_the_push_leads_to(search):
    explorer = search.explore()
    send(explorer, "select", node=0)
    row, column = explorer.position["clickable"][0]
    send(explorer, "square", square=[row, column])
    assert explorer.node in search.tree.children(0)
    push = search.game.push_of(search.action(explorer.node))
    assert tuple(push.target) == (row, column)


def test_a_selected_node_that_is_eliminated_gives_way_to_the_root(search):
    explorer = search.explore()
    node = go_to(search, "elimination", "elimination").elimination[0]
    send(explorer, "select", node=node)
    assert (explorer.node, explorer.position["caption"].startswith(f"node {node} ")) == (node, True)
    step(explorer)
    assert explorer.node == 0
    send(explorer, "find", text=str(node))
    assert explorer.node == 0
    assert f"Node {node} is not in the tree any more" in explorer.record["text"]
    step(explorer, direction=-1)
    send(explorer, "find", text=str(node))
    assert (explorer.node, explorer.record["text"]) == (node, "")


def test_every_node_can_be_selected_at_any_moment(search):
    explorer = search.explore()
    for moment in (0, 101, 215, search.last):
        search.goto(moment)
        for node in range(0, len(search.tree), 40):
            send(explorer, "select", node=node)
            assert explorer.node in {0, node}
            assert explorer.children["title"]


def test_unfolding_what_is_eliminated_later_does_no_harm(search):
    explorer = search.explore()
    iteration = go_to(search, "elimination", "elimination")
    for node in (*iteration.path, *iteration.elimination):
        send(explorer, "unfold", node=node)
    step(explorer)
    assert not set(iteration.elimination) & set(shown(explorer))


# --- long walks ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("solver", [sv.Schokoban, sv.Vanillaban])
@pytest.mark.parametrize(("number", "options"), [(5, {}), (7, {"preset": "text"}), (12, {"preset": "best"})])
def test_three_hundred_phases_forwards_and_back(solver, number, options):
    search = solver(sv.load(f"lessons#{number}"), seed=1, **options)
    explorer = search.explore()
    seen = [(search.moment, words(explorer), shown(explorer))]
    for _ in range(300):
        step(explorer)
        seen.append((search.moment, words(explorer), shown(explorer)))
    end = search.moment
    for moment, _, nodes in reversed(seen[:-1]):
        step(explorer, direction=-1)
        assert (search.moment, shown(explorer)) == (moment, nodes)
    search.goto(*end)
    assert (words(explorer), shown(explorer)) == seen[-1][1:]


@pytest.mark.parametrize(("event", "phase"), [("move", "expansion"), ("elimination", "elimination"), ("solution", "")])
def test_pictures_of_such_moments(search, event, phase):
    explorer = search.explore()
    go_to(search, event, phase)
    picture = explorer.to_svg()
    assert str(picture).startswith("<svg")
    assert "NaN" not in str(picture)


def test_on_a_long_path_values_that_change_are_written_at_its_ends():
    search = sv.Schokoban("#" * 36 + "\n#@ $" + " " * 30 + ".#\n" + "#" * 36, seed=1)
    search.run(iterations=60, progress=False)
    longest = max(range(1, search.last + 1), key=lambda number: len(search.explain(number).backpropagation))
    updated = [update.node for update in search.explain(longest).backpropagation]
    explorer = search.explore()
    search.goto(longest - 1, "backpropagation")
    assert len(updated) > 24
    changes = [change["node"] for change in explorer.tree["marks"]["changes"]]
    assert changes == updated[:12] + updated[-12:]
