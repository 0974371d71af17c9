"""A search tree at one moment, as arrays that nobody changes any more: to read, to draw and to take elsewhere."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from sokoviz.core.tree.arena import ACTION, COUNT, DEPTH, ELIMINATED, FIRST, NODES, PARENT, SLOTS, STATUS, VISITS
from sokoviz.errors import SearchError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import networkx as nx
    import pandas as pd
    from numpy.typing import NDArray

    from sokoviz.core.tree.arena import Arena
    from sokoviz.core.types import Integers
    from sokoviz.games.game import Game
    from sokoviz.picture import Picture


@dataclass(frozen=True)
class Node:
    """One node of a tree."""

    number: int
    parent: int | None
    action: str
    """name of the move that leads here; empty for the root"""
    depth: int
    visits: int
    value: float | None
    """mean reward, seen by the player who moved here; None before the first visit"""
    children: tuple[int, ...]
    is_eliminated: bool
    """whether it was taken out of the tree; parent and depth are then those that it had last"""


class Tree:
    """A tree as it was at one moment of a search.

    Parameters
    ----------
    game
        The game that is searched.
    arena
        The arrays of the search.
    is_copied
        Whether the tree keeps arrays of its own; another is true only for as long as the search stays where it is.
    """

    def __init__(self, game: Game, arena: Arena, *, is_copied: bool = True) -> None:
        n = int(arena.counts[NODES])
        self._game = game
        self._links: NDArray[np.int32] = arena.links[:, :n]
        self._children = arena.children[: arena.counts[SLOTS]]
        self.sums: Integers = arena.sums[:n]
        """int64[n]: sums of rewards"""
        if is_copied:
            self._links, self._children, self.sums = self._links.copy(), self._children.copy(), self.sums.copy()

    def __len__(self) -> int:
        """Number of nodes."""
        return int(self._links.shape[1])

    def __repr__(self) -> str:
        return f"Tree of {len(self):,} nodes, {int(self.depths.max())} deep, root visited {int(self.visits[0]):,} times"

    # --- arrays ----------------------------------------------------------------------------------------------------

    def _row(self, index: int) -> NDArray[np.int32]:
        """One kind of number of all nodes."""
        row: NDArray[np.int32] = self._links[index]
        return row

    @property
    def parents(self) -> NDArray[np.int32]:
        """int32[n]: the parent of each node, -1 for the root."""
        return self._row(PARENT)

    @property
    def actions(self) -> NDArray[np.int32]:
        """int32[n]: the action that leads to each node, -1 for the root."""
        return self._row(ACTION)

    @property
    def depths(self) -> NDArray[np.int32]:
        """int32[n]: how many actions each node is from the root."""
        return self._row(DEPTH)

    @property
    def visits(self) -> NDArray[np.int32]:
        """int32[n]: how many iterations went through each node."""
        return self._row(VISITS)

    @property
    def eliminated(self) -> NDArray[np.bool_]:
        """bool[n]: whether each node was taken out of the tree; its parent and depth are those that it had last."""
        marks: NDArray[np.bool_] = (self._row(STATUS) & ELIMINATED) != 0
        return marks

    @cached_property
    def values(self) -> NDArray[np.float64]:
        """float64[n]: mean reward, seen by the player who moved into the node; NaN before the first visit."""
        return np.where(self.visits > 0, self.sums / np.maximum(self.visits, 1), np.nan)

    def values_of(self, nodes: Sequence[int]) -> NDArray[np.float64]:
        """Return the values of some nodes that have been visited; all of a large tree would take a while."""
        found: NDArray[np.float64] = self.sums[nodes] / self.visits[nodes]
        return found

    # --- single nodes ----------------------------------------------------------------------------------------------

    def _check(self, node: int) -> int:
        """A node's number; raises where there is none of that number."""
        if not 0 <= node < len(self):
            message = f"expected a node from 0 to {len(self) - 1}, found {node}"
            raise SearchError(message)
        return int(node)

    def children(self, node: int) -> tuple[int, ...]:
        """Return the children of a node in their order."""
        first, count = self._links[FIRST, self._check(node)], self._links[COUNT, node]
        return tuple(map(int, self._children[first : first + count]))

    def path(self, node: int) -> tuple[int, ...]:
        """Return the nodes from the root to a node."""
        path = [self._check(node)]
        while self.parents[path[-1]] >= 0:
            path.append(int(self.parents[path[-1]]))
        return tuple(reversed(path))

    def state(self, node: int) -> Integers:
        """Return the position of a node as the game writes it."""
        game, state = self._game, self._game.start()
        for step in self.path(node)[1:]:
            game.play(game.tables, state, int(self.actions[step]))
        return state

    def is_over(self, node: int) -> bool:
        """Return whether the game is over at a node."""
        game, scratch = self._game, np.empty(self._game.max_actions, dtype=np.int64)
        return int(game.list_actions(game.tables, self.state(node), scratch)) == 0

    def picture(self, node: int) -> Picture:
        """Return the position of a node as a picture."""
        return self._game.picture(self.state(node))

    def action_name(self, node: int) -> str:
        """Return the name of the move that leads to a node; empty for the root."""
        if self._check(node) == 0:
            return ""
        return self._game.action_name(self.state(int(self.parents[node])), int(self.actions[node]))

    def line(self, node: int) -> tuple[str, ...]:
        """Return the names of the moves that lead from the root to a node."""
        game, state, names = self._game, self._game.start(), []
        for step in self.path(node)[1:]:
            action = int(self.actions[step])
            names.append(game.action_name(state, action))
            game.play(game.tables, state, action)
        return tuple(names)

    def __getitem__(self, node: int) -> Node:
        """One node."""
        self._check(node)
        visits = int(self.visits[node])
        return Node(
            number=int(node),
            parent=int(self.parents[node]) if node else None,
            action=self.action_name(node),
            depth=int(self.depths[node]),
            visits=visits,
            value=float(self.values[node]) if visits else None,
            children=self.children(node),
            is_eliminated=bool(self._links[STATUS, node] & ELIMINATED),
        )

    def __iter__(self) -> Iterator[Node]:
        """All nodes by number."""
        return (self[node] for node in range(len(self)))

    # --- taking it elsewhere ---------------------------------------------------------------------------------------

    def _columns(self) -> dict[str, Any]:
        """What is known of each node."""
        return {
            "parent": self.parents,
            "action": self._action_names(),
            "depth": self.depths,
            "visits": self.visits,
            "sum": self.sums,
            "value": self.values,
            "children": self._links[COUNT],
            "eliminated": self.eliminated,
        }

    def _action_names(self) -> list[str]:
        """Names of the moves into all nodes; each position is made once, from its parent's."""
        game, names = self._game, [""] * len(self)
        below: dict[int, list[int]] = {}  # eliminated nodes too, which are no longer among the children
        for node, parent in enumerate(self.parents.tolist()):
            below.setdefault(parent, []).append(node)
        stack = [(0, game.start())]
        while stack:
            node, state = stack.pop()
            for child in below.get(node, ()):
                action = int(self.actions[child])
                names[child] = game.action_name(state, action)
                if child in below:
                    after = state.copy()
                    game.play(game.tables, after, action)
                    stack.append((child, after))
        return names

    def to_frame(self) -> pd.DataFrame:
        """Return the nodes as a pandas table, one row a node; eliminated ones are marked in a column."""
        import pandas as pd

        index = pd.RangeIndex(len(self), name="node")
        return pd.DataFrame(self._columns(), index=index)

    def to_networkx(self) -> nx.DiGraph:
        """Return the tree as a networkx graph with edges from parents to children and all numbers as attributes.

        Eliminated nodes are no longer in the tree: they have no edges, and the attribute ``eliminated`` marks them.
        """
        import networkx as nx

        graph = nx.DiGraph()
        columns = {name: np.asarray(column).tolist() for name, column in self._columns().items()}
        for node, *values in zip(range(len(self)), *columns.values(), strict=True):
            graph.add_node(node, **dict(zip(columns, values, strict=True)))
        for node, parent in enumerate(self.parents.tolist()):
            if parent >= 0 and not columns["eliminated"][node]:
                graph.add_edge(parent, node, action=columns["action"][node])
        return graph
