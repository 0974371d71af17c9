"""The influence explorer in a real JupyterLab: from squares to cuts, with what Python reads of it."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from playwright.sync_api import expect

from tests.ui.explorer.lab_explorers import LOADED

if TYPE_CHECKING:
    from tests.ui.jupyter import Lab, LabPage

START = """import json
import sokoviz as sv
shown = sv.InfluenceWidget(sv.load("lessons#13"))
shown"""


def ask(notebook: LabPage, expression: str) -> Any:
    """Value of an expression in the kernel."""
    return json.loads(notebook.run(f"print(json.dumps({expression}))"))


def test_from_squares_to_relevance_cuts(lab: Lab) -> None:
    notebook = lab.open([START], size=(1280, 1000))
    output = notebook.output(0)
    expect(output.locator(".sokoviz-total")).to_be_visible(timeout=LOADED)
    assert output.locator(".sokoviz-total").inner_text() == str(ask(notebook, "shown.pair['total']"))
    output.locator(".sokoviz-field").focus()
    for key in ("ArrowRight", "Enter", "ArrowDown", "b", "Enter"):  # the letter is none of the notebook's
        notebook.page.keyboard.press(key)
    expect(output.locator(".sokoviz-breakdown table")).to_have_attribute(
        "aria-label", re.compile("^Influence of Dc on")
    )
    assert ask(notebook, "shown.source") == "Dc"
    output.get_by_role("button", name="To", exact=True).click()
    rows = output.locator(".sokoviz-influence-cuts tbody tr")
    for n_pushes, row in enumerate((rows.last, rows.first, rows.last), 1):
        row.click()
        expect(output.locator(".sokoviz-line button")).to_have_count(n_pushes)
    assert ask(notebook, "[shown.direction, shown.board.n_pushes]") == ["to", 3]
    expect(rows.locator("text=✕ cut")).to_have_count(ask(notebook, "shown.cuts['n_cut']"))
    notebook.run("shown.threshold = 1000")
    expect(rows.locator("text=✕ cut")).to_have_count(0)
    notebook.check()
