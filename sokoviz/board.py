"""A board to hold: look at its moves, push, undo, ask for its component and deadlocks; it draws itself."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

from sokoviz.actions import OPPOSITE_OF, STEP_OF, BoxMove, Deadlock, Matching, Push, describe, neighbour
from sokoviz.errors import IllegalMoveError, UnknownMoveError
from sokoviz.formats import board_text, read_moves
from sokoviz.history import History
from sokoviz.picture import Arrow, Fill, Heat, Mark, Overlay, Path, Picture
from sokoviz.squares import Square

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from sokoviz.analysis.positions import Analysis
    from sokoviz.levels import Level

DISTANCES = ("manhattan", "push", "side")
DEADLOCK_RULES = (
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
"""Names of the deadlock tests, those of the thesis (section 4.2.1) first."""

_CHARACTER_OF = {"wall": "#", "floor": " ", "outside": " ", "goal": ".", "box": "$", "box on goal": "*"}


class Board:
    """A level being played.

    Steps, undo and redo are plain Python; what needs a search (component, pushes, deadlocks) is asked of the compiled
    kernels when it is wanted, so a board can be shown and stepped before they are loaded.

    Parameters
    ----------
    level
        The level; the board starts in its position.
    """

    def __init__(self, level: Level) -> None:
        self.level = level
        self.player = level.player
        self.boxes = frozenset(level.boxes)
        self._goals = frozenset(level.goals)
        self._history = History()
        self._known: Analysis | None = None

    def __repr__(self) -> str:
        """The level and what was done on it."""
        moves = f"{self.n_moves} move{'s' * (self.n_moves != 1)}"
        pushes = f"{self.n_pushes} push{'es' * (self.n_pushes != 1)}"
        return f"<Board of {self.level!r}: {moves}, {pushes}{', solved' * self.is_solved}>"

    # --- the position -------------------------------------------------------------------------------------------

    @property
    def moves(self) -> str:
        """What was done since the level's start, as a move string: upper case where a box was pushed."""
        return self._history.done

    @property
    def future(self) -> str:
        """What was undone and redo would do again, as a move string."""
        return self._history.undone

    @property
    def n_moves(self) -> int:
        """Number of moves since the start, pushes included."""
        return len(self.moves)

    @property
    def n_pushes(self) -> int:
        """Number of pushes since the start."""
        return sum(letter.isupper() for letter in self.moves)

    @property
    def is_solved(self) -> bool:
        """Whether every box is on a goal."""
        return self.boxes <= self._goals

    @property
    def position(self) -> str:
        """The position as level text."""
        rows = [[_CHARACTER_OF.get(name, " ") for name in row] for row in self._cell_names()]
        rows[self.player.row][self.player.column] = "+" if self.player in self._goals else "@"
        return board_text(["".join(row) for row in rows])

    @property
    def legal_moves(self) -> tuple[str, ...]:
        """Directions in which the player can step, upper case where that pushes a box."""
        return tuple(letter for letter in map(self._letter_of, "udlr") if letter)

    # --- doing and undoing --------------------------------------------------------------------------------------

    def _letter_of(self, direction: str) -> str:
        """The move that a step in a direction is: ``u`` or ``U``, empty where the way is barred."""
        ahead = neighbour(self.player, direction)
        if self._is_wall(ahead):
            return ""
        if ahead not in self.boxes:
            return direction
        beyond = neighbour(ahead, direction)
        return "" if self._is_wall(beyond) or beyond in self.boxes else direction.upper()

    def _is_wall(self, square: Square) -> bool:
        """Whether a square is wall; the player never gets near the edge of the rectangle."""
        return self.level.rows[square.row][square.column] == "#"

    def _apply(self, letter: str) -> None:
        """Do a move that is known to be legal, without writing it down."""
        direction = letter.lower()
        self.player = neighbour(self.player, direction)
        if letter.isupper():
            self.boxes = self.boxes - {self.player} | {neighbour(self.player, direction)}
        self._forget(letter)

    def _unapply(self, letter: str) -> None:
        """Take the last move back, without writing it down."""
        direction = letter.lower()
        if letter.isupper():
            self.boxes = self.boxes - {neighbour(self.player, direction)} | {self.player}
        self.player = neighbour(self.player, OPPOSITE_OF[direction])
        self._forget(letter)

    def _forget(self, letter: str) -> None:
        """Keep what is known of the position only where the move was a walk: then the state is the same."""
        if self._known is not None:
            self._known = None if letter.isupper() else self._known.after_walk(self.player)

    def step(self, direction: str) -> str:
        """Take one step, pushing a box if one is in the way.

        Parameters
        ----------
        direction
            ``u``, ``d``, ``l`` or ``r``.

        Returns
        -------
        The move done, in upper case where a box was pushed.

        Raises
        ------
        IllegalMoveError
            If a wall, or a box that cannot be pushed, is in the way; nothing changes then.
        """
        if direction not in STEP_OF:
            message = f"expected a direction out of u, d, l, r; found {direction!r}"
            raise UnknownMoveError(message)
        return self._do(direction)

    def play(self, moves: str) -> None:
        """Play a move string, with run lengths or without; undo then takes its moves back one by one.

        Raises
        ------
        MoveError
            If a character is no move, or a move is against the rules; nothing changes then.
        """
        self._do(read_moves(moves), one_by_one=True)

    def _do(self, moves: str, *, one_by_one: bool = False) -> str:
        """Do moves and write them down, or change nothing at all."""
        done = ""
        for index, wanted in enumerate(moves):
            letter = self._letter_of(wanted.lower())
            if not letter or (wanted.isupper() and letter.islower()):
                error = self._refusal(wanted, index)
                for undone in reversed(done):
                    self._unapply(undone)
                raise error
            self._apply(letter)
            done += letter
        self._history.add(done, one_by_one=one_by_one)
        return done

    def _refusal(self, wanted: str, index: int) -> IllegalMoveError:
        """Say why a move is against the rules."""
        ahead = neighbour(self.player, wanted.lower())
        beyond = neighbour(ahead, wanted.lower())
        if self._is_wall(ahead):
            found = f"a wall on {ahead.name}"
        elif ahead not in self.boxes:
            found = f"no box on {ahead.name} (an upper-case move is a push)"
        else:
            obstacle = "a wall" if self._is_wall(beyond) else "a box"
            found = f"the box on {ahead.name} blocked by {obstacle} on {beyond.name}"
        message = f"move {index + 1}, {wanted!r} from {self.player.name}: expected a free way, found {found}"
        return IllegalMoveError(message, index=index)

    def walk(self, square: tuple[int, int]) -> str:
        """Walk to a square by a shortest way, without pushing; return the moves.

        Raises
        ------
        IllegalMoveError
            If the square is not in the player's component.
        """
        return self._do(self._walk_to(Square(*square)))

    def _walk_to(self, square: Square) -> str:
        """The moves of a shortest walk."""
        walk = self._analysis.walk(square) if square in self.level.floor else None
        if walk is None:
            message = f"expected a square that the player can walk to from {self.player.name}, found {square.name}"
            raise IllegalMoveError(message)
        return walk

    def push(self, push: Push) -> str:
        """Walk behind a box and push it one square; return the moves.

        Raises
        ------
        IllegalMoveError
            If that is not one of `pushes`.
        """
        if push not in self.pushes:
            possible = ", ".join(map(str, self.pushes)) or "none"
            message = f"expected one of the legal pushes ({possible}), found {Push(Square(*push[0]), push[1])}"
            raise IllegalMoveError(message)
        return self._do(self._moves_of([push]))

    def push_box(self, source: tuple[int, int], target: tuple[int, int], player: tuple[int, int] | None = None) -> str:
        """Push a box to a square in as few pushes as possible, all other boxes fixed; return the moves.

        Parameters
        ----------
        source, target
            Where the box stands, and where it shall go.
        player
            A square that the player shall be able to walk to afterwards: the same move of a box can end with the player
            on either side of it. Any side where left out.

        Raises
        ------
        IllegalMoveError
            If there is no box, or it cannot be brought there.
        """
        source, target = Square(*source), Square(*target)
        if source not in self.boxes:
            message = f"expected a box on {source.name}, found none"
            raise IllegalMoveError(message)
        wanted = Square(*player) if player is not None else None
        path = self._analysis.push_path(source, target, wanted) if source in self.level.floor else None
        if path is None:
            message = f"expected a square to which the box on {source.name} can be pushed, found {target.name}"
            raise IllegalMoveError(message)
        return self._do(self._moves_of(path))

    def _moves_of(self, pushes: Iterable[Push]) -> str:
        """Moves that do some pushes one after the other, walks included."""
        trial = self.copy()
        moves = ""
        for push in pushes:
            behind = neighbour(push.box, OPPOSITE_OF[push.direction])
            moves += trial.walk(behind) + trial.step(push.direction)
        return moves

    def copy(self) -> Board:
        """Return a board in the same position with an empty history of its own."""
        board = Board(self.level)
        board.player, board.boxes, board._known = self.player, self.boxes, self._known
        return board

    def after(self, push: Push) -> Board:
        """Return a copy on which one push was done; this board stays as it is."""
        board = self.copy()
        board.push(push)
        return board

    def before(self, pull: Push) -> Board:
        """Return a copy on which a box was pulled; ``pull.back`` is the push that leads on from there."""
        if pull not in self.pulls:
            message = f"expected a pull that the player can do, found {pull}"
            raise IllegalMoveError(message)
        return self._moved(self.boxes - {pull.box} | {pull.target}, neighbour(pull.target, pull.direction))

    @property
    def ends(self) -> tuple[Board, ...]:
        """All positions that solve the level, one for each component that the player may be in then."""
        boxes = frozenset(self.level.goals)
        found, seen = [], set[Square]()
        for square in sorted(self.level.floor - boxes):
            if square not in seen:
                found.append(self._moved(boxes, square))
                seen |= found[-1].component
        return tuple(found)

    def _moved(self, boxes: frozenset[Square], player: Square) -> Board:
        """A copy in another position."""
        board = Board(self.level)
        board.boxes, board.player = boxes, player
        return board

    def undo(self) -> bool:
        """Take back one action: a step, a walk, or a push with its walk; return whether there was one."""
        return self.seek(self._history.stop_before())

    def redo(self) -> bool:
        """Do again what was undone last; return whether there was anything."""
        return self.seek(self._history.stop_behind())

    def restart(self) -> bool:
        """Go back to the level's start; `redo` and `seek` still know what was done."""
        return self.seek(0)

    def seek(self, n_moves: int) -> bool:
        """Go to where the first moves of `moves` + `future` lead; return whether that is elsewhere than here."""
        history = self._history
        if not 0 <= n_moves <= len(history.line):
            message = f"expected a number of moves from 0 to {len(history.line)}, found {n_moves}"
            raise IndexError(message)
        start = history.cursor
        for letter in reversed(history.line[n_moves:start]):
            self._unapply(letter)
        for letter in history.line[start:n_moves]:
            self._apply(letter)
        history.cursor = n_moves
        return n_moves != start

    # --- what the kernels find out ------------------------------------------------------------------------------

    @property
    def _analysis(self) -> Analysis:
        """What the kernels know of this position; numba is loaded here, not before."""
        if self._known is None:
            from sokoviz.analysis.positions import Analysis

            self._known = Analysis(self.level, self.boxes, self.player)
        return self._known

    @property
    def component(self) -> frozenset[Square]:
        """Squares that the player can reach without pushing (thesis, figure 4.2)."""
        return frozenset(self._analysis.squares(self._analysis.reached))

    @property
    def pushes(self) -> tuple[Push, ...]:
        """Pushes that the player can do from anywhere in the component (thesis, figure 4.3)."""
        return self._analysis.pushes()

    @property
    def pulls(self) -> tuple[Push, ...]:
        """Pulls that the player could do from anywhere in the component: moves of the game played backwards."""
        return self._analysis.pulls()

    def box_moves(self, source: tuple[int, int] | None = None) -> tuple[BoxMove, ...]:
        """Where boxes can be brought by any number of pushes, all other boxes fixed.

        Parameters
        ----------
        source
            Square of the one box to look at; all boxes where left out.
        """
        sources = sorted(self.boxes & self.level.floor) if source is None else [Square(*source)]
        return tuple(move for box in sources if box in self.boxes for move in self._analysis.box_moves(box))

    @property
    def key(self) -> tuple[tuple[Square, ...], Square]:
        """The equivalence state: the boxes, and the first square of the player's component (thesis, section 4.1.1).

        Two positions of a level with the same key have the same pushes and differ by a walk at most.
        """
        return tuple(sorted(self.boxes)), self._analysis.squares(self._analysis.reached)[0]

    @property
    def hash(self) -> int:
        """The equivalence state as the kernels' 64-bit Zobrist key."""
        return self._analysis.hash

    @cached_property
    def dead_squares(self) -> frozenset[Square]:
        """Locking tiles: floor from which a lone box reaches no goal (thesis, algorithm 2)."""
        live = set(self._analysis.squares(self._analysis.tables.live))
        return frozenset(self.level.floor - live)

    def deadlock(self, rule: str) -> Deadlock | None:
        """Apply one deadlock test by name, to all boxes.

        Parameters
        ----------
        rule
            One of `DEADLOCK_RULES`.

        Returns
        -------
        What it found, or None; none of the tests ever calls a solvable position dead.
        """
        if rule not in DEADLOCK_RULES:
            message = f"expected a deadlock rule out of {', '.join(DEADLOCK_RULES)}; found {rule!r}"
            raise ValueError(message)
        return None if self.is_solved else self._analysis.deadlock(rule)

    @property
    def deadlocks(self) -> tuple[Deadlock, ...]:
        """What each of the deadlock tests finds, with the squares that cause it; empty if none finds anything."""
        return tuple(found for rule in DEADLOCK_RULES if (found := self.deadlock(rule)))

    @property
    def n_areas(self) -> int:
        """Number of closed areas: free floor that the boxes cut off from the player."""
        return self._analysis.n_areas()

    def matching(self, distance: str = "manhattan") -> Matching:
        """Give every box a goal at the least total distance; the thesis's reward is minus that (section 4.1.2).

        Parameters
        ----------
        distance
            ``manhattan``; ``push`` for the pushes that a lone box needs, the player on its better side; ``side`` for
            those that it needs with the player where he is.
        """
        if distance not in DISTANCES:
            message = f"expected distance 'manhattan', 'push' or 'side', found {distance!r}"
            raise ValueError(message)
        return self._analysis.matching(distance)

    def matching_distances(self, distance: str = "manhattan") -> tuple[int, ...]:
        """How far box and goal of each pair of `matching` are apart; their sum is its cost.

        Parameters
        ----------
        distance
            As for `matching`.
        """
        return tuple(self._analysis.distance(*pair, distance) for pair in self.matching(distance).pairs)

    # --- drawing ------------------------------------------------------------------------------------------------

    @cached_property
    def _base_names(self) -> tuple[tuple[str, ...], ...]:
        """Names of all cells without boxes and player."""
        goals, floor = self._goals, self.level.floor

        def name_of(cell: str, square: tuple[int, int]) -> str:
            if cell == "#":
                return "wall"
            return "goal" if square in goals else "floor" if square in floor else "outside"

        return tuple(
            tuple(name_of(cell, (row, column)) for column, cell in enumerate(text))
            for row, text in enumerate(self.level.rows)
        )

    def _cell_names(self) -> list[list[str]]:
        """Names of all cells without the player."""
        names = [list(row) for row in self._base_names]
        for row, column in self.boxes:
            names[row][column] = "box on goal" if names[row][column] == "goal" else "box"
        return names

    def picture(  # noqa: PLR0913 - one keyword for each thing that can be drawn
        self,
        *,
        component: bool = False,
        pushes: bool = False,
        dead_squares: bool = False,
        deadlocks: bool = False,
        coordinates: bool = False,
        matching: str | None = None,
        heat: Heat | Mapping[tuple[int, int], float] | None = None,
        marks: Iterable[Mark | tuple[int, int]] = (),
        path: Iterable[tuple[int, int]] = (),
    ) -> Picture:
        """Return the position as a picture, with what is asked for drawn on it.

        Parameters
        ----------
        component
            Tint the squares that the player can reach.
        pushes
            An arrow for every legal push.
        dead_squares
            Cross out the locking tiles.
        deadlocks
            Mark the boxes of every deadlock found, and say below why it is one.
        coordinates
            Letter columns and rows.
        matching
            ``manhattan``, ``push`` or ``side``: draw the matching, see `matching`.
        heat
            Values by square, tinted on the cividis scale.
        marks
            Marks, or squares to be ringed.
        path
            Squares to be joined by a line.
        """
        overlays: list[Overlay] = []
        if heat is not None:
            overlays.append(heat if isinstance(heat, Heat) else Heat(heat))
        if component:
            overlays.append(Fill(self.component, "component"))
        if dead_squares:
            overlays.append(Fill(self.dead_squares, "dead"))
        if matching is not None:
            overlays.extend(self._matching_arrows(matching))
        if pushes:
            overlays.extend(Arrow(push.box, push.target, "context") for push in self.pushes)
        found = self.deadlocks if deadlocks else ()
        if found:
            culprits = {square for deadlock in found for square in deadlock.squares}
            overlays.extend(Mark(square, "deadlock") for square in sorted(culprits))
        overlays.extend(mark if isinstance(mark, Mark) else Mark(mark, "now") for mark in marks)
        squares = tuple(path)
        if squares:
            overlays.append(Path(squares))
        cells = self._cell_names()
        row, column = self.player
        cells[row][column] = "player on goal" if self.player in self._goals else "player"
        caption = " ".join(describe(found)) if found else ""
        return Picture(tuple(map(tuple, cells)), tuple(overlays), coordinates, self._summary(), caption)

    def _matching_arrows(self, distance: str) -> list[Arrow]:
        """An arrow from each box to its goal with the distance, those that stand on theirs left out."""
        joined = zip(self.matching(distance).pairs, self.matching_distances(distance), strict=True)
        return [Arrow(*pair, "matching", str(apart)) for pair, apart in joined if pair[0] != pair[1]]

    def _summary(self) -> str:
        """The position in one sentence, for people who hear it."""
        on_goals = len(self.boxes & self._goals)
        title = self.level.title or self.level.name or "level"
        return f"{title}: {on_goals} of {len(self.boxes)} boxes on goals, player on {self.player.name}"

    def _repr_mimebundle_(self, **options: Any) -> dict[str, str]:
        """Draw the position in a notebook, as text elsewhere."""
        return self.picture()._repr_mimebundle_(**options)
