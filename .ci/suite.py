"""Run everything that can fail: style, types, all tests, and the tests of kernels again with bounds checking."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

CHECKOUT = Path(__file__).resolve().parent.parent
N_PROCESSES = max(2, min(4, os.cpu_count() or 2))
BOUNDS_CHECKED = {"NUMBA_BOUNDSCHECK": "1"}

# All browser tests are one group, so that they share one server and one browser.
IN_PARALLEL = ("-n", str(N_PROCESSES), "--dist", "loadgroup")

# Pages are tested against the clock, which is unfair where processes share a processor. So what fails beside others is
# run once more by itself, in full view; whatever fails then has failed.
ALONE = ("pytest", "--last-failed", "--last-failed-no-failures", "none")


class Step(NamedTuple):
    """A module to run with its arguments."""

    name: str
    words: tuple[str, ...]
    settings: dict[str, str]


# Kernels are compiled once, before several processes want them at the same time.
STEPS = (
    Step("style", ("ruff", "check", "."), {}),
    Step("format", ("ruff", "format", "--check", "."), {}),
    Step("types", ("mypy",), {}),
    Step("compile", ("sokoviz.warm",), {}),
    Step("tests", ("pytest", *IN_PARALLEL), {}),
    Step("compile with bounds checking", ("sokoviz.warm",), BOUNDS_CHECKED),
    Step("kernels with bounds checking", ("pytest", *IN_PARALLEL, "-m", "kernels"), BOUNDS_CHECKED),
)


def main() -> int:
    """Run all steps, even after one has failed, and say how each went."""
    results = [(step.name, *run(step)) for step in STEPS]
    print()
    for name, passed, seconds in results:
        print(f"{'passed' if passed else 'FAILED'}  {seconds:6.1f} s  {name}")
    return 0 if all(passed for _, passed, _ in results) else 1


def run(step: Step) -> tuple[bool, float]:
    """Whether a step passed, and how long it took."""
    start = time.monotonic()
    passed = run_module(step.name, step.words, step.settings)
    if not passed and "-n" in step.words:
        passed = run_module(f"{step.name}: what failed, once more by itself", ALONE, step.settings)
    return passed, time.monotonic() - start


def run_module(title: str, words: tuple[str, ...], settings: dict[str, str]) -> bool:
    """Whether a module with its arguments ends well."""
    print(f"\n== {title}", flush=True)
    command = [sys.executable, "-m", *words]
    answer = subprocess.run(command, cwd=CHECKOUT, env={**os.environ, **settings}, check=False)
    return answer.returncode == 0


if __name__ == "__main__":
    sys.exit(main())
