"""Makes the visits of a batch, here or on any executor of `concurrent.futures`."""

from __future__ import annotations

from concurrent.futures import FIRST_COMPLETED, wait
from functools import lru_cache
from typing import TYPE_CHECKING

from sokoviz.learn.performing import Workshop

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from concurrent.futures import Executor

    from sokoviz.learn.options import Options
    from sokoviz.learn.schedule import Moves, Outcome, Task
    from sokoviz.learn.subcases import Subcase

    Lessons = list[tuple[int, Subcase, Moves]]

SECONDS_BETWEEN = 0.1


def perform_all(
    workshop: Workshop,
    tasks: list[Task],
    is_over: Callable[[], bool],
    executor: Executor | None,
    lessons: Callable[[], Lessons],
) -> Iterator[Outcome | None]:
    """Yield what becomes of visits that all learn from the same buffer, in their order; None ends it early.

    Parameters
    ----------
    workshop
        Where to make them if there is no executor.
    tasks
        The visits.
    is_over
        Asked again and again whether to end.
    executor
        Where to make them.
    lessons
        Gives the buffer as it is sent to another process.
    """
    if executor is None:
        for task in tasks:
            yield workshop.perform(task, is_over)
        return
    known = lessons()
    rows = (workshop.rows, workshop.player, workshop.n_boxes, workshop.options)
    futures = [executor.submit(perform_elsewhere, *rows, known, task) for task in tasks]
    try:
        for future in futures:
            while not future.done():
                if is_over():
                    yield None
                    return
                wait([future], timeout=SECONDS_BETWEEN, return_when=FIRST_COMPLETED)
            yield future.result()
    finally:
        for future in futures:
            future.cancel()


@lru_cache(maxsize=1)
def _workshop(rows: tuple[str, ...], player: int, n_boxes: int, options: Options) -> Workshop:
    """The arrays of a level in this process."""
    return Workshop(rows, player, n_boxes, options)


def perform_elsewhere(  # noqa: PLR0913, PLR0917  all that decides a visit
    rows: tuple[str, ...], player: int, n_boxes: int, options: Options, lessons: Lessons, task: Task
) -> Outcome | None:
    """Make a visit in whatever process this is called in.

    Parameters
    ----------
    rows, player, n_boxes, options
        The level and how to learn.
    lessons
        The episodes to learn from: slot, subcase and moves of each.
    task
        The visit.
    """
    workshop = _workshop(rows, player, n_boxes, options)
    workshop.forget_episodes()
    for slot, subcase, moves in lessons:
        workshop.write_episode(slot, subcase, moves)
    return workshop.perform(task)
