"""Titles, authors and comments: whose are they in the many customs of level files."""

from __future__ import annotations

import pytest

from sokoviz.formats import CollectionText, LevelText, read_levels, write_levels

BOARD = "#####\n#@$.#\n#####"
ROWS = ("#####", "#@$.#", "#####")


def told(text: str) -> list[tuple[str, str, str]]:
    """Title, author and comment of each level of a text."""
    levels = [level for level in read_levels(text).levels if isinstance(level, LevelText)]
    return [(level.title, level.author, level.comment) for level in levels]


@pytest.mark.parametrize(
    "text",
    [
        f"; Gate\n{BOARD}",
        f"; Gate\n\n{BOARD}",
        f"Gate\n{BOARD}",
        f"\n\nGate\n\n{BOARD}",
        f"Title: Gate\n\n{BOARD}",
        f"; Title: Gate\n{BOARD}",
        f"{BOARD}\nTitle: Gate",
        f"{BOARD}\n\nTITLE :  Gate\n",
        f"{BOARD}\n; Gate",
        f"{BOARD}\nGate",
        f"Gate\n{BOARD}\nSolution\nR\n",
        f"1\n{BOARD}\nTitle: Gate",
        f":: a remark on the format ::\nGate\n{BOARD}",
        f"-----\nGate\n=====\n{BOARD}",
    ],
)
def test_one_level_called_gate(text: str) -> None:
    assert told(text) == [("Gate", "", "")]


def test_of_several_semicolon_lines_the_last_is_the_title() -> None:
    assert told(f"; by hand\n; Gate\n{BOARD}") == [("Gate", "", "by hand")]


@pytest.mark.parametrize(
    "text",
    [
        f"; A\n{BOARD}\n\n; B\n{BOARD}",
        f"; A\n{BOARD}\n; B\n{BOARD}",
        f"; A\n\n{BOARD}\n\n; B\n\n{BOARD}",
        f"A\n{BOARD}\nB\n{BOARD}",
        f"{BOARD}\n; A\n\n{BOARD}\n; B\n",
        f"{BOARD}\nA\n\n{BOARD}\nB\n",
        f"{BOARD}\nTitle: A\n\n{BOARD}\nTitle: B",
        f"Title: A\n{BOARD}\n\nTitle: B\n{BOARD}",
        f"1\n{BOARD}\nTitle: A\n\n2\n{BOARD}\nTitle: B",
    ],
)
def test_two_levels_called_a_and_b(text: str) -> None:
    assert told(text) == [("A", "", ""), ("B", "", "")]


def test_titles_above_and_below_are_not_mixed_up() -> None:
    text = f"{BOARD}\nTitle: A\nAuthor: X\n\n{BOARD}\n\n{BOARD}\nTitle: C"
    assert told(text) == [("A", "X", ""), ("", "", ""), ("C", "", "")]


def test_text_of_several_lines_belongs_to_the_board_above() -> None:
    assert told(f"; A\n{BOARD}\n\nfirst\nsecond\n\n; B\n{BOARD}") == [("A", "", "first\nsecond"), ("B", "", "")]


def test_a_line_of_its_own_after_other_text_is_the_next_title() -> None:
    assert told(f"A\n{BOARD}\n\nfirst\nsecond\n\nB\n{BOARD}") == [("A", "", "first\nsecond"), ("B", "", "")]


def test_a_line_beside_a_title_key_becomes_a_comment() -> None:
    assert told(f"Level 7\n{BOARD}\nTitle: Gate") == [("Gate", "", "Level 7")]


def test_the_head_of_a_published_file() -> None:
    text = f"; Microban, 155 levels\n; Author: David\n; of 2000\n\n; Microban 1\n{BOARD}\n\n; Microban 2\n{BOARD}"
    collection = read_levels(text)
    assert collection[1:] == ("Microban, 155 levels", "David", "of 2000")
    assert told(text) == [("Microban 1", "David", ""), ("Microban 2", "David", "")]


def test_a_head_with_keys() -> None:
    text = f"Set:       Egevad\nCopyright: © Sven\nEmail:     s@example.org\n\n1\n{BOARD}\nTitle: SE 1\nAuthor: S. E.\n"
    assert read_levels(text)[1:] == ("Egevad", "Sven", "Copyright: © Sven\nEmail: s@example.org")
    assert told(text) == [("SE 1", "S. E.", "")]


def test_one_title_key_above_many_boards_titles_the_collection() -> None:
    text = f"Title: Boxes\nAuthor: Me\n\n; 1\n{BOARD}\n\n; 2\n{BOARD}"
    assert read_levels(text).title == "Boxes"
    assert told(text) == [("1", "Me", ""), ("2", "Me", "")]


def test_title_keys_above_with_a_head_of_their_own() -> None:
    text = f"Title: Boxes\nAuthor: All\n\nTitle: A\nAuthor: Me\n{BOARD}\n\nTitle: B\n{BOARD}"
    assert read_levels(text)[1:3] == ("Boxes", "All")
    assert told(text) == [("A", "Me", ""), ("B", "All", "")]


def test_title_keys_above_with_a_head_in_the_same_paragraph() -> None:
    text = f"Title: Boxes\nAuthor: All\nTitle: A\nAuthor: Me\n{BOARD}\n\nAuthor: You\nTitle: B\n{BOARD}"
    assert read_levels(text)[1:3] == ("Boxes", "All")
    assert told(text) == [("A", "Me", ""), ("B", "You", "")]


def test_comments_in_blocks_and_lines() -> None:
    text = f"{BOARD}\nComment: one\nComment:\ntwo\n\n#####\nTitle: no\nComment-End:\nTitle: Gate"
    assert told(text) == [("Gate", "", "one\ntwo\n\n#####\nTitle: no")]


def test_a_comment_on_the_first_line() -> None:
    assert read_levels(f"Comment:\n#####\nComment-End:\n\n{BOARD}").comment == "#####"


def test_a_note_below_the_last_board_does_not_turn_titles_around() -> None:
    assert told(f"{BOARD}\n\nB\n{BOARD}\nnote") == [("", "", ""), ("B", "", "note")]


def test_a_comment_without_end_is_one_line() -> None:
    assert told(f"{BOARD}\nComment: one\n\n; B\n{BOARD}") == [("", "", "one"), ("B", "", "")]


@pytest.mark.parametrize(
    "moves", ["Solution\nlurdLURD", "Solution: 3r2U", "Solution 2 (best)\n\n3r\n2(uL)", "Snapshot\nl", "lurdlurdlurdR"]
)
def test_solutions_are_not_taken_for_titles_or_comments(moves: str) -> None:
    assert told(f"; A\n{BOARD}\n{moves}\n\nB\n{BOARD}") == [("A", "", ""), ("B", "", "")]


@pytest.mark.parametrize("title", ["dull", "Solution", "Solution to a riddle", "Lurd"])
def test_titles_that_look_a_little_like_moves(title: str) -> None:
    assert told(f"{title}\n{BOARD}") == [(title, "", "")]


def test_text_is_plain_and_cannot_steer_a_terminal() -> None:
    assert told(f"; \x1b[2J<b>bold\x00</b> \x9b\n{BOARD}") == [("[2J<b>bold</b>", "", "")]


def test_boxoban() -> None:
    text = f"; 0\n{BOARD}\n\n; 1\n{BOARD}\n"
    assert told(text) == [("0", "", ""), ("1", "", "")]
    assert write_levels(read_levels(text), "boxoban") == text


def test_boxoban_numbers_levels_without_title() -> None:
    assert (
        write_levels(CollectionText((LevelText(ROWS), LevelText(ROWS))), "boxoban") == f"; 0\n{BOARD}\n\n; 1\n{BOARD}\n"
    )


def test_what_xsb_looks_like() -> None:
    collection = CollectionText((LevelText(ROWS, "Gate", "Me", "Push."),), "Boxes", "All")
    head = "; Collection: Boxes\n; Author: All"
    assert write_levels(collection, "xsb") == f"{head}\n\n; Author: Me\n; Comment: Push.\n; Gate\n{BOARD}\n"


def test_what_sok_looks_like() -> None:
    collection = CollectionText((LevelText(ROWS, "Gate", "Me", "Push."),), "Boxes", "All")
    tail = "Title: Gate\nAuthor: Me\nComment:\nPush.\nComment-End:\n"
    assert write_levels(collection, "sok") == f"Collection: Boxes\nAuthor: All\n\n{BOARD}\n{tail}"
