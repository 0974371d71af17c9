"""Errors say where and why, and survive the way to another process."""

from __future__ import annotations

import pickle

import pytest

from sokoviz import errors
from sokoviz.errors import IllegalMoveError, LevelError, NoPlayerError, SokovizError


def test_a_level_error_starts_with_its_place() -> None:
    assert str(NoPlayerError("expected a player", 3, 5)) == "line 3, column 5: expected a player"


def test_a_level_error_without_place_is_its_message() -> None:
    assert str(NoPlayerError("expected a player")) == "expected a player"


def test_a_move_error_starts_with_its_column() -> None:
    assert str(IllegalMoveError("expected free floor", index=0, column=7)) == "column 7: expected free floor"


def test_errors_can_be_pickled() -> None:
    error = pickle.loads(pickle.dumps(NoPlayerError("expected a player", 3, 5, 7, "Gate")))  # noqa: S301  # our own
    assert (str(error), error.number, error.title) == ("line 3, column 5: expected a player", 7, "Gate")


@pytest.mark.parametrize("name", [name for name in vars(errors) if name.endswith("Error")])
def test_every_error_is_a_value_error_of_ours(name: str) -> None:
    kind = getattr(errors, name)
    assert issubclass(kind, SokovizError)
    assert issubclass(kind, ValueError)
    assert kind.__doc__


def test_level_errors_are_told_apart_by_class() -> None:
    assert len(LevelError.__subclasses__()) == 9
