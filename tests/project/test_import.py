"""`import sokoviz` and the command line's start load nothing heavy."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

import sokoviz

HEAVY = {
    "IPython",
    "anywidget",
    "ipywidgets",
    "jupyterlab",
    "networkx",
    "numba",
    "numpy",
    "plotly",
    "pooch",
    "requests",
}
REPORT = "import json, sys; print(json.dumps(sorted({name.split('.')[0] for name in sys.modules})))"


def _loaded_after(code: str) -> set[str]:
    """Names of all top-level modules that a new interpreter has loaded after some code."""
    answer = subprocess.run([sys.executable, "-c", f"{code}; {REPORT}"], capture_output=True, text=True, check=True)
    return set(json.loads(answer.stdout))


@pytest.mark.parametrize(
    "code",
    [
        "import sokoviz",
        "import sokoviz; sokoviz.Square, sokoviz.SokovizError, dir(sokoviz)",
        "from sokoviz.cli import make_parser; make_parser()",
    ],
)
def test_nothing_heavy_is_loaded(code: str) -> None:
    assert _loaded_after(code) & HEAVY == set()


def test_a_board_can_be_drawn_before_the_compiler_is_loaded() -> None:
    code = "import sokoviz; sokoviz.Level.parse('#####\\n#@$.#\\n#####').board().picture().to_svg()"
    assert "numba" not in _loaded_after(code)


def test_public_names_are_listed_once_and_exist() -> None:
    assert sorted(sokoviz.__all__) == sorted({*sokoviz._HOME_OF, "__version__"})
    assert {name for name in sokoviz.__all__ if not hasattr(sokoviz, name)} == set()


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="module 'sokoviz' has no attribute 'Bord'"):
        _ = sokoviz.Bord
