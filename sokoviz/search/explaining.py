"""Builds the explanation of an iteration out of what the engine measures when it makes the iteration again."""

from __future__ import annotations

from dataclasses import replace
from itertools import groupby
from typing import TYPE_CHECKING

from sokoviz.core.arena import ACTION, PARENT, VISITS
from sokoviz.core.flags import EXPANSION
from sokoviz.core.journal import (
    ADDED,
    CHOICES_USED,
    EXPLOITATION,
    FLAGS,
    PASSED,
    SCALE,
    SCORE,
    SCORE_CHILD,
    SCORE_PARENT,
    WEIGHT_COLUMN,
)
from sokoviz.core.types import NOWHERE
from sokoviz.search.explanation import Candidate, Choice, Expansion, Iteration, Simulation, Update
from sokoviz.search.narration import plain, tell
from sokoviz.search.options import FREE, events_in

if TYPE_CHECKING:
    from collections.abc import Iterable

    import numpy as np
    from numpy.typing import NDArray

    from sokoviz.core.types import Integers
    from sokoviz.search.engine import Engine, Measured


def explain(engine: Engine, number: int, formula: str) -> Iteration:
    """Return the explanation of an iteration; leaves the engine somewhere in it."""
    measured = engine.measure(number)
    start, events = engine.events_of(number)
    bits = int(engine.steps[FLAGS, number - 1])
    simulated, reward = next((int(event[1]), int(event[2])) for event in events if event[0] == PASSED)
    updates = _updates(engine, start, events)
    path = list(reversed(path_to_root(engine, simulated)))
    expansion = _expansion(engine, start, events, simulated) if bits & EXPANSION else None
    simulation = _simulation(engine, simulated, measured, reward)
    engine.seek(start)
    leaf = expansion.node if expansion else simulated
    choices = _choices(engine, measured.scores, path)
    choices, expansion = _with_script(engine, number, choices, expansion)
    told = Iteration(
        number=number,
        selection=choices,
        leaf=leaf,
        expansion=expansion,
        simulation=simulation,
        backpropagation=updates,
        events=events_in(bits),
    )
    phases = ("selection", *(("expansion",) if expansion else ()), "simulation", "backpropagation")
    return replace(told, sentences=tuple((phase, plain(tell(told, phase, formula))) for phase in phases))


def path_to_root(engine: Engine, node: int) -> list[int]:
    """Return a node and its ancestors, the root last."""
    path = [node]
    while path[-1] != 0:
        path.append(int(engine.arena.links[PARENT, path[-1]]))
    return path


def state_of(engine: Engine, node: int) -> Integers:
    """Return the position of a node as a new array."""
    game, state = engine.game, engine.game.start()
    for step in reversed(path_to_root(engine, node)[:-1]):
        game.play(game.tables, state, int(engine.arena.links[ACTION, step]))
    return state


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


def candidates_of(engine: Engine, node: int, scores: NDArray[np.float64]) -> tuple[Candidate, ...]:
    """Return the children of a node as scored; the engine is at the moment of scoring."""
    state, game, links = state_of(engine, node), engine.game, engine.arena.links
    found = []
    for row in scores:
        child = int(row[SCORE_CHILD])
        visits = int(links[VISITS, child])
        unit = float(row[SCALE] * row[WEIGHT_COLUMN])
        found.append(
            Candidate(
                node=child,
                action=game.action_name(state, int(links[ACTION, child])),
                visits=visits,
                value=float(row[EXPLOITATION]) if visits else None,
                exploitation=float(row[EXPLOITATION]) if visits else None,
                exploration=float(row[SCORE] - row[EXPLOITATION]) if visits else None,
                score=float(row[SCORE]),
                unit=unit if visits else None,
            )
        )
    return tuple(found)


def _choices(engine: Engine, scores: NDArray[np.float64], path: list[int]) -> tuple[Choice, ...]:
    """The steps of selection; the engine is where the iteration began."""
    found = []
    for depth, (parent, rows) in enumerate(groupby(scores, key=lambda row: int(row[SCORE_PARENT]))):
        candidates = candidates_of(engine, parent, list(rows))  # type: ignore[arg-type]
        best = max(candidate.score for candidate in candidates)
        tied = tuple(candidate.node for candidate in candidates if candidate.score == best)
        visits = int(engine.arena.links[VISITS, parent])
        found.append(Choice(parent, visits, candidates, path[depth + 1], tied if len(tied) > 1 else ()))
    return tuple(found)


def _with_script(
    engine: Engine, number: int, choices: tuple[Choice, ...], expansion: Expansion | None
) -> tuple[tuple[Choice, ...], Expansion | None]:
    """Mark what the script decided: it is asked where an unvisited child is taken, at ties, and for a new child."""
    script = engine.machine.choices[int(engine.steps[CHOICES_USED, number - 1]) :]
    asked = [index for index, choice in enumerate(choices) if choice.tied or choice.winner.visits == 0]
    decided = {index for index, entry in zip([*asked, NOWHERE], script, strict=False) if entry != FREE}
    marked = tuple(replace(choice, by_script=index in decided) for index, choice in enumerate(choices))
    return marked, replace(expansion, by_script=NOWHERE in decided) if expansion else None


def _expansion(engine: Engine, start: int, events: Iterable[Integers], drawn: int) -> Expansion:
    """What was added; leaves the engine after it."""
    index, (_, node, first, count) = next((i, event) for i, event in enumerate(events) if event[0] == ADDED)
    engine.seek(start + index + 1)
    state, game = state_of(engine, int(node)), engine.game
    added = tuple(range(int(first), int(first + count)))
    names = tuple(game.action_name(state, int(engine.arena.links[ACTION, child])) for child in added)
    return Expansion(int(node), added, names, drawn)


def _simulation(engine: Engine, node: int, measured: Measured, reward: int) -> Simulation:
    """The random game; the engine knows the simulated node."""
    game, state = engine.game, state_of(engine, node)
    moves = []
    for action in measured.moves:
        moves.append(game.action_name(state, action))
        game.play(game.tables, state, action)
    return Simulation(node, tuple(moves), measured.moves, game.outcome_name(state), reward, mover_into(engine, node))


def _updates(engine: Engine, start: int, events: Iterable[Integers]) -> tuple[Update, ...]:
    """Statistics before and after the reward went up; leaves the engine before that."""
    index, (_, node, reward, _) = next((i, event) for i, event in enumerate(events) if event[0] == PASSED)
    engine.seek(start + index)
    found, passed = [], int(reward)
    for step in path_to_root(engine, int(node)):
        visits, total = int(engine.arena.links[VISITS, step]), int(engine.arena.sums[step])
        before = total / visits if visits else None
        found.append(Update(step, passed, visits, visits + 1, before, (total + passed) / (visits + 1)))
        passed *= engine.machine.sign
    return tuple(found)
