"""A search as a record: at every moment it holds what the explorer shows, of every node that is drawn."""

import base64
import gzip
import json
import re
import struct
from typing import Any

import pytest

import sokoviz as sv
from sokoviz.errors import SearchError
from sokoviz.search.contract import Moment
from sokoviz.widgets.base.packing import pack
from sokoviz.widgets.base.recorded_page import describe_spans
from sokoviz.widgets.base.recorder import recorded_spans
from sokoviz.widgets.explorer import frames
from sokoviz.widgets.explorer.details import details_of
from sokoviz.widgets.explorer.recording import TreeRecorder, board_keys
from sokoviz.widgets.explorer.views import children_of, picture_of

EVIL = "</script><img src=x onerror=alert(1)>"
NUMBERS = dict.fromkeys(("value", "exploitation", "unit"))  # which are rounded


def unpack(data):
    """What was packed, bytes in their places: a page does the same."""
    whole = gzip.decompress(data)
    (length,) = struct.unpack("<I", whole[:4])
    blob = whole[4 + length :]

    def revive(found):
        return blob[found["bytes"][0] :][: found["bytes"][1]] if "bytes" in found else found

    return json.loads(whole[4 : 4 + length], object_hook=revive)


def attached(page):
    """What is attached to a page, by name, plotly.js left out."""
    found = re.findall(r'id="sokoviz-attached-([\w-]+)">([\w+/=]*)<', page)
    return {name: unpack(base64.b64decode(text)) for name, text in found if name != "plotly"}


def solved():
    search = sv.Schokoban(sv.load("lessons#14"))
    search.run(progress=False)
    return search


# --- which iterations ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("last", "most", "spans"),
    [
        (0, 5, [range(1)]),
        (5, 5, [range(6)]),
        (100, 5, [range(4), range(98, 101)]),
        (100, 4, [range(3), range(98, 101)]),
        (100, 1, [range(2)]),
    ],
)
def test_the_first_and_the_last_iterations_are_recorded(last, most, spans):
    assert recorded_spans(last, most) == spans


def test_a_record_of_nothing_is_refused():
    with pytest.raises(SearchError, match="at least 1 iteration to record, found 0"):
        recorded_spans(100, 0)


def test_which_are_recorded_is_said_in_words():
    assert describe_spans(recorded_spans(5, 5), 5) == "iterations 0 to 5 of 5"
    assert describe_spans(recorded_spans(20_000, 4), 20_000) == "iterations 0 to 2 and 19,998 to 20,000 of 20,000"
    assert describe_spans(recorded_spans(0, 4), 0) == "iterations 0 of 0"


# --- what is recorded ------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def recorded():
    """A search with subtree moves and eliminations, its recorder, the entries up to each moment, and the solution's."""
    search = solved()
    recorder = TreeRecorder(search, 20)  # so few that much is folded
    parts = list(recorder.parts(recorded_spans(search.last, 16)))
    found: dict[Moment, list[dict[str, Any]]] = {}
    *spans, (staged,) = parts
    for first, part in zip(recorder.firsts, spans, strict=False):
        found |= {recorder.moments[first + index]: part[: index + 1] for index in range(len(part))}
    return search, recorder, found, staged


def looks(recorded):
    """All moments with their look, and with the entries of the record up to there."""
    search, recorder, found, _ = recorded
    for moment, entries in found.items():
        search.goto(*moment)
        yield recorder.look(), entries


def test_every_moment_is_there(recorded):
    search, recorder, *_ = recorded
    early, late = recorded_spans(search.last, 16)
    wanted = [Moment(0)]
    for number in [*early[1:], *late]:
        if number != late[0]:
            wanted += [Moment(number - 1, phase) for phase in search.phases_of(number)]
        wanted.append(Moment(number))
    assert recorder.moments == wanted


def test_the_events_are_those_of_the_iterations(recorded):
    search, recorder, *_ = recorded
    early, late = recorded_spans(search.last, 16)
    numbers = [*early[1:], *late[1:]]
    for event in search.game.events:
        assert recorder.events[event] == [number for number in numbers if event in search.explain(number).events]
    assert recorder.events["move"]
    assert recorder.events["elimination"]


def test_the_children_of_every_node_drawn_are_those_of_the_moment(recorded):
    for look, entries in looks(recorded):
        for node in look.drawing.nodes.tolist():
            shown = children_of(look._replace(node=node))
            if shown["node"] != node:
                assert not any(entry["tables"].get(node, {"rows": []})["rows"] for entry in entries[-1:])
                continue
            tables = [entry["tables"][node] for entry in entries if node in entry["tables"]]
            assert [shown["marked"], shown["note"]] == entries[-1]["taken"].get(node, [None, ""])
            for row, other in zip(shown["rows"], tables[-1]["rows"] if tables else [], strict=True):
                assert {**row, **NUMBERS} == {**other, **NUMBERS}
                assert [row[name] or 0 for name in NUMBERS] == pytest.approx([other[name] or 0 for name in NUMBERS])
                assert [row[name] is None for name in NUMBERS] == [other[name] is None for name in NUMBERS]


def test_the_board_of_every_node_drawn_is_that_of_the_moment(recorded):
    for look, entries in looks(recorded):
        boards = [recorded[1].boards[key] for key in board_keys(look.drawing)]
        for node, own in zip(look.drawing.nodes.tolist(), boards, strict=True):
            board = (node == look.node and entries[-1]["position"]) or own
            picture, caption = picture_of(look._replace(node=node, layers=frozenset(look.search.game.layers)))
            assert board["captions"].get("matching", board["caption"]) == caption
            kept = [*board["picture"]["overlays"], *(each for layer in board["layers"].values() for each in layer)]
            assert sorted(map(str, kept)) == sorted(str(each.to_json()) for each in picture.overlays)
            assert {**picture.to_json(), "overlays": []} == {**board["picture"], "overlays": []}


def test_what_is_told_beside_is_that_of_the_moment(recorded):
    for look, entries in looks(recorded):
        assert entries[-1]["details"] == details_of(look, children_of(look)["node"])
        assert entries[-1]["story"] == frames.story(look.search, look.moment, look.iteration)


def test_every_successor_that_is_told_has_its_board(recorded):
    _, recorder, found, _ = recorded
    rows = 0
    for entries in found.values():
        told = entries[-1]["details"]["left_out"]
        for row in told["rows"]:
            rows += 1
            board = recorder.boards[f"{told['node']} {row['action']} {row['why']} {row['more']}"]
            assert f"after {row['action']}: " in board["caption"]
    assert rows


def test_the_solution_is_recorded_push_by_push(recorded):
    search, recorder, _, staged = recorded
    film = recorder.film
    assert len(film["positions"]) == search.solution.pushes + 1
    assert staged["tree"]["marks"]["path"] == film["nodes"]
    assert set(film["entries"]) == {recorder.firsts[-1]} == {len(recorder.moments)}
    *_, last = film["positions"]
    assert "box" not in last["picture"]["names"]  # all stand on goals
    assert [bool(each["ways"]) for each in film["positions"]] == [False] + [True] * search.solution.pushes


# --- the page --------------------------------------------------------------------------------------------------------


def test_bytes_find_their_way_through_packing():
    value = {"a": [b"one", {"b": b""}, "</script> ö"], "c": {"d": b"three"}}
    assert unpack(pack(value)) == value
    with pytest.raises(TypeError, match="expected plain data or bytes"):
        pack({"a": object()})


def test_a_page_fetches_nothing_and_holds_the_record(tmp_path):
    search = sv.MCTS(sv.TicTacToe(), seed=1)
    search.run(iterations=30, progress=False)
    search.goto(12, "selection")
    path = search.export(tmp_path / "search.html")
    assert search.moment == (12, "selection")
    page = path.read_text(encoding="utf-8")
    assert "default-src 'none'" in page
    assert not re.search(r'(?:src|href)="|url\((?!#)|@import|^import ', page, re.MULTILINE)
    start = attached(page)["record"]
    assert start["moments"][start["opening"]] == [12, "selection"]
    assert sum(len(part) for name, part in attached(page).items() if name != "record") == len(start["moments"])


def test_where_the_search_stands_beside_the_record_the_page_opens_before_it(tmp_path):
    search = sv.MCTS(sv.TicTacToe(), seed=1)
    search.run(iterations=30, progress=False)
    search.goto(12)
    start = attached(search.export(tmp_path / "search.html", frames=6).read_text(encoding="utf-8"))["record"]
    assert start["moments"][start["opening"]] == [3, ""]


def test_titles_stay_text_in_the_page(tmp_path):
    level = sv.Level(sv.load("lessons#1").rows, title=EVIL)
    search = sv.Schokoban(level)
    search.run(iterations=3, progress=False)
    page = search.export(tmp_path / "evil.html").read_text(encoding="utf-8")
    assert "<img" not in page
    assert EVIL in attached(page)["record"]["values"]["about"]["game"]


def test_nobody_who_watches_the_search_is_told(tmp_path):
    search = sv.MCTS(sv.TicTacToe(), seed=1)
    search.run(iterations=3, progress=False)
    explorer = search.explore()
    frame = explorer.tree["frame"]
    search.export(tmp_path / "search.html")
    assert explorer.tree["frame"] == frame
    search.back()
    assert explorer.iteration == 2


def test_a_search_without_a_journal_has_nothing_to_export(tmp_path):
    search = sv.MCTS(sv.TicTacToe(), seed=1, journal=False)
    search.run(iterations=3, progress=False)
    with pytest.raises(SearchError, match="journal"):
        search.export(tmp_path / "search.html")
