"""Sokoban search, made visible in Jupyter."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sokoviz.analysis.influence import influence as influence
    from sokoviz.board import DEADLOCK_RULES as DEADLOCK_RULES
    from sokoviz.board import Board as Board
    from sokoviz.errors import GameError as GameError
    from sokoviz.errors import LevelError as LevelError
    from sokoviz.errors import MoveError as MoveError
    from sokoviz.errors import SearchError as SearchError
    from sokoviz.errors import SokovizError as SokovizError
    from sokoviz.games.check import check_game as check_game
    from sokoviz.games.game import Game as Game
    from sokoviz.games.sokoban import Sokoban as Sokoban
    from sokoviz.games.tictactoe import TicTacToe as TicTacToe
    from sokoviz.learn.curry import Curry as Curry
    from sokoviz.levels import Collection as Collection
    from sokoviz.levels import Level as Level
    from sokoviz.levels import available as available
    from sokoviz.levels import collection as collection
    from sokoviz.levels import load as load
    from sokoviz.picture import Picture as Picture
    from sokoviz.search.breadth.search import BFS as BFS
    from sokoviz.search.conformance.check import check_search as check_search
    from sokoviz.search.ida.search import IDA as IDA
    from sokoviz.search.mcts.schokoban import Schokoban as Schokoban
    from sokoviz.search.mcts.schokoban import Vanillaban as Vanillaban
    from sokoviz.search.mcts.search import MCTS as MCTS
    from sokoviz.search.options import Script as Script
    from sokoviz.search.plain.note import Note as Note
    from sokoviz.search.plain.search import PlainSearch as PlainSearch
    from sokoviz.search.shortening import shorten as shorten
    from sokoviz.squares import Square as Square
    from sokoviz.widgets.board.widget import BoardWidget as BoardWidget
    from sokoviz.widgets.compare.widget import Compare as Compare
    from sokoviz.widgets.explorer.match import Match as Match
    from sokoviz.widgets.explorer.widget import Explorer as Explorer
    from sokoviz.widgets.heatmaps.compare import CompareHeatmaps as CompareHeatmaps
    from sokoviz.widgets.heatmaps.episode_player import EpisodePlayer as EpisodePlayer
    from sokoviz.widgets.heatmaps.widget import HeatmapWidget as HeatmapWidget
    from sokoviz.widgets.influence.widget import InfluenceWidget as InfluenceWidget

__version__ = "0.1.0"

# Where each public name lives. It is imported when first asked for, so that `import sokoviz` stays light.
_HOME_OF = {
    "BFS": "sokoviz.search.breadth.search",
    "DEADLOCK_RULES": "sokoviz.board",
    "IDA": "sokoviz.search.ida.search",
    "MCTS": "sokoviz.search.mcts.search",
    "Board": "sokoviz.board",
    "BoardWidget": "sokoviz.widgets.board.widget",
    "Collection": "sokoviz.levels",
    "Compare": "sokoviz.widgets.compare.widget",
    "CompareHeatmaps": "sokoviz.widgets.heatmaps.compare",
    "Curry": "sokoviz.learn.curry",
    "EpisodePlayer": "sokoviz.widgets.heatmaps.episode_player",
    "Explorer": "sokoviz.widgets.explorer.widget",
    "Game": "sokoviz.games.game",
    "GameError": "sokoviz.errors",
    "HeatmapWidget": "sokoviz.widgets.heatmaps.widget",
    "InfluenceWidget": "sokoviz.widgets.influence.widget",
    "Level": "sokoviz.levels",
    "LevelError": "sokoviz.errors",
    "Match": "sokoviz.widgets.explorer.match",
    "MoveError": "sokoviz.errors",
    "Note": "sokoviz.search.plain.note",
    "Picture": "sokoviz.picture",
    "PlainSearch": "sokoviz.search.plain.search",
    "Schokoban": "sokoviz.search.mcts.schokoban",
    "Script": "sokoviz.search.options",
    "SearchError": "sokoviz.errors",
    "Sokoban": "sokoviz.games.sokoban",
    "SokovizError": "sokoviz.errors",
    "Square": "sokoviz.squares",
    "TicTacToe": "sokoviz.games.tictactoe",
    "Vanillaban": "sokoviz.search.mcts.schokoban",
    "available": "sokoviz.levels",
    "check_game": "sokoviz.games.check",
    "check_search": "sokoviz.search.conformance.check",
    "collection": "sokoviz.levels",
    "influence": "sokoviz.analysis.influence",
    "load": "sokoviz.levels",
    "shorten": "sokoviz.search.shortening",
}

__all__ = [
    "BFS",
    "DEADLOCK_RULES",
    "IDA",
    "MCTS",
    "Board",
    "BoardWidget",
    "Collection",
    "Compare",
    "CompareHeatmaps",
    "Curry",
    "EpisodePlayer",
    "Explorer",
    "Game",
    "GameError",
    "HeatmapWidget",
    "InfluenceWidget",
    "Level",
    "LevelError",
    "Match",
    "MoveError",
    "Note",
    "Picture",
    "PlainSearch",
    "Schokoban",
    "Script",
    "SearchError",
    "Sokoban",
    "SokovizError",
    "Square",
    "TicTacToe",
    "Vanillaban",
    "__version__",
    "available",
    "check_game",
    "check_search",
    "collection",
    "influence",
    "load",
    "shorten",
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
