"""Levels that the learner solves in a given time: whatever solves most, and the text to the letter."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from statistics import median
from typing import TYPE_CHECKING, Any

from sokoviz.experiments.runner import Run
from sokoviz.levels import collection

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sokoviz.experiments.runner import StoredRun


@cache
def published() -> dict[str, Any]:
    """Return the settings and the goals."""
    text = files("sokoviz.experiments.papers").joinpath("curry.json").read_text(encoding="utf-8")
    data: dict[str, Any] = json.loads(text)
    return data


def runs_of(study: str, preset: str | None = None, seeds: Iterable[int] | None = None) -> list[Run]:
    """Return all runs of a study, each of one level.

    Parameters
    ----------
    study
        ``"curry-microban3"`` or ``"curry-xsokoban"``.
    preset
        Only this preset, instead of one variant after the other.
    seeds
        Other seeds than 1.
    """
    data = published()
    entry = data["studies"][study]
    numbers = entry["numbers"] or range(1, len(collection(entry["levels"]).entries) + 1)
    variants = [preset] if preset else [options["preset"] for options in data["variants"].values()]
    return [
        Run(f"{entry['levels']}#{number}", "curry", (("preset", variant),), None, seed, float(entry["seconds"]))
        for variant in variants
        for seed in (seeds or data["seeds"])
        for number in numbers
    ]


def report(study: str, rows: Iterable[StoredRun]) -> str:
    """Return how many levels each variant solved, which not, and how long it took."""
    data, known = published(), list(rows)
    entry = data["studies"][study]
    lines = [f"{study}: levels of {entry['levels']} solved within {entry['seconds']} s each on one core", ""]
    presets = {options["preset"]: name for name, options in data["variants"].items()}
    for preset in dict.fromkeys(dict(row.run.options)["preset"] for row in known):
        lines += _variant_lines(presets.get(preset, preset), entry, [r for r in known if _preset(r) == preset])
    return "\n".join([*lines, "", f"published: {data['source']}"])


def _preset(row: StoredRun) -> str:
    """The preset of a run."""
    return str(dict(row.run.options)["preset"])


def _variant_lines(name: str, entry: dict[str, Any], rows: list[StoredRun]) -> list[str]:
    """One variant, seed by seed."""
    lines = []
    for seed in sorted({row.run.seed for row in rows}):
        own = [row for row in rows if row.run.seed == seed]
        solved = [row for row in own if row.pushes is not None]
        verdict = "met" if len(solved) >= entry["goal"] else "missed"
        quick = sum(row.seconds <= 1 for row in solved)
        middle = f"{median(row.seconds for row in solved):.2f} s" if solved else "–"
        pace = sum(row.nodes for row in own) / max(sum(row.seconds for row in own), 1e-9)
        lines += [
            f"{name}, seed {seed}: {len(solved)} of {len(own)} (goal {entry['goal']}: {verdict})",
            f"  within a second {quick}, median of the solved {middle}, positions a second {pace:,.0f}",
            f"  not solved: {', '.join(_number(row) for row in own if row.pushes is None) or 'none'}",
        ]
    return lines


def _number(row: StoredRun) -> str:
    """Number of a run's level."""
    return row.run.level.partition("#")[2]
