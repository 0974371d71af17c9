"""What a page loads: the ES modules in ``static`` as one, the style sheets, and the drawing library.

A widget is loaded as a single module without a place, hence the joining.

There is no bundler: each file stays a module that a browser can load as it is. A joined module is a function that is
called once and returns what the file exports.
"""

from __future__ import annotations

import gzip
import importlib.util
import re
from functools import cache
from pathlib import Path

from sokoviz.errors import SokovizError
from sokoviz.svg.style import STATIC, colors

_IMPORT = re.compile(r'^import \{([^}]*)\} from "\.[./\w]*/(\w+)\.js";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:function|class|const) (\w+))", re.MULTILINE)


@cache
def join_modules(entry: str) -> str:
    """Return one module that is as good as the file named `entry` and everything it imports.

    Parameters
    ----------
    entry
        Name of a file in ``static``, without ``.js``; its default export is kept.
    """
    joined = "".join(_as_function(name) for name in _imported(entry))
    return joined + _IMPORT.sub(_as_constant, _source(entry))


def _source(name: str) -> str:
    """Text of a module."""
    return _find(f"{name}.js").read_text(encoding="utf-8")


def _find(name: str) -> Path:
    """Where a file is: names are unique over all folders of ``static``."""
    (path,) = STATIC.rglob(name)
    return path


def _imported(entry: str) -> list[str]:
    """Modules that one needs, each after those that it needs itself."""
    order: list[str] = []
    for _, name in _IMPORT.findall(_source(entry)):
        order += [each for each in (*_imported(name), name) if each not in order]
    return order


def _as_function(name: str) -> str:
    """A module as a constant: what a function with the module's text in it returns."""
    source = _source(name)
    exported = ", ".join(_EXPORT.findall(source))
    body = _EXPORT.sub("", _IMPORT.sub(_as_constant, source))
    return f"const module_{name} = (() => {{\n{body}\nreturn {{ {exported} }};\n}})();\n"


def _as_constant(match: re.Match[str]) -> str:
    """An import as names taken out of such a constant."""
    names = re.sub(r"(\w+) as (\w+)", r"\1: \2", match[1])
    return f"const {{{names}}} = module_{match[2]};\n"


@cache
def join_styles(*names: str) -> str:
    """Return style sheets of ``static`` as one, the colours first.

    Parameters
    ----------
    names
        Names of files, without ``.css``.
    """
    return _color_variables() + "".join(_find(f"{name}.css").read_text(encoding="utf-8") for name in names)


def _color_variables() -> str:
    """Colours as variables: the notebook's theme decides, and the reader's preference where there is no notebook."""
    light, dark = (
        "".join(f"--sokoviz-{name}:{values[theme]};" for name, values in colors().items()) for theme in (0, 1)
    )
    return (
        f".sokoviz{{color-scheme:light;{light}}}\n"
        f'[data-jp-theme-light="false"] .sokoviz, .vscode-dark .sokoviz{{color-scheme:dark;{dark}}}\n'
        "@media (prefers-color-scheme: dark){"
        f"body:not([data-jp-theme-light], .vscode-light) .sokoviz{{color-scheme:dark;{dark}}}}}\n"
    )


@cache
def plotly_bundle(compresslevel: int = 1) -> bytes:
    """Return plotly.js, gzipped, out of the installed package; importing that would take seconds.

    Parameters
    ----------
    compresslevel
        From 1, fast, to 9, small.
    """
    spec = importlib.util.find_spec("plotly")
    if spec is None or not spec.submodule_search_locations:
        message = "expected the package plotly, found none"
        raise SokovizError(message)
    path = Path(spec.submodule_search_locations[0]) / "package_data" / "plotly.min.js"
    return gzip.compress(path.read_bytes(), compresslevel, mtime=0)
