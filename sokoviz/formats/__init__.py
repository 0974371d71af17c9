"""Level files and move strings, both ways: text in, plain data out, and back.

Every reader returns all levels of a text, a bad one as its error, so that one bad level does not hide the others.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sokoviz.errors import SokovizError
from sokoviz.formats.decoding import decode
from sokoviz.formats.moves import read_moves, write_moves
from sokoviz.formats.records import CollectionText, LevelText
from sokoviz.formats.rows import BoardRow, find_floor, read_rows
from sokoviz.formats.slc import read_slc, write_slc
from sokoviz.formats.text import board_text, read_text, write_boxoban, write_run_length, write_sok, write_xsb

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = [
    "FORMATS",
    "BoardRow",
    "CollectionText",
    "LevelText",
    "board_text",
    "find_floor",
    "read_levels",
    "read_moves",
    "read_rows",
    "write_levels",
    "write_moves",
]

FORMATS: dict[str, Callable[[CollectionText], str]] = {
    "xsb": write_xsb,
    "sok": write_sok,
    "rle": write_run_length,
    "slc": write_slc,
    "boxoban": write_boxoban,
}


def read_levels(data: str | bytes) -> CollectionText:
    """Read all levels of a text, whatever its format.

    Parameters
    ----------
    data : str or bytes
        The contents of a file: XSB, SOK, run-length rows, SLC or Boxoban, in UTF-8, UTF-16 with a mark, or Latin-1.

    Returns
    -------
    CollectionText
        The levels in their order, a bad one as its error; never empty, since no level at all is an error too.
    """
    text = decode(data)
    return read_slc(text) if text.lstrip().startswith("<") else read_text(text)


def write_levels(collection: CollectionText, format: str = "xsb") -> str:  # noqa: A002 - the word that users know
    """Write levels as text.

    Parameters
    ----------
    collection : CollectionText
        What to write; bad levels are left out.
    format : str
        One of ``xsb``, ``sok``, ``rle`` (run-length rows), ``slc`` (XML) and ``boxoban``.

    Returns
    -------
    str
        Text that `read_levels` reads back as the same levels; Boxoban keeps boards and titles only.
    """
    if format not in FORMATS:
        message = f"expected one of the formats {', '.join(FORMATS)}, found {format!r}"
        raise SokovizError(message)
    return FORMATS[format](collection)
