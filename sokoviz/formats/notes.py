"""Decide which title, author and comment belongs to which board.

The notes between two boards belong to the board above them, except for the title of the board below: the last line of
free text, if a blank line stands before it or it is the only one (as SOK has it), or the ``;`` lines right before the
board, of which the last is the title. Two other customs are recognised by looking at the whole file: ``Title:`` lines
above the boards, and titles without any mark right below the boards.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sokoviz.formats.records import clean_comment, clean_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sokoviz.formats.sections import Note


class Heading(NamedTuple):
    """What is said about a level or about a collection."""

    title: str = ""
    author: str = ""
    comment: str = ""


def assign_notes(gaps: Sequence[Sequence[Note]]) -> tuple[Heading, list[Heading]]:
    """Read the notes between boards.

    Parameters
    ----------
    gaps
        Before each board the notes that stand there, and one more after the last board.

    Returns
    -------
    Heading
        What is said about the whole collection.
    list of Heading
        What is said about each board; without an author of its own it has the collection's.
    """
    n_boards = len(gaps) - 1
    titles_follow = _titles_follow(gaps)
    keys_lead = _title_keys_lead(gaps)
    cuts = [len(notes) for notes in gaps]
    if not titles_follow:
        cuts[:-1] = [_cut(notes, is_head=k == 0, keys_lead=keys_lead) for k, notes in enumerate(gaps[:-1])]
    collection = _collection_heading(gaps[0][: cuts[0]])
    headings = []
    for index in range(n_boards):
        before = gaps[index][cuts[index] :]
        after = gaps[index + 1][: cuts[index + 1]]
        heading = _heading(before, after, titles_follow=titles_follow)
        headings.append(heading._replace(author=heading.author or collection.author))
    return collection, headings


def _cut(notes: Sequence[Note], *, is_head: bool, keys_lead: bool) -> int:
    """Where in a gap the notes on the board below it start."""
    if keys_lead and any(map(_is_title_key, notes)):
        return _start_of_last_title(notes)
    start, end = _last_paragraph(notes)
    if start == end or any(note.key == "collection" for note in notes[start:end]):
        return len(notes)
    first = end
    while first > start and notes[first - 1].has_semicolon:
        first -= 1
    if first < end:
        touches_only_above = not is_head and first == 0 and end < len(notes)
        return len(notes) if touches_only_above else first
    is_alone = end - start == 1 or sum(note.key == "" for note in notes) == 1
    return end - 1 if notes[end - 1].key == "" and is_alone else len(notes)


def _titles_follow(gaps: Sequence[Sequence[Note]]) -> bool:
    """Whether free text always starts right below a board, and also does so below the last one."""
    if any(note.key == "" for note in gaps[0]) or not any(note.key == "" for note in gaps[-1]):
        return False
    for notes in gaps[1:]:
        first_free = next((k for k, note in enumerate(notes) if note.key == ""), len(notes))
        first_blank = next((k for k, note in enumerate(notes) if note.key == "blank"), len(notes))
        if first_blank < first_free < len(notes):
            return False
    return True


def _title_keys_lead(gaps: Sequence[Sequence[Note]]) -> bool:
    """Whether ``Title:`` lines stand before the boards; only one on top of the file titles the collection."""
    has_title = [any(map(_is_title_key, notes)) for notes in gaps]
    n_boards = len(gaps) - 1
    return has_title[0] and not has_title[-1] and (n_boards == 1 or any(has_title[1:-1]))


def _is_title_key(note: Note) -> bool:
    """Whether a note is a ``Title:`` line."""
    return note.key == "title" and not note.has_semicolon


def _start_of_last_title(notes: Sequence[Note]) -> int:
    """Start of the paragraph of the last ``Title:`` line, or that line itself where the paragraph has another one."""
    last = max(k for k, note in enumerate(notes) if _is_title_key(note))
    start = last
    while start > 0 and notes[start - 1].key not in ("blank", "title", "collection"):
        start -= 1
    return last if start > 0 and notes[start - 1].key in ("title", "collection") else start


def _last_paragraph(notes: Sequence[Note]) -> tuple[int, int]:
    """Start and end of the last run of notes that are not blank."""
    end = len(notes)
    while end > 0 and notes[end - 1].key == "blank":
        end -= 1
    start = end
    while start > 0 and notes[start - 1].key != "blank":
        start -= 1
    return start, end


def _collection_heading(notes: Sequence[Note]) -> Heading:
    """What the head of a file says; without a key its first line of free text is the title."""
    title = _first(notes, "collection") or _first(notes, "title")
    free = [note for note in notes if note.key == ""]
    lead = None if title or not free else free[0]
    others = [note.text for note in notes if note.key == "other"]
    copyrights = (text.partition(":")[2] for text in others if text.lower().startswith("copyright"))
    author = _first(notes, "author") or clean_line(next(copyrights, "")).removeprefix("©").strip()
    return Heading(title or clean_line(lead.text if lead else ""), author, _comment(n for n in notes if n is not lead))


def _heading(before: Sequence[Note], after: Sequence[Note], *, titles_follow: bool) -> Heading:
    """What is said about a board by the notes that belong to it."""
    notes = [*before, *after]
    free = [note for note in (after if titles_follow else before) if note.key == ""]
    lead = (free[0] if titles_follow else free[-1]) if free else None
    named = clean_line(lead.text) if lead else ""
    title = _first(notes, "title") or named
    # A line above the board beside a "Title:" is worth keeping, unless it is a mere number.
    is_used = title == named or named.isdecimal()
    return Heading(title, _first(notes, "author"), _comment(n for n in notes if not (n is lead and is_used)))


def _first(notes: Iterable[Note], key: str) -> str:
    """The first value of a key that is not empty."""
    return next((clean_line(note.text) for note in notes if note.key == key and clean_line(note.text)), "")


def _comment(notes: Iterable[Note]) -> str:
    """Comments and free text, line by line."""
    return clean_comment(note.text for note in notes if note.key in ("comment", "other", ""))
