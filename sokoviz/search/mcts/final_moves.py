"""Which child of the root is the move, once a search has ended. Chaslot et al. 2008, "Progressive strategies", 2.4."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from sokoviz.search.mcts.views.tree import Tree

Numbers: TypeAlias = "NDArray[np.float64]"

SECURITY = 1.0  # A of the secure child: its value less A / sqrt(visits)


def final_move(tree: Tree, rule: str) -> int | None:
    """Return the child of the root that a rule takes; None where no child has been visited.

    A child that wins at once is taken before any rule, unless another has a higher value. Rules look at numbers that a
    longer way to win may have as well, and then they would put the win off.

    Parameters
    ----------
    tree
        The tree.
    rule
        ``"most visited"``: the robust child, the thesis's rule (3.2.4). ``"highest value"``: the max child.
        ``"max-robust"``: the child that has both, the most visited one where there is none. ``"secure"``: the highest
        lower bound, value less 1 / sqrt(visits).
    """
    children = [child for child in tree.children(0) if tree.visits[child] > 0]
    if not children:
        return None
    visits = tree.visits[children].astype(np.float64)
    values = tree.values_of(children)
    won = [child for child, value in zip(children, values, strict=True) if value == values.max() and value > 0]
    ended = next((child for child in won if tree.is_over(child)), None)
    if ended is not None:
        return ended
    if rule == "highest value":
        return _best(children, values, visits)
    if rule == "secure":
        return _best(children, values - SECURITY / np.sqrt(visits), visits)
    # Of the most visited the one with the highest value: that is the max-robust child too, wherever there is one.
    return _best(children, visits, values)


def _best(children: Sequence[int], first: Numbers, second: Numbers) -> int:
    """The child with the highest first number, then the highest second, then the lowest node number."""
    ranks = sorted(range(len(children)), key=lambda index: (-first[index], -second[index], children[index]))
    return int(children[ranks[0]])


def expected_line(tree: Tree, node: int | None) -> tuple[str, ...]:
    """Return the moves from the root through a node, and on by the most visited child each time."""
    if node is None:
        return ()
    while True:
        children = [child for child in tree.children(node) if tree.visits[child] > 0]
        if not children:
            return tree.line(node)
        visits = tree.visits[children].astype(np.float64)
        node = _best(children, visits, tree.values_of(children))
