"""Find a Chromium that Playwright can drive; as a script, install one where none is found.

Run by ``make test`` as ``python tests/ui/chromium.py``: exit status 0 means that the browser tests can run.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

from playwright.sync_api import Browser, BrowserType, Error, sync_playwright

COMMANDS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")

# Tests run as root on small machines without a graphics card, and must not wait for services that they cannot reach.
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",
)

ADVICE = """\
No Chromium was found that the browser tests can drive, and none could be installed. One of these helps:
  Debian:  sudo apt install chromium
  Ubuntu:  sudo .venv/bin/python -m playwright install --with-deps chromium
  anywhere: install Chromium or Google Chrome and put it on the PATH, or name its program in SOKOVIZ_CHROMIUM
"""


def launch(browser_type: BrowserType) -> Browser | None:
    """The first Chromium that starts: the one named in SOKOVIZ_CHROMIUM, one on the PATH, Playwright's own."""
    for program in _candidates():
        try:
            return browser_type.launch(executable_path=program, args=list(FLAGS), timeout=60_000)
        except Error:
            # Ubuntu's chromium-browser, for one, is a stub that only asks for a snap package.
            continue
    return None


def _candidates() -> list[str | None]:
    """Programs to try, None for Playwright's own."""
    named = os.environ.get("SOKOVIZ_CHROMIUM")
    if named:
        return [named]
    return [*filter(None, map(shutil.which, COMMANDS)), None]


def works() -> bool:
    """Whether a Chromium starts and runs a script."""
    with sync_playwright() as playwright:
        browser = launch(playwright.chromium)
        if browser is None:
            return False
        print(f"Chromium {browser.version} is there.")
        browser.close()
        return True


def install_package() -> None:
    """Install the distribution's Chromium, where there is one and we may."""
    become_root = _become_root()
    if become_root is None or shutil.which("apt-get") is None:
        return
    if not _has_package():
        _run([*become_root, "apt-get", "update", "-q"])
    if _has_package():
        print("Installing the package chromium ...")
        _run([*become_root, "apt-get", "install", "-q", "-y", "--no-install-recommends", "chromium"])


def _become_root() -> list[str] | None:
    """Words that make a command run as root, or None where that needs a password."""
    if os.geteuid() == 0:
        return []
    sudo = shutil.which("sudo")
    if sudo and subprocess.run([sudo, "-n", "true"], capture_output=True, check=False).returncode == 0:
        return [sudo, "-n"]
    return None


def _has_package() -> bool:
    """Whether apt offers Chromium itself: Ubuntu's package holds no program and needs snapd, not a C library."""
    command = ["apt-cache", "depends", "chromium"]
    answer = subprocess.run(command, capture_output=True, text=True, check=False)
    return answer.returncode == 0 and "libc6" in answer.stdout


def download() -> None:
    """Fetch Playwright's own Chromium, with the system libraries that it needs where they can be installed."""
    print("Downloading Playwright's Chromium ...")
    with_libraries = ["--with-deps"] if _become_root() is not None else []
    _run([sys.executable, "-m", "playwright", "install", *with_libraries, "chromium"])


def _run(command: list[str]) -> None:
    """Run a command; the next look for a browser tells whether it helped."""
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    subprocess.run(command, env=environment, check=False, stdin=subprocess.DEVNULL)


def main() -> int:
    """Make sure that a Chromium is there."""
    if works():
        return 0
    for step in (install_package, download):
        step()
        if works():
            return 0
    print(ADVICE, file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
