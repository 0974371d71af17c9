"""A picture as a self-contained SVG document, drawn layer by layer.

The page draws the same layers from the same data (``widgets/static/shared/draw.js``), with the same style sheet and
the same symbols; a browser test holds the two together. Lengths are in units of 1/32 of a square.
"""

from __future__ import annotations

import hashlib
import html
import json
from typing import TYPE_CHECKING

from sokoviz.svg.elements import CELL, SMALLEST_TEXT, Data, element, number
from sokoviz.svg.ground import grid, ground, pieces
from sokoviz.svg.margins import LEGEND_HEIGHT, caption, caption_height, coordinates, legends
from sokoviz.svg.signs import draw_arrow, draw_fill, draw_heat, draw_mark, draw_path
from sokoviz.svg.style import definitions, style_sheet

if TYPE_CHECKING:
    from collections.abc import Callable

    from sokoviz.picture import Picture


def draw(picture: Picture, cell_size: float | None = None) -> str:
    """Return a picture as an SVG document.

    Parameters
    ----------
    picture
        What to draw.
    cell_size
        Side of a square in pixels; where left out, chosen by the size of the board.
    """
    data = picture.to_json()
    scale = (cell_size or natural_cell_size(picture.width, picture.height)) / CELL
    identity = _identity(data)
    left, top, width, height = frame(data, scale)
    body = element("title", {}, html.escape(picture.label)) if picture.label else ""
    body += element("style", {}, style_sheet()) + definitions(data, identity) + layers(data, scale, identity)
    attributes = {
        "xmlns": "http://www.w3.org/2000/svg",
        "class": "sokoviz-picture",
        "role": "img",
        "viewBox": f"{number(left)} {number(top)} {number(width)} {number(height)}",
        "width": number(width * scale),
        "height": number(height * scale),
    }
    return element("svg", attributes, body)


def natural_cell_size(width: int, height: int) -> int:
    """Side of a square in pixels at which a board of so many squares is read with ease."""
    return min(max(min(720 // max(width, 1), 480 // max(height, 1)), 14), 36)


def frame(data: Data, scale: float) -> tuple[float, float, float, float]:
    """Left, top, width and height of the drawing in units, with room for what stands around the board."""
    margin = 20 / scale if data["coordinates"] else 0.0
    n_legends = sum(overlay["kind"] == "heat" for overlay in data["overlays"])
    below = n_legends * LEGEND_HEIGHT / scale + caption_height(data, scale)
    return -margin, -margin, data["width"] * CELL + margin, data["height"] * CELL + margin + below


def layers(data: Data, scale: float, identity: str) -> str:
    """All layers of a picture, the lowest first."""
    text_size = max(12.0, SMALLEST_TEXT / scale)
    overlays = data["overlays"]
    return "".join(
        element("g", {"class": name}, content)
        for name, content in (
            ("ground", ground(data)),
            ("fills", _overlays(overlays, {"fill": draw_fill, "heat": draw_heat})),
            ("lines", element("path", {"class": "grid", "d": grid(data)})),
            ("pieces", pieces(data, identity)),
            ("arrows", _overlays(overlays, {"path": draw_path, "arrow": lambda arrow: draw_arrow(arrow, text_size)})),
            ("marks", _overlays(overlays, {"mark": lambda mark: draw_mark(mark, text_size)})),
            ("labels", coordinates(data, scale)),
            ("legends", legends(data, scale)),
            ("caption", caption(data, scale)),
        )
        if content
    )


def _overlays(overlays: list[Data], drawer_of: dict[str, Callable[[Data], str]]) -> str:
    """Overlays of some kinds, in their order."""
    return "".join(drawer_of[overlay["kind"]](overlay) for overlay in overlays if overlay["kind"] in drawer_of)


def _identity(data: Data) -> str:
    """A prefix for ids: drawings on one page share one only if they are equal."""
    text = json.dumps(data, sort_keys=True)
    return "sv" + hashlib.sha256(text.encode()).hexdigest()[:10]
