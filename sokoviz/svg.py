"""A picture as a self-contained SVG document, drawn layer by layer.

The page draws the same layers from the same data (``widgets/static/draw.js``), with the same style sheet and the same
symbols; a browser test holds the two together. Lengths are in units of 1/32 of a square.
"""

from __future__ import annotations

import hashlib
import html
import json
import math
import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sokoviz.picture import split_name

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from sokoviz.picture import Picture

STATIC = Path(__file__).parent / "widgets" / "static"

CELL = 32
"""Units of a square."""

SMALLEST_TEXT = 11
"""Pixels; no text is ever smaller."""

#: Strokes within one square that tell a role without colour.
_TEXTURE_OF = {"dead": "m10 10l12 12m0-12l-12 12", "deadlock": "m0 16l16-16m-16 32l32-32m-16 32l16-16"}

Data = dict[str, Any]
"""A picture or an overlay as `Picture.to_json` gives it."""


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
    body += element("style", {}, style_sheet()) + _definitions(data, identity) + layers(data, scale, identity)
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
    """Left, top, width and height of the drawing in units, with room for letters and legends."""
    margin = 20 / scale if data["coordinates"] else 0.0
    n_legends = sum(overlay["kind"] == "heat" for overlay in data["overlays"])
    width = data["width"] * CELL + margin
    return -margin, -margin, width, data["height"] * CELL + margin + n_legends * 34 / scale


def layers(data: Data, scale: float, identity: str) -> str:
    """All layers of a picture, the lowest first."""
    text_size = max(12.0, SMALLEST_TEXT / scale)
    overlays = data["overlays"]
    return "".join(
        element("g", {"class": name}, content)
        for name, content in (
            ("ground", _ground(data)),
            ("fills", _overlays(overlays, {"fill": _fill, "heat": _heat})),
            ("lines", element("path", {"class": "grid", "d": _grid(data)})),
            ("pieces", _pieces(data, identity)),
            ("arrows", _overlays(overlays, {"path": _path, "arrow": lambda arrow: _arrow(arrow, text_size)})),
            ("marks", _overlays(overlays, {"mark": lambda mark: _mark(mark, text_size)})),
            ("labels", _coordinates(data, scale)),
            ("legends", _legends(data, scale)),
        )
        if content
    )


def element(name: str, attributes: dict[str, str], content: str = "") -> str:
    """An element as text; the content is taken as it is, so text in it must be escaped."""
    written = "".join(f' {key}="{html.escape(value)}"' for key, value in attributes.items())
    return f"<{name}{written}>{content}</{name}>" if content else f"<{name}{written}/>"


def number(value: float) -> str:
    """A coordinate as short text, rounded to two places exactly as the page rounds it."""
    rounded = math.floor(value * 100 + 0.5) / 100
    return str(int(rounded)) if rounded == int(rounded) else repr(rounded)


def _points(*values: float) -> str:
    """Coordinates side by side."""
    return " ".join(map(number, values))


def _identity(data: Data) -> str:
    """A prefix for ids: drawings on one page share one only if they are equal."""
    text = json.dumps(data, sort_keys=True)
    return "sv" + hashlib.sha256(text.encode()).hexdigest()[:10]


@cache
def colors() -> dict[str, list[str]]:
    """Light and dark colour of each name."""
    palette: dict[str, list[str]] = json.loads((STATIC / "colors.json").read_text(encoding="utf-8"))
    return palette


@cache
def style_sheet() -> str:
    """The style sheet with colours in place of variables: light ones, and dark ones where the viewer asks for them."""
    text = re.sub(r"/\*.*?\*/", "", (STATIC / "board.css").read_text(encoding="utf-8"), flags=re.DOTALL)
    rules = [(selector.strip(), body.strip()) for selector, body in re.findall(r"([^{}]+)\{([^}]*)\}", text)]
    light = "\n".join(f"{selector}{{{_with_colors(body, 0)}}}" for selector, body in rules)
    dark = "\n".join(
        f"{selector}{{{_with_colors(_only_colors(body), 1)}}}" for selector, body in rules if "var(" in body
    )
    return f"\n{light}\n@media (prefers-color-scheme: dark){{\n{dark}\n}}\n"


def _with_colors(body: str, theme: int) -> str:
    """Declarations with the colours of a theme, 0 for light and 1 for dark, in place of variables."""
    return re.sub(r"var\(--sokoviz-([a-z-]+)\)", lambda match: colors()[match[1]][theme], body)


def _only_colors(body: str) -> str:
    """The declarations that depend on the theme."""
    return "; ".join(part.strip() for part in body.split(";") if "var(" in part)


@cache
def symbols() -> dict[str, str]:
    """Text of each symbol by its id."""
    text = (STATIC / "symbols.js").read_text(encoding="utf-8")
    return {match[1]: match[0] for match in re.finditer(r'<symbol id="([a-z-]+)".*?</symbol>', text)}


def _symbol_of(name: str) -> str:
    """Id of the symbol for a cell name, empty where there is none."""
    piece, base = split_name(name)
    wanted = (f"{piece}-on-{base}", piece) if piece else (base,)
    return next((symbol for symbol in wanted if symbol in symbols()), "")


def _definitions(data: Data, identity: str) -> str:
    """The symbols that occur, under ids of this drawing's own."""
    used = sorted({symbol for name in data["names"] if (symbol := _symbol_of(name))})
    return element("defs", {}, "".join(symbols()[name].replace('id="', f'id="{identity}-') for name in used))


def _runs(flags: Iterable[bool]) -> Iterator[tuple[int, int]]:
    """Start and length of each run of true flags."""
    start = None
    for index, flag in enumerate([*flags, False]):
        if flag and start is None:
            start = index
        elif not flag and start is not None:
            yield start, index - start
            start = None


def _area(squares: set[tuple[int, int]], data: Data) -> str:
    """Path around squares, merged along each row."""
    return "".join(
        f"M{start * CELL} {row * CELL}h{length * CELL}v{CELL}h-{length * CELL}z"
        for row in range(data["height"])
        for start, length in _runs((row, column) in squares for column in range(data["width"]))
    )


def _with_base(data: Data, accepted: Callable[[str], bool]) -> set[tuple[int, int]]:
    """Squares whose base is accepted."""
    flags = [accepted(split_name(name)[1]) for name in data["names"]]
    return {(r, c) for r, row in enumerate(data["cells"]) for c, index in enumerate(row) if flags[index]}


def _is_open(base: str) -> bool:
    """Whether something can stand on a base."""
    return base not in {"wall", "outside"}


def _ground(data: Data) -> str:
    """Floor and walls."""
    areas = (
        ("floor", _area(_with_base(data, _is_open), data)),
        ("wall", _area(_with_base(data, lambda base: base == "wall"), data)),
    )
    return "".join(element("path", {"class": name, "d": path}) for name, path in areas if path)


def _grid(data: Data) -> str:
    """Lines between open squares."""
    is_open, width, height = _with_base(data, _is_open), data["width"], data["height"]
    across = "".join(
        f"M{start * CELL} {row * CELL}h{length * CELL}"
        for row in range(1, height)
        for start, length in _runs({(row - 1, c), (row, c)} <= is_open for c in range(width))
    )
    down = "".join(
        f"M{column * CELL} {start * CELL}v{length * CELL}"
        for column in range(1, width)
        for start, length in _runs({(r, column - 1), (r, column)} <= is_open for r in range(height))
    )
    return across + down


def _pieces(data: Data, identity: str) -> str:
    """Goals and what stands on the squares."""
    return "".join(
        _piece(data["names"][index], row, column, identity)
        for row, cells in enumerate(data["cells"])
        for column, index in enumerate(cells)
    )


def _piece(name: str, row: int, column: int, identity: str) -> str:
    """What stands on one square: a symbol, or the name's first letter where no symbol is known."""
    symbol, piece = _symbol_of(name), split_name(name)[0]
    place = {"transform": f"translate({column * CELL} {row * CELL})"}
    if symbol:
        return element("use", {"href": f"#{identity}-{symbol}", **place})
    if piece:
        return element(
            "text", {"class": "letter", "x": "16", "y": "23", "font-size": "20", **place}, html.escape(piece[0])
        )
    return ""


# --- overlays -------------------------------------------------------------------------------------------------------


def _overlays(overlays: list[Data], drawer_of: dict[str, Callable[[Data], str]]) -> str:
    """Overlays of some kinds, in their order."""
    return "".join(drawer_of[overlay["kind"]](overlay) for overlay in overlays if overlay["kind"] in drawer_of)


def _group(kind: str, overlay: Data, content: str) -> str:
    """What belongs to one overlay, in the colour of its role."""
    return element("g", {"class": f"{kind} {overlay['role']}"}, content)


def _fill(overlay: Data) -> str:
    """Squares tinted alike, with a texture where the role has one."""
    squares = [(row, column) for row, column in overlay["squares"]]
    extent = {
        "height": max((r for r, _ in squares), default=-1) + 1,
        "width": max((c for _, c in squares), default=-1) + 1,
    }
    content = element("path", {"class": "area", "d": _area(set(squares), extent)})
    if texture := _TEXTURE_OF.get(overlay["role"]):
        strokes = "".join(f"M{column * CELL} {row * CELL}{texture}" for row, column in squares)
        content += element("path", {"class": "texture", "d": strokes})
    return _group("fill", overlay, content) if squares else ""


def _heat(overlay: Data) -> str:
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
    back = (x - 9 * dx, y - 9 * dy)
    corners = (x, y, back[0] - 5.5 * dy, back[1] + 5.5 * dx, back[0] + 5.5 * dy, back[1] - 5.5 * dx)
    return f"M{_points(*corners[:2])}L{_points(*corners[2:4])}L{_points(*corners[4:])}z"


def _arrow(overlay: Data, text_size: float) -> str:
    """An arrow from the edge of what stands on its source to the middle of its target."""
    (x1, y1), (x2, y2) = map(_center, overlay["squares"])
    length = math.hypot(x2 - x1, y2 - y1)
    if not length:
        return ""
    dx, dy = (x2 - x1) / length, (y2 - y1) / length
    x1, y1, x2, y2 = x1 + 13 * dx, y1 + 13 * dy, x2 - 6 * dx, y2 - 6 * dy
    line = f"M{_points(x1, y1)}L{_points(x2 - 7 * dx, y2 - 7 * dy)}"
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


def _path(overlay: Data) -> str:
    """A line through squares, a dot at its start and a head at its end."""
    points = [_center(square) for square in overlay["squares"]]
    if len(points) < 2:  # noqa: PLR2004  a line has two ends
        return ""
    (x1, y1), (x2, y2) = points[-2:]
    length = math.hypot(x2 - x1, y2 - y1) or 1.0
    dx, dy = (x2 - x1) / length, (y2 - y1) / length
    points[-1] = (x2 - 4 * dx, y2 - 4 * dy)
    line = "M" + "L".join(_points(*point) for point in points)
    start = {"class": "start", "cx": number(points[0][0]), "cy": number(points[0][1]), "r": "4"}
    return _group(
        "path", overlay, _stroke(line, _head((x2 + 3 * dx, y2 + 3 * dy), (dx, dy))) + element("circle", start)
    )


def _mark(overlay: Data, text_size: float) -> str:
    """A sign on a square, and its text."""
    x, y = _center(overlay["squares"][0])
    cross = f"M{_points(x - 9, y - 9)}L{_points(x + 9, y + 9)}M{_points(x + 9, y - 9)}L{_points(x - 9, y + 9)}"
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


def _coordinates(data: Data, scale: float) -> str:
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


def _legends(data: Data, scale: float) -> str:
    """A colour bar under the board for each heat overlay."""
    heats = [overlay for overlay in data["overlays"] if overlay["kind"] == "heat"]
    return "".join(_legend(heat, data, scale, index) for index, heat in enumerate(heats))


def _legend(heat: Data, data: Data, scale: float, index: int) -> str:
    """One colour bar with its ends and its meaning."""
    unit, width = 1 / scale, data["width"] * CELL
    top = data["height"] * CELL + (8 + 34 * index) * unit
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
