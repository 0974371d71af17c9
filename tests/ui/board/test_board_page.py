"""The board in a plain page: real layout, keys, pointers and accessible names, without JupyterLab."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from sokoviz.levels import Level
from sokoviz.widgets.base.modules import join_modules
from tests.ui.board.pages import ROOM, PlainBoard

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

    PageWith = Callable[..., Page]


@pytest.fixture
def board(page_with: PageWith) -> PlainBoard:
    """A board that a widget in this process answers for."""
    return PlainBoard(page_with)


# --- names --------------------------------------------------------------------------------------------------------


def test_cells_are_named_and_stand_in_rows(board: PlainBoard) -> None:
    assert board.page.get_by_role("row").count() == 6
    assert board.page.get_by_role("gridcell").count() == 42
    for name in ("row a, column A: wall", "row d, column B: player", "row c, column C: box", "row c, column E: goal"):
        assert board.cell(name).count() == 1
    assert board.grid().get_attribute("aria-label") == board.widget.scene["picture"]["label"]


def test_names_follow_the_position(board: PlainBoard) -> None:
    board.press("ArrowUp", "ArrowRight", "ArrowRight")
    board.wait_for_moves("uRR")
    assert board.cell("row c, column E: box on goal").count() == 1
    assert board.cell("row c, column C: floor").count() == 1
    active = board.grid().get_attribute("aria-activedescendant")
    assert board.page.locator(f"#{active}").get_attribute("aria-label") == "row c, column D: player"


def test_cells_lie_exactly_on_the_drawing(board: PlainBoard) -> None:
    boxes = board.page.evaluate("""() => {
      const cell = document.querySelector('[aria-label="row c, column C: box"]').getBoundingClientRect();
      const use = document.querySelector('.pieces > [transform="translate(64 64)"]').getBoundingClientRect();
      const middle = (box) => [box.left + box.width / 2, box.top + box.height / 2];
      return [0, 1].map((axis) => middle(cell)[axis] - middle(use)[axis]);
    }""")
    assert max(map(abs, boxes)) < 1


def test_every_button_has_its_name_and_a_tooltip_with_its_key(board: PlainBoard) -> None:
    for name in ("Undo", "Redo", "Restart", "Replay", "Component", "Pushes", "Dead squares", "Coordinates"):
        assert board.button(name).count() == 1
        assert "(" in (board.button(name).get_attribute("title") or "")


def test_the_replay_speed_has_its_name(board: PlainBoard) -> None:
    speed = board.page.get_by_role("combobox", name="Replay speed", exact=True)
    speed.select_option("16")
    board.page.wait_for_function("() => model.get('replay_speed') === 16")
    assert board.widget.replay_speed == 16


def test_a_title_is_text_and_never_markup(page_with: PageWith) -> None:
    evil = "<img src=x onerror=alert(1)>"
    board = PlainBoard(page_with, f"; {evil}\n\n{ROOM}\nAuthor: <b>me</b>")
    assert board.page.locator(".sokoviz-title").inner_text() == evil
    assert board.page.locator("img, .sokoviz-head b").count() == 0


# --- keys ---------------------------------------------------------------------------------------------------------


MESSAGE_OF: dict[str, dict[str, str]] = {
    **{key: {"kind": "step", "direction": "u"} for key in ("ArrowUp", "w", "W")},
    **{key: {"kind": "step", "direction": "d"} for key in ("ArrowDown", "s")},
    **{key: {"kind": "step", "direction": "l"} for key in ("ArrowLeft", "a")},
    **{key: {"kind": "step", "direction": "r"} for key in ("ArrowRight", "d")},
    **{key: {"kind": "undo"} for key in ("u", "U", "Control+z", "Meta+z", "Backspace")},
    **{key: {"kind": "redo"} for key in ("r", "Control+y", "Control+Shift+Z")},
    **{key: {"kind": "replay"} for key in ("p", "Space")},
    "Home": {"kind": "restart"},
    "End": {"kind": "finish"},
    "Escape": {"kind": "drop"},
}


def test_every_key_asks_for_its_action(page_with: PageWith) -> None:
    board = PlainBoard(page_with, live=False)
    board.grid().focus()
    asked = {}
    for key in MESSAGE_OF:
        board.page.keyboard.press(key)
        asked[key] = board.sent()
    assert asked == {key: [message] for key, message in MESSAGE_OF.items()}


def test_other_keys_do_nothing_and_none_gets_out(page_with: PageWith) -> None:
    board = PlainBoard(page_with, live=False)
    board.page.evaluate("() => { globalThis.got = []; document.addEventListener('keydown', (e) => got.push(e.key)); }")
    board.grid().focus()
    for key in ("b", "x", "m", "Control+s", "Control+a", "Alt+ArrowLeft", "F9", "PageDown", "ArrowUp", "Escape"):
        board.page.keyboard.press(key)
    assert board.page.evaluate("() => got.filter((key) => !['Control', 'Alt'].includes(key))") == []
    assert [message["kind"] for message in board.sent()] == ["step", "drop"]


def test_browser_defaults_of_keys_are_off_but_for_tab(page_with: PageWith) -> None:
    board = PlainBoard(page_with, live=False)
    prevented = board.page.evaluate("""() => ["ArrowDown", " ", "x", "s", "Backspace", "Tab"].map((key) => {
      const event = new KeyboardEvent("keydown", {key, bubbles: true, cancelable: true});
      document.querySelector("[role=grid]").dispatchEvent(event);
      return event.defaultPrevented;
    })""")
    assert prevented == [True, True, True, True, True, False]


def test_tab_leads_into_the_board_and_out_again(board: PlainBoard) -> None:
    board.page.keyboard.press("Tab")
    assert board.page.evaluate("() => document.activeElement.getAttribute('role')") == "grid"
    seen = []
    for _ in range(10):
        board.page.keyboard.press("Tab")
        seen.append(board.page.evaluate("() => document.activeElement.textContent || document.activeElement.ariaLabel"))
    assert seen[:3] == ["Undo", "Redo", "Restart"]
    assert {"Replay", "Component", "Pushes", "Dead squares", "Coordinates", "Level and moves as text"} <= set(seen)


def test_the_focus_is_visible(board: PlainBoard) -> None:
    board.grid().focus()
    style = board.page.evaluate(
        "() => { const s = getComputedStyle(document.activeElement); return [s.outlineStyle, s.outlineWidth]; }"
    )
    assert style == ["solid", "3px"]


def test_a_key_held_down_asks_again_only_after_the_answer(page_with: PageWith) -> None:
    board = PlainBoard(page_with, live=False)
    board.grid().focus()
    for _ in range(5):
        board.page.keyboard.down("d")  # the second and later ones are repeats
    assert len(board.sent()) == 1
    board.show(scene={**board.state()["scene"], "frame": 99})
    board.page.keyboard.down("d")
    assert len(board.sent()) == 1


def test_digits_toggle_overlays(board: PlainBoard) -> None:
    board.press("1", "4")
    board.page.wait_for_function("() => model.get('scene').picture.coordinates")
    assert (board.widget.component, board.widget.pushes, board.widget.coordinates) == (True, False, True)
    assert board.button("Component").get_attribute("aria-pressed") == "true"


def test_a_box_is_pushed_by_keys_alone(board: PlainBoard) -> None:
    board.press("Shift+ArrowUp", "Shift+ArrowRight", "Enter")
    board.page.wait_for_function("() => model.get('scene').selected")
    assert board.widget.scene["selected"] == [2, 2]
    assert board.cell("row c, column C: box").get_attribute("aria-selected") == "true"
    board.press("Shift+ArrowRight", "Shift+ArrowRight", "Enter")
    board.page.wait_for_function("() => model.get('scene').counts.includes('1 of 2')")
    assert board.cell("row c, column E: box on goal").count() == 1


def test_looking_around_is_spoken_and_changes_nothing(board: PlainBoard) -> None:
    board.press("Shift+ArrowUp", "Shift+ArrowUp", "Shift+ArrowUp", "Shift+ArrowUp")
    active = board.grid().get_attribute("aria-activedescendant")
    assert board.page.locator(f"#{active}").get_attribute("aria-label") == "row a, column B: wall"
    assert board.page.locator(".sokoviz-cursor").count() == 1
    board.press("Escape")
    assert board.page.locator(".sokoviz-cursor").count() == 0
    assert board.widget.moves == ""


# --- pointer ------------------------------------------------------------------------------------------------------


def test_a_click_walks_and_takes_the_focus(board: PlainBoard) -> None:
    board.cell("row b, column F: floor").click()
    board.cell("row b, column F: player").wait_for()
    assert len(board.widget.moves) == 6
    assert board.page.evaluate("() => document.activeElement.getAttribute('role')") == "grid"


def test_a_box_is_clicked_and_then_a_dotted_square(board: PlainBoard) -> None:
    board.cell("row c, column C: box").click()
    board.page.wait_for_selector(".mark.control .dot")
    assert board.page.locator(".mark.now .ring").count() == 1
    board.cell("row c, column E: goal").click()
    board.page.wait_for_function("() => model.get('scene').counts.includes('1 of 2')")
    assert board.page.locator(".mark").count() == 0


def test_a_dragged_box_follows_the_pointer_and_stays_where_it_is_dropped(board: PlainBoard) -> None:
    start, end = board.cell("row c, column C: box").bounding_box(), board.cell("row c, column E: goal").bounding_box()
    assert start
    assert end
    mouse = board.page.mouse
    mouse.move(start["x"] + 15, start["y"] + 15)
    mouse.down()
    board.page.wait_for_selector(".mark.now .ring")
    mouse.move(end["x"] + 15, end["y"] + 15, steps=5)
    carried = board.page.locator(".pieces > :last-child").bounding_box()
    assert carried
    assert abs(carried["x"] + carried["width"] / 2 - end["x"] - 15) < 2
    mouse.up()
    board.page.wait_for_function("() => model.get('scene').counts.includes('1 of 2')")
    assert board.cell("row c, column E: box on goal").count() == 1


def test_a_box_dropped_in_a_wall_goes_back(board: PlainBoard) -> None:
    board.cell("row c, column C: box").drag_to(board.cell("row a, column A: wall"))
    board.page.wait_for_function("() => model.get('scene').status.kind === 'note'")
    assert board.status() == "The box on Cc cannot be pushed to Aa."
    assert board.cell("row c, column C: box").count() == 1


def test_a_box_dropped_off_the_board_goes_back(board: PlainBoard) -> None:
    board.cell("row c, column C: box").hover()
    board.page.mouse.down()
    board.page.mouse.move(5, 5, steps=3)
    board.page.mouse.up()
    board.page.wait_for_function("() => model.sent.some((message) => message.square === null)")
    assert (board.widget.scene["selected"], board.widget.moves) == (None, "")


def test_only_the_main_button_acts(page_with: PageWith) -> None:
    board = PlainBoard(page_with, live=False)
    board.cell("row b, column F: floor").click(button="right")
    board.cell("row b, column F: floor").click(button="middle")
    assert board.sent() == []


def test_touch_taps_and_drags(page_with: PageWith) -> None:
    board = PlainBoard(page_with, page_options={"has_touch": True})
    board.cell("row b, column B: floor").tap()
    board.wait_for_moves("uu")
    start, end = board.cell("row c, column C: box").bounding_box(), board.cell("row c, column E: goal").bounding_box()
    assert start
    assert end
    session = board.page.context.new_cdp_session(board.page)
    places = [(start["x"] + 15 + share * (end["x"] - start["x"]), start["y"] + 15) for share in (0, 0.3, 0.6, 1)]
    for kind, (x, y) in zip(["touchStart", "touchMove", "touchMove", "touchMove"], places, strict=True):
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y}]})
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    board.page.wait_for_function("() => model.get('scene').counts.includes('1 of 2')")


def test_a_finger_beside_the_boxes_still_scrolls_the_page(board: PlainBoard) -> None:
    action = "cell => getComputedStyle(cell).touchAction"
    assert board.cell("row c, column C: box").evaluate(action) == "none"
    assert board.cell("row b, column B: floor").evaluate(action) == "auto"


# --- controls -----------------------------------------------------------------------------------------------------


def test_buttons_undo_redo_and_restart(board: PlainBoard) -> None:
    board.press("ArrowUp", "ArrowRight")
    board.wait_for_moves("uR")
    board.button("Undo").click()
    board.wait_for_moves("u")
    board.button("Redo").click()
    board.wait_for_moves("uR")
    board.button("Restart").click()
    board.wait_for_moves("")
    assert board.widget.board.future == "uR"


def test_a_button_with_nothing_to_do_says_so_and_keeps_the_focus(board: PlainBoard) -> None:
    board.press("ArrowUp")
    board.wait_for_moves("u")
    board.button("Undo").focus()
    board.page.keyboard.press("Enter")
    board.wait_for_moves("")
    assert board.button("Undo").get_attribute("aria-disabled") == "true"
    assert board.page.evaluate("() => document.activeElement.textContent") == "Undo"
    board.sent()
    board.page.keyboard.press("Enter")
    assert board.sent() == []


def test_after_a_click_on_a_button_the_keys_go_to_the_board_again(board: PlainBoard) -> None:
    board.button("Component").click()
    board.page.wait_for_selector(".fill.component")
    board.page.keyboard.press("ArrowUp")
    board.wait_for_moves("u")


@pytest.mark.parametrize(
    ("name", "selector"),
    [
        ("Component", ".fill.component"),
        ("Pushes", ".arrow.context"),
        ("Dead squares", ".fill.dead"),
        ("Coordinates", ".coordinate"),
    ],
)
def test_overlays_are_toggled(board: PlainBoard, name: str, selector: str) -> None:
    toggle = board.button(name)
    assert toggle.get_attribute("aria-pressed") == "false"
    toggle.click()
    board.page.wait_for_selector(selector, state="attached")
    assert toggle.get_attribute("aria-pressed") == "true"
    toggle.click()
    board.page.wait_for_selector(selector, state="detached")
    assert toggle.get_attribute("aria-pressed") == "false"


def test_the_slider_goes_to_any_move(board: PlainBoard) -> None:
    board.widget.moves = "uRRdd"
    board.push()
    slider = board.page.get_by_role("slider", name="Move", exact=True)
    slider.focus()
    for _ in range(3):
        board.page.keyboard.press("ArrowLeft")
    board.wait_for_moves("uR")
    assert slider.get_attribute("aria-valuetext") == "move 2 of 5"


def test_nothing_jumps_when_the_status_changes(board: PlainBoard) -> None:
    def places() -> list[Any]:
        return [board.button(name).bounding_box() for name in ("Undo", "Coordinates")] + [board.grid().bounding_box()]

    before = places()
    for kind, text in (("deadlock", "word " * 60), ("solved", "2 pushes, 3 moves."), ("note", ""), ("compiling", "…")):
        board.show(scene={**board.state()["scene"], "status": {"kind": kind, "lead": "Lead.", "text": text}})
        assert places() == before
    board.button("Coordinates").click()
    board.page.wait_for_selector(".coordinate")
    assert places() == before


def test_deadlocks_and_solutions_are_announced(board: PlainBoard) -> None:
    board.widget.position = "######\n#    #\n# $@ #\n#   .#\n######"
    board.push()
    board.press("ArrowLeft")
    board.page.wait_for_selector(".mark.deadlock")
    assert board.status().startswith("Deadlock: locking tile")
    board.widget.position = "#####\n#@$.#\n#####"
    board.push()
    board.press("ArrowRight")
    board.page.wait_for_selector("[data-kind=solved]")
    assert board.status() == "Solved! 1 push, 1 move."


# --- replay -------------------------------------------------------------------------------------------------------


@pytest.mark.clock
def test_a_replay_shows_every_move(board: PlainBoard) -> None:
    board.widget.moves = "uRRddrru"
    board.widget.replay_speed = 32
    board.push()
    board.page.evaluate(
        "() => { globalThis.seen = []; model.on('scene', () => seen.push(model.get('scene').n_moves)); }"
    )
    board.button("Replay").click()
    board.page.wait_for_function("() => model.get('scene').n_moves === 8 && !model.get('replaying')")
    assert board.page.evaluate("() => [...new Set(seen)]") == list(range(9))
    assert board.button("Replay").get_attribute("aria-pressed") == "false"


@pytest.mark.clock
def test_a_replay_stops_when_the_button_is_pressed_again(board: PlainBoard) -> None:
    board.widget.moves = "uRRddrru"
    board.widget.replay_speed = 16
    board.push()
    board.button("Replay").click()
    board.page.wait_for_function("() => model.get('scene').n_moves === 2")
    board.button("Replay").click()
    board.page.wait_for_function("() => !model.get('replaying')")
    stopped_at = board.widget.board.n_moves
    board.page.wait_for_timeout(200)
    assert board.widget.board.n_moves == stopped_at < 8
    assert board.widget.moves + board.widget.board.future == "uRRddrru"


@pytest.mark.clock
def test_a_replay_waits_for_the_answer_and_keeps_its_speed(page_with: PageWith) -> None:
    board = PlainBoard(page_with, live=False)
    board.show(replaying=True, replay_speed=20)
    board.page.wait_for_function("() => model.sent.length === 1")
    board.page.wait_for_timeout(200)
    assert board.sent() == [{"kind": "next", "frame": board.widget.scene["frame"]}]
    board.show(scene={**board.state()["scene"], "frame": 7})
    board.page.wait_for_function("() => model.sent.length === 1", timeout=1000)
    assert board.sent() == [{"kind": "next", "frame": 7}]


# --- motion -------------------------------------------------------------------------------------------------------


def count_animations(board: PlainBoard) -> int:
    """Pieces that glide after one push."""
    board.widget.moves = "uR"
    return int(
        board.page.evaluate("state => { model.take(state); return document.getAnimations().length; }", board.state())
    )


@pytest.mark.clock
def test_pieces_glide(board: PlainBoard) -> None:
    assert count_animations(board) == 2


def test_nothing_moves_for_those_who_want_no_motion(page_with: PageWith) -> None:
    assert count_animations(PlainBoard(page_with, page_options={"reduced_motion": "reduce"})) == 0


# --- texts --------------------------------------------------------------------------------------------------------


def test_a_level_is_pasted(board: PlainBoard) -> None:
    board.page.get_by_text("Level and moves as text").click()
    text = board.page.get_by_label("Level text")
    expect(text).to_have_value(ROOM)
    text.fill("; Mine\n\n#####\n#@$.#\n#####")
    board.button("Load level").click()
    board.page.wait_for_function("() => model.get('scene').title === 'Mine'")
    assert board.page.get_by_role("gridcell").count() == 15
    assert text.input_value().startswith("; Mine")


def test_a_bad_level_is_refused_in_words_and_nothing_is_lost(board: PlainBoard) -> None:
    board.press("ArrowUp")
    board.page.get_by_text("Level and moves as text").click()
    text = board.page.get_by_label("Level text")
    bad = "#####\n#@$.#\n#@  #\n#####"
    text.fill(bad)
    board.button("Load level").click()
    error = board.page.get_by_role("alert").filter(has_text="line 3, column 2")
    error.wait_for()
    assert text.input_value() == bad
    assert text.evaluate("area => area.value.slice(area.selectionStart, area.selectionEnd)") == "@"
    assert board.widget.moves == "u"
    text.fill("#####\n#@$.#\n#####")
    board.button("Load level").click()
    error.wait_for(state="detached")


def test_moves_are_pasted_and_shown(board: PlainBoard) -> None:
    board.page.get_by_text("Level and moves as text").click()
    moves = board.page.get_by_label("Move string")
    moves.fill("u2R")
    moves.press("Enter")
    board.wait_for_moves("uRR")
    board.press("ArrowDown")
    board.wait_for_moves("uRRd")
    assert moves.input_value() == "uRRd"
    moves.fill("xyz")
    board.button("Load moves").click()
    board.page.get_by_role("alert").filter(has_text="column 1").wait_for()
    assert moves.input_value() == "xyz"


def test_keys_in_a_text_field_write_and_do_not_play(board: PlainBoard) -> None:
    board.page.get_by_text("Level and moves as text").click()
    moves = board.page.get_by_label("Move string")
    moves.fill("")
    moves.press_sequentially("wasdur")
    assert moves.input_value() == "wasdur"
    assert board.widget.moves == ""


# --- trouble ------------------------------------------------------------------------------------------------------


def test_exceptions_are_shown_under_the_board_until_they_are_dismissed(board: PlainBoard) -> None:
    board.widget.observe(lambda _change: 1 / 0, "moves")
    board.press("ArrowUp")
    panel = board.page.get_by_role("alert").filter(has_text="ZeroDivisionError: division by zero")
    panel.wait_for()
    assert board.cell("row c, column B: player").count() == 1
    panel.get_by_text("Traceback", exact=True).click()
    assert "test_board_page.py" in panel.inner_text()
    board.button("Dismiss").click()
    panel.wait_for(state="hidden")


# --- several boards -----------------------------------------------------------------------------------------------


def test_two_views_show_the_same_and_clash_nowhere(page_with: PageWith) -> None:
    board = PlainBoard(page_with, n_views=2)
    board.page.get_by_role("grid").nth(1).press("ArrowUp")
    board.wait_for_moves("u")
    assert board.cell("row c, column B: player").count() == 2
    ids = board.page.evaluate("() => [...document.querySelectorAll('[id]')].map((element) => element.id)")
    assert len(ids) == len(set(ids))
    assert board.page.evaluate("""() => [...document.querySelectorAll("use")].every(
      (use) => use.closest("svg").querySelector(use.getAttribute("href")))""")


@pytest.mark.clock
def test_a_replay_in_two_views_plays_each_move_once(page_with: PageWith) -> None:
    board = PlainBoard(page_with, n_views=2, moves="uRRddrru", replay_speed=32)
    board.page.evaluate(
        "() => { globalThis.seen = []; model.on('scene', () => seen.push(model.get('scene').n_moves)); }"
    )
    board.button("Replay").first.click()
    board.page.wait_for_function("() => model.get('scene').n_moves === 8 && !model.get('replaying')")
    seen = board.page.evaluate("() => seen")
    assert all(later - earlier in {0, 1} for earlier, later in itertools.pairwise(seen))


def test_cleaning_up_leaves_nothing(board: PlainBoard) -> None:
    assert board.page.evaluate("() => model.nHandlers()") > 0
    board.page.evaluate("() => cleanups.forEach((cleanup) => cleanup())")
    assert board.page.evaluate("() => [model.nHandlers(), hosts[0].childElementCount]") == [0, 0]
    board.page.evaluate("() => { cleanups[0] = mount(hosts[0], model); }")
    board.press("ArrowUp")
    board.wait_for_moves("u")


# --- sizes --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("width", "layout"), [(960, "beside"), (600, "below"), (340, "below")])
def test_the_board_fits_every_width(page_with: PageWith, width: int, layout: str) -> None:
    board = PlainBoard(page_with, page_options={"size": (width, 900)}, coordinates=True)
    root = board.page.locator(".sokoviz")
    assert root.get_attribute("data-layout") == layout
    assert board.page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    sizes = board.page.evaluate("""() => [...document.querySelectorAll(".sokoviz *")]
      .filter((e) => [...e.childNodes].some((node) => node.nodeType === 3 && node.data.trim()))
      .filter((e) => e.getClientRects().length)
      .map((e) => parseFloat(getComputedStyle(e).fontSize) * (e.ownerSVGElement?.getScreenCTM().a ?? 1))""")
    assert min(sizes) >= 10.99


@pytest.mark.parametrize("width", [340, 700, 1400])
def test_a_large_board_is_readable_and_whole(page_with: PageWith, width: int) -> None:
    rows = ["#" * 60, *(("#" + " " * 58 + "#") for _ in range(56)), "#@$." + " " * 55 + "#", "#" * 60]
    board = PlainBoard(page_with, "\n".join(rows), page_options={"size": (width, 900)}, coordinates=True)
    assert board.page.get_by_role("gridcell").count() == 60 * 59
    assert board.page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    letters = board.page.evaluate("""() => [...document.querySelectorAll(".coordinate")]
      .filter((e) => e.textContent === e.textContent.toUpperCase()).map((e) => e.getBoundingClientRect())
      .map((box) => [box.left, box.right])""")
    assert all(left[1] <= right[0] + 0.5 for left, right in itertools.pairwise(letters))
    board.cell("row bf, column C: box").click()
    board.page.wait_for_selector(".mark.control")


# --- as anywidget loads it ----------------------------------------------------------------------------------------


def test_the_joined_module_renders_and_cleans_up(page_with: PageWith) -> None:
    board = PlainBoard(page_with, live=False)
    left = board.page.evaluate(
        """async (source) => {
          const module = await import(URL.createObjectURL(new Blob([source], {type: "text/javascript"})));
          const el = document.body.appendChild(document.createElement("div"));
          const off = {};
          const source_model = {
            get: model.get, set: () => {}, save_changes: () => {}, send: () => {},
            on: (name, handler) => { off[name] = (off[name] ?? 0) + 1; }, off: (name) => { off[name] -= 1; },
          };
          const cleanup = module.default.render({model: source_model, el});
          const n_cells = el.querySelectorAll("[role=gridcell]").length;
          cleanup();
          return [n_cells, el.childElementCount, Math.max(...Object.values(off))];
        }""",
        join_modules("board_widget"),
    )
    assert left == [42, 0, 0]


def test_levels_that_look_alike_but_are_new_are_built_anew(board: PlainBoard) -> None:
    board.widget.position = "#####\n#@$.#\n#####"
    board.push()
    assert board.page.get_by_role("gridcell").count() == 15
    board.widget.position = Level.parse(ROOM).mirror().text
    board.push()
    assert board.cell("row d, column F: player").count() == 1
