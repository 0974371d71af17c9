"""An explorer in a plain page, with a model that takes notes: what Python would say is said by the test."""

from __future__ import annotations

import base64
import gzip
import math
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from sokoviz.picture import Picture
from sokoviz.widgets.base.modules import join_styles
from tests.ui.board.pages import MODEL
from tests.ui.tree.trees import pack_tree

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Locator, Page

STYLES = ("board", "widget", "explorer", "tree")

#: Values of the nine first moves after ten iterations (thesis, table B.1), and their UCT for c = 2 (table B.2).
VALUES_B1 = (0, -1, 1, 1, -1, 0, 1, 0, -1)
UCT_B2 = ("4.29", "3.29", "5.29", "5.29", "3.29", "4.29", "5.29", "4.29", "3.29")
UNIT_B2 = math.sqrt(2 * math.log(10))
MOVES = ("Aa", "Ba", "Ca", "Ab", "Bb", "Cb", "Ac", "Bc", "Cc")

#: Arrays travel as bytes, as they do between a kernel and its page; and messages of Python reach whoever listens.
EXPLORER_MODEL = """
globalThis.revive = (value) => {
  if (Array.isArray(value)) return value.map(revive);
  if (value === null || typeof value !== "object") return value;
  if ("base64" in value) return new DataView(Uint8Array.from(atob(value.base64), (c) => c.charCodeAt(0)).buffer);
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, revive(each)]));
};
globalThis.makeExplorerModel = (values, hasPlotly) => {
  const listeners = new Set();
  const deliver = async () => {
    const buffer = await (await fetch("/plotly.gz")).arrayBuffer();
    for (const listener of [...listeners]) listener({kind: "plotly"}, [new DataView(buffer)]);
  };
  const model = makeModel(revive(values), (message) => {
    if (hasPlotly && message.kind === "plotly") deliver();
  });
  const count = model.nHandlers;
  model.nHandlers = () => count() + listeners.size;
  model.deliver = (content, buffers) => { for (const listener of [...listeners]) listener(content, buffers); };
  model.onMessage = (listener) => { listeners.add(listener); return () => listeners.delete(listener); };
  return model;
};
"""


# What stands around the tree is told after the frame that shows the tree.
_TAKE = """async traits => {
  model.take(revive(traits));
  await new Promise((resolve) => requestAnimationFrame(() => setTimeout(() => setTimeout(resolve))));
}"""

_PAINTED = """async () => {
  for (let n = 0; n < 3; n++) await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
}"""


def pack(values: Any, dtype: str) -> dict[str, str]:
    """An array as the page's model reads it."""
    return {"base64": base64.b64encode(np.asarray(values, dtype=dtype).tobytes()).decode()}


@cache
def plotly_bundle() -> bytes:
    """The installed plotly.js, gzipped."""
    from plotly.offline import get_plotlyjs

    return gzip.compress(get_plotlyjs().encode(), compresslevel=1)


def tree_of(parents: list[int], *, frame: int = 1, **entries: Any) -> dict[str, Any]:
    """A tree by the parent of each node, -1 for the root; what is not given is plain."""
    n = len(parents)
    depths = [0] * n
    for node in range(1, n):
        depths[node] = depths[parents[node]] + 1
    places = [node - (n - 1) / 2 if node else 0 for node in range(n)]
    tree = {
        "frame": frame,
        "ids": range(n),
        "parents": parents,
        "xs": places,
        "stubs": [math.nan] * n,
        "depths": depths,
        "visits": [max(n - 1, 1)] + [1] * (n - 1),
        "values": [0] * n,
        "scores": [math.nan] + [1] * (n - 1),
        "hidden": [0] * n,
        "flags": [0] * n,
        "actions": ["", *(MOVES[(node - 1) % 9] for node in range(1, n))],
        "value_range": [-1, 1],
        "n_nodes": n,
        "n_drawn": n,
        "marks": {"path": [], "simulated": None, "tail": None, "changes": [], "labels": []},
    }
    return {**pack_tree(tree), **entries}


def position_of(*rows: str, coordinates: bool = True) -> dict[str, Any]:
    """A position of Tic-Tac-Toe by its rows; free squares can be clicked."""
    names = {"X": "X", "O": "O", ".": "floor"}
    picture = Picture(
        tuple(tuple(names[mark] for mark in row) for row in rows),
        coordinates=coordinates,
        label="Tic-Tac-Toe, X to move",
    )
    free = [[row, column] for row, marks in enumerate(rows) for column, mark in enumerate(marks) if mark == "."]
    return {"picture": picture.to_json(), "caption": "node 0 · depth 0 · X to move", "clickable": free}


def child(node: int, value: float | None, unit: float | None = UNIT_B2, visits: int = 1) -> dict[str, Any]:
    """A row of the inspector."""
    move = MOVES[(node - 1) % 9]
    return {"node": node, "action": move, "visits": visits, "value": value, "exploitation": value, "unit": unit}


def state(**changes: Any) -> dict[str, Any]:
    """All traits after ten iterations of table B.1, with changes."""
    steps = list(range(11))
    traits: dict[str, Any] = {
        "iteration": 10,
        "phase": "",
        "node": 0,
        "about": {
            "title": "MCTS",
            "game": "Tic-Tac-Toe",
            "settings": "seed 1 · c = 2 · UCT",
            "c": 2.0,
            "score": "UCT",
            "run_to": [["iteration", "iteration"], ["tie", "next tie"], ["leader", "next change of leader"]],
            "players": 2,
            "root_player": "X",
        },
        "tree": tree_of([-1] + [0] * 9),
        "story": {
            "number": 10,
            "heading": "Iteration 10 done",
            "runs": [["every child has been visited once", ""]],
            "phases": ["selection", "expansion", "simulation", "backpropagation"],
            "state": "done",
            "visited": True,
        },
        "position": position_of("...", "...", "..."),
        "children": {
            "node": 0,
            "visits": 10,
            "title": "Children of node 0",
            "note": "3, 4 and 7 tie",
            "marked": 3,
            "c": 2.0,
            "formula": "value + c · √(2 ln 10 / n)",
            "rows": [child(node, value) for node, value in enumerate(VALUES_B1, start=1)],
        },
        "details": {"moment": "", "suggested": "children", "left_out": None, "moves": None},
        "solution": {"pushes": 0, "moves": 0, "at": None, "shown": False},
        "component": True,
        "pushes": True,
        "matching": True,
        "record": {
            "last": 120,
            "running": False,
            "text": "",
            "share": None,
            "busy": False,
        },
        "ticks": {"tie": [12, 40], "leader": [37]},
        "charts": {
            "iterations": pack(steps, "int32"),
            "nodes": pack([1, *([10] * 10)], "int32"),
            "depth": pack([0, *([1] * 10)], "int32"),
            "root_value": pack([0] * 11, "float32"),
            "children": [
                {"node": node, "action": MOVES[node - 1], "visits": pack([int(step > node) for step in steps], "int32")}
                for node in range(1, 10)
            ],
        },
        "trouble": {"summary": "", "details": ""},
        "speed": 4,
        "playing": False,
        "play_unit": "phase",
        "max_depth": 0,
        "min_visits": 0,
        "large_type": False,
        "follow": True,
    }
    return {name: merged(value, changes.get(name, value)) for name, value in traits.items()}


def merged(value: Any, change: Any) -> Any:
    """A trait with changes: entries of a mapping one by one, anything else as a whole."""
    return {**value, **change} if isinstance(value, dict) and isinstance(change, dict) else change


def open_page(page_with: Callable[..., Page], module: str, styles: tuple[str, ...], **options: Any) -> Page:
    """Open a plain page that has the `mount` of a module, a model that can be asked for plotly.js, and styles."""
    script = f"{MODEL}{EXPLORER_MODEL}\nimport {{ mount }} from '/{module}.js'; globalThis.mount = mount;"
    page = page_with(script, body=f"<style>body {{ margin: 0; }} {join_styles(*styles)}</style>", **options)
    page.route("**/plotly.gz", lambda route: route.fulfill(body=plotly_bundle()))
    page.wait_for_function("() => globalThis.mount")
    return page


class PlainExplorer:
    """An explorer mounted in a plain page.

    Parameters
    ----------
    page_with
        The fixture that opens plain pages.
    plotly
        Whether the page gets the real plotly.js when it asks; otherwise the tree waits for it.
    n_views
        How many explorers show the model.
    page_options
        Options of `page_with`.
    changes
        Traits, or entries of traits, that differ from `state`.
    """

    def __init__(
        self,
        page_with: Callable[..., Page],
        *,
        plotly: bool = False,
        n_views: int = 1,
        page_options: dict[str, Any] | None = None,
        **changes: Any,
    ) -> None:
        options = {"size": (1100, 800), **(page_options or {})}
        self.values = state(**changes)
        self.page = open_page(page_with, "explorer/explorer_view", STYLES, **options)
        self.page.evaluate(
            """([values, n, hasPlotly]) => {
              globalThis.model = makeExplorerModel(values, hasPlotly);
              globalThis.hosts = Array.from({length: n}, () => document.createElement("div"));
              document.body.append(...hosts);
              globalThis.cleanups = hosts.map((host) => mount(host, model));
            }""",
            [self.values, n_views, plotly],
        )
        self.sent()

    def show(self, **changes: Any) -> None:
        """Change traits as one message of Python does, and wait until all parts have heard of it."""
        new = {name: merged(self.values[name], change) for name, change in changes.items()}
        self.values.update(new)
        self.page.evaluate(_TAKE, new)

    def painted(self) -> None:
        """Wait until the page is laid out and painted: scrolling and sizes of pictures follow only then."""
        self.page.evaluate(_PAINTED)

    def sent(self) -> list[dict[str, Any]]:
        """Messages that the page has sent, and forget them; those for plotly.js are left out."""
        messages = self.page.evaluate("() => model.sent.splice(0)")
        return [message for message in messages if message["kind"] != "plotly"]

    def get(self, trait: str) -> Any:
        """A trait as the page has it."""
        return self.page.evaluate("name => model.get(name)", trait)

    def root(self) -> Locator:
        """The explorer itself."""
        return self.page.locator(".sokoviz-explorer")

    def focus(self) -> None:
        """Give the keys to the explorer."""
        self.root().first.focus()

    def press(self, *keys: str) -> list[dict[str, Any]]:
        """Press keys, and return what the page sends."""
        for key in keys:
            self.page.keyboard.press(key)
        return self.sent()

    def button(self, name: str) -> Locator:
        """The button of this name."""
        return self.page.get_by_role("button", name=name, exact=True)

    def choices(self, name: str) -> Locator:
        """The list of this name, to choose from."""
        return self.page.get_by_role("combobox", name=name, exact=True)

    def slider(self, name: str) -> Locator:
        """The slider of this name."""
        return self.page.get_by_role("slider", name=name, exact=True)

    def column(self, heading: str) -> list[str]:
        """Texts of a column of the inspector, from the top."""
        index = self.page.locator("thead th").all_inner_texts().index(heading)
        return self.page.locator(f"tbody tr td:nth-child({index + 1})").all_inner_texts()

    def slide(self, name: str, value: float) -> None:
        """Draw a slider to a value, as a pointer does."""
        self.slider(name).evaluate(
            "(input, value) => { input.value = value; input.dispatchEvent(new Event('input')); }", value
        )

    def boxes(self) -> list[Any]:
        """Where all parts and controls are."""
        return self.page.evaluate(  # type: ignore[no-any-return]
            """() => [...document.querySelectorAll(
              ".sokoviz-parts > div, .sokoviz-explorer :is(button, select, input, svg.sokoviz-ticks, th)"
            )].filter((e) => !e.closest(".sokoviz-squares") && e.getClientRects().length).map((e) => {
              const box = e.getBoundingClientRect();
              return [e.ariaLabel ?? e.getAttribute('class'), box.x, box.y, box.width, box.height];
            })"""
        )
