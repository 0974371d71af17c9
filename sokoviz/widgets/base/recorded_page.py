"""A recorded search as a page of its own: the explorer's parts over a record, without a kernel and without network."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sokoviz.widgets.base.modules import plotly_bundle
from sokoviz.widgets.base.packing import pack
from sokoviz.widgets.base.recorder import recorded_spans
from sokoviz.widgets.base.standalone import make_page
from sokoviz.widgets.base.stepping import arrival, noun

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sokoviz.search.contract import Moment
    from sokoviz.search.search import AnySearch
    from sokoviz.widgets.base.recorder import Recorder


def recorded_page(search: AnySearch, most: int) -> str:
    """Return a page as HTML in which a search can be stepped through.

    Parameters
    ----------
    search
        The search; it is moved.
    most
        How many iterations to record at most, see `recorded_spans`.
    """
    opening, spans = search.moment, recorded_spans(search.last, most)
    recorder = search.recorder()
    parts = list(map(pack, recorder.parts(spans)))
    held = describe_spans(spans, search.last, recorder.unit)
    start = {**_start(recorder, opening), "held": f"recorded: {held}", "last": search.last}
    attached = {"plotly": plotly_bundle(compresslevel=9), "record": pack(start)}
    attached |= {f"part-{number}": part for number, part in enumerate(parts)}
    note = f"A recorded search: {held}. {recorder.limits}"
    title = f"{search.name} · {search.game.title}"
    return make_page(recorder.module, recorder.styles, {"note": note}, title, attached)


def describe_spans(spans: Sequence[range], last: int, unit: str = "iteration") -> str:
    """Return which iterations are recorded, in words."""
    ends = [(f"{span[0]:,}", f"{span[-1]:,}") for span in spans]
    names = [first if first == end else f"{first} to {end}" for first, end in ends]
    return f"{unit}s {' and '.join(names)} of {last:,}"


def _start(recorder: Recorder, opening: Moment) -> dict[str, Any]:
    """All of a record but its parts."""
    values = recorder.values()
    return {
        "values": {**values, "ticks": _places(recorder.moments, values["ticks"])},
        "moments": recorder.moments,
        "parts": recorder.firsts,
        "events": _events(recorder),
        "nouns": {event: noun(event) for event in recorder.events},
        "unit": recorder.unit,
        "film": recorder.film,
        "opening": _opening(recorder.moments, opening),
        **recorder.store(),
    }


def _places(moments: Sequence[Moment], ticks: dict[str, list[int]]) -> dict[str, list[int]]:
    """Where iterations stand among those that are recorded."""
    complete = [moment.step for moment in moments if not moment.phase]
    places = {number: place for place, number in enumerate(complete)}
    return {event: [places[number] for number in numbers] for event, numbers in ticks.items()}


def _events(recorder: Recorder) -> dict[str, list[tuple[int, int, str]]]:
    """For each kind of event the iterations with one, the moments that show it, and what to say there."""
    index_of = {moment: index for index, moment in enumerate(recorder.moments)}
    return {
        event: [
            (number, index_of[recorder.moment_of(event, number)], arrival(event, number, recorder.unit))
            for number in numbers
        ]
        for event, numbers in recorder.events.items()
    }


def _opening(moments: Sequence[Moment], moment: Moment) -> int:
    """Where a moment stands in the record; where it does not, the last complete iteration before it."""
    if moment in moments:
        return moments.index(moment)
    return max(index for index, each in enumerate(moments) if not each.phase and each.step <= moment.step)
