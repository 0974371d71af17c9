"""A look at a search: the iteration that it is in, the part of the tree that is drawn, and the board of a node."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from sokoviz.actions import describe
from sokoviz.picture import Mark
from sokoviz.search.mcts.views.drawing import ELIMINATED, MOVED, NEW, TERMINAL
from sokoviz.search.options import DEADLOCK_TESTS
from sokoviz.widgets.explorer import frames

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from sokoviz.actions import Deadlock
    from sokoviz.games.game import Game
    from sokoviz.picture import Picture
    from sokoviz.search.contract import Moment
    from sokoviz.search.mcts.search import MCTS
    from sokoviz.search.mcts.views.drawing import Drawing
    from sokoviz.search.mcts.views.explanation import Iteration, LeftOut, Simulation
    from sokoviz.search.mcts.views.view import View
    from sokoviz.search.result import Waypoint


class Look(NamedTuple):
    """What is on display."""

    search: MCTS
    moment: Moment
    drawing: Drawing
    node: int
    """the selected node"""
    layers: frozenset[str] = frozenset()
    """what the board is drawn with"""
    successor: LeftOut | None = None
    """a successor of the selected node that is no child, where the reader has chosen one"""
    solution: tuple[Waypoint, ...] = ()
    """the way to the solution, where it is shown"""

    @property
    def iteration(self) -> Iteration | None:
        """The iteration that is under way or was completed last, explained; None at the bare root."""
        return _iteration_at(self.search, self.moment)

    @property
    def place(self) -> int:
        """Where the selected node stands in the arrays of the drawing."""
        return int(self.drawing.nodes.tolist().index(self.node))


def look_at(search: MCTS, node: int, view: View, *, follow: bool, must: Sequence[int] = ()) -> Look:
    """Look at a search where it stands.

    Parameters
    ----------
    search
        The search; its kernels are loaded.
    node
        The selected node; the root takes its place where it is not in the tree.
    view
        What the reader wants to see of the tree.
    follow
        Whether to select the node instead that the moment is about.
    must
        Further nodes that are drawn in any case.
    """
    moment = search.moment
    # Between iterations the tree can be drawn without an explanation, which takes longer than the drawing.
    iteration = _iteration_at(search, moment) if moment.phase else None
    wanted = _focus(search, moment) if follow else node
    drawing = _draw(search, moment, iteration, view, [wanted, *must])
    return Look(search, moment, drawing, wanted if wanted in drawing.nodes else 0)


def _iteration_at(search: MCTS, moment: Moment) -> Iteration | None:
    """The iteration that a moment is about, explained."""
    number = moment.step + bool(moment.phase)
    return search.explain(number) if number else None


def _focus(search: MCTS, moment: Moment) -> int:
    """The node that a moment is about."""
    if not moment.phase:
        return search.outcome_node(moment.step)  # the root where what was simulated may be gone
    iteration = search.explain(moment.step + 1)
    if moment.phase == "elimination":
        return iteration.elimination[0]
    return iteration.leaf if moment.phase in {"selection", "expansion"} else iteration.simulated


def _draw(search: MCTS, moment: Moment, iteration: Iteration | None, view: View, nodes: list[int]) -> Drawing:
    """What to draw of the tree: some nodes and all that the moment is about in any case."""
    must, marked = list(nodes), dict[int, int]()
    if iteration is not None and moment.phase:
        must += [*iteration.path, iteration.simulated]
        if iteration.expansion and moment.phase != "selection":
            marked = dict.fromkeys(iteration.expansion.added, NEW)
            marked |= dict.fromkeys((move.node for move in iteration.expansion.moved), MOVED)
        for node in frames.eliminated_nodes(iteration, moment.phase):
            marked[node] = marked.get(node, 0) | ELIMINATED
        must += [*marked, *frames.linked_nodes(iteration, moment.phase)]
    return search.draw(moment, view, must, marked)


# --- the board -------------------------------------------------------------------------------------------------------


def picture_of(look: Look) -> tuple[Picture, str]:
    """Return the board of the selected node, and a caption; in a simulation the end of its random game."""
    game, drawing, place = look.search.game, look.drawing, look.place
    if look.successor is not None:
        return _successor_picture(look, look.successor)
    simulation = look.iteration.simulation if look.iteration is not None else None
    if simulation and look.moment.phase == "simulation" and simulation.node == look.node:
        return _rollout_picture(look, simulation)
    state = look.search.state(look.node)
    action, who = drawing.actions[place], game.player_name(state)
    over = bool(drawing.flags[place] & TERMINAL)
    end = game.outcome_name(state) if over else f"{who} to move" if who else ""
    if "matching" in look.layers:
        end = game.value_name(state)
    words = [_name(look.node), f"move {action}" if action else "", f"depth {drawing.depths[place]}", end]
    dead = _deadlocks_at(look, state)
    words += [f"dead: {names(dead)}"] if dead else []
    picture = _with_last_move(game.portrait(state, look.layers), look)
    return _marked(picture, dead), " · ".join(word for word in words if word)


def _name(node: int) -> str:
    """What a caption calls a node."""
    return f"node {node}" if node else "the root"


def _with_last_move(picture: Picture, look: Look) -> Picture:
    """A picture with the squares of the move into the node marked."""
    search, parent = look.search, look.drawing.parents[look.place]
    if parent < 0:
        return picture
    before = search.state(int(look.drawing.nodes[parent]))
    squares = search.game.squares_of(before, search.action(look.node))
    return picture.with_overlays(*(Mark(square, "now") for square in squares))


def _deadlocks_at(look: Look, state: NDArray[np.int64]) -> tuple[Deadlock, ...]:
    """The deadlocks that are the reason why the selected node is being eliminated, where there are any."""
    iteration = look.iteration
    if iteration is None or not iteration.dead_by or look.node != iteration.simulated:
        return ()
    return look.search.game.deadlocks(state, (iteration.dead_by,)) if _is_eliminated(look) else ()


def _is_eliminated(look: Look) -> bool:
    """Whether the selected node is being eliminated."""
    return bool(look.drawing.flags[look.place] & ELIMINATED)


def names(deadlocks: Sequence[Deadlock]) -> str:
    """Return the rules that found a deadlock, and on which squares."""
    squares = sorted({square for deadlock in deadlocks for square in deadlock.squares})
    places = " ".join(square.name for square in squares)
    return ", ".join(deadlock.rule for deadlock in deadlocks) + (f" ({places})" if places else "")


def _marked(picture: Picture, deadlocks: Sequence[Deadlock]) -> Picture:
    """A picture with the squares of deadlocks marked; those who hear it are told their names and why they are some."""
    if not deadlocks:
        return picture
    culprits = sorted({square for deadlock in deadlocks for square in deadlock.squares})
    marked = picture.with_overlays(*(Mark(square, "deadlock") for square in culprits))
    return replace(marked, label=f"{picture.label}. {' '.join(describe(tuple(deadlocks)))}")


def _successor_picture(look: Look, successor: LeftOut) -> tuple[Picture, str]:
    """The position that a push would lead to which became no child, and why it did not."""
    game, state = look.search.game, look.search.state(look.node)
    squares = game.squares_of(state, successor.number)
    game.play(game.tables, state, successor.number)
    is_dead = successor.reason in DEADLOCK_TESTS
    layers = look.layers - {"pushes"} if is_dead else look.layers
    picture = game.portrait(state, layers).with_overlays(*(Mark(square, "now") for square in squares[:1]))
    why = f"dead by {names(successor.deadlocks) or successor.reason}" if is_dead else successor.reason
    if successor.node is not None:
        why = f"node {successor.node} has it at depth {successor.known_depth}, here {successor.depth}"
    words = f"{_name(look.node)}, after {successor.action}: {why}"
    return _marked(picture, successor.deadlocks), words


def _rollout_picture(look: Look, simulation: Simulation) -> tuple[Picture, str]:
    """The end of a random game, its moves numbered."""
    game = look.search.game
    state, marks = look.search.state(simulation.node), list[Mark]()
    for number, action in enumerate(simulation.actions, start=1):
        marks += [Mark(square, "context", text=str(number)) for square in game.squares_of(state, action)]
        game.play(game.tables, state, action)
    n = len(simulation.actions)
    after = f", then {n} random move{'s' if n > 1 else ''}" if n else ""
    return game.portrait(state, look.layers).with_overlays(*marks), f"{_name(look.node)}{after}: {simulation.outcome}"


def squares_for(game: Game, state: NDArray[np.int64], names: set[str]) -> Iterator[tuple[int, int]]:
    """Yield the squares on which a click means one of some moves."""
    picture = game.picture(state)
    for square in ((row, column) for row in range(picture.height) for column in range(picture.width)):
        action = game.action_at(state, square)
        if action is not None and game.action_name(state, action) in names:
            yield square


# --- the children ----------------------------------------------------------------------------------------------------


def children_of(look: Look) -> dict[str, Any]:
    """Return the children of the selected node as the page takes them; for a leaf its siblings, itself marked."""
    search, drawing, place = look.search, look.drawing, look.place
    candidates = search.candidates(look.node)
    if not candidates and look.node:
        place = int(drawing.parents[place])
        candidates = search.candidates(int(drawing.nodes[place]))
    node, visits = int(drawing.nodes[place]), int(drawing.visits[place])
    table = frames.children_table(search, node, visits, candidates, look.iteration if look.moment.phase else None)
    return {**table, "marked": look.node} if node != look.node and table["marked"] is None else table
