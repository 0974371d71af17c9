"""The one decorator of all kernels, and the folder in which their machine code is kept.

numba's own cache looks only at the file of the function it compiled: after an edit in a *callee's* file a cached
caller returns old results, and code compiled without bounds checking is loaded when checking is asked for. So the
folder is named by a hash of every kernel source, of numba's version and of the bounds-check flag.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba
from numba import config
from platformdirs import user_cache_path

PACKAGE = Path(__file__).resolve().parent.parent
KERNEL_FOLDERS = ("core", "games", "search", "learn")
KEPT_FOLDERS = 4  # caches of other versions that stay; older ones are removed


def source_key() -> str:
    """Hash of all that decides what the kernels compile to."""
    digest = hashlib.sha256(f"{numba.__version__} {config.BOUNDSCHECK}".encode())
    for folder in KERNEL_FOLDERS:
        for path in sorted((PACKAGE / folder).glob("*.py")):
            digest.update(path.name.encode() + path.read_bytes())
    return digest.hexdigest()[:16]


def cache_folder() -> Path:
    """A writable folder for machine code: the user's cache, else a temporary one that lives as long as the process."""
    base = Path(os.environ.get("SOKOVIZ_CACHE") or user_cache_path("sokoviz"))
    folder = base / "kernels" / source_key()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError:
        return Path(tempfile.mkdtemp(prefix="sokoviz-kernels-"))
    _forget_old_folders(folder)
    return folder


def _forget_old_folders(current: Path) -> None:
    """Remove all but the newest few caches beside the current one; a cache in use elsewhere is only compiled again."""
    others = [path for path in current.parent.iterdir() if path != current]
    others.sort(key=lambda path: path.stat().st_mtime, reverse=True)
    for folder in others[KEPT_FOLDERS:]:
        for path in sorted(folder.rglob("*"), reverse=True):
            path.rmdir() if path.is_dir() else path.unlink(missing_ok=True)
        folder.rmdir()


FOLDER = cache_folder()


def kernel(function: Callable[..., Any]) -> Any:
    """Compile a function on its first call with the options that all kernels share.

    numba reads the cache folder from its configuration while it decorates; the setting is put back at once, so that
    other users of numba in the same process keep theirs.
    """
    before = config.CACHE_DIR
    config.CACHE_DIR = str(FOLDER)
    try:
        return numba.njit(cache=True, nogil=True, error_model="numpy", no_cfunc_wrapper=True)(function)
    finally:
        config.CACHE_DIR = before
