"""An iteration in words: one plain sentence or two a phase, with the numbers that decided it.

A sentence is made of *runs*, a text and a role each; the role picks its colour where there is any: ``now``, ``new``,
``dead``, ``strong``, or none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from sokoviz.words import listing, number, signed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sokoviz.search.mcts.views.explanation import Choice, Expansion, Iteration, LeftOut, Move, Simulation, Update

Run: TypeAlias = tuple[str, str]

MOST_STEPS_TOLD = 3
MOST_MOVES_TOLD = 9
MOST_SUCCESSORS_TOLD = 2  # of a kind, so that the sentence has room below a tree


def plain(runs: Sequence[Run]) -> str:
    """Return runs as plain text."""
    return "".join(text for text, _ in runs)


def tell(iteration: Iteration, phase: str, formula: str) -> list[Run]:
    """Return what happened in a phase of an iteration.

    Parameters
    ----------
    iteration
        The iteration.
    phase
        One of its phases.
    formula
        Name of the score, such as ``"UCT"``.
    """
    if phase == "selection":
        return _tell_selection(iteration, formula)
    if phase == "expansion" and iteration.expansion:
        return _tell_expansion(iteration.expansion)
    if phase == "simulation" and iteration.simulation:
        return _tell_simulation(iteration.simulation, was_visited=iteration.was_visited and not iteration.expansion)
    if phase == "elimination":
        return _tell_elimination(iteration)
    return _tell_backpropagation(iteration.backpropagation)


def _tell_selection(iteration: Iteration, formula: str) -> list[Run]:
    """How the leaf was found."""
    choices = iteration.selection
    if not choices:
        return [("The ", ""), ("root", "now"), (" has no children yet, so it is the leaf.", "")]
    told = choices if len(choices) <= MOST_STEPS_TOLD else choices[: MOST_STEPS_TOLD - 1]
    runs: list[Run] = []
    for index, choice in enumerate(told):
        runs += [("; " if index else "", ""), *_tell_choice(choice, formula)]
    if len(told) < len(choices):
        between = ", ".join(str(choice.chosen) for choice in choices[len(told) : -1])
        runs += [
            (f"; then on through {between}" if between else "", ""),
            ("; ", ""),
            *_tell_choice(choices[-1], formula),
        ]
    return [*runs, (".", "")]


def _tell_choice(choice: Choice, formula: str) -> list[Run]:
    """One step of selection."""
    where = "" if choice.node == 0 else f" at node {choice.node}"
    winner = choice.winner
    name = (f"node {choice.chosen}", "now")
    others = [node for node in choice.tied if node != choice.chosen]
    if len(choice.candidates) == 1:
        return [name, (f" is the only child{where}", "")]
    if winner.visits == 0:
        n, drawn = len(choice.tied), _drawn(by_script=choice.by_script)
        how = f"is {drawn} from the {n} children without visits" if others else "is the one child without visits"
        return [name, (f" {how}{where}", "")]
    split = f"{number(winner.score)} = {number(winner.exploitation)} + {number(winner.exploration)}"
    runs = [name, (f" leads{where} with {formula} {split}", "")]
    if others:
        runs.append((f", ties with {listing(others)} and was {_drawn(by_script=choice.by_script)}", ""))
    return runs


def _drawn(*, by_script: bool) -> str:
    """How one of several was taken."""
    return "drawn at random (scripted)" if by_script else "drawn at random"


def _name(node: int) -> Run:
    """A node that is spoken of."""
    return (f"node {node}" if node else "the root", "now")


def _tell_expansion(expansion: Expansion) -> list[Run]:
    """What was added."""
    if expansion.moved or expansion.left_out:
        return _tell_pushes(expansion)
    name, role = _name(expansion.node)
    lead: Run = (name[0].upper() + name[1:], role)
    if not expansion.added:
        return [lead, (" has been visited before, but nothing can be pushed: it gets no child.", "")]
    n, first, last = len(expansion.added), expansion.added[0], expansion.added[-1]
    runs = [lead, (" has been visited before, so it gets ", "")]
    if n == 1:
        return [*runs, (f"a child, node {first}", "new"), (".", "")]
    drawn = f", one for each move; one of them is {_drawn(by_script=expansion.by_script)}: "
    return [*runs, (f"{n} children, nodes {first} to {last}", "new"), (drawn, ""), _chosen(expansion), (".", "")]


def _chosen(expansion: Expansion) -> Run:
    """The child that is simulated."""
    return _name(expansion.node if expansion.drawn is None else expansion.drawn)


def _tell_pushes(expansion: Expansion) -> list[Run]:
    """What became of the successors of a position of Sokoban."""
    name, role = _name(expansion.node)
    runs: list[Run] = [(name[0].upper() + name[1:], role), (" has been visited before, so it is expanded: ", "")]
    parts: list[list[Run]] = []
    if expansion.added:
        n, first, last = len(expansion.added), expansion.added[0], expansion.added[-1]
        parts.append([(f"{n} new children, nodes {first} to {last}" if n > 1 else f"a new child, node {first}", "new")])
    parts += [_tell_move(move) for move in expansion.moved]
    for where, words in (("in the tree", "in the tree and not nearer"), ("on the path", "on the path")):
        known = [_known(each) for each in expansion.left_out if each.reason == where]
        if known:
            parts.append([(f"already {words}: {_some(known)}", "")])
    dead = [f"{each.action} ({each.reason})" for each in expansion.left_out if each.node is None]
    if dead:
        parts.append([("left out: ", ""), (_some(dead), "dead")])
    for index, part in enumerate(parts):
        runs += [("; " if index else "", ""), *part]
    end: list[Run] = [("; one child is drawn at random: ", ""), _chosen(expansion), (".", "")]
    return [*runs, *(end if expansion.drawn is not None else [(". No child is left.", "")])]


def _known(successor: LeftOut) -> str:
    """A successor whose position is there already, with both depths."""
    return f"{successor.action} (node {successor.node}, depth {successor.known_depth}, here {successor.depth})"


def _some(texts: list[str]) -> str:
    """The first of some texts, and how many more there are."""
    told, n_more = texts[:MOST_SUCCESSORS_TOLD], len(texts) - MOST_SUCCESSORS_TOLD
    return ", ".join(told) + (f" and {n_more} more" if n_more > 0 else "")


def _tell_move(move: Move) -> list[Run]:
    """A subtree that moved."""
    gone = f", which leaves {listing(move.eliminated)} without children, to be eliminated" if move.eliminated else ""
    where = f" moves here from node {move.former}, from depth {move.depth_before} to {move.depth_after}"
    count = f" with its {move.visits} visit{'s' if move.visits != 1 else ''}{gone}"
    return [("the subtree of ", ""), (f"node {move.node}", "new"), (where + count, "")]


def _tell_elimination(iteration: Iteration) -> list[Run]:
    """Which nodes went, and why."""
    first, *others = iteration.elimination
    why = " is dead" if iteration.simulation else " has no children"
    runs: list[Run] = [_name(first), (f"{why}, so it is eliminated", "")]
    runs[0] = (runs[0][0][0].upper() + runs[0][0][1:], "dead")
    if others:
        names = listing([node or "the root" for node in others])
        runs.append((f"; then {names}, left without children", ""))
    return [*runs, (".", "")]


def _tell_simulation(simulation: Simulation, *, was_visited: bool) -> list[Run]:
    """How the random game went."""
    name, reward = _name(simulation.node), (signed(simulation.reward), "strong")
    seen = ""
    if simulation.player:
        who = f"who moved to node {simulation.node}" if simulation.node else "by whose eyes the root is seen"
        seen = f" for {simulation.player}, {who}"
    if simulation.is_valued:
        text = f" is valued as it is, no game is played: {simulation.outcome}. Reward "
        return [(name[0][0].upper() + name[0][1:], name[1]), (text, ""), reward, (".", "")]
    if not simulation.moves:
        again = ", so it gets no children" if was_visited else ", so there is nothing to play"
        lead: list[Run] = [("The game is over at ", ""), name, (f"{again}: {simulation.outcome}. Reward ", "")]
        return [*lead, reward, (f"{seen}.", "")]
    n, moves = len(simulation.moves), simulation.moves[:MOST_MOVES_TOLD]
    more = f" and {n - len(moves)} more" if len(moves) < n else ""
    count, verb = ("one random move", "ends") if n == 1 else (f"{n} random moves", "end")
    text = f", {count} ({' '.join(moves)}{more}) {verb} the game: {simulation.outcome}. Reward "
    return [("From ", ""), name, (text, ""), reward, (f"{seen}.", "")]


def _tell_backpropagation(updates: Sequence[Update]) -> list[Run]:
    """How the reward went up."""
    told = updates if len(updates) <= MOST_STEPS_TOLD + 1 else [*updates[: MOST_STEPS_TOLD - 1], updates[-1]]
    runs: list[Run] = [("The reward goes up: ", "")]
    for index, update in enumerate(told):
        left_out = len(told) < len(updates) and index == len(told) - 1
        gap = "; …; " if left_out else "; " if index else ""
        change = f" gets {signed(update.reward)}, value {number(update.value_before)} → {number(update.value_after)}"
        visits = f" after {update.visits_after} visit{'s' if update.visits_after > 1 else ''}"
        runs += [(gap, ""), (f"node {update.node}" if update.node else "the root", "now"), (change + visits, "")]
    return [*runs, (".", "")]
