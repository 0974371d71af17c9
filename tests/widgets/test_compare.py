"""Searches side by side in a notebook, seen from Python: the clock, the trees, what a reader can do."""

import html
import threading
from typing import Any

import numpy as np
import pytest

import sokoviz as sv
from sokoviz.games.sokoban import Sokoban
from sokoviz.search.compare import comparing
from sokoviz.search.loading import prepare
from sokoviz.search.mcts.views.drawing import ALIKE, ELIMINATED, MOVED, NEW, REDUNDANT
from sokoviz.widgets.compare import display as compare_display
from sokoviz.widgets.compare import frames as compare_frames
from sokoviz.widgets.explorer.frames import unpack_arrays

NO_WAY = "######\n#@ $ #\n#  #.#\n######"


@pytest.fixture(autouse=True, scope="module")
def _loaded():
    """The kernels are there, but for the test that is about that."""
    prepare(Sokoban(NO_WAY))
    prepare(sv.TicTacToe())
    comparing.prepare()


def pair(iterations=None, **options):
    level = sv.load("lessons#7")
    searches = sv.Schokoban(level, **options), sv.Vanillaban(level, **options)
    for search in searches:
        search.run(iterations=iterations, progress=False)
    return searches


@pytest.fixture
def compare():
    """Schokoban and Vanillaban on lesson 7 to their solutions, after 346 and 365 iterations."""
    return sv.Compare(*pair())


def send(compare, kind, **arguments):
    """What the page does; nothing may go wrong."""
    compare._handle_custom_msg({"kind": kind, **arguments}, [])
    assert compare.trouble["summary"] == ""


def shown(compare, index):
    return unpack_arrays(compare.trees[index])["ids"].tolist()


def flagged(compare, index, bit):
    arrays = unpack_arrays(compare.trees[index])
    return set(arrays["ids"][(arrays["flags"] & bit) > 0].tolist())


def words(compare, index):
    return "".join(text for text, _ in compare.stories[index])


def figure(compare, index, key):
    return {name: text for name, _, text in compare.figures[index]}[key]


# --- the clock -------------------------------------------------------------------------------------------------------


def test_it_begins_at_the_end_or_where_asked(compare):
    assert (compare.iteration, compare.record["last"]) == (365, 365)
    assert sv.Compare(*pair(), iteration=7).iteration == 7
    with pytest.raises(sv.SearchError, match="expected an iteration from 0 to 365"):
        sv.Compare(*pair(), iteration=400)


def test_one_clock_moves_all_trees_and_no_search(compare):
    compare.iteration = 100
    assert [tree["n_nodes"] for tree in compare.trees] == [166, 187]
    assert [figure(compare, index, "redundant") for index in (0, 1)] == ["0", "80"]
    assert [search.steps for search in compare.searches] == [346, 365]


def test_a_search_that_ended_stands_still(compare):
    compare.iteration = 347
    at_end = shown(compare, 0)
    compare.iteration = 360
    assert shown(compare, 0) == at_end
    assert words(compare, 0) == "It has solved the level in iteration 346 and stands still."
    assert flagged(compare, 0, NEW) == set()
    assert compare.trees[0]["marks"]["path"] == []


def test_steps_and_jumps(compare):
    for kind, arguments, wanted in (
        ("goto", {"iteration": 50}, 50),
        ("step", {"direction": 1}, 51),
        ("step", {"direction": -1}, 50),
        ("difference", {}, 7),
        ("goto", {"iteration": -4}, 0),
        ("step", {"direction": -1}, 0),
        ("goto", {"iteration": 9999}, 365),
    ):
        send(compare, kind, **arguments)
        assert compare.iteration == wanted


def test_jumps_to_events_of_any_search(compare):
    send(compare, "goto", iteration=0)
    for event in ("move", "elimination", "redundant", "solution"):
        before = compare.iteration
        send(compare, "event", event=event)
        assert compare.iteration == compare.comparison.next_event(event, before)
    send(compare, "goto", iteration=365)
    send(compare, "event", event="move")
    assert compare.record["text"] == "The records have no subtree move after iteration 365."
    send(compare, "event", event="difference")
    assert compare.iteration == 7


def test_an_iteration_outside_the_clock_is_refused_and_changes_nothing(compare):
    with pytest.raises(sv.SearchError, match="expected an iteration from 0 to 365"):
        compare.iteration = 366
    assert compare.iteration == 365


def test_searches_that_do_the_same_have_no_difference():
    level = sv.load("lessons#7")
    searches = sv.Schokoban(level), sv.Schokoban(level)
    for search in searches:
        search.run(iterations=90, progress=False)
    compare = sv.Compare(*searches)
    send(compare, "difference")
    assert compare.record["text"] == "The searches do the same in all of their first 90 iterations."
    assert (compare.first_difference, compare.difference, compare.iteration) == (None, {}, 90)


# --- searching on ----------------------------------------------------------------------------------------------------


def test_a_step_at_the_end_searches_on():
    compare = sv.Compare(*pair(10))
    send(compare, "step", direction=1)
    assert [search.last for search in compare.searches] == [11, 11]
    assert compare.iteration == 11


def test_shorter_records_catch_up():
    first, second = pair(20)
    second.run(iterations=30, progress=False)
    compare = sv.Compare(first, second)
    assert compare.iteration == 50
    assert words(compare, 0) == "Its record ends in iteration 20 and stands still."
    send(compare, "step", direction=1)
    assert [search.last for search in (first, second)] == [51, 51]


def test_searches_that_have_ended_are_left_alone(compare):
    send(compare, "step", direction=1)
    assert [search.last for search in compare.searches] == [346, 365]
    assert "nothing is left to search" in compare.record["text"]
    send(compare, "run", iterations=100)
    assert [search.last for search in compare.searches] == [346, 365]
    assert compare.record["text"] == "All searches have ended."


def finished(compare):
    """Wait until all runs in the background are over and told of."""
    for search in compare.searches:
        if search._worker:
            search._worker.join()


def test_a_run_makes_more_iterations_of_all_and_shows_its_end():
    compare = sv.Compare(*pair(10), iteration=3)
    send(compare, "run", iterations=200)
    finished(compare)
    assert [search.last for search in compare.searches] == [210, 210]
    assert (compare.iteration, compare.record["running"]) == (210, False)
    assert compare.record["text"] == "done at iteration 210"


def test_a_run_ends_with_a_solution():
    compare = sv.Compare(*pair(10))
    send(compare, "run", iterations=5000)
    finished(compare)
    assert compare.iteration == 365
    assert compare.record["text"] == "Schokoban solved in iteration 346; Vanillaban solved in iteration 365"


def test_a_run_can_be_stopped_and_shows_how_far_it_is(monkeypatch):
    monkeypatch.setattr(compare_display, "SECONDS_BETWEEN_FRAMES", 0.0)
    level = "\n".join(
        ["#" * 14, *["#" + " " * 12 + "#"] * 2, "#  $$$$$$    #", "#@           #", "# ......     #", "#" * 14]
    )
    compare = sv.Compare(sv.Schokoban(level, c=1000), sv.Vanillaban(level, c=1000))
    seen, enough = [], threading.Event()

    def look(change):
        if change["new"]["share"] is not None:
            seen.append(change["new"])
            enough.set()

    compare.observe(look, ["record"])
    send(compare, "run", iterations=10_000_000)
    assert enough.wait(60)
    send(compare, "stop")
    finished(compare)
    assert not compare.record["running"]
    assert compare.record["text"].startswith("stopped at iteration ")
    assert 0 <= seen[0]["share"] < 1
    assert seen[0]["running"]


def test_playing_goes_on_frame_by_frame_and_ends_with_the_searches(compare):
    send(compare, "goto", iteration=363)
    compare.playing = True
    send(compare, "next", frame=compare.trees[0]["frame"] - 1)  # a view that lags behind
    assert compare.iteration == 363
    for _ in range(3):
        send(compare, "next", frame=compare.trees[0]["frame"])
    assert (compare.iteration, compare.playing) == (365, False)


def test_what_is_searched_elsewhere_is_followed_from_the_end():
    first, second = pair(10)
    compare = sv.Compare(first, second)
    first.run(iterations=30, progress=False)
    assert (compare.iteration, compare.record["last"]) == (40, 40)
    compare.iteration = 12
    second.run(iterations=60, progress=False)
    assert (compare.iteration, compare.record["last"]) == (12, 70)
    frame = compare.trees[0]["frame"]
    first.goto(3)
    assert compare.trees[0]["frame"] == frame


def test_an_unsolvable_level():
    compare = sv.Compare(sv.Schokoban(NO_WAY), sv.Vanillaban(NO_WAY))
    assert compare.iteration == 0
    for _ in range(4):
        send(compare, "step", direction=1)
    assert compare.iteration == 2
    assert [figure(compare, index, "in_tree") for index in (0, 1)] == ["0", "0"]
    send(compare, "step", direction=-1)
    assert compare.iteration == 1


# --- trees -----------------------------------------------------------------------------------------------------------


def test_redundant_nodes_are_marked():
    compare = sv.Compare(*pair(), iteration=60, node_limit=1000)
    for index in (0, 1):
        redundant = np.flatnonzero(compare.comparison.redundant(index, 60))
        assert flagged(compare, index, REDUNDANT) == set(redundant) & set(shown(compare, index))
    assert flagged(compare, 0, REDUNDANT) == set()
    assert len(flagged(compare, 1, REDUNDANT)) > 20


def test_a_colour_means_the_same_value_in_all_trees():
    searches = pair(200)
    assert [search.standing.value_range for search in searches] == [(-8.0, -2.0), (-8.0, -1.0)]
    assert [tree["value_range"] for tree in sv.Compare(*searches).trees] == [[-8.0, -1.0]] * 2


def test_what_the_iteration_did_is_marked(compare):
    send(compare, "goto", iteration=0)
    send(compare, "event", event="move")
    search = compare.searches[0]
    iteration = search.explain(compare.iteration)
    moved = {move.node for move in iteration.expansion.moved}
    assert flagged(compare, 0, MOVED | NEW) == moved | set(iteration.expansion.added)
    assert compare.trees[0]["marks"]["path"][: len(iteration.path)] == list(iteration.path)
    assert [link[1] for link in compare.trees[0]["marks"]["links"] if link[2] == "new"] == sorted(moved)
    assert words(compare, 0).startswith(
        f"Selection ends at node {iteration.leaf}, depth {len(iteration.path) - 1}. Node"
    )
    assert "moves here from node" in words(compare, 0)


def test_eliminated_nodes_are_crossed_out_in_their_iteration_and_gone_in_the_next(compare):
    history = compare.searches[0].history
    k = next(int(k) for k in history.index[history["elimination"]] if compare.searches[0].explain(int(k)).elimination)
    gone = set(compare.searches[0].explain(k).elimination)
    compare.iteration = k
    assert flagged(compare, 0, ELIMINATED) == gone
    assert compare.trees[0]["n_nodes"] == compare.comparison.figures(k)[0].in_tree
    assert compare.trees[0]["n_drawn"] == len(shown(compare, 0)) - len(gone)
    assert "so it is eliminated" in words(compare, 0)
    compare.iteration = k + 1
    assert not gone & set(shown(compare, 0))


def test_trees_can_be_unfolded_and_filtered_one_by_one_and_together(compare):
    before = [shown(compare, index) for index in (0, 1)]
    children = compare.searches[1].tree.children
    node = next(node for node in before[1] if set(children(node)) - set(before[1]))
    send(compare, "unfold", search=1, node=node)
    assert shown(compare, 0) == before[0]
    assert set(children(node)) <= set(shown(compare, 1))
    assert [tree["marks"]["unfolded"] for tree in compare.trees] == [0, 1]
    send(compare, "fold", search=1)
    assert shown(compare, 1) == before[1]
    compare.max_depth = 1
    assert unpack_arrays(compare.trees[0])["depths"].max() == 1
    assert set(shown(compare, 1)) == {*children(0), *compare.trees[1]["marks"]["path"]}  # what is done now is drawn


# --- positions -------------------------------------------------------------------------------------------------------


def test_a_selected_position_is_marked_wherever_it_stands(compare):
    redundant = np.flatnonzero(compare.comparison.redundant(1, 365))
    send(compare, "select", search=1, node=int(redundant[5]))
    assert (compare.which, compare.node) == (1, int(redundant[5]))
    alike = compare.comparison.alike(1, compare.node, 365)
    assert flagged(compare, 0, ALIKE) == set(alike[0])
    assert flagged(compare, 1, ALIKE) == set(alike[1]) - {compare.node}
    assert {compare.node, *alike[1]} <= set(shown(compare, 1))
    assert compare.position["caption"].startswith(f"node {compare.node} of Vanillaban · depth ")
    assert [name for name, _ in compare.alike] == ["Schokoban", "Vanillaban"]
    assert compare.alike[1][1].startswith("again at ")


def test_many_nodes_of_one_position_are_counted_and_some_named(compare, monkeypatch):
    monkeypatch.setattr(compare_frames, "MOST_TOLD", 3)
    comparison = compare.comparison
    node = max(range(1, 200), key=lambda each: len(comparison.alike(1, each, 365)[1]))
    others = [each for each in comparison.alike(1, node, 365)[1] if each != node]
    send(compare, "select", search=1, node=node)
    first, second, third, *more = others
    assert compare.alike[1][1] == f"again at {len(others)} nodes: {first}, {second}, {third} and {len(more)} more"


def test_nodes_are_found_by_number_in_their_tree(compare):
    send(compare, "find", search=1, text=" 600 ")
    assert (compare.which, compare.node) == (1, 600)
    send(compare, "find", search=0, text="600")
    assert (compare.which, compare.node) == (1, 600)
    assert compare.record["text"] == "There is no node '600' in the tree of Schokoban here."
    send(compare, "find", search=0, text="ten")
    assert "There is no node 'ten'" in compare.record["text"]


def test_a_selected_node_that_is_not_there_gives_way_to_the_root(compare):
    compare.node = 400
    assert (compare.which, compare.node) == (0, 400)
    compare.iteration = 5
    assert compare.node == 0
    assert compare.position["caption"] == "the root of Schokoban · depth 0"


def test_every_node_can_be_selected(compare):
    for search in (0, 1):
        for node in range(0, 460, 23):
            send(compare, "select", search=search, node=node)
            assert compare.which == search


# --- other games, more searches --------------------------------------------------------------------------------------


def test_any_game_can_be_compared():
    searches = [sv.MCTS(sv.TicTacToe(), c=c) for c in (0.5, 2)]
    for search in searches:
        search.run(iterations=100, progress=False)
    compare = sv.Compare(*searches)
    assert [[key for key, *_ in each] for each in compare.figures] == [["nodes", "depth", "root_value"]] * 2
    assert compare.about["differing"] == "seed 1 · different: c"
    send(compare, "difference")
    assert compare.first_difference is not None
    assert compare.iteration == compare.first_difference.iteration > 1
    send(compare, "select", search=0, node=3)
    assert compare.alike == [["MCTS · c = 0.5", "nowhere else"], ["MCTS · c = 2", "at node 3"]]
    send(compare, "select", search=0, node=0)
    assert compare.alike[1] == ["MCTS · c = 2", "at the root"]
    assert set(compare.ticks) == {"difference", "leader", "deeper"}
    send(compare, "step", direction=1)


def test_three_searches():
    level = sv.load("lessons#7")
    searches = sv.Schokoban(level), sv.Vanillaban(level), sv.Schokoban(level, c=2)
    compare = sv.Compare(*searches)
    for _ in range(12):
        send(compare, "step", direction=1)
    assert [len(each) for each in (compare.trees, compare.figures, compare.charts, compare.stories)] == [3] * 4
    assert compare.about["differing"] == "seed 1 · different: the solver and c"


# --- words and pictures ----------------------------------------------------------------------------------------------


def test_its_text_is_a_table(compare):
    compare.iteration = 100
    lines = repr(compare).splitlines()
    assert lines[0] == "Schokoban, Vanillaban"
    assert lines[1].split()[:5] == ["after", "iteration", "100", "of", "365"]
    assert lines[5].split() == ["redundant", "nodes", "0", "80"]
    assert compare.table.loc["redundant nodes"].tolist() == [0, 80]


def test_a_notebook_without_a_kernel_shows_the_table(compare):
    data, _ = compare._repr_mimebundle_()
    assert data["text/plain"] == repr(compare)
    assert data["text/html"] == f"<pre>{html.escape(repr(compare))}</pre>"


def test_titles_are_text_and_no_markup():
    level = sv.Level(("#####", "#@$.#", "#####"), title="<b>bold</b>")
    compare = sv.Compare(sv.Schokoban(level), sv.Vanillaban(level))
    bundle = compare._repr_mimebundle_()
    assert bundle is not None
    assert "<b>" not in bundle[0]["text/html"]
    assert "<b>bold</b>" in compare.about["game"]


def test_the_course_lies_where_the_figures_are(compare):
    charts = compare.charts[1]
    iterations, distinct = (np.frombuffer(charts[name], "<i4") for name in ("iterations", "distinct"))
    assert (iterations[-1], distinct[-1]) == (365, 237)
    assert compare.ticks["difference"] == [7]
    assert compare.ticks["solution"] == [346, 365]


def test_unknown_options_are_refused():
    with pytest.raises(TypeError, match="did you mean 'node_limit'"):
        sv.Compare(*pair(5), node_limits=3)


def test_before_the_kernels_are_loaded_the_first_position_is_there(monkeypatch):
    waiting: list[Any] = []
    monkeypatch.setattr(compare_display, "is_prepared", lambda _game: not waiting or waiting == ["done"])
    monkeypatch.setattr(compare_display, "in_background", lambda *arguments: waiting.append(arguments))
    searches = pair(20)
    waiting.append("begun")
    compare = sv.Compare(*searches)
    assert (compare.record["busy"], compare.record["text"]) == (True, "Loading the searches …")
    _, (_, _, when_known) = waiting
    when_known(None)
    assert compare.record["text"] == "Loading the compiled searches …"
    assert compare.position["picture"]
    send(compare, "goto", iteration=3)
    _, _, (_, load, then) = waiting
    waiting[:] = ["done"]
    load()
    then(None)
    assert (compare.iteration, compare.record["busy"]) == (3, False)
    assert len(shown(compare, 0)) > 1
