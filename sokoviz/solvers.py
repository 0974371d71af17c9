"""The registry: all solvers by name, how each is made, and which of its options can be set by name.

Whoever wants a solver asks here, by its name or by that of a class of people's own, "module:Class".
"""

from __future__ import annotations

import importlib
import sys
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sokoviz.errors import SearchError
from sokoviz.search.options import hint_at

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from sokoviz.learn.curry import Curry
    from sokoviz.levels import Level
    from sokoviz.search.breadth.search import BFS
    from sokoviz.search.ida.search import IDA
    from sokoviz.search.mcts.schokoban import SokobanSearch
    from sokoviz.search.plain.search import PlainSearch

YES, NO = ("true", "yes", "on", "1"), ("false", "no", "off", "0")

WORD, NUMBER, FLAG, NAMES = "word", "number", "flag", "names"
PUSHING_OPTIONS = {"preset": WORD, "c": NUMBER, "selection": WORD, "deadlocks": NAMES, "late": FLAG}
PUSHING_OPTIONS |= {
    "remembered": FLAG,
    "stall": FLAG,
    "distance": WORD,
    "inward": FLAG,
    "areas": FLAG,
    "memory": NUMBER,
}


@dataclass(frozen=True)
class Solver:
    """A solver by its name."""

    make: Callable[..., Any]
    """takes a level, a seed and options by name; those of a search also whether to keep a `journal`"""
    presets: tuple[str, ...]
    kinds: dict[str, str]
    """options by name, and what their values are"""
    home: str
    """name of the module that defines it"""
    has_steps: bool = True
    """whether it can be stepped through; else it has heatmaps"""

    def read_options(self, texts: Iterable[str]) -> dict[str, Any]:
        """Return options out of KEY=VALUE; a later one of the same key holds.

        Raises
        ------
        SearchError
            If a key is unknown, or its value of the wrong kind.
        """
        chosen: dict[str, Any] = {}
        for text in texts:
            key, sign, value = text.partition("=")
            if not sign:
                message = f"expected --set KEY=VALUE, found {text!r}"
                raise SearchError(message)
            if key not in self.kinds:
                known = ", ".join(self.kinds)
                message = f"expected --set with a key out of {known}; found {key!r}{hint_at(key, self.kinds)}"
                raise SearchError(message)
            chosen[key] = _READERS[self.kinds[key]](key, value)
        return chosen


def find_solver(name: str) -> Solver:
    """Return a solver by its name, or a search of people's own by "module:Class".

    Raises
    ------
    SearchError
        If there is none of that name.
    """
    if ":" in name:
        return _solver_of_your_own(name)
    solvers = all_solvers()
    if name not in solvers:
        known = ", ".join(sorted(solvers))
        message = f"expected a solver out of {known}, or module:Class; found {name!r}{hint_at(name, solvers)}"
        raise SearchError(message)
    return solvers[name]


def _solver_of_your_own(name: str) -> Solver:
    """A search by the names of its module and class; modules of the folder at hand are found, too."""
    module, _, kind = name.partition(":")
    here = str(Path.cwd())
    sys.path.insert(0, here)
    try:
        imported = importlib.import_module(module)
    except Exception as error:  # a module of people's own may fail in any way
        message = f"expected a module that can be imported before the colon, found {name!r}: {error!r}"
        raise SearchError(message) from error
    finally:
        sys.path.remove(here)
    found = getattr(imported, kind, None)
    if found is None:
        message = f"expected a class of the module {module} after the colon, found {name!r}"
        raise SearchError(message)
    from sokoviz.search.plain.search import PlainSearch

    if not (isinstance(found, type) and issubclass(found, PlainSearch)):
        message = f"expected a class under sokoviz.PlainSearch, found {name!r}, which is {found!r}"
        raise SearchError(message)
    return Solver(_maker_of_your_own(found), (), _kinds_of(found.Options), module)


def _maker_of_your_own(kind: type[PlainSearch]) -> Callable[..., Any]:
    """Makes a search in plain Python, which always keeps its record."""

    def make(level: Level, *, journal: bool = True, **options: Any) -> PlainSearch:  # noqa: ARG001
        return kind(level, **options)

    return make


def all_solvers() -> dict[str, Solver]:
    """Return the solvers by their names."""
    from sokoviz.learn import options as learning
    from sokoviz.search.breadth.search import Options as BreadthOptions
    from sokoviz.search.ida import options as deepening
    from sokoviz.search.mcts.schokoban import PRESETS, SOLVERS

    home = "sokoviz.search.mcts.schokoban"
    pushing = {name: Solver(_maker_of(name), tuple(PRESETS), PUSHING_OPTIONS, home) for name in SOLVERS}
    curry = {"preset": WORD, "file": WORD, **_kinds_of(learning.Options)}
    ida = {"preset": WORD, **_kinds_of(deepening.Options)}
    return {
        **pushing,
        "bfs": Solver(_make_breadth, (), _kinds_of(BreadthOptions), "sokoviz.search.breadth.search"),
        "curry": Solver(_make_curry, tuple(learning.PRESETS), curry, "sokoviz.learn.curry", has_steps=False),
        "ida": Solver(_make_ida, tuple(deepening.PRESETS), ida, "sokoviz.search.ida.search"),
    }


def _kinds_of(options: type) -> dict[str, str]:
    """The options of a class by name, and what their values are; the seed is given by itself."""
    kind_of = {"int": NUMBER, "int | None": NUMBER, "float": NUMBER, "bool": FLAG, "tuple[str, ...]": NAMES}
    kind_of |= {"str": WORD, "tuple": NAMES}
    left_out = {"seed", "journal", "record_memory"}
    types = {field.name: getattr(field.type, "__name__", str(field.type)) for field in fields(options)}
    return {name: kind_of.get(kind, WORD) for name, kind in types.items() if name not in left_out}


def _maker_of(name: str) -> Callable[..., Any]:
    """Makes a search that writes nothing down, unless somebody will look back."""
    from sokoviz.search.mcts.schokoban import SOLVERS

    def make(level: Level, *, journal: bool = False, **options: Any) -> SokobanSearch:
        return SOLVERS[name](level, journal=journal, **options)

    return make


def _make_curry(level: Level, **options: Any) -> Curry:
    """A learner."""
    from sokoviz.learn import curry

    return curry.Curry(level, **options)


def _make_ida(level: Level, *, journal: bool = False, **options: Any) -> IDA:
    """Iterative deepening that writes nothing down, unless somebody will look back."""
    from sokoviz.search.ida.search import IDA

    return IDA(level, journal=journal, **options)


def _make_breadth(level: Level, *, journal: bool = False, **options: Any) -> BFS:
    """Breadth-first search that writes nothing down, unless somebody will look back."""
    from sokoviz.search.breadth.search import BFS

    return BFS(level, journal=journal, **options)


def _read_names(_key: str, value: str) -> tuple[str, ...]:
    """Names parted by commas."""
    return tuple(name.strip() for name in value.split(",") if name.strip())


def _read_flag(key: str, value: str) -> bool:
    """Yes or no."""
    if value.lower() not in (*YES, *NO):
        message = f"expected {key}=true or {key}=false, found {value!r}"
        raise SearchError(message)
    return value.lower() in YES


def _read_number(key: str, value: str) -> float:
    """A number; a whole one where it is one."""
    try:
        number = float(value)
    except ValueError:
        message = f"expected a number as {key}, found {value!r}"
        raise SearchError(message) from None
    return int(number) if number.is_integer() else number


_READERS: dict[str, Callable[[str, str], Any]] = {
    WORD: lambda _key, value: value,
    NUMBER: _read_number,
    FLAG: _read_flag,
    NAMES: _read_names,
}
