"""Read and write the formats made of lines: XSB, SOK, run-length rows and Boxoban."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sokoviz.errors import EmptyLevelError, LevelError, RunLengthError
from sokoviz.formats.decoding import split_lines
from sokoviz.formats.notes import assign_notes
from sokoviz.formats.records import CollectionText, LevelText, clean_line
from sokoviz.formats.rows import MAX_SIDE, BoardRow, place_row, read_rows
from sokoviz.formats.run_length import RunLengthFault, expand, pack
from sokoviz.formats.sections import TextLine, is_comment_mark, read_note, split_sections

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from sokoviz.formats.notes import Heading


def read_text(text: str) -> CollectionText:
    """Read the levels of a text in any of the formats made of lines."""
    boards, gaps = split_sections(split_lines(text))
    collection, headings = assign_notes(gaps)
    numbered = enumerate(zip(boards, headings, strict=True), start=1)
    levels = tuple(_read_level(board, heading, number) for number, (board, heading) in numbered)
    return CollectionText(levels or (no_level(),), *collection)


def no_level() -> EmptyLevelError:
    """The error of a text without any board."""
    return EmptyLevelError("expected a board with walls '#' and a player '@', found none", 1, 1)


def board_text(rows: Sequence[str]) -> str:
    """A board as XSB text; a blank row inside is written as ``-``, since an empty line would end the board."""
    return "\n".join(row.rstrip() or "-" for row in rows)


def write_xsb(collection: CollectionText) -> str:
    """Boards with their titles, authors and comments in ``;`` lines above them."""
    return _write_with_semicolons(collection, board_text)


def write_run_length(collection: CollectionText) -> str:
    """Like XSB, but each board on one line with run lengths, rows parted by ``|`` and floor as ``-``."""
    return _write_with_semicolons(collection, _packed_board)


def write_sok(collection: CollectionText) -> str:
    """Boards with ``Title:``, ``Author:`` and ``Comment:`` lines below them."""
    blocks = []
    if collection.title or collection.author or collection.comment:
        head = [f"Collection: {clean_line(collection.title)}", *_sok_lines(collection.author, collection.comment)]
        blocks.append("\n".join(head))
    for level in _good_levels(collection):
        author = "" if level.author == collection.author else level.author
        title = [f"Title: {clean_line(level.title)}"] if level.title else []
        blocks.append("\n".join([board_text(level.rows), *title, *_sok_lines(author, level.comment)]))
    return "\n\n".join(blocks) + "\n"


def write_boxoban(collection: CollectionText) -> str:
    """Boards under ``;`` lines with their titles, or numbers from 0; this format has no place for anything else."""
    blocks = []
    for number, level in enumerate(_good_levels(collection)):
        title = clean_line(level.title)
        blocks.append(f"{_title_line(title) if title else f'; {number}'}\n{board_text(level.rows)}")
    return "\n\n".join(blocks) + "\n"


def _read_level(board: Sequence[TextLine], heading: Heading, number: int) -> LevelText | LevelError:
    """A level, or the error that tells what is wrong with it."""
    try:
        rows = [row for line in board for row in _expand_row(line)]
        return LevelText(read_rows(rows), *heading)
    except LevelError as error:
        error.number, error.title = number, heading.title
        return error.with_traceback(None)


def _expand_row(line: TextLine) -> Iterator[BoardRow]:
    """The rows that stand on a line, run lengths spelt out."""
    row = place_row(line.text, line.number)
    if not any(character in "0123456789()|" for character in row.text):
        yield row
        return
    try:
        places = expand(row.text.rstrip(), MAX_SIDE, MAX_SIDE * (MAX_SIDE + 1))
    except RunLengthFault as fault:
        raise RunLengthError(fault.message, line.number, row.columns[fault.index]) from None
    start = 0
    ends = [index for index, place in enumerate(places) if row.text[place] == "|"]
    if not ends or ends[-1] < len(places) - 1:
        ends.append(len(places))  # a bar at the end of the line may be left out
    for end in ends:
        kept = places[start:end]
        yield BoardRow("".join(row.text[k] for k in kept), line.number, [row.columns[k] for k in kept])
        start = end + 1


def _write_with_semicolons(collection: CollectionText, write_board: Callable[[Sequence[str]], str]) -> str:
    """Boards below ``;`` lines; those of the collection come first, and always with its title, even an empty one."""
    blocks = []
    if collection.title or collection.author or collection.comment:
        head = [f"; Collection: {clean_line(collection.title)}".rstrip()]
        blocks.append("\n".join([*head, *_semicolon_lines(collection.author, collection.comment)]))
    for level in _good_levels(collection):
        author = "" if level.author == collection.author else level.author
        title = [_title_line(clean_line(level.title))] if level.title else []
        blocks.append("\n".join([*_semicolon_lines(author, level.comment), *title, write_board(level.rows)]))
    return "\n\n".join(blocks) + "\n"


def _good_levels(collection: CollectionText) -> Iterator[LevelText]:
    """The levels that can be written."""
    return (level for level in collection.levels if isinstance(level, LevelText))


def _packed_board(rows: Sequence[str]) -> str:
    """A board on one line."""
    return "|".join(pack(row.replace(" ", "-")) for row in board_text(rows).split("\n"))


def _semicolon_lines(author: str, comment: str) -> list[str]:
    """Author and comment as lines above a board."""
    lines = [f"; Author: {clean_line(author)}"] if author else []
    return lines + [f"; Comment: {clean_line(line)}".rstrip() for line in _comment_lines(comment)]


def _sok_lines(author: str, comment: str) -> list[str]:
    """Author and comment as lines below a board."""
    lines = [f"Author: {clean_line(author)}"] if author else []
    comments = [clean_line(line) for line in _comment_lines(comment)]
    if any(map(is_comment_mark, comments)):
        # A block would end too early, so each line becomes a comment of its own.
        return lines + [f"Comment: {line}".rstrip() for line in comments]
    return lines + (["Comment:", *comments, "Comment-End:"] if comments else [])


def _comment_lines(comment: str) -> list[str]:
    """The lines of a comment; none of an empty one."""
    return split_lines(comment) if comment else []


def _title_line(title: str) -> str:
    """A title in a ``;`` line, with a key where it would be taken for something else."""
    line = f"; {title}"
    return line if read_note(line).key == "" else f"; Title: {title}"
