"""Everything that iterative deepening works on, as arrays; its kernels stand in kernel.py and successors.py."""

from __future__ import annotations

from typing import NamedTuple

from sokoviz.core.board.box_moves import BoxScratch
from sokoviz.core.board.goal_rooms import Rooms
from sokoviz.core.bounds.side_bound import Bounds
from sokoviz.core.branches.transpositions import Transpositions
from sokoviz.core.deadlocks.corrals import CorralScratch
from sokoviz.core.deadlocks.patterns import Patterns
from sokoviz.core.deadlocks.triples import Triples
from sokoviz.core.deadlocks.window_sets import WindowSets
from sokoviz.core.tree.flags import BOUND_CUT, DEADLOCK, GOAL_CUT, PATTERN, RELEVANCE, TRANSPOSITION
from sokoviz.core.types import Bits, Distances, Integers

# Columns of Deepening.frames: what is known of each position of the line that is being searched.
MAN, WAY, BOUND_HERE, FIRST, COUNT, NEXT, BEST, BOX, BEGAN, NODE, IS_CUT_SHORT = range(11)
N_FRAME_COLUMNS = 11

# Columns of Deepening.moves. A move takes one box from its origin to its target by so many pushes.
ORIGIN, TARGET, PLAYER, COST, BOUND_AFTER, RANK, CHILD = range(7)
N_MOVE_COLUMNS = 7

# Entries of Deepening.tip.
DEPTH, LIMIT, NEXT_LIMIT, N_THRESHOLDS, N_NODES, N_INNER, MOST_NODES, MOST_FINISHED = range(8)
IS_SOLVED, IS_EXHAUSTED, IS_LAST, STRIDE, N_BEFORE, FIRST_ROW, LEAST, IS_SURE = range(8, 16)
N_STEPS, N_FINISHED, MARKED, STOP_MARKS, STOP_NODE = range(16, 21)
N_TIP = 21

# What a step is marked with where something becomes of a successor, by its number in `core.branches`.
MARK_OF = (
    0,
    BOUND_CUT,
    TRANSPOSITION,
    DEADLOCK,
    0,
    GOAL_CUT,
    RELEVANCE,
    PATTERN,
)

# Entries of Deepening.options.
HAS_TABLE, IS_ORDERED, HAS_FREEZE, HAS_WINDOWS, HAS_TRIPLES, HAS_CORRALS, IS_INWARD = range(7)
HAS_TUNNELS, HAS_MACROS, HAS_GOAL_CUTS, WEIGHT, MOST_DISTANT, HISTORY, THRESHOLD_NEAR, SHARE, HAS_DEAD_SQUARES = range(
    7, 16
)
GROWTH, N_OPTIONS = 16, 17

# Columns of Deepening.counts: what becomes of successors, by its number in `core.branches`, then these.
N_EXPANDED, N_SEARCHED_INSIDE, LIMIT_COLUMN = range(8, 11)
N_COUNTS = 11
SIXTEENTHS = 4  # the weight of a bound is in sixteenths
WHOLE = 1 << 16  # a share of all

MOST_ROWS = 4096  # of counts; later thresholds share the last one

# Rows of Deepening.boards.
FREE, REACHED, AFTER, CULPRITS, RESERVED = range(5)
N_BOARDS = 5


class Deepening(NamedTuple):
    """Everything that the search works on."""

    boxes: Bits
    """uint64[n_depths, n_words]: boxes of each position of the line"""
    frames: Integers
    """int64[n_depths, 11]: player, pushes made, bound, successors, the least that is left, the box moved last, where
    it began, the node in the record, whether successors were left out that may be looked at later"""
    keys: Bits
    """uint64[n_depths]: keys of the positions"""
    moves: Integers
    """int64[capacity, 7]: successors of all positions of the line"""
    froms: Integers
    """int64[more than any threshold]: where the box of each push of the line stood when its move began"""
    bounds: Bounds
    numbers: Integers
    """int64[n_squares]: number of the box on a square"""
    table: Transpositions
    boards: Bits
    """uint64[5, n_words]: free floor, component and boxes of the position looked at, rooms that only macros enter"""
    pushes: Integers
    """int64[4 * n_boxes]"""
    all_pushes: Integers
    """int64[4 * n_boxes]: those that may be left out among them"""
    tip: Integers
    """int64[21]: depth of the line (-1 between thresholds), threshold, the next one, thresholds begun, positions
    expanded, those of inner searches, how many of both are allowed, how many thresholds may come to their end, whether
    it is solved, whether nothing is left, whether this threshold was begun with an empty table to find that out, how
    many steps the next threshold is away, what the last one expanded, how many thresholds were made with other parts
    before, how many pushes every solution is proven to take at least, whether nothing was left out since the table was
    empty that might be on a shorter way, steps made, thresholds that came to their end, what the step under way is
    marked with, the marks to stop at, and the node"""
    options: Integers
    """int64[17]: see above"""
    counts: Integers
    """int64[4096, 11]: for each threshold how many successors became what, see `core.branches`; positions expanded,
    those of inner searches, and the limit"""
    corridors: Bits
    """uint64[2, n_words]: see `sokoviz.core.board.tunnels`"""
    rooms: Rooms
    box_scratch: BoxScratch
    corral: CorralScratch
    triples: Triples
    windows: WindowSets
    patterns: Patterns
    inward: Bits
    """uint64[7, n_words]"""
    influence: Distances
    """int32[n_squares, n_squares], see `sokoviz.core.influence.metric`; empty where relevance cuts are off"""
    generator: Bits
    """uint64[1]"""
