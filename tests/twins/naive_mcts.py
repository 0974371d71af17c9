"""The slow and obvious twin of the Monte Carlo search: objects as nodes, tuples as boards, textbook loops.

It shares no code with the package. What both agree on, because a tree is only comparable node by node if they do:
nodes are numbered as they are added, and random numbers are used in this order: one for each step of selection at which
several children share the best score, one for the new child that is simulated, one for each move of a rollout.
"""

from __future__ import annotations

import math
from types import SimpleNamespace
from typing import NamedTuple

from tests.twins import naive, naive_games

TIC_TAC_TOE = naive_games


def digits(n_digits):
    """The rules of the one-player game `Digits`: a board is the tuple of digits chosen."""

    def is_over(board):
        return board[-2:] == (3, 3) or len(board) == n_digits

    return SimpleNamespace(
        EMPTY=(),
        actions=lambda board: [] if is_over(board) else [1, 2, 3],
        after=lambda board, digit: (*board, digit),
        reward=lambda board: 0 if board[-2:] == (3, 3) else sum(board),
    )


class Node:
    """A node of the tree."""

    def __init__(self, number, parent, action, board):
        self.number, self.parent, self.action, self.board = number, parent, action, board
        self.depth = parent.depth + 1 if parent else 0
        self.children: list[Node] = []
        self.visits = self.total = 0


class Scored(NamedTuple):
    """A child as selection scores it."""

    child: Node
    visits: int
    exploitation: float | None
    exploration: float | None
    score: float


class Step(NamedTuple):
    """One step of selection."""

    node: Node
    visits: int
    scored: list[Scored]
    best: list[Node]
    chosen: Node


class Change(NamedTuple):
    """What backpropagation does to one node: visits and sum are those from before."""

    node: Node
    reward: int
    visits: int
    total: int


class Iteration(NamedTuple):
    """All that happened in an iteration."""

    steps: list[Step]
    leaf: Node
    added: list[Node]
    simulated: Node
    moves: list[int]
    end: tuple[object, ...]
    reward: int
    changes: list[Change]
    events: tuple[str, ...]


def rounded_log(n):
    """Natural logarithm to 40 binary places."""
    return round(math.log(n) * 2**40) / 2**40


class NaiveSearch:
    """Monte Carlo Tree Search as section 3.2 of the thesis tells it."""

    def __init__(self, rules, board, *, players=2, c=2.0, seed=1, selection="uct", choices=(), outcomes=()):
        self.rules, self.players, self.c, self.selection = rules, players, c, selection
        self.choices, self.outcomes = list(choices), list(outcomes)
        self.nodes: list[Node] = []
        self.root = self.add(None, None, board)
        self.n_made = self.n_choices = self.n_draws = self.deepest = 0
        self.leader: Node | None = None
        self.random = naive.splitmix64(seed)

    def add(self, parent, action, board):
        """A new node."""
        node = Node(len(self.nodes), parent, action, board)
        self.nodes.append(node)
        if parent:
            parent.children.append(node)
        return node

    # --- chance ---

    def below(self, n):
        """A random number from 0 to n - 1: the upper half of the next one as a fraction, times n."""
        self.n_draws += 1
        return ((next(self.random) >> 32) * n) >> 32

    def scripted(self):
        """The next node that the script names; None where it leaves the choice to chance."""
        self.n_choices += 1
        return self.choices[self.n_choices - 1] if self.n_choices <= len(self.choices) else None

    # --- the four phases ---

    def run(self, n):
        """Make n iterations."""
        for _ in range(n):
            self.iterate()
        return self

    def iterate(self):
        """Make one iteration and return all that happened."""
        node, steps = self.root, []
        while node.children:
            steps.append(self.select(node))
            node = steps[-1].chosen
        leaf, added = node, []
        if leaf.visits > 0 and self.rules.actions(leaf.board):
            added = self.expand(leaf)
            node = self.pick(added)
        moves, end, reward = self.simulate(node)
        changes = self.back_up(node, reward)
        self.n_made += 1
        events = self.events(steps, added, node, moves)
        return Iteration(steps, leaf, added, node, moves, end, reward, changes, events)

    def select(self, node):
        """One step down: the highest score wins, an unvisited child counts as infinite, ties at random."""
        scored = [self.score(child) for child in node.children]
        highest = max(entry.score for entry in scored)
        best = [entry.child for entry in scored if entry.score == highest]
        chosen = best[0] if len(best) == 1 and highest < math.inf else self.break_tie(best)
        return Step(node, node.visits, scored, best, chosen)

    def score(self, child):
        """The score of a child, seen from its parent."""
        if child.visits == 0:
            return Scored(child, 0, None, None, math.inf)
        value = child.total / child.visits
        exploration = self.exploration(child.parent.visits, len(child.parent.children), child.visits)
        return Scored(child, child.visits, value, exploration, value + exploration)

    def exploration(self, n_parent, n_children, n_child):
        """The exploration term; multiplied and divided in the order that rounds as the kernel does."""
        if self.selection == "puct":
            return self.c * (math.sqrt(n_parent) / n_children) * (1 / (1 + n_child))
        if self.selection == "ucb1":
            return self.c * math.sqrt(rounded_log(n_parent)) * (1 / math.sqrt(n_child))
        weight = 1 / n_child if self.selection == "program" else 1 / math.sqrt(n_child)
        return self.c * math.sqrt(2 * rounded_log(n_parent)) * weight

    def break_tie(self, best):
        """One of several nodes, by script or at random."""
        number = self.scripted()
        if number is not None:
            return next(node for node in best if node.number == number)
        return best[self.below(len(best))] if len(best) > 1 else best[0]

    def expand(self, leaf):
        """A child for every action."""
        return [
            self.add(leaf, action, self.rules.after(leaf.board, action)) for action in self.rules.actions(leaf.board)
        ]

    def pick(self, added):
        """One of the new children, by script or at random."""
        number = self.scripted()
        return added[self.below(len(added))] if number is None else self.nodes[number]

    def simulate(self, node):
        """Random games until one ends as the script wants; the first one where it does not say."""
        wanted = self.outcomes[self.n_made] if self.n_made < len(self.outcomes) else None
        while True:
            moves, board = [], node.board
            while actions := self.rules.actions(board):
                moves.append(actions[self.below(len(actions))])
                board = self.rules.after(board, moves[-1])
            reward = self.rules.reward(board)
            if self.players == 2 and len(moves) % 2 == 1:
                reward = -reward
            if wanted is None or reward == wanted:
                return moves, board, reward

    def back_up(self, node, reward):
        """Pass the reward to the root, negated from player to player."""
        changes = []
        while node:
            changes.append(Change(node, reward, node.visits, node.total))
            node.visits += 1
            node.total += reward
            reward = -reward if self.players == 2 else reward
            node = node.parent
        return changes

    def events(self, steps, added, simulated, moves):
        """What the iteration is marked with."""
        found = []
        if any(len(step.best) > 1 and max(entry.score for entry in step.scored) < math.inf for step in steps):
            found.append("tie")
        found += ["expansion"] if added else []
        found += ["terminal"] if not moves else []
        if simulated.depth > self.deepest:
            self.deepest = simulated.depth
            found.append("deeper")
        first = next((node for node in self.path(simulated) if node.depth == 1), None)
        if first and (self.leader is None or first.visits > self.leader.visits):
            self.leader = first
            found.append("leader")
        return tuple(found)

    # --- looking ---

    @staticmethod
    def path(node):
        """A node and its ancestors."""
        found = []
        while node:
            found.append(node)
            node = node.parent
        return found

    def table(self):
        """Parent, action, depth, visits and sum of rewards of all nodes, as lists; -1 where the root has none."""
        return {
            "parents": [node.parent.number if node.parent else -1 for node in self.nodes],
            "actions": [-1 if node.parent is None else node.action for node in self.nodes],
            "depths": [node.depth for node in self.nodes],
            "visits": [node.visits for node in self.nodes],
            "sums": [node.total for node in self.nodes],
        }
