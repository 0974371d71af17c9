"""The helpers for browser tests: what they promise, and that they notice what goes wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

    from tests.ui.jupyter import Lab


def test_a_notebook_runs_and_its_kernel_answers(lab: Lab) -> None:
    notebook = lab.open(["answer = 6 * 7", "answer"])
    assert notebook.output(1).inner_text().strip().endswith("42")
    assert notebook.run("print(answer + 1)") == "43"
    with pytest.raises(AssertionError, match="ZeroDivisionError"):
        notebook.run("1 / 0")


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_theme_is_the_one_asked_for(lab: Lab, theme: str) -> None:
    notebook = lab.open(["1"], theme=theme)
    assert notebook.page.locator("body").get_attribute("data-jp-theme-name") == f"JupyterLab {theme.title()}"


def test_a_failing_cell_fails_the_test(lab: Lab) -> None:
    with pytest.raises(AssertionError, match="NameError"):
        lab.open(["no_such_name"])


def test_errors_of_the_page_are_noticed(lab: Lab) -> None:
    notebook = lab.open(["1"])
    notebook.page.evaluate("() => { console.error('deliberate'); }")
    notebook.page.evaluate("() => fetch('https://outside.example/').catch(() => null)")
    assert [problem for problem in notebook.problems if "deliberate" in problem]
    assert [problem for problem in notebook.problems if "request to the outside" in problem]
    notebook.problems.clear()


def test_a_plain_page_runs_its_script(page_with: Callable[..., Page]) -> None:
    page = page_with("document.querySelector('p').textContent = `${innerWidth}`", body="<p></p>", size=(500, 400))
    assert page.locator("p").inner_text() == "500"
