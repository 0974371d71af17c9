"""All smallest dead patterns of windows of one size: found by searching every layout of walls, and kept in a file.

`sokoviz tables make` writes the file that is shipped. A pattern says which squares have to be wall and which have to
have boxes; what the others are does not matter. It stands for its mirror images and rotations too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sokoviz.core.compiling.jit import lean
from sokoviz.core.deadlocks.windows import Window, find_smallest_sets, make_window
from sokoviz.core.types import Flags, Integers

FILE = Path(__file__).with_name("windows.npz")
LAYOUTS_A_CALL = 1 << 8  # so that a call takes less than a second


class WindowPatterns(NamedTuple):
    """Dead patterns of one size of windows. Squares are bits, row by row."""

    n_rows: int
    n_columns: int
    walls: NDArray[np.uint32]
    """uint32[n]: squares that have to be wall"""
    boxes: NDArray[np.uint32]
    """uint32[n]: squares that have to have boxes"""
    inside: NDArray[np.uint32]
    """uint32[n]: closed off squares from which the player gets the boxes out all the same"""


def make_patterns(n_rows: int, n_columns: int, progress: Callable[[int, int], None]) -> WindowPatterns:
    """Search all windows of one size; of patterns that are images of each other one is returned.

    Parameters
    ----------
    n_rows, n_columns : size of the window
    progress : called now and then with the number of layouts of walls that are done, and of all
    """
    window, n_layouts = make_window(n_rows, n_columns), 1 << n_rows * n_columns
    starts = np.zeros(n_layouts + 1, dtype=np.int64)
    sets = np.zeros((n_layouts, 2), dtype=np.int32)
    is_smallest = np.zeros(len(sets), dtype=np.bool_)
    done = 0
    while done < n_layouts:
        done = list_sets(window, done, min(done + LAYOUTS_A_CALL, n_layouts), starts, sets, is_smallest)
        if len(sets) - starts[done] < len(window.found):
            sets = np.concatenate([sets, np.zeros_like(sets)])
            is_smallest = np.concatenate([is_smallest, np.zeros_like(is_smallest)])
        progress(done, n_layouts)
    n = starts[-1]
    walls = np.repeat(np.arange(n_layouts), np.diff(starts))[is_smallest[:n]]
    return _one_of_each(
        WindowPatterns(n_rows, n_columns, walls.astype(np.uint32), *sets[:n][is_smallest[:n]].T.astype(np.uint32))
    )


@lean
def list_sets(window: Window, layout: int, end: int, starts: Integers, sets: Integers, is_smallest: Flags) -> int:
    """List the smallest dead sets of boxes for one layout of walls after the other, and which need all their walls.

    A layout comes after all those with fewer of its walls.

    Parameters
    ----------
    window : Window
    layout, end : the first layout to search, and the first not to
    starts : int64[n_layouts + 1], out: where the sets of a layout begin
    sets : int32[n, 2], out: as in `find_smallest_sets`
    is_smallest : bool[n], out: whether a set is not as dead with a wall less

    Returns
    -------
    the first layout that is not searched, `end` unless there is no more room
    """
    while layout < end and len(sets) - starts[layout] >= len(window.found):
        n, start = find_smallest_sets(window, layout, 0), starts[layout]
        for k in range(n):
            boxes, inside = window.found[k, 0], window.found[k, 1]
            sets[start + k, 0], sets[start + k, 1] = boxes, inside
            is_smallest[start + k] = not _is_dead_with_a_wall_less(layout, boxes, inside, starts, sets)
        starts[layout + 1] = start + n
        layout += 1
    return layout


@lean
def _is_dead_with_a_wall_less(layout: int, boxes: int, inside: int, starts: Integers, sets: Integers) -> bool:
    """Whether a pattern was found before with one of its walls as floor, dead from as many squares.

    No smaller set of boxes can be in its place: with the wall it would be dead too, and this one not the smallest.
    """
    rest = layout
    while rest != 0:
        fewer = layout ^ (rest & -rest)
        for k in range(starts[fewer], starts[fewer + 1]):
            if sets[k, 0] == boxes and sets[k, 1] & ~layout & ~inside == 0:
                return True
        rest &= rest - 1
    return False


# --- mirror images and rotations -------------------------------------------------------------------------------------


def images_of(patterns: WindowPatterns) -> list[WindowPatterns]:
    """Return some patterns in all eight positions: mirrored and rotated, so that rows may become columns."""
    n_rows, n_columns = patterns.n_rows, patterns.n_columns
    numbers = np.arange(n_rows * n_columns).reshape(n_rows, n_columns)
    turned = [image for grid in (numbers, numbers.T) for image in (grid, grid[::-1], grid[:, ::-1], grid[::-1, ::-1])]
    return [WindowPatterns(*grid.shape, *(_rearranged(mask, grid.ravel()) for mask in patterns[2:])) for grid in turned]


def _rearranged(masks: NDArray[np.uint32], sources: Integers) -> NDArray[np.uint32]:
    """Masks, uint32[n], whose bits come from other places: int64[n_squares] says which."""
    image = np.zeros_like(masks)
    for bit, source in enumerate(sources.tolist()):
        image |= (masks >> np.uint32(source) & np.uint32(1)) << np.uint32(bit)
    return image


def _one_of_each(patterns: WindowPatterns) -> WindowPatterns:
    """Of patterns that are images of each other those whose numbers are the least."""
    mine, is_least = _keys_of(patterns), np.ones(len(patterns.walls), dtype=np.bool_)
    for image in images_of(patterns):
        if image[:2] == patterns[:2]:
            is_least &= mine <= _keys_of(image)
    return WindowPatterns(*patterns[:2], *(mask[is_least] for mask in patterns[2:]))


def _keys_of(patterns: WindowPatterns) -> NDArray[np.uint64]:
    """Walls and boxes as one number, uint64[n]; what is inside follows from them."""
    return patterns.walls.astype(np.uint64) << np.uint64(32) | patterns.boxes.astype(np.uint64)


def all_images(all_patterns: Iterable[WindowPatterns]) -> tuple[WindowPatterns, ...]:
    """Return patterns in all positions, one entry for each shape of windows, none of them twice."""
    by_shape: dict[tuple[int, int], list[WindowPatterns]] = {}
    for patterns in all_patterns:
        for image in images_of(patterns):
            by_shape.setdefault(image[:2], []).append(image)
    return tuple(_united(images) for images in by_shape.values())


def _united(images: list[WindowPatterns]) -> WindowPatterns:
    """All patterns of some tables of one shape, those with the same walls side by side."""
    masks = [np.concatenate([image[k] for image in images]) for k in (2, 3, 4)]
    kept = np.unique(_keys_of(WindowPatterns(*images[0][:2], *masks)), return_index=True)[1]
    return WindowPatterns(*images[0][:2], *(mask[kept] for mask in masks))


# --- the file --------------------------------------------------------------------------------------------------------


def write_patterns(path: Path, all_patterns: Iterable[WindowPatterns]) -> None:
    """Write patterns of some sizes."""
    arrays = {f"{patterns.n_rows}x{patterns.n_columns}": np.stack(patterns[2:]) for patterns in all_patterns}
    with path.open("wb") as file:
        np.savez_compressed(file, **arrays)


def read_patterns(path: Path) -> list[WindowPatterns]:
    """Return the patterns of a file, one entry a size."""
    with np.load(path) as arrays:
        return [WindowPatterns(*map(int, size.split("x")), *arrays[size]) for size in arrays.files]


@cache
def shipped_images() -> tuple[WindowPatterns, ...]:
    """Return the shipped patterns in all positions, one entry for each shape of windows."""
    return all_images(read_patterns(FILE))
