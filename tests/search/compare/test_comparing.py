"""Searches side by side: figures against plain counting, and the first difference against reading both records."""

import numpy as np
import pytest

import sokoviz as sv
from sokoviz.core.tree import journal_counts as kernels
from sokoviz.search.compare.comparing import Comparison
from sokoviz.search.compare.first_difference import Difference
from sokoviz.search.compare.settings import names_of
from sokoviz.search.contract import Moment
from sokoviz.search.mcts.views.position_counts import PositionCounts
from tests.search.schokoban.schokobans import IN_AND_OUT, IN_AND_OUT_OPTIONS

pytestmark = pytest.mark.kernels

NO_WAY = "######\n#@ $ #\n#  #.#\n######"


def pair(number=7, iterations=400, *, first=None, second=None):
    """Schokoban and Vanillaban on a lesson, with options of their own, run until they are solved."""
    level = sv.load(f"lessons#{number}")
    searches = sv.Schokoban(level, **(first or {})), sv.Vanillaban(level, **(second or {}))
    for search in searches:
        search.run(iterations=iterations, progress=False)
    return searches


def hanging(tree):
    """Nodes that are reached from the root, by networkx; eliminated ones are in no list of children."""
    import networkx as nx

    graph = nx.DiGraph((node, child) for node in range(len(tree)) for child in tree.children(node))
    graph.add_node(0)
    return sorted({0} | nx.descendants(graph, 0))


def position(search, tree, node):
    """What makes two positions the same: the boxes, and the squares that the player reaches."""
    board = search.game.board(tree.state(node))
    return board.boxes, frozenset(board.component)


def naive_redundant(search, iteration):
    """Nodes whose position an earlier node in the tree has, and how many positions there are."""
    tree = search.tree_at(Moment(iteration))
    seen, redundant = set(), set()
    for node in hanging(tree):
        place = position(search, tree, node)
        if place in seen:
            redundant.add(node)
        seen.add(place)
    return redundant, len(seen)


# --- figures ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("number", "options"), [(7, {}), (5, {"preset": "text"}), (12, {"preset": "best"}), (7, {"late": True, "c": 1.0})]
)
def test_figures_are_those_of_plain_counting(number, options):
    searches = pair(number, 150, first=options, second=options)
    comparison = Comparison(*searches)
    for clock in (0, 1, 2, 33, 60, comparison.last):
        for index, (search, figures) in enumerate(zip(searches, comparison.figures(clock), strict=True)):
            at = min(clock, search.last)
            tree = search.tree_at(Moment(at))
            redundant, n_positions = naive_redundant(search, at)
            assert (figures.iteration, figures.nodes, figures.in_tree) == (at, len(tree), len(hanging(tree)))
            assert (figures.distinct, figures.redundant) == (n_positions, len(redundant))
            assert figures.eliminated == len(tree) - len(hanging(tree))
            assert set(np.flatnonzero(comparison.redundant(index, clock))) == redundant


def test_the_best_reward_and_the_solution_are_those_of_the_iterations():
    searches = pair()
    comparison = Comparison(*searches)
    for search, index in zip(searches, (0, 1), strict=True):
        best = None
        for k in range(1, search.last + 1):
            iteration = search.explain(k)
            if iteration.simulation:
                reward = iteration.simulation.reward
                best = reward if best is None else max(best, reward)
            assert comparison.figures(k)[index].best_reward == best
        assert best == 0
        assert comparison.figures(search.last)[index].solved_at == search.last
        assert comparison.figures(search.last - 1)[index].solved_at is None


def test_schokoban_has_no_redundant_nodes_and_vanillaban_has():
    first, second = Comparison(*pair()).figures()
    assert first.redundant == 0
    assert second.redundant == second.in_tree - (second.distinct or 0) > 100


def test_a_search_that_ended_stands_still():
    searches = pair()
    comparison = Comparison(*searches)
    assert searches[0].last < searches[1].last == comparison.last
    first = comparison.figures(searches[0].last)[0]
    assert comparison.figures()[0] == first
    assert comparison.ending(0) == "solved"


def test_counts_go_on_where_the_record_does():
    level = sv.load("lessons#7")
    searches = sv.Schokoban(level), sv.Vanillaban(level)
    comparison = Comparison(*searches)
    for n in (1, 1, 7, 40, 200):
        for search in searches:
            search.run(iterations=n, progress=False)
        comparison.figures()
    again = Comparison(*searches)
    for clock in range(0, comparison.last + 1, 9):
        assert comparison.figures(clock) == again.figures(clock)
        assert [list(comparison.redundant(i, clock)) for i in (0, 1)] == [
            list(again.redundant(i, clock)) for i in (0, 1)
        ]


def test_looking_moves_no_search():
    searches = pair()
    searches[0].goto(10, "selection")
    comparison = Comparison(*searches)
    comparison.figures(200)
    comparison.alike(1, 3, 100)
    assert comparison.first_difference
    assert [search.moment for search in searches] == [(10, "selection"), (searches[1].last, "")]


def test_the_course_holds_the_same_figures():
    comparison = Comparison(*pair(iterations=2000))
    for index, search in enumerate(comparison.searches):
        course = comparison.course(index)
        assert course.distinct is not None
        assert (course.iterations[0], course.iterations[-1]) == (0, search.last)
        for at, in_tree, distinct in zip(course.iterations, course.in_tree, course.distinct, strict=True):
            figures = comparison.figures(int(at))[index]
            assert (figures.in_tree, figures.distinct) == (in_tree, distinct)


def test_bare_searches_have_a_root():
    comparison = Comparison(sv.Schokoban(NO_WAY), sv.Vanillaban(NO_WAY))
    assert [(each.nodes, each.distinct, each.best_reward) for each in comparison.figures()] == [(1, 1, None)] * 2
    assert comparison.first_difference is None
    assert [list(comparison.course(0).iterations), comparison.ending(0)] == [[0], ""]


def test_an_eliminated_root_leaves_nothing():
    search, other = sv.Schokoban(NO_WAY), sv.Vanillaban(NO_WAY)
    search.run(progress=False)
    comparison = Comparison(search, other)
    figures = comparison.figures()[0]
    assert (figures.in_tree, figures.distinct, figures.redundant) == (0, 0, 0)
    assert comparison.ending(0) == "unsolvable"


def test_moves_of_subtrees_change_no_count():
    search, other = sv.Schokoban(IN_AND_OUT, **IN_AND_OUT_OPTIONS), sv.Vanillaban(IN_AND_OUT)  # type: ignore[arg-type]
    search.run(iterations=37, progress=False)
    comparison = Comparison(search, other)
    before, after = (comparison.figures(k)[0] for k in (36, 37))
    expansion = search.explain(37).expansion
    assert expansion is not None
    assert expansion.moved
    n_gone = after.eliminated - before.eliminated
    assert after.distinct == after.in_tree == before.in_tree + len(expansion.added) - n_gone


def test_other_games_have_fewer_figures():
    searches = [sv.MCTS(sv.TicTacToe(), c=c) for c in (1, 2)]
    for search in searches:
        search.run(iterations=300, progress=False)
    comparison = Comparison(*searches)
    figures = comparison.figures(120)
    assert [(each.distinct, each.redundant, each.best_reward) for each in figures] == [(None, None, None)] * 2
    assert [each.nodes for each in figures] == [len(search.tree_at(Moment(120))) for search in searches]
    assert list(comparison.table().index) == ["nodes", "depth", "root value"]
    assert not comparison.redundant(0, 100).any()


# --- positions -------------------------------------------------------------------------------------------------------


def test_positions_are_told_apart_however_they_arrive():
    keys = np.random.default_rng(1).integers(0, 40, 300).astype(np.uint64)
    firsts = [int(np.flatnonzero(keys == key)[0]) for key in keys]
    for cuts in ([], [1], [10, 11, 200], list(range(1, 300))):
        positions = PositionCounts()
        for part in np.split(keys, cuts):
            positions.take_in(part)
        assert positions.first_of.tolist() == firsts


def test_the_kernel_counts_what_a_set_counts():
    rng = np.random.default_rng(2)
    first_of = np.array([0, 0, 2, 0, 4, 2, 6, 4], dtype=np.int64)
    rows = [
        (0, 0, 1, 3),
        (1, 1, -5, 0),
        (0, 2, 4, 4),
        (1, 5, -3, 0),
        (4, 5, 2, 0),
        (4, 3, 0, 0),
        (2, 1, 0, 0),
        (4, 2, 0, 0),
    ]
    events, standing = np.array(rows, dtype=np.int32), np.zeros(8, dtype=np.int64)
    standing[0] = 1
    tally = np.array([1, 0, kernels.NO_REWARD_YET])
    ends = np.sort(rng.permutation(np.arange(1, 9)))
    out = np.empty((3, 8), dtype=np.int64)
    kernels.count_on(events, ends, 0, first_of, standing, tally, out)
    assert out[kernels.DISTINCT].tolist() == [2, 2, 4, 4, 4, 4, 4, 3]
    assert out[kernels.ELIMINATED].tolist() == [0, 0, 0, 0, 1, 2, 2, 3]
    assert out[kernels.BEST].tolist()[1:] == [-5, -5, -3, -3, -3, -3, -3]


def test_alike_nodes_have_the_same_position_in_all_trees():
    searches = pair()
    comparison = Comparison(*searches)
    trees = [search.tree for search in searches]
    for node in (0, 10, 57, 200):
        wanted = position(searches[1], trees[1], node)
        for search, tree, found in zip(searches, trees, comparison.alike(1, node, comparison.last), strict=True):
            assert list(found) == [each for each in hanging(tree) if position(search, tree, each) == wanted]


def test_elsewhere_nodes_are_alike_that_the_same_moves_lead_to():
    searches = [sv.MCTS(sv.TicTacToe(), c=c) for c in (1, 2)]
    for search in searches:
        search.run(iterations=400, progress=False)
    first, second = (search.tree for search in searches)
    for node in range(len(first)):
        found = Comparison(*searches).alike(0, node, 400)[1]
        lines = [each for each in range(len(second)) if second.line(each) == first.line(node)] if node < 60 else found
        assert list(found) == list(lines)
        assert all(second.line(each) == first.line(node) for each in found)


def test_lines_to_nodes_at_any_moment():
    comparison = Comparison(*pair())
    tree = comparison.searches[0].tree_at(Moment(100))
    assert comparison.line(0, 33, 100) == tuple(int(tree.actions[node]) for node in tree.path(33)[1:])
    with pytest.raises(sv.SearchError, match="expected a node from 0 to"):
        comparison.line(0, 9999, 100)


# --- events ----------------------------------------------------------------------------------------------------------


def test_the_next_event_is_the_nearest_of_all_records():
    comparison = Comparison(*pair())
    frames = [search.history for search in comparison.searches]
    for kind in ("move", "elimination", "duplicate", "solution"):
        at = sorted({int(k) for frame in frames for k in frame.index[frame[kind]]})
        for done in (0, 50, 170, comparison.last):
            assert comparison.next_event(kind, done) == next((k for k in at if k > done), None)


def test_the_next_redundant_node_is_where_their_number_grows():
    comparison = Comparison(*pair())
    n = [comparison.figures(k)[1].redundant or 0 for k in range(comparison.last + 1)]
    for done in (0, 6, 7, 100, comparison.last):
        grows = (k for k in range(done + 1, len(n)) if n[k] > n[k - 1])
        assert comparison.next_event("redundant", done) == next(grows, None)


# --- the first difference --------------------------------------------------------------------------------------------


def deeds(search, k):
    iteration = search.explain(k)
    grown, told = iteration.expansion, iteration.simulation
    expansion = grown and (grown.added, grown.actions, grown.moved)
    return iteration.path, expansion, told and (told.node, told.reward), iteration.elimination


def naive_difference(searches):
    for k in range(1, min(search.last for search in searches) + 1):
        if len({deeds(search, k) for search in searches}) > 1:
            return k
    return None


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ({}, {}),
        ({}, {"seed": 2}),
        ({"seed": 3}, {"seed": 4}),
        ({}, {"c": 2.0}),
        ({}, {"deadlocks": ()}),
        ({}, {"deadlocks": ("locking tile",)}),
        ({}, {"distance": "push"}),
        ({}, {"late": True}),
    ],
)
@pytest.mark.parametrize("solver", [sv.Schokoban, sv.Vanillaban])
def test_the_first_difference_is_that_of_reading_both_records(solver, first, second):
    level = sv.load("lessons#5")
    searches = solver(level, **first), solver(level, **second)
    for search in searches:
        search.run(iterations=120, progress=False)
    found = Comparison(*searches).first_difference
    assert (found and found.iteration) == naive_difference(searches)
    assert (found is None) == (first == second)


def test_children_that_come_by_other_pushes_are_a_difference():
    # Both leave out one of two successors, but not the same.
    text = "#######\n#.    #\n# $@$ #\n#    .#\n#######"
    searches = sv.Schokoban(text, deadlocks=("locking tile",)), sv.Schokoban(text, deadlocks=())
    for search in searches:
        search.run(iterations=60, progress=False)
    found = Comparison(*searches).first_difference
    assert (found and found.iteration) == naive_difference(searches)


def test_iterations_that_change_nothing_are_a_difference_where_they_end_at_other_leaves():
    # Both stall from the fourth iteration on, and neither leaves an event behind.
    text = "#####\n#@ .#\n# $##\n# .$#\n#####"
    searches = [sv.Vanillaban(text, stall=True, c=c, deadlocks=()) for c in (8.0, 0.1)]
    for search in searches:
        search.run(iterations=30, progress=False)
    found = Comparison(*searches).first_difference
    assert found is not None
    assert (found.iteration, found.phase) == (naive_difference(searches), "selection")
    assert not len(searches[0].engine.events_of(found.iteration)[1])


def test_actions_are_compared_where_events_are_the_same():
    from sokoviz.core.tree.arena import ACTION
    from sokoviz.search.compare.first_difference import first_different

    level = sv.load("lessons#7")
    searches = sv.Vanillaban(level), sv.Vanillaban(level)
    for search in searches:
        search.run(iterations=100, progress=False)
    assert first_different(*searches) is None
    node = int(searches[0].tree_at(Moment(40)).parents.shape[0])  # the first that is made after iteration 40
    made = next(k for k in range(41, 101) if len(searches[0].tree_at(Moment(k))) > node)
    searches[1].engine.arena.links[ACTION, node] += 1
    assert first_different(*searches) == made


def test_schokoban_and_vanillaban_part_ways_at_the_first_position_that_is_met_again():
    searches = pair()
    found = Comparison(*searches).first_difference
    assert found is not None
    assert (found.iteration, found.phase) == (7, "expansion")
    assert found.iteration == naive_difference(searches)
    told = dict(found.told)
    assert "already in the tree and not nearer" in told["Schokoban"]
    assert "5 new children, nodes 10 to 14" in told["Vanillaban"]
    assert repr(found).startswith("The searches differ first in the expansion of iteration 7.\n  Schokoban: Node 3")


def test_searches_that_were_alike_may_part_ways_later():
    level = sv.load("lessons#7")
    searches = sv.Schokoban(level), sv.Vanillaban(level)
    comparison = Comparison(*searches)
    for search in searches:
        search.run(iterations=6, progress=False)
    assert comparison.first_difference is None
    searches[0].run(iterations=100, progress=False)
    assert comparison.first_difference is None  # one record ends there
    searches[1].run(iterations=100, progress=False)
    found: object = comparison.first_difference
    assert isinstance(found, Difference)
    assert found.iteration == 7


def test_of_several_searches_the_first_that_leaves_the_others_counts():
    level = sv.load("lessons#7")
    searches = sv.Schokoban(level), sv.Schokoban(level), sv.Vanillaban(level), sv.Schokoban(level, seed=5)
    for search in searches:
        search.run(iterations=50, progress=False)
    found = Comparison(*searches).first_difference
    assert found is not None
    assert found.iteration == naive_difference(searches)
    assert len(found.told) == 4


# --- names and refusals ----------------------------------------------------------------------------------------------


def names(*searches):
    return list(names_of(searches))


def test_searches_are_named_by_what_tells_them_apart():
    solvers = sv.Schokoban(NO_WAY), sv.Vanillaban(NO_WAY)
    assert names(*solvers) == ["Schokoban", "Vanillaban"]
    assert Comparison(*solvers).differing == ("solver",)
    assert names(sv.Schokoban(NO_WAY), sv.Schokoban(NO_WAY, c=2)) == ["Schokoban · c = 8", "Schokoban · c = 2"]
    assert names(sv.Schokoban(NO_WAY), sv.Schokoban(NO_WAY)) == ["Schokoban (1)", "Schokoban (2)"]
    assert names(sv.Schokoban(NO_WAY), sv.Vanillaban(NO_WAY, seed=2)) == ["Schokoban · seed 1", "Vanillaban · seed 2"]
    late = sv.Schokoban(NO_WAY, late=True, deadlocks=(), distance="push", selection="uct")
    assert names(sv.Schokoban(NO_WAY), late)[1] == "Schokoban · UCT, deadlocks: none, late, push distance"


def test_a_comparison_is_a_table_of_text():
    lines = repr(Comparison(*pair())).splitlines()
    assert lines[0] == "Schokoban and Vanillaban on Level lessons#7 'Four in a square', 8 x 7, 4 boxes"
    assert lines[1].split() == ["after", "iteration", "365", "of", "365", "Schokoban", "Vanillaban"]
    assert lines[5].split() == ["redundant", "nodes", "0", "444"]
    assert len({len(line) for line in lines[1:]}) == 1


def test_what_cannot_be_compared_is_refused():
    search = sv.Schokoban(NO_WAY)
    with pytest.raises(sv.SearchError, match="expected two searches or more, found 1"):
        Comparison(search)
    with pytest.raises(sv.SearchError, match="found the same one twice"):
        Comparison(search, search)
    with pytest.raises(sv.SearchError, match=r"one level and position, found Level, 6 x 4, 1 box and Level lessons#7"):
        Comparison(search, sv.Schokoban(sv.load("lessons#7")))
    with pytest.raises(sv.SearchError, match="of one level and position"):
        Comparison(search, sv.MCTS(sv.TicTacToe()))
    with pytest.raises(sv.SearchError, match="found journal=False"):
        Comparison(search, sv.Vanillaban(NO_WAY, journal=False))
    with pytest.raises(sv.SearchError, match="expected searches such as Schokoban"):
        Comparison(search, NO_WAY)  # type: ignore[arg-type]


def test_moments_outside_the_clock_are_refused():
    comparison = Comparison(*pair())
    for wrong in (-1, comparison.last + 1):
        with pytest.raises(sv.SearchError, match=f"expected an iteration from 0 to 365.*found {wrong}"):
            comparison.figures(wrong)
