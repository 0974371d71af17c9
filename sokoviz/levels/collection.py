"""Collections of levels, and how levels are found by name."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import overload

from sokoviz.errors import LevelError, LevelNotFoundError
from sokoviz.formats import CollectionText, read_levels, write_levels
from sokoviz.levels.finding import find_file, is_file, level_folders, names_in, read_file
from sokoviz.levels.level import Level

_NUMBER = re.compile("[0-9]{1,9}")


class Collection(Sequence[Level]):
    """Levels of one file.

    As a sequence it holds the good levels. Numbers count from 1 by the position in the file, bad levels included, so
    that they agree with the names of the levels.

    Parameters
    ----------
    entries : iterable of Level or LevelError
        What stands in the file; a bad level as its error.
    name, title, author, comment : str
        The name by which `collection` finds it, and what the head of the file says.
    """

    def __init__(
        self,
        entries: Iterable[Level | LevelError],
        name: str = "",
        title: str = "",
        author: str = "",
        comment: str = "",
    ) -> None:
        self._entries = tuple(entries)
        self.name = name
        self.title = title
        self.author = author
        self.comment = comment
        self.levels = tuple(entry for entry in self._entries if isinstance(entry, Level))
        self.errors = tuple(entry for entry in self._entries if isinstance(entry, LevelError))

    @classmethod
    def parse(cls, text: str | bytes, name: str = "") -> Collection:
        """Read all levels of a text in any format.

        Parameters
        ----------
        text : str or bytes
            XSB, SOK, run-length rows, SLC or Boxoban.
        name : str
            What the collection shall be called.

        Returns
        -------
        Collection
            Its levels; what is wrong with bad ones is in `errors`.
        """
        record = read_levels(text)
        entries = [
            entry if isinstance(entry, LevelError) else Level(*entry, name=f"{name}#{number}" if name else "")
            for number, entry in enumerate(record.levels, start=1)
        ]
        return cls(entries, name, record.title, record.author, record.comment)

    @property
    def entries(self) -> tuple[Level | LevelError, ...]:
        """Levels and errors in the order of the file."""
        return self._entries

    def level(self, number: int) -> Level:
        """The level of a number.

        Parameters
        ----------
        number : int
            Position in the file, from 1.

        Returns
        -------
        Level
            That level.

        Raises
        ------
        LevelError
            The level is bad.
        LevelNotFoundError
            There is no level of that number.
        """
        if not 1 <= number <= len(self._entries):
            message = f"expected a level of {self.name or 'the text'} from 1 to {len(self._entries)}, found {number}"
            raise LevelNotFoundError(message)
        entry = self._entries[number - 1]
        if isinstance(entry, LevelError):
            raise entry.with_traceback(None)
        return entry

    def to_text(self, format: str = "xsb") -> str:  # noqa: A002 - the word that users know
        """Write the good levels; the formats are those of `Level.to_text`."""
        records = tuple(level.record for level in self.levels)
        return write_levels(CollectionText(records, self.title, self.author, self.comment), format)

    def __len__(self) -> int:
        """Number of good levels."""
        return len(self.levels)

    @overload
    def __getitem__(self, index: int) -> Level: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Level, ...]: ...
    def __getitem__(self, index: int | slice) -> Level | tuple[Level, ...]:
        """Good levels by index from 0."""
        return self.levels[index]

    def __repr__(self) -> str:
        """A short sentence."""
        words = ["Collection", *([self.name] if self.name else []), *([repr(self.title)] if self.title else [])]
        bad = f", {len(self.errors)} refused" if self.errors else ""
        return f"{' '.join(words)}, {len(self)} level{'s' * (len(self) != 1)}{bad}"


def load(target: str | Path) -> Level:
    """Find one level.

    Parameters
    ----------
    target : str or Path
        ``"lessons#3"``, ``"path/to/file.xsb#2"``, or a file with a single level.

    Returns
    -------
    Level
        The level.

    Raises
    ------
    LevelNotFoundError
        No such file, collection or number, or several levels and no number.
    LevelError
        The level is bad.
    """
    name, number = split_target(target)
    found = collection(name)
    if number is None and len(found.entries) > 1:
        message = f"expected one level, found {len(found.entries)} in {name}: name one, such as '{name}#1'"
        raise LevelNotFoundError(message)
    return found.level(1 if number is None else number)


def collection(target: str | Path) -> Collection:
    """Find a collection.

    Parameters
    ----------
    target : str or Path
        A file; or a name that is looked up in the folder SOKOVIZ_LEVELS, among our own levels, and among downloads.

    Returns
    -------
    Collection
        Its levels.

    Raises
    ------
    LevelNotFoundError
        No such file or collection.
    """
    path = find_file(str(target))
    return Collection.parse(read_file(path), path.stem)


def available() -> tuple[str, ...]:
    """Names of all collections on this machine.

    Returns
    -------
    tuple of str
        Those in the folder SOKOVIZ_LEVELS, our own, and those that were downloaded.
    """
    names = (name for folder in level_folders() for name in names_in(folder))
    return tuple(dict.fromkeys(names))


def split_target(target: str | Path) -> tuple[str, int | None]:
    """Split ``"name#number"``; a path that exists is taken as it is.

    Parameters
    ----------
    target : str or Path
        A name or path, with or without a number.

    Returns
    -------
    name : str
        What stands before the number.
    number : int or None
        The number, None where there is none.
    """
    text = str(target)
    name, mark, number = text.rpartition("#")
    if not mark or is_file(Path(text)):
        return text, None
    if not _NUMBER.fullmatch(number):
        message = f"expected a level number after '#', found {number!r} in {text!r}"
        raise LevelNotFoundError(message)
    return name, int(number)
