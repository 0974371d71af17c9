"""`sokoviz lab` as a user starts it: a process, an address, a server that only this machine and this token can use."""

from __future__ import annotations

import contextlib
import io
import json
import subprocess
import sys
import urllib.error
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING

import psutil  # type: ignore[import-untyped]
import pytest
import websocket

from sokoviz.commands import lab
from sokoviz.warm.groups import GROUPS
from sokoviz.warm.pool import n_cores
from tests.lab_process import LabProcess, start_lab

if TYPE_CHECKING:
    from collections.abc import Iterator

# A configuration that some user may well have, and that must not open our server to others.
CARELESS_SETTINGS = {
    "ServerApp": {"ip": "0.0.0.0", "jpserver_extensions": {"probe": True}},  # noqa: S104  # what must be overruled
    "IdentityProvider": {"token": ""},
}

# Tells from within the server which kernel connections have TCP_NODELAY on.
PROBE = """
import gc, json, socket
from jupyter_server.services.kernels.websocket import KernelWebsocketHandler
from tornado.web import RequestHandler

class Probe(RequestHandler):
    def get(self):
        handlers = [thing for thing in gc.get_objects() if isinstance(thing, KernelWebsocketHandler)]
        sockets = [handler.ws_connection.stream.socket for handler in handlers if handler.ws_connection]
        self.write(json.dumps([s.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY) for s in sockets]))

def _load_jupyter_server_extension(server):
    server.web_app.add_handlers(".*", [("/probe", Probe)])
"""


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LabProcess]:
    home = tmp_path_factory.mktemp("home")
    (home / "probe.py").write_text(PROBE)
    (home / "config").mkdir()
    (home / "config" / "jupyter_server_config.json").write_text(json.dumps(CARELESS_SETTINGS))
    with start_lab(home, PYTHONPATH=str(home)) as process:
        yield process


def test_the_printed_address_answers(running: LabProcess) -> None:
    assert running.ask("/api/status", running.token)["kernels"] == 0


@pytest.mark.parametrize("token", ["", "wrong"])
def test_no_entry_without_the_token(running: LabProcess, token: str) -> None:
    with pytest.raises(urllib.error.HTTPError, match="403"):
        running.ask("/api/contents", token)


def test_it_listens_on_this_machine_only(running: LabProcess) -> None:
    listening = [line.split()[1] for line in _open_sockets() if line.split()[3] == "0A"]
    ours = [address for address in listening if int(address.split(":")[1], 16) == running.port]
    assert ours == [f"0100007F:{running.port:04X}"]


def test_kernel_messages_are_sent_without_delay(running: LabProcess) -> None:
    kernel = running.ask("/api/kernels", running.token, data=b"{}")
    address = f"ws://127.0.0.1:{running.port}/api/kernels/{kernel['id']}/channels?session_id=test&token={running.token}"
    with contextlib.closing(websocket.create_connection(address, timeout=30)):
        assert running.ask("/probe", running.token) == [1]


def test_a_port_in_use_is_said(running: LabProcess, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "sokoviz", "lab", str(tmp_path), "--no-browser", "--port", str(running.port)]
    answer = subprocess.run(command, capture_output=True, text=True, check=False)
    assert answer.returncode == 2
    assert answer.stderr == f"sokoviz: expected a free port, found {running.port}: Address already in use\n"


@pytest.mark.parametrize("end", ["terminate", "kill"])
def test_when_it_ends_nothing_goes_on_compiling(tmp_path: Path, end: str) -> None:
    with start_lab(tmp_path, SOKOVIZ_CACHE=str(tmp_path / "cache")) as lab_process:
        server = psutil.Process(lab_process.number)
        family = server.children(recursive=True)
        assert len(family) == 1 + n_cores()
        getattr(server, end)()
        gone, _ = psutil.wait_procs(family, timeout=10)
    assert len(gone) == len(family)


def test_a_notebook_that_is_opened_has_its_kernels_compiled_first(tmp_path: Path) -> None:
    notebook, pipe = tmp_path / "a.ipynb", io.StringIO()
    notebook.write_text('"import sokoviz as sv; sv.Match(sv.TicTacToe())"')
    lab._prefer(notebook, SimpleNamespace(stdin=pipe))  # type: ignore[arg-type]  # only its input matters
    lab._prefer(tmp_path / "gone.ipynb", SimpleNamespace(stdin=None))  # type: ignore[arg-type]  # likewise
    assert pipe.getvalue().strip().split("\t") == [name for name in GROUPS if name.startswith("Tic-Tac-Toe")]


@pytest.mark.parametrize("port", ["0", "65536", "x"])
def test_a_port_out_of_range_is_bad_usage(port: str, capsys: pytest.CaptureFixture[str]) -> None:
    from sokoviz.cli import main

    with pytest.raises(SystemExit, match="2"):
        main(["lab", "--port", port])
    assert f"expected a port from 1 to 65535, found '{port}'" in capsys.readouterr().err


def test_no_browser_is_opened_without_a_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    assert not lab._has_screen()
    monkeypatch.setenv("WAYLAND_DISPLAY", "wayland-0")
    assert lab._has_screen()


def test_the_first_lesson_is_the_first_page(tmp_path: Path) -> None:
    assert lab._first_page(tmp_path) == "/lab"
    for name in ("02-b.ipynb", "01-a first one.ipynb", "notes.txt"):
        (tmp_path / name).touch()
    assert lab._first_page(tmp_path) == "/lab/tree/01-a%20first%20one.ipynb"


def _open_sockets() -> list[str]:
    """The kernel's table of TCP sockets, over both versions of the protocol."""
    tables = [path for path in (Path("/proc/net/tcp"), Path("/proc/net/tcp6")) if path.exists()]
    return [line for table in tables for line in table.read_text().splitlines()[1:]]
