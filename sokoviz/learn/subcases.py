"""Subcases of a level: some of its boxes, as many of its goals (Curry, GetRandomBoard)."""

from __future__ import annotations

from math import comb
from typing import NamedTuple

import numpy as np

from sokoviz.core.grid import to_bits
from sokoviz.core.matching import match_boxes
from sokoviz.core.rng import next_below, next_random
from sokoviz.core.types import FAR, Bits, Tables

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


def draw_subcases(tables: Tables, boxes: tuple[int, ...], n_boxes: int, n: int, seed: int) -> list[Subcase]:
    """Return at most n different subcases with so many boxes; boxes and goals are drawn independently.

    Left out are those that are solved as they stand, and those in which the boxes, each taken alone, cannot reach a
    goal each: they have no solution.

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
    """
    goals = tuple(int(goal) for goal in tables.goal_squares)
    if n_boxes == len(boxes):
        return [Subcase(boxes, goals)]
    generator = np.array([seed], dtype=np.uint64)
    n_there_are = comb(len(boxes), n_boxes) * comb(len(goals), n_boxes)
    drawn: dict[Subcase, bool] = {}
    kept: list[Subcase] = []
    for _ in range(DRAWS_A_BOARD * n):
        if len(kept) == n or len(drawn) == n_there_are:
            break
        subcase = Subcase(_draw(generator, boxes, n_boxes), _draw(generator, goals, n_boxes))
        if subcase not in drawn:
            drawn[subcase] = is_worth_trying(tables, subcase)
            if drawn[subcase]:
                kept.append(subcase)
    return kept


def _draw(generator: Bits, squares: tuple[int, ...], n: int) -> tuple[int, ...]:
    """Some of the squares."""
    left = list(squares)
    return tuple(sorted(left.pop(next_below(generator, len(left))) for _ in range(n)))


def is_worth_trying(tables: Tables, subcase: Subcase) -> bool:
    """Return whether a subcase is not solved yet, and each box alone can reach a goal of its own."""
    if subcase.boxes == subcase.goals:
        return False
    index_of = {int(goal): index for index, goal in enumerate(tables.goal_squares)}
    rows = [index_of[goal] for goal in subcase.goals]
    distances = tables.push_distance[np.ix_(rows, list(subcase.boxes))].T
    costs = np.where(distances < FAR, 0, FAR).astype(np.int64)
    return bool(match_boxes(costs, np.empty(len(rows), dtype=np.int64)) < FAR)


def bits_of(tables: Tables, squares: tuple[int, ...]) -> Bits:
    """Return squares as a bitset."""
    return to_bits(squares, tables.width * tables.height)
