"""The rows of one board: from characters as somebody wrote them to canonical, checked rows."""

from __future__ import annotations

import re
from collections import deque
from typing import TYPE_CHECKING, NamedTuple

from sokoviz.errors import (
    BoxesAndGoalsDifferError,
    EmptyLevelError,
    LevelError,
    LevelTooLargeError,
    NoPlayerError,
    OpenWallError,
    TwoPlayersError,
    UnknownCharacterError,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

MAX_SIDE = 1000
TAB_WIDTH = 8
VARIANTS = str.maketrans({"p": "@", "P": "+", "b": "$", "B": "*", "o": ".", "-": " ", "_": " ", "\xa0": " "})

_UNKNOWN = re.compile(r"[^# .$*@+]")
_OUTSIDE = "\0"


class BoardRow(NamedTuple):
    """A row as somebody wrote it, and where."""

    text: str
    line: int
    columns: Sequence[int]
    """The column, counted from 1, in which each character of the text stands."""


def place_row(text: str, line: int) -> BoardRow:
    """The row that a line of text holds, its tabs expanded."""
    if "\t" not in text:
        return BoardRow(text, line, range(1, len(text) + 1))
    expanded: list[str] = []
    columns: list[int] = []
    for column, character in enumerate(text, start=1):
        width = TAB_WIDTH - len(expanded) % TAB_WIDTH if character == "\t" else 1
        expanded += [" " if character == "\t" else character] * width
        columns += [column] * width
    return BoardRow("".join(expanded), line, columns)


def read_rows(rows: Sequence[BoardRow]) -> tuple[str, ...]:
    """The canonical rows of a board.

    Parameters
    ----------
    rows
        The rows as they were written, from the top.

    Returns
    -------
    tuple of str
        Rows of the seven characters ``# .$*@+``, of one width, without blank margins.

    Raises
    ------
    LevelError
        The first thing wrong with the board, with its line and column.
    """
    _check_size(rows)
    kept = _without_margins([row._replace(text=_canonical(row)) for row in rows])
    if not kept:
        place = rows[0].line if rows else 1
        message = "expected a board with walls '#' and a player '@', found nothing"
        raise EmptyLevelError(message, place, 1)
    _check_board(kept)
    width = max(len(row.text) for row in kept)
    return tuple(row.text.ljust(width) for row in kept)


def find_floor(rows: Sequence[str], row: int, column: int, walls: str = "#") -> tuple[list[tuple[int, int]], bool]:
    """Squares connected with a square, and whether they are closed off.

    Parameters
    ----------
    rows
        Rows of any length; what lies beyond the end of a row is outside.
    row, column
        Where to start, counted from 0.
    walls
        Characters that cannot be entered.

    Returns
    -------
    list of (row, column)
        The squares in the order in which they are found. If they are not closed off, the last one is the first from
        which one step leads outside.
    bool
        Whether they are closed off.
    """
    # One flat text in which a step beyond either end of a row meets an outside character.
    stride = max(map(len, rows)) + 1
    border = _OUTSIDE * stride
    flat = border + "".join(text.ljust(stride, _OUTSIDE) for text in rows) + border
    start = (row + 1) * stride + column
    seen = bytearray(len(flat))
    seen[start] = 1
    queue, order = deque([start]), []
    while queue:
        square = queue.popleft()
        order.append((square // stride - 1, square % stride))
        for near in (square - stride, square - 1, square + 1, square + stride):
            if flat[near] == _OUTSIDE:
                return order, False
            if not seen[near] and flat[near] not in walls:
                seen[near] = 1
                queue.append(near)
    return order, True


def _check_size(rows: Sequence[BoardRow]) -> None:
    """Refuse what would need absurd amounts of memory."""
    if len(rows) > MAX_SIDE:
        message = f"expected a board of at most {MAX_SIDE} rows, found {len(rows)}"
        raise LevelTooLargeError(message, rows[MAX_SIDE].line, 1)
    for row in rows:
        width = len(row.text.rstrip())
        if width > MAX_SIDE:
            message = f"expected rows of at most {MAX_SIDE} squares, found {width}"
            raise LevelTooLargeError(message, row.line, row.columns[MAX_SIDE])


def _canonical(row: BoardRow) -> str:
    """The row's text in canonical characters, without blanks at its end."""
    text = row.text.translate(VARIANTS).rstrip(" ")
    unknown = _UNKNOWN.search(text)
    if unknown is not None:
        message = f"expected one of the characters # @ + $ * . - _ or a space, found {unknown[0]!r}"
        raise UnknownCharacterError(message, row.line, row.columns[unknown.start()])
    return text


def _without_margins(rows: Sequence[BoardRow]) -> list[BoardRow]:
    """The rows without blank rows above and below, and without blank columns on the left."""
    filled = [index for index, row in enumerate(rows) if row.text]
    if not filled:
        return []
    kept = rows[filled[0] : filled[-1] + 1]
    margin = min(len(row.text) - len(row.text.lstrip(" ")) for row in kept if row.text)
    return [BoardRow(row.text[margin:], row.line, row.columns[margin:]) for row in kept]


def _check_board(rows: Sequence[BoardRow]) -> None:
    """Raise the first error of a board in canonical characters."""
    players = _find(rows, "@+")
    if not players:
        first = next(column for column, character in enumerate(rows[0].text) if character != " ")
        message = "expected a player '@' (or '+' on a goal) on this board, found none"
        raise _error(NoPlayerError, message, rows, 0, first)
    if len(players) > 1:
        row, column = players[0]
        first_place = f"line {rows[row].line}, column {rows[row].columns[column]}"
        message = f"expected exactly one player, found a second one (the first is at {first_place})"
        raise _error(TwoPlayersError, message, rows, *players[1])
    squares, is_closed = find_floor([row.text for row in rows], *players[0])
    if not is_closed:
        message = "expected walls all around the player, but the floor leaks here"
        raise _error(OpenWallError, message, rows, *squares[-1])
    _check_counts(rows)


def _check_counts(rows: Sequence[BoardRow]) -> None:
    """Refuse a board on which boxes and goals differ in number; the first one too many is at fault."""
    boxes, goals = _find(rows, "$*"), _find(rows, ".*+")
    if len(boxes) == len(goals):
        return
    more, fewer = (boxes, goals) if len(boxes) > len(goals) else (goals, boxes)
    found = f"{_count(len(boxes), 'box', 'boxes')} and {_count(len(goals), 'goal', 'goals')}"
    raise _error(BoxesAndGoalsDifferError, f"expected as many boxes as goals, found {found}", rows, *more[len(fewer)])


def _find(rows: Sequence[BoardRow], characters: str) -> list[tuple[int, int]]:
    """Where any of some characters stands, row by row."""
    pattern = re.compile(f"[{re.escape(characters)}]")
    return [(index, match.start()) for index, row in enumerate(rows) for match in pattern.finditer(row.text)]


def _error(kind: type[LevelError], message: str, rows: Sequence[BoardRow], row: int, column: int) -> LevelError:
    """An error at a square, with its place in the text."""
    return kind(message, rows[row].line, rows[row].columns[column])


def _count(number: int, one: str, many: str) -> str:
    """A number with its noun."""
    return f"{number} {one if number == 1 else many}"
