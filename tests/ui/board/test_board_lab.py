"""The board in a real JupyterLab: keys, mouse, focus and messages between page and kernel."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from tests.ui.board.pages import ROOM

if TYPE_CHECKING:
    from playwright.sync_api import Locator

    from tests.ui.jupyter import Lab, LabPage

SOLUTION = "duduuRRdR"
START = f'import sokoviz as sv\nlevel = sv.Level.parse("""{ROOM}""")\nwidget = level.play()\nwidget'


class LabBoard:
    """A board in a cell of a notebook."""

    def __init__(self, notebook: LabPage, cell: int = 0) -> None:
        self.notebook = notebook
        self.page = notebook.page
        self.output = notebook.output(cell)
        self.grid = self.output.get_by_role("grid")
        self.grid.wait_for()
        expect(self.output.get_by_role("status")).to_contain_text("Arrow keys", timeout=60_000)

    def button(self, name: str) -> Locator:
        """The button of this name."""
        return self.output.get_by_role("button", name=name, exact=True)

    def cell(self, name: str) -> Locator:
        """The cell that is spoken like this."""
        return self.output.get_by_role("gridcell", name=name, exact=True)

    def ask(self, expression: str) -> Any:
        """Value of an expression in the kernel."""
        return json.loads(self.notebook.run(f"import json; print(json.dumps({expression}))"))

    def n_cells(self) -> int:
        """Number of cells of the notebook."""
        return int(self.page.evaluate("() => jupyterapp.shell.currentWidget.content.model.cells.length"))


@pytest.fixture(scope="module")
def notebook(desk: Lab) -> LabPage:
    """A notebook with one cell, which shows a board with two boxes."""
    return desk.open([START], run=False)


@pytest.fixture
def board(notebook: LabPage) -> LabBoard:
    """A new board in that notebook."""
    notebook.run_again()
    return LabBoard(notebook)


def test_keys_play_and_python_sees_it(board: LabBoard) -> None:
    board.grid.focus()
    for key in ("ArrowUp", "d", "ArrowRight"):
        board.page.keyboard.press(key)
    expect(board.cell("row c, column E: box on goal")).to_have_count(1)
    assert board.ask("[widget.moves, widget.position.splitlines()[2]]") == ["uRR", "#  @* #"]
    board.page.keyboard.press("Control+z")
    expect(board.cell("row c, column D: box")).to_have_count(1)
    board.page.keyboard.press("Control+y")
    expect(board.cell("row c, column E: box on goal")).to_have_count(1)


def test_shortcuts_of_jupyterlab_never_fire_from_the_board(board: LabBoard) -> None:
    before = board.page.evaluate("() => jupyterapp.shell.currentWidget.content.model.toJSON()")
    board.grid.focus()
    for key in (*"abxddzmy00jk", "Enter", "Shift+Enter", "Control+Enter", "Control+s", "Control+b", "Escape"):
        board.page.keyboard.press(key)
    board.button("Coordinates").focus()
    for key in "abxdd":
        board.page.keyboard.press(key)
    after = board.page.evaluate("() => jupyterapp.shell.currentWidget.content.model.toJSON()")
    assert [cell["source"] for cell in after["cells"]] == [cell["source"] for cell in before["cells"]]
    assert [cell["cell_type"] for cell in after["cells"]] == ["code"]
    assert board.page.locator(".jp-Dialog").count() == 0
    assert board.page.evaluate("() => !jupyterapp.shell.leftCollapsed") is False


def test_the_mouse_walks_pushes_and_drags(board: LabBoard) -> None:
    board.cell("row b, column F: floor").click()
    expect(board.cell("row b, column F: player")).to_have_count(1)
    expect(board.grid).to_be_focused()
    board.cell("row c, column C: box").click()
    expect(board.output.locator(".mark.control").first).to_be_attached()
    board.cell("row c, column E: goal").click()
    expect(board.cell("row c, column E: box on goal")).to_have_count(1)
    board.cell("row d, column E: box").drag_to(board.cell("row d, column F: goal"))
    expect(board.output.get_by_role("status")).to_contain_text("Solved!")
    n_pushes, n_moves = board.ask("[widget.board.n_pushes, widget.board.n_moves]")
    expect(board.output.get_by_role("status")).to_have_text(f"Solved! {n_pushes} pushes, {n_moves} moves.")
    board.button("Undo").click()
    expect(board.cell("row d, column E: box")).to_have_count(1)


def test_overlays_are_toggled_from_both_sides(board: LabBoard) -> None:
    board.button("Component").click()
    expect(board.output.locator(".fill.component")).to_be_attached()
    assert board.ask("widget.component") is True
    board.notebook.run("widget.component = False; widget.coordinates = True")
    expect(board.output.locator(".fill.component")).not_to_be_attached()
    expect(board.button("Component")).to_have_attribute("aria-pressed", "false")
    expect(board.output.locator(".coordinate").first).to_have_text("A")


@pytest.mark.clock
def test_a_replay_plays_all_moves_and_can_be_stopped(board: LabBoard) -> None:
    board.notebook.run(f"widget.moves = '{SOLUTION}'")
    expect(board.output.get_by_role("status")).to_contain_text("Solved!")
    board.output.get_by_role("combobox", name="Replay speed", exact=True).select_option("16")
    board.button("Replay").click()
    expect(board.button("Replay")).to_have_attribute("aria-pressed", "true")
    board.button("Replay").click()
    expect(board.button("Replay")).to_have_attribute("aria-pressed", "false")
    assert board.ask("widget.moves + widget.board.future") == SOLUTION
    board.button("Replay").click()
    expect(board.output.get_by_role("status")).to_contain_text("Solved!")
    assert board.ask("widget.moves") == SOLUTION


def test_python_sets_traits_and_bad_values_change_nothing(board: LabBoard) -> None:
    board.notebook.run("widget.moves = 'rr'")
    expect(board.cell("row d, column D: player")).to_have_count(1)
    assert "IllegalMoveError" in board.notebook.run("""
try:
    widget.moves = 'llllll'
except sv.MoveError as error:
    print(type(error).__name__, widget.moves)
""")
    board.notebook.run("widget.position = '#####\\n#@$.#\\n#####'")
    expect(board.output.get_by_role("gridcell")).to_have_count(15)
    assert board.ask("widget.moves") == ""


def test_a_level_is_pasted_and_an_error_is_shown_under_it(board: LabBoard) -> None:
    board.output.get_by_text("Level and moves as text").click()
    text = board.output.get_by_label("Level text")
    text.fill("#####\n#@$.#\n#@  #\n#####")
    board.button("Load level").click()
    expect(board.output.get_by_role("alert").filter(has_text="line 3, column 2")).to_be_visible()
    expect(text).to_have_value("#####\n#@$.#\n#@  #\n#####")
    text.press_sequentially("dd")  # in a text field keys write, and shortcuts stay off
    assert board.n_cells() == 1
    text.fill("#####\n#@$.#\n#####")
    board.button("Load level").click()
    expect(board.output.get_by_role("gridcell")).to_have_count(15)


def test_an_exception_from_a_callback_is_shown(board: LabBoard) -> None:
    board.notebook.run("widget.observe(lambda change: 1 / 0, 'moves')")
    board.grid.press("ArrowUp")
    panel = board.output.get_by_role("alert").filter(has_text="ZeroDivisionError: division by zero")
    expect(panel).to_be_visible()
    expect(board.cell("row c, column B: player")).to_have_count(1)
    board.button("Dismiss").click()
    expect(panel).to_be_hidden()


def test_two_views_and_two_widgets_live_side_by_side(desk: Lab) -> None:
    notebook = desk.open([START, "widget", "other = level.play(); other"])
    first, second, other = (LabBoard(notebook, cell) for cell in range(3))
    second.grid.press("ArrowUp")
    expect(first.cell("row c, column B: player")).to_have_count(1)
    expect(second.cell("row c, column B: player")).to_have_count(1)
    expect(other.cell("row d, column B: player")).to_have_count(1)
    notebook.run("widget.close()")
    expect(notebook.page.get_by_role("grid")).to_have_count(1)
    other.grid.press("ArrowUp")
    expect(other.cell("row c, column B: player")).to_have_count(1)


def test_a_saved_notebook_keeps_a_picture(board: LabBoard) -> None:
    (output,) = board.page.evaluate("() => jupyterapp.shell.currentWidget.content.model.toJSON().cells[0].outputs")
    assert "".join(output["data"]["image/svg+xml"]).startswith("<svg")
    assert "".join(output["data"]["text/plain"]) == ROOM
    assert "application/vnd.jupyter.widget-view+json" in output["data"]
    assert board.output.locator("img").count() == 0  # the live board is what JupyterLab shows


@pytest.mark.parametrize(("theme", "background"), [("light", "rgb(255, 255, 255)"), ("dark", "rgb(33, 33, 33)")])
def test_the_board_follows_the_theme(desk: Lab, theme: str, background: str) -> None:
    board = LabBoard(desk.open([START, "level"], theme=theme))
    style = "(element, name) => getComputedStyle(element)[name]"
    assert board.output.locator(".sokoviz").evaluate(style, "backgroundColor") == background
    wall = board.output.locator(".wall").evaluate(style, "fill")
    assert wall == {"light": "rgb(75, 81, 89)", "dark": "rgb(102, 107, 117)"}[theme]
    expect(board.notebook.output(1).locator("img")).to_be_visible()


def test_touch_plays(desk: Lab) -> None:
    board = LabBoard(desk.open([START], touch=True))
    board.cell("row b, column B: floor").tap()
    expect(board.cell("row b, column B: player")).to_have_count(1)
    board.cell("row c, column C: box").tap()
    board.cell("row c, column E: goal").tap()
    expect(board.cell("row c, column E: box on goal")).to_have_count(1)
