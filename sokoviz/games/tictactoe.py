"""Tic-Tac-Toe, the game with which the thesis teaches Monte Carlo Tree Search (appendix B)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, Self

import numpy as np

from sokoviz.errors import GameError
from sokoviz.games.game import Game
from sokoviz.picture import Fill, Picture
from sokoviz.squares import Square

if TYPE_CHECKING:
    from sokoviz.core.types import Integers
    from sokoviz.overlays import SquareLike

SIDE = 3
N_CELLS = SIDE * SIDE
FULL = (1 << N_CELLS) - 1

LINES = (
    *(tuple(SIDE * row + column for column in range(SIDE)) for row in range(SIDE)),
    *(tuple(SIDE * row + column for row in range(SIDE)) for column in range(SIDE)),
    tuple(SIDE * k + k for k in range(SIDE)),
    tuple(SIDE * k + SIDE - 1 - k for k in range(SIDE)),
)
"""cells of the three rows, the three columns and the two diagonals"""

MARKS = "XO"
NOTHING = ".-_ "  # ways to write an empty cell


MASKS = tuple(sum(1 << cell for cell in line) for line in LINES)
"""the same lines as bits"""


class TicTacToe(Game):
    """Tic-Tac-Toe: three in a row win.

    A state is int64[2], the cells of X and of O as bits; X begins, so whose turn it is follows from their number. An
    action is a cell, 3 * row + column.

    Parameters
    ----------
    position
        Where the search begins: three rows of ``X``, ``O`` and ``.``, separated by line breaks or slashes, such as
        ``"X.O/.X./..."``; the empty board where left out.
    """

    name = "Tic-Tac-Toe"
    players = 2
    max_actions = N_CELLS
    max_length = N_CELLS

    class Tables(NamedTuple):
        """What the rules look up by a set of cells: 9 bits, bit 3 * row + column."""

        has_line: Integers
        """int64[512]: 1 where the set holds three in a row"""
        turn_of: Integers
        """int64[512]: who is to move when these cells are taken, 0 for X and 1 for O"""

    def __init__(self, position: str = "") -> None:
        sets = range(FULL + 1)
        has_line = [any(cells & mask == mask for mask in MASKS) for cells in sets]
        turn_of = [cells.bit_count() % 2 for cells in sets]
        self.tables = self.Tables(np.array(has_line, dtype=np.int64), np.array(turn_of, dtype=np.int64))
        self._start = _parse(position)

    # --- rules ---

    @staticmethod
    def list_actions(tables: Tables, state: Integers, actions: Integers) -> int:
        """Write the free cells in ascending order; none once somebody has three in a row."""
        over = tables.has_line[state[0]] | tables.has_line[state[1]]
        taken = state[0] | state[1] | -over  # -1 has all bits set
        n = 0
        # No branches: what is written for a taken cell is overwritten by the next free one.
        for cell in range(N_CELLS):
            actions[n] = cell
            n += 1 - ((taken >> cell) & 1)
        return n

    @staticmethod
    def play(tables: Tables, state: Integers, action: int) -> None:
        """Put the mark of whose turn it is."""
        state[tables.turn_of[state[0] | state[1]]] |= 1 << action

    @staticmethod
    def outcome(tables: Tables, state: Integers) -> int:
        """1 for three in a row, which only the last to move can have; 0 for a draw."""
        reward: int = tables.has_line[state[0]] | tables.has_line[state[1]]
        return reward

    # --- face ---

    def start(self) -> Integers:
        """Return the position that the search begins from."""
        return self._start.copy()

    def picture(self, state: Integers) -> Picture:
        """Return a position as a picture; three in a row are tinted."""
        cells = [_cell_name(state, cell) for cell in range(N_CELLS)]
        rows = tuple(tuple(cells[SIDE * row : SIDE * (row + 1)]) for row in range(SIDE))
        won = {_square(cell) for line in _lines_of(state) for cell in line}
        tinted = (Fill(won, "context"),) if won else ()
        return Picture(rows, tinted, coordinates=True, label=self._label(state))

    def action_name(self, state: Integers, action: int) -> str:  # noqa: ARG002
        """Return the name of a cell: column, then row, as in ``"Ba"``."""
        return _square(action).name

    def player_name(self, state: Integers) -> str:
        """Return who is to move, X or O."""
        return MARKS[_taken(state).bit_count() % 2]

    def outcome_name(self, state: Integers) -> str:
        """Return who has won."""
        winners = [mark for mark, cells in zip(MARKS, state, strict=True) if self.tables.has_line[cells]]
        return f"{winners[0]} wins" if winners else "draw"

    def action_at(self, state: Integers, square: SquareLike) -> int | None:
        """Return the cell of a square if it can be taken."""
        row, column = square
        cell = SIDE * row + column
        inside = 0 <= row < SIDE and 0 <= column < SIDE
        return cell if inside and not _taken(state) >> cell & 1 and not _lines_of(state) else None

    def squares_of(self, state: Integers, action: int) -> tuple[Square, ...]:  # noqa: ARG002
        """Return the one square that an action changes."""
        return (_square(action),)

    def starting_at(self, state: Integers) -> Self:
        """Return the game to be searched from another position."""
        return type(self)(self.position_text(state))

    def to_json(self) -> dict[str, Any]:
        """Return the first position as text."""
        return {"position": self.position_text(self._start)}

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Self:
        """Return the game that `to_json` described."""
        return cls(position=data["position"])

    def position_text(self, state: Integers) -> str:
        """Return a position as text, such as ``"X.O/.X./..."``."""
        cells = "".join(_cell_name(state, cell).replace("floor", ".") for cell in range(N_CELLS))
        return "/".join(cells[SIDE * row : SIDE * (row + 1)] for row in range(SIDE))

    def _label(self, state: Integers) -> str:
        """A position in one sentence."""
        over = bool(_lines_of(state)) or _taken(state) == FULL
        return f"Tic-Tac-Toe, {self.outcome_name(state) if over else self.player_name(state) + ' to move'}"

    def __repr__(self) -> str:
        where = f" from {self.position_text(self._start)}" if _taken(self._start) else ""
        return f"{self._label(self._start)}{where}"


def _square(cell: int) -> Square:
    """A cell as row and column."""
    return Square(*divmod(int(cell), SIDE))


def _taken(state: Integers) -> int:
    """All cells that are taken, as bits."""
    return int(state[0] | state[1])


def _cell_name(state: Integers, cell: int) -> str:
    """What a picture calls a cell."""
    return next((mark for mark, cells in zip(MARKS, state, strict=True) if int(cells) >> cell & 1), "floor")


def _lines_of(state: Integers) -> list[tuple[int, ...]]:
    """All three in a row; X can have two at once."""
    x, o = (int(cells) for cells in state)
    return [line for line, mask in zip(LINES, MASKS, strict=True) if mask in {x & mask, o & mask}]


def _parse(position: str) -> Integers:
    """A position as text to a state, with clear errors."""
    rows = position.strip("\n").replace("/", "\n").split("\n") if position else [NOTHING[0] * SIDE] * SIDE
    if [len(row) for row in rows] != [SIDE] * SIDE:
        message = f"expected three rows of three cells such as 'X.O/.X./...', found {position!r}"
        raise GameError(message)
    state = np.zeros(len(MARKS), dtype=np.int64)
    for cell, character in enumerate("".join(rows).upper()):
        if character in MARKS:
            state[MARKS.index(character)] |= 1 << cell
        elif character not in NOTHING:
            message = f"expected X, O or . in each cell, found {character!r} on {_square(cell).name} of {position!r}"
            raise GameError(message)
    _check_state(state, position)
    return state


def _check_state(state: Integers, position: str) -> None:
    """Raise where no game can lead to a position."""
    n_x, n_o = (int(cells).bit_count() for cells in state)
    if n_x - n_o not in {0, 1}:
        message = f"expected as many X as O or one more, because X begins; found {n_x} X and {n_o} O in {position!r}"
        raise GameError(message)
    last = (n_x + n_o + 1) % 2
    if any(int(state[1 - last]) & mask == mask for mask in MASKS):
        message = (
            f"expected the game to end with three in a row, found that {MARKS[last]} moved after "
            f"{MARKS[1 - last]} had won in {position!r}"
        )
        raise GameError(message)
