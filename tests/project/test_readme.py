"""The README's Python runs as it stands."""

from __future__ import annotations

import ast
import inspect
import re
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from sokoviz.learn import options as learning
from sokoviz.search.ida import options as deepening
from sokoviz.search.mcts.schokoban import PRESETS
from sokoviz.search.options import Pushing
from tests.search.plain.plain_searches import BothEnds, Breadth

if TYPE_CHECKING:
    from pathlib import Path


def test_the_readmes_python_runs(checkout: Path, tmp_path: Path) -> None:
    blocks = re.findall(r"```python\n(.*?)```", (checkout / "README.md").read_text(encoding="utf-8"), re.DOTALL)
    assert blocks
    command = [sys.executable, "-c", "\n".join(blocks)]
    answer = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert answer.returncode == 0, answer.stderr


@pytest.mark.parametrize("search", [Breadth, BothEnds])
def test_the_readme_has_the_searches_that_are_tested(checkout: Path, search: type) -> None:
    assert inspect.getsource(search).rstrip() in (checkout / "README.md").read_text(encoding="utf-8")


def option_rows(checkout: Path, heading: str) -> dict[str, tuple[str, str, str]]:
    """Values of three presets by option, out of the table under a heading."""
    text = (checkout / "README.md").read_text(encoding="utf-8")
    section = text.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| `(\w+)` \|" + r" (?:`(.+?)`|\w+) \|" * 3, section, re.MULTILINE)
    return {name: values for name, *values in rows}


def test_the_table_of_options_says_what_the_presets_are(checkout: Path) -> None:
    rows = option_rows(checkout, "Solving Sokoban")
    options = ["selection", "c", "deadlocks", "late", "remembered", "distance", "inward", "areas", "stall"]
    assert list(rows) == options
    for name, values in rows.items():
        for preset, value in zip(("published", "text", "best"), values, strict=True):
            chosen = PRESETS[preset].get(name, getattr(Pushing(), name, None))
            assert value == "" or ast.literal_eval(value) == chosen, (name, preset)


def test_the_table_of_the_learners_options_says_what_its_presets_are(checkout: Path) -> None:
    rows = option_rows(checkout, "Learning a level: Curry")
    assert set(rows) == {name for options in learning.PRESETS.values() for name in options}
    for name, values in rows.items():
        for preset, value in zip(("best", "text", "first"), values, strict=True):
            chosen = learning.PRESETS[preset].get(name, getattr(learning.Options(), name))
            assert ast.literal_eval(value) == chosen, (name, preset)


def test_the_table_of_the_options_of_ida_says_what_its_presets_are(checkout: Path) -> None:
    section = (checkout / "README.md").read_text(encoding="utf-8").partition("\n## Iterative deepening")[2]
    rows = re.findall(r"^\| `(\w+)` \|" + r" (?:`(.+?)`|\w+) \|" * 4, section.partition("\n## ")[0], re.MULTILINE)
    assert {name for options in deepening.PRESETS.values() for name in options} <= {name for name, *_ in rows}
    for name, *values in rows:
        for preset, value in zip(deepening.PRESETS, values, strict=True):
            chosen = deepening.PRESETS[preset].get(name, getattr(deepening.Options(), name))
            assert value == "" or ast.literal_eval(value) == chosen, (name, preset)
