"""Speed of the core: positions and pushes against the naive twin and sokoenginepy, matching against scipy.

The work is perft, as chess programs call it: every line of pushes up to a depth, on random rooms of 3 to 20 boxes. At
each position the player's component is found and all pushes are generated; each push is made and undone.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from sokoviz.core.board.grid import tables_of, to_bits
from sokoviz.core.board.pushes import count_lines
from sokoviz.core.bounds.matching import manhattan_costs, match_boxes
from sokoviz.experiments.bench.measuring import PREFIX_SECONDS, Figure, find_module, rate

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

SIZES = (3, 5, 8, 12, 16, 20)
DEEPEST = 5
ENOUGH_LINES = 5_000
SOKOENGINE_GOAL = 200.0
WALL_SHARE = 0.15
N_MATCHINGS = 100

Square = tuple[int, int]


class RandomRoom(NamedTuple):
    """A random room: level text, and its parts."""

    text: str
    floor: set[Square]
    boxes: set[Square]
    player: Square


def lively_room(n_boxes: int) -> RandomRoom:
    """The first random room in which there is enough to count; the same for everybody."""
    attempts = (random_room(n_boxes, Random(1000 * n_boxes + attempt)) for attempt in range(1000))  # noqa: S311
    return next(room for room in attempts if len(_line_counts(room)) <= DEEPEST)


def random_room(n_boxes: int, random: Random) -> RandomRoom:
    """A room with random pillars and boxes; it grows with their number."""
    height, width = 6 + n_boxes // 3, 8 + n_boxes // 2
    inner = [(r, c) for r in range(1, height - 1) for c in range(1, width - 1)]
    floor = _largest_part({square for square in inner if random.random() >= WALL_SHARE})
    *boxes, player = random.sample(sorted(floor), n_boxes + 1)
    goals = random.sample(sorted(floor - {player}), n_boxes)
    cells = [["#"] * width for _ in range(height)]
    for r, c in floor:
        cells[r][c] = " .$*"[((r, c) in goals) + 2 * ((r, c) in boxes)]
    cells[player[0]][player[1]] = "@"
    return RandomRoom("\n".join(map("".join, cells)), floor, set(boxes), player)


def _largest_part(squares: set[Square]) -> set[Square]:
    """The largest connected part of some squares."""
    parts: list[set[Square]] = []
    left = set(squares)
    while left:
        part, frontier = set(), [left.pop()]
        while frontier:
            r, c = frontier.pop()
            part.add((r, c))
            near = {(r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1)} & left
            left -= near
            frontier.extend(near)
        parts.append(part)
    return max(parts, key=len)


def rows() -> Iterator[Figure]:
    """All measurements."""
    for n_boxes in SIZES:
        yield from _perft_rows(lively_room(n_boxes), n_boxes)
    for n_boxes in SIZES:
        yield _matching_row(n_boxes)


def _perft_rows(room: RandomRoom, n_boxes: int) -> Iterator[Figure]:
    """Positions and pushes of one room against both references."""
    counts = _our_counts(room)
    references = (("naive twin", _naive_counts(room), None), ("sokoenginepy", _engine_counts(room), SOKOENGINE_GOAL))
    for index, unit in enumerate(("positions/s", "pushes/s")):
        ours = rate(lambda: counts()[index])  # noqa: B023 - called at once
        for name, reference, goal in references:
            theirs = reference and rate(lambda: reference(2)[index], PREFIX_SECONDS)  # noqa: B023 - called at once
            yield Figure("core", f"{unit.split('/')[0]}, {n_boxes} boxes", unit, ours, name, theirs, goal)


def _sums(lines: list[int]) -> tuple[int, int]:
    """Positions looked at and pushes generated, from the numbers of lines of 1, 2, ... pushes."""
    return 1 + sum(lines[:-1]), sum(lines)


def _line_counts(room: RandomRoom) -> list[int]:
    """Numbers of lines of 1, 2, ... pushes until there are enough of them; one more than DEEPEST if there never are."""
    count = _our_counter(room)
    lines = [count(1)]
    while 0 < lines[-1] < ENOUGH_LINES and len(lines) <= DEEPEST:
        lines.append(count(len(lines) + 1))
    return lines if lines[-1] >= ENOUGH_LINES else [0] * (DEEPEST + 1)


def _our_counter(room: RandomRoom) -> Callable[[int], int]:
    """A function that counts the lines of so many pushes with our kernels."""
    tables = tables_of(tuple(room.text.split("\n")))
    width, n_squares = tables.width, tables.width * tables.height
    boxes = to_bits([r * width + c for r, c in room.boxes], n_squares)
    free, reached = np.empty_like(boxes), np.empty_like(boxes)
    pushes = np.empty((DEEPEST + 1, 4 * len(room.boxes)), dtype=np.int64)
    player = room.player[0] * width + room.player[1]
    return lambda depth: int(count_lines(tables, boxes, player, depth, free, reached, pushes))


def _our_counts(room: RandomRoom) -> Callable[[], tuple[int, int]]:
    """A function that walks all lines of pushes and returns how many positions and pushes that were."""
    lines, count = _line_counts(room), _our_counter(room)

    def walk() -> tuple[int, int]:
        count(len(lines))
        return _sums(lines)

    return walk


def _naive_counts(room: RandomRoom) -> Callable[[int], tuple[int, int]] | None:
    """The same with the slow twin of the tests."""
    naive = find_module("tests.twins.naive")
    if naive is None:
        return None
    first = len(naive.pushes(room.floor, room.boxes, room.player))

    def count(depth: int) -> tuple[int, int]:
        return _sums([first, naive.count_lines(room.floor, room.boxes, room.player, depth)])

    return count


def _engine_counts(room: RandomRoom) -> Callable[[int], tuple[int, int]] | None:
    """The same with sokoenginepy's board, which has no push generator: built from its own parts."""
    game, files = find_module("sokoenginepy.game"), find_module("sokoenginepy.io")
    if game is None or files is None:
        return None
    board = game.BoardGraph(files.SokobanPuzzle(board=room.text))
    manager = game.HashedBoardManager(board)
    directions = [game.Direction.UP, game.Direction.DOWN, game.Direction.LEFT, game.Direction.RIGHT]

    def count(depth: int) -> tuple[int, int]:
        lines = [0] * depth
        _engine_lines(manager, directions, depth, lines)
        return _sums(lines[::-1])

    return count


def _engine_lines(manager: Any, directions: list[Any], depth: int, lines: list[int]) -> None:  # noqa: ANN401 - untyped
    """Count lines of pushes with sokoenginepy; lines[k] collects those found k levels above the last."""
    board = manager.board
    pusher = next(iter(manager.pushers_positions.values()))
    boxes = set(manager.boxes_positions.values())
    reached = set(board.positions_reachable_by_pusher(pusher, boxes))
    for box in boxes:
        for direction in directions:
            behind, ahead = board.neighbor(box, direction.opposite), board.neighbor(box, direction)
            is_open = ahead == pusher or board[ahead].can_put_pusher_or_box  # the pusher steps away before it pushes
            if behind not in reached or not is_open:
                continue
            lines[depth - 1] += 1
            if depth > 1:
                manager.move_pusher_from(pusher, behind)
                manager.move_box_from(box, ahead)
                manager.move_pusher_from(behind, box)
                _engine_lines(manager, directions, depth - 1, lines)
                manager.move_pusher_from(box, behind)
                manager.move_box_from(ahead, box)
                manager.move_pusher_from(behind, pusher)


def _matching_row(n_boxes: int) -> Figure:
    """Minimum-cost matching against scipy, both called from Python on the same tables of Manhattan distances."""
    random = np.random.default_rng(n_boxes)
    tables = []
    for _ in range(N_MATCHINGS):
        squares = random.choice(400, size=2 * n_boxes, replace=False)
        costs = np.empty((n_boxes, n_boxes), dtype=np.int64)
        manhattan_costs(20, squares[:n_boxes], squares[n_boxes:], costs)
        tables.append(costs)
    goal_of = np.empty(n_boxes, dtype=np.int64)

    def ours() -> int:
        for costs in tables:
            match_boxes(costs, goal_of)
        return N_MATCHINGS

    scipy = find_module("scipy.optimize")

    def theirs() -> int:
        for costs in tables:
            scipy.linear_sum_assignment(costs)  # type: ignore[union-attr]
        return N_MATCHINGS

    speed = None if scipy is None else rate(theirs)
    return Figure("core", f"matching, {n_boxes} boxes", "matchings/s", rate(ours), "scipy", speed, 1.0)
