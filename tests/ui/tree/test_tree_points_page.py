"""Circles of the tree in a plain page: written by ourselves, they are what plotly.js would have drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.ui.parts import PlainTree
from tests.ui.tree.trees import ELIMINATED, NEW, TERMINAL, GrownTree, small_frame

if TYPE_CHECKING:
    from tests.ui.parts import PartPage

LAYER = """isQuick => {
  const plot = document.querySelector(".sokoviz-tree-plot");
  plot.isDrawnQuickly = !isQuick;
  return plot.querySelector(".scatterlayer").outerHTML;
}"""
COUNT_CHANGES = """() => {
  globalThis.changes = [];
  const observer = new MutationObserver((found) => changes.push(...found.map(({ attributeName }) => attributeName)));
  const options = { subtree: true, childList: true, attributes: true };
  observer.observe(document.querySelector(".tracenodes .points"), options);
}"""


def grown(n_nodes: int, number: int, **changes: Any) -> dict[str, Any]:
    """A tree of about that many nodes."""
    return GrownTree(n_nodes).frame(number, **changes)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (grown(60, 1), grown(90, 2)),
        (grown(90, 1), grown(60, 2, path=[0, 1], labels=[[0, "0"], [1, "1 · Aa"]])),
        (grown(60, 1, path=[0, 1], simulated=1), grown(60, 2)),
        (small_frame(), small_frame(2, flags=[0, 0, TERMINAL, ELIMINATED, NEW], visits=[9, 5, 3, 3, 1])),
        (small_frame(flags=[0, 0, TERMINAL, ELIMINATED, NEW]), small_frame(2)),
    ],
    ids=["more", "fewer", "no marks", "other shapes", "one shape"],
)
def test_circles_drawn_quickly_are_those_of_plotly(
    still: PartPage, before: dict[str, Any], after: dict[str, Any]
) -> None:
    tree = PlainTree(still, before)
    tree.draw(after)
    quick = tree.page.evaluate(LAYER, True)  # noqa: FBT003  a value for the page
    tree.draw({**after, "frame": 3})
    assert quick == tree.page.evaluate(LAYER, False)  # noqa: FBT003  likewise
    assert quick.count('class="point"') >= len(after["ids"])


def test_a_circle_that_has_not_changed_is_not_touched(still: PartPage) -> None:
    tree = PlainTree(still, grown(60, 1))
    tree.page.evaluate(COUNT_CHANGES)
    tree.draw(grown(60, 2))
    assert tree.page.evaluate("() => changes") == []
    values = [0.0] * len(grown(60, 1)["ids"])
    tree.draw(grown(60, 3, values=values))
    assert set(tree.page.evaluate("() => changes")) == {"style"}


def test_two_trees_on_a_page_are_both_drawn(still: PartPage) -> None:
    tree = PlainTree(still, small_frame(), n_views=2, width=420)
    tree.draw(small_frame(2, xs=(0, -1, 1, -1.5, -0.5)))
    first, second = (centers[:5] for centers in (tree.centers(), tree.centers()[5:]))
    offset = second[0][0] - first[0][0], second[0][1] - first[0][1]
    assert [[x + offset[0], y + offset[1]] for x, y in first] == [pytest.approx(each, abs=0.1) for each in second]
