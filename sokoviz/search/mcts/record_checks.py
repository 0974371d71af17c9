"""Does a record from a file make a tree that this game can have? Looked at before any kernel uses a number of it.

What a record says twice must agree, every node must stand where nodes before it allow, and every action must be legal.
Only the states of the random generator are taken as they are: any number is one.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from sokoviz.core.tree import flags
from sokoviz.core.tree.journal import (
    ADDED,
    CHOICES_USED,
    DEEPEST_AFTER,
    EVENTS_AN_ITERATION,
    EVENTS_END,
    FLAGS,
    N_STEP_FIELDS,
    NODES_AFTER,
    PASSED,
    ROOT_CHILD,
    ROOT_SUM,
)
from sokoviz.core.types import NOWHERE
from sokoviz.games.rules import legal_actions
from sokoviz.search.mcts import arrays as machine
from sokoviz.search.options import EVENTS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from numpy.typing import NDArray

    from sokoviz.core.types import Integers
    from sokoviz.games.game import Game

    Arrays = Mapping[str, NDArray[Any]]

KINDS = {
    "root": ("i8", 1),
    "steps": ("i8", 2),
    "events": ("i4", 2),
    "parents": ("i4", 1),
    "actions": ("i4", 1),
    "tip": ("i8", 1),
    "generator": ("u8", 1),
}
"""type and number of axes of each array"""

TWO_PLAYERS = 2


def find_flaw(arrays: Arrays, game: Game, n_choices: int) -> str | None:
    """Return what is wrong with a record, or None.

    Parameters
    ----------
    arrays
        The record as `sokoviz.search.mcts.file` keeps it.
    game
        The game that it is of.
    n_choices
        How many choices its script has.
    """
    for look in (_at_shapes, _at_events, _at_steps, _at_tip, _at_actions):
        flaw = next(look(arrays, game, n_choices), None)
        if flaw is not None:
            return flaw
    return None


def _at_shapes(arrays: Arrays, game: Game, _n_choices: int) -> Iterator[str]:
    """Types and shapes of the arrays."""
    for name, (kind, n_axes) in KINDS.items():
        if arrays[name].dtype != np.dtype(kind) or arrays[name].ndim != n_axes:
            yield f"{name} of type {arrays[name].dtype} and shape {arrays[name].shape}"
    shapes = {name: array.shape for name, array in arrays.items()}
    expected = {
        "root": game.start().shape,
        "steps": (N_STEP_FIELDS, shapes["steps"][1]),
        "events": (shapes["events"][0], 4),
        "actions": shapes["parents"],
        "tip": (machine.N_TIP,),
        "generator": (1,),
    }
    for name, shape in expected.items():
        if shapes[name] != shape:
            yield f"{name} of shape {shapes[name]}"
    if not len(arrays["parents"]):
        yield "no root"


def _at_events(arrays: Arrays, game: Game, _n_choices: int) -> Iterator[str]:
    """Each iteration may add children to one leaf, and ends with one reward; a node is added after its parent."""
    events, parents, ends = arrays["events"], arrays["parents"], arrays["steps"][EVENTS_END]
    if not np.isin(events[:, 0], (ADDED, PASSED)).all():
        yield "events of an unknown kind"
    passed = np.flatnonzero(events[:, 0] == PASSED)
    if not np.array_equal(ends, passed + 1) or len(events) != (ends[-1] if len(ends) else 0):
        yield "iterations that do not end with a reward"
    if np.any(np.diff(ends, prepend=0) > EVENTS_AN_ITERATION):
        yield "iterations with too many events"
    if parents[0] != NOWHERE or np.any(parents[1:] < 0) or np.any(parents[1:] >= np.arange(1, len(parents))):
        yield "nodes before their parents"
    added = events[events[:, 0] == ADDED].astype(np.int64)
    if np.any(added[:, 3] < 1) or np.any(added[:, 3] > game.max_actions) or added[:, 3].sum() != len(parents) - 1:
        yield "wrong numbers of children"
    if not np.array_equal(added[:, 2], 1 + np.cumsum(added[:, 3]) - added[:, 3]):
        yield "children out of order"
    if not np.array_equal(np.repeat(added[:, 1], added[:, 3]), parents[1:]):
        yield "children of other parents"
    if len(np.unique(added[:, 1])) != len(added):
        yield "nodes that got children twice"


def _at_steps(arrays: Arrays, game: Game, n_choices: int) -> Iterator[str]:
    """What is known of each iteration is what its events say."""
    events, steps = arrays["events"].astype(np.int64), arrays["steps"]
    has_added, (depths, tops) = np.diff(steps[EVENTS_END], prepend=0) > 1, _depths_and_tops(arrays["parents"])
    passed = events[events[:, 0] == PASSED]
    counts = np.zeros(len(passed), dtype=np.int64)
    counts[has_added] = events[events[:, 0] == ADDED, 3]
    n_nodes = 1 + np.cumsum(counts)
    nodes = passed[:, 1]
    if np.any(nodes < np.where(has_added, n_nodes - counts, 0)) or np.any(nodes >= n_nodes):
        yield "rewards of nodes that are not there"
        return
    signs = np.where(depths[nodes] % 2 == 1, -1 if game.players == TWO_PLAYERS else 1, 1)
    derived = {
        NODES_AFTER: n_nodes,
        DEEPEST_AFTER: np.maximum.accumulate(depths[nodes]),
        ROOT_CHILD: tops[nodes],
        ROOT_SUM: np.cumsum(passed[:, 2] * signs),
    }
    if not all(np.array_equal(steps[row], numbers) for row, numbers in derived.items()):
        yield "iterations that do not fit their events"
    marked = steps[FLAGS]
    known = sum(EVENTS[name][0] for name in game.events)
    if np.any(marked & ~known) or not np.array_equal((marked & flags.EXPANSION) > 0, has_added):
        yield "iterations with wrong marks"
    used = np.append(steps[CHOICES_USED], arrays["tip"][machine.CHOICES])
    if np.any(used < 0) or np.any(used > n_choices) or any(later < earlier for earlier, later in pairwise(used)):
        yield "choices that the script does not have"


def _depths_and_tops(parents: NDArray[np.int32]) -> tuple[Integers, Integers]:
    """Depth of each node, and the child of the root that it is under; NOWHERE for the root."""
    depths, tops = [0] * len(parents), [NOWHERE] * len(parents)
    for node, parent in enumerate(parents.tolist()[1:], start=1):
        depths[node] = depths[parent] + 1
        tops[node] = tops[parent] if parent else node
    return np.array(depths, dtype=np.int64), np.array(tops, dtype=np.int64)


def _at_tip(arrays: Arrays, _game: Game, _n_choices: int) -> Iterator[str]:
    """What the search goes on from is where its record ends."""
    steps, tip = arrays["steps"], arrays["tip"]
    passed = steps[ROOT_CHILD][steps[ROOT_CHILD] != NOWHERE]
    visits = np.bincount(passed) if len(passed) else np.zeros(1, dtype=np.int64)
    leader, n_visits = int(tip[machine.LEADER]), int(tip[machine.N_LEADER_VISITS])
    leads = leader == NOWHERE if not len(passed) else 0 <= leader < len(visits) and visits[leader] == n_visits
    if not leads or n_visits != visits.max():
        yield "a leader that does not lead"
    deepest = int(steps[DEEPEST_AFTER, -1]) if steps.shape[1] else 0
    if (tip[machine.ITERATIONS], tip[machine.DEEPEST]) != (steps.shape[1], deepest):
        yield "an end that is not that of the record"
    if (tip[machine.SOLUTION_NODE], tip[machine.IS_UNSOLVABLE]) != (NOWHERE, 0):
        yield "an end that only a search of Sokoban has"


def _at_actions(arrays: Arrays, game: Game, _n_choices: int) -> Iterator[str]:
    """The children of a node are its legal actions; a position is made only by actions that were looked at before."""
    events, parents, actions = arrays["events"], arrays["parents"].tolist(), arrays["actions"].tolist()
    if actions[0] != NOWHERE:
        yield "an action that leads to the root"
    states = {0: game.start()}
    for _, node, first, count in events[events[:, 0] == ADDED].tolist():
        if node:
            states[node] = states[parents[node]].copy()
            game.play(game.tables, states[node], actions[node])
        legal = legal_actions(game, states[node])
        if actions[first : first + count] != legal:
            yield f"the actions {actions[first : first + count]} below node {node}, which has {legal}"
