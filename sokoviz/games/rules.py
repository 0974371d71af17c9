"""The rules of any game for compiled code: the only dispatch over games, and it is done while compiling.

The type of the tables chooses the rules. Kernels compiled this way are kept in numba's disk cache; kernels that are
handed functions never are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numba.core.errors import NumbaError

from sokoviz.core.compiling.drafting import Drafting
from sokoviz.core.compiling.jit import kernel, standing_for
from sokoviz.core.types import NOWHERE, Integers
from sokoviz.errors import GameError
from sokoviz.games.game import RULES_OF, AnyTables

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from sokoviz.games.game import Game

NumbaType: TypeAlias = Any  # what a compiler knows of an argument
OPTIONS: Any = {"nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True, "pipeline_class": Drafting}
# The options are those of core.jit. Overloads are not strict: that would compare annotations too, where `Game` compares
# only the names of the arguments.


def list_actions(tables: AnyTables, state: Integers, actions: Integers) -> int:
    """Write the legal actions into actions, int64[max_actions], and return how many there are."""
    return RULES_OF[type(tables)].list_actions(tables, state, actions)


def play(tables: AnyTables, state: Integers, action: int) -> None:
    """Do an action: change state, int64[n], in place."""
    RULES_OF[type(tables)].play(tables, state, action)


def outcome(tables: AnyTables, state: Integers) -> int:
    """Reward of the player who made the last move of a game that is over."""
    return RULES_OF[type(tables)].outcome(tables, state)


@standing_for(list_actions, jit_options=OPTIONS, strict=False)
def _compile_list_actions(tables: NumbaType, state: NumbaType, actions: NumbaType) -> Callable[..., int]:  # noqa: ARG001
    """The rule that numba compiles where a kernel calls `list_actions`."""
    return RULES_OF[tables.instance_class].list_actions


@standing_for(play, jit_options=OPTIONS, strict=False)
def _compile_play(tables: NumbaType, state: NumbaType, action: NumbaType) -> Callable[..., None]:  # noqa: ARG001
    """The rule that numba compiles where a kernel calls `play`."""
    return RULES_OF[tables.instance_class].play


@standing_for(outcome, jit_options=OPTIONS, strict=False)
def _compile_outcome(tables: NumbaType, state: NumbaType) -> Callable[..., int]:  # noqa: ARG001
    """The rule that numba compiles where a kernel calls `outcome`."""
    return RULES_OF[tables.instance_class].outcome


@kernel
def fill_actions(tables: AnyTables, state: Integers, actions: Integers) -> int:
    """`list_actions`, callable from Python."""
    return list_actions(tables, state, actions)


@kernel
def play_all(tables: AnyTables, state: Integers, line: Integers, actions: Integers) -> int:
    """Play a line of actions, int64[n], as far as they are legal.

    Returns the index of the first illegal one, or NOWHERE. actions is scratch, int64[max_actions].
    """
    for i in range(len(line)):
        n = list_actions(tables, state, actions)
        legal = False
        for j in range(n):
            legal |= actions[j] == line[i]
        if not legal:
            return i
        play(tables, state, line[i])
    return NOWHERE


@kernel
def follow(tables: AnyTables, line: Integers, states: Integers, listed: Integers, counts: Integers) -> int:
    """Play a line of legal actions, int64[n], and return the outcome.

    states, int64[n + 1, size], begins with the first position and takes the others. listed, int64[n + 1, max_actions],
    and counts, int64[n + 1], take the legal actions on the way.
    """
    for i in range(len(line)):
        counts[i] = list_actions(tables, states[i], listed[i])
        states[i + 1] = states[i]
        play(tables, states[i + 1], line[i])
    counts[-1] = list_actions(tables, states[-1], listed[-1])
    return outcome(tables, states[-1])


def legal_actions(game: Game, state: Integers) -> list[int]:
    """Return the legal actions of a position in the order of the rules; none if the game is over."""
    actions = np.empty(game.max_actions, dtype=np.int64)
    n = fill_actions(game.tables, state, actions)
    return [int(action) for action in actions[:n]]


def apply(game: Game, state: Integers, actions: Iterable[int]) -> Integers:
    """Return the position after some actions, as a new array.

    Raises
    ------
    GameError
        If one of them is illegal.
    """
    after, line = state.copy(), np.array(list(actions), dtype=np.int64)
    illegal = play_all(game.tables, after, line, np.empty(game.max_actions, dtype=np.int64))
    if illegal != NOWHERE:
        names = [f"{action} ({game.action_name(after, action)})" for action in legal_actions(game, after)]
        expected = f"one of {', '.join(names)}" if names else "none, because the game is over"
        message = f"expected action {illegal + 1} of {len(line)} to be {expected}; found {line[illegal]}"
        raise GameError(message)
    return after


def replay(game: Game, line: list[int]) -> tuple[list[Integers], list[list[int]], int]:
    """Return positions, legal actions and outcome of a whole game, as the compiled rules see it.

    Raises
    ------
    GameError
        If the rules do not compile.
    """
    start = game.start()
    states = np.empty((len(line) + 1, len(start)), dtype=np.int64)
    states[0] = start
    listed = np.empty((len(line) + 1, game.max_actions), dtype=np.int64)
    counts = np.empty(len(line) + 1, dtype=np.int64)
    try:
        reward = follow(game.tables, np.array(line, dtype=np.int64), states, listed, counts)
    except NumbaError as error:
        message = f"{game.name}: expected rules that numba can compile, found that it says:\n{error}"
        raise GameError(message) from error
    actions = [[int(action) for action in row[:n]] for row, n in zip(listed, counts, strict=True)]
    return list(states), actions, int(reward)
