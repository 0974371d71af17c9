"""The ways that pieces took from one position to another, so that a page can let them glide."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sokoviz.actions import neighbour

if TYPE_CHECKING:
    from sokoviz.squares import Square

LONGEST_WAY = 60
"""moves; what takes longer is shown at once"""


def ways_between(before: tuple[str, Square], after: tuple[str, Square]) -> list[list[Square]]:
    """Squares that each piece passed between two points of one line of moves.

    Parameters
    ----------
    before, after
        The moves since the start and the player's square, at both points.

    Returns
    -------
    One list for each piece that moved, the player's first, all of one length: the n-th squares belong to one moment.
    Empty where the points do not lie on one line or are too far apart.
    """
    (moves, player), (later_moves, _) = sorted((before, after), key=lambda point: len(point[0]))
    between = later_moves[len(moves) :]
    if not later_moves.startswith(moves) or not 0 < len(between) <= LONGEST_WAY:
        return []
    ways = _forward_ways(player, between)
    return ways if len(after[0]) > len(before[0]) else [way[::-1] for way in ways]


def _forward_ways(player: Square, moves: str) -> list[list[Square]]:
    """Squares passed by the player and by each box that it pushes."""
    ways = [[player]]
    for moment, letter in enumerate(moves):
        for way in ways:
            way.append(way[-1])
        player = neighbour(player, letter.lower())
        ways[0][-1] = player
        if letter.isupper():
            _pushed(ways, player, moment)[-1] = neighbour(player, letter.lower())
    return ways


def _pushed(ways: list[list[Square]], square: Square, moment: int) -> list[Square]:
    """The way of the box on a square, which stood still until now if it has none yet."""
    for way in ways[1:]:
        if way[-1] == square:
            return way
    ways.append([square] * (moment + 2))
    return ways[-1]
