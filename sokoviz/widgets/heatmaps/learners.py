"""What the widgets need of a learner, its episodes and its policies. They know no more of `sokoviz.learn` than this."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, runtime_checkable

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sokoviz.board import Board
    from sokoviz.levels import Level
    from sokoviz.squares import Square


class Step(Protocol):
    """A box move of an episode; its text is its name."""

    @property
    def source(self) -> Square:
        """Where the box stands."""

    @property
    def target(self) -> Square:
        """Where it goes."""

    @property
    def player(self) -> Square:
        """Where the player stands afterwards."""


@runtime_checkable
class Episode(Protocol):
    """A solved subcase; its text is a sentence."""

    @property
    def number(self) -> int:
        """From 1 on, in the order in which they were found."""

    @property
    def stage(self) -> int:
        """Number of boxes."""

    @property
    def moves(self) -> Sequence[Step]:
        """Without detours."""

    @property
    def found(self) -> Sequence[Step]:
        """As they were found."""

    @property
    def subcase(self) -> Level:
        """Where it begins."""


class Vote(Protocol):
    """What one episode suggests for a position."""

    @property
    def episode(self) -> Episode:
        """Who suggests it."""

    @property
    def index(self) -> int:
        """Its state that shares most boxes with the position."""

    @property
    def overlap(self) -> int:
        """How many it shares."""

    @property
    def is_filtered(self) -> bool:
        """Whether the suggestion does not count."""

    @property
    def source(self) -> Square:
        """Square of the box that it would move."""

    @property
    def target(self) -> Square:
        """Where it would move it."""


class Chance(Protocol):
    """A legal move and what the episodes give it."""

    @property
    def name(self) -> str:
        """Both squares."""

    @property
    def source(self) -> Square:
        """Where the box stands."""

    @property
    def target(self) -> Square:
        """Where it goes."""

    @property
    def player(self) -> Square:
        """First square of the player's component afterwards."""

    @property
    def probability(self) -> float:
        """With which it is chosen."""

    @property
    def votes(self) -> int:
        """Episodes that suggest it."""

    @property
    def n_sides(self) -> int:
        """Legal moves with the same source and target."""

    @property
    def is_winning(self) -> bool:
        """Whether it solves the position."""


@runtime_checkable
class Policy(Protocol):
    """What some episodes say about a position."""

    @property
    def board(self) -> Board:
        """The position."""

    @property
    def votes(self) -> Sequence[Vote]:
        """One an episode, those that are filtered out too."""

    @property
    def sources(self) -> Mapping[Square, int]:
        """Votes by source."""

    @property
    def targets(self) -> Mapping[Square, int]:
        """Votes by target."""

    @property
    def moves(self) -> Sequence[Chance]:
        """All legal moves, the likeliest first."""

    @property
    def n_votes(self) -> int:
        """Votes that count."""

    @property
    def value(self) -> float:
        """Mean number of moves that are left."""

    @property
    def label(self) -> str:
        """Which episodes these are."""

    def find(self, move: object) -> Chance:
        """Return a legal move."""

    def explain(self, move: object) -> Explanation:
        """Return why a move has its probability."""


class Explanation(Protocol):
    """Why a move has its probability; its text is a sentence with the numbers."""

    @property
    def votes(self) -> Sequence[Vote]:
        """Those for the move, the ones that share most boxes first."""


class Stage(Protocol):
    """A stage of the curriculum."""

    @property
    def restart(self) -> int:
        """Which pass through the curriculum, from 0 on."""

    @property
    def boxes(self) -> int:
        """Boxes of its boards."""

    @property
    def first(self) -> int:
        """Episodes that were known when it began."""

    @property
    def last(self) -> int:
        """Episodes that were known when it ended."""

    @property
    def boards(self) -> int:
        """Number of its boards."""

    @property
    def solved(self) -> int:
        """How many of them are solved."""

    @property
    def rate(self) -> float:
        """That part of its boards."""

    @property
    def found_length(self) -> float:
        """Mean number of moves of its episodes, as they were found."""

    @property
    def length(self) -> float:
        """The same without detours."""

    @property
    def seconds(self) -> float:
        """How long it took."""

    @property
    def buffer(self) -> Mapping[int, int]:
        """Episodes in the buffer at its end, by number of boxes."""


class Seeded(Protocol):
    """Options of a learner."""

    @property
    def seed(self) -> int:
        """Where its random numbers begin."""


@runtime_checkable
class Learner(Protocol):
    """A learner of one level, such as `sokoviz.Curry`."""

    @property
    def name(self) -> str:
        """What it is called."""

    @property
    def level(self) -> Level:
        """What it learns."""

    @property
    def options(self) -> Seeded:
        """Its options."""

    @property
    def episodes(self) -> Sequence[Episode]:
        """Solved subcases in the order in which they were found."""

    @property
    def stages(self) -> Sequence[Stage]:
        """The stages so far."""

    def is_compiled(self) -> bool:
        """Return whether its kernels have only to be loaded before it can be asked."""

    def policy(self, board: Board | Level | None = None, *, n: int | None = None) -> Policy:
        """Return what the first n episodes say about a position."""


def check_learner(learner: object) -> Learner:
    """Return a learner as it is.

    Raises
    ------
    TypeError
        If it is none.
    """
    if not isinstance(learner, Learner):
        message = f"expected a learner such as Curry(level), found {learner!r}"
        raise TypeError(message)
    return learner


def check_episode(episode: object) -> Episode:
    """Return an episode as it is.

    Raises
    ------
    TypeError
        If it is none.
    """
    if not isinstance(episode, Episode):
        message = f"expected an episode such as curry.episodes[-1], found {episode!r}"
        raise TypeError(message)
    return episode
