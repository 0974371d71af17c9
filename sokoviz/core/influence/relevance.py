"""Whether a push has to do with the pushes before it: the decision of a relevance cut.

Junghanns and Schaeffer, "Sokoban: Improving the Search with Relevance Cuts", section 3.2.
"""

from __future__ import annotations

from sokoviz.core.compiling.jit import lean
from sokoviz.core.types import Distances, Integers

RELEVANT, TOO_MANY, RETURNS = 0, 1, 2
"""what `judge_push` says: kept; cut for too many distant moves; cut as a return to an area just left"""


@lean
def judge_push(influence: Distances, froms: Integers, n: int, square: int, k: int, m: int, threshold: int) -> int:
    """Decide whether a push may follow a line of pushes.

    A move is distant when the one before it influences it by more than the threshold. Two rules cut a move. First, more
    than k distant moves within the last m, the new one counted: with k = 1 "the first cut criterion will entail the
    second", which would not hold if only moves already made were counted. Second, a move that is distant to the last
    one but not to one of the m before it: it returns to an area just left.

    Parameters
    ----------
    influence : int32[n_squares, n_squares], by squares of the board, FAR where there is no floor; where a move shall be
        distant only if neither square influences the other, the smaller of both directions
    froms : int64[n or more], where the box of each push stood before it, oldest first
    n : how many pushes there are
    square : where the box of the next push stands
    k, m, threshold : the parameters of the text

    Returns
    -------
    RELEVANT, TOO_MANY or RETURNS
    """
    if n == 0 or m < 1:
        return RELEVANT
    is_distant = influence[froms[n - 1], square] > threshold
    n_distant = 1 if is_distant else 0
    for move in range(max(1, n - m + 1), n):
        if influence[froms[move - 1], froms[move]] > threshold:
            n_distant += 1
    if n_distant > k:
        return TOO_MANY
    if is_distant:
        for move in range(max(0, n - m), n):
            if influence[froms[move], square] <= threshold:
                return RETURNS
    return RELEVANT


@lean
def is_irrelevant(influence: Distances, froms: Integers, n: int, square: int, k: int, m: int, threshold: int) -> bool:
    """Whether a relevance cut drops a push, with the parameters of `judge_push`."""
    return judge_push(influence, froms, n, square, k, m, threshold) != RELEVANT
