"""Appendix A of the thesis, row by row."""

import pytest

from sokoviz.cli import main
from sokoviz.experiments.appendix_a import compare, published_rows

UNREACHABLE = {
    *(f"cbc#{n}" for n in (6, 44, 54)),
    *(f"microban3#{n}" for n in (11, 22, 28, 32, 46, 50, 55, 64, 73, 84, 85, 97)),
}


@pytest.fixture(scope="module")
def rows(shared_levels):
    """All comparisons."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SOKOVIZ_LEVELS", str(shared_levels))
        return {row.level.name: row for row in compare()}


def test_all_160_rows_are_compared(rows):
    assert len(rows) == len(published_rows()) == 160


def test_142_rows_agree_exactly(rows):
    assert sum(row.ours == row.published for row in rows.values()) == 142


def test_every_differing_row_is_explained_by_a_reading_that_gives_the_published_figure(rows):
    why = {name: row.explanation for name, row in rows.items() if row.explanation}
    assert {name for name, text in why.items() if "never reach" in text} == UNREACHABLE
    assert {name for name, text in why.items() if "under the player" in text} == {"microban3#30"}
    assert {name for name, text in why.items() if "rounds" in text} == {"microban3#57", "microban3#58"}
    assert len(why) == 18


def test_the_worked_example_of_the_text(rows):
    # Level 5 of Microban III: n = 20, p = 9, b = 3 give 2805.
    assert rows["microban3#5"].ours == (20, 11, 3, 2805)


def test_the_command_prints_all_rows_and_the_sums(capsys, monkeypatch, shared_levels):
    monkeypatch.setenv("SOKOVIZ_LEVELS", str(shared_levels))
    assert main(["study", "run", "schokoban-A"]) == 0
    assert "160 rows, 142 equal, 18 differ:" in capsys.readouterr().out
