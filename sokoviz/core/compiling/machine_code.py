"""The folder in which machine code is kept, safe for any number of processes at once.

numba's own cache looks only at the file of the function it compiled: after an edit in a *callee's* file a cached
caller returns old results, and code compiled without bounds checking is loaded when checking is asked for. So the
folder is named by a hash of every kernel source, of numba's version and of the bounds-check flag. That says all, so
when the file was written, and where it lies, does not matter: copies of this package share their machine code. What was
compiled for a game defined elsewhere, whose source is not in that hash, is not kept at all.

numba's cache also loses what two processes write at one time, or takes one's for the other's. Here each compiled
function has a file of its own, which appears whole, and what one process is compiling the others wait for.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import re
import shutil
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any

import numba
from numba import config
from numba.core.serialize import dumps
from platformdirs import user_cache_path

try:
    import fcntl
except ImportError:  # Windows: there each process compiles for itself
    fcntl = None  # type: ignore[assignment]

PACKAGE = Path(__file__).resolve().parents[2]
KERNEL_FOLDERS = ("core", "games", "search", "learn")
KERNELS = re.compile(
    r"^(import|from) numba|^from sokoviz.core.compiling.jit import .*(kernel|lean|inlined|spliced|standing_for)",
    re.MULTILINE,
)
IMPORT = re.compile(r"^from sokoviz\.([\w.]+) import (\([^)]*\)|.*)", re.MULTILINE)
KEPT_FOLDERS = 4  # caches of other versions that stay; older ones are removed
UNREADABLE = (OSError, EOFError, pickle.UnpicklingError, AttributeError, ImportError)


# --- which folder ----------------------------------------------------------------------------------------------------


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
    paths = (path for folder in KERNEL_FOLDERS for path in (PACKAGE / folder).rglob("*.py"))
    texts = {_module_name(path): path.read_text(encoding="utf-8") for path in paths}
    found: dict[str, str] = {}
    waiting = [name for name, text in texts.items() if KERNELS.search(text)]
    while waiting:
        name = waiting.pop()
        if name in texts and name not in found:
            found[name] = texts[name]
            waiting += _imported(texts[name])
    return found


def _module_name(path: Path) -> str:
    """Name of a module below the package: "core.tree.arena"."""
    return ".".join(path.relative_to(PACKAGE).with_suffix("").parts)


def _imported(text: str) -> list[str]:
    """Return modules that a file imports, and some that are none: "core.types" of "from sokoviz.core.types import"."""
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
KEYED = frozenset(f"sokoviz.{name}" for name in kernel_sources())
"""the modules whose text is in the folder's name"""


# --- what is in it ---------------------------------------------------------------------------------------------------


class Store:
    """What is kept of one kernel: a file for each kind ("draft" or "code") and types of arguments.

    A kernel of this package is found by its name alone, because its source is known to be the same.

    Parameters
    ----------
    function
        The kernel as Python knows it.
    processor
        What numba calls the processor that machine code is made for.
    """

    def __init__(self, function: Callable[..., Any], processor: tuple[str, ...]) -> None:
        self._is_ours = function.__module__.startswith("sokoviz.")
        if self._is_ours and function.__module__ not in KEYED:
            place = function.__module__
            message = f"expected kernels in modules that are in the key of the cache, found one in {place}"
            raise ImportError(message)
        self._name = f"{function.__module__}.{function.__qualname__}"
        self._processor = processor

    def read(self, kind: str, arguments: Sequence[Any]) -> Any:
        """Return what was written, None where that is nothing."""
        if not self._is_ours:
            return None
        try:
            with self._path(kind, arguments).open("rb") as file:
                pickle.load(file)  # noqa: S301  the user's own folder; this skips the head
                return pickle.load(file)  # noqa: S301  likewise
        except UNREADABLE:
            return None

    def write(self, kind: str, arguments: Sequence[Any], content: Any) -> None:
        """Keep something; where that cannot be, a full disk say, it is compiled again next time."""
        if not self._is_ours:
            return
        with suppress(OSError):
            FOLDER.mkdir(parents=True, exist_ok=True)
            with tempfile.NamedTemporaryFile(dir=FOLDER, suffix=".new", delete=False) as file:
                file.write(pickle.dumps((self._processor, _class_names(arguments))))
                file.write(dumps(content))
            Path(file.name).replace(self._path(kind, arguments))

    def holds(self, classes: Sequence[type]) -> bool:
        """Return whether there is machine code for this processor and for named tuples of all of some classes."""
        wanted = {f"{cls.__module__}.{cls.__qualname__}" for cls in classes}
        for path in FOLDER.glob(f"{self._name}-*.code"):
            with suppress(*UNREADABLE), path.open("rb") as file:
                processor, names = pickle.load(file)  # noqa: S301  the user's own folder
                if processor == self._processor and wanted <= set(names):
                    return True
        return False

    @contextmanager
    def alone(self, kind: str, arguments: Sequence[Any]) -> Iterator[None]:
        """Keep other processes from making the same thing meanwhile; wait for one that is making it."""
        place = int.from_bytes(hashlib.sha256(str(self._path(kind, arguments)).encode()).digest()[:7], "big")
        file = _lock_file(os.getpid()) if self._is_ours else None
        if file is None:
            yield
            return
        with suppress(OSError):  # a folder without locks, on a network say: then both make it
            fcntl.lockf(file, fcntl.LOCK_EX, 1, place)
        try:
            yield
        finally:
            with suppress(OSError):
                fcntl.lockf(file, fcntl.LOCK_UN, 1, place)

    def piece(self, kind: str, arguments: Sequence[Any]) -> str:
        """What is kept for some types of arguments, by a name that is the same on all machines.

        Named tuples count by their class, so a field more does not change the name.
        """
        return f"{self._name}-{_digest(' '.join(map(_plain_name, arguments)))[:8]}.{kind}"

    def _path(self, kind: str, arguments: Sequence[Any]) -> Path:
        """Name of the file for some types of arguments."""
        text = f"{arguments} {_class_names(arguments)} {self._processor}"
        name = self.piece(kind, arguments).removesuffix(f".{kind}")
        return FOLDER / f"{name}-{_digest(text)[:16]}.{kind}"


def pieces_kept() -> set[str]:
    """Return the names of all pieces that are kept, see `Store.piece`."""
    with suppress(OSError):
        parts = (path.name.rpartition("-") for path in FOLDER.iterdir())
        return {f"{piece}.{rest.rpartition('.')[2]}" for piece, _, rest in parts if piece}
    return set()


@cache
def _lock_file(process: int) -> int | None:
    """One file for all locks of a process, whose number it is told because a fork must not share it."""
    del process
    if fcntl is None:
        return None
    try:
        FOLDER.mkdir(parents=True, exist_ok=True)
        return os.open(FOLDER / "locks", os.O_RDWR | os.O_CREAT, 0o600)
    except OSError:
        return None


def _digest(text: str) -> str:
    """A short name for a long text."""
    return hashlib.sha256(text.encode()).hexdigest()


def _plain_name(argument: Any) -> str:
    """A type without the fields of a named tuple."""
    return _class_names([argument])[0] if _classes_of([argument]) else str(argument)


def _class_names(arguments: Sequence[Any]) -> tuple[str, ...]:
    """Full names of the classes of named tuples among some types; numba's own names leave out the module."""
    return tuple(f"{cls.__module__}.{cls.__qualname__}" for cls in _classes_of(arguments))


def is_foreign(arguments: Sequence[Any]) -> bool:
    """Whether an argument is a named tuple whose class is defined outside this package."""
    return any(cls.__module__.split(".")[0] != "sokoviz" for cls in _classes_of(arguments))


def _classes_of(arguments: Sequence[Any]) -> list[type]:
    """Return the classes of named tuples, by value or by address, among some types of arguments."""
    classes = (getattr(argument, "instance_class", None) for argument in arguments)
    return [cls for cls in classes if cls is not None]
