"""The course of a search, one row an iteration."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sokoviz.core.tree.flags import NO_REWARD
from sokoviz.core.tree.journal import DEEPEST_AFTER, FLAGS, NODES_AFTER, ROOT_CHILD, ROOT_SUM
from sokoviz.search.options import EVENTS

if TYPE_CHECKING:
    from collections.abc import Collection

    import pandas as pd

    from sokoviz.core.types import Integers
    from sokoviz.search.mcts.engine import Engine


def history_frame(engine: Engine, n: int) -> pd.DataFrame:
    """Return a table of the first n iterations.

    Its columns: nodes and depth of the tree, value of the root, the root's child that the iteration went through (-1
    for none), and for each kind of event whether the iteration is marked with it.
    """
    import pandas as pd

    steps = engine.steps[:, :n]
    numbers = np.arange(1, n + 1)
    columns = {
        "nodes": steps[NODES_AFTER],
        "depth": steps[DEEPEST_AFTER],
        "root_value": steps[ROOT_SUM] / root_visits(steps, numbers, engine.game.events),
        "root_child": steps[ROOT_CHILD],
        **{name: (steps[FLAGS] & EVENTS[name][0]) > 0 for name in engine.game.events},
    }
    return pd.DataFrame(columns, index=pd.Index(numbers, name="iteration"))


def root_visits(steps: Integers, at: Integers, events: Collection[str]) -> Integers:
    """Return how often the root had been visited after some iterations, counted from 1.

    Where nothing is ever eliminated, each iteration passes a reward up; `events` tells.
    """
    if "elimination" not in events:
        return at
    empty: Integers = np.cumsum((steps[FLAGS] & NO_REWARD) > 0)
    visits: Integers = at - empty[at - 1]
    return visits
