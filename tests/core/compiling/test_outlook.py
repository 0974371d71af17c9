"""How long kernels still take: it follows what is there, it is never absurd, and people read it."""

import pytest

from sokoviz.core.compiling import machine_code, outlook
from sokoviz.core.compiling.outlook import Outlook, in_words


class World:
    """A clock and a folder that a test sets."""

    now = 0.0
    kept = frozenset()


@pytest.fixture
def world(monkeypatch):
    world = World()
    monkeypatch.setattr(outlook.time, "monotonic", lambda: world.now)
    monkeypatch.setattr(machine_code, "pieces_kept", lambda: world.kept)
    monkeypatch.setattr(outlook, "costs", lambda: {"group": {"one": 10.0, "two": 10.0, "small": 1.0}})
    return world


def test_what_is_there_already_is_not_waited_for(world):
    world.kept = {"one", "small"}
    assert Outlook("group").seconds() == pytest.approx(10)


def test_time_runs_while_a_piece_is_compiled_but_only_by_one_piece(world):
    waiting = Outlook("group")
    world.now = 4
    assert waiting.seconds() == pytest.approx(17)
    world.now = 1000
    assert waiting.seconds() == pytest.approx(11)


@pytest.mark.parametrize(("took", "low", "high"), [(5, 6, 9), (10, 10, 12), (30, 20, 29)])
def test_how_fast_the_machine_is_shows_while_pieces_come(world, took, low, high):
    waiting = Outlook("group")
    world.now, world.kept = took, {"one"}
    assert low < waiting.seconds() < high


def test_the_last_piece_may_take_longer_than_thought(world):
    world.kept = {"two", "small"}
    waiting = Outlook("group")
    world.now = 60
    assert in_words(waiting.seconds()) == "a few seconds more"
    world.kept = {"one", "two", "small"}
    assert waiting.seconds() is None


def test_where_nothing_is_kept_the_clock_tells(world):
    world.kept = {"one", "two"}
    waiting = Outlook("group", is_kept=False)
    world.now = 15
    assert waiting.seconds() == pytest.approx(6)
    world.now = 100
    assert waiting.seconds() == 0


@pytest.mark.usefixtures("world")
def test_a_piece_of_several_groups_is_waited_for_once(monkeypatch):
    monkeypatch.setattr(outlook, "costs", lambda: {"group": {"one": 10.0}, "other": {"one": 10.0, "two": 5.0}})
    assert Outlook(outlook.ALL).seconds() == pytest.approx(15)


@pytest.mark.usefixtures("world")
def test_of_an_unknown_group_nothing_is_said():
    assert Outlook("no such group").seconds() is None


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0, "a few seconds more"),
        (3.9, "a few seconds more"),
        (4, "about 5 s left"),
        (7.4, "about 5 s left"),
        (13, "about 15 s left"),
        (99, "about 100 s left"),
        (130, "about 2 min left"),
    ],
)
def test_seconds_in_words(seconds, text):
    assert in_words(seconds) == text


def test_a_name_of_a_piece_is_the_same_on_all_machines_and_that_of_a_file_is_not():
    def name(processor):
        return machine_code.Store(machine_code.source_key, processor)._path("code", ("int64",)).name

    one, other = name(("one",)), name(("other",))
    assert one != other
    assert one.rpartition("-")[0] == other.rpartition("-")[0]
