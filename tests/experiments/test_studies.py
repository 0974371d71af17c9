"""Studies of solvers: runs on an executor, kept at once, resumed, and reported beside the published figures."""

from __future__ import annotations

import json
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import pytest

from sokoviz.cli import main
from sokoviz.commands import study
from sokoviz.commands.study import STUDIES
from sokoviz.experiments import curry_tables, schokoban_tables
from sokoviz.experiments import fingerprint as fingerprints
from sokoviz.experiments.fingerprint import PACKAGE, _sources, fingerprint
from sokoviz.experiments.runner import Run, RunStore, StoredRun, code_of, perform, run_all
from sokoviz.experiments.schokoban_tables import published, report, runs_of, solved_within
from sokoviz.levels import load
from sokoviz.solvers import find_solver

LEARNING = {
    "source": "nobody",
    "seeds": [1],
    "variants": {"with goal filter": {"preset": "best"}, "text to the letter": {"preset": "text"}},
    "studies": {"curry-lessons": {"levels": "lessons", "numbers": [16, 17], "seconds": 30, "goal": 2}},
}
TINY = Run("lessons#1", "schokoban", (("preset", "published"),), 100, 1)


@pytest.fixture
def store(tmp_path):
    return RunStore(tmp_path / "folder" / "studies.sqlite")


def row_of(run: Run, iterations: int, pushes: int | None) -> StoredRun:
    stopped_by = "solved" if pushes else "iterations"
    return StoredRun(run, iterations, 10, pushes, 0.5, stopped_by, code=code_of(run.solver))


def test_a_run_gives_a_solution_that_was_replayed():
    row = perform(TINY)
    assert (row.stopped_by, row.pushes, row.shortened) == ("solved", 1, 1)
    assert row.iterations <= 100


def test_options_reach_the_solver():
    row = perform(TINY._replace(options=(("c", 2.0), ("deadlocks", ()), ("preset", "text"))))
    assert row.pushes == 1


def test_what_is_kept_is_found_again(store):
    row = perform(TINY)
    store.put(row)
    assert RunStore(store.path).find([TINY, TINY._replace(seed=2)]) == {TINY: row}
    store.forget([TINY])
    assert store.find([TINY]) == {}


def test_only_what_is_missing_is_run(store):
    runs = [TINY._replace(seed=seed) for seed in (1, 2, 3)]
    store.put(row_of(runs[1], 7, None))
    with ThreadPoolExecutor(1) as pool:
        made = {row.run for row in run_all(runs, pool, store)}
    assert made == {runs[0], runs[2]}
    assert store.find(runs)[runs[1]].iterations == 7
    assert len(store.find(runs)) == 3


def test_a_study_that_is_left_keeps_what_is_done(store):
    runs = [TINY._replace(seed=seed) for seed in range(1, 6)]
    with ThreadPoolExecutor(1) as pool:
        rows = run_all(runs, pool, store)
        first = next(rows)
        rows.close()  # type: ignore[attr-defined]  # a generator
    assert store.find(runs)[first.run] == first


def test_the_published_tables_are_complete():
    data = published()
    for entry in data["tables"].values():
        for solver in data["solvers"]:
            assert len(entry["solved"][solver]) == len(data["limits"]) == 9
            assert entry["solved"][solver] == sorted(entry["solved"][solver])


def test_a_level_counts_for_every_limit_that_it_was_solved_within():
    rows = [row_of(TINY._replace(level=f"x#{n}"), n, 5 if n != 300 else None) for n in (25, 26, 300, 100_000)]
    assert solved_within(rows, 1) == [1, 2, 2, 2, 2, 2, 2, 2, 3]
    assert solved_within(rows, 2) == [0] * 9


def test_a_table_is_all_levels_with_both_solvers_and_five_seeds(shared_levels, monkeypatch):
    monkeypatch.setenv("SOKOVIZ_LEVELS", str(shared_levels))
    runs = runs_of("schokoban-6.1")
    assert len(runs) == len(set(runs)) == 60 * 2 * 5
    assert {run.options for run in runs_of("schokoban-6.1", preset="best", seeds=[1])} == {(("preset", "best"),)}


def test_the_report_sets_median_and_range_beside_the_published_figures():
    runs = [TINY._replace(solver=solver, seed=seed) for solver in ("schokoban", "vanillaban") for seed in (1, 2)]
    text = report("schokoban-6.1", [row_of(run, 20 * run.seed, 10 + 2 * (run.solver == "vanillaban")) for run in runs])
    assert "schokoban, published" in text
    assert "ours, median of 2               0.5        1" in text


def test_the_report_sets_lengths_beside_figures_6_1_and_6_2():
    runs = [TINY._replace(solver=solver, seed=seed) for solver in ("schokoban", "vanillaban") for seed in (1, 2)]
    rows = [row_of(run, 20, 10 + 2 * (run.solver == "vanillaban"))._replace(shortened=9) for run in runs]
    lone = row_of(TINY._replace(level="lessons#2"), 20, 40)._replace(shortened=12)
    *_, head, schoko, vanilla, both, saved, sentence = report("schokoban-6.1", [*rows, lone]).splitlines()
    assert head.split() == ["mean", "pushes", "of", "a", "solution", "published", "ours", "shortened"]
    assert schoko.split()[-3:] == ["12.08", "20.00", "10.00"]
    assert vanilla.split()[-4:] == ["about", "12", "12.00", "9.00"]
    assert both.split()[-3:] == ["solve", "10.00", "9.00"]
    assert saved.split()[-2:] == ["0.60", "2.00"]
    assert sentence == "of 2 runs that both solve, schokoban's is shorter in 2, equal in 0, longer in 0"


def test_rows_without_shortened_lengths_are_reported():
    rows = [row_of(run, 7, 3) for run in (TINY, TINY._replace(solver="vanillaban"))]
    assert "schokoban, where both solve                       3.00          –" in report("schokoban-6.1", rows)


# --- other code ------------------------------------------------------------------------------------------------------

OLD_ROWS = ('[7, 9, 3, 0.5, "solved"]', '[7, 9, 3, 0.5, "solved", 3]')
"""as versions have written them that knew of no shortened length, and of no code"""


def put_old_rows(store):
    """Keep a row of each older version, under the key that it had; return the runs."""
    runs = [TINY, TINY._replace(seed=2, nodes=50)]
    keys = [json.dumps(TINY[:-1]), json.dumps(runs[1])]
    with closing(sqlite3.connect(store.path)) as file, file:
        file.executemany("insert into rows values (?, ?)", zip(keys, OLD_ROWS, strict=True))
    return runs


def test_rows_of_older_versions_count_as_of_other_code(store):
    runs = put_old_rows(store)
    assert store.find(runs) == {}
    assert store.count_others(runs) == 2
    assert store.count_others(runs[1:]) == 1


def test_a_run_of_other_code_is_made_again_and_both_rows_are_kept(store):
    other = row_of(TINY, 7, 5)._replace(code="0" * 16)
    store.put(other)
    with ThreadPoolExecutor(1) as pool:
        (made,) = run_all([TINY], pool, store)
    assert (made.iterations, made.code) == (perform(TINY).iterations, code_of("schokoban"))
    assert store.find([TINY]) == {TINY: made}
    assert store.count_others([TINY]) == 1


def test_what_is_made_again_is_forgotten_only_of_this_code(store):
    store.put(row_of(TINY, 7, 5)._replace(code="0" * 16))
    store.put(row_of(TINY, 8, 5))
    store.forget([TINY])
    assert (store.find([TINY]), store.count_others([TINY])) == ({}, 1)


def test_a_report_shows_rows_of_one_code_and_names_how_many_others_there_are(store, monkeypatch, capsys):
    runs = [*put_old_rows(store), TINY._replace(solver="vanillaban")]
    monkeypatch.setattr(schokoban_tables, "runs_of", lambda *_: runs)
    monkeypatch.setattr(study, "ProcessPoolExecutor", lambda *_, **_options: ThreadPoolExecutor(1))
    left_out = "left out: 2 rows of other code (another version of ours, of numba or of numpy)"

    def lines_of(action):
        assert main(["study", action, "schokoban-6.1", "--store", str(store.path)]) == 0
        return capsys.readouterr().out.splitlines()

    assert lines_of("report")[:3] == ["schokoban-6.1: nothing has been run yet", "", left_out]
    resumed = lines_of("resume")
    assert resumed[-1] == left_out
    assert {row.iterations for row in store.find(runs).values()} == {perform(run).iterations for run in runs}
    store.put(row_of(runs[2], 99, None)._replace(code="0" * 16))
    assert lines_of("report") == [*resumed[:-1], left_out.replace("2 rows", "3 rows")]


@pytest.mark.parametrize("solver", ["schokoban", "vanillaban", "curry", "ida"])
def test_the_home_of_a_solver_is_where_it_is_defined(solver):
    made = find_solver(solver).make(load("lessons#1"), seed=1)
    assert type(made).__module__ == find_solver(solver).home


def test_a_fingerprint_covers_what_a_solver_imports_and_no_more():
    names = {
        home: set(_sources(home, PACKAGE)) for home in ("sokoviz.search.mcts.schokoban", "sokoviz.search.ida.search")
    }
    common = {
        "core.tree.arena",
        "core.compiling.jit",
        "search.mcts.engine",
        "search.shortening",
        "levels.level",
        "experiments.runner",
    }
    ida = {"sokoviz.search.ida.engine", "sokoviz.core.branches.transpositions"}
    assert all(found >= {"windows.npz", *(f"sokoviz.{name}" for name in common)} for found in names.values())
    assert ida <= names["sokoviz.search.ida.search"]
    assert not ida & names["sokoviz.search.mcts.schokoban"]
    assert not any(name.startswith(("sokoviz.widgets", "sokoviz.learn")) for found in names.values() for name in found)


@pytest.fixture
def package(tmp_path):
    """A tiny package with a solver, which uses a kernel and a table, and a widget that uses the solver."""
    files = {
        "experiments/runner.py": "from sokoviz.search import other",
        "solvers.py": "",
        "search/__init__.py": "",
        "search/shortening.py": "",
        "search/home.py": """
from typing import TYPE_CHECKING
if TYPE_CHECKING:
    from sokoviz.search.typed import Name
def run():
    from sokoviz.core import kernel
def explore():
    import sokoviz.widgets.explorer.widget
""",
        "search/other.py": "",
        "search/typed.py": "",
        "core/__init__.py": "",
        "core/kernel.py": "TABLE = 'table.npz'",
        "core/table.npz": "1",
        "core/unused.npz": "1",
        "widgets/explorer.py": "import sokoviz.search.other",
        "README.md": "",
    }
    for name, text in files.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    return tmp_path


MATTERS = ["search/home.py", "core/kernel.py", "core/__init__.py", "core/table.npz", "search/shortening.py"]
MATTERS += ["experiments/runner.py", "solvers.py"]
MATTERS_NOT = ["README.md", "widgets/explorer.py", "search/other.py", "search/typed.py", "core/unused.npz"]


@pytest.mark.parametrize("name", [*MATTERS, *MATTERS_NOT])
def test_an_edit_changes_the_fingerprint_where_the_solver_imports_what_is_edited(package, name):
    before = fingerprint.__wrapped__("sokoviz.search.home", package)
    path = package / name
    path.write_text(f"{path.read_text()} # edited")
    assert (fingerprint.__wrapped__("sokoviz.search.home", package) != before) == (name in MATTERS)


@pytest.mark.parametrize("library", ["numba", "numpy"])
def test_another_version_of_a_library_is_other_code(package, monkeypatch, library):
    before = fingerprint.__wrapped__("sokoviz.search.home", package)
    known = {"numba": "1", "numpy": "1"}
    monkeypatch.setattr(fingerprints, "version", lambda name: known[name])
    made = fingerprint.__wrapped__("sokoviz.search.home", package)
    known[library] = "2"
    assert len({before, made, fingerprint.__wrapped__("sokoviz.search.home", package)}) == 3


@pytest.mark.parametrize("seed", [1, 2])
def test_cbc_is_solved_as_published_within_500_iterations(shared_levels, monkeypatch, seed):
    monkeypatch.setenv("SOKOVIZ_LEVELS", str(shared_levels))
    runs = [run for run in runs_of("schokoban-6.1", seeds=[seed]) if run.solver == "schokoban"]
    counts = solved_within([perform(run._replace(iterations=500)) for run in runs], seed)[:4]
    assert all(ours >= theirs - 1 for ours, theirs in zip(counts, (9, 23, 41, 60), strict=True))


def test_studies_of_the_learner_run_each_level_with_and_without_the_filter(monkeypatch):
    monkeypatch.setattr(curry_tables, "published", lambda: LEARNING)
    runs = curry_tables.runs_of("curry-lessons")
    assert [(run.level, dict(run.options)["preset"], run.seconds) for run in runs] == [
        ("lessons#16", "best", 30.0),
        ("lessons#17", "best", 30.0),
        ("lessons#16", "text", 30.0),
        ("lessons#17", "text", 30.0),
    ]
    rows = [perform(run) for run in runs[:2]]
    assert all(row.pushes is not None for row in rows)
    text = curry_tables.report("curry-lessons", [*rows, rows[0]._replace(run=runs[2], pushes=None)])
    assert "with goal filter, seed 1: 2 of 2 (goal 2: met)" in text
    assert "text to the letter, seed 1: 0 of 1 (goal 2: missed)" in text
    assert "not solved: 16" in text


def test_the_studies_of_the_learner_are_those_of_the_command():
    assert set(curry_tables.published()["studies"]) == {name for name in STUDIES if name.startswith("curry-")}
    assert len(curry_tables.published()["studies"]["curry-xsokoban"]["numbers"]) == 20
