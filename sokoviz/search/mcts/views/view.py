"""What of a tree is to be seen."""

from __future__ import annotations

from dataclasses import dataclass

from sokoviz.core.types import NO_LIMIT


@dataclass(frozen=True)
class View:
    """What a reader wants to see of a tree."""

    limit: int = 400
    """most nodes drawn"""
    deepest: int = NO_LIMIT
    """nodes deeper than this are left out"""
    fewest: int = 0
    """nodes visited less often are left out"""
    widest: int = 90
    """most nodes drawn side by side at one depth"""
    unfolded: frozenset[int] = frozenset()
    """nodes whose children are all drawn"""
