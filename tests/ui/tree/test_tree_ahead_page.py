"""Frames drawn ahead of plotly.js in a plain page: they are what plotly.js draws, and it learns of them afterwards."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.ui.parts import PlainTree
from tests.ui.tree.trees import ELIMINATED, NEW, TERMINAL, GrownTree, small_frame

if TYPE_CHECKING:
    from tests.ui.parts import PartPage

NOTE_NEXT = """() => {
  const plot = document.querySelector(".sokoviz-tree-plot");
  const layer = () => plot.querySelector(".scatterlayer").outerHTML;
  const before = plot._fullData;
  globalThis.compare = () => ({ ...noted, later: layer(), isKnown: plot._fullData !== before });
  const note = () => { globalThis.noted = { ahead: layer(), isAhead: plot._fullData === before }; };
  document.addEventListener("sokoviz-drawn", note, { capture: true, once: true });
}"""
MARKED = {"path": [0, 1], "simulated": 1, "labels": [[0, "0"], [1, "1 · Aa"]]}


def grown(n_nodes: int, **changes: Any) -> dict[str, Any]:
    """A tree of about that many nodes, some of them with others folded below."""
    tree = GrownTree(n_nodes)
    return tree.frame(hidden=[0 if below else 7 for below in tree.children], **changes)


def drawn_ahead(tree: PlainTree, before: dict[str, Any], after: dict[str, Any]) -> dict[str, Any]:
    """What the page has of a frame when it is drawn and later, once plotly has drawn all of its traces before."""
    for number, frame in enumerate((after, before), start=2):
        tree.draw({**frame, "frame": number})
        tree.page.wait_for_timeout(100)
    tree.page.evaluate(NOTE_NEXT)
    tree.draw({**after, "frame": 4})
    tree.page.wait_for_function("() => compare().isKnown")
    found: dict[str, Any] = tree.page.evaluate("() => compare()")
    return found


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (grown(60), grown(90)),
        (grown(90), grown(60, **MARKED)),
        (grown(60, **MARKED), grown(60)),
        (small_frame(), small_frame(flags=[0, 0, TERMINAL, ELIMINATED, NEW], visits=[9, 5, 3, 3, 1])),
    ],
    ids=["more", "marks", "no marks", "other shapes"],
)
def test_a_frame_drawn_ahead_is_that_of_plotly(still: PartPage, before: dict[str, Any], after: dict[str, Any]) -> None:
    found = drawn_ahead(PlainTree(still, before), before, after)
    assert found["isAhead"]
    assert found["ahead"] == found["later"]


def test_a_tree_that_is_being_dragged_is_drawn_by_plotly(still: PartPage) -> None:
    tree = PlainTree(still, grown(60))
    tree.draw(grown(60, number=2))
    box = tree.figure().bounding_box()
    assert box
    tree.page.mouse.move(box["x"] + 40, box["y"] + 200)
    tree.page.mouse.down()
    tree.page.mouse.move(box["x"] + 90, box["y"] + 220, steps=4)
    tree.page.evaluate(NOTE_NEXT)
    tree.draw(grown(60, number=3))
    assert not tree.page.evaluate("() => compare().isAhead")
    tree.page.mouse.up()
