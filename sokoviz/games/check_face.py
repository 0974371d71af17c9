"""The part of a check that looks at what people see of a game: pictures, names and clicks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NoReturn, Protocol

import numpy as np

from sokoviz.games.game import TWO
from sokoviz.picture import Picture
from sokoviz.squares import Square

if TYPE_CHECKING:
    from sokoviz.core.types import Integers
    from sokoviz.games.game import Game


class Refuse(Protocol):
    """Raises, and says where."""

    def __call__(self, game: Game, message: str, n_actions: int) -> NoReturn:
        """Raise for the position after some actions."""


@dataclass
class ShownPosition:
    """A position of a random game, and how to complain about it."""

    game: Game
    state: Integers
    actions: list[int]
    n_before: int
    complain: Refuse

    def refuse(self, message: str) -> NoReturn:
        """Raise for this position."""
        self.complain(self.game, message, self.n_before)


def check_face(game: Game, states: list[Integers], listed: list[list[int]], line: list[int], complain: Refuse) -> None:
    """Check what people see of one game, position by position."""
    size = _size(game.picture(game.start()))
    for n_before, (state, actions) in enumerate(zip(states, listed, strict=True)):
        position = ShownPosition(game, state.copy(), actions, n_before, complain)
        _check_picture(position, size)
        _check_names(position)
        _check_squares(position)
        _check_clicks(position)
        if not np.array_equal(position.state, state):
            position.refuse(
                f"expected showing a position to leave it as it is, found {position.state.tolist()} after it"
            )
    _check_players(game, states[: len(line)], complain)
    over = ShownPosition(game, states[-1], [], len(line), complain)
    if not _is_text(outcome := game.outcome_name(over.state)):
        over.refuse(f"expected outcome_name to return text, found {outcome!r}")


def _is_text(value: object) -> bool:
    """Whether something is text that is not empty."""
    return isinstance(value, str) and bool(value)


def _size(picture: object) -> tuple[int, int] | None:
    """Rows and columns of a picture."""
    return (picture.height, picture.width) if isinstance(picture, Picture) else None


def _check_picture(position: ShownPosition, size: tuple[int, int] | None) -> None:
    """Every position is a picture, all of one size."""
    picture = position.game.picture(position.state)
    if not isinstance(picture, Picture):
        position.refuse(f"expected picture to return a Picture, found {picture!r}")
    if _size(picture) != size:
        position.refuse(f"expected pictures of {_words(size)} as at the start, found one of {_words(_size(picture))}")


def _words(size: tuple[int, int] | None) -> str:
    """A size in words."""
    return f"{size[0]} x {size[1]} squares" if size else "no size"


def _check_names(position: ShownPosition) -> None:
    """Every legal action has a name of its own."""
    action_of: dict[str, int] = {}
    for action in position.actions:
        name = position.game.action_name(position.state, action)
        if not _is_text(name):
            position.refuse(f"expected action_name to return text, found {name!r} for action {action}")
        if name in action_of:
            position.refuse(
                f"expected a name of its own for each action, found {name!r} for {action_of[name]} and {action}"
            )
        action_of[name] = action


def _changed_squares(position: ShownPosition) -> dict[Square, set[int]]:
    """The legal actions that change each square."""
    actions_of: dict[Square, set[int]] = {}
    for action in position.actions:
        for square in position.game.squares_of(position.state, action):
            actions_of.setdefault(square, set()).add(action)
    return actions_of


def _is_within(square: object, picture: Picture) -> bool:
    """Whether something is a square of a picture."""
    return isinstance(square, Square) and square.row in range(picture.height) and square.column in range(picture.width)


def _check_squares(position: ShownPosition) -> None:
    """Actions change squares that are there."""
    picture = position.game.picture(position.state)
    for square, actions in _changed_squares(position).items():
        if not _is_within(square, picture):
            expected = f"a Square within {_words(_size(picture))}"
            position.refuse(f"expected squares_of to return {expected}, found {square!r} for action {min(actions)}")


def _check_clicks(position: ShownPosition) -> None:
    """A click means a legal action or nothing; on a square that actions change it means one of these."""
    picture, changed = position.game.picture(position.state), _changed_squares(position)
    for square in (Square(row, column) for row in range(picture.height) for column in range(picture.width)):
        action = position.game.action_at(position.state, square)
        if action is None:
            continue
        if action not in position.actions:
            position.refuse(f"expected action_at to return a legal action or None, found {action!r} on {square.name}")
        if square in changed and action not in changed[square]:
            expected = f"one of those that change {square.name}, {sorted(changed[square])}"
            position.refuse(f"expected action_at on {square.name} to return {expected}, found {action}")


def _check_players(game: Game, states: list[Integers], complain: Refuse) -> None:
    """Two players move in turn; one player has no name."""
    names = [game.player_name(state) for state in states]
    for n_before, name in enumerate(names):
        position = ShownPosition(game, states[n_before], [], n_before, complain)
        if game.players == 1 and name:
            position.refuse(f"expected player_name to be empty in a game for one player, found {name!r}")
        if game.players == TWO and not _is_text(name):
            position.refuse(f"expected player_name to return text, found {name!r}")
        if game.players == TWO and n_before and (name == names[n_before - 1] or name != names[n_before % 2]):
            turns = ", ".join(map(repr, names[: n_before + 1]))
            position.refuse(f"expected two players to move in turn, found {turns}")
