"""Builds the explanation of an iteration out of what the engine measures when it makes the iteration again."""

from __future__ import annotations

from dataclasses import replace
from itertools import groupby, takewhile
from typing import TYPE_CHECKING

from sokoviz.core.tree.arena import ACTION, AT, COUNT, DEPTH, ELIMINATED, FIRST, PARENT, STATUS, VISITS
from sokoviz.core.tree.flags import EXPANSION, NO_REWARD
from sokoviz.core.tree.journal import (
    ADDED,
    AREA_FIRST,
    CHOICES_USED,
    EXPLOITATION,
    FLAGS,
    IN_TREE,
    ON_PATH,
    PASSED,
    REMEMBERED,
    REMOVED,
    SCALE,
    SCORE,
    SCORE_CHILD,
    SCORE_PARENT,
    TAKEN_OUT,
    WEIGHT_COLUMN,
)
from sokoviz.core.types import NOWHERE
from sokoviz.games.sokoban import Sokoban
from sokoviz.search.mcts.views.explanation import AREA_FIRST as COMES_FIRST
from sokoviz.search.mcts.views.explanation import (
    BEFORE,
    SINCE,
    Candidate,
    Choice,
    Expansion,
    Iteration,
    LeftOut,
    Move,
    Shift,
    Simulation,
    Update,
)
from sokoviz.search.mcts.views.narration import plain, tell
from sokoviz.search.options import DEADLOCK_TESTS, LEFT_TO_CHANCE, events_in

KNOWN_AT = {IN_TREE: "in the tree", ON_PATH: "on the path"}
NOT_LOOKED_AT = {REMEMBERED: BEFORE, AREA_FIRST: COMES_FIRST}
"""why a successor became no child, as the kernel notes it and in words"""

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from sokoviz.core.types import Integers
    from sokoviz.search.mcts.engine import Engine, Measured


def explain(engine: Engine, number: int, formula: str) -> Iteration:
    """Return the explanation of an iteration; leaves the engine somewhere in it."""
    measured = engine.measure(number)
    start, events = engine.events_of(number)
    bits = int(engine.steps[FLAGS, number - 1])
    passed = next((event for event in events if event[0] == PASSED), None)
    simulated = None if passed is None else int(passed[1])
    engine.seek(start)
    path = list(reversed(path_to_root(engine, measured.leaf)))
    choices = _choices(engine, measured.scores, path)
    visits = int(engine.arena.links[VISITS, measured.leaf])
    expansion = None
    if bits & (EXPANSION | NO_REWARD):
        expansion = _expansion(engine, start, events, measured, simulated)
    choices, expansion = _with_script(engine, number, choices, expansion)
    told = Iteration(
        number=number,
        selection=choices,
        leaf=measured.leaf,
        expansion=expansion,
        simulation=None if passed is None else _simulation(engine, number, measured, passed),
        backpropagation=() if passed is None else _updates(engine, number, passed),
        elimination=_eliminated(engine, number),
        visits=visits,
        events=events_in(bits),
        dead_by=rule_of(measured.dead_by) if measured.dead_by else "",
    )
    reward = () if passed is None else ("simulation", "backpropagation")
    phases = ("selection", *(("expansion",) if expansion else ()), *reward)
    phases += ("elimination",) if told.elimination else ()
    return replace(told, sentences=tuple((phase, plain(tell(told, phase, formula))) for phase in phases))


def _eliminated(engine: Engine, number: int) -> tuple[int, ...]:
    """Nodes that were eliminated at the end of an iteration."""
    rows = engine.written().events[engine.after_reward(number) : engine.end_of(number)]
    return tuple(int(event[1]) for event in rows)


def path_to_root(engine: Engine, node: int) -> list[int]:
    """Return a node and its ancestors, the root last."""
    path = [node]
    while path[-1] != 0:
        path.append(int(engine.arena.links[PARENT, path[-1]]))
    return path


def state_of(engine: Engine, node: int) -> Integers:
    """Return the position of a node as a new array."""
    return engine.positions.find(engine.arena, node)


def mover_into(engine: Engine, node: int) -> str:
    """Return the name of the player who moved into a node; for the root, of the one who is not to move there."""
    game = engine.game
    if game.players == 1:
        return ""
    if node:
        return game.player_name(state_of(engine, int(engine.arena.links[PARENT, node])))
    return other_player(engine)


def other_player(engine: Engine) -> str:
    """Return the name of the player who is not to move at the root."""
    from sokoviz.games.rules import legal_actions

    game, state = engine.game, engine.game.start()
    actions = legal_actions(game, state)
    if not actions:
        return ""
    game.play(game.tables, state, actions[0])
    return game.player_name(state)


def candidates_of(
    engine: Engine, node: int, scores: Sequence[Sequence[float]], state: Integers | None = None
) -> tuple[Candidate, ...]:
    """Return the children of a node as scored; the engine is at the moment of scoring.

    Parameters
    ----------
    engine, node
        The search, and one of its nodes.
    scores
        Rows of `Measured.scores`, as lists: single numbers of arrays are slow to read.
    state
        The node's position, where it is known already.
    """
    state = state_of(engine, node) if state is None else state
    game, links = engine.game, engine.arena.links
    found = []
    for row in scores:
        child = int(row[SCORE_CHILD])
        visits = int(links[VISITS, child])
        value = row[EXPLOITATION] if visits else None
        found.append(
            Candidate(
                node=child,
                action=game.action_name(state, int(links[ACTION, child])),
                visits=visits,
                value=value,
                exploitation=value,
                exploration=row[SCORE] - row[EXPLOITATION] if visits else None,
                score=row[SCORE],
                unit=row[SCALE] * row[WEIGHT_COLUMN] if visits else None,
            )
        )
    return tuple(found)


def _choices(engine: Engine, scores: NDArray[np.float64], path: list[int]) -> tuple[Choice, ...]:
    """The steps of selection; the engine is where the iteration began."""
    found, game, state = [], engine.game, engine.game.start()
    for depth, (parent, rows) in enumerate(groupby(scores.tolist(), key=lambda row: int(row[SCORE_PARENT]))):
        candidates = candidates_of(engine, parent, list(rows), state)
        best = max(candidate.score for candidate in candidates)
        tied = tuple(candidate.node for candidate in candidates if candidate.score == best)
        visits = int(engine.arena.links[VISITS, parent])
        found.append(Choice(parent, visits, candidates, path[depth + 1], tied if len(tied) > 1 else ()))
        game.play(game.tables, state, int(engine.arena.links[ACTION, path[depth + 1]]))
    return tuple(found)


def _with_script(
    engine: Engine, number: int, choices: tuple[Choice, ...], expansion: Expansion | None
) -> tuple[tuple[Choice, ...], Expansion | None]:
    """Mark what the script decided: it is asked where an unvisited child is taken, at ties, and for a new child."""
    script = engine.machine.choices[int(engine.steps[CHOICES_USED, number - 1]) :]
    asked = [index for index, choice in enumerate(choices) if choice.tied or choice.winner.visits == 0]
    decided = {index for index, entry in zip([*asked, NOWHERE], script, strict=False) if entry != LEFT_TO_CHANCE}
    if not decided:
        return choices, expansion
    marked = tuple(replace(choice, by_script=index in decided) for index, choice in enumerate(choices))
    return marked, replace(expansion, by_script=NOWHERE in decided) if expansion else None


def _expansion(
    engine: Engine, start: int, events: NDArray[np.int32], measured: Measured, drawn: int | None
) -> Expansion:
    """What was added, what moved and what was left out; the engine is where the iteration began, and after it there."""
    leaf = measured.leaf
    state, game = state_of(engine, leaf), engine.game
    added = next((range(int(event[2]), int(event[2] + event[3])) for event in events if event[0] == ADDED), range(0))
    moved = tuple(_moves(engine, start, events))
    engine.seek(start + len(events) if drawn is None else start + _index_of(events, PASSED))
    actions = {child: int(engine.arena.links[ACTION, child]) for child in (*added, *(move.node for move in moved))}
    names = tuple(game.action_name(state, actions[child]) for child in added)
    engine.seek(start)
    left_out = tuple(_left_out(engine, measured.leaf, state, measured))
    return Expansion(leaf, tuple(added), names, drawn, moved=moved, left_out=left_out)


def _index_of(events: NDArray[np.int32], kind: int) -> int:
    """Where the first event of a kind stands."""
    return next(index for index, event in enumerate(events) if event[0] == kind)


def _moves(engine: Engine, start: int, events: NDArray[np.int32]) -> Iterator[Move]:
    """Subtrees that moved in an iteration; the engine is where it began, and after it there."""
    links, sums = engine.arena.links, engine.arena.sums
    for index, event in enumerate(events):
        if event[0] != TAKEN_OUT:
            continue
        node, former, joined = int(event[1]), int(event[2]), int(events[index + 1][1])
        engine.seek(start + index)
        depth, visits, total = int(links[DEPTH, node]), int(links[VISITS, node]), int(sums[node])
        chains = _chains(engine, former, joined)
        before = _statistics(engine, chains)
        engine.seek(start + index + 2)
        after = _statistics(engine, chains)
        removed = takewhile(lambda row: row[0] == REMOVED, events[index + 2 :])
        gone = tuple(int(row[1]) for row in removed)
        old, new = (tuple(_shift(each, before, after) for each in chain) for chain in chains)
        yield Move(node, former, depth, int(links[DEPTH, node]), visits, total, gone, old, new)
    engine.seek(start)


def _chains(engine: Engine, former: int, joined: int) -> tuple[list[int], list[int]]:
    """The way up from the old and from the new parent, both up to the first node that they share."""
    old, new = path_to_root(engine, former), path_to_root(engine, joined)
    shared = next(node for node in old if node in set(new))
    return old[: old.index(shared) + 1], new[: new.index(shared) + 1]


def _statistics(engine: Engine, chains: tuple[list[int], list[int]]) -> dict[int, tuple[int, int]]:
    """Visits and sum of rewards of all nodes of two chains."""
    links, sums = engine.arena.links, engine.arena.sums
    return {node: (int(links[VISITS, node]), int(sums[node])) for chain in chains for node in chain}


def _shift(node: int, before: dict[int, tuple[int, int]], after: dict[int, tuple[int, int]]) -> Shift:
    """What a move changed about one node."""
    (visits, total), (visits_after, total_after) = before[node], after[node]
    return Shift(node, visits, visits_after, total, total_after)


def _left_out(engine: Engine, leaf: int, state: Integers, measured: Measured) -> Iterator[LeftOut]:
    """Successors of a leaf that became no child, as the kernel noted them; the engine is where it was expanded."""
    game, depths = engine.game, engine.arena.links[DEPTH]
    depth = int(depths[leaf]) + 1
    for action, why, node in measured.left_out:
        name = game.action_name(state, action)
        if why in KNOWN_AT:
            # A new child of the same leaf has its position, or a node that was there.
            there = int(depths[node]) if node < engine.n_nodes else depth
            yield LeftOut(name, KNOWN_AT[why], node, action, depth, there)
        elif why in NOT_LOOKED_AT:
            yield LeftOut(name, NOT_LOOKED_AT[why], None, action, depth)
        else:
            rule = rule_of(why)
            after = state.copy()
            game.play(game.tables, after, action)
            yield LeftOut(name, rule, None, action, depth, None, game.deadlocks(after, (rule,)))


def rule_of(bit: int) -> str:
    """Return the name of a deadlock test by its bit in the kernel."""
    return DEADLOCK_TESTS[bit.bit_length() - 1]


def left_out_of(engine: Engine, node: int) -> tuple[LeftOut, ...]:
    """Return the successors of a node with children that are none of them where the engine is.

    The iteration in which it was expanded is made again, and the engine comes back to where it was.
    """
    links, children = engine.arena.links, engine.arena.children
    first, n = int(links[FIRST, node]), int(links[COUNT, node])
    number = engine.expanded_in(node)
    if not n or number is None or not isinstance(engine.game, Sokoban):
        return ()
    now, here = int(engine.arena.counts[AT]), {int(child) for child in children[first : first + n]}
    state, measured = state_of(engine, node), engine.measure(number)
    first, n = int(links[FIRST, node]), int(links[COUNT, node])
    former = {int(links[ACTION, child]): int(child) for child in children[first : first + n]}
    engine.seek(engine.end_of(number - 1))
    found = list(_left_out(engine, node, state, measured))
    engine.seek(now)
    gone = {action: child for action, child in former.items() if child not in here}
    found += [_gone(engine, node, state, action, child) for action, child in gone.items()]
    order = {action: place for place, action in enumerate(measured.considered)}
    return tuple(sorted(found, key=lambda each: order[each.number]))


def _gone(engine: Engine, node: int, state: Integers, action: int, child: int) -> LeftOut:
    """A successor that was a child: it was eliminated since, or moved elsewhere."""
    name, links = engine.game.action_name(state, action), engine.arena.links
    depth = int(links[DEPTH, node]) + 1
    if links[STATUS, child] & ELIMINATED:
        return LeftOut(name, SINCE, None, action, depth)
    return LeftOut(name, KNOWN_AT[IN_TREE], child, action, depth, int(links[DEPTH, child]))


def _simulation(engine: Engine, number: int, measured: Measured, passed: Integers) -> Simulation:
    """The random game, or the value of the position; leaves the engine where the simulated node is there."""
    engine.seek(engine.before_reward(number))
    node, reward = int(passed[1]), int(passed[2])
    game, state = engine.game, state_of(engine, node)
    moves = []
    for action in measured.moves:
        moves.append(game.action_name(state, action))
        game.play(game.tables, state, action)
    mover, is_valued = mover_into(engine, node), isinstance(game, Sokoban)
    return Simulation(node, tuple(moves), measured.moves, game.outcome_name(state), reward, mover, is_valued)


def _updates(engine: Engine, number: int, passed: Integers) -> tuple[Update, ...]:
    """Statistics before and after the reward went up; leaves the engine before that."""
    engine.seek(engine.before_reward(number))
    found, reward = [], int(passed[2])
    for step in path_to_root(engine, int(passed[1])):
        visits, total = int(engine.arena.links[VISITS, step]), int(engine.arena.sums[step])
        before = total / visits if visits else None
        found.append(Update(step, reward, visits, visits + 1, before, (total + reward) / (visits + 1)))
        reward *= engine.machine.sign
    return tuple(found)
