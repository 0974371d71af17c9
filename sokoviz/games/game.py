"""What a game is: rules for the compiled searches, and a face for people.

The *rules* are static methods in the part of Python that numba compiles. The *face* is plain Python and loads no
compiler, so that a position can be shown before the first kernel is there.
"""

from __future__ import annotations

import copy
import importlib
import inspect
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, NoReturn, Self, TypeAlias

from sokoviz.errors import GameError

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable

    from sokoviz.actions import Deadlock
    from sokoviz.core.types import Integers
    from sokoviz.overlays import SquareLike
    from sokoviz.picture import Picture
    from sokoviz.squares import Square

ARGUMENTS_OF = {
    "list_actions": ("tables", "state", "actions"),
    "play": ("tables", "state", "action"),
    "outcome": ("tables", "state"),
}
"""names of the arguments of each rule; the compiler matches them by name"""

TWO = 2  # players

AnyTables: TypeAlias = Any
"""the tables of some game"""


class Rules(NamedTuple):
    """The three rules of a game as plain functions."""

    list_actions: Callable[..., int]
    play: Callable[..., None]
    outcome: Callable[..., int]


RULES_OF: dict[type, Rules] = {}
"""rules by class of tables; a kernel is compiled with the rules that belong to its tables"""

_GAME_OF: dict[str, type[Game]] = {}
_HOME_OF = {"Sokoban": "sokoviz.games.sokoban", "Tic-Tac-Toe": "sokoviz.games.tictactoe"}


class Game(ABC):
    """A game for one player, or for two who move in turn.

    A game of your own is one class under this one: the names below, three rules and a few methods that show a
    position. `check_game` tells whether all of it fits together.

    Attributes
    ----------
    name : str
        What people call the game.
    players : int
        1, or 2 who move in turn.
    Tables : type
        A `NamedTuple` class of numbers and arrays that the rules may read. Every game has its own, even if it holds
        nothing of use, because its type chooses the rules when a search is compiled.
    tables : Tables
        The instance of it that the rules are given.
    events : tuple
        Kinds of events that its tree searches have, see `sokoviz.search.options.EVENTS`.
    max_actions : int
        Most actions in any position.
    max_length : int
        Most actions from the start to the end of any game.
    layers : tuple
        What a portrait of a position can be drawn with, by name; a reader may switch each of them off.
    """

    name: ClassVar[str]
    players: ClassVar[int]
    Tables: ClassVar[type]
    events: ClassVar[tuple[str, ...]] = ("tie", "expansion", "terminal", "deeper", "leader")
    layers: ClassVar[tuple[str, ...]] = ()
    tables: Any
    max_actions: int
    max_length: int

    def __init_subclass__(cls, **options: Any) -> None:
        """Register the rules of a new game under the class of its tables."""
        super().__init_subclass__(**options)
        _check_labels(cls)
        rules = Rules(*(_rule_of(cls, rule) for rule in ARGUMENTS_OF))
        _check_tables(cls, rules)
        if cls.Tables not in RULES_OF:
            cls.Tables.__name__ = _symbol(cls)
        RULES_OF[cls.Tables] = rules
        _GAME_OF[cls.name] = cls

    # --- rules: compiled by numba ---

    @staticmethod
    @abstractmethod
    def list_actions(tables: AnyTables, state: Integers, actions: Integers) -> int:
        """Write the legal actions into `actions`, int64[max_actions], in a fixed order; return how many there are.

        There are none exactly when the game is over. `state` is int64[n] and stays as it is.
        """

    @staticmethod
    @abstractmethod
    def play(tables: AnyTables, state: Integers, action: int) -> None:
        """Do a legal action: change `state`, int64[n], in place."""

    @staticmethod
    @abstractmethod
    def outcome(tables: AnyTables, state: Integers) -> int:
        """Reward of the player who made the last move, an integer; asked only when the game is over."""

    # --- face: plain Python ---

    @property
    def title(self) -> str:
        """What a heading calls it: the game, and what is searched of it where there are several."""
        return self.name

    @abstractmethod
    def start(self) -> Integers:
        """Return the position that a search begins from: a new array, int64[n]."""

    @abstractmethod
    def picture(self, state: Integers) -> Picture:
        """Return a position as a picture; all positions of a game have pictures of one size."""

    def portrait(self, state: Integers, layers: Collection[str]) -> Picture:  # noqa: ARG002
        """Return a position as a picture with some of the `layers`; may need compiled kernels."""
        return self.picture(state)

    @abstractmethod
    def action_name(self, state: Integers, action: int) -> str:
        """Return a short name of a legal action that no other legal action of the position has."""

    def player_name(self, state: Integers) -> str:  # noqa: ARG002  a game for two overrides this
        """Return who is to move; empty for one player."""
        return ""

    def outcome_name(self, state: Integers) -> str:
        """Return how a game that is over has ended."""
        reward = int(self.outcome(self.tables, state))
        if self.players == 1:
            return f"reward {reward}"
        return "draw" if reward == 0 else f"the last to move {'wins' if reward > 0 else 'loses'}"

    def value_name(self, state: Integers) -> str:  # noqa: ARG002
        """Return what a position is worth by itself and why; empty where only the end of a game has a value."""
        return ""

    def deadlocks(self, state: Integers, rules: Iterable[str]) -> tuple[Deadlock, ...]:  # noqa: ARG002
        """Return what those of some deadlock rules find that call a position dead; other games have no such rules."""
        return ()

    def action_at(self, state: Integers, square: SquareLike) -> int | None:  # noqa: ARG002
        """Return the legal action that a click on a square means; None if it means none."""
        return None

    def squares_of(self, state: Integers, action: int) -> tuple[Square, ...]:  # noqa: ARG002
        """Return the squares that a legal action changes."""
        return ()

    def starting_at(self, state: Integers) -> Self:
        """Return the same game, to be searched from another position."""
        other = copy.copy(self)
        other.start = state.copy  # type: ignore[method-assign]  # gives a new array each time, as it should
        return other

    def to_json(self) -> dict[str, Any]:
        """Return the arguments of this game as plain data."""
        return {}

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Self:
        """Return the game that `to_json` described."""
        return cls(**data)

    def __repr__(self) -> str:
        return f"{self.name}, a game for {'one player' if self.players == 1 else 'two players'}"

    def _repr_mimebundle_(self, **_options: object) -> dict[str, str]:
        """Show the first position in a notebook."""
        return {"image/svg+xml": self.picture(self.start()).to_svg(), "text/plain": repr(self)}


def find_game(name: str) -> type[Game]:
    """Return the class of a game by its name.

    Raises
    ------
    GameError
        If no game of that name has been defined or imported.
    """
    if name not in _GAME_OF and name in _HOME_OF:
        importlib.import_module(_HOME_OF[name])
    if name not in _GAME_OF:
        known = ", ".join(sorted({*_GAME_OF, *_HOME_OF}))
        message = f"expected a game out of {known}; found {name!r}: define or import its class first"
        raise GameError(message)
    return _GAME_OF[name]


def _check_labels(game: type[Game]) -> None:
    """Raise where a game lacks its name or its number of players."""
    name, players = getattr(game, "name", None), getattr(game, "players", None)
    if not (isinstance(name, str) and name):
        _refuse(game, f"a name such as name = 'Tic-Tac-Toe', found {name!r}")
    if players not in {1, TWO}:
        _refuse(game, f"players = 1 or players = 2, found {players!r}")
    if players == TWO and game.player_name is Game.player_name:
        _refuse(game, "a method player_name, because two players move in turn")


def _rule_of(game: type[Game], rule: str) -> Callable[..., Any]:
    """One rule as a plain function; raises where it is missing or takes other arguments."""
    found = inspect.getattr_static(game, rule)
    wanted = f"{rule}({', '.join(ARGUMENTS_OF[rule])})"
    if getattr(found, "__isabstractmethod__", False):
        _refuse(game, f"the rule {wanted}, found none")
    if not isinstance(found, staticmethod):
        _refuse(game, f"@staticmethod above the rule {rule}: it is compiled, and a compiled rule has no self")
    function = found.__func__
    arguments = tuple(inspect.signature(function).parameters)
    if arguments != ARGUMENTS_OF[rule]:
        _refuse(game, f"the rule {wanted}, found the arguments ({', '.join(arguments)})")
    return function


def _check_tables(game: type[Game], rules: Rules) -> None:
    """Raise where a game has no tables of its own for rules of its own."""
    tables = getattr(game, "Tables", None)
    if not (isinstance(tables, type) and issubclass(tables, tuple) and hasattr(tables, "_fields")):
        _refuse(game, f"a NamedTuple class called Tables, found {tables!r}")
    if RULES_OF.get(tables, rules) != rules:
        _refuse(game, "a class Tables of its own: this one belongs to another game, and its type chooses the rules")
    if tables not in RULES_OF and _package(tables) != _package(game):
        # Machine code is kept for the tables of this package, and would be found again after the rules have changed.
        _refuse(game, f"a class Tables of its own, found one of the package {_package(tables)}")


def _symbol(game: type[Game]) -> str:
    """A name for the tables of a game that no other class of tables has.

    numba names machine code by the *names* of the types of its arguments: two classes called Tables with fields of
    the same types would share the code of whichever was compiled first.
    """
    name = f"{game.__module__}.{game.__qualname__}.Tables"
    n_namesakes = sum(tables.__name__.split("#")[0] == name for tables in RULES_OF)
    return f"{name}#{n_namesakes + 1}" if n_namesakes else name


def _package(cls: type) -> str:
    """The package or module that a class comes from."""
    return cls.__module__.split(".")[0]


def _refuse(game: type[Game], expected: str) -> NoReturn:
    """Raise, naming the game."""
    message = f"game {game.__qualname__}: expected {expected}"
    raise GameError(message)
