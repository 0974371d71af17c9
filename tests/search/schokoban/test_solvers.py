"""Vanillaban and Schokoban as people hold them: options, seeds, solutions, limits, and what they give away."""

import pytest

import sokoviz as sv
from sokoviz.board import Board
from sokoviz.errors import SearchError
from sokoviz.search.limits import make_limits
from sokoviz.search.mcts.schokoban import BEST_TESTS, THESIS_TESTS
from tests.search.searching import ARRAYS, assert_same, assert_same_record, table_of

SOLVERS = (sv.Schokoban, sv.Vanillaban)
NO_WAY = "######\n#@ $ #\n#  #.#\n######"
AT_THE_WALL = "#######\n#  $  #\n#@    #\n#  .  #\n#######"  # the box can only go along the wall
# The goal on the left cannot be reached, which the thesis's tests do not see: there is much to search.
HARD = "##########\n###      #\n#. #$ $  #\n##       #\n#  . $   #\n# ..   $ #\n#@       #\n##########"
LARGE = "\n".join(["#" * 14, *(f"#{' ' * 12}#" for _ in range(8)), "#" * 14])
WIDE = "\n".join(["#" * 72, f"#@ $ .{' ' * 65}#", f"#{' ' * 70}#", "#" * 72])


def room(player, box, goal):
    """A level of 14 x 10 with 96 squares of floor."""
    rows = [list(row) for row in LARGE.split("\n")]
    for (row, column), sign in ((player, "@"), (box, "$"), (goal, ".")):
        rows[row][column] = sign
    return "\n".join("".join(row) for row in rows)


@pytest.fixture
def level():
    return sv.load("lessons#7")


def run(solver, level, **options):
    search = solver(level, **options)
    search.run(iterations=5000, progress=False)
    return search


# --- options ---------------------------------------------------------------------------------------------------------


def test_presets_are_bundles_of_options(level):
    published, text, best = (sv.Schokoban(level, preset=name).settings for name in ("published", "text", "best"))
    assert (published.c, published.selection, published.pushing.deadlocks) == (8.0, "program", THESIS_TESTS)
    assert (published.pushing.late, published.pushing.remembered) == (False, True)
    assert (text.c, text.selection, text.pushing.late, text.pushing.remembered) == (2.0, "uct", True, False)
    assert (best.pushing.deadlocks, best.pushing.distance) == (BEST_TESTS, "push")


def test_published_is_the_preset_where_none_is_named(level):
    assert sv.Schokoban(level).settings == sv.Schokoban(level, preset="published").settings


def test_an_option_overrides_its_preset_and_nothing_else(level):
    changed = sv.Schokoban(level, preset="text", c=0.0, late=False).settings
    assert (changed.c, changed.selection) == (0.0, "uct")
    assert (changed.pushing.late, changed.pushing.remembered) == (False, False)


def test_no_deadlock_tests_are_none_and_not_those_of_the_preset(level):
    assert sv.Schokoban(level, deadlocks=()).settings.pushing.deadlocks == ()
    assert not run(sv.Schokoban, level, deadlocks=()).history["deadlock"].any()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"deadlock": ()}, "expected an option out of 'preset', .*; found 'deadlock'; did you mean 'deadlocks'"),
        ({"colour": "red"}, "expected an option out of 'preset', 'seed', .*, 'journal'; found 'colour'$"),
        ({"preset": "bets"}, "expected a preset out of .*; found 'bets'; did you mean 'best'"),
        ({"c": "8"}, "exploration constant c from 0 to 1e\\+09, found '8'"),
        ({"c": -1}, "exploration constant"),
        ({"selection": "UCT"}, "selection formula"),
        ({"seed": -1}, "as seed, found -1"),
        ({"deadlocks": ("lock",)}, "deadlock test out of .*; found 'lock'"),
        ({"deadlocks": "locking tile"}, "names of deadlock tests .*found 'locking tile'"),
        ({"deadlocks": 5}, "names of deadlock tests .*found 5"),
        ({"deadlocks": ("coral",)}, "deadlock test out of .*; found 'coral'"),
        ({"late": "no"}, "True or False as late, found 'no'"),
        ({"remembered": 1}, "True or False as remembered, found 1"),
        ({"stall": None}, "True or False as stall, found None"),
        ({"distance": "pushes"}, "distance out of 'manhattan', 'push'"),
        ({"memory": 0}, "number of bytes"),
    ],
)
def test_options_that_make_no_sense_are_refused(level, options, message):
    with pytest.raises(SearchError, match=message):
        sv.Schokoban(level, **options)


@pytest.mark.parametrize("thing", [None, 5, ["#####"], sv.TicTacToe()])
def test_what_is_no_level_is_refused(thing):
    with pytest.raises(SearchError, match="expected a Level or its text"):
        sv.Schokoban(thing)


def test_text_of_a_bad_level_is_refused_with_its_place():
    with pytest.raises(sv.LevelError, match="line 2"):
        sv.Schokoban("#####\n#@$ #\n#####")


def test_the_text_of_a_level_does_as_well_as_the_level(level):
    assert_same(run(sv.Schokoban, "\n".join(level.rows)), run(sv.Schokoban, level))


# --- seeds -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("solver", SOLVERS)
def test_the_same_seed_gives_the_same_tree_and_another_another(solver, level):
    one = run(solver, level, seed=7)
    assert_same(one, run(solver, level, seed=7))
    assert table_of(run(solver, level, seed=8).tree) != table_of(one.tree)


@pytest.mark.parametrize("solver", SOLVERS)
def test_many_short_runs_are_one_long_run(solver, level):
    whole, pieces = solver(level), solver(level)
    whole.run(iterations=120, progress=False)
    for n in (1, 1, 1, 50, 7, 60):
        pieces.run(iterations=n, progress=False)
    assert_same(whole, pieces)
    assert_same_record(whole, pieces)


@pytest.mark.parametrize("solver", SOLVERS)
def test_who_goes_back_explains_and_goes_on_comes_to_the_same_end(solver, level):
    whole, wanderer = solver(level), solver(level)
    whole.run(iterations=330, progress=False)
    wanderer.run(iterations=300, progress=False)
    for moment in (3, 250, 0, 216, 101):
        wanderer.goto(moment)
        wanderer.explain(moment + 1)
    wanderer.run(iterations=229, progress=False)
    assert wanderer.last == 330
    assert_same(whole, wanderer)


def test_an_interrupted_search_goes_on_to_the_same_end(level):
    whole, interrupted = run(sv.Schokoban, level), sv.Schokoban(level)

    def interrupt(_progress):
        raise KeyboardInterrupt

    assert interrupted.run(progress=interrupt).stopped_by == "interrupted"
    assert 0 < interrupted.last < whole.last
    assert interrupted.run(progress=False).stopped_by == "solved"
    assert_same(whole, interrupted)


def test_a_search_without_a_journal_finds_the_same(level):
    with_journal, without = run(sv.Schokoban, level), run(sv.Schokoban, level, journal=False)
    assert without.solution == with_journal.solution
    assert table_of(without.tree) == table_of(with_journal.tree)
    with pytest.raises(SearchError, match="journal"):
        without.explore()


# --- solutions -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("preset", ["published", "text", "best"])
@pytest.mark.parametrize("number", range(1, 13))
def test_solutions_solve_and_their_counts_are_right(solver, preset, number):
    search = run(solver, sv.load(f"lessons#{number}"), preset=preset)
    solution, board = search.solution, Board(search.level)
    board.play(solution.lurd)
    assert board.is_solved
    assert (board.n_pushes, board.n_moves) == (solution.pushes, solution.moves)
    assert sum(letter.isupper() for letter in solution.lurd) == solution.pushes


def test_a_result_says_how_the_level_was_solved():
    search = run(sv.Schokoban, sv.load("lessons#1"))
    result = search.result
    assert (result.stopped_by, result.lurd) == ("solved", search.solution.lurd)
    assert "solved in 1 push, the fewest possible, and 1 move after 2 iterations, 3 nodes" in repr(result)
    assert repr(search.solution).startswith("1 push, 1 move: ")


def test_before_its_solution_a_search_has_not_solved_the_level(level):
    search = run(sv.Schokoban, level)
    solved_at = search.steps
    search.goto(solved_at - 1)
    assert (search.result.solution, search.solution is None) == (None, False)
    assert "not solved" in repr(search.result)
    search.goto(solved_at)
    assert search.result.solution == search.solution


def test_after_the_solution_a_run_goes_on(level):
    search = run(sv.Schokoban, level)
    first, solved_at = search.solution, search.last
    result = search.run(iterations=500, progress=False)
    assert (result.stopped_by, result.iterations) == ("iterations", solved_at + 500)
    assert result.solution == first


def test_a_level_that_is_solved_already_needs_no_push():
    search = run(sv.Schokoban, "#####\n#@ *#\n#####")
    assert (search.solution.lurd, search.solution.pushes, search.last) == ("", 0, 1)


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("options", [{}, {"deadlocks": ()}, {"preset": "text"}, {"preset": "best"}])
def test_a_level_without_a_solution_is_proven_unsolvable(solver, options):
    result = solver(AT_THE_WALL, **options).run(progress=False)
    assert (result.stopped_by, result.is_unsolvable, result.solution) == ("unsolvable", True, None)
    assert "proven unsolvable" in repr(result)


def test_nothing_can_be_searched_after_the_proof():
    search = run(sv.Schokoban, NO_WAY)
    last = search.last
    assert search.run(progress=False).stopped_by == "unsolvable"
    for step in (search.step, search.step_phase, search.step_on):
        with pytest.raises(SearchError, match="proven unsolvable"):
            step()
    assert (search.moment, search.last) == ((last, ""), last)
    search.goto(last - 1)
    assert not search.result.is_unsolvable


# --- larger boards, larger trees -------------------------------------------------------------------------------------


@pytest.mark.parametrize("solver", SOLVERS)
def test_boards_of_more_than_64_squares(solver):
    search = run(solver, room((1, 1), (4, 6), (6, 11)), preset="best")
    assert len(search.level.floor) > 64
    assert search.solution.pushes == 7


def test_rows_wider_than_a_word():
    search = run(sv.Schokoban, WIDE)
    assert (search.solution.lurd, search.level.width) == ("rRR", 72)


def test_arrays_grow_several_times_and_nothing_changes():
    whole, pieces = (sv.Vanillaban(HARD) for _ in range(2))
    whole.run(iterations=60_000, nodes=100_000, progress=False)
    capacity = len(whole.engine.arena.sums)
    assert capacity >= 4 * 16_384
    while pieces.last < whole.last:
        pieces.run(iterations=min(7001, whole.last - pieces.last), progress=False)
    assert_same(whole, pieces)
    whole.goto(10)
    assert len(whole.tree) < 100


def test_memory_is_a_limit_that_keeps_the_tree():
    search = sv.Vanillaban(HARD, memory=8_000_000)
    result = search.run(progress=False)
    assert result.stopped_by == "memory"
    assert result.nodes == len(search.tree) > 1000
    assert search.engine.n_bytes <= 8_000_000
    search.goto(result.iterations // 2)
    assert search.explain().number == result.iterations // 2


# --- limits and events -----------------------------------------------------------------------------------------------


def test_nodes_are_a_limit(level):
    search = sv.Schokoban(level)
    result = search.run(nodes=100, progress=False)
    assert result.stopped_by == "nodes"
    assert search.history["nodes"].iloc[-2] < 100 <= result.nodes


def test_a_limit_of_nodes_alone_is_no_limit_of_iterations():
    default = sv.Schokoban.default_limits
    alone, none = make_limits({"nodes": 10}, default=default), make_limits({"nodes": None}, default=default)
    assert (alone.iterations, alone.seconds, alone.nodes) == (None, None, 10)
    assert (none.iterations, none.seconds, none.nodes) == (100_000, None, None)


@pytest.mark.parametrize("nodes", [0, -1, 2.5, "10", True])
def test_what_is_no_number_of_nodes_is_refused(level, nodes):
    with pytest.raises(SearchError, match="number of nodes of 1 or more"):
        sv.Schokoban(level).run(nodes=nodes)


@pytest.mark.parametrize("event", ["tie", "expansion", "deadlock", "duplicate", "move", "elimination", "deeper"])
def test_running_to_an_event_stops_at_the_first_iteration_marked_with_it(level, event):
    search = sv.Schokoban(level)
    assert search.run(until=event, progress=False).stopped_by == "until"
    assert event in search.explain().events
    assert search.history[event].tolist() == [False] * (search.last - 1) + [True]


def test_running_to_the_solution(level):
    search = sv.Schokoban(level)
    assert search.run(until="solution", progress=False).stopped_by == "solved"
    assert "solution" in search.explain().events


def test_an_event_that_these_searches_do_not_have_is_refused(level):
    with pytest.raises(SearchError, match="kind of event"):
        sv.Schokoban(level).run(until="leader")


@pytest.mark.parametrize("limits", [{}, {"nodes": 100}, {"until": "move"}, {"until": "solution"}, {"iterations": 40}])
def test_running_through_the_record_ends_where_it_ended_when_it_was_made(level, limits):
    search = sv.Schokoban(level)
    first = search.run(**limits, progress=False)
    search.run(iterations=1000, progress=False)
    search.goto(0)
    again = search.run(**limits, progress=False)
    assert (again.stopped_by, again.iterations) == (first.stopped_by, first.iterations)


# --- tables and graphs -----------------------------------------------------------------------------------------------


@pytest.fixture
def searched(level):
    search = run(sv.Schokoban, level)
    assert search.history["move"].any()
    assert search.history["elimination"].any()
    return search


def test_history_agrees_with_the_trees_it_is_the_history_of(searched):
    for k in (1, 100, 101, 215, 216, searched.last):
        searched.goto(k)
        row, tree = searched.history.loc[k], searched.tree
        assert (row["nodes"], row["root_value"]) == (len(tree), tree.values[0])


def test_a_table_has_all_nodes_ever_made_and_their_children(searched):
    table, tree = searched.tree.to_frame(), searched.tree
    assert len(table) == len(tree)
    assert table["children"].tolist() == [len(tree.children(node)) for node in range(len(tree))]
    assert {name: table[name[:-1]].tolist() for name in ("parents", "depths", "sums")} == {
        name: table_of(tree)[name] for name in ARRAYS if name in {"parents", "depths", "sums"}
    }


def test_a_graph_has_the_edges_of_the_tree(searched):
    tree, graph = searched.tree, searched.tree.to_networkx()
    edges = {(node, child) for node in range(len(tree)) for child in tree.children(node)}
    assert edges <= set(graph.edges)
    assert all(graph.edges[edge]["action"] == tree.action_name(edge[1]) for edge in edges)
