"""How long kernels still take to compile: what each piece of a group took once, and which pieces are there already.

`python -m sokoviz.warm --measure` writes the file with the seconds. Who compiles a piece does not matter: another
process that shares the work shortens the wait. How fast this machine is shows while the pieces come.
"""

from __future__ import annotations

import json
import sys
import time
from functools import cache
from pathlib import Path

ALL = "all groups"
COSTS = Path(__file__).with_name("costs.json")
SECONDS_TRUSTED = 3.0  # as if so much had been compiled at the recorded speed before; then the machine's own counts
SECONDS_TO_MINUTES = 100
FEW_SECONDS = 4


@cache
def costs() -> dict[str, dict[str, float]]:
    """Return the seconds of each piece by its name, for each group of kernels; small pieces are left out."""
    recorded = json.loads(COSTS.read_text(encoding="utf-8"))
    pieces = list(recorded["pieces"].items())
    return {group: dict(pieces[number] for number in numbers) for group, numbers in recorded["groups"].items()}


def is_compiler_loaded() -> bool:
    """Whether what is kept can be looked up without loading the compiler, which takes a moment."""
    return "sokoviz.core.compiling.machine_code" in sys.modules


def pieces_of(group: str) -> dict[str, float]:
    """Return the seconds of each piece of a group, or of all of them; of one that is not known nothing."""
    if group == ALL:
        return {piece: seconds for pieces in costs().values() for piece, seconds in pieces.items()}
    return costs().get(group, {})


class Outlook:
    """What is still to be compiled of a group of kernels, from now on.

    Parameters
    ----------
    group
        Name of the group, or `ALL`; of one that is not known nothing is said.
    is_kept
        Whether the pieces are kept on disk, as those of a game of one's own are not: then only the clock tells.
    """

    def __init__(self, group: str, *, is_kept: bool = True) -> None:
        self._missing = pieces_of(group)
        self._is_kept = is_kept
        self._look()
        self._whole = sum(self._missing.values())
        self._begun = self._changed = time.monotonic()

    def seconds(self) -> float | None:
        """Return how long it still takes, 0 where that is longer than thought, None where all is compiled."""
        now = time.monotonic()
        if self._look():
            self._changed = now
        left = sum(self._missing.values())
        if not left:
            return None
        speed = (self._whole - left + SECONDS_TRUSTED) / (self._changed - self._begun + SECONDS_TRUSTED)
        under_way = speed * (now - self._changed)  # of the piece that comes next, which is no larger than the largest
        if self._is_kept:
            under_way = min(under_way, max(self._missing.values()))
        return max(0.0, left - under_way) / speed

    def _look(self) -> bool:
        """Take note of what is there by now; return whether that is more than before."""
        before = len(self._missing)
        if self._is_kept and before:
            from sokoviz.core.compiling.machine_code import pieces_kept  # loads the compiler

            kept = pieces_kept()
            self._missing = {piece: cost for piece, cost in self._missing.items() if piece not in kept}
        return len(self._missing) < before


def in_words(seconds: float) -> str:
    """Return a time to wait as people say it, "about 20 s left": a voice that reads it out is not always talking."""
    if seconds < FEW_SECONDS:
        return "a few seconds more"
    if seconds < SECONDS_TO_MINUTES:
        return f"about {5 * round(seconds / 5)} s left"
    return f"about {seconds / 60:.0f} min left"
