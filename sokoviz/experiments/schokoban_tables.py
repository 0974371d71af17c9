"""Tables 6.1 and 6.2 of the thesis, run again beside the published figures.

Levels solved within so many iterations, and how long the solutions are (figures 6.1 and 6.2).
"""

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

    from sokoviz.experiments.runner import StoredRun


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


def report(table: str, rows: Iterable[StoredRun]) -> str:
    """Return a table of our figures beside the published ones."""
    data, known = published(), list(rows)
    entry = data["tables"][table]
    lines = [f"{table}: levels of {entry['levels']} solved within so many iterations", ""]
    head = "".join(f"{limit:>9,}" for limit in data["limits"])
    lines.append(f"{'':<26}{head}")
    for solver in data["solvers"]:
        lines += _solver_lines(solver, entry["solved"][solver], [row for row in known if row.run.solver == solver])
    return "\n".join([*lines, "", *_length_lines(entry, known)])


def _solver_lines(solver: str, theirs: list[int], rows: list[StoredRun]) -> list[str]:
    """Published, median and range of one solver."""
    counts = [solved_within(rows, seed) for seed in sorted({row.run.seed for row in rows})]
    columns = list(zip(*counts, strict=True))
    ranges = [f"{min(column)}-{max(column)}" for column in columns]
    return [
        f"{solver + ', published':<26}" + "".join(f"{count:>9}" for count in theirs),
        f"{f'ours, median of {len(counts)}':<26}" + "".join(f"{median(column):>9g}" for column in columns),
        f"{'ours, range':<26}" + "".join(f"{text:>9}" for text in ranges),
    ]


def solved_within(rows: Iterable[StoredRun], seed: int) -> list[int]:
    """Return how many levels a seed solved within each limit."""
    solved = [row.iterations for row in rows if row.run.seed == seed and row.pushes is not None]
    return [sum(made <= limit for made in solved) for limit in published()["limits"]]


def _length_lines(entry: Mapping[str, Any], rows: list[StoredRun]) -> list[str]:
    """Lengths of solutions beside those of figures 6.1 and 6.2, as found and after shortening."""
    found = {(row.run.solver, row.run.level, row.run.seed): row for row in rows if row.pushes is not None}
    ours = [row for row in found.values() if row.run.solver == "schokoban"]
    pairs = [
        (row, found["schokoban", level, seed])
        for (solver, level, seed), row in found.items()
        if solver == "vanillaban" and ("schokoban", level, seed) in found
    ]
    if not ours or not pairs:
        return []
    both = [list(some) for some in zip(*pairs, strict=True)]
    published_of = {"schokoban": f"{entry['mean_pushes']:.2f}", "vanillaban": f"about {entry['vanillaban_pushes']}"}
    return [
        f"{'mean pushes of a solution':<34}{'published':>11}{'ours':>9}{'shortened':>11}",
        _mean_line("schokoban, all that it solves", published_of["schokoban"], ours),
        _mean_line("vanillaban, where both solve", published_of["vanillaban"], both[0]),
        _mean_line("schokoban, where both solve", "", both[1]),
        _saved_line(f"{entry['pushes_saved']:.2f}", pairs),
        _comparison(pairs),
    ]


def _mean_line(name: str, theirs: str, rows: list[StoredRun]) -> str:
    """Mean pushes of some runs: published, as found, and shortened where all of them were."""
    shortened = [row.shortened for row in rows if row.shortened is not None]
    last = f"{mean(shortened):.2f}" if len(shortened) == len(rows) else "–"
    return f"{name:<34}{theirs:>11}{mean(map(_pushes, rows)):>9.2f}{last:>11}"


def _saved_line(theirs: str, pairs: list[tuple[StoredRun, StoredRun]]) -> str:
    """What Schokoban saves where both solve."""
    saved = [_pushes(vanilla) - _pushes(schoko) for vanilla, schoko in pairs]
    return f"{'saved by schokoban':<34}{theirs:>11}{mean(saved):>9.2f}"


def _comparison(pairs: list[tuple[StoredRun, StoredRun]]) -> str:
    """In how many runs each of the two has the shorter solution."""
    saved = [_pushes(vanilla) - _pushes(schoko) for vanilla, schoko in pairs]
    shorter, longer = sum(pushes > 0 for pushes in saved), sum(pushes < 0 for pushes in saved)
    counts = f"shorter in {shorter}, equal in {len(saved) - shorter - longer}, longer in {longer}"
    return f"of {len(saved)} runs that both solve, schokoban's is {counts}"


def _pushes(row: StoredRun) -> int:
    """Pushes of a run that found a solution."""
    return row.pushes or 0
