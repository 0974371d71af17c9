"""Iterative deepening as a record: at every step what the explorer shows, of every node that can be selected."""

import re
from typing import Any

import pytest

import sokoviz as sv
from sokoviz.errors import SearchError
from sokoviz.search.options import EVENTS
from sokoviz.widgets.base.recorder import recorded_spans
from sokoviz.widgets.explorer.frames import unpack_arrays
from sokoviz.widgets.ida.board import LAYERS
from sokoviz.widgets.ida.recording import DeepeningRecorder, look_key
from tests.widgets.explorer.exploring import send
from tests.widgets.explorer.test_recording import EVIL, attached

pytestmark = pytest.mark.kernels

LIMIT = 20  # so few nodes that much is folded
MOST = 14
NO_TABLE: dict[str, list[Any]] = {"rows": [], "arrows": [], "targets": []}


def searched(lesson, preset="best", **options):
    search = sv.IDA(sv.load(f"lessons#{lesson}"), preset=preset, memory=1 << 20, **options)
    search.run(seconds=60, progress=False)
    return search


class Recorded:
    """A search, its record, and an explorer of it."""

    def __init__(self, search):
        self.search, self.recorder = search, DeepeningRecorder(search, LIMIT)
        self.spans = recorded_spans(search.last, MOST)
        self.parts = list(self.recorder.parts(self.spans))
        self.explorer = search.explore(node_limit=LIMIT)

    def entries(self):
        """All entries in their order, each with those of its part before it, itself the last."""
        return [part[: index + 1] for part in self.parts for index in range(len(part))]

    def steps(self):
        """Those of the steps, the explorer always at the same one and following it."""
        for moment, entries in zip(self.recorder.moments, self.entries(), strict=False):
            self.search.goto(moment.step)
            send(self.explorer, "select", node=entries[-1]["node"])
            self.explorer.follow = True
            yield entries


@pytest.fixture(scope="module", params=[(5, "best"), (12, "optimal"), (12, "best")], ids=lambda param: f"{param}")
def recorded(request):
    """Searches with cuts of many kinds, with lines longer than what is drawn of them, and with macros."""
    return Recorded(searched(*request.param))


def table_of(entries, node):
    """The successors of a node as they were noted last."""
    tables = [entry["tables"][node] for entry in entries if node in entry["tables"]]
    if not tables:
        return NO_TABLE
    rows = [{**row, "below": below(entries, row["node"])} for row in tables[-1]["rows"]]
    return {**tables[-1], "rows": rows}


def below(entries, node):
    """How many nodes are below a node, as was noted last."""
    return next((entry["below"][node] for entry in reversed(entries) if node in entry["below"]), 0)


def selectable(entries, drawn):
    """The nodes that the page lets a reader select."""
    line = entries[-1]["line"]
    beside = [row["node"] for node in line for row in table_of(entries, node)["rows"]]
    return dict.fromkeys([*drawn, *line, *beside])


def fate_of(recorded, entries, node):
    """What became of a node, as its parent's table says."""
    parent, *_ = recorded.recorder.nodes[node]
    rows = [] if parent < 0 else table_of(entries, parent)["rows"]
    return entries[-1]["fate"] if parent < 0 else next(row["fate"] for row in rows if row["node"] == node)


# --- what is recorded ------------------------------------------------------------------------------------------------


def test_every_step_is_there_and_the_solution_behind_them(recorded):
    numbers = [number for span in recorded.spans for number in span]
    assert [moment.step for moment in recorded.recorder.moments] == numbers
    nodes = dict.fromkeys(recorded.recorder.film["nodes"])
    assert len(recorded.entries()) == len(numbers) + len(nodes)
    assert recorded.recorder.film["entries"][-1] == len(recorded.entries()) - 1


def test_the_events_are_those_of_the_steps(recorded):
    flags = recorded.search.record.marks
    for event, numbers in recorded.recorder.events.items():
        steps = [moment.step for moment in recorded.recorder.moments if moment.step]
        assert numbers == [step for step in steps if flags[step - 1] & EVENTS[event][0]]
    assert recorded.recorder.events["threshold"]


def test_every_step_is_that_of_the_explorer(recorded):
    for entries in recorded.steps():
        entry, explorer = entries[-1], recorded.explorer
        assert {**entry["tree"], "frame": 0} == {**explorer.tree, "frame": 0}
        assert (entry["node"], entry["line"]) == (explorer.node, explorer.line["current"])
        assert (entry["story"], entry["solution"]) == (explorer.story, explorer.solution)


def test_before_the_first_step_there_is_the_start_alone(recorded):
    entries = next(recorded.steps())
    assert entries[-1]["position"] == recorded.explorer.position
    assert recorded.explorer.children.items() <= entries[-1]["tables"][0].items()


def nodes_of(recorded):
    """All nodes of all steps that can be selected; the explorer has selected them."""
    for entries in recorded.steps():
        if entries[-1]["position"] is None:
            for node in selectable(entries, unpack_arrays(recorded.explorer.tree)["ids"].tolist()):
                send(recorded.explorer, "select", node=node)
                yield entries, node


def test_the_successors_of_every_node_are_those_of_the_step(recorded):
    n = 0
    for entries, node in nodes_of(recorded):
        shown = recorded.explorer.children
        own, parent = table_of(entries, node), recorded.recorder.nodes[node][0]
        table = own if own["rows"] or parent < 0 else table_of(entries, parent)
        assert (shown["node"], shown["title"], shown["rows"]) == (table["node"], table["title"], table["rows"])
        assert shown["note"] == recorded.recorder.looks[look_key(node, fate_of(recorded, entries, node))]["note"]
        n += 1
    assert n > 50


def test_the_board_of_every_node_is_that_of_the_step(recorded):
    recorder, explorer = recorded.recorder, recorded.explorer
    for layer in LAYERS:
        setattr(explorer, layer, True)
    for entries, node in nodes_of(recorded):
        look = recorder.looks[look_key(node, fate_of(recorded, entries, node))]
        table, board, shown = table_of(entries, node), recorder.boards[node], explorer.position
        overlays = [*board["layers"]["component"], *board["layers"]["matching"], *table["arrows"], *look["marks"]]
        assert shown["picture"] == {**board["picture"], "overlays": overlays}
        assert shown["caption"] == look["caption"]
        assert shown["clickable"] == [[row, column] for row, column, _ in table["targets"]]


def test_the_line_to_every_node_is_that_of_the_explorer(recorded):
    nodes = recorded.recorder.nodes
    for _, selected in nodes_of(recorded):
        node, moves = selected, list[dict[str, Any]]()
        while nodes[node][0] >= 0:
            parent, text, pushes = nodes[node]
            moves.insert(0, {"node": node, "text": text, "pushes": pushes})
            node = parent
        assert (recorded.explorer.line["root"], recorded.explorer.line["moves"]) == (node, moves)


def test_the_solution_is_recorded_push_by_push(recorded):
    film, search, explorer = recorded.recorder.film, recorded.search, recorded.explorer
    entries = [each[-1] for each in recorded.entries()]
    search.goto(search.last)
    assert len(film["nodes"]) == search.solution.pushes + 1
    for push, (node, position) in enumerate(zip(film["nodes"], film["positions"], strict=True)):
        send(explorer, "solution", push=push)
        if push:
            assert explorer.position == position  # the ways too, for it came from the push before
        entry = entries[film["entries"][push]]
        assert (explorer.node, entry["node"]) == (node, node)
        assert {**entry["tree"], "frame": 0} == {**explorer.tree, "frame": 0}
        assert {**entry["solution"], "at": push, "shown": True} == explorer.solution


def test_where_the_last_step_is_not_recorded_there_is_no_solution():
    recorder = DeepeningRecorder(searched(14))
    list(recorder.parts(recorded_spans(7, 1)))
    assert recorder.film is None


# --- the page --------------------------------------------------------------------------------------------------------


def record_of(path):
    return attached(path.read_text(encoding="utf-8"))["record"]


def test_a_page_fetches_nothing_and_holds_the_record(tmp_path):
    search = searched(12)
    search.goto(5)
    path = search.export(tmp_path / "search.html")
    assert search.steps == 5
    page = path.read_text(encoding="utf-8")
    assert "default-src 'none'" in page
    assert not re.search(r'(?:src|href)="|url\((?!#)|@import|^import ', page, re.MULTILINE)
    start = attached(page)["record"]
    assert start["moments"][start["opening"]] == [5, ""]
    assert start["held"] == f"recorded: steps 0 to {search.last} of {search.last}"


def test_ticks_and_thresholds_are_those_of_the_explorer(tmp_path):
    search = searched(5)
    values = record_of(search.export(tmp_path / "search.html"))["values"]
    explorer = search.explore()
    assert (values["ticks"], values["charts"]) == (explorer.ticks, explorer.charts)
    assert [values[name] for name in ("speed", *LAYERS)] == [getattr(explorer, name) for name in ("speed", *LAYERS)]


def test_ticks_are_places_where_the_record_has_a_gap(tmp_path):
    search = searched(5)
    start = record_of(search.export(tmp_path / "search.html", frames=4))
    numbers = [iteration for iteration, _ in start["moments"]]
    assert numbers == [0, 1, 2, *range(search.last - 2, search.last + 1)]
    assert start["values"]["ticks"]["solution"] == [len(numbers) - 1]
    assert [number for number, *_ in start["events"]["solution"]] == [search.last]


def test_a_search_that_has_not_begun_has_a_page_of_its_start(tmp_path):
    search = sv.IDA(sv.load("lessons#12"))
    start = record_of(search.export(tmp_path / "search.html"))
    assert (start["moments"], start["film"], start["values"]["ticks"]) == ([[0, ""]], None, {})


def test_a_proof_that_there_is_no_solution_has_a_page(tmp_path):
    search = sv.IDA("######\n#@ $ #\n#  #.#\n######\n")
    search.run(seconds=10, progress=False)
    start = record_of(search.export(tmp_path / "search.html"))
    assert start["film"] is None
    assert len(start["moments"]) == search.last + 1


def test_titles_stay_text_in_the_page(tmp_path):
    search = sv.IDA(sv.Level(sv.load("lessons#1").rows, title=EVIL))
    search.run(steps=3, progress=False)
    page = search.export(tmp_path / "evil.html").read_text(encoding="utf-8")
    assert "<img" not in page
    assert EVIL in attached(page)["record"]["values"]["about"]["game"]


def test_the_explorer_sends_the_page_and_says_where_it_is(tmp_path, monkeypatch):
    search = searched(14)
    explorer, sent = search.explore(), []
    frame = explorer.tree["frame"]
    monkeypatch.setattr(explorer, "send", lambda content, buffers: sent.append((content, *buffers)))
    send(explorer, "export")
    ((content, page),) = sent
    assert content["kind"] == "page"
    assert content["name"].startswith("ida-sokoban-lessons-14")
    assert page == search.export(tmp_path / "page.html").read_bytes()
    assert explorer.record["text"].startswith("Among your downloads, 2.")
    assert (explorer.tree["frame"], explorer.about["exports"]) == (frame, True)


def test_a_search_without_a_journal_has_nothing_to_export(tmp_path):
    search = sv.IDA(sv.load("lessons#5"), journal=False)
    with pytest.raises(SearchError, match="journal"):
        search.export(tmp_path / "search.html")
