"""The processes that compile: as many as wanted, in the right order, and gone with the one that started them."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Any

import psutil  # type: ignore[import-untyped]
import pytest

from sokoviz.warm.groups import Group
from sokoviz.warm.pool import Pool, n_cores

if TYPE_CHECKING:
    from pathlib import Path

# Stand-ins for the processes that compile; the folder is theirs to write to.
NOTING = """
with open("order", "a") as order:
    print(name, file=order)
print("done", flush=True)
"""
MEETING = """
pathlib.Path(str(os.getpid())).touch()
deadline = time.monotonic() + 20
while len(os.listdir()) < 3 and time.monotonic() < deadline:
    time.sleep(0.01)
print("done" if len(os.listdir()) == 3 else "failed", flush=True)
"""
DYING = """
tries = pathlib.Path(name)
tries.write_text(tries.read_text() + "x" if tries.exists() else "x")
if name == "unlucky" and tries.read_text() == "x" or name == "hopeless":
    os.kill(os.getpid(), 9)
print("done", flush=True)
"""


def pool_of(text: str, folder: Path, monkeypatch: pytest.MonkeyPatch, names: str, **after: str) -> Pool:
    monkeypatch.chdir(folder)
    body = text.strip().replace("\n", "\n    ")
    program = f"import os, pathlib, sys, time\nfor line in sys.stdin:\n    name = line.strip()\n    {body}"
    groups = {name: Group(lambda: None, (), tuple(after.get(name, "").split())) for name in names.split()}
    return Pool(groups, (sys.executable, "-c", program))


def test_as_many_processes_work_at_once_as_are_wanted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert pool_of(MEETING, tmp_path, monkeypatch, "a b c").run(3) == []


def test_what_an_open_notebook_needs_comes_next(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pool = pool_of(NOTING, tmp_path, monkeypatch, "a b c d")
    pool.prefer(["d", "c", "no such group"])
    assert pool.run(1) == []
    assert (tmp_path / "order").read_text().split() == ["c", "d", "a", "b"]


def test_a_group_waits_for_one_that_it_shares_much_with(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pool = pool_of(NOTING, tmp_path, monkeypatch, "a b c", a="c")
    assert pool.run(2) == []
    order = (tmp_path / "order").read_text().split()
    assert order.index("c") < order.index("a")


def test_what_a_killed_process_was_at_is_tried_once_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert pool_of(DYING, tmp_path, monkeypatch, "a unlucky hopeless b").run(1) == ["hopeless"]
    tries = {path.name: len(path.read_text()) for path in tmp_path.iterdir()}
    assert tries == {"a": 1, "unlucky": 2, "hopeless": 2, "b": 1}


@pytest.mark.parametrize("end", ["kill", "terminate", "interrupt", "close"])
def test_there_is_a_process_a_core_and_all_end_with_the_first(tmp_path: Path, end: str) -> None:
    environment = {**os.environ, "SOKOVIZ_CACHE": str(tmp_path)}
    command = [sys.executable, "-m", "sokoviz.warm", "--behind"]
    with subprocess.Popen(command, env=environment, stdin=subprocess.PIPE, stderr=subprocess.DEVNULL) as first:
        assert first.stdin is not None
        family = children_of(first.pid, n_cores())
        {
            "kill": first.kill,
            "terminate": first.terminate,
            "interrupt": lambda: first.send_signal(signal.SIGINT),
            "close": first.stdin.close,
        }[end]()
        gone, _ = psutil.wait_procs([*family, psutil.Process(first.pid)], timeout=10)
    assert len(gone) == 1 + len(family)


def children_of(process: int, n: int) -> list[Any]:
    """The processes that a process has started, once there are so many."""
    deadline = time.monotonic() + 30
    found: list[Any] = []
    while len(found) < n:
        assert time.monotonic() < deadline
        time.sleep(0.02)
        found = psutil.Process(process).children(recursive=True)
    return found
