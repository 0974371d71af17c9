"""Drives a search in plain Python: a generator that notes what it does, one `yield` a step."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sokoviz.core.tree import flags
from sokoviz.core.types import NOWHERE
from sokoviz.errors import SearchError
from sokoviz.search.contract import NO_STOP, Counters
from sokoviz.search.plain.note import Note

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sokoviz.search.contract import Stop


class PlainEngine:
    """The generator of one search, and what it has noted.

    Parameters
    ----------
    search
        Begins the search: a function of a `Note`.
    """

    def __init__(self, search: Callable[[Note], Iterator[None]]) -> None:
        self.record = Note()
        self._generator = search(self.record)
        self._is_over = False
        self._trouble = ""

    numbers_nodes = True

    @property
    def counters(self) -> Counters:
        """How much was done."""
        return self.record.counters_after(self.record.last)

    @property
    def ending(self) -> str:
        """Why nothing is left to go on with, empty while there is something; a generator that ends proves nothing."""
        return "exhausted" if self._is_over else ""

    def load(self) -> None:
        """Nothing is compiled."""

    def is_compiled(self) -> bool:
        """Nothing is compiled."""
        return True

    def advance(self, n: int, stop: Stop = NO_STOP) -> str:
        """Make n steps; return why it made fewer.

        Raises
        ------
        SearchError
            If the search has failed in a step before.
        """
        record, wanted = self.record, self.record.last + n
        while record.last < wanted:
            reason = self.ending or stop.reached(self.counters)
            if reason:
                return reason
            if not self._make_step():
                return self.ending
            if record.marks[-1] & flags.SOLUTION:
                return "solved"
            if self.ending:
                return self.ending
            is_met = record.marks[-1] & stop.marks
            if is_met or (stop.node != NOWHERE and record.first_visit(stop.node, record.last - 1, record.last)):
                return "until"
        return ""

    def _make_step(self) -> bool:
        """Go on to the next `yield`; return whether there was a step."""
        if self._trouble:
            message = f"expected a search that can go on, found that it failed in step {self.record.last + 1}: "
            raise SearchError(message + self._trouble)
        try:
            next(self._generator)
        except StopIteration:
            self._is_over = True
        except BaseException as error:  # a generator that raised is at its end: say so from now on
            self._trouble = f"{type(error).__name__}: {error}"
            self.record.drop_step()
            raise
        return self.record.end_step(is_last=self._is_over)
