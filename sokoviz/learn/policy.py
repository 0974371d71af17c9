"""What past episodes say about a position: heatmaps, the distribution over moves, and who voted for which."""

from __future__ import annotations

import threading
from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import numpy as np

from sokoviz.core.board.grid import from_bits, tables_of
from sokoviz.core.board.reach import find_free, flood
from sokoviz.core.compiling.jit import is_kept
from sokoviz.core.numbers.bits import first
from sokoviz.errors import SearchError
from sokoviz.learn.attempt import COUNT, DELTA, EPSILON, IS_FILTERED, WINNING, Attempt, begin, make_attempt
from sokoviz.learn.simba import Episodes, list_matches, make_episodes, write_episode
from sokoviz.learn.subcases import bits_of
from sokoviz.picture import Arrow, Heat
from sokoviz.squares import Square

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sokoviz.board import Board
    from sokoviz.learn.episodes import Episode
    from sokoviz.learn.options import Options
    from sokoviz.levels import Level
    from sokoviz.picture import Picture

ENDS = ("sources", "targets")
MOST_ARROWS = 5


@dataclass(frozen=True)
class Vote:
    """What one episode suggests for a position (algorithm SIMBA)."""

    episode: Episode
    index: int
    """its state that shares most boxes with the position; the first of them"""
    overlap: int
    """how many it shares"""
    is_filtered: bool
    """whether the suggestion is left out: its target is a goal of the episode's subcase, but not of this board"""

    @property
    def source(self) -> Square:
        """Square of the box that it would move."""
        return self.episode.moves[self.index].source

    @property
    def target(self) -> Square:
        """Where it would move it."""
        return self.episode.moves[self.index].target

    @property
    def left(self) -> int:
        """Number of moves from that state to the end of the episode: its estimate of the value."""
        return len(self.episode.moves) - self.index

    def __repr__(self) -> str:
        move = self.episode.moves[self.index]
        boxes = "1 box" if self.overlap == 1 else f"{self.overlap} boxes"
        return f"Vote of episode {self.episode.number} for {move}: its state {self.index} shares {boxes}"


class Chance(NamedTuple):
    """A legal move and what the episodes give it (algorithm GetMoveProbability)."""

    source: Square
    target: Square
    player: Square
    """first square of the player's component afterwards"""
    probability: float
    """with which it is chosen where neither a winning nor a random move is"""
    votes: int
    """episodes that suggest to move a box from source to target"""
    source_votes: int
    """episodes that suggest any move from the source"""
    target_votes: int
    """episodes that suggest any move to the target"""
    n_sides: int
    """legal moves with the same source and target, which share their weight: the player ends up in another component"""
    weight: float
    """(votes + delta * (source_votes + target_votes)) / n_sides"""
    is_winning: bool
    """whether all boxes are on goals after it: then it is taken without asking"""

    @property
    def name(self) -> str:
        """Both squares, such as ``Ee→Fe``."""
        return f"{self.source.name}→{self.target.name}"

    def __repr__(self) -> str:
        return f"{self.name}: probability {self.probability:.4g}, {self.votes} votes"


@dataclass(frozen=True)
class Policy:
    """What a set of episodes says about a position.

    The heatmaps also show squares without a box or move: they are the strategy, the moves what can be done of it.
    """

    board: Board
    """the position"""
    votes: tuple[Vote, ...]
    """one an episode, those that are filtered out too"""
    sources: dict[Square, int]
    """how many suggest to move a box from a square; filtered suggestions are left out"""
    targets: dict[Square, int]
    """how many suggest to move a box to a square"""
    moves: tuple[Chance, ...]
    """all legal moves, the likeliest first"""
    value: float
    """mean number of moves that the matching states were from the end; infinite without suggestions"""
    delta: float
    epsilon: float
    label: str = ""
    """which episodes these are, such as ``stage 2 of 4 · 26 episodes · seed 1``"""

    def __repr__(self) -> str:
        best = f"; likeliest {self.moves[0]!r}" if self.moves else ""
        return f"Policy of {len(self.votes)} episodes: {self.n_votes} votes, {len(self.moves)} legal moves{best}"

    @cached_property
    def n_votes(self) -> int:
        """Suggestions that count."""
        return sum(not vote.is_filtered for vote in self.votes)

    def find(self, move: object) -> Chance:
        """Return a legal move: by itself, by its squares, or by its name such as ``"Ee→Fe"``.

        Where the player can end up in several components, the likeliest; they share their weight.
        """
        source, target, player = _read_move(move)
        for chance in self.moves:
            if (chance.source, chance.target) == (source, target) and player in (None, chance.player):
                return chance
        message = (
            f"expected a legal move such as {self.moves[0].name!r}, found {move!r}"
            if self.moves
            else (f"expected a legal move, found {move!r} where there is none")
        )
        raise SearchError(message)

    def votes_for(self, move: object) -> tuple[Vote, ...]:
        """Return the votes for a move that count, those that share most boxes first."""
        source, target, _ = _read_move(move)
        found = [v for v in self.votes if not v.is_filtered and (v.source, v.target) == (source, target)]
        return tuple(sorted(found, key=lambda vote: (-vote.overlap, vote.episode.number)))

    def explain(self, move: object) -> Explanation:
        """Return why a legal move has its probability.

        Parameters
        ----------
        move
            As for `find`.
        """
        chance = self.find(move)
        return Explanation(self, chance, self.votes_for(chance))

    def shares(self, ends: str) -> dict[Square, float]:
        """Return the heatmap of ``"sources"`` or ``"targets"``: the share of all votes that each square has."""
        if ends not in ENDS:
            message = f"expected a heatmap out of 'sources', 'targets'; found {ends!r}"
            raise SearchError(message)
        counts = self.sources if ends == "sources" else self.targets
        return {square: count / max(self.n_votes, 1) for square, count in counts.items()}

    def picture(self, ends: str = "sources", *, logarithmic: bool = True, arrows: int = 1) -> Picture:
        """Return the position with a heatmap, and the likeliest moves as arrows.

        Parameters
        ----------
        ends
            ``"sources"`` or ``"targets"``.
        logarithmic
            Whether colours tell orders of magnitude, as in the text; otherwise they tell the shares themselves.
        arrows
            How many of the likeliest moves to draw.
        """
        shares = self.shares(ends)
        values: dict[tuple[int, int], float] = {square: share for square, share in shares.items()}  # noqa: C416
        lowest = 1 / max(self.n_votes, 1)
        scale: dict[str, Any] = (
            {"scale": "log", "low": min(lowest, 0.5)} if logarithmic else {"scale": "linear", "low": 0}
        )
        label = f"share of {self.n_votes} votes for a move {'from' if ends == 'sources' else 'to'} a square"
        heat = Heat(values, high=max(shares.values(), default=1.0), label=label, **scale) if shares else None
        chosen = [chance for chance in self.moves[: min(arrows, MOST_ARROWS)] if chance.probability > 0]
        signs = [Arrow(chance.source, chance.target, "now", f"{chance.probability:.2g}") for chance in chosen]
        return self.board.picture().with_overlays(*([heat] if heat else []), *signs)

    def _repr_mimebundle_(self, **_options: object) -> dict[str, str]:
        """Show the heatmap of the sources in a notebook, and a sentence where there are no pictures."""
        return {"image/svg+xml": self.picture().to_svg(), "text/plain": repr(self)}


@dataclass(frozen=True)
class Explanation:
    """Why a move has its probability."""

    policy: Policy
    move: Chance
    votes: tuple[Vote, ...]
    """of the episodes that suggest this very move, those that share most boxes first"""

    def overlapping(self, vote: Vote) -> tuple[Square, ...]:
        """Return the squares on which the position and the episode's matching state both have a box."""
        return tuple(sorted(vote.episode.states[vote.index] & self.policy.board.boxes))

    def __str__(self) -> str:
        move, policy = self.move, self.policy
        parts = f"{move.votes} + {policy.delta:g} × ({move.source_votes} + {move.target_votes})"
        shared = f", shared by {move.n_sides} sides" if move.n_sides > 1 else ""
        total = sum(chance.weight for chance in policy.moves)
        return (
            f"{move.name}: {move.votes} of {policy.n_votes} votes. Weight {parts} = {move.weight:.4g}{shared}; "
            f"of {total:.4g} in all that is a probability of {move.probability:.4g}."
        )

    def __repr__(self) -> str:
        return str(self)


def _read_move(move: object) -> tuple[Square, Square, Square | None]:
    """Source, target and player of a move in one of the ways in which people give it."""
    if isinstance(move, str):
        source, sign, target = move.replace("->", "→").partition("→")
        try:
            if sign:
                return Square.parse(source.strip()), Square.parse(target.strip()), None
        except ValueError:
            pass
        message = f"expected a move such as 'Ee→Fe', found {move!r}"
        raise SearchError(message)
    try:
        source, target, *rest = cast("Iterable[Any]", move)  # whatever cannot be taken apart is refused below
        player = Square(*rest[0]) if rest and isinstance(move, Chance) else None
        return Square(*source), Square(*target), player
    except (TypeError, ValueError):
        message = f"expected a move as its name or as source and target, found {move!r}"
        raise SearchError(message) from None


def is_asking_compiled() -> bool:
    """Return whether the machine code of what an `Asker` needs is kept: then it has only to be loaded."""
    return is_kept(begin, (Attempt,)) and is_kept(list_matches, (Episodes,))


class Asker:
    """Asks episodes about positions of a level, with the kernel that also makes trajectories.

    Parameters
    ----------
    level
        The level; positions of its subcases can be asked about too.
    options
        Delta, epsilon and the goal filter.
    """

    def __init__(self, level: Level, options: Options) -> None:
        self._level, self._options = level, options
        self._tables = tables_of(level.rows)
        self._floor = tuple(self._square(number) for number in from_bits(self._tables.floor))
        self._asked: tuple[Episode, ...] = ()
        self._lock = threading.Lock()
        self._fill(())

    def _square(self, number: int) -> Square:
        """A kernel's square as row and column."""
        return Square(*divmod(int(number), self._tables.width))

    def _number(self, square: tuple[int, int]) -> int:
        """A square as the kernels count it."""
        return square[0] * self._tables.width + square[1]

    def _fill(self, asked: tuple[Episode, ...]) -> None:
        """Write the episodes to ask into a buffer of their own."""
        tables, n_boxes = self._tables, len(self._level.boxes)
        longest = max((len(episode.moves) for episode in asked), default=1)
        self._asked = asked
        self._episodes = make_episodes(len(asked) + 1, longest, tables.n_floor)
        self._attempt = make_attempt(tables, 2, (n_boxes + 1) * 4 * tables.n_floor, 1, len(asked) + 1)
        for slot, episode in enumerate(asked):
            boxes, goals = (tuple(map(self._number, squares)) for squares in (episode.boxes, episode.goals))
            ends = [(self._number(move.source), self._number(move.target)) for move in episode.moves]
            write_episode(self._episodes, self._attempt.place_of, slot, boxes, goals, ends)

    def ask(self, board: Board, asked: Sequence[Episode], label: str = "") -> Policy:
        """Return what episodes say about a position.

        Parameters
        ----------
        board
            The position.
        asked
            The episodes.
        label
            Which episodes these are.

        Raises
        ------
        SearchError
            If the position is on a board with other walls.
        """
        if board.level.floor != self._level.floor or board.level.width != self._level.width:
            message = f"expected a position of {self._level!r} or of its subcases, found one of {board.level!r}"
            raise SearchError(message)
        with self._lock:  # a widget may ask from another thread
            if tuple(asked) != self._asked:
                self._fill(tuple(asked))
            self._begin(board)
            return self._read(board, label)

    def _begin(self, board: Board) -> None:
        """Evaluate a position."""
        attempt, options, floor = self._attempt, self._options, self._level.floor
        attempt.rules[IS_FILTERED] = options.goal_filter
        attempt.chances[DELTA], attempt.chances[EPSILON] = options.delta, options.epsilon
        boxes, goals = (
            bits_of(self._tables, tuple(self._number(square) for square in squares if square in floor))
            for squares in (board.boxes, board.level.goals)
        )
        begin(attempt, self._episodes, boxes, goals, self._number(board.player))

    def _read(self, board: Board, label: str) -> Policy:
        """What the kernel found."""
        attempt, votes = self._attempt, self._attempt.votes
        matches = np.zeros((3, len(self._asked)), dtype=np.int64)
        list_matches(self._episodes, attempt.is_box, attempt.is_goal, votes.boxes, matches)
        return Policy(
            board=board.copy(),
            votes=tuple(
                Vote(episode, index, overlap, bool(is_foreign and self._options.goal_filter))
                for episode, (index, overlap, is_foreign) in zip(self._asked, matches.T.tolist(), strict=True)
            ),
            sources={self._floor[place]: int(votes.sources[place]) for place in np.flatnonzero(votes.sources)},
            targets={self._floor[place]: int(votes.targets[place]) for place in np.flatnonzero(votes.targets)},
            moves=self._read_moves(board),
            value=float(attempt.values[0]),
            delta=self._options.delta,
            epsilon=self._options.epsilon,
            label=label,
        )

    def _read_moves(self, board: Board) -> tuple[Chance, ...]:
        """All legal moves, the likeliest first."""
        attempt, votes = self._attempt, self._attempt.votes
        n, total = int(attempt.nodes[COUNT, 0]), float(attempt.totals[0])
        ends = [tuple(map(int, move)) for move in attempt.moves[:, :n].T]
        n_sides = Counter((source, target) for source, target, _ in ends)
        winning = ends[int(attempt.nodes[WINNING, 0])][:2] if attempt.nodes[WINNING, 0] >= 0 else None
        chances = []
        for (source, target, player), weight in zip(ends, attempt.weights[:n].tolist(), strict=True):
            here, there = attempt.place_of[source], attempt.place_of[target]
            chances.append(
                Chance(
                    self._square(source),
                    self._square(target),
                    self._component_after(board, source, target, player),
                    weight / total if total > 0 else 1 / n,
                    int(votes.pairs[here, there]),
                    int(votes.sources[here]),
                    int(votes.targets[there]),
                    n_sides[source, target],
                    weight,
                    (source, target) == winning,
                )
            )
        return tuple(sorted(chances, key=lambda chance: -chance.probability))

    def _component_after(self, board: Board, source: int, target: int, player: int) -> Square:
        """First square of the player's component after a move."""
        boxes = {self._number(box) for box in board.boxes if box in self._level.floor} - {source} | {target}
        free, reached = bits_of(self._tables, ()), bits_of(self._tables, ())
        find_free(self._tables, bits_of(self._tables, tuple(boxes)), free)
        flood(free, self._tables.width, player, reached)
        return self._square(first(reached))
