"""``sokoviz tables``: make the tables of dead windows again, and prove what they say."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from sokoviz.errors import SokovizError

if TYPE_CHECKING:
    import argparse

    from sokoviz.core.deadlocks.window_patterns import WindowPatterns

SHIPPED_SIZES = ((4, 4), (4, 5))
LONGEST_SIDE, MOST_SQUARES = 5, 20
A_MOMENT = 0.2  # seconds between two lines of progress
GOOD, WRONG = 0, 1


def add_tables_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command ``tables`` with its two actions."""
    parser = subparsers.add_parser(
        "tables",
        help="make and check the tables of dead windows",
        description="A window of a few squares is dead if its boxes can never all leave it, even with nothing but free "
        "floor around it. The smallest such patterns are shipped with the package, for windows of 4 x 4 and 4 x 5.",
    )
    actions = parser.add_subparsers(title="actions", metavar="ACTION", required=True)

    make = actions.add_parser("make", help="search all windows and write the dead patterns to a file")
    make.add_argument("--rows", type=int, metavar="N", help="one size of windows instead of the shipped ones")
    make.add_argument("--columns", type=int, metavar="N", help="likewise")
    make.add_argument("-o", "--output", type=Path, metavar="FILE", default="windows.npz", help="(windows.npz)")
    make.set_defaults(run=run_make)

    check = actions.add_parser("check", help="prove by another argument that each pattern of a file is dead")
    check.add_argument("file", type=Path, metavar="FILE", nargs="?", help="what `make` wrote (the shipped file)")
    check.set_defaults(run=run_check)


def run_make(options: argparse.Namespace) -> int:
    """Search all windows of some sizes, and write down what is dead."""
    from sokoviz.core.deadlocks.window_patterns import make_patterns, write_patterns

    tables = []
    for size in _sizes(options.rows, options.columns):
        start = time.perf_counter()
        tables.append(make_patterns(*size, _Progress("layouts of walls").show))
        print(f"{_describe(tables[-1])}, found in {time.perf_counter() - start:.0f} s", flush=True)
    write_patterns(options.output, tables)
    print(f"{options.output}: {options.output.stat().st_size:,} bytes")
    return GOOD


def run_check(options: argparse.Namespace) -> int:
    """Prove each pattern of a file."""
    from sokoviz.core.deadlocks.window_patterns import FILE, read_patterns
    from sokoviz.experiments.window_proofs import prove

    status = GOOD
    for patterns in read_patterns(options.file or FILE):
        progress, n, n_wrong = _Progress("patterns"), len(patterns.walls), 0
        for done, is_proven in enumerate(prove(patterns), start=1):
            n_wrong += not is_proven
            progress.show(done, n)
        print(
            f"{_describe(patterns)}, {f'{n_wrong:,} of them not proven' if n_wrong else 'all proven dead'}", flush=True
        )
        status = max(status, WRONG if n_wrong else GOOD)
    return status


def _sizes(n_rows: int | None, n_columns: int | None) -> tuple[tuple[int, int], ...]:
    """The sizes to search."""
    if n_rows is None and n_columns is None:
        return SHIPPED_SIZES
    size = n_rows or LONGEST_SIDE - 1, n_columns or LONGEST_SIDE - 1
    if not (min(size) > 0 and max(size) <= LONGEST_SIDE and size[0] * size[1] <= MOST_SQUARES):
        message = f"expected windows of at most 4 x 5 squares, found {size[0]} x {size[1]}"
        raise SokovizError(message)
    return (size,)


def _describe(patterns: WindowPatterns) -> str:
    """A table in a few words."""
    return f"{patterns.n_rows} x {patterns.n_columns}: {len(patterns.walls):,} dead patterns"


class _Progress:
    """One line on a terminal that says how far a long work is."""

    def __init__(self, noun: str) -> None:
        self.noun = noun
        self._shown = time.perf_counter()

    def show(self, done: int, n: int) -> None:
        """Say how much is done, if it is time again; take the line away at the end."""
        if not sys.stderr.isatty() or (done < n and time.perf_counter() - self._shown < A_MOMENT):
            return
        self._shown = time.perf_counter()
        sys.stderr.write(f"\r\x1b[K{done:,} of {n:,} {self.noun}" if done < n else "\r\x1b[K")
