"""Where our own levels and notebooks are: inside an installed package, or beside the package in a checkout."""

from __future__ import annotations

from pathlib import Path

from sokoviz.errors import SokovizError

_PACKAGE = Path(__file__).resolve().parent


def levels_folder() -> Path:
    """The folder of our own level collections."""
    return _folder("levels")


def notebooks_folder() -> Path:
    """The folder of the lessons as they are shipped; `sokoviz lab` works on a copy."""
    return _folder("notebooks")


def _folder(name: str) -> Path:
    """A folder of data, whichever way the package is installed."""
    places = (_PACKAGE / "_data" / name, _PACKAGE.parent / name)
    for place in places:
        if place.is_dir():
            return place
    message = f"expected the folder {name} at {places[0]} or {places[1]}, found neither: sokoviz is not fully installed"
    raise SokovizError(message)
