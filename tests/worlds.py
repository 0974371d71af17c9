"""Random small levels for tests, and the way from a level text to the kernels' arrays."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from hypothesis import strategies as st

from sokoviz.core.board.grid import from_bits, tables_of, to_bits
from sokoviz.core.board.reach import find_free, flood
from tests.twins import naive

if TYPE_CHECKING:
    from sokoviz.core.types import Tables


class World(NamedTuple):
    """A level twice: as sets of squares for the twins, as arrays for the kernels."""

    text: str
    floor: set[tuple[int, int]]
    goals: set[tuple[int, int]]
    boxes: set[tuple[int, int]]
    player: tuple[int, int]
    tables: Tables
    width: int

    def __repr__(self):
        return f"World of\n{self.text}"

    def number(self, square):
        """A square as the kernels count it."""
        return square[0] * self.width + square[1]

    def bits(self, squares):
        """A bitset of squares."""
        return to_bits([self.number(s) for s in squares], self.tables.width * self.tables.height)

    def squares(self, bits):
        """The squares of a bitset."""
        return {divmod(n, self.width) for n in from_bits(bits)}

    def reached(self, boxes, player):
        """Free floor and the component as bitsets."""
        free, reached = self.bits([]), self.bits([])
        find_free(self.tables, self.bits(boxes), free)
        flood(free, self.width, self.number(player), reached)
        return free, reached

    def pushes(self, numbers):
        """Kernel pushes as (square, direction) pairs."""
        return [(divmod(int(n) >> 2, self.width), "udlr"[int(n) & 3]) for n in numbers]


def world_of(text):
    """Read a level text."""
    rows = text.split("\n")
    width = max(map(len, rows))
    tables = tables_of(tuple(row.ljust(width) for row in rows))
    floor, goals, boxes, player = naive.read(text)
    return World(text, floor, goals, boxes, player, tables, width)


def random_text(random, height, width, n_boxes, wall_share=0.25):
    """A closed level with random inner walls; boxes, goals and player lie anywhere in one room of it."""
    while True:
        inner = {(r, c) for r in range(1, height - 1) for c in range(1, width - 1) if random.random() >= wall_share}
        if not inner:
            continue
        room = sorted(naive.reach(inner, set(), random.choice(sorted(inner))))
        if len(room) >= max(n_boxes + 2, 2 * n_boxes - 1):
            break
    *boxes, player = random.sample(room, n_boxes + 1)
    goals = random.sample(room, n_boxes)
    return draw(height, width, set(room), goals, boxes, player)


def draw(height, width, floor, goals, boxes, player):
    """Level text of sets of squares."""
    cell = {(False, False): " ", (True, False): ".", (False, True): "$", (True, True): "*"}

    def character(square):
        if square == player:
            return "+" if square in goals else "@"
        return cell[square in goals, square in boxes] if square in floor else "#"

    return "\n".join("".join(character((r, c)) for c in range(width)) for r in range(height))


def random_worlds(n, seed, height=6, width=7, n_boxes=3, wall_share=0.25):
    """Some random levels of one size."""
    random = Random(seed)
    return [world_of(random_text(random, height, width, n_boxes, wall_share)) for _ in range(n)]


@st.composite
def worlds(draw_value, max_boxes=4, max_side=9):
    """Hypothesis strategy: levels of various sizes, some of them wider than a 64-bit word."""
    height = draw_value(st.integers(3, max_side))
    width = draw_value(st.one_of(st.integers(5, max_side), st.sampled_from([63, 64, 65, 130])))
    n_boxes = draw_value(st.integers(1, min(max_boxes, (height - 2) * (width - 2) // 3 or 1)))
    seed = draw_value(st.integers(0, 2**32))
    return world_of(random_text(Random(seed), height, width, n_boxes, draw_value(st.sampled_from([0.0, 0.2, 0.4]))))


def empty_numbers(n):
    """An array for kernels to write numbers into."""
    return np.empty(n, dtype=np.int64)


def random_positions(world, n, seed):
    """Some boxes on squares that are no locking tiles, the player, and one of the boxes."""
    random, live = Random(seed), sorted(world.squares(world.tables.live))
    for _ in range(n if len(live) >= len(world.boxes) else 0):
        boxes = set(random.sample(live, len(world.boxes)))
        yield boxes, random.choice(sorted(world.floor - boxes)), random.choice(sorted(boxes))


def wide_world(column, width=130):
    """A level of several words a row, in which two boxes hold each other, the right one in a column."""
    rows = [list("#" * width), *(list("#" + " " * (width - 2) + "#") for _ in range(3)), list("#" * width)]
    rows[1][column - 1] = rows[3][column] = "#"
    rows[2][2:4] = ".."
    rows[2][column - 1] = rows[2][column] = "$"
    rows[2][1] = "@"
    return world_of("\n".join(map("".join, rows)))
