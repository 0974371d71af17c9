"""The lowest layers: floor and walls, lines between squares, and the pieces on them."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING

from sokoviz.picture import split_name
from sokoviz.svg.elements import CELL, Data, element
from sokoviz.svg.style import symbol_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator


def _runs(flags: Iterable[bool]) -> Iterator[tuple[int, int]]:
    """Start and length of each run of true flags."""
    start = None
    for index, flag in enumerate([*flags, False]):
        if flag and start is None:
            start = index
        elif not flag and start is not None:
            yield start, index - start
            start = None


def area(squares: set[tuple[int, int]], data: Data) -> str:
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


def ground(data: Data) -> str:
    """Floor and walls."""
    areas = (
        ("floor", area(_with_base(data, _is_open), data)),
        ("wall", area(_with_base(data, lambda base: base == "wall"), data)),
    )
    return "".join(element("path", {"class": name, "d": path}) for name, path in areas if path)


def grid(data: Data) -> str:
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


def pieces(data: Data, identity: str) -> str:
    """Goals and what stands on the squares."""
    return "".join(
        _piece(data["names"][index], row, column, identity)
        for row, cells in enumerate(data["cells"])
        for column, index in enumerate(cells)
    )


def _piece(name: str, row: int, column: int, identity: str) -> str:
    """What stands on one square: a symbol, or the name's first letter where no symbol is known."""
    symbol, piece = symbol_of(name), split_name(name)[0]
    place = {"transform": f"translate({column * CELL} {row * CELL})"}
    if symbol:
        return element("use", {"href": f"#{identity}-{symbol}", **place})
    if piece:
        return element(
            "text", {"class": "letter", "x": "16", "y": "23", "font-size": "20", **place}, html.escape(piece[0])
        )
    return ""
