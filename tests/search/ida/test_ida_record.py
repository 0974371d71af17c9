"""The record of iterative deepening, its limits, and that neither memory nor interrupts change what it does."""

from random import Random

import numpy as np
import pytest

import sokoviz as sv
from sokoviz.core.branches import record as branches
from sokoviz.search.branches import record as branch_record
from sokoviz.search.branches.reader import BranchReader
from sokoviz.search.ida import engine as ida_engine
from sokoviz.search.ida.explaining import play_moves
from sokoviz.search.ida.search import IDA
from tests.search.ida.deepenings import HARD_WORLDS, rows_of, search_of, solved

pytestmark = pytest.mark.kernels

LONG = HARD_WORLDS[2].text  # more than a hundred nodes
PRESETS = ("optimal", "classic", "crippa", "best")


@pytest.fixture(scope="module")
def whole():
    """A search that has run to its solution; nobody may move it."""
    return solved(LONG)


def kinds_of(search):
    """The kind of each event, and the node it is about."""
    events = search.record.events
    return events[:, branches.KIND].tolist(), events[:, branches.NODE].tolist()


# --- the record ----------------------------------------------------------------------------------------------------


def test_the_parent_of_every_node_was_expanded_before_it(whole):
    expanded = set()
    for number, (kind, node) in enumerate(zip(*kinds_of(whole), strict=True)):
        if kind == branches.EXPANDED:
            assert node < number
            expanded.add(node)
        elif kind < branches.EXPANDED:
            assert node in expanded


def test_the_record_tells_as_much_as_the_table_of_thresholds(whole):
    kinds, _ = kinds_of(whole)
    table = whole.thresholds
    assert kinds.count(branches.EXPANDED) == table["expanded"].sum() == whole.result.nodes
    assert kinds.count(branches.OPEN) == table["open"].sum()
    assert kinds.count(branches.BOUND) == table["bound"].sum()
    assert kinds.count(branches.THRESHOLD) == len(table)


def test_the_line_of_the_record_is_that_of_the_engine():
    search, random = search_of(LONG), Random(4)
    while not search.engine.is_solved:
        search.run(steps=random.randrange(1, 9), progress=False)
        node = search.explain(search.last).node
        if node is not None:
            record = BranchReader(search.record.events, search.engine.tables.width)
            line = [tuple(search.record.events[each, 2:6].tolist()) for each in record.path(node)]
            assert line == [tuple(move) for move in search.engine.line()]


def test_the_board_of_every_step_is_played_by_the_rules(whole):
    for number in range(1, whole.last + 1, 7):
        step = whole.explain(number)
        assert play_moves(whole.level, step.line).n_pushes == step.g


def test_without_a_journal_the_same_is_searched(whole):
    silent = solved(LONG, journal=False)
    assert rows_of(silent) == rows_of(whole)
    assert silent.solution == whole.solution


# --- growing -------------------------------------------------------------------------------------------------------


def test_arrays_that_grow_change_nothing(whole, monkeypatch):
    monkeypatch.setattr(ida_engine, "FIRST_DEPTHS", 8)
    monkeypatch.setattr(branch_record, "FIRST_STEPS", 8)
    grown = solved(LONG)
    assert len(grown.engine.machine.frames) > 8
    np.testing.assert_array_equal(grown.record.events, whole.record.events)


def test_a_full_record_ends_the_run_and_is_kept(monkeypatch):
    monkeypatch.setattr(branch_record, "FIRST_STEPS", 64)
    search = search_of(LONG)
    object.__setattr__(search.options, "record_memory", 1 << 10)
    assert search.run(nodes=1000, progress=False).stopped_by == "memory"
    assert search.last > 0
    assert search.explain(search.last).threshold >= search.explain(1).threshold


def test_single_steps_go_on_where_the_record_has_to_grow(whole, monkeypatch):
    monkeypatch.setattr(branch_record, "FIRST_STEPS", 4)
    search = search_of(LONG)
    for _ in range(30):
        search.step()
    np.testing.assert_array_equal(search.record.events, whole.record.events[: search.record.end_of(30)])


# --- limits --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("n", [1, 5, 37])
def test_a_limit_of_nodes_is_exact(n):
    result = search_of(LONG).run(nodes=n, progress=False)
    assert (result.nodes, result.stopped_by) == (n, "nodes")


def test_a_limit_of_iterations_counts_thresholds():
    search = search_of(LONG)
    result = search.run(iterations=1, progress=False)
    assert (result.iterations, len(search.thresholds), result.stopped_by) == (1, 1, "iterations")


def test_no_seconds_are_no_search():
    assert search_of(LONG).run(seconds=0, progress=False).stopped_by == "seconds"


@pytest.mark.parametrize("n", [1, 10, 30])
def test_a_limit_of_steps_is_exact(n):
    search = search_of(sv.load("lessons#20").text)
    search.run(steps=n, progress=False)
    assert search.steps == search.last == n


@pytest.mark.parametrize("pieces", [1, 3, 20])
def test_pieces_make_the_same_as_one_run(whole, pieces):
    search = search_of(LONG)
    while not search.engine.is_solved:
        search.run(nodes=pieces, progress=False)
    np.testing.assert_array_equal(search.record.events, whole.record.events)


def test_an_interrupted_run_goes_on_as_if_nothing_happened(whole, monkeypatch):
    search = search_of(LONG)
    advance = search.engine.advance

    def interrupted(*_):
        advance(5)
        raise KeyboardInterrupt

    monkeypatch.setattr(search.engine, "advance", interrupted)
    assert search.run(nodes=10**6, progress=False).stopped_by == "interrupted"
    monkeypatch.setattr(search.engine, "advance", advance)
    search.run(nodes=10**6, progress=False)
    np.testing.assert_array_equal(search.record.events, whole.record.events)


@pytest.mark.parametrize("preset", PRESETS)
def test_every_solution_replays(preset):
    for number in (7, 11, 12, 16, 17, 20):
        level = sv.load(f"lessons#{number}")
        search = IDA(level, preset=preset, memory=1 << 20)
        search.run(nodes=20_000, progress=False)
        board = level.board()
        assert search.solution is not None
        board.play(search.solution.lurd)
        assert board.is_solved
