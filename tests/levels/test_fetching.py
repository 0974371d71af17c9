"""Downloads, from a server of our own: never from the network."""

from __future__ import annotations

import hashlib
import socket
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING

import pytest

import sokoviz
from sokoviz.cli import main
from sokoviz.errors import DownloadError, LevelNotFoundError
from sokoviz.levels import fetch
from sokoviz.levels.fetching import Source, cache_folder, sources

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

CONTENT = b"; One\n#####\n#@$.#\n#####\n"
PATH = "/owner/name/0123abcd/some%20folder/Levels%20of%20mine.txt"


class Server(ThreadingHTTPServer):
    """Answers one request after the other as it is told to, and then always with the last answer."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.answers: list[tuple[int, bytes]] = [(200, CONTENT)]
        self.asked: list[str] = []

    @property
    def address(self) -> str:
        """Where the server listens."""
        return f"http://127.0.0.1:{self.server_port}"


class _Handler(BaseHTTPRequestHandler):
    server: Server

    def do_GET(self) -> None:
        """Give the next answer."""
        status, body = self.server.answers[min(len(self.server.asked), len(self.server.answers) - 1)]
        self.server.asked.append(self.path)
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_arguments: object) -> None:
        """Stay quiet."""


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    """A server with one collection, ``mine``; an empty cache; no waiting between attempts."""
    source = Source(
        name="mine",
        title="Mine",
        author="Me",
        terms="free",
        repository="owner/name",
        commit="0123abcd",
        path="some folder/Levels of mine.txt",
        sha256=hashlib.sha256(CONTENT).hexdigest(),
    )
    monkeypatch.setattr("sokoviz.levels.fetching.sources", lambda: {"mine": source})
    monkeypatch.setattr("pooch.core.time.sleep", lambda _seconds: None)
    monkeypatch.setenv("SOKOVIZ_CACHE", str(tmp_path))
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.delenv("SOKOVIZ_LEVELS", raising=False)
    with Server() as running:
        monkeypatch.setenv("SOKOVIZ_DOWNLOADS", running.address + "/")
        threading.Thread(target=running.serve_forever, args=(0.01,), daemon=True).start()
        yield running
        running.shutdown()


def test_a_collection_is_downloaded_once(server: Server, tmp_path: Path) -> None:
    assert fetch("mine") == fetch("mine") == tmp_path / "levels" / "mine.txt"
    assert fetch("mine").read_bytes() == CONTENT
    assert server.asked == [PATH]


@pytest.mark.usefixtures("server")
def test_a_downloaded_collection_is_found_by_its_name() -> None:
    fetch("mine")
    assert sokoviz.load("mine#1").title == "One"
    assert "mine" in sokoviz.available()


def test_a_server_that_fails_twice_is_asked_again(server: Server) -> None:
    server.answers = [(500, b""), (503, b""), (200, CONTENT)]
    assert fetch("mine").read_bytes() == CONTENT
    assert len(server.asked) == 3


def test_a_server_that_goes_on_failing_is_an_error(server: Server, tmp_path: Path) -> None:
    server.answers = [(500, b"")]
    with pytest.raises(DownloadError, match="the server answered 500 Internal Server Error"):
        fetch("mine")
    assert len(server.asked) == 3
    assert list((tmp_path / "levels").iterdir()) == []


def test_a_file_that_is_not_there(server: Server) -> None:
    server.answers = [(404, b"nothing here")]
    with pytest.raises(DownloadError, match="the server answered 404 Not Found"):
        fetch("mine")


def test_other_contents_than_expected_are_not_kept(server: Server, tmp_path: Path) -> None:
    server.answers = [(200, b"something else")]
    with pytest.raises(DownloadError, match=r"found other contents .* nothing was kept") as caught:
        fetch("mine")
    assert server.address in str(caught.value)
    assert list((tmp_path / "levels").iterdir()) == []


def test_a_damaged_file_in_the_cache_is_replaced(server: Server, tmp_path: Path) -> None:
    (tmp_path / "levels").mkdir()
    (tmp_path / "levels" / "mine.txt").write_bytes(b"damaged")
    assert fetch("mine").read_bytes() == CONTENT
    assert len(server.asked) == 1


def test_without_a_connection_the_message_says_what_to_do(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as closed_soon:
        address = f"http://127.0.0.1:{closed_soon.getsockname()[1]}"
    monkeypatch.setenv("SOKOVIZ_DOWNLOADS", address)
    with pytest.raises(DownloadError) as caught:
        fetch("mine")
    message = str(caught.value)
    assert message.startswith(f"could not download the Mine levels from {address}{PATH}: no connection")
    assert "get the file Levels of mine.txt in any other way" in message
    assert "SOKOVIZ_LEVELS" in message
    assert server.asked == []


@pytest.mark.usefixtures("server")
@pytest.mark.parametrize("base", ["nonsense", "gopher://127.0.0.1", "http://"])
def test_a_base_address_that_is_none(base: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOKOVIZ_DOWNLOADS", base)
    with pytest.raises(DownloadError, match="could not download the Mine levels from"):
        fetch("mine")


@pytest.mark.usefixtures("server")
def test_a_cache_that_cannot_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("SOKOVIZ_CACHE", str(tmp_path / "file"))
    with pytest.raises(DownloadError, match="could not download the Mine levels"):
        fetch("mine")


@pytest.mark.usefixtures("server")
def test_an_unknown_name_lists_the_known_ones() -> None:
    with pytest.raises(LevelNotFoundError, match=r"expected a collection to download \(mine\), found 'yours'"):
        fetch("yours")


@pytest.mark.usefixtures("server")
def test_the_command_says_where_the_levels_are_and_whose(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["levels", "get", "mine"]) == 0
    lines = [f"mine: 1 level of Mine, by Me, in {tmp_path / 'levels' / 'mine.txt'}", "terms: free"]
    captured = capfd.readouterr()
    assert (captured.out.splitlines(), captured.err) == (lines, "")


def test_the_command_goes_on_after_a_failure(server: Server, capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["levels", "get", "yours", "mine"]) == 2
    captured = capfd.readouterr()
    assert captured.out.startswith("mine: 1 level")
    assert captured.err.startswith("sokoviz: expected a collection to download")
    assert "Traceback" not in captured.err
    assert server.asked == [PATH]


# --- the registry -----------------------------------------------------------------------------------------------------


def test_the_registry_names_what_the_commands_promise() -> None:
    assert list(sources()) == ["xsokoban", "sasquatch", "microban", "microban2", "microban3", "microban4", "boxoban"]


@pytest.mark.parametrize("source", sources().values(), ids=lambda source: source.name)
def test_registry_entries_are_complete(source: Source) -> None:
    assert all(source)
    assert len(source.sha256) == 64
    assert len(source.commit) == 40
    assert set(source.sha256 + source.commit) <= set("0123456789abcdef")


def test_addresses_are_quoted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SOKOVIZ_DOWNLOADS", raising=False)
    address = sources()["microban2"].address
    assert address.startswith("https://raw.githubusercontent.com/guylangston/SokoSolve/4045224e")
    assert address.endswith("/data/Lib/David%20W%20Skinner/Microban%20II.txt")


def test_without_a_choice_the_cache_is_where_the_system_keeps_such_files(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SOKOVIZ_CACHE", raising=False)
    assert cache_folder().parts[-2:] == ("sokoviz", "levels")
