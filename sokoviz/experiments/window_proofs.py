"""Dead patterns of windows proven again, one by one: a search from the pattern, which shares nothing with the kernels.

The kernels look at all sets of boxes of a window at once, from the smallest up, and find what is alive. Here the pushes
are played forward from one pattern until there are no more positions; it is dead where none of them is without boxes.
"""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sokoviz.core.window_patterns import Patterns

Place = tuple[int, int]
Boxes = frozenset[Place]
OUTSIDE = (-1, -1)
STEPS = ((-1, 0), (1, 0), (0, -1), (0, 1))


class Pattern(NamedTuple):
    """Boxes in a window, in squares (row, column) of it."""

    floor: frozenset[Place]
    """squares that are no wall, and those around the window"""
    window: frozenset[Place]
    boxes: Boxes
    inside: frozenset[Place]
    """where the player has to be to get the boxes out"""


def patterns_in(patterns: Patterns) -> Iterator[Pattern]:
    """Yield the patterns of a table one by one."""
    squares = list(product(range(patterns.n_rows), range(patterns.n_columns)))
    around = frozenset(product(range(-1, patterns.n_rows + 1), range(-1, patterns.n_columns + 1)))
    for masks in zip(*(mask.tolist() for mask in patterns[2:]), strict=True):
        walls, boxes, inside = (frozenset(s for i, s in enumerate(squares) if mask >> i & 1) for mask in masks)
        yield Pattern(around - walls, frozenset(squares), boxes, inside)


def is_dead(pattern: Pattern) -> bool:
    """Return whether a pattern is dead from everywhere but the squares that it names, by exhaustive search."""
    starts = pattern.floor - pattern.boxes - pattern.inside
    while starts:
        player = min(starts)  # the first is outside, and then one in each area that is closed off
        if _can_clear(pattern, player):
            return False
        starts -= _area_of(pattern.floor - pattern.boxes, player)
    return True


def _can_clear(pattern: Pattern, player: Place) -> bool:
    """Whether the player brings all boxes out of the window."""
    todo, seen = [(pattern.boxes, player)], set()
    while todo:
        boxes, player = todo.pop()
        if not boxes:
            return True
        area = _area_of(pattern.floor - boxes, player)
        key = boxes, min(area)
        if key not in seen:
            seen.add(key)
            todo.extend(_pushes(pattern, boxes, area))
    return False


def _pushes(pattern: Pattern, boxes: Boxes, area: frozenset[Place]) -> Iterator[tuple[Boxes, Place]]:
    """Boxes and player after each push; a box that leaves the window is taken away."""
    for box in boxes:
        for down, right in STEPS:
            target = box[0] + down, box[1] + right
            is_free = target in pattern.floor and target not in boxes
            if is_free and (box[0] - down, box[1] - right) in area:
                yield boxes - {box} | {target} & pattern.window, box


def _area_of(free: frozenset[Place], player: Place) -> frozenset[Place]:
    """The squares that the player can walk to."""
    area, todo = {player}, [player]
    while todo:
        row, column = todo.pop()
        near = {(row + down, column + right) for down, right in STEPS} & free - area
        area |= near
        todo.extend(near)
    return frozenset(area)
