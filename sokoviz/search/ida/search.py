"""IDA* as people hold it: Rolling Stone's search, every part of it by name."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from math import inf
from typing import TYPE_CHECKING, Any, ClassVar

from sokoviz.actions import BoxMove
from sokoviz.errors import SearchError
from sokoviz.games.sokoban import Sokoban
from sokoviz.search.branches.reader import BECAME
from sokoviz.search.ida import arrays as machines
from sokoviz.search.ida.explaining import IDAStep, explain, play_moves
from sokoviz.search.ida.options import PRESETS, Options
from sokoviz.search.mcts.schokoban import Solution
from sokoviz.search.options import choose, take_level
from sokoviz.search.result import ENDINGS, SolverResult, solved_in
from sokoviz.search.search import Search
from sokoviz.squares import Square
from sokoviz.words import count

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    import pandas as pd

    from sokoviz.board import Board
    from sokoviz.levels import Level
    from sokoviz.search.branches.record import BranchRecord
    from sokoviz.search.ida.drawing import Stretch
    from sokoviz.search.ida.engine import DeepeningEngine
    from sokoviz.search.ida.fates import Fates
    from sokoviz.widgets.ida.recording import DeepeningRecorder
    from sokoviz.widgets.ida.widget import DeepeningExplorer

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


class IDA(Search["DeepeningEngine", IDAStep, DeepeningResult]):
    """Iterative-deepening A* over pushes (Junghanns and Schaeffer, section 2.3), to be stepped, run and explained.

    A *step* expands one position; the iterations of the text are thresholds: results and limits count those.

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
    units = ("step", "threshold")
    default_limits: ClassVar[Mapping[str, float]] = {"seconds": 60.0}

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
        return f"{self.name} on {self.level!r}: {settings}, step {self.steps} of {self.last}"

    def _make_engine(self) -> DeepeningEngine:
        """The arrays of the search."""
        from sokoviz.search.ida.engine import DeepeningEngine

        return DeepeningEngine(self.level, self.options)

    @property
    def record(self) -> BranchRecord:
        """What was written down of the steps; raises where nothing is."""
        return self.engine.written()

    @property
    def keeps_record(self) -> bool:
        """Whether steps are written down, so that one can go back to them and explain them."""
        return self.options.journal

    @property
    def memory(self) -> int:
        """Bytes that the record may take."""
        return self.options.record_memory

    @property
    def group(self) -> str:
        """Name of the group of kernels with which it searches."""
        return "IDA*, with a record" if self.options.journal else "IDA*, without"

    @property
    def events(self) -> tuple[str, ...]:
        """The kinds of events that its steps may be marked with."""
        return EVENTS

    # --- keeping -----------------------------------------------------------------------------------------------------

    def recipe(self) -> dict[str, Any]:
        """Return the options that the search was made with."""
        return {"preset": self.preset, **asdict(self.options)}

    def deeds(self) -> Iterator[bytes]:
        """Yield what became of all successors: threshold by threshold, and one by one where that is recorded."""
        yield self.engine.counts.tobytes()
        if self.engine.record is not None:
            yield self.engine.record.steps.tobytes()
            yield self.engine.record.events.tobytes()

    # --- looking -----------------------------------------------------------------------------------------------------

    def _explain(self, engine: DeepeningEngine, number: int) -> IDAStep:
        """What happened in a step."""
        return explain(engine, number)

    @property
    def board(self) -> Board:
        """The position that was expanded last, where the search stands."""
        return play_moves(self.level, self.explain().line if self.steps else ())

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

    def _result(self, stopped_by: str, *, is_brief: bool) -> DeepeningResult:  # noqa: ARG002  nothing takes a while
        """What the search has come to where it stands."""
        with self._lock:
            engine, is_at_end = self.engine, self.steps == self.last
            then = engine.standing_after(self.steps)
        return DeepeningResult(
            search=f"{self.name} on {self.level!r}",
            move=None,
            node=None,
            visits=0,
            value=None,
            line=(),
            iterations=then.n_thresholds,
            nodes=then.nodes,
            seconds=self.seconds,
            stopped_by=stopped_by,
            solution=self.solution if is_at_end else None,  # a solution ends the search
            is_unsolvable=then.lower_bound == inf,
            threshold=then.threshold,
            lower_bound=then.lower_bound,
            steps=self.steps,
        )

    @property
    def lower_bound(self) -> float:
        """Pushes that every solution is proven to take at least; infinite where there is proven to be none."""
        with self._lock:
            return self.engine.standing_after(self.steps).lower_bound

    # --- showing -----------------------------------------------------------------------------------------------------

    @property
    def outline(self) -> Fates:
        """What became of all nodes of the record, up to date."""
        from sokoviz.search.ida.fates import Fates

        with self._lock:
            self._outline = self._outline or Fates()
            self._outline.take_in(self.engine.written())
            return self._outline

    def stretch(self, step: int | None = None) -> Stretch | None:
        """Return the tree of the threshold of a step, the one made last where left out; None before the first."""
        from sokoviz.search.ida.drawing import Stretch

        step = self.steps if step is None else step
        with self._lock:
            return Stretch(self.engine, self.outline, step) if step else None

    def explore(self, **options: Any) -> DeepeningExplorer:
        """Show the search in a notebook: the line on the board, the tree of each threshold, and what cut its branches.

        Parameters
        ----------
        options
            Options of the `DeepeningExplorer`.
        """
        from sokoviz.widgets.ida.widget import DeepeningExplorer

        _ = self.record  # raises where there is nothing to step through
        return DeepeningExplorer(self, **options)

    def recorder(self) -> DeepeningRecorder:
        """Return what records the search for a page that works without a kernel."""
        from sokoviz.widgets.ida.recording import DeepeningRecorder

        return DeepeningRecorder(self)
