"""Compiles groups of kernels in several processes, which end with the one that started them."""

from __future__ import annotations

import os
import queue
import subprocess
import sys
import threading
import traceback
from contextlib import suppress
from typing import IO, TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from sokoviz.warm.groups import Group

WORKER = (sys.executable, "-m", "sokoviz.warm", "--worker")
TRIES = 2  # of a group whose process is killed
DONE, FAILED = "done", "failed"


def n_cores() -> int:
    """Return how many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Pool:
    """Hands out groups to processes, one at a time each.

    Parameters
    ----------
    groups
        What is to be compiled, in this order where nothing is preferred.
    command
        What starts a process: it reads names of groups, a line each, and answers each with a line.
    """

    def __init__(self, groups: Mapping[str, Group], command: Sequence[str] = WORKER) -> None:
        self._groups, self._command = groups, command
        self._waiting = list(groups)
        self._under_way: set[str] = set()
        self._tries = dict.fromkeys(groups, 0)
        self._failed: set[str] = set()
        self._changed = threading.Condition()

    def prefer(self, names: Iterable[str]) -> None:
        """Let some groups come next."""
        wanted = set(names)
        with self._changed:
            self._waiting.sort(key=lambda name: name not in wanted)  # which keeps the order otherwise

    def run(self, n_processes: int) -> list[str]:
        """Compile all groups; return the names of those that could not be."""
        threads = [threading.Thread(target=self._serve, daemon=True) for _ in range(n_processes)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return sorted(self._failed)

    def _serve(self) -> None:
        """Keep one process busy until nothing is left; another takes the place of one that is killed."""
        process: subprocess.Popen[str] | None = None
        while (name := self._next()) is not None:
            process = process or _start(self._command)
            answer = _ask(process, name)
            self._note(name, answer)
            if not answer:
                _end(process)
                process = None
        if process is not None:
            _end(process)

    def _next(self) -> str | None:
        """The group to compile next, once what it would wait for is done; None where nothing is left."""
        with self._changed:
            while self._waiting:
                blocking = {*self._waiting, *self._under_way}
                free = [name for name in self._waiting if blocking.isdisjoint(self._groups[name].after)]
                if free:
                    self._waiting.remove(free[0])
                    self._under_way.add(free[0])
                    self._tries[free[0]] += 1
                    return free[0]
                self._changed.wait()
            return None

    def _note(self, name: str, answer: str) -> None:
        """Take note of how a group went; what a killed process was at is tried once more."""
        with self._changed:
            self._under_way.remove(name)
            if not answer and self._tries[name] < TRIES:
                self._waiting.insert(0, name)
            elif answer != DONE:
                self._failed.add(name)
            self._changed.notify_all()


def _start(command: Sequence[str]) -> subprocess.Popen[str]:
    """A process out of the reach of Ctrl-C: it ends when its input does, however this one ended."""
    pipe = subprocess.PIPE
    return subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True, process_group=0)  # noqa: S603  our own


def _ask(process: subprocess.Popen[str], name: str) -> str:
    """Have a group compiled; return the answer, nothing where the process has ended instead."""
    assert process.stdin is not None  # noqa: S101  it is a pipe
    assert process.stdout is not None  # noqa: S101  likewise
    with suppress(OSError):
        process.stdin.write(f"{name}\n")
        process.stdin.flush()
        return process.stdout.readline().strip()
    return ""


def _end(process: subprocess.Popen[str]) -> None:
    """End a process by closing its input."""
    for stream in (process.stdin, process.stdout):
        with suppress(OSError):
            stream.close()  # type: ignore[union-attr]  # they are pipes
    process.wait()


# --- in the processes ------------------------------------------------------------------------------------------------


def work(groups: Mapping[str, Group]) -> None:
    """Compile each group that is named on standard input, and say so; end at once with the input."""
    names: queue.SimpleQueue[str] = queue.SimpleQueue()
    read_until_closed(sys.stdin, names.put)
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what anything else prints is no answer
    while True:
        answers.write(f"{_attempt(groups, names.get())}\n")
        answers.flush()


def read_until_closed(stream: IO[str], take: Callable[[str], object]) -> None:
    """Hand on each line in a thread, and end this process at once with the one at the other end of the pipe."""

    def read() -> None:
        for line in stream:
            take(line.strip())
        os._exit(0)  # in the middle of a piece, which is not kept then

    threading.Thread(target=read, daemon=True).start()


def _attempt(groups: Mapping[str, Group], name: str) -> str:
    """Compile a group; return how it went."""
    try:
        groups[name].load()
    except Exception:  # noqa: BLE001  one group must not keep the others from being compiled
        traceback.print_exc()
        return FAILED
    return DONE
