"""Copies of a tree shorten far jumps, and nobody can tell: the arrays are those of going through all events."""

from __future__ import annotations

import random

import numpy as np
import pytest

import sokoviz as sv
from sokoviz.core.tree.arena import AT, COUNT, FIRST
from sokoviz.search.mcts import engine as engines
from sokoviz.search.mcts import snapshots
from sokoviz.search.mcts.engine import Engine
from tests.search.searching import everything_of

pytestmark = pytest.mark.kernels

SEARCHES = {
    "moves and eliminations": lambda: sv.Schokoban(sv.load("lessons#14"), seed=2),
    "eliminations": lambda: sv.Vanillaban(sv.load("lessons#12"), seed=3),
    "two players": lambda: sv.MCTS(sv.TicTacToe(), seed=3),
}


@pytest.fixture(params=SEARCHES)
def make(request):
    return SEARCHES[request.param]


@pytest.fixture
def restored(monkeypatch):
    """Jumps of five events are far; the moments of copies that were brought back."""
    found = []

    def restore(arena, kept, do=snapshots._restore):
        found.append(int(kept.counts[AT]))
        do(arena, kept)

    for module in (engines, snapshots):
        monkeypatch.setattr(module, "FAR_JUMP", 5)
    monkeypatch.setattr(snapshots, "_restore", restore)
    return found


def jump_about(search, n, seed):
    """Go to random iterations, and now and then search on; return what the search holds at each."""
    rng, found = random.Random(seed), []
    for turn in range(n):
        if turn % 9 == 8:
            search.goto(search.last)
            search.run(iterations=7, progress=False)
        search.goto(rng.randrange(search.last + 1))
        found.append(held_by(search))
    return found


def held_by(search):
    """All arrays; where a node has no children, it does not matter where their block would begin."""
    links, *others = everything_of(search)
    links[FIRST, links[COUNT] == 0] = 0
    return [links, *others]


@pytest.mark.parametrize("seed", range(3))
def test_far_jumps_end_where_going_through_all_events_ends(make, restored, monkeypatch, seed):
    leaping, walking = make(), make()
    for search in (leaping, walking):
        search.run(iterations=60, progress=False)
    found = jump_about(leaping, 60, seed)
    assert len(restored) > 10
    monkeypatch.setattr(Engine, "_leap", lambda _self, _event: None)
    for mine, yours in zip(found, jump_about(walking, 60, seed), strict=True):
        for one, other in zip(mine, yours, strict=True):
            np.testing.assert_array_equal(one, other)


def test_copies_take_no_more_room_than_allowed(restored, monkeypatch):
    search = SEARCHES["two players"]()
    search.run(iterations=60, progress=False)
    monkeypatch.setattr(snapshots, "MOST_BYTES", 0)
    jump_about(search, 20, 1)
    assert restored == []


def test_positions_that_are_kept_are_those_that_are_played():
    search = SEARCHES["moves and eliminations"]()
    search.run(iterations=80, progress=False)
    game, rng = search.game, random.Random(1)
    for _ in range(40):
        search.goto(rng.randrange(search.last + 1))
        for node in range(len(search.tree)):
            state = game.start()
            for action in search.engine.actions_to(node):
                game.play(game.tables, state, action)
            np.testing.assert_array_equal(search.state(node), state)
