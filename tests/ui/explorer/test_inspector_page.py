"""The inspector in a plain page: the terms of each child's score, and what another exploration constant changes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.ui.explorer.explorers import UCT_B2, VALUES_B1, PlainExplorer, child

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

    PageWith = Callable[..., Page]


@pytest.fixture
def explorer(page_with: PageWith) -> PlainExplorer:
    """An explorer that shows tables B.1 and B.2 of the thesis."""
    return PlainExplorer(page_with)


def bar(explorer: PlainExplorer, row: int, term: str) -> tuple[float, float]:
    """Ends of a bar, as shares of the column."""
    return tuple(
        explorer.page.locator(f"tbody tr:nth-child({row}) .sokoviz-bars .sokoviz-bar-{term}").evaluate(
            """bar => { const [inner, outer] = [bar, bar.parentNode].map((each) => each.getBoundingClientRect());
              return [inner.left, inner.right].map((x) => (x - outer.left) / outer.width); }"""
        )
    )


# --- the table ----------------------------------------------------------------------------------------------------


def test_table_b2_is_shown(explorer: PlainExplorer) -> None:
    assert explorer.column("child") == [str(node) for node in range(1, 10)]
    assert explorer.column("UCT") == list(UCT_B2)
    assert explorer.column("exploration") == ["4.29"] * 9
    assert explorer.column("value") == [f"{value:.2f}".replace("-", "−") for value in VALUES_B1]


def test_the_line_above_says_whose_children_these_are(explorer: PlainExplorer) -> None:
    line = explorer.page.locator(".sokoviz-inspector-line").first
    assert line.inner_text().split("\n") == ["Children of node 0", "visited 10 times · 3, 4 and 7 tie"]
    explorer.show(children={"visits": 1, "note": ""})
    assert line.inner_text().endswith("visited 1 time")
    explorer.show(children={"visits": 0})
    assert line.inner_text().endswith("never visited")
    assert explorer.page.get_by_text("value + c · √(2 ln 10 / n)", exact=True).count() == 1


def test_the_chosen_child_is_marked(explorer: PlainExplorer) -> None:
    marked = explorer.page.locator("tbody tr[aria-current=true]")
    assert marked.locator("td").first.inner_text() == "3"
    assert "◀" in marked.locator("td").first.evaluate("cell => getComputedStyle(cell, '::after').content")
    explorer.show(children={"marked": None})
    assert marked.count() == 0


@pytest.mark.clock
def test_a_marked_child_is_scrolled_to_and_the_page_stays(explorer: PlainExplorer) -> None:
    explorer.show(children={"marked": 9})
    explorer.painted()
    table = explorer.page.locator(".sokoviz-table").bounding_box()
    row = explorer.page.locator("tbody tr").nth(8).bounding_box()
    assert table
    assert row
    assert row["y"] + row["height"] <= table["y"] + table["height"] + 1
    explorer.show(children={"marked": 1})
    explorer.painted()
    head = explorer.page.locator("thead th").first.bounding_box()
    first = explorer.page.locator("tbody tr").first.bounding_box()
    assert head
    assert first
    assert first["y"] >= head["y"] + head["height"] - 1
    assert explorer.page.evaluate("() => scrollY") == 0


def test_unvisited_children_come_first_and_have_no_bars(explorer: PlainExplorer) -> None:
    explorer.show(children={"rows": [child(1, 1.0), child(2, None, None, 0)], "marked": 2})
    assert explorer.column("UCT") == ["5.29", "∞"]
    assert explorer.column("exploration") == ["4.29", "∞"]
    assert explorer.column("value") == ["1.00", "–"]
    assert not explorer.page.locator("tbody tr").nth(1).locator(".sokoviz-bar-exploration").is_visible()


def test_a_column_of_its_own_where_exploitation_is_not_the_value(explorer: PlainExplorer) -> None:
    heading = explorer.page.locator("th", has=explorer.page.get_by_role("button", name="exploitation", exact=True))
    assert not heading.is_visible()
    explorer.show(children={"rows": [{**child(1, 1.0), "exploitation": 0.25}]})
    assert heading.is_visible()
    assert explorer.column("exploitation") == ["0.25"]
    assert explorer.column("UCT") == ["4.54"]


@pytest.mark.parametrize("width", [1100, 900])
@pytest.mark.parametrize("changes", [{}, {"large_type": True}], ids=["usual type", "large type"])
def test_numbers_are_whole(page_with: PageWith, width: int, changes: dict[str, Any]) -> None:
    explorer = PlainExplorer(page_with, page_options={"size": (width, 900)}, **changes)
    rows = [{**child(10_000, -123.456, 61.7, 100_000), "action": "Dd→Ed"}]
    explorer.show(children={"rows": rows, "marked": 10_000})
    cut = explorer.page.locator("th:not(:last-child), td").evaluate_all(
        "all => all.filter((each) => each.scrollWidth > each.clientWidth).map((each) => each.textContent)"
    )
    assert cut == []


def test_a_leaf_has_no_rows(explorer: PlainExplorer) -> None:
    explorer.show(children={"rows": [], "title": "Node 7 has no children yet", "marked": None})
    assert explorer.page.locator("tbody tr").count() == 0
    explorer.slide("Exploration constant", 5)
    assert explorer.page.locator(".sokoviz-verdict").inner_text() == ""


# --- sorting ------------------------------------------------------------------------------------------------------


def test_columns_are_sorted_by_clicks(explorer: PlainExplorer) -> None:
    heading = explorer.page.get_by_role("columnheader", name="value", exact=True)
    assert heading.get_attribute("aria-sort") == "none"
    explorer.button("value").click()
    assert heading.get_attribute("aria-sort") == "descending"
    assert explorer.column("child") == ["3", "4", "7", "1", "6", "8", "2", "5", "9"]
    explorer.button("value").click()
    assert heading.get_attribute("aria-sort") == "ascending"
    assert explorer.column("child") == ["2", "5", "9", "1", "6", "8", "3", "4", "7"]
    explorer.button("value").click()
    assert heading.get_attribute("aria-sort") == "none"
    assert explorer.column("child") == [str(node) for node in range(1, 10)]


def test_names_are_sorted_from_the_first_and_missing_numbers_come_last(explorer: PlainExplorer) -> None:
    explorer.show(children={"rows": [child(3, 0.5), child(2, None, None, 0), child(1, 0.75)]})
    explorer.button("move").click()
    assert explorer.column("move") == ["Aa", "Ba", "Ca"]
    for _ in range(2):
        explorer.button("value").click()
        assert explorer.column("value")[-1] == "–"
    explorer.button("UCT").click()
    assert explorer.column("UCT")[0] == "∞"


def test_a_sorting_stays_when_the_numbers_change(explorer: PlainExplorer) -> None:
    explorer.button("visits").click()
    explorer.show(children={"rows": [child(1, 0, visits=2), child(2, 0, visits=9), child(3, 0, visits=5)]})
    assert explorer.column("visits") == ["9", "5", "2"]


# --- rows ---------------------------------------------------------------------------------------------------------


def test_a_click_on_a_row_selects_its_node(explorer: PlainExplorer) -> None:
    explorer.page.locator("tbody tr").nth(3).click()
    assert explorer.sent() == [{"kind": "select", "node": 4}]


def test_rows_are_selected_by_keys_and_keep_the_focus_from_frame_to_frame(explorer: PlainExplorer) -> None:
    explorer.page.locator("tbody tr").first.focus()
    assert explorer.press("ArrowDown", "ArrowDown", "ArrowUp", "Enter") == [{"kind": "select", "node": 2}]
    explorer.show(children={"rows": [child(node, 0.5, visits=3) for node in range(1, 6)], "visits": 15})
    assert explorer.press(" ") == [{"kind": "select", "node": 2}]
    assert explorer.get("playing") is False


# --- bars ---------------------------------------------------------------------------------------------------------


def test_bars_of_exploitation_and_exploration_end_at_the_score(explorer: PlainExplorer) -> None:
    explorer.show(children={"rows": [child(1, 1.0, 0.5), child(2, 0.5, 0.25)]})
    assert bar(explorer, 1, "exploitation") == pytest.approx((0, 0.5), abs=0.01)
    assert bar(explorer, 1, "exploration") == pytest.approx((0.5, 1), abs=0.01)
    assert bar(explorer, 2, "exploration") == pytest.approx((0.25, 0.5), abs=0.01)


def test_a_zero_line_makes_negative_values_readable(explorer: PlainExplorer) -> None:
    explorer.show(children={"rows": [child(1, -1.0, 0.25), child(2, -0.5, 1.75)]})
    # The column spans -1 to 3, so that zero lies at a quarter.
    zero = {round(bar(explorer, row, "zero")[0], 2) for row in (1, 2)}
    assert zero == {0.25}
    assert bar(explorer, 1, "exploitation") == pytest.approx((0, 0.25), abs=0.01)
    assert bar(explorer, 1, "exploration") == pytest.approx((0, 0.125), abs=0.01)
    assert bar(explorer, 2, "exploration") == pytest.approx((0.125, 1), abs=0.01)
    heights = explorer.page.locator("tbody tr:first-child .sokoviz-bars i").evaluate_all(
        "all => all.map((each) => each.getBoundingClientRect().height)"
    )
    assert heights[2] < heights[1]


# --- another constant ---------------------------------------------------------------------------------------------


def test_the_constant_begins_where_the_search_has_it(explorer: PlainExplorer) -> None:
    slider = explorer.slider("Exploration constant")
    assert [slider.get_attribute(name) for name in ("min", "max", "step")] == ["0", "10", "0.1"]
    assert slider.input_value() == "2"
    explorer.show(about={"c": 8.0})
    assert (slider.get_attribute("max"), slider.input_value()) == ("32", "8")


def test_another_constant_changes_the_scores_in_the_page_alone(explorer: PlainExplorer) -> None:
    explorer.slide("Exploration constant", 0.5)
    assert explorer.column("exploration") == ["1.07"] * 9
    assert explorer.column("UCT") == [f"{value + 1.073:.2f}" for value in VALUES_B1]
    explorer.slide("Exploration constant", 0)
    assert explorer.column("UCT") == explorer.column("value")
    assert explorer.sent() == []


def test_who_would_win_is_said_and_marked(explorer: PlainExplorer) -> None:
    explorer.show(children={"rows": [child(6, 0.0, 2.0), child(7, 0.9, 0.5), child(8, 0.0, 2.1)], "marked": 8})
    verdict = explorer.page.locator(".sokoviz-verdict")
    assert verdict.inner_text() == ""
    explorer.slide("Exploration constant", 0.5)
    assert verdict.inner_text() == "with c = 0.5 node 7 would be chosen"
    winner = explorer.page.locator("tbody .sokoviz-winner td").first
    assert winner.inner_text() == "7"
    assert "◁" in winner.evaluate("cell => getComputedStyle(cell, '::after').content")
    assert explorer.page.locator("tbody tr[aria-current] td").first.inner_text() == "8"
    explorer.slide("Exploration constant", 3)
    assert verdict.inner_text() == "with c = 3 node 8 would be chosen"


def test_ties_under_another_constant_are_named(explorer: PlainExplorer) -> None:
    explorer.slide("Exploration constant", 1)
    verdict = explorer.page.locator(".sokoviz-verdict")
    assert verdict.inner_text() == "with c = 1 nodes 3, 4 and 7 would tie"
    explorer.show(children={"rows": [child(1, 1.0), child(2, None, None, 0)]})
    assert verdict.inner_text() == "with c = 1 node 2 (never visited) would be chosen"


def test_reset_brings_the_searchs_own_constant_back(explorer: PlainExplorer) -> None:
    reset = explorer.button("Reset exploration constant")
    assert reset.get_attribute("aria-disabled") == "true"
    explorer.slide("Exploration constant", 7)
    assert reset.get_attribute("aria-disabled") == "false"
    reset.click()
    assert explorer.column("UCT") == list(UCT_B2)
    assert explorer.slider("Exploration constant").input_value() == "2"
    assert explorer.page.locator("tbody .sokoviz-winner").count() == 0


def test_a_constant_between_the_steps_is_not_rounded(page_with: PageWith) -> None:
    explorer = PlainExplorer(page_with, about={"c": 1.414})
    assert explorer.page.locator(".sokoviz-constant").inner_text() == "1.414"
    assert explorer.column("exploration")[0] == "3.03"


def test_the_chosen_constant_stays_from_step_to_step(explorer: PlainExplorer) -> None:
    explorer.slide("Exploration constant", 0)
    explorer.show(children={"node": 4, "rows": [child(1, 0.25), child(2, -0.004)]})
    assert explorer.column("UCT") == ["0.25", "0.00"]
