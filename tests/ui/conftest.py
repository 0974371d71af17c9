"""One Chromium and one JupyterLab for all browser tests; plain pages for parts that need no kernel."""

from __future__ import annotations

import mimetypes
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect, sync_playwright

import sokoviz
from sokoviz.widgets.base.modules import join_modules
from tests.ui import chromium
from tests.ui.jupyter import Lab, LabServer, WatchedPage

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from playwright.sync_api import Browser, Page, Route

    from tests.ui.parts import PartPage, PlainTree

STATIC = Path(sokoviz.__file__).parent / "widgets" / "static"
PLAIN_SITE = "http://127.0.0.1:1/"

# Several browsers share the processor, so a page may take its time; what never comes fails all the same.
expect.set_options(timeout=20_000)


# Tests of a group share a process, and so a browser and a server: those in JupyterLab in two halves, pages in thirds.
HEAVY_ROOMS = ("explorer", "tree")
ROOMS_WITH_BOARDS = ("heatmaps", "influence", "board")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark browser tests, and put them into five groups, which run beside each other."""
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.browser)
            item.add_marker(pytest.mark.xdist_group(_group_of(item)))


def _group_of(item: pytest.Item) -> str:
    """Which process a browser test runs in."""
    is_heavy = item.path.parent.name in HEAVY_ROOMS
    if {"lab", "desk", "shared_lab"} & set(getattr(item, "fixturenames", ())):
        return "explorers in JupyterLab" if is_heavy else "other widgets in JupyterLab"
    if item.path.parent.name in ROOMS_WITH_BOARDS:
        return "pages with boards"
    return "pages of searches" if is_heavy else "other pages"


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """One Chromium for the whole session."""
    with sync_playwright() as playwright:
        started = chromium.launch(playwright.chromium)
        if started is None:
            pytest.fail("no Chromium starts; `make test` installs one, SOKOVIZ_CHROMIUM names one")
        yield started
        started.close()


@pytest.fixture(scope="session")
def shared_lab(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    """One JupyterLab for the whole session; a test uses `lab`, which cleans up after it."""
    with LabServer(tmp_path_factory.mktemp("jupyter")) as server:
        yield Lab(server, browser)


@pytest.fixture
def lab(shared_lab: Lab) -> Iterator[Lab]:
    """JupyterLab, ready to ``open`` notebooks. Errors in the console and requests to the outside fail the test."""
    yield shared_lab
    assert shared_lab.close_pages() == []


@pytest.fixture(scope="module")
def desk(shared_lab: Lab) -> Iterator[Lab]:
    """JupyterLab, cleared up after all tests of a file: opening a notebook takes far longer than any of them."""
    yield shared_lab
    assert shared_lab.close_pages() == []


@pytest.fixture
def page_with(browser: Browser) -> Iterator[Callable[..., Page]]:
    """A function that opens a plain page with some of the widgets' modules, without JupyterLab and without a kernel.

    ``page_with(script, body="", styles=(), size=(960, 720), joined=True, **options)`` runs `script` as an ES module on
    a page with `body` in it; it may ``import {mount} from "/board/board.js"``, any file of ``widgets/static``. That
    comes with all that it imports in one piece, as notebooks get it; or as separate modules where not `joined`.
    `styles` names CSS files of that folder, `options` are those of a Playwright context (``reduced_motion="reduce"``).
    Errors in the console and requests to the outside fail the test.
    """
    opened: list[WatchedPage] = []

    def open_page(
        script: str,
        *,
        body: str = "",
        styles: tuple[str, ...] = (),
        size: tuple[int, int] = (960, 720),
        joined: bool = True,
        **options: Any,
    ) -> Page:
        context = browser.new_context(viewport={"width": size[0], "height": size[1]}, **options)
        context.route("**/*", lambda route: _serve(route, _document(script, body, styles), joined=joined))
        watched = WatchedPage(context.new_page())
        opened.append(watched)
        watched.page.goto(PLAIN_SITE)
        return watched.page

    yield open_page
    problems = [problem for watched in opened for problem in watched.problems]
    for watched in opened:
        watched.page.context.close()
    assert problems == []


@pytest.fixture(scope="session")
def session_page(browser: Browser) -> Iterator[PartPage]:
    """One plain page with plotly.js in it for the whole session; a test uses `shared`, which cleans up after it."""
    from tests.ui.parts import PartPage

    page = PartPage(browser)
    yield page
    page.close()


@pytest.fixture
def shared(session_page: PartPage) -> Iterator[PartPage]:
    """A page on which a part can be mounted at once, for plotly.js is there. Errors in the console fail the test."""
    session_page.renew()
    yield session_page
    session_page.check()


@pytest.fixture
def still(shared: PartPage) -> PartPage:
    """That page for those who want no motion."""
    shared.page.emulate_media(reduced_motion="reduce")
    return shared


@pytest.fixture
def tree(shared: PartPage) -> PlainTree:
    """A tree of five nodes."""
    from tests.ui.parts import PlainTree
    from tests.ui.tree.trees import small_frame

    return PlainTree(shared, small_frame())


@pytest.fixture
def unloaded(browser: Browser) -> Iterator[PartPage]:
    """A page of its own, without plotly.js."""
    from tests.ui.parts import PartPage

    page = PartPage(browser, loaded=False)
    page.renew()
    yield page
    page.check()
    page.close()


def _document(script: str, body: str, styles: tuple[str, ...]) -> str:
    """The page as HTML."""
    links = "".join(f'<link rel="stylesheet" href="/{name}">' for name in styles)
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>plain page</title>'
        f'<link rel="icon" href="data:,">{links}</head>'
        f'<body>{body}<script type="module">{script}</script></body></html>'
    )


def _serve(route: Route, document: str, *, joined: bool = False) -> None:
    """Answer a request of a plain page from the folder of static files; nothing listens at that address."""
    name = route.request.url.removeprefix(PLAIN_SITE)
    if name == "":
        route.fulfill(body=document, content_type="text/html; charset=utf-8")
    elif joined and name.endswith(".js"):
        route.fulfill(body=join_modules(Path(name).stem), content_type="text/javascript; charset=utf-8")
    elif (STATIC / name).is_file():
        route.fulfill(path=STATIC / name, content_type=mimetypes.guess_type(name)[0])
    else:
        route.abort()
