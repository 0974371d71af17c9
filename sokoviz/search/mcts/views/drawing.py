"""The part of a search tree that is drawn at a moment, as arrays: for the live tree, and for pictures of it."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from sokoviz.core.tree import arena as arenas
from sokoviz.core.tree.arena import ACTION, AT, COUNT, DEPTH, FIRST, PARENT, STATUS, VISITS
from sokoviz.core.tree.journal import REMOVED, seek
from sokoviz.search.mcts.views.explaining import state_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from sokoviz.core.tree.excerpt import Excerpt
    from sokoviz.core.types import Integers
    from sokoviz.search.mcts.engine import Engine
    from sokoviz.search.mcts.views.view import View

NEW, TERMINAL, ELIMINATED, MOVED, REDUNDANT, ALIKE = 1, 2, 4, 8, 16, 32  # bits of Drawing.flags
TWO_PLAYERS = 2


class Drawing(NamedTuple):
    """Nodes to draw, a parent before its children, children from left to right."""

    nodes: Integers
    parents: Integers
    """where the parent stands in these arrays; -1 for the root"""
    xs: NDArray[np.float64]
    """places from left to right, the root at 0, neighbours at least 1 apart"""
    stub_xs: NDArray[np.float64]
    """where the sign for what is left out below a node goes, one depth further down; NaN where nothing is"""
    depths: NDArray[np.int32]
    visits: NDArray[np.int32]
    values: NDArray[np.float64]
    """NaN before the first visit"""
    scores: NDArray[np.float64]
    """as selection would score the node; infinite before the first visit, NaN for the root"""
    hidden: Integers
    """how many nodes below are left out"""
    flags: NDArray[np.uint8]
    actions: tuple[str, ...]
    """names of the moves into the nodes"""
    value_range: tuple[float, float]
    n_nodes: int
    """nodes of the whole tree, those that were eliminated not among them"""


class NodeFacts:
    """What never changes about a node: the name of its move, and whether the game is over there. Looked up once."""

    def __init__(self) -> None:
        self._facts: dict[tuple[int, int], tuple[str, bool]] = {}

    def look_up(self, engine: Engine, nodes: Iterable[int]) -> list[tuple[str, bool]]:
        """Return the facts of some nodes that are in the tree now."""
        game, parent_states = engine.game, {}
        links = engine.arena.links
        wanted = [(int(node), int(links[ACTION, node])) for node in nodes]  # a subtree that moves is led to otherwise
        for node, action in wanted:
            if (node, action) in self._facts:
                continue
            if node == 0:
                self._facts[node, action] = "", _is_over(engine, game.start())
                continue
            parent = int(links[PARENT, node])
            if parent not in parent_states:
                parent_states[parent] = state_of(engine, parent)
            state = parent_states[parent].copy()
            name = game.action_name(state, action)
            game.play(game.tables, state, action)
            self._facts[node, action] = name, _is_over(engine, state)
        return [self._facts[key] for key in wanted]


def _is_over(engine: Engine, state: Integers) -> bool:
    """Whether a game is over; asked of the rules as plain Python, which is fast enough for a few nodes."""
    game = engine.game
    return int(game.list_actions(game.tables, state, engine.machine.actions)) == 0


def draw(engine: Engine, view: View, must: Sequence[int], marked: Mapping[int, int], facts: NodeFacts) -> Drawing:
    """Return what to draw at the moment where the engine is.

    Parameters
    ----------
    engine
        The search.
    view
        What the reader wants to see.
    must
        Nodes that are drawn in any case, with their ancestors.
    marked
        NEW, ELIMINATED and MOVED by node, for those of the iteration on display.
    facts
        What is known of nodes already.
    """
    wanted = [node for node in (*must, *_unfolded_children(engine, view.unfolded)) if _is_in_tree(engine, node)]
    excerpt = engine.excerpt(wanted, view)
    nodes, links = excerpt.nodes, engine.arena.links
    visits = links[VISITS, nodes]
    known = facts.look_up(engine, nodes)
    flags = np.array([marked.get(int(node), 0) for node in nodes], dtype=np.uint8)
    flags |= np.array([over for _, over in known], dtype=np.uint8) * np.uint8(TERMINAL)
    return Drawing(
        nodes=nodes,
        parents=excerpt.parents,
        xs=excerpt.xs,
        stub_xs=excerpt.stub_xs,
        depths=links[DEPTH, nodes],
        visits=visits,
        values=np.where(visits > 0, engine.arena.sums[nodes] / np.maximum(visits, 1), np.nan),
        scores=_scores(engine, excerpt),
        hidden=excerpt.hidden,
        flags=flags,
        actions=tuple(name for name, _ in known),
        value_range=value_range(engine),
        n_nodes=len(nodes) + int(excerpt.hidden.sum()),
    )


@contextmanager
def put_back(engine: Engine, number: int) -> Iterator[None]:
    """Put back what subtree moves of an iteration have left without children, for as long as its expansion is drawn.

    The record has such a node go before the next child comes. A reader wants to see all children that the expansion
    gave, and still where a subtree came from. So only these eliminations are undone, and done again.
    """
    machine, (start, events) = engine.machine, engine.events_of(number)
    removed = events[: engine.before_reward(number) - start]
    removed = removed[removed[:, 0] == REMOVED]
    at = int(machine.arena.counts[AT])
    machine.arena.counts[AT] = len(removed)
    seek(machine.arena, machine.formula, machine.sign, removed, 0)
    try:
        yield
    finally:
        seek(machine.arena, machine.formula, machine.sign, removed, len(removed))
        machine.arena.counts[AT] = at


def _is_in_tree(engine: Engine, node: int) -> bool:
    """Whether a node hangs in the tree at the moment where the engine is; one that was eliminated does not."""
    return 0 <= node < engine.n_nodes and not engine.arena.links[STATUS, node] & arenas.ELIMINATED


def _unfolded_children(engine: Engine, unfolded: Iterable[int]) -> list[int]:
    """All children of the nodes that the reader has unfolded."""
    children, links = engine.arena.children, engine.arena.links
    found: list[int] = []
    for node in unfolded:
        if node < engine.n_nodes:
            first = int(links[FIRST, node])
            found.extend(map(int, children[first : first + int(links[COUNT, node])]))
    return found


def _scores(engine: Engine, excerpt: Excerpt) -> NDArray[np.float64]:
    """Scores as the kernel finds them; the root has none."""
    found = np.full(len(excerpt.nodes), np.nan)
    scores = engine.score_nodes(excerpt.nodes[1:])
    found[1:] = scores
    return found


def value_range(engine: Engine) -> tuple[float, float]:
    """Return the lowest and the highest reward up to the end of the record, even on both sides for two players.

    It is the same at all moments of a record, so that colours keep their meaning while one steps.
    """
    low, high = map(float, engine.reward_range() or (0, 0))
    if engine.game.players == TWO_PLAYERS:
        most = max(abs(low), abs(high), 1.0)
        return -most, most
    return (low, high) if low < high else (low - 0.5, high + 0.5)
