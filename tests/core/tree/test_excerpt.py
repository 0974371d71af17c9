"""The part of a tree that is drawn, against a choice and a layout in plain recursion."""

from __future__ import annotations

import math
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sokoviz.core.tree.arena import (
    ELIMINATED,
    NODES,
    PARENT,
    STATUS,
    VISITS,
    add_node,
    append_child,
    begin_block,
    make_arena,
)
from sokoviz.core.tree.excerpt import NO_LIMIT, count_hidden, make_excerpt
from sokoviz.core.tree.formulas import UCT, make_formula
from sokoviz.core.types import NOWHERE

ROOT_ONLY = np.array([0], dtype=np.int64)


# --- trees -----------------------------------------------------------------------------------------------------------


@st.composite
def trees(draw, most=60):
    """A tree as it is in a search: a list of visits and a list of children by node; children come after parents."""
    generator = draw(st.randoms(use_true_random=False))
    visits, children = [generator.randint(0, 200)], [[]]
    for _ in range(draw(st.integers(min_value=0, max_value=12))):
        leaves = [node for node in range(len(visits)) if not children[node]]
        parent = generator.choice(leaves)
        for _ in range(generator.randint(1, 6)):
            if len(visits) < most:
                children[parent].append(len(visits))
                visits.append(generator.randint(0, visits[parent]))
                children.append([])
    return SimpleNamespace(visits=visits, children=children)


def arena_of(tree):
    """The same tree as arrays."""
    arena = make_arena(len(tree.visits) + 1)
    blocks = [node for node in range(len(tree.visits)) if tree.children[node]]
    blocks.sort(key=lambda node: tree.children[node][0])
    for node in blocks:
        begin_block(arena, node)
        for child in tree.children[node]:
            assert add_node(arena, node, 0) == child
            append_child(arena, make_formula(UCT, 1.0), node, child)
    arena.links[VISITS, : len(tree.visits)] = tree.visits
    return arena


def chain(n):
    """A tree that is one line."""
    return SimpleNamespace(visits=[n - i for i in range(n)], children=[[i + 1] for i in range(n - 1)] + [[]])


def fan(n):
    """A root with n children."""
    return SimpleNamespace(visits=[n] + [1] * n, children=[list(range(1, n + 1)), *([] for _ in range(n))])


# --- the twin --------------------------------------------------------------------------------------------------------


def parents_and_depths(tree):
    """Parent and depth of each node."""
    parents, depths = {0: None}, {0: 0}
    for node in range(len(tree.visits)):
        for child in tree.children[node]:
            parents[child], depths[child] = node, depths[node] + 1
    return parents, depths


def naive_choice(tree, must, limit, deepest, fewest, widest):
    """The nodes to draw: all that must be with their ancestors, then always the best of all that hang on them."""
    parents, depths = parents_and_depths(tree)
    shown = set()
    for node in must:
        while node is not None:
            shown.add(node)
            node = parents[node]  # noqa: PLW2901  up to the root
    full = set()
    while len(shown) < limit:
        open_nodes = [
            child
            for node in shown
            for child in tree.children[node]
            if child not in shown and child not in full and depths[child] <= deepest and tree.visits[child] >= fewest
        ]
        if not open_nodes:
            break
        best = min(open_nodes, key=lambda node: (-tree.visits[node], node))
        if sum(depths[node] == depths[best] for node in shown) >= widest:
            full.add(best)
        else:
            shown.add(best)
    return shown


def size(tree, node):
    """Number of nodes from a node downwards."""
    return 1 + sum(size(tree, child) for child in tree.children[node])


def naive_hidden(tree, node, shown):
    """Number of nodes below a node that hang on it without a drawn node between."""
    return sum(size(tree, child) for child in tree.children[node] if child not in shown)


def naive_layout(tree, node, shown):
    """Places of a subtree seen from its own root: a list of (depth, node or its stub, place)."""
    parts = [naive_layout(tree, child, shown) for child in tree.children[node] if child in shown]
    if naive_hidden(tree, node, shown):
        parts.append([(0, ("stub", node), 0.0)])
    placed, places = [], []
    for part in parts:
        place = 0.0 if not placed else max(touching(placed, part))
        places.append(place)
        placed += [(depth, who, place + x) for depth, who, x in part]
    middle = (places[0] + places[-1]) / 2 if places else 0.0
    return [(0, node, 0.0), *((depth + 1, who, x - middle) for depth, who, x in placed)]


def touching(placed, part):
    """How far right a part must go, for each depth that it shares with those already placed."""
    for depth in {entry[0] for entry in placed} & {entry[0] for entry in part}:
        yield max(x for d, _, x in placed if d == depth) - min(x for d, _, x in part if d == depth) + 1.0


def naive_order(tree, node, shown):
    """Drawn nodes, a parent before its children, from left to right."""
    found = [node]
    for child in tree.children[node]:
        if child in shown:
            found += naive_order(tree, child, shown)
    return found


# --- against the twin ------------------------------------------------------------------------------------------------

limits = st.integers(min_value=1, max_value=70)
bounds = st.one_of(st.just(NO_LIMIT), st.integers(min_value=0, max_value=4))
widths = st.one_of(st.just(NO_LIMIT), st.integers(min_value=1, max_value=8))


@settings(max_examples=200)
@given(trees(), st.data(), limits, bounds, st.integers(min_value=0, max_value=60), widths)
def test_nodes_order_and_places_are_those_of_the_twin(tree, data, limit, deepest, fewest, widest):
    must = data.draw(st.lists(st.integers(min_value=0, max_value=len(tree.visits) - 1), max_size=4))
    wanted = np.array([0, *must], dtype=np.int64)
    excerpt = make_excerpt(arena_of(tree), wanted, limit, deepest, fewest, widest)
    shown = naive_choice(tree, [0, *must], limit, deepest, fewest, widest)
    order = naive_order(tree, 0, shown)
    assert excerpt.nodes.tolist() == order
    parents, _ = parents_and_depths(tree)
    assert excerpt.parents.tolist() == [-1, *(order.index(parents[node]) for node in order[1:])]
    assert excerpt.hidden.tolist() == [naive_hidden(tree, node, shown) for node in order]
    places = {who: x for _, who, x in naive_layout(tree, 0, shown)}
    assert excerpt.xs.tolist() == pytest.approx([places[node] for node in order])
    for node, stub in zip(order, excerpt.stub_xs.tolist(), strict=True):
        assert math.isnan(stub) if ("stub", node) not in places else stub == pytest.approx(places["stub", node])


@given(trees(), st.data())
def test_what_is_left_out_is_counted_below_younger_parents_and_without_what_was_eliminated(tree, data):
    """Subtrees that moved may hang below a node with a higher number."""
    numbers = [0, *data.draw(st.permutations(range(1, len(tree.visits))))]
    gone = {node for node in range(1, len(numbers)) if not tree.children[node] and data.draw(st.booleans())}
    drawn = {0}
    for node in range(len(numbers)):  # parents come first here
        if node in drawn:
            drawn |= {child for child in tree.children[node] if child not in gone and data.draw(st.booleans())}
    arena, parents = make_arena(len(numbers) + 1), parents_and_depths(tree)[0]
    arena.counts[NODES] = len(numbers)
    shown, expected = np.zeros(len(numbers), dtype=np.bool_), [0] * len(numbers)
    for node, number in enumerate(numbers):
        arena.links[PARENT, number] = numbers[parents[node]] if node else NOWHERE
        arena.links[STATUS, number] = ELIMINATED if node in gone else 0
        shown[number] = node in drawn
        owner = node
        while owner not in drawn:
            owner = parents[owner]
        expected[numbers[owner]] += node not in gone and node not in drawn
    assert count_hidden(arena, shown).tolist() == expected


# --- what a reader sees ----------------------------------------------------------------------------------------------


@settings(max_examples=100)
@given(trees(), limits)
def test_nothing_is_drawn_over_anything_and_parents_stand_in_the_middle(tree, limit):
    excerpt = make_excerpt(arena_of(tree), ROOT_ONLY, limit, NO_LIMIT, 0)
    _, depths = parents_and_depths(tree)
    rows: dict[int, list[float]] = {}
    below: dict[int, list[float]] = {}
    for index, (node, x, stub) in enumerate(zip(excerpt.nodes, excerpt.xs, excerpt.stub_xs, strict=True)):
        rows.setdefault(depths[int(node)], []).append(x)
        if index:
            below.setdefault(int(excerpt.parents[index]), []).append(x)
        if not math.isnan(stub):
            rows.setdefault(depths[int(node)] + 1, []).append(stub)
    for row in rows.values():
        assert all(right - left >= 1 - 1e-9 for left, right in zip(sorted(row), sorted(row)[1:], strict=False))
    for index, stub in enumerate(excerpt.stub_xs.tolist()):
        children = [*below.get(index, []), *([] if math.isnan(stub) else [stub])]
        assert children == sorted(children)
        if children:
            assert (children[0] + children[-1]) / 2 == pytest.approx(excerpt.xs[index])
    assert excerpt.xs[0] == 0.0


@settings(max_examples=100)
@given(trees(), limits, bounds, st.integers(min_value=0, max_value=60))
def test_what_is_left_out_is_counted_once(tree, limit, deepest, fewest):
    excerpt = make_excerpt(arena_of(tree), ROOT_ONLY, limit, deepest, fewest)
    assert len(excerpt.nodes) + excerpt.hidden.sum() == len(tree.visits)
    assert len(excerpt.nodes) <= max(limit, 1)
    _, depths = parents_and_depths(tree)
    for node in excerpt.nodes[1:].tolist():
        assert depths[node] <= deepest
        assert tree.visits[node] >= fewest


@given(trees(), st.data())
def test_nodes_that_must_be_drawn_are(tree, data):
    must = data.draw(st.lists(st.integers(min_value=0, max_value=len(tree.visits) - 1), max_size=5))
    excerpt = make_excerpt(arena_of(tree), np.array([0, *must], dtype=np.int64), 1, 0, 1000, 1)
    parents, _ = parents_and_depths(tree)
    expected = {0}
    for node in must:
        while node is not None:
            expected.add(node)
            node = parents[node]  # noqa: PLW2901  up to the root
    assert set(excerpt.nodes.tolist()) == expected


@given(trees(), limits)
def test_the_same_tree_gives_the_same_drawing(tree, limit):
    first, second = (make_excerpt(arena_of(tree), ROOT_ONLY, limit, NO_LIMIT, 0) for _ in range(2))
    for mine, yours in zip(first, second, strict=True):
        np.testing.assert_array_equal(mine, yours)


# --- shapes that are easily wrong ------------------------------------------------------------------------------------


def test_a_root_alone():
    excerpt = make_excerpt(arena_of(SimpleNamespace(visits=[5], children=[[]])), ROOT_ONLY, 400, NO_LIMIT, 0)
    assert (excerpt.nodes.tolist(), excerpt.xs.tolist(), excerpt.hidden.tolist()) == ([0], [0.0], [0])


def test_a_line_stands_upright():
    excerpt = make_excerpt(arena_of(chain(300)), ROOT_ONLY, 400, NO_LIMIT, 0)
    assert excerpt.nodes.tolist() == list(range(300))
    assert set(excerpt.xs.tolist()) == {0.0}


def test_a_line_that_is_cut_off():
    excerpt = make_excerpt(arena_of(chain(300)), ROOT_ONLY, 10, NO_LIMIT, 0)
    assert excerpt.hidden.tolist() == [0] * 9 + [290]
    assert excerpt.stub_xs[-1] == 0.0


def test_a_fan_spreads_evenly():
    excerpt = make_excerpt(arena_of(fan(9)), ROOT_ONLY, 400, NO_LIMIT, 0)
    assert excerpt.xs[1:].tolist() == [x - 4.0 for x in range(9)]


def test_a_stub_takes_the_place_of_a_last_child():
    excerpt = make_excerpt(arena_of(fan(9)), ROOT_ONLY, 5, NO_LIMIT, 0)
    assert excerpt.nodes.tolist() == [0, 1, 2, 3, 4]
    assert excerpt.xs.tolist() == [0.0, -2.0, -1.0, 0.0, 1.0]
    assert (excerpt.hidden[0], excerpt.stub_xs[0]) == (5, 2.0)


def test_a_wide_fan_is_cut_at_its_width():
    excerpt = make_excerpt(arena_of(fan(200)), ROOT_ONLY, 400, NO_LIMIT, 0, 90)
    assert len(excerpt.nodes) == 91
    assert excerpt.hidden[0] == 110


def test_subtrees_are_pushed_together_where_they_are_narrow():
    """The second child is a leaf: its neighbour's wide children may spread under it."""
    tree = SimpleNamespace(visits=[9, 6, 1, 2, 2, 2], children=[[1, 2], [3, 4, 5], [], [], [], []])
    excerpt = make_excerpt(arena_of(tree), ROOT_ONLY, 400, NO_LIMIT, 0)
    places = dict(zip(excerpt.nodes.tolist(), excerpt.xs.tolist(), strict=True))
    assert places == {0: 0.0, 1: -0.5, 2: 0.5, 3: -1.5, 4: -0.5, 5: 0.5}


@pytest.mark.clock
@pytest.mark.timeout(60)
def test_a_large_tree_is_chosen_quickly():
    """Twenty thousand nodes, of which four hundred are drawn."""
    n = 20_001
    children = [list(range(10 * node + 1, min(10 * node + 11, n))) for node in range(n)]
    tree = SimpleNamespace(visits=[n // (node + 1) for node in range(n)], children=children)
    excerpt = make_excerpt(arena_of(tree), ROOT_ONLY, 400, NO_LIMIT, 0)
    assert len(excerpt.nodes) == 400
    assert len(excerpt.nodes) + excerpt.hidden.sum() == n
