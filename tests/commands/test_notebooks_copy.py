"""Copying the notebooks into a working folder: new versions arrive, and nothing of the user's is ever lost."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from sokoviz.commands import _notebooks
from sokoviz.commands._notebooks import copy_notebooks
from sokoviz.errors import SokovizError

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Notebooks as they are shipped, in a folder that a test may change."""
    folder = tmp_path / "shipped"
    (folder / "data").mkdir(parents=True)
    (folder / ".ipynb_checkpoints").mkdir()
    (folder / "01-first.ipynb").write_text("first, version 1")
    (folder / "data" / "table.csv").write_text("1,2")
    (folder / ".ipynb_checkpoints" / "01-first-checkpoint.ipynb").write_text("leftover")
    monkeypatch.setattr(_notebooks, "notebooks_folder", lambda: folder)
    return folder


@pytest.fixture
def work(tmp_path: Path) -> Path:
    return tmp_path / "some" / "where"


def test_all_visible_files_are_copied(source: Path, work: Path) -> None:
    report = copy_notebooks(work)
    assert (work / "01-first.ipynb").read_bytes() == (source / "01-first.ipynb").read_bytes()
    assert (work / "data" / "table.csv").read_text() == "1,2"
    assert not (work / ".ipynb_checkpoints").exists()
    assert report == [f"Notebooks are in {work}", "  01-first.ipynb: copied", "  data/table.csv: copied"]


def test_a_second_time_nothing_is_done(source: Path, work: Path) -> None:
    copy_notebooks(work)
    before = {path: path.stat().st_mtime_ns for path in work.rglob("*.ipynb")}
    assert copy_notebooks(work) == [f"Notebooks are in {work}"]
    assert {path: path.stat().st_mtime_ns for path in work.rglob("*.ipynb")} == before
    assert source.exists()


def test_an_unchanged_copy_is_updated(source: Path, work: Path) -> None:
    copy_notebooks(work)
    (source / "01-first.ipynb").write_text("first, version 2")
    assert "  01-first.ipynb: replaced by a newer version, as you had not changed it" in copy_notebooks(work)
    assert (work / "01-first.ipynb").read_text() == "first, version 2"


def test_a_changed_copy_is_kept_through_all_versions(source: Path, work: Path) -> None:
    copy_notebooks(work)
    (work / "01-first.ipynb").write_text("mine")
    for version in (2, 3):
        (source / "01-first.ipynb").write_text(f"first, version {version}")
        assert any("01-first.ipynb: kept as it is, because you changed it" in line for line in copy_notebooks(work))
        assert (work / "01-first.ipynb").read_text() == "mine"


def _notebook(
    source: str | list[str], *, count: int | None = None, indent: int | None = None, **metadata: object
) -> str:
    cell: dict[str, object] = {
        "cell_type": "code",
        "id": "a",
        "metadata": {},
        "outputs": [],
        "execution_count": count,
        "source": source,
    }
    return json.dumps({"cells": [cell], "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}, indent=indent)


def test_merely_opening_a_notebook_is_no_change(source: Path, work: Path) -> None:
    (source / "01-first.ipynb").write_text(_notebook("a\nb", language_info={"name": "python"}))
    copy_notebooks(work)
    opened = _notebook(["a\n", "b"], indent=1, language_info={"name": "python", "version": "3.13"}, kernelspec={})
    (work / "01-first.ipynb").write_text(opened)
    (source / "01-first.ipynb").write_text(_notebook("new"))
    assert "  01-first.ipynb: replaced by a newer version, as you had not changed it" in copy_notebooks(work)


@pytest.mark.parametrize("changed", [_notebook("a  "), _notebook("a", count=1), _notebook("a", title="mine")])
def test_edits_runs_and_metadata_are_changes(source: Path, work: Path, changed: str) -> None:
    (source / "01-first.ipynb").write_text(_notebook("a"))
    copy_notebooks(work)
    (work / "01-first.ipynb").write_text(changed)
    (source / "01-first.ipynb").write_text(_notebook("new"))
    copy_notebooks(work)
    assert (work / "01-first.ipynb").read_text() == changed


def test_a_file_that_we_never_copied_is_kept(source: Path, work: Path) -> None:
    work.mkdir(parents=True)
    (work / "01-first.ipynb").write_text("mine")
    copy_notebooks(work)
    assert (work / "01-first.ipynb").read_text() == "mine"
    assert source.exists()


@pytest.mark.parametrize("manifest", ["", "{", "[1]", '"x"'])
def test_with_a_broken_manifest_all_files_are_kept(source: Path, work: Path, manifest: str) -> None:
    copy_notebooks(work)
    (work / _notebooks.MANIFEST).write_text(manifest)
    (source / "01-first.ipynb").write_text("first, version 2")
    copy_notebooks(work)
    assert (work / "01-first.ipynb").read_text() == "first, version 1"


def test_a_removed_copy_comes_back(source: Path, work: Path) -> None:
    copy_notebooks(work)
    (work / "01-first.ipynb").rename(work / "mine.ipynb")
    assert "  01-first.ipynb: copied" in copy_notebooks(work)
    assert (work / "mine.ipynb").read_bytes() == (source / "01-first.ipynb").read_bytes()


def test_a_link_into_the_void_is_kept(source: Path, work: Path) -> None:
    work.mkdir(parents=True)
    (work / "01-first.ipynb").symlink_to(work / "elsewhere.ipynb")
    copy_notebooks(work)
    assert (work / "01-first.ipynb").is_symlink()
    assert source.exists()


def test_the_shipped_folder_itself_stays_as_it_is(source: Path) -> None:
    before = sorted(source.rglob("*"))
    assert copy_notebooks(source) == [f"Working on the notebooks in {source} themselves."]
    assert sorted(source.rglob("*")) == before


@pytest.mark.usefixtures("source")
def test_a_file_in_place_of_the_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(SokovizError, match="expected a folder for the notebooks, found a file"):
        copy_notebooks(tmp_path / "file")
