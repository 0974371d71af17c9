"""The influence explorer in a plain page; its model is a real widget in this process."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import sokoviz as sv
from sokoviz.widgets.base import loading as warmup
from tests.ui.heatmaps.heatmaps import PlainWidget

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Locator, Page

    from sokoviz.squares import Square


class PlainInfluence(PlainWidget):
    """The influence explorer of a lesson, or of another level."""

    def __init__(
        self,
        page_with: Callable[..., Page],
        level: sv.Level | None = None,
        *,
        page_options: dict[str, Any] | None = None,
        **options: Any,
    ) -> None:
        # Playwright runs an event loop, in which the kernels would load in the background.
        warmup._load()
        self.found = sv.influence(level or sv.load("lessons#13"))
        self.widget = sv.InfluenceWidget(self.found, **options)
        super().__init__(page_with, self.widget, "influence/influence_widget", ("heatmap", "influence"), page_options)

    def field(self) -> Locator:
        """The field of influence."""
        return self.page.locator(".sokoviz-field")

    def words(self) -> list[str]:
        """What is said under the field, line by line."""
        return self.page.locator(".sokoviz-field-words span").all_inner_texts()

    def square(self, square: Square) -> tuple[float, float]:
        """Middle of a square of the field on the screen."""
        box = self.field().locator(f".heat rect[y='{square.row * 32}'][x='{square.column * 32}']").bounding_box()
        assert box
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def numbers(self) -> list[int]:
        """The values written on the squares, in reading order."""
        texts = self.field().locator(".sokoviz-numbers text").all_text_contents()
        return [int(text.replace("−", "-")) for text in texts]

    def cell(self, source: Square, target: Square) -> tuple[float, float]:
        """Middle of a cell of the whole table on the screen."""
        canvas = self.page.locator(".sokoviz-influence-canvas canvas")
        box, size = canvas.bounding_box(), float(canvas.get_attribute("data-cell") or 0)
        assert box
        row, column = self.found.place(source), self.found.place(target)
        return box["x"] + 36 + (column + 0.5) * size, box["y"] + 36 + (row + 0.5) * size

    def pushes(self) -> Locator:
        """The rows of the legal pushes."""
        return self.page.locator(".sokoviz-influence-cuts tbody tr")

    def rings(self, role: str) -> int:
        """How many squares of the field are marked in a role."""
        return self.field().locator(f".mark.{role}").count()
