"""What a learner tells of itself: limits of a run, how far it is, its stages, and what it has come to."""

from __future__ import annotations

from dataclasses import dataclass
from math import nan
from statistics import mean
from typing import TYPE_CHECKING, NamedTuple

from sokoviz.search.limits import make_limits
from sokoviz.search.options import choose
from sokoviz.search.result import solved_in
from sokoviz.words import count

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sokoviz.learn.episodes import Episode
    from sokoviz.learn.schedule import Stage, Standing
    from sokoviz.search.limits import Clock
    from sokoviz.search.mcts.schokoban import Solution

UNTIL = ("episode", "stage", "restart")
DEFAULT_SECONDS = 60.0
ENDINGS = {"interrupted": "; interrupted", "seconds": "; time is up", "cpu-seconds": "; CPU time is up"}


class Limits(NamedTuple):
    """How far a run shall go; the first limit reached ends it."""

    iterations: int | None
    seconds: float | None
    until: str | None
    nodes: int | None
    cpu_seconds: float | None = None
    is_interrupted: Callable[[], bool] = lambda: False

    @classmethod
    def of(
        cls,
        iterations: int | None,
        seconds: float | None,
        until: str | None,
        nodes: int | None,
        cpu_seconds: float | None = None,
    ) -> Limits:
        """Return limits as a user gave them; a minute where there is none.

        Raises
        ------
        SearchError
            If one of them makes no sense.
        """
        if until is not None:
            choose("place to run to", until, UNTIL)
        given = {"iterations": iterations, "nodes": nodes, "seconds": seconds, "cpu_seconds": cpu_seconds}
        goal = make_limits(given, default={} if until else {"seconds": DEFAULT_SECONDS})
        return cls(goal.iterations, goal.seconds, until, goal.nodes, goal.cpu_seconds)

    def reason(self, clock: Clock, episodes: int, nodes: Callable[[], int]) -> str:
        """Return which limit a run has come to after so many episodes and positions; empty where it is none."""
        if self.iterations is not None and episodes >= self.iterations:
            return "iterations"
        if self.nodes is not None and nodes() >= self.nodes:
            return "nodes"
        if self.seconds is not None and clock.seconds >= self.seconds:
            return "seconds"
        if self.cpu_seconds is not None and clock.cpu_seconds >= self.cpu_seconds:
            return "cpu-seconds"
        return ""


class CurryProgress(NamedTuple):
    """How far a run has come."""

    restart: int
    stage: int
    n_boxes: int
    solved: int
    """boards of the stage"""
    asked: int
    episodes: int
    seconds: float
    limits: Limits
    cpu_seconds: float = 0.0

    @property
    def share(self) -> float | None:
        """Part of the time that is gone, from 0 to 1; None where there is no limit."""
        limits = self.limits
        pairs = ((self.seconds, limits.seconds), (self.cpu_seconds, limits.cpu_seconds))
        return max((min(1.0, gone / limit) for gone, limit in pairs if limit), default=None)

    def __str__(self) -> str:
        again = f"pass {self.restart + 1}, " if self.restart else ""
        stage = f"{again}{self.stage} of {count(self.n_boxes, 'box', 'boxes')}: {self.solved} of {self.asked} solved"
        return f"{stage}, {count(self.episodes, 'episode')}, {self.seconds:.1f} s"


@dataclass(frozen=True)
class CurryResult:
    """What a learner has come to."""

    search: str
    """the learner and its level in words"""
    iterations: int
    """episodes found so far"""
    nodes: int
    """positions evaluated so far"""
    seconds: float
    stopped_by: str
    """solved, unsolvable, iterations, seconds, cpu_seconds, nodes, until or interrupted; stuck where the stage at hand
    is proven never to end; empty where nothing has been run"""
    solution: Solution | None
    is_unsolvable: bool
    stage: int
    """boxes of the stage at hand"""
    n_boxes: int
    standing: Standing | None = None
    """how the stage at hand stands, where nothing ends it but enough solved boards; else None"""
    lower_bound: float = 0
    """pushes that every solution is proven to take at least; infinite where there is proven to be none"""

    @property
    def is_optimal(self) -> bool:
        """Whether no solution takes fewer pushes: it takes no more than is proven to be needed."""
        return self.solution is not None and self.solution.pushes == self.lower_bound

    @property
    def lurd(self) -> str | None:
        """The solution as a move string, None where there is none."""
        return self.solution.lurd if self.solution else None

    def __repr__(self) -> str:
        if self.solution:
            found = solved_in(self.solution, is_optimal=self.is_optimal)
        elif self.is_unsolvable:
            found = "proven unsolvable"
        else:
            found = f"not solved yet, at {self.stage} of {count(self.n_boxes, 'box', 'boxes')}"
            found += f" ({self.standing})" if self.standing else ""
        made = f"after {count(self.iterations, 'episode')}, {count(self.nodes, 'position')}, {self.seconds:.2f} s"
        return f"{self.search}: {found} {made}{ENDINGS.get(self.stopped_by, '')}"


class StageSummary(NamedTuple):
    """A stage of the curriculum."""

    restart: int
    boxes: int
    boards: int
    asked: int
    """boards that must be solved before the next stage"""
    solved: int
    hopeless: int
    """boards on which no way was left to try"""
    visits: int
    trajectories: int
    nodes: int
    seconds: float
    first: int
    """episodes that were known when it began"""
    last: int
    """episodes that were known when it ended"""
    found_length: float
    """mean number of moves of its episodes as they were found; NaN without any"""
    length: float
    """the same without detours"""
    buffer: dict[int, int]
    """episodes in the buffer at its end, by number of boxes"""

    @property
    def rate(self) -> float:
        """Part of its boards that is solved."""
        return self.solved / self.boards if self.boards else 0.0

    def __repr__(self) -> str:
        boards = f"{self.solved} of {count(self.boards, 'board')} solved"
        spent = f"{count(self.visits, 'visit')}, {self.seconds:.2f} s"
        return f"Stage of {count(self.boxes, 'box', 'boxes')}: {boards}, {spent}"


def summarize(
    stages: Sequence[Stage], episodes: Sequence[Episode], composition: Callable[[int, int], dict[int, int]]
) -> tuple[StageSummary, ...]:
    """Return what is known of each stage.

    Parameters
    ----------
    stages
        The stages in their order.
    episodes
        All episodes.
    composition
        Gives the buffer of a pass after so many episodes, by number of boxes.
    """
    summaries, first = [], 0
    for stage in stages:
        own = [e for e in episodes[first:] if (e.restart, e.stage) == (stage.restart, stage.n_boxes)]
        last = first + len(own)
        summaries.append(
            StageSummary(
                restart=stage.restart,
                boxes=stage.n_boxes,
                boards=len(stage.subcases),
                asked=stage.asked,
                solved=stage.solved,
                hopeless=stage.hopeless,
                visits=sum(stage.visits),
                trajectories=stage.trajectories,
                nodes=stage.n_evaluated,
                seconds=stage.seconds,
                first=first,
                last=last,
                found_length=mean(len(e.found) for e in own) if own else nan,
                length=mean(len(e.moves) for e in own) if own else nan,
                buffer=composition(stage.restart, last),
            )
        )
        first = last
    return tuple(summaries)
