"""A recorded search as a page of its own: the explorer's parts over a record, without a kernel and without network."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sokoviz.widgets import frames
from sokoviz.widgets.explorer import STYLES, Explorer, moment_of
from sokoviz.widgets.modules import plotly_bundle
from sokoviz.widgets.packing import pack
from sokoviz.widgets.recording import Recorder, recorded_spans
from sokoviz.widgets.standalone import make_page
from sokoviz.widgets.stepping import arrival, noun

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sokoviz.search.protocol import Moment
    from sokoviz.search.tree_search import MCTS

OPTIONS = ("speed", "play_unit", "max_depth", "min_visits", "component", "pushes", "matching")
"""traits of the explorer that begin as they do there"""

LIMITS = "To search on, to filter the tree or to unfold more of it takes Python, which this page does without."


def recorded_page(search: MCTS, most: int) -> str:
    """Return a page as HTML in which a search can be stepped through.

    Parameters
    ----------
    search
        The search; it is moved.
    most
        How many iterations to record at most, see `recorded_spans`.
    """
    opening, spans = search.moment, recorded_spans(search.last, most)
    recorder = Recorder(search, Explorer.node_limit.default_value)
    parts = list(map(pack, recorder.parts(spans)))
    start = {
        "values": _first_values(search, recorder),
        "moments": recorder.moments,
        "parts": recorder.firsts,
        "events": _events(search, recorder),
        "nouns": {event: noun(event) for event in search.game.events},
        "film": recorder.film(),
        "boards": recorder.boards,
        "held": f"recorded: {describe_spans(spans, search.last)}",
        "last": search.last,
        "opening": _opening(recorder.moments, opening),
    }
    attached = {"plotly": plotly_bundle(compresslevel=9), "record": pack(start)}
    attached |= {f"part-{number}": part for number, part in enumerate(parts)}
    note = f"A recorded search: {describe_spans(spans, search.last)}. {LIMITS}"
    return make_page("explorer_page", STYLES, {"note": note}, f"{search.name} · {search.game.title}", attached)


def describe_spans(spans: Sequence[range], last: int) -> str:
    """Return which iterations are recorded, in words."""
    ends = [(f"{span[0]:,}", f"{span[-1]:,}") for span in spans]
    names = [first if first == end else f"{first} to {end}" for first, end in ends]
    return f"iterations {' and '.join(names)} of {last:,}"


def _first_values(search: MCTS, recorder: Recorder) -> dict[str, Any]:
    """What is the same at all moments, and what the reader can choose."""
    places = {
        moment.iteration: place for place, moment in enumerate(each for each in recorder.moments if not each.phase)
    }
    return {
        "about": frames.about(search),
        "charts": frames.charts(search),
        "ticks": {event: [places[number] for number in numbers] for event, numbers in recorder.events.items()},
        **{name: getattr(Explorer, name).default_value for name in OPTIONS},
    }


def _events(search: MCTS, recorder: Recorder) -> dict[str, list[tuple[int, int, str]]]:
    """For each kind of event the iterations with one, the moments that show it, and what to say there."""
    index_of = {moment: index for index, moment in enumerate(recorder.moments)}
    return {
        event: [
            (number, index_of[moment_of(search, event, number)], arrival(event, number, "iteration"))
            for number in numbers
        ]
        for event, numbers in recorder.events.items()
    }


def _opening(moments: Sequence[Moment], moment: Moment) -> int:
    """Where a moment stands in the record; where it does not, the last complete iteration before it."""
    if moment in moments:
        return moments.index(moment)
    return max(index for index, each in enumerate(moments) if not each.phase and each.iteration <= moment.iteration)
