"""Parts in a plain page, each with a model that only takes notes: the test says what Python would say."""

from __future__ import annotations

import base64
import functools
import gzip
from typing import TYPE_CHECKING, Any

from plotly.offline import get_plotlyjs

from sokoviz.widgets.base.modules import join_styles
from tests.ui.conftest import PLAIN_SITE, _document, _serve
from tests.ui.jupyter import WatchedPage
from tests.ui.tree.trees import pack_tree

if TYPE_CHECKING:
    from collections.abc import Sequence

    from playwright.sync_api import Browser, Locator

#: A model in the page: `take` changes several traits as one message does, `answer` sends a message with a buffer.
MODEL = """
const bytes = (text) => {
  const all = Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0));
  const padded = new Uint8Array(all.length + 3);   // as in a real message, bytes begin anywhere
  padded.set(all, 3);
  return new DataView(padded.buffer, 3, all.length);
};
const revive = (value) => {
  if (Array.isArray(value)) return value.map(revive);
  if (value === null || typeof value !== "object") return value;
  if ("base64" in value) return bytes(value.base64);
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, revive(each)]));
};
globalThis.makeModel = (values) => {
  const handlers = new Map();
  const listeners = new Set();
  const model = {
    values: revive(values), sent: [], assigned: [],
    nHandlers: () => listeners.size + [...handlers.values()].reduce((n, set) => n + set.size, 0),
    get: (name) => model.values[name],
    take: (changes) => {
      Object.assign(model.values, revive(changes));
      for (const name of Object.keys(changes)) for (const handler of [...(handlers.get(name) ?? [])]) handler();
    },
    set: (name, value) => { model.assigned.push([name, value]); model.take({[name]: value}); },
    on: (name, handler) => {
      if (!handlers.has(name)) handlers.set(name, new Set());
      handlers.get(name).add(handler);
      return () => handlers.get(name).delete(handler);
    },
    send: (message) => { model.sent.push(message); },
    onMessage: (handler) => { listeners.add(handler); return () => listeners.delete(handler); },
    answer: (content, buffers) => [...listeners].forEach((handler) => handler(content, buffers)),
  };
  return model;
};
globalThis.bytes = bytes;
"""

#: Takes the parts into the page.
SCRIPT = f"""{MODEL}
import {{ mount as mountTree }} from '/tree/tree.js';
import {{ mount as mountCharts }} from '/charts/charts.js';
globalThis.mounts = {{tree: mountTree, charts: mountCharts}};
"""


@functools.cache
def zipped_plotly() -> str:
    """plotly.js as Python answers with it, in base64."""
    return base64.b64encode(gzip.compress(get_plotlyjs().encode(), 6)).decode()


class PartPage:
    """A plain page on which one part after the other is mounted, for loading plotly.js takes a while.

    Parameters
    ----------
    browser
        Where the page is opened.
    loaded
        Whether plotly.js is there from the start.
    """

    def __init__(self, browser: Browser, *, loaded: bool = True) -> None:
        context = browser.new_context()
        document = _document(SCRIPT, f"<style>{join_styles('widget', 'tree')}</style>", ())
        context.route("**/*", lambda route: _serve(route, document))
        self._watched = WatchedPage(context.new_page())
        self.page = self._watched.page
        self.page.goto(PLAIN_SITE)
        self.page.wait_for_function("() => globalThis.mounts")
        if loaded:
            self.page.add_script_tag(content=get_plotlyjs())
            self.page.evaluate("() => { globalThis.__sokovizPlotly = Plotly; delete globalThis.Plotly; }")

    def renew(self) -> None:
        """Forget what tests did to the page."""
        self.page.set_viewport_size({"width": 960, "height": 720})
        self.page.emulate_media(reduced_motion="no-preference", color_scheme="light")
        self.page.mouse.move(0, 0)
        self.page.evaluate("() => { scrollTo(0, 0); delete document.body.dataset.jpThemeLight; }")

    def check(self) -> None:
        """Fail where there was an error in the console, or a request to the outside."""
        problems = [*self._watched.problems]
        self._watched.problems.clear()
        assert problems == []

    def close(self) -> None:
        """Close the page."""
        self.page.context.close()

    def mount(self, part: str, values: dict[str, Any], width: int, n_views: int) -> None:
        """Put a part into the page, in place of whatever is there."""
        self.page.evaluate(
            """([part, values, width, n]) => {
              for (const cleanup of globalThis.cleanups ?? []) cleanup();
              for (const root of document.querySelectorAll(".sokoviz")) root.remove();
              globalThis.mount = mounts[part];
              globalThis.model = makeModel(values);
              globalThis.drawn = [];
              globalThis.hosts = Array.from({length: n}, () => {
                const host = document.createElement("div");
                const root = document.createElement("section");
                root.className = "sokoviz";
                root.style.width = `${width}px`;
                root.append(host);
                document.body.append(root);
                host.addEventListener("sokoviz-drawn", (event) => drawn.push(event.detail));
                return host;
              });
              globalThis.cleanups = hosts.map((host) => mount(host, model));
            }""",
            [part, values, width, n_views],
        )


class PlainPart:
    """A part in a plain page, with a model that only takes notes.

    Parameters
    ----------
    shared
        The page.
    part
        ``"tree"`` or ``"charts"``.
    values
        Traits to begin with.
    width
        Pixels that the part may take.
    n_views
        How many views of the one model there are.
    """

    def __init__(
        self, shared: PartPage, part: str, values: dict[str, Any], *, width: int = 660, n_views: int = 1
    ) -> None:
        self.page = shared.page
        shared.mount(part, values, width, n_views)

    def show(self, **traits: Any) -> None:
        """Change traits as one message from Python does."""
        self.page.evaluate("traits => model.take(traits)", traits)

    def sent(self) -> list[dict[str, Any]]:
        """Messages that the page has sent, and forget them."""
        return self.page.evaluate("() => model.sent.splice(0)")  # type: ignore[no-any-return]

    def answer_plotly(self, text: str | None = None) -> None:
        """Send plotly.js to the page as Python does, or whatever `text` is in base64."""
        self.page.evaluate(
            "text => model.answer({kind: 'plotly'}, [bytes(text)])", zipped_plotly() if text is None else text
        )

    def button(self, name: str) -> Locator:
        """The button of this name."""
        return self.page.get_by_role("button", name=name, exact=True)

    def count_reacts(self) -> None:
        """From now on note in ``reacts`` each time that plotly draws."""
        self.page.evaluate("""() => {
          const original = globalThis.react ??= __sokovizPlotly.react;
          globalThis.reacts = 0;
          __sokovizPlotly.react = (...given) => { reacts += 1; return original(...given); };
        }""")


class PlainTree(PlainPart):
    """A tree in a plain page.

    Parameters
    ----------
    shared
        The page.
    frame
        What is drawn first; None for nothing yet.
    wait
        Whether to wait until it is drawn.
    traits
        Further traits.
    options
        Options of `PlainPart`.
    """

    def __init__(
        self,
        shared: PartPage,
        frame: dict[str, Any] | None = None,
        *,
        wait: bool = True,
        traits: dict[str, Any] | None = None,
        **options: Any,
    ) -> None:
        tree = {} if frame is None else pack_tree(frame)
        defaults = {"node": 0, "playing": False, "speed": 1.0, "max_depth": 0, "min_visits": 0, "large_type": False}
        super().__init__(shared, "tree", {**defaults, "tree": tree, **(traits or {})}, **options)
        if wait and frame is not None:
            self.wait_for_frame(frame["frame"])

    def draw(self, frame: dict[str, Any], *, settle: bool = True, **traits: Any) -> None:
        """Show another frame and wait until it is drawn, and until nothing glides any more."""
        self.show(tree=pack_tree(frame), **traits)
        self.wait_for_frame(frame["frame"])
        if settle:
            self.page.wait_for_timeout(350)

    def wait_for_frame(self, number: int) -> None:
        """Wait until the page says that a frame is drawn."""
        self.page.wait_for_function(
            "number => hosts.every((host) => host.dataset.frame === String(number))", arg=number
        )

    def figure(self) -> Locator:
        """The element that has the keys."""
        return self.page.get_by_role("figure")

    def centers(self, uid: str = "nodes") -> list[list[float]]:
        """Middle of every point of a trace on the screen, in pixels."""
        return self.page.evaluate(  # type: ignore[no-any-return]
            """uid => [...document.querySelectorAll(`.trace${uid} .point`)].map((point) => {
              const box = point.getBoundingClientRect();
              return [box.left + box.width / 2, box.top + box.height / 2];
            })""",
            uid,
        )

    def texts(self, uid: str) -> list[str]:
        """Texts of a trace."""
        return self.page.evaluate(  # type: ignore[no-any-return]
            "uid => [...document.querySelectorAll(`.trace${uid} text`)].map((text) => text.textContent)", uid
        )

    def colors(self, uid: str, style: str) -> list[str]:
        """A computed colour of every point of a trace: `style` is ``fill`` or ``stroke``."""
        return self.page.evaluate(  # type: ignore[no-any-return]
            """([uid, style]) => [...document.querySelectorAll(`.trace${uid} .point`)]
              .map((point) => getComputedStyle(point)[style])""",
            [uid, style],
        )

    def color(self, name: str) -> str:
        """A colour of the theme as the browser computes it."""
        return self.page.evaluate(  # type: ignore[no-any-return]
            """name => {
              const probe = hosts[0].appendChild(document.createElement("i"));
              probe.style.color = `var(--sokoviz-${name})`;
              const color = getComputedStyle(probe).color;
              probe.remove();
              return color;
            }""",
            name,
        )

    def line(self, uid: str) -> dict[str, Any]:
        """Colour, width and box of a line, in pixels; empty where there is none."""
        return self.page.evaluate(  # type: ignore[no-any-return]
            """uid => {
              const path = document.querySelector(`.trace${uid} .js-line`);
              if (!path) return {};
              const {stroke, strokeWidth} = getComputedStyle(path);
              const box = path.getBoundingClientRect();
              return {stroke, width: parseFloat(strokeWidth), n: path.getAttribute("d").split("L").length,
                box: [box.left, box.top, box.right, box.bottom]};
            }""",
            uid,
        )

    def is_filled(self, x: float, y: float) -> bool:
        """Whether an edge, or the fan that stands for folded nodes, covers a place of the page."""
        return self.page.evaluate(  # type: ignore[no-any-return]
            """([x, y]) => {
              const path = document.querySelector(".traceedges .js-fill");
              return path.isPointInFill(new DOMPoint(x, y).matrixTransform(path.getScreenCTM().inverse()));
            }""",
            [x, y],
        )

    def width_between(self, start: Sequence[float], end: Sequence[float]) -> float:
        """Width in pixels of the edge half way between two places of the page, 0 where there is none."""
        return self.page.evaluate(  # type: ignore[no-any-return]
            """([[x0, y0], [x1, y1]]) => {
              const path = document.querySelector(".traceedges .js-fill");
              const matrix = path.getScreenCTM().inverse();
              const isInside = (x, y) => path.isPointInFill(new DOMPoint(x, y).matrixTransform(matrix));
              const length = Math.hypot(x1 - x0, y1 - y0);
              let inside = 0;
              for (let aside = -10; aside <= 10; aside += 0.05) {
                const [right, down] = [(aside * (y0 - y1)) / length, (aside * (x1 - x0)) / length];
                inside += isInside((x0 + x1) / 2 + right, (y0 + y1) / 2 + down);
              }
              return 0.05 * inside;
            }""",
            [start, end],
        )

    def click_at(self, place: Sequence[float], **options: Any) -> None:
        """Click at a place of the page."""
        self.page.mouse.move(*place)
        self.page.mouse.click(*place, **options)
