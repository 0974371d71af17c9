"""Write tests/data/perft.json: numbers of push lines by depth, counted by the naive generator.

Run it from the checkout with ``python -m tests.data.make_perft``.
"""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

from sokoviz.formats import LevelText, board_text, read_levels
from tests.twins import naive
from tests.worlds import random_text

PATH = Path(__file__).resolve().parent / "perft.json"
LESSONS = PATH.parents[2] / "levels" / "lessons.sok"
MOST_LINES = 60_000  # the depth at which a table ends


def cases():
    """Names and texts: all lessons, and some random levels of up to 12 boxes."""
    lessons = read_levels(LESSONS.read_bytes())
    yield from ((level.title, board_text(level.rows)) for level in lessons.levels if isinstance(level, LevelText))
    random = Random(2024)
    for n_boxes in (2, 3, 4, 5, 6, 8, 10, 12):
        side = 6 + n_boxes // 2
        yield f"random, {n_boxes} boxes", random_text(random, side, side + 2, n_boxes, wall_share=0.2)


def lines_by_depth(text):
    """Numbers of lines of 1, 2, 3, ... pushes."""
    floor, _, boxes, player = naive.read(text)
    counts: list[int] = []
    while len(counts) < 12 and (not counts or 0 < counts[-1] < MOST_LINES / 10):
        counts.append(naive.count_lines(floor, boxes, player, len(counts) + 1))
    return counts


def main():
    """Count and write."""
    table = [{"name": name, "level": text, "lines": lines_by_depth(text)} for name, text in cases()]
    PATH.write_text(json.dumps(table, indent=1) + "\n")


if __name__ == "__main__":
    main()
