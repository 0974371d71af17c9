"""How many iterations a run makes in one call of the kernel."""

from __future__ import annotations

from sokoviz import MCTS, TicTacToe


def test_many_single_iterations_do_not_make_the_pace_grow_without_end() -> None:
    """It was multiplied with each of them, until it was no number any more."""
    search = MCTS(TicTacToe())
    assert search.run(iterations=2000, until=lambda _: False).stopped_by == "iterations"
