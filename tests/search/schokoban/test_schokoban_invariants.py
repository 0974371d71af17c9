"""What holds in a tree of Sokoban positions after every iteration, whatever moved and whatever was eliminated."""

from __future__ import annotations

from collections import Counter
from random import Random

import numpy as np
import pytest

from sokoviz.core.tree.arena import ACTION, COUNT, DEPTH, ELIMINATED, FIRST, PARENT, PLACE, STATUS, VALUE, VISITS
from sokoviz.core.tree.node_table import LOW
from sokoviz.core.types import NOWHERE
from tests.search.schokoban.schokobans import IN_AND_OUT, IN_AND_OUT_OPTIONS, engine_of, events_of, random_case
from tests.twins import naive
from tests.worlds import random_text

pytestmark = pytest.mark.kernels


class Watched:
    """An engine beside what is known of its nodes from its events alone: own rewards and positions."""

    def __init__(self, text, chosen):
        self.engine = engine_of(text, **chosen)
        self.once = chosen.get("repeats", "once") == "once"
        rows = self.engine.game.level.rows
        self.floor, _, boxes, player = naive.read("\n".join(rows))
        self.width = len(rows[0])
        self.states = [naive.key(self.floor, boxes, player)]
        self.own_visits, self.own_sums = [0], [0]
        self.seen = Counter[str]()

    def step(self):
        """Make an iteration and take its events in; whether there was one."""
        before = self.engine.last
        reason = self.engine.advance(1)
        if self.engine.last == before:
            return False
        self.seen[reason] += 1
        for event in events_of(self.engine, self.engine.last):
            self.seen[event[0]] += 1
            getattr(self, event[0])(*event[1:])
        return True

    def added(self, parent, first, count):
        """Nodes came: their numbers go on, and their positions follow from that of their parent."""
        assert first == len(self.states)
        for node in range(first, first + count):
            self.states.append(self.after(parent, int(self.engine.arena.links[ACTION, node])))
        self.own_visits += [0] * count
        self.own_sums += [0] * count

    def passed(self, node, reward):
        """A node was simulated."""
        self.own_visits[node] += 1
        self.own_sums[node] += reward

    def moved(self, node, former, place, parent, before, action):
        """A subtree moved: it still stands for the same positions."""
        del former, place, before
        assert self.after(parent, action) == self.states[node]

    def removed(self, node, parent, place):
        """A node was eliminated."""

    def after(self, node, action):
        """The equivalence state after a push."""
        push = divmod(action >> 2, self.width), "udlr"[action & 3]
        boxes, player = self.states[node]
        assert push in naive.pushes(self.floor, boxes, player)
        return naive.key(self.floor, *naive.after_push(boxes, push))

    @property
    def links(self):
        """Rows of the arena, int32[8, n]."""
        return self.engine.arena.links[:, : self.engine.n_nodes]

    @property
    def is_alive(self):
        """Whether each node was not eliminated, bool[n]."""
        return self.links[STATUS] & ELIMINATED == 0


def assert_blocks_agree(watched):
    """Every node that is alive but the root stands once, in the block of its parent; no other node stands anywhere."""
    links, arena = watched.links, watched.engine.arena
    parents = np.repeat(np.arange(len(links[0])), links[COUNT])
    starts = np.cumsum(links[COUNT]) - links[COUNT]
    slots = np.arange(len(parents)) - np.repeat(starts, links[COUNT]) + np.repeat(links[FIRST], links[COUNT])
    assert len(np.unique(slots)) == len(slots)
    children = arena.children[slots]
    np.testing.assert_array_equal(links[PARENT, children], parents)
    alive = np.flatnonzero(watched.is_alive)
    np.testing.assert_array_equal(np.sort(children), alive[alive > 0])
    assert watched.is_alive[parents].all()


def assert_depths_agree(watched):
    """A node is one deeper than its parent."""
    links, below = watched.links, np.flatnonzero(watched.is_alive)[1:]
    np.testing.assert_array_equal(links[DEPTH, below], links[DEPTH, links[PARENT, below]] + 1)
    assert links[DEPTH, 0] == 0


def assert_statistics_agree(watched):
    """The law of visits: visits = own simulations + visits of all nodes whose parent it is, the eliminated included.

    It holds for every node, alive or not, because an eliminated node keeps its parent and its visits, and a subtree
    that moves takes those of the eliminated nodes below it along. The same holds for the sums of rewards.
    """
    links, sums = watched.links, watched.engine.arena.sums[: len(watched.links[0])]
    for numbers, own in ((links[VISITS], watched.own_visits), (sums, watched.own_sums)):
        expected = np.array(own, dtype=np.int64)
        np.add.at(expected, links[PARENT, 1:], numbers[1:])
        np.testing.assert_array_equal(numbers, expected)
    assert links[VISITS, 0] == watched.seen["passed"]
    values = np.full(len(sums), np.inf)
    np.divide(sums, links[VISITS], out=values, where=links[VISITS] > 0)
    alive = np.flatnonzero(watched.is_alive)[1:]
    slots = links[FIRST, links[PARENT, alive]] + links[PLACE, alive]
    np.testing.assert_array_equal(watched.engine.arena.children[slots], alive)
    np.testing.assert_array_equal(watched.engine.arena.scores[VALUE, slots], values[alive])


def assert_expanded_nodes_were_simulated(watched):
    """No scale of an exploration term is the logarithm of zero visits."""
    own = np.array(watched.own_visits)
    assert (own[watched.links[COUNT] > 0] > 0).all()


def assert_positions_stand_once(watched):
    """In mode "once" no two nodes that are alive stand for the same position."""
    alive = [watched.states[node] for node in np.flatnonzero(watched.is_alive)]
    assert len(set(alive)) == len(alive)


def find(states, key, n_nodes):
    """The last of n nodes with a key, by the rules of an open hash table with linear probing."""
    mask = len(states.slots) - 1
    slot = key & mask
    while states.slots[slot] != NOWHERE and int(states.keys[states.slots[slot] & LOW]) != key:
        slot = (slot + 1) & mask
    node = NOWHERE if states.slots[slot] == NOWHERE else int(states.slots[slot] & LOW)
    assert node == NOWHERE or int(states.slots[slot]) % 2**64 >> 31 == key >> 31
    while node >= n_nodes:
        node = int(states.earlier[node])
    return node


def assert_table_finds(watched, nodes):
    """The table finds for each key the last node with it, in mode "once" every node that is alive by its own."""
    states, n = watched.engine.machine.states, len(watched.states)
    for node in nodes:
        found = find(states, int(states.keys[node]), n)
        assert watched.states[found] == watched.states[node]
        assert found >= node
        if watched.once and watched.is_alive[node]:
            assert found == node


def assert_keys_are_those_of_positions(watched):
    """Nodes have the same key if and only if they stand for the same position."""
    keys = watched.engine.machine.states.keys[: len(watched.states)].tolist()
    assert len(set(zip(watched.states, keys, strict=True))) == len(set(keys)) == len(set(watched.states))


def watch(text, chosen, n):
    """Make iterations and look at the tree after each of them; return what happened."""
    watched, random = Watched(text, chosen), Random(n)
    while watched.engine.last < n and watched.step():
        assert_blocks_agree(watched)
        assert_depths_agree(watched)
        assert_statistics_agree(watched)
        assert_expanded_nodes_were_simulated(watched)
        if watched.once:
            assert_positions_stand_once(watched)
        assert_table_finds(watched, random.sample(range(len(watched.states)), min(5, len(watched.states))))
    assert_table_finds(watched, range(len(watched.states)))
    assert_keys_are_those_of_positions(watched)
    return watched.seen


def test_invariants_with_all_options():
    random, seen = Random(8), Counter[str]()
    for _ in range(80):
        text, chosen = random_case(random)
        seen += watch(text, chosen, 200)
    assert seen["passed"] > 5000
    for kind in ("moved", "removed", "added", "solved", "unsolvable"):
        assert seen[kind] > 10, kind


@pytest.mark.parametrize("remembered", [True, False])
def test_invariants_where_subtrees_move_all_the_time(remembered):
    random, seen = Random(2), Counter[str]()
    for seed in range(10):
        chosen = {"c": 0.5, "seed": seed, "deadlocks": (), "remembered": remembered}
        seen += watch(random_text(random, 8, 9, 3, 0), chosen, 300)
    assert seen["moved"] > 50
    assert seen["removed"] > 50


def test_invariants_where_a_subtree_moves_in_and_its_top_goes():
    assert watch(IN_AND_OUT, IN_AND_OUT_OPTIONS, 60)["moved"] > 1


def test_eliminated_nodes_keep_visits_that_their_ancestors_keep_too():
    watched = Watched(IN_AND_OUT, IN_AND_OUT_OPTIONS)
    while watched.step():
        pass
    gone = np.flatnonzero(~watched.is_alive)
    assert watched.links[VISITS, gone].sum() > 0
    assert (watched.links[COUNT, gone] == 0).all()
    assert watched.links[VISITS, 0] == sum(watched.own_visits)
