"""Files of a learner: written as it goes, gone on with, refused where they are damaged."""

from __future__ import annotations

import json
import subprocess
import sys
import time

import pytest

import sokoviz as sv
from sokoviz.errors import SearchError, SearchFileError
from sokoviz.learn.curry import Curry
from tests.learn.test_curry import untimed


@pytest.fixture
def path(tmp_path):
    return tmp_path / "parking.curry"


@pytest.fixture
def kept(path):
    """A file of a learner that has solved its level."""
    curry = Curry(sv.load("lessons#16"), seed=1, file=path)
    curry.run(seconds=60)
    return curry


def test_a_file_that_grew_with_a_learner_gives_it_back(kept, path):
    again = Curry.load(path)
    assert untimed(again) == untimed(kept)
    assert again.episodes == kept.episodes
    assert (again.solution, again.options, again.level) == (kept.solution, kept.options, kept.level)


def test_a_saved_learner_is_loaded_and_goes_on(tmp_path, kept):
    curry = Curry(kept.level, seed=1)
    curry.run(iterations=3)
    curry.save(tmp_path / "some")
    again = Curry.load(tmp_path / "some")
    assert untimed(again) == untimed(curry)
    again.run(seconds=60)
    assert untimed(again) == untimed(kept)


def test_killing_the_process_loses_at_most_the_visit_under_way(kept, path):
    lines = path.read_text().splitlines(keepends=True)
    for n in (1, 2, len(lines) // 2, len(lines) - 1):
        path.write_text("".join(lines[:n]) + lines[n][: len(lines[n]) // 2])  # the last line was being written
        again = Curry(kept.level, seed=1, file=path)
        assert len(again.visits) == n - 1
        again.run(seconds=60)
        assert untimed(again) == untimed(kept)
        assert [json.loads(line)[:8] for line in path.read_text().splitlines()[1:]] == [
            json.loads(line)[:8] for line in lines[1:]
        ]


def test_a_process_that_is_killed_loses_at_most_the_visit_under_way(kept, path):
    path.unlink()
    code = f"import sokoviz as sv; sv.Curry(sv.load('lessons#16'), seed=1, file={str(path)!r}).run(seconds=60)"
    process = subprocess.Popen([sys.executable, "-c", code])
    try:
        while not path.exists() or path.read_bytes().count(b"\n") < 2:
            assert process.poll() is None, "it ended before it could be killed"
            time.sleep(0.001)
    finally:
        process.kill()
        process.wait()
    again = Curry(kept.level, seed=1, file=path)
    assert again.visits
    again.run(seconds=60)
    assert untimed(again) == untimed(kept)


def test_going_on_at_the_beginning_of_a_pass_gives_what_one_long_run_gives(path):
    level = sv.load("lessons#17")
    whole = Curry(level, seed=1, slice_nodes=40)
    whole.run(seconds=60)
    part = Curry(level, seed=1, slice_nodes=40, file=path)
    while part.run(until="restart").stopped_by == "until":
        assert part.buffer() == ()
        part = Curry(level, seed=1, slice_nodes=40, file=path)
    assert part.visits[-1].task.restart > 1
    assert untimed(part) == untimed(whole)


def test_looking_into_a_file_leaves_it_as_it_is(kept, path):
    text = path.read_text()[:-5]  # another process is writing the last line
    path.write_text(text)
    assert len(Curry.load(path).visits) == len(kept.visits) - 1
    assert path.read_text() == text


def test_a_batch_that_was_cut_is_completed(path, kept):
    path.unlink()
    whole = Curry(kept.level, seed=1, batch=3, file=path)
    whole.run(seconds=60)
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join(lines[:3]))
    again = Curry(kept.level, seed=1, batch=3, file=path)
    again.run(seconds=60)
    assert untimed(again) == untimed(whole)


def test_a_file_of_another_level_or_of_other_options_is_not_gone_on_with(kept, path):
    with pytest.raises(SearchError, match=r"expected parking\.curry to be of this level and these options"):
        Curry(sv.load("lessons#17"), seed=1, file=path)
    with pytest.raises(SearchError, match=r"expected parking\.curry to be of this level and these options"):
        Curry(kept.level, seed=2, file=path)


def test_a_file_of_other_options_is_refused_with_their_names(kept, path):
    differing = (
        "found others in it: goal_filter=True instead of False, .* visits=8 instead of 0, restarts=True instead of F"
    )
    with pytest.raises(SearchError, match=differing):
        Curry(kept.level, seed=1, preset="text", file=path)


def test_a_file_from_before_an_option_was_there_is_of_a_learner_with_its_default(kept, path):
    head, *visits = path.read_text().splitlines(keepends=True)
    old = json.loads(head)
    for name in ("search", "width", "depth", "distinct", "unsolved", "matching", "one_buffer"):
        del old["options"][name]
    path.write_text("".join([json.dumps(old) + "\n", *visits]))
    assert Curry.load(path).options == kept.options
    assert untimed(Curry.load(path)) == untimed(kept)


def test_a_file_with_an_option_that_is_not_known_is_refused_by_name(kept, path):
    head, *visits = path.read_text().splitlines(keepends=True)
    path.write_text("".join([head.replace('"delta"', '"gamma"'), *visits]))
    with pytest.raises(SearchFileError, match="unexpected keyword argument 'gamma'"):
        Curry.load(path)
    assert kept.solution is not None


def spoil(change):
    """A line of the file changed."""

    def spoiled(lines):
        row = json.loads(lines[1])
        change(row)
        return [lines[0], json.dumps(row), *lines[2:]]

    return spoiled


@pytest.mark.parametrize(
    ("damage", "words"),
    [
        (lambda _: [""], "an empty one|first line"),
        (lambda _: ["{}"], "level and options of a learner in its first line"),
        (
            lambda lines: [lines[0].replace('"version": 1', '"version": 9'), *lines[1:]],
            "found 'sokoviz curry' version 9",
        ),
        (lambda lines: [lines[0], "[1, 2]", *lines[2:]], "expected a visit in line 2"),
        (lambda lines: [lines[0], *lines[2:]], "visits that belong together"),
        (lambda lines: [*lines, lines[-1]], "no visit after the last one"),
        (spoil(lambda row: row[10][0].__setitem__(1, 9)), "expected moves that solve board 0 of stage 1"),
        (spoil(lambda row: row[10][0].__setitem__(1, 10**6)), "expected squares from 0 to"),
        (spoil(lambda row: row.__setitem__(4, "maybe")), "expected a visit in line 2"),
    ],
)
def test_damaged_files_are_refused_with_a_reason(kept, path, damage, words):
    lines = path.read_text().splitlines()
    path.write_text("\n".join(damage(lines)) + "\n")
    with pytest.raises(SearchFileError, match=words):
        Curry.load(path)
    assert kept.solution is not None


def test_a_file_that_is_no_text_is_refused(path):
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(SearchFileError, match=r"parking.curry: expected a file written by a learner"):
        Curry.load(path)
