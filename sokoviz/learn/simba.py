"""SIMBA, similarity based actions: what past episodes suggest for a position (Curry, "Decision based on similarity").

An episode is a list of states and box moves. The state that shares most boxes with the position at hand gives the move.
Squares are counted among the floor squares here, so that counts fit into small tables.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sokoviz.core.board.grid import to_bits
from sokoviz.core.compiling.jit import inlined, lean
from sokoviz.core.numbers.bits import WORD, add, clear, count_ones
from sokoviz.core.types import Bits, Integers

FROM, TO = 0, 1  # entries of a move of an episode

Small = NDArray[np.int8]
Places = NDArray[np.int16]


class Episodes(NamedTuple):
    """A buffer of episodes."""

    starts: Bits
    """uint64[capacity, n_words]: the boxes of the first state, one bit a floor square"""
    goals: Small
    """int8[capacity, n_floor]: 1 on the targets of the subcase"""
    moves: Places
    """int16[capacity, longest, 2]: floor numbers of source and target of each move"""
    lengths: Integers
    """int64[capacity]: number of moves"""
    n: Integers
    """int64[1]: number of episodes"""


class Votes(NamedTuple):
    """What the episodes of a buffer say about a position."""

    pairs: NDArray[np.int32]
    """int32[n_floor, n_floor]: how many suggest to move a box from one square to another"""
    sources: NDArray[np.int32]
    """int32[n_floor]: how many suggest a move from a square"""
    targets: NDArray[np.int32]
    """int32[n_floor]: how many suggest a move to a square"""
    cast: Integers
    """int64[capacity + 1]: the suggestions, source * n_floor + target each; their number in the last entry"""
    boxes: Bits
    """uint64[n_words]: the position's boxes, one bit a floor square"""


def make_episodes(capacity: int, longest: int, n_floor: int) -> Episodes:
    """Return an empty buffer."""
    return Episodes(
        starts=np.zeros((capacity, -(-n_floor // WORD)), dtype=np.uint64),
        goals=np.zeros((capacity, n_floor), dtype=np.int8),
        moves=np.zeros((capacity, longest, 2), dtype=np.int16),
        lengths=np.zeros(capacity, dtype=np.int64),
        n=np.zeros(1, dtype=np.int64),
    )


def write_episode(
    episodes: Episodes,
    place_of: Places,
    slot: int,
    boxes: Sequence[int],
    goals: Sequence[int],
    moves: Sequence[tuple[int, int]],
) -> None:
    """Write an episode into a slot of a buffer: one that is in use, or the first free one.

    Parameters
    ----------
    episodes
        The buffer.
    place_of
        int16[n_squares]: number of each square among the floor.
    slot
        Where to write it.
    boxes, goals
        Squares of the subcase.
    moves
        Source and target of each move, at least one.
    """
    episodes.starts[slot] = to_bits(place_of[list(boxes)].tolist(), episodes.goals.shape[1])
    episodes.goals[slot] = 0
    episodes.goals[slot, place_of[list(goals)]] = 1
    episodes.moves[slot, : len(moves)] = place_of[np.array(moves, dtype=np.int64)]
    episodes.lengths[slot] = len(moves)
    episodes.n[0] = max(int(episodes.n[0]), slot + 1)


def make_votes(capacity: int, n_floor: int) -> Votes:
    """Return an empty count."""
    return Votes(
        pairs=np.zeros((n_floor, n_floor), dtype=np.int32),
        sources=np.zeros(n_floor, dtype=np.int32),
        targets=np.zeros(n_floor, dtype=np.int32),
        cast=np.zeros(capacity + 1, dtype=np.int64),
        boxes=np.zeros(-(-n_floor // WORD), dtype=np.uint64),
    )


@inlined
def find_match(episodes: Episodes, episode: int, is_box: Small, boxes: Bits) -> tuple[int, int]:
    """SIMBA: the state of an episode that shares most boxes with a position, the first of them; and how many it shares.

    From state to state one box moves, so the overlap is brought up to date in constant time.

    Parameters
    ----------
    episodes : Episodes
    episode : which one, with at least one move
    is_box : int8[n_floor], 1 where a box stands in the position
    boxes : uint64[n_words], the same as bits
    """
    moves = episodes.moves[episode]
    overlap = 0
    for word in range(len(boxes)):
        overlap += np.int64(count_ones(episodes.starts[episode, word] & boxes[word]))
    best, most = 0, overlap
    for index in range(1, episodes.lengths[episode]):
        came, went = moves[np.uint64(index - 1), TO], moves[np.uint64(index - 1), FROM]
        overlap += np.int64(is_box[np.uint64(came)]) - np.int64(is_box[np.uint64(went)])
        best = index if overlap > most else best
        most = max(most, overlap)
    return best, most


@lean
def pack_boxes(is_box: Small, boxes: Bits) -> None:
    """Write marks, int8[n_floor], as bits, uint64[n_words]."""
    clear(boxes)
    for place in range(len(is_box)):
        if is_box[place]:
            add(boxes, place)


@inlined
def is_foreign(episodes: Episodes, episode: int, index: int, is_goal: Small) -> bool:
    """Whether a move ends on a target of its episode's subcase that is none of the position's: the goal filter."""
    target = episodes.moves[episode, index, TO]
    return episodes.goals[episode, target] and not is_goal[target]


@lean
def clear_votes(votes: Votes) -> None:
    """Take all suggestions back; touches only what they touched."""
    n_floor, last = len(votes.sources), len(votes.cast) - 1
    for index in range(votes.cast[last]):
        source, target = votes.cast[index] // n_floor, votes.cast[index] % n_floor
        votes.pairs[source, target] = 0
        votes.sources[source] = 0
        votes.targets[target] = 0
    votes.cast[last] = 0


@lean
def count_votes(episodes: Episodes, is_box: Small, is_goal: Small, is_filtered: int, votes: Votes) -> float:
    """Count what all episodes suggest; return the mean number of moves that their matches were from the end.

    Suggestions whose box is absent stay in the counts. Without any suggestion the value is infinite.

    Parameters
    ----------
    episodes : Episodes
    is_box, is_goal : int8[n_floor], 1 on the position's boxes, on its targets
    is_filtered : 1 where suggestions to foreign goals are left out, else 0
    votes : Votes, out
    """
    clear_votes(votes)
    pack_boxes(is_box, votes.boxes)
    n_floor, n, left = len(is_box), 0, 0
    for episode in range(episodes.n[0]):
        index, _ = find_match(episodes, episode, is_box, votes.boxes)
        if is_filtered and is_foreign(episodes, episode, index, is_goal):
            continue
        source, target = np.int64(episodes.moves[episode, index, FROM]), np.int64(episodes.moves[episode, index, TO])
        votes.pairs[source, target] += 1
        votes.sources[source] += 1
        votes.targets[target] += 1
        votes.cast[n] = source * n_floor + target
        n += 1
        left += episodes.lengths[episode] - index
    votes.cast[len(votes.cast) - 1] = n
    return left / n if n > 0 else np.inf


@lean
def list_matches(episodes: Episodes, is_box: Small, is_goal: Small, boxes: Bits, out: Integers) -> None:
    """Write what each episode says: int64[3, n], the state that matches, its overlap, whether its target is foreign.

    boxes is scratch: uint64[n_words].
    """
    pack_boxes(is_box, boxes)
    for episode in range(episodes.n[0]):
        out[0, episode], out[1, episode] = find_match(episodes, episode, is_box, boxes)
        out[2, episode] = is_foreign(episodes, episode, out[0, episode], is_goal)
