"""A recorded tree search: what the explorer shows at each moment, as data; a page without a kernel steps through it."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from sokoviz.search.contract import Moment
from sokoviz.search.mcts.views.drawing import ELIMINATED, TERMINAL
from sokoviz.search.mcts.views.view import View
from sokoviz.widgets.base.recorder import Recorder, Shot
from sokoviz.widgets.board.glides import ways_between
from sokoviz.widgets.explorer import frames
from sokoviz.widgets.explorer.details import details_of, solution_of, successors_of
from sokoviz.widgets.explorer.views import Look, look_at, picture_of
from sokoviz.widgets.explorer.widget import STYLES, Explorer, moment_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sokoviz.search.mcts.search import MCTS
    from sokoviz.search.mcts.views.drawing import Drawing
    from sokoviz.search.mcts.views.explanation import Iteration

OPTIONS = ("speed", "play_unit", "max_depth", "min_visits", "component", "pushes", "matching")
"""traits of the explorer that begin as they do there"""


class TreeRecorder(Recorder):
    """Notes what the explorer shows of a tree search.

    A board is noted once for all that it depends on. So are the children of a node: with the moment at which they
    changed, for an iteration changes those on its path alone.

    Parameters
    ----------
    search
        The search; it is moved.
    node_limit
        Most nodes drawn.
    """

    module = "explorer_page"
    styles = STYLES
    limits = "To search on, to filter the tree or to unfold more of it takes Python, which this page does without."
    is_by_node = True

    def __init__(self, search: MCTS, node_limit: int = Explorer.node_limit.default_value) -> None:
        super().__init__(search.game.events)
        self.boards: dict[str, dict[str, Any]] = {}
        """boards by what they depend on, see `board_keys`"""
        self._search, self._view = search, View(node_limit)
        self._before: dict[int, _Facts] = {}  # what was drawn of each node at the moment before

    def values(self) -> dict[str, Any]:
        """Return what is the same at all moments, and what the reader can choose; ticks are iterations."""
        return {
            "about": frames.about(self._search),
            "charts": frames.charts(self._search),
            "ticks": self.events,
            **{name: getattr(Explorer, name).default_value for name in OPTIONS},
        }

    def store(self) -> dict[str, Any]:
        """Return the boards."""
        return {"boards": self.boards}

    def moment_of(self, event: str, number: int) -> Moment:
        """Return the moment that shows an event of an iteration."""
        return moment_of(self._search, event, number)

    def _forget(self) -> None:
        """Note all children anew."""
        self._before = {}

    def _moments_of(self, numbers: range, *, is_first: bool) -> Iterator[Moment]:
        """The phases of iterations and what each comes to; of the first of a span only the latter."""
        for number in numbers:
            if number != numbers.start or not is_first:
                yield from (Moment(number - 1, phase) for phase in self._search.phases_of(number))
            yield Moment(number)

    def _record(self, moment: Moment) -> dict[str, Any]:
        """What is shown at a moment."""
        self._search.goto(*moment)
        self.moments.append(moment)
        if moment.phase == "selection":
            for event in self.events.keys() & self._search.explain().events:
                self.events[event].append(moment.step + 1)
        return self._entry(self.look())

    def look(self) -> Look:
        """Return what the explorer shows where the search stands."""
        return look_at(self._search, 0, self._view, follow=True)

    def _entry(self, look: Look) -> dict[str, Any]:
        """What is shown by a look, and of the nodes drawn what is not known from the look before."""
        search, (_, phase) = self._search, look.moment
        iteration = look.iteration if phase else None
        marks = frames.tree_marks(iteration, phase, look.drawing, [waypoint.node for waypoint in look.solution])
        details = details_of(look, self._parent_shown(look))
        self._note_boards(look._replace(solution=()))
        self._note_successors(look, details["left_out"])
        return {
            "node": look.node,
            "tree": frames.tree_frame(look.drawing, marks, 0),
            "story": frames.story(search, look.moment, look.iteration),
            "position": self._rollout(look),
            "tables": self._changed_tables(look.drawing, iteration),
            "taken": self._taken(iteration),
            "details": details,
            "solution": solution_of(look._replace(solution=())),
        }

    # --- boards ------------------------------------------------------------------------------------------------------

    def _note_boards(self, look: Look) -> None:
        """Note the boards of all nodes that are drawn, where they are new."""
        for node, key in zip(look.drawing.nodes.tolist(), board_keys(look.drawing), strict=True):
            if key not in self.boards:
                self.boards[key] = board_of(_without_rollout(look._replace(node=node)))

    def _note_successors(self, look: Look, told: dict[str, Any] | None) -> None:
        """Note the boards after pushes that became no children, of which a game may have none to tell."""
        if told is None:
            return
        _, successors = successors_of(look, told["node"])
        for row, successor in zip(told["rows"], successors, strict=True):
            key = " ".join([str(told["node"]), row["action"], row["why"], row["more"]])
            if key not in self.boards:
                self.boards[key] = board_of(look._replace(node=told["node"], successor=successor))

    @staticmethod
    def _rollout(look: Look) -> dict[str, Any] | None:
        """The board of the selected node where it shows the end of a random game, and not its own position."""
        simulation = look.iteration.simulation if look.iteration and look.moment.phase == "simulation" else None
        return board_of(look) if simulation is not None and simulation.node == look.node else None

    # --- children ----------------------------------------------------------------------------------------------------

    def _changed_tables(self, drawing: Drawing, iteration: Iteration | None) -> dict[int, dict[str, Any]]:
        """The children of all nodes drawn that have any, where they are not as they were at the moment before."""
        now = _facts_of_parents(drawing)
        touched = _touched(iteration)
        changed = [node for node, facts in now.items() if node in touched or self._before.get(node) != facts]
        self._before = now
        return {node: self._table(node, now[node].visits) for node in changed}

    def _table(self, node: int, visits: int) -> dict[str, Any]:
        """The children of a node."""
        search = self._search
        table = frames.children_table(search, node, visits, search.candidates(node), None)
        for row in table["rows"]:
            row |= {name: _short(row[name]) for name in ("value", "exploitation", "unit")}
        return table

    def _taken(self, iteration: Iteration | None) -> dict[int, list[Any]]:
        """Which child an iteration took of each node on its path, and how."""
        if iteration is None:
            return {}
        tables = (frames.children_table(self._search, node, 0, (), iteration) for node in iteration.path)
        return {each["node"]: [each["marked"], each["note"]] for each in tables if each["marked"] is not None}

    def _parent_shown(self, look: Look) -> int:
        """The node whose children are shown: the selected one, or its parent where it has none."""
        if self._search.candidates(look.node) or not look.node:
            return look.node
        return int(look.drawing.nodes[look.drawing.parents[look.place]])

    # --- the solution ------------------------------------------------------------------------------------------------

    def _shots(self) -> list[Shot]:
        """The solution push by push at the last moment recorded; empty where there is none."""
        self._search.goto(*self.moments[-1])
        line = self._search.solution_line
        if not line:
            return []
        look = self._look_at_solution()
        ways = ([], *(ways_between(before[1:], after[1:]) for before, after in pairwise(line)))
        shown = ((waypoint.node, picture_of(look._replace(node=waypoint.node))) for waypoint in line)
        return [Shot(node, frames.position(*made, [], way), 0) for (node, made), way in zip(shown, ways, strict=True)]

    def _stage(self, stage: int) -> dict[str, Any]:
        """The tree with the whole solution in it."""
        return self._entry(self._look_at_solution()._replace(node=stage))

    def _look_at_solution(self) -> Look:
        """What is shown while the solution is played."""
        line = self._search.solution_line
        nodes = [waypoint.node for waypoint in line]
        return look_at(self._search, 0, self._view, follow=False, must=nodes)._replace(solution=line)


def board_keys(drawing: Drawing) -> list[str]:
    """Return for each node drawn what its board depends on: itself, its parent, its depth and how it is marked."""
    parents = [int(drawing.nodes[parent]) if parent >= 0 else -1 for parent in drawing.parents.tolist()]
    flags = (drawing.flags & (TERMINAL | ELIMINATED)).tolist()
    columns = zip(drawing.nodes.tolist(), parents, drawing.depths.tolist(), flags, strict=True)
    return [" ".join(map(str, entries)) for entries in columns]


def board_of(look: Look) -> dict[str, Any]:
    """Return the board of the selected node with each of its layers apart, and the moves that squares mean."""
    game = look.search.game
    picture, caption = picture_of(look._replace(layers=frozenset()))
    layers, captions = {}, {}
    for name in game.layers:
        with_layer, words = picture_of(look._replace(layers=frozenset({name})))
        layers[name] = [each.to_json() for each in with_layer.overlays if each not in picture.overlays]
        if words != caption:
            captions[name] = words
    board = {"picture": picture.to_json(), "caption": caption, "moves": _moves_at(look)}
    return {**board, "layers": layers, "captions": captions}


def _moves_at(look: Look) -> list[list[Any]]:
    """Squares on which a click means a move, with its name: row, column, name."""
    game, state = look.search.game, look.search.state(look.node)
    picture = game.picture(state)
    squares = ((row, column) for row in range(picture.height) for column in range(picture.width))
    actions = ((square, game.action_at(state, square)) for square in squares)
    return [[*square, game.action_name(state, action)] for square, action in actions if action is not None]


def _short(number: float | None) -> float | None:
    """A number with as many digits as anybody looks at, so that ties stay ties; all of them would double the record."""
    return None if number is None else float(f"{number:.9g}")


def _without_rollout(look: Look) -> Look:
    """The same look where no simulation is shown, which the position of a node does not depend on."""
    return look._replace(moment=Moment(look.moment.step))


class _Facts(NamedTuple):
    """What a drawing tells of a node with children; where it stays the same, so do they."""

    visits: int
    value: float
    n_drawn: int
    n_hidden: int


def _facts_of_parents(drawing: Drawing) -> dict[int, _Facts]:
    """What a drawing tells of its nodes with children, by node."""
    counted = np.bincount(drawing.parents[drawing.parents >= 0], minlength=len(drawing.nodes))
    columns = (drawing.nodes, drawing.visits, np.nan_to_num(drawing.values), counted, drawing.hidden)
    rows = zip(*(column.tolist() for column in columns), strict=True)
    facts = ((node, _Facts(*entries)) for node, *entries in rows)
    return {node: each for node, each in facts if each.n_drawn or each.n_hidden}


def _touched(iteration: Iteration | None) -> set[int]:
    """Nodes whose children an iteration may change though nothing else is seen of it: on its path and on chains."""
    if iteration is None:
        return set()
    moved = iteration.expansion.moved if iteration.expansion else ()
    chains = (shift.node for move in moved for shift in (*move.old_chain, *move.new_chain))
    return {*iteration.path, iteration.simulated, *chains}
