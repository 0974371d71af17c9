"""What a search does otherwise in one game than in another: a table of hooks by the type of the tables.

As with the rules of games (`sokoviz.games.rules`) the type chooses when a kernel is compiled. The tree search calls the
hooks, and knows no game by name.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from sokoviz.core.board.positions import play_push
from sokoviz.core.compiling.by_address import refer
from sokoviz.core.compiling.jit import standing_for
from sokoviz.core.tree.arena import ACTION
from sokoviz.core.tree.journal import EVENTS_AN_ITERATION, AnyTrace
from sokoviz.games.game import AnyTables
from sokoviz.games.rules import play
from sokoviz.games.sokoban import SokobanTables
from sokoviz.search.mcts.arrays import DEEPEST, Machine
from sokoviz.search.mcts.game_kernel import expand, play_out
from sokoviz.search.mcts.sokoban_kernel import expand_pushes, settle_position, value_position

if TYPE_CHECKING:
    from collections.abc import Callable

# --- what the tree search calls --------------------------------------------------------------------------------------


def most_events(tables: AnyTables, machine: Machine) -> int:
    """How many events one iteration may write."""
    raise NotImplementedError


def grow(tables: AnyTables, machine: Machine, trace: AnyTrace, node: int) -> int:
    """Give a leaf its children; return flags."""
    raise NotImplementedError


def enter(tables: AnyTables, machine: Machine, node: int) -> None:
    """Go on from the position at hand to that of a child."""
    raise NotImplementedError


def is_scored_again(tables: AnyTables) -> bool:
    """Whether a leaf that gets no children is the end of a game, to be scored once more."""
    raise NotImplementedError


def simulate(tables: AnyTables, machine: Machine, trace: AnyTrace, node: int) -> tuple[int, int]:
    """Reward of a node and number of random moves it took; LEFT_TO_CHANCE where a script asks for what cannot be."""
    raise NotImplementedError


def by_address(tables: AnyTables) -> AnyTables:
    """Tables as kernels hand them to each other: by their address if they are large."""
    raise NotImplementedError


def ends_at(tables: AnyTables, machine: Machine, node: int, reward: int) -> bool:
    """Whether the game is over at a node that took no random move."""
    raise NotImplementedError


def settle(tables: AnyTables, machine: Machine, trace: AnyTrace, node: int, reward: int) -> int:
    """After a reward has gone up: note a solution, eliminate a dead node; return flags."""
    raise NotImplementedError


# --- what it becomes -------------------------------------------------------------------------------------------------


class Hooks(NamedTuple):
    """What these functions become for the tables of a game: plain ones, which numba compiles into their callers."""

    by_address: Callable[..., Any]
    most_events: Callable[..., Any]
    grow: Callable[..., Any]
    enter: Callable[..., Any]
    is_scored_again: Callable[..., Any]
    simulate: Callable[..., Any]
    ends_at: Callable[..., Any]
    settle: Callable[..., Any]


def _enter_by_rule(tables, machine, node):
    play(tables, machine.state, np.int64(machine.arena.links[ACTION, node]))


def _enter_by_push(tables, machine, node):
    play_push(tables.board, machine.state, np.int64(machine.arena.links[ACTION, np.uint64(node)]))


ANY_GAME = Hooks(
    by_address=lambda tables: tables,
    most_events=lambda tables, machine: EVENTS_AN_ITERATION,
    grow=lambda tables, machine, trace, node: expand(tables, machine, trace, node),
    enter=_enter_by_rule,
    is_scored_again=lambda tables: True,
    simulate=lambda tables, machine, trace, node: play_out(tables, machine, trace),
    ends_at=lambda tables, machine, node, reward: True,
    settle=lambda tables, machine, trace, node, reward: 0,
)

# Thesis, chapters 4 and 5: pushes are the actions, a position has a value of its own, and dead ends are taken out.
HOOKS_OF = {
    SokobanTables: Hooks(
        by_address=lambda tables: refer(tables),
        most_events=lambda tables, machine: 4 + (len(machine.actions) + 1) * (machine.tip[DEEPEST] + 4),
        grow=lambda tables, machine, trace, node: expand_pushes(tables, machine, trace, node),
        enter=_enter_by_push,
        is_scored_again=lambda tables: False,
        simulate=lambda tables, machine, trace, node: (value_position(tables, machine), 0),
        ends_at=lambda tables, machine, node, reward: reward == 0,
        settle=lambda tables, machine, trace, node, reward: settle_position(tables, machine, trace, node, reward),
    )
}
"""games that are searched otherwise than any game, by the type of their tables"""


def _hooks_of(tables):
    return HOOKS_OF.get(tables.instance_class, ANY_GAME)


@standing_for(by_address, inline="always")
def _by_address(tables):
    return _hooks_of(tables).by_address


@standing_for(most_events, inline="always")
def _most_events(tables, machine):
    return _hooks_of(tables).most_events


@standing_for(grow)
def _grow(tables, machine, trace, node):
    return _hooks_of(tables).grow


@standing_for(enter)
def _enter(tables, machine, node):
    return _hooks_of(tables).enter


@standing_for(is_scored_again, inline="always")
def _is_scored_again(tables):
    return _hooks_of(tables).is_scored_again


@standing_for(simulate)
def _simulate(tables, machine, trace, node):
    return _hooks_of(tables).simulate


@standing_for(ends_at, inline="always")
def _ends_at(tables, machine, node, reward):
    return _hooks_of(tables).ends_at


@standing_for(settle)
def _settle(tables, machine, trace, node, reward):
    return _hooks_of(tables).settle
