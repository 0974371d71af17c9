"""What all tests share."""

from __future__ import annotations

import asyncio
import os
import signal
from pathlib import Path
from typing import TYPE_CHECKING, Any

import hypothesis
import pytest

from tests.durations import Recorder, slow_tests

if TYPE_CHECKING:
    from collections.abc import Iterator

CHECKOUT = Path(__file__).resolve().parent.parent
CHECKED_SHARE = 5  # of the examples of a property, one in so many is tried again with bounds checking

# "suite" draws the same examples in every run, so that a failure can be repeated; "search" looks for new ones:
# `HYPOTHESIS_PROFILE=search pytest ...`. No deadline in either: the first call of a kernel compiles it.
hypothesis.settings.register_profile("suite", derandomize=True, deadline=None, print_blob=True)
hypothesis.settings.register_profile("search", max_examples=2000, deadline=None, print_blob=True)
hypothesis.settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "suite"))


def pytest_addoption(parser: pytest.Parser) -> None:
    """`make durations` asks for a record."""
    parser.addoption("--record-durations", action="store_true", help="write down how long each test takes")


def pytest_configure(config: pytest.Config) -> None:
    """Hear interrupts, of which some tests send themselves one, though a shell ignores them for what it runs behind."""
    if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if config.getoption("--record-durations") and not hasattr(config, "workerinput"):
        config.pluginmanager.register(Recorder())


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Give tests the marks that follow from where they stand, how long they take, and what they run against."""
    slow = slow_tests()
    for item in items:
        if CHECKOUT / "tests" / "core" in item.path.parents:
            item.add_marker(pytest.mark.kernels)
        if item.nodeid in slow:
            item.add_marker(pytest.mark.slow)
        if item.get_closest_marker("clock"):
            item.add_marker(pytest.mark.flaky(reruns=1))
    if os.environ.get("NUMBA_BOUNDSCHECK") == "1":
        _draw_fewer_examples({item.obj for item in items if isinstance(item, pytest.Function)})


def _draw_fewer_examples(tests: set[Any]) -> None:
    """Try properties with a fifth of their examples: with bounds checking they are tried a second time."""
    for test in tests:
        settings = getattr(test, "_hypothesis_internal_use_settings", None)
        if settings is not None:
            fewer = max(1, settings.max_examples // CHECKED_SHARE)
            test._hypothesis_internal_use_settings = hypothesis.settings(settings, max_examples=fewer)


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


@pytest.fixture(autouse=True)
def without_event_loop(request: pytest.FixtureRequest) -> Iterator[None]:
    """Hide the event loop that Playwright leaves running in a process that has driven a browser.

    Where no loop runs, widgets show at once what they else show a moment later; tests without a browser rely on that,
    whatever ran before them.
    """
    loop = asyncio._get_running_loop()
    if loop is None or request.node.get_closest_marker("browser"):
        yield
        return
    asyncio._set_running_loop(None)
    yield
    asyncio._set_running_loop(loop)
