"""Runs solvers on levels, on any executor, and keeps each run as soon as it is done, so that little is ever lost."""

from __future__ import annotations

import json
import os
import sqlite3
from concurrent.futures import as_completed
from contextlib import closing
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from platformdirs import user_data_path

from sokoviz.experiments.fingerprint import fingerprint
from sokoviz.solvers import find_solver

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from concurrent.futures import Executor

STATES_TO_SHORTEN = 10_000


class Run(NamedTuple):
    """One run of a solver on a level: all that decides what it does, but for the code."""

    level: str
    """TARGET of one level, such as ``"cbc#7"``"""
    solver: str
    options: tuple[tuple[str, Any], ...]
    """options of the solver, sorted by name"""
    iterations: int | None
    """limit of iterations, None for none"""
    seed: int
    seconds: float | None = None
    """limit of seconds, None for none"""
    nodes: int | None = None
    """limit of nodes, None for none"""

    @property
    def text(self) -> str:
        """The run as text that no other run has, whichever code makes it."""
        return json.dumps(self if self.nodes is not None else self[:-1])

    @property
    def key(self) -> str:
        """The run, made by this code, as text that no other has."""
        return f"{self.text} {code_of(self.solver)}"


class StoredRun(NamedTuple):
    """What a run came to."""

    run: Run
    iterations: int
    nodes: int
    pushes: int | None
    """None where it found no solution"""
    seconds: float
    stopped_by: str
    shortened: int | None = None
    """pushes after the solution was shortened; None where there is none, or in a row of an older version"""
    code: str = ""
    """fingerprint of the code that made the run; empty in a row of an older version, which counts as other code"""

    @property
    def key(self) -> str:
        """The run, made by the code that made it, as text that no other has."""
        return f"{self.run.text} {self.code}"


@cache
def code_of(solver: str) -> str:
    """Return the fingerprint of a solver's code, by the solver's name."""
    return fingerprint(find_solver(solver).home)


def perform(run: Run) -> StoredRun:
    """Make a run."""
    from sokoviz.levels import load
    from sokoviz.search.shortening import shorten

    code = code_of(run.solver)  # before anything else: of the sources that are imported next
    level = load(run.level)
    search = find_solver(run.solver).make(level, seed=run.seed, **dict(run.options))
    result = search.run(iterations=run.iterations, seconds=run.seconds, nodes=run.nodes, progress=False)
    done = StoredRun(run, result.iterations, result.nodes, None, result.seconds, result.stopped_by, code=code)
    if search.solution is None:
        return done
    shortened = shorten(level, search.solution, states=STATES_TO_SHORTEN)
    return done._replace(pushes=search.solution.pushes, shortened=shortened.pushes)


class RunStore:
    """Rows in a SQLite file, one for a run and the code that made it, written at once.

    Parameters
    ----------
    path
        The file; it is made where there is none.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        path.parent.mkdir(parents=True, exist_ok=True)
        with closing(self._open()) as file, file:
            file.execute("create table if not exists rows (key text primary key, row text not null)")

    def _open(self) -> sqlite3.Connection:
        """A connection; one for each use, so that threads do not share it."""
        return sqlite3.connect(self.path, timeout=30)

    def put(self, row: StoredRun) -> None:
        """Keep a row."""
        with closing(self._open()) as file, file:
            file.execute("insert or replace into rows values (?, ?)", (row.key, json.dumps(row[1:])))

    def forget(self, runs: Iterable[Run]) -> None:
        """Forget the rows of some runs that this code made."""
        with closing(self._open()) as file, file:
            file.executemany("delete from rows where key = ?", [(run.key,) for run in runs])

    def find(self, runs: Iterable[Run]) -> dict[Run, StoredRun]:
        """Return the rows of those runs that are there and that this code made."""
        with closing(self._open()) as file:
            kept = dict(file.execute("select key, row from rows"))
        return {run: StoredRun(run, *json.loads(kept[run.key])) for run in runs if run.key in kept}

    def count_others(self, runs: Iterable[Run]) -> int:
        """Return how many rows there are of those runs that other code made."""
        own = {run.text: run.key for run in runs}
        with closing(self._open()) as file:
            keys = [key for (key,) in file.execute("select key from rows")]
        texts = ((key, "".join(key.rpartition("]")[:2])) for key in keys)  # a key of an older version has no code
        return sum(text in own and own[text] != key for key, text in texts)


def default_store() -> Path:
    """Return the file that studies are kept in: that of SOKOVIZ_STUDIES, else one in the user's data."""
    return Path(os.environ.get("SOKOVIZ_STUDIES") or user_data_path("sokoviz") / "studies.sqlite")


def run_all(runs: Iterable[Run], executor: Executor, store: RunStore) -> Iterator[StoredRun]:
    """Make all runs that the store does not have of this code, and yield each as soon as it is kept.

    Parameters
    ----------
    runs
        What to run.
    executor
        Where: a process pool, or dask's ``client.get_executor(pure=False)`` for many machines.
    store
        Where rows are kept.
    """
    wanted = list(runs)
    known = store.find(wanted)
    futures = [executor.submit(perform, run) for run in wanted if run not in known]
    try:
        for future in as_completed(futures):
            row = future.result()
            store.put(row)
            yield row
    finally:
        for future in futures:
            future.cancel()
