"""An explorer in a cell of a notebook: its controls by their names, its tree by its pixels."""

from __future__ import annotations

import json
import re
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from playwright.sync_api import expect

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from playwright.sync_api import Locator

    from tests.ui.jupyter import LabPage

SECONDS_TO_DRAW = 30
LOADED = 120_000  # milliseconds: where the kernels are compiled first, that takes a while

#: A cell that shows an explorer after 30 iterations.
START = """import sokoviz as sv
search = sv.MCTS(sv.TicTacToe(), seed=1)
search.run(iterations=30, progress=False)
explorer = search.explore()
explorer"""

_IS_DRAWN = "([element, frame]) => Number(element.dataset.frame) >= frame"
_SELECTED = """plot => {
  const rings = plot.data.find((trace) => trace.uid === "rings");
  return [rings.x.at(-1), -rings.y.at(-1)];
}"""
_CELLS = """() => {
  const cells = jupyterapp.shell.currentWidget.content.model.sharedModel.cells;
  return cells.map((cell) => [cell.cell_type, cell.source]);
}"""
_IS_STILL = """async plot => {
  const place = () => { const { left, top } = plot.getBoundingClientRect(); return `${left} ${top}`; };
  for (let before = null, same = 0; same < 5; ) {
    await new Promise(requestAnimationFrame);
    same = place() === before ? same + 1 : 0;
    before = place();
  }
}"""
_AXES = """plot => {
  const box = plot.getBoundingClientRect();
  return [box.left, box.top, box.width, box.height, ...plot.layout.xaxis.range, ...plot.layout.yaxis.range];
}"""


_LINES_OF_WORDS = """tip => [...tip.querySelectorAll("dt, dd")].map((cell) => {
  const words = document.createRange();
  words.selectNodeContents(cell);
  const lines = new Set([...words.getClientRects()].map((box) => Math.round(box.top))).size;
  return cell.scrollWidth > cell.clientWidth ? Infinity : lines;
})"""
_RUN_CELL = """async index => {
  jupyterapp.shell.currentWidget.content.activeCellIndex = index;
  await jupyterapp.commands.execute("notebook:run-cell");
}"""
_START_CELL = """index => {
  jupyterapp.shell.currentWidget.content.activeCellIndex = index;
  globalThis.runningCell = jupyterapp.commands.execute("notebook:run-cell");
}"""
_INTERRUPT = """async () => {
  const start = performance.now();
  await jupyterapp.shell.currentWidget.sessionContext.session.kernel.interrupt();
  await globalThis.runningCell;
  return (performance.now() - start) / 1000;
}"""
_CLEAR = "index => jupyterapp.shell.currentWidget.content.model.cells.get(index).outputs.clear()"


class LabExplorer:
    """An explorer in a cell of a notebook.

    Parameters
    ----------
    notebook
        The notebook.
    cell
        Position of the cell, from 0.
    name
        Variable of the kernel that holds the explorer.
    """

    def __init__(self, notebook: LabPage, cell: int = 0, name: str = "explorer") -> None:
        self.notebook = notebook
        self.page = notebook.page
        self.name = name
        self.output = notebook.output(cell)
        self.root = self.output.locator(".sokoviz-explorer")
        self.tree = self.output.locator(".sokoviz-at-tree")
        self.plot = self.output.locator(".sokoviz-tree-plot")
        self.story = self.output.locator(".sokoviz-narration")
        self.where = self.output.locator(".sokoviz-where")
        self.place = self.output.locator(".sokoviz-place-name")
        self.progress = self.output.locator(".sokoviz-progress-text")
        self.slider = self.output.get_by_role("slider", name="Iteration", exact=True)
        expect(self.output.locator(".sokoviz-at-tree[data-frame]")).to_be_visible(timeout=LOADED)
        expect(self.output.get_by_role("progressbar")).to_be_hidden(timeout=LOADED)
        self.settle()

    # --- what is there ---------------------------------------------------------------------------------------------

    def button(self, name: str) -> Locator:
        """The button of exactly this name."""
        return self.output.get_by_role("button", name=name, exact=True)

    def choice(self, name: str) -> Locator:
        """The list of exactly this name."""
        return self.output.get_by_role("combobox", name=name, exact=True)

    def field(self, name: str) -> Locator:
        """The field of exactly this name."""
        return self.output.get_by_label(name, exact=True)

    def square(self, place: str) -> Locator:
        """The button on a square of the board, such as ``"row a, column B"``."""
        return self.output.get_by_role("button", name=re.compile(f"^{place}:"))

    def rows(self) -> Locator:
        """The rows of the inspector."""
        return self.output.locator(".sokoviz-inspector tbody tr")

    # --- what the kernel says --------------------------------------------------------------------------------------

    def ask(self, expression: str) -> Any:
        """Value of an expression in the kernel; ``it`` is the explorer."""
        code = f"import json\nit = {self.name}\nprint(json.dumps({expression}))"
        return json.loads(self.notebook.run(code))

    def moment(self) -> tuple[int, str, int]:
        """Iteration, phase and node as Python reads them."""
        iteration, phase, node = self.ask("[it.iteration, it.phase, it.node]")
        return iteration, phase, node

    def settle(self) -> None:
        """Wait until what Python shows now is drawn; it may answer the page while it answers us."""
        deadline = time.monotonic() + SECONDS_TO_DRAW
        while self.frame() != self.ask("it.tree['frame']"):
            assert time.monotonic() < deadline, "the page has not drawn what Python shows"
            time.sleep(0.02)

    def frame(self) -> int:
        """Number of the frame that is drawn."""
        return int(self.tree.get_attribute("data-frame") or -1)

    @contextmanager
    def drawing(self) -> Iterator[None]:
        """Wait until a new frame is drawn after what is done within."""
        before = self.frame()
        yield
        self.wait_for_frame(before + 1)
        self.settle()

    def wait_for_frame(self, frame: int) -> None:
        """Wait until this frame or a later one is drawn."""
        self.page.wait_for_function(_IS_DRAWN, arg=[self.tree.element_handle(), frame])

    def nodes(self) -> dict[int, tuple[float, int, int]]:
        """Place across, depth and number of nodes folded below, for each node that is drawn."""
        arrays = "[unpack_arrays(it.tree)[name].tolist() for name in ('ids', 'xs', 'depths', 'hidden')]"
        self.notebook.run("from sokoviz.widgets.explorer.frames import unpack_arrays")
        return {node: (x, depth, hidden) for node, x, depth, hidden in zip(*self.ask(arrays), strict=True)}

    # --- what people do --------------------------------------------------------------------------------------------

    def step(self, name: str, times: int = 1) -> None:
        """Click a button and wait for the drawing, that many times."""
        for _ in range(times):
            with self.drawing():
                self.button(name).click()

    def press(self, *keys: str) -> None:
        """Press keys in the explorer and wait for the drawing."""
        for key in keys:
            with self.drawing():
                self.page.keyboard.press(key)

    def pixel_of(self, node: int) -> tuple[float, float]:
        """Where a node is on the screen, by its place in Python and the axes of the plot."""
        x, depth, _ = self.nodes()[node]
        self.plot.scroll_into_view_if_needed()
        self.plot.evaluate(_IS_STILL)  # JupyterLab lays out cells only when they come into view
        left, top, width, height, west, east, south, north = self.plot.evaluate(_AXES)
        return left + width * (x - west) / (east - west), top + height * (north + depth) / (north - south)

    def span(self) -> float:
        """Width of what the plot shows, in units of the layout."""
        *_, west, east, _, _ = self.plot.evaluate(_AXES)
        return float(east - west)

    def wait_for_span(self, is_right: Callable[[float], bool]) -> None:
        """Wait until the plot is zoomed as it should be."""
        deadline = time.monotonic() + SECONDS_TO_DRAW
        while not is_right(self.span()):
            assert time.monotonic() < deadline, f"the plot shows {self.span()} units"
            time.sleep(0.02)

    def selected_place(self) -> tuple[float, float]:
        """Place across and depth of the node with the ring of the selected one, which is drawn last."""
        x, depth = self.plot.evaluate(_SELECTED)
        return round(x, 3), round(depth, 3)

    def place_of(self, node: int) -> tuple[float, float]:
        """Place across and depth of a node, by Python."""
        x, depth, _ = self.nodes()[node]
        return round(x, 3), depth

    def lines_in_tip_of(self, node: int) -> list[int]:
        """Point at a node, count the lines of each word and number beside it; no end of them where one sticks out."""
        self.page.mouse.move(*self.pixel_of(node))
        tip = self.tree.locator(".sokoviz-tip")
        expect(tip).to_be_visible()
        lines: list[int] = tip.evaluate(_LINES_OF_WORDS)
        return lines

    def click_node(self, node: int) -> None:
        """Click on the pixel where a node is."""
        with self.drawing():
            self.page.mouse.click(*self.pixel_of(node))


def cells_of(notebook: LabPage) -> list[list[str]]:
    """Kind and source of each cell of a notebook."""
    cells: list[list[str]] = notebook.page.evaluate(_CELLS)
    return cells


def run_cell(notebook: LabPage, index: int) -> None:
    """Run a cell and wait for it."""
    notebook.page.evaluate(_RUN_CELL, index)


def start_cell(notebook: LabPage, index: int) -> None:
    """Run a cell without waiting for it."""
    notebook.page.evaluate(_START_CELL, index)


def interrupt(notebook: LabPage) -> float:
    """Interrupt the kernel; return how many seconds it took until the cell that was started has ended."""
    return float(notebook.page.evaluate(_INTERRUPT))


def clear_output(notebook: LabPage, index: int) -> None:
    """Clear the output of a cell."""
    notebook.page.evaluate(_CLEAR, index)
