"""Benchmarks: our kernels beside a reference, both measured in the same run, as rates per CPU-second."""

from __future__ import annotations

import importlib
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import ModuleType

CHECKOUT = Path(__file__).resolve().parents[3]
MEASURED_SECONDS = 1.0
PREFIX_SECONDS = 0.3  # slow references do a prefix of the same work


LIMIT = "limit"  # the reference of a figure that must stay below


class Figure(NamedTuple):
    """One measurement: what `sokoviz bench --json` prints, one object a line."""

    bench: str
    case: str
    unit: str
    ours: float
    reference: str
    theirs: float | None
    goal: float | None

    @property
    def ratio(self) -> float | None:
        """How many times better ours is; None where the reference is absent. An upper limit is better undercut."""
        if self.theirs is None:
            return None
        return self.theirs / self.ours if self.reference == LIMIT else self.ours / self.theirs

    def to_json(self) -> dict[str, Any]:
        """Return the measurement as plain data."""
        fields = self._asdict()
        goal = fields.pop("goal")
        return {**fields, "ratio": self.ratio, "goal": goal}


def rate(work: Callable[[], int], seconds: float | None = None) -> float:
    """Units of work done per CPU-second; the work is repeated until that much time is measured.

    Parameters
    ----------
    work
        Does some work and returns how many units it was. It is called once before, so that nothing compiles while
        the clock runs.
    seconds
        CPU time to be measured at least, one second by default.
    """
    seconds = MEASURED_SECONDS if seconds is None else seconds
    work()
    done, start = 0, time.process_time()
    while (spent := time.process_time() - start) < seconds:
        done += work()
    return done / spent


def find_module(name: str) -> ModuleType | None:
    """A reference by its module name, None where it is not installed; ``tests`` is looked for in the checkout."""
    if name.startswith("tests.") and str(CHECKOUT) not in sys.path:
        if not (CHECKOUT / "tests" / "twins").is_dir():
            return None
        sys.path.append(str(CHECKOUT))
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


def run(name: str) -> Iterator[Figure]:
    """Run one benchmark, giving each row as soon as it is measured."""
    module = importlib.import_module(f"sokoviz.experiments.bench.{name}")
    rows: Iterator[Figure] = module.rows()
    return rows


BENCHES = ("core", "mcts", "schokoban", "simba", "ida")
"""The benchmarks, each a module beside this one."""
