"""The influence explorer in a plain page, answered by a real widget: fields, pairs, table, cuts, keys, room."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

import sokoviz as sv
from sokoviz.widgets.base.modules import join_modules
from sokoviz.widgets.influence.frames import field_of
from tests.ui.heatmaps.heatmaps import BOXES, SMALL
from tests.ui.influence.influences import PlainInfluence

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

    PageWith = Callable[..., Page]


@pytest.fixture
def shown(page_with: PageWith) -> PlainInfluence:
    """The lesson of two halves."""
    return PlainInfluence(page_with)


def test_every_control_has_its_exact_name(shown: PlainInfluence) -> None:
    buttons = ("From", "To", "Asymmetry", "Zoom in", "Zoom out", "Whole table", "Swap", "Reset parameters", "Undo")
    for name in buttons:
        assert shown.button(name).count() == 1, name
    for name in ("Threshold", "m", "k"):
        assert shown.page.get_by_role("slider", name=name, exact=True).count() == 1, name
    assert shown.page.get_by_role("table", name="Legal pushes", exact=True).count() == 1
    assert shown.page.get_by_role("region", name="Influence on lessons#13 · Two halves", exact=True).count() == 1


# --- fields ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("button", "direction"), [("From", "from"), ("To", "to"), ("Asymmetry", "asymmetry")])
def test_the_field_of_the_selected_square(shown: PlainInfluence, button: str, direction: str) -> None:
    shown.click(button)
    assert shown.widget.direction == direction
    source = sv.Square.parse(shown.widget.source)
    assert shown.numbers() == list(field_of(shown.found, source, direction).values.values())


def test_pointing_shows_the_field_of_another_square(shown: PlainInfluence) -> None:
    other = shown.found.squares[-1]
    shown.page.mouse.move(*shown.square(other))
    assert shown.numbers() == list(shown.found.field_from(other).values())
    source = sv.Square.parse(shown.widget.source)
    there, back = shown.found[source, other], shown.found[other, source]
    near = sum(value <= shown.found.threshold for value in shown.found.field_from(other).values())
    assert shown.words() == [
        f"From {other.name}: {near} of 47 squares within {shown.found.threshold} (outlined).",
        f"{source.name} → {other.name}: {there} · back: {back}",
    ]
    assert shown.sent() == []
    shown.page.mouse.move(5, 5)
    assert shown.numbers() == list(shown.found.field_from(source).values())


def test_the_squares_within_the_threshold_are_outlined(shown: PlainInfluence) -> None:
    line = shown.field().locator(".sokoviz-contour .line")
    before = line.get_attribute("d")
    shown.slide("Threshold", 3)
    assert line.get_attribute("d") != before
    near = sum(value <= 3 for value in shown.found.field_from(shown.widget.source).values())
    said, hint = shown.words()
    assert said == f"From {shown.widget.source}: {near} of 47 squares within 3 (outlined)."
    assert hint.startswith("Point at a square")


def test_two_clicks_pick_a_pair_and_a_third_begins_anew(shown: PlainInfluence) -> None:
    squares = [shown.found.squares[place] for place in (3, -1, 7)]
    picked = []
    for square in squares:
        shown.page.mouse.click(*shown.square(square))
        shown.settle()
        picked.append((shown.widget.source, shown.widget.target))
    one, two, three = (square.name for square in squares)
    assert picked == [(one, ""), (one, two), (three, "")]


def test_the_field_by_keys(shown: PlainInfluence) -> None:
    shown.widget.target = ""
    shown.push()
    shown.field().focus()
    shown.page.keyboard.press("ArrowRight")
    assert shown.rings("control") == 1
    shown.page.keyboard.press("Enter")
    shown.settle()
    source, target = sv.Square.parse(shown.widget.source), sv.Square.parse(shown.widget.target)
    assert target.row == source.row
    assert target.column > source.column
    shown.page.keyboard.press("Escape")
    shown.settle()
    assert (shown.widget.source, shown.widget.target) == (source.name, "")


# --- pairs -----------------------------------------------------------------------------------------------------------


def test_the_breakdown_is_that_of_table_2(shown: PlainInfluence) -> None:
    found = shown.found.between(shown.widget.source, shown.widget.target)
    rows = shown.page.locator(".sokoviz-breakdown tbody tr")
    texts = [rows.nth(index).locator("th, td").all_inner_texts() for index in range(rows.count())]
    assert texts == [[name, *map(str, values), str(sum(values))] for name, values in found.rows.items()]
    expect(shown.page.locator(".sokoviz-total")).to_have_text(str(found.total))
    heads = shown.page.locator(".sokoviz-breakdown thead th[data-square]").all_inner_texts()
    assert heads == [square.name for square in found.path]


def test_the_path_is_drawn_on_the_board(shown: PlainInfluence) -> None:
    path = shown.found.between(shown.widget.source, shown.widget.target).path
    line = shown.field().locator(".arrows .path .line").get_attribute("d") or ""
    assert line.count("L") == len(path) - 1
    shown.click("Swap")
    assert [shown.widget.source, shown.widget.target] == [path[-1].name, path[0].name]


def test_pointing_at_a_square_of_the_breakdown_marks_it(shown: PlainInfluence) -> None:
    assert shown.rings("control") == 0
    shown.page.locator(".sokoviz-breakdown thead th[data-square]").nth(1).hover()
    assert shown.rings("control") == 1


def test_pointing_at_a_line_of_the_breakdown_tells_what_it_counts(shown: PlainInfluence) -> None:
    legend = shown.page.locator(".sokoviz-breakdown-legend")
    expect(legend).to_contain_text("Point at a line")
    shown.page.locator(".sokoviz-breakdown tbody tr").nth(2).hover()
    expect(legend).to_contain_text("exactly two floor squares beside it")
    shown.page.mouse.move(5, 5)
    expect(legend).to_contain_text("Point at a line")


def test_a_square_on_itself_is_no_way_there_and_back(shown: PlainInfluence) -> None:
    shown.widget.target = shown.widget.source
    shown.push()
    said = shown.page.locator(".sokoviz-influence-pair .sokoviz-note").inner_text()
    assert said.startswith(f"{shown.widget.source} on itself: ")
    assert "back" not in said


@pytest.mark.parametrize(("target", "n_fading"), [("Ce", 0), ("Lf", 1)])
def test_a_path_that_is_longer_than_its_room_fades_out(page_with: PageWith, target: str, n_fading: int) -> None:
    shown = PlainInfluence(page_with, source="Cc", target=target, page_options={"size": (560, 900)})
    assert shown.page.locator(".sokoviz-breakdown.sokoviz-more").count() == n_fading


# --- the whole table -------------------------------------------------------------------------------------------------


def test_a_cell_marks_both_squares_and_a_click_selects_them(shown: PlainInfluence) -> None:
    pair = shown.found.squares[4], shown.found.squares[-2]
    shown.page.mouse.move(*shown.cell(*pair))
    expect(shown.page.locator(".sokoviz-influence-canvas .sokoviz-tip")).to_contain_text(
        f"{pair[0].name} → {pair[1].name}: {shown.found[pair]}"
    )
    assert shown.rings("control") == 2
    assert shown.sent() == []
    shown.page.mouse.click(*shown.cell(*pair))
    shown.settle()
    assert [shown.widget.source, shown.widget.target] == [square.name for square in pair]


def test_selecting_a_square_marks_its_row_in_the_table(shown: PlainInfluence) -> None:
    def color(x: float, y: float) -> list[int]:
        script = """([x, y]) => { const canvas = document.querySelector('.sokoviz-influence-canvas canvas');
          const box = canvas.getBoundingClientRect();
          return [...canvas.getContext('2d').getImageData(x - box.left, y - box.top, 1, 1).data].slice(0, 3); }"""
        return shown.page.evaluate(script, [x, y])  # type: ignore[no-any-return]

    square = shown.found.squares[6]
    x, y = shown.cell(square, shown.found.squares[0])
    edge = y - float(shown.page.locator("canvas").get_attribute("data-cell") or 0) / 2
    before = color(x, edge)
    shown.page.mouse.click(*shown.square(square))
    shown.settle()
    shown.page.mouse.move(5, 5)
    assert color(x, edge) != before


def test_the_table_is_zoomed_and_seen_whole_again(shown: PlainInfluence) -> None:
    canvas = shown.page.locator(".sokoviz-influence-canvas canvas")
    whole = float(canvas.get_attribute("data-cell") or 0)
    shown.button("Zoom in").click()
    assert float(canvas.get_attribute("data-cell") or 0) == pytest.approx(1.5 * whole, rel=0.01)
    shown.button("Whole table").click()
    assert float(canvas.get_attribute("data-cell") or 0) == pytest.approx(whole, rel=0.01)


def test_the_wheel_is_the_notebooks_until_the_table_is_clicked(shown: PlainInfluence) -> None:
    canvas = shown.page.locator(".sokoviz-influence-canvas canvas")
    whole = canvas.get_attribute("data-cell")
    place = shown.cell(shown.found.squares[2], shown.found.squares[2])
    shown.page.mouse.move(*place)
    shown.page.mouse.wheel(0, -100)
    assert canvas.get_attribute("data-cell") == whole
    shown.page.mouse.click(*place)
    shown.page.mouse.wheel(0, -100)
    expect(canvas).not_to_have_attribute("data-cell", str(whole))


def test_the_table_by_keys(shown: PlainInfluence) -> None:
    source, target = (shown.found.place(name) for name in (shown.widget.source, shown.widget.target))
    shown.page.locator(".sokoviz-influence-canvas canvas").focus()
    step = "ArrowLeft" if target else "ArrowRight"
    shown.page.keyboard.press(step)
    assert shown.rings("control") >= 1
    shown.page.keyboard.press("Enter")
    shown.settle()
    wanted = shown.found.squares[target - 1 if target else 1]
    assert [shown.widget.source, shown.widget.target] == [shown.found.squares[source].name, wanted.name]


# --- relevance cuts --------------------------------------------------------------------------------------------------


def test_pushes_are_played_and_those_that_would_be_cut_are_told(shown: PlainInfluence) -> None:
    for _ in range(3):
        shown.pushes().last.click()
        shown.settle()
        shown.pushes().first.click()
        shown.settle()
    verdicts = shown.found.cuts(shown.widget.board)
    texts = [row.split("\t") for row in shown.pushes().all_inner_texts()]
    assert [(name, "cut" in ruling, why) for name, ruling, why in texts] == [
        (str(verdict.push), verdict.is_cut, verdict.reason) for verdict in verdicts
    ]
    assert any(verdict.is_cut for verdict in verdicts)
    assert shown.page.locator(".sokoviz-line li").count() == shown.widget.board.n_pushes == 6


def test_the_list_of_pushes_is_read_from_its_top_after_each_push(shown: PlainInfluence) -> None:
    shown.pushes().last.click()
    shown.settle()
    assert shown.page.locator(".sokoviz-influence-cuts .sokoviz-table").evaluate("table => table.scrollTop") == 0


def test_pointing_at_a_push_marks_its_square_in_the_field(shown: PlainInfluence) -> None:
    shown.pushes().last.hover()
    assert shown.rings("control") == 1
    shown.page.mouse.move(5, 5)
    assert shown.rings("control") == 0


def test_a_push_that_was_made_shows_the_field_of_its_square(shown: PlainInfluence) -> None:
    shown.pushes().last.click()
    shown.settle()
    begun = shown.widget.cuts["line"][0]["from"]
    shown.page.locator(".sokoviz-line button").click()
    shown.settle()
    assert (shown.widget.source, shown.widget.target) == (begun, "")


def test_pushes_that_are_no_longer_looked_back_at_are_faint_at_once(shown: PlainInfluence) -> None:
    for _ in range(3):
        shown.pushes().first.click()
        shown.settle()
    faint = shown.page.locator(".sokoviz-line .sokoviz-past")
    assert faint.count() == 0
    shown.slide("m", 2)
    assert faint.count() == 1


def test_a_reason_has_most_of_the_row(shown: PlainInfluence) -> None:
    for place in ("last", "first", "last", "first"):
        getattr(shown.pushes(), place).click()
        shown.settle()
    row, why = shown.pushes().first.bounding_box(), shown.pushes().first.locator("td").last.bounding_box()
    assert row
    assert why
    assert why["width"] > 0.55 * row["width"]


def test_numbers_stay_within_their_squares(page_with: PageWith) -> None:
    shown = PlainInfluence(page_with, page_options={"size": (960, 900)})
    shown.click("Asymmetry")
    script = """() => [...document.querySelectorAll('.sokoviz-field .sokoviz-numbers text')]
      .map((text) => text.getComputedTextLength())"""
    widths = shown.page.evaluate(script)
    assert widths
    assert max(widths) <= 40


def test_arrows_of_cut_pushes_look_different(shown: PlainInfluence) -> None:
    for place in ("last", "first", "last", "first"):
        getattr(shown.pushes(), place).click()
        shown.settle()
    shown.page.mouse.move(5, 5)
    arrows = shown.page.locator(".sokoviz-arrows .arrow")
    cut = sum(verdict.is_cut for verdict in shown.found.cuts(shown.widget.board))
    assert cut
    assert arrows.count() == len(shown.widget.board.pushes)
    assert shown.page.locator(".sokoviz-arrows .arrow.dead.sokoviz-cut").count() == cut


def test_parameters_are_set_and_reset(shown: PlainInfluence) -> None:
    for place in ("last", "first", "last", "first"):
        getattr(shown.pushes(), place).click()
        shown.settle()
    shown.slide("Threshold", shown.widget.about["highest"])
    assert shown.widget.cuts["n_cut"] == 0
    shown.slide("k", 4)
    shown.slide("m", 2)
    assert (shown.widget.k, shown.widget.m) == (4, 2)
    shown.click("Reset parameters")
    own = (1, shown.found.m, shown.found.threshold)
    assert (shown.widget.k, shown.widget.m, shown.widget.threshold) == own
    assert shown.widget.cuts["n_cut"] > 0


def test_the_board_is_played_by_keys(shown: PlainInfluence) -> None:
    shown.page.get_by_role("grid").focus()
    for key in ("ArrowRight", "ArrowLeft"):
        shown.page.keyboard.press(key)
        shown.settle()
    assert shown.widget.board.n_moves >= 1
    shown.click("Restart")
    assert shown.widget.moves == ""


# --- room and leaving ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("width", [1120, 760, 420])
def test_nothing_runs_over_and_no_text_is_small(page_with: PageWith, width: int) -> None:
    shown = PlainInfluence(page_with, page_options={"size": (width, 900)})
    assert shown.page.evaluate(SMALL) == []
    assert shown.page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")


def test_a_wide_level_has_numbers_on_a_narrow_page(page_with: PageWith) -> None:
    wall, floor = "#" * 19, "#" + " " * 17 + "#"
    wide = sv.Level.parse("\n".join([wall, floor.replace("#   ", "#@$.", 1), *[floor] * 8, wall]))
    shown = PlainInfluence(page_with, wide, page_options={"size": (656, 900)})
    assert len(shown.numbers()) == len(shown.found.squares)


def test_squares_are_named_in_one_way(shown: PlainInfluence) -> None:
    source = shown.widget.source
    assert sv.Square.parse(source).name == source == source.replace(" ", "")
    shown.page.mouse.move(*shown.cell(*shown.found.squares[:2]))
    assert shown.page.locator(".sokoviz-influence-canvas .sokoviz-tip").inner_text().startswith("Bb → Cb")
    letters = shown.page.locator(".sokoviz-board .coordinate").all_text_contents()
    assert letters == [*"ABCDEFGHIJKLMabcdefg"]


def test_nothing_jumps_when_squares_are_picked(shown: PlainInfluence) -> None:
    before = shown.page.evaluate(BOXES)
    shown.page.mouse.click(*shown.square(shown.found.squares[0]))
    shown.settle()
    shown.page.mouse.move(5, 5)
    assert shown.page.evaluate(BOXES) == before


def test_the_widget_leaves_nothing_behind(shown: PlainInfluence) -> None:
    shown.page.evaluate("() => cleanup()")
    assert shown.page.evaluate("() => [host.childElementCount, model.nHandlers()]") == [0, 0]


def test_the_joined_module_is_complete() -> None:
    assert "export default" in join_modules("influence_widget")
