"""The position of the selected node in a plain page: its squares as buttons, and its room."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from sokoviz.picture import Picture
from tests.ui.explorer.explorers import PlainExplorer, position_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

    PageWith = Callable[..., Page]


@pytest.fixture
def explorer(page_with: PageWith) -> PlainExplorer:
    """An explorer after ten iterations."""
    return PlainExplorer(page_with)


def test_free_squares_are_buttons_and_others_are_not(explorer: PlainExplorer) -> None:
    explorer.show(position=position_of("X.O", ".X.", "O.."))
    names = explorer.page.locator(".sokoviz-squares button").evaluate_all("all => all.map((each) => each.ariaLabel)")
    assert sorted(names) == [
        "row a, column B: floor",
        "row b, column A: floor",
        "row b, column C: floor",
        "row c, column B: floor",
        "row c, column C: floor",
    ]
    explorer.button("row b, column C: floor").click()
    assert explorer.sent() == [{"kind": "square", "square": [1, 2]}]
    assert explorer.page.get_by_role("img", name="Tic-Tac-Toe, X to move", exact=True).count() == 1


def test_squares_are_reached_by_keys_and_keep_the_focus(explorer: PlainExplorer) -> None:
    explorer.button("row c, column C: floor").focus()
    explorer.show(position=position_of("X..", "...", "..."))
    assert explorer.press("Enter") == [{"kind": "square", "square": [2, 2]}]
    assert explorer.press(" ") == [{"kind": "square", "square": [2, 2]}]
    assert explorer.get("playing") is False


def test_buttons_lie_on_their_squares(explorer: PlainExplorer) -> None:
    explorer.show(position={**position_of("X..", "...", "..."), "clickable": [[0, 0]]})
    button = explorer.button("row a, column A: X").bounding_box()
    mark = explorer.page.locator(".sokoviz-sheet .pieces use").bounding_box()
    assert button
    assert mark
    for axis, size in (("x", "width"), ("y", "height")):
        assert abs(button[axis] + button[size] / 2 - mark[axis] - mark[size] / 2) < 1  # type: ignore[literal-required]


def test_following_is_switched_off_and_on(explorer: PlainExplorer) -> None:
    assert explorer.button("Follow").get_attribute("aria-pressed") == "true"
    explorer.button("Follow").click()
    assert explorer.get("follow") is False
    expect(explorer.button("Follow")).to_have_attribute("aria-pressed", "false")  # once the tree is on the screen
    explorer.press("w")
    assert explorer.get("follow") is True


@pytest.mark.parametrize(("height", "width"), [(3, 3), (2, 19), (16, 20), (50, 4)])
def test_every_board_fits_into_its_room(explorer: PlainExplorer, height: int, width: int) -> None:
    picture = Picture((("floor",) * width,) * height, coordinates=True, caption="A caption of a few words.")
    explorer.show(position={"picture": picture.to_json(), "caption": "node 1", "clickable": [[height - 1, width - 1]]})
    room = explorer.page.locator(".sokoviz-room").bounding_box()
    sheet = explorer.page.locator(".sokoviz-sheet svg").bounding_box()
    assert room
    assert sheet
    assert sheet["width"] <= room["width"] + 1
    assert sheet["height"] <= room["height"] + 1
    assert sheet["width"] > room["width"] * 0.98 or sheet["height"] > room["height"] * 0.98


def test_a_position_that_was_hidden_is_drawn_when_it_is_shown(explorer: PlainExplorer) -> None:
    explorer.page.evaluate("() => { hosts[0].style.display = 'none'; }")
    explorer.show(position=position_of("XO.", "...", "..."))
    explorer.page.evaluate("() => { hosts[0].style.display = ''; }")
    explorer.page.wait_for_function("() => document.querySelectorAll('.sokoviz-sheet .pieces use').length === 2")
    assert explorer.page.locator(".sokoviz-squares button").count() == 7
