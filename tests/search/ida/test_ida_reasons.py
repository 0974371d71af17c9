"""What the screen says of a dead position is what the kernel found: the rule that decided, and no other."""

from collections import Counter

import numpy as np
import pytest

import sokoviz as sv
from sokoviz.core.branches import record as branches
from sokoviz.search.ida.explaining import play_moves
from sokoviz.search.ida.fates import FATES
from sokoviz.search.ida.options import PRESETS
from sokoviz.search.ida.reasons import RULES, SEARCHED, moves_to, reason_of, rule_against
from tests.search.ida.deepenings import HARD_WORLDS, pulled_worlds, search_of
from tests.twins import naive
from tests.worlds import world_of

# Four boxes can never move: no preset solves it, so each goes on for as long as it may.
ENDLESS = world_of("##########\n#  $  ...#\n# $$  $..#\n# $$ $ ..#\n# @      #\n##########")
WORLDS = [*HARD_WORLDS, *pulled_worlds(4, 7, 9, 10, n_boxes=5, n_pulls=400, wall_share=0.15), ENDLESS]
NODES = 120  # positions expanded of each level
FEWEST = 1000  # dead positions of a preset that are compared


def dead_nodes(search):
    """All nodes that the kernel cut as dead: the stretch that shows each, the node and its board."""
    for number in range(1, search.last + 1):
        stretch = search.stretch(number)
        nodes = range(stretch.begin, stretch.end)
        new = [node for node in nodes if stretch.events[node, branches.KIND] == branches.DEADLOCK]
        closed = stretch.events[[place for place in nodes if stretch.events[place, branches.KIND] == branches.CLOSED]]
        late = closed[closed[:, branches.ORIGIN] == branches.DEADLOCK, branches.NODE].tolist()
        for node in (*new, *late):
            yield stretch, node, play_moves(search.level, moves_to(stretch, node))


def quick_rules(world, board, target, tiles):
    """The quick rules that find a position dead, by the twins, in the order in which the kernel asks them."""
    if target in tiles:
        yield branches.LOST_BOX
    locked = naive.locked_boxes(world.floor, world.goals, {tuple(box) for box in board.boxes}, tiles)
    if target in locked and locked - world.goals:
        yield branches.LOCKED_BOXES


def rules_of(options):
    """The rules that a search asks, as the record numbers them."""
    tests = {number for number, name in RULES.items() if name in options.deadlocks}
    area = {branches.DEAD_AREA} if "area" in options.patterns else set()
    learned = {branches.LEARNED_PATTERN} if {"deadlock", "penalty"} & {*options.patterns} else set()
    return tests | area | learned | {branches.NO_MATCHING}


@pytest.mark.parametrize("preset", PRESETS)
def test_the_rule_that_is_told_is_the_one_that_decided(preset):
    seen = Counter[int]()
    for world in WORLDS:
        search = search_of(world, preset=preset, patience=0, share=1.0)
        search.run(nodes=12 * NODES if world is ENDLESS else NODES, progress=False)
        asked, tiles = rules_of(search.options), naive.locking_tiles(world.floor, world.goals)
        for stretch, node, board in dead_nodes(search):
            rule, reason = rule_against(stretch, node), reason_of(search, stretch, node, board)
            seen[rule] += 1
            assert reason.fate == "deadlock"
            assert rule in asked
            target = tuple(stretch.record.move(node).target)
            quick = [each for each in quick_rules(world, board, target, tiles) if each in asked]
            if rule in {branches.LOST_BOX, branches.LOCKED_BOXES}:
                assert rule == quick[0]
            else:
                assert quick == []
            if rule == branches.NO_MATCHING:
                assert board.matching("side").cost is None
            assert (RULES.get(rule) or SEARCHED[rule]) in reason.words
    assert sum(seen.values()) >= FEWEST
    assert branches.LOST_BOX in seen
    assert len(seen) >= 3


def test_a_rule_that_a_search_does_not_have_is_never_told():
    """Once the explorer found a reason by itself: on lessons#5 "wall run" where in truth the bound was infinite."""
    search = sv.IDA(sv.load("lessons#5"), preset="classic", memory=1 << 20)
    search.run(nodes=500, progress=False)
    told = {reason_of(search, *found).words.split(".")[0] for found in dead_nodes(search)}
    assert told <= {"Deadlock: locking tile", "Deadlock: locked boxes", f"Deadlock: {SEARCHED[branches.NO_MATCHING]}"}
    assert f"Deadlock: {SEARCHED[branches.NO_MATCHING]}" in told


def test_all_that_is_dead_was_cut_by_a_rule():
    search = search_of(HARD_WORLDS[0], preset="best", patience=0, share=1.0)
    search.run(nodes=NODES, progress=False)
    found = list(dead_nodes(search))
    stretch = search.stretch(search.last)
    inside = np.array([node for _, node, _ in found if node > stretch.root], dtype=np.int64)
    assert {FATES[fate] for fate in stretch.outline.fates(inside, stretch.end)} == {"deadlock"}
    assert all(rule_against(at, node) in {*RULES, *SEARCHED} for at, node, _ in found)
