"""Download published collections, each checked against a hash."""

from __future__ import annotations

import logging
import os
import tomllib
from functools import cache
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

from sokoviz.errors import DownloadError, LevelNotFoundError

BASE_VARIABLE = "SOKOVIZ_DOWNLOADS"
CACHE_VARIABLE = "SOKOVIZ_CACHE"
BASE_ADDRESS = "https://raw.githubusercontent.com"
N_RETRIES = 2
TIMEOUT_SECONDS = 30


class Source(NamedTuple):
    """Where a collection comes from."""

    name: str
    title: str
    author: str
    terms: str
    repository: str
    commit: str
    path: str
    sha256: str

    @property
    def address(self) -> str:
        """The address of the file; SOKOVIZ_DOWNLOADS replaces its first part, for mirrors and tests."""
        base = os.environ.get(BASE_VARIABLE) or BASE_ADDRESS
        return f"{base.rstrip('/')}/{quote(f'{self.repository}/{self.commit}/{self.path}')}"

    @property
    def file_name(self) -> str:
        """The name of the file on this machine: its suffix is that of the original."""
        return self.name + Path(self.path).suffix


@cache
def sources() -> dict[str, Source]:
    """What can be downloaded, by name."""
    text = Path(__file__).with_name("registry.toml").read_text(encoding="utf-8")
    return {name: Source(name, **entry) for name, entry in tomllib.loads(text).items()}


def cache_folder() -> Path:
    """The folder of downloaded collections: in SOKOVIZ_CACHE, or where this system keeps such files."""
    import platformdirs

    chosen = os.environ.get(CACHE_VARIABLE)
    return (Path(chosen) if chosen else platformdirs.user_cache_path("sokoviz")) / "levels"


def fetch(name: str) -> Path:
    """Download a collection unless it is there already.

    Parameters
    ----------
    name : str
        A name in the registry, such as ``"microban"``.

    Returns
    -------
    Path
        The file on this machine, whose hash is that of the registry.

    Raises
    ------
    LevelNotFoundError
        The registry has no such name.
    DownloadError
        The file could not be had, or has other contents than expected; nothing is left behind.
    """
    source = sources().get(name)
    if source is None:
        message = f"expected a collection to download ({', '.join(sources())}), found {name!r}"
        raise LevelNotFoundError(message)
    try:
        return _retrieve(source)
    # Some exceptions of requests are both: what the connection says comes first, so a mere ValueError is the hash.
    except OSError as error:
        start = f"could not download the {source.title} levels from {source.address}: {_cause(error)}"
        message = f"{start}. {_way_out(source)}"
        raise DownloadError(message) from error
    except ValueError as error:
        message = (
            f"expected the {source.title} levels at {source.address}, found other contents (their SHA-256 is not "
            f"{source.sha256[:12]}...); nothing was kept. {_way_out(source)}"
        )
        raise DownloadError(message) from error


def _retrieve(source: Source) -> Path:
    """Let pooch do it: retries, a temporary file, the hash."""
    import pooch

    pooch.get_logger().setLevel(logging.WARNING)
    downloads = pooch.create(
        path=cache_folder(),
        base_url="",
        registry={source.file_name: f"sha256:{source.sha256}"},
        urls={source.file_name: source.address},
        retry_if_failed=N_RETRIES,
    )
    downloader = pooch.HTTPDownloader(timeout=TIMEOUT_SECONDS)
    return Path(downloads.fetch(source.file_name, downloader=downloader))


def _cause(error: OSError) -> str:
    """Why a download failed, in a few words."""
    import requests

    if isinstance(error, requests.HTTPError) and error.response is not None:
        return f"the server answered {error.response.status_code} {error.response.reason}"
    if isinstance(error, requests.Timeout):
        return f"no answer within {TIMEOUT_SECONDS} seconds"
    if isinstance(error, requests.ConnectionError):
        return "no connection to that server (is this machine offline?)"
    return str(error)


def _way_out(source: Source) -> str:
    """What to do instead of downloading."""
    return (
        f"Instead, get the file {Path(source.path).name} in any other way and give its path, or put it as "
        f"{source.file_name} into a folder that SOKOVIZ_LEVELS names"
    )
