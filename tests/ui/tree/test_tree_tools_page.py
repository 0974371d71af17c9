"""What pointers, keys and tools around a tree in a plain page do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import pytest

from tests.ui.parts import PlainTree
from tests.ui.tree.trees import TERMINAL, small_frame

if TYPE_CHECKING:
    from pathlib import Path

    from tests.ui.parts import PartPage

EVIL = "<img src=x onerror=alert(1)><b>&amp;"


# --- pointing -------------------------------------------------------------------------------------------------------


def test_a_click_on_a_node_selects_it(shared: PartPage) -> None:
    tree = PlainTree(shared, small_frame(flags=[0, 0, TERMINAL, 0, 0], ids=[10, 11, 12, 13, 14]), traits={"node": 10})
    tree.click_at(tree.centers()[3])
    tree.click_at(tree.centers("ends")[0])
    assert tree.sent() == [{"kind": "select", "node": 14}, {"kind": "select", "node": 12}]


def test_hover_shows_the_numbers_of_a_node(tree: PlainTree) -> None:
    def tip(node: int) -> list[str]:
        tree.page.mouse.move(5, 5)
        tree.page.mouse.move(*tree.centers()[node], steps=2)
        tree.page.locator(".sokoviz-tip").wait_for()
        return tree.page.locator(".sokoviz-tip").inner_text().split()

    assert tip(3) == ["node", "3", "·", "Ad", "visits", "3", "value", "0.500", "score", "2.125"]
    assert tip(2) == ["node", "2", "·", "Ac", "visits", "2", "value", "−1.000", "score", "−0.500"]
    assert tip(4) == ["node", "4", "·", "Ae", "visits", "0", "value", "–", "score", "∞"]
    assert tip(0) == ["node", "0", "visits", "8", "value", "0.250"]
    tree.page.mouse.move(5, 5)
    tree.page.locator(".sokoviz-tip").wait_for(state="hidden")


def test_names_are_text_and_never_markup(shared: PartPage) -> None:
    changes = [{"node": 1, "before": EVIL, "after": EVIL, "passed": EVIL}]
    tail = {"node": 3, "moves": 1, "outcome": EVIL, "reward": 1}
    frame = small_frame(actions=["", *[EVIL] * 4], labels=[[2, EVIL], [1, EVIL]], changes=changes, tail=tail)
    shared.page.set_viewport_size({"width": 1300, "height": 720})
    tree = PlainTree(shared, frame, width=1200)
    tree.page.mouse.move(*tree.centers()[2])
    tree.page.locator(".sokoviz-tip").wait_for()
    assert EVIL in tree.page.locator(".sokoviz-tip").inner_text()
    assert tree.texts("pills") == [f"{EVIL} +1"]
    assert tree.texts("labels") == [f"{EVIL}  {EVIL} → {EVIL}  {EVIL}", EVIL]
    assert tree.page.locator("img").count() == 0


def test_text_that_looks_like_a_formula_stays_text(shared: PartPage) -> None:
    tree = PlainTree(shared)
    tree.page.evaluate("() => { globalThis.MathJax = new Proxy({}, {get() { throw new Error('asked'); }}); }")
    tree.draw(small_frame(labels=[[1, "$x^2$"]]))
    assert tree.texts("labels") == ["$x^2$"]
    tree.page.evaluate("() => { delete globalThis.MathJax; }")


# --- tools ----------------------------------------------------------------------------------------------------------


def test_the_tools_say_how_much_is_drawn(shared: PartPage) -> None:
    tree = PlainTree(shared, small_frame(n_nodes=10431))
    assert tree.page.get_by_text("5 of 10,431 nodes", exact=True).count() == 1


def test_find_sends_what_is_typed(tree: PlainTree) -> None:
    field = tree.page.get_by_label("Find node", exact=True)
    field.press("Enter")
    field.fill(" 37 ")
    field.press("Enter")
    assert tree.sent() == [{"kind": "find", "text": "37"}]


def test_filters_set_their_traits(tree: PlainTree) -> None:
    depth, visits = tree.page.get_by_label("Deepest shown"), tree.page.get_by_label("Fewest visits shown")
    depth.fill("3")
    depth.press("Enter")
    visits.fill("20")
    visits.press("Tab")
    depth.fill("")
    depth.press("Tab")
    assert tree.page.evaluate("() => model.assigned") == [["max_depth", 3], ["min_visits", 20], ["max_depth", 0]]
    tree.show(min_visits=7)
    assert visits.input_value() == "7"


def test_the_legend_tells_the_range_of_values(shared: PartPage) -> None:
    tree = PlainTree(shared, small_frame(value_range=[-6.8, 12.25]))
    assert tree.page.get_by_role("note").inner_text().split() == ["−6.8", "value", "12.25"]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_tree_is_saved_as_svg(shared: PartPage, tmp_path: Path, scheme: Literal["light", "dark"]) -> None:
    frame = small_frame(hidden=[0, 0, 4, 0, 0], labels=[[1, EVIL]], n_nodes=9)
    shared.page.emulate_media(color_scheme=scheme)
    tree = PlainTree(shared, frame)
    with tree.page.expect_download() as saved:
        tree.button("Save SVG").click()
    assert saved.value.suggested_filename == "tree-9-nodes.svg"
    saved.value.save_as(tmp_path / "tree.svg")
    text = (tmp_path / "tree.svg").read_text()
    assert text.count('class="point"') == 7
    assert "+4" in text
    assert "value" in text
    assert "<img" not in text
    assert tree.color("paper") in text


def test_the_tree_is_saved_as_png(tree: PlainTree, tmp_path: Path) -> None:
    with tree.page.expect_download() as saved:
        tree.button("Save PNG").click()
    saved.value.save_as(tmp_path / "tree.png")
    data = (tmp_path / "tree.png").read_bytes()
    box = tree.figure().bounding_box()
    assert box
    assert data.startswith(b"\x89PNG")
    assert int.from_bytes(data[16:20], "big") == round(2 * box["width"])
    assert len(data) > 8000


# --- keys -----------------------------------------------------------------------------------------------------------


def test_arrows_select_relatives(tree: PlainTree) -> None:
    tree.figure().focus()
    for key, node in (
        ("ArrowDown", 1),
        ("PageDown", 2),
        ("PageUp", 1),
        ("ArrowDown", 3),
        ("ArrowUp", 1),
        ("ArrowUp", 0),
    ):
        tree.page.keyboard.press(key)
        assert tree.sent() == [{"kind": "select", "node": node}], key
        tree.show(node=node)
    for key in ("ArrowUp", "PageUp", "PageDown"):
        tree.page.keyboard.press(key)
    assert tree.sent() == []


def test_arrows_go_on_before_the_answer_has_come(tree: PlainTree) -> None:
    tree.figure().focus()
    tree.page.keyboard.press("ArrowDown")
    tree.page.keyboard.press("ArrowDown")
    assert [message["node"] for message in tree.sent()] == [1, 3]


def test_enter_unfolds_the_selected_node(shared: PartPage) -> None:
    tree = PlainTree(shared, small_frame(hidden=[0, 0, 5, 0, 0]), traits={"node": 2})
    tree.figure().press("Enter")
    assert tree.sent() == [{"kind": "unfold", "node": 2}]


def test_keys_of_the_tree_stay_in_it_and_others_go_on(tree: PlainTree) -> None:
    tree.page.evaluate(
        "() => { globalThis.heard = []; document.addEventListener('keydown', (e) => heard.push(e.key)); }"
    )
    tree.figure().focus()
    for key in ("ArrowDown", "ArrowLeft", "Shift+ArrowRight", "b"):
        tree.page.keyboard.press(key)
    assert tree.page.evaluate("() => heard.filter((key) => key !== 'Shift')") == ["ArrowLeft", "ArrowRight", "b"]
    assert tree.figure().get_attribute("data-lm-suppress-shortcuts") == "true"


def test_the_tree_is_described_and_selected_nodes_are_spoken(tree: PlainTree) -> None:
    label = tree.figure().get_attribute("aria-label") or ""
    assert "5 of 5 nodes" in label
    assert "3 levels" in label
    tree.figure().press("ArrowDown")
    spoken = tree.page.locator(".sokoviz-unseen").inner_text()
    assert spoken == "node 1 · Ab, depth 1, visits 5, value 0.800, score 1.250"
