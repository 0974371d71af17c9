"""Studies of solvers: runs on an executor, kept at once, resumed, and reported beside the published figures."""

from __future__ import annotations

import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import pytest

from sokoviz.commands.study import STUDIES
from sokoviz.experiments import curry_tables
from sokoviz.experiments.runner import Row, Run, Store, perform, run_all
from sokoviz.experiments.schokoban_tables import published, report, runs_of, solved_within

LEARNING = {
    "source": "nobody",
    "seeds": [1],
    "variants": {"with goal filter": {"preset": "best"}, "text to the letter": {"preset": "text"}},
    "studies": {"curry-lessons": {"levels": "lessons", "numbers": [16, 17], "seconds": 30, "goal": 2}},
}
TINY = Run("lessons#1", "schokoban", (("preset", "published"),), 100, 1)


@pytest.fixture
def store(tmp_path):
    return Store(tmp_path / "folder" / "studies.sqlite")


def row_of(run: Run, iterations: int, pushes: int | None) -> Row:
    return Row(run, iterations, 10, pushes, 0.5, "solved" if pushes else "iterations")


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
    assert Store(store.path).find([TINY, TINY._replace(seed=2)]) == {TINY: row}
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


def test_rows_of_an_older_version_are_reported_without_shortened_lengths(store):
    runs = [TINY, TINY._replace(solver="vanillaban")]
    with closing(sqlite3.connect(store.path)) as file, file:
        file.executemany("insert into rows values (?, ?)", [(run.key, '[7, 9, 3, 0.5, "solved"]') for run in runs])
    assert "schokoban, where both solve                       3.00          –" in report(
        "schokoban-6.1", store.find(runs).values()
    )


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
