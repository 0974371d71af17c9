"""The stepping interface of tree searches: step, run, go back and forth by iterations and phases, explain, watch.

What they share with iterative deepening, running and being watched, stands in running.py.
"""

from __future__ import annotations

from abc import abstractmethod
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from sokoviz.errors import SearchError
from sokoviz.search.limits import NO_NODE
from sokoviz.search.loading import Announcement, group_of, is_ours
from sokoviz.search.progress import saying
from sokoviz.search.running import Running
from sokoviz.search.watching import Moment, News

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from sokoviz.games.game import Game
    from sokoviz.search.mcts.engine import Engine
    from sokoviz.search.mcts.views.explanation import Iteration
    from sokoviz.search.options import Settings
    from sokoviz.search.result import Result
    from sokoviz.widgets.explorer.widget import Explorer

__all__ = ["Moment", "News", "Search"]

MOST_KEPT = 8  # explanations kept, so that stepping to and fro by phases explains each iteration once


class Search(Running):
    """A tree search with a journal, that can be stepped, run, watched, taken back and explained.

    Parameters
    ----------
    game
        What is searched.
    settings
        How it is searched.
    """

    def __init__(self, game: Game, settings: Settings) -> None:
        super().__init__(game)
        self.settings = settings
        self._explained: dict[int, Iteration] = {}

    @abstractmethod
    def phases_of(self, number: int) -> tuple[str, ...]:
        """Return the phases of an iteration that has been made."""

    @abstractmethod
    def _explain(self, engine: Engine, number: int) -> Iteration:
        """The explanation of an iteration; may move the engine."""

    @abstractmethod
    def _result(self, stopped_by: str, *, is_brief: bool = False) -> Result:
        """What the search has come to where it stands; without the line that it expects where that is not wanted."""

    def __repr__(self) -> str:
        return f"{self.name} on {self.game!r}: {self.settings.describe()}, iteration {self.iteration} of {self.last}"

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

    # --- moving ----------------------------------------------------------------------------------------------------

    def goto(self, iteration: int, phase: str = "") -> None:
        """Go to any moment of the record, forwards or backwards.

        Parameters
        ----------
        iteration
            Number of complete iterations, from 0 to `last`.
        phase
            A phase of the iteration after that; empty for the state between the two.
        """
        self._take_over()
        if not 0 <= iteration <= self.last:
            message = f"expected an iteration from 0 to {self.last}, where the record ends; found {iteration}"
            raise SearchError(message)
        if phase and (iteration == self.last or phase not in self.phases_of(iteration + 1)):
            known = (
                "none, the record ends there" if iteration == self.last else ", ".join(self.phases_of(iteration + 1))
            )
            message = f"expected a phase of iteration {iteration + 1} ({known}); found {phase!r}"
            raise SearchError(message)
        self._move(Moment(int(iteration), phase))

    def step(self) -> Iteration:
        """Make the next iteration, or finish the one that is shown, and return what happened."""
        self.step_iteration()
        return self.explain(self.iteration)

    def step_iteration(self, n: int = 1) -> None:
        """Go on by some iterations, as `step` does, without explaining them."""
        self._take_over()
        for _ in range(n):
            with self._lock:
                self._ensure_next()
            self._moment = Moment(self.iteration + 1)
        self._tell(News("moved"))

    def step_phase(self) -> None:
        """Go on by one phase; after the last one the iteration is complete."""
        self._take_over()
        with self._lock:
            self._ensure_next()
        done, phase = self._moment
        phases = self.phases_of(done + 1)
        index = phases.index(phase) + 1 if phase else 0
        self._move(Moment(done, phases[index]) if index < len(phases) else Moment(done + 1))

    def back(self) -> None:
        """Go back to the start of the iteration that is shown, or of the one before."""
        self._take_over()
        done, phase = self._moment
        self._move(Moment(done if phase else max(0, done - 1)))

    def back_phase(self) -> None:
        """Go back by one phase."""
        self._take_over()
        done, phase = self._moment
        if phase:
            phases = self.phases_of(done + 1)
            index = phases.index(phase)
            self._move(Moment(done, phases[index - 1] if index else ""))
        elif done:
            self._move(Moment(done - 1, self.phases_of(done)[-1]))

    def _take_over(self) -> None:
        """Somebody moves the search by hand: end a run in the background; raises where there is no journal to go by."""
        self.stop()
        if not self.settings.journal:
            self.engine.written()

    def _ensure_next(self) -> None:
        """Search on by one iteration where the record ends."""
        if self.iteration < self.last:
            return
        self._search_on(1, 0, NO_NODE)
        if self.iteration < self.last:
            return
        if self.engine.is_unsolvable:
            message = "expected something to go on with; found the level proven unsolvable, no push is left to try"
        else:
            message = f"expected room for another iteration; found the {self.settings.memory:,} bytes allowed are full"
        raise SearchError(message)

    def _move(self, moment: Moment) -> None:
        """Stand elsewhere, and tell the watchers."""
        self._moment = moment
        self._tell(News("moved"))

    # --- looking ---------------------------------------------------------------------------------------------------

    def explain(self, number: int | None = None) -> Iteration:
        """Return what happened in an iteration, with every number that decided it.

        Parameters
        ----------
        number
            Which iteration, from 1 to `last`; where left out, the one that is shown or was completed last.
        """
        if number is None:
            number = self.iteration + bool(self.phase)
        if not 1 <= number <= self.last:
            message = f"expected an iteration from 1 to {self.last}, where the record ends; found {number}"
            raise SearchError(message)
        with self._lock:
            if number not in self._explained:
                while len(self._explained) >= MOST_KEPT:
                    del self._explained[next(iter(self._explained))]
                with saying(self._announcement_of_explanations()):
                    self._explained[number] = self._explain(self.engine, int(number))
            return self._explained[number]

    @property
    def group(self) -> str:
        """Name of the group of kernels with which it searches."""
        return group_of(self.game, "with a record" if self.settings.journal else "without")

    def _announcement_of_explanations(self) -> Announcement:
        """What to tell people who wait for the kernels that explain."""
        what, group = f"explanations for {self.game.name}", group_of(self.game, "explained")
        is_compiled = self.engine.is_compiled(in_detail=True)
        return Announcement(what, is_compiled=is_compiled, group=group, is_kept=is_ours(self.game))

    @property
    def result(self) -> Result:
        """What the search has come to where it stands."""
        return self._result(self._stopped_by)

    @property
    def brief_result(self) -> Result:
        """The same without the line that the search expects, which takes a while to find in a large tree."""
        return self._result(self._stopped_by, is_brief=True)

    # --- showing and keeping ---------------------------------------------------------------------------------------

    def explore(self, **options: Any) -> Explorer:
        """Show the search in a notebook: tree, board and numbers, step by step, forwards and backwards.

        Parameters
        ----------
        options
            Options of the `Explorer`.
        """
        from sokoviz.widgets.explorer.widget import Explorer

        if not self.settings.journal:
            self.engine.written()  # raises: there is nothing to step through
        return Explorer(self, **options)  # type: ignore[arg-type]  # all searches of this kind are `MCTS`

    def save(self, path: str | Path) -> None:
        """Write the search with its whole record to a file; `load` reads it."""
        from sokoviz.search.mcts.file import save

        save(self, path)
