"""``sokoviz study``: run what the papers report again, and set the figures side by side."""

from __future__ import annotations

import importlib
import sys
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse

    from sokoviz.experiments.runner import Run, RunStore

STUDIES = {
    "schokoban-A": "tables A.1 and A.2: the size of the search space of 160 levels",
    "schokoban-6.1": "table 6.1: CBC levels solved within so many iterations",
    "schokoban-6.2": "table 6.2: Microban III levels solved within so many iterations",
    "curry-microban3": "Microban III levels that the learner solves within 30 s each, with and without the goal filter",
    "curry-xsokoban": "XSokoban levels that the learner solves within 120 s each, with and without the goal filter",
    "ida-microban": "Microban levels that IDA* solves within 200,000 nodes each, with three sets of its parts",
    "ida-xsokoban": "table 3 of the text on relevance cuts: XSokoban at 30 s a level, with and without the cuts",
}
MODULES = {"schokoban": "schokoban_tables", "curry": "curry_tables", "ida": "ida_tables"}


def add_study_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command ``study``."""
    parser = subparsers.add_parser(
        "study",
        help="run a paper's tables again, beside the published figures",
        description="Studies: " + "; ".join(f"{name} ({what})" for name, what in STUDIES.items()) + ". The levels are "
        "looked for in the folder SOKOVIZ_LEVELS and among the downloaded collections. Each run is kept when it is "
        "done, in the file SOKOVIZ_STUDIES or the user's data, with a fingerprint of the code that made it: what other "
        "code made does not count as done and is not reported.",
    )
    actions = parser.add_subparsers(title="actions", metavar="ACTION", required=True)
    for name, words in (
        ("run", "run a study from its beginning and print its report"),
        ("resume", "go on with a study, leaving out what is done"),
        ("report", "print the report of what is done"),
    ):
        action = actions.add_parser(name, help=words)
        action.add_argument("study", metavar="STUDY", choices=sorted(STUDIES), help=f"one of: {', '.join(STUDIES)}")
        action.add_argument("--preset", help="another preset of the solvers than the published one")
        action.add_argument("--seeds", type=int, metavar="N", help="seeds 1 to N instead of those of the study")
        action.add_argument("--workers", type=int, metavar="N", help="processes at a time (one a processor)")
        action.add_argument("--store", type=Path, metavar="FILE", help="where the runs are kept")
        action.set_defaults(run=_run, action=name)


def _run(options: argparse.Namespace) -> int:
    """Run or report a study."""
    if options.study == "schokoban-A":
        from sokoviz.experiments.appendix_a import report as report_sizes

        print(report_sizes())
        return 0
    from sokoviz.experiments.runner import RunStore, default_store

    tables = importlib.import_module(f"sokoviz.experiments.{MODULES[options.study.partition('-')[0]]}")
    seeds = range(1, options.seeds + 1) if options.seeds else None
    runs = tables.runs_of(options.study, options.preset, seeds)
    store = RunStore(options.store or default_store())
    if options.action == "run":
        store.forget(runs)
    if options.action != "report":
        _perform(runs, store, options.workers)
    found = store.find(runs)
    print(tables.report(options.study, found.values()) if found else f"{options.study}: nothing has been run yet")
    if others := store.count_others(runs):
        rows = f"{others:,} row{'s' * (others != 1)}"
        print(f"\nleft out: {rows} of other code (another version of ours, of numba or of numpy)")
    if len(found) < len(runs):
        print(f"\n{len(found):,} of {len(runs):,} runs are done; `sokoviz study resume {options.study}` goes on")
    return 0


def _perform(runs: list[Run], store: RunStore, n_workers: int | None) -> None:
    """Make what is not done yet in several processes, and show how far it is."""
    from sokoviz.experiments.runner import run_all

    n_left = len(runs) - len(store.find(runs))
    with ProcessPoolExecutor(n_workers, mp_context=get_context("spawn")) as pool:
        for done, row in enumerate(run_all(runs, pool, store), start=1):
            if sys.stderr.isatty():
                sys.stderr.write(f"\r\x1b[K{done:,} of {n_left:,} runs, {row.run.level} seed {row.run.seed}")
    if sys.stderr.isatty():
        sys.stderr.write("\r\x1b[K")
