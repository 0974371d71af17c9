"""Monte Carlo Tree Search as people hold it."""

from __future__ import annotations

from contextlib import contextmanager, nullcontext
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, Never, Self

from sokoviz.core.tree import flags
from sokoviz.core.tree.arena import ACTION, PARENT, STATUS, VISITS
from sokoviz.errors import SearchError
from sokoviz.games.game import Game
from sokoviz.games.sokoban import Sokoban
from sokoviz.search import saving
from sokoviz.search.contract import Moment
from sokoviz.search.loading import Announcement, group_of, is_ours
from sokoviz.search.options import FORMULAS, MOST_MEMORY, Script, Settings, refuse_unknown
from sokoviz.search.progress import saying
from sokoviz.search.result import BEFORE_ALL, Result, Standing, Waypoint
from sokoviz.search.search import Search

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    import pandas as pd

    from sokoviz.core.types import Integers
    from sokoviz.search.mcts.engine import Engine
    from sokoviz.search.mcts.views.drawing import Drawing, NodeFacts
    from sokoviz.search.mcts.views.explanation import Candidate, Iteration, LeftOut
    from sokoviz.search.mcts.views.series import Series, Summary
    from sokoviz.search.mcts.views.tree import Tree
    from sokoviz.search.mcts.views.view import View
    from sokoviz.widgets.explorer.recording import TreeRecorder
    from sokoviz.widgets.explorer.widget import Explorer


class MCTS(Search["Engine", "Iteration", Result]):
    """Monte Carlo Tree Search on a game for one or two players (thesis, 3.2).

    Selection goes down by the formula, an unvisited child first, ties at random. A leaf without visits is simulated by
    a random game; another gets all its children, and one of them is simulated. The reward goes up, negated at each
    step where two players take turns.

    Parameters
    ----------
    game
        The game, at the position to search.
    c
        Exploration constant.
    seed
        Seed of all random choices; the same seed gives the same tree on every machine.
    selection
        Formula: ``"uct"``, ``"ucb1"``, ``"program"`` or ``"puct"``.
    final_move
        Rule for the move: ``"most visited"``, ``"highest value"``, ``"max-robust"`` or ``"secure"``.
    script
        A course of events to force.
    memory
        Bytes that the tree and its journal may take.
    journal
        Whether to write down what happens. Without, the search runs and shows its last tree, no more.

    Examples
    --------
    >>> search = MCTS(TicTacToe(), seed=1)
    >>> search.run(iterations=1000)
    """

    name = "MCTS"

    def __init__(  # noqa: PLR0913  options by name
        self,
        game: object,
        *,
        c: float = 2.0,
        seed: int = 1,
        selection: str = "uct",
        final_move: str = "most visited",
        script: object = None,
        memory: int = MOST_MEMORY,
        journal: bool = True,
        **unknown: Never,
    ) -> None:
        refuse_unknown(unknown, MCTS.__init__)
        if not isinstance(game, Game):
            message = f"expected a Game such as TicTacToe(), found {game!r}"
            raise SearchError(message)
        if not isinstance(script, Script | None):
            message = f"expected a Script, found {script!r}"
            raise SearchError(message)
        self._set_up(game, Settings(c, seed, selection, final_move, script or Script(), memory, journal))

    def _set_up(self, game: Game, settings: Settings) -> None:
        """Begin with nothing known."""
        Search.__init__(self, game)
        self.settings = settings
        self._known: NodeFacts | None = None
        self._outline: Summary | None = None

    def __repr__(self) -> str:
        return f"{self.name} on {self.game!r}: {self.settings.describe()}, iteration {self.steps} of {self.last}"

    @classmethod
    def load(cls, path: str | Path, game: Game | None = None) -> MCTS:
        """Return a search from a file that `save` has written.

        Parameters
        ----------
        path
            The file.
        game
            The game, where it is one of your own that needs more than its settings to be made again.
        """
        from sokoviz.search.mcts.file import is_record, load

        return load(path, game) if is_record(path) else saving.load(path, {cls.name: cls}, game)

    def save(self, path: str | Path) -> None:
        """Write the search to a file; `load` reads it.

        A search of Sokoban is made again then, as its record is not one to be trusted: subtrees move in it.
        """
        from sokoviz.search.mcts.file import save

        with self._lock:
            (saving.save if isinstance(self.game, Sokoban) else save)(self, path)

    @classmethod
    def of_recipe(cls, game: Game, options: dict[str, Any]) -> Self:
        """Return a search that was made with some options."""
        return cls(game, **{**options, "script": Script(**options["script"])})

    def recipe(self) -> dict[str, Any]:
        """Return the options that the search was made with."""
        settings = asdict(self.settings)
        del settings["pushing"]  # nobody can set it here; Schokoban and Vanillaban have options of their own
        return settings

    def deeds(self) -> Iterator[bytes]:
        """Yield the tree at the end of the record."""
        engine = self.engine
        engine.go_to_end()
        n, arena = engine.n_nodes, engine.arena
        yield arena.sums[:n].tobytes()
        for row in (PARENT, ACTION, VISITS, STATUS):
            yield arena.links[row, :n].tobytes()

    def _make_engine(self) -> Engine:
        """The arrays of the search."""
        from sokoviz.search.mcts.engine import Engine

        return Engine(self.game, self.settings)

    @property
    def keeps_record(self) -> bool:
        """Whether iterations are written down, so that one can go back to them and explain them."""
        return self.settings.journal

    @property
    def memory(self) -> int:
        """Bytes that the tree and its journal may take."""
        return self.settings.memory

    @property
    def group(self) -> str:
        """Name of the group of kernels with which it searches."""
        return group_of(self.game, "with a record" if self.settings.journal else "without")

    @contextmanager
    def at(self, moment: Moment) -> Iterator[Engine]:
        """Give the engine at a moment, for as long as nobody else needs it elsewhere."""
        with self._lock:
            self.engine.seek(self._event_of(moment))
            yield self.engine

    def _event_of(self, moment: Moment) -> int:
        """How many events of the journal are done at a moment."""
        engine, (done, phase) = self.engine, moment
        if phase in {"", "selection"}:
            return engine.end_of(done)
        if phase in {"expansion", "simulation"}:
            return engine.before_reward(done + 1)
        return engine.after_reward(done + 1)

    def phases_of(self, number: int) -> tuple[str, ...]:
        """Return the phases of an iteration that has been made."""
        bits = self.engine.flags_of(number)
        expansion = ("expansion",) if bits & (flags.EXPANSION | flags.NO_REWARD) else ()
        reward = () if bits & flags.NO_REWARD else ("simulation", "backpropagation")
        elimination = ("elimination",) if self.engine.has_elimination(number) else ()
        return ("selection", *expansion, *reward, *elimination)

    def _explain(self, engine: Engine, number: int) -> Iteration:
        """The explanation of an iteration."""
        from sokoviz.search.mcts.views.explaining import explain

        with saying(self._announcement_of_explanations()):
            return explain(engine, number, FORMULAS[self.settings.selection].score)

    def _announcement_of_explanations(self) -> Announcement:
        """What to tell people who wait for the kernels that explain."""
        what, group = f"explanations for {self.game.name}", group_of(self.game, "explained")
        is_compiled = self.engine.is_compiled(in_detail=True)
        return Announcement(what, is_compiled=is_compiled, group=group, is_kept=is_ours(self.game))

    # --- looking ---------------------------------------------------------------------------------------------------

    def outcome_node(self, number: int) -> int:
        """Return the node that an iteration simulated; the root where it then eliminated nodes, and before the first.

        It is read out of the record, without an explanation.
        """
        if not number or self.engine.has_elimination(number):
            return 0
        simulated = self.engine.simulated_in(number)
        return self.explain(number).leaf if simulated is None else simulated

    @property
    def tree(self) -> Tree:
        """The tree where the search stands."""
        return self.tree_at(self._moment)

    def tree_at(self, moment: Moment) -> Tree:
        """Return the tree at a moment of the record."""
        from sokoviz.search.mcts.views.tree import Tree

        if not self.settings.journal:
            with self._lock:
                return Tree(self.game, self.engine.arena)
        with self.at(moment) as engine:
            return Tree(self.game, engine.arena)

    def candidates(self, node: int) -> tuple[Candidate, ...]:
        """Return the children of a node as selection would score them where the search stands.

        Parameters
        ----------
        node
            The node; one without children gives none.
        """
        from sokoviz.search.mcts.views.explaining import candidates_of

        state = self.state(node)
        with self.at(self._moment) as engine:
            scores = engine.score_children(node)
            return candidates_of(engine, node, scores.tolist(), state)

    def left_out(self, node: int) -> tuple[LeftOut, ...]:
        """Return the successors of a node with children that are none of them where the search stands, and why.

        Parameters
        ----------
        node
            The node; only searches of Sokoban leave successors out.
        """
        from sokoviz.search.mcts.views.explaining import left_out_of

        with self.at(self._moment) as engine:
            engine.check_node(node)
            return left_out_of(engine, node)

    @property
    def solution_line(self) -> tuple[Waypoint, ...]:
        """The solution node by node where the search stands; empty where there is none, or none can be."""
        return ()

    def action(self, node: int) -> int:
        """Return the action that leads to a node other than the root, as the game numbers it."""
        with self.at(self._moment) as engine:
            engine.check_node(node)
            return engine.action_of(node)

    def state(self, node: int) -> Integers:
        """Return the position of a node that is in the tree where the search stands, as the game writes it."""
        from sokoviz.search.mcts.views.explaining import state_of

        with self.at(self._moment) as engine:
            engine.check_node(node)
            return state_of(engine, node)

    @property
    def standing(self) -> Standing:
        """What the record says about the tree where the search stands; no kernel has to be loaded for that."""
        if not self.last:
            return BEFORE_ALL
        from sokoviz.search.mcts.views.series import standing_at

        with self._lock:
            return standing_at(self.engine, self._moment)

    @property
    def history(self) -> pd.DataFrame:
        """One row an iteration up to where the search stands: tree size, depth, root value, events."""
        from sokoviz.search.mcts.views.history import history_frame

        with self._lock:
            return history_frame(self.engine, self.steps)

    def draw(
        self, moment: Moment, view: View, must: Sequence[int] = (), marked: Mapping[int, int] | None = None
    ) -> Drawing:
        """Return the part of the tree to draw at a moment; in an expansion nodes are still there that it eliminates.

        Parameters
        ----------
        moment
            A moment of the record.
        view
            What the reader wants to see.
        must
            Nodes that are drawn in any case, with their ancestors.
        marked
            What to mark nodes with: bits of `sokoviz.search.mcts.views.drawing` by node.
        """
        from sokoviz.search.mcts.views.drawing import draw, put_back

        is_expansion = moment.phase == "expansion"
        with self.at(moment) as engine, put_back(engine, moment.step + 1) if is_expansion else nullcontext():
            return draw(engine, view, must, marked or {}, self._facts())

    def _facts(self) -> NodeFacts:
        """What never changes about nodes."""
        from sokoviz.search.mcts.views.drawing import NodeFacts

        if self._known is None:
            self._known = NodeFacts()
        return self._known

    def ticks(self) -> dict[str, Integers]:
        """Return for each kind of event the iterations marked with it, thinned out where they lie too close."""
        with self._lock:
            return self._take_in().ticks

    def course(self, most: int) -> Series:
        """Return tree size, depth, root value and visits of the root's children, at some hundred iterations.

        Parameters
        ----------
        most
            How many children of the root at most, those visited most.
        """
        from sokoviz.search.mcts.views.series import course_of

        with self.at(Moment(self.last)) as engine:
            facts = self._facts()
            return course_of(
                self._take_in(), engine.steps, most, lambda nodes: [name for name, _ in facts.look_up(engine, nodes)]
            )

    def _take_in(self) -> Summary:
        """What is kept of the record, up to date."""
        from sokoviz.search.mcts.views.series import begin, go_on

        self._outline = go_on(self._outline or begin(self.game.events), self.engine.steps)
        return self._outline

    def _result(self, stopped_by: str, *, is_brief: bool) -> Result:
        """What the search has come to."""
        from sokoviz.search.mcts.final_moves import expected_line, final_move
        from sokoviz.search.mcts.views.tree import Tree

        with self.at(self._moment) if self.settings.journal else self._lock:
            tree = Tree(self.game, self.engine.arena, is_copied=False)
            node = final_move(tree, self.settings.final_move)
            found = tree[node] if node is not None else None
            line = () if is_brief else expected_line(tree, node)
            n_nodes = len(tree)
        return Result(
            search=f"{self.name} on {self.game.name}",
            move=found.action if found else None,
            node=node,
            visits=found.visits if found else 0,
            value=found.value if found else None,
            line=line,
            iterations=self.steps,
            nodes=n_nodes,
            seconds=self.seconds,
            stopped_by=stopped_by,
            lower_bound=self.lower_bound,
            steps=self.steps,
        )

    # --- showing ---------------------------------------------------------------------------------------------------

    def explore(self, **options: Any) -> Explorer:
        """Show the search in a notebook: tree, board and numbers, step by step, forwards and backwards.

        Parameters
        ----------
        options
            Options of the `Explorer`.
        """
        from sokoviz.widgets.explorer.widget import Explorer

        _ = self.record  # raises where there is nothing to step through
        return Explorer(self, **options)

    def recorder(self) -> TreeRecorder:
        """Return what records the search for a page that works without a kernel."""
        from sokoviz.widgets.explorer.recording import TreeRecorder

        return TreeRecorder(self)
