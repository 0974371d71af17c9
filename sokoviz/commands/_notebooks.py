"""Copy the notebooks into a working folder without ever losing what the user did there."""

from __future__ import annotations

import hashlib
import json
import os
from typing import TYPE_CHECKING

from sokoviz.errors import SokovizError
from sokoviz.resources import notebooks_folder

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

MANIFEST = ".sokoviz-notebooks.json"


def copy_notebooks(folder: Path) -> list[str]:
    """Bring the notebooks in a folder up to date.

    A notebook that is missing is copied. One that is as we copied it is replaced by a newer version. Any other one
    is the user's and is kept. What we copied is remembered by its fingerprint in a manifest in that folder.

    Parameters
    ----------
    folder
        The working folder; it is made if need be. Nothing is copied into the folder that the notebooks come from.

    Returns
    -------
    list of str
        What was done, in sentences for the user.
    """
    source = notebooks_folder()
    if folder == source:
        return [f"Working on the notebooks in {folder} themselves."]
    if folder.exists() and not folder.is_dir():
        message = f"expected a folder for the notebooks, found a file: {folder}"
        raise SokovizError(message)
    folder.mkdir(parents=True, exist_ok=True)
    copied = _read_manifest(folder)
    done = {name: _copy_file(source / name, folder / name, copied.get(name, "")) for name in _names(source)}
    _write_manifest(folder, {**copied, **{name: _fingerprint(source / name) for name in done if done[name] != "kept"}})
    return _report(folder, done)


def _copy_file(source: Path, target: Path, copied: str) -> str:
    """Copy one file if that loses nothing, and return what was done: copied, updated, kept, or the same."""
    if not os.path.lexists(target):
        _write(target, source.read_bytes())
        return "copied"
    present = _fingerprint(target) if target.is_file() else "no file"
    if present == _fingerprint(source):
        return "same"
    if present == copied:
        _write(target, source.read_bytes())
        return "updated"
    return "kept"


def _names(source: Path) -> Iterator[str]:
    """Files to copy, relative to their folder; hidden ones (checkpoints, say) stay behind."""
    for path in sorted(source.rglob("*")):
        name = path.relative_to(source)
        if path.is_file() and not any(part.startswith((".", "__pycache__")) for part in name.parts):
            yield name.as_posix()


def _report(folder: Path, done: dict[str, str]) -> list[str]:
    """The sentences for the user."""
    lines = [f"Notebooks are in {folder}"]
    for action, explanation in (
        ("copied", "copied"),
        ("updated", "replaced by a newer version, as you had not changed it"),
        ("kept", "kept as it is, because you changed it (rename it to get the original beside it)"),
    ):
        lines += [f"  {name}: {explanation}" for name in done if done[name] == action]
    return lines


def _read_manifest(folder: Path) -> dict[str, str]:
    """Fingerprint of each file as we copied it; without a readable manifest every file counts as the user's."""
    try:
        entries = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return {str(name): str(value) for name, value in entries.items()} if isinstance(entries, dict) else {}


def _write_manifest(folder: Path, fingerprints: dict[str, str]) -> None:
    """Remember what we copied."""
    _write(folder / MANIFEST, json.dumps(fingerprints, indent=1).encode() + b"\n")


def _fingerprint(path: Path) -> str:
    """A file's contents as a short name. Notebooks that differ only in what JupyterLab writes by itself share one."""
    contents = path.read_bytes()
    if path.suffix == ".ipynb":
        contents = _essence(contents)
    return hashlib.sha256(contents).hexdigest()


def _essence(notebook: bytes) -> bytes:
    """A notebook without layout and without the kernel's description, which change when it is merely opened."""
    try:
        contents = json.loads(notebook)
        for key in ("kernelspec", "language_info"):
            contents["metadata"].pop(key, None)
        for cell in contents["cells"]:
            cell["source"] = "".join(cell["source"])
    except (ValueError, TypeError, KeyError, AttributeError):
        return notebook
    return json.dumps([contents["cells"], contents["metadata"]], sort_keys=True).encode()


def _write(path: Path, contents: bytes) -> None:
    """Write a file at once or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    draft.write_bytes(contents)
    draft.replace(path)
