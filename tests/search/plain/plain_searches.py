"""Two searches as a user writes them, and as the README has them."""

from collections import deque
from heapq import heappop, heappush

import sokoviz as sv


class Breadth(sv.PlainSearch):
    """Breadth-first search over pushes with duplicate detection."""

    name = "breadth first"

    def search(self, note):
        """Look at positions in the order in which they were found."""
        start = sv.Board(self.level)
        waiting, known = deque([note.root(start)]), {start.key}
        while waiting:
            node = waiting.popleft()
            note.expand(node)
            for push in note.state(node).pushes:
                board = note.state(node).after(push)
                if board.key in known:
                    note.reject(node, push, "met before")
                    continue
                known.add(board.key)
                waiting.append(note.add(node, push, board))
                if board.is_solved:
                    note.solved(waiting[-1])
            yield


class BothEnds(sv.PlainSearch):
    """Greedy search from the start by pushes and from all ends by pulls, in turn; a shorter way takes a node over."""

    name = "greedy from both ends"

    def search(self, note):
        """Look at the position whose boxes are nearest to where they shall be; where both sides meet is a solution."""
        start, way = sv.Board(self.level), {}  # how long the way to each node is
        sides = [({}, [], self.level.goals), ({}, [], self.level.boxes)]  # nodes by key, those that wait, the aim

        def bring(side, board, parent=None, push=None):
            known, waiting, aim = sides[side]
            node = note.root(board) if parent is None else note.add(parent, push, board)
            known[board.key], way[node] = node, 0 if parent is None else way[parent] + 1
            heappush(waiting, (len(set(aim) - board.boxes), node))
            return node

        bring(0, start)
        for end in start.ends:
            bring(1, end)
        while sides[0][1] and sides[1][1]:
            for side, (known, waiting, _) in enumerate(sides):
                node = heappop(waiting)[1]
                note.expand(node)
                board = note.state(node)
                for action in board.pulls if side else board.pushes:
                    after, push = (board.before(action), action.back) if side else (board.after(action), action)
                    twin, other = known.get(after.key), sides[1 - side][0].get(after.key)
                    if twin is None:
                        child = bring(side, after, node, push)
                        if other is not None:
                            note.meet(child, other)
                            note.solved(child)
                    elif way[node] + 1 < way[twin]:
                        note.relink(twin, node, push)
                        way[twin] = way[node] + 1
                    else:
                        note.reject(node, push, "met before on a way as short")
                yield
