"""What a step, a jump and a result look at does not grow with the record (N1)."""

from functools import partial

import numpy as np
import pytest

import sokoviz as sv
from sokoviz.search.branches.record import BranchRecord
from sokoviz.search.mcts.engine import Engine
from tests.search.counting import counting, touched

# Four boxes can never move, so the search goes on for as long as it may.
ENDLESS = "##########\n#  $  ...#\n# $$  $..#\n# $$ $ ..#\n# @      #\n##########"
ROOMY = "##########\n#        #\n# $ $  $ #\n#   $    #\n# $    $ #\n#    @   #\n#..... . #\n#        #\n##########"
SHORT, LONG = 10_000, 1_000_000  # events of a record
MOST = 3  # times as many entries in the long record as in the short one
LEAST = 50  # entries, below which nothing is said


def deepening(n):
    """IDA* after so many events, and what its explorer keeps of the record, up to date."""
    search = sv.IDA(ENDLESS, preset="classic", table=False, memory=1 << 20)
    while len(search.record.events) < n:
        search.run(steps=1000, progress=False)
    _ = search.outline
    return search


def breadth(n):
    """Breadth-first search after so many events."""
    search = sv.BFS(ROOMY)
    while len(search.record.events) < n:
        search.run(steps=1000, progress=False)
    return search


def tree_search(n):
    """Schokoban after so many events."""
    search = sv.Schokoban(ROOMY, seed=1)
    while search.engine.end_of(search.last) < n:
        search.run(iterations=1000, progress=False)
    search.engine.expanded_in(0)  # what is looked for once, and then kept
    search.engine.solved_in()
    search.ticks()
    return search


def counted_property(before):
    """A property whose arrays are counted."""
    return property(lambda self: counting(before.fget(self)))


@pytest.fixture(autouse=True)
def counted(monkeypatch):
    """Whatever Python code reads of a record is counted."""
    for kind, names in ((BranchRecord, ("events", "steps", "marks")), (Engine, ("steps", "marks"))):
        for name in names:
            monkeypatch.setattr(kind, name, counted_property(getattr(kind, name)))


def count_facts(search):
    """Count what is read of the facts that the explorer of IDA* keeps, too."""
    outline = search.outline
    for name in (
        "kinds",
        "before",
        "first_expanded",
        "expanded",
        "left",
        "closed",
        "why",
        "_sorts",
        "_tallies",
        "roots",
    ):
        setattr(outline, name, counting(getattr(outline, name)))


def drawn(search):
    """Draw the tree and count it, as the explorer does for each step."""
    stretch = search.stretch()
    return stretch.draw(stretch.current, 200), search.outline.ticks()


ASKED = {
    "step": lambda search: search.step_on(),
    "explain": lambda search: search.explain(search.last // 2),
    "goto": lambda search: search.goto(search.last // 3),
    "back": lambda search: search.back(),
    "result": lambda search: search.result,
    "bound": lambda search: search.lower_bound,
    "counters": lambda search: search.counters,
    "a run in the record": lambda search: search.run(steps=20, progress=False),
    "nodes in the record": lambda search: search.run(nodes=20, steps=50, progress=False),
}
MAKE = {"IDA*": deepening, "breadth first": breadth, "Schokoban": tree_search}


@pytest.fixture(scope="module")
def made():
    """Searches with a short and a long record, each made once."""
    return {}


@pytest.mark.parametrize("what", ASKED)
@pytest.mark.parametrize("family", MAKE)
def test_what_is_asked_of_a_search_looks_at_as_much_of_a_long_record_as_of_a_short_one(made, family, what):
    found = []
    for n in (SHORT, LONG):
        if (family, n) not in made:
            made[family, n] = MAKE[family](n)
        search = made[family, n]
        search.goto(search.last if what == "step" else search.last // 2)
        found.append(touched(partial(ASKED[what], search)))
    short, long = found
    assert long <= max(MOST * short, LEAST), found


def test_a_step_in_the_explorer_of_ida_looks_at_as_much_of_a_long_record_as_of_a_short_one(made):
    found = []
    for n in (SHORT, LONG):
        search = made.setdefault(("IDA*", n), None) or deepening(n)
        made["IDA*", n] = search
        search.goto(search.last // 2)
        drawn(search)
        search.step_on()
        count_facts(search)
        found.append(touched(partial(drawn, search)))
    short, long = found
    assert 0 < long <= MOST * short, found


def test_counting_finds_what_goes_through_a_whole_record():
    search = breadth(SHORT)
    n = len(search.record.events)
    assert touched(lambda: np.count_nonzero(search.record.events[:, 0] == 1)) >= n
    assert touched(lambda: search.record.events[:10]) == 0
