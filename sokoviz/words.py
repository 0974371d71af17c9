"""Numbers and lists in words, as people read them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


def number(value: float | None, places: int = 2) -> str:
    """Return a number as text with a real minus sign; a dash where there is none."""
    if value is None:
        return "–"
    text = f"{value:.{places}f}"
    return text.lstrip("-") if float(text) == 0 else text.replace("-", "−")


def signed(value: int) -> str:
    """Return a whole number with its sign."""
    return f"+{value}" if value > 0 else str(value).replace("-", "−")


def count(n: int, word: str, plural: str = "") -> str:
    """Return a number with its noun."""
    return f"{n:,} {word if n == 1 else plural or f'{word}s'}"


def listing(items: Sequence[object]) -> str:
    """Return items as people list them: "3, 4 and 7"."""
    texts = [str(item) for item in items]
    return texts[0] if len(texts) == 1 else f"{', '.join(texts[:-1])} and {texts[-1]}"


def with_article(word: str) -> str:
    """Return a word with "a" or "an" before it."""
    return f"{'an' if word[0] in 'aeiou' else 'a'} {word}"
