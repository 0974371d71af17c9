"""What a learner did, visit by visit, in memory and in a file that grows with it.

The file has one line a visit, written when the visit is done: killing the process loses at most the visit under way.
All random choices of a visit depend on its place in the curriculum alone, so nothing else has to be kept to go on.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from sokoviz.errors import SearchError, SearchFileError, SokovizError
from sokoviz.learn.options import Options
from sokoviz.learn.schedule import HOPELESS, OPEN, SOLVED, Outcome, Task
from sokoviz.levels import Level

if TYPE_CHECKING:
    from collections.abc import Iterable

FORMAT = "sokoviz curry"
VERSION = 1
ROW_LENGTH = 11
WORDS = ("title", "author", "comment", "name")


class RecordFile:
    """A file that visits are added to.

    Parameters
    ----------
    path
        The file.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)

    def begin(self, level: Level, options: Options) -> None:
        """Write what the learner was made with."""
        write_whole(self.path, level, options, ())

    def add(self, task: Task, outcome: Outcome) -> None:
        """Add a visit."""
        with self.path.open("a", encoding="utf-8") as file:
            file.write(_row_of(task, outcome))

    def trim(self) -> None:
        """Take away a last line that was cut off, so that the next one begins on a line of its own."""
        with self.path.open("rb+") as file:
            file.truncate(file.read().rfind(b"\n") + 1)

    def read(self) -> tuple[Level, Options, list[tuple[tuple[int, ...], Outcome]]]:
        """Return the level, the options and the visits of a file, but for a last line that was cut off.

        The file stays as it is: another process may be writing to it.

        Raises
        ------
        SearchFileError
            If the file is none that a learner wrote.
        """
        lines = self._read_lines()
        level, options = self._read_head(lines[0])
        rows = [self._read_row(number, line) for number, line in enumerate(lines[1:], start=2)]
        return level, options, rows

    def _read_lines(self) -> list[str]:
        """All lines that are complete."""
        try:
            text = self.path.read_text(encoding="utf-8")
        except FileNotFoundError:
            raise
        except (OSError, ValueError) as error:
            self.refuse(f"a file written by a learner, found one that cannot be read: {error}")
        whole, _, _ = text.rpartition("\n")
        if not whole:
            self.refuse("a file written by a learner, found an empty one")
        return whole.split("\n")

    def _read_head(self, line: str) -> tuple[Level, Options]:
        """Level and options out of the first line."""
        try:
            head: dict[str, Any] = json.loads(line)
            if head["format"] != FORMAT or head["version"] != VERSION:
                self.refuse(f"{FORMAT!r} version {VERSION}, found {head['format']!r} version {head['version']!r}")
            level = Level(tuple(head["level"]), **{name: str(head["words"][name]) for name in WORDS})
            return level, Options(**head["options"])
        except SearchFileError:
            raise
        except (SokovizError, AttributeError, KeyError, TypeError, ValueError) as error:
            self.refuse(f"level and options of a learner in its first line, found none that work: {error}")

    def _read_row(self, number: int, line: str) -> tuple[tuple[int, ...], Outcome]:
        """A visit out of a line."""
        try:
            row = json.loads(line)
            if len(row) != ROW_LENGTH or row[4] not in (OPEN, SOLVED, HOPELESS):
                self.refuse(f"a visit in line {number}, found {line[:80]!r}")
            found, moves = (tuple((int(s), int(t), int(p)) for s, t, p in some) for some in row[9:])
            trajectories, nodes, cycles = map(int, row[5:8])
            outcome = Outcome(row[4], trajectories, nodes, cycles, float(row[8]), found, moves)
            return tuple(map(int, row[:4])), outcome
        except SearchFileError:
            raise
        except (KeyError, TypeError, ValueError) as error:
            self.refuse(f"a visit in line {number}, found {line[:80]!r}: {error}")

    def refuse(self, expected: str) -> NoReturn:
        """Raise, naming the file."""
        message = f"{self.path.name}: expected {expected}"
        raise SearchFileError(message)


def _head_of(level: Level, options: Options) -> str:
    """The first line of a record."""
    head = {
        "format": FORMAT,
        "version": VERSION,
        "level": list(level.rows),
        "words": {name: getattr(level, name) for name in WORDS},
        "options": asdict(options),
    }
    return json.dumps(head) + "\n"


def _row_of(task: Task, outcome: Outcome) -> str:
    """The line of a visit."""
    return json.dumps([task.restart, task.stage, task.board, task.visit, *outcome]) + "\n"


def write_whole(path: str | Path, level: Level, options: Options, visits: Iterable[tuple[Task, Outcome]]) -> None:
    """Write a complete record; the file appears only when it is whole."""
    target = Path(path)
    partial = target.with_name(target.name + ".partial")
    rows = (_row_of(task, outcome) for task, outcome in visits)
    partial.write_text("".join([_head_of(level, options), *rows]), encoding="utf-8")
    partial.replace(target)


def check_visit(place: tuple[int, ...], task: Task) -> None:
    """Raise where a visit in a file is not the one that comes next.

    Raises
    ------
    SearchError
        If it is another one.
    """
    expected = (task.restart, task.stage, task.board, task.visit)
    if place != expected:
        message = f"expected visit {expected} (restart, stage, board, visit), found {place}"
        raise SearchError(message)
