"""Tunnels on small drawings: how far a push goes on (Crippa and Marocchi, section 4.4.3, figures 4.4 and 4.5)."""

import pytest

from sokoviz.core.board.tunnels import find_corridors, tunnel_length
from tests.worlds import world_of

LONG = """\
###########
#   ####  #
#@$       #
#   #### .#
###########"""
WITH_GOAL = LONG.replace("#@$       #", "#@$   .   #").replace(" .#", "  #")
WITH_BOX = LONG.replace("#@$       #", "#@$    $ .#")
DEAD_END = """\
########
#   ####
#@$   ##
# . ####
########"""
UPRIGHT = """\
#######
#     #
# .   #
### ###
### ###
#  $  #
#  @  #
#######"""


def length(text, direction):
    """Pushes of the first box in reading order."""
    world = world_of(text)
    free, _ = world.reached(world.boxes, world.player)
    box = world.number(min(world.boxes))
    return tunnel_length(world.tables, find_corridors(world.tables), free, box, "udlr".index(direction))


@pytest.mark.parametrize(
    ("text", "origin", "expected"),
    [
        pytest.param(LONG, (2, 2), 1, id="a box before a tunnel is not in it yet"),
        pytest.param(LONG, (2, 3), 1, id="nor is the player when the box enters"),
        pytest.param(LONG, (2, 4), 4, id="from within it goes on until it is out"),
        pytest.param(WITH_GOAL, (2, 4), 2, id="it stops on a goal"),
        pytest.param(WITH_BOX, (2, 4), 2, id="it stops before a box"),
        pytest.param(DEAD_END, (2, 3), 1, id="it does not go to a locking tile"),
    ],
)
def test_a_push_to_the_right_goes_on(text, origin, expected):
    row = text.split("\n")[2].replace("$", " ", 1)
    moved = row[: origin[1]] + "$" + row[origin[1] + 1 :]
    assert (
        length("\n".join(moved if line == text.split("\n")[2] else line for line in text.split("\n")), "r") == expected
    )


def test_a_push_upwards_goes_on():
    entered = UPRIGHT.replace("### ###\n#  $  #", "###$###\n#     #")
    assert length(UPRIGHT, "u") == 1
    assert length(entered, "u") == 2


def test_corridors_are_walled_on_both_sides_of_their_axis():
    world = world_of(UPRIGHT)
    upright, level = (world.squares(bits) for bits in find_corridors(world.tables))
    assert upright == {(3, 3), (4, 3)}
    assert level == set()
