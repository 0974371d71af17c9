"""How long tests take: written down by `make durations`, and read to mark the slow ones.

A test is slow by what is on record, not by how it feels: so `make check` leaves out the same tests on every machine.
"""

from __future__ import annotations

import json
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pytest

RECORD = Path(__file__).parent / "data" / "durations.json"
NOTED = 0.3  # seconds: shorter ones are not written down
SLOW = 0.8  # seconds, on the machine that made the record


def slow_tests() -> frozenset[str]:
    """Names of the tests that take long by the record."""
    recorded = json.loads(RECORD.read_text(encoding="utf-8"))
    return frozenset(name for name, seconds in recorded.items() if seconds >= SLOW)


class Recorder:
    """Adds up how long each test takes, with what it sets up, and writes the longer ones down."""

    def __init__(self) -> None:
        self._seconds: dict[str, float] = defaultdict(float)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Hear of a part of a test, also of one that ran in another process."""
        self._seconds[report.nodeid.partition("@")[0]] += report.duration  # "@browser" is the group it ran in

    def pytest_sessionfinish(self) -> None:
        """Write."""
        noted = {name: round(seconds, 1) for name, seconds in sorted(self._seconds.items()) if seconds >= NOTED}
        RECORD.write_text(json.dumps(noted, indent=0, ensure_ascii=False) + "\n", encoding="utf-8")
