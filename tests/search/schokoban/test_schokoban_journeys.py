"""A search of Sokoban is at home at every moment of its record, across subtree moves and eliminations too."""

from __future__ import annotations

from functools import cache
from random import Random

import numpy as np
import pytest

from sokoviz.core.tree import journal as records
from sokoviz.core.tree.arena import NODES, SLOTS
from sokoviz.core.tree.flags import SOLUTION
from sokoviz.search.contract import first_marked
from sokoviz.search.mcts import engine as engines
from sokoviz.search.mcts.engine import Engine
from sokoviz.search.options import Pushing, Settings
from tests.search.schokoban.schokobans import (
    IN_AND_OUT,
    IN_AND_OUT_OPTIONS,
    assert_holds,
    engine_of,
    events_of,
    everything_of,
    random_case,
    table_of,
)
from tests.worlds import random_text

pytestmark = pytest.mark.kernels

N = 200


@cache
def cases():
    """Rooms and options: some where anything may happen, some where subtrees move, and the seldom case."""
    random = Random(11)
    found = [random_case(random) for _ in range(14)]
    for seed in range(4):
        chosen = {"c": 0.5, "seed": seed, "deadlocks": (), "remembered": seed % 2 == 0, "late": seed > 1}
        found.append((random_text(random, 8, 9, 3, 0), chosen))
    return (*found, (IN_AND_OUT, IN_AND_OUT_OPTIONS))


@pytest.fixture(params=range(19))
def case(request):
    """One of the cases."""
    return cases()[request.param]


def raw_of(engine):
    """A copy of all used parts of the arena, as they are."""
    arena = engine.arena
    n, n_slots = arena.counts[NODES], arena.counts[SLOTS]
    parts = (arena.links[:, :n], arena.sums[:n], arena.scores[:, :n_slots], arena.children[:n_slots], arena.counts)
    return [part.copy() for part in parts]


def run_slowly(text, chosen, n=N):
    """An engine after up to n iterations, and what it held after 0, 1, 2, ... of them."""
    engine = engine_of(text, **chosen)
    held = [everything_of(engine)]
    while engine.last < n:
        before = engine.last
        engine.advance(1)
        if engine.last == before:
            break
        held.append(everything_of(engine))
    return engine, held


def record_of(engine):
    """A copy of what is written down, and of what decides how the search goes on."""
    journal, machine = engine.written(), engine.machine
    parts = (journal.events[: journal.sizes[records.EVENTS]], engine.steps, machine.tip, machine.generator)
    return [part.copy() for part in parts]


def assert_equal(some, others):
    """Two lists of arrays are the same."""
    for mine, yours in zip(some, others, strict=True):
        np.testing.assert_array_equal(mine, yours)


def test_the_cases_have_moves_eliminations_solutions_and_dead_ends():
    kinds: set[object] = set()
    reasons: set[str] = set()
    for text, chosen in cases():
        engine = engine_of(text, **chosen)
        reasons.add(engine.advance(N))
        kinds.update(event[0] for number in range(1, engine.last + 1) for event in events_of(engine, number))
    assert kinds == {"added", "passed", "moved", "removed"}
    assert reasons == {"", "solved", "unsolvable"}


def test_undo_to_the_bare_root_and_redo_to_the_end_is_exact(case):
    text, chosen = case
    engine = engine_of(text, **chosen)
    engine.advance(N)
    end = raw_of(engine)
    engine.seek(0)
    assert raw_of(engine)[-1].tolist() == [1, 0, 0]
    assert_holds(engine, everything_of(engine_of(text, **chosen)))
    engine.seek(engine.end_of(engine.last))
    assert_equal(raw_of(engine), end)


def test_random_jumps(case):
    engine, held = run_slowly(*case)
    random = Random(1)
    for _ in range(60):
        k = random.randrange(len(held))
        engine.seek(engine.end_of(k))
        assert_holds(engine, held[k])


def test_jumps_into_the_middle_of_iterations(case):
    engine, held = run_slowly(*case)
    random, n_events = Random(2), engine.end_of(engine.last)
    for _ in range(60):
        event = random.randrange(n_events + 1)
        if event and engine.written().events[event - 1, 0] == records.TAKEN_OUT:
            event += 1  # leaving and joining are one change
        engine.seek(event)
        k = random.randrange(len(held))
        engine.seek(engine.end_of(k))
        assert_holds(engine, held[k])


def test_making_an_iteration_again_leaves_the_tree_as_recorded(case):
    engine, held = run_slowly(*case)
    record, random = record_of(engine), Random(3)
    for k in random.choices(range(1, len(held)), k=40):
        measured = engine.measure(k)
        assert_holds(engine, held[k])
        assert len(measured.moves) == 0
        j = random.randrange(len(held))
        engine.seek(engine.end_of(j))
        assert_holds(engine, held[j])
    assert_equal(record_of(engine), record)


def test_every_iteration_made_again_one_after_the_other(case):
    engine, held = run_slowly(*case)
    for k in range(1, len(held)):
        engine.measure(k)
        assert_holds(engine, held[k])


def test_looking_back_does_not_change_how_it_goes_on(case):
    text, chosen = case
    wanderer, straight, random = engine_of(text, **chosen), engine_of(text, **chosen), Random(4)
    for _ in range(10):
        wanderer.advance(N // 10)
        for k in random.choices(range(1, wanderer.last + 1), k=3):
            wanderer.measure(k)
            wanderer.seek(wanderer.end_of(random.randrange(wanderer.last + 1)))
    while straight.last < wanderer.last:
        straight.advance(wanderer.last - straight.last)
    wanderer.seek(wanderer.end_of(wanderer.last))
    assert_holds(wanderer, everything_of(straight))
    assert_equal(record_of(wanderer), record_of(straight))


def test_growing_changes_nothing(case, monkeypatch):
    text, chosen = case
    roomy, held = run_slowly(text, chosen)
    monkeypatch.setattr(engines, "FIRST_CAPACITY", 4)
    tight = engine_of(text, **chosen)
    while tight.last < roomy.last:
        tight.advance(7 if tight.last + 7 < roomy.last else roomy.last - tight.last)
        assert_holds(tight, held[tight.last])
    assert len(tight.arena.sums) < len(roomy.arena.sums)
    assert_equal(record_of(tight), record_of(roomy))


def test_a_table_that_grew_serves_every_moment(case, monkeypatch):
    monkeypatch.setattr(engines, "FIRST_CAPACITY", 4)
    engine, held = run_slowly(*case)
    for k in Random(5).choices(range(1, len(held)), k=20):
        engine.measure(k)
        assert_holds(engine, held[k])


def test_without_a_journal_the_tree_is_the_same(case):
    text, chosen = case
    loud = engine_of(text, **chosen)
    pushing = Pushing(**{name: value for name, value in chosen.items() if name not in {"c", "seed", "selection"}})
    base = {name: chosen[name] for name in ("c", "seed", "selection") if name in chosen}
    silent = Engine(loud.game, Settings(**{"selection": "program", **base}, pushing=pushing, journal=False))
    assert silent.advance(N) == loud.advance(N)
    assert silent.last == loud.last
    assert table_of(silent) == table_of(loud)


def test_a_solution_is_marked_from_its_simulation_on_however_often_one_looks_back():
    """The mark once stayed where it had been undone, and got lost where the node was added again."""
    engine, held = run_slowly("#######\n#@$ . #\n#######", {"seed": 3}, 8)
    found = first_marked(engine.marks, SOLUTION, 0, engine.last)
    for k in range(1, engine.last + 1):
        engine.measure(k)
        assert_holds(engine, held[k])
    assert found is not None
    assert found < engine.last
    for k in range(engine.last + 1):
        engine.seek(engine.end_of(k))
        assert any(table_of(engine)["solutions"]) == (k >= found)
