"""What a reader does on a board, by key or by pointer, and what comes of it. No page and no widget in here."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from sokoviz.errors import IllegalMoveError
from sokoviz.picture import Mark
from sokoviz.squares import Square
from sokoviz.widgets.base import loading as warmup

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sokoviz.board import Board
    from sokoviz.picture import Overlay

_WAY_OF = {"u": "up", "d": "down", "l": "to the left", "r": "to the right"}


@dataclass(frozen=True)
class Pick:
    """A box that was picked up, and the squares it can be pushed to."""

    box: Square
    targets: frozenset[Square]

    def overlays(self) -> list[Overlay]:
        """A ring around the box and a dot on each target."""
        return [Mark(self.box, "now"), *(Mark(target, "control", "dot") for target in sorted(self.targets))]


class Play:
    """A board in someone's hands.

    Parameters
    ----------
    board
        The board that is played.
    """

    ACTIONS: ClassVar[frozenset[str]] = frozenset(
        {"step", "undo", "redo", "restart", "finish", "seek", "press", "release", "drop"}
    )
    """names of the methods that a page may call"""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.pick: Pick | None = None
        self.note = ""
        """a remark on the last action, such as why it did nothing"""
        self._pressed: tuple[Square, bool] | None = None

    def drop(self, note: str = "") -> None:
        """Let go of everything."""
        self.pick, self.note, self._pressed = None, note, None

    # --- moves ----------------------------------------------------------------------------------------------------

    def step(self, direction: str) -> None:
        """Take one step; where it repeats the next move that was undone, those behind it are kept."""
        board = self.board
        self.drop()
        if board.future[:1].lower() == direction:
            board.seek(board.n_moves + 1)
        elif direction in (letter.lower() for letter in board.legal_moves):
            board.step(direction)
        else:
            self.note = f"The way {_WAY_OF[direction]} is blocked."

    def undo(self) -> None:
        """Take an action back."""
        self.drop("" if self.board.undo() else "Nothing to undo.")

    def redo(self) -> None:
        """Do an action again."""
        self.drop("" if self.board.redo() else "Nothing to redo.")

    def restart(self) -> None:
        """Go back to the start."""
        self.seek(0)

    def finish(self) -> None:
        """Go to the end of what is known."""
        self.seek(self.board.n_moves + len(self.board.future))

    def seek(self, n_moves: int) -> None:
        """Go to any of the moves."""
        self.board.seek(n_moves)
        self.drop()

    # --- pointer --------------------------------------------------------------------------------------------------

    def press(self, square: Sequence[int]) -> None:
        """A pointer goes down: a box there is picked up."""
        here = Square(*square)
        was_picked = self.pick is not None and self.pick.box == here
        if here in self.board.boxes & self.board.level.floor and warmup.is_warm():
            self.drop()
            self.pick = Pick(here, frozenset(move.target for move in self.board.box_moves(here)))
        self._pressed = (here, was_picked)

    def release(self, square: Sequence[int] | None) -> None:
        """A pointer goes up: on its own square that was a click, elsewhere a box was dragged there."""
        if self._pressed is None or not warmup.is_warm():
            return
        source, was_picked = self._pressed
        target = Square(*square) if square else None
        self._pressed = None
        if self.pick is not None and self.pick.box == source:
            self._release_box(self.pick, target, was_picked=was_picked)
        elif source == target:
            self._click(source)

    def _release_box(self, pick: Pick, target: Square | None, *, was_picked: bool) -> None:
        """End a press that began on a box: a first click leaves it picked up."""
        if target is None or (target == pick.box and was_picked):
            self.drop()
        elif target != pick.box:
            self._push(pick.box, target)

    def _click(self, square: Square) -> None:
        """A click beside the boxes: the place for the box that is picked up, or a walk."""
        if self.pick is None:
            self._walk(square)
        elif square in self.pick.targets:
            self._push(self.pick.box, square)
        else:
            self.drop()

    def _push(self, box: Square, target: Square) -> None:
        """Push a box to a square by the shortest way."""
        refusal = f"The box on {box.name} cannot be pushed to {target.name}."
        self._attempt(lambda: self.board.push_box(box, target), refusal)

    def _walk(self, square: Square) -> None:
        """Walk to a square."""
        self._attempt(lambda: self.board.walk(square), f"The player cannot walk to {square.name}.")

    def _attempt(self, action: Callable[[], object], refusal: str) -> None:
        """Do something, or remark that it is against the rules."""
        self.drop()
        try:
            action()
        except IllegalMoveError:
            self.note = refusal
