"""The dead patterns of windows proven again, by another argument than the one that found them.

The kernels find what is alive, from small sets of boxes to large ones; what is left is dead. Here nothing is known of
what is alive. The patterns of a table are dead together if no push leads out of them: if each push, from each of them,
leads to a position that one of them fits again. Then a play that begins in one of them stays among them for ever, and
the boxes never all get out, since no pattern fits a window without boxes. Where a push leads to a position that none of
them fits, the play is followed from there; a search that ends with some boxes left in the window proves the same.
"""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from sokoviz.core.deadlocks.window_patterns import all_images

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sokoviz.core.deadlocks.window_patterns import WindowPatterns

Place = tuple[int, int]
STEPS = ((-1, 0), (1, 0), (0, -1), (0, 1))


class WindowPosition(NamedTuple):
    """Boxes in a window, in squares (row, column) of it, and where the player can walk."""

    boxes: frozenset[Place]
    area: frozenset[Place]


def prove(patterns: WindowPatterns) -> Iterator[bool]:
    """Yield for each pattern of a table whether no play leads from it out of all of them."""
    images = next(images for images in all_images([patterns]) if images[:2] == patterns[:2])
    squares = list(product(range(patterns.n_rows), range(patterns.n_columns)))
    for masks in zip(*(mask.tolist() for mask in patterns[2:]), strict=True):
        walls, boxes, inside = (frozenset(s for i, s in enumerate(squares) if mask >> i & 1) for mask in masks)
        fitting = np.flatnonzero(images.walls & ~np.uint32(masks[0]) == 0)
        room = WindowProof(patterns, walls, *(mask[fitting] for mask in (images.boxes, images.inside)))
        yield not any(room.can_escape(WindowPosition(boxes, area)) for area in room.areas(boxes) if not area <= inside)


class WindowProof:
    """A window with some walls, and what is claimed of it.

    Parameters
    ----------
    size
        Patterns of the window's size.
    walls
        Squares of the window.
    boxes, inside
        uint32[n]: sets of boxes that are said to be dead with these walls, and from where they are not.
    """

    def __init__(self, size: WindowPatterns, walls: frozenset[Place], boxes: np.ndarray, inside: np.ndarray) -> None:
        n_rows, n_columns = size[:2]
        self._bit_of = {square: 1 << i for i, square in enumerate(product(range(n_rows), range(n_columns)))}
        self._floor = frozenset(product(range(-1, n_rows + 1), range(-1, n_columns + 1))) - walls
        self._boxes, self._inside = boxes, inside

    def areas(self, boxes: frozenset[Place]) -> Iterator[frozenset[Place]]:
        """Yield the areas in which the player can be: the one outside, then those that are closed off."""
        left = self._floor - boxes
        while left:
            area = _area_of(self._floor - boxes, min(left))
            left -= area
            yield area

    def can_escape(self, position: WindowPosition) -> bool:
        """Return whether some play from a position gets all boxes out and meets nothing that is said to be dead."""
        todo, seen = [position], {position}
        while todo:
            before = todo.pop()
            if not before.boxes:
                return True
            for after in self._pushes(before):
                if after not in seen and not self._is_said_to_be_dead(after):
                    seen.add(after)
                    todo.append(after)
        return False

    def _is_said_to_be_dead(self, position: WindowPosition) -> bool:
        """Whether one of the patterns fits a position."""
        boxes, area = (np.uint32(self._mask_of(squares)) for squares in position)
        fits = self._boxes[(self._boxes & ~boxes == 0) & (self._inside & area == 0)]
        return len(fits) > 0

    def _mask_of(self, squares: frozenset[Place]) -> int:
        """Squares as bits, those outside left out."""
        return sum(self._bit_of.get(square, 0) for square in squares)

    def _pushes(self, position: WindowPosition) -> Iterator[WindowPosition]:
        """The positions after each push; a box that leaves the window is taken away."""
        boxes, area = position
        for box in boxes:
            for down, right in STEPS:
                target = box[0] + down, box[1] + right
                is_free = target in self._floor and target not in boxes
                if is_free and (box[0] - down, box[1] - right) in area:
                    after = boxes - {box} | ({target} & self._bit_of.keys())
                    yield WindowPosition(after, _area_of(self._floor - after, box))


def _area_of(free: frozenset[Place], player: Place) -> frozenset[Place]:
    """The squares that the player can walk to."""
    area, todo = {player}, [player]
    while todo:
        row, column = todo.pop()
        near = {(row + down, column + right) for down, right in STEPS} & free - area
        area |= near
        todo.extend(near)
    return frozenset(area)
