"""A breadth-first solver on Python integers as bitsets: fast enough for whole collections, sharing no code."""

from __future__ import annotations

from collections import deque


class Maze:
    """Floor, goals and boxes of a level text as integers, one bit a square."""

    def __init__(self, text):
        rows = text.split("\n")
        self.width = max(map(len, rows)) + 1
        cells = {r * self.width + c: x for r, row in enumerate(rows) for c, x in enumerate(row)}
        self.player = next(s for s, x in cells.items() if x in "@+")
        not_wall = sum(1 << s for s, x in cells.items() if x != "#")
        self.floor = self.flood(not_wall, self.player)
        self.goals = sum(1 << s for s, x in cells.items() if x in ".*+") & self.floor
        self.boxes = sum(1 << s for s, x in cells.items() if x in "$*") & self.floor
        self.steps = {"u": -self.width, "d": self.width, "l": -1, "r": 1}

    def flood(self, free, player):
        """The component of the player."""
        reached, grown = 0, 1 << player
        while grown != reached:
            reached = grown
            near = reached << 1 | reached >> 1 | reached << self.width | reached >> self.width
            grown = reached | (near & free)
        return reached

    def pushes(self, boxes, reached):
        """(square of the box, direction) of every push."""
        open_floor = self.floor & ~boxes
        for direction, step in self.steps.items():
            behind = reached << step if step > 0 else reached >> -step
            ahead = open_floor >> step if step > 0 else open_floor << -step
            movable = boxes & behind & ahead
            while movable:
                lowest = movable & -movable
                yield lowest.bit_length() - 1, direction
                movable ^= lowest

    def solve(self, limit):
        """A solution with fewest pushes as (square, direction) pairs; None if there is none or too many states."""
        start = (self.boxes, self.flood(self.floor & ~self.boxes, self.player))
        todo, came_from = deque([start]), {start: None}
        while todo and len(came_from) < limit:
            state = todo.popleft()
            boxes, reached = state
            if not boxes & ~self.goals:
                return self._line(came_from, state)
            for square, direction in self.pushes(boxes, reached):
                after = boxes ^ (1 << square) ^ (1 << (square + self.steps[direction]))
                new = (after, self.flood(self.floor & ~after, square))
                if new not in came_from:
                    came_from[new] = (state, (square, direction))
                    todo.append(new)
        return None

    def _line(self, came_from, state):
        """The pushes that led to a state."""
        line = []
        while came_from[state]:
            state, push = came_from[state]
            line.append(push)
        return [(divmod(square, self.width), direction) for square, direction in reversed(line)]
