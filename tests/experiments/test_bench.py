"""The benchmark command: what it prints, and that it counts what it says."""

import json
import time

import pytest

from sokoviz.cli import main
from sokoviz.errors import LevelNotFoundError
from sokoviz.experiments.bench import core as bench_core
from sokoviz.experiments.bench import ida as bench_ida
from sokoviz.experiments.bench import mcts as bench_mcts
from sokoviz.experiments.bench import measuring as bench
from sokoviz.experiments.bench import schokoban as bench_schokoban
from sokoviz.experiments.bench import simba as bench_simba
from sokoviz.search.ida.options import PRESETS
from tests.twins import naive


@pytest.fixture
def quick(monkeypatch):
    """Measure two sizes for a moment only."""
    monkeypatch.setattr(bench_core, "SIZES", (3, 5))
    monkeypatch.setattr(bench_core, "PREFIX_SECONDS", 0.01)
    monkeypatch.setattr(bench, "MEASURED_SECONDS", 0.01)


@pytest.mark.usefixtures("quick")
def test_every_row_is_one_object_with_the_agreed_fields(capsys):
    assert main(["bench", "core", "--json"]) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert {tuple(sorted(row)) for row in rows} == {
        ("bench", "case", "goal", "ours", "ratio", "reference", "theirs", "unit")
    }
    assert {row["reference"] for row in rows} == {"naive twin", "sokoenginepy", "scipy"}
    assert all(row["ratio"] == row["ours"] / row["theirs"] for row in rows)
    assert {row["case"] for row in rows} >= {"positions, 3 boxes", "pushes, 5 boxes", "matching, 5 boxes"}


@pytest.mark.usefixtures("quick")
def test_without_a_reference_the_ratio_is_left_out(capsys, monkeypatch):
    monkeypatch.setattr(bench_core, "find_module", lambda _: None)
    assert main(["bench", "core", "--json"]) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert {(row["theirs"], row["ratio"]) for row in rows} == {(None, None)}


@pytest.mark.usefixtures("quick")
def test_people_are_told_whether_a_goal_is_met(capsys):
    assert main(["bench", "core"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert all("goal 200: " in line for line in lines if "sokoenginepy" in line)


def test_an_unknown_benchmark_is_refused(capsys):
    assert main(["bench", "speed"]) == 2
    assert "expected one of the benchmarks core, mcts, schokoban, simba, ida; found 'speed'" in capsys.readouterr().err


@pytest.fixture
def without_levels(tmp_path, monkeypatch):
    """No collections but our own, and the benchmarks that need no levels measure nothing."""
    monkeypatch.setenv("SOKOVIZ_LEVELS", str(tmp_path))
    monkeypatch.setenv("SOKOVIZ_CACHE", str(tmp_path))
    for module in (bench_core, bench_mcts, bench_simba):
        name = module.__name__.rpartition(".")[2]
        monkeypatch.setattr(module, "rows", lambda name=name: iter([bench.Figure(name, "a", "b", 2.0, "c", 1.0, None)]))


@pytest.mark.usefixtures("without_levels")
@pytest.mark.parametrize("options", [[], ["--json"]])
def test_benchmarks_whose_levels_are_missing_are_left_out_by_name(capsys, options):
    assert main(["bench", *options]) == 0
    out, err = capsys.readouterr()
    lines = out.splitlines()
    names = [json.loads(line)["bench"] for line in lines] if options else [line.split()[0] for line in lines]
    assert names == ["core", "mcts", "simba"]
    first, second = err.splitlines()
    assert first.startswith("sokoviz: the benchmark schokoban is left out: expected the collection microban3 on this")
    assert second.startswith("sokoviz: the benchmark ida is left out: expected the collection xsokoban on this machine")


@pytest.mark.usefixtures("without_levels")
@pytest.mark.parametrize("name", ["schokoban", "ida"])
def test_a_benchmark_that_is_asked_for_needs_its_levels(capsys, name):
    assert main(["bench", name]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert "on this machine, found none: `sokoviz levels get" in err


@pytest.mark.usefixtures("without_levels")
def test_a_benchmark_measures_nothing_before_it_has_all_its_levels(monkeypatch):
    monkeypatch.setattr(bench_schokoban, "LEVELS", ("lessons#1", "xsokoban#1"))
    monkeypatch.setattr(bench_ida, "LEVELS", ("lessons#1", "xsokoban#1"))
    for module in (bench_schokoban, bench_ida):
        with pytest.raises(LevelNotFoundError):
            next(module.rows())


def test_rate_is_units_by_cpu_time():
    def work():
        start = time.process_time()
        while time.process_time() - start < 0.01:
            pass
        return 5

    assert 300 < bench.rate(work, seconds=0.1) <= 505


@pytest.mark.parametrize("n_boxes", bench_core.SIZES[:3])
def test_all_three_engines_count_the_same(n_boxes):
    room = bench_core.lively_room(n_boxes)
    lines = [naive.count_lines(room.floor, room.boxes, room.player, depth) for depth in (1, 2)]
    expected = (1 + lines[0], sum(lines))
    for count in (bench_core._naive_counts(room), bench_core._engine_counts(room)):
        assert count is not None
        assert count(2) == expected
    assert bench_core._line_counts(room)[:2] == lines


@pytest.fixture
def quick_search(monkeypatch):
    """Measure the search for a moment only."""
    for name, value in (("N_SIMULATIONS", 200), ("N_LONG", 500), ("N_JUMPS", 5), ("PREFIX_SECONDS", 0.01)):
        monkeypatch.setattr(bench_mcts, name, value)
    monkeypatch.setattr(bench, "MEASURED_SECONDS", 0.01)


@pytest.mark.usefixtures("quick_search")
def test_the_search_is_measured_against_all_references_and_limits(capsys):
    assert main(["bench", "mcts", "--json"]) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    goals = {(row["reference"], row["goal"]) for row in rows}
    assert goals == {("OpenSpiel C++", 1.5), ("OpenSpiel Python", None), ("naive twin", 100.0), ("limit", 1.0)}
    for row in rows:
        better = row["theirs"] / row["ours"] if row["reference"] == "limit" else row["ours"] / row["theirs"]
        assert row["ratio"] == better > 0
    assert {row["theirs"] for row in rows if row["reference"] == "limit"} == {1.3, 50.0}


@pytest.mark.usefixtures("quick_search")
def test_without_open_spiel_its_ratios_are_left_out(capsys, monkeypatch):
    monkeypatch.setattr(bench_mcts, "find_module", lambda _: None)
    assert main(["bench", "mcts", "--json"]) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert {row["ratio"] for row in rows if row["reference"] != "limit"} == {None}


@pytest.fixture
def quick_deepening(monkeypatch):
    """Measure two parts of IDA* for a moment only."""
    monkeypatch.setattr(bench_ida, "LEVELS", ("lessons#12",))
    monkeypatch.setattr(bench_ida, "PARTS", {name: bench_ida.PARTS[name] for name in ("classic", "windows")})
    monkeypatch.setattr(bench_ida, "MEASURED_SECONDS", 0.01)
    monkeypatch.setattr(bench_ida, "PREFIX_SECONDS", 0.01)
    monkeypatch.setattr(bench, "MEASURED_SECONDS", 0.01)


@pytest.mark.usefixtures("quick_deepening")
def test_each_part_of_ida_is_measured_beside_classic_and_both_twins(capsys):
    assert main(["bench", "ida", "--json"]) == 0
    rows = {row["case"]: row for row in map(json.loads, capsys.readouterr().out.splitlines())}
    beside_twins = {case for case, row in rows.items() if row["reference"] == "naive twin"}
    assert beside_twins == {"classic, small level", "influence"}
    assert rows["classic"]["ratio"] == 1.0
    assert rows["windows"]["ratio"] > 0
    assert 0 <= rows["windows, share of time"]["ours"] < 100


def test_every_part_of_the_preset_best_of_ida_is_measured_by_itself():
    measured = {name for options in bench_ida.PARTS.values() for name in options} - {"preset"}
    assert measured >= set(PRESETS["best"])


def test_everybody_makes_as_many_simulations(monkeypatch):
    monkeypatch.setattr(bench_mcts, "N_SIMULATIONS", 200)
    pyspiel = pytest.importorskip("pyspiel")
    game, solve, verbose = pyspiel.load_game("tic_tac_toe"), False, False
    bot = pyspiel.MCTSBot(game, pyspiel.RandomRolloutEvaluator(1, 1), 2.0, 200, 1000, solve, 1, verbose)
    root = bot.mcts_search(game.new_initial_state())
    works = (bench_mcts._our_work(journal=False), bench_mcts._open_spiel_work())
    assert [work() for work in works if work] == [root.explore_count] * 2 == [200] * 2
