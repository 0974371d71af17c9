"""What the explorer tells of a node beside its children: successors that became none, subtree moves, the solution."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sokoviz.search.options import DEADLOCK_TESTS
from sokoviz.words import count, number, signed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sokoviz.search.mcts.views.explanation import LeftOut, Move, Shift
    from sokoviz.widgets.explorer.views import Look

NO_DETAILS: dict[str, Any] = {"moment": "", "suggested": "children", "left_out": None, "moves": None}
"""where a game has neither successors that are left out nor subtrees that move"""

NO_SOLUTION: dict[str, Any] = {"pushes": 0, "moves": 0, "at": None, "shown": False}


def details_of(look: Look, node: int) -> dict[str, Any]:
    """Return what the page shows in the place of the children when asked.

    Parameters
    ----------
    look
        What is on display.
    node
        The node whose children are shown.
    """
    if "move" not in look.search.game.events:
        return NO_DETAILS
    moves = _moves_at(look)
    of, left_out = successors_of(look, node)
    return {
        "moment": f"{look.moment.step} {look.moment.phase}",
        "suggested": "moves" if moves else "children",
        "left_out": {
            "node": of,
            "title": f"Successors of {_name(of)} that are no children",
            "rows": [_left_out_row(each) for each in left_out],
            "chosen": None if look.successor is None else look.successor.action,
        },
        "moves": [_move(move) for move in moves],
    }


def successors_of(look: Look, node: int) -> tuple[int, Sequence[LeftOut]]:
    """Return successors that are no children, and of which node: one that is being expanded, or the one given."""
    expansion = look.iteration.expansion if look.iteration and look.moment.phase not in {"", "selection"} else None
    if expansion is not None and expansion.node == look.node:
        return look.node, expansion.left_out
    return node, look.search.left_out(node)


def _name(node: int) -> str:
    """What a title calls a node."""
    return f"node {node}" if node else "the root"


def _left_out_row(successor: LeftOut) -> dict[str, Any]:
    """One successor, why it is no child, where, and in a sentence."""
    why = successor.reason if successor.node is None else f"{successor.reason}: node {successor.node}"
    squares = sorted({square for found in successor.deadlocks for square in found.squares})
    return {
        "action": successor.action,
        "why": why,
        "squares": " ".join(square.name for square in squares),
        "more": successor.more,
        "dead": successor.reason in DEADLOCK_TESTS,
    }


# --- subtree moves ---------------------------------------------------------------------------------------------------


def _moves_at(look: Look) -> tuple[Move, ...]:
    """Subtree moves that the phase on display is about."""
    if look.iteration is None or look.moment.phase != "expansion" or look.iteration.expansion is None:
        return ()
    return look.iteration.expansion.moved


def _move(move: Move) -> dict[str, Any]:
    """A subtree move: what moved, and what that did to the ancestors that it left and to those that it joined."""
    visits = count(move.visits, "visit")
    value = f", sum {signed(move.total)}, value {number(move.total / move.visits)}" if move.visits else ""
    return {
        "title": f"Node {move.node} moves from node {move.former} to {_name(move.new_chain[0].node)}",
        "note": f"depth {move.depth_before} → {move.depth_after}, with its {visits}{value}",
        "chains": [
            {"name": "left", "rows": [_shift(shift, move) for shift in move.old_chain]},
            {"name": "joined", "rows": [_shift(shift, move) for shift in move.new_chain]},
        ],
    }


def _shift(shift: Shift, move: Move) -> dict[str, Any]:
    """One ancestor before and after."""
    is_common = shift.node == move.old_chain[-1].node
    state = "in both" if is_common else "eliminated" if shift.node in move.eliminated else ""
    return {
        "node": shift.node,
        "visits": [f"{shift.visits_before:,}", f"{shift.visits_after:,}"],
        "total": [signed(shift.total_before), signed(shift.total_after)],
        "value": [number(shift.value_before), number(shift.value_after)],
        "state": state,
    }


# --- the solution ----------------------------------------------------------------------------------------------------


def solution_of(look: Look) -> dict[str, Any]:
    """Return how long the solution is, and after how many of its pushes the selected node stands, if it does."""
    line = look.search.solution_line
    if not line:
        return NO_SOLUTION
    at = next((index for index, waypoint in enumerate(line) if waypoint.node == look.node), None)
    return {"pushes": len(line) - 1, "moves": len(line[-1].moves), "at": at, "shown": bool(look.solution)}
