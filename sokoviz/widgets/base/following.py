"""A widget that stands where its search stands: it loads the kernels, and follows what the search does."""

from __future__ import annotations

import time
from abc import abstractmethod
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from sokoviz.search.loading import Announcement, is_ours
from sokoviz.widgets.base.background import SECONDS_BETWEEN_WORDS, every, in_background
from sokoviz.widgets.base.search_widget import SearchState

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator, Mapping

    from sokoviz.search.search import AnySearch
    from sokoviz.search.watching import News

SECONDS_BETWEEN_FRAMES = 0.2  # of a run in the background: a page must not be sent more than it can draw
FOLLOWS = "Your step follows."
ENDINGS = {
    "until": "stopped where asked",
    "steps": "done",
    "iterations": "done",
    "memory": "the memory allowed is full",
    "error": "stopped by an error",
}
"""why a run in the background ended, in words"""


class Following(SearchState):
    """Shows a search and follows it, whichever search it is.

    Parameters
    ----------
    search
        The search.
    options
        Traits to begin with.
    state
        First values of further traits.
    """

    _search: AnySearch
    _unit = "iteration"
    """what a reader is told that the search does one after the other"""

    def __init__(self, search: AnySearch, options: Mapping[str, Any], **state: Any) -> None:
        self._search = search
        self._pending: list[Callable[[], None]] = []  # what was asked for before the kernels were there
        self._loading: object = ""  # what to say while they are loaded; empty when nobody loads them
        self._notice = ""
        self._share: float | None = None  # of the way that a run has behind it
        self._n_refusals = 0  # times that there was nothing to go on with
        self._next_frame_at = 0.0
        self._is_solution_shown = False
        super().__init__(options, **state)
        search.watch(self._on_news)

    def __repr__(self) -> str:
        """The search."""
        return f"<{type(self).__name__}: {self._search!r}>"

    @abstractmethod
    def _is_prepared(self) -> bool:
        """Whether the search can be used without waiting."""

    @abstractmethod
    def _is_compiled(self) -> bool:
        """Whether the kernels only have to be loaded."""

    @abstractmethod
    def _group(self) -> str:
        """Name of the group of kernels."""

    @abstractmethod
    def _prepare(self) -> None:
        """Load the kernels."""

    @abstractmethod
    def _kernels(self) -> Hashable:
        """What the kernels are known by: those who need the same ones wait for the same thread."""

    @abstractmethod
    def _publish(self) -> None:
        """Bring all traits up to date with the search."""

    # --- loading the kernels -----------------------------------------------------------------------------------------

    def _begin(self) -> None:
        """Show the first position, the controls and what is known at once; what needs kernels follows."""
        if self._is_prepared():
            self._publish()
            return
        is_kept = is_ours(self._search.game)
        self._announcement = Announcement("search", is_compiled=None, group=self._group(), is_kept=is_kept)
        self._say(self._announcement)
        every(SECONDS_BETWEEN_WORDS, self._say_again)
        in_background(("compiled?", self._kernels()), self._is_compiled, self._when_known)

    def _when_known(self, error: Exception | None) -> None:
        """Say whether the kernels have to be compiled, now that this can be found out at once, and load them."""
        if error is not None or self._is_prepared():
            self._when_prepared(error)
            return
        self._announcement.is_compiled = self._is_compiled()
        self._say(self._announcement)
        in_background(("prepare", self._kernels()), self._prepare, self._when_prepared)

    def _when_prepared(self, error: Exception | None) -> None:
        """Come alive now that the kernels are loaded, unless another search has taken the place of theirs."""
        if error is not None:
            self._give_up(error)
        elif self._is_prepared():
            self.come_alive()

    def come_alive(self) -> None:
        """Show everything now that the kernels are loaded, and do what was asked for meanwhile."""
        pending, self._pending, self._loading = self._pending, [], ""
        try:
            self._publish()
            for action in pending:
                action()
        except Exception as error:  # noqa: BLE001  whatever it is, the reader sees it
            self.show_exception(error)

    def _say(self, text: object) -> None:
        """Say what is being waited for."""
        self._loading = text
        self._publish()

    def _say_again(self) -> bool:
        """Say how long it still takes; return whether somebody waits."""
        if self._loading:
            self._publish_record()
        return bool(self._loading)

    def _give_up(self, error: Exception) -> None:
        """Show why the kernels cannot be loaded; whatever is asked for next begins another attempt."""
        self._pending.clear()
        self._notice = "The search could not be loaded."
        self._say("")
        self.show_exception(error)

    def _do(self, action: Callable[[], None]) -> None:
        """Do something with the search, or note it down while the kernels are being loaded."""
        if self._is_prepared():
            action()
            return
        self._pending.append(action)
        if self._loading:
            self._publish()
        else:
            self._begin()

    # --- showing -----------------------------------------------------------------------------------------------------

    def _publish_record(self) -> None:
        """How long the record is, and how far a run is."""
        search = self._search
        is_running, is_loading = search.is_running, bool(self._loading)
        waiting = _with_step(self._loading) if self._pending else str(self._loading)
        self.record = {
            "last": search.last,
            "running": is_running,
            "text": waiting or self._notice,
            "share": self._share if is_running and not is_loading else None,
            "busy": is_loading,
            "refusals": self._n_refusals,  # a page that hears the same words again still hears an answer
        }

    @contextmanager
    def _showing_trouble(self) -> Iterator[None]:
        """Show what goes wrong in something that nobody waits for."""
        try:
            yield
        except Exception as error:  # noqa: BLE001  whatever it is, the reader sees it
            self.show_exception(error)

    # --- following the search ----------------------------------------------------------------------------------------

    def _on_news(self, news: News) -> None:
        """The search has moved, perhaps in another thread."""
        if news.kind == "progress":
            now = time.monotonic()
            if now < self._next_frame_at:
                return
            self._next_frame_at = now + SECONDS_BETWEEN_FRAMES
            self._notice, self._share = str(news.progress), news.progress.share if news.progress else None
        elif news.kind == "moved":
            self._notice, self._is_solution_shown = "", False
        elif news.kind == "ended":
            self._notice = self._end_run(news)
            if news.error is not None:
                self.show_exception(news.error)
        self._publish()

    def _end_run(self, news: News) -> str:
        """A run has ended; return what to say of it."""
        return f"{ENDINGS.get(news.reason, news.reason)} at {self._unit} {self._search.steps:,}"


def _with_step(loading: object) -> str:
    """What is waited for, and that a step was asked for meanwhile."""
    return loading.before(FOLLOWS) if isinstance(loading, Announcement) else f"{loading} {FOLLOWS}"
