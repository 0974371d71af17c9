"""Step, play, run and the slider of the explorer in a plain page: what each control sends, and when."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from sokoviz.games.sokoban import Sokoban
from sokoviz.games.tictactoe import TicTacToe
from tests.ui.explorer.explorers import PlainExplorer, tree_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

    from sokoviz.games.game import Game

    PageWith = Callable[..., Page]

STEP_OF: dict[str, dict[str, Any]] = {
    "Back iteration": {"kind": "step", "unit": "iteration", "direction": -1},
    "Back phase": {"kind": "step", "unit": "phase", "direction": -1},
    "Step phase": {"kind": "step", "unit": "phase", "direction": 1},
    "Step iteration": {"kind": "step", "unit": "iteration", "direction": 1},
}


@pytest.fixture
def explorer(page_with: PageWith) -> PlainExplorer:
    """An explorer after ten iterations."""
    return PlainExplorer(page_with)


def draw(explorer: PlainExplorer, frame: int) -> None:
    """Announce that the tree has drawn a frame."""
    explorer.page.evaluate(
        """frame => document.querySelectorAll(".sokoviz-at-tree").forEach((tree) =>
          tree.dispatchEvent(new CustomEvent("sokoviz-drawn", {detail: frame})))""",
        frame,
    )


def wait_for_messages(explorer: PlainExplorer, n: int = 1) -> list[dict[str, Any]]:
    """Wait until the page has sent so many messages."""
    explorer.page.wait_for_function("n => model.sent.length >= n", arg=n, timeout=5000)
    return explorer.sent()


# --- step and back ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", STEP_OF)
def test_a_step_is_asked_for_by_its_button(explorer: PlainExplorer, name: str) -> None:
    explorer.button(name).click()
    assert explorer.sent() == [STEP_OF[name]]


def test_every_button_has_a_tooltip_with_its_key(explorer: PlainExplorer) -> None:
    keys = {"Step phase": "(Right)", "Back phase": "(Left)", "Step iteration": "(Shift+Right)"}
    keys |= {"Back iteration": "(Shift+Left)", "Play": "(Space)", "Run": "(R)", "Large type": "(L)"}
    for name, key in keys.items():
        assert (explorer.button(name).get_attribute("title") or "").endswith(key)


def test_at_the_bare_root_nothing_leads_back(explorer: PlainExplorer) -> None:
    explorer.show(iteration=0)
    assert [explorer.button(name).get_attribute("aria-disabled") for name in STEP_OF] == ["true", "true", None, None]
    explorer.button("Back phase").click(force=True)
    explorer.focus()
    assert explorer.press("ArrowLeft", "Shift+ArrowLeft") == []
    explorer.show(phase="selection")
    explorer.button("Back phase").click()
    assert explorer.sent() == [STEP_OF["Back phase"]]


def test_at_the_end_of_the_record_the_forward_buttons_search_on(explorer: PlainExplorer) -> None:
    explorer.show(iteration=120)
    for name in ("Step phase", "Step iteration"):
        assert explorer.button(name).get_attribute("aria-disabled") is None
        explorer.button(name).click()
    assert explorer.sent() == [STEP_OF["Step phase"], STEP_OF["Step iteration"]]


@pytest.mark.clock
def test_a_click_while_the_kernel_compiles_is_seen_to_be_accepted(explorer: PlainExplorer) -> None:
    explorer.show(record={"busy": True, "text": "compiling, once"})
    button = explorer.button("Step iteration")
    button.click()
    assert explorer.sent() == [STEP_OF["Step iteration"]]
    assert button.evaluate("button => getComputedStyle(button, '::after').height") == "3px"
    assert explorer.page.get_by_text("compiling, once").is_visible()
    explorer.show(record={"text": "still compiling"})
    assert button.get_attribute("data-waiting") == ""
    explorer.show(iteration=11, record={"busy": False, "text": ""})
    assert button.get_attribute("data-waiting") is None
    assert button.evaluate("button => getComputedStyle(button, '::after').content") == "none"


def test_a_step_that_is_answered_waits_no_longer(explorer: PlainExplorer) -> None:
    explorer.button("Step phase").click()
    assert explorer.button("Step phase").get_attribute("data-waiting") == ""
    explorer.show(phase="selection")
    assert explorer.button("Step phase").get_attribute("data-waiting") is None


# --- play ---------------------------------------------------------------------------------------------------------


def test_play_becomes_pause(explorer: PlainExplorer) -> None:
    width = explorer.button("Play").bounding_box()
    explorer.button("Play").click()
    assert explorer.get("playing") is True
    expect(explorer.button("Play")).to_have_count(0)
    assert explorer.button("Pause").bounding_box() == width
    explorer.button("Pause").click()
    assert explorer.get("playing") is False


def test_speed_and_unit_of_playing_are_chosen(explorer: PlainExplorer) -> None:
    speeds = explorer.choices("Speed").locator("option").evaluate_all("all => all.map((each) => Number(each.value))")
    assert speeds == [0.5, 1, 2, 4, 8, 16, 32, 64]
    explorer.choices("Speed").select_option("16")
    explorer.choices("Play by").select_option("iteration")
    assert (explorer.get("speed"), explorer.get("play_unit")) == (16, "iteration")


def test_a_speed_of_pythons_own_is_offered_too(explorer: PlainExplorer) -> None:
    explorer.show(speed=5)
    assert explorer.choices("Speed").input_value() == "5"
    explorer.show(speed=8)
    assert explorer.choices("Speed").locator("option").count() == 8
    assert explorer.choices("Speed").input_value() == "8"


@pytest.mark.clock
def test_playing_asks_for_a_step_only_after_the_last_was_drawn(explorer: PlainExplorer) -> None:
    explorer.show(speed=64)
    explorer.button("Play").click()
    explorer.page.wait_for_timeout(100)
    assert explorer.sent() == []
    draw(explorer, 1)
    assert wait_for_messages(explorer) == [{"kind": "next", "frame": 1}]
    draw(explorer, 1)
    explorer.show(speed=32)
    explorer.page.wait_for_timeout(100)
    assert explorer.sent() == []
    explorer.show(tree=tree_of([-1], frame=2))
    draw(explorer, 1)
    explorer.page.wait_for_timeout(60)
    assert explorer.sent() == []
    draw(explorer, 2)
    assert wait_for_messages(explorer) == [{"kind": "next", "frame": 2}]


@pytest.mark.clock
def test_playing_begins_at_once_and_keeps_its_speed(explorer: PlainExplorer) -> None:
    explorer.show(speed=2)
    draw(explorer, 1)
    explorer.button("Play").click()
    assert wait_for_messages(explorer) == [{"kind": "next", "frame": 1}]
    explorer.show(tree=tree_of([-1], frame=2))
    draw(explorer, 2)
    explorer.page.wait_for_timeout(250)
    assert explorer.sent() == []
    assert wait_for_messages(explorer) == [{"kind": "next", "frame": 2}]


def test_a_request_that_was_not_heard_is_made_again(explorer: PlainExplorer) -> None:
    explorer.show(speed=64)
    draw(explorer, 1)
    explorer.button("Play").click()
    assert wait_for_messages(explorer) == [{"kind": "next", "frame": 1}]
    assert wait_for_messages(explorer) == [{"kind": "next", "frame": 1}]


@pytest.mark.clock
def test_playing_that_was_paused_before_the_answer_goes_on(explorer: PlainExplorer) -> None:
    explorer.show(speed=64)
    draw(explorer, 1)
    for _ in range(2):
        explorer.button("Play").click()
        assert wait_for_messages(explorer) == [{"kind": "next", "frame": 1}]
        explorer.button("Pause").click()


@pytest.mark.clock
def test_a_pause_takes_back_what_was_not_asked_yet(explorer: PlainExplorer) -> None:
    explorer.show(speed=4)
    draw(explorer, 1)
    explorer.button("Play").click()
    wait_for_messages(explorer)
    explorer.show(tree=tree_of([-1], frame=2))
    draw(explorer, 2)
    explorer.button("Pause").click()
    explorer.page.wait_for_timeout(350)
    assert explorer.sent() == []


@pytest.mark.parametrize("act", ["step", "slide", "run"])
def test_what_is_done_by_hand_ends_playing(explorer: PlainExplorer, act: str) -> None:
    explorer.show(playing=True)
    if act == "step":
        explorer.button("Step phase").click()
    elif act == "slide":
        explorer.slide("Iteration", 5)
    else:
        explorer.button("Run").click()
    assert explorer.get("playing") is False
    assert len(explorer.sent()) == 1


@pytest.mark.clock
def test_the_real_tree_is_played(page_with: PageWith) -> None:
    explorer = PlainExplorer(page_with, plotly=True, speed=64)
    explorer.page.wait_for_selector("[data-frame='1']")
    explorer.sent()
    explorer.button("Play").click()
    assert wait_for_messages(explorer) == [{"kind": "next", "frame": 1}]
    explorer.show(tree=tree_of([-1, 0, 0], frame=2))
    assert wait_for_messages(explorer) == [{"kind": "next", "frame": 2}]


# --- run ----------------------------------------------------------------------------------------------------------


def test_a_run_leads_to_an_iteration(explorer: PlainExplorer) -> None:
    assert explorer.choices("Run to").locator("option").all_inner_texts() == [
        "iteration",
        "next tie",
        "next change of leader",
    ]
    number = explorer.page.get_by_role("spinbutton", name="Run to iteration", exact=True)
    assert number.input_value() == "200"
    explorer.button("Run").click()
    number.fill("1234")
    number.press("Enter")
    run = {"kind": "run", "to": "iteration"}
    assert explorer.sent() == [{**run, "value": 200}, {**run, "value": 1234}]


def test_a_run_to_where_the_search_is_waits_for_nothing(explorer: PlainExplorer) -> None:
    number = explorer.page.get_by_role("spinbutton", name="Run to iteration", exact=True)
    for value, waiting in (("10", None), ("11", "")):
        number.fill(value)
        explorer.button("Run").click()
        assert explorer.button("Run").get_attribute("data-waiting") == waiting


def test_a_run_leads_to_an_event_and_the_number_keeps_its_room(explorer: PlainExplorer) -> None:
    number = explorer.page.locator("[aria-label='Run to iteration']")
    before = explorer.boxes()
    explorer.choices("Run to").select_option("tie")
    assert not number.is_visible()
    explorer.button("Run").click()
    assert explorer.sent() == [{"kind": "run", "to": "tie", "value": None}]
    assert explorer.boxes() == before


@pytest.mark.parametrize("text", ["", "0", "-3", "2.5"])
def test_a_number_that_is_no_iteration_is_refused(explorer: PlainExplorer, text: str) -> None:
    number = explorer.page.get_by_role("spinbutton", name="Run to iteration", exact=True)
    number.fill(text)
    explorer.button("Run").click()
    assert explorer.sent() == []
    assert number.get_attribute("aria-invalid") == "true"
    number.fill("300")
    explorer.button("Run").click()
    assert explorer.sent() == [{"kind": "run", "to": "iteration", "value": 300}]
    assert number.get_attribute("aria-invalid") == "false"


def test_the_number_is_a_round_one_above_the_record_unless_it_was_typed(explorer: PlainExplorer) -> None:
    number = explorer.page.get_by_role("spinbutton", name="Run to iteration", exact=True)
    found = []
    for last in (0, 99, 100, 200, 4999, 5000, 123_456):
        explorer.show(record={"last": last})
        found.append(int(number.input_value()))
    assert found == [100, 100, 200, 500, 5000, 10_000, 200_000]
    number.fill("150000")
    explorer.focus()
    explorer.show(record={"last": 140_000})
    assert number.input_value() == "150000"
    explorer.show(record={"last": 150_000})
    assert number.input_value() == "200000"


def test_run_becomes_stop_and_shows_how_far_it_is(explorer: PlainExplorer) -> None:
    before = explorer.boxes()
    explorer.show(record={"running": True, "share": 0.25, "text": "300 of 1200"})
    bar = explorer.page.get_by_role("progressbar", name="Progress", exact=True)
    assert bar.get_attribute("aria-valuenow") == "25"
    assert explorer.page.get_by_text("300 of 1200", exact=True).is_visible()
    share = bar.evaluate("bar => bar.firstChild.getBoundingClientRect().width / bar.getBoundingClientRect().width")
    assert abs(share - 0.25) < 0.01
    assert [box[1:] for box in explorer.boxes()] == [box[1:] for box in before]
    assert explorer.button("Run").count() == 0
    explorer.button("Stop").click()
    assert explorer.sent() == [{"kind": "stop"}]
    explorer.show(record={"running": False, "share": None, "text": ""})
    assert explorer.boxes() == before
    assert bar.count() == 0


def test_progress_of_unknown_length_has_no_number(explorer: PlainExplorer) -> None:
    explorer.show(record={"running": True, "share": None, "text": "until the next tie " * 9})
    bar = explorer.page.get_by_role("progressbar", name="Progress", exact=True)
    assert bar.get_attribute("aria-valuenow") is None
    assert (bar.get_attribute("aria-valuetext") or "").startswith("until the next tie")
    assert explorer.page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")


# --- the slider ---------------------------------------------------------------------------------------------------


def test_the_slider_spans_the_record_and_shows_where_it_is(explorer: PlainExplorer) -> None:
    slider = explorer.slider("Iteration")
    assert [slider.get_attribute("min"), slider.get_attribute("max"), slider.input_value()] == ["0", "120", "10"]
    explorer.show(iteration=37, record={"last": 500})
    assert [slider.get_attribute("max"), slider.input_value()] == ["500", "37"]
    assert slider.get_attribute("aria-valuetext") == "iteration 37 of 500"


def test_an_empty_record_has_nothing_to_slide_over(explorer: PlainExplorer) -> None:
    explorer.show(iteration=0, record={"last": 0}, ticks={})
    assert explorer.slider("Iteration").is_disabled()


def test_scrubbing_asks_for_one_iteration_at_a_time_and_the_latest_wins(explorer: PlainExplorer) -> None:
    for value in (20, 30, 40, 50):
        explorer.slide("Iteration", value)
    assert explorer.sent() == [{"kind": "goto", "iteration": 20}]
    explorer.show(iteration=20)
    assert explorer.sent() == [{"kind": "goto", "iteration": 50}]
    assert explorer.slider("Iteration").input_value() == "50"
    explorer.show(iteration=50)
    assert explorer.sent() == []
    explorer.show(iteration=51)
    assert explorer.slider("Iteration").input_value() == "51"


def test_an_answer_to_something_else_does_not_pull_the_slider_back(explorer: PlainExplorer) -> None:
    explorer.slide("Iteration", 60)
    explorer.show(iteration=11)
    assert explorer.slider("Iteration").input_value() == "60"
    explorer.show(iteration=60, phase="selection")
    explorer.slide("Iteration", 61)
    assert explorer.sent() == [{"kind": "goto", "iteration": 60}]
    explorer.show(phase="")
    assert explorer.sent() == [{"kind": "goto", "iteration": 61}]


def test_a_request_that_is_never_answered_does_not_block_the_slider(explorer: PlainExplorer) -> None:
    explorer.slide("Iteration", 60)
    explorer.slide("Iteration", 70)
    assert explorer.sent() == [{"kind": "goto", "iteration": 60}]
    assert wait_for_messages(explorer) == [{"kind": "goto", "iteration": 70}]
    explorer.page.wait_for_function("() => document.querySelector('[aria-label=Iteration]').value === '10'")


@pytest.mark.parametrize("game", [Sokoban, TicTacToe])
def test_no_two_events_of_a_game_have_ticks_of_one_colour(explorer: PlainExplorer, game: type[Game]) -> None:
    explorer.show(ticks={kind: [number] for number, kind in enumerate(game.events, 1)})
    paths = explorer.page.locator(".sokoviz-ticks path")
    colors = paths.evaluate_all("all => all.map((path) => getComputedStyle(path).stroke)")
    assert len(set(colors)) == len(colors) >= len(game.events)


@pytest.mark.parametrize("width", [1100, 760, 480])
def test_the_whole_legend_of_ticks_is_seen(page_with: PageWith, width: int) -> None:
    explorer = PlainExplorer(page_with, page_options={"size": (width, 900)})
    explorer.show(ticks={kind: [number] for number, kind in enumerate(Sokoban.events, 1)})
    boxes = explorer.page.locator(".sokoviz-tick-legend span").evaluate_all(
        """all => all.map((entry) => [entry.getBoundingClientRect(),
          entry.closest(".sokoviz-timeline").getBoundingClientRect()])"""
    )
    assert len(boxes) >= len(Sokoban.events)
    assert all(line["left"] <= box["left"] and box["right"] <= line["right"] for box, line in boxes)
    assert all(line["top"] <= box["top"] and box["bottom"] <= line["bottom"] for box, line in boxes)


def test_ticks_lie_over_the_thumb_each_kind_in_one_path_and_one_colour(explorer: PlainExplorer) -> None:
    explorer.show(ticks={"tie": list(range(1, 120)), "leader": [10]})
    paths = explorer.page.locator(".sokoviz-ticks path")
    assert paths.count() == 2
    colors = paths.evaluate_all("all => all.map((path) => getComputedStyle(path).stroke)")
    legend = explorer.page.locator(".sokoviz-tick-legend path")
    assert len(set(colors)) == 2
    assert legend.evaluate_all("all => all.map((path) => getComputedStyle(path).stroke)") == colors
    assert explorer.page.locator(".sokoviz-tick-legend span").all_inner_texts() == ["tie", "change of leader"]
    tick, slider = paths.nth(1).bounding_box(), explorer.slider("Iteration").bounding_box()
    assert tick
    assert slider
    thumb = slider["x"] + 8 + (slider["width"] - 16) * 10 / 120
    assert abs(tick["x"] + tick["width"] / 2 - thumb) < 1.5


def test_the_arrow_keys_move_the_focused_slider_and_nothing_else(explorer: PlainExplorer) -> None:
    explorer.slider("Iteration").focus()
    assert explorer.press("ArrowRight") == [{"kind": "goto", "iteration": 11}]
