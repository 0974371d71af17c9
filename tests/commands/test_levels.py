"""``sokoviz levels`` as a user types it."""

from __future__ import annotations

import io
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from sokoviz.cli import main

if TYPE_CHECKING:
    from pathlib import Path

SMALL = "#####\n#@$.#\n#####\n"
HOOK = "  ####\n###  #\n#@$ .#\n######\n"
OPEN = "###\n#@\n###\n"


@pytest.fixture(autouse=True)
def _own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Work in an empty folder, with an empty cache and no folder of levels."""
    monkeypatch.setenv("SOKOVIZ_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("SOKOVIZ_LEVELS", raising=False)
    monkeypatch.chdir(tmp_path)


def run(capfd: pytest.CaptureFixture[str], *words: str) -> tuple[int, list[str], str]:
    """Exit status, lines of standard output, and standard error of ``sokoviz levels ...``."""
    status = main(["levels", *words])
    captured = capfd.readouterr()
    return status, captured.out.splitlines(), captured.err


def feed(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    """Put a text on standard input."""
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text.encode())))


# --- check ------------------------------------------------------------------------------------------------------------


def test_check_of_good_files(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "one.xsb").write_text(SMALL)
    (tmp_path / "two.xsb").write_text(f"{HOOK}\n###\n#@#\n###")
    lines = ["one.xsb: 1 level read, none refused", "two.xsb: 2 levels read, none refused"]
    assert run(capfd, "check", "one.xsb", "two.xsb") == (0, lines, "")


def test_check_names_each_bad_level(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.xsb").write_text(f"; first\n{SMALL}\n; second\n{OPEN}\n####\n#@$#\n####\n")
    leak = "expected walls all around the player, but the floor leaks here"
    lines = [
        "a.xsb: 1 level read, 2 refused",
        f"a.xsb#2 'second', line 8, column 2: {leak}",
        "a.xsb#3, line 12, column 3: expected as many boxes as goals, found 1 box and 0 goals",
    ]
    assert run(capfd, "check", "a.xsb") == (2, lines, "")


def test_check_names_duplicates_without_complaint(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.xsb").write_text(f"{SMALL}\n{HOOK}\n###\n#.#\n#$#\n#@#\n###\n")
    (tmp_path / "b.xsb").write_text("######\n##.$@#\n######")
    status, lines, _ = run(capfd, "check", "a.xsb", "b.xsb")
    assert (status, lines[-1]) == (0, "note: a.xsb#1, a.xsb#3 and b.xsb#1 are the same level")


def test_check_of_a_file_without_levels(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.txt").write_text("no board here")
    status, lines, _ = run(capfd, "check", "a.txt")
    assert (status, lines[0]) == (2, "a.txt: 0 levels read, 1 refused")
    assert lines[1].startswith("a.txt, line 1, column 1: expected a board")


def test_check_goes_on_after_a_missing_file(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.xsb").write_text(SMALL)
    status, lines, errors = run(capfd, "check", "absent.xsb", "a.xsb")
    assert (status, lines) == (2, ["a.xsb: 1 level read, none refused"])
    assert errors.startswith("sokoviz: expected a file or the name of a collection, found 'absent.xsb'")


def test_check_of_standard_input(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    feed(monkeypatch, SMALL)
    assert run(capfd, "check", "-") == (0, ["-: 1 level read, none refused"], "")


def test_check_of_every_published_file(shared_levels: Path, capfd: pytest.CaptureFixture[str]) -> None:
    counts = {"xsokoban": 90, "microban": 155, "microban3": 100, "cbc": 60, "kth100": 100}
    paths = {str(shared_levels / f"{name}.xsb"): count for name, count in counts.items()}
    status, lines, _ = run(capfd, "check", *paths)
    assert status == 0
    assert lines[:5] == [f"{path}: {count} levels read, none refused" for path, count in paths.items()]
    assert [line.count("cbc.xsb#") for line in lines[5:]] == [2]


@pytest.mark.parametrize("content", [b"", b"\x00\xff\xfe", b"<!DOCTYPE a>", b"999999999#", b"\xff\xfe#", b"<" * 99])
def test_check_never_ends_in_a_traceback(content: bytes, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.xsb").write_bytes(content)
    status, lines, errors = run(capfd, "check", "a.xsb")
    assert (status, lines[0], errors) == (2, "a.xsb: 0 levels read, 1 refused", "")


def test_check_of_a_folder(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    status, _, errors = run(capfd, "check", str(tmp_path))
    assert status == 2
    assert errors.startswith("sokoviz: expected a file")


def test_check_takes_whole_files(capfd: pytest.CaptureFixture[str]) -> None:
    message = "sokoviz: expected a file or collection to check, found one level of it: lessons#1\n"
    assert run(capfd, "check", "lessons#1") == (2, [], message)


# --- show -------------------------------------------------------------------------------------------------------------


def test_show_one_level(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.xsb").write_text(f"{SMALL}\n; Author: Me\n; Hook\n{HOOK}")
    status, lines, _ = run(capfd, "show", "a.xsb#2")
    tail = ["Title: Hook", "Author: Me", "Size: 6 x 4, 1 box"]
    space = "Search space: 15 positions (6 tiles, 3 of them live, 1 box)"
    assert (status, lines) == (0, ["; a#2", *HOOK.splitlines(), *tail, space])


def test_show_a_whole_file(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.xsb").write_text(f"{SMALL}\n{HOOK}")
    _, lines, _ = run(capfd, "show", "a.xsb")
    assert [line for line in lines if line.startswith(";")] == ["; a#1", "; a#2"]
    assert "" in lines


def test_show_standard_input(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    feed(monkeypatch, f"{SMALL}\n{HOOK}")
    assert run(capfd, "show", "-")[1][:2] == ["; stdin#1", "#####"]


def test_what_show_prints_can_be_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.xsb").write_text(f"; A\n{SMALL}\n; B\n{HOOK}")
    _, lines, _ = run(capfd, "show", "a.xsb")
    feed(monkeypatch, "\n".join(lines))
    assert run(capfd, "check", "-")[:2] == (0, ["-: 2 levels read, none refused"])


def test_show_goes_on_after_a_bad_level(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.xsb").write_text(f"; A\n{OPEN}\n; B\n{HOOK}")
    status, lines, errors = run(capfd, "show", "a.xsb")
    assert (status, lines[0]) == (2, "; a#2")
    assert errors.startswith("sokoviz: a.xsb#1 'A', line 3, column 2: expected walls")


@pytest.mark.parametrize(
    ("target", "message"),
    [
        ("absent", "expected a file or the name of a collection, found 'absent'"),
        ("lessons#1000", "expected a level of lessons from 1 to"),
        ("lessons#x", "expected a level number after '#', found 'x'"),
        ("microban", "`sokoviz levels get microban` downloads it"),
    ],
)
def test_show_explains_what_it_cannot_find(target: str, message: str, capfd: pytest.CaptureFixture[str]) -> None:
    status, lines, errors = run(capfd, "show", target)
    assert (status, lines) == (2, [])
    assert errors.startswith("sokoviz: ")
    assert message in errors


def test_show_of_a_board_too_large_to_estimate(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sokoviz.levels.level._MOST_DISTANCES", 1)
    (tmp_path / "a.xsb").write_text(SMALL)
    status, lines, _ = run(capfd, "show", "a.xsb")
    assert status == 0
    assert lines[-1].startswith("Search space: not estimated (expected a board with at most 1 pairs")


# --- list, and the command as a whole ---------------------------------------------------------------------------------


def test_list_names_what_is_here_and_what_can_be_had(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "microban.xsb").write_text(f"Collection: My own\n\n{SMALL}")
    monkeypatch.setenv("SOKOVIZ_LEVELS", str(tmp_path / "mine"))
    status, lines, _ = run(capfd, "list")
    here, there = lines[: lines.index("")], lines[lines.index("") :]
    assert status == 0
    assert here[0].split() == ["microban", "1", "level", "My", "own"]
    assert here[1].startswith("lessons")
    assert [line.split()[0] for line in there[2:]] == [
        "xsokoban", "sasquatch", "microban2", "microban3", "microban4", "boxoban",
    ]  # fmt: skip


def test_list_survives_a_file_that_cannot_be_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "endless.xsb").write_bytes(b"#" * 100_000)
    monkeypatch.setenv("SOKOVIZ_LEVELS", str(tmp_path))
    monkeypatch.setattr("sokoviz.levels.finding.MAX_BYTES", 99_999)
    status, lines, _ = run(capfd, "list")
    assert status == 0
    assert lines[0].startswith("endless    expected at most")
    assert lines[1].startswith("lessons")


@pytest.mark.parametrize("words", [[], ["show"], ["check"], ["get"], ["drop", "table"]])
def test_bad_usage_is_exit_status_2(words: list[str], capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["levels", *words])
    assert caught.value.code == 2
    assert "usage: sokoviz levels" in capfd.readouterr().err


def test_a_closed_pipe_ends_quietly(tmp_path: Path) -> None:
    (tmp_path / "a.xsb").write_text(f"{SMALL}\n" * 2000)
    words = [sys.executable, "-m", "sokoviz", "levels", "show", "a.xsb"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""
