"""Every search keeps one contract: it is asked the same of each of them."""

from collections.abc import Callable
from typing import Any

import pytest

import sokoviz as sv
from sokoviz.search.conformance.check import try_search
from sokoviz.search.conformance.checks import CHECKS
from tests.search.plain.plain_searches import BothEnds, Breadth

TINY = "#######\n#     #\n# $$@ #\n# . . #\n#######"
UNSOLVABLE = "#######\n#. @  #\n#$##  #\n#  $ ##\n#   .##\n#######"
WINDING = """
########
#  .   #
# $##$ #
#  @   #
# .  $ #
#   .  #
########
"""

SEARCHES: dict[str, Callable[[], Any]] = {
    "mcts": lambda: sv.MCTS(sv.TicTacToe(), seed=3),
    "mcts, ucb1": lambda: sv.MCTS(sv.TicTacToe("X.O/.../..."), seed=1, selection="ucb1"),
    "mcts on sokoban": lambda: sv.MCTS(sv.Sokoban(TINY), seed=2),
    "schokoban": lambda: sv.Schokoban(WINDING, seed=1),
    "schokoban, text": lambda: sv.Schokoban(WINDING, preset="text", seed=2),
    "schokoban, best": lambda: sv.Schokoban(TINY, preset="best", seed=1),
    "schokoban, unsolvable": lambda: sv.Schokoban(UNSOLVABLE, seed=1),
    "vanillaban": lambda: sv.Vanillaban(TINY, seed=5),
    "bfs": lambda: sv.BFS(WINDING),
    "bfs, dead squares": lambda: sv.BFS(TINY, deadlocks=("locking tile",)),
    "bfs, unsolvable": lambda: sv.BFS(UNSOLVABLE),
    "ida, optimal": lambda: sv.IDA(WINDING, preset="optimal", memory=1 << 20),
    "ida, classic": lambda: sv.IDA(WINDING, preset="classic", memory=1 << 20),
    "ida, crippa": lambda: sv.IDA(WINDING, preset="crippa", patience=10, memory=1 << 20),
    "ida, best": lambda: sv.IDA(WINDING, preset="best", patience=8, memory=1 << 20),
    "plain, breadth first": lambda: Breadth(TINY),
    "plain, from both ends": lambda: BothEnds(WINDING),
    "ida, unsolvable": lambda: sv.IDA(UNSOLVABLE, preset="classic", memory=1 << 20),
}
STEPS = 40


@pytest.fixture(scope="module")
def trials():
    """Each search after its steps, made once."""
    return {}


@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize("name", SEARCHES)
def test_every_search_keeps_the_contract(trials, name, check):
    if name not in trials:
        trials[name] = try_search(SEARCHES[name](), STEPS)
    CHECKS[check](trials[name])
