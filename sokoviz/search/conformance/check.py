"""Does a search keep what everything else relies on? It is run, stepped, taken back, interrupted, saved; see checks.py.

Whoever writes a search of their own finds out here what the explorers, the commands and the studies expect of it.
"""

from __future__ import annotations

from dataclasses import dataclass

from sokoviz.errors import SearchError
from sokoviz.search.conformance.checks import CHECKS, Trial
from sokoviz.search.search import Search
from sokoviz.words import count, listing

FEWEST = 4  # steps of a search with which moving about in it can be told from standing still


@dataclass(frozen=True)
class SearchReport:
    """What a check has looked at."""

    search: str
    steps: int
    """that were made, gone back to and explained"""
    checks: tuple[str, ...]
    """what it was found to keep"""
    left_out: tuple[str, ...]
    """what could not be asked of it, such as to run without a record"""

    def __repr__(self) -> str:
        left_out = f"; not asked: {listing(self.left_out)}" if self.left_out else ""
        return f"{self.search} keeps the contract: {count(len(self.checks), 'check')} on {self.steps} steps{left_out}"


def check_search(search: object, steps: int = 60) -> SearchReport:
    """Check that a search keeps what explorers, commands and studies rely on.

    Parameters
    ----------
    search
        A search that has not been run; further ones are made with its options.
    steps
        How many steps to make at most.

    Returns
    -------
    SearchReport
        What was looked at.

    Raises
    ------
    SearchError
        With what is broken, and where.
    """
    trial = try_search(search, steps)
    kept = [name for name, check in CHECKS.items() if check(trial) is not False]
    return SearchReport(repr(search), trial.n, tuple(kept), tuple(name for name in CHECKS if name not in kept))


def try_search(search: object, steps: int) -> Trial:
    """Run a search like the one given for some steps, and note what it was like after each of them."""
    if not isinstance(search, Search):
        message = f"expected a Search such as MCTS(TicTacToe()), found {search!r}"
        raise SearchError(message)
    if search.last or search.steps:
        message = f"expected a search that has not been run, found {search!r}"
        raise SearchError(message)
    if not search.keeps_record:
        message = f"expected a search that keeps a record, found journal=False of {search!r}"
        raise SearchError(message)
    trial = Trial(search, steps)
    if trial.n < FEWEST:
        message = f"expected a search of at least {FEWEST} steps, found that {search!r} ends after {trial.n}"
        raise SearchError(message)
    return trial
