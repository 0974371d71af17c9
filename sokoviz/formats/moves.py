"""Move strings: the letters ``udlr``, upper case where a box is pushed, with or without run lengths."""

from __future__ import annotations

import re

from sokoviz.errors import UnknownMoveError
from sokoviz.formats.run_length import RunLengthFault, expand, pack

MAX_MOVES = 1_000_000

_NO_MOVE = re.compile(r"[^udlrUDLR0-9()]")


def read_moves(text: str) -> str:
    """Spell out a move string.

    Parameters
    ----------
    text : str
        Letters ``udlrUDLR``, run lengths such as ``3r`` and groups such as ``2(rU)``; white space is ignored.

    Returns
    -------
    str
        The letters alone, in the case in which they were given.

    Raises
    ------
    UnknownMoveError
        A character that is no move, or a malformed run length, with its column in `text` counted from 1.

    Examples
    --------
    >>> read_moves("3r 2(uL)")
    'rrruLuL'
    """
    places = [index for index, character in enumerate(text) if not character.isspace()]
    packed = "".join(text[index] for index in places)
    unknown = _NO_MOVE.search(packed)
    if unknown is not None:
        index = _expanded_length(packed[: unknown.start()])
        message = f"expected a move (u, d, l, r, upper case for a push), found {unknown[0]!r}"
        raise UnknownMoveError(message, index, places[unknown.start()] + 1)
    try:
        return "".join(packed[index] for index in expand(packed, MAX_MOVES, MAX_MOVES))
    except RunLengthFault as fault:
        index = _expanded_length(packed[: fault.index])
        raise UnknownMoveError(fault.message, index, places[fault.index] + 1) from None


def write_moves(moves: str, *, run_length: bool = False) -> str:
    """Write a move string, with run lengths or letter by letter.

    Parameters
    ----------
    moves : str
        Any move string that `read_moves` takes.
    run_length : bool
        Whether to write ``3r`` for ``rrr``.

    Returns
    -------
    str
        The move string.

    Examples
    --------
    >>> write_moves("rrruL", run_length=True)
    '3ruL'
    """
    letters = read_moves(moves)
    return pack(letters) if run_length else letters


def _expanded_length(packed: str) -> int | None:
    """How many moves a beginning stands for, a number at its end left out; None in the middle of a group."""
    try:
        return len(expand(packed.rstrip("0123456789"), MAX_MOVES, MAX_MOVES))
    except RunLengthFault:
        return None
