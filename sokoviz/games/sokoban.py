"""Sokoban as a game for the searches: a position is boxes and player, an action one push with the walk before it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, Self

import numpy as np

from sokoviz.actions import Push
from sokoviz.board import Board
from sokoviz.core.board.grid import from_bits, tables_of, to_bits
from sokoviz.core.board.positions import find_pushes, play_push, read_boxes
from sokoviz.core.bounds.matching import MatchingScratch, make_matching_scratch
from sokoviz.core.bounds.rewards import find_distances, reward_of
from sokoviz.core.deadlocks.corrals import CorralScratch, make_corral_scratch
from sokoviz.core.deadlocks.pi_corrals import N_BOARDS, keep_inward_pushes
from sokoviz.core.deadlocks.triples import Triples, no_triples, triples_of
from sokoviz.core.deadlocks.window_sets import WindowSets, no_windows, windows_of
from sokoviz.core.types import DIRECTIONS, Bits, Distances, Integers, Tables
from sokoviz.errors import GameError
from sokoviz.games.game import AnyTables, Game
from sokoviz.levels import Level
from sokoviz.squares import Square

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from sokoviz.actions import Deadlock
    from sokoviz.overlays import SquareLike
    from sokoviz.picture import Picture

CORRAL_BUDGET = 200  # positions that a search of a closed area may hold, for each position that is looked at


MOST_TERMS = 6  # of a sum that is written out


class SokobanTables(NamedTuple):
    """What the rules know of a level."""

    board: Tables
    scratch: Bits
    """uint64[3, n_words]: boxes, free floor and component of the position that a rule looks at"""
    matching: MatchingScratch
    distances: Distances
    """int32[2, n_squares, n_goals]: how far a square is from a goal, by Manhattan distance (0) and by pushes (1)"""
    corral: CorralScratch
    triples: Triples
    """sets of three boxes, of a level that a search with the test "three boxes" was made for"""
    windows: WindowSets
    """dead sets of boxes in windows, of a level that a search with the test "window" was made for"""
    inward: Bits
    """uint64[7, n_words]: room to look for pushes into closed areas"""


class Sokoban(Game):
    """Sokoban on one level (thesis, 4.1): a push is one action, the reward minus the cheapest matching.

    A search of it plays no random games: the reward of a position is its value (4.3.1).

    Parameters
    ----------
    level
        The level, or its text.
    distance
        How far a box is from a goal where a position is shown, ``"manhattan"`` or ``"push"``: as in the reward of the
        search that it is shown for.
    areas
        Whether closed areas count in that reward.
    """

    name = "Sokoban"
    players = 1
    Tables = SokobanTables
    events = ("tie", "expansion", "deadlock", "duplicate", "move", "elimination", "deeper", "solution")
    layers = ("component", "pushes", "matching")

    def __init__(self, level: Level | str, distance: str = "manhattan", *, areas: bool = False) -> None:
        self.distance, self.areas = distance, areas
        self._names: dict[int, str] = {}
        self._asked: tuple[bytes, dict[Square, list[int]]] = b"", {}
        self.level = level if isinstance(level, Level) else Level.parse(level)
        board = tables_of(self.level.rows)
        floor = self.level.floor
        inside = [box for box in self.level.boxes if box in floor]
        self.lost_boxes = sorted(set(self.level.boxes) - set(inside) - set(self.level.goals))
        """boxes that the player is walled off from, off goals: with one of them the level cannot be solved"""
        self._boxes = to_bits((row * board.width + column for row, column in inside), board.width * board.height)
        n_most = max(len(inside), len(board.goal_squares), 1)
        scratch = np.zeros((3, len(board.floor)), dtype=np.uint64)
        self.tables = SokobanTables(
            board,
            scratch,
            make_matching_scratch(n_most),
            find_distances(board),
            make_corral_scratch(len(board.floor), n_most, CORRAL_BUDGET),
            no_triples(board),
            no_windows(board),
            np.zeros((N_BOARDS, len(board.floor)), dtype=np.uint64),
        )
        self.max_actions = 4 * n_most
        self.max_length = 0

    def prepare_tests(self, tests: Collection[str]) -> None:
        """Make the tables that the tests "three boxes" and "window" look into, where they are among some tests."""
        if "three boxes" in tests and not len(self.tables.triples.verdicts):
            self.tables = self.tables._replace(triples=triples_of(self.level.rows))
        if "window" in tests:
            self.tables = self.tables._replace(windows=windows_of(self.level.rows))

    # --- rules: compiled by numba ---

    @staticmethod
    def list_actions(tables: AnyTables, state: Integers, actions: Integers) -> int:
        """Write the pushes into `actions`; none where the level is solved or nothing can be pushed."""
        return find_pushes(tables.board, tables.scratch, state, actions)  # type: ignore[no-any-return]

    @staticmethod
    def play(tables: AnyTables, state: Integers, action: int) -> None:
        """Push a box; the player then stands where the box was."""
        play_push(tables.board, state, action)

    @staticmethod
    def outcome(tables: AnyTables, state: Integers) -> int:
        """Minus the cheapest matching of boxes to goals under Manhattan distance."""
        read_boxes(state, tables.scratch[0])
        return reward_of(tables.board, tables.distances, tables.scratch[0], 0, tables.matching)  # type: ignore[no-any-return]

    # --- face: plain Python ---

    @property
    def title(self) -> str:
        """The game and the level."""
        return " · ".join(part for part in (self.name, self.level.name, self.level.title) if part)

    def start(self) -> Integers:
        """Return the level's own position."""
        player = self.level.player[0] * self.tables.board.width + self.level.player[1]
        return np.append(self._boxes.view(np.int64), player)

    def board(self, state: Integers) -> Board:
        """Return a position as a board."""
        board, width = Board(self.level), self.tables.board.width
        walled_off = {box for box in self.level.boxes if box not in self.level.floor}
        inside = {Square(*divmod(square, width)) for square in from_bits(state[:-1].view(np.uint64))}
        board.boxes = frozenset(inside | walled_off)
        board.player = Square(*divmod(int(state[-1]), width))
        return board

    def picture(self, state: Integers) -> Picture:
        """Return a position as a picture."""
        return self.board(state).picture()

    def portrait(self, state: Integers, layers: Collection[str]) -> Picture:
        """Return a position with the player's component, the pushes and the matching, which needs the kernels."""
        board = self.board(state)
        matching = self.distance if "matching" in layers else None
        pushes = "pushes" in layers and not board.is_solved
        return board.picture(component="component" in layers, pushes=pushes, matching=matching)

    def deadlocks(self, state: Integers, rules: Iterable[str]) -> tuple[Deadlock, ...]:
        """Return what those of some deadlock rules find that call a position dead."""
        board = self.board(state)
        return tuple(found for rule in rules if (found := board.deadlock(rule)) is not None)

    def push_of(self, action: int) -> Push:
        """Return an action as a push."""
        return Push(Square(*divmod(action >> 2, self.tables.board.width)), DIRECTIONS[action & 3])

    def action_of(self, push: Push) -> int:
        """Return a push as an action."""
        return int(4 * (push.box[0] * self.tables.board.width + push.box[1]) + DIRECTIONS.index(push.direction))

    def action_name(self, state: Integers, action: int) -> str:  # noqa: ARG002  a push says all
        """Return the squares that the box goes from and to; an explanation asks for hundreds of them."""
        if action not in self._names:
            self._names[action] = str(self.push_of(action))
        return self._names[action]

    def outcome_name(self, state: Integers) -> str:
        """Return how far boxes and goals are apart."""
        board = self.board(state)
        cost = board.matching(self.distance).cost
        if cost is None:
            return "not every box can get a goal"
        words = f"{'push ' * (self.distance == 'push')}distance {cost}{self._and_areas(board)}"
        return "solved" if board.is_solved else words

    def value_name(self, state: Integers) -> str:
        """Return the distances of the matching, their sum and the reward, which is minus that."""
        board = self.board(state)
        cost = board.matching(self.distance).cost
        if not cost:
            return self.outcome_name(state)
        parts = [str(distance) for distance in board.matching_distances(self.distance) if distance]
        terms = f"{' + '.join(parts)} = {cost}" if 1 < len(parts) <= MOST_TERMS else str(cost)
        reward = cost + (board.n_areas if self.areas else 0)
        return f"{'push ' * (self.distance == 'push')}distance {terms}{self._and_areas(board)}, reward −{reward}"

    def _and_areas(self, board: Board) -> str:
        """The closed areas of a position in words, where they count."""
        n = board.n_areas if self.areas else 0
        return f" and {n} closed area{'s' * (n > 1)}" if n else ""

    def first_pushes(self, state: Integers) -> set[int]:
        """Return the actions that a search looks at which pushes into closed areas first."""
        board, actions = self.tables.board, np.empty(self.max_actions, dtype=np.int64)
        scratch = np.empty_like(self.tables.scratch)  # a search may be using the other
        n = find_pushes(board, scratch, state, actions)
        n = keep_inward_pushes(board, *scratch, actions, n, np.empty_like(self.tables.inward))
        return {int(action) for action in actions[:n]}

    def squares_of(self, state: Integers, action: int) -> tuple[Square, ...]:  # noqa: ARG002
        """Return the squares that the box leaves and enters."""
        push = self.push_of(action)
        return push.box, push.target

    def action_at(self, state: Integers, square: SquareLike) -> int | None:
        """Return the push into a square, where there is just one."""
        actions = self._actions_into(state).get(Square(*square), [])
        return actions[0] if len(actions) == 1 else None

    def _actions_into(self, state: Integers) -> dict[Square, list[int]]:
        """Pushes by the square that they lead to, kept for the last position: a page asks for all squares."""
        key = state.tobytes()
        if key != self._asked[0]:
            board, found = self.board(state), dict[Square, list[int]]()
            for push in () if board.is_solved else board.pushes:
                found.setdefault(push.target, []).append(self.action_of(push))
            self._asked = key, found
        return self._asked[1]

    def to_json(self) -> dict[str, Any]:
        """Return the level as text."""
        return {"level": "\n".join(self.level.rows)}

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Self:
        """Return the game of a level's text."""
        if set(data) != {"level"}:
            message = f"expected the text of a level, found {data!r:.60}"
            raise GameError(message)
        return cls(data["level"])

    def __repr__(self) -> str:
        return f"Sokoban on {self.level!r}"
