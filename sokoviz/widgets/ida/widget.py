"""The explorer of iterative deepening: the line, the tree of each threshold, and what cut its branches."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import traitlets

from sokoviz.board import Board
from sokoviz.search.contract import Moment
from sokoviz.search.loading import is_deepening_compiled, is_deepening_prepared, prepare_deepening
from sokoviz.squares import Square
from sokoviz.widgets.base.background import later
from sokoviz.widgets.base.modules import join_modules, join_styles
from sokoviz.widgets.base.stepping import FRAMES_A_SECOND, Stepping
from sokoviz.widgets.board.glides import ways_between
from sokoviz.widgets.explorer.details import NO_SOLUTION
from sokoviz.widgets.explorer.frames import position
from sokoviz.widgets.ida import frames
from sokoviz.widgets.ida.board import LAYERS, Place, caption_of, picture_of, place_of, targets_of
from sokoviz.widgets.ida.solution import (
    solution_board,
    solution_caption,
    solution_entry,
    solution_lines,
    solution_node,
)

if TYPE_CHECKING:
    from collections.abc import Hashable

    from sokoviz.search.ida.drawing import Branching, Stretch
    from sokoviz.search.ida.search import IDA

NODE_LIMIT = 240
MOST_PRINTED = 100  # nodes of a tree that is printed, which cannot be zoomed
SECONDS_TO_COURSE = 0.1  # that ticks and charts may lag behind the tree
STYLES = ("board", "widget", "explorer", "tree", "deepening")
BEGINNING = {"node_limit": NODE_LIMIT, "matching": False}
"""traits that begin otherwise than in the explorer of trees"""


class Shown(NamedTuple):
    """What is on display."""

    place: Place
    """the selected node"""
    branching: Branching


class DeepeningExplorer(Stepping):
    """Iterative deepening to step through: line, tree, thresholds, and what became of every successor.

    Parameters
    ----------
    search
        The search; the explorer and the search always stand at the same moment.
    options
        Traits to begin with: ``speed``, ``node_limit``, ``follow``, ``large_type``; what the board shows:
        ``component``, ``pushes``, ``matching``; ipywidgets' ``layout``.
    """

    OPTIONS: ClassVar[tuple[str, ...]] = ("speed", "node_limit", "follow", "large_type", "layout", *LAYERS)
    _esm = join_modules("deepening_widget")
    _css = join_styles(*STYLES)
    _unit = "step"
    _search: IDA

    line = traitlets.Dict(frames.NO_LINE).tag(sync=True)

    def __init__(self, search: IDA, **options: Any) -> None:
        self._check_options(options)
        self._node = 0
        self._unfolded: set[int] = set()
        self._push: int | None = None  # of the solution, that the board shows
        self._before: tuple[str, Square] | None = (
            None  # moves of the solution that the board showed before, and its player
        )
        self._drawn_until = -1  # end of the record that ticks and charts show
        self._is_course_due = False
        begin = {**BEGINNING, **options}
        super().__init__(search, begin, about=frames.about(search), tree=frames.bare_tree(search, 0))
        self.observe(self._redraw, ["node_limit", "follow", *LAYERS])
        self.observe(self._go_where_asked, ["iteration"])
        self.observe(self._select_what_was_asked, ["node"])
        self._begin()

    @property
    def search(self) -> IDA:
        """The search that is shown."""
        return self._search

    # --- pictures ----------------------------------------------------------------------------------------------------

    def _repr_mimebundle_(self, **options: Any) -> tuple[dict[str, Any], dict[str, Any]] | None:
        """Show the live widget, and leave a picture where there is no kernel to bring it to life."""
        bundle = super()._repr_mimebundle_(**options)
        if bundle is None:
            return None
        data, metadata = bundle
        picture = self.to_svg() if self._is_prepared() and self._search.steps else Board(self._search.level).picture()
        svg = picture if isinstance(picture, str) else picture.to_svg()
        label = f"{self._search!r}: board and tree of a threshold"
        spoken = {"image/svg+xml": {"alt": label}}
        return {**data, "image/svg+xml": svg, "text/plain": repr(self)}, {**metadata, **spoken}

    def to_svg(self) -> str:
        """Return what is shown, board and tree, as a self-contained SVG document."""
        from sokoviz.search.mcts.views.tree_svg import Scene, scene_svg

        if not self._is_prepared():
            self._prepare()
            self.come_alive()
        shown = self._look(min(self.node_limit, MOST_PRINTED))
        if shown is None:
            return Board(self._search.level).picture().to_svg()
        picture, caption = picture_of(shown.place, self._layers()), caption_of(shown.place)
        words = "".join(text for text, _ in frames.story(self._search, self._search.explain())["runs"])
        drawing = shown.branching.drawing
        marks = frames.marks(shown.branching, 0)
        lines = (repr(self._search), words)
        return scene_svg(
            Scene(lines, picture, caption, drawing, shown.place.node, marks, frames.looks(shown.branching))
        )

    # --- the kernels -------------------------------------------------------------------------------------------------

    def _is_prepared(self) -> bool:
        """Whether the search can be used without waiting."""
        return is_deepening_prepared(self._search)

    def _is_compiled(self) -> bool:
        """Whether the kernels only have to be loaded."""
        return is_deepening_compiled()

    def _group(self) -> str:
        """Name of the group of kernels."""
        return "IDA*, explored"

    def _prepare(self) -> None:
        """Load all kernels that showing a moment takes."""
        prepare_deepening(self._search)

    def _kernels(self) -> Hashable:
        """The search and its tables are its own."""
        return id(self._search)

    # --- showing -----------------------------------------------------------------------------------------------------

    def _publish(self) -> None:
        """Bring all traits up to date with the search."""
        with self._guard:
            shown = self._look(self.node_limit) if self._is_prepared() else None
            if shown is None:
                self._publish_bare()
            else:
                self._publish_shown(shown)
            self._publish_course()

    def _look(self, limit: int) -> Shown | None:
        """What is on display; None before the first step."""
        search = self._search
        stretch = search.stretch()
        if stretch is None:
            return None
        if not self._is_solution_shown or not solution_lines(search):
            self._push = None
        node, board = self._shown_at(stretch)
        unfolded = [each for each in self._unfolded if stretch.has(each)]
        return Shown(place_of(search, stretch, node, board), stretch.draw(node, limit, unfolded))

    def _shown_at(self, stretch: Stretch) -> tuple[int, Board | None]:
        """The node that is shown, and its board where that is not its own."""
        if self._push is not None:
            return solution_node(stretch, self._push), solution_board(self._search, self._push)
        follows = self.follow or not stretch.has(self._node)
        return stretch.current if follows else self._node, None

    def _publish_shown(self, shown: Shown) -> None:
        """Show the tree, the board and the numbers of a moment."""
        search, place, stretch = self._search, shown.place, shown.place.stretch
        self._node = place.node
        with self._publishing():
            self.iteration, self.node = search.steps, place.node
            self.tree = frames.tree_frame(search, shown.branching, len(self._unfolded), self.tree["frame"] + 1)
            self.story = frames.story(search, search.explain())
            self.children = frames.successors(stretch, place.node, place.reason.words)
            self.line = frames.line(stretch, shown.branching.line)
            self.position = self._position_of(place)
            self.solution = solution_entry(search, self._push)
            self._publish_record()

    def _position_of(self, place: Place) -> dict[str, Any]:
        """The board; while the solution is played nothing can be clicked."""
        picture, ways = picture_of(place, self._layers()), self._ways(place.board)
        if self._push is not None:
            return position(picture, solution_caption(self._push), [], ways)
        return position(picture, caption_of(place), targets_of(place.stretch, place.node))

    def _publish_bare(self) -> None:
        """Show the start, before the first step or before the kernels are there."""
        search = self._search
        with self._publishing():
            self.iteration, self.node = search.steps, 0
            self.tree = frames.bare_tree(search, self.tree["frame"] + 1)
            self.story = frames.story(search, None)
            self.children, self.line = frames.NO_SUCCESSORS, frames.NO_LINE
            self.position = position(Board(search.level).picture(), "the start", [])
            self.solution = NO_SOLUTION
            self._publish_record()

    def _publish_course(self) -> None:
        """Ticks and thresholds, where the record has grown: a moment later, so that the tree need not wait for them."""
        if self._drawn_until < 0:
            self._catch_up()
        elif self._drawn_until != self._search.last and not self._is_course_due:
            self._is_course_due = True
            later(SECONDS_TO_COURSE, self._catch_up)

    def _catch_up(self) -> None:
        """Bring ticks and thresholds up to date with the record."""
        search = self._search
        with self._guard, self._showing_trouble():
            self._is_course_due = False
            if not self._is_prepared() or not search.last:
                return
            self._drawn_until = search.last
            with self._publishing():
                self.charts, self.ticks = frames.thresholds(search), frames.ticks(search)

    def _layers(self) -> frozenset[str]:
        """What the board is drawn with: nothing but pieces while the solution is played."""
        return frozenset(name for name in LAYERS if getattr(self, name) and self._push is None)

    def _redraw(self, _change: object) -> None:
        """Draw again, after an option was changed."""
        if not self._is_publishing:
            self._do(self._publish)

    def _ways(self, board: Board) -> list[list[Square]]:
        """The ways that the pieces took since the push of the solution that was shown before."""
        before = self._before
        self._before = None if self._push is None else (board.moves, board.player)
        return ways_between(before, self._before) if before and self._before else []

    # --- what depends on the search ----------------------------------------------------------------------------------

    def _go_where_asked(self, _change: object) -> None:
        """Somebody has set `iteration`."""
        if not self._is_publishing:
            iteration = self.iteration
            self._do(lambda: self._search.goto(iteration))

    def _go(self, moment: Moment) -> None:
        """Go to a moment of the record."""
        self._search.goto(moment.step)

    def _moment_of(self, _event: str, number: int) -> Moment:
        """A step is shown as a whole."""
        return Moment(number)

    def _has_ended(self) -> bool:
        """Whether there is nothing to go on with at the end of the record."""
        engine = self._search.engine
        return engine.is_solved or engine.is_unsolvable

    def _end_in_words(self) -> str:
        """What to say where there is nothing to go on with."""
        if self._search.engine.is_solved:
            return "The level is solved: nothing is left to search."
        return super()._end_in_words()

    def _find_previous(self, event: str, before: int) -> int | None:
        """The last step before one that is marked with a kind of event."""
        return self._search.previous_event(event, before)

    # --- messages of the page ----------------------------------------------------------------------------------------

    def _on_step(self, direction: int, unit: str = "iteration") -> None:
        """Step or go back."""
        del unit  # the transport names it, and there is only one
        self._notice = ""
        if direction < 0:
            self._search.back()
        elif not self._is_over():
            self._search.step_on()

    def _on_next(self, frame: int) -> None:
        """The page has drawn a frame while playing; a view that lags behind another is not heard."""
        if not self.playing or frame != self.tree["frame"] or self._is_over():
            return
        n = max(1, round(self.speed / FRAMES_A_SECOND))
        while n and not self._has_ended_here():
            self._search.step_on()
            n -= 1

    def _has_ended_here(self) -> bool:
        """Whether the search stands at an end."""
        return self._search.steps == self._search.last and self._has_ended()

    def _on_select(self, node: int) -> None:
        """Select a node by hand."""
        self._node, self._push, self._is_solution_shown = int(node), None, False
        with self._publishing():
            self.follow = False
        self._publish()

    def _on_solution(self, push: int) -> None:
        """Show the solution after some of its pushes."""
        lines = solution_lines(self._search)
        if lines:
            self._is_solution_shown = True
            self._push = min(max(0, int(push)), len(lines) - 1)
            self._publish()

    def _on_square(self, square: list[int]) -> None:
        """Select the successor that takes a box to a square."""
        stretch = self._search.stretch()
        if stretch is not None:
            found = targets_of(stretch, self._node).get(Square(*map(int, square)))
            if found is not None:
                self._on_select(found)

    def _on_unfold(self, node: int) -> None:
        """Draw all successors of a node."""
        self._unfolded.add(int(node))
        self._publish()

    def _on_fold(self) -> None:
        """Forget what was unfolded."""
        self._unfolded.clear()
        self._publish()

    def _on_find(self, text: str) -> None:
        """Select a node by its number."""
        stretch = self._search.stretch()
        if text.strip().isdecimal() and stretch is not None and stretch.has(int(text)):
            self._on_select(int(text))
            return
        self._notice = f"There is no node {text.strip()!r:.20} in the tree of this threshold."
        self._publish()
