"""A position as data: named cells plus overlays. Text, SVG and the widgets all draw this, for any game.

A cell name is a base (``wall``, ``floor``, ``goal``, ``outside``), or a piece on one: ``box on goal``; a piece alone
(``box``, ``X``) stands on floor.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from sokoviz.overlays import Arrow, Fill, Heat, Mark, Overlay, Path, SquareLike
from sokoviz.squares import column_name, row_name

__all__ = ["BASES", "Arrow", "Fill", "Heat", "Mark", "Overlay", "Path", "Picture", "split_name"]

BASES = ("wall", "floor", "goal", "outside")

_CHARACTER_OF = {
    "wall": "#",
    "floor": " ",
    "outside": " ",
    "goal": ".",
    "box": "$",
    "box on goal": "*",
    "player": "@",
    "player on goal": "+",
}


def split_name(name: str) -> tuple[str, str]:
    """Piece and base of a cell name: ``("box", "goal")`` for ``"box on goal"``, ``("", "wall")`` for ``"wall"``."""
    if name in BASES:
        return "", name
    piece, _, base = name.partition(" on ")
    return piece, base or "floor"


@dataclass(frozen=True)
class Picture:
    """A position as data, ready to be drawn as text, as SVG or in a page.

    Parameters
    ----------
    cells
        Names of the cells, row by row, all rows of one length.
    overlays
        What is drawn on top, in order within each layer.
    coordinates
        Whether the columns and rows are lettered.
    label
        One sentence for people who hear the picture instead of seeing it.
    caption
        A sentence written under the board, such as the reason for a deadlock.
    """

    cells: tuple[tuple[str, ...], ...]
    overlays: tuple[Overlay, ...] = ()
    coordinates: bool = False
    label: str = ""
    caption: str = ""

    def __post_init__(self) -> None:
        """Freeze lists given as cells or overlays, and refuse ragged rows and squares off the board."""
        object.__setattr__(self, "cells", tuple(tuple(row) for row in self.cells))
        object.__setattr__(self, "overlays", tuple(self.overlays))
        if any(len(row) != self.width for row in self.cells):
            message = f"expected rows of one length, found lengths {sorted({len(row) for row in self.cells})}"
            raise ValueError(message)
        for overlay in self.overlays:
            self._check_squares(overlay)

    def _check_squares(self, overlay: Overlay) -> None:
        """Raise where an overlay names a square off the board."""
        for row, column in overlay.squares:
            if not (0 <= row < self.height and 0 <= column < self.width):
                message = (
                    f"expected squares within {self.height} rows and {self.width} columns, "
                    f"found row {row}, column {column} in {type(overlay).__name__}"
                )
                raise ValueError(message)

    @property
    def width(self) -> int:
        """Number of columns."""
        return len(self.cells[0]) if self.cells else 0

    @property
    def height(self) -> int:
        """Number of rows."""
        return len(self.cells)

    def cell_label(self, square: SquareLike) -> str:
        """Spoken name of a cell, such as ``"row c, column G: box on goal"``."""
        row, column = square
        return f"row {row_name(row)}, column {column_name(column)}: {self.cells[row][column]}"

    def with_overlays(self, *overlays: Overlay) -> Picture:
        """Return a copy with further overlays on top."""
        return replace(self, overlays=(*self.overlays, *overlays))

    def to_json(self) -> dict[str, Any]:
        """Return the picture as plain data: what the part in the page draws."""
        names = sorted({name for row in self.cells for name in row})
        index_of = {name: index for index, name in enumerate(names)}
        return {
            "width": self.width,
            "height": self.height,
            "names": names,
            "cells": [[index_of[name] for name in row] for row in self.cells],
            "row_names": [row_name(row) for row in range(self.height)],
            "column_names": [column_name(column) for column in range(self.width)],
            "overlays": [overlay.to_json() for overlay in self.overlays],
            "coordinates": self.coordinates,
            "label": self.label,
            "caption": self.caption,
        }

    def to_text(self) -> str:
        """Return the cells as text, one character each, as level files write them."""
        rows = ("".join(_CHARACTER_OF.get(name, name[:1]) for name in row).rstrip() for row in self.cells)
        return "\n".join(rows)

    def to_svg(self, cell_size: float | None = None) -> str:
        """Return the picture as a self-contained SVG document.

        Parameters
        ----------
        cell_size
            Side of a square in pixels; where left out, chosen by the size of the board.
        """
        # Data stay free of drawing until a drawing is asked for.
        from sokoviz.svg import draw

        return draw(self, cell_size)

    def _repr_mimebundle_(self, **_options: object) -> dict[str, str]:
        """Show the picture in a notebook, and as text where there are no pictures."""
        return {"image/svg+xml": self.to_svg(), "text/plain": self.to_text()}
