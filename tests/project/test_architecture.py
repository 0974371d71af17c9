"""Rules about the code as a whole, checked by reading it: who imports whom, how long things are, what is documented."""

from __future__ import annotations

import ast
import json
import re
import shutil
import subprocess
from functools import cache
from graphlib import TopologicalSorter
from typing import TYPE_CHECKING, NamedTuple

import pytest

import sokoviz
from tests.conftest import CHECKOUT

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

# From the bottom up. A module imports from its own layer and from those below.
LAYERS = (
    {"errors", "squares", "words", "core"},
    {"actions", "formats", "history", "levels", "overlays", "picture", "resources", "svg"},
    {"analysis", "board"},
    {"games"},
    {"search"},
    {"learn", "plots", "widgets"},
    {"solvers"},
    {"experiments"},
    {"__main__", "cli", "commands", "server_extension", "warm"},
)
STRANGERS = {"learn", "plots", "widgets"}  # of one layer, but never importing each other
WITHOUT_KERNELS = {"plots", "widgets"}  # draw what they are given

# Faces that reach up, by an import inside the method.
REACHING_UP = {
    ("levels", "Level.board", "board"),
    ("levels", "Level.play", "widgets"),
    ("search", "MCTS.explore", "widgets"),
    ("search", "MCTS.recorder", "widgets"),
    ("search", "IDA.recorder", "widgets"),
    ("search", "IDA.explore", "widgets"),
    ("analysis", "Influence.explore", "widgets"),
    ("search", "Search.export", "widgets"),
}

LONGEST_FILE = 600
LONGEST_BODY = 80
MOST_MODULES = 15  # in one folder
PACKAGE = CHECKOUT / "sokoviz"
SOURCES = sorted(PACKAGE.rglob("*.py"))
NOTEBOOKS = sorted((CHECKOUT / "notebooks").glob("*.ipynb"))


class Import(NamedTuple):
    """One import of a module of ours."""

    importer: str  # the whole name, "sokoviz.core.board.grid"
    imported: str
    within: str  # the method or function around it, "" at the top
    for_types: bool  # under `if TYPE_CHECKING`

    @property
    def parts(self) -> tuple[str, str]:
        """The parts of the package that import and are imported: "core", "levels", "" for the package itself."""
        return _part(self.importer), _part(self.imported)


def _part(module: str) -> str:
    return module.split(".")[1] if "." in module else ""


def _module_name(path: Path) -> str:
    parts = path.relative_to(CHECKOUT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {_module_name(path): path for path in SOURCES}


def _imports_of(module: str) -> Iterator[Import]:
    """All imports of our modules in a module."""
    yield from _imports_in(ast.parse(MODULES[module].read_text(encoding="utf-8")), module, "", for_types=False)


def _imports_in(node: ast.AST, module: str, within: str, *, for_types: bool) -> Iterator[Import]:
    for child in ast.iter_child_nodes(node):
        for name in _imported_names(child):
            yield Import(module, name, within, for_types)
        inner = within
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            inner = f"{within}.{child.name}".lstrip(".")
        guard = isinstance(child, ast.If) and ast.unparse(child.test) == "TYPE_CHECKING"
        yield from _imports_in(child, module, inner, for_types=for_types or guard)


def _imported_names(node: ast.AST) -> Iterator[str]:
    """Modules of ours that a statement imports; no relative imports, ruff sees to that."""
    if isinstance(node, ast.Import):
        names = [alias.name for alias in node.names]
    elif isinstance(node, ast.ImportFrom) and node.module:
        names = [f"{node.module}.{alias.name}" for alias in node.names]
        names = [name if name in MODULES else str(node.module) for name in names]
    else:
        return
    yield from (name for name in names if name.split(".")[0] == "sokoviz")


@cache
def _all_imports() -> tuple[Import, ...]:
    return tuple(found for module in MODULES for found in _imports_of(module))


HEIGHT_OF = {part: height for height, layer in enumerate(LAYERS) for part in layer}


def test_every_part_has_its_layer() -> None:
    parts = {_part(module) for module in MODULES} - {""}
    assert parts <= set(HEIGHT_OF), "a new module: give it a layer"


def test_imports_go_downward_only() -> None:
    upward = [found for found in _all_imports() if found.parts[0] and _height(found.imported) > _height(found.importer)]
    faces = {part for part, _, _ in REACHING_UP}
    allowed = [found for found in upward if found.for_types and found.parts[0] in faces]
    reaching = {(found.parts[0], found.within, found.parts[1]) for found in upward if found not in allowed}
    assert reaching == REACHING_UP


def _height(module: str) -> int:
    # The package itself loads everything on demand, so it stands on top.
    return HEIGHT_OF[_part(module)] if _part(module) else len(LAYERS) - 1


def test_neighbours_that_must_not_know_each_other() -> None:
    for found in _all_imports():
        importer, imported = found.parts
        assert not ({importer, imported} <= STRANGERS and importer != imported), found
        assert not (importer in WITHOUT_KERNELS and imported == "core"), found


def test_the_tree_search_knows_no_game_by_name() -> None:
    """What it does otherwise on Sokoban it asks a table for, by the type of the game's tables."""
    generic = {f"sokoviz.search.mcts.{name}" for name in ("kernel", "game_kernel", "arrays")}
    known = [found for found in _all_imports() if found.importer in generic and "sokoban" in found.imported]
    assert generic <= set(MODULES)
    assert known == []


def test_no_cycles_when_modules_load() -> None:
    graph: dict[str, set[str]] = {module: set() for module in MODULES}
    for found in _all_imports():
        if not found.within and not found.for_types and found.importer != found.imported:
            graph[found.importer].add(found.imported)
    TopologicalSorter(graph).prepare()


def test_files_are_short() -> None:
    files = [path for folder in ("sokoviz", "tests", ".ci") for path in (CHECKOUT / folder).rglob("*")]
    texts = [path for path in files if path.suffix in {".py", ".js", ".css"}]
    lengths = {str(path.relative_to(CHECKOUT)): path.read_text(encoding="utf-8").count("\n") for path in texts}
    assert {name: length for name, length in lengths.items() if length > LONGEST_FILE} == {}


def test_no_folder_is_crowded() -> None:
    folders = [path.parent for folder in ("sokoviz", "tests", ".ci") for path in (CHECKOUT / folder).rglob("*.py")]
    counts = {str(folder.relative_to(CHECKOUT)): folders.count(folder) for folder in folders}
    assert {folder: count for folder, count in counts.items() if count > MOST_MODULES} == {}


def test_function_bodies_are_short() -> None:
    lengths = {
        f"{path.name}: {node.name}": _body_length(node)
        for path in [*SOURCES, *(CHECKOUT / ".ci").glob("*.py")]
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    }
    assert {name: length for name, length in lengths.items() if length > LONGEST_BODY} == {}


def _body_length(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Lines of a function's body, its docstring left out."""
    body = function.body[1:] if ast.get_docstring(function) else function.body
    return (body[-1].end_lineno or 0) - body[0].lineno + 1 if body else 0


@pytest.mark.parametrize("name", sokoviz.__all__)
def test_public_names_are_documented(name: str) -> None:
    assert name in dir(sokoviz)
    assert getattr(sokoviz, name).__doc__


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebooks_carry_no_outputs(path: Path) -> None:
    notebook = json.loads(path.read_text(encoding="utf-8"))
    code = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert [cell for cell in code if cell["outputs"] or cell["execution_count"] is not None] == []
    assert "widgets" not in notebook["metadata"]


def test_the_readme_shows_the_tree_as_it_is() -> None:
    listed = _layout_of_readme()
    assert set(listed) >= {".", "sokoviz"}
    for folder, names in listed.items():
        assert sorted(names) == sorted(_tracked_names(CHECKOUT / folder)), folder


def _layout_of_readme() -> dict[str, list[str]]:
    """Names in each folder that the README's map opens; a folder may also be listed closed."""
    readme = (CHECKOUT / "README.md").read_text(encoding="utf-8")
    block = re.search(r"## Layout\n.*?```\n(.*?)```", readme, re.DOTALL)
    assert block, "README.md has no map under the heading Layout"
    names_in: dict[str, list[str]] = {".": []}
    for line in block[1].splitlines():
        names = re.split(r"\s{2,}", line.strip())[0].split()
        folder = "." if not line.startswith(" ") else names_in["."][-1]
        names_in.setdefault(folder, []).extend(name.rstrip("/") for name in names)
    return names_in


def _tracked_names(folder: Path) -> set[str]:
    """Entries of a folder that belong to the repository."""
    git = shutil.which("git")
    command = [git or "git", "ls-files", "--", "."]
    answer = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False) if git else None
    if answer is None or answer.returncode != 0:
        pytest.skip("only git knows which files belong to the repository, and this is no git checkout")
    return {name.split("/")[0] for name in answer.stdout.splitlines()} - {".gitignore"}
