"""What the tests of the explorer's Python side share: doing what its page does, and reading what it shows."""

from __future__ import annotations

import time

from sokoviz.widgets.explorer.frames import unpack_arrays


def send(explorer, kind, **arguments):
    """What the page does; nothing may go wrong."""
    explorer._handle_custom_msg({"kind": kind, **arguments}, [])
    assert explorer.trouble["summary"] == ""


def step(explorer, unit="phase", direction=1):
    """Step or go back."""
    send(explorer, "step", unit=unit, direction=direction)


def words(explorer):
    """The sentence under the tree."""
    return "".join(text for text, _ in explorer.story["runs"])


def shown(explorer):
    """Nodes that are drawn."""
    return unpack_arrays(explorer.tree)["ids"].tolist()


def wait_for(condition, seconds=20):
    """Wait until something is so."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.01)


def go_to(search, event, phase, number=0):
    """Stand in a phase of an iteration that is marked with an event, and return its explanation."""
    history = search.history
    k = int(history.index[history[event]][number])
    search.goto(k - 1, phase)
    return search.explain(k)
