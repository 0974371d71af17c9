"""What the page of iterative deepening needs to show a moment of it, as plain data and bytes."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from sokoviz.search.ida.fates import FATES
from sokoviz.search.options import EVENTS
from sokoviz.svg.style import colors
from sokoviz.widgets.explorer import frames
from sokoviz.words import count, listing

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sokoviz.search.ida.drawing import Branching, Stretch
    from sokoviz.search.ida.explaining import IDAStep
    from sokoviz.search.ida.search import IDA

MOST_LABELS = 12  # successors whose moves are written beside them
MOST_BARS = 200  # thresholds that are sent, the last ones


class FateLook(NamedTuple):
    """How a fate is shown."""

    name: str
    """in a legend"""
    color: str
    """its name, see colors.json"""
    shape: str
    """of plotly, so that fates are told apart without colours too"""


LOOKS = {
    "open": FateLook("to be visited", "halo", "circle"),
    "line": FateLook("on the line", "now", "circle"),
    "searched": FateLook("searched", "searched", "circle"),
    "bound": FateLook("bound", "context", "square"),
    "transposition": FateLook("transposition", "known", "diamond"),
    "deadlock": FateLook("deadlock", "dead", "x"),
    "inward": FateLook("inward first", "inward", "hexagon"),
    "goal cut": FateLook("goal cut", "goal-cut", "triangle-up"),
    "relevance": FateLook("relevance", "relevance", "triangle-down"),
    "pattern": FateLook("pattern", "pattern", "cross"),
    "solution": FateLook("solution", "box", "star"),
}

ROLE_OF = {"open": "new", "line": "now", "solution": "now"}
"""role of the arrow of a move that came to a fate; of those not listed the colour is the role"""

RUN_TO = ("threshold", "goal cut", "relevance", "pattern", "transposition", "deadlock", "bound", "resumed", "solution")
NEEDS = {
    "inward": "inward",
    "goal cut": "goal_cuts",
    "relevance": "relevance",
    "pattern": "patterns",
    "resumed": "goal_cuts",
}
"""the option without which a fate or an event cannot be"""


def role_of(fate: str) -> str:
    """Return the role of the arrow of a move that came to a fate."""
    return "deadlock" if fate == "deadlock" else ROLE_OF.get(fate) or LOOKS[fate].color


def about(search: IDA) -> dict[str, Any]:
    """What stays the same: the search, its level and its settings."""
    can_be = [name for name in RUN_TO if _can_be(search, name)]
    return {
        "title": search.name,
        "game": search.game.title,
        "settings": search.options.describe(search.preset),
        "phases": False,
        "layers": ["component", "pushes", "matching"],
        "solves": True,
        "exports": True,
        "run_to": [["iteration", "step"], *([name, EVENTS[name][1]] for name in can_be)],
    }


def _can_be(search: IDA, name: str) -> bool:
    """Whether a fate or an event can be, with the options of a search."""
    return name not in NEEDS or bool(getattr(search.options, NEEDS[name]))


# --- the tree --------------------------------------------------------------------------------------------------------


def kinds(search: IDA, counts: dict[str, int]) -> list[dict[str, Any]]:
    """Return how each fate is shown, and how many nodes of the tree came to it."""
    return [{**LOOKS[name]._asdict(), "count": counts.get(name, 0), "shown": _can_be(search, name)} for name in FATES]


def tree_frame(search: IDA, branching: Branching, n_unfolded: int, frame: int) -> dict[str, Any]:
    """The tree of a threshold as the page takes it."""
    made = frames.tree_frame(branching.drawing, marks(branching, n_unfolded), frame)
    return {**made, "kinds": kinds(search, branching.counts), "notes": list(branching.notes)}


def bare_tree(search: IDA, frame: int) -> dict[str, Any]:
    """A root alone: before the first step, or before the kernels are there."""
    alone: dict[str, list[float]] = {
        "ids": [0],
        "parents": [-1],
        "xs": [0],
        "stubs": [math.nan],
        "depths": [0],
        "visits": [1],
    }
    arrays: dict[str, list[float]] = {**alone, "values": [0], "scores": [math.nan], "hidden": [0], "flags": [0]}
    return {
        "frame": frame,
        "arrays": frames.pack_arrays(arrays),
        "actions": [""],
        "value_range": [0, len(FATES) - 1],
        "n_nodes": 1,
        "n_drawn": 1,
        "marks": {**frames.NO_MARKS, "labels": [[0, "the start"]]},
        "kinds": kinds(search, {"open": 1}),
        "notes": [""],
    }


def marks(branching: Branching, n_unfolded: int) -> dict[str, Any]:
    """What is highlighted: the line, the node that was expanded last, and the names of moves."""
    drawing, line = branching.drawing, branching.line
    shown = drawing.nodes.tolist()
    path = [node for node in line if node in shown]
    last = shown.index(path[-1])
    beside = [shown[index] for index, parent in enumerate(drawing.parents.tolist()) if parent == last]
    named = {*path, *beside[:MOST_LABELS]}
    labels = [[node, name] for node, name in zip(shown, drawing.actions, strict=True) if node in named and name]
    above = count(branching.top_depth, "move")
    top = [[shown[0], f"{above} above · {drawing.actions[0]}" if branching.top_depth else "the start"]]
    labels = [*top, *(label for label in labels if label[0] != shown[0])]
    current = branching.current if branching.current in shown else None
    return {**frames.NO_MARKS, "path": path, "simulated": current, "labels": labels, "unfolded": n_unfolded}


def looks(branching: Branching) -> tuple[tuple[str, str], ...]:
    """Return colour and words of each node that is drawn, for a picture."""
    fates = [FATES[int(value)] for value in branching.drawing.values]
    told = zip(fates, branching.notes, strict=True)
    return tuple((colors()[LOOKS[fate].color][0], f"{LOOKS[fate].name} {note}") for fate, note in told)


# --- words -----------------------------------------------------------------------------------------------------------


def story(search: IDA, expansion: IDAStep | None) -> dict[str, Any]:
    """The sentence under the tree, and where in the search that is."""
    shared = {"number": search.steps, "phases": [], "state": "", "visited": None}
    if expansion is None:
        text = "The search stands before its first threshold." if not search.last else "What happens is told soon."
        return {**shared, "heading": "Start", "runs": [[text, ""]], "threshold": 0, "place": place(search, None)}
    heading = "Solved" if expansion.is_solved else f"Step {expansion.number:,}"
    runs = [*_on_the_way(expansion), *_at_last(expansion)]
    where = place(search, expansion)
    return {**shared, "heading": heading, "runs": runs, "threshold": expansion.n_thresholds, "place": where}


def place(search: IDA, expansion: IDAStep | None) -> dict[str, str]:
    """The threshold, the step and the nodes so far, for the header."""
    steps = f"step {search.steps:,} of {search.last:,}"
    if expansion is None:
        return {"lead": "at ", "number": "the start", "rest": f" · {steps}"}
    of = search.engine.n_thresholds
    rest = f" of {of}, limit {expansion.threshold} · {steps} · {count(search.engine.n_nodes, 'node')}"
    return {"lead": "threshold ", "number": str(expansion.n_thresholds), "rest": rest}


def _on_the_way(expansion: IDAStep) -> list[list[str]]:
    """What was visited before the position that is expanded."""
    kinds_cut = [successor.became for successor in expansion.cut]
    parts = [f"{kinds_cut.count(kind)} by {LOOKS[kind].name}" for kind in dict.fromkeys(kinds_cut)]
    runs = []
    if expansion.left:
        runs.append([f"{count(len(expansion.left), 'position')} searched to the end. ", ""])
    if parts:
        runs.append([f"Visited and cut: {listing(parts)}. ", "dead"])
    if expansion.is_resumed:
        runs.append(["All macros failed: the goal cut is taken back. ", "new"])
    return runs


def _at_last(expansion: IDAStep) -> list[list[str]]:
    """What was expanded, and what became of its successors."""
    if expansion.is_solved:
        pushes = count(expansion.g, "push", "pushes")
        return [["The level is solved ", "strong"], [f"in {pushes}, threshold {expansion.threshold}.", ""]]
    if expansion.node is None:
        least = expansion.left[-1][1] if expansion.left else None
        found = "" if least is None or least > expansion.threshold + 10**6 else f"; the next is {least}"
        return [[f"Threshold {expansion.threshold} holds no solution{found}.", "strong"]]
    move = str(expansion.line[-1]) if expansion.line else "the start"
    total = expansion.g + expansion.h
    runs = [
        ["Expanded: ", ""],
        [move, "now"],
        [f", f = {expansion.g} + {expansion.h} = {total} of {expansion.threshold}, ", ""],
        [f"depth {count(len(expansion.line), 'move')}. ", ""],
    ]
    fates = [successor.became for successor in expansion.successors]
    parts = [f"{fates.count(kind)} {LOOKS[kind].name}" for kind in dict.fromkeys(fates)]
    told = f": {listing(parts)}" if parts else ""
    return [*runs, [f"{count(len(fates), 'successor')}{told}.", ""]]


# --- beside the tree -------------------------------------------------------------------------------------------------


def successors(stretch: Stretch, node: int, words: str) -> dict[str, Any]:
    """The successors of a node with what became of them; of one that has none its siblings, itself marked."""
    of = node
    found = stretch.outline.children(node, stretch.end)
    if not found and node != stretch.root:
        of = stretch.path(node)[-2]
        found = stretch.outline.children(of, stretch.end)
    fates = [FATES[int(each)] for each in stretch.outline.fates(np.array(found, dtype=np.int64), stretch.end)]
    name = stretch.name(of) or "the start"
    return {
        "node": of,
        "title": f"Successors of {name}",
        "note": note_on(stretch, node, words),
        "marked": node if of != node else None,
        "rows": [_row(stretch, child, fate) for child, fate in zip(found, fates, strict=True)],
    }


def note_on(stretch: Stretch, node: int, words: str) -> str:
    """Why a node became what it became, with its name."""
    return f"{stretch.name(node) or 'The start'}: {words}"


def _row(stretch: Stretch, node: int, fate: str) -> dict[str, Any]:
    """One successor."""
    move = stretch.record.move(node)
    look = LOOKS[fate]
    below = int(stretch.outline.below(np.array([node]), stretch.end)[0])
    return {
        "node": node,
        "action": str(move),
        "pushes": move.n_pushes,
        "f": stretch.note(node),
        "fate": look.name,
        "color": look.color,
        "shape": look.shape,
        "below": below,
    }


def line(stretch: Stretch, nodes: Sequence[int]) -> dict[str, Any]:
    """The moves from the start to the selected node."""
    moves = [
        {"node": node, "text": str(stretch.record.move(node)), "pushes": stretch.record.move(node).n_pushes}
        for node in nodes[1:]
    ]
    return {"root": nodes[0], "moves": moves, "current": stretch.path(stretch.current)}


NO_LINE: dict[str, Any] = {"root": 0, "moves": [], "current": []}
NO_SUCCESSORS: dict[str, Any] = {"node": 0, "title": "Successors", "note": "", "marked": None, "rows": []}


def ticks(search: IDA) -> dict[str, list[int]]:
    """Where events lie that can be, with the options of a search."""
    return {name: steps for name, steps in search.outline.ticks().items() if _can_be(search, name)}


# --- the thresholds --------------------------------------------------------------------------------------------------


def thresholds(search: IDA) -> dict[str, Any]:
    """All thresholds of the record: limit, positions expanded, and what became of successors."""
    table = search.thresholds
    names = [name for name in table.columns if name in LOOKS and _can_be(search, name)]
    outline, record = search.outline, search.engine.written()
    table["open"] -= outline.n_closed()[: len(table)]  # those that were cut on a visit count as that alone
    begin = max(0, len(table) - MOST_BARS)
    rows = [
        {"number": begin + place + 1, "limit": int(row["threshold"]), "expanded": int(row["expanded"])}
        | {"counts": [int(row[name]) for name in names], "first": record.step_of(int(outline.roots[begin + place]))}
        for place, (_, row) in enumerate(table.iloc[begin:].iterrows())
    ]
    looks_of = LOOKS | {"open": FateLook("not cut", "new", "circle")}
    shown = [{"key": name, **looks_of[name]._asdict()} for name in names]
    return {"kinds": shown, "rows": rows}
