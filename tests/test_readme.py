"""The README's Python runs as it stands."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from typing import TYPE_CHECKING

from sokoviz.search.options import Pushing
from sokoviz.search.solvers import PRESETS

if TYPE_CHECKING:
    from pathlib import Path


def test_the_readmes_python_runs(checkout: Path, tmp_path: Path) -> None:
    blocks = re.findall(r"```python\n(.*?)```", (checkout / "README.md").read_text(encoding="utf-8"), re.DOTALL)
    assert blocks
    command = [sys.executable, "-c", "\n".join(blocks)]
    answer = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert answer.returncode == 0, answer.stderr


def test_the_table_of_options_says_what_the_presets_are(checkout: Path) -> None:
    text = (checkout / "README.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(\w+)` \|" + r" (?:`(.+?)`|\w+) \|" * len(PRESETS), text, re.MULTILINE)
    assert [row[0] for row in rows] == [
        "selection",
        "c",
        "deadlocks",
        "late",
        "remembered",
        "distance",
        "inward",
        "areas",
        "stall",
    ]
    for name, *values in rows:
        for preset, value in zip(("published", "text", "best"), values, strict=True):
            chosen = PRESETS[preset].get(name, getattr(Pushing(), name, None))
            assert value == "" or ast.literal_eval(value) == chosen, (name, preset)
