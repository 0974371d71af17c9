"""The drawing of a picture as a document: well-formed, self-contained, complete, readable at every size."""

from __future__ import annotations

import itertools
import re
import xml.etree.ElementTree as ET

import pytest

from sokoviz.overlays import ROLES, SHAPES
from sokoviz.picture import Arrow, Fill, Heat, Mark, Path, Picture
from sokoviz.svg import natural_cell_size
from sokoviz.svg.elements import number
from sokoviz.svg.style import STATIC, colors, style_sheet, symbols

SVG = "{http://www.w3.org/2000/svg}"
ROOM = Picture(
    (
        ("wall", "wall", "wall", "wall", "wall"),
        ("wall", "player", "box", "goal", "wall"),
        ("wall", "box on goal", "player on goal", "Z", "wall"),
        ("outside", "wall", "wall", "wall", "wall"),
    )
)


def draw(picture: Picture, cell_size: float | None = None) -> ET.Element:
    """The document of a picture, parsed: what is not well-formed fails here."""
    return ET.fromstring(picture.to_svg(cell_size))  # noqa: S314  our own


def by_class(root: ET.Element, name: str) -> list[ET.Element]:
    """Elements with a class."""
    return [element for element in root.iter() if name in element.get("class", "").split()]


def used(root: ET.Element) -> list[tuple[str, str]]:
    """Symbols and places of all pieces, in order."""
    return [(use.attrib["href"].split("-", 1)[1], use.attrib["transform"]) for use in root.iter(f"{SVG}use")]


def test_every_piece_is_drawn_on_its_square() -> None:
    assert used(draw(ROOM)) == [
        ("player", "translate(32 32)"),
        ("box", "translate(64 32)"),
        ("goal", "translate(96 32)"),
        ("box-on-goal", "translate(32 64)"),
        ("player-on-goal", "translate(64 64)"),
    ]


def test_a_piece_without_a_symbol_is_drawn_as_its_letter() -> None:
    (letter,) = by_class(draw(ROOM), "letter")
    assert (letter.text, letter.get("transform")) == ("Z", "translate(96 64)")


def test_ground_is_merged_along_rows() -> None:
    root = draw(ROOM)
    assert by_class(root, "wall")[0].get("d") == (
        "M0 0h160v32h-160zM0 32h32v32h-32zM128 32h32v32h-32zM0 64h32v32h-32zM128 64h32v32h-32zM32 96h128v32h-128z"
    )
    assert by_class(root, "floor")[0].get("d") == "M32 32h96v32h-96zM32 64h96v32h-96z"


def test_lines_lie_between_open_squares_only() -> None:
    assert by_class(draw(ROOM), "grid")[0].get("d") == "M32 64h96M64 32v64M96 32v64"


def test_symbols_are_defined_in_the_document_under_its_own_ids() -> None:
    root = draw(ROOM)
    defined = {symbol.attrib["id"] for symbol in root.iter(f"{SVG}symbol")}
    assert {use.attrib["href"][1:] for use in root.iter(f"{SVG}use")} == defined
    other = {symbol.attrib["id"] for symbol in draw(ROOM.with_overlays(Mark((1, 1), "now"))).iter(f"{SVG}symbol")}
    assert defined.isdisjoint(other)


def test_drawing_is_repeatable() -> None:
    assert ROOM.to_svg() == ROOM.to_svg()


def test_nothing_comes_from_outside() -> None:
    text = ROOM.to_svg().replace("http://www.w3.org/2000/svg", "")
    assert "http" not in text
    assert "@import" not in text
    assert "<script" not in text
    assert "var(" not in text  # many viewers know no variables


def test_text_from_a_level_cannot_become_markup() -> None:
    evil = '<script>alert("1")</script>&'
    root = draw(
        Picture((("<",), ("&",)), (Mark((0, 0), "now", "ring", evil), Arrow((0, 0), (1, 0), "new", evil)), label=evil)
    )
    assert root.find(f"{SVG}title") is not None
    assert [element.text for element in root.iter() if element.text == evil] == [evil] * 3
    assert list(root.iter(f"{SVG}script")) == []
    assert [letter.text for letter in by_class(root, "letter")] == ["<", "&"]


def test_fill_tints_its_squares_in_its_role() -> None:
    root = draw(ROOM.with_overlays(Fill([(1, 1), (1, 2), (2, 2)], "component")))
    (fill,) = by_class(root, "component")
    assert [path.get("d") for path in fill] == ["M32 32h64v32h-64zM64 64h32v32h-32z"]


@pytest.mark.parametrize("role", ["dead", "deadlock"])
def test_dead_squares_are_told_by_strokes_too_and_not_by_colour_alone(role: str) -> None:
    root = draw(ROOM.with_overlays(Fill([(1, 1), (2, 2)], role)))
    (texture,) = by_class(root, "texture")
    assert len(re.findall("M", texture.attrib["d"])) == 2
    assert texture.attrib["d"].startswith("M32 32")


def test_an_arrow_runs_from_the_edge_of_its_source_to_its_target() -> None:
    (arrow,) = by_class(draw(ROOM.with_overlays(Arrow((1, 2), (1, 3), "now", "0.5"))), "arrow")
    assert arrow.get("class") == "arrow now"
    assert [part.get("class") for part in arrow] == ["halo", "line", "head", "note"]
    assert arrow[1].get("d") == "M93 48L102 48"
    assert arrow[2].get("d") == "M108 48L100 53L100 43z"
    assert arrow[3].text == "0.5"


def test_overlays_without_extent_draw_nothing() -> None:
    nothing = (Arrow((1, 1), (1, 1), "now"), Path([(1, 1)]), Path([]), Fill([], "component"), Heat({}))
    root = draw(ROOM.with_overlays(*nothing))
    assert by_class(root, "arrows") == by_class(root, "fills") == []


@pytest.mark.parametrize("shape", SHAPES)
def test_every_mark_has_its_shape(shape: str) -> None:
    (mark,) = by_class(draw(ROOM.with_overlays(Mark((1, 1), "now", shape, "3"))), "mark")  # type: ignore[arg-type]
    assert shape in [part.get("class") for part in mark]
    assert mark[-1].text == "3"


def test_a_path_has_a_start_a_line_and_a_head() -> None:
    (path,) = by_class(draw(ROOM.with_overlays(Path([(1, 1), (1, 2), (2, 2)]))), "path")
    assert [part.get("class") for part in path] == ["halo", "line", "head", "start"]
    assert path[1].get("d") == "M48 48L80 48L80 76"


def test_heat_has_a_legend() -> None:
    root = draw(ROOM.with_overlays(Heat({(1, 1): 0.001, (1, 2): 0.5}, scale="log", label="votes")))
    (legend,) = by_class(root, "legend")
    assert [text.text for text in legend.iter(f"{SVG}text")] == ["0.001", "votes · logarithmic", "0.5"]
    assert len(by_class(root, "heat")[0]) == 2


def test_a_caption_is_broken_into_lines_under_the_board() -> None:
    root = draw(Picture(ROOM.cells, caption="the box on Cc can never be pushed to a goal & stays there"), 36)
    (caption,) = by_class(root, "caption")
    lines = [text.text or "" for text in caption]
    assert " ".join(lines) == "the box on Cc can never be pushed to a goal & stays there"
    assert 2 <= len(lines) <= 4
    assert max(map(len, lines)) <= 5 * 36 / 6.4
    assert float(root.attrib["height"]) == pytest.approx(4 * 36 + 16 * len(lines) + 8, abs=0.1)


def test_coordinates_are_in_the_papers_notation() -> None:
    root = draw(Picture(ROOM.cells, coordinates=True))
    assert [text.text for text in by_class(root, "coordinate")] == ["A", "B", "C", "D", "E", "a", "b", "c", "d"]
    assert by_class(draw(ROOM), "coordinate") == []


@pytest.mark.parametrize("size", [1, 5, 20, 27, 60])
@pytest.mark.parametrize("cell_size", [None, 8, 100])
def test_text_is_never_smaller_than_eleven_pixels_and_letters_do_not_touch(size: int, cell_size: float | None) -> None:
    overlays = (Mark((0, 0), "now", text="9"), Heat({(0, 0): 1.0}))
    root = draw(Picture((("floor",) * size,) * size, overlays, coordinates=True, caption="why"), cell_size)
    scale = float(root.attrib["width"]) / float(root.attrib["viewBox"].split()[2])
    texts = list(root.iter(f"{SVG}text"))
    assert min(float(text.attrib["font-size"]) * scale for text in texts) >= 10.99
    places = [float(text.attrib["x"]) * scale for text in by_class(root, "coordinate") if (text.text or "").isupper()]
    assert min((b - a for a, b in itertools.pairwise(places)), default=99) >= 17.9


@pytest.mark.parametrize(
    ("width", "height", "cell"), [(5, 5, 36), (20, 16, 30), (20, 20, 24), (60, 60, 14), (1, 1, 36)]
)
def test_the_size_of_a_square_follows_the_board(width: int, height: int, cell: int) -> None:
    assert natural_cell_size(width, height) == cell


def test_an_empty_picture_is_still_a_document() -> None:
    assert draw(Picture(())).tag == f"{SVG}svg"


def test_numbers_are_short() -> None:
    assert [number(value) for value in (3.0, -0.0, 2.5, 1 / 3, 99.999, -1.005)] == [
        "3",
        "0",
        "2.5",
        "0.33",
        "100",
        "-1",
    ]


def test_the_style_sheet_has_light_colours_and_dark_ones_on_demand() -> None:
    light, dark = style_sheet().split("@media (prefers-color-scheme: dark)")
    for name in ("wall", "floor", "box", "player", "now"):
        assert f"fill: {colors()[name][0]}" in light or f"color: {colors()[name][0]}" in light
        assert f"fill: {colors()[name][1]}" in dark or f"color: {colors()[name][1]}" in dark


def test_the_style_sheet_uses_every_colour_and_knows_every_role() -> None:
    text = (STATIC / "shared" / "board.css").read_text(encoding="utf-8")
    assert set(re.findall(r"var\(--sokoviz-([a-z-]+)\)", text)) == set(colors())
    assert {role for role in ROLES if f".sokoviz-picture .{role}" not in text} == set()


def test_classes_within_symbols_are_our_own() -> None:
    classes = {
        name for text in symbols().values() for group in re.findall(r'class="([^"]*)"', text) for name in group.split()
    }
    assert {name for name in classes if not name.startswith("sokoviz-")} == set()
    assert {
        name for name in classes if f".{name} " not in (STATIC / "shared" / "board.css").read_text(encoding="utf-8")
    } == set()


def contrast(one: str, other: str) -> float:
    """Contrast of two colours as the Web Content Accessibility Guidelines define it."""

    def luminance(color: str) -> float:
        channels = [int(color[place : place + 2], 16) / 255 for place in (1, 3, 5)]
        linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("theme", [0, 1])
@pytest.mark.parametrize(
    ("front", "back"),
    [
        ("goal", "floor"),
        ("goal", "component"),
        ("player", "floor"),
        ("box-edge", "box"),
        ("wall", "floor"),
        ("context", "floor"),
        ("first", "floor"),
        ("second", "floor"),
    ],
)
def test_what_matters_stands_out_from_what_lies_under_it(front: str, back: str, theme: int) -> None:
    assert contrast(colors()[front][theme], colors()[back][theme]) >= 2.5


@pytest.mark.parametrize(("theme", "page"), [(0, "#ffffff"), (1, "#111111")])
def test_letters_are_readable_on_the_page(theme: int, page: str) -> None:
    assert contrast(colors()["label"][theme], page) >= 4.5
