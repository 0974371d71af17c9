"""The groups of kernels that are compiled ahead of use, each by using it once.

What a later search adds: an entry in `GROUPS`, where its lesson comes; its name where people wait for it, see
`sokoviz.search.loading.Announcement`; and a run of `python -m sokoviz.warm --measure`, which records what its kernels
take, so that whoever waits is told how long.
"""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from sokoviz.games.game import Game
    from sokoviz.learn.curry import Curry
    from sokoviz.search.ida.search import IDA
    from sokoviz.search.mcts.engine import Engine

NAMES = re.compile(r"\bsv\.(\w+)|\bfrom sokoviz import ([\w, ]+)")
ROOMY = "#######\n#@ $ .#\n#     #\n#######"  # a position with successors of all kinds
LEARNABLE = "#######\n#@ $ .#\n#  $ .#\n#     #\n#######"  # two stages, so that there is something to learn from


class Group(NamedTuple):
    """Kernels that are used together."""

    load: Callable[[], object]
    """uses each of them once"""
    serves: tuple[str, ...]
    """public names that need them: a notebook with one of these has them compiled first"""
    after: tuple[str, ...] = ()
    """groups that share much with this one, which two processes would only wait for each other to compile"""


def wanted_by(text: str) -> tuple[str, ...]:
    """Return the names of the groups that a notebook needs, by the public names in its text."""
    names = {name for found in NAMES.findall(text) for name in re.findall(r"\w+", " ".join(found))}
    return tuple(name for name, group in GROUPS.items() if not names.isdisjoint(group.serves))


# --- using them once -------------------------------------------------------------------------------------------------
# All imports wait until then: the process that hands out the work loads no compiler.


def _use_board() -> None:
    from sokoviz.search.loading import prepare_board

    prepare_board()


def _ask_board() -> None:
    from sokoviz.board import DEADLOCK_RULES, Board
    from sokoviz.levels import Level

    board = Board(Level.parse(ROOMY))
    _ = board.hash, board.pulls, board.n_areas, [board.deadlock(rule) for rule in DEADLOCK_RULES]
    for distance in ("manhattan", "push", "side"):
        board.matching(distance)


def _engine(game: str, *, journal: bool = True) -> Engine:
    """A search of one of our games, loaded."""
    from sokoviz.search.mcts.engine import Engine
    from sokoviz.search.options import Settings

    engine = Engine(_game(game), Settings(journal=journal))
    engine.load()
    engine.advance(3)
    return engine


def _game(name: str) -> Game:
    from sokoviz.games.sokoban import Sokoban
    from sokoviz.games.tictactoe import TicTacToe

    return TicTacToe() if name == "Tic-Tac-Toe" else Sokoban(ROOMY)


def _explain(game: str) -> None:
    from sokoviz.search.mcts.views.explaining import explain

    explain(_engine(game), 2, "")


def _explore(game: str) -> None:
    from sokoviz.search.loading import prepare

    prepare(_game(game))


def _play(game: str) -> None:
    from sokoviz.games.rules import apply, legal_actions

    played = _game(game)
    state = played.start()
    apply(played, state, legal_actions(played, state)[:1])


def _compare() -> None:
    from sokoviz.search.compare.comparing import prepare

    prepare()


def _shorten() -> None:
    from sokoviz.search.shortening import shorten

    shorten(ROOMY, "rRR", states=1)


def _learn() -> Curry:
    from sokoviz.learn.curry import Curry

    learner = Curry(LEARNABLE, seed=1)
    learner.run(seconds=60, progress=False)
    return learner


def _ask_learner() -> None:
    _learn().policy()


def _deepen(*, journal: bool) -> IDA:
    from sokoviz.search.ida.search import IDA

    search = IDA(LEARNABLE, journal=journal)
    search.run(seconds=60, progress=False)
    return search


def _spread(*, journal: bool) -> None:
    from sokoviz.search.breadth.search import BFS

    BFS(LEARNABLE, journal=journal).run(seconds=60, progress=False)


def _explore_deepening() -> None:
    from sokoviz.search.loading import prepare_deepening

    prepare_deepening(_deepen(journal=True))


def _measure_influence() -> None:
    from sokoviz.analysis.influence import influence

    found = influence(ROOMY)
    found.cuts(found.level, "rR")
    found.between(found.squares[0], found.squares[-1])


# --- the list, in the order of the lessons ---------------------------------------------------------------------------


def _tree_search(game: str, serves: Collection[str], *after: str) -> dict[str, Group]:
    """The groups of a Monte Carlo search of a game of ours."""
    names, with_record = tuple(serves), f"{game}, with a record"
    return {
        with_record: Group(partial(_engine, game), names, after),
        f"{game}, without": Group(partial(_engine, game, journal=False), names, after),
        f"{game}, explained": Group(partial(_explain, game), names, (*after, with_record)),
        f"{game}, played": Group(partial(_play, game), names, after),
        f"{game}, explored": Group(partial(_explore, game), names, (*after, with_record, f"{game}, explained")),
    }


BOARD = ("Board", "BoardWidget", "Collection", "DEADLOCK_RULES", "Level", "PlainSearch", "collection", "load")
ON_BOARDS = ("Sokoban", "Schokoban", "Vanillaban", "Compare")
LEARNING = ("Curry", "CompareHeatmaps", "EpisodePlayer", "HeatmapWidget")
GROUPS = {
    "board": Group(_use_board, BOARD),
    **_tree_search("Tic-Tac-Toe", ("MCTS", "Match", "TicTacToe", "Game", "check_game")),
    "board, asked": Group(_ask_board, BOARD, ("board",)),
    **_tree_search("Sokoban", ON_BOARDS, "board"),
    "comparing": Group(_compare, ("Compare",), ("Sokoban, with a record",)),
    "shortening": Group(_shorten, ("shorten",), ("board",)),
    "learner": Group(_learn, LEARNING, ("board",)),
    "learner, asked": Group(_ask_learner, LEARNING, ("learner",)),
    "IDA*, with a record": Group(partial(_deepen, journal=True), ("IDA",), ("board",)),
    "IDA*, without": Group(partial(_deepen, journal=False), ("IDA",), ("IDA*, with a record",)),
    "IDA*, explored": Group(_explore_deepening, ("IDA",), ("IDA*, with a record",)),
    "breadth-first search": Group(partial(_spread, journal=True), ("BFS",), ("board",)),
    "breadth-first search, without": Group(partial(_spread, journal=False), ("BFS",), ("breadth-first search",)),
    "influence": Group(_measure_influence, ("influence", "InfluenceWidget"), ("board",)),
}
