"""Every notebook runs from top to bottom, and checks what it claims as it goes."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

import nbclient
import nbformat
import pytest

from tests.conftest import CHECKOUT

if TYPE_CHECKING:
    from pathlib import Path

NOTEBOOKS = sorted((CHECKOUT / "notebooks").glob("*.ipynb"))
SECONDS_PER_CELL = 120
FEWEST_CHECKS = 5


def test_there_are_notebooks() -> None:
    assert NOTEBOOKS


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs(path: Path, tmp_path: Path) -> None:
    notebook = nbformat.read(path, as_version=4)
    # Widget state holds megabytes of scripts, and nobody reads it here.
    client = nbclient.NotebookClient(
        notebook,
        timeout=SECONDS_PER_CELL,
        kernel_name="python3",
        resources={"metadata": {"path": str(tmp_path)}},
        store_widget_state=False,
    )
    client.execute()


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_checks_what_it_claims(path: Path) -> None:
    cells = nbformat.read(path, as_version=4).cells
    trees = [ast.parse(cell.source) for cell in cells if cell.cell_type == "code"]
    checks = [node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Assert)]
    assert len(checks) >= FEWEST_CHECKS
