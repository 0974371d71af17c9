"""The README's Python runs as it stands."""

from __future__ import annotations

import re
import subprocess
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


def test_the_readmes_python_runs(checkout: Path, tmp_path: Path) -> None:
    blocks = re.findall(r"```python\n(.*?)```", (checkout / "README.md").read_text(encoding="utf-8"), re.DOTALL)
    assert blocks
    command = [sys.executable, "-c", "\n".join(blocks)]
    answer = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert answer.returncode == 0, answer.stderr
