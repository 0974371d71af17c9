"""``sokoviz export``: solve a level, and write a page in which the search can be stepped through."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sokoviz.commands._targets import TARGET_HELP, describe_error, find_levels
from sokoviz.commands.solve import BAD, NOT_ALL_SOLVED, SOLVED, add_solver_options, describe_row, run_search
from sokoviz.errors import LevelError, SearchError
from sokoviz.solvers import find_solver

if TYPE_CHECKING:
    import argparse

    from sokoviz.learn.curry import Curry
    from sokoviz.levels import Level
    from sokoviz.search.ida.search import IDA
    from sokoviz.search.mcts.schokoban import SokobanSearch
    from sokoviz.search.search import AnySearch

MEGABYTE = 1_000_000


def add_export_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command ``export``."""
    parser = subparsers.add_parser(
        "export",
        help="solve a level and write a page in which the search can be stepped through",
        description="Solve one level, and write one HTML file in which the recorded search still steps: without Python "
        "and without network. Of a learner (curry), which has no tree, the page compares the heatmaps of its stages. "
        "Budgets and exit status are those of solve: 0 solved, 1 not, 2 where the level is bad; the page is written in "
        "the first two cases.",
    )
    parser.add_argument("target", metavar="TARGET", help=TARGET_HELP)
    add_solver_options(parser)
    parser.add_argument("-o", "--output", metavar="FILE", type=Path, required=True, help="the page, such as page.html")
    parser.add_argument(
        "--frames",
        type=int,
        metavar="N",
        help="most iterations that the page holds, of ida most steps (300); where there are more, as many of the first "
        "as of the last",
    )
    parser.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> int:
    """Solve the level and write the page."""
    solver = find_solver(options.solver)
    chosen = solver.read_options(options.settings)
    _check(options)
    source, level = _one_level(options.target)
    if isinstance(level, LevelError):
        sys.stderr.write(f"{describe_error(source, level)}\n")
        return BAD
    search = _make(level, options, chosen)
    row = run_search(search, level, options)
    print(describe_row(row), flush=True)
    print(_write(search, options))
    return SOLVED if row["solved"] else NOT_ALL_SOLVED


def _check(options: argparse.Namespace) -> None:
    """Raise before the search is run where the page could not be written after it."""
    path = options.output
    if options.frames is not None and options.frames < 1:
        message = f"expected --frames 1 or more, found {options.frames}"
        raise SearchError(message)
    if not path.parent.is_dir() or path.is_dir():
        message = f"expected a file in a folder that exists for the page, found {str(path)!r}"
        raise SearchError(message)


def _one_level(target: str) -> tuple[str, Level | LevelError]:
    """The name of the collection that a TARGET names a level of, and that level, a bad one as its error."""
    source, levels = find_levels(target)
    if len(levels) != 1:
        message = f"expected one level such as {target}#1, found {len(levels)} levels in {target}"
        raise SearchError(message)
    return source, levels[0]


def _make(level: Level, options: argparse.Namespace, chosen: dict[str, Any]) -> SokobanSearch | IDA | Curry:
    """The solver on the level; a search writes down what happens, unlike that of ``solve``."""
    solver = find_solver(options.solver)
    if not solver.has_steps and options.frames is not None:
        message = f"expected --frames with a search, found it with {options.solver}, which has no tree"
        raise SearchError(message)
    recorded = {"journal": True} if solver.has_steps else {}
    made: SokobanSearch | IDA | Curry = solver.make(level, seed=options.seed, **recorded, **chosen)
    return made


def _write(search: SokobanSearch | IDA | Curry, options: argparse.Namespace) -> str:
    """Write the page; return what it holds and how large it is."""
    from sokoviz.search.search import Search

    held = _write_search(search, options) if isinstance(search, Search) else _write_heatmaps(search, options.output)
    return f"{options.output}  {options.output.stat().st_size / MEGABYTE:.1f} MB: {held}"


def _write_search(search: AnySearch, options: argparse.Namespace) -> str:
    """Write a search; return which iterations the page holds."""
    from sokoviz.search.search import MOST_RECORDED
    from sokoviz.widgets.base.recorded_page import describe_spans
    from sokoviz.widgets.base.recorder import recorded_spans

    most = MOST_RECORDED if options.frames is None else options.frames
    search.export(options.output, most)
    return describe_spans(recorded_spans(search.last, most), search.last, search.recorder().unit)


def _write_heatmaps(curry: Curry, path: Path) -> str:
    """Write the heatmaps of a learner; return that there is no tree in the page."""
    from sokoviz.widgets.heatmaps.compare import CompareHeatmaps

    last = max(1, len(curry.stages))
    CompareHeatmaps(curry, curry, stages=[1, last]).export(path)
    return "heatmaps of all stages to compare; curry learns, and has no tree to step through"
