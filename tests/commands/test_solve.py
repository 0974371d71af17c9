"""``sokoviz solve``: lines, fields, exit status, options."""

import io
import json
import re
import subprocess
import sys

import pytest

import sokoviz as sv
from sokoviz.board import Board
from sokoviz.cli import main

FIELDS = ["level", "title", "solver", "seed", "solved", "pushes", "moves", "lurd"]
FIELDS += ["iterations", "nodes", "seconds", "stopped_by"]
GOOD = "#######\n#@ $ .#\n#######\nTitle: Good\n"
BAD = "#####\n#@$ #\n#####\nTitle: Bad\n"
OTHER = "######\n#@$ .#\n#    #\n######\nTitle: Other\n"
NO_WAY = "######\n#@ $ #\n#  #.#\n######\n"


@pytest.fixture
def solve(capsys):
    """Run the command: its exit status, its lines as data, and what it says to people."""

    def run(*arguments):
        status = main(["solve", *map(str, arguments), "--json"])
        printed = capsys.readouterr()
        return status, [json.loads(line) for line in printed.out.splitlines()], printed.err

    return run


@pytest.fixture
def write(tmp_path):
    """Write levels into a file."""

    def made(*levels):
        path = tmp_path / "some.txt"
        path.write_text("\n".join(levels))
        return path

    return made


def without_time(row):
    return {name: entry for name, entry in row.items() if name != "seconds"}


# --- lines -----------------------------------------------------------------------------------------------------------


def test_a_line_has_all_fields_in_their_order_and_nothing_else_is_printed(solve):
    status, (row,), said = solve("lessons#5")
    assert (status, said) == (0, "")
    assert list(row) == FIELDS
    assert (row["level"], row["title"]) == ("lessons#5", "Along an inner wall")
    assert (row["solver"], row["seed"]) == ("schokoban", 1)
    assert (row["solved"], row["stopped_by"]) == (True, "solved")
    assert 0 < row["seconds"] < 60


@pytest.mark.parametrize(("solver", "expected"), [("schokoban", 0), ("vanillaban", 1)])
def test_a_whole_collection_has_a_line_a_level_and_every_solution_solves(solve, solver, expected):
    status, rows, _ = solve("lessons", "--with", solver)
    assert status == expected
    assert [row["level"] for row in rows] == [level.name for level in sv.collection("lessons")]
    for row in filter(lambda row: row["solved"], rows):
        board = Board(sv.load(row["level"]))
        board.play(row["lurd"])
        assert board.is_solved
        assert (board.n_pushes, board.n_moves) == (row["pushes"], row["moves"])


def test_the_line_says_what_the_search_in_python_says(solve):
    _, (row,), _ = solve("lessons#7", "--seed", 4, "--with", "vanillaban", "--set", "c=2.5")
    search = sv.Vanillaban(sv.load("lessons#7"), seed=4, c=2.5)
    result = search.run(progress=False)
    assert (row["iterations"], row["nodes"]) == (result.iterations, result.nodes)
    assert f"{row['pushes']} pushes, {row['moves']} moves: {row['lurd']}" == repr(search.solution)
    assert (row["solver"], row["seed"]) == ("vanillaban", 4)


def test_one_level_of_a_file_gives_what_its_line_of_the_file_gives(solve):
    _, rows, _ = solve("lessons", "--seed", 3)
    for number in (1, 7, 12):
        _, (row,), _ = solve(f"lessons#{number}", "--seed", 3)
        assert without_time(row) == without_time(rows[number - 1])


def test_for_people_there_is_a_line_a_level_and_a_sum(capsys, write):
    assert main(["solve", str(write(GOOD, OTHER))]) == 0
    first, second, total = capsys.readouterr().out.splitlines()
    assert first.startswith("some#1  2 pushes, 3 moves, ")
    assert first.endswith("  rRR")
    assert second.startswith("some#2  ")
    assert total == "2 of 2 levels solved"


# --- exit status -----------------------------------------------------------------------------------------------------


def test_levels_that_are_not_solved_give_status_1_and_nulls(solve, write):
    status, rows, _ = solve(write(GOOD, NO_WAY))
    assert (status, [row["stopped_by"] for row in rows]) == (1, ["solved", "unsolvable"])
    assert [rows[1][name] for name in ("solved", "pushes", "moves", "lurd")] == [False, None, None, None]


def test_a_bad_level_among_good_ones_gets_a_line_of_nulls_and_status_2(solve, write):
    status, rows, said = solve(write(GOOD, BAD, OTHER))
    assert (status, [row["stopped_by"] for row in rows]) == (2, ["solved", "bad-level", "solved"])
    assert {name: entry for name, entry in rows[1].items() if entry is not None} == {
        "level": "some#2",
        "stopped_by": "bad-level",
    }
    assert list(rows[1]) == FIELDS
    assert "some#2 'Bad', line 7, column 3: expected as many boxes as goals" in said


def test_a_bad_level_alone(solve, write):
    status, (row,), _ = solve(f"{write(GOOD, BAD)}#2")
    assert (status, row["level"], row["stopped_by"]) == (2, "some#2", "bad-level")


def test_a_file_without_levels(solve, write):
    status, (row,), _ = solve(write("nothing here"))
    assert (status, row["level"], row["stopped_by"]) == (2, "some", "bad-level")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "expected a TARGET"),
        (["nowhere#1"], "nowhere"),
        (["lessons#99"], "from 1 to"),
        (
            ["lessons#1", "--with", "magic"],
            "expected a solver out of bfs, curry, ida, schokoban, vanillaban, or module:Class; found 'magic'",
        ),
        (["lessons#1", "--set", "colour=red"], "expected --set with a key out of preset, c, .*; found 'colour'"),
        (["lessons#1", "--set", "deadlock=no push"], "found 'deadlock'; did you mean 'deadlocks'"),
        (["lessons#1", "--with", "ida", "--set", "tunnel=yes"], "found 'tunnel'; did you mean 'tunnels'"),
        (["lessons#1", "--with", "curry", "--set", "bufer=3"], "found 'bufer'; did you mean 'buffer'"),
        (["lessons#1", "--set", "seed=3"], "found 'seed'"),
        (["lessons#1", "--set", "journal=true"], "found 'journal'"),
        (["lessons#1", "--set", "stall"], "expected --set KEY=VALUE, found 'stall'"),
        (["lessons#1", "--set", "stall=perhaps"], "expected stall=true or stall=false, found 'perhaps'"),
        (["lessons#1", "--set", "c=much"], "expected a number as c, found 'much'"),
        (["lessons#1", "--set", "c=nan"], "exploration constant"),
        (["lessons#1", "--set", "preset=bets"], "expected a preset .*did you mean 'best'"),
        (["lessons#1", "--set", "deadlocks=locking tile,lock"], "expected a deadlock test .*; found 'lock'"),
        (["lessons#1", "--iterations", "-1"], "iterations of 0 or more"),
        (["lessons#1", "--nodes", "0"], "nodes of 1 or more"),
        (["lessons#1", "--seconds", "-1"], "0 seconds or more"),
        (["lessons#1", "--seed", "-1"], "as seed"),
    ],
)
def test_bad_usage_gives_status_2_and_a_sentence(capsys, arguments, message):
    assert main(["solve", *arguments]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith("sokoviz: ")
    assert re.search(message, printed.err)


# --- options ---------------------------------------------------------------------------------------------------------


def test_levels_come_by_standard_input(solve, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(f"{GOOD}\n{OTHER}".encode())))
    status, rows, _ = solve("-")
    assert (status, [row["level"] for row in rows]) == (0, ["stdin#1", "stdin#2"])


def test_the_list_names_solvers_and_presets(capsys):
    assert main(["solve", "--list"]) == 0
    printed = capsys.readouterr().out
    assert all(word in printed for word in ("schokoban", "vanillaban", "published", "text", "best"))


@pytest.mark.parametrize(
    ("settings", "options"),
    [
        (["preset=text"], {"preset": "text"}),
        (["preset=text", "c=0.5"], {"preset": "text", "c": 0.5}),
        (["c=1", "preset=text", "c=3"], {"preset": "text", "c": 3}),
        (["deadlocks="], {"deadlocks": ()}),
        (["deadlocks=no push, bipartite"], {"deadlocks": ("no push", "bipartite")}),
        (["stall=true"], {"stall": True}),
        (["late=yes", "remembered=0"], {"late": True, "remembered": False}),
        (["distance=push", "selection=puct"], {"distance": "push", "selection": "puct"}),
    ],
)
def test_settings_are_options_of_the_search(solve, settings, options):
    _, (row,), _ = solve("lessons#7", *(word for each in settings for word in ("--set", each)))
    search = sv.Schokoban(sv.load("lessons#7"), **options)
    result = search.run(progress=False)
    assert (row["iterations"], row["nodes"]) == (result.iterations, result.nodes)


def test_memory_is_an_option_too(solve):
    _, (row,), _ = solve("lessons#7", "--set", "memory=1e9")
    assert row["stopped_by"] == "solved"


@pytest.mark.parametrize(
    ("limit", "reason"),
    [(["--iterations", 5], "iterations"), (["--nodes", 30], "nodes"), (["--seconds", 0], "seconds")],
)
def test_the_first_limit_reached_ends_a_run(solve, limit, reason):
    status, (row,), _ = solve("lessons#7", *limit)
    assert (status, row["stopped_by"], row["solved"]) == (1, reason, False)
    assert row["iterations"] <= 100


def test_a_limit_of_nodes_ends_with_the_iteration_that_reaches_it(solve):
    _, (row,), _ = solve("lessons#7", "--nodes", 30)
    _, (before,), _ = solve("lessons#7", "--iterations", row["iterations"] - 1)
    assert before["nodes"] < 30 <= row["nodes"] < 30 + 4 * 4  # four boxes, four directions


@pytest.mark.parametrize("number", ["", "#1", "#2"])
def test_a_collection_is_read_once(write, monkeypatch, number):
    target, read = f"{write(GOOD, BAD)}{number}", []

    def read_file(path):
        read.append(path)
        return path.read_bytes()

    monkeypatch.setattr(sys.modules["sokoviz.levels.collection"], "read_file", read_file)
    main(["solve", target])
    assert len(read) == 1


def test_limits_hold_for_each_level_anew(solve):
    _, rows, _ = solve("lessons", "--iterations", 20)
    assert all(row["iterations"] <= 20 for row in rows)
    assert {row["stopped_by"] for row in rows} == {"solved", "iterations"}


def test_solutions_are_shortened_where_asked(solve):
    _, found, _ = solve("lessons", "--seed", 3)
    status, short, _ = solve("lessons", "--seed", 3, "--shorten")
    assert status == 0
    for before, after in zip(found, short, strict=True):
        assert list(after) == [*FIELDS, "found_pushes", "found_moves", "proven"]
        assert (after["found_pushes"], after["found_moves"]) == (before["pushes"], before["moves"])
        assert (after["pushes"], after["moves"]) <= (before["pushes"], before["moves"])
        board = Board(sv.load(after["level"]))
        board.play(after["lurd"])
        assert (board.is_solved, board.n_pushes, board.n_moves) == (True, after["pushes"], after["moves"])
        assert after["proven"]
    assert sum(row["pushes"] for row in short) < sum(row["pushes"] for row in found)


def test_what_is_not_solved_is_not_shortened(solve, write):
    _, rows, _ = solve(write(NO_WAY, BAD), "--shorten")
    names = ("pushes", "moves", "lurd", "found_pushes", "found_moves", "proven")
    assert [[row[name] for name in names] for row in rows] == [[None] * 6] * 2


def test_people_are_told_how_long_a_solution_was(capsys, write):
    main(["solve", str(write(GOOD)), "--shorten"])
    assert "  2 pushes, 3 moves, 3 iterations (found with 2 and 3, proven shortest)  rRR" in capsys.readouterr().out


def test_an_interrupt_while_shortening_ends_the_command(solve, write, monkeypatch):
    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("sokoviz.search.shortening.Vicinity.best_way", interrupted)
    _, rows, _ = solve(write(GOOD, OTHER), "--shorten")
    assert [(row["solved"], row["stopped_by"]) for row in rows] == [(True, "interrupted")]


def test_it_runs_as_a_program():
    command = [sys.executable, "-m", "sokoviz", "solve", "-", "--json"]
    done = subprocess.run(command, input=GOOD, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)["lurd"] == "rRR"


# --- the learner -----------------------------------------------------------------------------------------------------


def test_the_learner_solves_and_repeats_itself(solve):
    status, (row,), said = solve("lessons#17", "--with", "curry", "--seconds", 60)
    assert (status, said, list(row)) == (0, "", FIELDS)
    curry = sv.Curry(sv.load("lessons#17"), seed=1)
    result = curry.run(seconds=60)
    assert (row["iterations"], row["nodes"], row["lurd"]) == (result.iterations, result.nodes, result.lurd)
    assert row["stopped_by"] == "solved"


def test_options_of_the_learner_are_set_by_name(solve, tmp_path):
    path = tmp_path / "kept.curry"
    arguments = ("--set", "preset=text", "--set", "delta=0.01", "--set", "tree=no", "--set", f"file={path}")
    _, (row,), _ = solve("lessons#16", "--with", "curry", "--iterations", 2, *arguments)
    assert (row["iterations"], row["stopped_by"]) == (2, "iterations")
    options = sv.Curry.load(path).options
    assert (options.goal_filter, options.delta, options.tree) == (False, 0.01, False)


def test_options_of_another_solver_are_refused(capsys):
    assert main(["solve", "lessons#1", "--with", "curry", "--set", "c=2"]) == 2
    assert "expected --set with a key out of preset, file, delta" in capsys.readouterr().err


# --- breadth-first search, and searches of people's own --------------------------------------------------------------

OWN = """
from dataclasses import dataclass

import sokoviz as sv
from sokoviz.search.plain.search import PlainOptions


@dataclass(frozen=True)
class Options(PlainOptions):
    most: int = 10


class Mine(sv.PlainSearch):
    name = "mine"
    Options = Options

    def search(self, note):
        board, node = sv.Board(self.level), note.root(sv.Board(self.level))
        for _ in range(self.options.most):
            note.expand(node)
            board = board.after(board.pushes[-1])
            node = note.add(node, note.state(node).pushes[-1], board)
            if board.is_solved:
                note.solved(node)
            yield


class Other:
    pass
"""


@pytest.fixture
def own(tmp_path, monkeypatch):
    """A module of a user in the folder at hand."""
    (tmp_path / "own_search.py").write_text(OWN)
    monkeypatch.chdir(tmp_path)
    yield
    sys.modules.pop("own_search", None)


def test_breadth_first_search_solves_with_the_fewest_pushes(solve):
    status, (row,), said = solve("lessons#14", "--with", "bfs")
    assert (status, said, row["stopped_by"]) == (0, "", "solved")
    assert row["pushes"] == sv.IDA(sv.load("lessons#14"), preset="optimal").run(seconds=60, progress=False).lower_bound
    assert row["iterations"] == row["nodes"] > 10


@pytest.mark.usefixtures("own")
def test_a_search_of_ones_own_solves_by_the_names_of_its_module_and_class(solve, tmp_path):
    (tmp_path / "level.txt").write_text(GOOD)
    status, (row,), said = solve(tmp_path / "level.txt", "--with", "own_search:Mine")
    assert (status, said, row["lurd"], row["solver"]) == (0, "", "rRR", "own_search:Mine")
    status, (row,), _ = solve(tmp_path / "level.txt", "--with", "own_search:Mine", "--set", "most=1")
    assert (status, row["stopped_by"], row["nodes"]) == (1, "exhausted", 1)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("no_such_module:Mine", "expected a module that can be imported before the colon, found 'no_such_module:Mine'"),
        ("own_search:Yours", "expected a class of the module own_search after the colon, found 'own_search:Yours'"),
        ("own_search:Other", "expected a class under sokoviz.PlainSearch, found 'own_search:Other'"),
        ("own_search:", "expected a class of the module own_search after the colon"),
        (":Mine", "expected a module that can be imported"),
    ],
)
@pytest.mark.usefixtures("own")
def test_what_is_no_search_of_ones_own_is_refused(capsys, name, message):
    assert main(["solve", "lessons#1", "--with", name]) == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize("solver", ["schokoban", "ida", "curry", "bfs"])
def test_cpu_seconds_are_a_limit_of_every_solver(solve, solver):
    _, (row,), _ = solve("lessons#14", "--with", solver, "--cpu-seconds", 0)
    assert (row["solved"], row["stopped_by"]) == (False, "cpu-seconds")
