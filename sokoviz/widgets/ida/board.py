"""The board of a node of iterative deepening: what became of its successors as arrows, and what killed it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from sokoviz.overlays import Arrow, Mark
from sokoviz.search.ida.fates import FATES
from sokoviz.search.ida.reasons import Reason, board_at, reason_of
from sokoviz.widgets.ida.frames import LOOKS, role_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from sokoviz.board import Board
    from sokoviz.overlays import Overlay
    from sokoviz.picture import Picture
    from sokoviz.search.ida.drawing import Stretch
    from sokoviz.search.ida.search import IDA
    from sokoviz.squares import Square

LAYERS = ("component", "pushes", "matching")
MATCHING = "side"  # the distance that the bound of the search goes by


class Place(NamedTuple):
    """A node of the tree of a threshold at some moment."""

    stretch: Stretch
    """the events up to the moment"""
    node: int
    board: Board
    """its position"""
    reason: Reason
    """what became of it"""


def place_of(search: IDA, stretch: Stretch, node: int, board: Board | None = None) -> Place:
    """Return what is known of a node; `board` is given where another position than its own is shown."""
    board = board or board_at(search, stretch, node)
    return Place(stretch, node, board, reason_of(search, stretch, node, board))


def picture_of(place: Place, layers: Collection[str]) -> Picture:
    """Return the board of a node.

    Parameters
    ----------
    place
        The node.
    layers
        What the board is drawn with: component, pushes, matching.
    """
    matching = MATCHING if "matching" in layers else None
    picture = place.board.picture(component="component" in layers, matching=matching)
    if "pushes" in layers:
        picture = picture.with_overlays(*arrows_of(place.stretch, place.node))
    return picture.with_overlays(*marks_of(place))


def caption_of(place: Place) -> str:
    """Return what is written under the board: the move into a node, how deep it is, and what became of it."""
    stretch, node = place.stretch, place.node
    depth = len(stretch.path(node)) - 1
    words = [stretch.name(node) or "the start", f"depth {depth}", stretch.note(node), LOOKS[place.reason.fate].name]
    return " · ".join(word for word in words if word)


def marks_of(place: Place) -> Iterator[Overlay]:
    """Yield where the box came from that was moved last, and the squares that make the position dead."""
    if place.node != place.stretch.root:
        yield Mark(place.stretch.record.move(place.node).source, "now", "dot")
    dead = {square for deadlock in place.reason.deadlocks for square in deadlock.squares}
    yield from (Mark(square, "deadlock") for square in sorted(dead))


def arrows_of(stretch: Stretch, node: int) -> Iterator[Arrow]:
    """Yield an arrow for each successor, those that were cut first, so that the others lie on top of them."""
    children = stretch.outline.children(node, stretch.end)
    fates = stretch.outline.fates(np.array(children, dtype=np.int64), stretch.end)
    told = sorted(zip(children, fates.tolist(), strict=True), key=lambda each: -each[1])
    drawn = set()
    for child, fate in told:
        move = stretch.record.move(child)
        n = f"×{move.n_pushes}" if move.n_pushes > 1 else ""
        arrow = Arrow(move.source, move.target, role_of(FATES[fate]), n)
        if arrow not in drawn:
            drawn.add(arrow)
            yield arrow


def targets_of(stretch: Stretch, node: int) -> dict[Square, int]:
    """Return the squares on which a click means a successor of a node, the first that takes a box there."""
    found: dict[Square, int] = {}
    for child in stretch.outline.children(node, stretch.end):
        found.setdefault(stretch.record.move(child).target, child)
    return found
