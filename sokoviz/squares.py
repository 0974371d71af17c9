"""Squares of a board and their names in the papers' notation: column upper case, row lower case."""

from __future__ import annotations

import re
from typing import NamedTuple

_NAME = re.compile(r"([A-Z]+) ?([a-z]+)")


class Square(NamedTuple):
    """A square by row and column, both counted from 0 at the top left."""

    row: int
    column: int

    @property
    def name(self) -> str:
        """The square as the papers write it: ``Square(2, 6).name`` is ``"Gc"``."""
        return column_name(self.column) + row_name(self.row)

    @classmethod
    def parse(cls, name: str) -> Square:
        """Read a name such as ``"Gc"``; a space between its letters does no harm."""
        match = _NAME.fullmatch(name)
        if match is None:
            message = f"expected a square such as 'Gc' (column upper case, row lower case), found {name!r}"
            raise ValueError(message)
        return cls(_number(match[2]), _number(match[1].lower()))


def column_name(column: int) -> str:
    """Upper-case name of a column: A to Z, then AA, AB, ..."""
    return row_name(column).upper()


def row_name(row: int) -> str:
    """Lower-case name of a row: a to z, then aa, ab, ..."""
    letters = ""
    row += 1
    while row > 0:
        row, letter = divmod(row - 1, 26)
        letters = chr(ord("a") + letter) + letters
    return letters


def _number(letters: str) -> int:
    """Inverse of `row_name`."""
    number = 0
    for letter in letters:
        number = 26 * number + ord(letter) - ord("a") + 1
    return number - 1
