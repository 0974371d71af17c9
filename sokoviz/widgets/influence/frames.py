"""What a page needs to show influence, as plain data: the table, a pair of squares, pushes that are kept and cut."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, cast

from sokoviz.overlays import Mark, Path, color_of
from sokoviz.widgets.heatmaps.frames import level_name
from sokoviz.widgets.heatmaps.pictures import two_sided_color

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sokoviz.analysis.influence import Influence, Verdict
    from sokoviz.analysis.influence_path import Breakdown
    from sokoviz.board import Board
    from sokoviz.overlays import Overlay
    from sokoviz.picture import Picture
    from sokoviz.squares import Square

FROM, TO, ASYMMETRY = DIRECTIONS = ("from", "to", "asymmetry")
N_COLORS = 24

NOTHING = {"title": "Influence", "settings": "", "squares": [], "highest": 0, "widest": 0, "threshold": 0, "m": 0}
"""what is known of a level before it has been measured"""


def about(found: Influence) -> dict[str, Any]:
    """Return what does not change: the squares, and the parameters that belong to the level."""
    return {
        "title": "Influence",
        "game": level_name(found.level),
        "settings": "as in the released program" if found.released else "",
        "squares": [list(square) for square in found.squares],
        "highest": int(found.table.max()),
        "widest": int(abs(found.asymmetry).max()),
        "threshold": found.threshold,
        "m": found.m,
    }


def table_bytes(found: Influence) -> bytes:
    """Return the whole table row by row, two bytes a number, the lower first."""
    return found.table.astype("<u2").tobytes()


def pair_entry(found: Influence, breakdown: Breakdown) -> dict[str, Any]:
    """Return a most influential path, and the lines of its table."""
    return {
        "source": breakdown.source.name,
        "target": breakdown.target.name,
        "path": [list(square) for square in breakdown.path],
        "names": [square.name for square in breakdown.path],
        "rows": [[name, list(values), sum(values)] for name, values in breakdown.rows.items()],
        "total": breakdown.total,
        "back": found[breakdown.target, breakdown.source],
    }


def cuts_entry(verdicts: Sequence[Verdict], line: Sequence[Verdict]) -> dict[str, Any]:
    """Return the legal pushes with what becomes of them, and the pushes that led here."""
    return {
        "pushes": [_verdict(verdict) for verdict in verdicts],
        "line": [_verdict(verdict) for verdict in line],
        "n_cut": sum(verdict.is_cut for verdict in verdicts),
    }


def _verdict(verdict: Verdict) -> dict[str, Any]:
    """One push."""
    return {
        "name": str(verdict.push),
        "from": verdict.push.box.name,
        "squares": [list(verdict.push.box), list(verdict.push.target)],
        "direction": verdict.push.direction,
        "cut": verdict.is_cut,
        "rule": verdict.rule,
        "influence": verdict.influence,
        "distant": verdict.is_distant,
        "reason": verdict.reason,
    }


def first_pair(found: Influence, board: Board) -> tuple[Square, Square | None]:
    """Return squares to begin with: a box that is off goal, and the goal that it influences most."""
    boxes = sorted(board.boxes & board.level.floor)
    goals = [goal for goal in sorted(board.level.goals) if goal in board.level.floor]
    source = next((box for box in boxes if box not in goals), boxes[0] if boxes else board.player)
    others = [goal for goal in goals if goal != source]
    return source, min(others, key=lambda goal: found[source, goal], default=None)


# --- the picture that is left where there is no kernel ---------------------------------------------------------------


@dataclass(frozen=True)
class Field:
    """The influence of a square on all, or of all on it, or the difference of both; strong influence is light."""

    kind: ClassVar[str] = "heat"
    values: Mapping[Square, int]
    highest: int
    direction: str
    label: str

    @property
    def squares(self) -> tuple[Square, ...]:
        """The squares that have a value."""
        return tuple(self.values)

    def color(self, value: float) -> str:
        """Colour of a value."""
        if self.direction == ASYMMETRY:
            return two_sided_color(-value / max(self.highest, 1))
        return color_of(1 - value / max(self.highest, 1))

    def to_json(self) -> dict[str, Any]:
        """Return the overlay as plain data."""
        low = -self.highest if self.direction == ASYMMETRY else 0
        step = (self.highest - low) / (N_COLORS - 1)
        return {
            "kind": self.kind,
            "squares": [[*square, self.color(value)] for square, value in self.values.items()],
            "low": str(low).replace("-", "−"),
            "high": str(self.highest),
            "label": self.label,
            "colors": [self.color(low + step * index) for index in range(N_COLORS)],
        }


def field_of(found: Influence, square: Square, direction: str) -> Field:
    """Return the field of a square as an overlay."""
    out, back = found.field_from(square), found.field_to(square)
    if direction == ASYMMETRY:
        values = {each: out[each] - back[each] for each in out}
        return Field(
            values, int(abs(found.asymmetry).max()), direction, f"influence from {square.name} less that to it"
        )
    chosen = out if direction == FROM else back
    return Field(chosen, int(found.table.max()), direction, f"influence {direction} {square.name} · small is strong")


def field_picture(found: Influence, board: Board, source: Square, target: Square | None, direction: str) -> Picture:
    """Return the position under the field of a square, with the most influential path to another."""
    overlays: list[Overlay] = [cast("Overlay", field_of(found, source, direction)), Mark(source, "now")]
    if target is not None:
        overlays.append(Path(found.between(source, target).path, "now"))
    return board.picture(coordinates=True).with_overlays(*overlays)
