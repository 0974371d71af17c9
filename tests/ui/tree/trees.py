"""Trees as Python sends them, made up at random, in a form that JSON can carry to a page."""

from __future__ import annotations

import base64
import itertools
import math
import random
from typing import TYPE_CHECKING, Any

import numpy as np

from sokoviz.widgets.explorer.frames import TREE_ARRAYS, pack_arrays

if TYPE_CHECKING:
    from collections.abc import Sequence

NEW, TERMINAL, ELIMINATED, MOVED, REDUNDANT, ALIKE = 1, 2, 4, 8, 16, 32

CHART_ARRAYS = {"iterations": "<i4", "nodes": "<i4", "depth": "<i4", "root_value": "<f4"}


class GrownTree:
    """A tree that grows as a search grows it.

    Parameters
    ----------
    n_nodes
        How many nodes it has at least.
    seed
        Trees of one seed contain each other.
    """

    def __init__(self, n_nodes: int, seed: int = 1) -> None:
        self.rng = random.Random(seed)
        self.parents = [-1]
        self.children: list[list[int]] = [[]]
        self.depths = [0]
        self.visits = [0]
        self.totals = [0.0]
        self.path = [0]
        while len(self.parents) < n_nodes:
            self._grow()

    def _grow(self) -> None:
        """Walk down to a leaf, give it children if it was visited before, and count a visit on the way back."""
        path = [0]
        while self.children[path[-1]]:
            path.append(max(self.children[path[-1]], key=lambda child: self._score(child, path[-1])))
        if self.visits[path[-1]] and self.depths[path[-1]] < 9:
            self._expand(path[-1])
            path.append(self.children[path[-1]][0])
        self.path = path
        reward = self.rng.choice([-1, -1, 0, 1, 1, 1])
        for place, each in enumerate(reversed(self.path)):
            self.visits[each] += 1
            self.totals[each] += reward * (-1) ** place

    def _expand(self, node: int) -> None:
        """Add all children of a node, as many as squares of Tic-Tac-Toe are left."""
        for new in range(len(self.parents), len(self.parents) + 9 - self.depths[node]):
            self.parents.append(node)
            self.children[node].append(new)
            self.children.append([])
            self.depths.append(self.depths[node] + 1)
            self.visits.append(0)
            self.totals.append(0.0)

    def _score(self, child: int, parent: int) -> float:
        """UCT, with a little noise."""
        if not self.visits[child]:
            return 1e6 + self.rng.random()
        exploration = math.sqrt(2 * math.log(self.visits[parent]) / self.visits[child])
        return self.totals[child] / self.visits[child] + 0.7 * exploration + 0.1 * self.rng.random()

    def places(self, hidden: Sequence[int]) -> tuple[list[float], list[float]]:
        """Leaves and stubs side by side, parents above the middle of what is below them, the root at zero."""
        xs, stubs = [0.0] * len(self.parents), [math.nan] * len(self.parents)
        free = itertools.count()

        def place(node: int) -> float:
            below = [place(child) for child in self.children[node]]
            if hidden[node]:
                stubs[node] = float(next(free))
                below.append(stubs[node])
            xs[node] = (below[0] + below[-1]) / 2 if below else float(next(free))
            return xs[node]

        root = place(0)
        return [x - root for x in xs], [x - root for x in stubs]

    def frame(self, number: int = 1, **changes: Any) -> dict[str, Any]:
        """The tree as the trait has it; `changes` replace entries of it or of its marks."""
        n = len(self.parents)
        xs, stubs = self.places(changes.get("hidden", [0] * n))
        values = [
            total / visits if visits else math.nan for total, visits in zip(self.totals, self.visits, strict=True)
        ]
        frame = {
            "frame": number,
            "ids": list(range(n)),
            "parents": self.parents,
            "xs": xs,
            "stubs": stubs,
            "depths": self.depths,
            "visits": self.visits,
            "values": values,
            "scores": [math.nan, *(value + 1.5 for value in values[1:])],
            "hidden": [0] * n,
            "flags": [0] * n,
            "actions": ["", *(f"A{chr(97 + i % 9)}" for i in range(1, n))],
            "value_range": [-1.0, 1.0],
            "n_nodes": n,
            "n_drawn": n,
            "marks": {"path": [], "simulated": None, "tail": None, "changes": [], "labels": [], "unfolded": 0},
        }
        marks = {name: changes.pop(name) for name in tuple(changes) if name in frame["marks"]}  # type: ignore[operator]
        return {**frame, **changes, "marks": {**frame["marks"], **marks}}  # type: ignore[dict-item]


def small_frame(number: int = 1, xs: Sequence[float] = (0, -1, 1, -2, 0), **changes: Any) -> dict[str, Any]:
    """Five nodes: the root 0, its children 1 and 2, and under 1 the nodes 3 and 4."""
    tree = GrownTree(1)
    tree.parents = [-1, 0, 0, 1, 1]
    tree.children = [[1, 2], [3, 4], [], [], []]
    tree.depths = [0, 1, 1, 2, 2]
    tree.visits = [8, 5, 2, 3, 0]
    tree.totals = [2.0, 4.0, -2.0, 1.5, 0.0]
    return tree.frame(
        number, xs=list(xs), scores=[math.nan, 1.25, -0.5, 2.125, math.inf], **{"stubs": [math.nan] * 5, **changes}
    )


def pack(data: dict[str, Any], types: dict[str, str]) -> dict[str, Any]:
    """Arrays as bytes, in a form that JSON can carry to the page."""
    return {key: _packed(value, types[key]) if key in types else value for key, value in data.items()}


def pack_tree(frame: dict[str, Any]) -> dict[str, Any]:
    """The `tree` trait in a form that JSON can carry to the page."""
    rest = {name: value for name, value in frame.items() if name not in TREE_ARRAYS}
    return {**rest, "arrays": {"base64": base64.b64encode(pack_arrays(frame)).decode()}}


def _packed(values: Any, dtype: str) -> dict[str, str]:
    return {"base64": base64.b64encode(np.asarray(values, dtype=dtype).tobytes()).decode()}


def pack_charts(data: dict[str, Any]) -> dict[str, Any]:
    """The `charts` trait in a form that JSON can carry to the page."""
    children = [pack(child, {"visits": "<i4"}) for child in data["children"]]
    return {**pack(data, CHART_ARRAYS), "children": children}
