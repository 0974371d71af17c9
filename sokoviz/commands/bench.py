"""``sokoviz bench``: how fast the kernels are, beside a reference in the same run."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse

    from sokoviz.experiments.bench import Row

MANY = 1000  # from here on decimals tell nothing


def add_bench_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command ``bench``."""
    parser = subparsers.add_parser(
        "bench",
        help="measure the kernels against references in the same run",
        description="Rates are per CPU-second. A ratio above 1 means that ours is better; where a reference is not "
        "installed (pip install 'sokoviz[bench]' brings them) the ratio is left out.",
    )
    parser.add_argument(
        "name", metavar="NAME", nargs="?", help="which benchmark: core, mcts, schokoban, simba, ida (default: all)"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object a line")
    parser.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> int:
    """Measure and print each row as it comes."""
    from sokoviz.errors import SokovizError
    from sokoviz.experiments.bench import BENCHES, run

    if options.name is not None and options.name not in BENCHES:
        message = f"expected one of the benchmarks {', '.join(BENCHES)}; found {options.name!r}"
        raise SokovizError(message)
    for name in [options.name] if options.name else BENCHES:
        for row in run(name):
            print(json.dumps(row.to_json()) if options.json else _line(row), flush=True)
    return 0


def _line(row: Row) -> str:
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
