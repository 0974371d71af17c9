"""What the page of a comparison needs to show a moment, as plain data and bytes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from sokoviz.games.sokoban import Sokoban
from sokoviz.picture import Mark
from sokoviz.search.compare.comparing import REDUNDANT as REDUNDANT_NODE
from sokoviz.search.compare.settings import place_of
from sokoviz.search.contract import Moment
from sokoviz.search.mcts.views.drawing import ALIKE, ELIMINATED, MOVED, NEW, REDUNDANT
from sokoviz.search.mcts.views.narration import tell
from sokoviz.search.options import EVENTS
from sokoviz.widgets.explorer import frames
from sokoviz.words import count, listing, signed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sokoviz.search.compare.comparing import Comparison
    from sokoviz.search.mcts.views.drawing import Drawing
    from sokoviz.search.mcts.views.explanation import Iteration
    from sokoviz.search.mcts.views.view import View

MOST_ALIKE = 40  # nodes of one position that are drawn in any case
MOST_TOLD = 8  # of their numbers
MOST_LABELLED = 30  # nodes of a tree in which whole paths are labelled
DIFFERENCE = "difference"
NO_TREE = {"frame": 0, "arrays": None}

SOKOBAN_TICKS = ("move", "elimination", "solution")
OTHER_TICKS = ("leader", "deeper")
SOKOBAN_EVENTS = ("move", "elimination", "duplicate", "deadlock", "solution")
WORDS_FOR = {
    "solver": "the solver",
    "seed": "the seed",
    "selection": "the formula",
    "script": "the script",
    "deadlocks": "the deadlock tests",
    "repeats": "repeated positions",
    "late": "when deadlocks are looked for",
    "remembered": "what is remembered",
    "stall": "whether leaves stall",
    "distance": "the distance",
    "inward": "which pushes are looked at",
    "areas": "whether closed areas count",
}


def about(comparison: Comparison) -> dict[str, Any]:
    """What stays the same: the searches, what they have in common and what not."""
    searches, game = comparison.searches, comparison.game
    kinds = SOKOBAN_EVENTS if comparison.has_positions else game.events
    goals = [[REDUNDANT_NODE, "next redundant node"]] if comparison.has_positions else []
    return {
        "game": place_of(game) if isinstance(game, Sokoban) else game.name,
        "differing": _differing_words(comparison),
        "has_positions": comparison.has_positions,
        "searches": [
            {"name": name, "settings": search.settings.describe()}
            for name, search in zip(comparison.names, searches, strict=True)
        ],
        "run_to": [*goals, *([kind, _next(EVENTS[kind][1])] for kind in kinds), [DIFFERENCE, "first difference"]],
    }


def _next(words: str) -> str:
    """An event to go to."""
    return words if words.startswith("next ") else f"next {words}"


def _differing_words(comparison: Comparison) -> str:
    """What is different between the searches, in words."""
    names = [WORDS_FOR.get(name, name) for name in comparison.differing]
    common = [] if "seed" in comparison.differing else [f"seed {comparison.searches[0].settings.seed}"]
    return " · ".join([*common, f"different: {listing(names)}" if names else "nothing is different"])


def bare(comparison: Comparison) -> dict[str, Any]:
    """What is shown before the kernels are loaded: the first position, and no trees."""
    game, n = comparison.game, len(comparison.searches)
    return {
        "trees": [NO_TREE] * n,
        "stories": [[]] * n,
        "figures": [[]] * n,
        "charts": [{}] * n,
        "position": frames.position(game.picture(game.start()), "the root", []),
    }


# --- one search ------------------------------------------------------------------------------------------------------


class Panel(NamedTuple):
    """A search at a moment of the clock."""

    tree: dict[str, Any]
    story: list[list[str]]


class Wish(NamedTuple):
    """What the reader wants to see of a search."""

    view: View
    alike: Sequence[int]
    """nodes like the selected one, itself included"""
    selected: int | None
    """the selected node, where it is one of this search"""
    is_told: bool
    """whether the iteration is explained; not while searches run, for that takes its time"""


def panels(comparison: Comparison, clock: int, wishes: Sequence[Wish], frame: int) -> list[Panel]:
    """Return what is shown of each search; a colour means the same value in all trees."""
    found = [panel(comparison, index, clock, wish, frame) for index, wish in enumerate(wishes)]
    ranges = [each.tree["value_range"] for each, search in zip(found, comparison.searches, strict=True) if search.last]
    if ranges:
        lows, highs = zip(*ranges, strict=True)
        for each in found:
            each.tree["value_range"] = [min(lows), max(highs)]
    return found


def panel(comparison: Comparison, index: int, clock: int, wish: Wish, frame: int) -> Panel:
    """What is shown of a search: its tree with what the iteration did to it, and that in words."""
    search = comparison.searches[index]
    if not search.last:
        words = [["Nothing has been searched yet.", ""]]
        return Panel(frames.bare_tree(search.standing, frame), words)
    iteration = search.explain(clock) if wish.is_told and 0 < clock <= search.last else None
    drawing = _draw(comparison, index, clock, wish, iteration)
    marks = frames.tree_marks(iteration, "elimination", drawing)
    if iteration is not None:
        marks["links"] = frames.tree_marks(iteration, "expansion", drawing)["links"]
    if len(drawing.nodes) > MOST_LABELLED:
        named = {0, *wish.alike[:MOST_TOLD], *((iteration.leaf, iteration.simulated) if iteration is not None else ())}
        marks["labels"] = [label for label in marks["labels"] if label[0] in named]
    marks["unfolded"] = len(wish.view.unfolded)
    tree = frames.tree_frame(drawing, marks, frame)
    tree["n_drawn"] -= int(np.count_nonzero(drawing.flags & ELIMINATED))  # crossed out, and counted no longer
    return Panel(tree, _story(comparison, index, clock, iteration))


def _draw(comparison: Comparison, index: int, clock: int, wish: Wish, iteration: Iteration | None) -> Drawing:
    """The tree after an iteration; the nodes that it eliminates in the end are still there, to be crossed out."""
    search = comparison.searches[index]
    moment, must, marked = Moment(min(clock, search.last)), [*wish.alike[:MOST_ALIKE]], dict[int, int]()
    gone: tuple[int, ...] = ()
    if iteration is not None:
        must += [*iteration.path, iteration.simulated]
        if iteration.expansion:
            marked = dict.fromkeys(iteration.expansion.added, NEW)
            marked |= dict.fromkeys((move.node for move in iteration.expansion.moved), MOVED)
        gone = iteration.elimination
        marked |= dict.fromkeys(gone, ELIMINATED)
        must += [*marked, *frames.linked_nodes(iteration, "expansion")]
        if gone:
            moment = Moment(clock - 1, "elimination")
    drawing = search.draw(moment, wish.view, must, marked)
    flags = drawing.flags | comparison.redundant(index, clock)[drawing.nodes] * np.uint8(REDUNDANT)
    flags |= np.isin(drawing.nodes, [node for node in wish.alike if node != wish.selected]) * np.uint8(ALIKE)
    return drawing._replace(flags=flags, n_nodes=drawing.n_nodes - len(gone))


def _story(comparison: Comparison, index: int, clock: int, iteration: Iteration | None) -> list[list[str]]:
    """What a search did in an iteration, in one sentence or two."""
    search = comparison.searches[index]
    if clock > search.last:
        endings = {"solved": "It has solved the level", "unsolvable": "It has proven the level unsolvable"}
        lead = endings.get(comparison.ending(index), "Its record ends")
        return [[f"{lead} in iteration {search.last:,} and stands still.", ""]]
    if iteration is None:
        return [["It stands at the root, before its first iteration.", ""]] if clock == 0 else []
    formula = search.settings.selection.upper()
    runs = [("Selection ends at ", ""), (_named(iteration.leaf), "now")]
    runs.append((f", depth {len(iteration.path) - 1}. " if iteration.leaf else ". ", ""))
    if iteration.expansion:
        runs += tell(iteration, "expansion", formula)
        if iteration.simulation:
            runs += [(" Reward ", ""), (signed(iteration.simulation.reward), "strong"), (".", "")]
    else:
        runs += tell(iteration, "simulation", formula)
    if iteration.elimination:
        runs += [(" ", ""), *tell(iteration, "elimination", formula)]
    return [list(run) for run in runs]


def _named(node: int) -> str:
    """What a sentence calls a node."""
    return f"node {node}" if node else "the root"


# --- all of them -----------------------------------------------------------------------------------------------------


def figures(comparison: Comparison, clock: int) -> list[list[list[str]]]:
    """For each search its figures: key, name and text."""
    return [
        [[key, label, comparison.cell(each, key)] for key, label in comparison.rows.items()]
        for each in comparison.figures(clock)
    ]


def position(comparison: Comparison, index: int, node: int, clock: int) -> dict[str, Any]:
    """The board of a node, with the move into it, and where else its position stands."""
    game, line = comparison.game, comparison.line(index, node, clock)
    state, marks = game.start(), list[Mark]()
    for action in line:
        marks = [Mark(square, "now") for square in game.squares_of(state, action)]
        game.play(game.tables, state, action)
    caption = f"{_named(node)} of {comparison.names[index]} · depth {len(line)}"
    return frames.position(game.portrait(state, game.layers).with_overlays(*marks), caption, [])


def alike_words(comparison: Comparison, index: int, node: int, alike: Sequence[Sequence[int]]) -> list[list[str]]:
    """For each search its name and where the position of the selected node stands in its tree."""
    words = []
    for place, (name, nodes) in enumerate(zip(comparison.names, alike, strict=True)):
        others = [each for each in nodes if (place, each) != (index, node)]
        again = "again " if place == index else ""
        if not others:
            words.append([name, "nowhere else" if place == index else "not in the tree"])
            continue
        if len(others) == 1:
            words.append([name, f"{again}at {_named(others[0])}"])
            continue
        n_more = len(others) - MOST_TOLD
        told = [*others[:MOST_TOLD], *([f"{n_more:,} more"] if n_more > 0 else [])]
        words.append([name, f"{again}at {count(len(others), 'node')}: {listing(told)}"])
    return words


def charts(comparison: Comparison) -> list[dict[str, Any]]:
    """How each tree grew."""
    found = []
    for index in range(len(comparison.searches)):
        course = comparison.course(index)
        arrays = {"iterations": course.iterations, "in_tree": course.in_tree}
        if course.distinct is not None:
            arrays["distinct"] = course.distinct
        found.append({name: frames.to_bytes(values, np.int32) for name, values in arrays.items()})
    return found


def ticks(comparison: Comparison) -> dict[str, list[int]]:
    """Where events lie in any of the records, and where the records first differ."""
    kinds = SOKOBAN_TICKS if comparison.has_positions else OTHER_TICKS
    found: dict[str, set[int]] = {kind: set() for kind in kinds}
    for search in comparison.searches:
        if search.last:
            places = search.ticks()
            for kind in kinds:
                found[kind] |= set(places[kind].tolist())
    difference = comparison.first_difference
    first = [difference.iteration] if difference else []
    return {DIFFERENCE: first, **{kind: sorted(places) for kind, places in found.items()}}


def difference(comparison: Comparison) -> dict[str, Any]:
    """The first difference in words; empty where there is none."""
    found = comparison.first_difference
    if found is None:
        return {}
    return {"iteration": found.iteration, "phase": found.phase, "told": [list(each) for each in found.told]}
