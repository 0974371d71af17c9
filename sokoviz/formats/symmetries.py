"""Rows turned, mirrored, and brought into a normal form in which equal levels look equal."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sokoviz.formats.rows import find_floor

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    Rows = tuple[str, ...]

# Squares of the player's component while its place is not yet chosen: plain floor and goal.
_FLOOR_MARK, _GOAL_MARK = "f", "g"
_ANY_MARK = re.compile(f"[{_FLOOR_MARK}{_GOAL_MARK}]")
_UNMARK = str.maketrans({_FLOOR_MARK: " ", _GOAL_MARK: "."})


def rotate_rows(rows: Sequence[str]) -> Rows:
    """Rows turned clockwise by a quarter."""
    return tuple("".join(column) for column in zip(*reversed(rows), strict=True))


def mirror_rows(rows: Sequence[str]) -> Rows:
    """Rows with left and right exchanged."""
    return tuple(row[::-1] for row in rows)


def normal_rows(rows: Sequence[str]) -> Rows:
    """The normal form of a closed level: see `sokoviz.Level.normal_form`."""
    return min(_place_player(turned) for turned in _all_symmetries(_essential_rows(rows)))


def find_player(rows: Sequence[str]) -> tuple[int, int]:
    """Row and column of the player."""
    found = ((row, match.start()) for row, text in enumerate(rows) if (match := re.search("[@+]", text)))
    return next(found)


def _essential_rows(rows: Sequence[str]) -> Rows:
    """Only what matters to play: floor, pieces and the walls that touch floor; the player's component is marked."""
    player = find_player(rows)
    floor, _ = find_floor(rows, *player)
    grid = [[character if character in "$." else " " for character in row] for row in rows]
    inside = set(floor)
    for row, column in floor:
        grid[row][column] = {"@": " ", "+": "."}.get(rows[row][column], rows[row][column])
        for near in _around(row, column):
            if near not in inside and grid[near[0]][near[1]] == " ":
                grid[near[0]][near[1]] = "#"
    component, _ = find_floor(rows, *player, walls="#$*")
    for row, column in component:
        grid[row][column] = _GOAL_MARK if grid[row][column] == "." else _FLOOR_MARK
    return _trim(["".join(row) for row in grid])


def _around(row: int, column: int) -> Iterator[tuple[int, int]]:
    """The eight squares around one inside the walls."""
    return ((row + down, column + right) for down in (-1, 0, 1) for right in (-1, 0, 1) if down or right)


def _trim(rows: Sequence[str]) -> Rows:
    """Rows without blank margins; there is at least a wall."""
    kept = list(rows)
    while not kept[0].strip():
        kept.pop(0)
    while not kept[-1].strip():
        kept.pop()
    left = min(len(row) - len(row.lstrip()) for row in kept if row.strip())
    right = max(len(row.rstrip()) for row in kept)
    return tuple(row[left:right] for row in kept)


def _all_symmetries(rows: Rows) -> Iterator[Rows]:
    """The rows in all eight positions."""
    for _ in range(4):
        yield rows
        yield mirror_rows(rows)
        rows = rotate_rows(rows)


def _place_player(rows: Rows) -> Rows:
    """Put the player on the first marked square, and clear the other marks."""
    text = "\n".join(rows)
    mark = _ANY_MARK.search(text)
    if mark is None:
        message = "expected rows with a marked component"
        raise AssertionError(message)
    player = "+" if mark[0] == _GOAL_MARK else "@"
    placed = text[: mark.start()] + player + text[mark.end() :]
    return tuple(placed.translate(_UNMARK).split("\n"))
