"""``sokoviz bench``: how fast the kernels are, beside a reference in the same run."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse

    from sokoviz.experiments.bench.measuring import Figure

MANY = 1000  # from here on decimals tell nothing


def add_bench_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command ``bench``."""
    parser = subparsers.add_parser(
        "bench",
        help="measure the kernels against references in the same run",
        description="Rates are per CPU-second. A ratio above 1 means that ours is better; where a reference is not "
        "installed (pip install 'sokoviz[bench]' brings them) the ratio is left out. Without a NAME, benchmarks whose "
        "levels are not on this machine are left out and named on standard error.",
    )
    parser.add_argument(
        "name", metavar="NAME", nargs="?", help="which benchmark: core, mcts, schokoban, simba, ida (default: all)"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object a line")
    parser.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> int:
    """Measure and print each row as it comes; without a name, go on where a benchmark lacks its levels."""
    from sokoviz.errors import LevelError, LevelNotFoundError, SokovizError
    from sokoviz.experiments.bench.measuring import BENCHES

    if options.name is not None and options.name not in BENCHES:
        message = f"expected one of the benchmarks {', '.join(BENCHES)}; found {options.name!r}"
        raise SokovizError(message)
    if options.name is not None:
        _measure(options.name, as_json=options.json)
        return 0
    for name in BENCHES:
        try:
            _measure(name, as_json=options.json)
        except (LevelError, LevelNotFoundError) as error:
            sys.stderr.write(f"sokoviz: the benchmark {name} is left out: {error}\n")
    return 0


def _measure(name: str, *, as_json: bool) -> None:
    """Print the rows of one benchmark."""
    from sokoviz.experiments.bench.measuring import run

    for row in run(name):
        print(json.dumps(row.to_json()) if as_json else _line(row), flush=True)


def _line(row: Figure) -> str:
    """A measurement for people."""
    left = f"{row.bench}  {row.case:<37}{_figure(row.ours)} {row.unit:<13}"
    if row.theirs is None or row.ratio is None:
        return f"{left}{row.reference:>16}  not installed"
    line = f"{left}{row.reference:>16}{_figure(row.theirs)}   x {row.ratio:,.1f}"
    if row.goal is None:
        return line
    return f"{line}   goal {row.goal:g}: {'met' if row.ratio >= row.goal else 'MISSED'}"


def _figure(number: float) -> str:
    """A number with as many places as tell something."""
    return f"{number:>14,.0f}" if number >= MANY else f"{number:>14,.2f}"
