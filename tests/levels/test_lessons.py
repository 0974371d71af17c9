"""Every lesson level can be solved, and shows what its comment claims."""

import pytest

from sokoviz import IDA, Board, Level, Schokoban, Vanillaban, collection, influence, load
from sokoviz.board import DEADLOCK_RULES
from tests.twins import naive
from tests.twins.bfs import Maze

LESSONS = collection("lessons")
TITLES = [level.title for level in LESSONS]

# Title, moves that lead into the deadlock, the rules that find it. All others do not, and that is asserted too.
DEADLOCKS = [
    ("The dead end", "dR", ["locking tile", "bipartite", "corral"]),
    ("Along the outer wall", "uullDRurD", ["wall sweep", "wall run", "bipartite"]),
    ("Along an inner wall", "llDurrD", ["wall run", "bipartite"]),
    ("Two side by side", "lDurD", ["locked boxes", "no push", "window"]),
    ("Four in a square", "uulllDurrdLrrddllUdrruL", ["locked boxes", "no push", "window"]),
    ("One corner for two", "dLrD", ["bipartite"]),
    ("The sealed room", "rrdrRllulldRR", ["corral"]),
]


def lesson(title):
    """The lesson of that title."""
    return next(level for level in LESSONS if level.title == title)


def replay(level, pushes):
    """A board on which some pushes were done one after the other."""
    board = level.board()
    for box, direction in pushes:
        board.push(next(push for push in board.pushes if push == (box, direction)))
    return board


def test_there_are_lessons_for_every_idea_and_all_can_be_read():
    assert len(LESSONS) >= 16
    assert LESSONS.errors == ()
    assert len(set(TITLES)) == len(TITLES)
    assert load("lessons#1").title == TITLES[0]


@pytest.mark.parametrize("title", TITLES)
def test_every_lesson_has_one_line_that_says_what_it_shows(title):
    comment = lesson(title).comment
    assert comment.endswith(".")
    assert "\n" not in comment


@pytest.mark.parametrize("title", TITLES)
def test_every_lesson_can_be_solved(title):
    pushes = Maze(lesson(title).text).solve(limit=100_000)
    assert replay(lesson(title), pushes).is_solved


@pytest.mark.parametrize(("title", "moves", "rules"), DEADLOCKS, ids=[title for title, *_ in DEADLOCKS])
def test_the_deadlock_is_found_by_the_rules_named_and_by_no_other(title, moves, rules):
    board = lesson(title).board()
    assert board.deadlocks == ()
    board.play(moves)
    assert [found.rule for found in board.deadlocks] == [rule for rule in DEADLOCK_RULES if rule in rules]


@pytest.mark.parametrize(("title", "moves"), [(title, moves) for title, moves, _ in DEADLOCKS])
def test_the_deadlock_is_one(title, moves):
    board = lesson(title).board()
    board.play(moves)
    floor, goals, boxes, player = naive.read(board.position)
    assert naive.solve(floor, goals, boxes, player) is None


def test_two_doors_split_the_floor_into_components():
    board = lesson("Two doors").board()
    parts = {min(naive.reach(board.level.floor, board.boxes, square)) for square in board.level.floor - board.boxes}
    assert len(parts) == 2
    assert board.component < board.level.floor - board.boxes
    keys = {Board(Level.parse(swap_player(board.position, square))).key for square in parts}
    assert len(keys) == 2


def swap_player(text, square):
    """Level text with the player on another square."""
    rows = [list(row.replace("@", " ")) for row in text.split("\n")]
    rows[square[0]][square[1]] = "@"
    return "\n".join(map("".join, rows))


def test_a_box_in_the_tunnel_has_one_way_to_go():
    board = lesson("The tunnel").board()
    board.play("uRR")
    (box,) = board.boxes
    assert sum(naive.beside(box, d) in board.level.floor for d in "udlr") == 2
    assert [str(push) for push in board.pushes] == ["Ec→Fc"]


def test_the_goal_in_the_tunnel_is_taken_last():
    level = lesson("A goal in the tunnel")
    inside = next(goal for goal in level.goals if sum(naive.beside(goal, d) in level.floor for d in "udlr") == 2)
    pushes = Maze(level.text).solve(limit=100_000)
    assert naive.beside(*pushes[-1]) == inside
    board = level.board()
    board.play("uRRR")
    assert board.boxes & {inside}
    assert naive.solve(*naive.read(board.position)) is not None
    board.play("llldRdrUluR")
    assert naive.solve(*naive.read(board.position)) is None


def test_the_goal_room_has_one_door_and_is_filled_from_the_inside_out():
    level = lesson("The goal room")
    board = level.board()
    order = []
    for push in Maze(level.text).solve(limit=100_000):
        board.push(next(legal for legal in board.pushes if legal == push))
        order.append(board.boxes & set(level.goals))
    deepest, middle, door = sorted(level.goals, reverse=True)
    final = [
        next(k for k in range(len(order)) if all(goal in boxes for boxes in order[k:]))
        for goal in (deepest, middle, door)
    ]
    assert final == sorted(final)
    assert naive.reach(level.floor, {door}, level.player) == level.floor - {door, middle, deepest}


def test_two_halves_are_solved_by_as_many_pushes_as_both_by_themselves():
    level = lesson("Two halves")
    middle = level.width // 2
    lengths = []
    for keep in (lambda square: square[1] < middle, lambda square: square[1] > middle):
        floor, goals, boxes, player = naive.read(level.text)
        lengths.append(len(naive.solve(floor, set(filter(keep, goals)), set(filter(keep, boxes)), player)))
    assert sum(lengths) == len(Maze(level.text).solve(limit=100_000)) == 4


def test_each_box_of_whose_goal_reaches_only_its_own_goal():
    floor, goals, boxes, player = naive.read(lesson("Whose goal").text)
    left_box, right_box = sorted(boxes)
    left_goal, right_goal = sorted(goals)
    assert naive.solve(floor, {left_goal}, {left_box}, player)
    assert naive.solve(floor, {right_goal}, {left_box}, player) is None
    assert naive.solve(floor, {left_goal}, {right_box}, player) is None


def keys_of(search):
    """The positions of all nodes that a search has made, the same one as often as it stands there."""
    return [search.game.board(search.tree.state(node)).key for node in range(len(search.tree))]


@pytest.mark.parametrize("seed", range(1, 6))
def test_two_ways_round_meets_duplicates_and_moves_a_subtree_early(seed):
    search = Schokoban(lesson("Two ways round"), seed=seed)
    search.run(until="duplicate")
    assert search.steps <= 7
    search.run(until="move")
    expansion = search.explain().expansion
    assert expansion
    assert search.steps <= 15
    assert [(move.depth_before, move.depth_after) for move in expansion.moved] == [(5, 3)]
    search.run()
    assert search.solution
    assert search.solution.pushes == 6
    assert search.history.elimination.any()


@pytest.mark.parametrize("seed", range(1, 6))
def test_two_ways_round_is_the_same_few_positions_over_and_over(seed):
    vanilla, schoko = (solver(lesson("Two ways round"), seed=seed) for solver in (Vanillaban, Schokoban))
    assert vanilla.run().iterations > 2 * schoko.run().iterations
    assert len(set(keys_of(vanilla))) <= len(keys_of(vanilla)) / 2
    assert len(set(keys_of(schoko))) == len(keys_of(schoko))


def test_pushing_the_nearest_box_onto_its_goal_spoils_two_ways_round():
    board = lesson("Two ways round").board()
    board.play("rrR")
    assert len(board.boxes & set(board.level.goals)) == 1
    assert naive.solve(*naive.read(board.position)) is None


def test_a_shorter_way_moves_a_subtree_between_branches():
    search = Schokoban(lesson("A shorter way"))
    search.run(until="move")
    expansion = search.explain().expansion
    assert expansion
    (move,) = expansion.moved
    assert search.steps < 30
    assert (move.depth_before, move.depth_after, move.visits, move.eliminated) == (5, 3, 3, ())
    search.goto(search.steps - 1)
    old, new = (search.tree.path(node) for node in (move.node, expansion.node))
    assert set(old) & set(new) == {0}


def lines_with_cuts(found, board, **parameters):
    """All boards that relevance cuts lead to from one, itself included; no push of the level can be taken back."""
    kept = [verdict.push for verdict in found.cuts(board, **parameters) if not verdict.is_cut]
    return [board, *(end for push in kept for end in lines_with_cuts(found, pushed(board, push), **parameters))]


def pushed(board, push):
    """A board with the same history and one push more."""
    after = Board(board.level)
    after.play(board.moves)
    after.push(push)
    return after


def test_relevance_cuts_lose_every_solution_of_three_errands():
    level = lesson("Three errands")
    found = influence(level)
    ends = lines_with_cuts(found, level.board())
    assert not any(board.is_solved for board in ends)
    assert max(len(board.boxes & set(level.goals)) for board in ends) == 2
    assert any(board.is_solved for board in lines_with_cuts(found, level.board(), k=2))


def test_three_errands_are_found_again_without_cuts_and_by_chance():
    level = lesson("Three errands")
    cut = IDA(level, preset="classic", relevance=True)
    assert cut.run().solution
    limits = cut.thresholds["threshold"].tolist()
    assert limits[-1] == limits[0] < limits[-2]  # it began again
    assert cut.thresholds["relevance"].iloc[0] > cut.thresholds["relevance"].iloc[-1] == 0
    lucky = [IDA(level, preset="classic", relevance=True, share=0.8, seed=seed) for seed in range(1, 21)]
    assert all(search.run().solution for search in lucky)
    assert 5 < sum(search.thresholds["threshold"].is_monotonic_increasing for search in lucky) < 20
