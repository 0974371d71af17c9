"""IDA* as people hold it: Rolling Stone's search, every part of it by name."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sokoviz.actions import BoxMove
from sokoviz.errors import SearchError
from sokoviz.games.sokoban import Sokoban
from sokoviz.search.ida import arrays as machines
from sokoviz.search.ida.explaining import BECAME, IDAStep, explain, play_moves
from sokoviz.search.ida.options import PRESETS, Options
from sokoviz.search.limits import Limits, Until, make_limits
from sokoviz.search.mcts.schokoban import Solution
from sokoviz.search.options import EVENTS as EVENT_FLAGS
from sokoviz.search.options import choose, take_level
from sokoviz.search.progress import ProgressLine
from sokoviz.search.result import ENDINGS, SolverResult, solved_in
from sokoviz.search.running import Running
from sokoviz.search.watching import Moment, News
from sokoviz.squares import Square
from sokoviz.words import count

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    import pandas as pd

    from sokoviz.board import Board
    from sokoviz.levels import Level
    from sokoviz.search.ida.drawing import Stretch
    from sokoviz.search.ida.engine import DeepeningEngine
    from sokoviz.search.ida.fates import Fates
    from sokoviz.search.progress import Progress
    from sokoviz.widgets.ida.widget import DeepeningExplorer

DEFAULT_SECONDS = 60.0
EVENTS = ("threshold", "bound", "transposition", "deadlock", "goal cut", "relevance", "pattern", "resumed", "solution")


@dataclass(frozen=True)
class DeepeningResult(SolverResult):
    """What iterative deepening has come to; its iterations are thresholds."""

    threshold: int = 0

    def __repr__(self) -> str:
        if self.solution:
            found = solved_in(self.solution, is_optimal=self.is_optimal)
        else:
            found = "proven unsolvable" if self.is_unsolvable else "not solved"
        thresholds = f"{count(self.iterations, 'threshold')}, the last {self.threshold}"
        made = f"after {thresholds}, {count(self.nodes, 'node')}, {self.seconds:.2f} s"
        return f"{self.search}: {found} {made}{ENDINGS.get(self.stopped_by, '')}"


class IDA(Running):
    """Iterative-deepening A* over pushes (Junghanns and Schaeffer, section 2.3), to be stepped, run and explained.

    A *step* expands one position; `iteration` counts steps where the other searches count iterations, so that all
    explorers work alike. Thresholds are the iterations of the text: results and budgets count those.

    Parameters
    ----------
    level
        The level, or its text.
    preset
        A bundle of options: ``"optimal"`` (only parts that keep solutions shortest), ``"classic"`` (bound, table, order
        and simple deadlocks), ``"crippa"`` (that with tunnel macros, goal macros and goal cuts) or ``"best"``.
    options
        Parts by name, see `sokoviz.search.ida.options.Options`; one given beside a preset wins.

    Examples
    --------
    >>> search = IDA(load("lessons#14"), preset="optimal")
    >>> search.run(seconds=10)
    """

    name = "IDA*"

    def __init__(self, level: Level | str, *, preset: str = "best", **options: Any) -> None:
        self.level = take_level(level)
        choose("preset", preset, PRESETS)
        for name in options:
            choose("option", name, Options.__dataclass_fields__)
        self.preset = preset
        self.options = Options(**{**PRESETS[preset], **options})
        super().__init__(Sokoban(self.level, "push"))
        self._solved: Solution | None = None
        self._outline: Fates | None = None

    def __repr__(self) -> str:
        settings = self.options.describe(self.preset)
        return f"{self.name} on {self.level!r}: {settings}, step {self.iteration} of {self.last}"

    def _make_engine(self) -> DeepeningEngine:  # type: ignore[override]  # a record of its own kind
        """The arrays of the search."""
        from sokoviz.search.ida.engine import DeepeningEngine

        return DeepeningEngine(self.level, self.options)

    # --- running -----------------------------------------------------------------------------------------------------

    def run(  # noqa: PLR0913  limits by name
        self,
        iterations: int | None = None,
        seconds: float | None = None,
        until: Until | None = None,
        *,
        nodes: int | None = None,
        steps: int | None = None,
        progress: bool | Callable[[Progress], object] | None = None,
    ) -> DeepeningResult:
        """Run from where the search stands; what is in the record already is not searched again.

        It may be interrupted at any time: nothing is lost, and another run goes on.

        Parameters
        ----------
        iterations
            Thresholds to search at most, in all runs.
        seconds
            How long to run at most; a minute where no limit is given.
        until
            Stop early: at the next step with a kind of event (``"threshold"``, ``"bound"``, ``"transposition"``,
            ``"deadlock"``, ``"goal cut"``, ``"relevance"``, ``"pattern"``, ``"resumed"``, ``"solution"``), when a node
            is expanded (its number), or when a function of an `Expansion` is true of one.
        nodes
            Positions to expand at most, in all runs, those of inner searches included.
        steps
            Steps to make at most.
        progress
            Whether to show how far it is; by default where a person looks on. A function is called with `Progress`.
        """
        goal = self._goal(iterations, seconds, until, nodes, steps)
        self.stop()
        self.engine.allow(nodes, iterations)
        self._run_here(goal, ProgressLine(progress))
        return self.result

    def _goal(
        self, iterations: int | None, seconds: float | None, until: Until | None, nodes: int | None, steps: int | None
    ) -> Limits:
        """How far to run, after all limits are found to make sense."""
        make_limits(iterations, None, None)
        if seconds is None and iterations is None and nodes is None and steps is None:
            seconds = DEFAULT_SECONDS
        if steps is None and seconds is None:
            seconds = float("inf")  # the engine itself ends at the other limits
        return make_limits(steps, seconds, until, EVENTS, nodes)

    def start(
        self,
        iterations: int | None = None,
        seconds: float | None = None,
        until: Until | None = None,
        *,
        steps: int | None = None,
    ) -> None:
        """Run as `run` does, but in the background; `stop` ends it.

        Parameters
        ----------
        iterations, seconds, until, steps
            As for `run`.
        """
        goal = self._goal(iterations, seconds, until, None, steps)
        self.stop()
        self.engine.allow(None, iterations)
        self._start_working(goal)

    def _go_on(self, goal: Limits, n: int) -> str:
        """Go on by n steps; the engine makes a few more than those up to an event, which are kept for later."""
        done, is_new = self.iteration, self.iteration == self.last
        reason = super()._go_on(goal, n)
        if reason == "until" and is_new and goal.predicate is None:
            met = (
                self.engine.first_marked(goal.flags, done, self.last)
                if goal.flags
                else self.engine.first_visit(goal.node, done, self.last)
            )
            self._moment = Moment(met or self.last)
        return reason

    @property
    def group(self) -> str:
        """Name of the group of kernels with which it searches."""
        return "IDA*, with a record" if self.options.journal else "IDA*, without"

    @property
    def engine(self) -> DeepeningEngine:  # type: ignore[override]
        """The arrays, made when first needed: that loads the compiled kernels."""
        return super().engine  # type: ignore[return-value]

    # --- moving ------------------------------------------------------------------------------------------------------

    def goto(self, step: int) -> None:
        """Go to any moment of the record, forwards or backwards: the state after so many steps."""
        self._take_over()
        if not 0 <= step <= self.last:
            message = f"expected a step from 0 to {self.last}, where the record ends; found {step}"
            raise SearchError(message)
        self._move(Moment(int(step)))

    def step(self) -> IDAStep:
        """Make the next step and return what happened."""
        self.step_iteration()
        return self.explain(self.iteration)

    def step_iteration(self, n: int = 1) -> None:
        """Go on by some steps, as `step` does, without explaining them."""
        self._take_over()
        for _ in range(n):
            with self._lock:
                if self.iteration == self.last:
                    self.engine.allow(None, None)
                    reason = self._search_on(1, 0, -1)
                    if self.iteration == self.last:
                        message = f"expected something to go on with, found that the search has ended: {reason}"
                        raise SearchError(message)
            self._moment = Moment(self.iteration + 1)
        self._tell(News("moved"))

    def back(self) -> None:
        """Go back by one step."""
        self._take_over()
        self._move(Moment(max(0, self.iteration - 1)))

    def _take_over(self) -> None:
        """Somebody moves the search by hand: end a run in the background; raises where there is no record."""
        self.stop()
        if not self.options.journal:
            self.engine.written()

    def _move(self, moment: Moment) -> None:
        """Stand elsewhere, and tell the watchers."""
        self._moment = moment
        self._tell(News("moved"))

    # --- keeping -----------------------------------------------------------------------------------------------------

    def save(self, path: str | Path) -> None:
        """Write to a file what the search was made with and how far it came; `load` makes it again.

        A run in the background goes on meanwhile.
        """
        from sokoviz.search.ida.file import save

        with self._lock:
            save(self, path)

    @classmethod
    def load(cls, path: str | Path) -> IDA:
        """Return a search from a file that `save` has written; it is made again, step by step.

        Raises
        ------
        SearchFileError
            If the file tells of no search, is damaged, or tells of a search that cannot be made again.
        """
        from sokoviz.search.ida.file import load

        return load(path)

    def restore(self, step: int, seconds: float, stopped_by: str) -> None:
        """Stand where a search from a file stood; one without a record stands at its end."""
        if self.options.journal:
            self.goto(step)
        self.seconds, self._stopped_by = seconds, stopped_by

    # --- looking -----------------------------------------------------------------------------------------------------

    def explain(self, number: int | None = None) -> IDAStep:  # type: ignore[override]
        """Return what happened in a step, from 1 to `last`; the one made last where left out."""
        number = self.iteration if number is None else number
        if not 1 <= number <= self.last:
            message = f"expected a step from 1 to {self.last}, where the record ends; found {number}"
            raise SearchError(message)
        with self._lock:
            return explain(self.engine, int(number))

    @property
    def board(self) -> Board:
        """The position that was expanded last, where the search stands."""
        return play_moves(self.level, self.explain().line if self.iteration else ())

    @property
    def thresholds(self) -> pd.DataFrame:
        """A table of the thresholds so far: positions expanded, and what became of successors."""
        import pandas as pd

        counts = self.engine.counts
        columns = {"threshold": counts[:, machines.LIMIT_COLUMN], "expanded": counts[:, machines.N_EXPANDED]}
        columns |= {name: counts[:, kind] for kind, name in BECAME.items()}
        columns |= {"searched inside": counts[:, machines.N_SEARCHED_INSIDE]}
        return pd.DataFrame(columns, index=pd.RangeIndex(1, len(counts) + 1, name="iteration"))

    @property
    def solution(self) -> Solution | None:
        """The solution, replayed by the rules; None while there is none."""
        if self._made is None or not self.engine.is_solved:
            return None
        if self._solved is None:
            width = self.engine.tables.width
            moves = []
            for move in self.engine.line():
                source, target, player = (Square(*divmod(number, width)) for number in move[:3])
                moves.append(BoxMove(source, target, player, move.cost))
            board = play_moves(self.level, moves)
            if not board.is_solved:
                message = f"expected moves that solve {self.level!r}, found that {len(moves)} of them do not"
                raise SearchError(message)
            self._solved = Solution(board.moves, board.n_pushes, board.n_moves)
        return self._solved

    @property
    def result(self) -> DeepeningResult:
        """What the search has come to."""
        engine = self.engine
        return DeepeningResult(
            search=f"{self.name} on {self.level!r}",
            move=None,
            node=None,
            visits=0,
            value=None,
            line=(),
            iterations=engine.n_thresholds,
            nodes=engine.n_nodes,
            seconds=self.seconds,
            stopped_by=self._stopped_by,
            solution=self.solution,
            is_unsolvable=engine.is_unsolvable,
            threshold=engine.threshold,
            lower_bound=engine.lower_bound,
        )

    @property
    def lower_bound(self) -> float:
        """Pushes that every solution is proven to take at least; infinite where there is proven to be none."""
        return self.engine.lower_bound

    # --- showing -----------------------------------------------------------------------------------------------------

    @property
    def outline(self) -> Fates:
        """What became of all nodes of the record, up to date."""
        from sokoviz.search.ida.fates import Fates

        with self._lock:
            self._outline = self._outline or Fates()
            self._outline.take_in(self.engine)
            return self._outline

    def stretch(self, step: int | None = None) -> Stretch | None:
        """Return the tree of the threshold of a step, the one made last where left out; None before the first."""
        from sokoviz.search.ida.drawing import Stretch

        step = self.iteration if step is None else step
        with self._lock:
            return Stretch(self.engine, self.outline, step) if step else None

    def previous_event(self, event: str, before: int) -> int | None:
        """Return the last step before one that is marked with a kind of event, None where there is none."""
        bit = EVENT_FLAGS[choose("kind of event", event, EVENTS)][0]
        return self.outline.previous(bit, before)

    def load_kernels(self) -> None:
        """Load or compile all that a step needs, without a word."""
        with self._lock:
            if self._made is None:
                made = self._make_engine()
                made.load()
                self._made = made  # type: ignore[assignment]  # a record of its own kind

    @property
    def is_loaded(self) -> bool:
        """Whether the search can be used without waiting."""
        return self._made is not None

    def explore(self, **options: Any) -> DeepeningExplorer:
        """Show the search in a notebook: the line on the board, the tree of each threshold, and what cut its branches.

        Parameters
        ----------
        options
            Options of the `DeepeningExplorer`.
        """
        from sokoviz.widgets.ida.widget import DeepeningExplorer

        if not self.options.journal:
            self.engine.written()  # raises: there is nothing to step through
        return DeepeningExplorer(self, **options)
