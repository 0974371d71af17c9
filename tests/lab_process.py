"""`sokoviz lab` started as a user starts it, in a process of its own."""

from __future__ import annotations

import contextlib
import json
import os
import re
import subprocess
import sys
import urllib.request
from typing import TYPE_CHECKING, Any, NamedTuple

from tests.ui.jupyter import free_port

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


class LabProcess(NamedTuple):
    """A running `sokoviz lab` and what it printed."""

    folder: Path
    port: int
    address: str
    number: int
    """of the process"""

    @property
    def token(self) -> str:
        """The secret in its address."""
        return self.address.partition("token=")[2]

    def ask(self, path: str, token: str, data: bytes | None = None) -> Any:
        """The server's answer to a request, as JSON."""
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}{path}", data=data)
        request.add_header("Authorization", f"token {token}")
        with urllib.request.urlopen(request, timeout=30) as answer:
            return json.load(answer)


@contextlib.contextmanager
def start_lab(home: Path, **settings: str) -> Iterator[LabProcess]:
    """Run `sokoviz lab` on a folder in `home`, with more environment variables, and stop it in the end."""
    port = free_port()
    command = [sys.executable, "-m", "sokoviz", "lab", str(home / "work"), "--no-browser", "--port", str(port)]
    environment = {**os.environ, "JUPYTER_CONFIG_DIR": str(home / "config"), **settings}
    process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True, stdin=subprocess.DEVNULL)
    assert process.stdout is not None
    try:
        printed = (re.search(r"http://\S+token=\w+", line) for line in process.stdout)
        address = next(match[0] for match in printed if match)
        yield LabProcess(home / "work", port, address, process.pid)
    finally:
        process.terminate()
        process.wait(30)
        process.stdout.close()
