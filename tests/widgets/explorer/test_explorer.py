"""The explorer's Python side: what it shows at each moment, and how it answers the page."""

import json
import threading
import time

import numpy as np
import pytest

import sokoviz as sv
from sokoviz.search.loading import prepare
from sokoviz.widgets.explorer.frames import unpack_arrays
from sokoviz.widgets.explorer.widget import Explorer
from tests.widgets.explorer.exploring import send, step, wait_for, words


@pytest.fixture(autouse=True, scope="module")
def _loaded():
    """The kernels are there: compiling them takes longer than any of these tests waits."""
    prepare(sv.TicTacToe())


@pytest.fixture
def search():
    return sv.MCTS(sv.TicTacToe(), seed=1)


@pytest.fixture
def thesis():
    """The course of events of appendix B."""
    script = sv.Script(choices=[2, 1, 3, 4, 5, 6, 7, 8, 9, 7], outcomes=[0, -1, 0, 1, 1, -1, 0, 1, 0, -1])
    return sv.MCTS(sv.TicTacToe(), c=2, script=script)


# --- moments ---------------------------------------------------------------------------------------------------------


def test_it_steps_by_phases_and_back(search):
    explorer = search.explore()
    seen = [(explorer.iteration, explorer.phase)]
    for _ in range(9):
        step(explorer)
        seen.append((explorer.iteration, explorer.phase))
    assert seen == [
        *[(0, ""), (0, "selection"), (0, "simulation"), (0, "backpropagation"), (1, "")],
        *[(1, "selection"), (1, "expansion"), (1, "simulation"), (1, "backpropagation"), (2, "")],
    ]
    for moment in reversed(seen[:-1]):
        step(explorer, direction=-1)
        assert (explorer.iteration, explorer.phase) == moment
    step(explorer, direction=-1)
    assert (explorer.iteration, explorer.phase) == (0, "")


def test_it_steps_by_iterations_and_searches_on_at_the_end(search):
    explorer = search.explore()
    step(explorer, "iteration")
    step(explorer, "phase")
    step(explorer, "iteration")
    assert (explorer.iteration, explorer.phase, search.last) == (2, "", 2)
    step(explorer, "phase")
    step(explorer, "iteration", -1)
    assert (explorer.iteration, explorer.phase) == (2, "")
    step(explorer, "iteration", -1)
    assert (explorer.iteration, search.last) == (1, 3)


def test_the_traits_follow_the_search_and_the_search_the_traits(search):
    explorer = search.explore()
    search.run(iterations=20)
    assert (explorer.iteration, explorer.record["last"]) == (20, 20)
    search.goto(7, "simulation")
    assert (explorer.iteration, explorer.phase) == (7, "simulation")
    explorer.iteration = 12
    assert search.steps == 12
    explorer.phase = "backpropagation"
    assert search.moment == (12, "backpropagation")
    explorer.node = 3
    assert explorer.children["node"] in {0, 3}
    assert explorer.position["caption"].startswith("node 3")


def test_two_explorers_of_one_search_show_the_same_moment(search):
    one, other = search.explore(), search.explore()
    step(one, "iteration")
    assert (other.iteration, other.story) == (1, one.story)


def test_explorers_of_two_searches_do_not_meet(search):
    one, other = search.explore(), sv.MCTS(sv.TicTacToe(), seed=2).explore()
    step(one, "iteration")
    assert (one.iteration, other.iteration) == (1, 0)


# --- the tree --------------------------------------------------------------------------------------------------------


def test_the_tree_is_the_one_at_the_moment(search):
    explorer = search.explore()
    search.run(iterations=30)
    for iteration, phase in ((0, ""), (1, "expansion"), (12, "selection"), (29, "backpropagation"), (30, "")):
        search.goto(iteration, phase)
        tree = search.tree
        nodes = unpack_arrays(explorer.tree)["ids"]
        assert explorer.tree["n_nodes"] == len(tree)
        assert unpack_arrays(explorer.tree)["visits"].tolist() == tree.visits[nodes].tolist()
        np.testing.assert_allclose(unpack_arrays(explorer.tree)["values"], tree.values[nodes], rtol=1e-6)
        parents = unpack_arrays(explorer.tree)["parents"]
        assert [nodes[parent] if parent >= 0 else -1 for parent in parents] == tree.parents[nodes].tolist()


def test_a_large_tree_is_folded_and_unfolds(search):
    explorer = search.explore()
    search.run(iterations=3000)
    nodes, hidden = unpack_arrays(explorer.tree)["ids"], unpack_arrays(explorer.tree)["hidden"]
    assert len(nodes) <= 400
    assert len(nodes) + hidden.sum() == explorer.tree["n_nodes"]
    folded = int(nodes[np.argmax(hidden)])
    children = search.tree.children(folded)
    assert not set(children) <= set(nodes.tolist())
    send(explorer, "unfold", node=folded)
    assert set(children) <= set(unpack_arrays(explorer.tree)["ids"].tolist())
    send(explorer, "fold")
    assert unpack_arrays(explorer.tree)["ids"].tolist() == nodes.tolist()


def test_filters_by_depth_and_visits_spare_the_path(search):
    explorer = search.explore()
    search.run(iterations=1000)
    explorer.follow = False
    explorer.max_depth = 1
    shown = set(unpack_arrays(explorer.tree)["ids"].tolist())
    assert set(range(10)) <= shown <= {*range(10), *search.explain(1000).path, search.explain(1000).simulation.node}
    explorer.max_depth, explorer.min_visits = 0, 50
    by_id = dict(
        zip(unpack_arrays(explorer.tree)["ids"].tolist(), unpack_arrays(explorer.tree)["visits"].tolist(), strict=True)
    )
    rare = {node for node, visits in by_id.items() if visits < 50}
    assert rare <= {*search.explain(1000).path, search.explain(1000).simulation.node}


def test_marks_of_each_phase(thesis):
    explorer = thesis.explore()
    thesis.run(iterations=11)
    thesis.goto(10, "selection")
    assert explorer.tree["marks"]["path"] == [0, 7]
    assert not (unpack_arrays(explorer.tree)["flags"] & 1).any()
    thesis.goto(10, "expansion")
    new = unpack_arrays(explorer.tree)["ids"][(unpack_arrays(explorer.tree)["flags"] & 1) > 0]
    assert sorted(new.tolist()) == list(range(10, 18))
    thesis.goto(10, "simulation")
    simulated = thesis.explain(11).simulation
    assert explorer.tree["marks"]["simulated"] == simulated.node
    assert explorer.tree["marks"]["tail"]["moves"] == len(simulated.moves)
    thesis.goto(10, "backpropagation")
    changes = explorer.tree["marks"]["changes"]
    assert [change["node"] for change in changes] == [simulated.node, 7, 0]
    assert changes[-1]["visits"] == [10, 11]
    thesis.goto(11)
    assert explorer.tree["marks"]["path"] == []


# --- words and numbers -----------------------------------------------------------------------------------------------


def test_the_narration_of_the_three_way_tie(thesis):
    explorer = thesis.explore()
    thesis.run(iterations=11)
    thesis.goto(10, "selection")
    assert explorer.story["heading"] == "Selection"
    assert (
        words(explorer)
        == "node 7 leads with UCT 5.29 = 1.00 + 4.29, ties with 3 and 4 and was drawn at random (scripted)."
    )
    assert explorer.story["state"] == "select"
    assert explorer.story["phases"] == ["selection", "expansion", "simulation", "backpropagation"]


def test_the_inspector_has_table_b_2(thesis):
    explorer = thesis.explore()
    thesis.run(iterations=10)
    send(explorer, "select", node=0)
    rows = explorer.children["rows"]
    scores = [round(row["exploitation"] + 2 * row["unit"], 2) for row in rows]
    assert scores == [4.29, 3.29, 5.29, 5.29, 3.29, 4.29, 5.29, 4.29, 3.29]
    assert explorer.children["formula"] == "value + c · √(2 ln 10 / visits)"


def test_a_leaf_shows_its_siblings_with_itself_marked(search):
    explorer = search.explore()
    search.run(iterations=5)
    send(explorer, "select", node=4)
    assert (explorer.children["node"], explorer.children["marked"]) == (0, 4)


def test_selecting_by_hand_ends_following_and_lasts(search):
    explorer = search.explore()
    search.run(iterations=30)
    send(explorer, "select", node=5)
    assert explorer.follow is False
    step(explorer, "iteration")
    assert explorer.node == 5
    explorer.follow = True
    assert explorer.node == search.explain(31).simulation.node


def test_a_node_that_is_not_there_yet_gives_way_to_the_root(search):
    explorer = search.explore()
    search.run(iterations=30)
    send(explorer, "select", node=40)
    send(explorer, "goto", iteration=1)
    assert explorer.node == 0


def test_a_square_selects_the_child_it_leads_to(search):
    explorer = search.explore()
    search.run(iterations=12)
    send(explorer, "select", node=0)
    assert len(explorer.position["clickable"]) == 9
    send(explorer, "square", square=[1, 2])
    assert search.tree.action_name(explorer.node) == "Cb"
    assert [0, 0] not in explorer.position["clickable"] or search.tree.children(explorer.node)


def test_finding_a_node(search):
    explorer = search.explore()
    search.run(iterations=30)
    send(explorer, "find", text=" 17 ")
    assert explorer.node == 17
    send(explorer, "find", text="<b>9999</b>")
    assert explorer.node == 17
    assert "nodes go from 0 to" in explorer.record["text"]


def test_ticks_lie_where_the_events_are(search):
    explorer = search.explore()
    search.run(iterations=200)
    history = search.history
    assert explorer.ticks["tie"] == history.index[history["tie"]].tolist()
    search.run(iterations=20_000)
    assert all(len(ticks) <= 300 for ticks in explorer.ticks.values())


def test_ticks_and_charts_are_those_of_the_search_that_is_shown(search):
    explorer = search.explore()
    search.run(iterations=700)
    explorer.search = other = sv.MCTS(sv.TicTacToe(), seed=2)
    for iterations in (0, 30, 1, 170):
        other.run(iterations=iterations)
        history = other.history
        assert explorer.ticks["expansion"] == history.index[history["expansion"]].tolist()
        assert np.frombuffer(explorer.charts["nodes"], "<i4").tolist() == history["nodes"].tolist()
    explorer.search = search
    assert np.frombuffer(explorer.charts["iterations"], "<i4").tolist() == [*range(1, 700, 2), 700]


def test_charts_tell_the_history(search):
    explorer = search.explore()
    search.run(iterations=50)
    history = search.history
    nodes = np.frombuffer(explorer.charts["nodes"], "<i4")
    assert nodes.tolist() == history["nodes"].tolist()
    visits = {each["node"]: np.frombuffer(each["visits"], "<i4")[-1] for each in explorer.charts["children"]}
    assert visits == {child: search.tree.visits[child] for child in search.tree.children(0)}


# --- running and playing ---------------------------------------------------------------------------------------------


def test_running_returns_at_once_and_ends_where_asked(search):
    explorer = search.explore()
    send(explorer, "run", to="iteration", value=2000)
    wait_for(lambda: not explorer.record["running"])
    assert (explorer.iteration, explorer.record["last"]) == (2000, 2000)
    expected = next(k for k in search.history.query("tie").index if k > 100)
    send(explorer, "run", to="iteration", value=100)
    assert (explorer.iteration, explorer.record["last"]) == (100, 2000)
    send(explorer, "run", to="tie")
    wait_for(lambda: not explorer.record["running"])
    assert explorer.iteration == expected
    assert "stopped where asked" in explorer.record["text"]


def test_a_run_can_be_stopped_and_keeps_everything(search):
    explorer = search.explore()
    send(explorer, "run", to="iteration", value=10**9)
    wait_for(lambda: search.last > 2000)
    assert explorer.record["running"]
    send(explorer, "stop")
    wait_for(lambda: not explorer.record["running"])
    reached = search.last
    assert explorer.iteration == reached
    time.sleep(0.1)
    assert search.last == reached
    assert not any(thread.name == "sokoviz-search" for thread in threading.enumerate())


def test_an_explorer_of_a_search_that_runs_already_shows_it(search):
    search.start(iterations=10**9)
    wait_for(lambda: search.last > 500)
    explorer = search.explore()
    assert explorer.record["running"]
    send(explorer, "stop")
    assert not explorer.record["running"]
    assert explorer.iteration == search.last


def test_a_step_while_it_runs_stops_it_first(search):
    explorer = search.explore()
    send(explorer, "run", to="iteration", value=10**9)
    wait_for(lambda: search.last > 500)
    step(explorer, "iteration", -1)
    assert not search.is_running
    assert explorer.iteration == search.last - 1


def test_playing_goes_on_only_after_a_frame_was_drawn(search):
    explorer = search.explore(speed=4)
    explorer.playing = True
    frame = explorer.tree["frame"]
    send(explorer, "next", frame=frame)
    assert explorer.iteration == 1
    send(explorer, "next", frame=frame)
    assert explorer.iteration == 1
    explorer.play_unit = "phase"
    send(explorer, "next", frame=explorer.tree["frame"])
    assert (explorer.iteration, explorer.phase) == (1, "selection")
    explorer.playing = False
    send(explorer, "next", frame=explorer.tree["frame"])
    assert explorer.phase == "selection"


def test_fast_playing_takes_several_iterations_a_frame(search):
    explorer = search.explore(speed=64)
    explorer.playing = True
    send(explorer, "next", frame=explorer.tree["frame"])
    assert explorer.iteration == 4


# --- errors, pictures ------------------------------------------------------------------------------------------------


def test_what_goes_wrong_is_shown(search):
    explorer = search.explore()
    explorer._handle_custom_msg({"kind": "nonsense"}, [])
    assert "nonsense" in explorer.trouble["summary"]
    explorer._handle_custom_msg({"kind": "select", "node": "seven"}, [])
    assert "seven" in explorer.trouble["summary"]


def test_an_impossible_script_is_shown_and_nothing_is_lost():
    search = sv.MCTS(sv.TicTacToe(), script=sv.Script(outcomes=[0, 5]))
    explorer = search.explore()
    step(explorer, "iteration")
    explorer._handle_custom_msg({"kind": "step", "unit": "iteration", "direction": 1}, [])
    assert "outcome 2 of the script" in explorer.trouble["summary"]
    assert (explorer.iteration, search.last) == (1, 1)


def test_unknown_options_are_refused(search):
    with pytest.raises(TypeError, match="did you mean 'speed'"):
        search.explore(sped=3)


def test_a_search_without_a_journal_cannot_be_explored():
    with pytest.raises(sv.SearchError, match="keeps a record"):
        sv.MCTS(sv.TicTacToe(), journal=False).explore()


def test_a_picture_is_left_for_readers_without_a_kernel(search):
    explorer = search.explore()
    search.run(iterations=50)
    data, metadata = explorer._repr_mimebundle_()
    assert data["image/svg+xml"].startswith("<svg")
    assert "5 Bb" in data["image/svg+xml"]
    assert "iteration 50 of 50" in metadata["image/svg+xml"]["alt"]


def test_everything_sent_is_plain_data(search):
    explorer = search.explore()
    search.run(iterations=20)
    for name in ("about", "story", "position", "children", "record"):
        json.dumps(getattr(explorer, name))


def test_the_drawing_library_is_sent_on_request(search, monkeypatch):
    sent = []
    explorer = search.explore()
    monkeypatch.setattr(type(explorer), "send", lambda _, content, buffers: sent.append((content, buffers)))
    send(explorer, "plotly")
    ((content, (bundle,)),) = sent
    assert content == {"kind": "plotly"}
    assert bundle[:2] == b"\x1f\x8b"


def test_watching_ends_with_the_explorer(search):
    explorer = Explorer(search)
    explorer.close()
    del explorer
    search.step()


def test_a_page_is_sent_to_be_saved_and_the_search_stays_where_it_is(search, tmp_path, monkeypatch):
    search.run(iterations=12, progress=False)
    search.goto(5)
    explorer = search.explore()
    sent = []
    monkeypatch.setattr(explorer, "send", lambda content, buffers=(): sent.append((content, *buffers)))
    send(explorer, "export")
    [(content, page)] = sent
    assert content == {"kind": "page", "name": "mcts-tic-tac-toe.html"}
    assert page == search.export(tmp_path / "page.html").read_bytes()
    assert (explorer.iteration, search.steps) == (5, 5)
    assert explorer.record["text"].endswith(" MB: mcts-tic-tac-toe.html")
