"""Speed of Schokoban: iterations a second beside our naive twin and beside a floor in C++.

Both sides use the published program's formula with c = 8. A run that ends early is repeated with the next seed.
"""

from __future__ import annotations

import json
import math
import shutil
import subprocess
import tempfile
import time
from itertools import count
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

import numpy as np

from sokoviz.experiments.bench.measuring import CHECKOUT, LIMIT, MEASURED_SECONDS, Figure, find_module, rate
from sokoviz.games.sokoban import Sokoban
from sokoviz.levels import load
from sokoviz.search.options import Settings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sokoviz.levels import Level

LEVELS = (*(f"microban3#{number}" for number in (8, 23, 33, 47, 55)), "xsokoban#1")
HARD_LEVEL = "microban3#47"
LENGTHS = (20_000, 100_000)
N_TWIN = 500
C = 8.0
TWIN_GOAL, FLOOR_GOAL = 200.0, 0.7
MOST_BYTES = 100.0
GROWTH = (1_000, 10_000, 100_000, 1_000_000)
UNIT = "iterations/s"


def rows() -> Iterator[Figure]:
    """All measurements."""
    levels = {name: load(name) for name in LEVELS}  # first, so that nothing is measured where they are missing
    ratios = []
    with tempfile.TemporaryDirectory() as folder:
        floor = _compile_floor(Path(folder))
        for name, level in levels.items():
            yield from _twin_rows(name, level)
            for n in LENGTHS:
                row = _floor_row(name, level, n, floor)
                ratios += [] if row.ratio is None else [row.ratio]
                yield row
    if ratios:
        yield Figure("schokoban", "median level", "times the floor", median(ratios), "C++ floor", 1.0, FLOOR_GOAL)
    yield _bytes_row()
    yield _growth_row()


def _settings(seed: int) -> Settings:
    """The published program's formula, without a journal."""
    return Settings(c=C, seed=seed, selection="program", journal=False)


def _our_work(level: Level, n: int) -> Callable[[], int]:
    """Searches one after the other, each with its own seed."""
    from sokoviz.search.mcts.engine import Engine

    game, seeds = Sokoban(level), count(1)

    def work() -> int:
        engine = Engine(game, _settings(next(seeds)))
        engine.advance(n)
        return engine.last

    return work


def _twin_rows(name: str, level: Level) -> Iterator[Figure]:
    """Beside the twin, both on the first iterations of a search."""
    twin: Any = find_module("tests.twins.naive_schokoban")
    theirs = None
    if twin is not None:
        search = twin.NaiveSchokoban("\n".join(level.rows), c=C, seed=1, selection="program")
        begin, made = time.process_time(), 0
        while made < N_TWIN and not search.iterate().ended:
            made += 1
        theirs = made / (time.process_time() - begin)
    ours = rate(_our_work(level, N_TWIN))
    yield Figure("schokoban", f"{name}, {N_TWIN} iterations", UNIT, ours, "naive twin", theirs, TWIN_GOAL)


def _compile_floor(folder: Path) -> Path | None:
    """The C++ yardstick, compiled; None where its source or the compiler is not here."""
    source, compiler = CHECKOUT.parent / "shared" / "floor" / "schoko_floor.cpp", shutil.which("g++")
    if compiler is None or not source.exists():
        return None
    target = folder / "floor"
    command = [compiler, "-std=c++20", "-O3", "-march=native", str(source), "-o", str(target)]
    subprocess.run(command, check=True, capture_output=True)  # noqa: S603  a compiler on our own yardstick
    return target


def _floor_row(name: str, level: Level, n: int, floor: Path | None) -> Figure:
    """Beside the floor, on whole searches of some length."""
    theirs = None if floor is None else _floor_rate(floor, level, n)
    ours = rate(_our_work(level, n))
    return Figure("schokoban", f"{name}, {n:,} iterations", UNIT, ours, "C++ floor", theirs, None)


def _floor_rate(floor: Path, level: Level, n: int) -> float:
    """Iterations of the floor per CPU-second."""
    path = floor.with_name("level.txt")
    path.write_text("\n".join(level.rows), encoding="utf-8")
    made, spent, seeds = 0, 0.0, count(1)
    while spent < MEASURED_SECONDS:
        command = [str(floor), str(path), str(n), str(next(seeds)), "1", str(C)]
        answer = subprocess.run(command, check=True, capture_output=True, text=True)  # noqa: S603  our own yardstick
        told = json.loads(answer.stdout)
        made, spent = made + told["iterations"], spent + told["cpu_seconds"]
    return made / spent


def _bytes_row() -> Figure:
    """Memory that a search has room for a node in."""
    from sokoviz.search.mcts.engine import Engine

    engine = Engine(Sokoban(load(HARD_LEVEL)), _settings(1))
    engine.advance(LENGTHS[-1])
    size = engine.n_bytes / len(engine.arena.sums)
    return Figure("schokoban", "memory", "bytes a node", size, LIMIT, MOST_BYTES, 1.0)


def _growth_row() -> Figure:
    """The power of n log n that the time for n iterations grows by, fitted to a thousand up to a million of them."""
    from sokoviz.search.mcts.engine import Engine

    engine, times = Engine(Sokoban(load(HARD_LEVEL)), _settings(1)), []
    engine.load()
    begin = time.process_time()
    for n in GROWTH:
        while engine.last < n and not engine.is_unsolvable:  # it stops at its first solution
            engine.advance(n - engine.last)
        times.append(time.process_time() - begin)
    power = float(np.polyfit(np.log([n * math.log(n) for n in GROWTH]), np.log(times), 1)[0])
    return Figure("schokoban", f"growth, {GROWTH[0]:,} to {GROWTH[-1]:,}", "power of n log n", power, LIMIT, 1.0, 1.0)
