"""How a tree in a plain page moves: what stays on its pixel, what glides, and what the reader zooms and drags."""

from __future__ import annotations

import itertools
import math
from typing import TYPE_CHECKING, Any, Literal

import pytest

from sokoviz.widgets.explorer.frames import TREE_ARRAYS
from tests.ui.parts import PlainTree
from tests.ui.tree.trees import GrownTree, small_frame

if TYPE_CHECKING:
    from tests.ui.parts import PartPage

pytestmark = pytest.mark.clock  # what glides is looked at on its way


# --- stability and gliding ------------------------------------------------------------------------------------------


def test_a_node_that_did_not_move_stays_on_its_pixel(still: PartPage) -> None:
    tree = PlainTree(still, small_frame())
    before = tree.centers()
    moved = small_frame(2, xs=(0, -1, 1, -2.5, 0), visits=[9, 6, 2, 4, 0], path=[0, 1, 3], hidden=[0, 0, 3, 0, 0])
    tree.draw(moved)
    after = tree.centers()
    assert all(math.dist(after[node], before[node]) < 0.01 for node in (0, 1, 2, 4))
    assert math.dist(after[3], before[3]) > 10


def test_the_scale_changes_in_steps_only(still: PartPage) -> None:
    tree = PlainTree(still, small_frame())
    distances = []
    for step in range(60):
        spread = 2 + step / 4
        tree.draw(small_frame(2 + step, xs=(0, -1, 1, -spread, 0)), settle=False)
        root, one = tree.centers()[:2]
        assert tree.centers()[3][0] > 8
        distances.append(round(root[0] - one[0], 1))
    changes = sum(1 for one, other in itertools.pairwise(distances) if one != other)
    assert 1 <= changes <= 12
    assert distances == sorted(distances, reverse=True)


def test_a_tree_much_smaller_is_drawn_larger_again(still: PartPage) -> None:
    tree = PlainTree(still, GrownTree(400).frame())
    tree.draw(small_frame(2))
    _, one, two = tree.centers()[:3]
    assert two[0] - one[0] > 100


def test_moved_nodes_glide_and_end_where_they_belong(tree: PlainTree) -> None:
    before = tree.centers()
    tree.draw(small_frame(2, xs=(0, -1, 1, -3, 2), path=[0, 1, 3]), settle=False)
    start = tree.centers()
    tree.page.wait_for_timeout(110)
    middle = tree.centers()
    tree.page.wait_for_timeout(500)
    end = tree.centers()
    unit = before[2][0] - before[0][0]
    assert math.dist(start[3], before[3]) < math.dist(middle[3], before[3]) < unit
    assert end[3][0] == pytest.approx(before[3][0] - unit, abs=0.2)
    assert end[4][0] == pytest.approx(before[4][0] + 2 * unit, abs=0.2)
    assert (
        [start[node] for node in (0, 1, 2)] == [middle[node] for node in (0, 1, 2)] == [end[node] for node in (0, 1, 2)]
    )


def test_large_type_that_needs_more_room_leaves_no_node_behind(tree: PlainTree) -> None:
    tree.page.evaluate("""() => {
      model.take({large_type: true});
      hosts[0].style.setProperty("--sokoviz-tree-height", "260px");
    }""")
    tree.page.wait_for_timeout(700)
    after = tree.centers()
    tree.draw(small_frame(2))
    assert tree.centers() == [pytest.approx(place, abs=0.2) for place in after]


def test_edges_labels_and_rings_stay_with_their_nodes_while_they_glide(shared: PartPage) -> None:
    tree = PlainTree(shared, small_frame(labels=[[3, "L"]], simulated=3), traits={"node": 4})
    tree.draw(small_frame(2, xs=(0, -1, 1, -3.5, 0), labels=[[3, "L"]], simulated=3), settle=False)
    tree.page.wait_for_timeout(110)
    places = tree.page.evaluate("""() => {
      const middle = (element) => {
        const box = element.getBoundingClientRect();
        return [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
      };
      const nodes = [...document.querySelectorAll(".tracenodes .point")].map(middle);
      const ring = middle(document.querySelector(".tracerings .point"));
      const label = middle(document.querySelector(".tracelabels text"));
      const line = document.querySelector(".traceedges .js-fill").getBoundingClientRect();
      return {node: nodes[3], ring, label, left: line.left};
    }""")
    assert math.dist(places["node"], places["ring"]) < 4
    assert math.dist(places["node"], places["label"]) < 40
    assert abs(places["node"][0] - places["left"]) < 4


def test_new_nodes_come_out_of_their_parent(shared: PartPage) -> None:
    first = small_frame()
    for name in TREE_ARRAYS:
        first[name] = first[name][:3]
    tree = PlainTree(shared, {**first, "actions": first["actions"][:3]})
    tree.page.evaluate("""() => {
      const top = (point) => point.getBoundingClientRect().top;
      const note = () => { globalThis.starts = [...document.querySelectorAll(".tracenodes .point")].map(top); };
      hosts[0].addEventListener("sokoviz-drawn", note);
    }""")
    tree.draw(small_frame(2, xs=(0, -1, 1, -1.5, -0.5)))
    starts = tree.page.evaluate("() => starts")
    tops = [y for _, y in tree.centers()]
    assert starts[3] < (tops[1] + tops[3]) / 2
    assert tops[3] == tops[4] > tops[1] + 20


def test_a_frame_that_comes_while_nodes_glide_is_drawn(tree: PlainTree) -> None:
    for number, x in ((2, -3.0), (3, -4.0), (4, -2.5)):
        tree.draw(small_frame(number, xs=(0, -1, 1, x, 0)), settle=False)
        tree.page.wait_for_timeout(60)
    tree.page.wait_for_timeout(500)
    nodes = tree.centers()
    assert nodes[3][0] == pytest.approx(nodes[0][0] + 2.5 * (nodes[1][0] - nodes[0][0]), abs=0.3)
    assert tree.page.evaluate("() => drawn") == [1, 2, 3, 4]


@pytest.mark.parametrize(
    ("traits", "motion", "n_nodes"),
    [
        ({"playing": True, "speed": 10.0}, "no-preference", 50),
        ({}, "reduce", 50),
        ({}, "no-preference", 420),
    ],
    ids=["playing fast", "reduced motion", "many nodes"],
)
def test_nothing_glides(
    shared: PartPage, traits: dict[str, Any], motion: Literal["no-preference", "reduce"], n_nodes: int
) -> None:
    shared.page.emulate_media(reduced_motion=motion)
    frame = GrownTree(n_nodes).frame()
    tree = PlainTree(shared, frame)
    tree.draw({**frame, "frame": 2, "xs": [0.9 * x for x in frame["xs"]]}, settle=False, **traits)
    first = tree.centers()
    tree.page.wait_for_timeout(350)
    assert tree.centers() == first


# --- view -----------------------------------------------------------------------------------------------------------


def spread(tree: PlainTree) -> float:
    """Pixels between two nodes: tells the zoom."""
    nodes = tree.centers()
    return nodes[2][0] - nodes[1][0]


def test_the_wheel_scrolls_the_page_until_the_tree_is_clicked(shared: PartPage) -> None:
    shared.page.set_viewport_size({"width": 960, "height": 300})
    tree = PlainTree(shared, small_frame())
    before = spread(tree)
    tree.page.mouse.move(300, 150)
    tree.page.mouse.wheel(0, 100)
    tree.page.wait_for_function("() => scrollY > 50")
    assert spread(tree) == before
    assert "Ctrl" in tree.page.locator(".sokoviz-hint").inner_text()
    tree.page.mouse.click(40, 150)
    tree.page.mouse.wheel(0, -200)
    tree.page.wait_for_timeout(400)
    assert spread(tree) > before
    assert tree.sent() == []


def test_the_wheel_zooms_with_ctrl(tree: PlainTree) -> None:
    before = spread(tree)
    tree.page.mouse.move(300, 150)
    tree.page.keyboard.down("Control")
    tree.page.mouse.wheel(0, -200)
    tree.page.keyboard.up("Control")
    tree.page.wait_for_timeout(400)
    assert spread(tree) > before


def drag(tree: PlainTree, dx: float, dy: float) -> None:
    """Drag the background of the tree."""
    box = tree.figure().bounding_box()
    assert box
    x, y = box["x"] + 40, box["y"] + box["height"] - 60
    tree.page.mouse.move(x, y)
    tree.page.mouse.down()
    tree.page.mouse.move(x + dx, y + dy, steps=6)
    tree.page.mouse.up()
    tree.page.wait_for_timeout(300)


@pytest.mark.parametrize("way", ["button", "double click", "key"])
def test_a_dragged_view_stays_until_it_is_reset(tree: PlainTree, way: str) -> None:
    before = tree.centers()
    drag(tree, 90, -30)
    tree.draw(small_frame(2, visits=[9, 6, 2, 4, 0]))
    dragged = tree.centers()
    assert dragged[1] == pytest.approx([before[1][0] + 90, before[1][1] - 30], abs=1.5)
    if way == "button":
        tree.button("Reset view").click()
    elif way == "key":
        tree.figure().press("0")
    else:
        tree.page.mouse.dblclick(dragged[1][0] - 60, dragged[1][1] + 150)
    tree.page.wait_for_timeout(700)
    assert all(math.dist(one, other) < 0.2 for one, other in zip(tree.centers(), before, strict=True))
    assert tree.sent() == []


def test_a_zoom_outlives_a_change_of_scale(still: PartPage) -> None:
    tree = PlainTree(still, small_frame())
    drag(tree, 60, 0)
    before = tree.centers()
    grown = GrownTree(200).frame(2)
    tree.draw(grown)
    assert tree.centers()[0] == pytest.approx(before[0], abs=0.2)


def test_a_node_chosen_elsewhere_comes_into_a_zoomed_view(tree: PlainTree) -> None:
    drag(tree, 900, 0)
    drag(tree, 900, 0)
    tree.show(node=3)
    tree.page.wait_for_timeout(600)
    box = tree.figure().bounding_box()
    assert box
    assert box["x"] < tree.centers()[3][0] < box["x"] + box["width"]
