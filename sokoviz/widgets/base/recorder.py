"""What recorders share: which moments of a search a page holds, in parts that are unpacked one by one."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from sokoviz.errors import SearchError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from sokoviz.search.contract import Moment

A_PART = 25
"""iterations of a part: each is unpacked by itself, when the reader gets there"""


def recorded_spans(last: int, most: int) -> list[range]:
    """Return which iterations to record: all of them, or as many of the first as of the last where they are too many.

    Parameters
    ----------
    last
        Number of the last iteration.
    most
        How many iterations at most; the bare root, number 0, is none.

    Raises
    ------
    SearchError
        If that is none at all.
    """
    if most < 1:
        message = f"expected at least 1 iteration to record, found {most}"
        raise SearchError(message)
    if last <= most:
        return [range(last + 1)]
    n_late = most // 2
    early = range(most - n_late + 1)
    return [early, range(last - n_late, last + 1)] if n_late else [early]


class Shot(NamedTuple):
    """The solution after some of its pushes."""

    node: int
    position: dict[str, Any]
    """the board, and the ways of its pieces since the push before"""
    stage: int
    """what is shown around the board: shots of one stage share it"""


class Recorder(ABC):
    """Goes through a search and notes what the explorer shows.

    Parameters
    ----------
    events
        Kinds of events that are noted.
    """

    unit: ClassVar[str] = "iteration"
    """what a reader is told that the search does one after the other"""
    module: ClassVar[str]
    """the module of a page that shows the record"""
    styles: ClassVar[tuple[str, ...]]
    """its style sheets"""
    limits: ClassVar[str]
    """what takes Python, in words"""
    is_by_node: ClassVar[bool]
    """whether each push of a solution has a node of its own, so that selecting one goes there"""

    def __init__(self, events: Iterable[str]) -> None:
        self.moments: list[Moment] = []
        """all moments that are recorded, in their order"""
        self.firsts: list[int] = []
        """which entry each part begins with: those of the moments, and after them those of the solution"""
        self.events: dict[str, list[int]] = {event: [] for event in events}
        """iterations marked with each kind of event, of those that are shown as a whole"""
        self.film: dict[str, Any] | None = None
        """the solution push by push at the last moment recorded, None where there is none there"""
        self._n_entries = 0

    def parts(self, spans: Iterable[range]) -> Iterator[list[dict[str, Any]]]:
        """Yield the record part by part: one entry a moment, then those of the solution; a part needs no other."""
        for span in spans:
            for first in range(0, len(span), A_PART):
                moments = self._moments_of(span[first : first + A_PART], is_first=first == 0)
                yield self._part(map(self._record, moments))
        yield from self._film_parts()

    def _part(self, entries: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
        """Some entries, of which the first needs none before it."""
        self._forget()
        self.firsts.append(self._n_entries)
        part = list(entries)
        self._n_entries += len(part)
        return part

    def _film_parts(self) -> Iterator[list[dict[str, Any]]]:
        """What is shown while the solution is played."""
        shots = self._shots()
        if not shots:
            return
        stages, begin = list(dict.fromkeys(shot.stage for shot in shots)), self._n_entries
        for first in range(0, len(stages), A_PART):
            yield self._part(map(self._stage, stages[first : first + A_PART]))
        self.film = {
            "nodes": [shot.node for shot in shots],
            "positions": [shot.position for shot in shots],
            "entries": [begin + stages.index(shot.stage) for shot in shots],
            "by_node": self.is_by_node,
        }

    # --- what depends on the search ----------------------------------------------------------------------------------

    @abstractmethod
    def values(self) -> dict[str, Any]:
        """Return what is the same at all moments, and what the reader can choose; ticks are iterations."""

    @abstractmethod
    def store(self) -> dict[str, Any]:
        """Return what was noted once for several moments."""

    @abstractmethod
    def moment_of(self, event: str, number: int) -> Moment:
        """Return the moment that shows an event of an iteration."""

    @abstractmethod
    def _moments_of(self, numbers: range, *, is_first: bool) -> Iterator[Moment]:
        """The moments of iterations; `is_first` tells whether nothing is recorded right before them."""

    @abstractmethod
    def _record(self, moment: Moment) -> dict[str, Any]:
        """Note a moment, and what is shown there."""

    @abstractmethod
    def _forget(self) -> None:
        """Note anew what was noted of the moments before: a part needs no other."""

    @abstractmethod
    def _shots(self) -> Sequence[Shot]:
        """The solution push by push at the last moment recorded; empty where there is none."""

    @abstractmethod
    def _stage(self, stage: int) -> dict[str, Any]:
        """What is shown around some shots of the solution."""
