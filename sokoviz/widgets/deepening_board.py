"""The board of a node of iterative deepening: what became of its successors as arrows, and what killed it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sokoviz.overlays import Arrow, Mark
from sokoviz.search.ida_outline import FATES
from sokoviz.widgets.deepening_frames import LOOKS, role_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from sokoviz.picture import Picture
    from sokoviz.widgets.deepening import Shown


def picture_of(shown: Shown, layers: Collection[str]) -> tuple[Picture, str]:
    """Return the board of the selected node, and a caption.

    Parameters
    ----------
    shown
        What is on display.
    layers
        What the board is drawn with: component, pushes, matching.
    """
    board, stretch, node = shown.board, shown.stretch, shown.node
    matching = "side" if "matching" in layers else None
    picture = board.picture(component="component" in layers, matching=matching)
    if "pushes" in layers:
        picture = picture.with_overlays(*_arrows(shown))
    if node != stretch.root:
        picture = picture.with_overlays(Mark(stretch.record.move(node).source, "now", "dot"))
    dead = sorted({square for deadlock in shown.reason.deadlocks for square in deadlock.squares})
    picture = picture.with_overlays(*(Mark(square, "deadlock") for square in dead))
    depth = len(shown.branching.line) - 1
    words = [stretch.name(node) or "the start", f"depth {depth}", stretch.note(node), LOOKS[shown.reason.fate].name]
    return picture, " · ".join(word for word in words if word)


def _arrows(shown: Shown) -> Iterator[Arrow]:
    """An arrow for each successor, those that were cut first, so that the others lie on top of them."""
    stretch = shown.stretch
    children = stretch.outline.children(shown.node, stretch.end)
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
