"""A position as data: names, overlays and their checks, the JSON that pages draw, and text."""

from __future__ import annotations

import json
import math
import pickle
from typing import Any

import pytest

from sokoviz.overlays import ROLES, color_of
from sokoviz.picture import Arrow, Fill, Heat, Mark, Path, Picture, split_name

CELLS = (("wall", "floor", "box on goal"), ("player", "goal", "X"))


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("wall", ("", "wall")),
        ("goal", ("", "goal")),
        ("box", ("box", "floor")),
        ("box on goal", ("box", "goal")),
        ("X", ("X", "floor")),
    ],
)
def test_a_cell_name_is_a_base_or_a_piece_on_one(name: str, parts: tuple[str, str]) -> None:
    assert split_name(name) == parts


def test_text_is_that_of_level_files() -> None:
    assert Picture(CELLS).to_text() == "# *\n@.X"
    assert Picture((("outside", "wall", "floor"), ("box", "player on goal", "box on goal"))).to_text() == " #\n$+*"


def test_a_cell_is_spoken_as_row_column_and_what_stands_there() -> None:
    wide = Picture((("floor",) * 27, ("box on goal",) * 27, ("floor",) * 27))
    assert wide.cell_label((1, 6)) == "row b, column G: box on goal"
    assert wide.cell_label((2, 26)) == "row c, column AA: floor"


def test_json_is_plain_and_complete() -> None:
    overlays = (
        Fill({(0, 1)}, "component"),
        Arrow((1, 0), (1, 1), "now", "7"),
        Mark((0, 2), "deadlock"),
        Path([(1, 0), (1, 1)]),
    )
    data = json.loads(json.dumps(Picture(CELLS, overlays, coordinates=True, label="a few cells").to_json()))
    assert (data["width"], data["height"], data["coordinates"], data["label"]) == (3, 2, True, "a few cells")
    assert [[data["names"][index] for index in row] for row in data["cells"]] == [list(row) for row in CELLS]
    assert [overlay["kind"] for overlay in data["overlays"]] == ["fill", "arrow", "mark", "path"]
    assert (data["row_names"], data["column_names"]) == (["a", "b"], ["A", "B", "C"])


def test_equal_pictures_are_equal_whatever_the_order_of_their_squares() -> None:
    one = Picture(CELLS, (Fill([(0, 1), (1, 1)], "component"),))
    other = Picture([list(row) for row in CELLS], [Fill({(1, 1), (0, 1)}, "component")])  # type: ignore[arg-type]
    assert one == other
    assert hash(one) == hash(other)
    assert one.to_json() == other.to_json()
    assert pickle.loads(pickle.dumps(one)) == one  # noqa: S301  our own


def test_further_overlays_leave_the_picture_as_it_was() -> None:
    picture = Picture(CELLS, (Mark((0, 1), "now"),))
    assert picture.with_overlays(Mark((1, 1), "new")).overlays == (Mark((0, 1), "now"), Mark((1, 1), "new"))
    assert picture.overlays == (Mark((0, 1), "now"),)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Fill([(0, 0)], "purple"), "expected a role out of component, .*; found 'purple'"),
        (lambda: Mark((0, 0), "now", "star"), "expected a shape out of ring, cross, dot; found 'star'"),  # type: ignore[arg-type]
        (lambda: Heat({(0, 0): 1}, scale="cubic"), "expected a scale out of linear, log; found 'cubic'"),  # type: ignore[arg-type]
        (lambda: Heat({(0, 0): 1}, low=2, high=1), "expected low <= high on a linear scale, found low=2 and high=1"),
        (lambda: Heat({(0, 0): 1}, low=0, scale="log"), "expected 0 < low <= high on a log scale"),
        (lambda: Picture((("floor",), ("floor", "floor"))), r"expected rows of one length, found lengths \[1, 2\]"),
        (lambda: Picture(CELLS, (Mark((2, 0), "now"),)), "within 2 rows and 3 columns, found row 2, column 0 in Mark"),
        (lambda: Picture(CELLS, (Arrow((0, 0), (0, -1), "now"),)), "found row 0, column -1 in Arrow"),
        (lambda: Picture(CELLS, (Heat({(0, 3): 1.0}),)), "found row 0, column 3 in Heat"),
    ],
)
def test_what_cannot_be_drawn_is_refused(make: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        make()


def test_every_role_is_accepted_by_every_overlay_that_has_one() -> None:
    for role in ROLES:
        overlays = (Fill([(0, 1)], role), Arrow((0, 1), (1, 1), role), Mark((0, 1), role), Path([(0, 1), (1, 1)], role))
        assert {overlay.role for overlay in Picture(CELLS, overlays).overlays if not isinstance(overlay, Heat)} == {
            role
        }


def test_heat_takes_its_ends_from_the_values() -> None:
    heat = Heat({(0, 0): 2, (0, 1): 6, (0, 2): 4})
    assert (heat.low, heat.high) == (2, 6)
    assert [heat.share_of(value) for value in (1, 2, 4, 6, 9)] == [0, 0, 0.5, 1, 1]


def test_heat_on_a_log_scale_starts_at_the_smallest_value_above_zero() -> None:
    heat = Heat({(0, 0): 0, (0, 1): 0.01, (0, 2): 1}, scale="log")
    assert (heat.low, heat.high) == (0.01, 1)
    assert heat.share_of(0) == 0
    assert heat.share_of(0.1) == pytest.approx(0.5)


def test_heat_leaves_squares_without_a_value_alone() -> None:
    heat = Heat({(0, 0): math.nan, (0, 1): 1.0, (0, 2): math.inf})
    assert heat.squares == ((0, 1),)
    assert Heat({}).to_json()["squares"] == []


def test_heat_of_one_value_has_a_colour() -> None:
    assert Heat({(0, 0): 3.0}).to_json()["squares"] == [[0, 0, color_of(1)]]


def test_the_colour_scale_runs_from_dark_to_light() -> None:
    def lightness(color: str) -> float:
        red, green, blue = (int(color[place : place + 2], 16) for place in (1, 3, 5))
        return 0.299 * red + 0.587 * green + 0.114 * blue

    shades = [lightness(color_of(step / 40)) for step in range(41)]
    assert shades == sorted(shades)
    assert (color_of(-1), color_of(2)) == (color_of(0), color_of(1)) == ("#00224e", "#fee838")


def test_a_notebook_gets_a_drawing_and_text() -> None:
    bundle = Picture(CELLS)._repr_mimebundle_(include=None, exclude=None)
    assert set(bundle) == {"image/svg+xml", "text/plain"}
    assert bundle["text/plain"] == "# *\n@.X"
