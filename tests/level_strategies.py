"""Random levels, files of levels and broken files for property tests."""

from __future__ import annotations

from hypothesis import strategies as st

from sokoviz.formats import CollectionText, LevelText
from sokoviz.formats.records import clean_comment, clean_line

# Mostly characters that mean something in a file of levels, so that random text gets deep into the readers.
LEVEL_CHARACTERS = "##### \n\n@+$*.-_|()0123456789\r\t;:pPbBo\xa0xé\x00"
WORDS = [
    *("#####", "#@$.#", "# $ #", "#-#", "5#|#@$.#|5#", "3(#-)", "-", "*", "", "", "  ", "\t", "----", "::"),
    *("Title: A", "Author: B", "Comment: C", "Comment:", "Comment-End:", "Collection: D", "Set: E", "; title", ";"),
    *("; Title: F", "; Author: G", "; Comment: H", "; Comment:", "; Collection: I", "free text", "#12", "12", "a: b"),
    *("Solution", "ullddrUULL", "Solution: lurd", "Date: today", "Copyright: © J", "<Level>", "#@x.#", "; ;", "==="),
]


@st.composite
def boards(draw: st.DrawFn, largest: int = 6) -> tuple[str, ...]:
    """Rows of a level that is in order: one player, closed walls, as many boxes as goals."""
    width, height = draw(st.integers(2, largest)), draw(st.integers(1, largest))
    cells = draw(st.lists(st.sampled_from("#   .$*"), min_size=width * height, max_size=width * height))
    place = draw(st.integers(0, width * height - 1))
    cells[place] = "+" if cells[place] in ".*" else "@"
    _balance(cells)
    inner = ["".join(cells[start : start + width]) for start in range(0, width * height, width)]
    return ("#" * (width + 2), *(f"#{row}#" for row in inner), "#" * (width + 2))


def _balance(cells: list[str]) -> None:
    """Clear boxes or goals, the last ones first, until there are as many of one as of the other."""
    surplus = cells.count("$") - cells.count(".") - cells.count("+")
    for index in range(len(cells) - 1, -1, -1):
        if surplus > 0 and cells[index] == "$":
            cells[index], surplus = " ", surplus - 1
        elif surplus < 0 and cells[index] in ".+":
            cells[index], surplus = " @"[cells[index] == "+"], surplus + 1


@st.composite
def decorated_boards(draw: st.DrawFn) -> tuple[str, ...]:
    """Rows of a level in order with walled-off pieces, blank rows and walls around it."""
    rows = draw(boards())
    width = len(rows[0])
    around = st.text("  #*-", min_size=width, max_size=width).map(lambda row: row.replace("-", " "))
    rows = (*draw(st.lists(around, max_size=2)), *rows, *draw(st.lists(around, max_size=2)))
    filled = [index for index, row in enumerate(rows) if row.strip()]
    return rows[filled[0] : filled[-1] + 1]


titles = st.text(max_size=12).map(clean_line) | st.sampled_from([word for word in map(clean_line, WORDS) if word])
comments = st.lists(titles, max_size=4).map(clean_comment)
records = st.builds(LevelText, decorated_boards(), titles, titles, comments)


@st.composite
def collections(draw: st.DrawFn) -> CollectionText:
    """What a file with good levels says; a level without an author has that of the collection."""
    levels = draw(st.lists(records, min_size=1, max_size=4))
    author = draw(titles)
    owned = tuple(level._replace(author=level.author or author) for level in levels)
    return CollectionText(owned, draw(titles), author, draw(comments))


line_ends = st.sampled_from(["\n", "\r\n", "\r"])
messy_lines = st.lists(
    st.sampled_from(WORDS) | boards().map("\n".join) | st.text(LEVEL_CHARACTERS, max_size=8), max_size=20
)
messy_texts = st.builds(lambda lines, end: end.join(lines), messy_lines, line_ends) | st.text(LEVEL_CHARACTERS)
files_with_a_level = st.builds("{}\n\n{}\n\n{}".format, messy_texts, boards().map("\n".join), messy_texts)
