"""Windows of a few squares whose boxes can never all get out: Junghanns and Schaeffer's deadlock tables.

A window is a rectangle of squares, each of them wall or floor, with boxes on some. All that lies around it is taken to
be free floor, as one area in which the player may walk, and a box that leaves it is taken away. Where the boxes of a
window cannot all leave it even so, or come to goals inside it, they cannot in any level:

- Take a solution of the level, and follow in it only those boxes of the window that the pattern names, each until it
  leaves the window. Each of their pushes is a push in the window too: squares of the window are walls in the one where
  they are walls in the other, there are no more boxes in the way, and the player walks at least as far. At the end each
  of them has left, or stands on a goal. So the window could be solved.
- For the same reason a dead pattern stays dead where boxes or walls are added, or goals taken away: a solution of the
  harder pattern solves the easier one. Only the smallest patterns have to be kept.

The player counts: boxes that surround him may be pushed outwards, while from outside they are lost. The areas in which
he can be are the one outside, and those of floor inside that boxes and walls close off. A pattern is kept where it is
dead from outside, together with the squares inside from which it is not.

A window is a number with one bit a square. While it is searched there is a ring of outer squares around it, and the
player's squares are marked in the same number.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from sokoviz.core.compiling.jit import inlined, lean
from sokoviz.core.numbers.bits import trailing_zeros
from sokoviz.core.types import DOWN, RIGHT, UP, Integers

MOST_SQUARES = 20  # of a window: all sets of boxes on them are looked at


class Window(NamedTuple):
    """A size of windows, and room to search one."""

    width: int
    """squares from one row of the window to the next, the ring counted"""
    ring: int
    """the squares around the window, as bits"""
    places: Integers
    """int64[n]: bits of the window's squares, row by row, with the ring around them"""
    bits: Integers
    """int64[n_free], scratch: places of those that are no wall"""
    number_of: Integers
    """int64[64], scratch: the bit that stands for a box on a square in the number of a set of boxes; 0 on the ring"""
    alive: Integers
    """int64[2 ** most_free], out: for each set of boxes, the squares from which the player gets them all out"""
    unsolved: Integers
    """int64[2 ** most_free], scratch: sets that may be alive yet"""
    found: Integers
    """int64[2 ** most_free, 2], out: boxes that are dead from outside, and squares inside from which they are not"""


def make_window(n_rows: int, n_columns: int, most_free: int = MOST_SQUARES) -> Window:
    """Return room to search windows of so many rows and columns, with no more than some squares that are no wall."""
    width, n = n_columns + 2, n_rows * n_columns
    n_sets = 1 << min(n, most_free)
    places = np.array([(row + 1) * width + column + 1 for row in range(n_rows) for column in range(n_columns)])
    inside = sum(1 << int(place) for place in places)
    return Window(
        width=width,
        ring=(1 << width * (n_rows + 2)) - 1 - inside,
        places=places.astype(np.int64),
        bits=np.zeros(n, dtype=np.int64),
        number_of=np.zeros(64, dtype=np.int64),
        alive=np.zeros(n_sets, dtype=np.int64),
        unsolved=np.zeros(n_sets, dtype=np.int64),
        found=np.zeros((n_sets, 2), dtype=np.int64),
    )


@lean
def lowest(bits: int) -> int:
    """Number of the lowest bit that is set."""
    return np.int64(trailing_zeros(np.uint64(bits)))


@lean
def solve_window(window: Window, walls: int, goals: int) -> int:
    """Find for all sets of boxes in a window from where the player gets them out, or to goals.

    A push leaves as many boxes in the window or one fewer. So sets are looked at in the order of their size, and those
    of one size again and again until no more of them is found alive. What is dead with a box less is dead.

    Parameters
    ----------
    window : Window; the answer is in window.alive, where a set is a number with one bit for each square that is no wall
    walls, goals : bits of the window's squares

    Returns
    -------
    number of squares that are no wall
    """
    n_free, free, marked = 0, 0, 0
    for square in range(len(window.places)):
        if not walls >> square & 1:
            place = window.places[square]
            window.bits[n_free] = place
            window.number_of[place] = 1 << n_free
            free |= 1 << place
            marked |= (goals >> square & 1) << place
            n_free += 1
    for chosen in range(1 << n_free):
        window.alive[chosen] = 0
    window.alive[0] = free | window.ring
    for size in range(1, n_free + 1):
        n_unsolved, is_new = _begin_size(window, free, marked, n_free, size), True
        while n_unsolved > 0 and is_new:
            n_unsolved, is_new = _look_again(window, free, marked, n_unsolved)
    return n_free


@lean
def _begin_size(window: Window, free: int, goals: int, n_free: int, size: int) -> int:
    """Look at all sets of so many boxes for the first time; return the number of those that may be alive yet."""
    n_unsolved, chosen = 0, (1 << size) - 1
    while chosen < 1 << n_free:
        if _look_at(window, free, goals, chosen) != 0:
            window.unsolved[n_unsolved] = chosen
            n_unsolved += 1
        # Gosper's hack: the next number with as many bits
        high = chosen + (chosen & -chosen)
        chosen = high | (high ^ chosen) >> (lowest(chosen) + 2)
    return n_unsolved


@lean
def _look_again(window: Window, free: int, goals: int, n_unsolved: int) -> tuple[int, bool]:
    """Look again at sets that may be alive yet; return how many are left, and whether anything new was found."""
    n_left, is_new = 0, False
    for index in range(n_unsolved):
        chosen = window.unsolved[index]
        before = window.alive[chosen]
        if _look_at(window, free, goals, chosen) != 0:
            window.unsolved[n_left] = chosen
            n_left += 1
        is_new |= window.alive[chosen] != before
    return n_left, is_new


@inlined
def _look_at(window: Window, free: int, goals: int, chosen: int) -> int:
    """Mark the areas from which a push leads on to what is alive; return the squares that may be alive yet."""
    boxes, possible, rest = 0, free | window.ring, chosen
    while rest != 0:
        boxes |= 1 << window.bits[lowest(rest)]
        possible &= window.alive[chosen ^ (rest & -rest)]
        rest &= rest - 1
    possible &= ~boxes
    if boxes & ~goals == 0:
        window.alive[chosen] = possible
    left = possible & ~window.alive[chosen]
    while left != 0:
        area = _flood(window, free & ~boxes, window.ring if left & window.ring else left & -left)
        if _can_solve_from(window, free & ~boxes, area, boxes, chosen):
            window.alive[chosen] |= area
        left &= ~area
    return possible & ~window.alive[chosen]


@inlined
def _flood(window: Window, free: int, start: int) -> int:
    """The squares that the player can walk to from some: bits of free squares, and those of the start."""
    before, area = 0, start
    while area != before:
        before = area
        area |= (area << 1 | area >> 1 | area << window.width | area >> window.width) & free
    return area


@inlined
def _can_solve_from(window: Window, free: int, area: int, boxes: int, chosen: int) -> bool:
    """Whether a push from an area leads to what is known to be alive."""
    for direction in range(4):
        step = window.width if direction in (UP, DOWN) else 1
        if direction in (DOWN, RIGHT):
            ready = boxes & area << step & (free | window.ring) >> step
        else:
            ready = boxes & area >> step & (free | window.ring) << step
        while ready != 0:
            place = lowest(ready)
            target = place + step if direction in (DOWN, RIGHT) else place - step
            if window.alive[chosen ^ window.number_of[place] | window.number_of[target]] >> place & 1:
                return True
            ready &= ready - 1
    return False


@lean
def find_smallest_sets(window: Window, walls: int, goals: int) -> int:
    """List the smallest sets of boxes that cannot all be brought out of a window from outside, nor to goals in it.

    Parameters
    ----------
    window : Window; the sets are in window.found
    walls, goals : bits of the window's squares

    Returns
    -------
    number of sets
    """
    n_free, n_found = solve_window(window, walls, goals), 0
    for chosen in range(1, 1 << n_free):
        if window.alive[chosen] & window.ring == 0 and _is_smallest(window, chosen):
            window.found[n_found, 0] = squares_of(window, sum_of_bits(window, chosen))
            window.found[n_found, 1] = squares_of(window, window.alive[chosen])
            n_found += 1
    return n_found


@inlined
def _is_smallest(window: Window, chosen: int) -> bool:
    """Whether no set with a box less is dead from wherever this one is."""
    rest = chosen
    while rest != 0:
        fewer = chosen ^ (rest & -rest)
        if window.alive[fewer] & ~window.alive[chosen] & ~sum_of_bits(window, chosen) == 0:
            return False
        rest &= rest - 1
    return True


@lean
def sum_of_bits(window: Window, chosen: int) -> int:
    """Bits of a set of boxes, by its number."""
    boxes = 0
    while chosen != 0:
        boxes |= 1 << window.bits[lowest(chosen)]
        chosen &= chosen - 1
    return boxes


@lean
def squares_of(window: Window, marked: int) -> int:
    """Those of some bits that stand for squares of the window, numbered without the ring."""
    squares = 0
    for square in range(len(window.places)):
        squares |= (marked >> window.places[square] & 1) << square
    return squares
