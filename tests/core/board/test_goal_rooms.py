"""Goal rooms: which part of the floor is one, and that its plan can really be filled."""

import sokoviz as sv
from sokoviz.core.board import goal_rooms as kernel
from sokoviz.core.types import NOWHERE
from tests.search.ida.deepenings import place_of
from tests.twins import naive
from tests.twins.naive_ida import box_states
from tests.worlds import world_of

WIDE_ROOM = """\
#########
#   # ..#
#@$    .#
# $$#   #
#   #####
#####"""
OPEN_GOALS = """\
#########
#       #
# $$$   #
#@   ...#
#       #
#########"""


def rooms_of(text):
    """A level and the goal rooms of its start."""
    world = world_of(text)
    rows = tuple(row.ljust(world.width) for row in text.split("\n"))
    return world, kernel.rooms_of(rows, frozenset(world.number(box) for box in world.boxes))


def places(text):
    """The rooms as sets."""
    world, rooms = rooms_of(text)
    return world, [place_of(rooms, room, world) for room in range(len(rooms.squares))]


def fill(world, place, entrances):
    """Bring one box after the other from an entrance to the goal that comes next; return what is filled in the end."""
    filled = frozenset(world.boxes & place.squares)
    while filled in place.plan:
        goal = min(place.plan[filled])
        ways = [
            player
            for entrance in entrances - filled
            for player in {naive.beside(entrance, d) for d in naive.STEPS} & world.floor - filled
            for square, player, n in box_states(world.floor, filled, entrance, player)
            if square == goal and n
        ]
        assert ways, f"no way to {goal} past {sorted(filled)}"
        filled |= {goal}
    return filled


def test_the_room_of_the_lesson_is_behind_its_door():
    world, found = places(sv.load("lessons#12").text)
    assert len(found) == 1
    assert found[0].goals == world.goals
    assert found[0].squares >= world.goals
    assert not found[0].squares & world.boxes


def test_the_plan_of_the_lesson_fills_all_goals():
    world, (place,) = places(sv.load("lessons#12").text)
    outside = world.floor - place.squares
    assert fill(world, place, outside) == place.goals


def test_the_plan_of_a_room_leaves_the_way_to_a_corner_open():
    world, (place,) = places(WIDE_ROOM)
    assert len(place.squares) == 9
    assert (2, 7) not in place.plan[frozenset()]
    assert fill(world, place, world.floor - place.squares) == place.goals


def test_goals_that_no_door_closes_off_have_an_order_too():
    world, (place,) = places(OPEN_GOALS)
    assert place.squares == place.goals == world.goals
    assert fill(world, place, set(world.boxes)) == place.goals


def test_a_room_with_less_than_three_goals_is_none():
    world, found = places(OPEN_GOALS.replace("...", "*..").replace("$$$", "$$ "))
    assert [place.goals for place in found] == [world.goals]
    assert places("#######\n#  #..#\n#@$   #\n# $#  #\n#######")[1] == []


def test_the_score_of_a_room_is_formula_4_6():
    world, rooms = rooms_of(sv.load("lessons#12").text)
    found = kernel.find_rooms(world.tables, frozenset())
    doors = len(found[0].doors)
    boxes = frozenset(sorted(found[0].squares)[:2])
    expected = 1000 * (20 - doors) + 5 * len(found[0].squares) - 500 * 2
    assert kernel._score(world.tables, found[0], boxes) == expected
    assert len(rooms.squares) == 1


def test_no_plan_while_a_box_stands_in_the_way_inside():
    world, rooms = rooms_of(WIDE_ROOM)
    place = place_of(rooms, 0, world)
    inside = min(place.squares - place.goals)
    scratch = world.bits([])
    assert kernel.find_plan(rooms, 0, world.bits({*world.boxes, inside}), scratch) == NOWHERE
    assert kernel.find_plan(rooms, 0, world.bits(world.boxes), scratch) != NOWHERE
