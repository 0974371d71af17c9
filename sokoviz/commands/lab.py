"""``sokoviz lab``: JupyterLab on a copy of the notebooks."""

from __future__ import annotations

import argparse
import asyncio
import os
import secrets
import socket
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

from sokoviz.commands._notebooks import copy_notebooks
from sokoviz.errors import SokovizError
from sokoviz.warm.groups import wanted_by

if TYPE_CHECKING:
    from jupyter_server.serverapp import ServerApp

DEFAULT_FOLDER = "sokoviz-notebooks"
SECONDS_BETWEEN_LOOKS = 1.0  # at which notebooks are open, while there is something to compile
LOOPBACK = "127.0.0.1"
HIGHEST_PORT = 65535


def add_lab_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command ``lab``."""
    parser = subparsers.add_parser(
        "lab",
        help="open JupyterLab on a copy of the notebooks",
        description="Copy the notebooks into a folder and open JupyterLab there. A notebook that you changed is kept; "
        "one that you did not change is brought up to date.",
    )
    parser.add_argument(
        "folder", metavar="DIR", type=Path, nargs="?", default=Path(DEFAULT_FOLDER),
        help=f"where to put the notebooks (default: {DEFAULT_FOLDER} in the current folder)",
    )  # fmt: skip
    parser.add_argument("--no-browser", action="store_true", help="print the address instead of opening a browser")
    parser.add_argument(
        "--port", metavar="N", type=_port, help="listen on this port (default: 8888 or the next free one)"
    )
    parser.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> int:
    """Copy, start the server, and serve until Ctrl-C."""
    if options.port is not None:
        _check_free(options.port)
    folder = options.folder.expanduser().resolve()
    for line in copy_notebooks(folder):
        print(line, flush=True)
    opens_browser = not options.no_browser and _has_screen()
    compiler = _start_compiling()
    try:
        server = _make_server(folder, options.port, opens_browser=opens_browser)
        # Jupyter binds its socket in the first turn of its loop; the address is said when it answers.
        server.io_loop.add_callback(print, _greeting(server, opens_browser=opens_browser), flush=True)
        server.io_loop.add_callback(_follow_notebooks, server, folder, compiler)
        server.start()
    finally:
        compiler.terminate()
        compiler.wait()
    return 0


async def _follow_notebooks(server: ServerApp, folder: Path, compiler: subprocess.Popen[str]) -> None:
    """Have the kernels of a notebook that is opened compiled before those of others."""
    known: set[str] = set()
    while compiler.poll() is None:
        opened = [session["path"] for session in await server.session_manager.list_sessions()]
        for path in opened:
            if path not in known:
                _prefer(folder / path, compiler)
        known = set(opened)
        await asyncio.sleep(SECONDS_BETWEEN_LOOKS)


def _prefer(notebook: Path, compiler: subprocess.Popen[str]) -> None:
    """Tell the compiler what a notebook needs; whatever goes wrong, all is compiled in the end."""
    with suppress(OSError, UnicodeDecodeError):
        groups = wanted_by(notebook.read_text(encoding="utf-8"))
        compiler.stdin.write("\t".join(groups) + "\n")  # type: ignore[union-attr]  # it is a pipe
        compiler.stdin.flush()  # type: ignore[union-attr]  # likewise


def _make_server(folder: Path, port: int | None, *, opens_browser: bool) -> ServerApp:
    """A JupyterLab server, ready to start, that listens on this machine only."""
    from jupyterlab.labapp import LabApp

    # Defaults of ours below the user's own settings: no question about news over the first lesson.
    folders = [str(Path(__file__).with_name("settings")), *filter(None, [os.environ.get("JUPYTER_CONFIG_PATH")])]
    os.environ["JUPYTER_CONFIG_PATH"] = os.pathsep.join(folders)
    settings = {
        "ServerApp.ip": LOOPBACK,
        "ServerApp.root_dir": folder,
        "ServerApp.open_browser": opens_browser,
        "ServerApp.allow_root": _is_root(),
        "ServerApp.jpserver_extensions": "sokoviz.server_extension=True",
        "Application.log_level": "ERROR",
        # Set here, lest a configuration of the user's own switches it off.
        "IdentityProvider.token": secrets.token_hex(24),
        "LabApp.default_url": _first_page(folder),
    }
    if port is not None:
        settings |= {"ServerApp.port": port, "ServerApp.port_retries": 0}
    server: ServerApp = LabApp.initialize_server([f"--{name}={value}" for name, value in settings.items()])
    return server


def _greeting(server: ServerApp, *, opens_browser: bool) -> str:
    """What to tell the user when the server listens."""
    hint = "opens in your browser; its address is" if opens_browser else "is ready; open this address in a browser:"
    address = f"{server.connection_url.rstrip('/')}{server.default_url}?token={server.identity_provider.token}"
    return f"JupyterLab {hint}\n\n    {address}\n\nPress Ctrl-C twice to end it."


def _first_page(folder: Path) -> str:
    """JupyterLab's address of the first lesson."""
    lessons = sorted(path.name for path in folder.glob("*.ipynb"))
    return f"/lab/tree/{quote(lessons[0])}" if lessons else "/lab"


def _start_compiling() -> subprocess.Popen[str]:
    """Compile all kernels in other processes, while the browser opens and the reader reads."""
    command = [sys.executable, "-m", "sokoviz.warm", "--behind"]
    # In a process group of its own, as Ctrl-C is for the server. It ends with its input, however this process ends.
    return subprocess.Popen(command, stdin=subprocess.PIPE, text=True, process_group=0)  # noqa: S603  our own


def _has_screen() -> bool:
    """Whether a browser could show anything here."""
    return sys.platform in {"darwin", "win32"} or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def _is_root() -> bool:
    """Whether this is the superuser, whom Jupyter refuses unless told."""
    return hasattr(os, "geteuid") and os.geteuid() == 0


def _port(text: str) -> int:
    """Read a port number."""
    if not (text.isascii() and text.isdigit() and 0 < int(text) <= HIGHEST_PORT):
        message = f"expected a port from 1 to {HIGHEST_PORT}, found {text!r}"
        raise argparse.ArgumentTypeError(message)
    return int(text)


def _check_free(port: int) -> None:
    """Refuse a port that is taken, before Jupyter does so in a page of log lines."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((LOOPBACK, port))
        except OSError as error:
            message = f"expected a free port, found {port}: {error.strerror}"
            raise SokovizError(message) from error
