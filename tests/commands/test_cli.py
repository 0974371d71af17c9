"""The command line's frame: exit statuses and messages. Each command has its own tests in ``tests/commands``."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys

import pytest

import sokoviz
from sokoviz import cli
from sokoviz.errors import SokovizError


def _parser_that(run: object) -> argparse.ArgumentParser:
    """A parser whose only command does something."""
    parser = argparse.ArgumentParser()
    parser.set_defaults(run=run)
    return parser


def _raise(error: BaseException) -> object:
    """A command that fails."""

    def run(_: argparse.Namespace) -> int:
        raise error

    return run


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="0"):
        cli.main(["--version"])
    assert capsys.readouterr().out == f"sokoviz {sokoviz.__version__}\n"


@pytest.mark.parametrize(("arguments", "message"), [([], "required: COMMAND"), (["bogus"], "invalid choice: 'bogus'")])
def test_bad_usage_is_status_2(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        cli.main(arguments)
    assert message in capsys.readouterr().err


@pytest.mark.parametrize("name", cli.command_names())
def test_every_command_explains_itself(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="0"):
        cli.main([name, "--help"])
    assert f"usage: sokoviz {name}" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("error", "status", "message"),
    [
        (SokovizError("expected a level"), 2, "sokoviz: expected a level\n"),
        (FileNotFoundError(2, "No such file", "x.xsb"), 2, "sokoviz: [Errno 2] No such file: 'x.xsb'\n"),
        (KeyboardInterrupt(), 130, ""),
    ],
)
def test_errors_become_statuses(
    error: BaseException,
    status: int,
    message: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(cli, "make_parser", lambda: _parser_that(_raise(error)))
    assert cli.main([]) == status
    assert capsys.readouterr().err == message


def test_the_commands_own_status_is_returned(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cli, "make_parser", lambda: _parser_that(lambda _: 1))
    assert cli.main([]) == 1


def test_a_closed_pipe_ends_quietly() -> None:
    read_end, write_end = os.pipe()
    os.close(read_end)
    command = [sys.executable, "-m", "sokoviz", "levels", "list"]
    answer = subprocess.run(command, stdout=write_end, stderr=subprocess.PIPE, text=True, check=False)
    os.close(write_end)
    assert (answer.returncode, answer.stderr) == (141, "")


def test_a_poor_terminal_shows_escapes() -> None:
    code = "from sokoviz.cli import _make_output_forgiving; _make_output_forgiving(); print('Ee→Fe')"
    command = [sys.executable, "-c", code]
    environment = {**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    answer = subprocess.run(command, capture_output=True, env=environment, check=True)
    assert answer.stdout == b"Ee\\u2192Fe\n"
