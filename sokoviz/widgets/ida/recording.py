"""Iterative deepening as a record: what its explorer shows at each step, whichever node of that is selected."""

from __future__ import annotations

from itertools import compress, pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from sokoviz.board import Board
from sokoviz.search.contract import Moment
from sokoviz.search.ida.fates import FATES
from sokoviz.search.options import EVENTS
from sokoviz.widgets.base.recorder import Recorder, Shot
from sokoviz.widgets.board.glides import ways_between
from sokoviz.widgets.explorer.details import NO_SOLUTION
from sokoviz.widgets.explorer.frames import position
from sokoviz.widgets.ida import frames
from sokoviz.widgets.ida.board import (
    LAYERS,
    MATCHING,
    arrows_of,
    caption_of,
    marks_of,
    picture_of,
    place_of,
    targets_of,
)
from sokoviz.widgets.ida.solution import (
    solution_board,
    solution_caption,
    solution_entry,
    solution_lines,
    solution_node,
)
from sokoviz.widgets.ida.widget import BEGINNING, NODE_LIMIT, STYLES, DeepeningExplorer

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sokoviz.overlays import Overlay
    from sokoviz.search.ida.drawing import Branching, Stretch
    from sokoviz.search.ida.search import IDA


class DeepeningRecorder(Recorder):
    """Notes what the explorer shows of iterative deepening.

    A node keeps its position, so its board is noted once; the words about it once for each of its fates. The successors
    of a node are noted with the step at which something became of them; apart from them how many nodes are below each.

    Parameters
    ----------
    search
        The search; it is moved.
    node_limit
        Most nodes drawn.
    """

    unit = "step"
    module = "deepening_page"
    styles = STYLES
    limits = "To search on or to unfold more of the tree takes Python, which this page does without."
    is_by_node = False

    def __init__(self, search: IDA, node_limit: int = NODE_LIMIT) -> None:
        super().__init__(event for event, _ in frames.about(search)["run_to"] if event in EVENTS)
        self.nodes: dict[int, list[Any]] = {}
        """of each node its parent, -1 where it has none, the move into it, and how many pushes that takes"""
        self.boards: dict[int, dict[str, Any]] = {}
        """of each node its picture, and what the layers add to it"""
        self.looks: dict[str, dict[str, Any]] = {}
        """of each node and fate, see `look_key`, what is said of it and marked on its board"""
        self._search, self._limit = search, node_limit
        self._moves: dict[int, str] = {}  # from the start to each node, so that its successors need not begin there
        self._told: tuple[int, dict[str, Any]] = (0, {})  # the step that was told last, and its story
        self._before: dict[int, _Facts] = {}  # what was known of the successors of each node at the step before
        self._below: dict[int, int] = {}  # how many nodes were below each of them

    def values(self) -> dict[str, Any]:
        """Return what is the same at all steps, and what the reader can choose; ticks are steps."""
        search = self._search
        has_begun = bool(search.last)
        kinds = frames.ticks(search) if has_begun else {}
        chosen = {name: getattr(DeepeningExplorer, name).default_value for name in ("speed", *LAYERS)}
        return {
            "about": frames.about(search),
            "charts": frames.thresholds(search) if has_begun else {},
            "ticks": {kind: self.events[kind] for kind in kinds},
            **{name: BEGINNING.get(name, value) for name, value in chosen.items()},
        }

    def store(self) -> dict[str, Any]:
        """Return what is known of nodes at any step."""
        return {"nodes": self.nodes, "boards": self.boards, "looks": self.looks}

    def moment_of(self, event: str, number: int) -> Moment:
        """Return the step: it is shown as a whole."""
        del event
        return Moment(number)

    def _moments_of(self, numbers: range, *, is_first: bool) -> Iterator[Moment]:
        """All steps, whatever is recorded before them."""
        del is_first
        return map(Moment, numbers)

    def _record(self, moment: Moment) -> dict[str, Any]:
        """Note a step, and what is shown there."""
        search = self._search
        search.goto(moment.step)
        self.moments.append(moment)
        stretch = search.stretch()
        if stretch is None:
            return self._bare_entry()
        for event, numbers in self.events.items():
            if search.record.marks[moment.step - 1] & EVENTS[event][0]:
                numbers.append(moment.step)
        return self._entry(stretch, stretch.current)

    def _forget(self) -> None:
        """Note all successors anew."""
        self._before, self._below = {}, {}

    # --- entries -----------------------------------------------------------------------------------------------------

    def _bare_entry(self) -> dict[str, Any]:
        """What is shown before the first step: the start, and no tree."""
        table = {**frames.NO_SUCCESSORS, "arrows": [], "targets": []}
        return {
            "node": 0,
            "tree": frames.bare_tree(self._search, 0),
            "story": frames.story(self._search, None),
            "line": frames.NO_LINE["current"],
            "tables": {0: table},
            "below": {},
            "position": position(Board(self._search.level).picture(), "the start", []),
            "solution": NO_SOLUTION,
        }

    def _entry(self, stretch: Stretch, node: int) -> dict[str, Any]:
        """What is shown where a node is selected, and what is not known of the others from the entry before."""
        search = self._search
        branching = stretch.draw(node, self._limit)
        known = known_nodes(stretch, branching)
        self._note_nodes(stretch, known)
        return {
            "node": node,
            "tree": frames.tree_frame(search, branching, 0, 0),
            "story": self._story(),
            "line": stretch.path(stretch.current),
            "fate": fates_of(stretch, [stretch.root])[0],
            "tables": self._changed_tables(stretch, known),
            "below": self._changed_counts(stretch),
            "position": None,
            "solution": solution_entry(search),
        }

    def _story(self) -> dict[str, Any]:
        """The sentence under the tree, told once for all that is shown of a step."""
        number, story = self._told
        if number != self._search.steps:
            number, story = self._search.steps, frames.story(self._search, self._search.explain())
            self._told = number, story
        return story

    def _note_nodes(self, stretch: Stretch, nodes: list[int]) -> None:
        """Note the boards of nodes and what is said of them, where that is new."""
        for node, fate in zip(nodes, fates_of(stretch, nodes), strict=True):
            if look_key(node, fate) not in self.looks:
                place = place_of(self._search, stretch, node, self._board(stretch, node))
                note = frames.note_on(stretch, node, place.reason.words)
                marks = _as_json(marks_of(place))
                self.looks[look_key(node, fate)] = {"caption": caption_of(place), "note": note, "marks": marks}
                if node not in self.boards:
                    self.boards[node] = board_of(place.board)
                    self.nodes[node] = _facts_of_move(stretch, node)

    def _board(self, stretch: Stretch, node: int) -> Board:
        """The position of a node, played on from that of its parent."""
        board, parent = Board(self._search.level), _parent_of(stretch, node)
        if parent >= 0:
            move = stretch.record.move(node)
            board.play(self._moves[parent])
            board.push_box(move.source, move.target, move.player)
        self._moves[node] = board.moves
        return board

    # --- successors --------------------------------------------------------------------------------------------------

    def _changed_tables(self, stretch: Stretch, nodes: list[int]) -> dict[int, dict[str, Any]]:
        """The successors of nodes that have any, where they are not as they were in the entry before."""
        is_expanded = stretch.outline.first_expanded[np.array(nodes, dtype=np.int64)] < stretch.end
        facts = {node: _facts_of(stretch, node) for node in compress(nodes, is_expanded)}
        now = {node: each for node, each in facts.items() if each.children or node == stretch.root}
        changed = [node for node, each in now.items() if self._before.get(node) != each]
        self._before = now
        return {node: self._table(stretch, node) for node in changed}

    @staticmethod
    def _table(stretch: Stretch, node: int) -> dict[str, Any]:
        """The successors of a node: as a table, as arrows on its board, and by squares."""
        table = frames.successors(stretch, node, "")
        targets = [[*square, child] for square, child in targets_of(stretch, node).items()]
        rows = [{name: value for name, value in row.items() if name != "below"} for row in table["rows"]]
        told = {"node": node, "title": table["title"], "rows": rows}
        return {**told, "arrows": _as_json(arrows_of(stretch, node)), "targets": targets}

    def _changed_counts(self, stretch: Stretch) -> dict[int, int]:
        """How many nodes are below all successors, where that is not as in the entry before: it is along the line."""
        nodes = np.array([child for facts in self._before.values() for child in facts.children], dtype=np.int64)
        now = dict(zip(nodes.tolist(), stretch.outline.below(nodes, stretch.end).tolist(), strict=True))
        before, self._below = self._below, now
        return {node: n for node, n in now.items() if n != before.get(node, 0)}

    # --- the solution ------------------------------------------------------------------------------------------------

    def _shots(self) -> list[Shot]:
        """The solution push by push at the last step recorded; empty where there is none."""
        search = self._search
        search.goto(self.moments[-1].step)
        stretch, n = search.stretch(), len(solution_lines(search))
        if stretch is None or not n:
            return []
        boards = [solution_board(search, push) for push in range(n)]
        points = [(board.moves, board.player) for board in boards]
        ways = [[], *(ways_between(*points_of_push) for points_of_push in pairwise(points))]
        return [self._shot(stretch, push, board, ways[push]) for push, board in enumerate(boards)]

    def _shot(self, stretch: Stretch, push: int, board: Board, ways: list[list[Any]]) -> Shot:
        """The solution after a push."""
        node = solution_node(stretch, push)
        picture = picture_of(place_of(self._search, stretch, node, board), ())
        return Shot(node, position(picture, solution_caption(push), [], ways), node)

    def _stage(self, stage: int) -> dict[str, Any]:
        """The tree around a node of the solution."""
        stretch = self._search.stretch()
        return self._entry(stretch, stage) if stretch else self._bare_entry()


def known_nodes(stretch: Stretch, branching: Branching) -> list[int]:
    """Return the nodes that can be selected at a moment: on the line, drawn, beside the line; parents come first."""
    line = stretch.path(stretch.current)
    beside = (child for node in line for child in stretch.outline.children(node, stretch.end))
    return list(dict.fromkeys([*line, *branching.drawing.nodes.tolist(), *beside]))


def fates_of(stretch: Stretch, nodes: Iterable[int]) -> list[str]:
    """Return what has become of nodes, as a reader is told."""
    numbers = stretch.outline.fates(np.array(list(nodes), dtype=np.int64), stretch.end)
    return [frames.LOOKS[FATES[int(number)]].name for number in numbers]


def look_key(node: int, fate: str) -> str:
    """Return the key of what is said of a node; the page makes the same."""
    return f"{node} {fate}"


def board_of(board: Board) -> dict[str, Any]:
    """Return a board, and what the layers add to it that stay the same for as long as there is its node."""
    layers = {
        "component": board.picture(component=True).overlays,
        "matching": board.picture(matching=MATCHING).overlays,
    }
    return {"picture": board.picture().to_json(), "layers": {name: _as_json(each) for name, each in layers.items()}}


def _as_json(overlays: Iterable[Overlay]) -> list[dict[str, Any]]:
    """Overlays as plain data."""
    return [each.to_json() for each in overlays]


def _facts_of_move(stretch: Stretch, node: int) -> list[Any]:
    """The parent of a node, the move into it, and how many pushes that takes."""
    parent = _parent_of(stretch, node)
    move = stretch.record.move(node) if parent >= 0 else None
    return [parent, str(move), move.n_pushes] if move else [parent, "", 0]


def _parent_of(stretch: Stretch, node: int) -> int:
    """The parent of a node, -1 where it has none."""
    return -1 if node == stretch.root else stretch.path(node)[-2]


class _Facts(NamedTuple):
    """What is known of the successors of a node; where it stays the same, so do they."""

    children: tuple[int, ...]
    fates: bytes


def _facts_of(stretch: Stretch, node: int) -> _Facts:
    """What is known of the successors of a node at some moment."""
    children = stretch.outline.children(node, stretch.end)
    places = np.array(children, dtype=np.int64)
    return _Facts(tuple(children), stretch.outline.fates(places, stretch.end).tobytes())
