"""Searches in files: what is saved comes back and goes on alike; anything else is refused with a clear error."""

from __future__ import annotations

import json
import pickletools
import zipfile
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from sokoviz.core.tree import journal as records
from sokoviz.errors import SearchError, SearchFileError
from sokoviz.games import game as games
from sokoviz.games.sokoban import Sokoban
from sokoviz.games.tictactoe import TicTacToe
from sokoviz.levels import Level
from sokoviz.search.mcts import file as files
from sokoviz.search.mcts.search import MCTS
from sokoviz.search.options import Script
from tests.games.digits import Digits
from tests.search.searching import THESIS, assert_same, assert_same_record

pytestmark = pytest.mark.kernels

POSITION = "X.O/.X./..O"


@pytest.fixture
def path(tmp_path):
    """Where to save to."""
    return tmp_path / "one.search"


@pytest.fixture(scope="module")
def saved():
    """The contents of a file with a scripted search of 60 iterations."""
    search = MCTS(TicTacToe(POSITION), seed=4, script=Script(choices=(2, 1), outcomes=(None, 1)))
    search.run(iterations=60)
    return contents_of(search)


def contents_of(search):
    """A search as it would be in a file."""
    with TemporaryDirectory() as folder:
        search.save(Path(folder) / "search")
        return (Path(folder) / "search").read_bytes()


def parts_of(contents):
    """Head and arrays of a file."""
    with np.load(BytesIO(contents)) as archive:
        arrays = {name: archive[name] for name in archive.files}
    return json.loads(bytes(arrays.pop("head"))), arrays


def write(path, head, arrays, *, keep_digest=False):
    """Write a file of any head and arrays, with a digest that fits."""
    if not keep_digest:
        head = {**head, "digest": files._digest(head, arrays)}
    text = np.frombuffer(json.dumps(head).encode(), dtype=np.uint8)
    with path.open("wb") as file:
        np.savez_compressed(file, head=text, **arrays)
    return path


# --- there and back --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("moment", [(0, ""), (60, ""), (17, ""), (17, "simulation"), (1, "expansion")])
def test_a_search_comes_back_and_goes_on_alike(path, moment):
    search = MCTS(TicTacToe(), seed=12, c=0.7, selection="ucb1", final_move="secure")
    search.run(iterations=60)
    search.goto(*moment)
    search.save(path)
    again = MCTS.load(path)
    assert again.moment == search.moment == moment
    assert (again.settings, again.last, again.seconds) == (search.settings, search.last, search.seconds)
    assert again.game.to_json() == search.game.to_json()
    assert_same(again, search)
    assert_same_record(again, search)
    assert again.history.equals(search.history)
    for k in (1, 2, 30, 60):
        assert again.explain(k) == search.explain(k)
    for one in (search, again):
        one.run(iterations=3000)
        one.goto(one.last)
    assert_same(again, search)
    assert_same_record(again, search)


@pytest.mark.parametrize("n", [0, 5, 11, 40])
def test_a_script_goes_on_where_it_was(path, n):
    search = MCTS(TicTacToe(), seed=3, script=THESIS)
    search.run(iterations=n)
    search.save(path)
    again = MCTS.load(path)
    assert again.settings.script == THESIS
    again.run(iterations=60 - n)
    search.run(iterations=60 - n)
    assert_same_record(again, search)


def test_a_game_for_one_comes_back(path):
    search = MCTS(Digits(5), seed=3)
    search.run(iterations=200)
    search.save(path)
    again = MCTS.load(path)
    assert isinstance(again.game, Digits)
    assert_same(again, search)
    assert_same(MCTS.load(path, game=Digits(5)), search)


@pytest.mark.parametrize("chosen", [None, Sokoban("#####\n#@$.#\n#####")])
def test_all_that_a_level_says_comes_back(path, chosen):
    level = Level(("#####", "#@$.#", "#####"), "Gate", "Zoë", "Two lines\nof text.", "mine#1")
    MCTS(Sokoban(level)).save(path)
    game = MCTS.load(path, chosen).game
    assert isinstance(game, Sokoban)
    assert game.level == (chosen.level if chosen else level)  # a game that is given wins


def test_a_long_search_comes_back(path):
    search = MCTS(TicTacToe(), seed=3)
    search.run(iterations=50_000)
    search.save(path)
    again = MCTS.load(path)
    assert_same(again, search)
    again.goto(25_000)
    search.goto(25_000)
    assert_same(again, search)
    assert again.explain(25_001) == search.explain(25_001)


def test_a_search_that_was_not_run_comes_back(path):
    MCTS(TicTacToe(POSITION), seed=9).save(path)
    again = MCTS.load(path)
    assert (again.last, len(again.tree), again.settings.seed) == (0, 1, 9)
    again.run(iterations=50)
    other = MCTS(TicTacToe(POSITION), seed=9)
    other.run(iterations=50)
    assert_same_record(again, other)


def test_a_search_is_saved_while_it_runs(path):
    search = MCTS(TicTacToe(), seed=3)
    search.run(iterations=100)
    search.start(iterations=10**9)
    search.save(path)
    search.stop()
    again = MCTS.load(path)
    assert 100 <= again.last <= search.last
    search.goto(again.last)
    again.goto(again.last)
    assert_same(again, search)


def test_numbers_of_numpy_are_saved(path):
    numbers: dict[str, Any] = {"seed": np.int64(3), "c": np.float32(1.5)}
    MCTS(TicTacToe(), **numbers).save(path)
    settings = MCTS.load(path).settings
    assert (settings.seed, settings.c) == (3, 1.5)


def test_saving_again_overwrites_and_leaves_nothing_else(path):
    search = MCTS(TicTacToe())
    for n in (10, 0, 20):
        search.run(iterations=n)
        search.save(path)
    assert MCTS.load(path).last == 30
    assert [found.name for found in path.parent.iterdir()] == [path.name]


def test_paths_may_be_text(path):
    search = MCTS(TicTacToe())
    search.save(str(path))
    assert MCTS.load(str(path)).last == 0


def test_there_is_no_pickle_in_a_file(saved):
    with zipfile.ZipFile(BytesIO(saved)) as archive:
        names = archive.namelist()
        assert sorted(names) == sorted(f"{name}.npy" for name in ("head", *files.ARRAYS))
        for name in names:
            content = archive.read(name)
            assert content.startswith(b"\x93NUMPY")
            assert np.load(BytesIO(content), allow_pickle=False).dtype.kind in "iu"
            with pytest.raises(ValueError, match=r"."):
                list(pickletools.genops(content))


def test_a_search_without_a_journal_is_not_saved(path):
    with pytest.raises(SearchError, match="journal"):
        MCTS(TicTacToe(), journal=False).save(path)
    assert not path.exists()


# --- what is no search -----------------------------------------------------------------------------------------------


def refuse(path, message="expected"):
    """Loading a file is refused, and the error names the file."""
    with pytest.raises(SearchFileError, match=message) as caught:
        MCTS.load(path)
    assert str(path) in str(caught.value)
    return str(caught.value)


def test_a_file_that_is_not_there(path):
    with pytest.raises(FileNotFoundError):
        MCTS.load(path)


def test_a_folder(tmp_path):
    refuse(tmp_path)


@pytest.mark.parametrize(
    "contents",
    [b"", b"\n", b"not a search", b"\x93NUMPY\x01\x00", b"PK\x03\x04", bytes(1000), b"{}", b"\x80\x04K\x01."],
)
def test_other_contents(path, contents):
    path.write_bytes(contents)
    refuse(path, "file written by save")


def test_an_array_alone(path):
    with path.open("wb") as file:
        np.save(file, np.arange(10))
    refuse(path, "file written by save")


def test_arrays_of_something_else(path):
    with path.open("wb") as file:
        np.savez(file, steps=np.arange(3), events=np.arange(3))
    refuse(path, "file written by save")


@pytest.mark.parametrize("head", [[], 5, None, {}, {"format": "other"}, {"format": "sokoviz search", "search": "IDA"}])
def test_heads_of_something_else(path, saved, head):
    _, arrays = parts_of(saved)
    with path.open("wb") as file:
        np.savez(file, head=np.frombuffer(json.dumps(head).encode(), dtype=np.uint8), **arrays)
    refuse(path, "file written by save")


@pytest.mark.parametrize("version", [0, 2, "1", None])
def test_other_versions(path, saved, version):
    head, arrays = parts_of(saved)
    refuse(write(path, {**head, "version": version}, arrays), f"version 1 of the format, found version {version!r}")


def test_pickled_objects_are_not_opened(path, saved):
    head, arrays = parts_of(saved)
    arrays["tip"] = np.array([{"a": 1}], dtype=object)
    text = np.frombuffer(json.dumps(head).encode(), dtype=np.uint8)
    with path.open("wb") as file:
        np.savez(file, head=text, **arrays)
    refuse(path, "cannot be read")


@pytest.mark.parametrize("name", ["head", *files.ARRAYS])
def test_arrays_that_are_missing(path, saved, name):
    head, arrays = parts_of(saved)
    arrays["head"] = np.frombuffer(json.dumps(head).encode(), dtype=np.uint8)
    del arrays[name]
    with path.open("wb") as file:
        np.savez(file, **arrays)
    refuse(path, "cannot be read")


# --- damage ----------------------------------------------------------------------------------------------------------


def load_or_refuse(path, saved, contents):
    """Damaged contents give the same search, or are refused."""
    path.write_bytes(contents)
    try:
        again = MCTS.load(path)
    except SearchFileError:
        return False
    path.write_bytes(saved)
    assert_same(again, MCTS.load(path))
    assert_same_record(again, MCTS.load(path))
    return True


@pytest.fixture(scope="module")
def scratch(tmp_path_factory):
    """A path for examples that hypothesis makes up."""
    return tmp_path_factory.mktemp("damaged") / "search"


@hypothesis_settings(max_examples=400)
@given(st.data())
def test_a_flipped_byte_is_harmless_or_noticed(scratch, saved, data):
    contents = bytearray(saved)
    contents[data.draw(st.integers(min_value=0, max_value=len(saved) - 1))] ^= data.draw(st.integers(1, 255))
    load_or_refuse(scratch, saved, bytes(contents))


def test_flipped_bits_in_the_table_of_contents_are_harmless_or_noticed(scratch, saved):
    """Here are the fields that zip programs fail over in many ways: methods, flags, sizes, places."""
    start = saved.index(b"PK\x01\x02")
    outcomes = {
        load_or_refuse(scratch, saved, saved[:place] + bytes([saved[place] ^ bit]) + saved[place + 1 :])
        for place in range(start, min(start + 130, len(saved)))
        for bit in (1, 8, 64)
    }
    assert outcomes == {True, False}


@pytest.mark.parametrize("share", [0.0, 0.1, 0.5, 0.9, 0.99])
def test_truncated_files(path, saved, share):
    path.write_bytes(saved[: int(share * len(saved))])
    refuse(path, "cannot be read")


def test_changed_arrays_without_a_fitting_digest(path, saved):
    head, arrays = parts_of(saved)
    arrays["events"][0, 2] += 1
    refuse(write(path, head, arrays, keep_digest=True), "changed or damaged")


def test_changed_settings_without_a_fitting_digest(path, saved):
    head, arrays = parts_of(saved)
    head["settings"]["c"] = 3.0
    refuse(write(path, head, arrays, keep_digest=True), "changed or damaged")


# --- forgery: everything fits but the numbers ------------------------------------------------------------------------

LARGE = (-1, -(2**31), 2**31 - 1, 7, 1000)
FREE_ROWS = {records.GENERATOR}  # any number is a state of the generator

# Marks that cannot be told from the events: changed, they mislead a breakpoint and nothing else.
SOFT_FLAGS = 0b11101


@pytest.mark.parametrize("name", files.ARRAYS)
@pytest.mark.parametrize("kind", ["i1", "i2", ">i4", ">i8", "f8", "u4", "U3", "?"])
def test_arrays_of_other_types(path, saved, name, kind):
    head, arrays = parts_of(saved)
    arrays[name] = arrays[name].astype(kind)
    refuse(write(path, head, arrays))


@pytest.mark.parametrize("name", files.ARRAYS)
@pytest.mark.parametrize(
    "reshape",
    [
        lambda array: array[..., np.newaxis],
        lambda array: array.ravel()[0],
        lambda array: array[:0],
        lambda array: array[:-1],
        lambda array: np.concatenate([array, array]),
        lambda array: array.T.copy() if array.ndim == 2 else np.stack([array, array]),
    ],
)
def test_arrays_of_other_shapes(path, saved, name, reshape):
    head, arrays = parts_of(saved)
    array = arrays[name]
    arrays[name] = np.array(reshape(array), order="C") if array.size > 1 else np.zeros(3, array.dtype)
    refuse(write(path, head, arrays))


@pytest.mark.parametrize("name", [name for name in files.ARRAYS if name != "generator"])
def test_numbers_out_of_place_are_refused_before_any_kernel_runs(scratch, saved, name, monkeypatch):
    """Every column of every array, somewhere, with numbers that would lead out of bounds."""
    monkeypatch.setattr(files, "_restore", lambda *_: pytest.fail("a kernel was about to run"))
    head, arrays = parts_of(saved)
    array = arrays[name]
    rows = range(array.shape[0]) if name != "events" else range(4)
    generator = np.random.default_rng(1)
    for row in rows if array.ndim == 2 else [None]:
        if name == "steps" and row in FREE_ROWS:
            continue
        for number in (*LARGE, *((2**62, -(2**63)) if array.dtype == np.int64 else ())):
            forged = array.copy()
            column = forged[row] if name == "steps" else forged[:, row] if name == "events" else forged
            place = generator.integers(len(column))
            if column[place] == number or (name == "events" and row == 3 and forged[place, 0] == records.PASSED):
                continue
            if name == "steps" and row == records.FLAGS and not (column[place] ^ number) & ~SOFT_FLAGS:
                continue
            column[place] = number
            refuse(write(scratch, head, {**arrays, name: forged}))


def forge(arrays, name, index, number):
    """The same arrays but for one number."""
    forged = arrays[name].copy()
    forged[index] = number
    return {**arrays, name: forged}


def test_ends_of_iterations_that_wrap_around(path):
    """The differences of these are 1 and more in 64 bits, but not in truth."""
    search = MCTS(TicTacToe(POSITION), seed=4)
    search.run(iterations=4)
    head, arrays = parts_of(contents_of(search))
    arrays["steps"][records.EVENTS_END] = 2**63 - 1, -(2**63), -1, len(arrays["events"])
    refuse(write(path, head, arrays), "do not end with a reward")


def test_a_node_that_got_children_twice(path, saved):
    head, arrays = parts_of(saved)
    events = arrays["events"]
    added = np.flatnonzero(events[:, 0] == records.ADDED)
    later = added[-1]
    arrays["parents"][events[later, 2] : events[later, 2] + events[later, 3]] = 0
    events[later, 1] = 0
    refuse(write(path, head, arrays), "record that makes a tree")


@pytest.mark.parametrize("action", [-1, 9, 20, 63, 2**31 - 1])
def test_actions_that_are_not_legal(path, saved, action):
    head, arrays = parts_of(saved)
    for node in (1, 3, len(arrays["actions"]) - 1):
        refuse(write(path, head, forge(arrays, "actions", node, action)), "the actions .* below node")


def test_an_action_at_the_root(path, saved):
    head, arrays = parts_of(saved)
    refuse(write(path, head, forge(arrays, "actions", 0, 3)), "an action that leads to the root")


@pytest.mark.parametrize(
    ("entry", "value"),
    [
        ("settings", None),
        ("settings", {}),
        ("settings", {"c": 2.0, "script": {}, "colour": "red"}),
        ("settings", {"c": -1.0, "script": {}}),
        ("settings", {"script": {"choices": ["a"]}}),
        ("settings", {"script": {"choices": [2, 1], "outcomes": [None, 1]}, "memory": "all"}),
        ("settings", {"seed": 4, "script": {"choices": [], "outcomes": []}}),
        ("game", "Chess"),
        ("game", None),
        ("game", ["Tic-Tac-Toe"]),
        ("game settings", None),
        ("game settings", {}),
        ("game settings", {"position": "XXX/XXX/XXX"}),
        ("game settings", {"position": ".../.../..."}),
        ("moment", None),
        ("moment", []),
        ("moment", [61, ""]),
        ("moment", [-1, ""]),
        ("moment", [60, "selection"]),
        ("moment", [0, "expansion"]),
        ("moment", ["a", ""]),
        ("moment", [0, 3]),
        ("moment", [0, "", ""]),
        ("seconds", "long"),
        ("seconds", None),
    ],
)
def test_heads_that_make_no_sense(path, saved, entry, value):
    head, arrays = parts_of(saved)
    refuse(write(path, {**head, entry: value}, arrays))


def test_a_journal_is_kept_whatever_the_file_says(path, saved):
    head, arrays = parts_of(saved)
    head["settings"]["journal"] = False
    assert MCTS.load(write(path, head, arrays)).explain(3).number == 3


# --- foreign games ---------------------------------------------------------------------------------------------------


def test_a_game_whose_class_is_not_there(path, monkeypatch):
    search = MCTS(Digits(4))
    search.run(iterations=10)
    search.save(path)
    monkeypatch.delitem(games._GAME_OF, "Digits")
    assert "define or import its class first" in refuse(path, "found 'Digits'")
    assert MCTS.load(path, game=Digits(4)).last == 10


def test_a_game_of_another_kind_or_position(path, saved):
    path.write_bytes(saved)
    for game in (Digits(4), TicTacToe()):
        with pytest.raises(SearchFileError, match=r"expected the game Tic-Tac-Toe with .*found"):
            MCTS.load(path, game=game)


def test_a_game_that_begins_elsewhere(path, saved, monkeypatch):
    """The settings are the same, but the class has changed since."""
    path.write_bytes(saved)
    monkeypatch.setattr(TicTacToe, "start", lambda _: np.array([1, 2]))
    refuse(path, "a game that begins with")
