"""Drives the compiled iterative deepening: its arrays, their growth, and what its record says."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import inf
from typing import TYPE_CHECKING, NamedTuple, TypeVar

import numpy as np

from sokoviz.analysis.influence import Influence
from sokoviz.core.board.box_moves import make_box_scratch
from sokoviz.core.board.goal_rooms import no_rooms, rooms_of
from sokoviz.core.board.grid import tables_of, to_bits
from sokoviz.core.board.tunnels import find_corridors
from sokoviz.core.bounds.side_bound import grow_bounds, make_bounds, place_by_zone
from sokoviz.core.branches import record as branches
from sokoviz.core.branches.transpositions import make_transpositions
from sokoviz.core.compiling.jit import is_kept
from sokoviz.core.deadlocks.corrals import make_corral_scratch
from sokoviz.core.deadlocks.patterns import Patterns, make_patterns
from sokoviz.core.deadlocks.pi_corrals import N_BOARDS as N_INWARD_BOARDS
from sokoviz.core.deadlocks.triples import no_triples, triples_of
from sokoviz.core.deadlocks.window_sets import no_windows, windows_of
from sokoviz.core.tree.journal import Silent
from sokoviz.core.types import FAR, NOWHERE
from sokoviz.errors import SearchError
from sokoviz.search.branches.record import BranchRecord
from sokoviz.search.contract import NO_STOP, Counters
from sokoviz.search.ida import arrays as machines
from sokoviz.search.ida import kernel as deepening

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from sokoviz.core.types import Distances, Integers
    from sokoviz.levels import Level
    from sokoviz.search.contract import Stop
    from sokoviz.search.ida.options import Options

Number = TypeVar("Number", np.int64, np.uint64)

FIRST_DEPTHS = 512
ENDLESS = 1 << 60
NO_INFLUENCE: Distances = np.zeros((0, 0), dtype=np.int32)
DEADLOCK_EFFORT = 4  # a deadlock search may look at the fourth part of what a penalty search may
AREA_EFFORT = 4  # positions that the search of a closed area may hold for each that another may look at
GREEDY_TURN, SAFE_TURN = 1, 2
DRAW = 8  # what the shortest turn with relevance cuts drawn at random takes, as a multiple of the patience
FIRST_DRAWS = 2  # with the given bound; later the second of two draws of one length has a plain one
GREED = 3.0  # what the bound is multiplied by then
REASONS = {
    deepening.SOLVED_NOW: "solved",
    deepening.MET: "until",
    deepening.ENOUGH_NODES: "nodes",
    deepening.ENOUGH_THRESHOLDS: "iterations",
}


class Standing(NamedTuple):
    """What was known at some moment."""

    n_thresholds: int
    """begun so far"""
    threshold: int
    """the one under way, or the last one; before the first, what that will be"""
    lower_bound: float
    """pushes that every solution is proven to take; infinite where there is proven to be none"""
    nodes: int
    """positions whose successors were generated"""


class LineMove(NamedTuple):
    """One move of the line that is searched: a box from its origin to its target by so many pushes."""

    origin: int
    target: int
    player: int
    cost: int


@dataclass
class Variant:
    """One of the bold ways to search, and where it was left."""

    weight: int
    """of the bound, in sixteenths"""
    is_cutting: bool
    """whether relevance cuts are made"""
    limit: int = 0
    """the threshold under way, 0 to begin with the first"""
    is_done: bool = False
    """whether it has left nothing to search even without relevance cuts"""


class DeepeningEngine:
    """The arrays of one search.

    Parameters
    ----------
    level
        What is searched.
    options
        How it is searched.
    """

    def __init__(self, level: Level, options: Options) -> None:
        self.level = level
        self.options = options
        self.is_complete = options.is_safe
        """whether to leave nothing to search proves, for the time being, that there is no solution"""
        self._patience = options.patience if not options.is_safe else 0
        self._turn = 0
        self._end_of_turn = self._patience or ENDLESS
        self.tables = tables_of(level.rows)
        self.machine = self._make_machine()
        self.machine.tip[machines.IS_SURE] = self._keeps_shortest()
        self._bold_options, self._patterns = self.machine.options.copy(), self.machine.patterns
        self._influence = self.machine.influence
        weights = int(self.machine.options[machines.WEIGHT]), 1 << machines.SIXTEENTHS
        self._is_random = options.relevance and 0 < options.share < 1
        """whether chance decides which cuts are made: then another draw may succeed where one left nothing"""
        self._variants = [Variant(weight, is_cutting=options.relevance) for weight in weights]
        self._variants[1].is_done = not self._patience  # without turns there is one way only
        self._variant = self._variants[0]
        self.record = BranchRecord(options.record_memory) if options.journal else None
        self._first = self.threshold, self.lower_bound

    def _make_machine(self) -> machines.Deepening:
        """The arrays at the bare root."""
        tables, rows, tests = self.tables, self.level.rows, self.options.deadlocks
        n_words, n_squares = len(tables.floor), tables.width * tables.height
        squares = sorted(r * tables.width + c for r, c in self.level.boxes if (r, c) in self.level.floor)
        player = self.level.player[0] * tables.width + self.level.player[1]
        free, reached = np.empty_like(tables.floor), np.empty_like(tables.floor)
        places = [place_by_zone(tables, square, player, free, reached) for square in squares]
        bounds, bound = make_bounds(tables.place_distance, np.array(places, dtype=np.int64), FIRST_DEPTHS)
        if set(self.level.boxes) - set(self.level.floor) - set(self.level.goals):
            bound = FAR  # nobody comes to that box
        n_most = max(len(squares), len(tables.goal_squares), 1)
        influence, numbers = self._relevance()
        frames = np.zeros((FIRST_DEPTHS, machines.N_FRAME_COLUMNS), dtype=np.int64)
        frames[0, machines.MAN] = player
        frames[0, machines.BOUND_HERE] = bound
        boxes = np.zeros((FIRST_DEPTHS, n_words), dtype=np.uint64)
        boxes[0] = to_bits(squares, n_squares)
        number_of = np.full(n_squares, NOWHERE, dtype=np.int64)
        number_of[squares] = np.arange(len(squares))
        return machines.Deepening(
            boxes=boxes,
            frames=frames,
            keys=np.zeros(FIRST_DEPTHS, dtype=np.uint64),
            moves=np.zeros((16 * n_most * FIRST_DEPTHS // 8, machines.N_MOVE_COLUMNS), dtype=np.int64),
            froms=np.zeros(max(FIRST_DEPTHS, 2 * int(first_limit(bound, numbers))), dtype=np.int64),
            bounds=bounds,
            numbers=number_of,
            table=make_transpositions(self.options.memory if self.options.table else 0),
            boards=np.zeros((machines.N_BOARDS, n_words), dtype=np.uint64),
            pushes=np.zeros(4 * n_most, dtype=np.int64),
            all_pushes=np.zeros(4 * n_most, dtype=np.int64),
            tip=self._first_tip(bound, numbers),
            options=np.array(numbers, dtype=np.int64),
            counts=np.zeros((machines.MOST_ROWS, machines.N_COUNTS), dtype=np.int64),
            corridors=find_corridors(tables),
            rooms=rooms_of(rows, frozenset(squares)) if self.options.macros else no_rooms(tables),
            box_scratch=make_box_scratch(tables),
            corral=make_corral_scratch(n_words, n_most, AREA_EFFORT * self.options.effort),
            triples=triples_of(rows) if "three boxes" in tests else no_triples(tables),
            windows=windows_of(rows) if "window" in tests else no_windows(tables),
            patterns=self._make_patterns(),
            inward=np.zeros((N_INWARD_BOARDS, n_words), dtype=np.uint64),
            influence=influence,
            generator=np.array([self.options.seed], dtype=np.uint64),
        )

    def _make_patterns(self) -> Patterns:
        """An empty store of patterns, with room for the searches that are on."""
        penalty, deadlock = (self.options.effort * (name in self.options.patterns) for name in ("penalty", "deadlock"))
        return make_patterns(self.tables, penalty, -(-deadlock // DEADLOCK_EFFORT))

    def _relevance(self) -> tuple[Distances, list[int]]:
        """The table of influences, empty where there are no relevance cuts, and the options as numbers."""
        numbers = self.options.as_numbers()
        if not self.options.relevance:
            return NO_INFLUENCE, numbers
        found = Influence(self.level, released=self.options.released)
        numbers[machines.HISTORY] = found.m if self.options.m is None else self.options.m
        near = found.threshold if self.options.threshold is None else self.options.threshold
        numbers[machines.THRESHOLD_NEAR] = near
        return found.deciding, numbers

    @staticmethod
    def _first_tip(bound: int, numbers: list[int]) -> Integers:
        """Where a search begins."""
        tip = np.zeros(machines.N_TIP, dtype=np.int64)
        tip[machines.DEPTH] = NOWHERE
        tip[machines.NEXT_LIMIT] = first_limit(bound, numbers)
        tip[machines.MOST_NODES] = tip[machines.MOST_FINISHED] = ENDLESS
        tip[machines.STOP_NODE] = NOWHERE
        tip[machines.IS_EXHAUSTED], tip[machines.STRIDE], tip[machines.LEAST] = bound >= FAR, 1, bound
        return tip

    def load(self) -> None:
        """Load the kernel, or compile it, so that this is not counted as time of the search."""
        deepening.advance(self.tables, self.machine, self.trace, 0)

    def is_compiled(self) -> bool:
        """Return whether the machine code is kept on this machine."""
        return bool(is_kept(deepening.advance, (machines.Deepening, type(self.trace))))

    # --- searching ---------------------------------------------------------------------------------------------------

    @property
    def trace(self) -> branches.AnyBranches:
        """What the kernel writes to."""
        return Silent(0) if self.record is None else self.record.arrays

    def advance(self, n: int, stop: Stop = NO_STOP) -> str:
        """Make n steps from the end of the record; return why it made fewer, nothing where it did not.

        The reasons: "solved", "unsolvable", "until", "nodes", "iterations", "memory".
        """
        wanted, tip = self.last + n, self.machine.tip
        tip[machines.MOST_FINISHED] = stop.iterations
        tip[machines.STOP_MARKS], tip[machines.STOP_NODE] = stop.marks, stop.node
        while self.last < wanted:
            tip[machines.MOST_NODES] = min(stop.nodes, self._end_of_turn)
            status = deepening.advance(self.tables, self.machine, self.trace, wanted - self.last)
            is_stuck = tip[machines.IS_EXHAUSTED] and not tip[machines.IS_SOLVED]
            if status in {deepening.EXHAUSTED, deepening.MET} and is_stuck and not self._relax():
                return "unsolvable"
            if status == deepening.ENOUGH_NODES and self.n_nodes < stop.nodes:
                self._end_turn()
            elif status in REASONS:
                return REASONS[status]
            elif status == deepening.FULL and not self._grow():
                return "memory"
        return ""

    # --- with and without the parts that may lose solutions ----------------------------------------------------------

    def _end_turn(self) -> None:
        """A turn is over: remember where a bold one was left, but for a draw of cuts that is not made again."""
        is_bold = self._turn not in {GREEDY_TURN, SAFE_TURN}
        if is_bold and not (self._is_random and self._variant.is_cutting):
            self._variant.limit = self.threshold
        self._take_turns()

    def _take_turns(self) -> None:
        """Go on with other parts: greedily, then safely, then boldly.

        A turn that leaves nothing to search ends early.
        """
        self._turn += 1
        self._end_of_turn = self.n_nodes + self._length_of_turn()
        if self._turn == GREEDY_TURN:
            self._begin_safely(GREED)
        elif self._turn == SAFE_TURN:
            self._begin_safely()
        elif self._is_random:
            self._variants[0].is_cutting = self._variants[1].is_cutting = self._is_draw
            number = self._turn - SAFE_TURN
            self._begin_boldly(1 if number > FIRST_DRAWS and _luby(number) == _luby(number - 1) else 0)
        else:
            self._begin_boldly(1 - self._turn % 2)

    @property
    def _is_draw(self) -> bool:
        """Whether relevance cuts are drawn anew in this turn.

        What a draw finds it mostly finds soon, so many short ones come to more than a few long ones: their lengths are
        those of Luby, Sinclair and Zuckerman 1993, "Optimal speedup of Las Vegas algorithms". A turn that is longer
        than any before goes to the search without cuts.
        """
        number = self._turn - SAFE_TURN
        return self._is_random and number > 0 and (number == 1 or (number & (number + 1)) != 0)

    def _length_of_turn(self) -> int:
        """How many nodes the turn may take: twice as many as the one before, but for draws of relevance cuts."""
        if not self._patience:
            return ENDLESS
        if not self._is_random or self._turn <= SAFE_TURN:
            return self._patience << self._turn
        return DRAW * self._patience * _luby(self._turn - SAFE_TURN)

    def _begin_boldly(self, number: int) -> None:
        """Go on with one of the two bold ways to search where it was left, or the other; safely where both are done."""
        variant = self._variants[number]
        if variant.is_done:
            variant = self._variants[1 - number]
        if variant.is_done:
            self._patience, self._end_of_turn = 0, ENDLESS
            self._begin_safely()
            return
        self._claim_nothing()
        self.machine.options[:] = self._bold_options
        self.machine.options[machines.WEIGHT] = variant.weight
        influence = self._influence if variant.is_cutting else NO_INFLUENCE
        self.machine = self.machine._replace(influence=influence, patterns=self._patterns)
        self._variant = variant
        is_new = self._is_random and variant.is_cutting
        self._begin_again(self._first_limit() if is_new else variant.limit or self._first_limit())

    def _relax(self) -> bool:
        """Begin again without the parts that left nothing to search; return False where that proves something.

        Relevance cuts go first, then all others that may lose solutions.
        """
        if self.is_unsolvable:
            return False
        is_draw = self._is_draw and self._variant.is_cutting
        if self._turn in {GREEDY_TURN, SAFE_TURN} or (is_draw and self._patience):
            self._take_turns()
            return True
        if self._variant.is_cutting:
            self._variant.is_cutting, self._variant.limit = False, 0
            self._end_of_turn = self.n_nodes + self._length_of_turn()  # as long as if there had been no cuts
            self._begin_boldly(self._variants.index(self._variant))
            return True
        self._variant.is_done = True
        if self._patience:
            self._take_turns()
        else:
            self._begin_boldly(0)
        return True

    def _begin_safely(self, weight: float = 1.0) -> None:
        """Begin again with the safe parts alone, but for the bound, which may be overestimated."""
        self._claim_nothing()
        self.machine.options[:] = replace(self.options.safe, overestimation=weight).as_numbers()
        self.machine = self.machine._replace(influence=NO_INFLUENCE, patterns=make_patterns(self.tables, 0))
        self._begin_again(self._first_limit())
        self.is_complete = weight == 1.0

    def _first_limit(self) -> int:
        """The first threshold with the options of the time being."""
        return first_limit(int(self.machine.frames[0, machines.BOUND_HERE]), self.machine.options)

    def _begin_again(self, limit: int) -> None:
        """Begin at the root with a threshold and an empty table: what is in it was found with other parts."""
        machine, tip = self.machine, self.machine.tip
        squares = machine.bounds.places[0] >> 2
        machine.numbers[squares[squares < len(machine.numbers)]] = np.flatnonzero(squares < len(machine.numbers))
        self.machine = machine._replace(table=make_transpositions(self.options.memory if self.options.table else 0))
        tip[machines.IS_EXHAUSTED], tip[machines.DEPTH], tip[machines.NEXT_LIMIT] = 0, NOWHERE, limit
        tip[machines.STRIDE], tip[machines.N_BEFORE], tip[machines.FIRST_ROW] = 1, 0, tip[machines.N_THRESHOLDS]
        tip[machines.IS_SURE] = self._keeps_shortest()

    def _claim_nothing(self) -> None:
        """Parts are about to change: an interrupt in between must not leave old claims beside new parts."""
        self.is_complete, self.machine.tip[machines.IS_SURE] = False, 0

    def _keeps_shortest(self) -> bool:
        """Whether no part is on that may lose a shortest solution: then a threshold without solution proves a bound.

        Growth may be on: the kernel itself notes where it leaves out a shorter way. What deadlock searches learned in
        other turns is proven dead, so it may stay; penalties are no proofs.
        """
        options = self.machine.options
        parts = options[[machines.HAS_TUNNELS, machines.HAS_MACROS, machines.HAS_GOAL_CUTS]]
        is_plain = options[machines.WEIGHT] == 1 << machines.SIXTEENTHS
        has_penalties = len(self.machine.patterns.opened) > 0
        return bool(is_plain and not parts.any() and not len(self.machine.influence) and not has_penalties)

    def _grow(self) -> bool:
        """Make room for longer lines and more steps; return whether the memory allows it."""
        machine, record = self.machine, self.record
        depth, n_moves = int(machine.tip[machines.DEPTH]), len(machine.moves)
        last = machine.frames[max(depth, 0)]
        n_left = n_moves - int(last[machines.FIRST] + last[machines.COUNT])
        limit = max(machine.tip[machines.LIMIT], machine.tip[machines.NEXT_LIMIT])
        has_room = depth + 3 < len(machine.frames) and n_left > n_moves // 2 and limit < len(machine.froms)
        if record is not None and has_room:
            return record.grow()
        n_depths = 2 * len(machine.frames)
        self.machine = machine._replace(
            boxes=_longer(machine.boxes),
            frames=_longer(machine.frames),
            keys=_longer(machine.keys),
            moves=_longer(machine.moves),
            froms=_longer(machine.froms),
            bounds=grow_bounds(machine.bounds, n_depths),
        )
        return True

    # --- where it stands ---------------------------------------------------------------------------------------------

    @property
    def n_expanded(self) -> int:
        """Positions expanded, without those of inner searches."""
        return int(self.machine.tip[machines.N_NODES])

    @property
    def n_nodes(self) -> int:
        """Positions whose successors were generated, those of inner searches among them."""
        return int(self.machine.tip[machines.N_NODES] + self.machine.tip[machines.N_INNER])

    @property
    def n_thresholds(self) -> int:
        """Thresholds begun."""
        return int(self.machine.tip[machines.N_THRESHOLDS])

    @property
    def threshold(self) -> int:
        """The threshold under way, or the last one; before the first, what that will be."""
        tip = self.machine.tip
        return int(tip[machines.LIMIT] if tip[machines.N_THRESHOLDS] else tip[machines.NEXT_LIMIT])

    @property
    def is_between(self) -> bool:
        """Whether no threshold is under way: the next step begins one."""
        return bool(self.machine.tip[machines.DEPTH] == NOWHERE)

    @property
    def is_solved(self) -> bool:
        """Whether a solution was found."""
        return bool(self.machine.tip[machines.IS_SOLVED])

    @property
    def ending(self) -> str:
        """Why nothing is left to go on with; empty while there is something."""
        return "unsolvable" if self.is_unsolvable else ""

    @property
    def is_unsolvable(self) -> bool:
        """Whether there is proven to be no solution: safe parts left nothing to search, or the bound says so."""
        tip = self.machine.tip
        return bool(tip[machines.LEAST] >= FAR or (tip[machines.IS_EXHAUSTED] and self.is_complete))

    @property
    def lower_bound(self) -> float:
        """Pushes that every solution is proven to take at least; infinite where there is proven to be none.

        At first the bound of the level; then each threshold raises it that was searched without a solution, and without
        a part or a cut that may lose a shortest one.
        """
        return inf if self.is_unsolvable else int(self.machine.tip[machines.LEAST])

    @property
    def counts(self) -> Integers:
        """int64[n_thresholds, 11]: what became of successors, threshold by threshold."""
        return self.machine.counts[: min(self.n_thresholds, machines.MOST_ROWS)]

    def line(self) -> list[LineMove]:
        """Return the moves of the line that is searched, or of the solution."""
        frames, squares = self.machine.frames, self.machine.bounds.places >> 2
        found = []
        for depth in range(1, int(self.machine.tip[machines.DEPTH]) + 1):
            here, before = frames[depth], frames[depth - 1]
            target = squares[depth, here[machines.BOX]]
            cost = here[machines.WAY] - before[machines.WAY]
            found.append(LineMove(*map(int, (here[machines.BEGAN], target, here[machines.MAN], cost))))
        return found

    # --- the record --------------------------------------------------------------------------------------------------

    @property
    def numbers_nodes(self) -> bool:
        """Nodes are numbered by the record."""
        return self.record is not None

    def written(self) -> BranchRecord:
        """The record; raises where none is kept."""
        if self.record is None:
            message = "expected a search that keeps a record, found journal=False: it can only run and tell its result"
            raise SearchError(message)
        return self.record

    @property
    def last(self) -> int:
        """Number of steps made."""
        return int(self.machine.tip[machines.N_STEPS])

    @property
    def counters(self) -> Counters:
        """How much was done."""
        return Counters(self.last, int(self.machine.tip[machines.N_FINISHED]), self.n_nodes)

    def standing_after(self, step: int) -> Standing:
        """Return what was known after a step."""
        if step == self.last:
            return Standing(self.n_thresholds, self.threshold, self.lower_bound, self.n_nodes)
        if not step:
            return Standing(0, *self._first, 0)
        row = self.written().steps[step - 1]
        least = int(row[branches.PROVEN])
        bound = inf if least >= FAR else least
        return Standing(int(row[branches.BEGUN]), int(row[branches.LIMIT_THEN]), bound, int(row[branches.CLOCK]))


def is_compiled() -> bool:
    """Return whether the machine code of a search that keeps a record is kept on this machine."""
    return bool(is_kept(deepening.advance, (machines.Deepening, branches.Branches)))


def first_limit(bound: int, numbers: Sequence[int] | Integers) -> int:
    """The first threshold: what the bound of the level counts for; nothing where there is no way at all."""
    return int(bound * numbers[machines.WEIGHT]) >> machines.SIXTEENTHS if bound < FAR else 0


def _luby(number: int) -> int:
    """Length of a turn, from number 1: 1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8, ...; of number 0 it is 0."""
    if number == 0:
        return 0
    size = number.bit_length()
    return 1 << size - 1 if number == (1 << size) - 1 else _luby(number - (1 << size - 1) + 1)


def _longer(array: NDArray[Number]) -> NDArray[Number]:
    """An array with twice as many rows, the first of them as they were."""
    larger = np.zeros((2 * len(array), *array.shape[1:]), dtype=array.dtype)
    larger[: len(array)] = array
    return larger
