"""Tree searches of one position side by side on one clock: what each has come to, and where they first part ways."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from sokoviz.core.tree import flags
from sokoviz.core.tree.arena import ACTION, COUNT, FIRST
from sokoviz.core.tree.journal import DEEPEST_AFTER
from sokoviz.errors import SearchError
from sokoviz.games.sokoban import Sokoban
from sokoviz.search.compare.first_difference import first_different, tell_difference
from sokoviz.search.compare.settings import check_comparable, differing_options, names_of, place_of
from sokoviz.search.contract import Moment, first_marked
from sokoviz.search.mcts.views.position_counts import Census, in_tree, nodes_with_key
from sokoviz.search.mcts.views.series import MOST_POINTS, standing_at
from sokoviz.search.options import EVENTS
from sokoviz.search.ticks import stride_of
from sokoviz.words import listing, number

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pandas as pd
    from numpy.typing import NDArray

    from sokoviz.core.types import Integers
    from sokoviz.search.compare.first_difference import Difference
    from sokoviz.search.mcts.engine import Engine
    from sokoviz.search.mcts.search import MCTS

REDUNDANT = "redundant"  # a kind of event that only a comparison has

SOKOBAN_ROWS = {
    "nodes": "nodes made",
    "in_tree": "nodes in the tree",
    "distinct": "distinct states",
    "redundant": "redundant nodes",
    "eliminated": "eliminated nodes",
    "best_reward": "best reward",
    "solved_at": "solved at iteration",
}
OTHER_ROWS = {"nodes": "nodes", "depth": "depth", "root_value": "root value"}


@dataclass(frozen=True)
class Figures:
    """What a search has come to at a moment of the clock."""

    name: str
    """the search, with the options that tell it from the others"""
    iteration: int
    """where it stands: it may have ended before"""
    nodes: int
    """ever made, the root included"""
    in_tree: int
    """nodes that were not eliminated"""
    distinct: int | None
    """different positions in the tree; None where the game does not tell them apart"""
    redundant: int | None
    """nodes in the tree whose position an earlier node in the tree has as well"""
    eliminated: int
    best_reward: int | None
    """minus the smallest distance of boxes and goals simulated so far, 0 where solved; None for games for two"""
    solved_at: int | None
    """the iteration that found the first solution, if it is done"""
    depth: int
    """of the deepest node simulated"""
    root_value: float | None
    """None before the first reward"""


class Growth(NamedTuple):
    """How a tree grew, at some iterations."""

    iterations: Integers
    """ascending from 0, the last of the record among them"""
    in_tree: Integers
    distinct: Integers | None


class Comparison:
    """Two or more tree searches of one position on one clock.

    A search that ended earlier than the others stands still at its end. Nothing here moves a search: what is told of
    a moment is read from the records.

    Parameters
    ----------
    searches
        Searches of the same game from the same position; seeds and options may differ.

    Raises
    ------
    SearchError
        If they are of different levels, games or positions, or cannot be compared for other reasons.
    """

    def __init__(self, *searches: MCTS) -> None:
        check_comparable(searches)
        self.searches = searches
        self.game = searches[0].game
        self.names = names_of(searches)
        """what each search is called: its solver, and the options that tell it from the others"""
        self._censuses: dict[int, Census] = {}
        self._difference: Difference | None = None
        self._n_alike = 0  # iterations that are known to be the same

    def __repr__(self) -> str:
        return f"{listing(self.names)} on {place_of(self.game)}\n{self.text(self.last)}"

    @property
    def last(self) -> int:
        """The end of the clock: the longest record."""
        return max(search.last for search in self.searches)

    @property
    def differing(self) -> tuple[str, ...]:
        """Names of the options that differ between the searches, ``"solver"`` among them."""
        return tuple(differing_options(self.searches))

    @property
    def has_positions(self) -> bool:
        """Whether distinct positions are counted."""
        return isinstance(self.game, Sokoban)

    def ending(self, index: int) -> str:
        """Return why a search has nothing more to do: ``"solved"``, ``"unsolvable"``, or empty."""
        search = self.searches[index]
        if not search.last:
            return ""
        if first_marked(search.engine.marks, flags.SOLUTION, 0, search.last) is not None:
            return "solved"
        return "unsolvable" if search.engine.is_unsolvable else ""

    # --- figures -----------------------------------------------------------------------------------------------------

    def figures(self, iteration: int | None = None) -> tuple[Figures, ...]:
        """Return what each search has come to.

        Parameters
        ----------
        iteration
            A moment of the clock, from 0 to `last`; the last one where left out.
        """
        clock = self.checked(iteration)
        return tuple(self._figures(index, clock) for index in range(len(self.searches)))

    def table(self, iteration: int | None = None) -> pd.DataFrame:
        """Return the figures as a table, one column a search.

        Parameters
        ----------
        iteration
            A moment of the clock, from 0 to `last`; the last one where left out.
        """
        import pandas as pd

        found = self.figures(iteration)
        columns = {each.name: [getattr(each, key) for key in self.rows] for each in found}
        return pd.DataFrame(columns, index=list(self.rows.values()), dtype=object)

    def text(self, iteration: int | None = None) -> str:
        """Return the figures as a table of plain text, with the iteration above."""
        clock = self.checked(iteration)
        head = [f"after iteration {clock:,} of {self.last:,}", *self.names]
        body = [[label, *(self.cell(each, key) for each in self.figures(clock))] for key, label in self.rows.items()]
        widths = [max(len(row[column]) for row in (head, *body)) for column in range(len(head))]
        lines = []
        for label, *cells in (head, *body):
            padded = (cell.rjust(width) for cell, width in zip(cells, widths[1:], strict=True))
            lines.append("  ".join((label.ljust(widths[0]), *padded)))
        return "\n".join(lines)

    @property
    def rows(self) -> dict[str, str]:
        """Which figures are told of this game, and what they are called."""
        return SOKOBAN_ROWS if self.has_positions else OTHER_ROWS

    def cell(self, figures: Figures, key: str) -> str:
        """Return one figure as people write it."""
        value = getattr(figures, key)
        if value is None:
            return "–"
        return number(value) if isinstance(value, float) else f"{value:,}".replace("-", "−")

    def _figures(self, index: int, clock: int) -> Figures:
        """What one search has come to."""
        search = self.searches[index]
        if not search.last:  # nothing to look up, and perhaps no kernel to do it
            distinct, redundant = (1, 0) if self.has_positions else (None, None)
            return Figures(self.names[index], 0, 1, 1, distinct, redundant, 0, None, None, 0, None)
        at = min(clock, search.last)
        with search.at(Moment(at)) as engine:
            count, standing = self._census(index, engine).at(at), standing_at(engine, Moment(at))
            return Figures(
                name=self.names[index],
                iteration=at,
                nodes=count.nodes,
                in_tree=count.in_tree,
                distinct=count.distinct,
                redundant=count.redundant,
                eliminated=count.eliminated,
                best_reward=count.best_reward if self.game.players == 1 else None,
                solved_at=first_marked(engine.marks, flags.SOLUTION, 0, at),
                depth=int(engine.steps[DEEPEST_AFTER, at - 1]) if at else 0,
                root_value=standing.value if standing.visits else None,
            )

    def course(self, index: int) -> Growth:
        """Return how the tree of a search grew, at some hundred iterations."""
        search = self.searches[index]
        if not search.last:
            start = np.zeros(1, dtype=np.int64)
            return Growth(start, start + 1, start + 1 if self.has_positions else None)
        with search.at(search.moment) as engine:
            census = self._census(index, engine)
            at = np.arange(0, search.last + 1, stride_of(search.last, MOST_POINTS))
            at = at if at[-1] == search.last else np.append(at, search.last)
            return Growth(at, census.in_tree(at), census.distinct(at) if census.has_positions else None)

    def _census(self, index: int, engine: Engine) -> Census:
        """The counts of a search, up to date."""
        if index not in self._censuses:
            self._censuses[index] = Census(engine)
        census = self._censuses[index]
        census.go_on(engine)
        return census

    def checked(self, iteration: int | None) -> int:
        """Return a moment of the clock, the last one for None; raises where there is none."""
        if iteration is None:
            return self.last
        if not 0 <= iteration <= self.last:
            message = f"expected an iteration from 0 to {self.last}, where the longest record ends; found {iteration}"
            raise SearchError(message)
        return int(iteration)

    # --- nodes -------------------------------------------------------------------------------------------------------

    def has(self, index: int, node: int, iteration: int) -> bool:
        """Return whether a node hung in the tree of a search after an iteration."""
        search = self.searches[index]
        if not search.last:
            return node == 0
        with search.at(Moment(min(iteration, search.last))) as engine:
            return 0 <= node < engine.n_nodes and bool(in_tree(engine)[node])

    def redundant(self, index: int, iteration: int) -> NDArray[np.bool_]:
        """Return for each node of a search whether it was redundant after an iteration, bool[n_nodes]."""
        search = self.searches[index]
        with search.at(Moment(min(iteration, search.last))) as engine:
            return self._census(index, engine).redundant(engine)

    def alike(self, index: int, node: int, iteration: int) -> tuple[tuple[int, ...], ...]:
        """Return the nodes of each search, in its tree after an iteration, that are like a node of one of them.

        They have the same position; where the game does not tell positions apart, the same moves lead to them.

        Parameters
        ----------
        index
            Which search the node is in.
        node
            A node that is in its tree.
        iteration
            A moment of the clock.
        """
        moments = [Moment(min(iteration, search.last)) for search in self.searches]
        with self.searches[index].at(moments[index]) as engine:
            engine.check_node(node)
            key = int(engine.machine.states.keys[node]) if self.has_positions else 0
            line = engine.actions_to(node)
        found = []
        for search, moment in zip(self.searches, moments, strict=True):
            with search.at(moment) as engine:
                found.append(tuple(nodes_with_key(engine, key) if self.has_positions else _end_of_line(engine, line)))
        return tuple(found)

    def line(self, index: int, node: int, iteration: int) -> tuple[int, ...]:
        """Return the actions that led to a node of a search after an iteration."""
        search = self.searches[index]
        with search.at(Moment(min(iteration, search.last))) as engine:
            engine.check_node(node)
            return tuple(engine.actions_to(node))

    # --- events ------------------------------------------------------------------------------------------------------

    def next_event(self, kind: str, done: int) -> int | None:
        """Return the first iteration after some that is marked with a kind of event in any of the records.

        Parameters
        ----------
        kind
            A kind of event of the game, or ``"redundant"``: a node is added whose position is in the tree already.
        done
            A moment of the clock.
        """
        found = []
        for index, search in enumerate(self.searches):
            if done >= search.last:
                continue
            with search.at(Moment(done)) as engine:  # where it is already, if that is what is shown
                if kind == REDUNDANT:
                    found.append(self._census(index, engine).next_redundant(done))
                else:
                    found.append(first_marked(engine.marks, EVENTS[kind][0], done, search.last))
        return min((each for each in found if each is not None), default=None)

    # --- differences -------------------------------------------------------------------------------------------------

    @property
    def first_difference(self) -> Difference | None:
        """The first iteration in which the searches do something different, None where their records never do.

        What counts is what the journals say: the leaf that is selected, the children that it gets, the node that is
        simulated and its reward, subtrees that move, and nodes that are eliminated. Where one record ends, the
        comparison ends.
        """
        shortest = min(search.last for search in self.searches)
        if self._difference is None and shortest > self._n_alike:
            found = [first_different(self.searches[0], other) for other in self.searches[1:]]
            first = min((each for each in found if each is not None), default=None)
            self._difference = None if first is None else tell_difference(self.searches, self.names, first)
            self._n_alike = shortest if first is None else first - 1
        return self._difference


def prepare() -> None:
    """Load what comparing uses beside the kernels of the searches."""
    from sokoviz.search.mcts.engine import Engine
    from sokoviz.search.options import Settings

    engine = Engine(Sokoban("#####\n#@$.#\n#####"), Settings())
    engine.advance(1)
    Census(engine).go_on(engine)


def _end_of_line(engine: Engine, actions: Sequence[int]) -> list[int]:
    """The node that some actions lead to where the engine is; nothing where they lead out of the tree."""
    links, node = engine.arena.links, 0
    for action in actions:
        first, count = int(links[FIRST, node]), int(links[COUNT, node])
        children = engine.arena.children[first : first + count]
        taken = children[links[ACTION, children] == action]
        if not len(taken):
            return []
        node = int(taken[0])
    return [node]
