"""The influence explorer in a notebook, seen from Python: traits, messages, and what is refused."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
import traitlets

import sokoviz as sv
from sokoviz.widgets.base import loading as warmup
from sokoviz.widgets.influence import frames

if TYPE_CHECKING:
    from sokoviz.analysis.influence import Influence
    from sokoviz.widgets.influence.widget import InfluenceWidget


@pytest.fixture(autouse=True, scope="module")
def _loaded() -> None:
    """The kernels are there: compiling them takes longer than any of these tests waits."""
    warmup._load()


@pytest.fixture(scope="module")
def found() -> Influence:
    """The lesson of two halves."""
    return sv.influence(sv.load("lessons#13"))


@pytest.fixture
def widget(found: Influence) -> InfluenceWidget:
    """Its explorer."""
    return sv.InfluenceWidget(found)


def tell(widget: Any, kind: str, **arguments: Any) -> None:
    """Send a message as the page does; nothing may go wrong."""
    widget._handle_custom_msg({"kind": kind, **arguments}, [])
    assert widget.trouble["summary"] == ""


def switch(widget: InfluenceWidget, times: int) -> None:
    """Push boxes of both halves in turn."""
    for turn in range(times):
        push = widget.board.pushes[-1 if turn % 2 else 0]
        tell(widget, "push", square=list(push.box), direction=push.direction)


def test_the_whole_table_is_sent_as_bytes(widget: InfluenceWidget, found: Influence) -> None:
    n = len(found.squares)
    assert (np.frombuffer(widget.table, dtype="<u2").reshape(n, n) == found.table).all()
    assert widget.about["squares"] == [list(square) for square in found.squares]
    json.dumps([widget.about, widget.pair, widget.cuts], allow_nan=False)


def test_it_begins_with_a_box_and_the_goal_that_it_influences_most(widget: InfluenceWidget, found: Influence) -> None:
    box, goals = min(found.level.boxes), found.level.goals
    assert widget.source == box.name
    assert found[box, widget.target] == min(found[box, goal] for goal in goals)
    assert (widget.k, widget.m, widget.threshold) == (1, found.m, found.threshold)


def test_a_level_is_measured_where_it_is_given() -> None:
    widget = sv.InfluenceWidget(sv.load("lessons#13"), threshold=9, source="Bb", direction="to")
    assert (widget.source, widget.target, widget.direction, widget.threshold) == ("Bb", "", "to", 9)
    assert widget.record == {"busy": False, "text": ""}
    assert widget.influence.level == widget.board.level


def test_a_pair_is_broken_down(widget: InfluenceWidget, found: Influence) -> None:
    widget.set_state({"source": "Cc", "target": "Ke"})
    expected = found.between("Cc", "Ke")
    assert widget.pair["rows"] == [[name, list(row), sum(row)] for name, row in expected.rows.items()]
    assert widget.pair["path"] == [list(square) for square in expected.path]
    assert (widget.pair["total"], widget.pair["back"]) == (found["Cc", "Ke"], found["Ke", "Cc"])


def test_squares_are_selected_from_python(widget: InfluenceWidget) -> None:
    widget.source, widget.target = "Kc", "Cc"
    assert (widget.source, widget.target) == ("Kc", "Cc")
    assert (widget.pair["source"], widget.pair["target"]) == ("Kc", "Cc")
    widget.target = ""
    assert widget.pair == {}


@pytest.mark.parametrize("name", ["Aa", "Zz", "no square"])
def test_what_is_no_floor_is_refused(widget: InfluenceWidget, name: str) -> None:
    before = widget.source
    with pytest.raises(ValueError, match="expected a"):
        widget.source = name
    assert widget.source == before


def test_cuts_follow_the_pushes(widget: InfluenceWidget, found: Influence) -> None:
    switch(widget, 4)
    verdicts = found.cuts(widget.board)
    assert [(row["name"], row["cut"], row["reason"]) for row in widget.cuts["pushes"]] == [
        (str(verdict.push), verdict.is_cut, verdict.reason) for verdict in verdicts
    ]
    assert len(widget.cuts["line"]) == 4
    assert widget.cuts["n_cut"] == sum(verdict.is_cut for verdict in verdicts) > 0


def test_cuts_follow_the_parameters(widget: InfluenceWidget) -> None:
    switch(widget, 4)
    widget.threshold = 1000
    assert widget.cuts["n_cut"] == 0
    tell(widget, "reset")
    assert widget.cuts["n_cut"] > 0


def test_a_history_may_be_set_as_a_move_string(widget: InfluenceWidget, found: Influence) -> None:
    switch(widget, 3)
    other = sv.InfluenceWidget(found, moves=widget.moves)
    assert other.cuts == widget.cuts


def test_an_illegal_push_is_shown_as_trouble(widget: InfluenceWidget) -> None:
    widget._handle_custom_msg({"kind": "push", "square": [1, 1], "direction": "u"}, [])
    assert "expected one of the legal pushes" in widget.trouble["summary"]


def test_a_position_with_other_walls_is_refused(widget: InfluenceWidget) -> None:
    with pytest.raises(sv.SearchError, match="expected a position of"):
        widget.position = "#####\n#@$.#\n#####"


def test_unknown_options_and_values_are_refused(found: Influence) -> None:
    with pytest.raises(TypeError, match="did you mean 'threshold'"):
        sv.InfluenceWidget(found, treshold=3)
    with pytest.raises(traitlets.TraitError):
        sv.InfluenceWidget(found, direction="sideways")
    with pytest.raises(TypeError, match="expected a Level, a Board or an Influence"):
        sv.InfluenceWidget("#####")  # type: ignore[arg-type]


def test_a_board_is_used_as_it_is() -> None:
    board = sv.load("lessons#13").board()
    board.push(board.pushes[0])
    widget = sv.InfluenceWidget(board)
    assert widget.board is board
    assert len(widget.cuts["line"]) == 1


def test_the_released_program_keeps_its_parameters() -> None:
    released = sv.influence(sv.load("lessons#13"), released=True)
    widget = sv.InfluenceWidget(released)
    assert (widget.m, widget.threshold) == (released.m, released.threshold)
    assert widget.about["settings"] == "as in the released program"


@pytest.mark.parametrize("direction", frames.DIRECTIONS)
def test_a_picture_is_left_where_there_is_no_kernel(found: Influence, direction: str) -> None:
    widget = sv.InfluenceWidget(found, direction=direction)
    bundle = widget._repr_mimebundle_()
    assert bundle
    assert bundle[0]["image/svg+xml"].startswith("<svg")
    assert f"Influence {direction} {widget.source}" in bundle[1]["image/svg+xml"]["alt"]
    assert "InfluenceWidget" in bundle[0]["text/plain"]


def test_strong_influence_is_light(found: Influence) -> None:
    field = frames.field_of(found, found.squares[0], frames.FROM)
    assert field.color(0) == "#fee838"
    assert field.color(field.highest) == "#00224e"


def test_what_was_measured_shows_itself(found: Influence) -> None:
    shown = found.explore(source="Cc", k=2)
    assert shown.influence.level == found.level
    assert (shown.source, shown.k) == ("Cc", 2)
