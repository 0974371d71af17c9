"""The explorer of iterative deepening in a real JupyterLab: stepping, running to an event, selecting, the solution."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from playwright.sync_api import expect

from tests.ui.explorer.lab_explorers import LOADED, LabExplorer

if TYPE_CHECKING:
    from tests.ui.jupyter import Lab, LabPage

START = """import json
import sokoviz as sv
search = sv.IDA(sv.load("lessons#5"), preset="best", share=1.0)
explorer = search.explore()
explorer"""


def ask(notebook: LabPage, expression: str) -> Any:
    """Value of an expression in the kernel."""
    return json.loads(notebook.run(f"print(json.dumps({expression}))"))


def test_from_the_first_step_to_the_solution(lab: Lab) -> None:
    notebook = lab.open([START], size=(1280, 1100))
    output = notebook.output(0)
    step = output.get_by_role("button", name="Step iteration", exact=True)
    step.click()
    expect(output.locator(".sokoviz-narration")).to_contain_text("Expanded: the start", timeout=LOADED)
    notebook.page.keyboard.press("ArrowRight")
    expect(output.locator(".sokoviz-narration")).to_contain_text("Step 2:", timeout=LOADED)
    output.get_by_role("combobox", name="Run to", exact=True).select_option("relevance")
    output.get_by_role("button", name="Run", exact=True).click()
    expect(output.locator(".sokoviz-progress-text")).to_contain_text("Relevance cut in step", timeout=LOADED)
    output.locator(".sokoviz-successors tbody tr", has_text="relevance").first.click()
    expect(output.locator(".sokoviz-why")).to_contain_text("cut as not relevant")
    assert ask(notebook, "explorer.node in [row['node'] for row in explorer.children['rows']]")
    output.get_by_role("combobox", name="Run to", exact=True).select_option("solution")
    output.get_by_role("button", name="Run", exact=True).click()
    expect(output.locator(".sokoviz-narration")).to_contain_text("The level is solved", timeout=LOADED)
    output.get_by_role("button", name="Solution step", exact=True).click()
    expect(output.locator(".sokoviz-solution-text")).to_contain_text("push 0 of")
    assert ask(notebook, "[explorer.iteration == search.last, explorer.solution['shown']]") == [True, True]
    notebook.check()


def test_what_became_of_a_node_stands_in_lines(lab: Lab) -> None:
    explorer = LabExplorer(lab.open([START.replace("explorer =", "search.run(nodes=9, progress=False)\nexplorer =")]))
    assert set(explorer.lines_in_tip_of(min(explorer.nodes()))) == {1}
