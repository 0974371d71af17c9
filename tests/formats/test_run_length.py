"""Run lengths in boards and in move strings."""

from __future__ import annotations

import doctest

import pytest

import sokoviz.formats.moves as moves_module
from sokoviz.errors import LevelError, LevelTooLargeError, RunLengthError, UnknownMoveError
from sokoviz.formats import CollectionText, LevelText, read_levels, read_moves, write_levels, write_moves

ROWS = ("#####", "#@$.#", "#####")


@pytest.mark.parametrize(
    "text",
    [
        "5#|#@$.#|5#",
        "5#|#@$.#|5#|",
        "5#\n#@$.#\n5#",
        "05#|#@$.#|5#",
        "2(2#)#|#@$.#|5#",
        "2(1(2#))#|#@$.#|5#",
        "(5#)|#(@$.)#|5#",
        "5#|#pb.#|5#",
        "8-5#|8_#@$.#|8 5#",
        "#####|#@$.#|#####",
    ],
)
def test_ways_to_pack_one_board(text: str) -> None:
    assert read_levels(text).levels == (LevelText(ROWS),)


def test_groups_may_hold_whole_rows() -> None:
    assert read_levels("5#|#@$.#|2(#3-#|)5#").levels == (LevelText(("#####", "#@$.#", "#   #", "#   #", "#####")),)


def test_one_packed_level_a_line() -> None:
    assert read_levels("5#|#@$.#|5#\n5#|#@$.#|5#\n").levels == (LevelText(ROWS), LevelText(ROWS))


def test_a_packed_level_over_several_lines() -> None:
    assert read_levels("5#|#@$.#|\n#3-#|5#").levels == (LevelText(("#####", "#@$.#", "#   #", "#####")),)


def test_what_a_packed_board_looks_like() -> None:
    collection = CollectionText((LevelText(("  ####", "  #  #", "###$.#", "#@   #", "######"), "Hook"),))
    assert write_levels(collection, "rle") == "; Hook\n2-4#|2-#2-#|3#$.#|#@3-#|6#\n"


@pytest.mark.parametrize(
    ("text", "column", "message"),
    [
        ("5#|#@$.#|5", 10, "expected a character after the run length 5, found the end"),
        ("5#|#@$.3|5#", 8, "expected a character after the run length 3, found '|'"),
        ("5#|#@$.#|2(2#2)", 14, "expected a character after the run length 2, found ')'"),
        ("0#|#@$.#|5#", 1, "expected a run length from 1 to 1000, found 0"),
        ("999999999#", 1, "expected a run length from 1 to 1000, found 999999999"),
        (f"{'9' * 5000}#|#@$.#", 1, "found 999999999999..."),
        ("5#|#@$.#|2(2#", 11, "expected a closing parenthesis for this group, found the end"),
        ("5#|#@$.#|5#)", 12, "expected an opening parenthesis before this closing one, found none"),
        (f"{'(' * 9999}#|", 21, "expected groups nested at most 20 deep"),
        ("5#|#@$.#|999(999(999(#)))", 13, "expected run lengths that expand to at most 1001000 characters"),
    ],
)  # fmt: skip
def test_malformed_run_lengths(text: str, column: int, message: str) -> None:
    error = read_levels(f"; title\n{text}").levels[0]
    assert isinstance(error, RunLengthError)
    assert (error.line, error.column) == (2, column)
    assert message in error.message


def test_a_group_may_not_make_a_row_too_long() -> None:
    error = read_levels("5#|#@$.#|999(99(#))").levels[0]
    assert isinstance(error, LevelTooLargeError)
    assert (error.line, error.column) == (1, 17)


def test_errors_on_packed_rows_point_at_their_character() -> None:
    error = read_levels("5#|#@2$.#|5#").levels[0]
    assert isinstance(error, LevelError)
    assert (error.line, error.column) == (1, 7)
    assert "found 2 boxes and 1 goal" in error.message


@pytest.mark.parametrize(
    ("text", "moves"),
    [
        ("", ""),
        ("lurdLURD", "lurdLURD"),
        ("3r2U", "rrrUU"),
        ("2(3(dr)R)", "drdrdrRdrdrdrR"),
        (" l\n\tu 2 r ", "lurr"),
        ("12u", "u" * 12),
        ("1000(1000r)", "r" * 1_000_000),
    ],
)
def test_move_strings(text: str, moves: str) -> None:
    assert read_moves(text) == moves


def test_moves_are_written_letter_by_letter_or_packed() -> None:
    assert write_moves("3r u") == "rrru"
    assert write_moves("rrruLL", run_length=True) == "3ru2L"


def test_the_examples_in_the_documentation_hold() -> None:
    assert doctest.testmod(moves_module) == (0, 2)


@pytest.mark.parametrize(
    ("text", "index", "column", "message"),
    [
        ("lu*r", 2, 3, "expected a move (u, d, l, r, upper case for a push), found '*'"),
        ("3l x", 3, 4, "found 'x'"),
        ("lu3", 2, 3, "expected a character after the run length 3, found the end"),
        ("l 2(u", 1, 4, "expected a closing parenthesis"),
        ("2(lx)", None, 4, "found 'x'"),
        ("l9999999999u", 1, 2, "expected a run length from 1 to 1000000"),
        ("999(999(999u))", 0, 4, "expand to at most 1000000 characters"),
    ],
)
def test_what_is_no_move_string(text: str, index: int | None, column: int, message: str) -> None:
    with pytest.raises(UnknownMoveError) as caught:
        read_moves(text)
    assert (caught.value.index, caught.value.column) == (index, column)
    assert message in caught.value.message
