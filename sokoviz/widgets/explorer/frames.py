"""What the explorer's page needs to show a moment of a search, as plain data and bytes."""

from __future__ import annotations

import math
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from sokoviz.search.mcts.views.narration import MOST_SUCCESSORS_TOLD, tell
from sokoviz.search.options import EVENTS, FORMULAS
from sokoviz.search.result import SolverResult
from sokoviz.words import count, listing, number, signed

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import ArrayLike, NDArray

    from sokoviz.picture import Picture
    from sokoviz.search.contract import Moment
    from sokoviz.search.mcts.search import MCTS
    from sokoviz.search.mcts.views.drawing import Drawing
    from sokoviz.search.mcts.views.explanation import Candidate, Iteration, Simulation
    from sokoviz.search.result import Result, Standing
    from sokoviz.squares import Square

MOST_LINES = 12
MOST_NAMED = 12  # nodes at either end of a path that have their names beside them
STATE_OF = {
    "selection": "select",
    "expansion": "expand",
    "simulation": "simulate",
    "backpropagation": "backpropagate",
    "elimination": "eliminate",
}
"""which state of the thesis's figure 3.2 is lit in a phase"""

TREE_ARRAYS = {
    "ids": np.int32,
    "parents": np.int32,
    "xs": np.float32,
    "stubs": np.float32,
    "depths": np.int32,
    "visits": np.int32,
    "values": np.float32,
    "scores": np.float32,
    "hidden": np.int32,
    "flags": np.uint8,
}
"""arrays over the drawn nodes, in the order in which they are packed; the page knows the same order"""

NO_MARKS: dict[str, Any] = {
    "path": [],
    "simulated": None,
    "tail": None,
    "changes": [],
    "labels": [],
    "links": [],
    "eliminated": [],
    "unfolded": 0,
}


def about(search: MCTS) -> dict[str, Any]:
    """What stays the same: the search, its game and its settings."""
    game = search.game
    return {
        "title": search.name,
        "game": game.title,
        "settings": search.settings.describe(),
        "c": search.settings.c,
        "score": FORMULAS[search.settings.selection].score,
        "players": game.players,
        "eliminates": "elimination" in game.events,
        "layers": list(game.layers),
        "solves": "solution" in game.events,
        "exports": True,
        "root_player": game.player_name(game.start()),
        "run_to": [["iteration", "iteration"], *([name, EVENTS[name][1]] for name in game.events)],
    }


# --- the tree --------------------------------------------------------------------------------------------------------


def bare_tree(standing: Standing, frame: int) -> dict[str, Any]:
    """The root with all else folded below it: what is drawn before the kernels are there."""
    n_hidden = standing.in_tree - 1
    root: dict[str, ArrayLike] = {
        "ids": [0],
        "parents": [-1],
        "xs": [0],
        "stubs": [0 if n_hidden else math.nan],
        "depths": [0],
        "visits": [standing.visits],
        "values": [standing.value],
        "scores": [math.nan],
        "hidden": [n_hidden],
        "flags": [0],
    }
    return {
        "frame": frame,
        "arrays": pack_arrays(root),
        "actions": [""],
        "value_range": list(standing.value_range),
        "n_nodes": standing.in_tree,
        "n_drawn": 1,
        "marks": {**NO_MARKS, "labels": [[0, "0"]]},
    }


def tree_frame(drawing: Drawing, marks: dict[str, Any], frame: int) -> dict[str, Any]:
    """A drawing as the page takes it."""
    arrays: dict[str, ArrayLike] = {
        "ids": drawing.nodes,
        "parents": drawing.parents,
        "xs": drawing.xs,
        "stubs": drawing.stub_xs,
        "depths": drawing.depths,
        "visits": drawing.visits,
        "values": drawing.values,
        "scores": drawing.scores,
        "hidden": drawing.hidden,
        "flags": drawing.flags,
    }
    return {
        "frame": frame,
        "arrays": pack_arrays(arrays),
        "actions": list(drawing.actions),
        "value_range": list(drawing.value_range),
        "n_nodes": drawing.n_nodes,
        "n_drawn": len(drawing.nodes),
        "marks": marks,
    }


def pack_arrays(arrays: Mapping[str, ArrayLike]) -> bytes:
    """The arrays of a tree behind each other: a message with one buffer is on its way for a shorter time."""
    return b"".join(to_bytes(arrays[name], kind) for name, kind in TREE_ARRAYS.items())


def unpack_arrays(tree: Mapping[str, Any]) -> dict[str, NDArray[Any]]:
    """Return the arrays of a tree as it is sent, by name."""
    kinds = [np.dtype(kind).newbyteorder("<") for kind in TREE_ARRAYS.values()]
    ends = np.cumsum([len(tree["actions"]) * kind.itemsize for kind in kinds])
    parts = np.split(np.frombuffer(tree["arrays"], dtype=np.uint8), ends[:-1])
    return {name: part.view(kind) for name, part, kind in zip(TREE_ARRAYS, parts, kinds, strict=True)}


def to_bytes(values: ArrayLike, kind: type) -> bytes:
    """Return numbers as little-endian bytes."""
    return np.asarray(values).astype(np.dtype(kind).newbyteorder("<")).tobytes()


def tree_marks(
    iteration: Iteration | None, phase: str, drawing: Drawing, solution: Sequence[int] = ()
) -> dict[str, Any]:
    """What is highlighted in the tree; the path to a solution takes the place of what the iteration does."""
    marks = {**NO_MARKS, "labels": _labels(drawing, _ends_of(solution)), "path": list(solution)}
    if solution:
        return marks
    if iteration is None or not phase:
        return marks
    path, simulation = list(iteration.path), iteration.simulation
    if phase in {"simulation", "backpropagation", "elimination"} and iteration.simulated != path[-1]:
        path.append(iteration.simulated)
    links = _links(iteration, phase)
    ends = {int(node) for start, end, role in links if role != "context" for node in (start, end)}
    known = _known_depths(iteration) if links else {}  # there are many: a number and the depths have to do
    marks |= {"path": path, "labels": _labels(drawing, _ends_of(path) | ends, known), "links": links}
    marks["eliminated"] = eliminated_nodes(iteration, phase)
    if phase == "simulation" and simulation:
        marks |= {"simulated": simulation.node, "tail": _tail(simulation)}
    if phase == "backpropagation" and simulation:
        marks |= {"simulated": simulation.node, "changes": _changes(iteration, _ends_of(path))}
    return marks


def _ends_of(path: Sequence[int]) -> set[int]:
    """The nodes of a path that are named: where it is long, labels of all would lie on each other."""
    return {*path[:MOST_NAMED], *path[-MOST_NAMED:]}


def _links(iteration: Iteration, phase: str) -> list[list[Any]]:
    """Lines between nodes, with their roles: where a subtree came from and went to, and which positions are known."""
    expansion = iteration.expansion
    if phase != "expansion" or expansion is None:
        return []
    moved = [
        link
        for move in expansion.moved
        for link in ([move.former, move.node, "dead"], [expansion.node, move.node, "new"])
    ]
    known = [[expansion.node, each.node, "context"] for each in expansion.left_out if each.node is not None]
    return [*moved, *known]


def _known_depths(iteration: Iteration) -> dict[int, str]:
    """How deep nodes are that have the position of a successor already, and how deep that would have been.

    Of those that the sentence names: labels of all would lie on each other, and a table beside has them.
    """
    left_out = iteration.expansion.left_out if iteration.expansion else ()
    known = [(each.node, each) for each in left_out if each.node is not None][:MOST_SUCCESSORS_TOLD]
    return {node: f"depth {each.known_depth} ≤ {each.depth}" for node, each in known}


def linked_nodes(iteration: Iteration, phase: str) -> list[int]:
    """Return the nodes that such lines lead to and come from."""
    return list(dict.fromkeys(int(node) for start, end, _ in _links(iteration, phase) for node in (start, end)))


def eliminated_nodes(iteration: Iteration, phase: str) -> list[int]:
    """Return the nodes that a phase eliminates, in their order: an expansion those that a subtree left childless."""
    if phase == "expansion" and iteration.expansion:
        return [node for move in iteration.expansion.moved for node in move.eliminated]
    return list(iteration.elimination) if phase == "elimination" else []


def _tail(simulation: Simulation) -> dict[str, Any]:
    """The rollout, to be drawn as the thesis draws it."""
    return {
        "node": simulation.node,
        "moves": len(simulation.moves),
        "names": list(simulation.moves),
        "outcome": simulation.outcome,
        "reward": simulation.reward,
    }


def _changes(iteration: Iteration, named: set[int]) -> list[dict[str, Any]]:
    """Values before and after the reward went up, of the nodes that are named."""
    return [
        {
            "node": update.node,
            "before": number(update.value_before),
            "after": number(update.value_after),
            "visits": [update.visits_before, update.visits_after],
            "passed": signed(update.reward),
        }
        for update in iteration.backpropagation
        if update.node in named
    ]


def _labels(drawing: Drawing, path: set[int], known: Mapping[int, str] = MappingProxyType({})) -> list[list[Any]]:
    """Names of the root's children and of the nodes on the path; depths of nodes that have a known position."""
    named = zip(drawing.nodes.tolist(), drawing.depths, drawing.actions, strict=True)
    return [
        [node, " · ".join(part for part in (str(node), known.get(node) or action) if part)]
        for node, depth, action in named
        if depth <= 1 or node in path or node in known
    ]


# --- words -----------------------------------------------------------------------------------------------------------


def story(search: MCTS, moment: Moment, iteration: Iteration | None) -> dict[str, Any]:
    """The sentence under the tree, and the state of the diagram."""
    if iteration is None:
        runs = [["The search stands at the root, before its first iteration.", ""]]
        return {"number": 0, "heading": "Start", "runs": runs, "phases": [], "state": "start", "visited": None}
    phases = list(iteration.phases)
    if moment.phase:
        told = tell(iteration, moment.phase, FORMULAS[search.settings.selection].score)
        runs, heading, state = [list(run) for run in told], moment.phase.capitalize(), STATE_OF[moment.phase]
    else:
        runs, heading, state = _summary(search, iteration), "Done", "done"
    return {
        "number": iteration.number,
        "heading": heading,
        "runs": runs,
        "phases": phases,
        "state": state,
        "visited": iteration.was_visited,
        "childless": iteration.simulation is None,
    }


def bare_story(search: MCTS) -> dict[str, Any]:
    """What can be told of an iteration before the kernels are there that explain it."""
    moment = search.moment
    if moment == (0, ""):
        return story(search, moment, None)
    number_shown = moment.step + bool(moment.phase)
    return {
        "number": number_shown,
        "heading": moment.phase.capitalize() or "Done",
        "runs": [[f"What happened in iteration {number_shown} is told as soon as the search is loaded.", ""]],
        "phases": list(search.phases_of(number_shown)),
        "state": STATE_OF.get(moment.phase, "done"),
        "visited": None,
    }


def _summary(search: MCTS, iteration: Iteration) -> list[list[str]]:
    """What an iteration has come to."""
    result, standing = search.brief_result, search.standing
    made = count(result.nodes, "node")
    size = f"{made} made so far" if "elimination" in search.game.events else f"the tree has {made}"
    runs = [
        [f"Iteration {iteration.number} is complete: {size}, the root's value is ", ""],
        [number(standing.value), "strong"],
        [f" after {count(standing.visits, 'visit')}", ""],
    ]
    ending = _ending(result)
    if ending:
        return [*runs, ["; ", ""], [ending, "strong"], [".", ""]]
    if result.move is None:
        return [*runs, [".", ""]]
    lead = ["; the move would be ", ""], [result.move, "strong"]
    return [*runs, *lead, [f" (node {result.node}, {count(result.visits, 'visit')}).", ""]]


def _ending(result: Result) -> str:
    """How a search for a solution has ended; empty where it has not."""
    if not isinstance(result, SolverResult):
        return ""
    if result.solution:
        return f"solved in {count(result.solution.pushes, 'push', 'pushes')}"
    return "the level is proven unsolvable" if result.is_unsolvable else ""


# --- the inspector ---------------------------------------------------------------------------------------------------


def children_table(
    search: MCTS, node: int, visits: int, candidates: Sequence[Candidate], iteration: Iteration | None
) -> dict[str, Any]:
    """The children of a node with their scores; the one that an iteration took is marked."""
    marked, note = _taken(node, iteration)
    term = FORMULAS[search.settings.selection].term.format(n=visits, k=len(candidates))
    return {
        "node": node,
        "visits": visits,
        "title": f"Children of {f'node {node}' if node else 'the root'}",
        "note": note,
        "marked": marked,
        "c": search.settings.c,
        "formula": f"value + c · {term}" if candidates else "",
        "rows": [_row(candidate) for candidate in candidates],
    }


def _taken(node: int, iteration: Iteration | None) -> tuple[int | None, str]:
    """Which child of a node an iteration took, and how."""
    if iteration is None:
        return None, ""
    for choice in iteration.selection:
        if choice.node == node:
            others = listing([each for each in choice.tied if each != choice.chosen]) if choice.is_tie else ""
            return choice.chosen, f"{choice.chosen} tied with {others} and was drawn at random" if others else ""
    if iteration.expansion and iteration.expansion.node == node and iteration.expansion.drawn is not None:
        return iteration.expansion.drawn, f"{iteration.expansion.drawn} was drawn at random"
    return None, ""


def _row(candidate: Candidate) -> dict[str, Any]:
    """One child."""
    return {
        "node": candidate.node,
        "action": candidate.action,
        "visits": candidate.visits,
        "value": candidate.value,
        "exploitation": candidate.exploitation,
        "unit": candidate.unit,
    }


# --- the board -------------------------------------------------------------------------------------------------------


def position(
    picture: Picture, caption: str, clickable: Iterable[tuple[int, int]], ways: Sequence[Sequence[Square]] = ()
) -> dict[str, Any]:
    """The board of the selected node; `ways` are those that pieces took since the board before, to glide along."""
    return {
        "picture": picture.to_json(),
        "caption": caption,
        "clickable": [list(square) for square in clickable],
        "ways": [[list(square) for square in way] for way in ways],
    }


# --- the record ------------------------------------------------------------------------------------------------------


def ticks(search: MCTS) -> dict[str, list[int]]:
    """Where events lie."""
    if not search.last:  # nothing to look up, and perhaps no kernel to do it
        return {name: [] for name in search.game.events}
    return {name: iterations.tolist() for name, iterations in search.ticks().items()}


def charts(search: MCTS) -> dict[str, Any]:
    """Tree size, depth, root value and visits of the root's children over the iterations."""
    if not search.last:
        return {**dict.fromkeys(("iterations", "nodes", "depth", "root_value"), b""), "children": []}
    course = search.course(MOST_LINES)
    return {
        "iterations": to_bytes(course.iterations, np.int32),
        "nodes": to_bytes(course.nodes, np.int32),
        "depth": to_bytes(course.depth, np.int32),
        "root_value": to_bytes(course.root_value, np.float32),
        "has_moves": "move" in search.game.events,
        "children": [
            {"node": child.node, "action": child.action, "visits": to_bytes(child.visits, np.int32)}
            for child in course.children
        ],
    }
