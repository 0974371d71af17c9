"""Options of iterative deepening by name: each part of Rolling Stone can be switched on and off by itself."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Any

from sokoviz.errors import SearchError
from sokoviz.search import ida_machine as machine
from sokoviz.search.options import SEED_LIMIT, choose, is_number

DEADLOCK_TESTS = ("locking tile", "locked boxes", "window", "three boxes", "corral")
"""deadlock tests that iterative deepening can use; boxes that share too few goals are found by the bound itself"""

CLASSIC: dict[str, Any] = {"deadlocks": ("locking tile", "locked boxes")}
MACROS: dict[str, Any] = {"tunnels": True, "macros": True, "goal_cuts": True}
CRIPPA: dict[str, Any] = {**CLASSIC, **MACROS, "growth": 4.0, "patience": 28_000}
PRESETS: dict[str, dict[str, Any]] = {
    "optimal": {"deadlocks": DEADLOCK_TESTS, "inward": True},
    "classic": CLASSIC,
    "crippa": CRIPPA,
    "best": {
        **CRIPPA,
        "deadlocks": DEADLOCK_TESTS,
        "inward": True,
        "relevance": True,
        "patterns": 50,
        "overestimation": 1.5,
        "growth": 2.0,
    },
}
"""bundles of options: only parts that keep solutions shortest; the bound with table, order and simple deadlocks; that
with tunnel macros, goal macros and goal cuts (seed 003, section 4.4); everything"""

TABLE_MEMORY = 256 << 20
RECORD_MEMORY = 2 << 30
LARGEST_WEIGHT = 8.0


@dataclass(frozen=True)
class Options:
    """All that decides what iterative deepening does with a level."""

    seed: int = 1
    """of the random acceptance of relevance cuts; nothing else is random"""
    table: bool = True
    """transposition table; without, only positions on the line itself are recognized"""
    ordering: bool = True
    """successors in Rolling Stone's order: of the box moved last, then those that lower the bound, then the others"""
    deadlocks: tuple[str, ...] = ("locking tile", "locked boxes")
    """names of the deadlock tests"""
    inward: bool = False
    """only pushes into a closed area where these have to come some time and can come first; loses no solution"""
    tunnels: bool = False
    """a push into a tunnel goes on to its end; solutions may get longer"""
    macros: bool = False
    """a box that can be brought to the next goal of a goal room may go there in one move"""
    goal_cuts: bool = False
    """where there is such a macro nothing else is looked at, unless all of them fail"""
    relevance: bool = False
    """relevance cuts: only moves that have to do with those before"""
    k: int = 1
    """distant moves allowed within the last m"""
    m: int | None = None
    """moves looked back at; None for what the text computes from the level"""
    threshold: int | None = None
    """influence up to which squares are near; None for what the text computes from the level"""
    share: float = 1.0
    """share of the relevance cuts that are accepted, at random"""
    released: bool = False
    """threshold and m as in the authors' released program, and a move distant only if both directions are"""
    patterns: int = 0
    """positions that the search of a pattern may look at; 0 for no pattern searches. Dead patterns are proven dead, but
    penalties may make solutions longer"""
    overestimation: float = 1.0
    """what the bound is multiplied by; above 1 solutions may get longer"""
    growth: float = 1.0
    """times the nodes of the threshold before that one has to expand, or the next ones lie further apart; above 1 a
    position is searched once a threshold, and solutions may get longer"""
    patience: int = 0
    """nodes after which it is tried without the parts that may lose solutions, twice as many with a bound overestimated
    threefold and four times as many with a plain one; then it goes on with all parts, the bound plain and overestimated
    in turn. 0 for never"""
    memory: int = TABLE_MEMORY
    """bytes of the transposition table"""
    record_memory: int = RECORD_MEMORY
    """bytes that the record may take"""
    journal: bool = True
    """whether to write down what happens; without, nothing can be looked back at"""

    def __post_init__(self) -> None:
        """Refuse what makes no sense."""
        given: object = self.deadlocks
        if isinstance(given, str) or not hasattr(given, "__iter__"):
            message = f"expected names of deadlock tests such as ('locking tile',), found {given!r}"
            raise SearchError(message)
        object.__setattr__(self, "deadlocks", tuple(self.deadlocks))
        for name in self.deadlocks:
            choose("deadlock test", name, DEADLOCK_TESTS)
        for field in fields(self):
            value = getattr(self, field.name)
            if field.type == "bool" and not isinstance(value, bool):
                message = f"expected True or False as {field.name}, found {value!r}"
                raise SearchError(message)
        self._check_number("seed", 0, SEED_LIMIT - 1, is_whole=True)
        self._check_number("k", 0, 1 << 20, is_whole=True)
        self._check_number("memory", 1 << 10, 1 << 40, is_whole=True)
        self._check_number("record_memory", 1 << 20, 1 << 40, is_whole=True)
        self._check_number("patience", 0, 1 << 50, is_whole=True)
        self._check_number("patterns", 0, 1 << 20, is_whole=True)
        self._check_number("share", 0.0, 1.0)
        self._check_number("overestimation", 1.0, LARGEST_WEIGHT)
        self._check_number("growth", 1.0, LARGEST_WEIGHT)
        for name in ("m", "threshold"):
            if getattr(self, name) is not None:
                self._check_number(name, 0, 1 << 20, is_whole=True)

    def _check_number(self, name: str, least: float, most: float, *, is_whole: bool = False) -> None:
        """Raise where a number is none, or too small or large."""
        value = getattr(self, name)
        fits = is_number(value) and least <= value <= most and (not is_whole or int(value) == value)
        if not fits:
            kind = "a whole number" if is_whole else "a number"
            message = f"expected {kind} from {least:,} to {most:,} as {name}, found {value!r}"
            raise SearchError(message)

    @property
    def is_safe(self) -> bool:
        """Whether all parts keep a shortest solution: then what is found is shortest, and to find none is a proof."""
        unsafe = (self.tunnels, self.macros, self.goal_cuts, self.relevance, self.patterns > 0)
        return not any((*unsafe, self.overestimation > 1, self.growth > 1))

    @property
    def safe(self) -> Options:
        """The same options without the parts that may lose solutions, and without inner searches."""
        tests = tuple(name for name in self.deadlocks if name != "corral")
        off = dict.fromkeys(("tunnels", "macros", "goal_cuts", "relevance"), False)
        return replace(self, deadlocks=tests, patterns=0, overestimation=1.0, **off)

    def as_numbers(self) -> list[int]:
        """Return the options as the kernel takes them; k, m and the threshold only where relevance cuts are on."""
        numbers = [0] * machine.N_OPTIONS
        flags = {
            machine.HAS_TABLE: self.table,
            machine.IS_ORDERED: self.ordering,
            machine.HAS_FREEZE: "locked boxes" in self.deadlocks,
            machine.HAS_WINDOWS: "window" in self.deadlocks,
            machine.HAS_TRIPLES: "three boxes" in self.deadlocks,
            machine.HAS_CORRALS: "corral" in self.deadlocks,
            machine.IS_INWARD: self.inward,
            machine.HAS_TUNNELS: self.tunnels,
            machine.HAS_MACROS: self.macros,
            machine.HAS_GOAL_CUTS: self.goal_cuts,
            machine.HAS_DEAD_SQUARES: "locking tile" in self.deadlocks,
        }
        for place, is_on in flags.items():
            numbers[place] = int(is_on)
        numbers[machine.WEIGHT] = round(self.overestimation * (1 << machine.SIXTEENTHS))
        numbers[machine.GROWTH] = round(self.growth * (1 << machine.SIXTEENTHS))
        numbers[machine.SHARE] = round(self.share * machine.WHOLE)
        numbers[machine.MOST_DISTANT] = self.k
        return numbers

    def describe(self) -> str:
        """Return the parts that are on, in a few words."""
        names = [field.name.replace("_", " ") for field in fields(self) if getattr(self, field.name) is True]
        parts = [name for name in names if name not in {"journal", "released"}]
        weight = [f"overestimation {self.overestimation:g}"] if self.overestimation > 1 else []
        return " · ".join([*parts, *weight, f"deadlocks: {', '.join(self.deadlocks) or 'none'}"])
