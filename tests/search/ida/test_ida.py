"""IDA* as people hold it: options, sentences, events to run to, moving about, and what it refuses."""

from math import inf

import pytest

import sokoviz as sv
from sokoviz.errors import SearchError
from sokoviz.search.ida.options import PRESETS, Options
from sokoviz.search.ida.search import EVENTS, IDA
from tests.search.ida.deepenings import HARD_WORLDS, TURNING, TURNING_WORLD, search_of, solved

pytestmark = pytest.mark.kernels

ONE_PUSH = "#####\n#@$.#\n#####"
NO_WAY = "######\n#@ $ #\n#  #.#\n######"
LONG = HARD_WORLDS[2].text


@pytest.fixture(scope="module")
def whole():
    """A search that has run to its solution; nobody may leave it elsewhere."""
    return solved(LONG)


# --- options -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"preset": "fast"}, "fast"),
        ({"depth": 3}, "depth"),
        ({"deadlocks": "window"}, r"expected names such as \('locking tile',\) as deadlocks, found 'window'"),
        ({"patterns": 50}, r"expected names such as \('deadlock',\) as patterns, found 50"),
        ({"patterns": ("corral",)}, "corral"),
        ({"effort": 0}, "as effort, found 0"),
        ({"deadlocks": ("walls",)}, "walls"),
        ({"table": 1}, "expected True or False as table, found 1"),
        ({"k": -1}, "expected a whole number from 0 to 1,048,576 as k, found -1"),
        ({"m": 2.5}, "as m, found 2.5"),
        ({"share": 1.5}, r"expected a number from 0.0 to 1.0 as share, found 1.5"),
        ({"overestimation": 0.5}, "as overestimation, found 0.5"),
        ({"memory": 10}, "as memory, found 10"),
        ({"seed": -1}, "as seed, found -1"),
    ],
)
def test_what_makes_no_sense_is_refused(options, message):
    with pytest.raises(SearchError, match=message):
        IDA(ONE_PUSH, **options)


def test_a_level_is_needed():
    with pytest.raises(SearchError, match="expected a Level or its text, found 7"):
        IDA(7)  # type: ignore[arg-type]


def test_an_option_beside_a_preset_wins():
    search = IDA(ONE_PUSH, preset="crippa", tunnels=False)
    assert (search.options.tunnels, search.options.macros) == (False, True)


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({}, "preset best"),
        ({"preset": "classic", "relevance": True, "k": 2}, "preset classic, relevance, k 2"),
        ({"preset": "classic", "table": False, "deadlocks": ()}, "preset classic, no table, no deadlocks"),
        ({"patterns": ("area", "deadlock"), "journal": False}, "preset best, patterns: area + deadlock"),
    ],
)
def test_a_search_says_what_is_not_as_its_preset_has_it(given, told):
    search = IDA(ONE_PUSH, **given)
    assert search.options.describe(search.preset) == told
    assert f": {told}, step 0 of 0" in repr(IDA(ONE_PUSH, **{**given, "journal": True}))


def test_best_is_the_preset_where_none_is_named():
    assert IDA(ONE_PUSH).options == Options(**PRESETS["best"])


@pytest.mark.parametrize(
    ("preset", "is_safe"), [("optimal", True), ("classic", True), ("crippa", False), ("best", False)]
)
def test_presets_without_unsafe_parts_are_safe(preset, is_safe):
    assert Options(**PRESETS[preset]).is_safe == is_safe


# --- sentences -----------------------------------------------------------------------------------------------------


def test_a_result_is_a_sentence():
    search = IDA(ONE_PUSH, preset="classic")
    text = repr(search.run(nodes=10, progress=False))
    assert text.startswith("IDA* on Level, 5 x 3, 1 box: solved in 1 push, the fewest possible, and 1 move")
    assert "after 1 threshold, the last 1, 1 node," in text


def test_a_proof_is_a_sentence():
    result = IDA(NO_WAY, preset="classic").run(nodes=10, progress=False)
    assert "proven unsolvable" in repr(result)
    assert (result.is_unsolvable, result.stopped_by) == (True, "unsolvable")


def test_a_longer_solution_is_not_told_as_the_fewest_pushes():
    result = IDA(sv.load("lessons#7"), preset="classic", macros=True, goal_cuts=True).run(nodes=1000, progress=False)
    assert result.solution
    assert (result.solution.pushes, result.lower_bound, result.is_optimal) == (10, 6, False)
    assert "solved in 10 pushes and" in repr(result)


def test_a_solution_as_short_as_the_bound_is_told_so_whatever_found_it():
    result = IDA(ONE_PUSH, preset="crippa").run(nodes=10, progress=False)
    assert result.solution
    assert (result.solution.pushes, result.lower_bound, result.is_optimal) == (1, 1, True)
    assert "solved in 1 push, the fewest possible, and" in repr(result)


def test_before_anything_is_searched_the_bound_of_the_level_is_proven():
    search = IDA(LONG, preset="best")
    assert search.lower_bound == search.result.lower_bound == search.step().h > 0
    assert IDA(NO_WAY).lower_bound == inf


def test_a_search_says_where_it_stands():
    search = search_of(LONG)
    search.run(nodes=3, progress=False)
    assert repr(search).endswith(f"preset classic, step {search.steps} of {search.last}")


def test_a_step_tells_what_became_of_each_successor(whole):
    step = whole.explain(1)
    first, *others = str(step).split("\n")
    assert first.startswith(f"Step 1: depth 0 moves, f = 0 + {step.h} = {step.h} of {step.threshold}.")
    assert len(others) == len(step.successors)
    assert any("to be visited" in line for line in others)


def test_the_last_step_tells_of_the_solution(whole):
    step = whole.explain(whole.last)
    assert step.is_solved
    assert step.sentence == f"Step {whole.last}: solved after {step.g} pushes, threshold {step.threshold}."


def test_the_end_of_a_threshold_is_told(whole):
    sentences = [whole.explain(number).sentence for number in range(1, whole.last + 1)]
    first = whole.thresholds["threshold"].iloc[0]
    assert sum(f"threshold {first} holds no solution." in sentence for sentence in sentences) == 1


# --- running to an event -------------------------------------------------------------------------------------------


def wanted(step, event):
    """Whether a step has an event, by what it tells."""
    became = {each.became for each in (*step.successors, *step.cut)}
    told = {"solution": step.is_solved, "resumed": step.is_resumed}
    return told.get(event, event in became)


def steps_with(event, search):
    """All steps of a record that have an event."""
    return [number for number in range(1, search.last + 1) if wanted(search.explain(number), event)]


@pytest.mark.parametrize(
    "event", [name for name in EVENTS if name not in {"threshold", "relevance", "goal cut", "pattern", "resumed"}]
)
def test_a_run_ends_with_the_first_step_of_an_event(whole, event):
    first = steps_with(event, whole)[0]
    search = search_of(LONG)
    reason = search.run(until=event, nodes=10_000, progress=False).stopped_by
    assert search.steps == first
    assert search.last >= first  # the record may go on: steps are made many at a time
    assert reason in {"until", "solved"}


def test_a_run_ends_with_the_first_step_of_a_threshold():
    search = search_of(LONG)
    search.run(until="threshold", nodes=10_000, progress=False)
    assert search.steps == 1
    search.run(until="threshold", nodes=10_000, progress=False)
    assert search.explain().n_thresholds == 2


@pytest.mark.parametrize(
    ("event", "options"),
    [("goal cut", {"preset": "crippa"}), ("relevance", {"relevance": True, "m": 4, "threshold": 2})],
)
def test_a_run_ends_with_the_first_step_of_a_part(event, options):
    level = sv.load("lessons#12" if event == "goal cut" else "lessons#13").text
    long = solved(level, **options)
    steps = steps_with(event, long)
    search = search_of(level, **options)
    search.run(until=event, nodes=10_000, progress=False)
    assert search.steps == steps[0]


@pytest.mark.parametrize("event", ["pattern", "resumed", "relevance", "goal cut", "deadlock", "transposition"])
def test_runs_to_an_event_end_at_each_step_that_has_it(event):
    long = solved(TURNING_WORLD, **TURNING)
    steps = steps_with(event, long)
    search, ends = search_of(TURNING_WORLD, **TURNING), []
    while search.run(until=event, nodes=20_000, progress=False).stopped_by == "until":
        ends.append(search.steps)
    assert ends == steps
    assert len(steps) > 1


@pytest.mark.parametrize("event", ["pattern", "resumed"])
def test_runs_to_an_event_of_the_record_end_at_each_step_that_has_it(event):
    search, ends = solved(TURNING_WORLD, **TURNING), []
    steps = steps_with(event, search)
    search.goto(0)
    while search.run(until=event, nodes=20_000, progress=False).stopped_by == "until":
        ends.append(search.steps)
    assert ends == steps


@pytest.mark.parametrize("event", ["pattern", "resumed"])
def test_the_step_before_an_event_is_found(event):
    search = solved(TURNING_WORLD, **TURNING)
    steps = steps_with(event, search)
    assert search.previous_event(event, steps[1]) == steps[0]
    assert search.previous_event(event, steps[0]) is None


def test_a_run_ends_where_a_node_is_expanded(whole):
    search, number = search_of(LONG), 20
    search.run(until=whole.explain(number).node, nodes=10_000, progress=False)
    assert search.steps == number


def test_a_run_ends_where_a_function_says_so():
    search = search_of(LONG)
    search.run(until=lambda step: len(step.line) == 3, nodes=10_000, progress=False)
    assert len(search.explain().line) == 3
    assert search.steps == search.last


def test_other_events_are_refused():
    with pytest.raises(SearchError, match="tie"):
        search_of(LONG).run(until="tie")


# --- moving about --------------------------------------------------------------------------------------------------


def test_moving_about_in_the_record():
    search = solved(LONG)
    last = search.last
    search.goto(5)
    search.back()
    assert search.steps == 4
    assert search.step().number == 5
    search.goto(0)
    search.back()
    assert (search.steps, search.last) == (0, last)


@pytest.mark.parametrize("number", [-1, 10**6])
def test_only_moments_of_the_record_can_be_gone_to(whole, number):
    with pytest.raises(
        SearchError, match=f"expected a step from 0 to {whole.last}, where the record ends; found {number}"
    ):
        whole.goto(number)


@pytest.mark.parametrize("number", [0, 10**6])
def test_only_steps_of_the_record_are_explained(whole, number):
    with pytest.raises(SearchError, match=f"expected a step from 1 to {whole.last}"):
        whole.explain(number)


def test_after_the_solution_there_is_no_step():
    search = solved(ONE_PUSH)
    with pytest.raises(SearchError, match="found that the search has ended: the level is solved"):
        search.step()


def test_the_board_shows_the_position_expanded_last():
    search = solved(LONG)
    assert search.board.is_solved
    search.goto(0)
    assert search.board.n_pushes == 0
