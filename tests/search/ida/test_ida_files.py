"""Files of iterative deepening: what was saved goes on to the same end, and what `save` has not written is refused."""

import json
import re
from random import Random
from typing import Any

import numpy as np
import pytest

import sokoviz as sv
from sokoviz.errors import SearchFileError
from sokoviz.learn import record
from sokoviz.search import saving
from sokoviz.search.mcts import file as files
from tests.search.ida.deepenings import HARD_WORLDS, TURNING, TURNING_WORLD, rows_of, search_of, solved

pytestmark = pytest.mark.kernels

LONG = HARD_WORLDS[2].text
NO_WAY = "######\n#@ $ #\n#  #.#\n######"
ENDLESS = "##########\n#  $  ...#\n# $$  $..#\n# $$ $ ..#\n# @      #\n##########"  # four boxes can never move
WAYS: dict[str, tuple[str, dict[str, Any]]] = {
    "classic": (LONG, {}),
    "optimal": (LONG, {"preset": "optimal"}),
    "turns": (TURNING_WORLD.text, TURNING),
    "turns that prove": (TURNING_WORLD.text, {**TURNING, "growth": 1.0, "patience": 50}),
}


@pytest.fixture(scope="module")
def ends():
    """Searches that ran in one go, by their way; nobody may move them."""
    return {way: solved(text, **options) for way, (text, options) in WAYS.items()}


@pytest.fixture
def path(tmp_path):
    """Where to save to."""
    return tmp_path / "one.search"


@pytest.fixture
def saved(path):
    """The file of a search that was saved in the middle."""
    search = search_of(LONG)
    search.run(nodes=40, progress=False)
    search.goto(17)
    search.save(path)
    return path


def search_by(way, **options):
    """A search that has not begun."""
    text, others = WAYS[way]
    return search_of(text, **others, **options)


def again(search, path):
    """What comes back from a file."""
    search.save(path)
    return sv.IDA.load(path)


def assert_same(one, other):
    """Whether two searches have done the same."""
    assert rows_of(one) == rows_of(other)
    assert one.solution == other.solution
    assert one.lower_bound == other.lower_bound
    if one.options.journal and other.options.journal:
        np.testing.assert_array_equal(one.record.events, other.record.events)
        assert one.last == other.last


def edit(path, *, keep_digest=False, **changes):
    """Change entries of a file, so that its digest fits; None takes one out."""
    head = json.loads(path.read_text()) | {name.replace("_", " "): entry for name, entry in changes.items()}
    head = {name: entry for name, entry in head.items() if entry is not None}
    path.write_text(json.dumps(head if keep_digest else {**head, "digest": saving._digest(head)}))


# --- what comes back -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("journal", [True, False])
@pytest.mark.parametrize("way", WAYS)
def test_a_search_saved_within_a_threshold_goes_on_to_the_same_end(way, journal, ends, path):
    n = ends[way].result.nodes
    for nodes in (1, 2, n // 3, n // 2, n - 1):
        search = search_by(way, journal=journal)
        search.run(nodes=nodes, progress=False)
        loaded = again(search, path)
        assert_same(loaded, search)
        loaded.run(nodes=20_000, progress=False)
        assert_same(loaded, ends[way])


@pytest.mark.parametrize("journal", [True, False])
@pytest.mark.parametrize("way", WAYS)
def test_a_search_saved_between_thresholds_goes_on_to_the_same_end(way, journal, ends, path):
    for n in range(1, ends[way].counters.iterations + 1):
        search = search_by(way, journal=journal)
        search.run(iterations=n, progress=False)
        loaded = again(search, path)
        assert_same(loaded, search)
        assert loaded.engine.is_between
        loaded.run(nodes=20_000, progress=False)
        assert_same(loaded, ends[way])


def test_a_search_saved_after_any_step_is_made_again_to_that_step(path):
    search = search_by("turns")
    while not search.engine.is_solved:
        search.run(steps=7, progress=False)
        assert_same(again(search, path), search)


@pytest.mark.parametrize("journal", [True, False])
def test_pieces_with_a_file_after_each_come_to_the_same_end(journal, ends, path):
    search, random = search_by("turns", journal=journal), Random(3)
    while not search.engine.is_solved:
        search.run(nodes=random.randrange(1, 60), progress=False)
        search = again(search, path)
    assert_same(search, ends["turns"])


def test_an_interrupted_search_goes_on_to_the_same_end(ends, path, monkeypatch):
    search = search_of(LONG)
    advance = search.engine.advance

    def interrupted(*_):
        advance(5)
        raise KeyboardInterrupt

    monkeypatch.setattr(search.engine, "advance", interrupted)
    assert search.run(nodes=10**6, progress=False).stopped_by == "interrupted"
    loaded = again(search, path)
    assert loaded.last == 5
    loaded.run(nodes=10**6, progress=False)
    assert_same(loaded, ends["classic"])


def test_a_search_that_was_run_to_an_event_ends_with_it(path):
    search = search_of(LONG)
    search.run(until="bound", nodes=10_000, progress=False)
    loaded = again(search, path)
    assert loaded.steps == search.steps == loaded.last == search.last


@pytest.mark.parametrize("journal", [True, False])
@pytest.mark.parametrize("preset", ["classic", "best"])
def test_solutions_and_proofs_are_kept(preset, journal, path):
    for text in (LONG, NO_WAY, "#####\n#@* #\n#####"):
        search = solved(text, preset=preset, journal=journal)
        loaded = again(search, path)
        assert repr(loaded.result) == repr(search.result)
        assert loaded.solution == search.solution
        assert loaded.run(nodes=20_000, progress=False).stopped_by == search.result.stopped_by


def test_what_is_proven_is_kept(path):
    search, proven = search_by("turns that prove"), []
    while not search.engine.is_solved:
        search.run(nodes=20, progress=False)
        loaded = again(search, path)
        assert (loaded.lower_bound, loaded.result.is_optimal) == (search.lower_bound, search.result.is_optimal)
        proven.append(loaded.lower_bound)
    assert sorted({*proven}) == [8, 10]
    assert loaded.result.is_optimal


def test_a_search_that_has_not_begun_is_kept(ends, path):
    loaded = again(search_of(LONG), path)
    assert (loaded.last, loaded.steps, loaded.seconds) == (0, 0, 0.0)
    loaded.run(nodes=20_000, progress=False)
    assert_same(loaded, ends["classic"])


def test_moment_time_and_sentence_are_kept(saved):
    loaded, head = sv.IDA.load(saved), json.loads(saved.read_text())
    assert (loaded.steps, loaded.engine.n_nodes, loaded.seconds) == (17, 40, head["seconds"])
    assert "the nodes allowed are made" in repr(loaded.result)


def test_level_and_options_are_kept(path):
    level = sv.Level.parse("Title: One\nAuthor: Two\n\n" + LONG)
    search = sv.IDA(level, preset="crippa", memory=1 << 20, seed=np.int64(5), overestimation=1.25, m=None)
    loaded = again(search, path)
    assert (loaded.level, loaded.options, loaded.preset) == (level, search.options, "crippa")


def test_a_run_in_the_background_goes_on_while_it_is_saved(path):
    search = search_of(ENDLESS, journal=False, deadlocks=(), table=False)
    search.start(seconds=60)
    while search.last < 100:
        pass
    loaded = again(search, path)
    while search.last <= loaded.last:
        assert search.is_running
    search.stop()
    assert loaded.last >= 100


def test_nothing_is_left_beside_the_file(saved):
    assert [each.name for each in saved.parent.iterdir()] == [saved.name]
    assert len(saved.read_bytes()) < 3000


# --- what is refused -----------------------------------------------------------------------------------------------


def test_a_missing_file_is_a_missing_file(path):
    with pytest.raises(FileNotFoundError):
        sv.IDA.load(path)


@pytest.mark.parametrize("text", ["", "{", "null", "[]", '{"format": "other"}', "[" * 100_000, "\x00"])
def test_what_is_no_file_of_iterative_deepening_is_refused(path, text):
    path.write_text(text)
    with pytest.raises(SearchFileError, match="a file written by save"):
        sv.IDA.load(path)


@pytest.mark.parametrize("other", [files.FORMAT, record.FORMAT])
def test_files_of_other_searches_are_refused(saved, other):
    edit(saved, format=other)
    with pytest.raises(SearchFileError, match="a file written by save"):
        sv.IDA.load(saved)


def test_a_file_of_the_version_before_is_refused_by_name(saved):
    edit(saved, format="sokoviz deepening", version=1)
    with pytest.raises(SearchFileError, match=re.escape("version 2 of the format, found version 1 of IDA*")):
        sv.IDA.load(saved)


@pytest.mark.parametrize("solver", [sv.Schokoban, sv.MCTS, sv.Curry])
def test_other_searches_refuse_the_file(saved, solver):
    with pytest.raises(SearchFileError):
        solver.load(saved)


def test_a_file_cut_short_is_refused(saved):
    saved.write_bytes(saved.read_bytes()[:-20])
    with pytest.raises(SearchFileError, match="cannot be read"):
        sv.IDA.load(saved)


@pytest.mark.parametrize("entry", sorted(saving.HEAD - {"digest"}))
def test_a_file_that_lacks_something_is_refused(saved, entry):
    edit(saved, **{entry: None})
    with pytest.raises(SearchFileError, match=f"found no {entry}"):
        sv.IDA.load(saved)


def test_a_changed_file_is_refused_before_anything_is_searched(saved):
    edit(saved, keep_digest=True, steps=10**12)
    with pytest.raises(SearchFileError, match="changed or damaged"):
        sv.IDA.load(saved)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"version": 99}, "version 2 of the format, found version 99"),
        ({"steps": 18}, "does something else"),
        ({"steps": 10**12}, "does something else"),
        ({"steps": -1}, "a number of steps, found -1"),
        ({"steps": 5.0}, "a number of steps, found 5.0"),
        ({"moment": True}, "a moment of the record, found True"),
        ({"moment": [999, ""]}, "a moment of the record, found"),
        ({"seconds": "long"}, "a number of seconds"),
        ({"seconds": float("nan")}, "a number of seconds"),
        ({"settings": {"level": NO_WAY}}, "does something else"),
        ({"settings": {"level": "nothing"}}, "settings of a search"),
        ({"settings": 5}, "settings of a search"),
        ({"game": "Chess"}, "settings of a search"),
        ({"search": "Schokoban"}, "a search called 'IDA"),
        ({"words": []}, "settings of a search"),
        ({"options": {"preset": "fast"}}, "settings of a search"),
        ({"options": []}, "settings of a search"),
        ({"options": {"colour": "red"}}, "settings of a search"),
        ({"done": "0" * 64}, "does something else"),
    ],
)
def test_a_file_that_tells_of_no_search_is_refused(saved, changes, message):
    edit(saved, **changes)
    with pytest.raises(SearchFileError, match=message):
        sv.IDA.load(saved)


@pytest.mark.parametrize(("option", "value"), [("ordering", False), ("table", False), ("overestimation", 1.5)])
def test_another_option_makes_another_search(saved, option, value):
    edit(saved, options={**json.loads(saved.read_text())["options"], option: value})
    with pytest.raises(SearchFileError, match="does something else"):
        sv.IDA.load(saved)


def test_reading_a_file_can_be_interrupted(saved, monkeypatch):
    def interrupted(*_arguments):
        raise KeyboardInterrupt

    monkeypatch.setattr(sv.IDA, "_go_on", interrupted)
    with pytest.raises(KeyboardInterrupt):
        sv.IDA.load(saved)
