"""The explorer of iterative deepening: the line, the tree of each threshold, and what cut its branches."""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import traitlets

from sokoviz.board import Board
from sokoviz.search.ida_reasons import Reason, board_at, reason_of
from sokoviz.search.moments import Moment
from sokoviz.search.preparing import is_deepening_compiled, is_deepening_prepared, prepare_deepening
from sokoviz.widgets import deepening_frames as frames
from sokoviz.widgets.background import later
from sokoviz.widgets.deepening_board import picture_of
from sokoviz.widgets.details import NO_SOLUTION
from sokoviz.widgets.frames import position
from sokoviz.widgets.modules import join_modules, join_styles
from sokoviz.widgets.stepping import FRAMES_A_SECOND, Stepping
from sokoviz.widgets.ways import ways_between

if TYPE_CHECKING:
    from collections.abc import Hashable

    from sokoviz.search.ida import IDA
    from sokoviz.search.ida_drawing import Branching, Stretch
    from sokoviz.squares import Square

NODE_LIMIT = 240
MOST_PRINTED = 100  # nodes of a tree that is printed, which cannot be zoomed
SECONDS_TO_COURSE = 0.1  # that ticks and charts may lag behind the tree
LAYERS = ("component", "pushes", "matching")


class Shown(NamedTuple):
    """What is on display."""

    stretch: Stretch
    branching: Branching
    node: int
    """the selected node"""
    board: Board
    """its position"""
    reason: Reason


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
    _css = join_styles("board", "widget", "explorer", "tree", "deepening")
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
        begin = {"node_limit": NODE_LIMIT, "matching": False, **options}
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
        picture = (
            self.to_svg() if self._is_prepared() and self._search.iteration else Board(self._search.level).picture()
        )
        svg = picture if isinstance(picture, str) else picture.to_svg()
        label = f"{self._search!r}: board and tree of a threshold"
        spoken = {"image/svg+xml": {"alt": label}}
        return {**data, "image/svg+xml": svg, "text/plain": repr(self)}, {**metadata, **spoken}

    def to_svg(self) -> str:
        """Return what is shown, board and tree, as a self-contained SVG document."""
        from sokoviz.search.tree_svg import Scene, scene_svg

        if not self._is_prepared():
            self._prepare()
            self.come_alive()
        shown = self._look(min(self.node_limit, MOST_PRINTED))
        if shown is None:
            return Board(self._search.level).picture().to_svg()
        picture, caption = picture_of(shown, self._layers())
        words = "".join(text for text, _ in frames.story(self._search, self._search.explain())["runs"])
        drawing = shown.branching.drawing
        marks = frames.marks(shown.branching, 0)
        lines = (repr(self._search), words)
        return scene_svg(Scene(lines, picture, caption, drawing, shown.node, marks, frames.looks(shown.branching)))

    # --- the kernels -------------------------------------------------------------------------------------------------

    def _is_prepared(self) -> bool:
        """Whether the search can be used without waiting."""
        return is_deepening_prepared(self._search)

    def _is_compiled(self) -> bool:
        """Whether the kernels only have to be loaded."""
        return is_deepening_compiled()

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
        at = self._solution_node(stretch)
        follows = self.follow or not stretch.has(self._node)
        node = at if at is not None else stretch.current if follows else self._node
        unfolded = [each for each in self._unfolded if stretch.has(each)]
        branching = stretch.draw(node, limit, unfolded)
        board = self._solution_board() if at is not None else board_at(search, stretch, node)
        reason = reason_of(search, stretch, node, board)
        return Shown(stretch, branching, node, board, reason)

    def _publish_shown(self, shown: Shown) -> None:
        """Show the tree, the board and the numbers of a moment."""
        search, stretch = self._search, shown.stretch
        self._node = shown.node
        picture, caption = picture_of(shown, self._layers())
        with self._publishing():
            self.iteration, self.node = search.iteration, shown.node
            self.tree = frames.tree_frame(search, shown.branching, len(self._unfolded), self.tree["frame"] + 1)
            self.story = frames.story(search, search.explain())
            self.children = frames.successors(stretch, shown.node, shown.reason.words)
            self.line = frames.line(stretch, shown.branching.line)
            squares = [] if self._push is not None else self._targets(stretch)
            self.position = position(picture, self._place(caption), squares, self._ways())
            self.solution = self._solution_entry()
            self._publish_record()

    def _publish_bare(self) -> None:
        """Show the start, before the first step or before the kernels are there."""
        search = self._search
        with self._publishing():
            self.iteration, self.node = search.iteration, 0
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

    def _targets(self, stretch: Stretch) -> list[Square]:
        """Squares on which a click means a successor of the selected node."""
        children = stretch.outline.children(self._node, stretch.end)
        return list(dict.fromkeys(stretch.record.move(child).target for child in children))

    def _redraw(self, _change: object) -> None:
        """Draw again, after an option was changed."""
        if not self._is_publishing:
            self._do(self._publish)

    # --- the solution ------------------------------------------------------------------------------------------------

    def _prefixes(self) -> list[str]:
        """The moves of the solution up to each of its pushes, none first; empty where the search has none here."""
        search = self._search
        solution = search.solution if search.iteration == search.last and search.last else None
        if solution is None:
            return []
        ends = [index + 1 for index, letter in enumerate(solution.lurd) if letter.isupper()]
        return ["", *(solution.lurd[:end] for end in ends)]

    def _solution_node(self, stretch: Stretch) -> int | None:
        """The node of the solution that has been reached after the pushes that are shown."""
        if not self._is_solution_shown or not self._prefixes():
            self._push = None
            return None
        path = stretch.path(stretch.current)
        made = accumulate(stretch.record.move(node).n_pushes for node in path[1:])
        return path[sum(pushes <= (self._push or 0) for pushes in made)]

    def _solution_board(self) -> Board:
        """The board after the pushes of the solution that are shown."""
        board = Board(self._search.level)
        board.play(self._prefixes()[self._push or 0])
        return board

    def _ways(self) -> list[list[Square]]:
        """The ways that the pieces took since the push of the solution that was shown before."""
        before, self._before = self._before, None
        if self._push is None:
            return []
        board = self._solution_board()
        self._before = board.moves, board.player
        return ways_between(before, self._before) if before else []

    def _solution_entry(self) -> dict[str, Any]:
        """How long the solution is, and which of its pushes is shown."""
        prefixes = self._prefixes()
        if not prefixes:
            return NO_SOLUTION
        moves = len(self._search.solution.lurd) if self._search.solution else 0
        shown = self._push is not None
        return {"pushes": len(prefixes) - 1, "moves": moves, "at": self._push, "shown": shown}

    def _place(self, caption: str) -> str:
        """What is written under the board."""
        return caption if self._push is None else f"the solution after push {self._push}"

    # --- what depends on the search ----------------------------------------------------------------------------------

    def _go_where_asked(self, _change: object) -> None:
        """Somebody has set `iteration`."""
        if not self._is_publishing:
            iteration = self.iteration
            self._do(lambda: self._search.goto(iteration))

    def _go(self, moment: Moment) -> None:
        """Go to a moment of the record."""
        self._search.goto(moment.iteration)

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

    def _up_to(self, n: int) -> dict[str, Any]:
        """How a search is told to make n steps more."""
        return {"steps": n}

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
            self._search.step_iteration()

    def _on_next(self, frame: int) -> None:
        """The page has drawn a frame while playing; a view that lags behind another is not heard."""
        if not self.playing or frame != self.tree["frame"] or self._is_over():
            return
        n = max(1, round(self.speed / FRAMES_A_SECOND))
        while n and not self._has_ended_here():
            self._search.step_iteration()
            n -= 1

    def _has_ended_here(self) -> bool:
        """Whether the search stands at an end."""
        return self._search.iteration == self._search.last and self._has_ended()

    def _on_select(self, node: int) -> None:
        """Select a node by hand."""
        self._node, self._push, self._is_solution_shown = int(node), None, False
        with self._publishing():
            self.follow = False
        self._publish()

    def _on_solution(self, push: int) -> None:
        """Show the solution after some of its pushes."""
        prefixes = self._prefixes()
        if prefixes:
            self._is_solution_shown = True
            self._push = min(max(0, int(push)), len(prefixes) - 1)
            self._publish()

    def _on_square(self, square: list[int]) -> None:
        """Select the successor that takes a box to a square."""
        stretch = self._search.stretch()
        if stretch is not None:
            children = stretch.outline.children(self._node, stretch.end)
            found = [child for child in children if list(stretch.record.move(child).target) == list(square)]
            if found:
                self._on_select(found[0])

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
