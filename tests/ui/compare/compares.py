"""A comparison in a plain page; its model is a real `Compare` in this process."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING, Any

import sokoviz as sv
from sokoviz.search.compare import comparing
from sokoviz.search.loading import prepare
from sokoviz.widgets.compare.widget import Compare
from tests.ui.board.pages import hear
from tests.ui.explorer.explorers import STYLES, open_page

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Locator, Page

    from sokoviz.search.mcts.search import MCTS

#: Traits that change are told to the page as one message, and plotly.js is delivered when it is asked for.
START = """([values]) => {
  globalThis.model = makeExplorerModel(values, true);
  const { send, set } = model;
  const ask = async (message) => model.take(revive(await answerFromPython(message)));
  model.send = (message) => { send(message); if (message.kind !== "plotly") ask(message); };
  model.set = (name, value) => { set(name, value); ask({set: name, value}); };
  globalThis.host = document.createElement("div");
  document.body.append(host);
  globalThis.cleanup = mount(host, model);
}"""

POINTS = """plot => {
  const box = plot.getBoundingClientRect();
  const {xaxis, yaxis} = plot._fullLayout;
  return plot.data.filter((trace) => ["nodes", "ends", "eliminated"].includes(trace.uid)).flatMap((trace) =>
    [...trace.x].map((x, index) => ({
      x: box.left + xaxis.l2p(x), y: box.top + yaxis.l2p(trace.y[index]), color: trace.marker.color[index],
    })));
}"""


def lesson_pair(number: int = 7, iterations: int = 400) -> tuple[MCTS, MCTS]:
    """Schokoban and Vanillaban on a lesson."""
    level = sv.load(f"lessons#{number}")
    searches = sv.Schokoban(level), sv.Vanillaban(level)
    for search in searches:
        search.run(iterations=iterations, progress=False)
    return searches


class PlainCompare:
    """A comparison mounted in a plain page.

    Parameters
    ----------
    page_with
        The fixture that opens plain pages.
    searches
        The searches; two on a lesson where left out.
    page_options
        Options of `page_with`.
    options
        Options of the widget.
    """

    def __init__(
        self,
        page_with: Callable[..., Page],
        *searches: MCTS,
        page_options: dict[str, Any] | None = None,
        **options: Any,
    ) -> None:
        found = searches or lesson_pair()
        prepare(found[0].game)  # Playwright runs an event loop, in which the kernels would load in the background
        comparing.prepare()
        self.widget = Compare(*found, **options)
        self.widget._catch_up()
        options_of_page = {"size": (1100, 1000), **(page_options or {})}
        self.page = open_page(page_with, "compare/compare_widget", (*STYLES, "compare"), **options_of_page)
        self.page.expose_function("answerFromPython", self._answer)
        self.page.evaluate(START, [self.state()])
        self.wait_until_drawn()

    def _answer(self, message: dict[str, Any]) -> dict[str, Any]:
        """Pass a message on to the widget, as the kernel does, and tell the page what its traits are now."""
        hear(self.widget, message)
        return self.state()

    def state(self) -> dict[str, Any]:
        """The widget's traits as the page gets them."""
        names = self.widget.trait_names(sync=True)
        ours = [name for name in names if not name.startswith("_") and name not in {"layout", "tabbable", "tooltip"}]
        return {name: _portable(getattr(self.widget, name)) for name in ours}

    def push(self) -> None:
        """Bring the page up to date after the widget was changed from Python."""
        self.page.evaluate("traits => model.take(revive(traits))", self.state())
        self.wait_until_drawn()

    def wait_until_drawn(self) -> None:
        """Wait until all trees show the present frame."""
        self.page.wait_for_function(
            """frame => [...document.querySelectorAll('.sokoviz-panel-tree')]
              .every((tree) => Number(tree.dataset.frame) >= frame)""",
            arg=self.widget.trees[0]["frame"],
        )

    def sent(self) -> list[dict[str, Any]]:
        """Messages that the page has sent, and forget them; those for plotly.js are left out."""
        messages = self.page.evaluate("() => model.sent.splice(0)")
        return [message for message in messages if message["kind"] not in {"plotly", "next"}]

    def button(self, name: str) -> Locator:
        """The button of this name."""
        return self.page.get_by_role("button", name=name, exact=True)

    def click(self, name: str) -> None:
        """Press a button and wait for the answer."""
        before = self.widget._frame
        self.button(name).click()
        self.page.wait_for_function("frame => model.get('trees')[0].frame > frame", arg=before)
        self.wait_until_drawn()

    def panel(self, name: str) -> Locator:
        """What is shown of one search."""
        return self.page.get_by_role("article", name=name, exact=True)

    def figure(self, name: str, key: str) -> str:
        """A figure of a search as it is written."""
        return self.panel(name).locator(f"[data-figure={key}] dd").inner_text()

    def points(self, name: str) -> list[dict[str, Any]]:
        """Nodes of a tree as they are drawn: place in the page, and colour."""
        plot = self.panel(name).locator(".sokoviz-tree-plot")
        return plot.evaluate(POINTS)  # type: ignore[no-any-return]


def _portable(value: Any) -> Any:
    """A value in a form that JSON can carry."""
    if isinstance(value, bytes):
        return {"base64": base64.b64encode(value).decode()}
    if isinstance(value, dict):
        return {key: _portable(each) for key, each in value.items()}
    return [_portable(each) for each in value] if isinstance(value, list | tuple) else value
