"""The board widget without a browser: what the page may ask for, what it is told, and what Python sees."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
import traitlets

from sokoviz.board import Board
from sokoviz.errors import LevelError, MoveError, NoPlayerError
from sokoviz.levels import Level
from sokoviz.squares import Square
from sokoviz.widgets.base import loading as warmup
from sokoviz.widgets.base.modules import join_modules, join_styles
from sokoviz.widgets.board.glides import LONGEST_WAY, ways_between
from sokoviz.widgets.board.widget import BoardWidget

ROOM = """\
#######
#     #
# $ . #
#@  $.#
#     #
#######"""


@pytest.fixture(autouse=True, scope="module")
def _kernels() -> None:
    """Load the kernels first: where an event loop runs, as under browser tests, they would load in the background."""
    warmup._load()


@pytest.fixture
def widget() -> BoardWidget:
    """A board with two boxes in an open room."""
    return BoardWidget(Level.parse(ROOM))


def tell(widget: BoardWidget, kind: str, **arguments: Any) -> None:
    """Send a message as the page does."""
    widget._handle_custom_msg({"kind": kind, **arguments}, [])


def click(widget: BoardWidget, name: str) -> None:
    """Click a square."""
    square = list(Square.parse(name))
    tell(widget, "press", square=square)
    tell(widget, "release", square=square)


def marks(widget: BoardWidget, role: str) -> list[str]:
    """Names of the squares that are marked in a role."""
    overlays = [overlay for overlay in widget.scene["picture"]["overlays"] if overlay["kind"] == "mark"]
    return [Square(*overlay["squares"][0]).name for overlay in overlays if overlay["role"] == role]


# --- construction -------------------------------------------------------------------------------------------------


def test_the_scene_is_complete_and_plain(widget: BoardWidget) -> None:
    scene = json.loads(json.dumps(widget.scene))
    assert scene["counts"] == "0 moves · 0 pushes · 0 of 2 boxes on goals"
    assert scene["focus"] == [3, 1]
    assert scene["handles"] == [[2, 2], [3, 4]]
    assert scene["status"]["kind"] == "hint"
    assert scene["picture"]["cells"] == Board(Level.parse(ROOM)).picture().to_json()["cells"]


def test_a_board_is_used_as_it_is() -> None:
    board = Board(Level.parse(ROOM))
    board.play("rr")
    widget = BoardWidget(board)
    assert widget.board is board
    assert widget.moves == "rr"
    tell(widget, "step", direction="u")
    assert board.moves == "rru"
    board.undo()
    widget.refresh()
    assert widget.moves == "rr"


def test_options_are_traits() -> None:
    widget = BoardWidget(Level.parse(ROOM), moves="rr", component=True, coordinates=True, replay_speed=8, cell_size=20)
    assert (widget.moves, widget.component, widget.coordinates, widget.replay_speed) == ("rr", True, True, 8)
    assert widget.scene["cell_size"] == 20
    assert widget.scene["picture"]["coordinates"] is True
    assert widget.layout is not None


def test_an_unknown_option_is_refused_with_a_hint() -> None:
    with pytest.raises(TypeError, match="found 'componnent'; did you mean 'component'"):
        BoardWidget(Level.parse(ROOM), componnent=True)


def test_a_bad_option_is_refused() -> None:
    with pytest.raises(traitlets.TraitError):
        BoardWidget(Level.parse(ROOM), replay_speed=0)
    with pytest.raises(MoveError):
        BoardWidget(Level.parse(ROOM), moves="llllll")


def test_what_is_no_level_is_refused() -> None:
    with pytest.raises(TypeError, match="expected a Level or a Board, found 'microban#1'"):
        BoardWidget("microban#1")  # type: ignore[arg-type]


def test_its_repr_is_a_line(widget: BoardWidget) -> None:
    assert re.fullmatch(r"<BoardWidget: <Board of Level.*: 0 moves, 0 pushes>>", repr(widget))


def test_a_picture_stays_where_there_is_no_kernel(widget: BoardWidget) -> None:
    bundle = widget._repr_mimebundle_()
    assert bundle is not None
    data, metadata = bundle
    assert metadata["image/svg+xml"]["alt"] == widget.scene["picture"]["label"]
    assert data["application/vnd.jupyter.widget-view+json"]["model_id"] == widget.model_id
    assert data["image/svg+xml"].startswith("<svg")
    assert data["text/plain"] == ROOM
    widget.component = True
    assert 'class="fill component"' in widget._repr_mimebundle_()[0]["image/svg+xml"]  # type: ignore[index]


# --- traits -------------------------------------------------------------------------------------------------------


def test_moves_can_be_set_and_are_written_properly(widget: BoardWidget) -> None:
    widget.moves = "2ru rr"
    assert widget.moves == "rrurr"
    widget.moves = "uRR"
    assert widget.moves == "uRR"
    assert "@" in widget.position.splitlines()[2]
    assert widget.scene["counts"].startswith("3 moves · 2 pushes · 1 of 2")


@pytest.mark.parametrize("moves", ["lll", "xyz", "R", "3("])
def test_moves_against_the_rules_raise_and_change_nothing(widget: BoardWidget, moves: str) -> None:
    widget.moves = "rr"
    before = (widget.moves, widget.position, widget.scene)
    with pytest.raises(MoveError):
        widget.moves = moves
    assert (widget.moves, widget.position, widget.scene) == before


def test_position_is_the_new_start(widget: BoardWidget) -> None:
    widget.moves = "rr"
    widget.position = "#####\n#@$.#\n#####"
    assert (widget.position, widget.moves, widget.board.level.width) == ("#####\n#@$.#\n#####", "", 5)
    assert widget.scene["level"] == 1
    widget.moves = "R"
    assert widget.board.is_solved


def test_the_position_of_now_can_be_made_the_start(widget: BoardWidget) -> None:
    widget.moves = "rr"
    here = widget.position
    widget.position = here
    assert (widget.moves, widget.position) == ("", here)
    widget.board.restart()
    assert widget.board.position == here


@pytest.mark.parametrize("text", ["", "#####\n# $.#\n#####", "hello", "#####\n#@$ #\n#####"])
def test_a_position_that_is_no_level_raises_and_changes_nothing(widget: BoardWidget, text: str) -> None:
    widget.moves = "rr"
    before = (widget.moves, widget.position, widget.scene)
    with pytest.raises(LevelError):
        widget.position = text
    assert (widget.moves, widget.position, widget.scene) == before


@pytest.mark.parametrize("name", ["moves", "position"])
def test_what_is_no_text_raises(widget: BoardWidget, name: str) -> None:
    with pytest.raises(traitlets.TraitError, match=f"expected text for the trait '{name}', found 7"):
        setattr(widget, name, 7)


def test_whoever_observes_a_trait_sees_all_of_them_up_to_date(widget: BoardWidget) -> None:
    seen: list[tuple[str, str]] = []
    widget.observe(lambda change: seen.append((change.new, widget.position)), "moves")
    widget.observe(lambda change: seen.append((widget.moves, change.new)), "position")
    tell(widget, "step", direction="r")
    assert set(seen) == {("r", widget.board.position)}
    assert len(seen) == 2


def test_the_page_can_set_moves_too_as_links_between_widgets_do(widget: BoardWidget) -> None:
    widget.set_state({"moves": "rr"})
    assert (widget.board.moves, widget.scene["n_moves"]) == ("rr", 2)
    widget.set_state({"moves": "llll"})
    assert widget.moves == "rr"
    assert widget.trouble["summary"].startswith("sokoviz.errors.IllegalMoveError: move 1")


def test_traits_can_be_set_together(widget: BoardWidget) -> None:
    with widget.hold_trait_notifications():
        widget.position = "######\n#@ $.#\n######"
        widget.moves = "r"
    assert (widget.moves, widget.position, widget.board.n_moves) == ("r", "######\n# @$.#\n######", 1)


def test_overlays_are_switched_by_traits(widget: BoardWidget) -> None:
    def kinds() -> set[str]:
        return {f"{each['kind']} {each['role']}" for each in widget.scene["picture"]["overlays"]}

    assert kinds() == set()
    widget.component = True
    assert kinds() == {"fill component"}
    widget.pushes = widget.dead_squares = True
    assert kinds() == {"fill component", "fill dead", "arrow context"}
    widget.set_state({"component": False})  # as the page does
    assert kinds() == {"fill dead", "arrow context"}


# --- playing ------------------------------------------------------------------------------------------------------


def test_steps_push_and_stop_at_walls(widget: BoardWidget) -> None:
    for direction in "rrrd":
        tell(widget, "step", direction=direction)
    assert widget.moves == "rrRd"
    tell(widget, "step", direction="d")
    assert widget.moves == "rrRd"
    assert widget.scene["status"] == {"kind": "note", "lead": "", "text": "The way down is blocked."}


def test_undo_redo_restart_and_finish(widget: BoardWidget) -> None:
    for direction in "urr":
        tell(widget, "step", direction=direction)
    assert widget.moves == "uRR"
    tell(widget, "undo")
    assert (widget.moves, widget.scene["n_moves"], widget.scene["n_total"]) == ("uR", 2, 3)
    tell(widget, "redo")
    assert widget.moves == "uRR"
    tell(widget, "restart")
    assert (widget.moves, widget.scene["n_total"]) == ("", 3)
    tell(widget, "finish")
    assert widget.moves == "uRR"
    tell(widget, "seek", n_moves=1)
    assert widget.moves == "u"


def test_undo_and_redo_say_when_there_is_nothing(widget: BoardWidget) -> None:
    tell(widget, "undo")
    assert widget.scene["status"]["text"] == "Nothing to undo."
    tell(widget, "redo")
    assert widget.scene["status"]["text"] == "Nothing to redo."


def test_a_step_along_the_undone_moves_keeps_those_behind_it(widget: BoardWidget) -> None:
    widget.moves = "uRR"
    tell(widget, "restart")
    tell(widget, "step", direction="u")
    assert (widget.moves, widget.board.future) == ("u", "RR")
    tell(widget, "step", direction="u")
    assert (widget.moves, widget.board.future) == ("uu", "")


def test_a_click_walks(widget: BoardWidget) -> None:
    click(widget, "Fb")
    assert widget.board.player == Square.parse("Fb")
    assert widget.moves.islower()
    tell(widget, "undo")
    assert widget.moves == ""


def test_a_click_on_a_wall_is_refused_in_words(widget: BoardWidget) -> None:
    click(widget, "Aa")
    assert widget.moves == ""
    assert widget.scene["status"]["text"] == "The player cannot walk to Aa."


def test_a_box_is_picked_up_and_put_down_by_two_clicks(widget: BoardWidget) -> None:
    click(widget, "Cc")
    assert widget.scene["selected"] == [2, 2]
    assert marks(widget, "now") == ["Cc"]
    assert "Ec" in marks(widget, "control")
    click(widget, "Ec")
    assert Square.parse("Ec") in widget.board.boxes
    assert widget.scene["selected"] is None
    assert sum(letter.isupper() for letter in widget.moves) == 2


def test_a_box_is_dragged(widget: BoardWidget) -> None:
    tell(widget, "press", square=list(Square.parse("Cc")))
    assert widget.scene["selected"] == [2, 2]
    tell(widget, "release", square=list(Square.parse("Ec")))
    assert Square.parse("Ec") in widget.board.boxes
    tell(widget, "undo")
    assert (widget.moves, widget.board.boxes) == ("", frozenset(widget.board.level.boxes))


def test_a_box_cannot_be_dragged_into_a_wall(widget: BoardWidget) -> None:
    tell(widget, "press", square=list(Square.parse("Cc")))
    tell(widget, "release", square=[0, 0])
    assert widget.moves == ""
    assert widget.scene["status"]["text"] == "The box on Cc cannot be pushed to Aa."
    assert widget.scene["selected"] is None


@pytest.mark.parametrize("how", ["again", "elsewhere", "drop", "off the board"])
def test_a_box_is_let_go(widget: BoardWidget, how: str) -> None:
    click(widget, "Cc")
    if how == "again":
        click(widget, "Cc")
    elif how == "elsewhere":
        click(widget, "Aa")
    elif how == "drop":
        tell(widget, "drop")
    else:
        tell(widget, "press", square=[2, 2])
        tell(widget, "release", square=None)
    assert (widget.scene["selected"], widget.moves) == (None, "")


def test_another_box_can_be_picked_up_instead(widget: BoardWidget) -> None:
    click(widget, "Cc")
    click(widget, "Ed")
    assert widget.scene["selected"] == [3, 4]


def test_a_walled_off_box_is_no_handle() -> None:
    widget = BoardWidget(Level.parse("#########\n#@$.#####\n#####*###\n#########"))
    assert widget.scene["handles"] == [[1, 2]]
    click(widget, "Fc")
    assert widget.scene["selected"] is None


def test_solving_is_celebrated_with_pushes_and_moves(widget: BoardWidget) -> None:
    widget.moves = "uRR"
    tell(widget, "press", square=[3, 4])
    tell(widget, "release", square=[3, 5])
    assert widget.board.is_solved
    expected = f"{widget.board.n_pushes} pushes, {widget.board.n_moves} moves."
    assert widget.scene["status"] == {"kind": "solved", "lead": "Solved!", "text": expected}


def test_a_deadlock_is_named_and_its_squares_are_marked() -> None:
    widget = BoardWidget(Level.parse("######\n#    #\n# $@ #\n#   .#\n######"))
    assert marks(widget, "deadlock") == []
    tell(widget, "step", direction="l")
    status = widget.scene["status"]
    assert (status["kind"], marks(widget, "deadlock")) == ("deadlock", ["Bc"])
    assert "locking tile" in status["lead"]
    assert "The box on Bc" in status["text"]
    tell(widget, "undo")
    assert (widget.scene["status"]["kind"], marks(widget, "deadlock")) == ("hint", [])


# --- replay -------------------------------------------------------------------------------------------------------


def play_on(widget: BoardWidget) -> list[str]:
    """Acknowledge frames until the replay ends; return the moves seen at each."""
    seen = [widget.moves]
    while widget.replaying:
        tell(widget, "next", frame=widget.scene["frame"])
        seen.append(widget.moves)
    return seen


def test_a_replay_goes_through_all_moves_one_by_one(widget: BoardWidget) -> None:
    widget.moves = "uRRd"
    tell(widget, "replay")
    assert play_on(widget) == ["", "u", "uR", "uRR", "uRRd"]
    assert widget.board.future == ""


def test_a_replay_goes_on_from_where_it_stopped(widget: BoardWidget) -> None:
    widget.moves = "uRRd"
    tell(widget, "replay")
    tell(widget, "next", frame=widget.scene["frame"])
    tell(widget, "replay")
    assert (widget.replaying, widget.moves, widget.board.future) == (False, "u", "RRd")
    tell(widget, "replay")
    assert play_on(widget) == ["u", "uR", "uRR", "uRRd"]


def test_a_frame_is_acknowledged_once_even_by_two_views(widget: BoardWidget) -> None:
    widget.replay("uRRd")
    frame = widget.scene["frame"]
    tell(widget, "next", frame=frame)
    tell(widget, "next", frame=frame)
    assert widget.moves == "u"


def test_whatever_the_reader_does_stops_a_replay(widget: BoardWidget) -> None:
    widget.replay("uRRd")
    tell(widget, "next", frame=widget.scene["frame"])
    tell(widget, "step", direction="r")
    assert (widget.replaying, widget.moves, widget.board.future) == (False, "uR", "Rd")
    tell(widget, "next", frame=widget.scene["frame"])
    assert widget.moves == "uR"


def test_setting_a_trait_stops_a_replay(widget: BoardWidget) -> None:
    widget.replay("uRRd")
    widget.moves = "u"
    assert not widget.replaying


def test_a_replay_of_nothing_says_so(widget: BoardWidget) -> None:
    tell(widget, "replay")
    assert not widget.replaying
    assert widget.scene["status"]["text"].startswith("Nothing to replay yet")


def test_a_replay_of_bad_moves_raises_and_changes_nothing(widget: BoardWidget) -> None:
    with pytest.raises(MoveError):
        widget.replay("llll")
    assert (widget.moves, widget.replaying) == ("", False)


# --- texts pasted -------------------------------------------------------------------------------------------------


def test_a_pasted_level_is_the_new_start(widget: BoardWidget) -> None:
    tell(widget, "load", what="level", text="; Mine\n\n#####\n#@$.#\n#####\n")
    assert (widget.entry["what"], widget.entry["error"]) == ("level", "")
    assert widget.scene["title"] == "Mine"
    assert widget.position == "#####\n#@$.#\n#####"


def test_a_pasted_level_with_an_error_changes_nothing_and_says_where(widget: BoardWidget) -> None:
    widget.moves = "rr"
    before = widget.scene
    text = "#####\n#@$.#\n#@  #\n#####"
    tell(widget, "load", what="level", text=text)
    assert widget.entry["error"].startswith("line 3, column 2: ")
    assert text[widget.entry["start"] : widget.entry["end"]] == "@"
    assert (widget.scene, widget.moves, widget.trouble["summary"]) == (before, "rr", "")


def test_an_error_without_a_place_selects_nothing(widget: BoardWidget) -> None:
    tell(widget, "load", what="level", text="#####\n# $.#\n#####")
    with pytest.raises(NoPlayerError) as caught:
        Level.parse("#####\n# $.#\n#####")
    assert widget.entry["error"] == str(caught.value)


def test_pasted_moves_are_played_or_refused(widget: BoardWidget) -> None:
    tell(widget, "load", what="moves", text="2r")
    assert (widget.moves, widget.entry["error"]) == ("rr", "")
    tell(widget, "load", what="moves", text="rr?")
    assert widget.moves == "rr"
    assert (widget.entry["start"], widget.entry["end"]) == (2, 3)


# --- nothing is lost ----------------------------------------------------------------------------------------------


def test_an_exception_from_an_observer_is_shown_and_the_move_is_kept(widget: BoardWidget) -> None:
    def fail(_change: object) -> None:
        message = "deliberate"
        raise RuntimeError(message)

    widget.observe(fail, "moves")
    tell(widget, "step", direction="r")
    assert widget.trouble["summary"] == "RuntimeError: deliberate"
    assert "in fail" in widget.trouble["details"]
    assert (widget.moves, widget.scene["n_moves"]) == ("r", 1)
    tell(widget, "dismiss")
    assert widget.trouble["summary"] == ""


def test_an_exception_from_an_observer_of_a_toggle_is_shown(widget: BoardWidget) -> None:
    widget.observe(lambda _change: 1 / 0, "component")
    widget.set_state({"component": True})
    assert widget.trouble["summary"].startswith("ZeroDivisionError")


def test_a_message_that_nobody_understands_is_shown(widget: BoardWidget) -> None:
    tell(widget, "fly")
    assert "found kind 'fly'" in widget.trouble["summary"]


# --- ways ---------------------------------------------------------------------------------------------------------


def test_ways_lead_player_and_boxes_in_step() -> None:
    start = Square(3, 3)
    ways = ways_between(("", start), ("uRR", Square(2, 5)))
    assert ways == [[(3, 3), (2, 3), (2, 4), (2, 5)], [(2, 4), (2, 4), (2, 5), (2, 6)]]
    assert ways_between(("uRR", Square(2, 5)), ("", start)) == [way[::-1] for way in ways]


def test_ways_follow_a_box_through_several_pushes_and_then_another() -> None:
    ways = ways_between(("", Square(1, 1)), ("RdrUL", Square(1, 2)))
    assert ways[1] == [(1, 2), (1, 3), (1, 3), (1, 3), (0, 3), (0, 3)]
    assert ways[2] == [(1, 2), (1, 2), (1, 2), (1, 2), (1, 2), (1, 1)]
    assert len(ways) == 3


def test_there_are_no_ways_between_points_off_one_line_or_too_far_apart() -> None:
    here = Square(1, 1)
    assert ways_between(("ur", here), ("ul", here)) == []
    assert ways_between(("u", here), ("u", here)) == []
    assert ways_between(("", here), ("u" * (LONGEST_WAY + 1), here)) == []


# --- modules ------------------------------------------------------------------------------------------------------


def test_joined_modules_import_nothing_and_keep_the_default_export() -> None:
    joined = join_modules("board_widget")
    assert re.findall(r"^import ", joined, re.MULTILINE) == []
    assert re.findall(r"^export default ", joined, re.MULTILINE) == ["export default "]
    assert joined.count("const module_dom = ") == 1
    assert joined.index("const module_symbols = ") < joined.index("const module_draw = ")


def test_joined_styles_have_the_colours_of_both_themes() -> None:
    styles = join_styles("board")
    assert styles.count("--sokoviz-wall:") == 3
    assert '[data-jp-theme-light="false"] .sokoviz,' in styles
