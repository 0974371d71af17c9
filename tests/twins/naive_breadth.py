"""Breadth-first search on sets of squares, as slow and as plain as can be."""

from __future__ import annotations

from collections import deque

from tests.twins import naive

STEPS = (-1, 0), (1, 0), (0, -1), (0, 1)


def expand_all(world, most, dead=frozenset()):
    """Yield the positions in the order in which they are expanded: pushes so far, and [(box, target, what became)].

    Pushes to squares of `dead` are left out. It ends with the position that has a solved successor.
    """
    start = frozenset(world.boxes), naive.reach(world.floor, world.boxes, world.player)
    todo, known = deque([(*start, 0)]), {(start[0], frozenset(start[1]))}
    for _ in range(most):
        if not todo:
            return
        boxes, reached, depth = todo.popleft()
        if boxes <= world.goals:
            yield depth, []
            return
        told = []
        for box, target in pushes_in_order(world, boxes, reached):
            after = boxes - {box} | {target}
            component = naive.reach(world.floor, after, box)
            if target in dead:
                told.append((box, target, "deadlock"))
            elif (after, frozenset(component)) in known:
                told.append((box, target, "transposition"))
            else:
                known.add((after, frozenset(component)))
                todo.append((after, component, depth + 1))
                told.append((box, target, "open"))
                if after <= world.goals:
                    yield depth, told
                    return
        yield depth, told


def pushes_in_order(world, boxes, reached):
    """All pushes, by direction and then by square, as the kernels list them."""
    for row, column in STEPS:
        for box in sorted(boxes):
            target = box[0] + row, box[1] + column
            if target in world.floor - boxes and (box[0] - row, box[1] - column) in reached:
                yield box, target
