"""Slow and obvious twins of the kernels, on sets of (row, column) squares. They share no code with the package."""

from __future__ import annotations

import itertools
from collections import deque
from functools import cache
from math import inf

STEPS = {"u": (-1, 0), "d": (1, 0), "l": (0, -1), "r": (0, 1)}
BACK = {"u": "d", "d": "u", "l": "r", "r": "l"}


def beside(square, direction, times=1):
    """The square some steps away."""
    return square[0] + times * STEPS[direction][0], square[1] + times * STEPS[direction][1]


def read(text):
    """Floor that the player could reach, goals, boxes and player of a level text; nothing that is walled off."""
    cells = {(r, c): x for r, row in enumerate(text.split("\n")) for c, x in enumerate(row)}
    player = next(s for s, x in cells.items() if x in "@+")
    floor = reach({s for s, x in cells.items() if x != "#"}, set(), player)
    goals = {s for s in floor if cells[s] in ".*+"}
    boxes = {s for s in floor if cells[s] in "$*"}
    return floor, goals, boxes, player


def reach(floor, boxes, player):
    """Squares that the player can walk to."""
    seen, todo = {player}, [player]
    while todo:
        here = todo.pop()
        for direction in STEPS:
            near = beside(here, direction)
            if near in floor and near not in boxes and near not in seen:
                seen.add(near)
                todo.append(near)
    return seen


def walk_length(floor, boxes, player, target):
    """Number of steps of a shortest walk, None if there is none."""
    todo, length = deque([player]), {player: 0}
    while todo:
        here = todo.popleft()
        for direction in STEPS:
            near = beside(here, direction)
            if near in floor and near not in boxes and near not in length:
                length[near] = length[here] + 1
                todo.append(near)
    return length.get(target)


def pushes(floor, boxes, player):
    """Set of (box, direction)."""
    reached = reach(floor, boxes, player)
    return {
        (box, d)
        for box in boxes
        for d in STEPS
        if beside(box, BACK[d]) in reached and beside(box, d) in floor and beside(box, d) not in boxes
    }


def pulls(floor, boxes, player):
    """Set of (box, direction): box and player go one square each in that direction."""
    reached = reach(floor, boxes, player)
    return {
        (box, d)
        for box in boxes
        for d in STEPS
        if beside(box, d) in reached and beside(box, d, 2) in floor and beside(box, d, 2) not in boxes
    }


def after_push(boxes, push):
    """Boxes and player after a push."""
    box, direction = push
    return boxes - {box} | {beside(box, direction)}, box


def after_pull(boxes, pull):
    """Boxes and player after a pull."""
    box, direction = pull
    return boxes - {box} | {beside(box, direction)}, beside(box, direction, 2)


def count_lines(floor, boxes, player, depth):
    """Number of ways to do that many pushes one after the other."""
    found = pushes(floor, boxes, player)
    if depth == 1:
        return len(found)
    return sum(count_lines(floor, *after_push(boxes, push), depth - 1) for push in found)


def key(floor, boxes, player):
    """The equivalence state: boxes and first square of the component in reading order."""
    return frozenset(boxes), min(reach(floor, boxes, player))


def box_moves(floor, boxes, player, source):
    """Fewest pushes to each (square of the box, first square of the player's component), other boxes fixed."""
    others = boxes - {source}
    start = (source, min(reach(floor, boxes, player)))
    todo, n_pushes = deque([start]), {start: 0}
    while todo:
        here = todo.popleft()
        for box, direction in pushes(floor, others | {here[0]}, here[1]):
            if box != here[0]:
                continue
            target = beside(box, direction)
            after = (target, min(reach(floor, others | {target}, box)))
            if after not in n_pushes:
                n_pushes[after] = n_pushes[here] + 1
                todo.append(after)
    return n_pushes


def push_distance(floor, start, goal):
    """Pushes of a lone box from start to goal, from the best side; infinite if none."""
    best = inf
    for direction in STEPS:
        player = beside(start, direction)
        if player in floor:
            found = box_moves(floor, {start}, player, start)
            best = min([best, *(n for (square, _), n in found.items() if square == goal)])
    return 0 if start == goal else best


def locking_tiles(floor, goals):
    """Squares from which a lone box reaches no goal."""
    return {s for s in floor if all(push_distance(floor, s, g) == inf for g in goals)}


def sweep_lines(floor):
    """Outermost floor squares from the four sides."""
    lines = []
    for axis in (0, 1):
        for end in (min, max):
            edge = end(s[axis] for s in floor)
            lines.append({s for s in floor if s[axis] == edge})
    return lines


def is_overfull(line, goals, boxes):
    """Whether a line holds more boxes than goals."""
    return len(line & boxes) > len(line & goals)


def wall_runs(floor):
    """All straight runs from wall to wall that a box cannot leave sideways, of two squares at least."""
    runs = set()
    for square in floor:
        for along, across in (("lr", "ud"), ("ud", "lr")):
            run = {square}
            for direction in along:
                near = beside(square, direction)
                while near in floor:
                    run.add(near)
                    near = beside(near, direction)
            if len(run) > 1 and not any(all(beside(s, d) in floor for d in across) for s in run):
                runs.add(frozenset(run))
    return runs


def locked_boxes(floor, goals, boxes, dead=None):
    """The largest set of boxes that hold each other: the union of all sets whose boxes are held on both axes."""
    dead = locking_tiles(floor, goals) if dead is None else dead

    def is_held(box, axis, held):
        near = [beside(box, d) for d in axis]
        return any(s not in floor or s in held for s in near) or all(s in dead for s in near)

    locked = set()
    for size in range(1, len(boxes) + 1):
        for some in itertools.combinations(sorted(boxes), size):
            if all(is_held(box, axis, some) for box in some for axis in ("lr", "ud")):
                locked |= set(some)
    return locked


def has_goal_for_each(floor, goals, boxes):
    """Whether some order of the goals gives each box one that it can reach alone."""
    boxes = sorted(boxes)
    return any(
        all(push_distance(floor, b, g) < inf for b, g in zip(boxes, order, strict=True))
        for order in itertools.permutations(sorted(goals), len(boxes))
    )


def inward_pushes(floor, goals, boxes, player, dead):
    """The pushes into the closed area with the fewest, if they have to come some time and can come first; else all."""
    reached, best = reach(floor, boxes, player), pushes(floor, boxes, player)
    unseen = floor - boxes - reached
    while unseen:
        area = reach(floor, boxes, min(unseen))
        unseen -= area
        found = pushes_into(floor, goals, boxes, reached, dead, area)
        best = found if found is not None and len(found) < len(best) else best
    return best


def pushes_into(floor, goals, boxes, reached, dead, area):
    """The pushes into a closed area; None where it may stay as it is, or where another push may come first."""
    hidden = {box for box in boxes if not around(box) & reached}
    shut = floor - boxes - reached | hidden
    while near := {s for s in shut - area if around(s) & area}:
        area = area | near
    border = {box for box in boxes - area if around(box) & area}
    into, others = set(), set()
    for box, direction in sorted(itertools.product(border, STEPS), key=lambda push: (push[0], "udlr".index(push[1]))):
        target, behind = beside(box, direction), beside(box, BACK[direction])
        is_barred = target not in floor - dead - border - (area & boxes) or behind not in floor - border - area
        if is_barred:  # by a wall, or by what stays until another box of the border was pushed
            continue
        if target in area and behind in reached:
            into.add((box, direction))
        elif (target if target not in area else behind) in shut - boxes:
            near = target if target not in area else behind
            return pushes_into(floor, goals, boxes, reached, dead, area | {near})
        else:
            others.add((box, direction))
    stays = border | (area & boxes) <= goals and (area & goals <= boxes or len(boxes) < len(goals))
    return None if others or stays else into


def around(square):
    """The four squares beside a square."""
    return {beside(square, direction) for direction in STEPS}


def pushes_needed(floor, goals, n_boxes):
    """Fewest pushes that solve each state that can be solved, by its key: pulled back from the solved ones."""
    states = [(frozenset(some), p) for some in itertools.combinations(sorted(goals), n_boxes) for p in floor - {*some}]
    found, n_pushes = {}, 0
    while states:
        new = {key(floor, *state): state for state in states if key(floor, *state) not in found}
        found.update(dict.fromkeys(new, n_pushes))
        states = [after_pull(boxes, pull) for boxes, player in new.values() for pull in pulls(floor, boxes, player)]
        n_pushes += 1
    return found


def solve(floor, goals, boxes, player):
    """Fewest pushes that solve a position as a list, None if it is unsolvable: breadth first, all states."""
    boxes = frozenset(boxes)
    start = key(floor, boxes, player)
    todo, came_from = deque([(boxes, player)]), {start: None}
    while todo:
        boxes, player = todo.popleft()
        here = key(floor, boxes, player)
        if boxes <= goals:
            line = []
            while came_from[here]:
                here, push = came_from[here]
                line.append(push)
            return line[::-1]
        for push in sorted(pushes(floor, boxes, player)):
            after = after_push(boxes, push)
            if key(floor, *after) not in came_from:
                came_from[key(floor, *after)] = (here, push)
                todo.append(after)
    return None


def solvable_states(floor, goals, n_boxes):
    """Keys of all states from which some solution leads on: pulled back from every solved state."""
    states, todo = set(), []
    for some in itertools.combinations(sorted(goals), n_boxes):
        todo.extend((frozenset(some), player) for player in floor - set(some))
    while todo:
        boxes, player = todo.pop()
        here = key(floor, boxes, player)
        if here not in states:
            states.add(here)
            todo.extend(after_pull(boxes, pull) for pull in pulls(floor, boxes, player))
    return states


def windows(height, width, floor, goals):
    """Windows on a board: size, first square, walls and goals of each; those with goals are smaller."""
    for size in ((4, 4), (4, 5), (5, 4)):
        for top, left in itertools.product(range(max(1, height - size[0] + 1)), range(max(1, width - size[1] + 1))):
            squares = set(itertools.product(range(size[0]), range(size[1])))
            walls = frozenset((r, c) for r, c in squares if (top + r, left + c) not in floor)
            marked = frozenset((r, c) for r, c in squares - walls if (top + r, left + c) in goals)
            if not marked or len(squares - walls) <= 18:
                yield size, (top, left), walls, marked


def is_dead_in_window(window, boxes, player):
    """Whether the boxes in a window can all leave it neither from outside nor from where the player is."""
    size, (top, left), walls, goals = window
    squares = set(itertools.product(range(size[0]), range(size[1])))
    inside = squares & {(row - top, column - left) for row, column in boxes}
    here = {(player[0] - top, player[1] - left)} & squares
    return not any(clears_window(size, walls, goals, frozenset(inside), start) for start in {(-1, -1), *here})


@cache
def clears_window(size, walls, goals, boxes, player):
    """Whether boxes can all leave a window or come to goals in it, with nothing but free floor around it."""
    window = set(itertools.product(range(size[0]), range(size[1])))
    floor = set(itertools.product(range(-1, size[0] + 1), range(-1, size[1] + 1))) - set(walls)
    todo, seen = [(frozenset(boxes), player)], set()
    while todo:
        boxes, player = todo.pop()
        boxes &= window
        if boxes <= goals:
            return True
        if key(floor, boxes, player) not in seen:
            seen.add(key(floor, boxes, player))
            todo.extend(after_push(boxes, push) for push in pushes(floor, boxes, player))
    return False


def splitmix64(seed):
    """The reference generator in plain integers."""
    mask = (1 << 64) - 1
    while True:
        seed = (seed + 0x9E3779B97F4A7C15) & mask
        z = ((seed ^ (seed >> 30)) * 0xBF58476D1CE4E5B9) & mask
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & mask
        yield z ^ (z >> 31)
