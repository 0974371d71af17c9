"""Monte Carlo Tree Search: simulations a second on Tic-Tac-Toe, what the journal costs, how fast one jumps in time.

Everybody does the same: 10,000 simulations from the empty board with random rollouts and c = 2, in one thread.
"""

from __future__ import annotations

import time
from itertools import count
from random import Random
from statistics import median
from typing import TYPE_CHECKING, Any

from sokoviz.experiments.bench.measuring import LIMIT, PREFIX_SECONDS, Figure, find_module, rate
from sokoviz.games.tictactoe import TicTacToe
from sokoviz.search.contract import Moment
from sokoviz.search.mcts.search import MCTS
from sokoviz.search.options import Settings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

N_SIMULATIONS = 10_000
N_LONG = 100_000
C = 2.0
OPEN_SPIEL_GOAL = 1.5
TWIN_GOAL = 100.0
JOURNAL_LIMIT = 1.3
JUMP_LIMIT = 50.0  # milliseconds
N_JUMPS = 200
CASE = f"Tic-Tac-Toe, {N_SIMULATIONS:,} simulations"
UNIT = "simulations/s"


def rows() -> Iterator[Figure]:
    """All measurements."""
    ours = rate(_our_work(journal=False))
    with_journal = rate(_our_work(journal=True))
    for reference, work, goal in (
        ("OpenSpiel C++", _open_spiel_work(), OPEN_SPIEL_GOAL),
        ("OpenSpiel Python", _open_spiel_python_work(), None),
        ("naive twin", _twin_work(), TWIN_GOAL),
    ):
        theirs = None if work is None else rate(work, None if "C++" in reference else PREFIX_SECONDS)
        yield Figure("mcts", CASE, UNIT, ours, reference, theirs, goal)
    yield Figure("mcts", "cost of the journal", "times", ours / with_journal, LIMIT, JOURNAL_LIMIT, 1.0)
    yield _jump_row()


def _our_work(*, journal: bool) -> Callable[[], int]:
    """Searches one after the other, each with its own seed."""
    from sokoviz.search.mcts.engine import Engine

    game, seeds = TicTacToe(), count(1)

    def work() -> int:
        Engine(game, Settings(c=C, seed=next(seeds), journal=journal)).advance(N_SIMULATIONS)
        return N_SIMULATIONS

    return work


def _open_spiel_work() -> Callable[[], int] | None:
    """OpenSpiel's C++ bot through its Python binding, if it is installed."""
    pyspiel: Any = find_module("pyspiel")
    if pyspiel is None:
        return None
    game, seeds = pyspiel.load_game("tic_tac_toe"), count(1)
    state = game.new_initial_state()

    def work() -> int:
        seed = next(seeds)
        evaluator = pyspiel.RandomRolloutEvaluator(1, seed)
        memory_in_mb, solve, verbose = 1000, False, False
        pyspiel.MCTSBot(game, evaluator, C, N_SIMULATIONS, memory_in_mb, solve, seed, verbose).mcts_search(state)
        return N_SIMULATIONS

    return work


def _open_spiel_python_work() -> Callable[[], int] | None:
    """OpenSpiel's search in Python, if it is installed."""
    pyspiel: Any = find_module("pyspiel")
    mcts: Any = find_module("open_spiel.python.algorithms.mcts")
    if pyspiel is None or mcts is None:
        return None
    game, n = pyspiel.load_game("tic_tac_toe"), N_SIMULATIONS // 20
    state = game.new_initial_state()

    def work() -> int:
        mcts.MCTSBot(game, C, n, mcts.RandomRolloutEvaluator(1), solve=False).mcts_search(state)
        return n

    return work


def _twin_work() -> Callable[[], int] | None:
    """The naive twin, where the checkout has it."""
    twin: Any = find_module("tests.twins.naive_mcts")
    if twin is None:
        return None
    seeds, n = count(1), N_SIMULATIONS // 20

    def work() -> int:
        rules = twin.TIC_TAC_TOE
        twin.NaiveSearch(rules, rules.EMPTY, c=C, seed=next(seeds)).run(n)
        return n

    return work


def _jump_row() -> Figure:
    """Median time of a jump to a random iteration of a long record, in milliseconds; lower is better."""
    search = MCTS(TicTacToe(), c=C)
    search.run(iterations=N_LONG, progress=False)
    random, times = Random(1), []  # noqa: S311  which iterations guards no secret
    for _ in range(N_JUMPS):
        moment = Moment(random.randrange(N_LONG + 1))
        begin = time.process_time()
        with search.at(moment):
            times.append(1000 * (time.process_time() - begin))
    return Figure("mcts", f"jump to any of {N_LONG:,} iterations", "ms", median(times), LIMIT, JUMP_LIMIT, 1.0)
