"""A small learner for the tests of heatmaps: it has learned all of its level, in a moment once it is compiled."""

from __future__ import annotations

from functools import cache

import sokoviz as sv
from sokoviz.widgets.base import loading as warmup
from sokoviz.widgets.heatmaps import widget as heatmap


@cache
def learned(seed: int = 1, lesson: str = "lessons#17") -> sv.Curry:
    """Return a learner that has solved its level; tests do not change it. All kernels are loaded then."""
    curry = sv.Curry(sv.load(lesson), seed=seed)
    curry.run(seconds=60, progress=False)
    warmup._load()  # where an event loop runs, as under browser tests, they would load in the background
    heatmap.load_learner(curry)
    return curry
