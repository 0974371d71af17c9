"""Searches as files that keep what a search was made with and how far it came: reading one searches again.

The arrays of a search are large, and full of numbers that a kernel uses as places: each would have to be checked. But
the same options give the same steps on every machine, however they were cut into runs. So a file keeps the number of
steps, a kilobyte, and nothing in it has to be trusted: a digest of all that was done tells whether the search that is
made again is the one that was saved. What that costs: ten million positions of IDA* are read in half a minute.
"""

from __future__ import annotations

import hashlib
import json
from abc import ABC, abstractmethod
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn, Self, TypeVar

from sokoviz.errors import SearchError, SearchFileError, SokovizError
from sokoviz.games.game import find_game
from sokoviz.games.sokoban import Sokoban
from sokoviz.levels import Level
from sokoviz.search.contract import Moment
from sokoviz.search.options import is_number

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from collections.abc import Set as AbstractSet
    from threading import RLock

    from sokoviz.games.game import Game
    from sokoviz.search.search import AnySearch, Search

    AnyKind = TypeVar("AnyKind", bound=Search[Any, Any, Any])

FORMAT = "sokoviz solver"
VERSION = 2
FORMER = {"sokoviz deepening": "version 1 of IDA*", "sokoviz plain search": "version 1 of searches in plain Python"}
"""formats that are no longer read"""
HEAD = {"search", "game", "settings", "words", "options", "steps", "moment", "seconds", "stopped by", "done", "digest"}


class Kept(ABC):
    """A search that can be written to a file, and made again from it."""

    if TYPE_CHECKING:
        name: ClassVar[str]
        game: Game
        seconds: float
        _lock: RLock
        _stopped_by: str

        @property
        def keeps_record(self) -> bool:
            """Whether steps are written down."""

        def goto(self, step: int, phase: str = "") -> None:
            """Go to any moment of the record."""

    def save(self, path: str | Path) -> None:
        """Write to a file what the search was made with and how far it came; `load` makes it again.

        A run in the background goes on meanwhile.
        """
        with self._lock:
            save(self, path)  # type: ignore[arg-type]  # everything that is kept is a search

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """Return a search from a file that `save` has written; it is made again, step by step.

        Raises
        ------
        SearchFileError
            If the file tells of no such search, is damaged, or tells of one that cannot be made again.
        """
        return load(path, {cls.name: cls})  # type: ignore[type-var]  # everything that is kept is a search

    @classmethod
    def of_recipe(cls, game: Game, options: dict[str, Any]) -> Self:
        """Return a search that was made with some options: the inverse of `recipe`."""
        make: Any = cls
        made: Self = make(game.level if isinstance(game, Sokoban) else game, **options)
        return made

    @abstractmethod
    def recipe(self) -> dict[str, Any]:
        """Return the options that the search was made with, as plain data: its class takes them by name."""

    @abstractmethod
    def deeds(self) -> Iterator[bytes]:
        """Yield all that the search has done, so that a search made again can be told from it."""

    def restore(self, moment: Moment, seconds: float, stopped_by: str = "") -> None:
        """Stand where a search from a file stood; one without a record stands at its end."""
        if self.keeps_record:
            self.goto(*moment)
        self.seconds, self._stopped_by = seconds, stopped_by


def save(search: AnySearch, path: str | Path) -> None:
    """Write a search to a file; the file appears only when it is complete."""
    game = search.game
    head = {
        "format": FORMAT,
        "version": VERSION,
        "search": search.name,
        "game": game.name,
        "settings": game.to_json(),
        "words": words_of(game.level) if isinstance(game, Sokoban) else {},
        "options": search.recipe(),
        "steps": search.last,
        "moment": list(search.moment),
        "seconds": search.seconds,
        "stopped by": search.brief_result.stopped_by,
        "done": _fingerprint(search),
    }
    whole = json.loads(json.dumps(head, default=lambda number: number.item()))  # options may be numbers of numpy
    target = Path(path)
    partial = target.with_name(target.name + ".partial")
    partial.write_text(json.dumps({**whole, "digest": _digest(whole)}, indent=1), encoding="utf-8")
    partial.replace(target)


def _fingerprint(search: AnySearch) -> str:
    """Hash of all that a search has done."""
    return _hash_of(search.deeds())


def _hash_of(parts: Iterable[bytes]) -> str:
    """Hash of some bytes."""
    digest = hashlib.sha256()
    for part in parts:
        digest.update(part)
    return digest.hexdigest()


def _digest(head: dict[str, Any]) -> str:
    """Hash of all that is in a file."""
    rest = {name: entry for name, entry in head.items() if name != "digest"}
    return _hash_of([json.dumps(rest, sort_keys=True).encode()])


def load(path: str | Path, kinds: Mapping[str, type[AnyKind]], game: Game | None = None) -> AnyKind:
    """Return the search that a file tells of, by searching again.

    Parameters
    ----------
    path
        The file.
    kinds
        Classes of searches by their names.
    game
        What is searched, where that cannot be made again by what the file tells of it.

    Raises
    ------
    SearchFileError
        If the file tells of no such search, is damaged, or tells of one that cannot be made again.
    """
    head = _read(Path(path))
    if head["search"] not in kinds:
        refuse(path, f"a search called {' or '.join(map(repr, kinds))}, found {head['search']!r}")
    search = _make(path, head, kinds[head["search"]], game)
    _make_again(search, head["steps"])
    if search.last != head["steps"] or _fingerprint(search) != head["done"]:
        refuse(path, "a search that can be made again, found that it does something else")
    try:
        search.restore(Moment(*head["moment"]), float(head["seconds"]), str(head["stopped by"]))
    except (SearchError, TypeError) as error:
        refuse(path, f"a moment of the record, found {head['moment']!r}: {error}")
    return search


def _make_again(search: AnySearch, steps: int) -> None:
    """Search on to so many steps, past solutions, and hand on an interrupt: half of it is not what was asked for."""
    made = -1
    while made < search.last < steps:
        made = search.last
        if search.run(steps=steps - made, progress=False).stopped_by == "interrupted":
            raise KeyboardInterrupt


def _make(path: str | Path, head: dict[str, Any], kind: type[AnyKind], game: Game | None) -> AnyKind:
    """The search of a file, before its first step."""
    try:
        made = find_game(head["game"]).from_json(head["settings"])
        if isinstance(made, Sokoban):
            made = Sokoban(Level(made.level.rows, **read_words(head["words"])))
        if game is not None and (game.name, game.to_json()) != (made.name, made.to_json()):
            refuse(path, f"the game {made.name} with {made.to_json()}, found {game.name} with {game.to_json()}")
        return kind.of_recipe(made if game is None else game, head["options"])
    except SearchFileError:
        raise
    except (SokovizError, AttributeError, KeyError, TypeError, ValueError) as error:
        refuse(path, f"settings of a search, found none that work: {error}")


def _read(path: Path) -> dict[str, Any]:
    """The contents of a file, checked against its digest."""
    head = read_head(path, FORMAT, VERSION, HEAD, FORMER)
    if head["digest"] != _digest(head):
        refuse(path, "a file as save() has written it, found that its contents were changed or damaged")
    if isinstance(head["steps"], bool) or not isinstance(head["steps"], int) or head["steps"] < 0:
        refuse(path, f"a number of steps, found {head['steps']!r}")
    if not (is_number(head["seconds"]) and head["seconds"] >= 0):
        refuse(path, f"a number of seconds, found {head['seconds']!r}")
    return head


# --- what all files of searches have in common ------------------------------------------------------------------------

WORDS = ("title", "author", "comment", "name")
"""what a level says beside its rows"""


def words_of(level: Level) -> dict[str, str]:
    """Return what a level says beside its rows, by name."""
    return {name: getattr(level, name) for name in WORDS}


def read_words(entries: Mapping[str, Any]) -> dict[str, str]:
    """Return the same out of a file; empty where an older version has not written it."""
    return {name: str(entries.get(name, "")) for name in WORDS}


def read_head(
    path: Path, kind: str, version: int, names: AbstractSet[str], former: Mapping[str, str]
) -> dict[str, Any]:
    """Return what a file of JSON says, if it is of a kind and version and has all entries of some names.

    Of `former` kinds, which are no longer read, it says what they are.
    """
    try:
        head = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise
    except (OSError, RecursionError, ValueError) as error:
        refuse(path, f"a file written by save(), found one that cannot be read: {error}")
    if isinstance(head, dict) and head.get("format") in former:
        refuse(path, f"version {version} of the format, found {former[head['format']]}, which is no longer read")
    if not isinstance(head, dict) or head.get("format") != kind:
        refuse(path, f"a file written by save(), found one that begins with {head!s:.60}")
    if head.get("version") != version:
        refuse(path, f"version {version} of the format, found version {head.get('version')!r}")
    if missing := sorted(names - set(head)):
        refuse(path, f"all that save() writes, found no {', '.join(missing)}")
    return head


def refuse(path: str | Path, expected: str) -> NoReturn:
    """Raise, naming the file."""
    message = f"{path}: expected {expected}"
    raise SearchFileError(message)
