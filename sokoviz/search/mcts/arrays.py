"""Everything that a search works on, as arrays; the kernels that work on it stand in mcts.py and pushing.py."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sokoviz.core.tree.arena import Arena
from sokoviz.core.tree.formulas import Formula
from sokoviz.core.tree.node_table import States
from sokoviz.core.types import Bits, Integers

# Entries of Machine.tip: what is known where the record ends, and nowhere else.
ITERATIONS, CHOICES, DEEPEST, LEADER, N_LEADER_VISITS, SOLUTION_NODE, IS_UNSOLVABLE = range(7)
N_TIP = 7

# Entries of Machine.stop: bits of the flags to stop at, a node, and how many nodes there may be.
STOP_FLAGS, STOP_NODE, MOST_NODES = range(3)

# Entries of Machine.options, which only a search of Sokoban looks at.
REPEATS, DEADLOCKS, IS_LATE, IS_REMEMBERED, HAS_STALL, BY_PUSHES, IS_INWARD, COUNTS_AREAS = range(8)
N_OPTIONS = 8

# What becomes of a position that was met before: it is added all the same; it is left out where it is on the path from
# the root, or beside itself; there is one node for each.
ANYWHERE, NOT_ON_PATH, ONCE = range(3)

# Rows of Machine.boards; the components after each of the pushes looked at begin with row REACHED_AFTER.
BOXES, FREE_SQUARES, REACHED, FREE_AFTER, CULPRITS, REACHED_AFTER = range(6)


class Machine(NamedTuple):
    """Everything that a search works on."""

    arena: Arena
    formula: Formula
    sign: int
    """-1 where two players take turns, 1 for one player: what a reward is multiplied by on its way up"""
    root: Integers
    """int64[n]: the position at the root"""
    state: Integers
    """int64[n]: the position at hand"""
    saved: Integers
    """int64[n]: the position where a rollout began"""
    actions: Integers
    """int64[max_actions]"""
    scores: NDArray[np.float64]
    """float64[max_actions]: scores of the children at hand"""
    generator: Bits
    """uint64[1]"""
    choices: Integers
    """int64[m]: scripted choices, node numbers or LEFT_TO_CHANCE"""
    outcomes: Integers
    """int64[m]: scripted outcomes of the rollouts, by iteration, or LEFT_TO_CHANCE"""
    tip: Integers
    """int64[7]: iterations made, scripted choices used, deepest node, most visited child of the root, its visits, the
    first node simulated that is a solution (NOWHERE while there is none), whether the root was eliminated"""
    stop: Integers
    """int64[3]: where to stop"""
    options: Integers
    """int64[8]: see above"""
    states: States
    """the nodes by their positions"""
    boards: Bits
    """uint64[5 + max_actions, n_words]: bitsets of the position at hand and of those looked at"""
    keys: Bits
    """uint64[max_actions]: keys of the positions looked at"""
