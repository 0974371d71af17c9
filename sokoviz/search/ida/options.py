"""Options of iterative deepening by name: each part of Rolling Stone can be switched on and off by itself."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Any

from sokoviz.errors import SearchError
from sokoviz.search.ida import arrays as machine
from sokoviz.search.options import SEED_LIMIT, choose, is_number

DEADLOCK_TESTS = ("locking tile", "locked boxes", "window", "three boxes")
"""deadlock tests that iterative deepening can use; boxes that share too few goals are found by the bound itself"""

PATTERN_SEARCHES = ("deadlock", "area", "penalty")
"""inner searches: boxes around the one pushed last that can never be solved, boxes around closed areas that cannot, and
boxes that take more pushes together than the bound says"""

CLASSIC: dict[str, Any] = {"deadlocks": ("locking tile", "locked boxes")}
MACROS: dict[str, Any] = {"tunnels": True, "macros": True, "goal_cuts": True}
CRIPPA: dict[str, Any] = {**CLASSIC, **MACROS, "growth": 4.0, "patience": 28_000}
PRESETS: dict[str, dict[str, Any]] = {
    "optimal": {"deadlocks": DEADLOCK_TESTS, "inward": True, "patterns": ("area",)},
    "classic": CLASSIC,
    "crippa": CRIPPA,
    "best": {
        **CRIPPA,
        "deadlocks": DEADLOCK_TESTS,
        "inward": True,
        "relevance": True,
        "share": 0.8,
        "patterns": PATTERN_SEARCHES,
        "overestimation": 1.5,
        "growth": 2.0,
    },
}
"""bundles of options: only parts that keep solutions shortest; the bound with table, order and simple deadlocks; that
with tunnel macros, goal macros and goal cuts (Crippa and Marocchi, 4.4); everything"""

TABLE_MEMORY = 256 << 20
RECORD_MEMORY = 2 << 30
LARGEST_WEIGHT = 8.0
UNSEEN = {"seed", "memory", "record_memory", "journal"}  # options that are not told with the others


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
    patterns: tuple[str, ...] = ()
    """names of the pattern searches. What is dead is proven dead, but penalties may make solutions longer"""
    effort: int = 50
    """positions that a search for a penalty may look at, one for a deadlock the fourth part of that; one of a closed
    area may hold four times as many"""
    overestimation: float = 1.0
    """what the bound is multiplied by; above 1 solutions may get longer"""
    growth: float = 1.0
    """times the nodes of the threshold before that one has to expand, or the next ones lie further apart; above 1 a
    position is searched once a threshold, and solutions may get longer"""
    patience: int = 0
    """nodes after which it is tried without the parts that may lose solutions, twice as many with a bound overestimated
    threefold and four times as many with a plain one; then it goes on with all parts, the bound overestimated and plain
    in turn, each turn twice as long. Where chance decides about relevance cuts most turns are short and draw anew, and
    between them it is gone on without cuts. 0 for never"""
    memory: int = TABLE_MEMORY
    """bytes of the transposition table"""
    record_memory: int = RECORD_MEMORY
    """bytes that the record may take"""
    journal: bool = True
    """whether to write down what happens; without, nothing can be looked back at"""

    def __post_init__(self) -> None:
        """Refuse what makes no sense."""
        self._take_names("deadlocks", "deadlock test", DEADLOCK_TESTS)
        self._take_names("patterns", "pattern search", PATTERN_SEARCHES)
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
        self._check_number("effort", 1, 1 << 20, is_whole=True)
        self._check_number("share", 0.0, 1.0)
        self._check_number("overestimation", 1.0, LARGEST_WEIGHT)
        self._check_number("growth", 1.0, LARGEST_WEIGHT)
        for name in ("m", "threshold"):
            if getattr(self, name) is not None:
                self._check_number(name, 0, 1 << 20, is_whole=True)

    def _take_names(self, field: str, kind: str, known: tuple[str, ...]) -> None:
        """Keep names as a tuple, after all are found to be known."""
        given: object = getattr(self, field)
        if isinstance(given, str) or not hasattr(given, "__iter__"):
            message = f"expected names such as {known[:1]!r} as {field}, found {given!r}"
            raise SearchError(message)
        object.__setattr__(self, field, tuple(getattr(self, field)))
        for name in getattr(self, field):
            choose(kind, name, known)

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
        unsafe = (self.tunnels, self.macros, self.goal_cuts, self.relevance, "penalty" in self.patterns)
        return not any((*unsafe, self.overestimation > 1, self.growth > 1))

    @property
    def safe(self) -> Options:
        """The same options without the parts that may lose solutions, and without inner searches."""
        return replace(
            self, tunnels=False, macros=False, goal_cuts=False, relevance=False, patterns=(), overestimation=1.0
        )

    def as_numbers(self) -> list[int]:
        """Return the options as the kernel takes them; k, m and the threshold only where relevance cuts are on."""
        numbers = [0] * machine.N_OPTIONS
        flags = {
            machine.HAS_TABLE: self.table,
            machine.IS_ORDERED: self.ordering,
            machine.HAS_FREEZE: "locked boxes" in self.deadlocks,
            machine.HAS_WINDOWS: "window" in self.deadlocks,
            machine.HAS_TRIPLES: "three boxes" in self.deadlocks,
            machine.HAS_CORRALS: "area" in self.patterns,
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

    def describe(self, preset: str) -> str:
        """Return the preset, and the options that are not as it has them, in a few words."""
        usual = Options(**PRESETS[preset])
        names = [field.name for field in fields(self) if field.name not in UNSEEN]
        given = [name for name in names if getattr(self, name) != getattr(usual, name)]
        return ", ".join([f"preset {preset}", *(_in_words(name, getattr(self, name)) for name in given)])


def _in_words(name: str, value: object) -> str:
    """An option and its value: "tunnels", "no table", "k 2", "deadlocks: window"."""
    title = name.replace("_", " ")
    if isinstance(value, bool) or value == ():
        return title if value else f"no {title}"
    return f"{title}: {' + '.join(value)}" if isinstance(value, tuple) else f"{title} {value}"
