"""A search by Schokoban or Vanillaban as a file: what it was made with and how far it came. Reading it searches again.

The same seed gives the same tree on every machine, and a hundred thousand iterations take a second: so nothing but the
number of iterations has to be kept, and nothing in a file has to be trusted. A digest of the tree tells whether the
search that is made again is the one that was saved.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sokoviz.core.tree.arena import ACTION, PARENT, STATUS, VISITS
from sokoviz.errors import SearchError, SokovizError
from sokoviz.search.file_head import read_head, read_words, refuse, words_of

if TYPE_CHECKING:
    from sokoviz.search.mcts.schokoban import SokobanSearch

FORMAT = "sokoviz solver"
VERSION = 1
HEAD = {"solver", "level", "title", "name", "options", "iterations", "moment", "seconds", "tree"}
OPTIONS = (
    "preset",
    "seed",
    "c",
    "selection",
    "deadlocks",
    "late",
    "remembered",
    "stall",
    "distance",
    "inward",
    "areas",
    "memory",
)


def save(search: SokobanSearch, path: str | Path) -> None:
    """Write a search to a file; the file appears only when it is complete."""
    head = {
        "format": FORMAT,
        "version": VERSION,
        "solver": type(search).__name__.lower(),
        "level": "\n".join(search.level.rows),
        **words_of(search.level),
        "options": _options_of(search),
        "iterations": search.last,
        "moment": list(search.moment),
        "seconds": search.seconds,
        "tree": digest_of(search),
    }
    target = Path(path)
    partial = target.with_name(target.name + ".partial")
    partial.write_text(json.dumps(head, indent=1), encoding="utf-8")
    partial.replace(target)


def _options_of(search: SokobanSearch) -> dict[str, Any]:
    """The options that a search was made with."""
    known = {**asdict(search.settings), **asdict(search.settings.pushing), "preset": search.preset}
    return {name: known[name] for name in OPTIONS}


def digest_of(search: SokobanSearch) -> str:
    """Return a hash of the tree at the end of the record."""
    engine = search.engine
    engine.go_to_end()
    n, arena = engine.n_nodes, engine.arena
    digest = hashlib.sha256(arena.sums[:n].tobytes())
    for row in (PARENT, ACTION, VISITS, STATUS):
        digest.update(arena.links[row, :n].tobytes())
    return digest.hexdigest()


def load(path: str | Path) -> SokobanSearch:
    """Return the search that a file tells of, by searching again.

    Raises
    ------
    SearchFileError
        If the file tells of no search, or of one that cannot be made again.
    """
    head = _read(Path(path))
    search = _make(path, head)
    _make_again(search, head["iterations"])
    if digest_of(search) != head["tree"]:
        refuse(path, "a search that can be made again, found that it gives another tree")
    try:
        search.seconds = float(head["seconds"])
        search.goto(*head["moment"])
    except (SearchError, TypeError, ValueError) as error:
        refuse(path, f"seconds and a moment of the record, found {head['seconds']!r} and {head['moment']!r}: {error}")
    return search


def _make_again(search: SokobanSearch, iterations: int) -> None:
    """Search on to that many iterations, past a solution; fewer where the search cannot go on."""
    stopped_by = ""
    while search.last < iterations and stopped_by not in {"unsolvable", "memory"}:
        stopped_by = search.run(iterations=iterations - search.last).stopped_by
        if stopped_by == "interrupted":
            raise KeyboardInterrupt


def _make(path: str | Path, head: dict[str, Any]) -> SokobanSearch:
    """The search of a file, before its first iteration."""
    from sokoviz.levels import Level
    from sokoviz.search.mcts.schokoban import SOLVERS

    try:
        options = {**head["options"], "deadlocks": tuple(head["options"]["deadlocks"])}
        level = Level(head["level"].split("\n"), **read_words(head))
        return SOLVERS[head["solver"]](level, **options)
    except (SokovizError, AttributeError, KeyError, TypeError, ValueError) as error:
        refuse(path, f"settings of a search, found none that work: {error}")


def _read(path: Path) -> dict[str, Any]:
    """The contents of a file."""
    head = read_head(path, FORMAT, VERSION, HEAD)
    iterations = head.get("iterations")
    if isinstance(iterations, bool) or not isinstance(iterations, int) or iterations < 0:
        refuse(path, f"a number of iterations, found {iterations!r}")
    return head
