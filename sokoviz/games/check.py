"""Does a game keep what a search relies on? Random games are played and everything is looked at on the way.

The rules are run as plain Python first: there a rule that writes beyond an array raises, where compiled code would
destroy memory. Then the same games are replayed by the compiled rules, and both must agree.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from sokoviz.errors import GameError
from sokoviz.games import rules
from sokoviz.games.check_face import check_face
from sokoviz.games.game import Game

if TYPE_CHECKING:
    from sokoviz.core.types import Integers

LARGEST_REWARD = 2**31 - 1  # the record of a search has 32 bits for it
GUARD = 64  # entries behind the last action that a rule must leave alone


@dataclass(frozen=True)
class Report:
    """What the random games of a check were like.

    Parameters
    ----------
    game
        Name of the game.
    n_games, n_positions
        How many games were played, and how many different positions they went through.
    shortest, longest
        Number of actions of the shortest and of the longest game.
    most_actions
        Largest number of actions in a position.
    rewards
        How many games ended with each reward of the last to move.
    """

    game: str
    n_games: int
    n_positions: int
    shortest: int
    longest: int
    most_actions: int
    rewards: dict[int, int]

    def __repr__(self) -> str:
        rewards = ", ".join(f"{reward} in {count}" for reward, count in sorted(self.rewards.items()))
        positions = f"{self.n_positions} position{'s' * (self.n_positions != 1)}"
        return (
            f"{self.game} keeps the rules: {self.n_games} random games of {self.shortest} to {self.longest} actions "
            f"through {positions} with at most {self.most_actions} actions; rewards: {rewards}"
        )


@dataclass
class PlayedGame:
    """One random game: what the rules said at each position of it."""

    number: int
    states: list[Integers]
    listed: list[list[int]] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    line: list[int] = field(default_factory=list)
    reward: int = 0

    def refuse(self, game: Game, message: str, n_actions: int | None = None) -> NoReturn:
        """Raise, and say where: at the end of the game so far, or after some of its actions."""
        n_actions = len(self.line) if n_actions is None else n_actions
        where = f"after {', '.join(self.names[:n_actions])}" if n_actions else "at the start"
        text = f"{game.name}: {message}; {where} of random game {self.number}, state {self.states[n_actions].tolist()}"
        raise GameError(text)


def check_game(game: Game, n_games: int = 100, seed: int = 1) -> Report:
    """Check that a game keeps what a search relies on.

    Parameters
    ----------
    game
        An instance of the game.
    n_games
        How many random games to play.
    seed
        Seed of the random choices.

    Returns
    -------
    Report
        What these games were like.

    Raises
    ------
    GameError
        With the rule that is broken and the position where it is.
    """
    _check_instance(game)
    _check_attributes(game)
    _check_start(game)
    _check_json(game)
    generator = np.random.default_rng(seed)
    records = [_play_random_game(game, generator, number) for number in range(1, n_games + 1)]
    for record in records:
        check_face(game, record.states, record.listed, record.line, record.refuse)
        _check_compiled(game, record)
    return _report(game, records)


def _refuse(game: Game, message: str) -> NoReturn:
    """Raise where no single position is at fault."""
    text = f"{game.name}: {message}"
    raise GameError(text)


def _report(game: Game, records: list[PlayedGame]) -> Report:
    """Count what the games were like."""
    lengths = [len(record.line) for record in records]
    return Report(
        game=game.name,
        n_games=len(records),
        n_positions=len({state.tobytes() for record in records for state in record.states}),
        shortest=min(lengths, default=0),
        longest=max(lengths, default=0),
        most_actions=max((len(actions) for record in records for actions in record.listed), default=0),
        rewards=dict(Counter(record.reward for record in records)),
    )


def _is_integer(value: object) -> bool:
    """Whether something is an integer, of Python or of numpy; a truth value is none."""
    return isinstance(value, int | np.integer) and not isinstance(value, bool)


def _is_state(value: object) -> bool:
    """Whether something is an array as the rules work on."""
    return isinstance(value, np.ndarray) and value.dtype == np.int64 and value.ndim == 1


def _check_instance(game: object) -> None:
    """It is a game, and not its class."""
    if not isinstance(game, Game):
        message = f"expected an instance of a game such as TicTacToe(), found {game!r}"
        raise GameError(message)


def _check_attributes(game: Game) -> None:
    """Tables and sizes are there."""
    if not isinstance(getattr(game, "tables", None), game.Tables):
        _refuse(game, f"expected tables to be an instance of Tables, found {getattr(game, 'tables', None)!r}")
    for name in ("max_actions", "max_length"):
        size: Any = getattr(game, name, None)
        if not (_is_integer(size) and size > 0):
            _refuse(game, f"expected {name} to be an integer above 0, found {size!r}")


def _check_start(game: Game) -> None:
    """The first position is a new array each time."""
    first, second = game.start(), game.start()
    if not _is_state(first):
        _refuse(game, f"expected start() to return a one-dimensional array of int64, found {first!r}")
    if np.shares_memory(first, second):
        _refuse(game, "expected start() to return a new array each time, found the same one twice")
    if not np.array_equal(first, second):
        _refuse(game, f"expected start() to return the same position each time, found {first} and {second}")


def _check_json(game: Game) -> None:
    """The settings survive being written and read."""
    data = game.to_json()
    try:
        again = type(game).from_json(json.loads(json.dumps(data)))
    except (TypeError, KeyError, ValueError) as error:
        _refuse(game, f"expected from_json to take what to_json gave, {data!r}, found {type(error).__name__}: {error}")
    if again.to_json() != data:
        _refuse(game, f"expected to_json to be the same after from_json, found {data!r} and {again.to_json()!r}")
    same = np.array_equal(game.start(), again.start()) and _equal(game.tables, again.tables)
    if not same or (game.max_actions, game.max_length) != (again.max_actions, again.max_length):
        _refuse(game, f"expected from_json(to_json()) to give the same game, found another one from {data!r}")


def _equal(tables: tuple[Any, ...], others: tuple[Any, ...]) -> bool:
    """Whether two tables hold the same."""
    return all(np.array_equal(one, other) for one, other in zip(tables, others, strict=True))


def _play_random_game(game: Game, generator: np.random.Generator, number: int) -> PlayedGame:
    """Play one game by the rules as plain Python, and check them."""
    state = game.start()
    record = PlayedGame(number, [state.copy()])
    tables = tuple(np.copy(entry) for entry in game.tables)
    while actions := _list_actions(game, state, record):
        _check_tables(game, tables, record)
        if len(record.line) == game.max_length:
            record.refuse(game, f"expected games to end within max_length = {game.max_length} actions, found more")
        _play(game, state, actions[generator.integers(len(actions))], record)
        record.states.append(state.copy())
        _check_tables(game, tables, record)
    record.reward = _outcome(game, state, record)
    _check_tables(game, tables, record)
    return record


def _check_tables(game: Game, tables: tuple[Any, ...], record: PlayedGame) -> None:
    """No rule has changed the tables."""
    if not _equal(game.tables, tables):
        record.refuse(game, "expected the rules to leave the tables as they are, found them changed")


def _run(game: Game, rule: str, record: PlayedGame, *arguments: Any) -> Any:  # noqa: ANN401  a rule may return nonsense
    """Run a rule as plain Python; what leaves an array here destroys memory when it is compiled."""
    try:
        return getattr(game, rule)(game.tables, *arguments)
    except IndexError as error:
        record.refuse(game, f"expected {rule} to stay within its arrays, found IndexError: {error}")


def _list_actions(game: Game, state: Integers, record: PlayedGame) -> list[int]:
    """The legal actions of a position, listed twice to see that nothing but the position decides."""
    first, second = (_list_once(game, state, record, filling) for filling in (-1, -2))
    if not np.array_equal(state, record.states[-1]):
        record.refuse(game, f"expected list_actions to leave the state as it is, found {state.tolist()} after it")
    if first != second:
        record.refuse(game, f"expected list_actions to list the same twice, found {first} and {second}")
    if len(set(first)) != len(first):
        record.refuse(game, f"expected different actions, found {first}")
    record.listed.append(first)
    return first


def _list_once(game: Game, state: Integers, record: PlayedGame, filling: int) -> list[int]:
    """The legal actions of a position; the array given has room for more, which must not be used."""
    actions = np.full(game.max_actions + GUARD, filling, dtype=np.int64)
    n = _run(game, "list_actions", record, state, actions)
    if not (_is_integer(n) and 0 <= n <= game.max_actions):
        record.refuse(game, f"expected list_actions to return 0 to max_actions = {game.max_actions}, found {n!r}")
    if (actions[game.max_actions :] != filling).any():
        record.refuse(game, f"expected list_actions to write at most max_actions = {game.max_actions}, found more")
    return [int(action) for action in actions[:n]]


def _play(game: Game, state: Integers, action: int, record: PlayedGame) -> None:
    """Do an action, twice to see that nothing but position and action decide."""
    before, again = state.copy(), state.copy()
    for position in (state, again):
        _run(game, "play", record, position, action)
    name = game.action_name(before, action)
    if np.array_equal(state, before):
        record.refuse(game, f"expected play to change the state, found it unchanged after action {action} ({name})")
    if not np.array_equal(state, again):
        found = f"{state.tolist()} and {again.tolist()}"
        record.refuse(game, f"expected play to do the same each time, found {found} after action {action} ({name})")
    record.line.append(action)
    record.names.append(name)


def _outcome(game: Game, state: Integers, record: PlayedGame) -> int:
    """The reward of a game that is over."""
    reward = _run(game, "outcome", record, state)
    if not _is_integer(reward):
        record.refuse(game, f"expected outcome to return an integer, found {reward!r} ({type(reward).__name__})")
    if abs(int(reward)) > LARGEST_REWARD:
        record.refuse(game, f"expected outcome to be at most {LARGEST_REWARD:,}, found {int(reward):,}")
    if not np.array_equal(state, record.states[-1]):
        record.refuse(game, f"expected outcome to leave the state as it is, found {state.tolist()} after it")
    return int(reward)


def _check_compiled(game: Game, record: PlayedGame) -> None:
    """Compiled rules say what plain ones say."""
    states, listed, reward = rules.replay(game, record.line)
    pairs = zip(states, record.states, listed, record.listed, strict=True)
    for n_actions, (state, plain_state, actions, plain_actions) in enumerate(pairs):
        if not np.array_equal(state, plain_state):
            _refuse_compiled(game, record, f"play to give {plain_state.tolist()}, found {state.tolist()}", n_actions)
        if actions != plain_actions:
            _refuse_compiled(game, record, f"list_actions to list {plain_actions}, found {actions}", n_actions)
    if reward != record.reward:
        _refuse_compiled(game, record, f"outcome to return {record.reward}, found {reward}", len(record.line))


def _refuse_compiled(game: Game, record: PlayedGame, difference: str, n_actions: int) -> NoReturn:
    """Raise where a compiled rule differs from the plain one."""
    advice = "in compiled code integers have 64 bits, and global names keep the value they had when it was compiled"
    record.refuse(game, f"expected the compiled {difference} ({advice})", n_actions)
