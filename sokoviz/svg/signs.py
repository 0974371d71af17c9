"""The layers of overlays: fills, heat, arrows, paths and marks."""

from __future__ import annotations

import html
import math

from sokoviz.svg.elements import CELL, Data, element, number, points
from sokoviz.svg.ground import area

#: Strokes within one square that tell a role without colour.
_TEXTURE_OF = {"dead": "m10 10l12 12m0-12l-12 12", "deadlock": "m0 16l16-16m-16 32l32-32m-16 32l16-16"}


def _group(kind: str, overlay: Data, content: str) -> str:
    """What belongs to one overlay, in the colour of its role."""
    return element("g", {"class": f"{kind} {overlay['role']}"}, content)


def draw_fill(overlay: Data) -> str:
    """Squares tinted alike, with a texture where the role has one."""
    squares = [(row, column) for row, column in overlay["squares"]]
    extent = {
        "height": max((r for r, _ in squares), default=-1) + 1,
        "width": max((c for _, c in squares), default=-1) + 1,
    }
    content = element("path", {"class": "area", "d": area(set(squares), extent)})
    if texture := _TEXTURE_OF.get(overlay["role"]):
        strokes = "".join(f"M{column * CELL} {row * CELL}{texture}" for row, column in squares)
        content += element("path", {"class": "texture", "d": strokes})
    return _group("fill", overlay, content) if squares else ""


def draw_heat(overlay: Data) -> str:
    """Squares tinted by value."""
    size = {"width": str(CELL), "height": str(CELL)}
    squares = "".join(
        element("rect", {"x": str(column * CELL), "y": str(row * CELL), **size, "fill": color})
        for row, column, color in overlay["squares"]
    )
    return element("g", {"class": "heat"}, squares) if squares else ""


def _center(square: list[int]) -> tuple[float, float]:
    """Middle of a square."""
    return square[1] * CELL + CELL / 2, square[0] * CELL + CELL / 2


def _head(tip: tuple[float, float], along: tuple[float, float]) -> str:
    """An arrow head: where it points, and the unit vector along the arrow."""
    (x, y), (dx, dy) = tip, along
    back = (x - 8 * dx, y - 8 * dy)
    corners = (x, y, back[0] - 5 * dy, back[1] + 5 * dx, back[0] + 5 * dy, back[1] - 5 * dx)
    return f"M{points(*corners[:2])}L{points(*corners[2:4])}L{points(*corners[4:])}z"


def draw_arrow(overlay: Data, text_size: float) -> str:
    """An arrow from the edge of what stands on its source to the middle of its target."""
    (x1, y1), (x2, y2) = map(_center, overlay["squares"])
    length = math.hypot(x2 - x1, y2 - y1)
    if not length:
        return ""
    dx, dy = (x2 - x1) / length, (y2 - y1) / length
    x1, y1, x2, y2 = x1 + 13 * dx, y1 + 13 * dy, x2 - 4 * dx, y2 - 4 * dy
    line = f"M{points(x1, y1)}L{points(x2 - 6 * dx, y2 - 6 * dy)}"
    content = _stroke(line, _head((x2, y2), (dx, dy)))
    if overlay["label"]:
        content += _note((x1 + x2) / 2 - 9 * abs(dy), (y1 + y2) / 2 - 7 * abs(dx), overlay["label"], text_size)
    return _group("arrow", overlay, content)


def _stroke(line: str, head: str) -> str:
    """A line with its head, and a halo under both."""
    return (
        element("path", {"class": "halo", "d": line + head})
        + element("path", {"class": "line", "d": line})
        + element("path", {"class": "head", "d": head})
    )


def draw_path(overlay: Data) -> str:
    """A line through squares, a dot at its start and a head at its end."""
    places = [_center(square) for square in overlay["squares"]]
    if len(places) < 2:  # noqa: PLR2004  a line has two ends
        return ""
    (x1, y1), (x2, y2) = places[-2:]
    length = math.hypot(x2 - x1, y2 - y1) or 1.0
    dx, dy = (x2 - x1) / length, (y2 - y1) / length
    bends = [*places[:-1], (x2 - 4 * dx, y2 - 4 * dy)]
    line = "M" + "L".join(points(*place) for place in bends)
    start = {"class": "start", "cx": number(places[0][0]), "cy": number(places[0][1]), "r": "4"}
    stroke = _stroke(line, _head((x2 + 3 * dx, y2 + 3 * dy), (dx, dy)))
    return _group("path", overlay, stroke + element("circle", start))


def draw_mark(overlay: Data, text_size: float) -> str:
    """A sign on a square, and its text."""
    x, y = _center(overlay["squares"][0])
    cross = f"M{points(x - 9, y - 9)}L{points(x + 9, y + 9)}M{points(x + 9, y - 9)}L{points(x - 9, y + 9)}"
    spot = {"cx": number(x), "cy": number(y)}
    around = {"x": number(x - 14), "y": number(y - 14), "width": "28", "height": "28", "rx": "7"}
    content = {
        "ring": element("rect", {"class": "under", **around}) + element("rect", {"class": "ring", **around}),
        "cross": element("path", {"class": "under", "d": cross}) + element("path", {"class": "cross", "d": cross}),
        "dot": element("circle", {"class": "dot", **spot, "r": "4.5"}),
    }[overlay["shape"]]
    if overlay["text"]:
        content += _note(x, y + text_size * 0.36, overlay["text"], text_size)
    return _group("mark", overlay, content)


def _note(x: float, y: float, text: str, size: float) -> str:
    """A short text in the colour of its overlay."""
    place = {"class": "note", "x": number(x), "y": number(y), "font-size": number(size)}
    return element("text", place, html.escape(text))
