"""Measures what each piece of machine code takes: ``python -m sokoviz.warm --measure`` writes it beside the compiler.

Each group is compiled in a process of its own, one after the other into one empty cache. A process notes which pieces
it asked for, and which of these another one needed; so what a group takes where nothing is there can be told, though
its neighbours have compiled a part of it before.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from typing import TYPE_CHECKING, Any

from sokoviz.core.compiling.outlook import COSTS
from sokoviz.warm.groups import GROUPS

if TYPE_CHECKING:
    from collections.abc import Callable

RECORD = "import sys; from sokoviz.warm.measuring import record; record(sys.argv[1])"

Notes = dict[str, Any]


def measure() -> None:
    """Compile all groups, and write down what their pieces take."""
    seconds: dict[str, float] = {}
    parts: dict[str, set[str]] = {}
    asked: dict[str, list[str]] = {}
    with tempfile.TemporaryDirectory() as cache:
        for name in GROUPS:
            notes = _compile_group(name, cache)
            asked[name] = notes["asked"]
            seconds.update(notes["seconds"])
            for piece, needed in notes["parts"].items():
                parts.setdefault(piece, set()).update(needed)
            sys.stderr.write(f"{sum(notes['seconds'].values()):6.1f} s  {name}\n")
    pieces = sorted(seconds)
    number_of = {piece: number for number, piece in enumerate(pieces)}
    groups = {
        name: sorted(number_of[piece] for piece in _closure(pieces_asked, parts))
        for name, pieces_asked in asked.items()
    }
    costs = {piece: round(seconds[piece], 2) for piece in pieces}
    COSTS.write_text(_as_text({"pieces": costs, "groups": groups}), encoding="utf-8")


def _as_text(costs: dict[str, dict[str, Any]]) -> str:
    """JSON, a piece or a group a line."""
    parts = {
        key: ",\n".join(f"  {json.dumps(name)}: {json.dumps(value)}" for name, value in rows.items())
        for key, rows in costs.items()
    }
    return "{\n" + ",\n".join(f' "{key}": {{\n{rows}\n }}' for key, rows in parts.items()) + "\n}\n"


def _compile_group(name: str, cache: str) -> Notes:
    """The notes of a process that compiles a group."""
    command = [sys.executable, "-c", RECORD, name]
    environment = {**os.environ, "SOKOVIZ_CACHE": cache}
    done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True, check=True)  # noqa: S603  ours
    notes: Notes = json.loads(done.stdout)
    return notes


def _closure(asked: list[str], parts: dict[str, set[str]]) -> set[str]:
    """Pieces with all that they are made of."""
    found, waiting = set(), list(asked)
    while waiting:
        piece = waiting.pop()
        if piece not in found:
            found.add(piece)
            waiting += parts.get(piece, ())
    return found


def record(name: str) -> None:
    """Compile a group and print what was asked for, what it took, and what it was made of."""
    from sokoviz.core.compiling.drafting import Kernel

    seconds: dict[str, float] = {}
    parts: dict[str, list[str]] = {}
    asked: list[str] = []
    open_pieces: list[str] = []
    made_once = Kernel._made_once  # noqa: SLF001  measuring stays out of the compiler

    def noting(self: Kernel, kind: str, arguments: tuple[Any, ...], *ways: Callable[..., Any]) -> object:
        load, make, keep = ways
        piece = self.store.piece(kind, arguments)
        (parts[open_pieces[-1]] if open_pieces else asked).append(piece)

        def make_timed(arguments: tuple[Any, ...]) -> object:
            begin, before = time.process_time(), sum(seconds.values())
            parts[piece] = []
            open_pieces.append(piece)
            made = make(arguments)
            open_pieces.pop()
            of_parts = sum(seconds.values()) - before
            seconds[piece] = time.process_time() - begin - of_parts
            return made

        return made_once(self, kind, arguments, load, make_timed, keep)

    Kernel._made_once = noting  # type: ignore[assignment, method-assign]  # noqa: SLF001  as above
    GROUPS[name].load()
    sys.stdout.write(json.dumps({"asked": asked, "seconds": seconds, "parts": parts}))
