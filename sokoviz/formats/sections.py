"""Tell boards from the text between them, line by line.

XSB, SOK, run-length and Boxoban files share one grammar: boards, and notes between the boards. What counts as a row of
a board follows the SOK description (only board characters, framed by walls), but stays forgiving where a row holds a
few wrong characters, so that such a row is reported instead of being taken for prose.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_BLANK = re.compile(r"[ \t\xa0]*")
_PLAIN_ROW = re.compile(r"[#@+$*.\-_ \t\xa0]+")
_PACKED_ROW = re.compile(r"[#@+$*.\-_ \t\xa0pPbBo|()0-9]+")
_FRAMED = re.compile(r"[0-9(\-_ \t\xa0]*[#*B](.*[#*B])?[)\-_ \t\xa0]*")
_WALLED = re.compile(r"[\-_ \t\xa0]*#.*#[\-_ \t\xa0]*")
_NUMBER = re.compile(r"\s*#\s*[0-9]+\s*")
_KNOWN = re.compile(r"[#@+$*.\-_pPbBo]")
_ONLY_WALLS = re.compile(r"[#\-_ \t\xa0]*")
_KEY = re.compile(r"([A-Za-z][A-Za-z \-]{0,30}?)\s*:\s*(.*)", re.DOTALL)
_SEPARATOR = re.compile(r"[^\w;\"'(\[{<]{3,}")
_MOVES = re.compile(r"(?=[^udlrUDLR]*[udlrUDLR])[udlrUDLR0-9()\s\[\]*]+")
_SOLUTION = re.compile(r"(best |short |reverse )?(solution|snapshot|saved? ?game)\b.*", re.IGNORECASE)

_OWN_KEYS = {key: key for key in ("title", "author", "comment", "collection")} | {"set": "collection"}
# Kept as text, but never taken for a title.
_OTHER_KEYS = re.compile(
    "copyright|date|date created|date of last change|difficulty|duration|e-?mail|homepage|id|level|license|optimizer"
    "|puzzle|saved game|search space|size|snapshot|solution|solver|url|web|website"
)
_SHORTEST_LONE_MOVES = 12
_LOWEST_BOARD = 3


class Note(NamedTuple):
    """A line between boards."""

    key: str
    """title, author, comment, collection, other for a further known key, blank, or empty for free text."""
    text: str
    has_semicolon: bool = False


class TextLine(NamedTuple):
    """A line of a board."""

    text: str
    number: int


class Sections(NamedTuple):
    """A file cut up: ``gaps[k]`` stands before ``boards[k]``, and one more gap at the end."""

    boards: list[list[TextLine]]
    gaps: list[list[Note]]


BLANK = Note("blank", "")


def split_sections(lines: Sequence[str]) -> Sections:
    """Cut a text into boards and the notes between them."""
    boards: list[list[TextLine]] = []
    gaps: list[list[Note]] = [[]]
    for item in _pieces(lines):
        if isinstance(item, Note):
            gaps[-1].append(item)
        else:
            boards.append(item)
            gaps.append([])
    return Sections(boards, [_without_solutions(gap) for gap in gaps])


def read_note(line: str) -> Note:
    """What a line between boards says."""
    text = line.strip()
    if text.startswith(";"):
        text = text[1:].strip()
        key, value = _split_key(text)
        return Note(_OWN_KEYS[key], value, True) if key in _OWN_KEYS else Note("", text, True)  # noqa: FBT003
    key, value = _split_key(text)
    if key in _OWN_KEYS:
        return Note(_OWN_KEYS[key], value)
    # Lines with two colons are remarks on the file format; lines of dashes and the like only separate.
    if not text or text.startswith("::") or key == "comment-end" or _SEPARATOR.fullmatch(text):
        return BLANK
    return Note("other" if _OTHER_KEYS.fullmatch(key) else "", text)


def is_comment_mark(line: str) -> bool:
    """Whether a line of a comment would end or restart the comment."""
    return line.strip().lower().startswith(("comment:", "comment-end:"))


def _pieces(lines: Sequence[str]) -> Iterator[Note | list[TextLine]]:
    """Notes and boards in their order."""
    commented = _comment_blocks(lines)
    run: list[TextLine] = []
    in_board = False
    for index, line in enumerate(lines):
        if index not in commented and _is_row(line, in_board=in_board):
            run.append(TextLine(line, index + 1))
            in_board = in_board or "#" in line
            continue
        yield from _split_run(run)
        run, in_board = [], False
        if index in commented:
            yield from commented[index]
        else:
            yield read_note(line)
    yield from _split_run(run)


def _comment_blocks(lines: Sequence[str]) -> dict[int, list[Note]]:
    """The notes of every line from a ``Comment:`` to its ``Comment-End:``.

    A ``Comment:`` that another one follows before any ``Comment-End:`` is a comment of one line.
    """
    blocks: dict[int, list[Note]] = {}
    end: int | None = None
    for index in range(len(lines) - 1, -1, -1):
        mark = lines[index].strip().lower()
        if mark.startswith("comment-end:"):
            end = index
        elif mark.startswith("comment:") and end is not None:
            first = lines[index].strip()[len("comment:") :]
            blocks[index] = [Note("comment", first)] if first.strip() else []
            blocks.update({inner: [Note("comment", lines[inner])] for inner in range(index + 1, end)})
            blocks[end] = []
            end = None
        elif mark.startswith("comment:"):
            end = None
    return blocks


def _is_row(line: str, *, in_board: bool) -> bool:
    """Whether a line is, or was meant as, a row of a board."""
    if _BLANK.fullmatch(line):
        return False
    if _PLAIN_ROW.fullmatch(line):
        return True
    if "#" not in line or _is_note(line) or _NUMBER.fullmatch(line):
        return False
    if _PACKED_ROW.fullmatch(line):
        # A row starts and ends with a wall or a box on a goal; a heading such as "#1-10" does not.
        return in_board or "|" in line or _FRAMED.fullmatch(line) is not None
    squares = len(line) - len(re.findall(r"[\s\xa0]", line))
    unknown = squares - len(_KNOWN.findall(line))
    if _WALLED.fullmatch(line):
        return in_board or 3 * unknown <= squares
    return 4 * unknown <= squares


def _is_note(line: str) -> bool:
    """Whether a line says by its beginning that it is no row."""
    note = read_note(line)
    return note.has_semicolon or note.key not in ("", "blank")


def _split_run(run: list[TextLine]) -> Iterator[Note | list[TextLine]]:
    """The boards in a run of adjacent rows, or its notes where it is no board."""
    if not any("#" in row.text for row in run) or (
        len(run) < _LOWEST_BOARD and all(_ONLY_WALLS.fullmatch(row.text) for row in run)
    ):
        yield from (read_note(row.text) for row in run)
        return
    board: list[TextLine] = []
    for row in run:
        # One packed level a line: a second line with rows and a player of its own starts another level.
        if "|" in row.text and _has_player(row) and any(map(_has_player, board)):
            yield board
            board = []
        board.append(row)
    yield board


def _has_player(row: TextLine) -> bool:
    """Whether a row shows a player."""
    return any(character in row.text for character in "@+pP")


def _split_key(text: str) -> tuple[str, str]:
    """Key in lower case and value of a line such as ``Title: Boxxle``; empty key where there is none."""
    match = _KEY.fullmatch(text)
    return (match[1].lower(), match[2]) if match else ("", text)


def _without_solutions(notes: list[Note]) -> list[Note]:
    """The notes without move strings and the headings above them: a level is not its solution."""
    kept: list[Note] = []
    in_solution = False
    for index, note in enumerate(notes):
        can_be_moves = in_solution or len(note.text) >= _SHORTEST_LONE_MOVES
        if note.key == "blank":
            kept.append(note)
        elif note.has_semicolon or note.key not in ("", "other"):
            in_solution = False
            kept.append(note)
        elif _is_solution_heading(notes, index) or (can_be_moves and _MOVES.fullmatch(note.text)):
            in_solution = True
        else:
            in_solution = False
            kept.append(note)
    return kept


def _is_solution_heading(notes: list[Note], index: int) -> bool:
    """Whether a note announces moves: on its own line after a colon, or on the next line that is not blank."""
    text = notes[index].text
    if not _SOLUTION.fullmatch(text):
        return False
    _, colon, moves = text.partition(":")
    if colon and _MOVES.fullmatch(moves.strip()):
        return True
    following = next((notes[k].text for k in range(index + 1, len(notes)) if notes[k].key != "blank"), "")
    return _MOVES.fullmatch(following) is not None
