"""What happened in one iteration, with every number that decided it."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from sokoviz.actions import Deadlock

WIDTH = 110  # letters in a line that a notebook shows without breaking it
MARKUP = "<>&*_`[]|\\$"


class Candidate(NamedTuple):
    """A child as selection scored it."""

    node: int
    action: str
    """name of the move that leads to it"""
    visits: int
    value: float | None
    """mean reward, seen by the player who moved into it; None before the first visit"""
    exploitation: float | None
    """the term of the score that is the value; None before the first visit"""
    exploration: float | None
    """the term of the score that rewards few visits, c included; None before the first visit"""
    score: float
    """the sum of both; infinite before the first visit"""
    unit: float | None
    """the exploration term for c = 1"""


@dataclass(frozen=True)
class Choice:
    """One step of selection: from a node to one of its children."""

    node: int
    visits: int
    candidates: tuple[Candidate, ...]
    chosen: int
    tied: tuple[int, ...]
    """children that shared the highest score, the chosen one included, where there were several"""
    by_script: bool = False
    """whether a script took one of them, instead of chance"""

    @property
    def winner(self) -> Candidate:
        """The child that was chosen."""
        return next(candidate for candidate in self.candidates if candidate.node == self.chosen)

    @property
    def is_tie(self) -> bool:
        """Whether several visited children shared the highest score."""
        return bool(self.tied) and self.winner.visits > 0


@dataclass(frozen=True)
class Shift:
    """An ancestor's statistics before and after a subtree left it or joined it (thesis, 5.2)."""

    node: int
    visits_before: int
    visits_after: int
    total_before: int
    """sum of rewards"""
    total_after: int

    @property
    def value_before(self) -> float | None:
        """Mean reward, None without visits."""
        return self.total_before / self.visits_before if self.visits_before else None

    @property
    def value_after(self) -> float | None:
        """Mean reward, None without visits."""
        return self.total_after / self.visits_after if self.visits_after else None


@dataclass(frozen=True)
class Move:
    """A subtree that moved to a shorter way (thesis, 5.1)."""

    node: int
    former: int
    """the parent that it left"""
    depth_before: int
    depth_after: int
    visits: int
    """of its root, which its old ancestors lost and its new ones gained"""
    total: int
    """sum of rewards of its root, likewise"""
    eliminated: tuple[int, ...]
    """nodes that were left without children by this"""
    old_chain: tuple[Shift, ...]
    """ancestors that it left, the former parent first; the last one is an ancestor of both places and stays as it is"""
    new_chain: tuple[Shift, ...]
    """ancestors that it joined, the new parent first, up to the same node"""


AREA_FIRST, BEFORE, SINCE = "a closed area comes first", "eliminated before", "eliminated since"
WHY_LEFT_OUT = {
    AREA_FIRST: "pushes into a closed area have to come some time, and can come first",
    BEFORE: "this position was eliminated before",
    SINCE: "this position was a child, and was eliminated since",
}
"""reasons that are no deadlocks, in a sentence"""


@dataclass(frozen=True)
class LeftOut:
    """A successor that became no child."""

    action: str
    reason: str
    """the deadlock rule that decided, that its position is in the tree, on the path, or was eliminated before, or that
    a closed area has to be opened first"""
    node: int | None
    """the node that has its position, where one has"""
    number: int
    """the same action as the game numbers it"""
    depth: int
    """how deep it would have been"""
    known_depth: int | None = None
    """how deep the node is that has its position"""
    deadlocks: tuple[Deadlock, ...] = ()
    """what the deadlock rule finds, with the squares"""

    @property
    def more(self) -> str:
        """The reason in a sentence."""
        if self.deadlocks:
            return self.deadlocks[0].reason
        if self.node is not None and self.known_depth is not None:
            return f"depth {self.known_depth} there, {self.depth} here"
        return WHY_LEFT_OUT.get(self.reason, f"the search's own test finds this position dead: {self.reason}")


@dataclass(frozen=True)
class Expansion:
    """A leaf that got children, or none."""

    node: int
    added: tuple[int, ...]
    actions: tuple[str, ...]
    drawn: int | None
    """the child that was simulated, None where there is none"""
    by_script: bool = False
    """whether a script took it, instead of chance"""
    moved: tuple[Move, ...] = ()
    """subtrees that moved here"""
    left_out: tuple[LeftOut, ...] = ()


@dataclass(frozen=True)
class Simulation:
    """A random game from a node to its end."""

    node: int
    moves: tuple[str, ...]
    """names of the moves"""
    actions: tuple[int, ...]
    """the same moves as the game numbers them"""
    outcome: str
    reward: int
    """seen by the player who moved into the node"""
    player: str
    """who moved into the node; empty for one player"""
    is_valued: bool = False
    """whether the position itself was valued, and no game was played"""


@dataclass(frozen=True)
class Update:
    """One node's statistics before and after a reward was passed to it."""

    node: int
    reward: int
    visits_before: int
    visits_after: int
    value_before: float | None
    value_after: float


@dataclass(frozen=True)
class Iteration:
    """One iteration of a Monte Carlo search; its text tells it in a few sentences."""

    number: int
    """counted from 1"""
    selection: tuple[Choice, ...]
    """from the root downward; empty where the root is the leaf"""
    leaf: int
    """the node that selection ended at"""
    expansion: Expansion | None
    simulation: Simulation | None
    """None where the leaf got no child"""
    backpropagation: tuple[Update, ...]
    """from the simulated node up to the root"""
    elimination: tuple[int, ...]
    """nodes that were eliminated at the end, each the parent of the one before"""
    visits: int
    """of the leaf before this iteration"""
    events: tuple[str, ...]
    """what it is marked with, such as ``"tie"``"""
    dead_by: str = ""
    """the deadlock rule by which the simulated node was found dead and eliminated, empty where none was asked"""
    sentences: tuple[tuple[str, str], ...] = ()
    """phases and what happened in each, in words"""

    @property
    def phases(self) -> tuple[str, ...]:
        """The phases that this iteration went through."""
        return tuple(phase for phase, _ in self.sentences)

    @property
    def was_visited(self) -> bool:
        """Whether the selected leaf had been visited before: then it is expanded, if the game goes on there."""
        return self.visits > 0

    @property
    def simulated(self) -> int:
        """The node that was simulated; where none was, the leaf."""
        return self.simulation.node if self.simulation else self.leaf

    @property
    def path(self) -> tuple[int, ...]:
        """Nodes from the root to the selected leaf."""
        return (0, *(choice.chosen for choice in self.selection))

    def __str__(self) -> str:
        told = (f"{phase.capitalize()}: {sentence}" for phase, sentence in self.sentences)
        lines = (textwrap.fill(line, WIDTH, initial_indent="  ", subsequent_indent="    ") for line in told)
        return "\n".join((f"Iteration {self.number}", *lines))

    __repr__ = __str__

    def _repr_markdown_(self) -> str:
        """Show the sentences in a notebook, where long lines are broken between words."""
        lines = (f"- **{phase.capitalize()}:** {_escaped(sentence)}" for phase, sentence in self.sentences)
        return "\n".join((f"**Iteration {self.number}**", "", *lines))


def _escaped(text: str) -> str:
    """A text in which nothing is markup: names of moves come from games of all kinds."""
    return "".join(f"&#{ord(character)};" if character in MARKUP else character for character in text)
