"""The explorer: a search in a notebook, step by step. Python decides what is shown, the page draws it."""

from __future__ import annotations

import gzip
import importlib.util
import threading
import time
import weakref
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import traitlets

from sokoviz.errors import SearchError
from sokoviz.picture import Mark
from sokoviz.search.options import EVENTS, NO_LIMIT, View
from sokoviz.search.preparing import is_prepared, prepare
from sokoviz.widgets import frames
from sokoviz.widgets.background import in_background
from sokoviz.widgets.base import BaseWidget
from sokoviz.widgets.modules import join_modules, join_styles

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import numpy as np
    from numpy.typing import NDArray

    from sokoviz.picture import Picture
    from sokoviz.search.drawing import Drawing
    from sokoviz.search.explanation import Iteration
    from sokoviz.search.protocol import Moment, News
    from sokoviz.search.tree_search import MCTS

SECONDS_BETWEEN_FRAMES = 0.2  # of a run in the background: a page must not be sent more than it can draw
FRAMES_A_SECOND = 16  # beyond this speed, playing takes several iterations a frame
MOST_PRINTED = 100  # nodes of a tree that is printed, which cannot be zoomed
COMPILING = "Compiling the search, once …"


class Explorer(BaseWidget):
    """A search to step through: its tree, the board of any node, and the numbers that decided.

    Parameters
    ----------
    search
        The search; the explorer and the search always stand at the same moment.
    options
        Traits to begin with: ``speed``, ``play_unit``, ``max_depth``, ``min_visits``, ``node_limit``, ``follow``,
        ``large_type``; and ipywidgets' ``layout``.
    """

    OPTIONS: ClassVar[tuple[str, ...]] = (
        *("speed", "play_unit", "max_depth", "min_visits", "node_limit", "follow", "large_type", "layout"),
    )
    _esm = join_modules("explorer_widget")
    _css = join_styles("board", "widget", "explorer", "tree")

    iteration = traitlets.Int(0).tag(sync=True)
    """number of complete iterations shown; set it to go there"""

    phase = traitlets.Unicode("").tag(sync=True)
    """phase of the next iteration that is shown, empty between iterations; set it to go there"""

    node = traitlets.Int(0).tag(sync=True)
    """the selected node, whose position is on the board; set it to select another"""

    playing = traitlets.Bool(default_value=False).tag(sync=True)
    """whether steps are played one by one"""

    speed = traitlets.Float(2.0, min=0.1, max=240.0).tag(sync=True)
    """steps a second when playing"""

    play_unit = traitlets.Enum(("phase", "iteration"), default_value="iteration").tag(sync=True)
    """what a step is when playing"""

    max_depth = traitlets.Int(0, min=0).tag(sync=True)
    """nodes deeper than this are folded away; 0 for no limit"""

    min_visits = traitlets.Int(0, min=0).tag(sync=True)
    """nodes visited less often are folded away"""

    node_limit = traitlets.Int(400, min=20, max=1000)
    """most nodes drawn"""

    follow = traitlets.Bool(default_value=True).tag(sync=True)
    """whether each step selects the node that it is about; selecting a node by hand ends it"""

    large_type = traitlets.Bool(default_value=False).tag(sync=True)
    """whether all type is large, for a projector"""

    about = traitlets.Dict().tag(sync=True)
    tree = traitlets.Dict().tag(sync=True)
    story = traitlets.Dict().tag(sync=True)
    position = traitlets.Dict().tag(sync=True)
    children = traitlets.Dict().tag(sync=True)
    record = traitlets.Dict().tag(sync=True)
    charts = traitlets.Dict().tag(sync=True)
    match = traitlets.Dict().tag(sync=True)
    """how a match stands, see `Match`; empty where none is played"""

    def __init__(self, search: MCTS, **options: Any) -> None:
        self._check_options(options)
        self._search = search
        self._guard = threading.RLock()
        self._is_publishing = False
        self._node = 0  # the selected node
        self._unfolded: set[int] = set()
        self._pending: list[Callable[[], None]] = []  # what was asked for before the kernels were there
        self._notice = ""
        self._running = False
        self._drawn_until = -1  # end of the record that ticks and charts show
        self._next_frame_at = 0.0
        super().__init__(options, about=frames.about(search), tree=frames.bare_tree(0))
        search.watch(self._on_news)
        self.observe(self._go_where_asked, ["iteration", "phase"])
        self.observe(self._select_what_was_asked, ["node"])
        self.observe(self._redraw, ["max_depth", "min_visits", "node_limit", "follow"])
        self._begin()

    def _begin(self) -> None:
        """Show the first position and the controls at once; what needs kernels follows when they are loaded."""
        if is_prepared(self._search.game):
            self._publish()
            return
        self._publish_bare()
        game, reference = self._search.game, weakref.ref(self)
        in_background(lambda: prepare(game), lambda error: _when_prepared(reference, error))

    @property
    def search(self) -> MCTS:
        """The search that is explored; set it to explore another."""
        return self._search

    @search.setter
    def search(self, search: MCTS) -> None:
        """Explore another search of the same kind."""
        self._search.stop()
        self._search.unwatch(self._on_news)
        self._search = search
        self._node, self._notice, self._running, self._drawn_until = 0, "", False, -1
        self._unfolded.clear()
        search.watch(self._on_news)
        with self._publishing():
            self.playing = False
            self.about = frames.about(search)
        self._begin()

    def __repr__(self) -> str:
        """The search."""
        return f"<{type(self).__name__}: {self._search!r}>"

    def _repr_mimebundle_(self, **options: Any) -> tuple[dict[str, Any], dict[str, Any]] | None:
        """Show the live explorer, and leave a picture where there is no kernel to bring it to life."""
        bundle = super()._repr_mimebundle_(**options)
        if bundle is None:
            return None
        data, metadata = bundle
        label = f"{self._search!r}: board of node {self.node} and search tree"
        return {**data, "image/svg+xml": self._quick_svg(), "text/plain": repr(self)}, {
            **metadata,
            "image/svg+xml": {"alt": label},
        }

    def _quick_svg(self) -> str:
        """What is shown, without waiting for kernels: the board alone before they are there."""
        game = self._search.game
        return self.to_svg() if is_prepared(game) else game.picture(game.start()).to_svg()

    def to_svg(self) -> str:
        """Return what is shown, board and tree, as a self-contained SVG document."""
        from sokoviz.search.tree_svg import Scene, scene_svg

        if not is_prepared(self._search.game):
            prepare(self._search.game)
            self.come_alive()
        moment = self._search.moment
        iteration = self._iteration_of(moment)
        drawing = self._draw(moment, iteration, min(self.node_limit, MOST_PRINTED))
        picture, caption = self._picture(iteration, drawing)
        story = frames.story(self._search, moment, iteration)
        words = f"{story['heading']}: {''.join(text for text, _ in story['runs'])}"
        marks = frames.tree_marks(iteration, moment.phase, drawing)
        return scene_svg(Scene((repr(self._search), words), picture, caption, drawing, self._node, marks))

    # --- showing ---------------------------------------------------------------------------------------------------

    @contextmanager
    def _publishing(self) -> Iterator[None]:
        """Let traits be set without acting on them, and the page hear of them all at once."""
        with self._guard:
            self._is_publishing = True
            try:
                with self.hold_sync():
                    yield
            finally:
                self._is_publishing = False

    def _publish_bare(self) -> None:
        """Show the first position while the kernels are loaded."""
        game = self._search.game
        with self._publishing():
            self.story = frames.story(self._search, self._search.moment, None)
            self.position = frames.position(game.picture(game.start()), "the root", [])
            self.children = frames.children_table(self._search, 0, 0, (), None)
            self.charts = frames.no_charts()
            self.record = {"last": 0, "running": False, "text": COMPILING, "share": None, "busy": True, "ticks": {}}

    def _publish(self) -> None:
        """Bring all traits up to date with the search."""
        with self._guard:
            moment = self._search.moment
            iteration = self._iteration_of(moment)
            if self.follow:
                self._node = _focus(iteration, moment.phase)
            drawing = self._draw(moment, iteration, self.node_limit)
            self._node = self._node if self._node < drawing.n_nodes else 0
            with self._publishing():
                self.iteration, self.phase, self.node = *moment, self._node
                marks = frames.tree_marks(iteration, moment.phase, drawing)
                marks["unfolded"] = len(self._unfolded)
                self.tree = frames.tree_frame(drawing, marks, self.tree["frame"] + 1)
                self.story = frames.story(self._search, moment, iteration)
                self._publish_node(iteration, drawing)
                self._publish_record()

    def come_alive(self) -> None:
        """Show everything now that the kernels are loaded, and do what was asked for meanwhile."""
        self._publish()
        pending, self._pending = self._pending, []
        try:
            for action in pending:
                action()
        except Exception as error:  # noqa: BLE001  whatever it is, the reader sees it
            self.show_exception(error)

    def _publish_node(self, iteration: Iteration | None, drawing: Drawing) -> None:
        """Board and children of the selected node."""
        picture, caption = self._picture(iteration, drawing)
        state = self._search.state(self._node)
        children = {candidate.action for candidate in self._search.candidates(self._node)}
        self.position = frames.position(picture, caption, self._clickable(state, children))
        shown = iteration if self._search.phase else None
        place = drawing.nodes.tolist().index(self._node)
        if not children and self._node:
            place = int(drawing.parents[place])
        node, visits = int(drawing.nodes[place]), int(drawing.visits[place])
        self.children = frames.children_table(self._search, node, visits, self._search.candidates(node), shown)
        if node != self._node and self.children["marked"] is None:
            self.children = {**self.children, "marked": self._node}

    def _clickable(self, state: NDArray[np.int64], children: set[str]) -> list[tuple[int, int]]:
        """Squares that lead to a child when they are clicked."""
        game = self._search.game
        picture = game.picture(state)
        squares = [(row, column) for row in range(picture.height) for column in range(picture.width)]
        actions = ((square, game.action_at(state, square)) for square in squares)
        return [
            square for square, action in actions if action is not None and game.action_name(state, action) in children
        ]

    def _publish_record(self) -> None:
        """Progress, ticks and charts; those only where the record has grown."""
        search = self._search
        if self._drawn_until != search.last:
            self._drawn_until = search.last
            self.charts = frames.charts(search)
            ticks = frames.ticks(search)
        else:
            ticks = self.record.get("ticks", {})
        text = self._notice
        self.record = {
            "last": search.last,
            "running": self._running,
            "text": text,
            "share": self._share if self._running else None,
            "busy": False,
            "ticks": ticks,
        }

    _share: float | None = None

    def _iteration_of(self, moment: Moment) -> Iteration | None:
        """The iteration that is under way or was completed last; None at the bare root."""
        number = moment.iteration + bool(moment.phase)
        return self._search.explain(number) if number else None

    def _draw(self, moment: Moment, iteration: Iteration | None, limit: int) -> Drawing:
        """What to draw of the tree, that many nodes at most."""
        must, new = [self._node], list[int]()
        if iteration is not None and moment.phase:
            must += [*iteration.path, iteration.simulation.node]
            if iteration.expansion and moment.phase != "selection":
                new = list(iteration.expansion.added)
                must += new
        view = View(limit, self.max_depth or NO_LIMIT, self.min_visits, unfolded=frozenset(self._unfolded))
        return self._search.draw(moment, view, must, new)

    def _picture(self, iteration: Iteration | None, drawing: Drawing) -> tuple[Picture, str]:
        """The board of the selected node, and a caption; in a simulation the end of its random game."""
        search, game = self._search, self._search.game
        state = search.state(self._node)
        name = f"node {self._node}" if self._node else "the root"
        if iteration is not None and search.phase == "simulation" and iteration.simulation.node == self._node:
            return self._rollout_picture(iteration, name)
        place = drawing.nodes.tolist().index(self._node)
        depth, action = int(drawing.depths[place]), drawing.actions[place]
        who = game.player_name(state)
        over = bool(drawing.flags[place] & frames.TERMINAL)
        end = game.outcome_name(state) if over else f"{who} to move" if who else ""
        words = [name, f"move {action}" if action else "", f"depth {depth}", end]
        return self._with_last_move(game.picture(state), drawing, place), " · ".join(word for word in words if word)

    def _with_last_move(self, picture: Picture, drawing: Drawing, place: int) -> Picture:
        """A picture with the squares of the move into the node marked."""
        if drawing.parents[place] < 0:
            return picture
        search = self._search
        before = search.state(int(drawing.nodes[drawing.parents[place]]))
        squares = search.game.squares_of(before, search.action(int(drawing.nodes[place])))
        return picture.with_overlays(*(Mark(square, "now") for square in squares))

    def _rollout_picture(self, iteration: Iteration, name: str) -> tuple[Picture, str]:
        """The end of a random game, its moves numbered."""
        game, simulation = self._search.game, iteration.simulation
        state, moves = self._search.state(simulation.node), []
        for action in simulation.actions:
            moves.append(game.squares_of(state, action))
            game.play(game.tables, state, action)
        n = len(moves)
        after = f", then {n} random move{'s' if n > 1 else ''}" if n else ""
        return frames.marked_moves(game.picture(state), moves), f"{name}{after}: {simulation.outcome}"

    # --- following the search and the traits -------------------------------------------------------------------------

    def _on_news(self, news: News) -> None:
        """The search has moved, perhaps in another thread."""
        if news.kind == "progress":
            now = time.monotonic()
            if now < self._next_frame_at:
                return
            self._next_frame_at = now + SECONDS_BETWEEN_FRAMES
            self._notice, self._share = str(news.progress), news.progress.share if news.progress else None
        elif news.kind == "moved":
            self._notice = ""
        elif news.kind == "ended":
            self._running = False
            self._notice = _ending(news, self._search)
            if news.error is not None:
                self.show_exception(news.error)
        if is_prepared(self._search.game):
            self._publish()

    def _go_where_asked(self, _change: object) -> None:
        """Somebody has set `iteration` or `phase`."""
        if not self._is_publishing:
            self._do(lambda: self._search.goto(self.iteration, self.phase))

    def _select_what_was_asked(self, _change: object) -> None:
        """Somebody has set `node`."""
        if not self._is_publishing:
            self._do(lambda: self._on_select(self.node))

    def _redraw(self, _change: object) -> None:
        """Draw again, after a filter was changed."""
        if not self._is_publishing:
            self._do(self._publish)

    def _do(self, action: Callable[[], None]) -> None:
        """Do something with the search, or note it down while the kernels are being loaded."""
        if is_prepared(self._search.game):
            action()
        else:
            self._pending.append(action)
            with self._publishing():
                self.record = {**self.record, "text": f"{COMPILING} Your step follows.", "busy": True}

    def _answer(self, kind: str, arguments: dict[str, Any]) -> None:
        """Answer a message of the page."""
        if kind in {"plotly", "dismiss"}:
            super()._answer(kind, arguments)
        else:
            self._do(lambda: BaseWidget._answer(self, kind, arguments))  # noqa: SLF001  our own

    # --- messages of the page ----------------------------------------------------------------------------------------

    def _on_step(self, unit: str, direction: int) -> None:
        """Step or go back by a phase or an iteration."""
        self._notice = ""
        search = self._search
        steps = {
            ("phase", 1): search.step_phase,
            ("phase", -1): search.back_phase,
            ("iteration", 1): search.step_iteration,
            ("iteration", -1): search.back,
        }
        steps[unit, 1 if direction > 0 else -1]()

    def _on_goto(self, iteration: int) -> None:
        """Go to an iteration."""
        self._notice = ""
        self._search.goto(min(max(0, int(iteration)), self._search.last))

    def _on_next(self, frame: int) -> None:
        """The page has drawn a frame while playing; a view that lags behind another is not heard."""
        if not self.playing or frame != self.tree["frame"]:
            return
        if self.play_unit == "phase":
            self._search.step_phase()
        else:
            self._search.step_iteration(max(1, round(self.speed / FRAMES_A_SECOND)))

    def _on_run(self, to: str, value: int | None = None) -> None:
        """Run in the background to an iteration or an event."""
        search = self._search
        self.playing = False
        if to == "iteration":
            target = int(value or 0)
            if target <= search.last:
                self._on_goto(target)
                return
            self._start(f"running to iteration {target:,}", iterations=target - search.iteration)
        else:
            self._start(f"running to the {EVENTS[to][1]}", until=to)

    def _start(self, words: str, **goal: Any) -> None:
        """Start a run in the background and show that it runs."""
        self._search.stop()  # its news must not come after those of the new run
        self._running, self._notice, self._share = True, words, 0.0
        self._next_frame_at = time.monotonic() + SECONDS_BETWEEN_FRAMES
        with self._publishing():
            self._publish_record()
        self._search.start(**goal)

    def _on_stop(self) -> None:
        """Stop a run, or playing."""
        self.playing = False
        self._search.stop()

    def _on_select(self, node: int) -> None:
        """Select a node by hand."""
        with self._publishing():
            self.follow = False
        self._node = int(node)
        self._publish()

    def _on_unfold(self, node: int) -> None:
        """Draw all children of a node."""
        self._unfolded.add(int(node))
        self._publish()

    def _on_fold(self) -> None:
        """Forget what was unfolded."""
        self._unfolded.clear()
        self._publish()

    def _on_find(self, text: str) -> None:
        """Select a node by its number."""
        n_nodes = self.tree["n_nodes"]
        if text.strip().isdecimal() and int(text) < n_nodes:
            self._notice = ""
            self._on_select(int(text))
        else:
            self._notice = f"There is no node {text.strip()!r:.20} here; nodes go from 0 to {n_nodes - 1:,}."
            self._publish()

    def _on_square(self, square: list[int]) -> None:
        """Select the child that a square of the board leads to."""
        search, state = self._search, self._search.state(self._node)
        action = search.game.action_at(state, (int(square[0]), int(square[1])))
        if action is None:
            return
        name = search.game.action_name(state, action)
        child = next((each.node for each in search.candidates(self._node) if each.action == name), None)
        if child is not None:
            self._on_select(child)

    def _on_plotly(self) -> None:
        """Send the drawing library, which the page asks for once."""
        self.send({"kind": "plotly"}, buffers=[_plotly_bundle()])


def _focus(iteration: Iteration | None, phase: str) -> int:
    """The node that a phase is about."""
    if iteration is None:
        return 0
    return iteration.leaf if phase in {"selection", "expansion"} else iteration.simulation.node


def _ending(news: News, search: MCTS) -> str:
    """Why a run in the background ended."""
    words = {
        "until": "stopped where asked",
        "stopped": "stopped",
        "iterations": "done",
        "memory": "the memory allowed is full",
        "error": "stopped by an error",
    }
    return f"{words.get(news.reason, news.reason)} at iteration {search.iteration:,}"


def _when_prepared(reference: weakref.ref[Explorer], error: Exception | None) -> None:
    """Bring an explorer to life now that the kernels are loaded, if it is still there."""
    explorer = reference()
    if explorer is None or explorer.comm is None:
        return
    if error is not None:
        explorer.show_exception(error)
        return
    explorer.come_alive()


@cache
def _plotly_bundle() -> bytes:
    """plotly.js, gzipped, out of the installed package; importing that would take seconds."""
    spec = importlib.util.find_spec("plotly")
    if spec is None or not spec.submodule_search_locations:
        message = "expected the package plotly, found none"
        raise SearchError(message)
    path = Path(spec.submodule_search_locations[0]) / "package_data" / "plotly.min.js"
    return gzip.compress(path.read_bytes(), compresslevel=1)
