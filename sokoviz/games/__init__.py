"""Games: one file each, rules that compile and a face that draws itself."""

from __future__ import annotations

from sokoviz.games.game import Game, find_game

__all__ = ["Game", "find_game"]
