"""What a page needs to show a board, as plain data: the picture, the counts, the line that says what is going on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sokoviz.actions import describe
from sokoviz.picture import Mark
from sokoviz.widgets.base import loading as warmup

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sokoviz.actions import Deadlock
    from sokoviz.board import Board
    from sokoviz.picture import Picture
    from sokoviz.widgets.board.play import Pick, Play

HINT = "Arrow keys or WASD step. Click a square to walk there. Click or drag a box to push it."


@dataclass(frozen=True)
class Overlays:
    """Which overlays are wanted."""

    component: bool = False
    pushes: bool = False
    dead_squares: bool = False
    coordinates: bool = False


def picture_of(board: Board, wanted: Overlays, deadlocks: Iterable[Deadlock], *, is_warm: bool) -> Picture:
    """Return the position with its overlays; those that need kernels are left out until these are loaded."""
    picture = board.picture(
        component=wanted.component and is_warm,
        pushes=wanted.pushes and is_warm,
        dead_squares=wanted.dead_squares and is_warm,
        coordinates=wanted.coordinates,
    )
    culprits = sorted({square for deadlock in deadlocks for square in deadlock.squares})
    return picture.with_overlays(*(Mark(square, "deadlock") for square in culprits))


def counts_of(board: Board) -> str:
    """Moves, pushes and boxes on goals, in words."""
    goals = frozenset(board.level.goals)
    on_goals = f"{len(board.boxes & goals)} of {_count(len(board.boxes), 'box', 'boxes')} on goals"
    return f"{_count(board.n_moves, 'move')} · {_count(board.n_pushes, 'push', 'pushes')} · {on_goals}"


def _count(number: int, singular: str, plural: str = "") -> str:
    """A number with its noun."""
    return f"{number} {singular if number == 1 else plural or singular + 's'}"


def status_of(play: Play, deadlocks: tuple[Deadlock, ...], *, is_warm: bool) -> dict[str, str]:
    """Return what the status line says: its kind, a few strong words, and a sentence."""
    board = play.board
    if play.note:
        return _status("note", "", play.note)
    if play.pick:
        return _pick_status(play.pick)
    if board.is_solved:
        result = f"{_count(board.n_pushes, 'push', 'pushes')}, {_count(board.n_moves, 'move')}."
        return _status("solved", "Solved!", result)
    if deadlocks:
        return _deadlock_status(deadlocks)
    return _status("hint", "", HINT) if is_warm else _status("compiling", "", warmup.announcement())


def _pick_status(pick: Pick) -> dict[str, str]:
    """What can be done with a box that is picked up."""
    n_targets = _count(len(pick.targets), "dotted square")
    text = f"Choose one of {n_targets}" if len(pick.targets) > 1 else f"Choose the {n_targets[2:]}"
    text = text if pick.targets else "It cannot be pushed now"
    return _status("picked", f"Box on {pick.box.name}.", f"{text}; Escape lets go.")


def _deadlock_status(deadlocks: tuple[Deadlock, ...]) -> dict[str, str]:
    """The deadlocks by name, and why the first is one."""
    return _status("deadlock", *describe(deadlocks))


def _status(kind: str, lead: str, text: str) -> dict[str, str]:
    """The status line as data."""
    return {"kind": kind, "lead": lead, "text": text}


def scene_of(play: Play, picture: Picture) -> dict[str, Any]:
    """Return all that depends on the position alone, and on what is picked up."""
    board, pick = play.board, play.pick
    shown = picture.with_overlays(*pick.overlays()) if pick else picture
    return {
        "picture": shown.to_json(),
        "title": board.level.title or board.level.name or "Untitled level",
        "author": f"by {board.level.author}" if board.level.author else "",
        "counts": counts_of(board),
        "n_moves": board.n_moves,
        "n_total": board.n_moves + len(board.future),
        "focus": list(board.player),
        "handles": [list(box) for box in sorted(board.boxes & board.level.floor)],
        "selected": list(pick.box) if pick else None,
    }
