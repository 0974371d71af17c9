"""Iterative deepening as a file: what it was made with and how far it came. Reading it searches again.

The arrays of a search are its transposition table (a quarter of a gigabyte that does not compress), its record (up to
two) and the patterns it learned, full of numbers that a kernel uses as places: each would have to be checked. But the
same options give the same steps on every machine, however they were cut into runs, some 400,000 positions a second. So
a file keeps how far the search came, a kilobyte, and nothing in it has to be trusted. What that costs: a search of ten
million positions is read in half a minute. A digest of its counts and its record tells whether the search that is made
again is the one that was saved.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sokoviz.core.branches import record as branches
from sokoviz.errors import SearchError, SokovizError
from sokoviz.levels import Level
from sokoviz.search.file_head import read_head, refuse
from sokoviz.search.options import is_number

if TYPE_CHECKING:
    from sokoviz.search.ida.search import IDA

FORMAT = "sokoviz deepening"
VERSION = 1
WORDS = ("title", "author", "comment", "name")
COUNTS = ("nodes", "thresholds", "moment")
HEAD = {"level", "words", "preset", "options", *COUNTS, "is between", "is solved", "seconds", "stopped by", "record"}


def save(search: IDA, path: str | Path) -> None:
    """Write a search to a file; the file appears only when it is complete."""
    engine = search.engine
    head = {
        "format": FORMAT,
        "version": VERSION,
        "level": list(search.level.rows),
        "words": {name: getattr(search.level, name) for name in WORDS},
        "preset": search.preset,
        "options": asdict(search.options),
        "nodes": engine.n_nodes,
        "thresholds": engine.n_thresholds,
        "moment": search.iteration,
        "is between": engine.is_between,
        "is solved": engine.is_solved,
        "seconds": search.seconds,
        "stopped by": search.result.stopped_by,
        "record": digest_of(search),
    }
    target = Path(path)
    partial = target.with_name(target.name + ".partial")
    whole = json.loads(json.dumps(head, default=lambda number: number.item()))  # options may be numbers of numpy
    partial.write_text(json.dumps({**whole, "digest": _digest(whole)}, indent=1), encoding="utf-8")
    partial.replace(target)


def _digest(head: dict[str, Any]) -> str:
    """Hash of all that is in a file."""
    rest = {name: entry for name, entry in head.items() if name != "digest"}
    return hashlib.sha256(json.dumps(rest, sort_keys=True).encode()).hexdigest()


def digest_of(search: IDA) -> str:
    """Return a hash of what became of all successors: threshold by threshold, and one by one where that is recorded."""
    engine = search.engine
    digest = hashlib.sha256(engine.counts.tobytes())
    if engine.record is not None:
        digest.update(engine.record.ends[: engine.record.sizes[branches.STEPS]].data)
        digest.update(engine.events.data)
    return digest.hexdigest()


def load(path: str | Path) -> IDA:
    """Return the search that a file tells of, by searching again.

    Raises
    ------
    SearchFileError
        If the file tells of no search, is damaged, or tells of a search that cannot be made again.
    """
    head = _read(Path(path))
    search = _make(path, head)
    _make_again(search, head)
    if digest_of(search) != head["record"]:
        refuse(path, "a search that can be made again, found that it does something else")
    try:
        search.restore(head["moment"], float(head["seconds"]), str(head["stopped by"]))
    except SearchError as error:
        refuse(path, f"a moment of the record, found {head['moment']!r}: {error}")
    return search


def _make_again(search: IDA, head: dict[str, Any]) -> None:
    """Search on to as many positions, and by the step that solves the level or ends a threshold and expands none."""
    if head["nodes"]:
        _run(search, nodes=head["nodes"])
    engine = search.engine
    if head["thresholds"] and (engine.is_between, engine.is_solved) != (head["is between"], head["is solved"]):
        _run(search, iterations=head["thresholds"], steps=1)


def _run(search: IDA, **limits: Any) -> None:
    """Run, and hand on an interrupt: half of a search is not what was asked for."""
    if search.run(**limits).stopped_by == "interrupted":
        raise KeyboardInterrupt


def _make(path: str | Path, head: dict[str, Any]) -> IDA:
    """The search of a file, before its first step."""
    from sokoviz.search.ida.search import IDA

    try:
        level = Level(tuple(head["level"]), **{name: str(head["words"][name]) for name in WORDS})
        return IDA(level, preset=head["preset"], **head["options"])
    except (SokovizError, AttributeError, KeyError, TypeError, ValueError) as error:
        refuse(path, f"settings of a search, found none that work: {error}")


def _read(path: Path) -> dict[str, Any]:
    """The contents of a file, checked against its digest."""
    head = read_head(path, FORMAT, VERSION, HEAD)
    if head.get("digest") != _digest(head):
        refuse(path, "a file as save() has written it, found that its contents were changed or damaged")
    _check_numbers(path, head)
    return head


def _check_numbers(path: Path, head: dict[str, Any]) -> None:
    """Raise where a number of a file is none."""
    for name in COUNTS:
        if isinstance(head[name], bool) or not isinstance(head[name], int) or head[name] < 0:
            refuse(path, f"a number of {name}, found {head[name]!r}")
    if not (is_number(head["seconds"]) and head["seconds"] >= 0):
        refuse(path, f"a number of seconds, found {head['seconds']!r}")
