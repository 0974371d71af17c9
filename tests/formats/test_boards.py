"""Boards in text: every way to write one, and one named error for every way to get it wrong."""

from __future__ import annotations

import pytest

from sokoviz.errors import (
    BoxesAndGoalsDifferError,
    EmptyLevelError,
    LevelError,
    LevelTooLargeError,
    NoPlayerError,
    OpenWallError,
    TwoPlayersError,
    UnknownCharacterError,
)
from sokoviz.formats import CollectionText, LevelText, read_levels

ROWS = ("#####", "#@$.#", "#####")
TEXT = "\n".join(ROWS)


def rows_of(data: str | bytes) -> list[tuple[str, ...]]:
    """The rows of all levels of a text; the first bad level raises its error."""
    rows = []
    for level in read_levels(data).levels:
        if isinstance(level, LevelError):
            raise level
        rows.append(level.rows)
    return rows


def error_of(data: str | bytes) -> LevelError:
    """The error of the first level of a text."""
    error = read_levels(data).levels[0]
    assert isinstance(error, LevelError)
    return error


# --- ways to write a board --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "#####\n#pb.#\n#####",
        "#####\n#@$o#\n#####",
        "#####\n#@$.#\n#####\n",
        "\n\n#####\n#@$.#\n#####\n\n\n",
        "  #####\n  #@$.#\n  #####",
        "\t#####\n\t#@$.#\n\t#####",
        "-#####-\n-#@$.#-\n_#####_",
        "-------\n-#####-\n-#@$.#-\n-#####-\n-------",
        "\xa0#####\n\xa0#@$.#\n\xa0#####",
        "#####   \n#@$.#\t\n#####",
    ],
)
def test_variants_of_one_board(text: str) -> None:
    assert rows_of(text) == [ROWS]


def test_pieces_on_goals_as_letters() -> None:
    assert rows_of("#####\n#PBb#\n#####") == rows_of("#####\n#+*$#\n#####")


@pytest.mark.parametrize("floor", " -_")
def test_floor_is_a_space_a_dash_or_an_underscore(floor: str) -> None:
    assert rows_of(f"######\n#@{floor}$.#\n######") == [("######", "#@ $.#", "######")]


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_line_ends(line_end: str) -> None:
    assert rows_of(TEXT.replace("\n", line_end) + line_end) == [ROWS]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32", "latin-1", "cp1252"])
def test_encodings(encoding: str) -> None:
    level = read_levels(f"; Café\n{TEXT}".encode(encoding)).levels[0]
    assert level == LevelText(ROWS, "Café")


@pytest.mark.parametrize("mark", [b"\xff\xfe", b"\xfe\xff"])
def test_utf_16_of_either_order(mark: bytes) -> None:
    encoding = "utf-16-le" if mark == b"\xff\xfe" else "utf-16-be"
    assert rows_of(mark + TEXT.encode(encoding)) == [ROWS]


def test_a_byte_order_mark_in_a_string() -> None:
    assert rows_of("\ufeff" + TEXT) == [ROWS]


def test_windows_quotes_in_old_files() -> None:
    assert read_levels(b"; it\x92s\n" + TEXT.encode()).levels[0] == LevelText(ROWS, "it\u2019s")


def test_bytes_of_no_encoding_are_read_as_latin_1() -> None:
    assert read_levels(b"; \x81\xc9\n" + TEXT.encode()).levels[0] == LevelText(ROWS, "É")


def test_ragged_rows_are_padded() -> None:
    assert rows_of("####\n#. ###\n# $@ #\n######") == [("####  ", "#. ###", "# $@ #", "######")]


def test_a_tab_reaches_to_the_next_column_of_eight() -> None:
    assert rows_of("#########\n#@\t#\n#########") == [("#########", "#@      #", "#########")]


def test_a_blank_row_inside_is_written_with_a_dash() -> None:
    assert rows_of(f"*\n-\n{TEXT}") == [("*    ", "     ", *ROWS)]


def test_boards_are_parted_by_blank_lines() -> None:
    assert rows_of(f"{TEXT}\n \t\n{TEXT}") == [ROWS, ROWS]


def test_boards_are_parted_by_titles() -> None:
    assert rows_of(f"{TEXT}\nLevel 2\n{TEXT}\n; 3\n{TEXT}") == [ROWS, ROWS, ROWS]


def test_boxes_on_goals_outside_the_walls_are_legal() -> None:
    assert rows_of("*###*\n#@$.#\n*###*") == [("*###*", "#@$.#", "*###*")]


def test_boxes_on_goals_in_a_closed_cell_are_legal() -> None:
    assert rows_of("#######\n#@$.#*#\n#######") == [("#######", "#@$.#*#", "#######")]


@pytest.mark.parametrize("line", ["#1", "# 12", "(#3)", "#1-10", "####", "*****", "-----", "Level #5!", "## Title"])
def test_lines_that_look_a_little_like_rows_are_none(line: str) -> None:
    assert rows_of(f"{line}\n\n{TEXT}") == [ROWS]


def test_large_levels() -> None:
    rows = ["#" * 60, "#@" + " " * 57 + "#", *["# $." + " " * 55 + "#"] * 57, "#" * 60]
    assert rows_of("\n".join(rows)) == [tuple(rows)]


def test_levels_at_the_limit() -> None:
    rows = ["#" * 1000, "#@$." + " " * 995 + "#", *["#" * 1000] * 998]
    assert len(rows_of("\n".join(rows))[0]) == 1000


# --- ways to get it wrong ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "kind", "line", "column", "message"),
    [
        ("", EmptyLevelError, 1, 1, "expected a board with walls '#' and a player '@', found none"),
        ("\n \n", EmptyLevelError, 1, 1, "expected a board"),
        ("no board\nhere", EmptyLevelError, 1, 1, "expected a board"),
        ("\n#####\n#.$ #\n#####", NoPlayerError, 2, 1, "expected a player '@' (or '+' on a goal) on this board"),
        ("  ####\n  #.$#\n  ####", NoPlayerError, 1, 3, "expected a player"),
        ("###\n###\n###", NoPlayerError, 1, 1, "expected a player"),
        ("#####\n#@ @#\n#####", TwoPlayersError, 2, 4, "found a second one (the first is at line 2, column 2)"),
        ("####\n#@ #\n#+ #\n####", TwoPlayersError, 3, 2, "(the first is at line 2, column 2)"),
        ("######\n#@$ .#\n#$$  #\n######", BoxesAndGoalsDifferError, 3, 2, "found 3 boxes and 1 goal"),
        ("######\n#@$..#\n######", BoxesAndGoalsDifferError, 2, 5, "found 1 box and 2 goals"),
        ("#####\n#@$.\n#####", OpenWallError, 2, 4, "expected walls all around the player, but the floor leaks here"),
        ("#####\n#@$.#\n## ##", OpenWallError, 3, 3, "leaks here"),
        ("#####\n @$.#\n#####", OpenWallError, 2, 1, "leaks here"),
        ("#####\n#@x.#\n#####", UnknownCharacterError, 2, 3, "found 'x'"),
        ("#####\n#\t@x.#\n#####", UnknownCharacterError, 2, 4, "found 'x'"),
        ("?####\n#@$.#\n#####", UnknownCharacterError, 1, 1, "found '?'"),
        ("#####\n#@$.#\n####é", UnknownCharacterError, 3, 5, "found 'é'"),
        ("###\n#x#\n###", UnknownCharacterError, 2, 2, "found 'x'"),
        ("#" * 1001 + "\n#@#\n###", LevelTooLargeError, 1, 1001, "expected rows of at most 1000 squares, found 1001"),
        ("#@#\n" * 1001, LevelTooLargeError, 1001, 1, "expected a board of at most 1000 rows, found 1001"),
    ],
)  # fmt: skip
def test_errors_name_cause_and_place(text: str, kind: type[LevelError], line: int, column: int, message: str) -> None:
    error = error_of(text)
    assert (type(error), error.line, error.column) == (kind, line, column)
    assert message in error.message


@pytest.mark.parametrize("place", range(len(TEXT)))
def test_an_unknown_character_is_found_wherever_it_stands(place: int) -> None:
    if TEXT[place] != "\n":
        error = error_of(TEXT[:place] + "&" + TEXT[place + 1 :])
        assert isinstance(error, UnknownCharacterError)
        assert (error.line, error.column) == (place // 6 + 1, place % 6 + 1)


def test_places_count_in_the_file_as_it_is() -> None:
    error = error_of("; title\r\n\r\n\t#####\r\n\t#@?.#\r\n\t#####")
    assert (error.line, error.column) == (4, 4)


def test_a_bad_level_leaves_the_others_alone() -> None:
    collection = read_levels(f"; one\n{TEXT}\n\n; two\n#####\n#@$ #\n#####\n\n; three\n{TEXT}")
    first, bad, last = collection.levels
    assert (first, last) == (LevelText(ROWS, "one"), LevelText(ROWS, "three"))
    assert isinstance(bad, BoxesAndGoalsDifferError)
    assert (bad.number, bad.title, bad.line, bad.column) == (2, "two", 8, 3)


def test_no_level_at_all_is_one_error_without_a_number() -> None:
    collection = read_levels("just a title")
    assert isinstance(collection, CollectionText)
    assert [type(level) for level in collection.levels] == [EmptyLevelError]
    assert error_of("just a title").number is None
