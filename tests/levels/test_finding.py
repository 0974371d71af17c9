"""How levels and collections are found by name or path."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

import sokoviz
from sokoviz.errors import LevelNotFoundError, LevelTooLargeError
from sokoviz.levels import split_target

if TYPE_CHECKING:
    from pathlib import Path

SMALL = "#####\n#@$.#\n#####"
HOOK = "  ####\n###  #\n#@$ .#\n######"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder of levels that SOKOVIZ_LEVELS names, and an empty cache."""
    monkeypatch.setenv("SOKOVIZ_LEVELS", str(tmp_path / "mine"))
    monkeypatch.setenv("SOKOVIZ_CACHE", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine").mkdir()
    return tmp_path / "mine"


def test_load_by_path_and_number(folder: Path) -> None:
    path = folder / "some file.xsb"
    path.write_text(f"{SMALL}\n\n{HOOK}")
    assert sokoviz.load(f"{path}#2").text == HOOK
    assert sokoviz.load(f"{path}#2").name == "some file#2"


def test_load_a_single_level_without_number(folder: Path) -> None:
    (folder / "one.sok").write_text(HOOK)
    assert sokoviz.load(folder / "one.sok").text == HOOK
    assert sokoviz.load("one").text == HOOK


def test_several_levels_need_a_number(folder: Path) -> None:
    (folder / "two.xsb").write_text(f"{SMALL}\n\n{HOOK}")
    with pytest.raises(LevelNotFoundError, match="expected one level, found 2 in two: name one, such as 'two#1'"):
        sokoviz.load("two")


def test_a_path_with_a_hash_mark_in_its_name(folder: Path) -> None:
    (folder / "a#1").write_text(SMALL)
    (folder / "a#2").write_text(f"{SMALL}\n\n{HOOK}")
    assert sokoviz.load(folder / "a#1").text == SMALL
    assert sokoviz.load(f"{folder / 'a#2'}#2").text == HOOK


@pytest.mark.parametrize("suffix", [".xsb", ".sok", ".txt", ".slc", ".xml", ".rle"])
def test_names_are_looked_up_in_the_folder_of_levels(folder: Path, suffix: str) -> None:
    (folder / f"mine{suffix}").write_text(SMALL)
    assert sokoviz.collection("mine")[0].name == "mine#1"


def test_a_file_here_comes_before_a_name(folder: Path) -> None:
    (folder / "mine.xsb").write_text(SMALL)
    (folder.parent / "mine").rename(folder.parent / "other")
    (folder.parent / "mine").write_text(HOOK)
    assert sokoviz.load("mine").text == HOOK


def test_the_chosen_folder_comes_before_our_own_levels(folder: Path) -> None:
    assert sokoviz.collection("lessons").title == "Lessons"
    (folder / "lessons.xsb").write_text(SMALL)
    assert sokoviz.load("lessons").text == SMALL


def test_downloads_come_last(folder: Path) -> None:
    cache = folder.parent / "cache" / "levels"
    cache.mkdir(parents=True)
    (cache / "microban.txt").write_text(HOOK)
    (cache / "lessons.txt").write_text(HOOK)
    assert sokoviz.load("microban#1").text == HOOK
    assert len(sokoviz.collection("lessons")) > 1


def test_available_names_every_collection_once(folder: Path) -> None:
    for name in ("mine.xsb", "mine.txt", "lessons.sok", "notes.md"):
        (folder / name).write_text(SMALL)
    assert sokoviz.available() == ("lessons", "mine")


def test_without_a_folder_of_levels_there_are_our_own(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOKOVIZ_LEVELS", str(folder / "absent"))
    assert "lessons" in sokoviz.available()
    monkeypatch.delenv("SOKOVIZ_LEVELS")
    assert "lessons" in sokoviz.available()


@pytest.mark.parametrize(
    ("target", "message"),
    [
        ("lessns#1", "expected a file or the name of a collection, found 'lessns'; did you mean 'lessons'?"),
        ("no/such/file.xsb", "expected a file or the name of a collection, found 'no/such/file.xsb'"),
        ("microban2#1", "`sokoviz levels get microban2` downloads it"),
        ("lessons#one", "expected a level number after '#', found 'one' in 'lessons#one'"),
        ("lessons#", "expected a level number after '#', found ''"),
        ("lessons#0", "expected a level of lessons from 1 to"),
        ("lessons#99999999999", "expected a level number after '#'"),
        ("lessons#\u0663", "expected a level number after '#'"),
        ("", "expected a file or the name of a collection, found ''"),
        ("#1", "expected a file or the name of a collection, found ''"),
        ("a\x00b", "expected a file or the name of a collection"),
        ("x" * 5000, "expected a file or the name of a collection"),
        (".", "expected a file or the name of a collection"),
    ],
)
@pytest.mark.usefixtures("folder")
def test_what_is_not_found_is_explained(target: str, message: str) -> None:
    with pytest.raises(LevelNotFoundError) as caught:
        sokoviz.load(target)
    assert message in str(caught.value)


def test_names_have_no_folders_in_them(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder.parent / "elsewhere").mkdir()
    monkeypatch.chdir(folder.parent / "elsewhere")
    (folder / "deeper").mkdir()
    (folder / "deeper" / "mine.xsb").write_text(SMALL)
    with pytest.raises(LevelNotFoundError):
        sokoviz.load("deeper/mine#1")


def test_an_unreadable_file_is_not_a_traceback(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_arguments: object, **_options: object) -> None:
        raise PermissionError(13, "Permission denied")

    (folder / "mine.xsb").write_text(SMALL)
    monkeypatch.setattr("pathlib.Path.open", refuse)
    with pytest.raises(LevelNotFoundError, match=r"expected a file of levels .* found .*: Permission denied"):
        sokoviz.load("mine")


def test_an_endless_file_is_refused(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sokoviz.levels.finding.MAX_BYTES", 10)
    (folder / "mine.xsb").write_text(SMALL)
    with pytest.raises(LevelTooLargeError, match="MiB of levels, found more"):
        sokoviz.load("mine")


@given(st.text() | st.from_regex("[a-z]*#[0-9]*", fullmatch=True))
def test_any_target_gives_a_name_and_a_number_or_is_refused(target: str) -> None:
    try:
        name, number = split_target(target)
    except LevelNotFoundError:
        name, number = target, None
        assert "#" in target
    assert target == name if number is None else (target.startswith(f"{name}#") and number >= 0)
