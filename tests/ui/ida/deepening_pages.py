"""Searches of iterative deepening, and their explorer in a plain page; its model is a real widget in this process."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import sokoviz as sv
from sokoviz.search.loading import prepare_deepening
from tests.ui.compare.compares import POINTS
from tests.ui.heatmaps.heatmaps import PlainWidget

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Locator, Page


def searched(lesson: int, preset: str = "best") -> sv.IDA:
    """A search that has solved a lesson."""
    search = sv.IDA(sv.load(f"lessons#{lesson}"), preset=preset, share=1.0, memory=1 << 20)
    # Playwright runs an event loop, in which the kernels would load in the background.
    prepare_deepening(search)
    search.run(seconds=60, progress=False)
    return search


class PlainDeepening(PlainWidget):
    """The explorer of a search on a lesson, after some steps."""

    def __init__(
        self,
        page_with: Callable[..., Page],
        lesson: int = 5,
        steps: int = 60,
        *,
        page_options: dict[str, Any] | None = None,
        **options: Any,
    ) -> None:
        self.search = sv.IDA(sv.load(f"lessons#{lesson}"), preset="best", share=1.0, memory=1 << 20)
        # Playwright runs an event loop, in which the kernels would load in the background.
        prepare_deepening(self.search)
        self.search.run(steps=steps, progress=False)
        self.widget = self.search.explore(**options)
        self.widget._catch_up()
        size = {"size": (1120, 1000), **(page_options or {})}
        super().__init__(page_with, self.widget, "deepening/deepening_view", ("deepening",), size)
        self.page.wait_for_selector(".sokoviz-at-tree[data-frame]")

    def shown(self) -> None:
        """Wait until the page has drawn the frame that the widget has."""
        frame = self.widget.tree["frame"]
        self.page.wait_for_function("n => Number(document.querySelector('[data-frame]').dataset.frame) >= n", arg=frame)

    def points(self) -> list[dict[str, Any]]:
        """Nodes drawn as circles, on the screen."""
        return list(self.page.locator(".sokoviz-tree-plot").evaluate(POINTS))

    def count(self, name: str) -> int:
        """What the legend counts of a fate."""
        entry = self.page.locator(".sokoviz-kinds span", has_text=name).locator("b")
        return int(entry.inner_text().replace(",", ""))

    def rows(self) -> Locator:
        """The rows of the successors."""
        return self.page.get_by_role("table", name="Successors", exact=True).locator("tbody tr")

    def moves(self) -> Locator:
        """The moves of the line, the start first."""
        return self.page.get_by_role("list", name="Line of moves").locator("button")
