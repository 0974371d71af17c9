"""Colours, style sheet and symbols: files that the page uses too."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path

from sokoviz.picture import split_name
from sokoviz.svg.elements import Data, element

STATIC = Path(__file__).parent.parent / "widgets" / "static"


@cache
def colors() -> dict[str, list[str]]:
    """Light and dark colour of each name."""
    palette: dict[str, list[str]] = json.loads((STATIC / "colors.json").read_text(encoding="utf-8"))
    return palette


@cache
def style_sheet() -> str:
    """The style sheet with colours in place of variables: light ones, and dark ones where the viewer asks for them."""
    text = re.sub(r"/\*.*?\*/", "", (STATIC / "shared" / "board.css").read_text(encoding="utf-8"), flags=re.DOTALL)
    rules = [(selector.strip(), body.strip()) for selector, body in re.findall(r"([^{}]+)\{([^}]*)\}", text)]
    light = "\n".join(f"{selector}{{{_with_colors(body, 0)}}}" for selector, body in rules)
    dark = "\n".join(
        f"{selector}{{{_with_colors(_only_colors(body), 1)}}}" for selector, body in rules if "var(" in body
    )
    return f"\n{light}\n@media (prefers-color-scheme: dark){{\n{dark}\n}}\n"


def _with_colors(body: str, theme: int) -> str:
    """Declarations with the colours of a theme, 0 for light and 1 for dark, in place of variables."""
    return re.sub(r"var\(--sokoviz-([a-z-]+)\)", lambda match: colors()[match[1]][theme], body)


def _only_colors(body: str) -> str:
    """The declarations that depend on the theme."""
    return "; ".join(part.strip() for part in body.split(";") if "var(" in part)


@cache
def symbols() -> dict[str, str]:
    """Text of each symbol by its id."""
    text = (STATIC / "shared" / "symbols.js").read_text(encoding="utf-8")
    return {match[1]: match[0] for match in re.finditer(r'<symbol id="([A-Za-z-]+)".*?</symbol>', text)}


def symbol_of(name: str) -> str:
    """Id of the symbol for a cell name, empty where there is none."""
    piece, base = split_name(name)
    wanted = (f"{piece}-on-{base}", piece) if piece else (base,)
    return next((symbol for symbol in wanted if symbol in symbols()), "")


def definitions(data: Data, identity: str) -> str:
    """The symbols that occur, under ids of this drawing's own."""
    used = sorted({symbol for name in data["names"] if (symbol := symbol_of(name))})
    return element("defs", {}, "".join(symbols()[name].replace('id="', f'id="{identity}-') for name in used))
