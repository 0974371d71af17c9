"""The decorator of the kernels: cache folder, and bounds checking where it is asked for."""

import ast
import importlib
import inspect
import os
import shutil
import subprocess
import sys

import numba
import numpy as np
import pytest
from numba.core.dispatcher import Dispatcher

from sokoviz.core.compiling import jit, machine_code
from sokoviz.core.numbers.bits import has
from sokoviz.core.numbers.rng import next_random

FLOODED = """
import sokoviz as sv

for preset in ("classic", "best"):
    print(sv.IDA(sv.load("lessons#14"), preset=preset).run(nodes=500, progress=False).stopped_by)
"""

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
from sokoviz.core.numbers.rng import next_random
from sokoviz.games.rules import legal_actions
next_random(np.zeros(1, dtype=np.uint64))
print(legal_actions(Pile(), np.array([9]))[-1])
"""

AT_ONCE = """
import sys, time
from sokoviz.core.compiling import drafting
made, compile = [], drafting.Kernel._make_draft

def note(self, arguments):
    made.append(f"{self.py_func.__name__}{arguments}".replace(" ", ""))
    return compile(self, arguments)

drafting.Kernel._make_draft = note
import numpy as np
from sokoviz.core.board.grid import tables_of
print("ready", flush=True)
sys.stdin.readline()
tables_of(("####", "#@.#", "####"))
print(*made)
"""
"""names of the kernels that a process compiles for a board's tables"""

HELPED = """
import numba, numpy as np
from sokoviz.core.compiling.jit import kernel

@numba.njit
def double(x):
    return 2 * x

@kernel
def quadruple(x):
    return double(double(x))

print(quadruple(3), double(4))
"""
"""a reader's own compiled function, called by a kernel first and from Python afterwards"""

ASKING = """
from sokoviz.core.tree.arena import Arena, make_arena, add_node
from sokoviz.core.tree.formulas import Formula
from sokoviz.core.compiling.jit import is_kept
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
    before = machine_code.source_key()
    monkeypatch.setattr(machine_code.config, "BOUNDSCHECK", 1 if not machine_code.config.BOUNDSCHECK else None)
    assert machine_code.source_key() != before


@pytest.fixture
def sources(monkeypatch, tmp_path):
    """A package of three files: kernels, what these import, and something else."""
    (tmp_path / "core").mkdir()
    texts = {
        "kernels": "from sokoviz.core import constants\nfrom sokoviz.core.compiling.jit import lean\n",
        "constants": "from sokoviz.core.more import (\n    ONE,\n)\n",
        "more": "ONE = 1",
        "other": "x = 1",
    }
    for name, text in texts.items():
        (tmp_path / "core" / f"{name}.py").write_text(text)
    monkeypatch.setattr(machine_code, "PACKAGE", tmp_path)
    return tmp_path / "core"


@pytest.mark.parametrize(
    ("name", "is_seen"), [("kernels", True), ("constants", True), ("more", True), ("other", False)]
)
def test_an_edit_of_what_kernels_are_made_of_changes_the_key(sources, name, is_seen):
    before = machine_code.source_key()
    with (sources / f"{name}.py").open("a") as file:
        file.write("# edited\n")
    assert (machine_code.source_key() != before) == is_seen


def test_all_that_a_file_with_kernels_imports_is_in_the_key():
    """By Python's own parser, and by the kernels that there are once everything is loaded."""
    for name in machine_code.KEYED:
        importlib.import_module(name)
    known = {f"sokoviz.{name}" for name in machine_code.kernel_sources()}
    with_kernels = {
        value.py_func.__module__
        for name, module in sys.modules.items()
        if name.startswith("sokoviz")
        for value in vars(module).values()
        if isinstance(value, Dispatcher)
    }
    assert {name for name in with_kernels if name.startswith("sokoviz")} <= known
    folders = tuple(f"sokoviz.{folder}." for folder in machine_code.KERNEL_FOLDERS)
    for name in known:
        tree = ast.parse(inspect.getsource(importlib.import_module(name)))
        imports = [node for node in tree.body if isinstance(node, ast.ImportFrom)]
        modules = {node.module for node in imports}
        modules |= {f"{node.module}.{alias.name}" for node in imports for alias in node.names}
        assert {each for each in modules if each.startswith(folders) and each in sys.modules} <= known, name


def test_copies_of_the_package_share_their_machine_code(tmp_path):
    """Where a file lies and when it was written does not matter: its text does."""
    seen = []
    for place in ("one", "other"):
        copy = tmp_path / place / "sokoviz"
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(machine_code.PACKAGE, copy, copy_function=shutil.copyfile, ignore=ignored)
        environment = {**os.environ, "SOKOVIZ_CACHE": str(tmp_path / "cache"), "PYTHONPATH": str(copy.parent)}
        command = [sys.executable, "-B", "-c", ASKING]
        done = subprocess.run(command, env=environment, cwd=copy.parent, capture_output=True, text=True, check=True)
        seen.append(done.stdout.split()[0])
    assert seen == ["False", "True"]


def test_other_users_of_numba_keep_their_cache_folder():
    @jit.kernel
    def double(x):
        return 2 * x

    assert double(4) == 8
    assert str(machine_code.FOLDER) != numba.config.CACHE_DIR


def test_kernels_work_where_no_cache_folder_can_be_written(tmp_path):
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")
    code = "from sokoviz.core.compiling import machine_code as m; print(m.tempfile.gettempdir() in str(m.FOLDER))"
    environment = {**os.environ, "SOKOVIZ_CACHE": str(blocked)}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "True"


def test_only_the_newest_caches_are_kept(monkeypatch, tmp_path):
    monkeypatch.setenv("SOKOVIZ_CACHE", str(tmp_path))
    for age in range(10):
        folder = tmp_path / "kernels" / f"old{age}"
        (folder / "inner").mkdir(parents=True)
        os.utime(folder, (1000 - age, 1000 - age))
    current = machine_code.cache_folder()
    kept = {path.name for path in (tmp_path / "kernels").iterdir()}
    assert kept == {current.name, *(f"old{age}" for age in range(machine_code.KEPT_FOLDERS))}


def test_an_edit_of_a_game_outside_the_package_is_seen(tmp_path):
    """Its source is in no hash, so its machine code is not kept, while that of everything else is."""
    environment = {**os.environ, "SOKOVIZ_CACHE": str(tmp_path / "cache"), "PYTHONPATH": str(tmp_path)}
    for most in (2, 4):
        (tmp_path / "pile.py").write_text(GAME.replace("{most}", str(most)))
        command = [sys.executable, "-B", "-c", PROGRAM]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        assert done.stdout.split() == [str(most)]
    kept = {path.name.split("-")[0] for path in (tmp_path / "cache").rglob("*.code")}
    assert "sokoviz.core.numbers.rng.next_random" in kept
    assert not {name for name in kept if name.startswith("sokoviz.games.rules")}


def test_what_the_cache_holds_is_known_to_the_next_process(tmp_path):
    environment = {**os.environ, "SOKOVIZ_CACHE": str(tmp_path)}
    seen = []
    for _ in range(2):
        done = subprocess.run(
            [sys.executable, "-c", ASKING], env=environment, capture_output=True, text=True, check=True
        )
        seen.append(done.stdout.split())
    assert seen == [["False", "True", "False"], ["True", "True", "False"]]


def test_processes_that_compile_at_once_share_the_work(tmp_path):
    """Each kernel is compiled by one of them; the others wait for it, and nothing that is written gets lost."""
    environment = {**os.environ, "SOKOVIZ_CACHE": str(tmp_path)}
    command = [sys.executable, "-c", AT_ONCE]
    processes = [
        subprocess.Popen(command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        for _ in range(3)
    ]
    for process in processes:
        assert process.stdout.readline() == "ready\n"
    made = [name for process in processes for name in process.communicate("go\n")[0].split()]
    assert any(name.startswith("find_push_distances(") for name in made)
    assert {name for name in made if made.count(name) > 1} == set()
    again = subprocess.run(command, env=environment, input="go\n", capture_output=True, text=True, check=True)
    assert again.stdout.split() == ["ready"]


def test_what_is_kept_but_cannot_be_read_is_compiled_again(tmp_path):
    environment = {**os.environ, "SOKOVIZ_CACHE": str(tmp_path)}
    command = [sys.executable, "-c", ASKING]
    subprocess.run(command, env=environment, check=True, capture_output=True)
    for path in (*tmp_path.rglob("*.code"), *tmp_path.rglob("*.draft")):
        path.write_bytes(path.read_bytes()[:100])
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.split()[1] == "True"


def test_a_kernel_that_another_one_was_shaped_with_is_still_itself_when_python_calls_it():
    """Iterative deepening has a flood of its own, with other arguments; then Python calls flood to find goal rooms."""
    done = subprocess.run([sys.executable, "-c", FLOODED], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.split()) == (0, ["solved", "solved"]), done.stderr


def test_a_compiled_function_of_others_can_still_be_called_after_a_kernel_has_called_it():
    done = subprocess.run([sys.executable, "-c", HELPED], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["12", "8"]


def test_a_kernel_in_a_file_that_is_not_in_the_key_is_refused():
    def stranger(x):
        return x

    stranger.__module__ = "sokoviz.widgets.board.widget"
    with pytest.raises(ImportError, match=r"expected kernels in modules that are in the key.*widgets\.board"):
        jit.kernel(stranger)


def test_named_tuples_that_kernels_are_handed_have_names_of_their_own():
    """The compiler knows them by class name and types of fields only: two of one name could share machine code."""
    for name in machine_code.KEYED:
        importlib.import_module(name)
    classes = {
        value
        for name in machine_code.KEYED
        for value in vars(sys.modules[name]).values()
        if isinstance(value, type) and issubclass(value, tuple) and hasattr(value, "_fields")
    }
    names = [cls.__name__ for cls in classes]
    assert {name for name in names if names.count(name) > 1} == set()
