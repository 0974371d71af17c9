"""Loads the compiled kernels of a search for a game, so that a first click need not wait for them.

The first time on a machine this compiles them, which takes some seconds; later it is a matter of one. The machine code
of a game that is not ours is not kept: it is compiled anew by each process.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sokoviz.board import DEADLOCK_RULES, Board
from sokoviz.games.sokoban import Sokoban

if TYPE_CHECKING:
    from sokoviz.games.game import Game
    from sokoviz.search.ida.search import IDA

_prepared: set[type] = set()


def is_prepared(game: Game) -> bool:
    """Whether a search of a game can be used without waiting."""
    return type(game.tables) in _prepared


def is_compiled(game: Game) -> bool:
    """Whether `prepare` has only to load; to find out loads the compiler itself, which takes a moment."""
    from sokoviz.search.mcts.engine import Engine
    from sokoviz.search.options import Settings

    engine = Engine(game, Settings())
    return engine.is_compiled() and engine.is_compiled(in_detail=True)


def announcement(what: str, *, is_compiled: bool) -> str:
    """Return what to tell people who wait for kernels."""
    return f"Loading the compiled {what} …" if is_compiled else f"Compiling the {what}, once …"


def prepare(game: Game) -> None:
    """Load everything that stepping through a search of a game uses, by stepping through a tiny one."""
    from sokoviz.search.mcts.engine import Engine
    from sokoviz.search.mcts.views.drawing import NodeFacts, draw
    from sokoviz.search.mcts.views.explaining import explain
    from sokoviz.search.mcts.views.view import View
    from sokoviz.search.options import Settings

    engine = Engine(game, Settings())
    engine.advance(3)
    explain(engine, min(2, engine.last), "")  # a level that is solved already ends with the first iteration
    engine.score_children(0)
    draw(engine, View(), (), {}, NodeFacts())
    game.portrait(game.start(), game.layers)
    game.outcome_name(game.start())
    if isinstance(game, Sokoban):  # whichever rules a search has, the first of its dead ends is not waited for
        game.deadlocks(game.start(), DEADLOCK_RULES)
    engine.prepare_lookups()
    _prepared.add(type(game.tables))


# --- iterative deepening ---------------------------------------------------------------------------------------------


def is_deepening_prepared(search: IDA) -> bool:
    """Whether a search by iterative deepening can be used and shown without waiting."""
    return search.is_loaded and type(search) in _prepared


def is_deepening_compiled() -> bool:
    """Whether `prepare_deepening` has only to load; to find out loads the compiler itself, which takes a moment."""
    from sokoviz.search.ida.engine import is_compiled as is_engine_compiled

    return is_engine_compiled()


def prepare_deepening(search: IDA) -> None:
    """Load everything that stepping through a search by iterative deepening uses."""
    from sokoviz.search.ida.drawing import load

    search.load_kernels()
    load()
    board = Board(search.level)
    board.picture(component=True, matching="push")
    _ = board.deadlocks
    _prepared.add(type(search))
