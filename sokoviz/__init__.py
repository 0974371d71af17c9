"""Sokoban search, made visible in Jupyter."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sokoviz.board import DEADLOCK_RULES as DEADLOCK_RULES
    from sokoviz.board import Board as Board
    from sokoviz.errors import LevelError as LevelError
    from sokoviz.errors import MoveError as MoveError
    from sokoviz.errors import SokovizError as SokovizError
    from sokoviz.levels import Collection as Collection
    from sokoviz.levels import Level as Level
    from sokoviz.levels import available as available
    from sokoviz.levels import collection as collection
    from sokoviz.levels import load as load
    from sokoviz.picture import Picture as Picture
    from sokoviz.squares import Square as Square
    from sokoviz.widgets.board import BoardWidget as BoardWidget

__version__ = "0.1.0"

# Where each public name lives. It is imported when first asked for, so that `import sokoviz` stays light.
_HOME_OF = {
    "DEADLOCK_RULES": "sokoviz.board",
    "Board": "sokoviz.board",
    "BoardWidget": "sokoviz.widgets.board",
    "Collection": "sokoviz.levels",
    "Level": "sokoviz.levels",
    "LevelError": "sokoviz.errors",
    "MoveError": "sokoviz.errors",
    "Picture": "sokoviz.picture",
    "SokovizError": "sokoviz.errors",
    "Square": "sokoviz.squares",
    "available": "sokoviz.levels",
    "collection": "sokoviz.levels",
    "load": "sokoviz.levels",
}

__all__ = [
    "DEADLOCK_RULES",
    "Board",
    "BoardWidget",
    "Collection",
    "Level",
    "LevelError",
    "MoveError",
    "Picture",
    "SokovizError",
    "Square",
    "__version__",
    "available",
    "collection",
    "load",
]


def __getattr__(name: str) -> object:
    """Import a public name when it is first used."""
    if name not in _HOME_OF:
        message = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(message)
    value = getattr(importlib.import_module(_HOME_OF[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """Show public names before they are imported."""
    return sorted({*globals(), *__all__})
