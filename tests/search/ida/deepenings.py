"""What the tests of iterative deepening share: levels with something to search, and the twin of a search."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np

from sokoviz.core.board.box_moves import make_box_scratch
from sokoviz.core.board.grid import from_bits
from sokoviz.core.deadlocks.patterns import find_penalty, learn_pattern
from sokoviz.search.ida.kernel import key_of
from sokoviz.search.ida.search import IDA
from tests.twins import naive, naive_influence
from tests.twins.naive_ida import NaiveIDA, Place
from tests.worlds import draw, world_of

TABLE = 1 << 20  # bytes: more than small levels fill
BECAME = ("open", "bound", "transposition", "deadlock", "inward", "goal cut", "relevance")


def pulled_world(random, height=6, width=7, n_boxes=3, wall_share=0.15, n_pulls=30):
    """A level that can be solved: its boxes were pulled away from the goals."""
    while True:
        inner = {(r, c) for r in range(1, height - 1) for c in range(1, width - 1) if random.random() >= wall_share}
        floor = naive.reach(inner, set(), random.choice(sorted(inner)))
        if len(floor) < 2 * n_boxes + 4:
            continue
        *goals, player = random.sample(sorted(floor), n_boxes + 1)
        boxes = frozenset(goals)
        for _ in range(n_pulls):
            found = sorted(naive.pulls(floor, boxes, player))
            if found:
                boxes, player = naive.after_pull(boxes, random.choice(found))
        if not boxes & set(goals):
            return world_of(draw(height, width, floor, goals, boxes, player))


def pulled_worlds(n, seed, *size, **settings):
    """Some of them."""
    random = Random(seed)
    return [pulled_world(random, *size, **settings) for _ in range(n)]


# Most levels made like that are solved at once; these have thresholds, transpositions and deadlocks.
HARD_WORLDS = [pulled_worlds(1, seed, 7, 8, n_boxes=4, n_pulls=200)[0] for seed in (13, 16, 17, 22, 27, 33, 37)] + [
    pulled_worlds(1, seed, 7, 8, n_pulls=300, wall_share=0.3)[0] for seed in (2, 16, 19, 20, 33)
]

# In this one all parts find something to do, and with so little patience each way to search gets its turn.
TURNING_WORLD = pulled_worlds(1, 24, 8, 9, n_boxes=5, n_pulls=400, wall_share=0.25)[0]
TURNING: dict[str, Any] = {
    "preset": "best",
    "deadlocks": ("locking tile",),
    "patience": 5,
    "m": 4,
    "threshold": 2,
    "share": 0.5,
}


def search_of(world, **options):
    """A search of a level with a small table."""
    text = world if isinstance(world, str) else world.text
    return IDA(text, **{"memory": TABLE, "preset": "classic", **options})


def solved(world, **options):
    """A search that has run to its end, or a long way."""
    search = search_of(world, **options)
    search.run(nodes=20_000, progress=False)
    return search


def twin_of(search, world):
    """The twin of a search with the same parts on."""
    options = search.options
    tests = {name.replace(" ", "_"): True for name in options.deadlocks}
    parts = {name: getattr(options, name) for name in ("table", "ordering", "inward", "tunnels", "goal_cuts")}
    return NaiveIDA(
        world,
        places=places_of(search, world) if options.macros else (),
        influence=influence_of(world) if options.relevance else None,
        patterns=KernelPatterns(world, search.engine) if {"penalty", "deadlock"} & {*options.patterns} else None,
        area="area" in options.patterns,
        k=options.k,
        m=options.m,
        threshold=options.threshold,
        weight=round(16 * options.overestimation),
        growth=options.growth,
        **tests,
        **parts,
    )


class KernelPatterns:
    """What pattern searches find, by the kernels that tests/core/deadlocks/test_patterns.py is about.

    Parameters
    ----------
    world
        The level.
    engine
        That of the search, whose efforts are taken over.
    """

    def __init__(self, world, engine):
        self.world, self.store, self.ways = world, engine._make_patterns(), make_box_scratch(world.tables)
        self.has_penalties = "penalty" in engine.options.patterns

    def penalty(self, boxes, player, adds_all):
        """What is known of a position."""
        return find_penalty(self.store, self.world.bits(boxes), self.world.number(player), int(adds_all))

    def learn(self, boxes, player, target):
        """Search the pattern around a box; return how many positions that took."""
        tables, bits = self.world.tables, self.world.bits(boxes)
        key = key_of(tables, bits, self.world.reached(boxes, player)[1])
        numbers = self.world.number(player), self.world.number(target)
        return learn_pattern(tables, self.store, self.ways, bits, *numbers, np.uint64(key))


def influence_of(world):
    """Influence of each pair of squares, by its own twin."""
    distances = naive_influence.all_distances(world.floor)
    rows = {start: naive_influence.influences(world.floor, world.goals, distances, start) for start in world.floor}
    return {(start, square): value for start, row in rows.items() for square, value in row.items()}


def places_of(search, world):
    """The goal rooms of a search as sets; what they are to be is tested with the kernel that finds them."""
    rooms = search.engine.machine.rooms
    return [place_of(rooms, room, world) for room in range(len(rooms.squares))]


def place_of(rooms, room, world):
    """One goal room: its squares, goals, and the next goals for each set of filled ones."""
    goals, plan = sorted(world.squares(rooms.goals[room])), {}
    for row in range(rooms.first[room], rooms.first[room + 1]):
        filled = frozenset(goal for index, goal in enumerate(goals) if int(rooms.filled[row]) >> index & 1)
        plan[filled] = {divmod(int(square), world.width) for square in rooms.following[row] if square >= 0}
    squares = frozenset(divmod(square, world.width) for square in from_bits(rooms.squares[room]))
    return Place(squares, frozenset(goals), plan)


def rows_of(search):
    """The table of thresholds as the twin writes it, nothing where a count is 0."""
    rows = search.thresholds.to_dict("records")
    return [{name: n for name, n in row.items() if n} for row in rows]
