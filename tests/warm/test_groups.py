"""What is compiled ahead of use: everything, and what a notebook needs."""

from __future__ import annotations

import importlib
import json
import re

import pytest

import sokoviz as sv
from sokoviz.core.compiling import machine_code
from sokoviz.core.compiling.drafting import Kernel
from sokoviz.core.compiling.outlook import costs
from sokoviz.games.tictactoe import TicTacToe
from sokoviz.warm.groups import GROUPS, NAMES, wanted_by
from tests.conftest import CHECKOUT
from tests.games.digits import Digits

NOTEBOOKS = sorted((CHECKOUT / "notebooks").glob("*.ipynb"))
WITHOUT_KERNELS = {"Episode", "GameError", "LevelError", "Picture", "Script", "SearchError", "SokovizError", "Square"}
COMPILED_BY_A_COMMAND = {"sokoviz.core.deadlocks.window_patterns"}  # `sokoviz tables`, which takes a minute anyway
ROOM = "#######\n#@ $ .#\n#######"


def test_every_public_search_has_a_group():
    searches = {name for name in sv.__all__ if hasattr(getattr(sv, name), "run")}
    assert {"MCTS", "Schokoban", "IDA", "Curry"} <= searches
    assert searches <= {name for group in GROUPS.values() for name in group.serves}


def test_every_module_with_kernels_is_compiled_by_a_group():
    """Where this fails: a group in sokoviz/warm/groups.py uses them, then `python -m sokoviz.warm --measure`."""
    modules = {name: vars(importlib.import_module(name)).values() for name in machine_code.KEYED}
    with_kernels = {
        name
        for name, values in modules.items()
        if any(isinstance(value, Kernel) and value.py_func.__module__ == name for value in values)
    }
    compiled = {piece.partition("-")[0].rpartition(".")[0] for pieces in costs().values() for piece in pieces}
    assert with_kernels - compiled - COMPILED_BY_A_COMMAND == set()


def test_how_long_it_takes_is_recorded_of_every_group():
    assert set(costs()) == set(GROUPS)
    assert all(sum(pieces.values()) > 0 for pieces in costs().values())


def test_a_group_comes_after_groups_that_there_are():
    for group in GROUPS.values():
        assert set(group.after) <= set(GROUPS)


@pytest.mark.parametrize("journal", [True, False])
@pytest.mark.parametrize(
    "make", [lambda **o: sv.MCTS(TicTacToe(), **o), lambda **o: sv.MCTS(Digits(4), **o), lambda **o: sv.IDA(ROOM, **o)]
)
def test_a_search_waits_for_a_group_that_there_is(make, journal):
    assert make(journal=journal).group in GROUPS


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_every_name_in_a_notebook_has_its_kernels_compiled_first(path):
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    text = "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code")
    names = set(re.findall(r"\bsv\.(\w+)", text)) - WITHOUT_KERNELS
    wanted = wanted_by(path.read_text(encoding="utf-8"))
    assert names <= {name for group in wanted for name in GROUPS[group].serves}


def test_a_notebook_of_ones_own_is_read_too():
    assert NAMES.findall("from sokoviz import IDA, load")
    assert set(wanted_by("from sokoviz import IDA, load")) == {name for name in GROUPS if name[:3] in {"boa", "IDA"}}
    assert wanted_by("print('hello')") == ()
