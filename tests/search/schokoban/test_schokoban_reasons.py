"""Why a successor became no child is what the kernel noted, made again: the rule that decided, and no other."""

from collections import Counter

import pytest

import sokoviz as sv
from sokoviz.games.rules import legal_actions
from sokoviz.search.options import DEADLOCK_TESTS

# Levels that a few hundred iterations do not solve, with dead ends of many kinds.
LEVELS = (
    "##########\n#        #\n# $ $  $ #\n#   $    #\n# $    $ #\n#    @   #\n#..... . #\n#        #\n##########",
    "###########\n#   #     #\n# $ # $   #\n#   $  ## #\n##   $ #  #\n# $  @ ...#\n#   ##  ..#\n###########",
    "############\n#   #      #\n# $ # $ #  #\n#   ##$ # .#\n# $      ..#\n#  ## # #..#\n# $   @    #\n############",
)
N = 1000  # iterations of each
FEWEST = 1800  # successors of a preset that are compared

# In the order in which the kernel asks them. Those that look for long are asked last, with means of their own.
SAME_ON_BOARDS = ("locking tile", "wall sweep", "wall run", "locked boxes", "no push")


def first_rule(board, chosen):
    """The first rule that finds a position dead, of those that a board has just as the kernel has them."""
    return next((rule for rule in SAME_ON_BOARDS if rule in chosen and board.deadlock(rule)), None)


def check_left_out(search, iteration, seen):
    """Compare what is told of each successor that is left out with the rules, and with the tree before."""
    search.goto(iteration.number - 1)
    game, leaf, pushing = search.game, iteration.leaf, search.settings.pushing
    state, tree = search.state(leaf), search.tree
    for each in iteration.expansion.left_out:
        seen[each.reason] += 1
        after = state.copy()
        game.play(game.tables, after, each.number)
        board = game.board(after)
        if each.reason in {"in the tree", "on the path"}:
            if each.node < len(tree):
                assert game.board(search.state(each.node)).key == board.key
                assert each.known_depth == tree.depths[each.node]
            else:
                assert each.node in iteration.expansion.added
        elif each.reason == "a closed area comes first":
            assert each.number not in game.first_pushes(state)
        elif each.reason != "eliminated before":
            assert each.reason in pushing.deadlocks
            expected = first_rule(board, pushing.deadlocks)
            assert each.reason == (expected or each.reason)
            assert (expected is None) == (each.reason not in SAME_ON_BOARDS)


@pytest.mark.parametrize(
    ("solver", "options"),
    [
        (sv.Schokoban, {"preset": "published"}),
        (sv.Schokoban, {"preset": "text"}),
        (sv.Schokoban, {"preset": "best"}),
        (sv.Vanillaban, {"preset": "published", "stall": True}),
        (sv.Vanillaban, {"preset": "best", "inward": False}),
    ],
)
def test_what_is_told_of_a_successor_is_what_the_kernel_decided_by(solver, options):
    seen = Counter[str]()
    for level in LEVELS:
        search = solver(level, seed=2, **options)
        search.run(iterations=N, progress=False)
        for number in range(1, search.last + 1):
            iteration = search.explain(number)
            if iteration.expansion is not None:
                check_left_out(search, iteration, seen)
    assert sum(seen.values()) >= FEWEST
    assert len(seen) >= (1 if options["preset"] == "text" else 2)  # the text looks for deadlocks later
    assert set(seen) <= {
        *DEADLOCK_TESTS,
        "in the tree",
        "on the path",
        "eliminated before",
        "a closed area comes first",
    }


def test_every_successor_is_a_child_or_is_told_of():
    search = sv.Schokoban(LEVELS[0], preset="best", seed=3)
    search.run(iterations=400, progress=False)
    for number in range(1, search.last + 1):
        expansion, leaf = search.explain(number).expansion, search.explain(number).leaf
        if expansion is None:
            continue
        search.goto(number - 1)
        actions = sorted(legal_actions(search.game, search.state(leaf)))
        children = [*expansion.added, *(move.node for move in expansion.moved)]
        told = [each.number for each in expansion.left_out]
        assert len(told) + len(children) == len(actions) == len({*told}) + len(children)


@pytest.mark.parametrize("preset", ["published", "text"])
def test_later_a_node_is_told_of_as_when_it_was_expanded_and_of_children_that_have_gone_since(preset):
    n_gone, n_same = Counter[str](), 0
    for level in LEVELS:
        search = sv.Schokoban(level, preset=preset, seed=3)
        search.run(iterations=N, progress=False)
        search.run(iterations=N, progress=False)
        tree = search.tree
        for node in range(0, len(tree), 3):
            number = search.engine.expanded_in(node)
            told = search.left_out(node)
            if number is None or not len(tree.children(node)):
                assert told == ()
                continue
            expansion = search.explain(number).expansion
            assert expansion is not None
            then = {each.number: each for each in expansion.left_out}
            for each in told:
                if each.number in then:
                    assert each == then[each.number]
                    n_same += 1
                else:
                    n_gone[each.reason] += 1
                    assert each.reason in {"eliminated since", "in the tree"}
    assert n_same > 100
    assert "eliminated since" in n_gone
    assert preset == "text" or "in the tree" in n_gone


def test_asking_for_reasons_leaves_the_search_where_it_is():
    search = sv.Schokoban(LEVELS[0], seed=3)
    search.run(iterations=300, progress=False)
    search.goto(200)
    before = search.result, search.tree.to_frame()
    for node in range(20):
        search.left_out(node)
    assert search.result == before[0]
    assert search.tree.to_frame().equals(before[1])
    search.goto(300)
    straight = sv.Schokoban(LEVELS[0], seed=3)
    straight.run(iterations=350, progress=False)
    search.run(iterations=50, progress=False)
    assert list(search.deeds()) == list(straight.deeds())


def test_a_node_that_is_eliminated_late_names_the_rule_that_found_it_dead():
    search = sv.Schokoban(LEVELS[0], preset="text", seed=1)
    search.run(iterations=400, progress=False)
    n_dead = 0
    for number in range(1, search.last + 1):
        iteration = search.explain(number)
        if iteration.dead_by:
            search.goto(number - 1, "backpropagation")
            assert isinstance(search.game, sv.Sokoban)
            board = search.game.board(search.state(iteration.simulated))
            assert iteration.dead_by == first_rule(board, search.settings.pushing.deadlocks)
            assert iteration.elimination[0] == iteration.simulated
            n_dead += 1
        elif iteration.simulation and iteration.elimination:
            assert iteration.elimination[0] != iteration.simulated
    assert n_dead > 20
