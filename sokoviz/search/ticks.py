"""Where events lie on a slider, in a few hundred ticks, kept up to date by looking only at what is new in a record.

Stretches of steps have a width that is a power of two. When the record outgrows that, it doubles, and of two ticks that
fall together the first one stays: what is seen does not wobble while a search goes on.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sokoviz.search.options import EVENTS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sokoviz.core.types import Integers

MOST_TICKS = 300  # stretches with an event of a kind

Ticks = dict[str, "Integers"]
"""for each kind of event the first step in each stretch that is marked with it"""


def no_ticks(events: Iterable[str]) -> Ticks:
    """Return the ticks of no steps, for some kinds of events."""
    return {name: np.zeros(0, dtype=np.int64) for name in events}


def stride_of(n: int, most: int) -> int:
    """Return the smallest power of two by which n steps fall into at most so many stretches."""
    return 1 << (max(n - 1, 0) // most).bit_length()


def more_ticks(ticks: Ticks, done: int, marks: Integers) -> Ticks:
    """Return the ticks of all steps, given those of the steps that are done.

    Parameters
    ----------
    ticks
        Of the first `done` steps.
    done
        How many these are.
    marks
        int64[n]: bits of all steps; only what is new is looked at.
    """
    stride = stride_of(len(marks), MOST_TICKS)
    new = marks[done:]
    found = {}
    for name, before in ticks.items():
        steps = np.concatenate([before, np.flatnonzero(new & EVENTS[name][0]) + done + 1])
        found[name] = steps[np.diff((steps - 1) // stride, prepend=-1) > 0]
    return found
