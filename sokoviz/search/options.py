"""Options of tree searches by name: selection formulas, rules for the final move, scripts; and all kinds of events.

Iterative deepening has options of its own, see `sokoviz.search.ida.options`.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from dataclasses import dataclass, field
from numbers import Real
from typing import TYPE_CHECKING, NamedTuple

from sokoviz.core.tree import flags
from sokoviz.errors import SearchError
from sokoviz.levels import Level
from sokoviz.words import with_article

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

LARGEST_ENTRY = (1 << 31) - 1  # of a script: nodes and rewards have 32 bits in the journal
LEFT_TO_CHANCE = -(1 << 62)  # as in the kernel: an entry of a script that leaves it to chance


class FormulaName(NamedTuple):
    """A selection formula: its number in `sokoviz.core.tree.formulas`, and how people write its exploration term."""

    kind: int
    term: str
    name: str
    """as settings tell it"""
    score: str
    """what a number is called that it gives"""


FORMULAS = {
    "uct": FormulaName(0, "√(2 ln {n} / visits)", "UCT", "UCT"),
    "ucb1": FormulaName(1, "√(ln {n} / visits)", "UCB1", "UCB1"),
    "program": FormulaName(2, "√(2 ln {n}) / visits", "the program's formula", "score"),
    "puct": FormulaName(3, "√{n} / ({k} (1 + visits))", "PUCT", "PUCT"),
}
"""uct: the thesis's equation 3.2.5.1; ucb1: without its factor 2; program: as the published Schokoban program has it,
which divides outside the square root; puct: AlphaZero's, with equal priors for the k children"""

FINAL_MOVES = ("most visited", "highest value", "max-robust", "secure")

EVENTS = {
    "tie": (flags.TIE, "next tie"),
    "expansion": (flags.EXPANSION, "next expansion"),
    "terminal": (flags.TERMINAL, "next end of the game"),
    "deeper": (flags.DEEPER, "next new depth"),
    "leader": (flags.NEW_LEADER, "next new leader"),
    "deadlock": (flags.DEADLOCK, "next deadlock"),
    "duplicate": (flags.DUPLICATE, "next duplicate"),
    "move": (flags.MOVE, "next subtree move"),
    "elimination": (flags.ELIMINATION, "next elimination"),
    "solution": (flags.SOLUTION, "solution"),
    "threshold": (flags.THRESHOLD, "next threshold"),
    "bound": (flags.BOUND_CUT, "next bound cut"),
    "transposition": (flags.TRANSPOSITION, "next transposition"),
    "goal cut": (flags.GOAL_CUT, "next goal cut"),
    "relevance": (flags.RELEVANCE, "next relevance cut"),
    "pattern": (flags.PATTERN, "next pattern cut"),
    "resumed": (flags.RESUMED, "next resumed goal cut"),
    "layer": (flags.LAYER, "next layer"),
    "rejection": (flags.REJECTION, "next rejection"),
    "relink": (flags.RELINK, "next relink"),
    "meeting": (flags.MEETING, "next meeting"),
}
"""kinds of events: the bit that marks an iteration, or a step of iterative deepening, and how a list of things to run
to puts it; a game names those that its tree searches have, `sokoviz.search.ida.search` those of iterative deepening"""


def choose(what: str, name: str, accepted: Iterable[str]) -> str:
    """Return a name if it is among those accepted; raise a clear error otherwise."""
    names = list(accepted)
    if name not in names:
        known = ", ".join(map(repr, names))
        message = f"expected {with_article(what)} out of {known}; found {name!r}{hint_at(name, names)}"
        raise SearchError(message)
    return name


def take_level(given: object) -> Level:
    """Return a level, or the one in a text; raise a clear error where neither is given."""
    if isinstance(given, str):
        return Level.parse(given)
    if not isinstance(given, Level):
        message = f"expected a Level or its text, found {given!r}"
        raise SearchError(message)
    return given


def hint_at(name: str, names: Iterable[str]) -> str:
    """Return a question whether the most similar of some names was meant; nothing where none is similar."""
    similar = difflib.get_close_matches(str(name), list(names), n=1)
    return f"; did you mean {similar[0]!r}?" if similar else ""


def refuse_unknown(options: Iterable[str], init: Callable[..., None]) -> None:
    """Raise a clear error where there are options that the function which takes them does not name."""
    for name in options:
        choose("option", name, init.__kwdefaults__ or ())


def events_in(bits: int) -> tuple[str, ...]:
    """Return the kinds of events that an iteration is marked with."""
    return tuple(name for name, (bit, _) in EVENTS.items() if bits & bit)


@dataclass(frozen=True)
class Script:
    """A course of events that a lesson forces upon a search. What it leaves out is left to chance.

    Parameters
    ----------
    choices
        Nodes to take, in order: one each time that an unvisited child is taken, a tie is broken, or one of the new
        children is simulated. None leaves one of them to chance.
    outcomes
        Rewards of the rollouts, one an iteration, as the player sees them who moved into the simulated node. A rollout
        is drawn again until it ends like that: what is shown is always a game that can happen. None leaves one of
        them to chance.
    """

    choices: Sequence[int | None] = ()
    outcomes: Sequence[int | None] = ()

    def __post_init__(self) -> None:
        """Refuse what is no number, or none that the kernel can hold."""
        for name in ("choices", "outcomes"):
            given = getattr(self, name)
            entries = list(given) if isinstance(given, Iterable) else None
            if entries is None or not all(entry is None or _is_entry(entry) for entry in entries):
                message = f"expected whole numbers or None as {name} of a script, found {given!r}"
                raise SearchError(message)
            object.__setattr__(self, name, tuple(None if entry is None else int(entry) for entry in entries))


def _is_whole(entry: object) -> bool:
    """Whether something is a whole number; True and False are not meant."""
    return hasattr(entry, "__index__") and not isinstance(entry, bool)


def _is_entry(entry: object) -> bool:
    """Whether something can stand in a script."""
    return _is_whole(entry) and -LARGEST_ENTRY <= int(entry) <= LARGEST_ENTRY  # type: ignore[call-overload]


def as_numbers(entries: Sequence[int | None]) -> list[int]:
    """Return entries of a script as the kernel takes them."""
    return [LEFT_TO_CHANCE if entry is None else entry for entry in entries]


REPEATS = ("anywhere", "not on path", "once")
DEADLOCK_TESTS = (
    "locking tile",
    "wall sweep",
    "locked boxes",
    "wall run",
    "bipartite",
    "corral",
    "three boxes",
    "no push",
    "window",
)
"""those of tree searches, as in `sokoviz.board.DEADLOCK_RULES`; the number of a test is its bit in the kernel"""


@dataclass(frozen=True)
class Pushing:
    """How a tree search of Sokoban deals with positions that are dead or were met before; other games ignore it."""

    repeats: str = "once"
    """where a position may stand again: "anywhere", "not on path" from the root nor beside itself, or "once" at all"""
    deadlocks: tuple[str, ...] = ("locking tile", "wall sweep", "locked boxes", "no push")
    """names of the deadlock tests"""
    late: bool = False
    """whether a dead child is removed after it was simulated, and not before it is added"""
    remembered: bool = True
    """whether a position that was eliminated is never added again"""
    stall: bool = False
    """whether a leaf all of whose successors are left out stays, to be selected again and again"""
    distance: str = "manhattan"
    """how far boxes and goals are apart in the reward: by "manhattan" or by "push" distance"""
    inward: bool = False
    """whether only pushes into a closed area are looked at where these have to come some time and can come first"""
    areas: bool = False
    """whether the reward of a position that is not solved is lower by the number of its closed areas"""

    def __post_init__(self) -> None:
        """Refuse what makes no sense."""
        choose("way with repeated positions", self.repeats, REPEATS)
        choose("distance", self.distance, ("manhattan", "push"))
        given: object = self.deadlocks
        if isinstance(given, str) or not isinstance(given, Iterable):
            message = f"expected names of deadlock tests such as ('locking tile',), found {given!r}"
            raise SearchError(message)
        object.__setattr__(self, "deadlocks", tuple(given))
        for name in self.deadlocks:
            choose("deadlock test", name, DEADLOCK_TESTS)
        for name in ("late", "remembered", "stall", "inward", "areas"):
            if not isinstance(getattr(self, name), bool):
                message = f"expected True or False as {name}, found {getattr(self, name)!r}"
                raise SearchError(message)

    def as_numbers(self) -> list[int]:
        """Return the options as the kernel takes them."""
        tests = sum(1 << DEADLOCK_TESTS.index(name) for name in set(self.deadlocks))
        flags = (self.late, self.remembered, self.stall, self.distance == "push", self.inward, self.areas)
        return [REPEATS.index(self.repeats), tests, *map(int, flags)]


MOST_MEMORY = 4 << 30
SEED_LIMIT = 1 << 64
LARGEST_C = 1e9  # far beyond this the exploration term would overflow


@dataclass(frozen=True)
class Settings:
    """All that decides what a tree search does with its game."""

    c: float = 2.0
    seed: int = 1
    selection: str = "uct"
    final_move: str = "most visited"
    script: Script = field(default_factory=Script)
    memory: int = MOST_MEMORY
    """bytes that the tree and its journal may take"""
    journal: bool = True
    """whether to write down what happens; without, nothing can be undone or explained"""
    pushing: Pushing = field(default_factory=Pushing)

    def __post_init__(self) -> None:
        """Refuse what makes no sense."""
        choose("selection formula", self.selection, FORMULAS)
        choose("final move", self.final_move, FINAL_MOVES)
        if not (is_number(self.c) and 0 <= self.c <= LARGEST_C):
            message = f"expected an exploration constant c from 0 to {LARGEST_C:g}, found {self.c!r}"
            raise SearchError(message)
        if not (_is_whole(self.seed) and 0 <= self.seed < SEED_LIMIT):
            message = f"expected a whole number from 0 to 2**64 - 1 as seed, found {self.seed!r}"
            raise SearchError(message)
        if not (_is_whole(self.memory) and self.memory > 0):
            message = f"expected a number of bytes as memory, found {self.memory!r}"
            raise SearchError(message)
        for name, kind in (("c", float), ("seed", int), ("memory", int)):  # numpy's numbers cannot be saved
            object.__setattr__(self, name, kind(getattr(self, name)))
        if not self.journal and (self.script.choices or self.script.outcomes):
            message = "expected a journal where there is a script, found journal=False"
            raise SearchError(message)

    def describe(self) -> str:
        """Return the settings in a few words."""
        return f"seed {self.seed} · c = {self.c:g} · {FORMULAS[self.selection].name}"


def is_number(entry: object) -> bool:
    """Return whether something is a real number, of Python or of numpy; True and False are not meant."""
    return isinstance(entry, Real) and not isinstance(entry, bool)
