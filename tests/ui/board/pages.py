"""A board in a plain page: its model is a real `BoardWidget` in this process, or one that only takes notes."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from sokoviz.levels import Level
from sokoviz.widgets.base import loading as warmup
from sokoviz.widgets.base.modules import join_styles
from sokoviz.widgets.board.widget import BoardWidget

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Locator, Page

    from sokoviz.widgets.base.widget import BaseWidget

ROOM = """\
#######
#     #
# $ . #
#@  $.#
#     #
#######"""

TRAITS = (
    *("moves", "position", "component", "pushes", "dead_squares", "coordinates"),
    *("replaying", "replay_speed", "scene", "entry", "trouble"),
)

#: A model in the page. `answer` takes what is sent or set and gives the traits that changed.
MODEL = """
globalThis.makeModel = (values, answer) => {
  const handlers = new Map();
  const model = {
    values, sent: [], nHandlers: () => [...handlers.values()].reduce((n, set) => n + set.size, 0),
    get: (name) => model.values[name],
    take: (changes) => {
      const isNew = (name) => JSON.stringify(changes[name]) !== JSON.stringify(model.values[name]);
      const changed = Object.keys(changes).filter(isNew);
      Object.assign(model.values, changes);
      for (const name of changed) for (const handler of [...(handlers.get(name) ?? [])]) handler();
    },
    ask: async (message) => { const changes = await answer(message); if (changes) model.take(changes); },
    set: (name, value) => { model.take({[name]: value}); model.ask({set: name, value}); },
    on: (name, handler) => {
      if (!handlers.has(name)) handlers.set(name, new Set());
      handlers.get(name).add(handler);
      return () => handlers.get(name).delete(handler);
    },
    send: (message) => { model.sent.push(message); model.ask(message); },
  };
  return model;
};
"""


def hear(widget: BaseWidget, message: dict[str, Any]) -> None:
    """Let a widget hear of a message, or of a trait that was set, as the kernel does."""
    if "set" in message:
        widget.set_state({message["set"]: message["value"]})
    else:
        widget._handle_custom_msg(message, [])


class PlainBoard:
    """A board mounted in a plain page.

    Parameters
    ----------
    page_with
        The fixture that opens plain pages.
    text
        The level.
    live
        Whether a widget in this process answers; otherwise messages are noted and nothing happens.
    options
        Traits of the widget to begin with.
    page_options
        Options of `page_with`.
    """

    def __init__(
        self,
        page_with: Callable[..., Page],
        text: str = ROOM,
        *,
        live: bool = True,
        n_views: int = 1,
        page_options: dict[str, Any] | None = None,
        **options: Any,
    ) -> None:
        # Playwright runs an event loop, in which the kernels would load in the background.
        warmup._load()
        self.widget = BoardWidget(Level.parse(text), **options)
        script = f"{MODEL}\nimport {{ mount }} from '/board/board_widget.js'; globalThis.mount = mount;"
        self.page = page_with(script, body=f"<style>{join_styles('board', 'widget')}</style>", **(page_options or {}))
        self.page.wait_for_function("() => globalThis.mount")
        self.page.expose_function("answerFromPython", self._answer if live else lambda _message: None)
        self.page.evaluate(
            """([values, n]) => {
              globalThis.model = makeModel(values, answerFromPython);
              globalThis.hosts = Array.from({length: n}, () => document.createElement("div"));
              document.body.append(...hosts);
              globalThis.cleanups = hosts.map((host) => mount(host, model));
            }""",
            [self.state(), n_views],
        )

    def _answer(self, message: dict[str, Any]) -> dict[str, Any]:
        """Pass a message on to the widget, as the kernel does, and tell the page what its traits are now."""
        hear(self.widget, message)
        return self.state()

    def state(self) -> dict[str, Any]:
        """The widget's traits as the page gets them."""
        return json.loads(json.dumps({name: getattr(self.widget, name) for name in TRAITS}))  # type: ignore[no-any-return]

    def show(self, **traits: Any) -> None:
        """Change traits in the page alone."""
        self.page.evaluate("traits => model.take(traits)", traits)

    def push(self) -> None:
        """Bring the page up to date after the widget was changed from Python."""
        self.show(**self.state())

    def sent(self) -> list[dict[str, Any]]:
        """Messages that the page has sent, and forget them."""
        return self.page.evaluate("() => model.sent.splice(0)")  # type: ignore[no-any-return]

    def grid(self) -> Locator:
        """The element that has the keys."""
        return self.page.get_by_role("grid")

    def cell(self, name: str) -> Locator:
        """The cell that is spoken like this."""
        return self.page.get_by_role("gridcell", name=name, exact=True)

    def button(self, name: str) -> Locator:
        """The button of this name."""
        return self.page.get_by_role("button", name=name, exact=True)

    def status(self) -> str:
        """What the status line says."""
        return self.page.get_by_role("status").inner_text()

    def wait_for_moves(self, moves: str) -> None:
        """Wait until the page knows of these moves."""
        self.page.wait_for_function("moves => model.get('moves') === moves", arg=moves, timeout=5000)

    def press(self, *keys: str) -> None:
        """Press keys on the board, each after the answer to the one before."""
        self.grid().focus()
        for key in keys:
            self.page.keyboard.press(key)
            self.page.evaluate("() => answerFromPython({kind: 'dismiss'})")
