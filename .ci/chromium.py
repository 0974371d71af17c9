"""Make sure that a Chromium is there for the browser tests: one that is installed, Debian's package, or a download."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import packages

CHECKOUT = Path(__file__).resolve().parent.parent

ADVICE = """\
sokoviz: expected a Chromium for the browser tests, found none that starts, and could not install one. This helps:
  Debian:    sudo apt install chromium libatomic1
  Ubuntu:    sudo apt install libatomic1; .venv/bin/python -m playwright install --with-deps chromium
  elsewhere: install Chromium or Google Chrome, and put it on the PATH or its path into SOKOVIZ_CHROMIUM
"""


def main() -> int:
    """Look for a browser, and try one way after the other to get one."""
    for get_one in (install_library, install_package, download):
        if is_there():
            return 0
        get_one()
    if is_there():
        return 0
    print(ADVICE, file=sys.stderr)
    return 1


def is_there() -> bool:
    """Whether the tests can start a browser."""
    command = [sys.executable, "-m", "tests.ui.chromium"]
    return subprocess.run(command, cwd=CHECKOUT, stderr=subprocess.DEVNULL, check=False).returncode == 0


def install_library() -> None:
    """Install what Playwright itself needs beyond a minimal Debian, if it does not start."""
    command = [sys.executable, "-m", "playwright", "--version"]
    if subprocess.run(command, capture_output=True, check=False).returncode != 0 and packages.can_install():
        packages.update()
        packages.install("libatomic1")


def install_package() -> None:
    """Install Debian's Chromium. Ubuntu's package of that name holds no program, only a hint at a snap."""
    if not packages.can_install():
        return
    if not packages.is_offered("chromium", depending_on="libc6"):
        packages.update()
    if packages.is_offered("chromium", depending_on="libc6"):
        packages.install("chromium")


def download() -> None:
    """Fetch Playwright's own Chromium, with the libraries that it needs where we may install them."""
    print("Downloading Playwright's Chromium ...", flush=True)
    libraries = ["--with-deps"] if packages.can_install() else []
    subprocess.run([sys.executable, "-m", "playwright", "install", *libraries, "chromium"], check=False)


if __name__ == "__main__":
    sys.exit(main())
