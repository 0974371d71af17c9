"""The slow and obvious twin of the Monte Carlo search of Sokoban (thesis, chapters 4 and 5): nodes are objects.

It shares no code with the package.

What both agree on, because a tree is only comparable node by node if they do: pushes come by direction (up, down, left,
right) and then by square; nodes are numbered as they are added; the children of an expanded leaf are first the subtrees
that moved there, then the new nodes, both in the order of the pushes. Random numbers are used as in `naive_mcts`.
"""

from __future__ import annotations

import math
from functools import cached_property
from itertools import combinations
from typing import NamedTuple

import numpy as np
from scipy.optimize import linear_sum_assignment

from tests.twins import naive, naive_mcts

THESIS_TESTS = ("locking tile", "wall sweep", "locked boxes", "no push")
CORRAL_BUDGET = 200  # positions
FAR = 2**28  # the distance of boxes that cannot all have a goal


class State(NamedTuple):
    """An equivalence state (4.1.1): the boxes, and the first square of the player's component."""

    boxes: frozenset[tuple[int, int]]
    player: tuple[int, int]


class Room:
    """A level and all that can be asked about its positions."""

    def __init__(self, text):
        self.floor, self.goals, boxes, player = naive.read(text)
        self.width = max(map(len, text.split("\n")))
        self.windows = list(naive.windows(len(text.split("\n")), self.width, self.floor, self.goals))
        self.start = self.state(boxes, player)
        self.sweep_lines = naive.sweep_lines(self.floor)
        self.wall_runs = naive.wall_runs(self.floor)

    @cached_property
    def distances(self):
        """Pushes of a lone box from each square to each other that it reaches."""
        return lone_distances(self.floor)

    @cached_property
    def locking_tiles(self):
        """Squares from which a lone box reaches no goal (algorithm 2)."""
        return {s for s in self.floor if all(self.distance(s, g) == math.inf for g in self.goals)}

    def state(self, boxes, player):
        """The equivalence state of boxes and player."""
        return State(*naive.key(self.floor, boxes, player))

    def pushes(self, state):
        """Pushes as numbers, by direction and then by square, and the states that they lead to."""
        possible = naive.pushes(self.floor, state.boxes, state.player)
        ordered = sorted(possible, key=lambda push: ("udlr".index(push[1]), push[0]))
        return [(self.number(push), self.state(*naive.after_push(state.boxes, push))) for push in ordered]

    def inward_pushes(self, state):
        """The pushes that are looked at where those into closed areas come first, as numbers."""
        kept = naive.inward_pushes(self.floor, self.goals, state.boxes, state.player, self.locking_tiles)
        return {self.number(each) for each in kept}

    def number(self, push):
        """A push as a number."""
        (row, column), direction = push
        return 4 * (row * self.width + column) + "udlr".index(direction)

    def is_solved(self, state):
        """Whether all boxes are on goals."""
        return state.boxes <= self.goals

    # --- rewards (4.1.2) ---

    def reward(self, state, distance, areas):
        """Minus the cheapest way to give each box a goal of its own, and minus the closed areas where they count."""
        between = self.distance if distance == "push" else manhattan
        cost = self.match(state.boxes, between)
        n_areas = len(list(self.closed_areas(state.boxes, state.player))) if areas and 0 < cost < FAR else 0
        return -cost - n_areas

    def match(self, boxes, between):
        """Sum of the distances of the cheapest matching; FAR if there is none."""
        if len(boxes) > len(self.goals):
            return FAR
        rows = [[min(between(box, goal), 10**6) for goal in self.goals] for box in boxes]
        costs = np.array(rows, dtype=np.int64).reshape(len(boxes), len(self.goals))
        total = int(costs[linear_sum_assignment(costs)].sum())
        return total if total < 10**6 else FAR

    def distance(self, start, goal):
        """Pushes of a lone box from the best side."""
        return self.distances[start].get(goal, math.inf)

    # --- deadlocks (4.2.1) ---

    def is_dead(self, state, tests):
        """Whether one of some tests finds a state dead."""
        return not self.is_solved(state) and any(self.fails(state.boxes, state.player, test) for test in tests)

    def fails(self, boxes, player, test):
        """Whether a test finds a state dead that is not solved."""
        ways = {
            "locking tile": lambda: bool(boxes & self.locking_tiles),
            "wall sweep": lambda: any(naive.is_overfull(line, self.goals, boxes) for line in self.sweep_lines),
            "wall run": lambda: any(naive.is_overfull(line, self.goals, boxes) for line in self.wall_runs),
            "locked boxes": lambda: self.has_locked_box(boxes),
            "bipartite": lambda: self.match(boxes, self.distance) == FAR,
            "corral": lambda: any(self.is_lost(some, player) for some in self.corrals(boxes, player)),
            "three boxes": lambda: any(not self.are_solvable(some, player) for some in combinations(boxes, 3)),
            "window": lambda: self.has_dead_window(boxes - self.locking_tiles, player),
            "no push": lambda: not naive.pushes(self.floor, boxes, player),
        }
        return ways[test]()

    def has_locked_box(self, boxes):
        """Whether a box off goal is locked."""
        return bool(naive.locked_boxes(self.floor, self.goals, boxes, self.locking_tiles) - self.goals)

    def has_dead_window(self, boxes, player):
        """Whether some of the boxes in a window cannot leave it nor come to goals there."""
        return any(naive.is_dead_in_window(window, boxes, player) for window in self.windows)

    def are_solvable(self, some, player):
        """Whether three boxes that are alone on the board can come to goals."""
        return naive.key(self.floor, set(some), player) in self.solvable_triples

    @cached_property
    def solvable_triples(self):
        """States of three boxes from which some solution leads on."""
        return naive.solvable_states(self.floor, self.goals, 3)

    def closed_areas(self, boxes, player):
        """The areas of the floor that are closed to the player, in reading order."""
        unseen = self.floor - boxes - naive.reach(self.floor, boxes, player)
        while unseen:
            area = naive.reach(self.floor, boxes, min(unseen))
            unseen -= area
            yield area

    def corrals(self, boxes, player):
        """For each area that is closed to the player the boxes at it, and those behind them that he cannot touch."""
        reached = naive.reach(self.floor, boxes, player)
        for area in self.closed_areas(boxes, player):
            hidden = {box for box in boxes if not around(box) & reached}
            found: set[tuple[int, int]] = set()
            while near := {b for b in boxes - found if around(b) & area or (b in hidden and around(b) & found)}:
                found |= near
            yield frozenset(found)

    def is_lost(self, boxes, player):
        """Whether boxes that are alone on the board cannot all come to goals, if few positions tell."""
        start = self.state(boxes, player)
        seen, todo = {start}, [start]
        while todo:
            here = todo.pop()
            if self.is_solved(here):
                return False
            for _, near in self.pushes(here):
                if not near.boxes & self.locking_tiles and not self.has_locked_box(near.boxes) and near not in seen:
                    seen.add(near)
                    todo.append(near)
            if len(seen) > CORRAL_BUDGET:
                return False
        return True


def around(square):
    """The four squares beside one."""
    return {naive.beside(square, direction) for direction in naive.STEPS}


def manhattan(one, other):
    """Steps between two squares were there no walls."""
    return abs(one[0] - other[0]) + abs(one[1] - other[1])


def lone_distances(floor):
    """For each square the pushes that a lone box needs to each other: `naive.push_distance`, all at once."""
    zones = {box: {s: frozenset(naive.reach(floor, {box}, s)) for s in floor - {box}} for box in floor}
    return {box: breadth_first(floor, zones, box) for box in floor}


def breadth_first(floor, zones, start):
    """Fewest pushes of a lone box to each square that it reaches; the player may begin anywhere."""
    todo = [(start, zone) for zone in set(zones[start].values())]
    seen, found, n_pushes = set(todo), {start: 0}, 0
    while todo:
        n_pushes += 1
        near = {
            (naive.beside(box, d), zones[naive.beside(box, d)][box])
            for box, zone in todo
            for d in naive.STEPS
            if naive.beside(box, naive.BACK[d]) in zone and naive.beside(box, d) in floor
        }
        todo = sorted(near - seen, key=lambda state: (state[0], min(state[1])))
        seen |= near
        for box, _ in todo:
            found.setdefault(box, n_pushes)
    return found


class Node(naive_mcts.Node):
    """A node of the tree; its board is an equivalence state."""

    def __init__(self, number, parent, action, board):
        self.is_eliminated = self.is_solution = False
        super().__init__(number, parent, action, board)

    @property
    def depth(self):
        """Number of nodes above it: never kept, so that it needs no correction where a subtree moves."""
        return 0 if self.parent is None else self.parent.depth + 1

    @depth.setter
    def depth(self, depth):
        """Nothing to keep."""

    def pass_up(self, visits, total):
        """Add to visits and sum of rewards of this node and of all above it; no sign changes (4.3.2)."""
        for node in naive_mcts.NaiveSearch.path(self):
            node.visits += visits
            node.total += total


class Made(NamedTuple):
    """What happened in an iteration."""

    events: list[tuple[object, ...]]
    """what changed in the tree, in order: moved, removed, added, passed"""
    marks: set[str]
    ended: str
    """solved, unsolvable or nothing"""


class NaiveSchokoban(naive_mcts.NaiveSearch):
    """The search of the thesis with the options of the published program."""

    nodes: list[Node]  # type: ignore[assignment]

    def __init__(
        self,
        text,
        *,
        c=8.0,
        seed=1,
        selection="program",
        repeats="once",
        deadlocks=THESIS_TESTS,
        late=False,
        remembered=True,
        stall=False,
        distance="manhattan",
        inward=False,
        areas=False,
    ):
        self.room = Room(text)
        self.repeats, self.deadlocks, self.late = repeats, deadlocks, late
        self.remembered, self.stall, self.distance = remembered, stall, distance
        self.inward, self.areas = inward, areas
        self.nodes_of: dict[State, list[Node]] = {}
        self.made: Made = Made([], set(), "")
        self.has_solution, self.seed = False, seed
        super().__init__(None, self.room.start, players=1, c=c, seed=seed, selection=selection)

    def add(self, parent, action, board):
        """A new node."""
        node = Node(len(self.nodes), parent, action, board)
        self.nodes.append(node)
        self.nodes_of.setdefault(board, []).append(node)
        if parent:
            parent.children.append(node)
        return node

    def iterate(self):
        """Make one iteration (figure 3.2) and return what happened."""
        self.made = Made([], set(), "")
        node = self.root
        while node.children:
            step = self.select(node)
            if len(step.best) > 1 and step.chosen.visits > 0:
                self.made.marks.add("tie")
            node = step.chosen
        if node.visits > 0 and not self.room.is_solved(node.board):
            self.grow(node)
            if not node.children:
                return self.end_without_reward(node)
            self.made.marks.add("expansion")
            node = self.pick(node.children)
        self.score_position(node)
        return self.end()

    def end(self):
        """The iteration is complete."""
        self.n_made += 1
        ended = "solved" if "solution" in self.made.marks else ""
        self.made = self.made._replace(ended="unsolvable" if self.root.is_eliminated else ended)
        return self.made

    def end_without_reward(self, leaf):
        """All successors of a leaf are dead or were met before."""
        if "deadlock" in self.made.marks or not self.stall:
            self.eliminate(leaf)
        return self.end()

    # --- expansion (4.2, 5.1) ---

    def grow(self, leaf):
        """Give a leaf its children."""
        new: list[tuple[int, State]] = []
        for push, state in self.room.pushes(leaf.board):
            if self.inward and push not in self.room.inward_pushes(leaf.board):
                continue
            mark = self.meet(leaf, push, state, [other for _, other in new])
            if mark:
                self.made.marks.add(mark)
            else:
                new.append((push, state))
        added = [self.add(leaf, push, state) for push, state in new]
        if added:
            self.made.events.append(("added", leaf.number, added[0].number, len(added)))

    def meet(self, leaf, push, state, siblings):
        """What keeps a successor from becoming a new child; nothing where it does become one."""
        if self.repeats == "once":
            known = self.nodes_of.get(state, [])
            alive = [node for node in known if not node.is_eliminated]
            if alive and leaf.depth + 1 < alive[0].depth:
                self.move(alive[0], leaf, push)
                return "move"
            if alive or state in siblings or (known and self.remembered):
                return "duplicate"
        if self.repeats == "not on path" and state in [*siblings, *(node.board for node in self.path(leaf))]:
            return "duplicate"
        return "deadlock" if not self.late and self.room.is_dead(state, self.deadlocks) else None

    def move(self, node, leaf, push):
        """Algorithm 4: the way by the leaf is shorter, so the subtree of a node moves there."""
        former, place = node.parent, node.parent.children.index(node)
        self.made.events.append(("moved", node.number, former.number, place, leaf.number, node.action, push))
        former.children.remove(node)
        former.pass_up(-node.visits, -node.total)
        node.parent, node.action = leaf, push
        leaf.children.append(node)
        leaf.pass_up(node.visits, node.total)
        if not former.children:
            self.eliminate(former)

    # --- simulation and what follows it (4.3.1, 4.2.3) ---

    def score_position(self, node):
        """The reward of a position is its value; where deadlocks are looked for late, a dead node goes after that."""
        reward, is_first = self.room.reward(node.board, self.distance, self.areas), node.visits == 0
        node.pass_up(1, reward)
        self.made.events.append(("passed", node.number, reward))
        if node.depth > self.deepest:
            self.deepest = node.depth
            self.made.marks.add("deeper")
        if self.room.is_solved(node.board):
            self.made.marks.update({"terminal"} if self.has_solution else {"terminal", "solution"})
            self.has_solution = node.is_solution = True
        elif self.late and is_first and self.room.is_dead(node.board, self.deadlocks):
            self.made.marks.add("deadlock")
            self.eliminate(node)

    def eliminate(self, node):
        """Recursive node elimination: a node goes, and its parent if that was its last child."""
        self.made.marks.add("elimination")
        node.is_eliminated = True
        if node.parent is None:
            self.made.events.append(("removed", node.number, -1, 0))
            return
        place = node.parent.children.index(node)
        self.made.events.append(("removed", node.number, node.parent.number, place))
        node.parent.children.remove(node)
        if not node.parent.children:
            self.eliminate(node.parent)

    # --- looking ---

    def table(self):
        """What there is to know of all nodes, as lists; an eliminated node keeps all but its depth."""
        return {
            "parents": [node.parent.number if node.parent else -1 for node in self.nodes],
            "actions": [-1 if node.parent is None else node.action for node in self.nodes],
            "depths": [-1 if node.is_eliminated else node.depth for node in self.nodes],
            "visits": [node.visits for node in self.nodes],
            "sums": [node.total for node in self.nodes],
            "eliminated": [node.is_eliminated for node in self.nodes],
            "solutions": [node.is_solution for node in self.nodes],
            "children": [[child.number for child in node.children] for node in self.nodes],
        }
