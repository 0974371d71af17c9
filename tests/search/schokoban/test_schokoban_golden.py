"""The compiled search of Sokoban writes the stored journals of its twin again, and grows the same trees."""

from __future__ import annotations

import json
from collections import Counter

import pytest

import sokoviz as sv
from tests.data.make_golden_schokoban import CASES, OPEN_ROOM, PATH, grow
from tests.search.schokoban.schokobans import engine_of, events_of, table_of
from tests.search.searching import GAMMA

pytestmark = pytest.mark.kernels

GOLDEN = json.loads(PATH.read_text(encoding="utf-8"))


def run(case):
    """The compiled search of a case, run to its end, and the iteration that found the solution."""
    options = {**case["options"], "deadlocks": tuple(case["options"]["deadlocks"])}
    engine, solved_at = engine_of(case["level"], **options), 0
    while engine.last < case["iterations"]:
        if engine.advance(case["iterations"] - engine.last) == "solved":
            solved_at = engine.last
    return engine, solved_at


@pytest.mark.parametrize("golden", GOLDEN, ids=lambda golden: f"seed {golden['case']['options']['seed']}")
def test_golden_journals_are_written_again(golden):
    case, grown = golden["case"], golden["grown"]
    engine, solved_at = run(case)
    events = [events_of(engine, number) for number in range(1, engine.last + 1)]
    assert events == [[tuple(event) for event in iteration] for iteration in grown["events"]]
    assert table_of(engine) == {name: grown[name] for name in table_of(engine)}
    assert solved_at == grown["solved_at"]
    drawn = grown["random_numbers"] * GAMMA
    assert int(engine.machine.generator[0]) == (case["options"]["seed"] + drawn) % 2**64


def test_golden_journals_are_those_of_the_cases():
    assert [golden["case"] for golden in GOLDEN] == json.loads(json.dumps(CASES))


def test_golden_journals_are_those_of_the_twin():
    for golden in GOLDEN:
        assert golden["grown"] == json.loads(json.dumps(grow(golden["case"])))


def test_golden_journals_hold_all_kinds_of_events():
    kinds = Counter(event[0] for golden in GOLDEN for iteration in golden["grown"]["events"] for event in iteration)
    assert min(kinds[kind] for kind in ("added", "passed", "moved", "removed")) > 2
    assert sum(golden["grown"]["solved_at"] > 0 for golden in GOLDEN) >= 3


def test_golden_levels_are_lessons_and_an_open_room():
    lessons = {"\n".join(sv.load(f"lessons#{number}").rows) for number in (12, 15)}
    assert {case["level"] for case in CASES} == {*lessons, OPEN_ROOM}
