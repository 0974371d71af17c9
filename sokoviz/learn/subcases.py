"""Subcases of a level: some of its boxes, as many of its goals (Curry, GetRandomBoard)."""

from __future__ import annotations

from math import comb
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from sokoviz.core.board.grid import to_bits
from sokoviz.core.bounds.matching import match_boxes
from sokoviz.core.numbers.rng import next_below, next_random
from sokoviz.core.types import FAR, Bits, Tables

if TYPE_CHECKING:
    from sokoviz.learn.options import Options

DRAWS_A_BOARD = 40  # how often to draw before no new board is expected any more


class Subcase(NamedTuple):
    """A board of a stage."""

    boxes: tuple[int, ...]
    """squares as the kernels count them, ascending"""
    goals: tuple[int, ...]


def mix(*numbers: int) -> int:
    """Return a 64-bit number that depends on all of some numbers: the seed of what they name."""
    state = np.zeros(1, dtype=np.uint64)
    mixed = 0
    for number in numbers:
        state[0] = np.uint64((mixed ^ number) & 0xFFFFFFFFFFFFFFFF)
        mixed = int(next_random(state))
    return mixed


def draw_subcases(  # noqa: PLR0913, PLR0917  all that decides which
    tables: Tables, boxes: tuple[int, ...], n_boxes: int, n: int, seed: int, options: Options
) -> list[Subcase]:
    """Return at most n subcases with so many boxes; boxes and goals are drawn independently (GetRandomBoard).

    Parameters
    ----------
    tables
        The level.
    boxes
        Squares of all its boxes.
    n_boxes
        How many of them to take.
    n
        How many subcases to draw.
    seed
        Decides which.
    options
        Which of those that are drawn are left out: `distinct`, `unsolved`, `matching`. Nothing else is.
    """
    goals = tuple(int(goal) for goal in tables.goal_squares)
    if n_boxes == len(boxes):
        return [Subcase(boxes, goals)]
    generator = np.array([seed], dtype=np.uint64)
    n_there_are = comb(len(boxes), n_boxes) * comb(len(goals), n_boxes)
    is_kept: dict[Subcase, bool] = {}
    kept: list[Subcase] = []
    for _ in range(DRAWS_A_BOARD * n):
        if len(kept) == n or (len(is_kept) == n_there_are and (options.distinct or not any(is_kept.values()))):
            break
        subcase = Subcase(_draw(generator, boxes, n_boxes), _draw(generator, goals, n_boxes))
        is_new = subcase not in is_kept
        if is_new:
            is_kept[subcase] = _is_wanted(tables, subcase, options)
        if is_kept[subcase] and (is_new or not options.distinct):
            kept.append(subcase)
    return kept


def _is_wanted(tables: Tables, subcase: Subcase, options: Options) -> bool:
    """Whether a board that was drawn is kept."""
    if options.unsolved and subcase.boxes == subcase.goals:
        return False
    return not options.matching or can_match(tables, subcase)


def _draw(generator: Bits, squares: tuple[int, ...], n: int) -> tuple[int, ...]:
    """Some of the squares."""
    left = list(squares)
    return tuple(sorted(left.pop(next_below(generator, len(left))) for _ in range(n)))


def can_match(tables: Tables, subcase: Subcase) -> bool:
    """Return whether each box, taken alone, can come to a goal of its own; else the subcase has no solution."""
    index_of = {int(goal): index for index, goal in enumerate(tables.goal_squares)}
    rows = [index_of[goal] for goal in subcase.goals]
    distances = tables.push_distance[np.ix_(rows, list(subcase.boxes))].T
    costs = np.where(distances < FAR, 0, FAR).astype(np.int64)
    return bool(match_boxes(costs, np.empty(len(rows), dtype=np.int64)) < FAR)


def bits_of(tables: Tables, squares: tuple[int, ...]) -> Bits:
    """Return squares as a bitset."""
    return to_bits(squares, tables.width * tables.height)
