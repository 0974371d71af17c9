"""The decorators of all kernels, and the folder in which their machine code is kept.

numba's own cache looks only at the file of the function it compiled: after an edit in a *callee's* file a cached
caller returns old results, and code compiled without bounds checking is loaded when checking is asked for. So the
folder is named by a hash of every kernel source, of numba's version and of the bounds-check flag. That says all, so
when the file was written, and where it lies, does not matter: copies of this package share their machine code. What was
compiled for a game defined elsewhere, whose source is not in that hash, is not kept at all.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numba
from numba import config
from numba.core.caching import FunctionCache, IndexDataCacheFile
from numba.core.registry import cpu_target
from platformdirs import user_cache_path

PACKAGE = Path(__file__).resolve().parent.parent
KERNEL_FOLDERS = ("core", "games", "search", "learn")
KERNELS = re.compile(
    r"^(import|from) numba|^from sokoviz.core.jit import .*(kernel|lean|inlined|spliced)", re.MULTILINE
)
IMPORT = re.compile(r"^from sokoviz\.([\w.]+) import (\([^)]*\)|.*)", re.MULTILINE)
KEPT_FOLDERS = 4  # caches of other versions that stay; older ones are removed


def source_key() -> str:
    """Hash of all that decides what the kernels compile to."""
    digest = hashlib.sha256(f"{numba.__version__} {config.BOUNDSCHECK}".encode())
    for name, text in sorted(kernel_sources().items()):
        digest.update(f"{name}\n{text}".encode())
    return digest.hexdigest()[:16]


def kernel_sources() -> dict[str, str]:
    """Return the files with kernels, and all of the same folders that they import, as text by their names.

    A kernel takes constants and other kernels from what its file imports; an edit elsewhere does not change it.
    """
    paths = (path for folder in KERNEL_FOLDERS for path in (PACKAGE / folder).glob("*.py"))
    texts = {f"{path.parent.name}.{path.stem}": path.read_text(encoding="utf-8") for path in paths}
    found: dict[str, str] = {}
    waiting = [name for name, text in texts.items() if KERNELS.search(text)]
    while waiting:
        name = waiting.pop()
        if name in texts and name not in found:
            found[name] = texts[name]
            waiting += _imported(texts[name])
    return found


def _imported(text: str) -> list[str]:
    """Names of modules that a file imports, and some that are none: "core.bits" of "from sokoviz.core.bits import"."""
    found = []
    for module, names in IMPORT.findall(text):
        found.append(module)
        found += [f"{module}.{name}" for name in re.findall(r"\w+", names)]
    return found


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
    for folder in sorted(others, key=_age_of)[KEPT_FOLDERS:]:
        shutil.rmtree(folder, ignore_errors=True)  # another process may be at it too


def _age_of(folder: Path) -> float:
    """Minus the time of a folder's last change; what is gone already is the oldest."""
    try:
        return -folder.stat().st_mtime
    except OSError:
        return 0.0


FOLDER = cache_folder()


class KernelCache(FunctionCache):
    """numba's cache, which leaves out what was compiled for the tables of a foreign game.

    A kernel of this package is found by its name alone, because its source is known to be the same.
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__(function)
        if function.__module__.startswith("sokoviz."):
            name = f"{function.__module__}-{self._impl.filename_base}"
            self._cache_path = str(FOLDER)
            self._cache_file = IndexDataCacheFile(cache_path=str(FOLDER), filename_base=name, source_stamp=None)

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return the machine code for a signature, None where there is none."""
        return None if _is_foreign(sig) else super().load_overload(sig, target_context)

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep the machine code for a signature."""
        if not _is_foreign(sig):
            super().save_overload(sig, data)

    def holds(self, classes: tuple[type, ...]) -> bool:
        """Return whether there is machine code for this processor and for named tuples of all of some classes."""
        target = cpu_target.target_context.codegen().magic_tuple()
        return any(
            kept_for == target and set(classes) <= {getattr(argument, "instance_class", None) for argument in arguments}
            for arguments, kept_for, _ in self._cache_file._load_index()  # noqa: SLF001  numba has no other way in
        )


def _is_foreign(signature: Any) -> bool:
    """Whether an argument is a named tuple whose class is defined outside this package."""
    arguments = signature if isinstance(signature, tuple) else signature.args
    classes = (getattr(argument, "instance_class", None) for argument in arguments)
    return any(cls is not None and cls.__module__.split(".")[0] != "sokoviz" for cls in classes)


@cache
def is_kept(compiled: Any, classes: tuple[type, ...]) -> bool:
    """Return whether the machine code of a kernel was in the cache when this was first asked.

    Parameters
    ----------
    compiled
        The kernel.
    classes
        Classes of named tuples that are among its arguments.
    """
    return compiled._cache.holds(classes)  # noqa: SLF001  our own


def kernel(function: Callable[..., Any]) -> Any:
    """Compile a function on its first call with the options that all kernels share."""
    return _compile(function)


def lean(function: Callable[..., Any]) -> Any:
    """Compile a kernel that allocates nothing.

    It does without counting references to arrays. Where small kernels hand each other tuples of a dozen arrays the
    counting costs more than the work: the search is three times as fast without, and compiles in half the time.
    """
    return _compile(function, _nrt=False)


def inlined(function: Callable[..., Any]) -> Any:
    """Compile a kernel that allocates nothing, and let its machine code stand in whatever calls it."""
    return _compile(function, _nrt=False, forceinline=True)


def spliced(function: Callable[..., Any]) -> Any:
    """Put the text of a kernel that allocates nothing into its caller, as if it stood there.

    With each kernel numba optimizes anew all that it calls. So in a chain of large kernels every link that is not
    compiled by itself saves seconds. But the optimizer makes less of long kernels, and numba has been seen to mix up
    variables of kernels with several returns: only for what a twin checks, and where it is measured to cost nothing.
    """
    return _compile(function, _nrt=False, inline="always")


def _compile(function: Callable[..., Any], **options: bool | str) -> Any:
    """Decorate a function.

    numba reads the cache folder from its configuration while it decorates; the setting is put back at once, so that
    other users of numba in the same process keep theirs.
    """
    before = config.CACHE_DIR
    config.CACHE_DIR = str(FOLDER)
    try:
        compiled = numba.njit(nogil=True, error_model="numpy", no_cfunc_wrapper=True, **options)(function)
        compiled._cache = KernelCache(function)  # noqa: SLF001  numba has no other way in
    finally:
        config.CACHE_DIR = before
    return compiled
