"""Explorers and a kernel that is busy, interrupted, shared by several views, or gone; themes and sizes of the page."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.ui.explorer.lab_explorers import START, LabExplorer, clear_output, interrupt, run_cell, start_cell

if TYPE_CHECKING:
    from tests.ui.jupyter import Lab, LabPage

SLEEP = 'import time\nprint("asleep", flush=True)\ntime.sleep(2)\nprint("awake")'
LONG_RUN = "search.run(seconds=60)"
MANY = 100_000_000  # iterations that no test waits for

# Elements that show a bar for scrolling sideways, or would need one.
WIDE = """root => [root, ...root.querySelectorAll("*")]
  .filter((each) => each.clientWidth > 0 && each.scrollWidth > each.clientWidth)
  .filter((each) => each === root || ["auto", "scroll"].includes(getComputedStyle(each).overflowX))
  .map((each) => `${each.className}: ${each.scrollWidth} > ${each.clientWidth}`)"""


@pytest.fixture(scope="module")
def notebook(desk: Lab) -> LabPage:
    """A notebook with an explorer, and a cell that runs its search for a minute."""
    return desk.open([START, LONG_RUN, "print(6 * 7)", SLEEP], run=False, size=(1280, 1000))


@pytest.fixture
def explorer(notebook: LabPage) -> LabExplorer:
    """A new explorer in that notebook: 30 iterations are made, and it stands at the last."""
    notebook.page.bring_to_front()
    run_cell(notebook, 0)
    notebook.check()
    return LabExplorer(notebook)


def run_far(explorer: LabExplorer) -> None:
    """Start a run in the explorer that does not end by itself."""
    explorer.choice("Run to").select_option("iteration")
    explorer.field("Run to iteration").fill(str(MANY))
    explorer.button("Run").click()
    expect(explorer.button("Stop")).to_be_visible()


# --- running ---------------------------------------------------------------------------------------------------------


@pytest.mark.clock
def test_a_run_in_a_cell_is_interrupted_at_once_and_nothing_is_lost(explorer: LabExplorer, notebook: LabPage) -> None:
    start_cell(notebook, 1)
    expect(notebook.output(1)).to_contain_text("interrupt to stop, nothing is lost")
    assert interrupt(notebook) < 1
    expect(notebook.output(1)).to_contain_text("interrupted")
    notebook.check()
    last = explorer.ask("search.last")
    assert last > 1000
    explorer.root.scroll_into_view_if_needed()
    expect(explorer.where).to_contain_text(f"after iteration {last:,} of {last:,}")
    explorer.step("Step iteration")
    assert explorer.ask("[it.iteration, search.last]") == [last + 1, last + 1]
    explorer.notebook.run("search.run(iterations=9, progress=False)")
    expect(explorer.where).to_contain_text(f"after iteration {last + 10:,} of {last + 10:,}")


def test_a_run_in_the_explorer_leaves_the_kernel_free(explorer: LabExplorer, notebook: LabPage) -> None:
    run_far(explorer)
    run_cell(notebook, 2)
    expect(notebook.output(2)).to_have_text("42")
    assert explorer.ask("[it.record['running'], search.is_running]") == [True, True]
    explorer.root.scroll_into_view_if_needed()
    expect(explorer.progress).to_contain_text(re.compile(r"[\d,]+ of [\d,]+ iterations, [\d,]+ nodes"))
    first = explorer.progress.inner_text()
    expect(explorer.progress).not_to_have_text(first)
    expect(explorer.output.get_by_role("progressbar")).to_have_attribute("aria-valuenow", re.compile(r"\d"))
    explorer.button("Stop").click()
    expect(explorer.button("Run")).to_be_visible()
    last = explorer.ask("search.last")
    expect(explorer.progress).to_have_text(f"stopped at iteration {last:,}")
    assert explorer.ask("[it.record['running'], search.is_running, it.iteration]") == [False, False, last]
    explorer.step("Back iteration")
    expect(explorer.where).to_contain_text(f"after iteration {last - 1:,} of {last:,}")


@pytest.mark.clock
def test_stop_works_while_another_cell_runs(explorer: LabExplorer, notebook: LabPage) -> None:
    run_far(explorer)
    start_cell(notebook, 3)
    expect(notebook.output(3)).to_contain_text("asleep")
    explorer.button("Stop").click()
    expect(explorer.button("Run")).to_be_visible()
    expect(explorer.progress).to_contain_text("stopped at iteration")
    assert explorer.ask("search.is_running") is False
    expect(notebook.output(3)).to_contain_text("awake")


# --- several views ---------------------------------------------------------------------------------------------------


def test_views_of_one_search_keep_step_and_others_do_not(desk: Lab) -> None:
    other = "other = sv.MCTS(sv.TicTacToe(), seed=2).explore()\nother"
    notebook = desk.open([START, "explorer", "twin = search.explore()\ntwin", other], size=(1280, 1000))
    view, again, twin, stranger = (
        LabExplorer(notebook, cell, name) for cell, name in enumerate(("explorer", "explorer", "twin", "other"))
    )
    twin.step("Step phase")
    for each in (view, again, twin):
        each.root.scroll_into_view_if_needed()
        expect(each.where).to_contain_text("in iteration 31 of 31")
        each.settle()
    stranger.step("Step iteration", 2)
    expect(stranger.where).to_contain_text("after iteration 2 of 2")
    assert [each.moment()[:2] for each in (view, twin, stranger)] == [(30, "selection"), (30, "selection"), (2, "")]
    view.click_node(4)
    again.root.scroll_into_view_if_needed()
    expect(again.place).to_contain_text("node 4 ·")
    assert twin.moment()[2] != 4  # what is selected belongs to a view
    _check_that_views_come_and_go(notebook, again)


def _check_that_views_come_and_go(notebook: LabPage, again: LabExplorer) -> None:
    """A view is removed; the other one lives on, and the explorer can be shown again in its place."""
    clear_output(notebook, 0)
    again.step("Step phase")
    clear_output(notebook, 1)
    expect(notebook.page.locator(".sokoviz-explorer")).to_have_count(2)
    run_cell(notebook, 1)
    shown = LabExplorer(notebook, 1)
    expect(shown.place).to_contain_text("node 4 ·")
    shown.step("Step iteration")
    expect(shown.where).to_contain_text("after iteration 31 of 31")
    notebook.check()


# --- themes, sizes, what is saved ------------------------------------------------------------------------------------


def test_a_saved_notebook_keeps_a_picture(explorer: LabExplorer, notebook: LabPage) -> None:
    run_cell(notebook, 0)  # again: until a kernel has loaded what it draws trees with, it shows the board alone
    explorer = LabExplorer(notebook)
    (output,) = explorer.page.evaluate("() => jupyterapp.shell.currentWidget.content.model.toJSON().cells[0].outputs")
    picture = "".join(output["data"]["image/svg+xml"])
    assert picture.startswith("<svg")
    assert picture.count("<circle") >= 82
    assert "MCTS on" in "".join(output["data"]["text/plain"])
    assert "application/vnd.jupyter.widget-view+json" in output["data"]
    assert explorer.output.locator("img").count() == 0  # the live explorer is what JupyterLab shows
    assert "Plotly" not in str(explorer.page.evaluate("() => jupyterapp.shell.currentWidget.content.model.toJSON()"))


def test_it_follows_the_theme(explorer: LabExplorer) -> None:
    style = "element => getComputedStyle(element).backgroundColor"
    ink = "plot => plot.querySelector('text').style.fill"
    light = explorer.root.evaluate(style), explorer.plot.evaluate(ink)
    assert light[0] == "rgb(255, 255, 255)"
    change = "theme => jupyterapp.commands.execute('apputils:change-theme', {theme})"
    try:
        explorer.page.evaluate(change, "JupyterLab Dark")
        explorer.page.wait_for_function("() => document.body.dataset.jpThemeLight === 'false'")
        expect(explorer.root).to_have_css("background-color", "rgb(33, 33, 33)")
        plot = explorer.plot.element_handle()
        explorer.page.wait_for_function(f"([plot, light]) => ({ink})(plot) !== light", arg=[plot, light[1]])
    finally:
        explorer.page.evaluate(change, "JupyterLab Light")
        explorer.page.wait_for_function("() => document.body.dataset.jpThemeLight === 'true'")


def test_everything_is_reached_in_a_narrow_window(explorer: LabExplorer) -> None:
    try:
        explorer.page.set_viewport_size({"width": 800, "height": 800})
        check_room(explorer)
        explorer.step("Step phase")
        expect(explorer.story).to_contain_text("Selection:")
    finally:
        explorer.page.set_viewport_size({"width": 1280, "height": 1000})


def test_large_type(explorer: LabExplorer) -> None:
    size = "element => parseFloat(getComputedStyle(element).fontSize)"
    before = explorer.story.evaluate(size), explorer.plot.locator("text").first.evaluate(size)
    explorer.button("Large type").click()
    expect(explorer.button("Large type")).to_have_attribute("aria-pressed", "true")
    explorer.step("Step phase")
    assert explorer.ask("it.large_type") is True
    assert explorer.story.evaluate(size) > 1.2 * before[0]
    assert explorer.plot.locator("text").first.evaluate(size) > 1.2 * before[1]
    check_room(explorer)


def check_room(explorer: LabExplorer) -> None:
    """Nothing in the explorer must be scrolled sideways, and every control can be clicked."""
    assert explorer.root.evaluate(WIDE) == []
    buttons = ("Step phase", "Step iteration", "Back phase", "Back iteration", "Play", "Run", "Reset view")
    controls = [
        *(explorer.button(name) for name in buttons),
        *(explorer.choice(name) for name in ("Run to", "Speed")),
        *(explorer.field(name) for name in ("Iteration", "Find node", "Exploration constant")),
    ]
    frame = explorer.root.bounding_box()
    for control in controls:
        control.click(trial=True)
        box = control.bounding_box()
        assert box is not None
        assert frame is not None
        assert box["x"] >= frame["x"]
        assert box["x"] + box["width"] <= frame["x"] + frame["width"]


def test_after_a_restart_of_the_kernel_a_click_says_what_to_do(explorer: LabExplorer) -> None:
    explorer.page.evaluate("() => jupyterapp.shell.currentWidget.sessionContext.session.kernel.restart()")
    explorer.button("Step iteration").click()
    expect(explorer.output.get_by_role("alert")).to_contain_text("Run the cell again")
    explorer.button("Dismiss").click()
    explorer.notebook.check()
