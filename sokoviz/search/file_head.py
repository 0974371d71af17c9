"""What files of searches have in common: a head in JSON, a level, and an error that names the file where it is none."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NoReturn

from sokoviz.errors import SearchFileError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from collections.abc import Set as AbstractSet
    from pathlib import Path

    from sokoviz.levels import Level

WORDS = ("title", "author", "comment", "name")
"""what a level says beside its rows"""


def words_of(level: Level) -> dict[str, str]:
    """Return what a level says beside its rows, by name."""
    return {name: getattr(level, name) for name in WORDS}


def read_words(entries: Mapping[str, Any]) -> dict[str, str]:
    """Return the same out of a file; empty where an older version has not written it."""
    return {name: str(entries.get(name, "")) for name in WORDS}


def read_head(path: Path, kind: str, version: int, names: AbstractSet[str]) -> dict[str, Any]:
    """Return what a file of JSON says, if it is of a kind and version and has all entries of some names."""
    try:
        head = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise
    except (OSError, RecursionError, ValueError) as error:
        refuse(path, f"a file written by save(), found one that cannot be read: {error}")
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
