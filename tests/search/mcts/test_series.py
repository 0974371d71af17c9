"""The course of a search in a few hundred points: whatever the portions in which it grew, it is that of its history."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sokoviz.games.tictactoe import TicTacToe
from sokoviz.search import ticks
from sokoviz.search.contract import Moment
from sokoviz.search.mcts.search import MCTS
from sokoviz.search.mcts.views import series as courses
from tests.games.digits import Digits

portions = st.lists(st.integers(min_value=0, max_value=90), min_size=1, max_size=12)
games = st.sampled_from((TicTacToe, Digits))


@pytest.fixture(autouse=True, scope="module")
def few_points():
    """So few that the stride doubles again and again in short searches."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ticks, "MOST_TICKS", 5)
        patch.setattr(courses, "MOST_POINTS", 7)
        yield


def stretch(n, most):
    """Length of the stretches, by trying."""
    length = 1
    while length * most < n:
        length *= 2
    return length


def naive_ticks(history, kind):
    """The first iteration with a kind of event in each stretch, out of the whole history."""
    length, found = stretch(len(history), 5), dict[int, int]()
    for iteration in history.index[history[kind]]:
        found.setdefault((iteration - 1) // length, int(iteration))
    return list(found.values())


def naive_points(n):
    """The iterations that are charted."""
    return sorted({*range(1, n + 1, stretch(n, 7)), n} - {0})


def assert_is_history(search):
    """Ticks and course of a search that stands at the end are what its whole history says."""
    history = search.history
    ticks, course = search.ticks(), search.course(most=99)
    assert {kind: ticks[kind].tolist() for kind in ticks} == {
        kind: naive_ticks(history, kind) for kind in TicTacToe.events
    }
    at = naive_points(search.last)
    assert course.iterations.tolist() == at
    assert course.nodes.tolist() == history.loc[at, "nodes"].tolist()
    assert course.depth.tolist() == history.loc[at, "depth"].tolist()
    assert course.root_value.tolist() == history.loc[at, "root_value"].tolist()
    assert [child.node for child in course.children] == sorted(set(history["root_child"]) - {-1})
    for child in course.children:
        assert child.visits.tolist() == [int((history.loc[:k, "root_child"] == child.node).sum()) for k in at]


@given(game=games, seed=st.integers(min_value=0, max_value=999), portions=portions)
def test_in_whatever_portions_it_grows_it_is_that_of_the_history(game, seed, portions):
    search = MCTS(game(), seed=seed)
    for portion in portions:
        search.run(iterations=portion, progress=False)
        assert_is_history(search)


@given(before=portions, after=portions, back=st.integers(min_value=0, max_value=30))
def test_it_goes_on_after_loading(tmp_path_factory, before, after, back):
    path = tmp_path_factory.mktemp("saved") / "search.npz"
    saved = MCTS(TicTacToe(), seed=3)
    saved.run(iterations=sum(before), progress=False)
    saved.goto(max(0, saved.last - back))
    saved.save(path)
    search = MCTS.load(path)
    for portion in after:
        search.goto(search.last)
        search.run(iterations=portion, progress=False)
        assert_is_history(search)


def test_the_course_is_that_of_the_record_wherever_the_search_stands():
    search = MCTS(TicTacToe(), seed=8)
    search.run(iterations=100)
    whole = search.course(most=9)
    search.goto(10, "simulation")
    np.testing.assert_equal(search.course(most=9), whole)
    assert search.moment == (10, "simulation")


def test_only_the_children_visited_most_are_charted():
    search = MCTS(TicTacToe(), seed=8)
    search.run(iterations=200)
    visits = search.tree.visits
    children = search.course(most=4).children
    assert len(children) == 4
    assert min(visits[child.node] for child in children) >= sorted(visits[1:10])[-4]
    for child in children:
        assert child.action == search.tree.action_name(child.node)
        assert child.visits[-1] == search.tree_at(Moment(200)).visits[child.node]


def test_points_stay_where_they_are_until_the_stride_doubles():
    search = MCTS(TicTacToe(), seed=8)
    search.run(iterations=9)
    assert search.course(most=1).iterations.tolist() == [1, 3, 5, 7, 9]
    search.run(iterations=1)
    assert search.course(most=1).iterations.tolist() == [1, 3, 5, 7, 9, 10]
    search.run(iterations=5)
    assert search.course(most=1).iterations.tolist() == [1, 5, 9, 13, 15]


def test_only_what_is_new_is_looked_at():
    """The part of the record that was taken in before may as well be gone."""
    search = MCTS(TicTacToe(), seed=8)
    search.run(iterations=60)
    outline = courses.go_on(courses.begin(TicTacToe.events), search.engine.steps)
    search.run(iterations=70)
    steps = search.engine.steps.copy()
    expected = courses.go_on(courses.begin(TicTacToe.events), steps)
    steps[:, :60] = 1 << 40
    np.testing.assert_equal(courses.go_on(outline, steps), expected)


def test_a_refused_iteration_leaves_no_trace():
    from sokoviz.errors import ScriptError
    from sokoviz.search.options import Script

    search = MCTS(TicTacToe(), script=Script(outcomes=[0, 5]))
    with pytest.raises(ScriptError):
        search.run(iterations=5)
    assert_is_history(search)
