"""Moving through a search by hand: what the transport of a page asks for, whichever search it is."""

from __future__ import annotations

import re
import time
from abc import abstractmethod
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import traitlets

from sokoviz.search.contract import Moment
from sokoviz.search.options import EVENTS
from sokoviz.search.search import MOST_RECORDED
from sokoviz.widgets.base.following import SECONDS_BETWEEN_FRAMES, Following
from sokoviz.widgets.base.modules import plotly_bundle
from sokoviz.widgets.base.widget import BaseWidget
from sokoviz.words import count

if TYPE_CHECKING:
    from sokoviz.search.watching import News

FRAMES_A_SECOND = 16  # beyond this speed, playing takes several iterations a frame


class Stepping(Following):
    """A search that a reader moves: by steps, by playing, by running on, to an event."""

    playing = traitlets.Bool(default_value=False).tag(sync=True)
    """whether steps are played one by one"""

    speed = traitlets.Float(2.0, min=0.1, max=240.0).tag(sync=True)
    """steps a second when playing"""

    large_type = traitlets.Bool(default_value=False).tag(sync=True)
    """whether all type is large, for a projector"""

    _aim = ""
    """the event that a run in the background looks for"""

    # --- what depends on the search ----------------------------------------------------------------------------------

    @abstractmethod
    def _go(self, moment: Moment) -> None:
        """Go to a moment of the record."""

    @abstractmethod
    def _moment_of(self, event: str, number: int) -> Moment:
        """The moment that shows an event of an iteration."""

    @abstractmethod
    def _on_select(self, node: int) -> None:
        """Select a node by hand."""

    @abstractmethod
    def _has_ended(self) -> bool:
        """Whether there is nothing to go on with at the end of the record."""

    def _end_in_words(self) -> str:
        """What to say where there is nothing to go on with."""
        return "The level is proven unsolvable: nothing is left to search."

    @abstractmethod
    def _find_previous(self, event: str, before: int) -> int | None:
        """The last iteration before one that is marked with a kind of event."""

    # --- what the page asks for --------------------------------------------------------------------------------------

    def _select_what_was_asked(self, _change: object) -> None:
        """Somebody has set `node`."""
        if not self._is_publishing:
            node = self.node
            self._do(lambda: self._on_select(node))

    def _answer(self, kind: str, arguments: dict[str, Any]) -> None:
        """Answer a message of the page."""
        if kind in {"plotly", "dismiss"}:
            super()._answer(kind, arguments)
        else:
            self._do(lambda: BaseWidget._answer(self, kind, arguments))  # noqa: SLF001  our own

    def _on_goto(self, iteration: int) -> None:
        """Go to an iteration."""
        self._notice = ""
        self._go(Moment(min(max(0, int(iteration)), self._search.last)))

    def _is_over(self) -> bool:
        """Whether there is nothing to go on with; says so, and plays no longer."""
        search = self._search
        if search.steps < search.last or not self._has_ended():
            return False
        self.playing = False
        self._notice = self._end_in_words()
        self._n_refusals += 1
        with self._publishing():
            self._publish_record()
        return True

    def _on_previous(self, to: str) -> None:
        """Go back to an event of some kind, as it was shown when the search ran to it."""
        search = self._search
        self.playing = False
        search.stop()
        shown = search.steps + bool(search.phase)
        number = self._find_previous(to, shown)
        if number is not None:
            self._go(self._moment_of(to, number))
        self._notice = (
            arrival(to, number, self._unit) if number is not None else f"No {noun(to)} before {self._unit} {shown:,}."
        )
        with self._publishing():
            self._publish_record()

    def _end_run(self, news: News) -> str:
        """Show the event that a run has found; say what came of it."""
        event, self._aim = self._aim, ""
        number = self._search.steps
        is_found = news.reason == "until" or (event == "solution" and news.reason == "solved")
        if not event or news.reason in {"stopped", "error"}:
            return super()._end_run(news)
        if not is_found:
            where = "before the solution at" if news.reason == "solved" else "up to"
            return f"No {noun(event)} {where} {self._unit} {number:,}."
        moment = self._moment_of(event, number)
        if moment != self._search.moment:
            self._go(moment)
        return arrival(event, number, self._unit)

    def _on_run(self, to: str, value: int | None = None) -> None:
        """Run in the background to an iteration or an event."""
        search = self._search
        self.playing = False
        self._aim = ""
        if to == "iteration":
            target = int(value or 0)
            if target <= search.last:
                self._on_goto(target)
                return
            self._start(f"running to {self._unit} {target:,}", steps=target - search.steps)
        else:
            search.stop()
            if search.phase:
                self._go(Moment(search.steps + 1))  # what this iteration shows is not the next
            if self._is_over():
                return
            self._aim = to
            self._start(f"running to the {EVENTS[to][1]}", until=to)

    def _start(self, words: str, **goal: Any) -> None:
        """Start a run in the background and show that it runs."""
        self._search.stop()  # its news must not come after those of the new run
        self._notice, self._share = words, 0.0
        self._next_frame_at = time.monotonic() + SECONDS_BETWEEN_FRAMES
        self._search.start(**goal)
        with self._publishing():
            self._publish_record()

    def _on_stop(self) -> None:
        """Stop a run, or playing."""
        self.playing = False
        self._search.stop()

    def _on_plotly(self) -> None:
        """Send the drawing library, which the page asks for once."""
        self.send({"kind": "plotly"}, buffers=[plotly_bundle()])

    def _on_export(self) -> None:
        """Send a page that works without a kernel, for the browser to save it; say so before, and where it is after."""
        search = self._search
        self.playing = False
        self._tell(f"Writing a page of {count(min(search.last, MOST_RECORDED), self._unit)} …")
        name = f"{re.sub('[^a-z0-9]+', '-', f'{search.name} {search.game.title}'.lower()).strip('-')}.html"
        with TemporaryDirectory() as folder:
            page = search.export(Path(folder, name)).read_bytes()
        self.send({"kind": "page", "name": name}, buffers=[page])
        self._tell(f"Among your downloads, {len(page) / 1e6:.1f} MB: {name}")

    def _tell(self, notice: str) -> None:
        """Say something at once."""
        self._notice = notice
        with self._publishing():
            self._publish_record()


def noun(event: str) -> str:
    """Return what one event of a kind is called."""
    return EVENTS[event][1].removeprefix("next ")


def arrival(event: str, number: int, unit: str) -> str:
    """Return what to say where an event was found."""
    name = noun(event)
    return f"{name[0].upper()}{name[1:]} in {unit} {number:,}; stopped where asked."
