"""The decorator of the kernels: cache folder, and bounds checking where it is asked for."""

import os
import subprocess
import sys

import numba
import numpy as np
import pytest

from sokoviz.core import jit
from sokoviz.core.bits import has


def test_reading_out_of_bounds_is_noticed_when_checking_is_on():
    if not numba.config.BOUNDSCHECK:
        pytest.skip("bounds checking is off in this run (NUMBA_BOUNDSCHECK=1 turns it on)")
    with pytest.raises(IndexError):
        has(np.zeros(1, dtype=np.uint64), 64)


def test_bounds_checking_and_sources_change_the_cache_folder(monkeypatch):
    before = jit.source_key()
    monkeypatch.setattr(jit.config, "BOUNDSCHECK", 1 if not jit.config.BOUNDSCHECK else None)
    assert jit.source_key() != before


def test_an_edit_of_any_kernel_file_changes_the_key(monkeypatch, tmp_path):
    (tmp_path / "core").mkdir()
    (tmp_path / "core" / "one.py").write_text("x = 1")
    monkeypatch.setattr(jit, "PACKAGE", tmp_path)
    before = jit.source_key()
    (tmp_path / "core" / "one.py").write_text("x = 2")
    assert jit.source_key() != before


def test_other_users_of_numba_keep_their_cache_folder():
    @jit.kernel
    def double(x):
        return 2 * x

    assert double(4) == 8
    assert str(jit.FOLDER) != numba.config.CACHE_DIR


def test_kernels_work_where_no_cache_folder_can_be_written(tmp_path):
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")
    code = "from sokoviz.core import jit; import tempfile; print(str(jit.FOLDER).startswith(tempfile.gettempdir()))"
    environment = {**os.environ, "SOKOVIZ_CACHE": str(blocked)}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "True"


def test_only_the_newest_caches_are_kept(monkeypatch, tmp_path):
    monkeypatch.setenv("SOKOVIZ_CACHE", str(tmp_path))
    for age in range(10):
        folder = tmp_path / "kernels" / f"old{age}"
        (folder / "inner").mkdir(parents=True)
        os.utime(folder, (1000 - age, 1000 - age))
    current = jit.cache_folder()
    kept = {path.name for path in (tmp_path / "kernels").iterdir()}
    assert kept == {current.name, *(f"old{age}" for age in range(jit.KEPT_FOLDERS))}
