"""A slow and obvious twin of iterative deepening, by recursion over sets of (row, column) squares.

Two parts are handed to it, because each is searched by a kernel with tests of its own: the plans of goal rooms, and
what pattern searches learn. Which pattern is learned depends on which of many shortest solutions a search finds first
and on the way the player walks in it, so a twin of that would be a copy; `tests/core/deadlocks/test_patterns.py` holds
what is learned against exhaustive search instead, and the twin tells when something is learned, and what becomes of a
position then.
"""

from __future__ import annotations

from collections import Counter, deque
from functools import cached_property
from itertools import pairwise
from math import inf
from typing import NamedTuple

from tests.twins.naive import BACK, STEPS, beside, inward_pushes, key, locked_boxes, pushes, reach
from tests.twins.naive_influence import is_cut
from tests.twins.naive_schokoban import Room

DIRECTIONS = "udlr"
FAR = 1 << 28  # no way; a number and not infinite, because prices are reckoned with it
ROOT = "root"
N_ALIKE = 3
SIXTEENTHS = 16


class Solved(Exception):  # noqa: N818  it is good news
    """The search has come to a solution: its moves as (origin, target, player, cost)."""


class Place(NamedTuple):
    """A part of the floor with the goals in it, and what is to be filled next by what is filled."""

    squares: frozenset
    goals: frozenset
    plan: dict


class Move(NamedTuple):
    """One box from its origin to its target by so many pushes; where the player ends."""

    origin: tuple
    target: tuple
    player: tuple
    cost: int
    is_macro: bool = False
    is_kept: bool = True


class Matching(NamedTuple):
    """Boxes by number: their squares with the player's zone (None for nowhere), goals and prices; prices of goals."""

    places: tuple
    goal_of: tuple
    box_price: tuple
    goal_price: tuple


class Node(NamedTuple):
    """A position, and how the search came to it."""

    boxes: frozenset
    player: tuple
    matching: Matching
    way: int = 0
    moved: int | None = None
    line: tuple = ()
    keys: tuple = ()


def number_of(node, square):
    """Number of the box on a square."""
    return [place is not None and place[0] == square for place in node.matching.places].index(True)


# --- the bound -----------------------------------------------------------------------------------------------------


def lone_distances(floor, start, player):
    """Pushes of a lone box from a square to each other."""
    best = {}
    for square, _, n_pushes in box_states(floor, set(), start, player):
        best.setdefault(square, n_pushes)
    return best


def box_states(floor, others, square, player):
    """(square, player, pushes) of one box, others fixed: breadth first, by where the player stands in reading udlr."""
    todo, seen = deque([(square, player, 0)]), {(square, min(reach(floor, others | {square}, player)))}
    while todo:
        square, player, n_pushes = todo.popleft()
        yield square, player, n_pushes
        around = reach(floor, others | {square}, player)
        for side in DIRECTIONS:
            target = beside(square, BACK[side])
            if beside(square, side) not in around or target not in floor - others:
                continue
            state = target, min(reach(floor, others | {target}, square))
            if state not in seen:
                seen.add(state)
                todo.append((target, square, n_pushes + 1))


def hand_on(costs, box_price, goal_price, box_of, box):
    """Give a box a goal by the cheapest chain of boxes that hand theirs on; prices and box_of are changed."""
    slack, before, done, here = dict.fromkeys(range(len(goal_price)), inf), {}, [], ROOT
    box_of[ROOT] = box
    while box_of[here] is not None:
        done.append(here)
        giver = box_of[here]
        slack.pop(here, None)
        for goal in slack:
            reduced = costs[giver][goal] - box_price[giver] - goal_price[goal]
            if reduced < slack[goal]:
                slack[goal], before[goal] = reduced, here
        nearest = min(slack, key=slack.__getitem__)
        step = slack[nearest]
        for goal in done:
            box_price[box_of[goal]] += step
            if goal != ROOT:
                goal_price[goal] -= step
        slack = {goal: value - step for goal, value in slack.items()}
        here = nearest
    while here != ROOT:
        box_of[here] = box_of[before[here]]
        here = before[here]


class NaiveIDA:
    """Iterative deepening with the parts that are switched on.

    Parameters
    ----------
    world
        Where floor, goals, boxes and player are.
    places
        Goal rooms with their plans; none without goal macros.
    influence
        Influence of each pair of squares; None without relevance cuts.
    patterns
        What pattern searches find; None without them.
    """

    def __init__(self, world, *, places=(), influence=None, patterns=None, k=1, m=0, threshold=0, **parts):
        self.world, self.places, self.influence, self.patterns = world, places, influence, patterns
        self.k, self.m, self.threshold = k, m, threshold
        self.weight, self.growth = parts.pop("weight", SIXTEENTHS), parts.pop("growth", 1.0)
        known = {"table", "ordering", "locking_tile", "locked_boxes", "inward", "tunnels", "goal_cuts"}
        known |= {"window", "three_boxes", "area"}
        assert set(parts) <= known
        self.parts = {**dict.fromkeys(known, False), **parts}
        self.goals = sorted(world.goals)
        self.table, self.rows, self.solution, self.is_exhausted = {}, [], None, False
        self.limit, self.stride, self.is_last, self.zones = 0, 1, False, {}
        loses = any((self.parts["tunnels"], self.parts["goal_cuts"], places, influence, self.weight != SIXTEENTHS))
        self.lower_bound, self.is_sure = 0, not (loses or (patterns is not None and patterns.has_penalties))

    @cached_property
    def room(self):
        """What is known of dead positions of the level."""
        return Room(self.world.text)

    @cached_property
    def distances(self):
        """Pushes from each place to each goal, in the order of goals; the last row is for boxes that are nowhere."""
        floor = self.world.floor
        sides = [(square, beside(square, direction)) for square in floor for direction in DIRECTIONS]
        starts = {self.place(square, near): near for square, near in sides if near in floor}
        found = {place: lone_distances(floor, place[0], near) for place, near in starts.items()}
        rows = {place: [found[place].get(goal, FAR) for goal in self.goals] for place in found}
        return {**rows, None: [0] * len(self.goals)}

    def place(self, square, player):
        """A box on a square, and the zone of the player were it alone."""
        if (square, player) not in self.zones:
            self.zones[square, player] = min(reach(self.world.floor, {square}, player))
        return square, self.zones[square, player]

    @cached_property
    def dead(self):
        """Squares from which a lone box reaches no goal."""
        alive = {place[0] for place, row in self.distances.items() if place is not None and min(row) < FAR}
        return self.world.floor - alive

    def total(self, matching):
        """Sum of a matching; FAR where a box has no way to its goal."""
        pairs = zip(matching.places, matching.goal_of, strict=True)
        return min(FAR, sum(self.distances[place][goal] for place, goal in pairs))

    def first_matching(self):
        """Each box takes its nearest goal if that is open; then the others, one by one."""
        n = len(self.goals)
        boxes = [self.place(square, self.world.player) for square in sorted(self.world.boxes)]
        places = boxes + [None] * (n - len(boxes))
        costs = [self.distances[place] for place in places]
        box_price, goal_price, box_of, waiting = [min(row) for row in costs], [0] * n, dict.fromkeys(range(n)), []
        for box, row in enumerate(costs):
            nearest = row.index(min(row))
            if box_of[nearest] is None:
                box_of[nearest] = box
            else:
                waiting.append(box)
        for box in waiting:
            hand_on(costs, box_price, goal_price, box_of, box)
        return Matching(tuple(places), self.goals_of(box_of), tuple(box_price), tuple(goal_price))

    def matching_after(self, matching, box, place):
        """The matching after a box went to a place: it keeps its goal where that is as good as any."""
        places, box_price, goal_price = (list(matching[i]) for i in (0, 2, 3))
        reduced = [d - price for d, price in zip(self.distances[place], goal_price, strict=True)]
        places[box], box_price[box], own = place, min(reduced), matching.goal_of[box]
        box_of = {goal: each for each, goal in enumerate(matching.goal_of)}
        if reduced[own] != min(reduced):
            box_of[own] = None
            hand_on([self.distances[each] for each in places], box_price, goal_price, box_of, box)
        return Matching(tuple(places), self.goals_of(box_of), tuple(box_price), tuple(goal_price))

    def goals_of(self, box_of):
        """The goal of each box."""
        return tuple(sorted(range(len(self.goals)), key=box_of.__getitem__))

    def estimate(self, bound):
        """What a bound counts for."""
        return bound * self.weight // SIXTEENTHS

    # --- searching --------------------------------------------------------------------------------------------------

    def run(self, n_thresholds):
        """Search up to so many thresholds."""
        matching = self.first_matching()
        node = Node(frozenset(self.world.boxes), self.world.player, matching)
        node = node._replace(keys=(key(self.world.floor, node.boxes, node.player),))
        bound = self.total(matching)
        self.limit, self.is_exhausted, self.lower_bound = self.estimate(bound), bound >= FAR, bound
        while not self.is_exhausted and len(self.rows) < n_thresholds:
            self.rows.append(Counter(threshold=self.limit))
            if self.is_last:
                self.table.clear()
            try:
                least = self.search_root(node, bound)
            except Solved as found:
                self.solution = found.args[0]
                return
            self.lower_bound = max(self.lower_bound, least) if self.is_sure else self.lower_bound
            self.limit = self.reach_on(least)
            is_whole = not any(self.rows[-1][cut] for cut in ("bound", "relevance", "pattern"))
            self.is_exhausted = self.limit >= FAR or self.is_stuck() or (is_whole and self.is_last)
            self.is_last = is_whole

    def reach_on(self, limit):
        """The next threshold: twice as far away each time that the last one brought little new."""
        nodes = [0, *(row["expanded"] for row in self.rows)]
        grew_enough = nodes[-1] >= self.growth * nodes[-2]
        self.stride = max(1, self.stride // 2) if grew_enough else 2 * self.stride
        is_far = self.growth > 1 and limit < FAR
        return self.limit + self.stride * (limit - self.limit) if is_far else limit

    def search_root(self, node, bound):
        """Search one threshold."""
        if node.boxes <= self.world.goals:
            raise Solved(())
        self.keep(node, self.estimate(bound))
        return self.search(node)

    def is_stuck(self):
        """Whether relevance cuts leave nothing new: three thresholds alike, or the last more than twice the first."""
        last = self.rows[-N_ALIKE:]
        alike = all(a["expanded"] == b["expanded"] for a, b in pairwise(last))
        alike |= self.rows[-1]["threshold"] > 2 * self.rows[0]["threshold"]
        return len(last) == N_ALIKE and self.rows[-1]["relevance"] > 0 and alike

    def search(self, node):
        """Search a position to its end; return how many pushes are left from it at least."""
        for is_cutting in (self.parts["goal_cuts"], False):
            moves, best, is_cut_short = self.expand(node, is_cutting)
            for move in moves:
                best = min(best, move.cost + self.visit(node, move))
            if best < FAR or not is_cut_short:
                break
        self.keep(node, best)
        return best

    def visit(self, node, move):
        """Go to a successor; return how many pushes are left from it at least."""
        child = self.after(node, move)
        if child.boxes <= self.world.goals:
            raise Solved(child.line)
        left, why = self.look_up(child), "transposition"
        score = self.estimate(self.total(child.matching))
        if left is None and self.is_dead(child):
            left, why = FAR, "deadlock"
        if left is None and self.patterns is not None:
            penalty = self.penalize(child, move.target)
            score = min(score + self.estimate(penalty), FAR)
            if child.way + score > self.limit:
                left, why = score, "pattern" if penalty < FAR else "deadlock"
        if left is None:
            self.keep(child, score)
            return self.search(child)
        self.rows[-1][why] += 1
        if why == "deadlock":
            self.keep(child, FAR)
        return left

    def is_dead(self, node):
        """Whether one of the tests that take long finds a position dead."""
        named = {"three_boxes": "three boxes", "area": "corral"}
        tests = [test for part, test in named.items() if self.parts[part]]
        return any(self.room.fails(node.boxes, node.player, test) for test in tests)

    def penalize(self, node, target):
        """Pushes more than the bound by what is known of patterns; where that allows to go on more is learned first."""
        position, adds_all = (node.boxes, node.player), self.weight > SIXTEENTHS
        penalty = self.patterns.penalty(*position, adds_all)
        if self.estimate(self.total(node.matching) + penalty) > self.limit - node.way:
            return penalty
        self.rows[-1]["searched inside"] += self.patterns.learn(*position, target)
        return self.patterns.penalty(*position, adds_all)

    def after(self, node, move):
        """The position after a move."""
        boxes, box = node.boxes - {move.origin} | {move.target}, number_of(node, move.origin)
        matching = self.matching_after(node.matching, box, self.place(move.target, move.player))
        assert all(place is None or place == self.place(place[0], move.player) for place in matching.places)
        keys = (*node.keys, key(self.world.floor, boxes, move.player))
        return Node(boxes, move.player, matching, node.way + move.cost, box, (*node.line, move[:4]), keys)

    def keep(self, node, score):
        """Keep what is left from a position at least, how far it was searched, and under which threshold."""
        self.table[node.keys[-1]] = score, self.limit - node.way, len(self.rows)

    def look_up(self, node):
        """What is known to be left if that is too much; None where the position has to be searched."""
        if not self.parts["table"]:
            return FAR if node.keys[-1] in node.keys[:-1] else None
        remaining = self.limit - node.way
        score, searched, n_thresholds = self.table.get(node.keys[-1], (0, -1, 0))
        if self.growth > 1 and n_thresholds == len(self.rows) and searched < remaining:
            searched = remaining
            self.is_sure &= score > remaining  # the way here is shorter, and may be on the shortest solution
        if searched >= remaining and score <= searched:
            score = next(n for n in (searched + 1, searched + 2) if (n - score) % 2 == 0)
        return score if score > remaining else None

    # --- successors -------------------------------------------------------------------------------------------------

    def expand(self, node, is_cutting):
        """Successors to be visited in order, what is left at least by the others, whether a goal cut took some."""
        planned = [(place, goals) for place in self.places if (goals := self.next_goals(place, node.boxes))]
        macros = [move for place, goals in planned for move in self.macros(node, place, goals)]
        reserved = {square for place, _ in planned for square in place.squares if is_cutting}
        only_macros = is_cutting and macros
        waiting, best, is_cut_short = [], FAR, False
        self.rows[-1]["expanded"] += 1
        for move in macros + self.pushes(node):
            barred = not move.is_macro and (only_macros or {move.origin, move.target} & reserved)
            became, value = ("goal cut", FAR) if barred and move.is_kept else self.judge(node, move)
            self.rows[-1][became] += 1
            is_cut_short |= became == "goal cut"
            if became == "open":
                waiting.append((value, move))
            else:
                best = min(best, value)
        if self.parts["ordering"]:
            waiting.sort(key=lambda pair: pair[0])
        return [move for _, move in waiting], best, is_cut_short

    def pushes(self, node):
        """Pushes, or pushes through tunnels, by direction and square."""
        world, found = self.world, []
        every = pushes(world.floor, node.boxes, node.player)
        kept = every
        if self.parts["inward"]:
            kept = inward_pushes(world.floor, world.goals, set(node.boxes), node.player, self.dead)
        for box, direction in sorted(every, key=lambda push: (DIRECTIONS.index(push[1]), push[0])):
            length = self.tunnel_length(node.boxes, box, direction) if self.parts["tunnels"] else 1
            target, player = beside(box, direction, length), beside(box, direction, length - 1)
            found.append(Move(box, target, player, length, is_kept=(box, direction) in kept))
        return found

    def tunnel_length(self, boxes, box, direction):
        """Pushes until a box is not between walls, or the player is not, or a goal, a box or a dead square stops it."""
        floor, length = self.world.floor, 1
        aside = [d for d in STEPS if d not in (direction, BACK[direction])]

        def is_walled(square):
            return all(beside(square, d) not in floor for d in aside)

        while True:
            target, player = beside(box, direction, length), beside(box, direction, length - 1)
            onward = beside(box, direction, length + 1)
            if not (is_walled(target) and is_walled(player)) or target in self.world.goals:
                return length
            if onward not in floor - boxes - self.dead:
                return length
            length += 1

    def next_goals(self, place, boxes):
        """Goals to be filled next; none where a box is off goal in the place, or it has no plan for what is filled."""
        inside = boxes & place.squares
        return place.plan.get(inside, set()) if inside <= place.goals else set()

    def macros(self, node, place, goals):
        """Moves that bring boxes from outside to the next goals of a place, boxes by number."""
        for square in (None if each is None else each[0] for each in node.matching.places):
            if square is None or square in place.squares:
                continue
            for target, player, n_pushes in box_states(self.world.floor, node.boxes - {square}, square, node.player):
                if n_pushes and target in goals:
                    yield Move(square, target, player, n_pushes, is_macro=True)
                    break

    def judge(self, node, move):
        """What becomes of a successor; its rank where it is to be visited, else what is left by it at least."""
        if not move.is_kept:
            return "inward", FAR
        boxes, box = node.boxes - {move.origin} | {move.target}, number_of(node, move.origin)
        place = self.place(move.target, move.player)
        matching = self.matching_after(node.matching, box, place)
        bound, here = self.total(matching), self.total(node.matching)
        if bound >= FAR or self.is_locked(boxes, move.target, move.player):
            return "deadlock", FAR
        left, remaining = move.cost + self.estimate(bound), self.limit - node.way
        if left > remaining:
            return "bound", left
        if not move.is_macro and self.is_irrelevant(node, move.origin):
            return "relevance", next(n for n in (remaining + 1, remaining + 2) if (n - left) % 2 == 0)
        kind = 0 if box == node.moved else 1 if bound == here - move.cost else 2
        return "open", (kind, self.distances[place][matching.goal_of[box]])

    def is_locked(self, boxes, target, player):
        """Whether a box is lost on a square, is with others dead in a window, or holds others and itself off goal."""
        if self.parts["locking_tile"] and target in self.dead:
            return True
        if self.parts["window"] and self.room.fails(boxes, player, "window"):
            return True
        if not self.parts["locked_boxes"]:
            return False
        locked = locked_boxes(self.world.floor, self.world.goals, boxes, self.dead)
        return target in locked and not locked <= self.world.goals

    def is_irrelevant(self, node, origin):
        """Whether a relevance cut drops a push; a move counts as its pushes, all from where it began."""
        if self.influence is None:
            return False
        froms = [start for start, _, _, cost in node.line for _ in range(cost)]
        return is_cut(self.influence, froms, origin, self.k, self.m, self.threshold)
