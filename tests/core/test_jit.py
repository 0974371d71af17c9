"""The decorator of the kernels: cache folder, and bounds checking where it is asked for."""

import os
import subprocess
import sys

import numba
import numpy as np
import pytest

from sokoviz.core import jit
from sokoviz.core.bits import has
from sokoviz.core.rng import next_random

GAME = """
from typing import NamedTuple
import numpy as np
from sokoviz.games import Game
from sokoviz.picture import Picture

MOST = {most}

class Pile(Game):
    name, players, max_actions, max_length = "Pile", 2, 5, 9

    class Tables(NamedTuple):
        unused: int

    def __init__(self):
        self.tables = self.Tables(0)

    @staticmethod
    def list_actions(tables, state, actions):
        n = min(MOST, state[0])
        for i in range(n):
            actions[i] = i + 1
        return n

    @staticmethod
    def play(tables, state, action):
        state[0] -= action

    @staticmethod
    def outcome(tables, state):
        return 1

    def start(self):
        return np.array([9])

    def picture(self, state):
        return Picture((("floor",) * 9,))

    def action_name(self, state, action):
        return str(action)

    def player_name(self, state):
        return ""
"""
"""a game whose rule is to take one to some of a pile"""

PROGRAM = """
import numpy as np
from pile import Pile
from sokoviz.core.rng import next_random
from sokoviz.games.rules import legal_actions
next_random(np.zeros(1, dtype=np.uint64))
print(legal_actions(Pile(), np.array([9]))[-1])
"""

ASKING = """
from sokoviz.core.arena import Arena, make_arena, add_node
from sokoviz.core.formulas import Formula
from sokoviz.core.jit import is_kept
ask = is_kept.__wrapped__
print(ask(add_node, (Arena,)))
add_node(make_arena(9), 0, 1)
print(ask(add_node, (Arena,)), ask(add_node, (Arena, Formula)))
"""
"""whether the code of a kernel is kept before it is used and afterwards, and for arguments that it never had"""


def test_reading_out_of_bounds_is_noticed_when_checking_is_on():
    if not numba.config.BOUNDSCHECK:
        pytest.skip("bounds checking is off in this run (NUMBA_BOUNDSCHECK=1 turns it on)")
    with pytest.raises(IndexError):
        has(np.zeros(1, dtype=np.uint64), 64)


def test_a_kernel_that_does_not_count_references_is_checked_too():
    assert int(next_random(np.array([0], dtype=np.uint64))) == 0xE220A8397B1DCDAF
    if not numba.config.BOUNDSCHECK:
        pytest.skip("bounds checking is off in this run (NUMBA_BOUNDSCHECK=1 turns it on)")
    with pytest.raises(IndexError):
        next_random(np.zeros(0, dtype=np.uint64))


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


def test_an_edit_of_a_game_outside_the_package_is_seen(tmp_path):
    """Its source is in no hash, so its machine code is not kept, while that of everything else is."""
    environment = {**os.environ, "SOKOVIZ_CACHE": str(tmp_path / "cache"), "PYTHONPATH": str(tmp_path)}
    for most in (2, 4):
        (tmp_path / "pile.py").write_text(GAME.replace("{most}", str(most)))
        command = [sys.executable, "-B", "-c", PROGRAM]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        assert done.stdout.split() == [str(most)]
    kept = {path.name.split("-")[0] for path in (tmp_path / "cache").rglob("*.nbc")}
    assert "rng.next_random" in kept
    assert "rules.fill_actions" not in kept


def test_what_the_cache_holds_is_known_to_the_next_process(tmp_path):
    environment = {**os.environ, "SOKOVIZ_CACHE": str(tmp_path)}
    seen = []
    for _ in range(2):
        done = subprocess.run(
            [sys.executable, "-c", ASKING], env=environment, capture_output=True, text=True, check=True
        )
        seen.append(done.stdout.split())
    assert seen == [["False", "True", "False"], ["True", "True", "False"]]
