"""The compiled search grows the trees of its naive twin, node by node."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sokoviz.core.tree.formulas import N_LOGARITHMS, UCT, logarithm, make_formula
from tests.data.make_golden_trees import PATH, SETTINGS
from tests.search.searching import (
    SELECTIONS,
    assert_is_twin,
    boards,
    constants,
    digits,
    seeds,
    selections,
    table_of,
    text_of,
    tic_tac_toe,
)
from tests.twins import naive_mcts

pytestmark = pytest.mark.kernels

GOLDEN = json.loads(PATH.read_text(encoding="utf-8"))


def search_of(case):
    """The compiled search of a golden tree's settings."""
    options = {name: case[name] for name in ("c", "seed", "selection") if name in case}
    if "digits" in case:
        return digits(case["digits"], **options)[0]
    return tic_tac_toe(case.get("position", ".../.../..."), **options, **case.get("script", {}))[0]


@pytest.mark.parametrize("golden", GOLDEN, ids=lambda golden: json.dumps(golden["settings"]))
def test_golden_trees_grow_again(golden):
    search = search_of(golden["settings"])
    search.run(iterations=golden["settings"]["iterations"])
    tree, generator = search.tree, int(search.engine.machine.generator[0])
    expanded = [node for node in range(len(tree)) if tree.children(node)]
    expanded.sort(key=lambda node: tree.children(node)[0])
    actions = [[node, *(int(tree.actions[child]) for child in tree.children(node))] for node in expanded]
    visited = [[node, int(tree.visits[node]), int(tree.sums[node])] for node in np.flatnonzero(tree.visits)]
    assert actions == golden["expanded"]
    assert visited == golden["visited"]
    assert len(tree) == 1 + sum(len(row) - 1 for row in actions)
    drawn = golden["random_numbers"] * 0x9E3779B97F4A7C15
    assert generator == (golden["settings"]["seed"] + drawn) % 2**64


def test_golden_trees_are_those_of_the_settings():
    assert [golden["settings"] for golden in GOLDEN] == json.loads(json.dumps(SETTINGS))
    assert {golden["settings"].get("selection", "uct") for golden in GOLDEN} == set(SELECTIONS)


@settings(max_examples=60)
@given(seeds, constants, selections, boards, st.integers(min_value=0, max_value=120))
def test_two_players(seed, c, selection, board, n):
    search, twin = tic_tac_toe(text_of(board), seed=seed, c=c, selection=selection)
    search.run(iterations=n)
    assert_is_twin(search, twin.run(n))


@settings(max_examples=40)
@given(seeds, constants, selections, st.integers(min_value=1, max_value=5), st.integers(min_value=0, max_value=120))
def test_one_player(seed, c, selection, n_digits, n):
    search, twin = digits(n_digits, seed=seed, c=c, selection=selection)
    search.run(iterations=n)
    assert_is_twin(search, twin.run(n))


@pytest.mark.parametrize("selection", SELECTIONS)
def test_a_long_run_from_the_empty_board(selection):
    search, twin = tic_tac_toe(seed=2024, selection=selection)
    search.run(iterations=3000)
    assert_is_twin(search, twin.run(3000))


@settings(max_examples=40)
@given(seeds, constants, selections, boards, st.integers(min_value=0, max_value=30))
def test_scripts(seed, c, selection, board, n_scripted):
    """A script of what the twin did by chance gives the same tree with another seed; after its end chance returns."""
    _, free = tic_tac_toe(text_of(board), seed=seed, c=c, selection=selection)
    choices, outcomes = [], []
    for made in (free.iterate() for _ in range(n_scripted)):
        choices += [step.chosen.number for step in made.steps if len(step.best) > 1 or step.chosen.visits == 1]
        choices += [made.simulated.number] if made.added else []
        outcomes.append(made.reward)
    options = {"seed": seed ^ 1, "c": c, "selection": selection, "choices": choices, "outcomes": outcomes}
    search, twin = tic_tac_toe(text_of(board), **options)
    search.run(iterations=n_scripted)
    assert table_of(search.tree) == free.table()
    search.run(iterations=20)
    assert_is_twin(search, twin.run(n_scripted + 20))


def test_one_player_follows_a_script():
    script = {"choices": [2, None, None, None], "outcomes": [None, 6, None, 7]}
    search, twin = digits(4, seed=3, **script)
    search.run(iterations=50)
    assert_is_twin(search, twin.run(50))


@pytest.mark.parametrize("players", [1, 2])
def test_history_is_marked_with_the_events_of_the_twin(players):
    search, twin = tic_tac_toe("X../.O./...", seed=5) if players == 2 else digits(4, seed=5)
    search.run(iterations=400)
    history, marks = search.history, ("tie", "expansion", "terminal", "deeper", "leader")
    assert history.index.tolist() == list(range(1, 401))
    seen = set()
    for k in range(1, 401):
        made, row = twin.iterate(), history.loc[k]
        assert tuple(mark for mark in marks if row[mark]) == made.events
        assert row["nodes"] == len(twin.nodes)
        assert row["depth"] == twin.deepest
        assert row["root_value"] == twin.root.total / twin.root.visits
        first = [change.node.number for change in made.changes if change.node.depth == 1]
        assert row["root_child"] == (first[0] if first else -1)
        seen.update(made.events)
    assert seen == set(marks)


# --- rules of selection ----------------------------------------------------------------------------------------------


@given(seeds, selections)
@settings(max_examples=30)
def test_unvisited_children_come_first(seed, selection):
    search, _ = tic_tac_toe(seed=seed, selection=selection)
    search.run(iterations=10)
    assert search.tree.visits[1:10].tolist() == [1] * 9


def test_ties_are_broken_evenly():
    """Over many seeds each of the nine children of the root is the first about equally often."""
    firsts = []
    for seed in range(450):
        search, _ = tic_tac_toe(seed=seed)
        search.run(iterations=2)
        firsts.append(int(np.flatnonzero(search.tree.visits[1:])[0]))
    counts = np.bincount(firsts, minlength=9)
    assert counts.min() >= 25
    assert counts.max() <= 80


def test_no_random_number_is_used_where_there_is_no_choice():
    """One free cell: nothing to draw but the one new child and the one move of the first rollout."""
    search, twin = tic_tac_toe("XOX/OXO/OX.", seed=1)
    search.run(iterations=20)
    assert_is_twin(search, twin.run(20))
    assert twin.n_draws == 2


def test_a_root_where_the_game_is_over_is_scored_again_and_again():
    search, twin = tic_tac_toe("XXX/OO./...", seed=1)
    search.run(iterations=7)
    assert_is_twin(search, twin.run(7))
    assert (len(search.tree), search.tree.sums[0], search.tree.visits[0]) == (1, 7, 7)


def test_rewards_alternate_for_two_players_and_do_not_for_one():
    for search, sign in ((tic_tac_toe(seed=1)[0], -1), (digits(seed=1)[0], 1)):
        search.run(iterations=300)
        tree = search.tree
        from_below = sum(sign * tree.sums[child] for child in tree.children(0))
        assert tree.sums[0] == search.explain(1).simulation.reward + from_below


# --- logarithms ------------------------------------------------------------------------------------------------------

FORMULA = make_formula(UCT, 1.0)


@settings(max_examples=500)
@given(st.integers(min_value=1, max_value=2**40))
def test_logarithms_have_nine_digits(n):
    assert logarithm(FORMULA, n) == pytest.approx(math.log(n), abs=1e-9)


def test_logarithms_in_the_table_are_rounded_to_40_bits():
    table = [logarithm(FORMULA, n) for n in range(1, N_LOGARITHMS + 1)]
    assert table == [naive_mcts.rounded_log(n) for n in range(1, N_LOGARITHMS + 1)]


@settings(max_examples=500)
@given(st.one_of(st.integers(min_value=1, max_value=2**40), st.integers(1, 40).map(lambda k: 2**k - 1)))
def test_logarithms_never_fall(n):
    assert logarithm(FORMULA, n) <= logarithm(FORMULA, n + 1)


def test_logarithm_of_no_visits_is_harmless():
    assert logarithm(FORMULA, 0) == 0.0
