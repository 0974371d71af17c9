"""SIMBA: suggestions a second for various sizes of the buffer, beside the naive twin; and how fast the learner is."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from sokoviz.experiments.bench.measuring import PREFIX_SECONDS, Figure, find_module, rate
from sokoviz.learn.curry import Curry
from sokoviz.learn.performing import Workshop
from sokoviz.learn.simba import count_votes, make_episodes, make_votes, write_episode

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import ModuleType

    from sokoviz.learn.episodes import Episode

LEVEL = """\
############
#          #
# $ $ $ $  #
#          #
# $ $ $ $  #
#          #
#@........ #
############
"""
"""a warehouse of our own with eight boxes"""

SIZES = (100, 1_000, 10_000)
N_EPISODES = 600
GOAL = 100.0


def rows() -> Iterator[Figure]:
    """Measure suggestions for the level's start, by episodes of one pass through its curriculum, over and over."""
    curry = Curry(LEVEL, seed=1)
    curry.run(iterations=N_EPISODES, seconds=20, progress=False)
    twin = find_module("tests.twins.naive_curry")
    for size in SIZES:
        some = [curry.episodes[-1 - index % len(curry.episodes)] for index in range(size)]
        ours = rate(_asking(curry, some))
        theirs = _twin_rate(twin, curry, some) if twin else None
        yield Figure("simba", f"{size:,} episodes", "suggestions/s", ours, "naive twin", theirs, GOAL)
    slow = _twin_positions(twin, curry) if twin else None
    yield Figure("simba", "learning", "positions/s", _learning_rate(), "naive twin", slow, None)


def _asking(curry: Curry, some: list[Episode]) -> Callable[[], int]:
    """Asks all episodes about the start of the level; returns how many suggestions that were."""
    workshop = Workshop(curry.level.rows, 0, len(curry.level.boxes), curry.options)
    attempt, tables = workshop.attempt, workshop.tables
    buffer = make_episodes(len(some), max(map(len, some)), tables.n_floor)
    votes = make_votes(len(some), tables.n_floor)

    def number(square: tuple[int, int]) -> int:
        return square[0] * tables.width + square[1]

    for slot, episode in enumerate(some):
        ends = [(number(move.source), number(move.target)) for move in episode.moves]
        boxes, goals = ([number(square) for square in squares] for squares in (episode.boxes, episode.goals))
        write_episode(buffer, attempt.place_of, slot, boxes, goals, ends)
    for array, squares in ((attempt.is_box, curry.level.boxes), (attempt.is_goal, curry.level.goals)):
        array[:] = 0
        array[attempt.place_of[[number(square) for square in squares]]] = 1

    def ask() -> int:
        count_votes(buffer, attempt.is_box, attempt.is_goal, 0, votes)
        return len(some)

    return ask


def _twin_rate(twin: ModuleType, curry: Curry, some: list[Episode]) -> float:
    """Suggestions of the twin per CPU-second, on a prefix of the episodes."""
    boxes, goals = set(curry.level.boxes), set(curry.level.goals)
    episodes = _as_twins(some)
    done, start = 0, time.process_time()
    while (spent := time.process_time() - start) < PREFIX_SECONDS:
        prefix = episodes[done % len(episodes) :][:50]
        twin.suggestions(boxes, goals, prefix, goal_filter=False)
        done += len(prefix)
    return done / spent


def _as_twins(some: list[Episode]) -> list[dict[str, Any]]:
    """Episodes as the twin takes them."""
    return [{"boxes": set(e.boxes), "goals": set(e.goals), "moves": list(e.moves)} for e in some]


def _twin_positions(twin: ModuleType, curry: Curry) -> float:
    """Positions that the twin evaluates per CPU-second, with as many episodes as the buffer holds."""
    level, episodes = curry.level, _as_twins(list(curry.buffer()))
    known = (set(level.floor), frozenset(level.boxes), set(level.goals), level.player, episodes, curry.options.delta)
    done, start = 0, time.process_time()
    while (spent := time.process_time() - start) < PREFIX_SECONDS:
        twin.weights(*known, goal_filter=True)
        done += 1
    return done / spent


def _learning_rate() -> float:
    """Positions that the learner evaluates per CPU-second: moves listed, episodes asked, successors drawn."""

    def learn() -> int:
        curry = Curry(LEVEL, seed=2)
        curry.run(iterations=N_EPISODES, progress=False)
        return curry.nodes

    return rate(learn)
