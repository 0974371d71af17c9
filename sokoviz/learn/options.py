"""Options of the learner by name, with what a prototype found to work where the text is silent."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields, replace
from numbers import Real
from typing import Any

from sokoviz.errors import SearchError
from sokoviz.search.options import choose

SEED_LIMIT = 1 << 64
SEARCHES = ("policy", "value")
MOST_EXAMINED = 100  # positions of a small search: each of them takes memory of the visit

# What the text does not have, and `best` adds; each is an option by itself.
PLAIN: dict[str, Any] = {
    "goal_filter": False,
    "restarts": False,
    "visits": 0,
    "distinct": False,
    "unsolved": False,
    "matching": False,
}
PRESETS: dict[str, dict[str, Any]] = {
    "best": {},
    "text": PLAIN,
    "first": PLAIN | {"fresh": True, "one_buffer": False, "tree": False, "trajectories": 1, "growth": 1.0},
}
"""bundles of options

best
    Whatever solves most. To the text it adds: suggestions to goals that are none of this board are left out
    (`goal_filter`); the curriculum begins anew with an empty buffer after so many positions (`restarts`,
    `slice_nodes`); a stage also ends when each board that is left has been visited 8 times (`visits`); and of the
    boards that are drawn those are left out that the stage has already (`distinct`), that are solved as they stand
    (`unsolved`), and whose boxes cannot come to a goal each (`matching`).
text
    The text to the letter, with the single buffer and the search tree of its appendix. A stage ends when 95 % of its
    boards are solved, and nothing else ends it: where more of them have no solution, it never ends.
first
    Its first version, with the flaw that the text tells of: each attempt is at a new random board until a stage has as
    many episodes as `boards` says. It has nothing of the appendix: single trajectories, and two buffers.
"""

LEAST_OF = {"seed": 0, "visits": 0, "boards": 1, "buffer": 1, "steps": 1, "steps_a_box": 0, "trajectories": 1}
LEAST_OF |= {"slice_nodes": 1, "batch": 1, "memory": 1 << 20, "width": 1, "depth": 1}


@dataclass(frozen=True)
class Options:
    """All that decides what the learner does with a level."""

    seed: int = 1
    delta: float = 0.001
    """what a suggestion (s, t) gives to every move from s and to every move to t; it gives 1 to its own"""
    epsilon: float = 0.02
    """probability of a random move"""
    search: str = "policy"
    """``"policy"``: each move is drawn as the episodes suggest; ``"value"``: a small search goes before each move, as
    the text has it of Feng, Gomes and Selman: moves drawn as the episodes suggest are examined, and the one is made
    behind which fewest moves are left by the episodes' values. The text found that to be worse than playing by the
    policy"""
    width: int = 4
    """moves that such a small search examines; the text has no number"""
    depth: int = 3
    """moves that it looks ahead, those behind the first drawn as the episodes suggest; the text has no number"""
    goal_filter: bool = True
    """whether a suggestion is left out whose target is a goal of its episode but not of this board; not in the text"""
    boards: int = 100
    """subcases of a stage; the text has no number"""
    distinct: bool = True
    """whether the boards of a stage all differ; not in the text, which draws each of them anew"""
    unsolved: bool = True
    """whether boards that are solved as they stand are left out; not in the text. Else such a board counts as solved,
    and gives no episode, as it has no moves"""
    matching: bool = True
    """whether boards are left out whose boxes, each taken alone, cannot come to a goal each; not in the text, which has
    such boards among the unsolvable ones that `share` is for"""
    fresh: bool = False
    """whether every attempt gets a new random board, as in the text's first version; else a stage has a fixed set"""
    share: float = 0.95
    """part of the boards that must be solved before the next stage"""
    visits: int = 8
    """visits of each unsolved board after which a stage ends all the same, with `fresh` so many boards tried for each
    one that is asked for; 0 for no such limit, as in the text"""
    buffer: int = 300
    """most episodes that are kept; a new one replaces the easiest (fewest boxes, then fewest positions until solved)"""
    one_buffer: bool = True
    """whether all episodes go into one buffer, as in the text's appendix; else a stage learns from the episodes of the
    stage before alone, as in its first version"""
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
    """whether the whole curriculum begins anew, with an empty buffer, after slices of 1, 1, 2, 2, 4, 4, ... times
    `slice_nodes` positions; not in the text"""
    slice_nodes: int = 300_000
    batch: int = 1
    """boards that are tried with the same buffer, so that they may be tried at the same time"""
    memory: int = 1 << 30
    """bytes that the tree of a visit may take"""

    def __post_init__(self) -> None:
        """Refuse what makes no sense."""
        for field in fields(self):
            if field.name == "search":
                choose("search", self.search, SEARCHES)
                continue
            check = {"int": self._check_whole, "float": self._check_number, "bool": self._check_flag}[str(field.type)]
            object.__setattr__(self, field.name, check(field.name, getattr(self, field.name)))
        if self.width * self.depth > MOST_EXAMINED:
            message = f"expected width times depth up to {MOST_EXAMINED}, found {self.width:,} times {self.depth:,}"
            raise SearchError(message)

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

    def differences(self, other: Options) -> str:
        """Return the options that others have otherwise, in words after a sentence; empty where there are none."""
        own, theirs = asdict(self), asdict(other)
        told = [f"{name}={own[name]!r} instead of {theirs[name]!r}" for name in own if own[name] != theirs[name]]
        return f": {', '.join(told)}" if told else ""

    @property
    def examined(self) -> int:
        """Most positions that are new in one step of a trajectory."""
        return self.width * self.depth if self.search == "value" else 1


def options_of(preset: str, given: dict[str, Any]) -> Options:
    """Return the options of a preset, but for those that are given by name."""
    choose("preset", preset, PRESETS)
    known = asdict(Options())
    for name in given:
        choose("option", name, known)
    return replace(Options(), **PRESETS[preset] | given)
