"""The command line: ``sokoviz COMMAND``. Each command lives in its own module of `sokoviz.commands`."""

from __future__ import annotations

import argparse
import importlib
import io
import os
import pkgutil
import sys
from typing import TYPE_CHECKING

import sokoviz
from sokoviz import commands
from sokoviz.errors import SokovizError

if TYPE_CHECKING:
    from collections.abc import Sequence

BAD_USAGE = 2
INTERRUPTED = 130
PIPE_CLOSED = 141


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command.

    Parameters
    ----------
    arguments
        The words after ``sokoviz``; those of the process by default.

    Returns
    -------
    int
        The exit status: the command's own, 2 after an error that the user can mend, 130 after Ctrl-C, 141 when the
        reader of our output has gone.
    """
    _make_output_forgiving()
    options = make_parser().parse_args(arguments)
    try:
        status: int = options.run(options)
        sys.stdout.flush()
    except BrokenPipeError:
        _discard_output()
        return PIPE_CLOSED
    except (SokovizError, OSError) as error:
        sys.stderr.write(f"sokoviz: {error}\n")
        return BAD_USAGE
    except KeyboardInterrupt:
        return INTERRUPTED
    return status


def make_parser() -> argparse.ArgumentParser:
    """The parser with every command that `sokoviz.commands` holds."""
    parser = argparse.ArgumentParser(prog="sokoviz", description=sokoviz.__doc__)
    parser.add_argument("--version", action="version", version=f"sokoviz {sokoviz.__version__}")
    subparsers = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for name in command_names():
        module = importlib.import_module(f"{commands.__name__}.{name}")
        getattr(module, f"add_{name}_parser")(subparsers)
    return parser


def command_names() -> list[str]:
    """Names of all commands, in alphabetical order."""
    return sorted(module.name for module in pkgutil.iter_modules(commands.__path__) if not module.name.startswith("_"))


def _make_output_forgiving() -> None:
    """Escape what the terminal's encoding cannot show, rather than fail on it."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _discard_output() -> None:
    """Point standard output at nothing, so that the interpreter's last flush cannot fail."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
