"""What a newcomer sees first: `sokoviz lab`, and its address opened in a browser."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from sokoviz.commands._notebooks import copy_notebooks
from tests.lab_process import start_lab
from tests.ui.jupyter import MILLISECONDS_TO_ANSWER

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Browser, Page


@pytest.fixture
def first_page(browser: Browser, tmp_path: Path) -> Iterator[tuple[Page, Path]]:
    with start_lab(tmp_path) as lab, browser.new_context() as context:
        page = context.new_page()
        page.set_default_timeout(MILLISECONDS_TO_ANSWER)
        page.goto(lab.address)
        yield page, lab.folder


def test_the_first_lesson_is_open_and_nothing_is_in_its_way(first_page: tuple[Page, Path], checkout: Path) -> None:
    page, folder = first_page
    name = min(path.name for path in (checkout / "notebooks").glob("*.ipynb"))
    tab = page.get_by_role("tab", name=name)
    expect(tab).to_have_attribute("aria-selected", "true", timeout=MILLISECONDS_TO_ANSWER)
    expect(page.locator(".jp-Notebook h1").first).to_be_visible(timeout=MILLISECONDS_TO_ANSWER)
    # Jupyter would ask whether to fetch news a moment after all is loaded.
    page.wait_for_timeout(3000)
    assert page.locator(".jp-Dialog, .Toastify__toast").count() == 0

    with page.expect_response(lambda answer: answer.request.method == "PUT" and name in answer.url):
        page.keyboard.press("Control+s")
    assert copy_notebooks(folder) == [f"Notebooks are in {folder}"], "a notebook merely opened counts as changed"
