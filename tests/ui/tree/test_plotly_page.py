"""How plotly.js comes into a plain page: once, from Python, and again where the request was lost."""

from __future__ import annotations

import base64
import gzip
from typing import TYPE_CHECKING

import pytest

from tests.ui.parts import PlainTree
from tests.ui.tree.trees import small_frame

if TYPE_CHECKING:
    from tests.ui.parts import PartPage

# --- loading plotly -------------------------------------------------------------------------------------------------


def test_plotly_is_asked_for_once_and_leaves_the_page_as_it_was(unloaded: PartPage) -> None:
    tree = PlainTree(unloaded, small_frame(), wait=False, n_views=2, width=420)
    tree.page.evaluate("""() => {
      globalThis.Plotly = "mine";
      globalThis.define = () => { throw new Error("defined"); };
      globalThis.define.amd = true;
    }""")
    assert tree.page.get_by_text("Loading the drawing library").count() == 2
    assert tree.page.get_by_text("5 of 5 nodes").count() == 2
    assert tree.sent() == [{"kind": "plotly"}]
    tree.answer_plotly()
    tree.wait_for_frame(1)
    assert tree.page.get_by_text("Loading the drawing library").locator("visible=true").count() == 0
    assert tree.page.evaluate("() => [Plotly, globalThis.moduleName, globalThis.module]") == ["mine", None, None]
    tree.page.evaluate("() => { cleanups[0](); cleanups[0] = mount(hosts[0], model); }")
    tree.wait_for_frame(1)
    assert tree.sent() == []


def test_when_the_one_who_asked_is_gone_another_asks(unloaded: PartPage) -> None:
    tree = PlainTree(unloaded, small_frame(), wait=False, n_views=2, width=420)
    tree.sent()
    tree.page.evaluate("() => cleanups[0]()")
    assert tree.sent() == [{"kind": "plotly"}]
    tree.answer_plotly()
    tree.page.wait_for_function("() => hosts[1].dataset.frame === '1'")
    assert len(tree.centers()) == 5


def test_a_lost_request_can_be_repeated(unloaded: PartPage) -> None:
    tree = PlainTree(unloaded, small_frame(), wait=False)
    tree.sent()
    retry = tree.button("Try again")
    retry.wait_for(timeout=15_000)
    assert tree.page.get_by_text("the kernel may be busy").count() == 1
    retry.click()
    assert tree.sent() == [{"kind": "plotly"}]
    tree.answer_plotly()
    tree.wait_for_frame(1)


def test_a_widget_that_comes_late_asks_again_by_itself(unloaded: PartPage) -> None:
    tree = PlainTree(unloaded, small_frame(), wait=False)
    tree.sent()
    tree.page.evaluate("() => { __sokovizPlotlyRequest.askedAt -= 60_000; mount(hosts[0], model); }")
    assert tree.sent() == [{"kind": "plotly"}]


@pytest.mark.parametrize("content", [b"throw new Error('torn')", b"var nothing = 1"])
def test_a_library_that_is_none_is_told_and_asked_for_again(unloaded: PartPage, content: bytes) -> None:
    tree = PlainTree(unloaded, small_frame(), wait=False)
    tree.sent()
    tree.answer_plotly(base64.b64encode(gzip.compress(content)).decode())
    tree.page.get_by_text("could not be loaded").wait_for()
    tree.button("Try again").click()
    assert tree.sent() == [{"kind": "plotly"}]
    tree.answer_plotly()
    tree.wait_for_frame(1)
    assert len(tree.centers()) == 5
