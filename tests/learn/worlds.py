"""Random boards with random episodes, twice: as sets for the twins, as arrays for the kernels."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np

from sokoviz.learn.attempt import (
    AHEAD,
    DELTA,
    EPSILON,
    HAS_TREE,
    IS_FILTERED,
    MOST_NODES,
    MOST_STEPS,
    WIDTH,
    begin,
    make_attempt,
)
from sokoviz.learn.simba import make_episodes, write_episode
from tests.twins import naive_curry

RULES = {"delta": 0.001, "epsilon": 0.1, "goal_filter": True, "steps": 12, "seed": 5}


def random_episodes(world, random, n, longest=8):
    """Episodes of random moves with some of the boxes and goals; they need not solve anything to be learned from."""
    episodes: list[dict[str, Any]] = []
    while len(episodes) < n:
        size = random.randint(1, len(world.boxes))
        boxes = frozenset(random.sample(sorted(world.boxes), size))
        goals = set(random.sample(sorted(world.goals), size))
        here, player, moves = boxes, world.player, []
        for _ in range(random.randint(1, longest)):
            found = naive_curry.box_moves(world.floor, here, player)
            if not found:
                break
            move = random.choice(found)
            moves.append(move)
            here, player = here - {move[0]} | {move[1]}, move[2]
        if not moves and random.random() < 0.05:
            return episodes  # no box can be moved
        if moves:
            episodes.append({"boxes": boxes, "goals": goals, "moves": moves})
    return episodes


def attempt_on(world, episodes, rules, capacity=4000, *, tree=True):
    """A kernel's attempt at a board, and its buffer."""
    longest = max([len(episode["moves"]) for episode in episodes], default=1)
    tables = world.tables
    room = max(capacity * 60, 3 * (rules["steps"] + 1) * len(world.boxes) * 4 * tables.n_floor)
    attempt = make_attempt(tables, capacity, room, rules["steps"], len(episodes) + 1)
    buffer = make_episodes(len(episodes) + 1, longest, tables.n_floor)
    for slot, episode in enumerate(episodes):
        ends = [(world.number(s), world.number(t)) for s, t, _ in episode["moves"]]
        boxes, goals = ([world.number(s) for s in sorted(episode[name])] for name in ("boxes", "goals"))
        write_episode(buffer, attempt.place_of, slot, boxes, goals, ends)
    attempt.rules[MOST_STEPS], attempt.rules[MOST_NODES] = rules["steps"], capacity
    attempt.rules[IS_FILTERED], attempt.rules[HAS_TREE] = rules["goal_filter"], tree
    attempt.rules[WIDTH], attempt.rules[AHEAD] = rules.get("width", 0), rules.get("depth", 1)
    attempt.chances[DELTA], attempt.chances[EPSILON] = rules["delta"], rules["epsilon"]
    attempt.generator[0] = np.uint64(rules["seed"])
    begin(attempt, buffer, world.bits(world.boxes), world.bits(world.goals), world.number(world.player))
    return attempt, buffer


def world_with_episodes(world, seed, n):
    """Random episodes on a board."""
    return random_episodes(world, Random(seed), n)
