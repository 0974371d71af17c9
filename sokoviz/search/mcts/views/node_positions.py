"""Positions of nodes, each played once: a page asks for dozens that lie deep in the tree and share their way."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sokoviz.core.tree.arena import ACTION, PARENT

if TYPE_CHECKING:
    from sokoviz.core.tree.arena import Arena
    from sokoviz.core.types import Integers
    from sokoviz.games.game import Game

MOST_KEPT = 20_000


class Positions:
    """Positions of the nodes of one search.

    Parameters
    ----------
    game
        What is searched.
    """

    def __init__(self, game: Game) -> None:
        self._game = game
        self._start = game.start()
        # Position before, action, position. The position before is compared as an object: where a subtree has moved,
        # its root is led to otherwise and gets another one, and all that lies below is played again when asked for.
        self._known: dict[int, tuple[Integers, int, Integers]] = {}

    def find(self, arena: Arena, node: int) -> Integers:
        """Return the position of a node that is in the tree, as a new array."""
        if len(self._known) > MOST_KEPT:
            self._known.clear()
        links, way = arena.links, list[int]()
        while node:
            way.append(node)
            node = int(links[PARENT, node])
        state = self._start
        for step in reversed(way):
            state = self._after(state, step, int(links[ACTION, step]))
        return state.copy()

    def _after(self, before: Integers, node: int, action: int) -> Integers:
        """The position of a node, by the one before it."""
        known = self._known.get(node)
        if known is not None and known[0] is before and known[1] == action:
            return known[2]
        state = before.copy()
        self._game.play(self._game.tables, state, action)
        self._known[node] = before, action, state
        return state
