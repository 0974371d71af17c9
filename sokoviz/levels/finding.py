"""Find the file that a name or path stands for."""

from __future__ import annotations

import difflib
import os
from pathlib import Path

from sokoviz.errors import LevelNotFoundError, LevelTooLargeError
from sokoviz.levels.fetching import cache_folder, sources
from sokoviz.resources import levels_folder

FOLDER_VARIABLE = "SOKOVIZ_LEVELS"
SUFFIXES = (".xsb", ".sok", ".txt", ".slc", ".xml", ".rle")
MAX_BYTES = 64 * 2**20


def find_file(name: str) -> Path:
    """The file of a collection: an existing path, else a name in one of the folders of levels."""
    path = Path(name)
    if is_file(path):
        return path
    for folder in level_folders():
        for candidate in (folder / name, *(folder / f"{name}{suffix}" for suffix in SUFFIXES)):
            # Names stay inside their folder; whatever else is meant must be a path of its own.
            if path.name == name and is_file(candidate):
                return candidate
    raise LevelNotFoundError(_not_found(name))


def level_folders() -> tuple[Path, ...]:
    """Where names are looked up, in this order: SOKOVIZ_LEVELS, our own levels, downloads."""
    chosen = os.environ.get(FOLDER_VARIABLE)
    return (*((Path(chosen).expanduser(),) if chosen else ()), levels_folder(), cache_folder())


def names_in(folder: Path) -> list[str]:
    """Names of the collections in a folder, sorted."""
    if not folder.is_dir():
        return []
    return sorted({path.stem for path in folder.iterdir() if path.suffix.lower() in SUFFIXES and is_file(path)})


def read_file(path: Path) -> bytes:
    """The contents of a file of levels."""
    try:
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except OSError as error:
        message = f"expected a file of levels that can be read, found {path}: {error.strerror or error}"
        raise LevelNotFoundError(message) from error
    return check_length(data)


def check_length(data: bytes) -> bytes:
    """Refuse endless input."""
    if len(data) > MAX_BYTES:
        message = f"expected at most {MAX_BYTES // 2**20} MiB of levels, found more"
        raise LevelTooLargeError(message)
    return data


def is_file(path: Path) -> bool:
    """Whether a path leads to something other than a folder."""
    try:
        return path.exists() and not path.is_dir()
    except (OSError, ValueError):
        return False  # a name that no file can have


def _not_found(name: str) -> str:
    """What to say where a name leads nowhere."""
    if name in sources():
        return f"expected the collection {name} on this machine, found none: `sokoviz levels get {name}` downloads it"
    known = sorted({*sources(), *(found for folder in level_folders() for found in names_in(folder))})
    close = difflib.get_close_matches(name, known, n=1)
    hint = f"; did you mean {close[0]!r}?" if close else f" ({', '.join(known)})"
    return f"expected a file or the name of a collection, found {name!r}{hint}"
