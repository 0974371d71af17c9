"""Options of the learner by name, with what a prototype found to work where the text is silent."""

from __future__ import annotations

from dataclasses import dataclass, fields
from numbers import Real
from typing import Any

from sokoviz.errors import SearchError

SEED_LIMIT = 1 << 64

PRESETS: dict[str, dict[str, Any]] = {
    "best": {},
    "text": {"goal_filter": False},
    "first": {"goal_filter": False, "fresh": True, "tree": False, "trajectories": 1, "growth": 1.0},
}
"""bundles of options: whatever solves most; the text to the letter; and its flawed first version, which draws a new
board for each episode and plays single trajectories"""

LEAST_OF = {"seed": 0, "visits": 1, "boards": 1, "buffer": 1, "steps": 1, "steps_a_box": 0, "trajectories": 1}
LEAST_OF |= {"slice_nodes": 1, "batch": 1, "memory": 1 << 20}


@dataclass(frozen=True)
class Options:
    """All that decides what the learner does with a level."""

    seed: int = 1
    delta: float = 0.001
    """what a suggestion (s, t) gives to every move from s and to every move to t; it gives 1 to its own"""
    epsilon: float = 0.02
    """probability of a random move"""
    goal_filter: bool = True
    """whether a suggestion is left out whose target is a goal of its episode but not of this board; not in the text"""
    boards: int = 100
    """subcases of a stage"""
    fresh: bool = False
    """whether every attempt gets a new random board, as in the text's first version; else a stage has a fixed set"""
    share: float = 0.95
    """part of the boards that must be solved before the next stage"""
    visits: int = 8
    """visits of each unsolved board after which a stage ends all the same"""
    buffer: int = 300
    """most episodes that are kept; a new one replaces the easiest"""
    steps: int = 20
    steps_a_box: int = 5
    """most moves of a trajectory: steps + steps_a_box * boxes"""
    trajectories: int = 20
    growth: float = 1.5
    """trajectories of a first visit, and what they are multiplied by at each return"""
    tree: bool = True
    """whether the trajectories of a visit grow a tree; else they are single ones"""
    optimized: bool = True
    """whether detours are taken out of episodes (OptimizeSolution)"""
    restarts: bool = True
    """whether the whole curriculum begins anew after slices of 1, 1, 2, 2, 4, 4, ... times `slice_nodes` positions"""
    slice_nodes: int = 300_000
    batch: int = 1
    """boards that are tried with the same buffer, so that they may be tried at the same time"""
    memory: int = 1 << 30
    """bytes that the tree of a visit may take"""

    def __post_init__(self) -> None:
        """Refuse what makes no sense."""
        for field in fields(self):
            check = {"int": self._check_whole, "float": self._check_number, "bool": self._check_flag}[str(field.type)]
            object.__setattr__(self, field.name, check(field.name, getattr(self, field.name)))

    def _check_whole(self, name: str, value: Any) -> int:  # noqa: ANN401  as users give it
        """A whole number that is large enough."""
        least = LEAST_OF[name]
        if isinstance(value, bool) or not hasattr(value, "__index__") or not least <= value < SEED_LIMIT:
            message = f"expected a whole number from {least:,} on as {name}, found {value!r}"
            raise SearchError(message)
        return int(value)

    def _check_number(self, name: str, value: object) -> float:
        """A number in its range."""
        low, high = (1.0, 100.0) if name == "growth" else (0.0, 1.0)
        if isinstance(value, bool) or not isinstance(value, Real) or not low <= float(value) <= high:
            message = f"expected a number from {low:g} to {high:g} as {name}, found {value!r}"
            raise SearchError(message)
        return float(value)

    def _check_flag(self, name: str, value: object) -> bool:
        """Yes or no."""
        if not isinstance(value, bool):
            message = f"expected True or False as {name}, found {value!r}"
            raise SearchError(message)
        return value

    def longest(self, n_boxes: int) -> int:
        """Return the most moves of a trajectory with so many boxes."""
        return self.steps + self.steps_a_box * n_boxes
