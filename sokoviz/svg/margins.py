"""What stands around the board: letters, legends, and a caption."""

from __future__ import annotations

import html
import itertools
import math

from sokoviz.svg.elements import CELL, SMALLEST_TEXT, Data, element, number

LEGEND_HEIGHT = 34
"""Pixels."""

_CAPTION_SIZE = 12
_LINE_HEIGHT = 16
_LETTER_WIDTH = 6.4  # pixels; a little more than the average, so that no line runs over


def coordinates(data: Data, scale: float) -> str:
    """Letters of columns and rows; every second or third where they would touch."""
    if not data["coordinates"]:
        return ""
    size = SMALLEST_TEXT / scale
    step = max(1, math.ceil(18 / (CELL * scale)))
    columns = ((column * CELL + CELL / 2, -8 / scale, name) for column, name in enumerate(data["column_names"]))
    rows = ((-12 / scale, row * CELL + CELL / 2 + 0.36 * size, name) for row, name in enumerate(data["row_names"]))
    shown = [*columns][::step] + [*rows][::step]
    return "".join(
        element("text", {"class": "coordinate", "x": number(x), "y": number(y), "font-size": number(size)}, name)
        for x, y, name in shown
    )


def legends(data: Data, scale: float) -> str:
    """A colour bar under the board for each heat overlay."""
    heats = [overlay for overlay in data["overlays"] if overlay["kind"] == "heat"]
    return "".join(_legend(heat, data, scale, index) for index, heat in enumerate(heats))


def _legend(heat: Data, data: Data, scale: float, index: int) -> str:
    """One colour bar with its ends and its meaning."""
    unit, width = 1 / scale, data["width"] * CELL
    top = data["height"] * CELL + (8 + LEGEND_HEIGHT * index) * unit
    step = width / len(heat["colors"])
    size = {"y": number(top), "width": number(step + unit / 2), "height": number(7 * unit)}
    bar = "".join(
        element("rect", {"x": number(index * step), **size, "fill": color})
        for index, color in enumerate(heat["colors"])
    )
    texts = (("first", 0.0, heat["low"]), ("middle", width / 2, heat["label"]), ("last", width, heat["high"]))
    place = {"y": number(top + 21 * unit), "font-size": number(SMALLEST_TEXT * unit)}
    written = "".join(
        element("text", {"class": name, "x": number(x), **place}, html.escape(text)) for name, x, text in texts if text
    )
    return element("g", {"class": "legend"}, bar + written)


def _caption_lines(data: Data, scale: float) -> list[str]:
    """The caption, broken into lines as wide as the board."""
    n_letters = max(12, math.floor(data["width"] * CELL * scale / _LETTER_WIDTH))
    lines: list[str] = []
    for word in data["caption"].split():
        if lines and len(lines[-1]) + 1 + len(word) <= n_letters:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines


def caption_height(data: Data, scale: float) -> float:
    """Units that the caption needs below the board."""
    n_lines = len(_caption_lines(data, scale))
    return (n_lines * _LINE_HEIGHT + 8) / scale if n_lines else 0.0


def caption(data: Data, scale: float) -> str:
    """A sentence under the board."""
    n_legends = sum(overlay["kind"] == "heat" for overlay in data["overlays"])
    top = data["height"] * CELL + (n_legends * LEGEND_HEIGHT + 4) / scale
    places = (number(top + index * _LINE_HEIGHT / scale) for index in itertools.count(1))
    size = number(_CAPTION_SIZE / scale)
    return "".join(
        element("text", {"x": "0", "y": y, "font-size": size}, html.escape(line))
        for y, line in zip(places, _caption_lines(data, scale), strict=False)
    )
