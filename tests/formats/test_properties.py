"""What holds for all level texts: reading fails only by our errors, and writing what was read is stable."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sokoviz.errors import LevelError, UnknownMoveError
from sokoviz.formats import FORMATS, CollectionText, LevelText, read_levels, read_moves, write_levels, write_moves
from tests.level_strategies import boards, collections, decorated_boards, files_with_a_level, messy_texts

COMPLETE = [name for name in FORMATS if name != "boxoban"]
XML_CHARACTERS = '<>/L evl#@$.SokbanTi&;![]DOCTYPE"= \n?xm'


def good_levels(collection: CollectionText) -> tuple[LevelText, ...]:
    """The levels of a collection without the bad ones."""
    return tuple(level for level in collection.levels if isinstance(level, LevelText))


@pytest.mark.parametrize("name", COMPLETE)
@given(collection=collections())
def test_what_is_written_is_read_back(name: str, collection: CollectionText) -> None:
    assert read_levels(write_levels(collection, name)) == collection


@pytest.mark.parametrize("name", COMPLETE)
@given(text=messy_texts | files_with_a_level)
def test_writing_what_was_read_is_stable(name: str, text: str) -> None:
    collection = read_levels(text)
    again = read_levels(write_levels(collection, name))
    assert good_levels(again) == good_levels(collection)
    assert again[1:] == collection[1:]


@given(collection=collections())
def test_boxoban_keeps_boards_and_titles(collection: CollectionText) -> None:
    text = write_levels(collection, "boxoban")
    again = read_levels(text)
    expected = [(level.rows, level.title or str(number)) for number, level in enumerate(good_levels(collection))]
    assert [(level.rows, level.title) for level in good_levels(again)] == expected
    assert write_levels(again, "boxoban") == text


@given(rows=decorated_boards(), end=st.sampled_from(["\n", "\r\n", "\r"]), floor=st.sampled_from("-_ "))
def test_floor_and_line_ends_make_no_difference(rows: tuple[str, ...], end: str, floor: str) -> None:
    text = end.join(row.replace(" ", floor) if row.strip() else "-" for row in rows)
    assert read_levels(text) == read_levels("\n".join(row if row.strip() else "-" for row in rows))


@given(rows=boards(), place=st.integers(0), character=st.characters(exclude_characters="#@+$*.-_pPbBo|()0123456789"))
def test_one_wrong_character_gives_an_error_or_a_level(rows: tuple[str, ...], place: int, character: str) -> None:
    text = "\n".join(rows)
    at = place % len(text)
    for level in read_levels(text[:at] + character + text[at + 1 :]).levels:
        assert isinstance(level, LevelText | LevelError)


@given(st.text() | messy_texts)
def test_any_text_is_read(text: str) -> None:
    levels = read_levels(text).levels
    assert levels
    assert all(isinstance(level, LevelText | LevelError) for level in levels)


@given(st.binary() | messy_texts.map(lambda text: text.encode("latin-1", errors="replace")))
def test_any_bytes_are_read(data: bytes) -> None:
    assert all(isinstance(level, LevelText | LevelError) for level in read_levels(data).levels)


@given(st.text(XML_CHARACTERS) | st.text())
def test_any_xml_is_read(text: str) -> None:
    assert all(isinstance(level, LevelText | LevelError) for level in read_levels(f"<{text}").levels)


@given(st.lists(st.text("#@+$*. -_", max_size=8), max_size=8))
def test_a_grid_is_a_level_or_an_error_with_a_place_inside(rows: list[str]) -> None:
    for level in read_levels("\n".join(rows)).levels:
        if isinstance(level, LevelText):
            assert "".join(level.rows).count("@") + "".join(level.rows).count("+") == 1
        elif level.number is not None:
            assert level.line is not None
            assert level.column is not None
            assert 1 <= level.column <= len(rows[level.line - 1])


@given(st.text("udlrUDLR"))
def test_moves_are_read_back_packed_or_not(moves: str) -> None:
    assert read_moves(write_moves(moves)) == read_moves(write_moves(moves, run_length=True)) == moves


@given(st.text("udlrUDLR0123456789() ") | st.text())
def test_any_text_is_a_move_string_or_an_error_with_a_column(text: str) -> None:
    try:
        moves, column = read_moves(text), 1
    except UnknownMoveError as error:
        moves, column = "", error.column or 0
    assert set(moves) <= set("udlrUDLR")
    assert 1 <= column <= max(1, len(text))
