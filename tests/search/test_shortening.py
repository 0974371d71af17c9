"""Shortened solutions are valid, never longer, and the best ones where all positions are looked at."""

from __future__ import annotations

import csv
import doctest
from heapq import heappop, heappush
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sokoviz as sv
from sokoviz.search import shortening
from sokoviz.search.mcts.schokoban import Solution
from sokoviz.search.shortening import Vicinity, shorten
from tests.search.schokoban.schokobans import rooms
from tests.twins import naive
from tests.worlds import draw as draw_text

pytestmark = pytest.mark.kernels

DETOUR = "#######\n#@ $ .#\n#     #\n#######"
TO_AND_FRO = "rRdrruLdlluRRd"  # the box goes right, back, and right again


@st.composite
def padded(draw, max_boxes=2, max_side=6):
    """A small level, and a solution of it that is rarely a good one: random pulls from a solved position, backwards."""
    text = draw(rooms(max_boxes=max_boxes, max_side=max_side))
    random = Random(draw(st.integers(0, 2**32)))
    floor, goals, _, _ = naive.read(text)
    boxes, player, line = goals, random.choice(sorted(floor - goals)), []
    for _ in range(draw(st.integers(0, 25))):
        pulls = sorted(naive.pulls(floor, boxes, player))
        if not pulls:
            break
        box, direction = random.choice(pulls)
        boxes, player = naive.after_pull(boxes, (box, direction))
        line.append((naive.beside(box, direction), naive.BACK[direction]))
    rows = text.split("\n")
    level = sv.Level.parse(draw_text(len(rows), len(rows[0]), floor, goals, boxes, player))
    return level, moves_of(level, reversed(line))


def moves_of(level, line):
    """The moves of some pushes."""
    board = level.board()
    for push in line:
        board.push(next(legal for legal in board.pushes if legal == push))
    return board.moves


def lengths(solution):
    return solution.pushes, solution.moves


def replayed(level, lurd):
    board = level.board()
    board.play(lurd)
    assert board.is_solved
    return board.n_pushes, board.n_moves


def shortest(text):
    """Fewest pushes of a solution, and fewest moves with as many: Dijkstra's search, step by step."""
    floor, goals, boxes, player = naive.read(text)
    heap, seen = [(0, 0, sorted(boxes), player)], set()
    while heap:
        n_pushes, n_moves, boxes, player = heappop(heap)
        if set(boxes) <= goals:
            return n_pushes, n_moves
        if (tuple(boxes), player) in seen:
            continue
        seen.add((tuple(boxes), player))
        for direction in "udlr":
            near = naive.beside(player, direction)
            beyond = naive.beside(near, direction)
            if near not in floor or (near in boxes and (beyond not in floor or beyond in boxes)):
                continue
            after = sorted(beyond if box == near else box for box in boxes)
            heappush(heap, (n_pushes + (near in boxes), n_moves + 1, after, near))
    return None


# --- valid, never longer, best ---------------------------------------------------------------------------------------


@settings(max_examples=60)
@given(padded(), st.sampled_from([1, 2, 5, 20, 100]))
def test_a_shortened_solution_solves_the_level_and_is_never_longer(case, states):
    level, moves = case
    short = shorten(level, moves, states=states)
    assert replayed(level, short.lurd) == lengths(short) <= replayed(level, moves) == lengths(short.original)


@settings(max_examples=60)
@given(padded())
def test_where_all_positions_are_looked_at_no_solution_is_shorter(case):
    level, moves = case
    short = shorten(level, moves, states=100_000)
    assert short.is_proven
    assert lengths(short) == shortest(level.text)


@settings(max_examples=30)
@given(padded(max_boxes=3, max_side=7), st.sampled_from([5, 50, 500]))
def test_what_was_shortened_gets_no_shorter_with_the_same_means_and_no_longer(case, states):
    level, moves = case
    once = shorten(level, moves, states=states)
    twice = shorten(level, once, states=states)
    assert twice.lurd == once.lurd
    assert shorten(level, moves, states=states) == once  # the same in every run


@given(padded())
def test_only_what_is_shortest_is_called_proven(case):
    level, moves = case
    short = shorten(level, moves, states=30)
    assert not short.is_proven or lengths(short) == shortest(level.text)


def test_a_box_that_goes_to_and_fro_goes_straight():
    short = sv.shorten(DETOUR, TO_AND_FRO)
    assert (short.lurd, short.is_proven) == ("rRR", True)
    assert repr(short) == "2 pushes, 3 moves: rRR (from 4 pushes, 14 moves; proven shortest)"


def test_walks_get_shorter_where_no_push_can_be_saved():
    short = shorten(DETOUR, "drulrRR", states=1)
    assert (short.lurd, short.original.moves) == ("rRR", 7)


def test_a_level_that_is_solved_already_needs_no_moves():
    short = shorten("#####\n#@ *#\n#####", "rl")
    assert (short.lurd, lengths(short), short.original.moves) == ("", (0, 0), 2)


def test_a_wide_level_and_boxes_behind_walls():
    level = "#" * 70 + "\n#@$" + " " * 65 + ".#\n#" + " " * 68 + "#\n" + "#" * 70 + "\n#*#" + " " * 67 + "\n###"
    assert shorten(level, "R" * 66).lurd == "R" * 66


# --- published levels ------------------------------------------------------------------------------------------------


def proven_optimal(folder, name):
    """Fewest pushes of the levels of a collection for which they are known."""
    with (folder / "optimal.csv").open(encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if row["set"] == name and row["optimal"] == "yes"]
    return {int(row["level"]): int(row["best_pushes"]) for row in rows}


@pytest.mark.parametrize("name", ["microban3", "cbc"])
def test_nothing_is_shorter_than_what_is_proven_optimal(shared_levels, name):
    best, gaps = proven_optimal(shared_levels, name), []
    for number, level in enumerate(sv.collection(str(shared_levels / f"{name}.xsb")), start=1):
        search = sv.Schokoban(level, journal=False)
        search.run(iterations=1000, progress=False)
        if search.solution is None or number not in best:
            continue
        few, many = (shorten(level, search.solution, states=states) for states in (300, 10_000))
        assert best[number] <= many.pushes <= search.solution.pushes
        assert best[number] <= few.pushes <= search.solution.pushes
        assert not many.is_proven or many.pushes == best[number]
        gaps.append(many.pushes - best[number])
    assert len(gaps) >= 50
    assert sum(gap == 0 for gap in gaps) >= 0.95 * len(gaps)


def test_a_large_level_is_shortened_to_what_is_proven_optimal(shared_levels):
    level = sv.load(f"{shared_levels / 'xsokoban.xsb'}#1")
    search = sv.Schokoban(level, journal=False)
    search.run(iterations=250_000, progress=False)
    assert search.solution
    short = shorten(level, search.solution, states=5000)
    assert short.pushes == proven_optimal(shared_levels, "xsokoban")[1] == 97 < search.solution.pushes
    assert not short.is_proven


# --- refusals and interrupts -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("moves", "message"),
    [
        ("rR", "expected a solution of Level.*, found moves that leave 1 box off goals"),
        ("", "leave 1 box off goals"),
        ("ru", "move 2, 'u' from .*: expected a free way, found a wall"),
        ("rX", "expected a move .*, found 'X'"),
        (3, "expected a Solution or its move string, found 3"),
        (Solution("rRd", 1, 3), "leave 1 box off goals"),
    ],
)
def test_what_does_not_solve_the_level_is_refused(moves, message):
    with pytest.raises(sv.SokovizError, match=message):
        shorten(DETOUR, moves)


@pytest.mark.parametrize("states", [0, -1, 1.5, True, "many", 1 << 40])
def test_a_number_of_states_is_expected(states):
    with pytest.raises(sv.SearchError, match="expected a number of states from 1 to"):
        shorten(DETOUR, "rRR", states=states)


def test_an_interrupt_keeps_what_was_reached(monkeypatch):
    rounds = []
    real = Vicinity.best_way

    def interrupted(self, line):
        rounds.append(len(line))
        if len(rounds) > 1:
            raise KeyboardInterrupt
        return real(self, line)[0], False

    monkeypatch.setattr(Vicinity, "best_way", interrupted)
    short = shorten(DETOUR, TO_AND_FRO, states=1)
    assert (rounds, short.stopped_by, short.is_proven) == ([4, 2], "interrupted", False)
    assert short.lurd == "rRR"


def test_the_example_in_the_documentation():
    assert doctest.testmod(shortening) == (0, 1)
