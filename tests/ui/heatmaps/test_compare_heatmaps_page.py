"""Heatmaps compared in a plain page: stages, differences, similarity, the film of a curriculum, files to take away."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

import sokoviz as sv
from sokoviz.widgets.heatmaps.pictures import two_sided_color
from tests.ui.heatmaps.heatmaps import BOXES, CUT, SMALL, PlainCompareHeatmaps
from tests.ui.heatmaps.test_heatmap_page import EVIL, channels
from tests.ui.jupyter import WatchedPage
from tests.widgets.heatmaps.learners import learned

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from playwright.sync_api import Browser, Page

    PageWith = Callable[..., Page]

A, B, DIFFERENCE = 0, 1, 2


@pytest.fixture
def compare(page_with: PageWith) -> PlainCompareHeatmaps:
    """Two boxes beside all that was learned."""
    return PlainCompareHeatmaps(page_with)


def test_every_control_has_its_exact_name(compare: PlainCompareHeatmaps) -> None:
    names = ("Play curriculum", "Logarithmic", "Export PNG", "Export SVG", "Export page", "Moves of A", "Moves of B")
    assert {name: compare.button(name).count() for name in names} == dict.fromkeys(names, 1)
    assert compare.page.get_by_role("combobox", name="Squares", exact=True).count() == 1
    assert compare.page.get_by_role("slider", name="Stage B", exact=True).count() == 1
    assert compare.page.get_by_role("slider", name="Stage A", exact=True).count() == 0  # a policy has no stages
    title = "Heatmaps of lessons#17 · Lucky configurations compared"
    assert compare.page.get_by_role("region", name=title, exact=True).count() == 1


def test_all_are_on_one_scale(compare: PlainCompareHeatmaps) -> None:
    ends = [compare.heat(index).locator(".legend text").all_text_contents() for index in (A, B)]
    assert (ends[A][0], ends[A][-1]) == (ends[B][0], ends[B][-1])
    compare.slide("Stage B", 2)
    assert compare.colors(A) == compare.colors(B)


def test_the_slider_moves_its_view_alone(compare: PlainCompareHeatmaps) -> None:
    before = [compare.colors(index) for index in (A, B, DIFFERENCE)]
    compare.slide("Stage B", 1)
    assert compare.widget.stages == [1, 1]
    assert compare.colors(A) == before[A]
    assert compare.colors(B) != before[B]
    assert compare.colors(DIFFERENCE) != before[DIFFERENCE]
    expect(compare.label(B)).to_have_text("stage 1 of 4 · 8 episodes · seed 1")


def test_the_difference_is_that_of_the_shares(compare: PlainCompareHeatmaps) -> None:
    compare.click("Logarithmic")
    changes = compare.widget.table["B − A"]
    highest = changes.abs().max()
    drawn = compare.colors(DIFFERENCE)
    for square in sorted(learned().level.floor):
        wanted = channels(two_sided_color(changes[square.name] / highest))
        assert channels(drawn[square]) == pytest.approx(wanted, abs=2), square
    top = changes.idxmax()
    assert compare.point(DIFFERENCE, sv.Square.parse(top)).startswith(f"{top}: A ")


def test_similarity_is_told_with_what_it_is(compare: PlainCompareHeatmaps) -> None:
    where = compare.page.locator(".sokoviz-where")
    expect(where).to_have_text(f"similarity {compare.widget.similarity['B']:.2f}")
    assert "sum of the smaller of both shares" in str(where.get_attribute("title"))
    compare.page.get_by_role("combobox", name="Squares").select_option("targets")
    compare.settle()
    assert compare.widget.ends == "targets"
    expect(compare.label(DIFFERENCE)).to_have_text(f"similarity {compare.widget.similarity['B']:.2f}")
    compare.slide("Stage B", 2)
    expect(where).to_have_text("similarity 1.00")


@pytest.mark.clock
def test_the_curriculum_is_played_from_one_box_on(compare: PlainCompareHeatmaps) -> None:
    compare.page.evaluate(
        """() => {
          globalThis.seen = [];
          model.on('stages', () => seen.push(model.get('stages')[1]));
          model.set('speed', 20);
        }"""
    )
    compare.button("Play curriculum").click()
    compare.page.wait_for_function("() => seen.at(-1) === 4 && !model.get('playing')")
    assert compare.page.evaluate("() => [...new Set(seen)]") == [1, 2, 3, 4]
    expect(compare.button("Play curriculum")).to_be_visible()


def play_through(compare: PlainCompareHeatmaps) -> set[tuple[int, ...]]:
    """Play the curriculum; return the stages that were shown together."""
    compare.page.evaluate("() => { globalThis.seen = []; model.on('stages', () => seen.push(model.get('stages'))); }")
    compare.button("Play curriculum").click()
    compare.page.wait_for_function("() => seen.at(-1)?.[1] === 4 && !model.get('playing')")
    return {tuple(stages) for stages in compare.page.evaluate("() => seen")}


def test_two_learners_are_led_together(page_with: PageWith) -> None:
    compare = PlainCompareHeatmaps(page_with, learned(), learned(2), speed=10.0)
    assert play_through(compare) == {(1, 1), (2, 2), (3, 3), (4, 4)}


def test_another_view_of_the_same_learner_stays_where_it_is(page_with: PageWith) -> None:
    compare = PlainCompareHeatmaps(page_with, learned(), learned(), speed=10.0)
    assert play_through(compare) == {(4, 1), (4, 2), (4, 3), (4, 4)}


@pytest.mark.clock
def test_it_pauses_and_goes_on(compare: PlainCompareHeatmaps) -> None:
    compare.page.locator(".sokoviz-compare-heatmaps").focus()
    compare.page.keyboard.press(" ")
    expect(compare.label(B)).to_contain_text("stage 2 of 4")
    compare.button("Pause curriculum").click()
    compare.settle()
    held = compare.widget.stages
    assert (compare.widget.playing, held[0]) == (False, 1)
    assert 2 <= held[1] <= 4  # a busy machine may show more before the button is pressed
    compare.page.wait_for_timeout(500)
    assert compare.widget.stages == held
    compare.button("Play curriculum").click()
    expect(compare.label(B)).to_contain_text(f"stage {held[1] % 4 + 1} of 4")


def test_moves_are_those_of_the_selected_view(compare: PlainCompareHeatmaps) -> None:
    rows = compare.page.locator(".sokoviz-move-table tbody tr")
    for name, policy in (("Moves of A", learned().policy(stage=2)), ("Moves of B", learned().policy())):
        compare.click(name)
        listed = rows.evaluate_all("all => all.map((row) => row.dataset.move)")
        assert listed == [chance.name for chance in policy.moves[: len(listed)]]
        expect(rows.first.locator("td").last).to_have_text(str(policy.moves[0].votes))
        expect(compare.page.locator(".sokoviz-move-table th").last).to_have_text(f"votes of {policy.n_votes}")


def test_a_move_is_explained_in_every_view(compare: PlainCompareHeatmaps) -> None:
    move = learned().policy().moves[1]
    compare.page.locator(f".sokoviz-move-table tr[data-move='{move.name}']").click()
    words = compare.page.locator(".sokoviz-compare-words dd")
    expect(words.nth(A)).to_have_text(str(learned().policy(stage=2).explain(move)))
    expect(words.nth(B)).to_have_text(str(learned().policy().explain(move)))
    assert compare.heat(B).locator(".arrow.now").count() == 1
    assert compare.heat(A).locator(".arrow").count() == 0


def test_more_than_two_views(page_with: PageWith) -> None:
    compare = PlainCompareHeatmaps(page_with, learned(1), learned(2), learned(3))
    assert compare.page.locator("figure.sokoviz-heat").count() == 5
    names = compare.page.get_by_role("slider").evaluate_all("all => all.map((each) => each.getAttribute('aria-label'))")
    assert names == ["Stage A", "Stage B", "Stage C"]
    told = " · ".join(f"{name} {share:.2f}" for name, share in compare.widget.similarity.items())
    expect(compare.page.locator(".sokoviz-where")).to_have_text(f"similarity to A: {told}")
    boxes = [compare.heat(index).bounding_box() for index in (1, 3)]
    assert boxes[0]
    assert boxes[1]
    assert boxes[0]["x"] == boxes[1]["x"]  # the difference stands under its view


# --- files -----------------------------------------------------------------------------------------------------------


def test_pictures_are_saved_as_they_are_seen(compare: PlainCompareHeatmaps, tmp_path: Path) -> None:
    with compare.page.expect_download() as saved:
        compare.button("Export SVG").click()
    path = tmp_path / saved.value.suggested_filename
    saved.value.save_as(path)
    text = path.read_text(encoding="utf-8")
    assert (path.name, text.count('class="heat"')) == ("heatmaps.svg", 3)
    assert "var(" not in text
    for color in set(compare.colors(B).values()):
        assert f'fill="{color}"' in text
    with compare.page.expect_download() as saved:
        compare.button("Export PNG").click()
    saved.value.save_as(tmp_path / "heatmaps.png")
    assert (tmp_path / "heatmaps.png").read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"


def test_differences_are_saved_under_their_views(page_with: PageWith, tmp_path: Path) -> None:
    compare = PlainCompareHeatmaps(page_with, *(learned().policy(stage=stage) for stage in (1, 2, 3)))
    with compare.page.expect_download() as saved:
        compare.button("Export SVG").click()
    saved.value.save_as(tmp_path / "heatmaps.svg")
    text = (tmp_path / "heatmaps.svg").read_text(encoding="utf-8")
    places = {name: left for left, name in re.findall(r'<text x="([\d.]+)"[^>]*><tspan[^>]*>([^<]+)', text)}
    assert len(set(places.values())) == 3
    assert (places["B − A"], places["C − A"]) == (places["B"], places["C"])


def test_the_page_is_asked_for(compare: PlainCompareHeatmaps) -> None:
    compare.button("Export page").click()
    assert compare.sent() == [{"kind": "export"}]


def open_exported(browser: Browser, path: Path, **options: Any) -> WatchedPage:
    """Open a page of a file, where nothing can be fetched."""
    context = browser.new_context(viewport={"width": 1100, "height": 800}, offline=True, **options)
    watched = WatchedPage(context.new_page())
    watched.page.goto(path.as_uri())
    watched.problems.remove(f"request to the outside: {path.as_uri()}"[:224])  # the page itself
    return watched


def test_the_exported_page_works_without_a_kernel(browser: Browser, tmp_path: Path) -> None:
    widget = sv.CompareHeatmaps(learned(1), learned(2), stages=[2, 3])
    watched = open_exported(browser, widget.export(tmp_path / "heatmaps.html"))
    page = watched.page
    notes = page.locator("figure.sokoviz-heat figcaption .sokoviz-note")
    expect(notes.nth(0)).to_contain_text("stage 2 of 4")
    expect(page.locator(".sokoviz-where")).to_have_text(f"similarity {widget.similarity['B']:.2f}")
    slider = page.get_by_role("slider", name="Stage A", exact=True)
    slider.evaluate("(input) => { input.value = 4; input.dispatchEvent(new Event('input')); }")
    widget.stages = [4, 3]
    expect(notes.nth(0)).to_contain_text("stage 4 of 4")
    expect(page.locator(".sokoviz-where")).to_have_text(f"similarity {widget.similarity['B']:.2f}")
    page.get_by_role("combobox", name="Squares").select_option("targets")
    widget.ends = "targets"
    expect(page.locator(".sokoviz-where")).to_have_text(f"similarity {widget.similarity['B']:.2f}")
    page.get_by_role("button", name="Play curriculum").click()
    expect(notes.nth(1)).to_contain_text("stage 4 of 4")
    assert page.get_by_role("button", name="Export page").count() == 0
    with page.expect_download() as saved:
        page.get_by_role("button", name="Export PNG").click()
    assert saved.value.suggested_filename == "heatmaps.png"
    page.context.close()
    assert watched.problems == []


def test_titles_are_text_in_the_exported_page(browser: Browser, tmp_path: Path) -> None:
    level = sv.Level(learned().level.rows, title=f"</script>{EVIL}")
    curry = sv.Curry(level)
    watched = open_exported(browser, sv.CompareHeatmaps(curry, curry).export(tmp_path / "evil.html"))
    expect(watched.page.locator(".sokoviz-game")).to_have_text(f"</script>{EVIL}")
    assert watched.page.locator("img").count() == 0
    watched.page.context.close()
    assert watched.problems == []


# --- room ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("width", "n_columns"), [(1120, 3), (800, 3), (640, 2), (480, 1)])
def test_it_fits_its_page(page_with: PageWith, width: int, n_columns: int) -> None:
    compare = PlainCompareHeatmaps(page_with, page_options={"size": (width, 900)})
    assert compare.page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    tops = [compare.heat(index).bounding_box() for index in (A, B, DIFFERENCE)]
    assert [box["y"] == tops[0]["y"] for box in tops if box].count(True) == n_columns  # type: ignore[index]
    assert compare.page.evaluate(SMALL) == []
    bottoms = compare.page.evaluate(
        "() => ['.sokoviz', '.sokoviz-move-table', '.sokoviz-compare-words'].map((each) => "
        "document.querySelector(each).closest('.sokoviz-table, .sokoviz, div').getBoundingClientRect().bottom)"
    )
    assert bottoms[0] == max(bottoms)
    assert compare.page.evaluate(CUT, "figcaption *, th") == []


def test_nothing_jumps(compare: PlainCompareHeatmaps) -> None:
    before = compare.page.evaluate(BOXES)
    for value in (1, 2, 3):
        compare.slide("Stage B", value)
        assert compare.page.evaluate(BOXES) == before
    compare.click("Moves of A")
    assert compare.page.evaluate(BOXES) == before


def test_it_leaves_nothing_behind(compare: PlainCompareHeatmaps) -> None:
    compare.page.evaluate("() => cleanup()")
    assert compare.page.locator(".sokoviz").count() == 0
    assert compare.page.evaluate("() => model.nHandlers()") == 0
