"""Shows how far a long run has come: a line that is overwritten, in a notebook and in a terminal."""

from __future__ import annotations

import sys
import threading
import time
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sokoviz.search.contract import Counters
    from sokoviz.search.limits import Limits

SECONDS_BEFORE = 0.5  # a run shorter than this shows nothing
SECONDS_BETWEEN = 0.2
SECONDS_BETWEEN_WORDS = 1.0  # about how long it still takes


@dataclass(frozen=True)
class Progress:
    """How far a run has come."""

    done: Counters
    """in this run"""
    nodes: int
    """that there are in all"""
    seconds: float
    """since the run began"""
    cpu_seconds: float
    limits: Limits
    unit: str = "iteration"
    """what a step is called"""

    @property
    def share(self) -> float | None:
        """Part of the way that is behind, from 0 to 1; None where that is not known."""
        limits = self.limits
        pairs = [
            (self.done.steps, limits.steps),
            (self.done.iterations, limits.iterations),
            (self.done.nodes, limits.nodes),
            (self.seconds, limits.seconds),
            (self.cpu_seconds, limits.cpu_seconds),
        ]
        shares = [gone / limit for gone, limit in pairs if limit]
        return min(1.0, max(shares)) if shares else None

    def __str__(self) -> str:
        steps, seconds, limits = self.done.steps, self.seconds, self.limits
        target = limits.steps or (limits.iterations if steps == self.done.iterations else None)
        of = f" of {target:,}" if target else ""
        rate = f", {steps / seconds:,.0f} a second" if seconds else ""
        return f"{steps:,}{of} {self.unit}s, {self.nodes:,} nodes, {seconds:.1f} s{rate}"


class Line:
    """A line that is overwritten, in a notebook or in a terminal."""

    def __init__(self) -> None:
        self._handle: Any = None
        self._in_notebook = _in_notebook()
        self._is_written = False

    @property
    def has_reader(self) -> bool:
        """Whether a person looks on."""
        return self._in_notebook or sys.stderr.isatty()

    def write(self, text: str) -> None:
        """Put a text where the line is."""
        self._is_written = True
        if not self._in_notebook:
            sys.stderr.write(f"\r\x1b[K{text}")
            sys.stderr.flush()
        elif self._handle is None:
            from IPython.display import display

            self._handle = display({"text/plain": text}, raw=True, display_id=True)
        else:
            self._handle.update({"text/plain": text}, raw=True)

    def clear(self) -> None:
        """Take the line away."""
        if self._is_written:
            self.write("")


class ProgressLine:
    """Shows progress while a run lasts.

    Parameters
    ----------
    wanted
        True shows it, False does not, None shows it where a person looks on: in a notebook or a terminal. A function
        is called with each `Progress` instead.
    """

    def __init__(self, wanted: bool | Callable[[Progress], object] | None) -> None:  # noqa: FBT001  as users give it
        self._line = Line()
        self._tell = wanted if callable(wanted) else self._show
        self._shows = bool(wanted) or (wanted is None and self._line.has_reader)
        self._next = time.monotonic() + (0 if callable(wanted) else SECONDS_BEFORE)

    def __enter__(self) -> Self:
        return self

    def __call__(self, progress: Progress) -> None:
        """Show progress, unless it was shown a moment ago."""
        if self._shows and time.monotonic() >= self._next:
            self._next = time.monotonic() + SECONDS_BETWEEN
            self._tell(progress)

    def _show(self, progress: Progress) -> None:
        """Overwrite the line."""
        share = progress.share
        bar = "" if share is None else f"{'█' * round(20 * share):░<20} "
        self._line.write(f"{bar}{progress}; interrupt to stop, nothing is lost")

    def __exit__(self, *_: object) -> None:
        self._line.clear()


@contextmanager
def saying(text: object) -> Iterator[None]:
    """Say what is being waited for, where that takes more than a moment and a person looks on.

    Parameters
    ----------
    text
        Made a string anew from time to time: it may say something else then.
    """
    line, is_over = Line(), threading.Event()
    teller = threading.Thread(target=_tell, args=(line, text, is_over), daemon=True)
    if line.has_reader:
        teller.start()
    try:
        yield
    finally:
        is_over.set()
        if line.has_reader:
            teller.join()
        line.clear()


def _tell(line: Line, text: object, is_over: threading.Event) -> None:
    """Keep a line up to date until what is waited for is there."""
    said, pause = "", SECONDS_BEFORE
    while not is_over.wait(pause):
        if said != (said := str(text)):
            line.write(said)
        pause = SECONDS_BETWEEN_WORDS


def _in_notebook() -> bool:
    """Whether a Jupyter kernel runs this."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython else None
    return shell is not None and getattr(shell, "kernel", None) is not None
