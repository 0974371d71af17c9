"""Appendix A of the thesis: the size of the search space of 160 levels, beside the published figures.

Rows that differ are explained, and an explanation counts only if it gives the published figure exactly.
"""

from __future__ import annotations

import csv
from importlib.resources import files
from math import comb
from typing import TYPE_CHECKING, NamedTuple

from sokoviz.levels import SearchSpace, collection

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sokoviz.levels import Level

SETS = ("cbc", "microban3")
FLOAT_PRECISION = 1e-15


class SizeRow(NamedTuple):
    """One row of table A.1 or A.2."""

    level: Level
    published: SearchSpace
    ours: SearchSpace
    explanation: str
    """Why the two differ; empty where they agree, "unexplained" where no reading of ours gives the published figure."""


def published_rows() -> dict[tuple[str, int], SearchSpace]:
    """Tables A.1 and A.2 as printed, by set and level number."""
    text = files("sokoviz.experiments.papers").joinpath("schokoban_a.csv").read_text(encoding="utf-8")
    return {
        (row["set"], int(row["level"])): SearchSpace(
            *(int(row[key]) for key in ("tiles", "live_tiles", "boxes", "size"))
        )
        for row in csv.DictReader(text.splitlines())
    }


def compare() -> Iterator[SizeRow]:
    """Compute every row again and set it beside the published one."""
    published = published_rows()
    for name in SETS:
        for number, level in enumerate(collection(name), start=1):
            ours, theirs = level.search_space(), published[name, number]
            yield SizeRow(level, theirs, ours, "" if ours == theirs else explain(level, ours, theirs))


def explain(level: Level, ours: SearchSpace, theirs: SearchSpace) -> str:
    """Find the reading of appendix A that gives the published figure."""
    for where, n in _unreachable_squares(level).items():
        if theirs == _with_tiles(ours, ours.tiles + n):
            return f"the text counts {n} tile{'s' * (n != 1)} that the player can never reach, {where}"
    if level.player in level.goals and theirs == _with_tiles(ours, ours.tiles - 1):
        return "the text leaves out the goal under the player"
    if theirs[:3] == ours[:3] and abs(theirs.size - ours.size) < FLOAT_PRECISION * ours.size:
        return f"the text rounds: the exact number is {ours.size - theirs.size} larger"
    return "unexplained"


def _unreachable_squares(level: Level) -> dict[str, int]:
    """Numbers of blank squares that the player cannot reach: between the walls of their row, and also right of them."""
    between = beyond = 0
    for row, text in enumerate(level.rows):
        blanks = [column for column in range(text.index("#"), level.width) if text[column] != "#"]
        unreachable = [column for column in blanks if (row, column) not in level.floor]
        between += sum(column < text.rindex("#") for column in unreachable)
        beyond += len(unreachable)
    return {"between walls": between, "behind the last wall of a row": beyond}


def _with_tiles(space: SearchSpace, tiles: int) -> SearchSpace:
    """The estimate C(n - p, b) * (n - b), formula A.0.0.1, with another number of tiles n."""
    size = comb(space.live_tiles, space.boxes) * (tiles - space.boxes)
    return SearchSpace(tiles, space.live_tiles, space.boxes, size)


def report() -> str:
    """All rows side by side, those that differ marked and explained, and the sums."""
    head = f"{'tiles':>6}{'live':>6}{'boxes':>6} {'size':>32}"
    lines = [f"{'':<14}{'published':<54}here", f"{'level':<14}{head}   {head}"]
    rows = list(compare())
    for row in rows:
        mark = " *" if row.explanation else ""
        lines.append(f"{row.level.name:<14}{_figures(row.published)}   {_figures(row.ours)}{mark}")
    differing = [row for row in rows if row.explanation]
    lines += ["", f"{len(rows)} rows, {len(rows) - len(differing)} equal, {len(differing)} differ:"]
    lines += [f"  {row.level.name:<14} {row.explanation}" for row in differing]
    return "\n".join(lines)


def _figures(space: SearchSpace) -> str:
    """One side of a row."""
    return f"{space.tiles:>6}{space.live_tiles:>6}{space.boxes:>6} {space.size:>32}"
