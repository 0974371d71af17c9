"""What is shipped: a wheel built from the source archive, installed apart from the checkout, and used from there."""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from tests.conftest import CHECKOUT


def _run(command: list[str | Path], folder: Path, **settings: str) -> str:
    """What a command prints; its failure fails the test."""
    environment = {**os.environ, **settings}
    answer = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert answer.returncode == 0, answer.stderr
    return answer.stdout


@pytest.fixture(scope="module")
def archives(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The source archive, and the wheel built from it alone."""
    folder = tmp_path_factory.mktemp("dist")
    _run([sys.executable, "-m", "build", "--no-isolation", "--outdir", folder, CHECKOUT], folder)
    (source,), (wheel,) = folder.glob("*.tar.gz"), folder.glob("*.whl")
    return source, wheel


@pytest.fixture(scope="module")
def site(archives: tuple[Path, Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the wheel's contents installed. What the package depends on comes from the environment."""
    folder = tmp_path_factory.mktemp("site")
    options: list[str | Path] = [
        "--quiet",
        "--no-deps",
        "--no-index",
        "--disable-pip-version-check",
        "--target",
        folder,
    ]
    _run([sys.executable, "-m", "pip", "install", *options, archives[1]], folder)
    return folder


def test_the_wheel_carries_everything_that_is_used_at_run_time(archives: tuple[Path, Path]) -> None:
    carried = set(zipfile.ZipFile(archives[1]).namelist())
    package = {path for path in (CHECKOUT / "sokoviz").rglob("*") if path.is_file() and path.suffix != ".pyc"}
    expected = {path.relative_to(CHECKOUT).as_posix() for path in package}
    for name in ("levels", "notebooks"):
        expected |= {f"sokoviz/_data/{name}/{path.name}" for path in (CHECKOUT / name).iterdir() if path.is_file()}
    assert expected <= carried
    assert not {name for name in carried if name.split("/")[0] in {"tests", "levels", "notebooks", ".ci"}}


def test_the_source_archive_can_be_tested(archives: tuple[Path, Path]) -> None:
    with tarfile.open(archives[0]) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert {"Makefile", "LICENSE", "README.md", "pyproject.toml", "tests/conftest.py", ".ci/suite.py"} <= names


def test_the_installed_package_is_the_one_under_test(site: Path, tmp_path: Path) -> None:
    printed = _run([sys.executable, "-c", "import sokoviz; print(sokoviz.__file__)"], tmp_path, PYTHONPATH=str(site))
    assert Path(printed.strip()) == site / "sokoviz" / "__init__.py"


def test_the_installed_command_knows_its_levels(site: Path, tmp_path: Path) -> None:
    printed = _run([site / "bin" / "sokoviz", "levels", "list"], tmp_path, PYTHONPATH=str(site))
    assert "lessons" in printed


def test_the_installed_package_copies_its_notebooks(site: Path, tmp_path: Path) -> None:
    code = (
        "import pathlib; from sokoviz.commands._notebooks import copy_notebooks; copy_notebooks(pathlib.Path('work'))"
    )
    _run([sys.executable, "-c", code], tmp_path, PYTHONPATH=str(site))
    copied = {path.name: path.read_bytes() for path in (tmp_path / "work").glob("*.ipynb")}
    assert copied == {path.name: path.read_bytes() for path in (CHECKOUT / "notebooks").glob("*.ipynb")}
    assert copied
