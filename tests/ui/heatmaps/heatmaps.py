"""Heatmaps in a plain page; the model is a real widget in this process."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import sokoviz as sv
from tests.ui.board.pages import hear
from tests.ui.compare.compares import START, _portable
from tests.ui.explorer.explorers import STYLES, open_page
from tests.widgets.heatmaps.learners import learned

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Locator, Page

    from sokoviz.widgets.base.widget import BaseWidget

#: Places that controls and parts take on the page.
BOXES = """() => [...document.querySelectorAll('.sokoviz *')]
  .filter((element) => element.matches('button, select, input, figure, .sokoviz-table, .sokoviz-status'))
  .filter((element) => element.checkVisibility({visibilityProperty: true}))
  .filter((element) => !element.closest('.sokoviz-vote-list, .sokoviz-strip, .sokoviz-pager'))
  .map((element) => [element.getAttribute('aria-label') ?? element.className, element.getBoundingClientRect()])
  .map(([name, box]) => `${name} ${JSON.stringify(box)}`)"""

#: Texts that are set in type smaller than 11 pixels.
SMALL = """() => {
  const texts = document.createTreeWalker(document.querySelector('.sokoviz'), NodeFilter.SHOW_TEXT);
  const found = [];
  while (texts.nextNode()) {
    const { parentElement: element, data } = texts.currentNode;
    if (!data.trim() || !element.checkVisibility({visibilityProperty: true})) continue;
    const zoom = element.ownerSVGElement ? element.getScreenCTM().a : 1;
    const size = parseFloat(getComputedStyle(element).fontSize) * zoom;
    if (size < 10.99) found.push(`${data}: ${size}`);
  }
  return found;
}"""


#: Texts, out of those that match a selector, whose end is cut off.
CUT = """(selector) => [...document.querySelectorAll(`.sokoviz :is(${selector})`)]
  .filter((element) => element.scrollWidth > element.clientWidth + 1 && getComputedStyle(element).display !== 'inline')
  .map((element) => element.textContent)"""


class PlainWidget:
    """A widget mounted in a plain page.

    Parameters
    ----------
    page_with
        The fixture that opens plain pages.
    widget
        The widget, which answers.
    module
        Where its `mount` is.
    styles
        Its style sheets beside those of the explorer.
    page_options
        Options of `page_with`.
    """

    def __init__(
        self,
        page_with: Callable[..., Page],
        widget: BaseWidget,
        module: str,
        styles: tuple[str, ...],
        page_options: dict[str, Any] | None = None,
    ) -> None:
        self._widget = widget
        options = {"size": (1120, 760), **(page_options or {})}
        self.page = open_page(page_with, module, (*STYLES, *styles), **options)
        self.page.expose_function("answerFromPython", self._answer)
        self.page.evaluate(START, [self.state()])

    def _answer(self, message: dict[str, Any]) -> dict[str, Any]:
        """Pass a message on to the widget, as the kernel does, and tell the page what its traits are now."""
        hear(self._widget, message)
        return self.state()

    def state(self) -> dict[str, Any]:
        """The widget's traits as the page gets them."""
        names = self._widget.trait_names(sync=True)
        ours = [name for name in names if not name.startswith("_") and name not in {"layout", "tabbable", "tooltip"}]
        return {name: _portable(getattr(self._widget, name)) for name in ours}

    def push(self) -> None:
        """Bring the page up to date after the widget was changed from Python."""
        self.page.evaluate("traits => model.take(revive(traits))", self.state())

    def settle(self) -> None:
        """Wait for the answer to what was sent last."""
        self.page.evaluate("() => answerFromPython({kind: 'dismiss'}).then((state) => model.take(revive(state)))")

    def sent(self) -> list[dict[str, Any]]:
        """Messages that the page has sent, and forget them; those for plotly.js are left out."""
        messages = self.page.evaluate("() => model.sent.splice(0)")
        return [message for message in messages if message["kind"] != "plotly"]

    def button(self, name: str) -> Locator:
        """The button of this name."""
        return self.page.get_by_role("button", name=name, exact=True)

    def click(self, name: str) -> None:
        """Press a button and wait for the answer."""
        self.button(name).click()
        self.settle()

    def slide(self, name: str, value: int) -> None:
        """Draw a slider to a place and wait for the answer."""
        slider = self.page.get_by_role("slider", name=name, exact=True)
        slider.evaluate("(input, value) => { input.value = value; input.dispatchEvent(new Event('input')); }", value)
        self.settle()

    def heat(self, index: int) -> Locator:
        """A heatmap."""
        return self.page.locator("figure.sokoviz-heat").nth(index)

    def colors(self, index: int) -> dict[tuple[int, int], str]:
        """Colours of a heatmap by row and column."""
        rectangles = (
            self.heat(index)
            .locator(".heat rect")
            .evaluate_all("""all => all.map((each) => ['y', 'x', 'fill'].map((key) => each.getAttribute(key)))""")
        )
        return {(int(y) // 32, int(x) // 32): color for y, x, color in rectangles}

    def point(self, index: int, square: tuple[int, int]) -> str:
        """What is told when the pointer is on a square of a heatmap."""
        rectangle = self.heat(index).locator(f".heat rect[y='{square[0] * 32}'][x='{square[1] * 32}']")
        box = rectangle.bounding_box()
        assert box
        self.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        return self.heat(index).locator(".sokoviz-tip").inner_text()


class PlainHeatmap(PlainWidget):
    """The heatmaps of the learner of lesson 17."""

    def __init__(
        self, page_with: Callable[..., Page], *, page_options: dict[str, Any] | None = None, **options: Any
    ) -> None:
        self.widget = sv.HeatmapWidget(learned(), **options)
        super().__init__(page_with, self.widget, "heatmap/heatmap_widget", ("heatmap",), page_options)

    def row(self, move: str) -> Locator:
        """The row of a move."""
        return self.page.locator(f".sokoviz-move-table tr[data-move='{move}']")

    def moves(self) -> list[str]:
        """Names of the moves in the list."""
        rows = self.page.locator(".sokoviz-move-table tbody tr")
        return rows.evaluate_all("all => all.map((row) => row.dataset.move)")  # type: ignore[no-any-return]


class PlainCompareHeatmaps(PlainWidget):
    """Heatmaps compared: two boxes beside all that was learned, where no views are given."""

    def __init__(
        self,
        page_with: Callable[..., Page],
        *views: Any,
        page_options: dict[str, Any] | None = None,
        **options: Any,
    ) -> None:
        self.widget = sv.CompareHeatmaps(*(views or (learned().policy(stage=2), learned())), **options)
        module = "compare_heatmaps/compare_heatmaps_view"
        super().__init__(page_with, self.widget, module, ("heatmap", "compare_heatmaps"), page_options)

    def label(self, index: int) -> Locator:
        """What stands beside the name of a panel."""
        return self.heat(index).locator("figcaption .sokoviz-note")
