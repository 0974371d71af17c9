"""``sokoviz solve``: solve levels, one line a level."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

from sokoviz.commands._targets import TARGET_HELP, describe_error, find_levels
from sokoviz.errors import LevelError, SearchError
from sokoviz.solvers import all_solvers, find_solver

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable

    from sokoviz.learn.curry import Curry
    from sokoviz.levels import Level
    from sokoviz.search.ida.search import IDA
    from sokoviz.search.mcts.schokoban import SokobanSearch, Solution
    from sokoviz.solvers import Solver

SOLVED, NOT_ALL_SOLVED, BAD = 0, 1, 2
WITH_HELP = "a solver of solve --list, or module:Class, a search of your own; modules of this folder are found"
ANSWER_FIELDS = ("level", "title", "solver", "seed", "solved", "pushes", "moves", "lurd")
COST_FIELDS = ("iterations", "nodes", "seconds", "stopped_by")
SHORTENING_FIELDS = ("found_pushes", "found_moves", "proven")


def add_solve_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command ``solve``."""
    parser = subparsers.add_parser(
        "solve",
        help="solve levels and print their solutions",
        description="Solve levels. Budgets are per level, and the first one reached ends the run; with none given, "
        "100,000 iterations, or a minute for curry and ida. Every level is run with the same seed. Exit status: 0 all "
        "solved, 1 some not, 2 where a level is bad. With --shorten, pushes, moves and lurd are those of the shortened "
        "solution; found_pushes and "
        "found_moves those of the one that was found, and proven tells whether no solution is shorter.",
    )
    parser.add_argument("target", metavar="TARGET", nargs="?", help=TARGET_HELP)
    parser.add_argument("--list", action="store_true", help="name the solvers, their presets and options")
    add_solver_options(parser)
    parser.add_argument("--shorten", action="store_true", help="then make each solution shorter where that is possible")
    parser.add_argument("--json", action="store_true", help="print one JSON object a level and nothing else")
    parser.set_defaults(run=_run)


def add_solver_options(parser: argparse.ArgumentParser) -> None:
    """Add which solver is run, with which options, and how far."""
    parser.add_argument("--with", dest="solver", metavar="SOLVER", default="schokoban", help=WITH_HELP)
    iterations = "most iterations a level; of ida thresholds, of curry episodes"
    parser.add_argument("--iterations", type=int, metavar="N", help=iterations)
    parser.add_argument(
        "--nodes",
        type=int,
        metavar="N",
        help="most nodes a level, of ida and curry positions; the iteration that makes node N may make a few more",
    )
    parser.add_argument("--seconds", type=float, metavar="S", help="most seconds a level, without loading")
    help_cpu = "most CPU-seconds a level: other jobs on the machine do not count"
    parser.add_argument("--cpu-seconds", type=float, metavar="S", help=help_cpu)
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="seed of all random choices (1)")
    options = "an option of the solver, see solve --list; several names are parted by commas"
    parser.add_argument("--set", dest="settings", action="append", default=[], metavar="KEY=VALUE", help=options)


def _run(options: argparse.Namespace) -> int:
    """Solve every level that the target names."""
    if options.list:
        print("\n".join(_describe(name, solver) for name, solver in sorted(all_solvers().items())))
        return SOLVED
    if options.target is None:
        message = f"expected a TARGET: {TARGET_HELP}"
        raise SearchError(message)
    solver = find_solver(options.solver)
    chosen = solver.read_options(options.settings)
    source, levels = find_levels(options.target)
    rows = (_solve(level, source, solver, options, chosen) for level in levels)
    return _print_all(rows, as_json=options.json)


def _describe(name: str, solver: Solver) -> str:
    """A solver in two lines."""
    presets = f"  presets: {', '.join(solver.presets)}" if solver.presets else ""
    return f"{name}{presets}\n    options: {', '.join(solver.kinds)}"


def _solve(
    level: Level | LevelError, source: str, solver: Solver, options: argparse.Namespace, chosen: dict[str, Any]
) -> dict[str, Any]:
    """One line of the answer."""
    row: dict[str, Any] = dict.fromkeys([*ANSWER_FIELDS, *COST_FIELDS, *(SHORTENING_FIELDS if options.shorten else ())])
    if isinstance(level, LevelError):
        sys.stderr.write(f"{describe_error(source, level)}\n")
        name = source if level.number is None else f"{source}#{level.number}"
        return row | {"level": name, "stopped_by": "bad-level"}
    search = solver.make(level, seed=options.seed, **chosen)
    solved = row | run_search(search, level, options)
    found = search.solution
    return solved if found is None or not options.shorten else solved | _shorten(level, found)


def run_search(search: SokobanSearch | IDA | Curry, level: Level, options: argparse.Namespace) -> dict[str, Any]:
    """Run a search as far as the options say; return what it has come to, by the names of `solve --json`."""
    limits = {name: getattr(options, name) for name in ("iterations", "seconds", "nodes", "cpu_seconds")}
    result = search.run(**limits, progress=None)
    found = search.solution
    return {
        "level": level.name,
        "title": level.title,
        "solver": options.solver,
        "seed": options.seed,
        "solved": found is not None,
        "pushes": found.pushes if found else None,
        "moves": found.moves if found else None,
        "lurd": found.lurd if found else None,
        "iterations": result.iterations,
        "nodes": result.nodes,
        "seconds": round(result.seconds, 6),
        "stopped_by": result.stopped_by,
    }


def _shorten(level: Level, found: Solution) -> dict[str, Any]:
    """What changes in a line when its solution is made shorter; how long the one was that the search found."""
    from sokoviz.search.shortening import shorten

    short = shorten(level, found)
    changes = {"pushes": short.pushes, "moves": short.moves, "lurd": short.lurd}
    changes |= {"found_pushes": found.pushes, "found_moves": found.moves, "proven": short.is_proven}
    return changes | ({"stopped_by": "interrupted"} if short.stopped_by == "interrupted" else {})


def _print_all(rows: Iterable[dict[str, Any]], *, as_json: bool) -> int:
    """Print each level as it is done; return the exit status."""
    n_solved = n = n_bad = 0
    for row in rows:
        n, n_solved, n_bad = n + 1, n_solved + bool(row["solved"]), n_bad + (row["stopped_by"] == "bad-level")
        print(json.dumps(row) if as_json else describe_row(row), flush=True)
        if row["stopped_by"] == "interrupted":
            break
    if not as_json and n > 1:
        print(f"{n_solved} of {n} levels solved")
    if n_bad:
        return BAD
    return SOLVED if n_solved == n else NOT_ALL_SOLVED


def describe_row(row: dict[str, Any]) -> str:
    """Return a level for people."""
    from sokoviz.words import count

    if row["solved"]:
        pushes, moves = count(row["pushes"], "push", "pushes"), count(row["moves"], "move")
        counts = f"{pushes}, {moves}, {count(row['iterations'], 'iteration')}"
        if "found_pushes" in row:
            proof = ", proven shortest" if row["proven"] else ""
            counts += f" (found with {row['found_pushes']:,} and {row['found_moves']:,}{proof})"
        return f"{row['level']}  {counts}  {row['lurd']}"
    if row["stopped_by"] == "bad-level":
        return f"{row['level']}  bad level"
    return f"{row['level']}  not solved: {row['stopped_by']}, {row['iterations']:,} iterations, {row['nodes']:,} nodes"
