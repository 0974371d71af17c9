"""Files of solvers: what was saved is made again, and what was not written by `save` is refused."""

import json

import pytest

import sokoviz as sv
from sokoviz.errors import SearchFileError
from sokoviz.search import saving
from tests.search.searching import assert_same, assert_same_record

NO_WAY = "######\n#@ $ #\n#  #.#\n######"


@pytest.fixture
def level():
    return sv.load("lessons#7")


@pytest.fixture
def saved(level, tmp_path):
    """The file of a search that was saved in the middle."""
    search = sv.Schokoban(level, seed=3, c=4.0)
    search.run(iterations=120, progress=False)
    search.goto(100, "selection")
    search.save(tmp_path / "search.json")
    return tmp_path / "search.json"


def edit(path, **changes):
    """Change entries of a file; None takes one out."""
    head = json.loads(path.read_text()) | changes
    head = {name: entry for name, entry in head.items() if entry is not None}
    path.write_text(json.dumps({**head, "digest": saving._digest(head)}))


@pytest.mark.parametrize("solver", [sv.Schokoban, sv.Vanillaban])
def test_a_search_saved_in_the_middle_goes_on_to_the_same_end(solver, level, tmp_path):
    search = solver(level, seed=5, preset="best", c=3.0)
    search.run(iterations=100, progress=False)
    search.save(tmp_path / "search.json")
    loaded = solver.load(tmp_path / "search.json")
    assert type(loaded) is solver
    assert (loaded.settings, loaded.preset) == (search.settings, search.preset)
    for each in (search, loaded):
        each.run(progress=False)
    assert search.solution == loaded.solution
    assert_same(search, loaded)
    assert_same_record(search, loaded)


def test_the_moment_the_time_and_the_level_are_kept(saved, level):
    loaded = sv.Schokoban.load(saved)
    assert (loaded.moment, loaded.last) == ((100, "selection"), 120)
    assert loaded.seconds == json.loads(saved.read_text())["seconds"]
    assert (loaded.level.rows, loaded.level.title, loaded.level.name) == (level.rows, level.title, level.name)


@pytest.mark.parametrize("solver", [sv.Schokoban, sv.Vanillaban])
def test_all_that_a_level_says_is_kept(solver, tmp_path):
    level = sv.Level(("#####", "#@$.#", "#####"), "Gate", "Zoë", "Two lines\nof text.", "mine#1")
    solver(level).save(tmp_path / "search.json")
    assert solver.load(tmp_path / "search.json").level == level


def test_a_file_of_the_version_before_is_refused_by_name(saved):
    edit(saved, version=1)
    with pytest.raises(SearchFileError, match="version 2 of the format, found version 1"):
        sv.Schokoban.load(saved)


def test_a_search_is_kept_beyond_its_solution(level, tmp_path):
    search = sv.Schokoban(level)
    search.run(progress=False)
    search.run(iterations=300, progress=False)
    search.save(tmp_path / "search.json")
    loaded = sv.Schokoban.load(tmp_path / "search.json")
    assert loaded.last == search.last
    assert loaded.solution == search.solution


@pytest.mark.parametrize("options", [{}, {"journal": False}])
def test_a_proof_is_kept(tmp_path, options):
    search = sv.Schokoban(NO_WAY, **options)
    search.run(progress=False)
    search.save(tmp_path / "search.json")
    assert sv.Schokoban.load(tmp_path / "search.json").run(progress=False).stopped_by == "unsolvable"


def test_a_missing_file_is_a_missing_file(tmp_path):
    with pytest.raises(FileNotFoundError):
        sv.Schokoban.load(tmp_path / "none.json")


@pytest.mark.parametrize("text", ["", "{", "null", "[]", '{"format": "other"}', "[" * 100_000, "\x00"])
def test_what_is_no_file_of_a_solver_is_refused(tmp_path, text):
    (tmp_path / "file").write_text(text)
    with pytest.raises(SearchFileError, match="a file written by save"):
        sv.Schokoban.load(tmp_path / "file")


def test_the_file_of_another_kind_of_search_is_refused(tmp_path, saved):
    search = sv.MCTS(sv.TicTacToe())
    search.run(iterations=10, progress=False)
    search.save(tmp_path / "other")
    with pytest.raises(SearchFileError):
        sv.Schokoban.load(tmp_path / "other")
    with pytest.raises(SearchFileError):
        sv.MCTS.load(saved)


def test_a_file_cut_short_is_refused(saved):
    saved.write_bytes(saved.read_bytes()[:-20])
    with pytest.raises(SearchFileError):
        sv.Schokoban.load(saved)


@pytest.mark.parametrize("entry", sorted(saving.HEAD - {"digest"}))
def test_a_file_that_lacks_something_is_refused(saved, entry):
    edit(saved, **{entry: None})
    with pytest.raises(SearchFileError, match=entry):
        sv.Schokoban.load(saved)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"version": 99}, "version 2 of the format, found version 99"),
        ({"steps": 119}, "does something else"),
        ({"steps": -1}, "a number of steps"),
        ({"steps": 5.0}, "a number of steps"),
        ({"search": "Vanillaban"}, "does something else"),
        ({"search": "astar"}, "a search called 'Schokoban' or 'Vanillaban', found 'astar'"),
        ({"settings": {"level": NO_WAY}}, "does something else"),
        ({"settings": {"level": "nothing"}}, "settings of a search"),
        ({"settings": 5}, "settings of a search"),
        ({"options": []}, "settings of a search"),
        ({"options": {"deadlocks": [], "seed": 3, "colour": "red"}}, "settings of a search"),
        ({"done": "0" * 64}, "does something else"),
        ({"moment": [999, ""]}, "a moment of the record"),
        ({"moment": [100, "elimination of all"]}, "a moment of the record"),
        ({"moment": 7}, "a moment of the record"),
        ({"seconds": "long"}, "seconds"),
    ],
)
def test_an_edited_file_is_refused(saved, changes, message):
    edit(saved, **changes)
    with pytest.raises(SearchFileError, match=message):
        sv.Schokoban.load(saved)


@pytest.mark.parametrize(("option", "value"), [("seed", 4), ("c", 5.0), ("deadlocks", []), ("late", True)])
def test_an_edited_option_is_refused(saved, option, value):
    options = json.loads(saved.read_text())["options"]
    assert options[option] != value
    edit(saved, options={**options, option: value})
    with pytest.raises(SearchFileError, match="does something else"):
        sv.Schokoban.load(saved)


def test_a_file_that_asks_for_more_than_its_memory_holds_is_refused_and_not_tried_for_ever(tmp_path, level):
    search = sv.Schokoban(level, memory=4_000_000)
    search.run(iterations=10, progress=False)
    search.save(tmp_path / "search.json")
    edit(tmp_path / "search.json", steps=10**12)
    with pytest.raises(SearchFileError, match="does something else"):
        sv.Schokoban.load(tmp_path / "search.json")


def test_reading_a_file_can_be_interrupted(saved, monkeypatch):
    def interrupted(*_arguments):
        raise KeyboardInterrupt

    monkeypatch.setattr(sv.Schokoban, "_go_on", interrupted)
    with pytest.raises(KeyboardInterrupt):
        sv.Schokoban.load(saved)
