"""Heatmaps as pictures, for notebooks without a kernel; a page draws the same from the same shares (heat_scale.js)."""

from __future__ import annotations

import html
import math
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, cast

from sokoviz.overlays import Arrow, Heat

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sokoviz.overlays import Overlay
    from sokoviz.picture import Picture
    from sokoviz.squares import Square
    from sokoviz.widgets.heatmaps.learners import Policy

HALF_A_VOTE = 0.5  # where logarithmic scales begin: no vote is at the dark end, and one vote a little above
MOST_ARROWS = 5
LEAST_ARROW = 0.01  # probability of a move that gets an arrow
TITLE_HEIGHT = 24
GAP = 28

#: Boxes are outlines on heatmaps, so that the colour under them is seen. Drawings on one page share their styles, hence
#: names of our own.
_OUTLINES = (
    ".sokoviz-heat-box-body{fill:none !important;stroke:#fff;stroke-width:2}"
    ".sokoviz-heat-box-inlay{fill:none;stroke:#fff;stroke-width:1.25;stroke-opacity:.55}"
    ".sokoviz-heat-box-plate{fill:none}"
)

#: ColorBrewer's PRGn, purple over white to green: told apart with every common colour vision.
_PURPLE_TO_GREEN = ((0x76, 0x2A, 0x83), (0xC2, 0xA5, 0xCF), (0xF7, 0xF7, 0xF7), (0xA6, 0xDB, 0xA0), (0x1B, 0x78, 0x37))


def shares_of(policy: Policy, ends: str) -> dict[Square, float]:
    """Return the share of all votes that each square of the floor has as ``"sources"`` or ``"targets"`` of moves."""
    counts = policy.sources if ends == "sources" else policy.targets
    return {square: counts.get(square, 0) / max(policy.n_votes, 1) for square in sorted(policy.board.level.floor)}


def lowest_share(policies: Sequence[Policy]) -> float:
    """Return the share at which a logarithmic scale begins."""
    return HALF_A_VOTE / max(1, *(policy.n_votes for policy in policies))


def heat_of(shares: Mapping[Square, float], low: float, high: float, *, logarithmic: bool, label: str) -> Heat:
    """Return shares as an overlay on a scale."""
    top, values = max(high, low), {(row, column): share for (row, column), share in shares.items()}
    if logarithmic:
        return Heat(values, low=low, high=top, scale="log", label=label)
    return Heat(values, low=0, high=top, label=label)


def heat_picture(policy: Policy, ends: str, *, logarithmic: bool, arrows: int = MOST_ARROWS) -> Picture:
    """Return the position under its heatmap, with the likeliest moves as arrows."""
    shares = shares_of(policy, ends)
    high = max(shares.values(), default=1.0)
    label = f"share of {policy.n_votes} votes"
    heat = heat_of(shares, lowest_share([policy]), high, logarithmic=logarithmic, label=label)
    likely = [chance for chance in policy.moves[:arrows] if chance.probability >= LEAST_ARROW]
    signs = [
        Arrow(chance.source, chance.target, "now" if not place else "context") for place, chance in enumerate(likely)
    ]
    return policy.board.picture().with_overlays(heat, *signs)


@dataclass(frozen=True)
class HeatDifference:
    """Shares of one heatmap minus those of another, drawn on a scale from purple over white to green."""

    kind: ClassVar[str] = "heat"
    values: Mapping[Square, float]
    low: float
    """the smallest difference that a logarithmic scale tells from none"""
    high: float
    logarithmic: bool

    @property
    def squares(self) -> tuple[Square, ...]:
        """The squares that have a value."""
        return tuple(self.values)

    def place_of(self, value: float) -> float:
        """Place of a difference on the scale, -1 to 1."""
        size = abs(value)
        if size <= 0 or self.high <= 0:
            return 0.0
        if self.logarithmic and self.low < self.high:
            part = math.log(max(size, self.low) / self.low) / math.log(self.high / self.low)
        else:
            part = size / self.high
        return math.copysign(min(part, 1.0), value)

    def to_json(self) -> dict[str, Any]:
        """Return the overlay as plain data."""
        return {
            "kind": self.kind,
            "squares": [[*square, two_sided_color(self.place_of(value))] for square, value in self.values.items()],
            "low": f"−{self.high:.3g}",
            "high": f"+{self.high:.3g}",
            "label": "difference" + (" · logarithmic" if self.logarithmic else ""),
            "colors": [two_sided_color(index / 11.5 - 1) for index in range(24)],
        }


def two_sided_color(place: float) -> str:
    """Colour of a place between -1 and 1, as ``#rrggbb``."""
    at = (min(max(place, -1.0), 1.0) + 1) / 2 * (len(_PURPLE_TO_GREEN) - 1)
    index = min(int(at), len(_PURPLE_TO_GREEN) - 2)
    ends = zip(_PURPLE_TO_GREEN[index], _PURPLE_TO_GREEN[index + 1], strict=True)
    return "#" + "".join(f"{round(low + (high - low) * (at - index)):02x}" for low, high in ends)


def difference_picture(policy: Policy, difference: HeatDifference) -> Picture:
    """Return the position of a policy under a difference."""
    return policy.board.picture().with_overlays(cast("Overlay", difference))


def side_by_side(pictures: Sequence[tuple[str, Picture]], label: str) -> str:
    """Return pictures with their titles beside each other, as one SVG document."""
    drawn = [(title, picture.to_svg()) for title, picture in pictures]
    sizes = [[float(length) for length in re.findall(r'(?:width|height)="([\d.]+)"', text)[:2]] for _, text in drawn]
    parts, left = [], 0.0
    style = 'font-family="system-ui, sans-serif" font-size="13" fill="#808080"'
    for (title, opaque), (width, _) in zip(drawn, sizes, strict=True):
        parts.append(f'<text x="{left:g}" y="14" {style}>{html.escape(title)}</text>')
        text = opaque.replace('class="sokoviz-box-', 'class="sokoviz-heat-box-')
        parts.append(text.replace("<svg ", f'<svg x="{left:g}" y="{TITLE_HEIGHT}" ', 1))
        left += width + GAP
    height = TITLE_HEIGHT + max((height for _, height in sizes), default=0.0)
    size = f'width="{left - GAP:g}" height="{height:g}" viewBox="0 0 {left - GAP:g} {height:g}"'
    opening = f'<svg xmlns="http://www.w3.org/2000/svg" role="img" {size}>'
    return f"{opening}<title>{html.escape(label)}</title><style>{_OUTLINES}</style>{''.join(parts)}</svg>"
