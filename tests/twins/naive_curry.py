"""Slow and obvious twins of the learner: SIMBA, an attempt at a board, OptimizeSolution; no code of the package.

Squares are (row, column) pairs, boxes are sets of them, a move is (source, target, square of the player afterwards),
and an episode is a dictionary with its boxes, goals and moves.
"""

from __future__ import annotations

from math import inf

from tests.twins.naive import BACK, STEPS, beside, reach, splitmix64


def overlaps(boxes, episode):
    """How many boxes each state of an episode shares with a position."""
    state, found = set(episode["boxes"]), []
    for source, target, *_ in episode["moves"]:
        found.append(len(state & boxes))
        state = state - {source} | {target}
    return found


def simba(boxes, episode):
    """The first of the states that share most boxes, and how many."""
    found = overlaps(boxes, episode)
    return found.index(max(found)), max(found)


def suggestions(boxes, goals, episodes, goal_filter):
    """(source, target, moves left) of each episode whose suggestion counts."""
    found = []
    for episode in episodes:
        index, _ = simba(boxes, episode)
        source, target, *_ = episode["moves"][index]
        if not (goal_filter and target in episode["goals"] and target not in goals):
            found.append((source, target, len(episode["moves"]) - index))
    return found


def box_moves(floor, boxes, player):
    """All moves in the order of the boxes, each box breadth first with the player above, below, left, right of it."""
    return [move for box in sorted(boxes) for move in moves_of(floor, boxes, player, box)]


def moves_of(floor, boxes, player, box):
    """The moves of one box."""
    others = boxes - {box}
    todo, seen, moves = [(box, player)], {(box, min(reach(floor, boxes, player)))}, []
    for square, man in todo:
        zone = reach(floor, others | {square}, man)
        for side in STEPS:
            target = beside(square, BACK[side])
            if beside(square, side) not in zone or target not in floor or target in others:
                continue
            key = (target, min(reach(floor, others | {target}, square)))
            if key not in seen:
                seen.add(key)
                todo.append((target, square))
                if target != box:
                    moves.append((box, target, square))
    return moves


def weights(floor, boxes, goals, player, episodes, delta, goal_filter):
    """Legal moves, what the episodes give each of them, and the value (algorithm GetMoveProbability)."""
    moves = box_moves(floor, boxes, player)
    said = suggestions(boxes, goals, episodes, goal_filter)
    given = []
    for source, target, _ in moves:
        own = sum((s, t) == (source, target) for s, t, _ in said)
        alike = sum(s == source for s, _, _ in said) + sum(t == target for _, t, _ in said)
        n_sides = sum((s, t) == (source, target) for s, t, _ in moves)
        given.append((own + delta * alike) / n_sides)
    value = sum(left for _, _, left in said) / len(said) if said else inf
    return moves, given, value


def added_up(numbers):
    """A sum in order; Python's own sum of floats corrects its rounding since version 3.12."""
    total = 0.0
    for number in numbers:
        total += number
    return total


class Node:
    """A position in the tree."""

    def __init__(self, twin, boxes, player, parent=None, origin=None):
        floor, goals = twin.floor, twin.goals
        self.boxes, self.key = boxes, (boxes, min(reach(floor, boxes, player)))
        self.parent, self.origin, self.depth = parent, origin, parent.depth + 1 if parent else 0
        self.reach = parent.reach * twin.chance(parent, origin) if parent else 1.0
        known = (twin.episodes, twin.delta, twin.goal_filter)
        self.moves, self.weights, self.value = weights(floor, boxes, goals, player, *known)
        self.children = [None] * len(self.moves)
        self.is_dead_move = [False] * len(self.moves)
        self.total = added_up(self.weights)
        winning = [k for k, (s, t, _) in enumerate(self.moves) if boxes - {s} | {t} <= goals]
        self.winning = winning[0] if winning else None
        self.met = None

    @property
    def alive(self):
        """Moves that are not known to be dead."""
        return [k for k in range(len(self.moves)) if not self.is_dead_move[k]]


class Attempt:
    """An attempt at a board with a tree of node objects."""

    def __init__(self, floor, boxes, goals, player, episodes, **rules):
        self.floor, self.goals, self.episodes = floor, frozenset(goals), episodes
        self.delta, self.epsilon, self.goal_filter = rules["delta"], rules["epsilon"], rules["goal_filter"]
        self.steps, self.random = rules["steps"], splitmix64(rules["seed"])
        self.width, self.depth = rules.get("width", 0), rules.get("depth", 1)
        self.n_cycles, self.round, self.way = 0, 0, []
        self.nodes, self.by_key = [], {}
        self.enter(Node(self, frozenset(boxes), player))

    def enter(self, node):
        """Keep a new node, or give the one that has its position; and whether it is new."""
        if node.key in self.by_key:
            return self.by_key[node.key], False
        self.by_key[node.key] = node
        self.nodes.append(node)
        return node, True

    def unit(self):
        """A random number from 0 to below 1."""
        return (next(self.random) >> 11) * 2.0**-53

    def below(self, n):
        """A random whole number below n."""
        return ((next(self.random) >> 32) * n) >> 32

    def chance(self, node, move):
        """Probability that a move is chosen."""
        if node.total <= 0:
            return 1.0 / len(node.alive)
        return self.epsilon / len(node.alive) + (1.0 - self.epsilon) * node.weights[move] / node.total

    def choose(self, node):
        """Algorithm ChooseMove."""
        if node.winning is not None:
            return node.winning
        if not node.alive:
            return None
        if self.unit() < self.epsilon or node.total <= 0:
            return node.alive[self.below(len(node.alive))]
        at, last = self.unit() * node.total, None
        for move in node.alive:
            if node.weights[move] > 0:
                last, at = move, at - node.weights[move]
                if at < 0:
                    break
        return last

    def child(self, node, move):
        """The node that a move leads to, and whether it is new."""
        if node.children[move] is None:
            source, target, player = node.moves[move]
            node.children[move], is_new = self.enter(Node(self, node.boxes - {source} | {target}, player, node, move))
            return node.children[move], is_new
        return node.children[move], False

    def bury(self):
        """The end of the way is dead: mark the move to it, and go on upwards; whether the root is dead."""
        while self.way:
            node, move = self.way.pop()
            node.is_dead_move[move] = True
            node.total = added_up(node.weights[k] for k in node.alive)
            if node.alive:
                return "stopped"
        return "hopeless"

    def best_leaf(self):
        """The node and untried move that are reached most likely."""
        best = (0.0, None, None)
        for node in self.nodes:
            untried = [k for k in node.alive if node.children[k] is None]
            if untried and node.depth < self.steps:
                move = max(untried, key=lambda k: node.weights[k])  # the first of the heaviest
                rank = max(node.reach * self.chance(node, move), 1e-300)
                if rank > best[0]:
                    best = (rank, node, move)
        return best[1:]

    def way_to(self, node):
        """The steps by which a node was found."""
        way = []
        while node.parent:
            way.append((node.parent, node.origin))
            node = node.parent
        return way[::-1]

    def follow(self):  # noqa: PLR0911  one way to end after the other
        """One trajectory: leaf selection, then the rollout."""
        self.round, self.way = self.round + 1, []
        node, is_new = self.nodes[0], False
        while not is_new:
            if len(self.way) >= self.steps:
                return "stopped"
            node.met = self.round
            move = self.choose(node)
            if move is None:
                return self.bury()
            self.way.append((node, move))
            if move == node.winning:
                return "solved"
            node, is_new = self.child(node, move)
            if not node.alive:
                return self.bury()
            if node.met == self.round:
                self.n_cycles, self.round = self.n_cycles + 1, self.round + 1
                leaf, move = self.best_leaf()
                if leaf is None:
                    return "stopped"
                self.way = [*self.way_to(leaf), (leaf, move)]
                node, is_new = self.child(leaf, move)
                if not node.alive:
                    return self.bury()
        return self.roll_out(node)

    def roll_out(self, node):
        """Go on while the value gets better."""
        is_better = True
        while is_better and len(self.way) < self.steps:
            node.met = self.round
            move = self.choose(node)
            self.way.append((node, move))
            if move == node.winning:
                return "solved"
            child, _ = self.child(node, move)
            if not child.alive:
                return self.bury()
            is_better = child.value < node.value and child.met != self.round
            node = child
        return "stopped"

    def wander(self):
        """A plain trajectory (algorithm GetEpisode)."""
        self.way, node = [], self.nodes[0]
        for _ in range(self.steps):
            move = self.choose(node)
            if move is None:
                return "stopped"
            self.way.append((node, move))
            if move == node.winning:
                return "solved"
            node, _ = self.child(node, move)
        return "stopped"

    def seek(self, *, tree):
        """A trajectory with a small search before each move."""
        self.way, node = [], self.nodes[0]
        for _ in range(self.steps):
            move = self.decide(node)
            if move is not None:
                self.way.append((node, move))
                if move == node.winning:
                    return "solved"
                node, _ = self.child(node, move)
            if not node.alive:
                return self.bury() if tree else "stopped"
        return "stopped"

    def decide(self, node):
        """Of some moves that ChooseMove draws the first behind which fewest moves are left."""
        drawn = []
        for _ in range(self.width):
            move = self.choose(node)
            if move is None or move == node.winning:
                return move
            drawn.append((self.left_after(node, move), move))
        return min(drawn, key=lambda pair: pair[0])[1]

    def left_after(self, node, move):
        """Moves from here to the end: those that are looked ahead, and those that the episodes say are left then."""
        for made in range(1, self.depth + 1):
            if move is None:
                return inf
            if made > 1 and move == node.winning:
                return made
            node, _ = self.child(node, move)
            move = self.choose(node) if made < self.depth else None
        return self.depth + node.value if node.alive else inf


def can_replay(floor, boxes, player, ends):
    """Whether (source, target) pairs can be done one after the other, the player ending up wherever it can."""
    players = {player}
    for source, target in ends:
        if source not in boxes:
            return False
        players = {
            man
            for start in players
            for s, t, man in moves_of(floor, boxes, start, source)
            if (s, t) == (source, target)
        }
        boxes = boxes - {source} | {target}
        if not players:
            return False
    return True


def optimize(floor, boxes, player, ends):
    """OptimizeSolution: two moves of a box as one, at the first place or at the second, until nothing changes."""
    ends = list(ends)
    for first, (start, middle) in enumerate(ends):
        later = [k for k in range(first + 1, len(ends)) if ends[k][0] == middle]
        if not later:
            continue
        second, end = later[0], ends[later[0]][1]
        merged = [] if start == end else [(start, end)]
        early = [*ends[:first], *merged, *ends[first + 1 : second], *ends[second + 1 :]]
        late = [*ends[:first], *ends[first + 1 : second], *merged, *ends[second + 1 :]]
        for shorter in (early, late):
            if can_replay(floor, boxes, player, shorter):
                return optimize(floor, boxes, player, shorter)
    return ends
