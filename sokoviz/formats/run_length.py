"""Run lengths: ``3#`` for ``###`` and ``2(-#)`` for ``-#-#``, in boards and in move strings."""

from __future__ import annotations

import re
from itertools import groupby

MAX_DEPTH = 20

_TOKEN = re.compile(r"([0-9]*)([^0-9]|\Z)", re.DOTALL)


class RunLengthFault(Exception):  # noqa: N818 - never leaves this package: readers turn it into a named error
    """What is wrong with a run length, and at which index of the text."""

    def __init__(self, message: str, index: int) -> None:
        super().__init__(message)
        self.message = message
        self.index = index


def expand(text: str, longest_run: int, longest_text: int) -> list[int]:
    """Spell out run lengths and groups.

    Parameters
    ----------
    text
        Characters, each of them possibly after a number; groups in parentheses count as one character.
    longest_run, longest_text
        The largest number before a character, and the largest length of the result.

    Returns
    -------
    list of int
        For each character of the result its index in `text`.

    Raises
    ------
    RunLengthFault
        A number without a character, a number that is too large or zero, or parentheses that do not match.
    """
    result: list[int] = []
    groups: list[tuple[int, int, int]] = []  # where in the result, how many times, where in the text
    for token in _TOKEN.finditer(text):
        digits, character = token.groups()
        count = _count(digits, token.start(), longest_run)
        if digits and character in ("", ")", "|"):
            found = repr(character) if character else "the end"
            message = f"expected a character after the run length {digits}, found {found}"
            raise RunLengthFault(message, token.start())
        if character == "(":
            groups.append((len(result), count, token.start(2)))
            _check_depth(len(groups), token.start(2))
        elif character == ")":
            _close_group(result, groups, token.start(2), longest_text)
        elif character:
            _check_length(len(result) + count, token.start(), longest_text)
            result += [token.start(2)] * count
    if groups:
        message = "expected a closing parenthesis for this group, found the end"
        raise RunLengthFault(message, groups[-1][2])
    return result


def pack(text: str) -> str:
    """Write runs of equal characters as a number and the character."""
    runs = ((character, sum(1 for _ in run)) for character, run in groupby(text))
    return "".join(character if count == 1 else f"{count}{character}" for character, count in runs)


def _count(digits: str, index: int, longest_run: int) -> int:
    """The number that some digits stand for; 1 without digits."""
    if not digits:
        return 1
    # Compared by length first: Python refuses to read numbers of thousands of digits.
    significant = digits.lstrip("0") or "0"
    if len(significant) <= len(str(longest_run)) and 1 <= int(significant) <= longest_run:
        return int(significant)
    shown = digits if len(digits) <= 12 else f"{digits[:12]}..."  # noqa: PLR2004
    message = f"expected a run length from 1 to {longest_run}, found {shown}"
    raise RunLengthFault(message, index)


def _close_group(result: list[int], groups: list[tuple[int, int, int]], index: int, longest_text: int) -> None:
    """Repeat the innermost group in place."""
    if not groups:
        message = "expected an opening parenthesis before this closing one, found none"
        raise RunLengthFault(message, index)
    start, count, opening = groups.pop()
    group = result[start:]
    _check_length(start + len(group) * count, opening, longest_text)
    result += group * (count - 1)


def _check_depth(depth: int, index: int) -> None:
    """Refuse groups in groups in groups without end."""
    if depth > MAX_DEPTH:
        message = f"expected groups nested at most {MAX_DEPTH} deep, found one more"
        raise RunLengthFault(message, index)


def _check_length(length: int, index: int, longest_text: int) -> None:
    """Refuse to expand into absurd amounts of memory."""
    if length > longest_text:
        message = f"expected run lengths that expand to at most {longest_text} characters, found more"
        raise RunLengthFault(message, index)
