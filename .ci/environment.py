"""Create the virtual environment .venv and install this checkout into it, or do nothing where that is done.

Run by make as ``python3 .ci/environment.py [EXTRA]``, with the system's Python and nothing but its standard library.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
import subprocess
import sys
from pathlib import Path

import packages

OLDEST = (3, 11)
CHECKOUT = Path(__file__).resolve().parent.parent
FOLDER = CHECKOUT / ".venv"
PYTHON = FOLDER / "bin" / "python"
STAMP = FOLDER / "sokoviz-installed.json"


def main(extras: list[str]) -> int:
    """Bring the environment up to date and return the exit status."""
    if sys.version_info < OLDEST:
        found = "{}.{}".format(*sys.version_info)
        return fail(
            f"expected Python 3.11 or later, found {found}: install a newer one, then make PYTHON=python3.13 ..."
        )
    state, installed_extras = read_stamp()
    if state == current_state() and {*extras} <= {*installed_extras}:
        return 0
    if not is_usable():
        if not has_venv():
            return fail(f"expected Python's modules venv and ensurepip, found none: sudo apt install {venv_package()}")
        if not create():
            return fail("Python could not create .venv; its message is above")
    if not install(sorted({*extras, *installed_extras})):
        return fail("pip could not install sokoviz; its message is above")
    return 0


def fail(message: str) -> int:
    """Tell what is missing."""
    print(f"sokoviz: {message}", file=sys.stderr)
    return 1


def current_state() -> str:
    """What the environment depends on: the declared dependencies, the place of the checkout, the interpreter."""
    parts = [(CHECKOUT / "pyproject.toml").read_text(encoding="utf-8"), str(CHECKOUT), str(PYTHON.resolve())]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


def read_stamp() -> tuple[str, list[str]]:
    """The state at the last installation and the extras that were installed, empty where there was none."""
    try:
        stamp = json.loads(STAMP.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return "", []
    return stamp["state"], stamp["extras"]


def is_usable() -> bool:
    """Whether the environment is there, works, and is new enough."""
    check = f"import pip, sys; sys.exit(sys.version_info < {OLDEST})"
    try:
        return subprocess.run([str(PYTHON), "-c", check], capture_output=True, check=False).returncode == 0
    except OSError:
        return False


def has_venv() -> bool:
    """Whether Python can make environments. Debian keeps the means for that in a package of its own."""
    if importlib.util.find_spec("ensurepip") is None and packages.can_install():
        packages.update()
        packages.install(venv_package())
        importlib.invalidate_caches()
    return importlib.util.find_spec("ensurepip") is not None


def create() -> bool:
    """Make an empty environment."""
    print("Creating the virtual environment .venv ...", flush=True)
    command = [sys.executable, "-m", "venv", "--clear", str(FOLDER)]
    return subprocess.run(command, check=False).returncode == 0


def venv_package() -> str:
    """Debian's name of the package that holds venv."""
    return "python{}.{}-venv".format(*sys.version_info)


def install(extras: list[str]) -> bool:
    """Install the checkout, editable, so that its own levels and notebooks are used."""
    print("Installing sokoviz and what it needs into .venv (a minute or two) ...", flush=True)
    target = f".[{','.join(extras)}]" if extras else "."
    command = [str(PYTHON), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--editable", target]
    if subprocess.run(command, cwd=CHECKOUT, check=False).returncode != 0:
        return False
    STAMP.write_text(json.dumps({"state": current_state(), "extras": extras}), encoding="utf-8")
    return True


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
