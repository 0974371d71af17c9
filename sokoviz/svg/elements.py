"""SVG as text: elements, and coordinates as short numbers."""

from __future__ import annotations

import html
import math
from typing import Any

CELL = 32
"""Units of a square."""

SMALLEST_TEXT = 11
"""Pixels; no text is ever smaller."""

Data = dict[str, Any]
"""A picture or an overlay as `Picture.to_json` gives it."""


def element(name: str, attributes: dict[str, str], content: str = "") -> str:
    """An element as text; the content is taken as it is, so text in it must be escaped."""
    written = "".join(f' {key}="{html.escape(value)}"' for key, value in attributes.items())
    return f"<{name}{written}>{content}</{name}>" if content else f"<{name}{written}/>"


def number(value: float) -> str:
    """A coordinate as short text, rounded to two places exactly as the page rounds it."""
    rounded = math.floor(value * 100 + 0.5) / 100
    return str(int(rounded)) if rounded == int(rounded) else repr(rounded)


def points(*values: float) -> str:
    """Coordinates side by side."""
    return " ".join(map(number, values))
