"""What the tests of the search of Sokoban share: pairs of an engine and its naive twin, and reading an engine."""

from __future__ import annotations

from random import Random

import numpy as np
from hypothesis import strategies as st

from sokoviz.core.tree import flags
from sokoviz.core.tree import journal as records
from sokoviz.core.tree.arena import (
    ACTION,
    COUNT,
    DEPTH,
    ELIMINATED,
    FIRST,
    NODES,
    PARENT,
    SLOTS,
    SOLVED,
    STATUS,
    VISITS,
)
from sokoviz.games.sokoban import Sokoban
from sokoviz.search.mcts.engine import Engine
from sokoviz.search.options import Pushing, Settings
from tests.search.searching import GAMMA
from tests.twins.naive_schokoban import NaiveSchokoban
from tests.worlds import draw as draw_text
from tests.worlds import random_text

TESTS = ("locking tile", "wall sweep", "locked boxes", "wall run", "bipartite", "corral", "three boxes", "no push")

# At iteration 37 a subtree moves to a leaf, and its top is eliminated there because the rest of it moves there as well.
IN_AND_OUT = "########\n# . *  #\n#      #\n#      #\n#@ $   #\n########"
IN_AND_OUT_OPTIONS = {"c": 0.0, "seed": 13, "selection": "uct", "deadlocks": ()}

MARKS = {
    "tie": flags.TIE,
    "expansion": flags.EXPANSION,
    "terminal": flags.TERMINAL,
    "deeper": flags.DEEPER,
    "deadlock": flags.DEADLOCK,
    "duplicate": flags.DUPLICATE,
    "move": flags.MOVE,
    "elimination": flags.ELIMINATION,
    "solution": flags.SOLUTION,
}

options = st.fixed_dictionaries(
    {
        "repeats": st.sampled_from(("once", "once", "not on path", "anywhere")),
        "deadlocks": st.lists(st.sampled_from(TESTS), unique=True).map(tuple),
        "late": st.booleans(),
        "remembered": st.booleans(),
        "stall": st.booleans(),
        "distance": st.sampled_from(("manhattan", "push")),
        "inward": st.booleans(),
        "areas": st.booleans(),
        "selection": st.sampled_from(("program", "uct", "uct", "puct", "ucb1")),
        "c": st.sampled_from((0.0, 1.0, 2.0, 8.0, 30.0)),
        "seed": st.integers(0, 2**64 - 1),
    }
)


@st.composite
def rooms(draw, max_boxes=3, max_side=8):
    """Random small rooms as text, some of them larger than a 64-bit word."""
    height, width = draw(st.integers(4, max_side)), draw(st.integers(5, max_side))
    n_boxes = draw(st.integers(1, min(max_boxes, (height - 2) * (width - 2) // 3)))
    share = draw(st.sampled_from((0.0, 0.1, 0.3)))
    return random_text(Random(draw(st.integers(0, 2**32))), height, width, n_boxes, share)


def open_text(random, height, width, n_boxes):
    """A room without inner walls, its boxes away from the walls: positions are reached by many ways."""
    floor = {(row, column) for row in range(1, height - 1) for column in range(1, width - 1)}
    inner = sorted(s for s in floor if s[0] in range(2, height - 2) and s[1] in range(2, width - 2))
    boxes = random.sample(inner, n_boxes)
    player = random.choice(sorted(floor - set(boxes)))
    return draw_text(height, width, floor, random.sample(sorted(floor), n_boxes), boxes, player)


def random_case(random):
    """A random room as text, and options under which much happens there."""
    height, width, n_boxes = random.randint(6, 9), random.randint(7, 9), random.randint(2, 3)
    if random.random() < 0.5:
        text = random_text(random, height, width, n_boxes, 0.1)
    else:
        text = open_text(random, height, width, n_boxes)
    chosen = {
        "repeats": random.choice(("once", "once", "once", "not on path", "anywhere")),
        "deadlocks": tuple(name for name in TESTS if random.random() < 0.3),
        "late": random.random() < 0.3,
        "remembered": random.random() < 0.5,
        "stall": random.random() < 0.2,
        "distance": random.choice(("manhattan", "push")),
        "inward": random.random() < 0.3,
        "areas": random.random() < 0.3,
        "selection": random.choice(("program", "uct")),
        "c": random.choice((0.0, 1.0, 8.0)),
        "seed": random.randrange(2**64),
    }
    return text, chosen


def engine_of(level, *, c=8.0, seed=1, selection="program", **pushing):
    """The compiled search of a level or its text."""
    chosen = Settings(c=c, seed=seed, selection=selection, pushing=Pushing(**pushing))
    return Engine(Sokoban(level), chosen)


def pair(level, **chosen):
    """The compiled search of a level or its text, and its twin."""
    engine = engine_of(level, **chosen)
    return engine, NaiveSchokoban("\n".join(engine.game.level.rows), **chosen)


# --- reading an engine ---


def children_of(arena, node):
    """Numbers of a node's children."""
    first, count = arena.links[FIRST, node], arena.links[COUNT, node]
    return arena.children[first : first + count].tolist()


def table_of(engine):
    """A tree as the twin writes it."""
    arena, n = engine.arena, engine.n_nodes
    links, gone = arena.links[:, :n], arena.links[STATUS, :n] & ELIMINATED != 0
    return {
        "parents": links[PARENT].tolist(),
        "actions": links[ACTION].tolist(),
        "depths": np.where(gone, -1, links[DEPTH]).tolist(),
        "visits": links[VISITS].tolist(),
        "sums": arena.sums[:n].tolist(),
        "eliminated": gone.tolist(),
        "solutions": (links[STATUS] & SOLVED != 0).tolist(),
        "children": [children_of(arena, node) for node in range(n)],
    }


def events_of(engine, number):
    """What an iteration changed, as the twin writes it."""
    found: list[tuple[object, ...]] = []
    _, events = engine.events_of(number)
    for kind, a, b, c in events.tolist():
        if kind == records.TAKEN_OUT:
            found.append(("moved", a, b, c))
        elif kind == records.JOINED:
            found[-1] += (a, b, c)
        elif kind == records.PASSED:
            found.append(("passed", a, b))
        else:
            found.append(({records.ADDED: "added", records.REMOVED: "removed"}[kind], a, b, c))
    return found


def marks_of(engine, number):
    """What an iteration is marked with, by the names of the twin."""
    return {name for name, bit in MARKS.items() if engine.flags_of(number) & bit}


def assert_is_twin(engine, twin):
    """An engine holds exactly the tree of its twin, and has used as many random numbers."""
    assert table_of(engine) == twin.table()
    assert engine.last == twin.n_made
    generator = int(engine.machine.generator[0])
    assert (generator - twin.n_draws * GAMMA) % 2**64 == twin.seed


def everything_of(engine):
    """A copy of all that an engine holds where it stands.

    A journey leaves something behind that means nothing, where the block of a node without children begins: it is set
    here to what a fresh search has.
    """
    arena = engine.arena
    n, n_slots = arena.counts[NODES], arena.counts[SLOTS]
    links = arena.links[:, :n].copy()
    links[FIRST, links[COUNT] == 0] = 0
    parts = (arena.sums[:n], arena.scores[:, :n_slots], arena.children[:n_slots], arena.counts)
    return [links, *(part.copy() for part in parts)]


def assert_holds(engine, expected):
    """An engine holds what was copied before."""
    for mine, yours in zip(everything_of(engine), expected, strict=True):
        np.testing.assert_array_equal(mine, yours)
