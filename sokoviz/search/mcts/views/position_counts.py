"""How many nodes and how many different positions a search had in its tree, after each iteration of its record.

A position that stands in the tree more than once costs iterations that teach nothing new: Vanillaban has such nodes,
Schokoban has none (thesis, 5.1). Only what is new in the record is looked at.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from sokoviz.core.tree import arena as arenas
from sokoviz.core.tree.arena import STATUS, grown
from sokoviz.core.tree.journal import EVENTS_END, NODES_AFTER
from sokoviz.core.tree.journal_counts import DISTINCT, ELIMINATED, N_TALLIES, NO_POSITIONS, NO_REWARD_YET, count_on
from sokoviz.games.sokoban import Sokoban

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sokoviz.core.types import Bits, Integers
    from sokoviz.search.mcts.engine import Engine

FIRST_CAPACITY = 1 << 12


class Count(NamedTuple):
    """What was counted after some iteration."""

    nodes: int
    """ever made"""
    eliminated: int
    distinct: int | None
    """positions in the tree; None where the game does not tell positions apart"""
    best_reward: int | None
    """None before the first reward"""

    @property
    def in_tree(self) -> int:
        """Nodes that hang in the tree."""
        return self.nodes - self.eliminated

    @property
    def redundant(self) -> int | None:
        """Nodes in the tree whose position an earlier node in the tree has as well."""
        return None if self.distinct is None else self.in_tree - self.distinct


class Census:
    """Counts of one search, kept up to date by `go_on`.

    Parameters
    ----------
    engine
        The search; only one of Sokoban tells positions apart.
    """

    def __init__(self, engine: Engine) -> None:
        self.has_positions = isinstance(engine.game, Sokoban)
        self._n = 0  # iterations that were looked at
        self._out = np.zeros((N_TALLIES, FIRST_CAPACITY), dtype=np.int64)
        self._tally = np.array([0, 0, NO_REWARD_YET], dtype=np.int64)
        self._standing = np.zeros(FIRST_CAPACITY, dtype=np.int64)
        self._positions = PositionCounts()
        self._nodes = np.ones(1, dtype=np.int64)
        if self.has_positions:
            self._positions.take_in(engine.machine.states.keys[:1])
            self._standing[0] = self._tally[DISTINCT] = 1
        self._out[:, 0] = self._tally

    def go_on(self, engine: Engine) -> None:
        """Take in what is new in the record."""
        steps, journal, n = engine.steps, engine.written(), engine.last
        if n == self._n:
            return
        self._nodes = np.concatenate([[1], steps[NODES_AFTER]])
        self._make_room(n, int(self._nodes[-1]))
        first_of = NO_POSITIONS
        if self.has_positions:
            keys = engine.machine.states.keys
            first_of = self._positions.take_in(keys[len(self._positions.first_of) : self._nodes[-1]])
        begin = int(steps[EVENTS_END, self._n - 1]) if self._n else 0
        ends = steps[EVENTS_END, self._n :].copy()
        out = np.empty((N_TALLIES, len(ends)), dtype=np.int64)
        count_on(journal.events, ends, begin, first_of, self._standing, self._tally, out)
        self._out[:, self._n + 1 : n + 1] = out
        self._n = n

    def _make_room(self, n_iterations: int, n_nodes: int) -> None:
        """Let the arrays grow, by doubling."""
        if n_iterations >= self._out.shape[1]:
            self._out = grown(self._out, 2 * (n_iterations + 1))
        if n_nodes > len(self._standing):
            self._standing = grown(self._standing, 2 * n_nodes)

    # --- reading -----------------------------------------------------------------------------------------------------

    def at(self, iteration: int) -> Count:
        """Return the counts after an iteration that was looked at; 0 is the bare root."""
        distinct, eliminated, best = map(int, self._out[:, iteration])
        return Count(
            nodes=int(self._nodes[iteration]),
            eliminated=eliminated,
            distinct=distinct if self.has_positions else None,
            best_reward=None if best == NO_REWARD_YET else best,
        )

    def in_tree(self, iterations: Integers) -> Integers:
        """Return how many nodes hung in the tree after some iterations."""
        eliminated: Integers = self._out[ELIMINATED, iterations]
        return self._nodes[iterations] - eliminated

    def distinct(self, iterations: Integers) -> Integers:
        """Return how many positions were in the tree after some iterations."""
        found: Integers = self._out[DISTINCT, iterations]
        return found

    def next_redundant(self, done: int) -> int | None:
        """Return the first iteration after some that leaves the tree with more redundant nodes than it had before."""
        if not self.has_positions:
            return None
        at = np.arange(done, self._n + 1)
        more = np.flatnonzero(np.diff(self.in_tree(at) - self.distinct(at)) > 0)
        return done + 1 + int(more[0]) if len(more) else None

    def redundant(self, engine: Engine) -> NDArray[np.bool_]:
        """Return for each node where the engine is whether an earlier node in the tree has its position.

        The answer is bool[n_nodes]; nodes that were eliminated are not redundant.
        """
        n = engine.n_nodes
        if not self.has_positions:
            return np.zeros(n, dtype=np.bool_)
        hanging = np.flatnonzero(in_tree(engine))
        first_of = self._positions.first_of[hanging]
        earliest = np.empty(n, dtype=np.int64)
        earliest[first_of[::-1]] = hanging[::-1]  # of several the one that is written last stays: the earliest
        found = np.zeros(n, dtype=np.bool_)
        found[hanging] = earliest[first_of] != hanging
        return found


class PositionCounts:
    """Tells which nodes have the same position; nodes are taken in by their number."""

    def __init__(self) -> None:
        self._keys: Bits = np.zeros(0, dtype=np.uint64)  # of all positions, ascending
        self._firsts: Integers = np.zeros(0, dtype=np.int64)  # the first node of each
        self.first_of: Integers = np.zeros(0, dtype=np.int64)
        """int64[n]: the first node that had the position of each"""

    def take_in(self, keys: Bits) -> Integers:
        """Take in the nodes that are new, given the keys of their positions, uint64[m]; return `first_of`."""
        new, at, inverse = np.unique(keys, return_index=True, return_inverse=True)
        places = np.searchsorted(self._keys, new)
        firsts = at + len(self.first_of)
        is_known = np.zeros(len(new), dtype=np.bool_)
        inside = places < len(self._keys)
        is_known[inside] = self._keys[places[inside]] == new[inside]
        firsts[is_known] = self._firsts[places[is_known]]
        self._keys = np.insert(self._keys, places[~is_known], new[~is_known])
        self._firsts = np.insert(self._firsts, places[~is_known], firsts[~is_known])
        self.first_of = np.concatenate([self.first_of, firsts[inverse]])
        return self.first_of


def in_tree(engine: Engine) -> NDArray[np.bool_]:
    """Return for each node at the moment where the engine is whether it hangs in the tree, bool[n_nodes]."""
    hangs: NDArray[np.bool_] = engine.arena.links[STATUS, : engine.n_nodes] & arenas.ELIMINATED == 0
    return hangs


def nodes_with_key(engine: Engine, key: int) -> list[int]:
    """Return the nodes in the tree of a search of Sokoban that have the position of a key."""
    alike = engine.machine.states.keys[: engine.n_nodes] == np.uint64(key)
    return [int(node) for node in np.flatnonzero(alike & in_tree(engine))]
