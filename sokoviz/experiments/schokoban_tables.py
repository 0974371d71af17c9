"""Tables 6.1 and 6.2 of the thesis, run again beside the published figures: levels solved within so many iterations."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from statistics import mean, median
from typing import TYPE_CHECKING, Any

from sokoviz.experiments.runner import Run
from sokoviz.levels import collection

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from sokoviz.experiments.runner import Row


@cache
def published() -> dict[str, Any]:
    """Return the settings and the published figures."""
    text = files("sokoviz.experiments.papers").joinpath("schokoban_6.json").read_text(encoding="utf-8")
    data: dict[str, Any] = json.loads(text)
    return data


def runs_of(table: str, preset: str | None = None, seeds: Iterable[int] | None = None) -> list[Run]:
    """Return all runs of a table; one run of 100,000 iterations gives the figures of all limits.

    Parameters
    ----------
    table
        ``"schokoban-6.1"`` or ``"schokoban-6.2"``.
    preset
        Another preset than the published one.
    seeds
        Other seeds than 1 to 5.
    """
    data = published()
    name = data["tables"][table]["levels"]
    return [
        Run(f"{name}#{number}", solver, _options(options, preset), data["iterations"], seed)
        for solver, options in data["solvers"].items()
        for seed in (seeds or data["seeds"])
        for number in range(1, len(collection(name).entries) + 1)
    ]


def _options(options: Mapping[str, Any], preset: str | None) -> tuple[tuple[str, Any], ...]:
    """Options of a run; the stall belongs to the published program alone."""
    chosen = dict(options) if preset is None else {"preset": preset}
    return tuple(sorted(chosen.items()))


def report(table: str, rows: Iterable[Row]) -> str:
    """Return a table of our figures beside the published ones."""
    data, known = published(), list(rows)
    entry = data["tables"][table]
    lines = [f"{table}: levels of {entry['levels']} solved within so many iterations", ""]
    head = "".join(f"{limit:>9,}" for limit in data["limits"])
    lines.append(f"{'':<26}{head}")
    for solver in data["solvers"]:
        lines += _solver_lines(solver, entry["solved"][solver], [row for row in known if row.run.solver == solver])
    return "\n".join([*lines, "", *_length_lines(entry, known)])


def _solver_lines(solver: str, theirs: list[int], rows: list[Row]) -> list[str]:
    """Published, median and range of one solver."""
    counts = [solved_within(rows, seed) for seed in sorted({row.run.seed for row in rows})]
    columns = list(zip(*counts, strict=True))
    ranges = [f"{min(column)}-{max(column)}" for column in columns]
    return [
        f"{solver + ', published':<26}" + "".join(f"{count:>9}" for count in theirs),
        f"{f'ours, median of {len(counts)}':<26}" + "".join(f"{median(column):>9g}" for column in columns),
        f"{'ours, range':<26}" + "".join(f"{text:>9}" for text in ranges),
    ]


def solved_within(rows: Iterable[Row], seed: int) -> list[int]:
    """Return how many levels a seed solved within each limit."""
    solved = [row.iterations for row in rows if row.run.seed == seed and row.pushes is not None]
    return [sum(made <= limit for made in solved) for limit in published()["limits"]]


def _length_lines(entry: Mapping[str, Any], rows: list[Row]) -> list[str]:
    """Lengths of solutions beside those of figures 6.1 and 6.2."""
    pushes = {(row.run.solver, row.run.level, row.run.seed): row.pushes for row in rows if row.pushes is not None}
    ours = [length for (solver, _, _), length in pushes.items() if solver == "schokoban"]
    pairs = [
        (length, pushes["schokoban", level, seed])
        for (solver, level, seed), length in pushes.items()
        if solver == "vanillaban" and ("schokoban", level, seed) in pushes
    ]
    if not ours or not pairs:
        return []
    saved = mean(vanilla - schoko for vanilla, schoko in pairs)
    theirs, shorter = entry["mean_pushes"], entry["pushes_saved"]
    return [
        f"mean solution of Schokoban: {mean(ours):.2f} pushes (published {theirs})",
        f"shorter than Vanillaban's where both solve: {saved:.2f} pushes on average (published {shorter})",
    ]
