"""Fingerprints of solvers: whether two results were come to by the same code.

A fingerprint is a hash of the sources of all our modules that a solver imports, found by following import statements,
those in functions too, and of the versions of numba and numpy. So an edit of the README, of a widget or of a notebook
changes nothing, and one of a kernel makes another program. Where it is in doubt whether a module matters it counts: a
run too many costs time, a result of other code taken for one's own costs more.
"""

from __future__ import annotations

import ast
import hashlib
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

PACKAGE = Path(__file__).resolve().parent.parent
MAKERS = ("sokoviz.experiments.runner", "sokoviz.solvers")
"""modules that make every run; what they import is the solver, or the next"""
SHORTENING = "sokoviz.search.shortening"
FACES = ("sokoviz.widgets", "sokoviz.svg", "sokoviz.picture", "sokoviz.overlays", "sokoviz.search.loading")
"""modules that draw, or load kernels early, and decide nothing about a result; each would lead to many others"""
LIBRARIES = ("numba", "numpy")


@cache
def fingerprint(home: str, package: Path = PACKAGE) -> str:
    """Return the fingerprint of a solver, as its sources are when this is first asked.

    Parameters
    ----------
    home
        Name of the module that defines the solver.
    package
        Folder of the package.
    """
    digest = hashlib.sha256(" ".join(f"{name} {version(name)}" for name in LIBRARIES).encode())
    for name, data in sorted(_sources(home, package).items()):
        digest.update(f"\n{name} {len(data)}\n".encode() + data)
    return digest.hexdigest()[:16]


def _sources(home: str, package: Path) -> dict[str, bytes]:
    """What a solver is made of: modules, and files beside them that they name, by their names."""
    found = {name: _path_of(name, package).read_bytes() for name in MAKERS}
    waiting = [home, SHORTENING]
    while waiting:
        name = waiting.pop()
        if name in found or any(f"{name}.".startswith(f"{face}.") for face in FACES):
            continue
        path = _path_of(name, package)
        if path.exists():  # else it is no module but a name that one defines
            found[name] = path.read_bytes()
            text = found[name].decode()
            waiting += _imported(ast.parse(text))
            beside = (each for each in path.parent.iterdir() if each.suffix not in ("", ".py") and each.name in text)
            found |= {each.name: each.read_bytes() for each in beside}
    return found


def _path_of(name: str, package: Path) -> Path:
    """The file of a module of ours; of one that is none, a file that does not exist."""
    path = package.joinpath(*name.split(".")[1:])
    return path / "__init__.py" if path.is_dir() else path.with_name(f"{path.name}.py")


def _imported(node: ast.AST) -> Iterator[str]:
    """Names of all of ours that a part of a module imports when it runs, modules or what they define."""
    if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
        return
    names = []
    if isinstance(node, ast.Import):
        names = [alias.name for alias in node.names]
    elif isinstance(node, ast.ImportFrom) and node.module:
        names = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
    yield from (name for name in names if name.startswith("sokoviz."))
    for child in ast.iter_child_nodes(node):
        yield from _imported(child)
