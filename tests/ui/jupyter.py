"""A real JupyterLab for browser tests: the server, and notebooks open in a page."""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import secrets
import socket
import subprocess
import sys
import time
import urllib.request
from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Locator, Page, Request

SECONDS_TO_START = 120
MILLISECONDS_TO_ANSWER = 60_000
LOCAL_ADDRESSES = ("http://127.0.0.1:", "ws://127.0.0.1:", "data:", "blob:")

# The status icon turns idle too early; these promises are what JupyterLab itself waits for.
_READY = """async () => {
  await jupyterapp.restored;
  const panel = jupyterapp.shell.currentWidget;
  await panel.context.ready;
  await panel.revealed;
  await panel.sessionContext.ready;
  await panel.sessionContext.session.kernel.info;
}"""
_RUN_ALL = "() => jupyterapp.commands.execute('notebook:run-all-cells')"
_RUN = """async code => {
  const kernel = jupyterapp.shell.currentWidget.sessionContext.session.kernel;
  const answer = {printed: '', error: ''};
  const future = kernel.requestExecute({code, store_history: false});
  future.onIOPub = message => {
    if (message.header.msg_type === 'stream') answer.printed += message.content.text;
    if (message.header.msg_type === 'error') answer.error = message.content.traceback.join('\\n');
  };
  await future.done;
  return answer;
}"""
_CELL_ERRORS = """() => {
  const errors = [];
  const cells = jupyterapp.shell.currentWidget.content.model.cells;
  for (let i = 0; i < cells.length; i++) {
    const outputs = cells.get(i).outputs;
    for (let k = 0; k < (outputs?.length ?? 0); k++) {
      const output = outputs.get(k).toJSON();
      if (output.output_type === 'error') errors.push(`cell ${i}: ${output.ename}: ${output.evalue}`);
    }
  }
  return errors;
}"""


class LabServer:
    """A JupyterLab server of its own: random port, token, a temporary root folder, none of the user's settings."""

    def __init__(self, home: Path) -> None:
        self.root = home / "root"
        self.root.mkdir()
        self._home = home
        self._token = secrets.token_hex(16)
        self._port = free_port()
        self._write_setting("notification", {"fetchNews": "false", "checkForUpdates": False})
        self._log = (home / "server.log").open("w")
        self._process = subprocess.Popen(
            self._command(), cwd=self.root, env=self._environment(), stdout=self._log, stderr=self._log
        )

    def __enter__(self) -> Self:
        try:
            self._wait_until_it_answers()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self._process.terminate()
        try:
            self._process.wait(20)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._log.close()

    def url(self, path: str) -> str:
        """Address of a path on this server, with the token."""
        return f"http://127.0.0.1:{self._port}/{path}{'&' if '?' in path else '?'}token={self._token}"

    def write_notebook(self, name: str, cells: Sequence[str]) -> None:
        """Put a notebook made of code cells into the root folder."""
        code: list[dict[str, Any]] = [
            {
                "cell_type": "code",
                "id": f"cell-{i}",
                "metadata": {},
                "outputs": [],
                "execution_count": None,
                "source": cell,
            }
            for i, cell in enumerate(cells)
        ]
        kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
        notebook = {"cells": code, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}
        (self.root / name).write_text(json.dumps(notebook), encoding="utf-8")

    def set_theme(self, theme: str) -> None:
        """Make pages opened from now on ``"light"`` or ``"dark"``."""
        self._write_setting("themes", {"theme": f"JupyterLab {theme.title()}"})

    def shut_down_kernels(self) -> None:
        """End all sessions, so that memory does not grow from test to test."""
        with urllib.request.urlopen(self.url("api/sessions")) as answer:
            sessions = json.load(answer)
        for session in sessions:
            request = urllib.request.Request(self.url(f"api/sessions/{session['id']}"), method="DELETE")
            urllib.request.urlopen(request).close()

    def _command(self) -> list[str]:
        options = [
            "--no-browser",
            "--allow-root",
            "--ServerApp.ip=127.0.0.1",
            f"--ServerApp.port={self._port}",
            "--ServerApp.port_retries=0",
            f"--ServerApp.root_dir={self.root}",
            "--ServerApp.jpserver_extensions=sokoviz.server_extension=True",
            f"--IdentityProvider.token={self._token}",
            "--LabApp.expose_app_in_browser=True",
        ]
        return [sys.executable, "-m", "jupyterlab", *options]

    def _environment(self) -> dict[str, str]:
        folders = {
            "IPYTHONDIR": "ipython",
            "JUPYTER_CONFIG_DIR": "config",
            "JUPYTER_DATA_DIR": "data",
            "JUPYTER_RUNTIME_DIR": "runtime",
            "JUPYTERLAB_SETTINGS_DIR": "settings",
            "JUPYTERLAB_WORKSPACES_DIR": "workspaces",
        }
        return {**os.environ, **{name: str(self._home / folder) for name, folder in folders.items()}}

    def _write_setting(self, name: str, values: dict[str, Any]) -> None:
        folder = self._home / "settings" / "@jupyterlab" / "apputils-extension"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{name}.jupyterlab-settings").write_text(json.dumps(values), encoding="utf-8")

    def _wait_until_it_answers(self) -> None:
        deadline = time.monotonic() + SECONDS_TO_START
        while time.monotonic() < deadline and self._process.poll() is None:
            with contextlib.suppress(OSError):
                urllib.request.urlopen(self.url("api"), timeout=5).close()
                return
            time.sleep(0.1)
        message = f"JupyterLab did not start:\n{(self._home / 'server.log').read_text()[-3000:]}"
        raise RuntimeError(message)


class WatchedPage:
    """A page that remembers what went wrong on it: console errors, uncaught exceptions, requests to the outside."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.problems: list[str] = []
        page.set_default_timeout(MILLISECONDS_TO_ANSWER)
        page.on("console", self._note_console)
        page.on("pageerror", lambda error: self.problems.append(f"uncaught: {error}"))
        page.on("request", self._note_request)

    def _note_console(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            self.problems.append(f"console: {message.text} ({message.location.get('url', '')})")

    def _note_request(self, request: Request) -> None:
        if not request.url.startswith(LOCAL_ADDRESSES):
            self.problems.append(f"request to the outside: {request.url[:200]}")


class LabPage(WatchedPage):
    """A notebook open in JupyterLab."""

    def wait_until_ready(self) -> None:
        """Wait for the notebook and its kernel."""
        self.page.wait_for_function("() => globalThis.jupyterapp?.shell?.currentWidget?.sessionContext")
        self.page.evaluate(_READY)

    def run_all(self) -> None:
        """Run all cells and wait for the last."""
        self.page.evaluate(_RUN_ALL)

    def run_again(self) -> None:
        """Run all cells of a notebook that other tests have used, and fail if one of them does."""
        self.page.bring_to_front()
        self.run_all()
        self.check()

    def run(self, code: str) -> str:
        """What `code` prints in the notebook's kernel, stripped; an exception there fails the test."""
        answer = self.page.evaluate(_RUN, code)
        if answer["error"]:
            message = f"the kernel raised:\n{answer['error']}"
            raise AssertionError(message)
        return str(answer["printed"]).strip()

    def errors(self) -> list[str]:
        """Errors so far: of cells, in the console, and requests to the outside."""
        return [*self.page.evaluate(_CELL_ERRORS), *self.problems]

    def check(self) -> None:
        """Fail if anything went wrong so far."""
        if errors := self.errors():
            raise AssertionError("\n".join(errors))

    def cell(self, index: int) -> Locator:
        """The cell at a position, from 0, scrolled into view: JupyterLab does not paint what is off the screen."""
        cell = self.page.locator(".jp-Notebook .jp-Cell").nth(index)
        cell.scroll_into_view_if_needed()
        return cell

    def output(self, index: int) -> Locator:
        """The output area of a cell."""
        return self.cell(index).locator(".jp-Cell-outputArea")


class Lab:
    """Opens notebooks in one browser on one server."""

    def __init__(self, server: LabServer, browser: Browser) -> None:
        self.server = server
        self._browser = browser
        self._contexts: dict[bool, BrowserContext] = {}
        self._numbers = itertools.count(1)
        self.pages: list[LabPage] = []

    def open(
        self,
        cells: Sequence[str],
        *,
        theme: str = "light",
        size: tuple[int, int] = (1280, 900),
        touch: bool = False,
        run: bool = True,
    ) -> LabPage:
        """Open a new notebook.

        Parameters
        ----------
        cells
            The source of each code cell.
        theme
            ``"light"`` or ``"dark"``.
        size
            Width and height of the window.
        touch
            Whether the screen is a touch screen.
        run
            Whether to run all cells, and to fail if one of them does.
        """
        name = f"notebook-{next(self._numbers)}.ipynb"
        self.server.write_notebook(name, cells)
        self.server.set_theme(theme)
        notebook = LabPage(self._context(touch=touch).new_page())
        self.pages.append(notebook)
        notebook.page.set_viewport_size({"width": size[0], "height": size[1]})
        notebook.page.goto(self.server.url(f"lab/tree/{name}?reset"), wait_until="domcontentloaded")
        notebook.wait_until_ready()
        notebook.page.evaluate("() => jupyterapp.shell.collapseLeft()")
        if run:
            notebook.run_all()
            notebook.check()
        return notebook

    def close_pages(self) -> list[str]:
        """Close all pages and end their kernels; return what went wrong on them."""
        problems = [problem for notebook in self.pages for problem in notebook.problems]
        for notebook in self.pages:
            notebook.page.close()
        self.pages.clear()
        self.server.shut_down_kernels()
        return problems

    def _context(self, *, touch: bool) -> BrowserContext:
        # Pages of one context share the browser's cache, which halves the time to open JupyterLab.
        if touch not in self._contexts:
            self._contexts[touch] = self._browser.new_context(has_touch=touch)
        return self._contexts[touch]


def free_port() -> int:
    """A port of this machine that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
