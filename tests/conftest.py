"""What all tests share."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import hypothesis
import pytest

CHECKOUT = Path(__file__).resolve().parent.parent

# "suite" draws the same examples in every run, so that a failure can be repeated; "search" looks for new ones:
# `HYPOTHESIS_PROFILE=search pytest ...`. No deadline in either: the first call of a kernel compiles it.
hypothesis.settings.register_profile("suite", derandomize=True, deadline=None, print_blob=True)
hypothesis.settings.register_profile("search", max_examples=2000, deadline=None, print_blob=True)
hypothesis.settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "suite"))


def pytest_configure() -> None:
    """Hear interrupts, of which some tests send themselves one, though a shell ignores them for what it runs behind."""
    if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark all of ``tests/core`` as kernel tests, which run a second time with bounds checking."""
    for item in items:
        if CHECKOUT / "tests" / "core" in item.path.parents:
            item.add_marker(pytest.mark.kernels)


@pytest.fixture(scope="session")
def checkout() -> Path:
    """The folder that holds ``pyproject.toml``."""
    return CHECKOUT


@pytest.fixture(scope="session")
def shared_levels() -> Path:
    """Published collections that are not in the repository: ``../shared/levels``, or SOKOVIZ_SHARED_LEVELS."""
    folder = Path(os.environ.get("SOKOVIZ_SHARED_LEVELS") or CHECKOUT.parent / "shared" / "levels")
    if not folder.is_dir():
        pytest.skip(f"no published collections in {folder} (SOKOVIZ_SHARED_LEVELS names another folder)")
    return folder


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """What an explorer shows a moment later is shown at once, even where browser tests left an event loop running."""
    monkeypatch.setattr("sokoviz.widgets.explorer.display.later", lambda _seconds, action: action())
