"""Run what can fail: ``suite.py test`` all of it, ``suite.py check`` what takes little time, and say how long it took.

``suite.py durations`` runs the tests once and writes down how long each took: by that the slow ones are marked.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

CHECKOUT = Path(__file__).resolve().parent.parent
N_CORES = os.cpu_count() or 2
BOUNDS_CHECKED = {"NUMBA_BOUNDSCHECK": "1"}

# Browser tests wait for pages most of the time, so there are more processes than cores. Tests of a group, those of
# one JupyterLab say, stay in one process. What failed, and what was tried twice, is counted and listed (-raR).
TESTS = ("pytest", "--dist", "loadgroup", "-raR")
BESIDE_PAGES = ("-n", str(max(5, min(7, N_CORES + 3))))
WITHOUT_PAGES = ("-n", str(max(2, min(4, N_CORES))))


class Step(NamedTuple):
    """A module to run with its arguments."""

    name: str
    words: tuple[str, ...]
    settings: dict[str, str] = {}  # noqa: RUF012  never changed
    is_patient: bool = False
    """whether it gives way to whatever else wants the processor"""


STYLE = (
    Step("style", ("ruff", "check", ".")),
    Step("format", ("ruff", "format", "--check", ".")),
    Step("types", ("mypy",)),
)
# Kernels are compiled by a pool of processes, before several tests want the same ones at one time.
COMPILE = Step("compile", ("sokoviz.warm",))
COMPILE_CHECKED = Step("compile with bounds checking", ("sokoviz.warm",), BOUNDS_CHECKED, is_patient=True)
ALL_TESTS = Step("tests", (*TESTS, *BESIDE_PAGES))
QUICK_TESTS = Step("tests, not slow, no browser", (*TESTS, *WITHOUT_PAGES, "-m", "not slow and not browser"))
CHECKED_TESTS = Step("kernels with bounds checking", (*TESTS, *WITHOUT_PAGES, "-m", "kernels"), BOUNDS_CHECKED)
MEASURED_TESTS = Step("durations", (*TESTS, *BESIDE_PAGES, "--record-durations"))

# Steps of one row run one after the other, rows of one stage beside each other, stages one after the other.
Stage = tuple[tuple[Step, ...], ...]
SUITES: dict[str, tuple[Stage, ...]] = {
    "test": ((STYLE, (COMPILE,)), ((ALL_TESTS,), (COMPILE_CHECKED,)), ((CHECKED_TESTS,),)),
    "check": ((STYLE, (COMPILE,)), ((QUICK_TESTS,),)),
    "durations": (((COMPILE,),), ((MEASURED_TESTS,),)),
}


class Outcome(NamedTuple):
    """How a step went."""

    name: str
    passed: bool
    seconds: float


def main() -> int:
    """Run all steps, even after one has failed, and say how each went."""
    options = _parse()
    outcomes = [outcome for stage in SUITES[options.suite] for outcome in run_stage(stage)]
    print()
    for name, passed, seconds in outcomes:
        print(f"{'passed' if passed else 'FAILED'}  {seconds:6.1f} s  {name}")
    print(f"        {time.time() - options.since:6.1f} s  make {options.suite}, all of it, on {N_CORES} cores")
    return 0 if all(passed for _, passed, _ in outcomes) else 1


def _parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("suite", choices=SUITES, nargs="?", default="test")
    parser.add_argument(
        "--since", type=float, default=time.time(), metavar="T", help="when it began, in seconds since 1970"
    )
    return parser.parse_args()


def run_stage(stage: Stage) -> list[Outcome]:
    """Run rows of steps beside each other; the first one's output is shown as it comes, the others' when they end."""
    first, *others = stage
    with ThreadPoolExecutor(max(1, len(others))) as pool:
        waiting: list[Future[list[Outcome]]] = [pool.submit(run_row, row, is_shown=False) for row in others]
        outcomes = run_row(first, is_shown=True)
        return [*outcomes, *(outcome for future in waiting for outcome in future.result())]


def run_row(steps: tuple[Step, ...], *, is_shown: bool) -> list[Outcome]:
    """Run steps one after the other."""
    return [run(step, is_shown=is_shown) for step in steps]


def run(step: Step, *, is_shown: bool) -> Outcome:
    """Run a step, and say what it said."""
    start = time.monotonic()
    command = [*(("nice",) if step.is_patient else ()), sys.executable, "-m", *step.words]
    settings = {**os.environ, **step.settings}
    with tempfile.TemporaryFile() as kept:
        if is_shown:
            print(f"\n== {step.name}", flush=True)
        output = None if is_shown else kept
        answer = subprocess.run(command, cwd=CHECKOUT, env=settings, check=False, stdout=output, stderr=output)
        kept.seek(0)
        if not is_shown:
            print(f"\n== {step.name}\n{kept.read().decode(errors='replace')}", end="", flush=True)
    return Outcome(step.name, answer.returncode == 0, time.monotonic() - start)


if __name__ == "__main__":
    sys.exit(main())
