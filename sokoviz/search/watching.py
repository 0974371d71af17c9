"""Who is told when a search moves."""

from __future__ import annotations

import weakref
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from sokoviz.search.progress import Progress


@dataclass(frozen=True)
class News:
    """What the watchers of a search are told."""

    kind: str
    """moved, progress or ended"""
    progress: Progress | None = None
    reason: str = ""
    """why a run in the background ended"""
    error: Exception | None = None
    """what went wrong in it"""


class Watched:
    """Something whose watchers are told its news."""

    def __init__(self) -> None:
        self._watchers: list[weakref.ref[Any]] = []

    def watch(self, method: Callable[[News], None]) -> None:
        """Call a method with each piece of `News`, for as long as its object lives; from another thread while running.

        Parameters
        ----------
        method
            A bound method.
        """
        self._watchers.append(weakref.WeakMethod(method))

    def unwatch(self, method: Callable[[News], None]) -> None:
        """Call a method no longer."""
        self._watchers = [reference for reference in self._watchers if reference() not in {None, method}]

    def _tell(self, news: News) -> None:
        """Tell the watchers; a run in the background that outlives them goes on."""
        for reference in list(self._watchers):
            method = reference()
            if method is None:
                self._watchers.remove(reference)
            else:
                method(news)
