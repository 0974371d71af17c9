"""Studies of IDA*: which runs they are made of, and what their reports say of solved levels and of nodes."""

import pytest

from sokoviz.experiments.ida_tables import MICROBAN, WITH, WITHOUT, XSOKOBAN, published, report
from sokoviz.experiments.runner import Run, StoredRun

# Levels of table 3: nodes without cuts and pushes, then with them; None where it was not solved.
MADE = {
    1: ((1000, 97), (500, 97)),
    2: ((3000, 133), (1000, 135)),
    8: ((8000, None), (2000, 244)),
    10: ((4000, 514), (9000, None)),
    12: ((7000, None), (7000, None)),
    40: ((20_000, 400), (5000, 400)),
}


def row_of(number, options, nodes, pushes):
    run = Run(f"xsokoban#{number}", "ida", options, None, 1, 30)
    return StoredRun(run, 3, nodes, pushes, 0.5, "solved" if pushes else "seconds")


@pytest.fixture(scope="module")
def lines():
    rows = [
        row_of(number, options, *made)
        for number, both in MADE.items()
        for options, made in zip((WITHOUT, WITH), both, strict=True)
    ]
    return report(XSOKOBAN, rows).splitlines()


def line_with(lines, text):
    """The only line that holds a text."""
    (found,) = [line for line in lines if text in line]
    return found


def test_solved_levels_are_counted_beside_the_goal(lines):
    assert line_with(lines, "with relevance cuts: ") == "with relevance cuts: 4 of 6 (goal 44: missed)"
    assert "without: 4 of 6" in lines


def test_nodes_are_compared_where_both_solve(lines):
    assert line_with(lines, "that both solve") == (
        "nodes without to nodes with relevance cuts, on the 3 levels that both solve: 3.69"
    )
    assert "3 levels: ours 3.69" in line_with(lines, "all of these in table 3")
    assert "2 levels: ours 2.67, published 1.16" in line_with(lines, "at most 3 million")


def test_levels_that_only_cuts_solve_count_with_what_was_searched_in_vain(lines):
    told = line_with(lines, "that only cuts solve")
    theirs = [published()["table_3"][str(number)] for number in (1, 2, 8, 40)]
    ratio = sum(row[0] for row in theirs) / sum(row[2] for row in theirs)
    assert told.endswith(f"4 levels: ours at least {32_000 / 8500:.2f}, published {ratio:.2f}")


def test_what_cuts_lose_win_and_lengthen_is_named(lines):
    assert "lost by cuts: 10" in lines
    assert "won by cuts: 8" in lines
    assert "made longer by cuts: 2 (133 to 135)" in lines


def test_levels_that_nobody_solved_are_left_out_of_the_table(lines):
    numbers = [line.split()[0] for line in lines if line[:5].strip().isdecimal()]
    assert numbers == ["1", "2", "8", "10", "40"]


def test_presets_are_counted_beside_their_goals():
    runs = [Run(f"microban#{n}", "ida", (("preset", "classic"),), None, 1, None, 200_000) for n in (1, 2)]
    told = report(
        MICROBAN, [StoredRun(runs[0], 1, 10, 5, 0.5, "solved"), StoredRun(runs[1], 1, 30, None, 0.5, "nodes")]
    )
    assert "classic: 1 of 2 (goal 137: missed), 40 nodes in 1.0 s" in told
    assert "not solved: 2" in told
