"""Find a Chromium that Playwright can drive. ``python -m tests.ui.chromium`` tells whether there is one."""

from __future__ import annotations

import os
import shutil
import sys

from playwright.sync_api import Browser, BrowserType, Error, sync_playwright

COMMANDS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")

# Tests run as root on small machines without a graphics card, and must not wait for hosts that they cannot reach.
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


def launch(browser_type: BrowserType) -> Browser | None:
    """The first Chromium that starts: the one that SOKOVIZ_CHROMIUM names, one on the PATH, or Playwright's own."""
    for program in _programs():
        try:
            return browser_type.launch(executable_path=program, args=FLAGS, timeout=60_000)
        except Error:
            # Ubuntu's chromium-browser, for one, is a stub that only asks for a snap package.
            continue
    return None


def _programs() -> list[str | None]:
    """Programs to try, None for Playwright's own."""
    named = os.environ.get("SOKOVIZ_CHROMIUM")
    return [named] if named else [*filter(None, map(shutil.which, COMMANDS)), None]


def main() -> int:
    """Start a Chromium and stop it again."""
    with sync_playwright() as playwright:
        browser = launch(playwright.chromium)
        if browser is None:
            return 1
        sys.stdout.write(f"Chromium {browser.version} is there.\n")
        browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
