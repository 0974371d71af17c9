"""SLC, the XML format: a ``<SokobanLevels>`` document with one ``<L>`` element a row."""

from __future__ import annotations

import re
from itertools import groupby
from typing import TYPE_CHECKING, Any
from xml.parsers.expat import ErrorString
from xml.sax.saxutils import escape, quoteattr

from sokoviz.errors import LevelError, MalformedXMLError
from sokoviz.formats.decoding import split_lines
from sokoviz.formats.records import CollectionText, LevelText, clean_comment, clean_line
from sokoviz.formats.rows import BoardRow, place_row, read_rows

if TYPE_CHECKING:
    from collections.abc import Mapping

# A document type that only names its grammar, after an XML declaration and comments; XML wants capitals, some programs
# write others. Possessive and atomic groups, so that no text makes the search for it try again and again.
_QUOTED = """(?:"[^"]*"|'[^']*')"""
_NAMED_TYPE = re.compile(
    rf"""(\A(?:\s|(?><\?.*?\?>)|(?><!--.*?-->))*+)
    (<!DOCTYPE\s+[^\s<>\[\]"']+(?:\s+(?:SYSTEM|PUBLIC\s+{_QUOTED})\s+{_QUOTED})?\s*>)""",
    re.DOTALL | re.IGNORECASE | re.VERBOSE,
)


def read_slc(text: str) -> CollectionText:
    """Read the levels of an SLC document.

    What comes before a mistake in the XML is read; the mistake itself counts as one more, bad level. A document type
    may name its grammar, which is never fetched. Declarations of its own and entities are refused: no SLC file needs
    them, and they can make a small file explode.
    """
    from defusedxml.common import DefusedXmlException
    from defusedxml.ElementTree import ParseError, XMLParser

    document = text.lstrip()
    reader = _Reader(text[: len(text) - len(document)])
    parser = XMLParser(target=reader, encoding="utf-8", forbid_dtd=True)
    reader.expat = parser.parser
    reader.expat.buffer_text = False  # joined pieces would lose the places where they started
    try:
        parser.feed(_without_named_type(document).encode("utf-8", errors="replace"))
        parser.close()
    except ParseError as error:
        reader.add_error(f"expected well-formed XML, found: {ErrorString(error.code)}", *reader.place(*error.position))
    except DefusedXmlException:
        message = "expected at most one document type, and in it neither declarations nor entities; found more"
        reader.add_error(message, *reader.place())
    if not reader.levels:
        reader.add_error("expected <Level> elements with rows in <L> elements, found none", *reader.place(1, 0))
    return reader.collection()


def write_slc(collection: CollectionText) -> str:
    """The levels as an SLC document; a comment on a level becomes its ``<Description>``."""
    levels = [level for level in collection.levels if isinstance(level, LevelText)]
    widths, heights = [len(level.rows[0]) for level in levels], [len(level.rows) for level in levels]
    sizes = f'MaxWidth="{max(widths, default=0)}" MaxHeight="{max(heights, default=0)}"'
    return "\n".join(
        [
            '<?xml version="1.0" encoding="UTF-8"?>',
            "<SokobanLevels>",
            f"  <Title>{_text(collection.title)}</Title>",
            f"  <Description>{_comment(collection.comment)}</Description>",
            f"  <LevelCollection{_attribute('Copyright', collection.author)} {sizes}>",
            *(line for level in levels for line in _level_lines(level, collection.author)),
            "  </LevelCollection>",
            "</SokobanLevels>\n",
        ]
    )


class _Reader:
    """Collects levels while the parser runs over the document."""

    def __init__(self, margin: str) -> None:
        self.levels: list[LevelText | LevelError] = []
        self.expat: Any = None
        self._margin = split_lines(margin)
        self._told = {"Title": "", "Description": "", "Copyright": ""}
        self._attributes: Mapping[str, str] = {}
        self._comment = ""
        self._rows: list[BoardRow] | None = None
        self._pieces: list[BoardRow] | None = None

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        """An element opens."""
        name = _local_name(tag)
        if name == "Level":
            self._attributes, self._comment, self._rows = dict(attributes), "", []
        elif name == "LevelCollection":
            self._told["Copyright"] = attributes.get("Copyright", "")
        if name in ("L", "Title", "Description"):
            self._pieces = []

    def data(self, text: str) -> None:
        """Text within an element; it comes in pieces that hold no line end, or nothing else."""
        if self._pieces is not None:
            line, column = self.place()
            self._pieces.append(BoardRow(text, line, range(column, column + len(text))))

    def end(self, tag: str) -> None:
        """An element closes."""
        name = _local_name(tag)
        pieces = self._pieces or []
        if name in ("L", "Title", "Description"):
            self._pieces = None
        if self._rows is None:
            if name in ("Title", "Description"):
                self._told[name] = self._told[name] or "".join(piece.text for piece in pieces)
        elif name == "Level":
            self._end_level(self._rows)
        elif name == "L":
            self._rows += _join(pieces) or [BoardRow("", self.place()[0], ())]
        elif name == "Description":
            self._comment = "".join(piece.text for piece in pieces)

    def close(self) -> None:
        """The document ends."""

    def place(self, line: int | None = None, column: int = 0) -> tuple[int, int]:
        """Line and column in the user's text, from 1; those of the parser by default."""
        if line is None:
            line, column = self.expat.CurrentLineNumber, self.expat.CurrentColumnNumber
        shift = len(self._margin[-1]) if line == 1 else 0
        return line + len(self._margin) - 1, column + shift + 1

    def add_error(self, message: str, line: int, column: int) -> None:
        """Count a mistake in the XML as a bad level."""
        title = clean_line(self._attributes.get("Id", "")) if self._rows is not None else ""
        self.levels.append(MalformedXMLError(message, line, column, len(self.levels) + 1, title))

    def collection(self) -> CollectionText:
        """All that was read."""
        comment = clean_comment(split_lines(self._told["Description"]))
        return CollectionText(
            tuple(self.levels), clean_line(self._told["Title"]), clean_line(self._told["Copyright"]), comment
        )

    def _end_level(self, rows: list[BoardRow]) -> None:
        """Keep a level, or its error."""
        title = clean_line(self._attributes.get("Id", ""))
        author = clean_line(self._attributes.get("Copyright", "")) or clean_line(self._told["Copyright"])
        try:
            comment = clean_comment(split_lines(self._comment))
            self.levels.append(LevelText(read_rows(rows), title, author, comment))
        except LevelError as error:
            error.number, error.title = len(self.levels) + 1, title
            if not rows:
                error.line, error.column = self.place()
            self.levels.append(error.with_traceback(None))
        self._rows = None


def _without_named_type(document: str) -> str:
    """The document with blanks for a document type that declares nothing, so that all else keeps its place.

    The parser then refuses every other document type, and every entity as unknown. Did it know of a grammar elsewhere,
    it would pass over entities in attributes without a word, since that grammar might declare them.
    """
    return _NAMED_TYPE.sub(lambda found: found[1] + re.sub(r"[^\r\n]", " ", found[2]), document, count=1)


def _join(pieces: list[BoardRow]) -> list[BoardRow]:
    """The rows in one ``<L>`` element: the pieces of each line put together, tabs expanded."""
    rows = []
    for is_line_end, group in groupby(pieces, lambda piece: piece.text == "\n"):
        if not is_line_end:
            parts = list(group)
            columns = [column for part in parts for column in part.columns]
            expanded = place_row("".join(part.text for part in parts), parts[0].line)
            rows.append(expanded._replace(columns=[columns[column - 1] for column in expanded.columns]))
    return rows


def _local_name(tag: str) -> str:
    """The name of an element without its namespace."""
    return tag.rpartition("}")[2]


def _level_lines(level: LevelText, collection_author: str) -> list[str]:
    """One ``<Level>`` element."""
    author = "" if level.author == collection_author else level.author
    attributes = f'{_attribute("Id", level.title)} Width="{len(level.rows[0])}" Height="{len(level.rows)}"'
    lines = [f"    <Level{attributes}{_attribute('Copyright', author)}>"]
    if level.comment:
        lines.append(f"      <Description>{_comment(level.comment)}</Description>")
    lines += [f"      <L>{row.rstrip()}</L>" for row in level.rows]
    return [*lines, "    </Level>"]


def _attribute(name: str, value: str) -> str:
    """An attribute with a space before it; nothing where the value is empty."""
    return f" {name}={quoteattr(clean_line(value))}" if value else ""


def _text(value: str) -> str:
    """Text between tags."""
    return escape(clean_line(value))


def _comment(value: str) -> str:
    """Lines of text between tags."""
    return escape(clean_comment(split_lines(value)))
