"""Searches that users write in plain Python: what they note is what there is to see."""

import signal

import pytest

import sokoviz as sv
from sokoviz.errors import SearchError, SearchFileError
from tests.search.plain.plain_searches import BothEnds, Breadth

TINY = "#######\n#     #\n# $$@ #\n# . . #\n#######"
WINDING = """
########
#  .   #
# $##$ #
#  @   #
# .  $ #
#   .  #
########
"""


def solved(kind, level):
    """A search that was run to its end."""
    search = kind(level)
    search.run(progress=False)
    return search


@pytest.mark.parametrize("level", [TINY, WINDING, "#####\n#@$.#\n#####"])
def test_breadth_first_search_finds_the_fewest_pushes(level):
    search = solved(Breadth, level)
    optimal = sv.IDA(level, preset="optimal", memory=1 << 20)
    optimal.run(seconds=60, progress=False)
    assert optimal.result.is_optimal
    assert search.solution
    assert optimal.solution
    assert search.solution.pushes == optimal.solution.pushes
    assert search.result.stopped_by == "solved"


@pytest.mark.parametrize("level", [TINY, WINDING, "#####\n#@$.#\n#####"])
def test_a_search_from_both_ends_gives_a_solution_by_the_rules(level):
    result = solved(BothEnds, level).result
    board = sv.Board(sv.Level.parse(level))
    board.play(result.lurd)
    assert board.is_solved
    assert result.solution.pushes == len(result.line) >= result.lower_bound


def test_a_step_tells_what_was_noted():
    search = Breadth(TINY)
    step = search.step()
    assert (step.number, step.expanded, step.node) == (1, (0,), 0)
    assert [parent for _, parent, _ in step.added] == [-1] + [0] * len(sv.Board(search.level).pushes)
    assert str(step).startswith(f"Step 1: node 0 is expanded and {len(step.added)} nodes added.")
    later = [search.step() for _ in range(9)][-1]
    assert {why for _, _, why in later.rejected} == {"met before"}
    assert f"{len(later.rejected)} successors rejected" in later.sentence
    assert str(later).endswith(": met before")


def test_nodes_are_positions_that_were_expanded():
    search = Breadth(TINY)
    assert search.run(nodes=3, progress=False).nodes == 3
    assert search.run(nodes=2, progress=False).nodes == 5
    assert (search.steps, search.counters) == (5, (5, 5, 5))


def test_a_relinked_node_is_reached_by_the_way_that_is_shorter():
    class Detour(sv.PlainSearch):
        name = "detour"

        def search(self, note):
            root = note.root("start")
            yield
            long = note.add(note.add(root, "a", 1), "b", 2)
            yield
            note.relink(long, root, "c")
            note.solved(long)
            yield

    search = Detour(sv.TicTacToe())
    assert search.run(until="relink", progress=False).stopped_by == "solved"
    assert search.engine.record.line(2) == ("c",)
    assert search.result.line == ("c",)
    assert search.explain(3).relinked == ((2, 0),)
    assert "node 2 goes to node 0" in str(search.explain())


def test_nodes_that_meet_join_the_ways_from_both_ends():
    class Ends(sv.PlainSearch):
        name = "ends"

        def search(self, note):
            start, end = note.root(0), note.root(4)
            one = note.add(start, "0 to 1", 1)
            back = note.add(note.add(end, "3 to 4", 3), "1 to 3", 1)
            note.meet(back, one)
            note.solved(back)
            yield

    result = Ends(sv.TicTacToe()).run(progress=False)
    assert result.line == ("0 to 1", "1 to 3", "3 to 4")
    assert result.solution is None  # no level: nothing that could be replayed


def test_what_is_noted_after_the_last_yield_is_a_step():
    class Last(sv.PlainSearch):
        name = "last"

        def search(self, note):
            note.root(0)
            yield
            note.add(0, "on", 1)

    search = Last(sv.TicTacToe())
    assert search.run(progress=False).stopped_by == "exhausted"
    assert (search.last, len(search.explain(2).added)) == (2, 1)
    with pytest.raises(SearchError, match="nothing is left to search"):
        search.step()


def test_an_end_without_a_solution_is_no_proof():
    search = Breadth("######\n#@   #\n# $$ #\n# ## #\n#. . #\n######")
    result = search.run(progress=False)
    assert (result.stopped_by, result.is_unsolvable, result.solution) == ("exhausted", False, None)
    assert "nothing is left to search" in repr(result)


@pytest.mark.parametrize(
    ("verb", "arguments"),
    [("add", (5, "a", 0)), ("expand", (-1,)), ("reject", ("0", "a", "b")), ("relink", (0, 7)), ("meet", (0, 9))],
)
def test_a_node_that_there_is_not_is_refused(verb, arguments):
    class Wrong(sv.PlainSearch):
        name = "wrong"

        def search(self, note):
            note.root(0)
            yield
            getattr(note, verb)(*arguments)
            yield

    search = Wrong(sv.TicTacToe())
    with pytest.raises(SearchError, match="expected a node from 0 to 0"):
        search.run(progress=False)
    assert search.last == search.steps == 1
    with pytest.raises(SearchError, match="failed in step 2: SearchError: expected a node"):
        search.step()


def test_a_node_never_hangs_below_itself():
    note = sv.Note()
    child = note.add(note.root(0), "a", 1)
    with pytest.raises(SearchError, match="not below the node itself, found 1 below 0"):
        note.relink(0, child)


def test_an_error_in_a_step_keeps_the_steps_before_and_forgets_what_was_noted_of_it():
    class Broken(sv.PlainSearch):
        name = "broken"

        def search(self, note):
            note.root(0)
            yield
            note.add(0, "a", 1)
            raise ZeroDivisionError

    search = Broken(sv.TicTacToe())
    with pytest.raises(ZeroDivisionError):
        search.run(progress=False)
    assert (search.last, len(search.engine.record.nodes), search.explain().added) == (1, 1, ((0, -1, None),))


def test_an_interrupt_in_a_step_waits_for_its_yield():
    class Interrupted(sv.PlainSearch):
        name = "interrupted"

        def search(self, note):
            node = note.root(0)
            while True:
                node = note.add(node, "on", 0)
                signal.raise_signal(signal.SIGINT)
                note.expand(node)
                yield

    search = Interrupted(sv.TicTacToe())
    assert search.run(progress=False).stopped_by == "interrupted"
    made = search.last
    assert made >= 1
    assert search.explain(made).expanded
    assert search.run(progress=False).stopped_by == "interrupted"
    assert search.last > made


def test_a_step_that_never_ends_can_be_interrupted_again(monkeypatch):
    from sokoviz.search import interrupts

    class Endless(sv.PlainSearch):
        name = "endless"

        def search(self, note):
            note.root(0)
            yield
            while True:
                signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(interrupts, "MOST_PATIENCE", 0.0)
    search = Endless(sv.TicTacToe())
    assert search.run(progress=False).stopped_by == "interrupted"
    with pytest.raises(SearchError, match="failed in step 2: KeyboardInterrupt"):
        search.step()


def test_a_file_is_refused_by_another_class(tmp_path):
    search = solved(Breadth, TINY)
    search.save(tmp_path / "search")
    assert Breadth.load(tmp_path / "search").result.lurd == search.result.lurd
    with pytest.raises(SearchFileError, match="a search called 'greedy from both ends', found 'breadth first'"):
        BothEnds.load(tmp_path / "search")


def test_a_file_of_a_search_that_was_written_anew_since_is_refused(tmp_path):
    class Other(Breadth):
        def search(self, note):
            note.root(0)
            yield

    solved(Breadth, TINY).save(tmp_path / "search")
    with pytest.raises(SearchFileError, match="found that it does something else"):
        Other.load(tmp_path / "search")


def test_ends_are_all_positions_that_solve_a_level():
    for level in (TINY, WINDING):
        board = sv.Board(sv.Level.parse(level))
        for end in board.ends:
            assert end.is_solved
        components = [end.component for end in board.ends]
        assert frozenset().union(*components) == board.level.floor - set(board.level.goals)
        assert sum(map(len, components)) == len(frozenset().union(*components))


def test_a_pull_is_undone_by_its_push():
    board = sv.Board(sv.Level.parse(TINY))
    for end in board.ends:
        for pull in end.pulls:
            before = end.before(pull)
            assert pull.back in before.pushes
            assert before.after(pull.back).key == end.key
            assert pull.back.back == pull
    with pytest.raises(sv.MoveError, match="a pull that the player can do"):
        board.ends[0].before(sv.Board(board.level).pushes[0])


@pytest.mark.parametrize("make", [lambda: Breadth(TINY), lambda: sv.BFS(TINY)])
def test_a_search_that_has_no_explorer_says_so(make, tmp_path):
    search = make()
    search.run(steps=3, progress=False)
    for show in (search.explore, lambda: search.export(tmp_path / "page.html")):
        with pytest.raises(SearchError, match="expected a search with an explorer, found breadth"):
            show()
    assert (search.steps, list(tmp_path.iterdir())) == (3, [])
