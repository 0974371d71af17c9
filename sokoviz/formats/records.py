"""What a file of levels says, as plain data: rows, titles, authors, comments."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sokoviz.errors import LevelError

# Control characters could steer a terminal; surrogates and the last two cannot be written into UTF-8 or XML.
_UNPRINTABLE = re.compile("[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\ud800-\udfff\ufffe\uffff]")


class LevelText(NamedTuple):
    """One level: canonical rows of one width, and what its file says about it."""

    rows: tuple[str, ...]
    title: str = ""
    author: str = ""
    comment: str = ""


class CollectionText(NamedTuple):
    """All levels of a file in their order; a bad level is represented by its error."""

    levels: tuple[LevelText | LevelError, ...]
    title: str = ""
    author: str = ""
    comment: str = ""


def clean_line(text: str) -> str:
    """One line of plain text: unprintable characters dropped, runs of white space made one space."""
    return " ".join(_UNPRINTABLE.sub("", text).split())


def clean_comment(lines: Iterable[str]) -> str:
    """Clean lines joined by newlines, without empty ones at either end."""
    return "\n".join(clean_line(line) for line in lines).strip("\n")
