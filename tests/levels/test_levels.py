"""Levels and collections: what they know, how they turn, and how they are found."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

import sokoviz
from sokoviz import Collection, Level, Square
from sokoviz.errors import (
    LevelError,
    LevelNotFoundError,
    LevelTooLargeError,
    NoPlayerError,
    SokovizError,
    UnknownCharacterError,
)
from sokoviz.levels import SearchSpace
from tests.level_strategies import boards, decorated_boards, messy_texts

if TYPE_CHECKING:
    from pathlib import Path

SMALL = "#####\n#@$.#\n#####"
HOOK = "  ####\n###  #\n#@$ .#\n######"
PUBLISHED = {"xsokoban": 90, "microban": 155, "microban3": 100, "cbc": 60, "kth100": 100}
LETTERS = st.sampled_from(["xsb", "sok", "rle", "slc", "boxoban"])


# --- a level ----------------------------------------------------------------------------------------------------------


def test_squares_of_a_level() -> None:
    level = Level.parse("######\n#+$*$#\n# .  #\n######")
    assert (level.width, level.height, level.player) == (6, 4, Square(1, 1))
    assert level.boxes == ((1, 2), (1, 3), (1, 4))
    assert level.goals == ((1, 1), (1, 3), (2, 2))


def test_floor_is_what_the_player_could_reach_without_boxes() -> None:
    level = Level.parse("########\n#@$.# *#\n########")
    assert level.floor == {(1, 1), (1, 2), (1, 3)}


def test_rows_are_made_canonical() -> None:
    level = Level(("  #####", "  #pb.#", "  #####", ""))
    assert level.rows == ("#####", "#@$.#", "#####")


def test_a_level_cannot_be_built_wrong() -> None:
    with pytest.raises(NoPlayerError, match="line 1, column 1: expected a player"):
        Level(("###", "# #", "###"))


def test_rows_are_not_one_text() -> None:
    with pytest.raises(TypeError, match=r"expected a sequence of rows, found one text: Level\.parse reads that"):
        Level(SMALL)  # type: ignore[arg-type]


@given(messy_texts | messy_texts.map(lambda text: text.encode("latin-1", errors="replace")))
def test_any_text_is_a_level_or_one_of_our_errors(data: str | bytes) -> None:
    try:
        level = Level.parse(data)
    except LevelError as error:
        level, place = None, (error.line, error.column)
    assert None not in place if level is None else level.player in level.floor


def test_a_level_is_a_value() -> None:
    assert Level.parse(SMALL) == Level.parse(SMALL)
    assert len({Level.parse(SMALL), Level.parse(SMALL), Level.parse(HOOK)}) == 2
    with pytest.raises(AttributeError):
        Level.parse(SMALL).title = "x"  # type: ignore[misc]


def test_parse_takes_the_first_level() -> None:
    assert Level.parse(f"; A\n{SMALL}\n\n; B\n{HOOK}").title == "A"


def test_parse_takes_bytes() -> None:
    assert Level.parse(SMALL.encode("utf-16")).text == SMALL


def test_parse_raises_the_error_of_the_first_level() -> None:
    with pytest.raises(UnknownCharacterError, match=r"line 2, column 3: .* found 'x'"):
        Level.parse(f"#####\n#@x.#\n#####\n\n{SMALL}")


@pytest.mark.parametrize(
    ("level", "sentence"),
    [
        (Level.parse(HOOK), "Level, 6 x 4, 1 box"),
        (Level.parse("####\n#@ #\n####"), "Level, 4 x 3, 0 boxes"),
        (Level(Level.parse(SMALL).rows, "Gate", name="mine#2"), "Level mine#2 'Gate', 5 x 3, 1 box"),
    ],
)
def test_a_level_introduces_itself(level: Level, sentence: str) -> None:
    assert repr(level) == sentence


def test_text_is_the_board_alone() -> None:
    assert Level.parse(f"; Hook\n{HOOK}").text == HOOK


@given(rows=decorated_boards(), name=LETTERS)
def test_text_in_any_format_is_read_back(rows: tuple[str, ...], name: str) -> None:
    level = Level(rows, title="A title")
    assert Level.parse(level.to_text(name)) == level
    assert Level.parse(level.text).rows == level.rows


def test_an_unknown_format_is_named() -> None:
    with pytest.raises(SokovizError, match="expected one of the formats xsb, sok, rle, slc, boxoban, found 'pdf'"):
        Level.parse(SMALL).to_text("pdf")


def test_large_levels_work() -> None:
    inner = ["#" + " $." * 39 + " #"] * 100
    level = Level(("#" * 119, "#@" + " " * 116 + "#", *inner, "#" * 119))
    assert len(level.boxes) == len(level.goals) == 3900
    assert level.normal_form().rotate().normal_form() == level.normal_form()


def test_a_level_draws_itself() -> None:
    bundle = Level.parse(SMALL)._repr_mimebundle_()
    assert bundle["text/plain"].splitlines()[1].startswith("#@$.#")
    assert bundle["image/svg+xml"].startswith("<svg")


def test_a_level_gives_a_board() -> None:
    board = Level.parse(SMALL).board()
    board.play("R")
    assert board.is_solved


def test_a_level_can_be_played_in_a_notebook() -> None:
    widget = Level.parse(SMALL).play(moves="R")
    assert widget.position == "#####\n# @*#\n#####"


# --- symmetry ---------------------------------------------------------------------------------------------------------


def test_rotation_is_clockwise() -> None:
    assert Level.parse(HOOK).rotate().text == "###\n#@#\n#$##\n#  #\n#. #\n####"


def test_mirroring_exchanges_left_and_right() -> None:
    assert Level.parse(HOOK).mirror().text == "####\n#  ###\n#. $@#\n######"


def test_rotating_left_undoes_rotating_right() -> None:
    level = Level.parse(HOOK)
    assert level.rotate(1).rotate(-1) == level.rotate(4) == level


@given(rows=decorated_boards())
def test_four_quarters_and_two_mirrors_change_nothing(rows: tuple[str, ...]) -> None:
    level = Level(rows, title="kept")
    assert level.rotate().rotate().rotate().rotate() == level
    assert level.mirror().mirror() == level
    assert level.mirror().rotate().mirror().rotate() == level


@given(rows=decorated_boards(), turns=st.integers(0, 3), is_mirrored=st.booleans())
def test_symmetric_levels_have_one_normal_form(rows: tuple[str, ...], turns: int, is_mirrored: bool) -> None:  # noqa: FBT001
    level = Level(rows)
    other = (level.mirror() if is_mirrored else level).rotate(turns)
    assert other.normal_form() == level.normal_form()


@given(rows=boards())
def test_a_normal_form_is_its_own_normal_form(rows: tuple[str, ...]) -> None:
    normal = Level(rows).normal_form()
    assert normal.normal_form() == normal


@pytest.mark.parametrize(
    "text",
    [
        "#######\n#@ $ .#\n#######",
        "#######\n# @$ .#\n#######",
        "#######\n#. $ @#\n#######",
        "###\n#@#\n# #\n#$#\n# #\n#.#\n###",
        " #####\n#@ $ .#\n #####",
        "#########\n##@ $ .##\n#########",
        "#######  #\n#@ $ .#*##\n#######",
        "#######\n#@ $ .###\n#######*#\n      ###",
    ],
)
def test_what_makes_no_difference_to_play_makes_none_to_the_normal_form(text: str) -> None:
    assert Level.parse(text).normal_form().rows == Level.parse("#######\n# @$ .#\n#######").normal_form().rows


@pytest.mark.parametrize(
    "text", ["#######\n#  $@.#\n#######", "#######\n#@$  .#\n#######", "########\n#@ $ . #\n########"]
)
def test_different_levels_have_different_normal_forms(text: str) -> None:
    assert Level.parse(text).normal_form().rows != Level.parse("#######\n#@ $ .#\n#######").normal_form().rows


def test_unsolved_boxes_behind_walls_stay_in_the_normal_form() -> None:
    level = Level.parse("########\n#@$.#$.#\n########")
    assert len(level.normal_form().boxes) == 2


@given(rows=boards())
def test_a_normal_form_keeps_floor_and_boxes(rows: tuple[str, ...]) -> None:
    level = Level(rows)
    normal = level.normal_form()
    assert len(normal.floor) == len(level.floor)
    assert len(normal.floor & set(normal.boxes)) == len(level.floor & set(level.boxes))


# --- search space -----------------------------------------------------------------------------------------------------


def test_search_space_of_the_thesis_example(shared_levels: Path) -> None:
    level = sokoviz.load(shared_levels / "microban3.xsb#5")
    assert level.search_space() == SearchSpace(tiles=20, live_tiles=11, boxes=3, size=2805)


def test_boxes_behind_walls_do_not_count() -> None:
    assert Level.parse("#######\n#@$.#*#\n#######").search_space() == (3, 2, 1, 4)


@pytest.mark.parametrize(
    ("space", "sentence"),
    [
        (SearchSpace(20, 11, 3, 2805), "2,805 positions (20 tiles, 11 of them live, 3 boxes)"),
        (SearchSpace(9, 5, 1, 40), "40 positions (9 tiles, 5 of them live, 1 box)"),
        (SearchSpace(1, 1, 1, 123 * 10**40), "about 1.2e42 positions (1 tiles, 1 of them live, 1 box)"),
        (SearchSpace(1, 1, 1, 10**9999), "about 1.0e9999 positions (1 tiles, 1 of them live, 1 box)"),
    ],
)
def test_a_search_space_in_words(space: SearchSpace, sentence: str) -> None:
    assert str(space) == sentence
    assert repr(space).startswith(f"SearchSpace(tiles={space.tiles}, ")


def test_a_board_too_large_to_estimate_says_so() -> None:
    side = 1000
    goals = "#" + "$." * ((side - 2) // 2) + "#"
    level = Level(("#" * side, "#@" + " " * (side - 3) + "#", *[goals] * (side - 3), "#" * side))
    with pytest.raises(LevelTooLargeError, match="pairs of goal and square"):
        level.search_space()


# --- collections ------------------------------------------------------------------------------------------------------


def test_numbers_count_bad_levels_too() -> None:
    collection = Collection.parse(f"{SMALL}\n\n###\n#@\n###\n\n{HOOK}", "mine")
    assert [level.name for level in collection] == ["mine#1", "mine#3"]
    assert collection.level(3).text == HOOK
    assert [error.number for error in collection.errors] == [2]
    with pytest.raises(LevelError, match="line 6, column 2: expected walls"):
        collection.level(2)


@pytest.mark.parametrize("number", [0, -1, 3])
def test_a_number_outside_the_collection(number: int) -> None:
    collection = Collection.parse(f"{SMALL}\n\n{HOOK}", "mine")
    with pytest.raises(LevelNotFoundError, match=f"expected a level of mine from 1 to 2, found {number}"):
        collection.level(number)


def test_a_collection_is_a_sequence_of_good_levels() -> None:
    collection = Collection.parse(f"{SMALL}\n\n###\n#@\n###\n\n{HOOK}")
    assert len(collection) == 2
    assert collection[-1].text == HOOK
    assert collection[:1] == (collection[0],)
    assert Level.parse(HOOK) in collection


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (SMALL, "Collection mine, 1 level"),
        (f"Collection: Boxes\n\n{SMALL}\n\n{SMALL}\n\n###\n#@\n###", "Collection mine 'Boxes', 2 levels, 1 refused"),
    ],
)
def test_a_collection_introduces_itself(text: str, sentence: str) -> None:
    assert repr(Collection.parse(text, "mine")) == sentence


def test_a_collection_is_written_and_read_back() -> None:
    collection = Collection.parse(f"Collection: Boxes\nAuthor: Me\n\n{SMALL}\nTitle: A\n\n{HOOK}\nTitle: B", "mine")
    again = Collection.parse(collection.to_text("slc"), "mine")
    assert (again.levels, again.title, again.author) == (collection.levels, "Boxes", "Me")


@pytest.mark.parametrize(("name", "count"), PUBLISHED.items())
def test_published_collections_are_read_whole(shared_levels: Path, name: str, count: int) -> None:
    collection = sokoviz.collection(shared_levels / f"{name}.xsb")
    assert (len(collection), collection.errors) == (count, ())


@pytest.mark.parametrize("name", PUBLISHED)
def test_published_collections_are_stable_in_every_format(shared_levels: Path, name: str) -> None:
    collection = sokoviz.collection(shared_levels / f"{name}.xsb")
    for form in ("xsb", "sok", "rle", "slc"):
        assert Collection.parse(collection.to_text(form), name).levels == collection.levels


@pytest.mark.parametrize(("name", "number", "n_outside"), [("microban", 155, 10), ("kth100", 73, 2)])
def test_boxes_outside_in_published_levels(shared_levels: Path, name: str, number: int, n_outside: int) -> None:
    level = sokoviz.load(shared_levels / f"{name}.xsb#{number}")
    assert sum(box not in level.floor for box in level.boxes) == n_outside


def test_the_known_duplicate_in_published_collections(shared_levels: Path) -> None:
    collection = sokoviz.collection(shared_levels / "cbc.xsb")
    forms = [level.normal_form().rows for level in collection]
    assert [(a + 1, b + 1) for a in range(60) for b in range(a) if forms[a] == forms[b]] == [(19, 18)]
