"""The keyboard of the explorer in a plain page: every key does what its button does, and none gets out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.ui.explorer.explorers import PlainExplorer

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

    PageWith = Callable[..., Page]

MESSAGE_OF: dict[str, dict[str, Any]] = {
    "ArrowRight": {"kind": "step", "unit": "phase", "direction": 1},
    "ArrowLeft": {"kind": "step", "unit": "phase", "direction": -1},
    "Shift+ArrowRight": {"kind": "step", "unit": "iteration", "direction": 1},
    "Shift+ArrowLeft": {"kind": "step", "unit": "iteration", "direction": -1},
    "Home": {"kind": "goto", "iteration": 0},
    "End": {"kind": "goto", "iteration": 120},
    "r": {"kind": "run", "to": "iteration", "value": 200},
    "R": {"kind": "run", "to": "iteration", "value": 200},
}


@pytest.fixture
def explorer(page_with: PageWith) -> PlainExplorer:
    """An explorer after ten iterations."""
    return PlainExplorer(page_with)


def test_every_key_asks_for_its_action(explorer: PlainExplorer) -> None:
    explorer.focus()
    assert {key: explorer.press(key) for key in MESSAGE_OF} == {key: [each] for key, each in MESSAGE_OF.items()}


def test_space_plays_and_pauses_and_l_enlarges(explorer: PlainExplorer) -> None:
    explorer.focus()
    explorer.press(" ")
    assert explorer.get("playing") is True
    explorer.press(" ")
    assert explorer.get("playing") is False
    explorer.press("l")
    assert explorer.get("large_type") is True


def test_n_runs_to_the_chosen_event_or_to_the_first_kind(explorer: PlainExplorer) -> None:
    explorer.focus()
    assert explorer.press("n") == [{"kind": "run", "to": "tie", "value": None}]
    assert explorer.choices("Run to").input_value() == "tie"
    explorer.choices("Run to").select_option("leader")
    explorer.focus()
    assert explorer.press("n") == [{"kind": "run", "to": "leader", "value": None}]


def test_f_finds_and_0_resets_the_view(explorer: PlainExplorer) -> None:
    explorer.focus()
    explorer.page.evaluate("""() => { globalThis.pressed = [];
      document.addEventListener("click", (event) => pressed.push(event.target.textContent), true); }""")
    explorer.press("0", "f")
    assert explorer.page.evaluate("() => pressed") == ["Reset view"]
    assert explorer.page.evaluate("() => document.activeElement.ariaLabel") == "Find node"
    explorer.page.keyboard.type("7lr")
    assert explorer.page.get_by_label("Find node").input_value() == "7lr"
    explorer.press("Escape")
    assert explorer.press("ArrowRight") == [MESSAGE_OF["ArrowRight"]]


def test_escape_stops_whatever_goes_on(explorer: PlainExplorer) -> None:
    explorer.focus()
    assert explorer.press("Escape") == []
    explorer.show(playing=True, record={"running": True})
    assert explorer.press("Escape") == [{"kind": "stop"}]
    assert explorer.get("playing") is False
    assert explorer.press("r") == [{"kind": "stop"}]


def test_keys_belong_to_the_field_or_list_that_is_focused(explorer: PlainExplorer) -> None:
    number = explorer.page.get_by_role("spinbutton", name="Run to iteration", exact=True)
    for control in (number, explorer.choices("Speed"), explorer.page.get_by_label("Find node")):
        control.focus()
        assert explorer.press("ArrowRight", "n", "r", "l", "Home", "End", "0", " ", "Escape") == []
    assert (explorer.get("playing"), explorer.get("large_type")) == (False, False)


def test_space_presses_the_focused_button_and_nothing_else(explorer: PlainExplorer) -> None:
    explorer.button("Step iteration").focus()
    assert explorer.press(" ") == [MESSAGE_OF["Shift+ArrowRight"]]
    assert explorer.get("playing") is False
    assert explorer.press("ArrowRight") == [MESSAGE_OF["ArrowRight"]]


def test_no_key_gets_out_and_others_do_nothing(explorer: PlainExplorer) -> None:
    explorer.page.evaluate(
        "() => { globalThis.got = []; document.addEventListener('keydown', (e) => got.push(e.key)); }"
    )
    explorer.focus()
    assert (
        explorer.press("a", "b", "x", "d", "m", "Enter", "Alt+ArrowRight", "ArrowRight")[0] == MESSAGE_OF["ArrowRight"]
    )
    explorer.choices("Speed").focus()
    explorer.press("a", "b")
    explorer.button("Play").focus()
    explorer.press("j", "k")
    assert explorer.page.evaluate("() => got") == []
    assert explorer.root().get_attribute("data-lm-suppress-shortcuts") == "true"


def test_a_key_held_down_steps_again_only_after_the_answer(explorer: PlainExplorer) -> None:
    explorer.focus()
    for _ in range(4):
        explorer.page.keyboard.down("ArrowRight")
    assert len(explorer.sent()) == 1
    explorer.show(phase="selection")
    explorer.page.keyboard.down("ArrowRight")
    assert len(explorer.sent()) == 1
    for _ in range(4):
        explorer.page.keyboard.down(" ")
    assert explorer.get("playing") is True


def test_the_focus_is_visible_and_comes_back_after_a_click(explorer: PlainExplorer) -> None:
    ring = "() => { const s = getComputedStyle(document.activeElement); return [s.outlineStyle, s.outlineWidth]; }"
    explorer.button("Step phase").click()
    assert explorer.page.evaluate(ring) == ["solid", "3px"]
    explorer.sent()
    assert explorer.press("ArrowRight") == [MESSAGE_OF["ArrowRight"]]
    slider = explorer.slider("Iteration").bounding_box()
    assert slider
    explorer.page.mouse.click(slider["x"] + slider["width"] / 2, slider["y"] + 9)
    explorer.sent()
    assert explorer.press("ArrowLeft") == [MESSAGE_OF["ArrowLeft"]]
