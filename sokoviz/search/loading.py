"""Loads the compiled kernels of boards and searches, so that a first click need not wait for them.

The first time on a machine this compiles them, which takes some seconds; later it is a matter of one. The machine code
of a game that is not ours is not kept: it is compiled anew by each process.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sokoviz.board import DEADLOCK_RULES, Board
from sokoviz.core.compiling.outlook import FEW_SECONDS, Outlook, in_words, is_compiler_loaded
from sokoviz.games.sokoban import Sokoban
from sokoviz.games.tictactoe import TicTacToe
from sokoviz.levels import Level

if TYPE_CHECKING:
    from sokoviz.games.game import Game
    from sokoviz.search.ida.search import IDA

_TINY = "######\n#@$. #\n######"

_prepared: set[type] = set()


class Announcement:
    """What to tell people who wait for kernels; as text it says how long that still takes now.

    Parameters
    ----------
    what
        What they wait for: "search".
    is_compiled
        Whether the kernels have only to be loaded; None where that is not known yet.
    group
        Name of the group of kernels, as `sokoviz.warm.groups` has it.
    is_kept
        Whether machine code is kept, as that for games of people's own is not.
    """

    def __init__(self, what: str, *, is_compiled: bool | None, group: str, is_kept: bool = True) -> None:
        self._what, self._group = what, group
        self.is_compiled, self._is_kept = is_compiled, is_kept
        self._outlook: Outlook | None = None

    def __str__(self) -> str:
        seconds = self._seconds()
        if self.is_compiled or (self.is_compiled is None and (seconds or 0) < FEW_SECONDS):
            return f"Loading the {'compiled ' if self.is_compiled else ''}{self._what} …"
        return f"Compiling the {self._what}, once{'' if seconds is None else f': {in_words(seconds)}'} …"

    def before(self, more: str) -> str:
        """Return the same with another sentence, short enough for the line under a slider."""
        text, seconds = str(self), self._seconds()
        if seconds is not None and text.startswith("Compiling"):
            text = f"Compiling the {self._what}: {in_words(seconds)}."
        return f"{text} {more}"

    def _seconds(self) -> float | None:
        """How long it still takes, as far as that can be known at once."""
        if self.is_compiled or (self.is_compiled is None and not (self._is_kept and is_compiler_loaded())):
            return None
        self._outlook = self._outlook or Outlook(self._group, is_kept=self._is_kept)
        return self._outlook.seconds()


def is_compiling(group: str) -> bool:
    """Whether something of a group of kernels is still to be compiled."""
    return Outlook(group).seconds() is not None


def group_of(game: Game, part: str) -> str:
    """Return the name of the group of kernels with which a game is searched: those of games not ours are alike."""
    return f"{'Sokoban' if isinstance(game, Sokoban) else 'Tic-Tac-Toe'}, {part}"


def is_ours(game: Game) -> bool:
    """Whether machine code for a game is kept."""
    return isinstance(game, Sokoban | TicTacToe)


# --- boards ----------------------------------------------------------------------------------------------------------


def prepare_board() -> None:
    """Load everything that widgets show of a board, by asking a tiny one."""
    board = Board(Level.parse(_TINY))
    _ = board.component, board.pushes, board.dead_squares, board.deadlocks, board.box_moves()
    board.walk(board.player)


# --- tree searches ---------------------------------------------------------------------------------------------------


def is_prepared(game: Game) -> bool:
    """Whether a search of a game can be used without waiting."""
    return type(game.tables) in _prepared


def is_compiled(game: Game) -> bool:
    """Whether `prepare` has only to load; to find out loads the compiler itself, which takes a moment."""
    from sokoviz.search.mcts.engine import Engine
    from sokoviz.search.options import Settings

    engine = Engine(game, Settings())
    return engine.is_compiled() and engine.is_compiled(in_detail=True)


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
