"""A picture drawn by Python and the same picture drawn in the page are the same drawing."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any, Literal

import pytest

from sokoviz.overlays import ROLES
from sokoviz.picture import Arrow, Fill, Heat, Mark, Overlay, Path, Picture
from sokoviz.svg import natural_cell_size
from sokoviz.svg.elements import CELL
from sokoviz.widgets.base.modules import join_styles

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

CELLS = (
    ("outside", "wall", "wall", "wall", "wall", "wall"),
    ("wall", "floor", "box", "goal", "Z on goal", "wall"),
    ("wall", "player", "box on goal", "player on goal", "&", "wall"),
    ("wall", "X", "O on goal", "floor", "floor", "wall"),
    ("outside", "outside", "wall", "wall", "wall", "wall"),
)
SHAPES: tuple[Literal["ring", "cross", "dot"], ...] = ("ring", "cross", "dot")
OVERLAYS: dict[str, tuple[Overlay, ...]] = {
    "nothing": (),
    "fills": tuple(Fill([(1, 1), (1, 3), (2, 3), (3, 3)], role) for role in ROLES),
    "heat": (Heat({(1, 1): 0.1, (2, 3): 7.0, (3, 4): 2.0}, label="votes <b>"), Heat({(1, 3): 3.0}, scale="log")),
    "arrows": tuple(
        Arrow((1, 1), target, role, label)
        for target, role, label in (((1, 2), "now", ""), ((3, 4), "matching", "4 < 5"), ((2, 1), "context", "é"))
    ),
    "marks": tuple(Mark((1, 1 + i), "new", shape, text) for i, shape in enumerate(SHAPES) for text in ("", "7")),
    "paths": (Path([(2, 1), (2, 2), (1, 2), (1, 3)]), Path([(1, 1)]), Path([], "now")),
}

#: An element as plain data: its name, attributes and children, without what only a document has.
SHAPE_OF = """
const shapeOf = (node) => node.nodeType === 3 ? node.data : [
  node.localName,
  Object.fromEntries([...node.attributes].map((a) => [a.name, a.value]).filter(([name]) => name !== "xmlns")),
  [...node.childNodes].filter((child) => !["title", "style", "defs"].includes(child.localName)).map(shapeOf),
];
"""


def symbols_of(shape: Any) -> Any:
    """A drawing whose references are names of symbols, whatever prefix each drawing gives them."""
    if isinstance(shape, str):
        return shape
    name, attributes, children = shape
    if "href" in attributes:
        known = ("box-on-goal", "player-on-goal", "box", "player", "goal", "X", "O")
        attributes = {**attributes, "href": next(symbol for symbol in known if attributes["href"].endswith(symbol))}
    return [name, attributes, [symbols_of(child) for child in children]]


@pytest.fixture
def page(page_with: Callable[..., Page]) -> Page:
    """A page that can draw."""
    page = page_with(
        f"import * as draw from '/shared/draw.js'; {SHAPE_OF} globalThis.draw = draw; globalThis.shapeOf = shapeOf;"
    )
    page.wait_for_function("() => globalThis.draw")
    return page


@pytest.mark.parametrize("overlays", OVERLAYS)
def test_both_draw_the_same_elements(page: Page, overlays: str) -> None:
    for cell_size, coordinates in itertools.product((14, 32, 36.5), (False, True)):
        picture = Picture(
            CELLS, OVERLAYS[overlays], coordinates=coordinates, caption="why it & that is <so>" * coordinates
        )
        by_page, by_python = page.evaluate(
            """([data, scale, text]) => [
              shapeOf(draw.drawPicture(data, scale)),
              shapeOf(new DOMParser().parseFromString(text, "image/svg+xml").documentElement),
            ]""",
            [picture.to_json(), cell_size / CELL, picture.to_svg(cell_size)],
        )
        assert symbols_of(by_page) == symbols_of(by_python)


def test_both_choose_the_same_size_of_a_square(page: Page) -> None:
    sizes = [(width, height) for width in (1, 9, 20, 33, 60) for height in (1, 7, 20, 60)]
    chosen = page.evaluate("sizes => sizes.map(([width, height]) => draw.naturalCellSize(width, height))", sizes)
    assert chosen == [natural_cell_size(*size) for size in sizes]


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_both_look_the_same_to_the_pixel(page_with: Callable[..., Page], theme: str) -> None:
    overlays = (*OVERLAYS["arrows"], *OVERLAYS["marks"], Fill([(1, 1), (3, 3)], "component"), Fill([(3, 4)], "dead"))
    picture = Picture(CELLS, overlays, coordinates=True, caption="two lines, because the board is narrow")
    style = (
        f"<style>{join_styles('board')} body {{ margin: 0; background: #888; }} svg, img {{ display: block; }}</style>"
    )
    script = "import { drawPicture } from '/shared/draw.js'; globalThis.drawPicture = drawPicture;"
    page = page_with(script, body=f'{style}<div id="place" class="sokoviz"></div>', color_scheme=theme)
    page.wait_for_function("() => globalThis.drawPicture")
    page.evaluate("data => { place.replaceChildren(drawPicture(data, 1)); }", picture.to_json())
    drawn = page.screenshot()
    page.evaluate(
        """async (text) => {
          const image = new Image();
          image.src = `data:image/svg+xml,${encodeURIComponent(text)}`;
          await image.decode();
          place.replaceChildren(image);
        }""",
        picture.to_svg(CELL),
    )
    assert page.screenshot() == drawn
