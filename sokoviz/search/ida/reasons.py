"""Why a node of iterative deepening became what it became, in words and squares."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from sokoviz.actions import Push, describe
from sokoviz.analysis.influence import influence
from sokoviz.core.branches import record as branches
from sokoviz.search.branches.reader import IN_WORDS
from sokoviz.search.ida import arrays as machines
from sokoviz.search.ida.explaining import play_moves
from sokoviz.search.ida.fates import FATES
from sokoviz.words import count

if TYPE_CHECKING:
    from sokoviz.actions import BoxMove, Deadlock
    from sokoviz.board import Board
    from sokoviz.search.ida.drawing import Stretch
    from sokoviz.search.ida.search import IDA


WORDS = {
    "open": "waits to be visited",
    "line": "on the line that is searched",
    "solution": "the level is solved",
}


RULES = {
    branches.LOST_BOX: "locking tile",
    branches.LOCKED_BOXES: "locked boxes",
    branches.DEAD_WINDOW: "window",
    branches.DEAD_TRIPLE: "three boxes",
    branches.DEAD_AREA: "corral",
}
"""rules that boards have, too"""

SEARCHED = {
    branches.NO_MATCHING: "the boxes cannot all get to goals of their own",
    branches.LEARNED_PATTERN: "a search among some of its boxes, here or before, has found that they cannot be solved",
}
"""what else finds positions dead"""


class Reason(NamedTuple):
    """What became of a node, and why."""

    fate: str
    words: str
    deadlocks: tuple[Deadlock, ...] = ()


def moves_to(stretch: Stretch, node: int) -> list[BoxMove]:
    """Return the moves from the start to a node."""
    return [stretch.record.move(each) for each in stretch.path(node)[1:]]


def reason_of(search: IDA, stretch: Stretch, node: int, board: Board) -> Reason:
    """Return what became of a node.

    Parameters
    ----------
    search
        The search.
    stretch
        The events up to the moment that is meant.
    node
        The node.
    board
        Its position.
    """
    fate = FATES[int(stretch.outline.fates(np.array([node]), stretch.end)[0])]
    if fate == "deadlock":
        return _dead(rule_against(stretch, node), board)
    if fate == "relevance":
        return Reason(fate, _irrelevant(search, moves_to(stretch, node)))
    if fate == "searched":
        return Reason(fate, f"searched to its end: {_left(stretch, node)}")
    if fate == "bound":
        return Reason(fate, f"cut by the bound: {_beyond(search, stretch, node)} the threshold {_limit(stretch)}")
    return Reason(fate, WORDS.get(fate) or IN_WORDS[fate])


def _beyond(search: IDA, stretch: Stretch, node: int) -> str:
    """What was too much for the threshold: pushes made and left, or only what the search takes the bound for."""
    way, left = (int(stretch.events[node, column]) for column in (branches.WAY, branches.LEFT_OVER))
    if way + left > _limit(stretch):
        return f"{stretch.note(node)} is above"
    return f"{stretch.note(node)}, but with a bound counted {search.options.overestimation:g} times it is above"


def _limit(stretch: Stretch) -> int:
    """The threshold."""
    return int(stretch.events[stretch.root, branches.ORIGIN])


def _left(stretch: Stretch, node: int) -> str:
    """What was found to be left from a node."""
    score = int(stretch.events[int(stretch.outline.left[node]), branches.ORIGIN])
    if score >= branches.NO_BOUND:
        return "no way leads on from here"
    return f"{count(score, 'push is', 'pushes are')} left as the search counts them, more than there was room for"


def rule_against(stretch: Stretch, node: int) -> int:
    """Return the rule by which the kernel found a node dead, as `sokoviz.core.branches.record` numbers them."""
    if stretch.events[node, branches.KIND] == branches.DEADLOCK:
        return int(stretch.events[node, branches.LEFT_OVER]) - branches.NO_BOUND
    return int(stretch.events[int(stretch.outline.closed[node]), branches.TARGET])


def _dead(rule: int, board: Board) -> Reason:
    """The rule that decided, and the squares that it speaks of."""
    if rule in SEARCHED:
        return Reason("deadlock", f"Deadlock: {SEARCHED[rule]}.")
    found = board.deadlock(RULES[rule])
    if found is None:  # the search looks with other means, at boxes that the board's rule leaves alone
        return Reason("deadlock", f"Deadlock: {RULES[rule]}.")
    return Reason("deadlock", " ".join(describe((found,))), (found,))


def _irrelevant(search: IDA, moves: list[BoxMove]) -> str:
    """Why a move is not relevant to those before; a macro counts as pushes that all began where its box stood."""
    options = search.engine.machine.options
    *line, last = [(move, _direction(move)) for move in moves]
    before = [Push(move.source, direction) for move, direction in line for _ in range(move.n_pushes)]
    verdict = influence(search.level, released=search.options.released).judge(
        before,
        Push(last[0].source, last[1]),
        k=search.options.k,
        m=int(options[machines.HISTORY]),
        threshold=int(options[machines.THRESHOLD_NEAR]),
    )
    return f"cut as not relevant: {verdict.reason}"


def _direction(move: BoxMove) -> str:
    """Roughly where a move takes its box."""
    down, right = move.target.row - move.source.row, move.target.column - move.source.column
    return ("r" if right > 0 else "l") if abs(right) >= abs(down) else ("d" if down > 0 else "u")


def board_at(search: IDA, stretch: Stretch, node: int) -> Board:
    """Return the position of a node, played by the rules."""
    return play_moves(search.level, moves_to(stretch, node))
