"""The transposition table of two levels: which entry gives way, and that nothing else is lost."""

from random import Random

import numpy as np

from sokoviz.core.branches.transpositions import BYTES_AN_ENTRY, find_entry, make_transpositions, put_entry
from sokoviz.core.types import NOWHERE

N = 8
SHALLOW, DEEP = 3, 9


def table_of(n=N):
    """A table with n places a level."""
    return make_transpositions(2 * n * BYTES_AN_ENTRY)


def key(number, place=5):
    """Keys that want the same place."""
    return np.uint64(number * N + place)


def put(table, which, score, depth):
    put_entry(table, np.uint64(which), score, depth, 1)


def found(table, which):
    """Score and depth of a position; None where the table does not know it."""
    entry = find_entry(table, np.uint64(which))
    if entry == NOWHERE:
        return None
    level, place = divmod(int(entry), table.keys.shape[1])
    return int(table.scores[level, place]), int(table.depths[level, place])


def test_memory_is_kept_to():
    table = make_transpositions(100 * BYTES_AN_ENTRY)
    assert sum(array.nbytes for array in table) == 64 * BYTES_AN_ENTRY


def test_nothing_is_known_at_first():
    assert found(table_of(), key(1)) is None


def test_what_is_known_of_a_position_is_overwritten():
    table = table_of()
    put(table, key(1), 7, DEEP)
    put(table, key(1), 8, SHALLOW)
    assert found(table, key(1)) == (8, SHALLOW)


def test_the_deeper_of_two_takes_the_first_level_and_both_stay():
    for first, second in ((SHALLOW, DEEP), (DEEP, SHALLOW)):
        table = table_of()
        put(table, key(1), 1, first)
        put(table, key(2), 2, second)
        assert table.keys[0, 5] == key(1 if first == DEEP else 2)
        assert (found(table, key(1)), found(table, key(2))) == ((1, first), (2, second))


def test_the_newest_takes_the_second_level_from_another():
    table = table_of()
    for number, depth in ((1, DEEP), (2, SHALLOW + 1), (3, SHALLOW)):
        put(table, key(number), number, depth)
    assert [found(table, key(number)) for number in (1, 2, 3)] == [(1, DEEP), None, (3, SHALLOW)]


def test_a_position_that_rises_to_the_first_level_is_held_once():
    table = table_of()
    put(table, key(1), 1, SHALLOW + 1)
    put(table, key(2), 2, SHALLOW)
    put(table, key(2), 5, DEEP)
    assert (found(table, key(1)), found(table, key(2))) == ((1, SHALLOW + 1), (5, DEEP))
    assert np.count_nonzero(table.keys) == 2


def test_the_table_does_what_two_dictionaries_do():
    table, random, levels = table_of(), Random(1), ({}, {})
    for _ in range(3000):
        which, score, depth = random.randrange(1, 40), random.randrange(100), random.randrange(12)
        put(table, which, score, depth)
        place, entry = which % N, (which, score, depth)
        first = levels[0].get(place)
        if first is not None and first[0] != which:
            if first[2] <= depth:
                levels[1][place] = first
            else:
                levels[1][place] = entry
                entry = first
        levels[0][place] = entry
        known = {held[0]: held[1:] for level in reversed(levels) for held in level.values()}
        assert [found(table, number) for number in range(1, 40)] == [known.get(number) for number in range(1, 40)]
