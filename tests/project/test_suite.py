"""What `make test` and `make check` run, and what they say of it."""

from __future__ import annotations

import importlib
import json
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from tests.conftest import CHECKOUT
from tests.durations import RECORD, Recorder, slow_tests

if TYPE_CHECKING:
    from pathlib import Path

FAILS_ONCE = """
import pathlib, pytest
FILE = pathlib.Path(__file__).with_suffix(".seen")

{mark}
def test_something():
    if not FILE.exists():
        FILE.touch()
        raise AssertionError
"""

LEAVES_A_LOOP = """
import asyncio, pytest
LOOP = asyncio.new_event_loop()

@pytest.mark.browser
def test_one():
    asyncio._set_running_loop(LOOP)  # as Playwright does

def test_two():
    asyncio.run(asyncio.sleep(0))

@pytest.mark.browser
def test_three():
    assert asyncio._get_running_loop() is LOOP
"""


@pytest.fixture
def suite(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The script behind both, with steps that do little: the second one fails."""
    monkeypatch.syspath_prepend(CHECKOUT / ".ci")
    monkeypatch.delitem(sys.modules, "suite", raising=False)
    script = importlib.import_module("suite")
    steps = [script.Step(name, ("timeit", "-n1", code)) for name, code in (("one", "1"), ("two", "x"), ("three", "3"))]
    stages = (((steps[0],), (steps[1],)), ((steps[2],),))
    monkeypatch.setattr(script, "SUITES", {"test": stages, "check": stages[1:]})
    return script


def _run(suite: Any, monkeypatch: pytest.MonkeyPatch, name: str) -> int:
    monkeypatch.setattr(sys, "argv", ["suite.py", name])
    status: int = suite.main()
    return status


def test_a_step_that_fails_fails_the_suite_and_the_others_run_all_the_same(suite: Any, monkeypatch: Any) -> None:
    assert _run(suite, monkeypatch, "test") == 1
    assert _run(suite, monkeypatch, "check") == 0


def test_the_time_of_each_step_and_of_all_is_printed(suite: Any, monkeypatch: Any, capfd: Any) -> None:
    _run(suite, monkeypatch, "test")
    last = [line.split() for line in capfd.readouterr().out.splitlines()[-4:]]
    assert [(words[0], words[-1]) for words in last[:3]] == [("passed", "one"), ("FAILED", "two"), ("passed", "three")]
    assert last[3][1:4] == ["s", "make", "test,"]
    assert all(float(words[1]) >= 0 for words in last[:3])


def test_all_that_check_leaves_out_is_slow_or_needs_a_browser_or_is_a_second_pass(suite: Any) -> None:
    assert suite.QUICK_TESTS.words[-2:] == ("-m", "not slow and not browser")
    assert "-m" not in suite.ALL_TESTS.words
    assert suite.CHECKED_TESTS.settings == {"NUMBA_BOUNDSCHECK": "1"}


@pytest.mark.parametrize(("mark", "status", "words"), [("@pytest.mark.clock", 0, "1 rerun"), ("", 1, "1 failed")])
def test_only_what_is_against_the_clock_is_tried_again_and_that_is_counted(
    tmp_path: Path, mark: str, status: int, words: str
) -> None:
    answer = _run_tests(tmp_path, FAILS_ONCE.format(mark=mark))
    assert (answer.returncode, words in answer.stdout) == (status, True), answer.stdout
    assert ("RERUN" in answer.stdout) == bool(mark)


def _run_tests(folder: Path, text: str) -> subprocess.CompletedProcess[str]:
    """Run a file of tests in a process of its own, with our settings and fixtures."""
    (folder / "test_once.py").write_text(text)
    options = ["-p", "tests.conftest", "-p", "no:cacheprovider", "-c", str(CHECKOUT / "pyproject.toml")]
    command = [sys.executable, "-m", "pytest", *options, "-rR", str(folder)]
    return subprocess.run(command, cwd=CHECKOUT, capture_output=True, text=True, check=False)


def test_a_test_without_a_browser_sees_no_event_loop_that_a_browser_has_left(tmp_path: Path) -> None:
    answer = _run_tests(tmp_path, LEAVES_A_LOOP)
    assert (answer.returncode, "3 passed" in answer.stdout) == (0, True), answer.stdout


def test_how_long_tests_take_is_written_down_for_those_that_take_a_while(monkeypatch: Any, tmp_path: Path) -> None:
    monkeypatch.setattr("tests.durations.RECORD", tmp_path / "durations.json")
    recorder = Recorder()
    for name, seconds in (("a@group", 1.0), ("a@group", 0.5), ("b", 0.1)):
        recorder.pytest_runtest_logreport(pytest.TestReport(name, ("", 0, ""), {}, "passed", None, "call", (), seconds))
    recorder.pytest_sessionfinish()
    assert json.loads((tmp_path / "durations.json").read_text()) == {"a": 1.5}
    assert slow_tests() == {"a"}


def test_what_is_recorded_as_slow_is_still_there() -> None:
    recorded = json.loads(RECORD.read_text(encoding="utf-8"))
    assert {name for name in recorded if not (CHECKOUT / name.partition("::")[0]).is_file()} == set()
