"""``sokoviz export``: the page, what is printed, exit status, what is refused."""

import re
import sys

import pytest

from sokoviz.cli import main

GOOD = "#######\n#@ $ .#\n#######\nTitle: Good\n"
BAD = "#####\n#@$ #\n#####\nTitle: Bad\n"
NO_WAY = "######\n#@ $ #\n#  #.#\n######\n"


@pytest.fixture
def export(capsys, tmp_path):
    """Run the command on a level's text: its exit status, its lines, what it says of errors, and the page."""

    def run(text, *arguments):
        path, page = tmp_path / "some.txt", tmp_path / "page.html"
        path.write_text(text)
        status = main(["export", str(path), "-o", str(page), *map(str, arguments)])
        printed = capsys.readouterr()
        return status, printed.out.splitlines(), printed.err, page.read_text("utf-8") if page.exists() else None

    return run


@pytest.mark.parametrize("solver", ["schokoban", "vanillaban"])
def test_the_page_is_written_and_its_size_is_told(export, solver):
    status, (line, told), said, page = export(GOOD, "--with", solver)
    assert (status, said) == (0, "")
    assert line.startswith("some#1  2 pushes, 3 moves, ")
    assert re.search(r"page\.html  [1-9]\.\d MB: iterations 0 to (\d+) of \1$", told)
    assert f"<title>{solver.capitalize()} · Sokoban · some#1 · Good</title>" in page


@pytest.mark.parametrize("preset", ["optimal", "best"])
def test_of_iterative_deepening_the_page_holds_steps(export, preset):
    status, (line, told), said, page = export(GOOD, "--with", "ida", "--set", f"preset={preset}")
    assert (status, said) == (0, "")
    assert line.startswith("some#1  2 pushes, 3 moves, 1 iteration")
    assert re.search(r"page\.html  [1-9]\.\d MB: steps 0 to (\d+) of \1$", told)
    assert "<title>IDA* · Sokoban · some#1 · Good</title>" in page


def test_of_a_long_deepening_so_many_steps_are_held(export):
    text = "########\n#  .   #\n# $$ . #\n#  @   #\n#      #\n########\n"
    status, (_, told), _, page = export(text, "--with", "ida", "--frames", 2)
    assert status == 0
    assert re.search(r"steps 0 to 1 and (\d+) to (\d+) of \2$", told)
    assert re.search(r"A recorded search: steps 0 to 1 and \d+ to \d+ of \d+\. To search on", page)


@pytest.mark.parametrize("text", [GOOD, BAD])
def test_the_level_is_read_once(export, monkeypatch, text):
    read = []

    def read_file(path):
        read.append(path)
        return path.read_bytes()

    monkeypatch.setattr(sys.modules["sokoviz.levels.collection"], "read_file", read_file)
    export(text)
    assert len(read) == 1


def test_the_search_is_the_one_that_solve_runs(export, capsys, tmp_path):
    _, (line, _), _, _ = export(GOOD, "--seed", 3, "--set", "c=1.5")
    main(["solve", str(tmp_path / "some.txt"), "--seed", "3", "--set", "c=1.5"])
    assert capsys.readouterr().out.splitlines() == [line]


def test_of_a_long_search_so_many_iterations_are_held(export):
    status, (_, told), _, _ = export("########\n#  .   #\n# $$ . #\n#  @   #\n#      #\n########\n", "--frames", 2)
    assert status == 0
    assert re.search(r"iterations 0 to 1 and (\d+) to (\d+) of \2$", told)


def test_a_level_that_is_not_solved_gives_status_1_and_a_page(export):
    status, (line, _), _, page = export(NO_WAY)
    assert status == 1
    assert "not solved: unsolvable" in line
    assert page is not None


def test_a_bad_level_gives_status_2_and_no_page(export):
    status, lines, said, page = export(BAD)
    assert (status, lines, page) == (2, [], None)
    assert said.startswith("some#1 'Bad', line 2, column 3: expected as many boxes as goals")


@pytest.mark.parametrize(
    ("text", "arguments", "message"),
    [
        (GOOD + "\n" + GOOD, (), "expected one level such as"),
        (GOOD, ("--with", "nobody"), "expected a solver out of"),
        (GOOD, ("--set", "nothing=1"), "expected --set with a key out of"),
        (GOOD, ("--frames", 0), "expected --frames 1 or more, found 0"),
        (
            GOOD,
            ("--frames", 5, "--with", "curry"),
            "expected --frames with a search, found it with curry, which has no tree",
        ),
        (GOOD, ("--with", "ida", "--set", "preset=fast"), "expected a preset out of"),
    ],
)
def test_what_makes_no_sense_is_refused(export, text, arguments, message):
    status, lines, said, page = export(text, *arguments)
    assert (status, lines, page) == (2, [], None)
    assert said.startswith("sokoviz: ")
    assert message in said


def test_a_folder_that_is_not_there_is_refused_before_anything_is_searched(capsys, tmp_path):
    assert main(["export", "lessons#1", "-o", str(tmp_path / "none" / "page.html")]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert "expected a file in a folder that exists" in printed.err


def test_of_a_learner_the_page_has_heatmaps_and_that_is_said(export):
    status, (line, told), _, page = export(GOOD, "--with", "curry", "--seconds", 20)
    assert status == 0
    assert line.startswith("some#1  2 pushes")
    assert told.endswith("MB: heatmaps of all stages to compare; curry learns, and has no tree to step through")
    assert "compare_heatmaps" in page or "sokoviz-compare-heatmaps" in page
