"""The explorer in a real JupyterLab: every control by its name, keys, pixels of the tree, and the kernel's answers."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.ui.explorer.lab_explorers import START, LabExplorer, cells_of

if TYPE_CHECKING:
    from tests.ui.jupyter import Lab, LabPage


@pytest.fixture(scope="module")
def notebook(desk: Lab) -> LabPage:
    """A notebook with one cell, which shows an explorer."""
    return desk.open([START], run=False, size=(1280, 1000))


@pytest.fixture
def explorer(notebook: LabPage) -> LabExplorer:
    """A new explorer in that notebook: 30 iterations are made, and it stands at the last."""
    notebook.run_again()
    return LabExplorer(notebook)


def test_the_numbers_beside_a_node_stand_in_lines(explorer: LabExplorer) -> None:
    """JupyterLab floats such lists in a narrow column: words stood one letter a line."""
    assert explorer.lines_in_tip_of(1) == [1] * 6  # visits, value, score
    assert explorer.tree.locator(".sokoviz-tip dt").all_inner_texts() == ["visits", "value", "score"]


# --- transport -------------------------------------------------------------------------------------------------------


def test_phases_and_iterations_forwards_and_back(explorer: LabExplorer) -> None:
    explorer.notebook.run("search.goto(0)")
    expect(explorer.where).to_have_text("at iteration 0 of 30 · 1 node in the tree")
    for phase in ("selection", "simulation", "backpropagation"):
        explorer.step("Step phase")
        expect(explorer.story).to_contain_text(f"{phase.capitalize()}:")
        assert explorer.moment()[:2] == (0, phase)
        expect(explorer.where).to_contain_text("in iteration 1 of 30")
    explorer.step("Step phase")
    explorer.step("Step iteration")
    expect(explorer.where).to_have_text("after iteration 2 of 30 · 10 nodes in the tree")
    for phase in ("backpropagation", "simulation", "expansion", "selection", ""):
        explorer.step("Back phase")
        assert explorer.moment()[:2] == (1, phase)
    explorer.step("Step phase")
    explorer.step("Back iteration")
    assert explorer.moment()[:2] == (1, "")
    explorer.step("Back iteration")
    expect(explorer.button("Back iteration")).to_have_attribute("aria-disabled", "true")
    expect(explorer.button("Back phase")).to_have_attribute("aria-disabled", "true")
    assert explorer.moment() == (0, "", 0)


def test_at_the_end_of_the_record_it_searches_on(explorer: LabExplorer) -> None:
    explorer.step("Step iteration")
    expect(explorer.where).to_contain_text("after iteration 31 of 31")
    explorer.step("Step phase")
    expect(explorer.where).to_contain_text("in iteration 32 of 32")
    expect(explorer.slider).to_have_attribute("max", "32")
    assert explorer.ask("[search.steps, search.phase, search.last]") == [31, "selection", 32]


@pytest.mark.clock
def test_keys_step_and_play(explorer: LabExplorer) -> None:
    explorer.root.focus()
    explorer.press("ArrowRight")
    assert explorer.moment()[:2] == (30, "selection")
    explorer.press("Shift+ArrowRight")
    assert explorer.moment()[:2] == (31, "")
    explorer.press("ArrowLeft")
    assert explorer.moment()[:2] == (30, "backpropagation")
    explorer.press("Shift+ArrowLeft")
    assert explorer.moment()[:2] == (30, "")
    explorer.press("Home")
    assert explorer.moment() == (0, "", 0)
    explorer.page.keyboard.press("Space")
    expect(explorer.button("Pause")).to_be_visible()
    expect(explorer.where).to_contain_text("after iteration 2 of 31")
    explorer.page.keyboard.press("Space")
    expect(explorer.button("Play")).to_be_visible()
    explorer.press("End")
    assert explorer.moment()[:2] == (31, "")


def test_no_key_leaks_into_jupyterlab(explorer: LabExplorer) -> None:
    before = cells_of(explorer.notebook)
    focused = (
        explorer.root,
        explorer.button("Step iteration"),
        explorer.slider,
        explorer.output.get_by_role("figure"),
        explorer.rows().first,
        explorer.output.get_by_role("tab").first,
        explorer.field("Find node"),
    )
    for part in focused:
        part.focus()
        for key in (*"abxddzmyjk00", "Shift+Enter", "Control+Enter", "Control+s", "Control+b", "ArrowDown", "Escape"):
            explorer.page.keyboard.press(key)
    assert cells_of(explorer.notebook) == before
    assert explorer.page.locator(".jp-Dialog").count() == 0
    assert explorer.page.evaluate("() => jupyterapp.shell.leftCollapsed") is True
    expect(explorer.output.get_by_role("alert")).to_be_hidden()


def test_the_slider_goes_to_any_iteration(explorer: LabExplorer) -> None:
    expect(explorer.output.locator(".sokoviz-ticks path").first).to_be_attached()
    box = explorer.slider.bounding_box()
    assert box is not None
    middle = box["y"] + box["height"] / 2
    explorer.page.mouse.click(box["x"] + box["width"] / 2, middle)
    expect(explorer.where).to_contain_text("after iteration 15 of 30")
    assert explorer.moment()[:2] == (15, "")
    explorer.page.mouse.move(box["x"] + box["width"] / 2, middle)
    explorer.page.mouse.down()
    explorer.page.mouse.move(box["x"] + box["width"] / 5, middle, steps=12)
    explorer.page.mouse.up()
    expect(explorer.where).to_contain_text(f"after iteration {explorer.slider.input_value()} of 30")
    assert explorer.moment()[:2] == (int(explorer.slider.input_value()), "")
    assert 4 <= int(explorer.slider.input_value()) <= 8
    explorer.slider.focus()
    explorer.press("End")
    assert explorer.moment()[:2] == (30, "")


@pytest.mark.clock
def test_it_plays_at_a_speed_and_pauses(explorer: LabExplorer) -> None:
    explorer.choice("Speed").select_option("64")
    explorer.button("Play").click()
    expect(explorer.where).to_contain_text(re.compile(r"iteration \d{3,} of"))
    explorer.button("Pause").click()
    expect(explorer.button("Play")).to_be_visible()
    playing, speed, iteration = explorer.ask("[it.playing, it.speed, it.iteration]")
    assert (playing, speed) == (False, 64)
    expect(explorer.where).to_contain_text(f"after iteration {iteration} of")


@pytest.mark.clock
def test_playing_begins_however_soon_after_its_settings(explorer: LabExplorer) -> None:
    before = explorer.frame()
    explorer.choice("Play by").evaluate(
        """list => {
          list.value = "phase";
          list.dispatchEvent(new Event("change"));
          document.querySelector('[aria-label="Play"]').click();
        }"""
    )
    explorer.wait_for_frame(before + 3)
    assert explorer.ask("[it.playing, it.play_unit]") == [True, "phase"]
    explorer.button("Step phase").click()  # what is done by hand ends what is being played
    expect(explorer.button("Play")).to_be_visible()
    assert explorer.ask("it.playing") is False


def test_it_runs_to_an_event_and_to_an_iteration(explorer: LabExplorer) -> None:
    explorer.choice("Run to").select_option(label="next new depth")
    explorer.button("Run").click()
    expect(explorer.progress).to_contain_text("New depth in iteration")
    iteration = explorer.moment()[0]
    assert iteration > 30
    assert "deeper" in explorer.ask(f"search.explain({iteration}).events")
    explorer.choice("Run to").select_option("iteration")
    explorer.field("Run to iteration").fill("500")
    explorer.button("Run").click()
    expect(explorer.progress).to_have_text("done at iteration 500")
    expect(explorer.where).to_contain_text("after iteration 500 of 500")
    expect(explorer.button("Run")).to_be_visible()


# --- tree, board and inspector ---------------------------------------------------------------------------------------


def test_board_and_tree_follow_each_other(explorer: LabExplorer) -> None:
    explorer.click_node(3)
    expect(explorer.place).to_have_text("node 3 · move Ca · depth 1 · O to move")
    expect(explorer.square("row a, column C")).to_have_count(0)  # taken
    assert explorer.selected_place() == explorer.place_of(3)
    expect(explorer.rows()).to_have_count(8)
    with explorer.drawing():
        explorer.square("row b, column B").click()
    expect(explorer.place).to_contain_text("move Bb · depth 2 · X to move")
    node = explorer.moment()[2]
    assert explorer.selected_place() == explorer.place_of(node)
    explorer.click_node(0)
    expect(explorer.place).to_contain_text("the root")
    explorer.rows().nth(4).click()
    expect(explorer.place).to_contain_text("node 5 · move Bb")
    explorer.notebook.run("explorer.node = 8")
    expect(explorer.place).to_contain_text("node 8")
    expect(explorer.button("Follow")).to_have_attribute("aria-pressed", "false")
    explorer.step("Step phase")
    assert explorer.moment()[2] == 8
    explorer.button("Follow").click()
    expect(explorer.place).not_to_contain_text("node 8")


def test_a_stub_unfolds_and_folds(explorer: LabExplorer) -> None:
    with explorer.drawing():
        explorer.notebook.run("search.run(iterations=3000, progress=False)")
    before = explorer.nodes()
    assert len(before) <= 400
    stub = explorer.plot.locator("text").filter(has_text=re.compile(r"^\+\d")).first
    explorer.plot.scroll_into_view_if_needed()
    box = stub.bounding_box()
    assert box is not None
    with explorer.drawing():
        explorer.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    after = explorer.nodes()
    unfolded = [node for node, (_, _, hidden) in before.items() if node in after and hidden > after[node][2]]
    assert unfolded
    assert any(before[node][2] and not after[node][2] for node in unfolded)
    explorer.step("Fold all")
    expect(explorer.button("Fold all")).to_be_hidden()
    assert {node: hidden for node, (_, _, hidden) in explorer.nodes().items()} == {
        node: hidden for node, (_, _, hidden) in before.items()
    }


def test_finding_zooming_and_filtering(explorer: LabExplorer) -> None:
    explorer.field("Find node").fill("42")
    explorer.field("Find node").press("Enter")
    expect(explorer.place).to_contain_text("node 42")
    assert explorer.moment()[2] == 42
    explorer.field("Find node").fill("4200")
    explorer.field("Find node").press("Enter")
    expect(explorer.progress).to_contain_text("There is no node '4200'")
    explorer.click_node(3)
    whole = explorer.span()
    explorer.page.mouse.wheel(0, -400)
    explorer.wait_for_span(lambda span: span < 0.95 * whole)
    expect(explorer.place).to_contain_text("node 3")
    explorer.button("Reset view").click()
    explorer.wait_for_span(lambda span: span == pytest.approx(whole))
    explorer.field("Deepest shown").fill("1")
    with explorer.drawing():
        explorer.field("Deepest shown").press("Enter")
    shown, path = set(explorer.nodes()), set(explorer.ask("search.explain(30).path"))
    assert set(range(10)) <= shown <= set(range(10)) | path  # what the iteration is about is always drawn
    expect(explorer.output.locator(".sokoviz-tree-count")).to_have_text(f"{len(shown)} of 82 nodes")


def test_another_constant_changes_the_table_and_not_the_search(explorer: LabExplorer) -> None:
    explorer.click_node(0)
    expect(explorer.place).to_contain_text("the root")
    exploration = explorer.rows().first.locator(".sokoviz-column-exploration")
    before = exploration.inner_text()
    slider = explorer.output.get_by_role("slider", name="Exploration constant", exact=True)
    slider.focus()
    explorer.page.keyboard.press("Home")
    expect(exploration).to_have_text("0.00")
    expect(explorer.output.locator(".sokoviz-verdict")).not_to_be_empty()
    assert explorer.ask("[search.settings.c, search.last, it.iteration]") == [2.0, 30, 30]
    explorer.button("Reset exploration constant").click()
    expect(exploration).to_have_text(before)
