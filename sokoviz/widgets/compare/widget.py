"""Tree searches side by side in a notebook, on one clock. Python decides what is shown, the page draws it."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, ClassVar

import traitlets

from sokoviz.widgets.base.modules import join_modules, join_styles, plotly_bundle
from sokoviz.widgets.base.widget import BaseWidget
from sokoviz.widgets.compare import frames
from sokoviz.widgets.compare.display import SECONDS_BETWEEN_FRAMES, CompareDisplay

if TYPE_CHECKING:
    from sokoviz.search.mcts.search import MCTS

FRAMES_A_SECOND = 10  # beyond this speed, playing takes several iterations a frame


class Compare(CompareDisplay):
    """Two or more tree searches of one level on one clock: what they have come to, and where they part ways.

    A search that ended earlier than the others stands still at its end. Looking at searches moves none of them; only
    running on does.

    Parameters
    ----------
    searches
        Searches of the same level, or of another game from the same position; seeds and options may differ.
    options
        Traits to begin with: ``iteration`` (the end where left out), ``speed``, ``max_depth``, ``min_visits``,
        ``node_limit``, ``large_type``; and ipywidgets' ``layout``.

    Examples
    --------
    >>> first, second = Schokoban(level), Vanillaban(level)
    >>> Compare(first, second)
    """

    OPTIONS: ClassVar[tuple[str, ...]] = (
        *("iteration", "speed", "max_depth", "min_visits", "node_limit", "large_type", "layout"),
    )
    _esm = join_modules("compare_widget")
    _css = join_styles("board", "widget", "explorer", "tree", "compare")

    playing = traitlets.Bool(default_value=False).tag(sync=True)
    """whether iterations are played one by one"""

    speed = traitlets.Float(2.0, min=0.1, max=240.0).tag(sync=True)
    """iterations a second when playing"""

    large_type = traitlets.Bool(default_value=False).tag(sync=True)
    """whether all type is large, for a projector"""

    def __init__(self, *searches: MCTS, **options: Any) -> None:
        super().__init__(*searches, **options)
        self.observe(self._go_where_asked, ["iteration"])
        self.observe(self._select_what_was_asked, ["which", "node"])

    # --- traits that were set ----------------------------------------------------------------------------------------

    def _go_where_asked(self, _change: object) -> None:
        """Somebody has set `iteration`."""
        if self._is_publishing:
            return
        iteration = self.iteration
        if not 0 <= iteration <= self._comparison.last:
            with self._publishing():
                self.iteration = self._clock
        iteration = self._comparison.checked(iteration)
        self._do(lambda: self._go(iteration))

    def _select_what_was_asked(self, _change: object) -> None:
        """Somebody has set `which` or `node`."""
        if not self._is_publishing:
            which, node = self.which, self.node
            self._do(lambda: self._on_select(which, node))

    # --- messages of the page ----------------------------------------------------------------------------------------

    def _answer(self, kind: str, arguments: dict[str, Any]) -> None:
        """Answer a message of the page."""
        if kind in {"plotly", "dismiss"}:
            super()._answer(kind, arguments)
        else:
            self._do(lambda: BaseWidget._answer(self, kind, arguments))  # noqa: SLF001  our own

    def _on_plotly(self) -> None:
        """Send the drawing library, which the page asks for once."""
        self.send({"kind": "plotly"}, buffers=[plotly_bundle()])

    def _on_goto(self, iteration: int) -> None:
        """Go to an iteration."""
        self._go(min(max(0, int(iteration)), self._comparison.last))

    def _on_step(self, direction: int) -> None:
        """Step or go back by an iteration."""
        self._stop_runs()
        if direction < 0:
            self._go(max(0, self._clock - 1))
        else:
            self._step(1)

    def _on_next(self, frame: int) -> None:
        """The page has drawn a frame while playing; a view that lags behind another is not heard."""
        if self.playing and frame == self._frame and not self._is_running:
            self._step(max(1, round(self.speed / FRAMES_A_SECOND)))

    def _on_event(self, event: str) -> None:
        """Go to the next event of a kind in any of the records."""
        if event == frames.DIFFERENCE:
            self._on_difference()
            return
        found = self._comparison.next_event(event, self._clock)
        names = dict(self.about["run_to"])
        if found is None:
            self._say(f"The records have no {names[event].removeprefix('next ')} after iteration {self._clock:,}.")
        else:
            self._go(found)

    def _on_difference(self) -> None:
        """Go to the first iteration in which the searches differ."""
        found = self._comparison.first_difference
        if found is None:
            shortest = min(self._ends)
            self._say(f"The searches do the same in all of their first {shortest:,} iterations.")
        else:
            self._go(found.iteration)

    def _on_run(self, iterations: int) -> None:
        """Run the searches that have not ended so many iterations beyond the end of the clock, in the background."""
        self.playing = False
        self._stop_runs()
        active, last = self._active(), self._comparison.last
        if not active:
            self._say("All searches have ended.")
            return
        self._goal = last, last + int(iterations)
        self._notice = f"running to iteration {self._goal[1]:,}"
        self._clock = last
        self._next_frame_at = time.monotonic() + SECONDS_BETWEEN_FRAMES
        for search in active:
            with self._moving():
                search.goto(search.last)
            search.start(iterations=self._goal[1] - search.last)
        with self._publishing():
            self._publish_record()

    def _on_stop(self) -> None:
        """Stop runs, or playing."""
        self.playing = False
        self._stop_runs()

    def _on_select(self, search: int, node: int) -> None:
        """Select a node of a search."""
        self._selected = min(max(0, int(search)), len(self.searches) - 1), int(node)
        self._publish()

    def _on_find(self, search: int, text: str) -> None:
        """Select a node by its number."""
        number = text.strip()
        if number.isdecimal() and self._comparison.has(search, int(number), self._clock):
            self._notice = ""
            self._on_select(search, int(number))
        else:
            self._say(f"There is no node {number!r:.20} in the tree of {self._comparison.names[search]} here.")

    def _on_unfold(self, search: int, node: int) -> None:
        """Draw all children of a node."""
        self._unfolded[search].add(int(node))
        self._publish()

    def _on_fold(self, search: int) -> None:
        """Forget what was unfolded."""
        self._unfolded[search].clear()
        self._publish()

    # --- moving ------------------------------------------------------------------------------------------------------

    def _go(self, clock: int) -> None:
        """Show another moment."""
        self._notice = ""
        self._clock = clock
        self._publish()

    def _step(self, n: int) -> None:
        """Go on by n iterations; where all records end, search on."""
        target = self._clock + n
        with self._moving():
            for search in self._active() if target > self._comparison.last else ():
                search.goto(search.last)
                search.run(iterations=target - search.last, progress=False)
        self._known_last = self._comparison.last
        if self._clock == self._comparison.last:
            self.playing = False
            self._say("All searches have ended: nothing is left to search.")
        else:
            self._go(min(target, self._comparison.last))

    def _active(self) -> list[MCTS]:
        """Searches that have not ended."""
        return [search for index, search in enumerate(self.searches) if not self._comparison.ending(index)]

    def _stop_runs(self) -> None:
        """Stop all runs in the background, and wait for them; never under the guard, which they may wait for."""
        for search in self.searches:
            search.stop()
