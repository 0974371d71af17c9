"""The explorer of iterative deepening, its Python side: what it shows at each moment, and how it answers the page."""

import json

import numpy as np
import pytest

import sokoviz as sv
from sokoviz.errors import SearchError
from sokoviz.search.ida.fates import FATES
from sokoviz.svg.style import colors
from sokoviz.widgets.explorer.frames import unpack_arrays
from sokoviz.widgets.ida.frames import LOOKS
from tests.widgets.explorer.exploring import send, wait_for, words

pytestmark = pytest.mark.kernels

N_STEPS = 300  # of the 334 to the solution: many thresholds, with cuts of all kinds but goal cuts


def search_on(lesson):
    """A search with a small table: notebooks' widgets, and with them their searches, live as long as the process."""
    return sv.IDA(sv.load(f"lessons#{lesson}"), preset="best", growth=1.0, share=1.0, memory=1 << 20)


@pytest.fixture
def search():
    return search_on(5)


@pytest.fixture
def explorer(search):
    search.run(steps=N_STEPS, progress=False)
    return search.explore()


def step(explorer, direction=1):
    """Step or go back."""
    send(explorer, "step", unit="iteration", direction=direction)


def run_to(explorer, event):
    """Run to an event and wait for it."""
    send(explorer, "run", to=event)
    wait_for(lambda: not explorer.record["running"])


def naive_fates(search, step):
    """What has become of the nodes of the threshold of a step, event by event."""
    fates, names = {}, dict(enumerate(("open", *FATES[3:])))
    for number, event in enumerate(search.record.events[: search.record.end_of(step)].tolist()):
        kind, node, value = event[:3]
        if kind == 20:
            fates = {number: "open"}
        elif kind < 8:
            fates[number] = names[kind]
        else:
            told: dict[int, str | None] = {16: "line", 17: names.get(value), 18: "searched", 19: "solution"}
            fates[node] = told.get(kind) or fates[node]
    return fates


# --- moments ---------------------------------------------------------------------------------------------------------


def test_it_steps_and_goes_back_with_the_search(search):
    explorer = search.explore()
    for _ in range(3):
        step(explorer)
    step(explorer, -1)
    assert explorer.iteration == search.steps == 2
    assert search.last == 3
    assert words(explorer) in explorer.to_svg()


def test_setting_the_iteration_goes_there_and_setting_the_node_selects(explorer, search):
    explorer.iteration = 37
    assert search.steps == 37
    child = explorer.children["rows"][0]["node"]
    explorer.node = child
    assert not explorer.follow
    assert explorer.children["marked"] == child or explorer.children["node"] == child


def test_a_wrong_iteration_is_told(explorer):
    with pytest.raises(SearchError, match="expected a step from 0 to 300"):
        explorer.iteration = 500


@pytest.mark.parametrize("event", ["threshold", "transposition", "deadlock", "bound", "relevance"])
def test_running_to_an_event_stops_at_the_first_step_that_has_it(search, event):
    explorer = search.explore()
    step(explorer)
    run_to(explorer, event)
    marked = {"threshold": 20, "transposition": 2, "deadlock": 3, "bound": 1, "relevance": 6}[event]

    def has_it(number):
        kinds = search.record.events[search.record.end_of(number - 1) : search.record.end_of(number)]
        return bool(((kinds[:, 0] == marked) | ((kinds[:, 0] == 17) & (kinds[:, 2] == marked))).any())

    assert explorer.iteration == next(number for number in range(2, search.last + 1) if has_it(number))


def test_previous_goes_back_to_an_event(explorer, search):
    search.goto(search.last)
    send(explorer, "previous", to="threshold")
    assert explorer.iteration == explorer.ticks["threshold"][-1]


# --- the tree --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", [1, 7, 50, 299])
def test_fates_of_the_drawn_nodes_are_those_of_the_record(explorer, search, number):
    search.goto(number)
    arrays, fates = unpack_arrays(explorer.tree), naive_fates(search, number)
    drawn = {node: FATES[int(value)] for node, value in zip(arrays["ids"].tolist(), arrays["values"], strict=True)}
    assert drawn == {node: fates[node] for node in drawn}


@pytest.mark.parametrize("number", [1, 7, 50, 299])
def test_the_legend_counts_the_whole_tree(explorer, search, number):
    search.goto(number)
    found = list(naive_fates(search, number).values())
    assert [kind["count"] for kind in explorer.tree["kinds"]] == [found.count(name) for name in FATES]
    assert explorer.tree["n_nodes"] == len(found)


def test_a_stub_counts_what_is_not_drawn(search):
    search.run(steps=N_STEPS, progress=False)
    explorer = search.explore(node_limit=20)
    arrays = unpack_arrays(explorer.tree)
    parents = {node: int(search.record.events[node, 1]) for node in naive_fates(search, N_STEPS)}
    top = int(arrays["ids"][0])

    def is_below(node):
        return node == top or (parents[node] in parents and is_below(parents[node]))

    assert arrays["hidden"].sum() + len(arrays["ids"]) == sum(map(is_below, parents))
    assert arrays["hidden"].min() >= 0


def test_unfolding_draws_all_successors(search):
    search.run(steps=N_STEPS, progress=False)
    explorer = search.explore(node_limit=20)
    arrays = unpack_arrays(explorer.tree)
    node = int(arrays["ids"][np.argmax(arrays["hidden"])])
    children = [child["node"] for child in explorer.children["rows"]]
    send(explorer, "unfold", node=node)
    assert set(unpack_arrays(explorer.tree)["ids"].tolist()) >= set(children)


# --- a node ----------------------------------------------------------------------------------------------------------


def test_a_dead_node_names_its_rule_and_marks_its_squares(search):
    explorer = search.explore()
    run_to(explorer, "deadlock")
    row = next(row for row in explorer.children["rows"] if row["fate"] == "deadlock")
    send(explorer, "select", node=row["node"])
    assert "Deadlock: " in explorer.children["note"]
    marks = [each for each in explorer.position["picture"]["overlays"] if each["kind"] == "mark"]
    assert any(mark["role"] == "deadlock" for mark in marks)


def test_a_node_cut_by_the_bound_says_what_was_too_much(search):
    explorer = search.explore()
    run_to(explorer, "bound")
    row = next(row for row in explorer.children["rows"] if row["fate"] == "bound")
    send(explorer, "select", node=row["node"])
    assert row["f"] in explorer.children["note"]
    assert explorer.children["note"].endswith(f"above the threshold {search.explain().threshold}")


def test_a_relevance_cut_is_explained_by_influence(search):
    explorer = search.explore()
    run_to(explorer, "relevance")
    row = next(row for row in explorer.children["rows"] if row["fate"] == "relevance")
    send(explorer, "select", node=row["node"])
    assert "cut as not relevant: distant" in explorer.children["note"]


def test_arrows_stand_for_the_successors(explorer, search):
    search.goto(7)
    arrows = [each for each in explorer.position["picture"]["overlays"] if each["kind"] == "arrow"]
    assert len(arrows) == len(explorer.children["rows"])
    explorer.pushes = False
    assert not [each for each in explorer.position["picture"]["overlays"] if each["kind"] == "arrow"]


def test_the_line_leads_to_the_selected_node(explorer, search):
    line = explorer.line["moves"]
    assert [move["text"] for move in line] == [str(move) for move in search.explain().line]
    send(explorer, "select", node=line[0]["node"])
    assert len(explorer.line["moves"]) == 1


def test_a_click_on_a_square_selects_the_successor(explorer):
    row = explorer.children["rows"][0]
    square = explorer.position["clickable"][0]
    send(explorer, "square", square=square)
    assert explorer.node == row["node"]


# --- thresholds and the solution -------------------------------------------------------------------------------------


def test_the_thresholds_are_those_of_the_table(explorer, search):
    rows = explorer.charts["rows"]
    assert [row["limit"] for row in rows] == search.thresholds["threshold"].tolist()
    assert [row["expanded"] for row in rows] == search.thresholds["expanded"].tolist()
    for row in rows:
        search.goto(row["first"])
        assert explorer.story["threshold"] == row["number"]


def test_each_successor_is_counted_once(explorer, search):
    total = sum(sum(row["counts"]) for row in explorer.charts["rows"])
    assert total == int((search.record.events[:, 0] < 8).sum())


def test_the_solution_plays_push_by_push():
    explorer = search_on(14).explore()
    run_to(explorer, "solution")
    n = explorer.solution["pushes"]
    found = explorer.search.solution
    assert found is not None
    assert n == found.pushes
    for push in (0, n, 1):
        send(explorer, "solution", push=push)
        assert explorer.solution == {"pushes": n, "moves": found.moves, "at": push, "shown": True}
    assert explorer.position["ways"], "the pieces glide back"
    send(explorer, "select", node=explorer.line["moves"][0]["node"])
    assert not explorer.solution["shown"]


def test_nothing_is_left_to_search_after_the_solution():
    explorer = search_on(14).explore()
    run_to(explorer, "solution")
    last = explorer.iteration
    step(explorer)
    assert explorer.iteration == last
    assert explorer.record["text"] == "The level is solved: nothing is left to search."


def test_playing_stops_at_the_end():
    explorer = search_on(14).explore(speed=64.0)
    explorer.playing = True
    for _ in range(20):
        send(explorer, "next", frame=explorer.tree["frame"])
    assert not explorer.playing
    assert explorer.solution["pushes"] == 6


# --- pictures and options --------------------------------------------------------------------------------------------


def test_a_picture_stays_without_a_kernel(explorer):
    data, _ = explorer._repr_mimebundle_()
    assert data["image/svg+xml"].startswith("<svg")
    assert "IDA*" in data["text/plain"]
    json.dumps({name: getattr(explorer, name) for name in ("story", "children", "line", "charts", "ticks", "position")})


def test_it_needs_a_record():
    search = sv.IDA(sv.load("lessons#5"), journal=False)
    with pytest.raises(SearchError, match="journal"):
        search.explore()


def test_unknown_options_are_refused(search):
    with pytest.raises(TypeError, match="did you mean 'speed'"):
        search.explore(sped=2)


# --- colours ---------------------------------------------------------------------------------------------------------


def test_no_two_fates_have_one_colour():
    named = [look.color for look in LOOKS.values()]
    assert len(set(named)) == len(named)
    for theme in (0, 1):
        assert len({colors()[name][theme] for name in named}) == len(named)


# Machado, Oliveira and Fernandes 2009: what is left of linear red, green and blue without one kind of cone.
VISIONS = {
    "all": np.eye(3),
    "no red": np.array([[0.152, 1.053, -0.205], [0.115, 0.786, 0.099], [-0.004, -0.048, 1.052]]),
    "no green": np.array([[0.367, 0.861, -0.228], [0.280, 0.673, 0.047], [-0.012, 0.043, 0.969]]),
    "no blue": np.array([[1.256, -0.077, -0.179], [-0.078, 0.931, 0.148], [0.005, 0.691, 0.304]]),
}


def seen(color, vision):
    """A colour in CIE Lab, as somebody sees it."""
    value = np.array([int(color[place : place + 2], 16) for place in (1, 3, 5)]) / 255
    linear = np.where(value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4)
    to_xyz = np.array([[0.434, 0.376, 0.190], [0.213, 0.715, 0.072], [0.018, 0.109, 0.873]])  # white is 1, 1, 1
    x, y, z = np.cbrt(to_xyz @ np.clip(VISIONS[vision] @ linear, 0, 1))
    return np.array([116 * y, 500 * (x - y), 200 * (y - z)])


@pytest.mark.parametrize("vision", VISIONS)
@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
def test_cuts_by_patterns_are_told_from_all_others_whatever_colours_one_sees(theme, vision):
    pattern = seen(colors()["pattern"][theme], vision)
    others = {look.color for look in LOOKS.values()} - {"pattern"}
    assert min(np.linalg.norm(pattern - seen(colors()[name][theme], vision)) for name in others) > 20
