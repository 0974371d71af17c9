"""What a TARGET on the command line stands for."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sokoviz.errors import LevelError
    from sokoviz.levels import Collection, Level

TARGET_HELP = "collection#number, path/to/file#number, a collection or file alone, or - for standard input"


def find_collection(target: str) -> tuple[Collection, int | None]:
    """The collection that a TARGET names, and the number in it; None for all its levels."""
    from sokoviz.levels import Collection, collection, split_target
    from sokoviz.levels.finding import MAX_BYTES, check_length

    if target == "-":
        return Collection.parse(check_length(sys.stdin.buffer.read(MAX_BYTES + 1)), "stdin"), None
    name, number = split_target(target)
    return collection(name), number


def find_levels(target: str) -> tuple[str, list[Level | LevelError]]:
    """The name of the collection that a TARGET names, and its levels, a bad one as its error; it is read once."""
    from sokoviz.errors import LevelError

    collection, number = find_collection(target)
    if number is None:
        return collection.name, list(collection.entries)
    try:
        return collection.name, [collection.level(number)]
    except LevelError as error:
        return collection.name, [error]


def describe_error(source: str, error: LevelError) -> str:
    """Which level is bad, where, and why: ``FILE#7 'title', line 12, column 3: expected ...``."""
    number = "" if error.number is None else f"#{error.number}"
    title = f" {error.title!r}" if error.title else ""
    place = f", {error.place}" if error.place else ""
    return f"{source}{number}{title}{place}: {error.message}"
