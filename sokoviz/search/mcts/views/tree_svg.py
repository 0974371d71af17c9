"""A search tree as an SVG document: what is left in a notebook that is read without a kernel."""

from __future__ import annotations

import math
import textwrap
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from xml.sax.saxutils import escape

from sokoviz.overlays import color_of
from sokoviz.svg.style import colors

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from sokoviz.picture import Picture
    from sokoviz.search.mcts.views.drawing import Drawing

WIDTH, ROW, MARGIN, TOP = 720, 56, 24, 34  # pixels
BOARD = 230
LINE = 18
LETTERS = 150  # in a line of text above the picture
WIDEST_STEP = 44
LETTER = 8  # pixels, a letter with some air
SMALLEST, LARGEST = 3.5, 15.0
NEW = 1
TERMINAL = 2

STYLE = """
.sokoviz-scene>text,.sokoviz-tree text{font:12px system-ui,sans-serif;fill:INK}
.sokoviz-scene>.soft,.sokoviz-tree .soft{fill:SOFT}
.sokoviz-scene .paper{fill:PAPER}.sokoviz-scene .edge{stroke:EDGE;fill:none}.sokoviz-scene .path{stroke:NOW}
.sokoviz-scene .node{stroke:SOFT;stroke-width:1}.sokoviz-scene .unvisited{fill:PAPER}
.sokoviz-scene .new{stroke:FRESH;stroke-width:2.5}.sokoviz-scene .ring{fill:none;stroke:NOW;stroke-width:2.5}
.sokoviz-scene .selected{fill:none;stroke:CONTROL;stroke-width:2.5}
.sokoviz-scene .stub{stroke:EDGE;stroke-dasharray:3 3}.sokoviz-tree .now{fill:NOW}
.sokoviz-tree .label{paint-order:stroke;stroke:PAPER;stroke-width:3px}
"""
INKS = {"INK": ("#1f2328", "#e8e8ea"), "SOFT": ("#5f6772", "#a6abb5"), "PAPER": ("#ffffff", "#17181b")}
EDGES = ("#b3b8c2", "#565b64")


@dataclass(frozen=True)
class Scene:
    """A moment of a search to be drawn: board and tree."""

    lines: tuple[str, ...]
    """what is written above"""
    picture: Picture
    caption: str
    """what is written under the board"""
    drawing: Drawing
    selected: int
    """the node whose board it is"""
    marks: Mapping[str, Any]
    """what is highlighted, as for the live tree: path, simulated, tail, changes"""
    looks: tuple[tuple[str, str], ...] = ()
    """colour and words of each node; where left out they tell visits and value"""


def scene_svg(scene: Scene) -> str:
    """Return a board and a tree side by side as a self-contained SVG document.

    Parameters
    ----------
    scene
        What to draw.
    """
    lines = [part for line in scene.lines for part in textwrap.wrap(line, LETTERS)]
    top = LINE * len(lines) + 14
    width = BOARD + 2 * MARGIN + WIDTH
    height = top + max(_tree_height(scene.drawing), BOARD + 60)
    cell = (BOARD - 20) / max(scene.picture.width, scene.picture.height)
    board = scene.picture.to_svg(cell_size=cell).replace("<svg ", f'<svg x="{MARGIN}" y="{top}" ', 1)
    texts = "".join(
        f'<text x="{MARGIN}" y="{LINE * (index + 1) + 4}">{escape(line)}</text>' for index, line in enumerate(lines)
    )
    below = top + cell * scene.picture.height + 40
    texts += f'<text x="{MARGIN}" y="{below:.0f}" class="soft">{escape(scene.caption)}</text>'
    tree = f'<g class="sokoviz-tree" transform="translate({BOARD + 2 * MARGIN} {top})">{"".join(_tree(scene))}</g>'
    size = f'width="{width:.0f}" height="{height:.0f}" viewBox="0 0 {width:.0f} {height:.0f}"'
    paper = f'<rect class="paper" width="{width:.0f}" height="{height:.0f}"/>'
    body = f"<style>{_style()}</style>{paper}{texts}{board}{tree}"
    return f'<svg xmlns="http://www.w3.org/2000/svg" class="sokoviz-scene" role="img" {size}>{body}</svg>'


def _style() -> str:
    """The style sheet: light, and dark where the viewer asks for it, as the board in it does."""
    light, dark = (_themed(theme) for theme in (0, 1))
    return f"{light}\n@media (prefers-color-scheme: dark){{{dark}}}"


def _themed(theme: int) -> str:
    """The style sheet with the colours of a theme, 0 for light and 1 for dark."""
    named = {name: values[theme] for name, values in INKS.items()} | {"EDGE": EDGES[theme]}
    named |= {"NOW": colors()["now"][theme], "FRESH": colors()["new"][theme], "CONTROL": colors()["control"][theme]}
    text = STYLE
    for name, color in named.items():
        text = text.replace(name, color)
    return text


def _tree_height(drawing: Drawing) -> float:
    """Pixels that a tree needs from top to bottom, with a sign below."""
    return 2 * TOP + ROW * (int(drawing.depths.max()) + 0.6)


Places = list[tuple[float, float]]


def _tree(scene: Scene) -> Iterator[str]:
    """All elements of a tree, the lowest layer first."""
    drawing = scene.drawing
    every = [*drawing.xs.tolist(), *(x for x in drawing.stub_xs.tolist() if not math.isnan(x))]
    low, high = min(every), max(every)
    step = min(WIDEST_STEP, (WIDTH - 2 * MARGIN) / max(high - low, 1))
    middle = (WIDTH - step * (high - low)) / 2 - step * low
    places = [
        (middle + step * x, TOP + ROW * depth)
        for x, depth in zip(drawing.xs.tolist(), drawing.depths.tolist(), strict=True)
    ]
    most = max(int(drawing.visits.max()), 1)
    yield from _edges(scene, places, most)
    yield from _stubs(drawing, places, [middle + step * x for x in drawing.stub_xs.tolist()])
    yield from _nodes(scene, places, most)
    yield from _labels(scene, places)
    yield from _tail(scene, places)


def _edges(scene: Scene, places: Places, most: int) -> Iterator[str]:
    """Lines, the heavier the more visits went through them; the path last, on top of the others."""
    drawing, path = scene.drawing, set(scene.marks["path"])
    order = sorted(range(len(places)), key=lambda index: int(drawing.nodes[index]) in path)
    for index in order:
        parent = int(drawing.parents[index])
        if parent < 0:
            continue
        (x1, y1), (x2, y2) = places[parent], places[index]
        weight = 0.7 + 3.3 * math.sqrt(int(drawing.visits[index]) / most)
        line = f'x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"'
        kind = "edge path" if int(drawing.nodes[index]) in path else "edge"
        yield f'<line class="{kind}" {line} stroke-width="{max(weight, 2.5 if kind != "edge" else 0):.1f}"/>'


def _stubs(drawing: Drawing, places: Places, xs: list[float]) -> Iterator[str]:
    """Signs for what is left out; numbers that would touch the one before are left out themselves."""
    written: dict[float, float] = {}  # by row, where the last number ended
    for index in sorted(range(len(xs)), key=lambda index: (places[index][1], places[index][0])):
        hidden = int(drawing.hidden[index])
        if hidden == 0:
            continue
        (x, y), text = places[index], f"+{hidden}"
        below, half = y + 0.55 * ROW, LETTER * len(text) / 2
        yield f'<line class="stub" x1="{x:.1f}" y1="{y:.1f}" x2="{xs[index]:.1f}" y2="{below:.1f}"/>'
        if xs[index] - half > written.get(y, -math.inf):
            written[y] = xs[index] + half
            yield f'<text class="soft" text-anchor="middle" x="{xs[index]:.1f}" y="{below + 12:.1f}">{text}</text>'


def _nodes(scene: Scene, places: Places, most: int) -> Iterator[str]:
    """Nodes, sized by visits and coloured by value."""
    drawing = scene.drawing
    low, high = drawing.value_range
    crowd = max(1.0, len(places) / 60)
    for index, (x, y) in enumerate(places):
        node, visits = int(drawing.nodes[index]), int(drawing.visits[index])
        radius = SMALLEST + (LARGEST - SMALLEST) * math.sqrt(visits / most) / math.sqrt(crowd)
        share = (float(drawing.values[index]) - low) / (high - low) if visits else 0.0
        kind = f"node{'' if visits else ' unvisited'}{' new' if drawing.flags[index] & NEW else ''}"
        value = f"{drawing.values[index]:.2f}" if visits else "none"
        color, words = scene.looks[index] if scene.looks else (color_of(share), f"{visits} visits, value {value}")
        look = f'class="{kind}" fill="{color}"' if visits else f'class="{kind}"'
        tip = f"<title>node {node} {escape(drawing.actions[index])}: {escape(words)}</title>"
        if drawing.flags[index] & TERMINAL:
            box = f'x="{x - radius:.1f}" y="{y - radius:.1f}" width="{2 * radius:.1f}" height="{2 * radius:.1f}"'
            yield f"<rect {look} {box}>{tip}</rect>"
        else:
            yield f'<circle {look} cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}">{tip}</circle>'
        rings = (("selected", scene.selected, 4), ("ring", scene.marks["simulated"], 8))
        for ring, marked, gap in rings:
            if node == marked:
                yield f'<circle class="{ring}" cx="{x:.1f}" cy="{y:.1f}" r="{radius + gap:.1f}"/>'


def _labels(scene: Scene, places: Places) -> Iterator[str]:
    """Numbers and moves of the root's children and of the path, and values that change."""
    drawing = scene.drawing
    changes = {change["node"]: f" {change['before']} → {change['after']}" for change in scene.marks["changes"]}
    for index, (x, y) in enumerate(places):
        node = int(drawing.nodes[index])
        if drawing.depths[index] > 1 and node not in scene.marks["path"]:
            continue
        label = f"{node} {drawing.actions[index]}".strip()
        change = f'<tspan class="now">{escape(changes[node])}</tspan>' if node in changes else ""
        text = f'class="soft label" text-anchor="middle" x="{x:.1f}" y="{y - 18:.1f}"'
        yield f"<text {text}>{escape(label)}{change}</text>"


def _tail(scene: Scene, places: Places) -> Iterator[str]:
    """The random game as a wavy line to its outcome, as the thesis draws it (figure B.3)."""
    tail = scene.marks["tail"]
    if tail is None:
        return
    x, y = places[scene.drawing.nodes.tolist().index(tail["node"])]
    waves = "".join(f"q{5 if index % 2 else -5} 4 0 8" for index in range(3))
    reward = f"{tail['reward']:+d}".replace("-", "−") if tail["reward"] else "0"
    yield f'<path class="edge path" d="M{x:.1f} {y + 12:.1f}{waves}" stroke-width="2"/>'
    place = f'text-anchor="middle" x="{x:.1f}" y="{y + 50:.1f}"'
    yield f'<text class="now label" {place}>{escape(tail["outcome"])} {reward}</text>'
