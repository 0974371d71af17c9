"""Levels that IDA* solves: Microban within 200,000 nodes, XSokoban in half a minute with and without relevance cuts.

The second stands beside table 3 of Junghanns and Schaeffer, who allowed 25 million nodes.
"""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, NamedTuple

from sokoviz.experiments.runner import Run
from sokoviz.levels import collection

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sokoviz.experiments.runner import StoredRun

MICROBAN, XSOKOBAN = "ida-microban", "ida-xsokoban"
WITH, WITHOUT = (("preset", "best"),), (("preset", "best"), ("relevance", False))
FEW_NODES = 3_000_000  # up to here the text's own saving is looked at by itself


@cache
def published() -> dict[str, Any]:
    """Return the settings, the goals and table 3."""
    text = files("sokoviz.experiments.papers").joinpath("rolling_stone.json").read_text(encoding="utf-8")
    data: dict[str, Any] = json.loads(text)
    return data


def runs_of(study: str, preset: str | None = None, seeds: Iterable[int] | None = None) -> list[Run]:
    """Return all runs of a study, each of one level.

    Parameters
    ----------
    study
        ``"ida-microban"`` or ``"ida-xsokoban"``.
    preset
        Only this preset.
    seeds
        Of the random acceptance of relevance cuts, the only thing that is random here; the first of them is taken.
    """
    entry = published()["studies"][study]
    seed = next(iter(seeds or (1,)))
    numbers = range(1, len(collection(entry["levels"]).entries) + 1)
    if study == MICROBAN:
        chosen: list[tuple[tuple[str, Any], ...]] = [(("preset", name),) for name in entry["presets"]]
    else:
        chosen = [WITH, WITHOUT]
    if preset:
        chosen = [options for options in chosen if dict(options)["preset"] == preset] or [(("preset", preset),)]
    return [
        Run(f"{entry['levels']}#{number}", "ida", options, None, seed, entry.get("seconds"), entry.get("nodes"))
        for options in chosen
        for number in numbers
    ]


def report(study: str, rows: Iterable[StoredRun]) -> str:
    """Return what was solved, beside the published figures."""
    known = list(rows)
    lines = _microban_lines(known) if study == MICROBAN else _xsokoban_lines(known)
    return "\n".join([*lines, "", f"published: {published()['source']}"])


def _number(row: StoredRun) -> int:
    """Number of a run's level."""
    return int(row.run.level.partition("#")[2])


def _verdict(n: int, goal: int | None) -> str:
    """How a figure compares with its goal."""
    return "" if goal is None else f" (goal {goal}: {'met' if n >= goal else 'missed'})"


def _microban_lines(rows: list[StoredRun]) -> list[str]:
    """Levels solved by each preset."""
    entry = published()["studies"][MICROBAN]
    lines = [f"{MICROBAN}: levels of Microban solved within {entry['nodes']:,} nodes; {entry['published']}", ""]
    for preset in dict.fromkeys(str(dict(row.run.options)["preset"]) for row in rows):
        own = [row for row in rows if dict(row.run.options)["preset"] == preset]
        solved = [row for row in own if row.pushes is not None]
        not_solved = ", ".join(str(_number(row)) for row in own if row.pushes is None)
        cost = f"{sum(row.nodes for row in own):,} nodes in {sum(row.seconds for row in own):.1f} s"
        verdict = _verdict(len(solved), entry["presets"].get(preset))
        lines.append(f"{preset}: {len(solved)} of {len(own)}{verdict}, {cost}")
        lines.append(f"  not solved: {not_solved or 'none'}")
    return lines


class Pair(NamedTuple):
    """A level without relevance cuts and with them."""

    number: int
    without: StoredRun
    cut: StoredRun


def _xsokoban_lines(rows: list[StoredRun]) -> list[str]:
    """Both variants level by level beside table 3, and what relevance cuts save and lose."""
    entry, theirs = published()["studies"][XSOKOBAN], published()["table_3"]
    of = {options: {_number(row): row for row in rows if row.run.options == options} for options in (WITH, WITHOUT)}
    lines = [f"{XSOKOBAN}: XSokoban, everything on, {entry['seconds']} s a level on one core", ""]
    for name, options in (("with relevance cuts", WITH), ("without", WITHOUT)):
        solved = sum(row.pushes is not None for row in of[options].values())
        goal = _verdict(solved, entry["goal"]) if options == WITH else ""
        lines.append(f"{name}: {solved} of {len(of[options])}{goal}")
    pairs = [Pair(n, of[WITHOUT][n], row) for n, row in sorted(of[WITH].items()) if n in of[WITHOUT]]
    lines += ["", *_table(pairs, theirs), "", *_saving_lines(pairs, theirs)]
    return lines


def _table(pairs: list[Pair], theirs: dict[str, list[int]]) -> list[str]:
    """The levels that anybody solved: nodes (and thresholds, pushes) without and with cuts, published and ours."""
    lines = [f"{'level':>5}{'published without':>22}{'with':>18}{'ours without':>26}{'with':>26}"]
    for number, without, cut in pairs:
        known = theirs.get(str(number))
        if known is None and without.pushes is None and cut.pushes is None:
            continue
        more = ">" * (number in published()["at_least"])
        first = f"{more}{known[0]:,} ({known[1]})" if known else "–"
        second = f"{known[2]:,} ({known[3]})" if known else "–"
        lines.append(f"{number:>5}{first:>22}{second:>18}{_cell(without):>26}{_cell(cut):>26}")
    return lines


def _cell(row: StoredRun) -> str:
    """Nodes, thresholds and pushes of a run."""
    return f"{row.nodes:,} ({row.iterations}; {row.pushes})" if row.pushes is not None else "not solved"


def _saving_lines(pairs: list[Pair], theirs: dict[str, list[int]]) -> list[str]:
    """What relevance cuts save where both solve, beside the text's saving on the same levels, and what they cost."""
    both = [pair for pair in pairs if pair.without.pushes is not None and pair.cut.pushes is not None]
    common = [pair for pair in both if str(pair.number) in theirs]
    few = [pair for pair in common if max(theirs[str(pair.number)][0], theirs[str(pair.number)][2]) <= FEW_NODES]
    lines = [f"nodes without to nodes with relevance cuts, on the {len(both)} levels that both solve: {_ratio(both)}"]
    for name, chosen in (("all of these in table 3", common), ("those of at most 3 million nodes there", few)):
        if chosen:
            lines.append(f"  {name}, {len(chosen)} levels: ours {_ratio(chosen)}, published {_their_ratio(chosen)}")
    solved = [pair for pair in pairs if pair.cut.pushes is not None and str(pair.number) in theirs]
    if len(solved) > len(common):
        ratios = f"ours at least {_ratio(solved)}, published {_their_ratio(solved)}"
        lines.append(
            f"  those of table 3 that only cuts solve too, as the text counts 49, {len(solved)} levels: {ratios}"
        )
    lost = [pair.number for pair in pairs if pair.without.pushes is not None and pair.cut.pushes is None]
    won = [pair.number for pair in pairs if pair.without.pushes is None and pair.cut.pushes is not None]
    longer = [
        f"{pair.number} ({pair.without.pushes} to {pair.cut.pushes})"
        for pair in both
        if (pair.cut.pushes or 0) > (pair.without.pushes or 0)
    ]
    names = (("lost by cuts", lost), ("won by cuts", won), ("made longer by cuts", longer))
    return [*lines, *(f"{name}: {', '.join(map(str, numbers)) or 'none'}" for name, numbers in names)]


def _their_ratio(pairs: list[Pair]) -> str:
    """The text's nodes without cuts to nodes with them."""
    known = [published()["table_3"][str(pair.number)] for pair in pairs]
    return f"{sum(row[0] for row in known) / sum(row[2] for row in known):.2f}"


def _ratio(pairs: list[Pair]) -> str:
    """Nodes without cuts to nodes with cuts."""
    if not pairs:
        return "–"
    return f"{sum(pair.without.nodes for pair in pairs) / max(1, sum(pair.cut.nodes for pair in pairs)):.2f}"
