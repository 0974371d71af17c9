"""The scripts behind ``make``: what they do on machines that lack something, and that they do nothing twice."""

from __future__ import annotations

import importlib
import json
import sys
from typing import TYPE_CHECKING, Any

import pytest

from tests.conftest import CHECKOUT

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Any:
    """The script that makes the environment, about to make one in a temporary folder."""
    script = _load("environment", monkeypatch)
    monkeypatch.setattr(script, "FOLDER", tmp_path)
    monkeypatch.setattr(script, "STAMP", tmp_path / "stamp.json")
    monkeypatch.setattr(script, "is_usable", lambda: True)
    monkeypatch.setattr(script.packages, "can_install", lambda: False)
    monkeypatch.setattr(script, "create", lambda: pytest.fail("nothing was to be created"))
    monkeypatch.setattr(script, "install", lambda _: pytest.fail("nothing was to be installed"))
    return script


@pytest.fixture
def chromium(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The script that looks for a browser, on a machine that has none and gets none."""
    script = _load("chromium", monkeypatch)
    for name in ("install_library", "install_package", "download"):
        monkeypatch.setattr(script, name, lambda: None)
    monkeypatch.setattr(script, "is_there", lambda: False)
    return script


def _load(name: str, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(CHECKOUT / ".ci")
    monkeypatch.delitem(sys.modules, name, raising=False)
    return importlib.import_module(name)


def test_an_old_python_is_refused(environment: Any, monkeypatch: Any, capsys: Any) -> None:
    monkeypatch.setattr(sys, "version_info", (3, 10, 12))
    assert environment.main([]) == 1
    assert "expected Python 3.11 or later, found 3.10" in capsys.readouterr().err


def test_the_oldest_python_is_the_declared_one(environment: Any) -> None:
    oldest = ".".join(map(str, environment.OLDEST))
    assert f'requires-python = ">={oldest}"' in (CHECKOUT / "pyproject.toml").read_text()


def test_a_python_without_venv_is_told_its_package(environment: Any, monkeypatch: Any, capsys: Any) -> None:
    monkeypatch.setattr(environment, "is_usable", lambda: False)
    monkeypatch.setattr(environment.importlib.util, "find_spec", lambda _: None)
    assert environment.main([]) == 1
    assert "sudo apt install python{}.{}-venv".format(*sys.version_info) in capsys.readouterr().err


@pytest.mark.parametrize("asked", [[], ["test"]])
def test_what_is_installed_is_not_installed_again(environment: Any, asked: list[str]) -> None:
    environment.STAMP.write_text(json.dumps({"state": environment.current_state(), "extras": ["test"]}))
    assert environment.main(asked) == 0


@pytest.mark.parametrize(("state", "asked"), [("older", []), ("current", ["bench"])])
def test_a_new_state_or_extra_is_installed_beside_the_old(
    environment: Any, monkeypatch: Any, state: str, asked: list[str]
) -> None:
    state = environment.current_state() if state == "current" else state
    environment.STAMP.write_text(json.dumps({"state": state, "extras": ["test"]}))
    installed: list[list[str]] = []
    monkeypatch.setattr(environment, "install", lambda extras: not installed.append(extras))  # type: ignore[func-returns-value]
    assert environment.main(asked) == 0
    assert installed == [sorted(["test", *asked])]


def test_no_browser_is_a_failure_with_advice(chromium: Any, capsys: Any) -> None:
    assert chromium.main() == 1
    assert "sudo apt install chromium" in capsys.readouterr().err


@pytest.mark.parametrize("helpful", ["install_library", "install_package", "download"])
def test_each_way_to_a_browser_is_tried_until_one_helps(chromium: Any, monkeypatch: Any, helpful: str) -> None:
    helped: list[str] = []
    monkeypatch.setattr(chromium, helpful, lambda: helped.append(helpful))
    monkeypatch.setattr(chromium, "is_there", lambda: bool(helped))
    assert chromium.main() == 0
    assert helped == [helpful]
