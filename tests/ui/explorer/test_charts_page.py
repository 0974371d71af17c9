"""The charts in a plain page: one at a time, the present iteration marked, a click goes to an iteration."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from tests.ui.parts import PlainPart
from tests.ui.tree.trees import pack_charts

if TYPE_CHECKING:
    from playwright.sync_api import Locator

    from tests.ui.parts import PartPage

NAMES = {"Nodes made": "nodes", "Depth": "depth", "Root value": "root_value", "Root's children": "children"}
EVIL = "<img src=x onerror=alert(1)>"


def series(last: int = 100, n_samples: int = 101, actions: tuple[str, ...] = ("Aa", "Ba", "Ca")) -> dict[str, Any]:
    """A search whose tree grows by three nodes an iteration; of the root's children the second leads."""
    iterations = [round(sample * last / (n_samples - 1)) for sample in range(n_samples)]
    shares = [0.2, 0.5, *[0.3 / max(len(actions) - 2, 1)] * (len(actions) - 2)]
    return {
        "iterations": iterations,
        "nodes": [1 + 3 * iteration for iteration in iterations],
        "depth": [int(math.log2(1 + iteration)) for iteration in iterations],
        "root_value": [math.nan, *(0.5 - 1 / iteration for iteration in iterations[1:])],
        "children": [
            {"node": node + 1, "action": action, "visits": [int(shares[node] * i) for i in iterations]}
            for node, action in enumerate(actions)
        ],
    }


class PlainCharts(PlainPart):
    """Charts in a plain page."""

    def __init__(self, shared: PartPage, data: dict[str, Any] | None = None, **options: Any) -> None:
        charts = pack_charts(data) if data else {}
        values = {"charts": charts, "iteration": 25, "large_type": False, **options.pop("traits", {})}
        super().__init__(shared, "charts", values, **{"width": 360, **options})

    def tab(self, name: str) -> Locator:
        """The tab of this name."""
        return self.page.get_by_role("tab", name=name, exact=True)

    def choose(self, name: str) -> None:
        """Show a chart and wait until it is drawn."""
        self.tab(name).click()
        self.wait_for(name)

    def wait_for(self, name: str) -> None:
        """Wait until a chart is drawn."""
        self.page.locator(f".sokoviz-charts-stage[data-drawn={NAMES[name]}]").first.wait_for()

    def texts(self) -> list[str]:
        """All texts in the drawing."""
        return self.page.evaluate(  # type: ignore[no-any-return]
            "() => [...document.querySelectorAll('.sokoviz-charts-plot text')].map((text) => text.textContent.trim())"
        )

    def area(self) -> dict[str, float]:
        """Box of the lines, in pixels of the page."""
        return self.page.evaluate(  # type: ignore[no-any-return]
            """() => {
          const plot = document.querySelector(".sokoviz-charts-plot");
          const {l, t, w, h} = plot._fullLayout._size;
          const box = plot.getBoundingClientRect();
          return {x: box.left + l, y: box.top + t, width: w, height: h};
        }"""
        )

    def mark(self) -> float:
        """Where the present iteration is marked, as a share of the width."""
        box, area = self.page.locator(".sokoviz-charts-now").bounding_box(), self.area()
        assert box
        return (box["x"] + box["width"] / 2 - area["x"]) / area["width"]


@pytest.fixture
def charts(shared: PartPage) -> PlainCharts:
    """Charts of a hundred iterations, the first of them drawn."""
    made = PlainCharts(shared, series())
    made.wait_for("Nodes made")
    return made


@pytest.mark.parametrize(
    ("name", "axis", "n_lines"),
    [("Nodes made", "nodes", 1), ("Depth", "depth", 1), ("Root value", "value", 1), ("Root's children", "visits", 3)],
)
def test_each_tab_shows_its_chart(charts: PlainCharts, name: str, axis: str, n_lines: int) -> None:
    charts.choose(name)
    assert charts.page.locator(".sokoviz-charts-plot .js-line").count() == n_lines
    assert {"iteration", axis} <= set(charts.texts())
    expect(charts.page.get_by_role("tabpanel", name=name, exact=True)).to_be_visible()
    selected = [charts.tab(each).get_attribute("aria-selected") for each in NAMES]
    assert selected == [str(each == name).lower() for each in NAMES]
    label = charts.page.locator("[role=img]").get_attribute("aria-label") or ""
    assert label.startswith(f"{name} over 100 iterations")


def test_arrows_go_from_tab_to_tab(charts: PlainCharts) -> None:
    charts.tab("Nodes made").focus()
    charts.page.keyboard.press("ArrowLeft")
    charts.wait_for("Root's children")
    assert charts.page.evaluate("() => document.activeElement.textContent") == "Root's children"
    charts.page.keyboard.press("ArrowRight")
    charts.page.keyboard.press("ArrowRight")
    charts.wait_for("Depth")
    assert [charts.tab(name).get_attribute("tabindex") for name in NAMES] == ["-1", "0", "-1", "-1"]


def test_nothing_jumps_when_another_tab_is_chosen(charts: PlainCharts) -> None:
    before = [charts.tab(name).bounding_box() for name in NAMES]
    charts.choose("Root's children")
    assert [charts.tab(name).bounding_box() for name in NAMES] == before


@pytest.mark.clock
def test_the_present_iteration_is_marked_without_drawing_anew(charts: PlainCharts) -> None:
    assert charts.mark() == pytest.approx(0.25, abs=0.01)
    charts.page.wait_for_timeout(600)  # on a busy machine the first drawing may still be under way
    charts.count_reacts()
    charts.show(iteration=80)
    assert charts.mark() == pytest.approx(0.8, abs=0.01)
    charts.page.wait_for_timeout(400)
    assert charts.page.evaluate("() => reacts") == 0


@pytest.mark.clock
def test_new_data_are_drawn_once_for_many_changes(charts: PlainCharts) -> None:
    charts.count_reacts()
    data = [pack_charts(series(last)) for last in range(150, 200)]
    charts.page.evaluate("data => data.forEach((charts) => model.take({charts}))", data)
    charts.page.wait_for_function("() => reacts > 0")
    charts.page.wait_for_timeout(400)
    assert charts.page.evaluate("() => reacts") == 1
    assert charts.mark() == pytest.approx(25 / 199, abs=0.01)


def test_a_click_goes_to_that_iteration(charts: PlainCharts) -> None:
    area = charts.area()
    charts.page.mouse.click(area["x"] + 0.4 * area["width"], area["y"] + 20)
    charts.page.mouse.click(area["x"] + area["width"] - 1, area["y"] + 40)
    charts.page.mouse.click(area["x"] - 20, area["y"] + 40)
    assert charts.sent() == [{"kind": "goto", "iteration": 40}, {"kind": "goto", "iteration": 100}]


def test_a_click_goes_to_the_iteration_that_the_tip_names(shared: PartPage) -> None:
    charts = PlainCharts(shared, series(100_000, 301))
    charts.wait_for("Nodes made")
    area = charts.area()
    place = round(area["x"] + 0.5017 * area["width"]), round(area["y"] + 60)
    charts.page.mouse.move(*place)
    tip = charts.page.locator(".sokoviz-tip").inner_text()
    charts.page.mouse.click(*place)
    [message] = charts.sent()
    assert tip.startswith(f"iteration {message['iteration']:,} · ")


@pytest.mark.parametrize(
    ("name", "level", "tip"),
    [
        ("Nodes made", 0.5, "iteration 40 · 121 nodes made"),
        ("Depth", 0.5, "iteration 40 · depth 5"),
        ("Root value", 0.5, "iteration 40 · value 0.475"),
        ("Root's children", 0.05, "iteration 40 · Ba: 20 visits"),
        ("Root's children", 0.98, "iteration 40 · Aa: 8 visits"),
    ],
)
def test_hover_reads_a_chart_out(charts: PlainCharts, name: str, level: float, tip: str) -> None:
    charts.choose(name)
    area = charts.area()
    charts.page.mouse.move(area["x"] + 0.4 * area["width"], area["y"] + level * area["height"])
    assert charts.page.locator(".sokoviz-tip").inner_text() == tip
    charts.page.mouse.move(0, 0)
    expect(charts.page.locator(".sokoviz-tip")).to_be_hidden()


def test_lines_of_children_are_named_at_their_ends(shared: PartPage) -> None:
    charts = PlainCharts(shared, series(actions=tuple(f"A{letter}" for letter in "abcdefghi")))
    charts.choose("Root's children")
    assert "Ab" in charts.texts()
    boxes = charts.page.evaluate("""() => [...document.querySelectorAll(".sokoviz-charts-plot .textpoint text")]
      .map((text) => text.getBoundingClientRect()).map((box) => [box.top + 2, box.bottom - 2])""")
    assert len(boxes) >= 7
    assert all(one[1] <= other[0] for one, other in zip(sorted(boxes), sorted(boxes)[1:], strict=False))


def test_names_of_actions_are_text_and_never_markup(shared: PartPage) -> None:
    charts = PlainCharts(shared, series(actions=("Aa", EVIL)))
    charts.choose("Root's children")
    assert f"{EVIL[:13]}…" in charts.texts()
    area = charts.area()
    charts.page.mouse.move(area["x"] + area["width"], area["y"] + 5)
    assert charts.page.locator(".sokoviz-tip").inner_text() == f"iteration 100 · {EVIL}: 50 visits"
    assert charts.page.locator("img").count() == 0


@pytest.mark.parametrize("data", [None, series(1, 2)], ids=["nothing yet", "one iteration"])
def test_charts_begin_with_the_first_iteration(shared: PartPage, data: dict[str, Any] | None) -> None:
    charts = PlainCharts(shared, data, traits={"iteration": 0})
    note = charts.page.get_by_text("Charts begin with the first iteration.")
    if data:
        charts.wait_for("Nodes made")
        assert note.count() == 0
        return
    note.wait_for()
    charts.show(charts=pack_charts(series()))
    charts.wait_for("Nodes made")
    assert note.count() == 0


def test_the_theme_and_the_size_of_letters_are_followed(charts: PlainCharts) -> None:
    look = """() => { const text = document.querySelector(".sokoviz-charts-plot .xtick text");
      return [getComputedStyle(text).fill, text.getBoundingClientRect().height]; }"""
    light, small = charts.page.evaluate(look)
    charts.page.evaluate("() => { document.body.dataset.jpThemeLight = 'false'; }")
    charts.page.wait_for_function(f"light => ({look})()[0] !== light", arg=light)
    charts.show(large_type=True)
    charts.page.wait_for_function(f"small => ({look})()[1] > 1.2 * small", arg=small)


@pytest.mark.parametrize("width", [260, 360, 900])
def test_letters_can_be_read_at_every_width(shared: PartPage, width: int) -> None:
    charts = PlainCharts(shared, series(1_000_000), width=width)
    charts.wait_for("Nodes made")
    sizes = charts.page.evaluate("""() => [...document.querySelectorAll(".sokoviz text, .sokoviz button")]
      .map((element) => parseFloat(getComputedStyle(element).fontSize))""")
    assert min(sizes) >= 10.99
    title = charts.page.locator(".sokoviz-charts-plot .ytitle").bounding_box()
    tick = charts.page.locator(".sokoviz-charts-plot .ytick:last-child text").bounding_box()
    assert title
    assert tick
    assert title["x"] >= 0
    assert title["x"] + title["width"] <= tick["x"] + 1
    assert charts.page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")


def test_cleaning_up_leaves_nothing(charts: PlainCharts) -> None:
    charts.show(charts=pack_charts(series(300)))
    charts.page.evaluate("() => cleanups[0]()")
    assert charts.page.evaluate("() => [model.nHandlers(), hosts[0].childElementCount]") == [0, 0]
    charts.page.wait_for_timeout(400)


def test_two_views_clash_nowhere(shared: PartPage) -> None:
    charts = PlainCharts(shared, series(), n_views=2)
    charts.page.wait_for_function("() => document.querySelectorAll('[data-drawn]').length === 2")
    ids = charts.page.evaluate("() => [...document.querySelectorAll('[id]')].map((element) => element.id)")
    assert len(ids) == len(set(ids))


def test_a_search_that_begins_anew_has_empty_charts_and_no_mark(charts: PlainCharts) -> None:
    charts.show(charts={}, iteration=1)
    charts.show(iteration=2)
    charts.page.locator(".sokoviz-charts-stage").hover()
    expect(charts.page.get_by_text("Charts begin with the first iteration.")).to_be_visible()
