"""``sokoviz tables``: what is made can be checked, and what is wrong is found."""

import numpy as np
import pytest

from sokoviz.cli import main
from sokoviz.core.deadlocks.window_patterns import read_patterns, write_patterns


@pytest.fixture
def made(tmp_path, capsys):
    """The file of all dead windows of 3 x 3, and what was printed."""
    path = tmp_path / "some.npz"
    assert main(["tables", "make", "--rows", "3", "--columns", "3", "-o", str(path)]) == 0
    return path, capsys.readouterr().out


def test_what_is_made_is_told(made):
    path, printed = made
    assert printed.startswith("3 x 3: 33 dead patterns, found in ")
    assert printed.endswith(f"{path}: {path.stat().st_size:,} bytes\n")


def test_what_is_made_is_proven(made, capsys):
    assert main(["tables", "check", str(made[0])]) == 0
    assert capsys.readouterr().out == "3 x 3: 33 dead patterns, all proven dead\n"


def test_what_is_not_dead_is_found(made, tmp_path, capsys):
    (patterns,) = read_patterns(made[0])
    write_patterns(tmp_path / "wrong.npz", [patterns._replace(walls=np.zeros_like(patterns.walls))])
    assert main(["tables", "check", str(tmp_path / "wrong.npz")]) == 1
    assert "of them not proven" in capsys.readouterr().out


@pytest.mark.parametrize("size", [(5, 5), (6, 2), (-1, 4)])
def test_windows_that_are_too_large_are_refused(size, capsys):
    assert main(["tables", "make", "--rows", str(size[0]), "--columns", str(size[1])]) == 2
    assert f"expected windows of at most 4 x 5 squares, found {size[0]} x {size[1]}" in capsys.readouterr().err
