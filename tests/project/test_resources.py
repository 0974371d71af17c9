"""Where levels and notebooks are found."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from sokoviz import resources
from sokoviz.errors import SokovizError

if TYPE_CHECKING:
    from pathlib import Path


def test_the_checkouts_own_folders_are_used(checkout: Path) -> None:
    assert resources.levels_folder() == checkout / "levels"
    assert resources.notebooks_folder() == checkout / "notebooks"


def test_an_installed_package_uses_the_folders_that_it_carries(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resources, "_PACKAGE", tmp_path / "sokoviz")
    for folder in ("sokoviz/_data/levels", "levels"):
        (tmp_path / folder).mkdir(parents=True)
    assert resources.levels_folder() == tmp_path / "sokoviz" / "_data" / "levels"


def test_a_package_without_its_data_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resources, "_PACKAGE", tmp_path / "sokoviz")
    with pytest.raises(SokovizError, match="sokoviz is not fully installed"):
        resources.notebooks_folder()
