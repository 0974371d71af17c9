"""Searches on display side by side, on one clock."""

from __future__ import annotations

import html
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import traitlets

from sokoviz.search.compare import comparing
from sokoviz.search.compare.comparing import Comparison
from sokoviz.search.loading import Announcement, group_of, is_compiled, is_prepared, prepare
from sokoviz.search.mcts.views.view import View
from sokoviz.widgets.base.background import SECONDS_BETWEEN_WORDS, every, in_background, later
from sokoviz.widgets.base.widget import SearchWidget
from sokoviz.widgets.compare import frames
from sokoviz.widgets.compare.frames import Wish

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import pandas as pd

    from sokoviz.search.compare.first_difference import Difference
    from sokoviz.search.mcts.search import MCTS
    from sokoviz.search.watching import News

SECONDS_BETWEEN_FRAMES = 0.3  # of a run: there are several trees to draw
SECONDS_TO_COURSE = 0.1  # that ticks and charts may lag behind the trees


class CompareDisplay(SearchWidget):
    """Shows searches at a moment of one clock and follows them; `Compare` adds what a reader can do.

    Parameters
    ----------
    searches
        The searches.
    options
        Traits to begin with.
    """

    iteration = traitlets.Int(0).tag(sync=True)
    """the clock: number of complete iterations shown; set it to go there"""

    which = traitlets.Int(0).tag(sync=True)
    """which of the searches the selected node is in; set it together with `node`"""

    node = traitlets.Int(0).tag(sync=True)
    """the selected node, whose position is on the board and marked in all trees; set it to select another"""

    max_depth = traitlets.Int(0, min=0).tag(sync=True)
    """nodes deeper than this are folded away; 0 for no limit"""

    min_visits = traitlets.Int(0, min=0).tag(sync=True)
    """nodes visited less often are folded away"""

    node_limit = traitlets.Int(160, min=20, max=1000)
    """most nodes drawn of each tree"""

    about = traitlets.Dict().tag(sync=True)
    trees = traitlets.List[dict[str, Any]]().tag(sync=True)
    stories = traitlets.List[list[list[str]]]().tag(sync=True)
    figures = traitlets.List[list[list[str]]]().tag(sync=True)
    position = traitlets.Dict().tag(sync=True)
    alike = traitlets.List[list[str]]().tag(sync=True)
    difference = traitlets.Dict().tag(sync=True)
    record = traitlets.Dict().tag(sync=True)
    charts = traitlets.List[dict[str, Any]]().tag(sync=True)
    ticks = traitlets.Dict().tag(sync=True)

    def __init__(self, *searches: MCTS, **options: Any) -> None:
        self._check_options(options)
        self._comparison = comparison = Comparison(*searches)
        self._is_moving = self._is_course_due = False
        self._clock = comparison.last
        self._selected = (0, 0)  # search and node
        self._unfolded: list[set[int]] = [set() for _ in searches]
        self._pending: list[Callable[[], None]] = []  # what was asked for before the kernels were there
        self._loading: object = ""  # what to say while the kernels are loaded; empty when nobody loads them
        self._notice = ""
        self._goal: tuple[int, int] | None = None  # where a run began and where it ends
        self._known_last = comparison.last
        self._drawn_until: tuple[int, ...] = ()  # ends of the records that ticks and charts show
        self._frame = 0
        self._next_frame_at = 0.0
        super().__init__(options, about=frames.about(comparison), **frames.bare(comparison))
        if "iteration" in options:
            self._clock = comparison.checked(self.iteration)
        for search in searches:
            search.watch(self._on_news)
        self.observe(self._redraw, ["max_depth", "min_visits", "node_limit"])
        self._begin()

    # --- in Python ---------------------------------------------------------------------------------------------------

    @property
    def searches(self) -> tuple[MCTS, ...]:
        """The searches."""
        return self._comparison.searches

    @property
    def comparison(self) -> Comparison:
        """What is known of the searches at any moment, without a page."""
        return self._comparison

    @property
    def table(self) -> pd.DataFrame:
        """The figures at the moment that is shown, one column a search."""
        return self._comparison.table(self._clock)

    @property
    def first_difference(self) -> Difference | None:
        """The first iteration in which the searches do something different; None where their records never do."""
        return self._comparison.first_difference

    def __repr__(self) -> str:
        """The figures."""
        return f"{', '.join(self._comparison.names)}\n{self._comparison.text(self._clock)}"

    def _repr_mimebundle_(self, **options: Any) -> tuple[dict[str, Any], dict[str, Any]] | None:
        """Show the live widget, and leave the figures where there is no kernel to bring it to life."""
        bundle = super()._repr_mimebundle_(**options)
        if bundle is None:
            return None
        data, metadata = bundle
        text = repr(self)
        return {**data, "text/html": f"<pre>{html.escape(text)}</pre>", "text/plain": text}, metadata

    # --- loading the kernels -----------------------------------------------------------------------------------------

    def _begin(self) -> None:
        """Show everything, as soon as the kernels are loaded."""
        game = self._comparison.game
        if is_prepared(game):
            self._publish()
            return
        self._announce("Loading the searches …")
        in_background(("compiled?", type(game.tables)), lambda: is_compiled(game), self._when_known)

    def _when_known(self, error: Exception | None) -> None:
        """Say whether the kernels have to be compiled, now that this can be found out at once, and load them."""
        game = self._comparison.game
        if error is not None:
            self._when_prepared(error)
            return
        self._announce(Announcement("searches", is_compiled=is_compiled(game), group=group_of(game, "explored")))
        every(SECONDS_BETWEEN_WORDS, self._say_again)

        def load() -> None:
            prepare(game)
            comparing.prepare()

        in_background(("compare", type(game.tables)), load, self._when_prepared)

    def _announce(self, text: object) -> None:
        """Say what is being waited for."""
        self._loading = text
        with self._publishing():
            self._publish_record()

    def _say_again(self) -> bool:
        """Say how long it still takes; return whether somebody waits."""
        if self._loading:
            self._announce(self._loading)
        return bool(self._loading)

    def _when_prepared(self, error: Exception | None) -> None:
        """Come alive now that the kernels are loaded, and do what was asked for meanwhile."""
        pending, self._pending, self._loading = self._pending, [], ""
        if error is not None:
            self.show_exception(error)
            return
        try:
            self._publish()
            for action in pending:
                action()
        except Exception as raised:  # noqa: BLE001  whatever it is, the reader sees it
            self.show_exception(raised)

    def _do(self, action: Callable[[], None]) -> None:
        """Do something, or note it down while the kernels are being loaded."""
        if is_prepared(self._comparison.game):
            action()
        else:
            self._pending.append(action)

    # --- showing -----------------------------------------------------------------------------------------------------

    def _publish(self) -> None:
        """Bring all traits up to date with the clock."""
        with self._guard:
            comparison, clock = self._comparison, self._clock
            alike = self._find_alike()
            which, node = self._selected
            self._frame += 1
            wishes = [
                Wish(self._view(unfolded), nodes, node if index == which else None, not self._is_running)
                for index, (unfolded, nodes) in enumerate(zip(self._unfolded, alike, strict=True))
            ]
            panels = frames.panels(comparison, clock, wishes, self._frame)
            with self._publishing():
                self.iteration, self.which, self.node = clock, which, node
                self.trees, self.stories = [each.tree for each in panels], [each.story for each in panels]
                self.figures = frames.figures(comparison, clock)
                self.position = frames.position(comparison, which, node, clock)
                self.alike = frames.alike_words(comparison, which, node, alike)
                self._publish_record()
        self._publish_course()

    def _find_alike(self) -> list[list[int]]:
        """Nodes like the selected one in each tree; the root is selected where that one is not in its tree."""
        comparison, clock = self._comparison, self._clock
        which, node = self._selected
        if not comparison.has(which, node, clock):
            node = 0
            self._selected = which, node
        found = comparison.alike(which, node, clock) if comparison.last else [(0,) for _ in self.searches]
        return [list(nodes) for nodes in found]

    def _view(self, unfolded: set[int]) -> View:
        """What the reader wants to see of a tree."""
        return View(self.node_limit, self.max_depth or View.deepest, self.min_visits, unfolded=frozenset(unfolded))

    def _publish_record(self) -> None:
        """How long the records are, and how far a run is."""
        self.record = {
            "last": self._comparison.last,
            "running": self._is_running,
            "text": str(self._loading) or self._notice,
            "share": self._share() if not self._loading else None,
            "busy": bool(self._loading),
        }

    def _share(self) -> float | None:
        """How much of the way a run has behind it."""
        if self._goal is None or not self._is_running:
            return None
        begin, end = self._goal
        running = [search.last for search in self.searches if search.is_running]
        return (min(running, default=end) - begin) / max(end - begin, 1)

    def _publish_course(self) -> None:
        """Ticks, charts and the first difference, where a record has grown: the trees need not wait for them."""
        if not self._drawn_until:
            self._catch_up()
        elif self._drawn_until != self._ends and not self._is_course_due:
            self._is_course_due = True
            later(SECONDS_TO_COURSE, self._catch_up)

    def _catch_up(self) -> None:
        """Bring ticks, charts and the first difference up to date with the records."""
        with self._guard:
            self._is_course_due = False
            self._drawn_until = self._ends
            comparison = self._comparison
            with self._publishing():
                self.charts, self.ticks = frames.charts(comparison), frames.ticks(comparison)
                self.difference = frames.difference(comparison)

    @property
    def _ends(self) -> tuple[int, ...]:
        """Where the records end."""
        return tuple(search.last for search in self.searches)

    def _redraw(self, _change: object) -> None:
        """Draw again, after a filter was changed."""
        if not self._is_publishing:
            self._do(self._publish)

    def _say(self, text: str) -> None:
        """Say something beside the slider."""
        self._notice = text
        with self._publishing():
            self._publish_record()

    @contextmanager
    def _moving(self) -> Iterator[None]:
        """Let searches be moved without hearing of it."""
        self._is_moving = True
        try:
            yield
        finally:
            self._is_moving = False

    # --- following the searches --------------------------------------------------------------------------------------

    @property
    def _is_running(self) -> bool:
        """Whether a search runs in the background."""
        return any(search.is_running for search in self.searches)

    def _on_news(self, news: News) -> None:
        """A search has moved, perhaps in another thread."""
        if self._is_moving or not is_prepared(self._comparison.game):
            return
        if news.kind == "progress" and not self._is_due():
            return
        if news.kind == "ended":
            if news.error is not None:
                self.show_exception(news.error)
            self._notice = "" if self._is_running else self._ending(news.reason)
        with self._guard:
            is_at_end, last = self._clock == self._known_last, self._comparison.last
            if news.kind == "moved" and last == self._known_last:
                return
            self._known_last = last
            if is_at_end:
                self._clock = last
            self._publish()

    def _is_due(self) -> bool:
        """Whether it is time for another frame of a run."""
        now = time.monotonic()
        if now < self._next_frame_at:
            return False
        self._next_frame_at = now + SECONDS_BETWEEN_FRAMES
        if self._goal is not None:
            self._notice = f"iteration {self._comparison.last:,} of {self._goal[1]:,}"
        return True

    def _ending(self, reason: str) -> str:
        """How a run has ended."""
        comparison = self._comparison
        ends = [
            f"{name} {ending} in iteration {search.last:,}"
            for index, (name, search) in enumerate(zip(comparison.names, self.searches, strict=True))
            if (ending := comparison.ending(index))
        ]
        words = {"stopped": "stopped", "memory": "the memory allowed is full", "error": "stopped by an error"}
        return "; ".join(ends) or f"{words.get(reason, 'done')} at iteration {comparison.last:,}"
