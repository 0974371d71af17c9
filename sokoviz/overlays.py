"""Overlays: what is drawn on top of a position, as data. Each has a role or a scale, which picks the colour."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Literal, TypeAlias

from sokoviz.squares import Square

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

#: What an overlay means; it picks the colour, one meaning each.
ROLES = (
    *("component", "dead", "deadlock", "now", "new", "context", "player", "goal", "matching", "control"),
    *("known", "goal-cut", "relevance", "inward", "pattern"),  # what a search leaves out
    "searched",  # what it has done with
)

SHAPES = ("ring", "cross", "dot")
SCALES = ("linear", "log")

#: Ten anchors of the cividis scale, dark to light; it reads the same with every common colour vision.
_CIVIDIS = (
    (0x00, 0x22, 0x4E),
    (0x12, 0x35, 0x70),
    (0x3B, 0x49, 0x6C),
    (0x57, 0x5D, 0x6D),
    (0x70, 0x71, 0x73),
    (0x8A, 0x86, 0x78),
    (0xA5, 0x9C, 0x74),
    (0xC3, 0xB3, 0x69),
    (0xE1, 0xCC, 0x55),
    (0xFE, 0xE8, 0x38),
)

#: A square as people give it: a `Square` or a plain (row, column) pair.
SquareLike: TypeAlias = tuple[int, int]


def color_of(share: float) -> str:
    """Colour on the cividis scale of a share between 0 and 1, as ``#rrggbb``."""
    place = min(max(share, 0.0), 1.0) * (len(_CIVIDIS) - 1)
    index = min(int(place), len(_CIVIDIS) - 2)
    part = place - index
    channels = (
        round(low + (high - low) * part) for low, high in zip(_CIVIDIS[index], _CIVIDIS[index + 1], strict=True)
    )
    return "#" + "".join(f"{channel:02x}" for channel in channels)


def _check(what: str, value: str, accepted: Iterable[str]) -> None:
    """Raise where a word is none of those accepted."""
    if value not in accepted:
        message = f"expected a {what} out of {', '.join(accepted)}; found {value!r}"
        raise ValueError(message)


def _squares(squares: Iterable[SquareLike]) -> tuple[Square, ...]:
    """Squares in a fixed order, so that equal pictures draw to equal text."""
    return tuple(sorted(Square(*square) for square in squares))


def _pairs(squares: Iterable[Square]) -> list[list[int]]:
    """Squares as JSON: [row, column] each."""
    return [list(square) for square in squares]


@dataclass(frozen=True)
class Fill:
    """Squares tinted alike.

    Parameters
    ----------
    squares
        The squares, in any order.
    role
        One of `ROLES`.
    """

    kind: ClassVar[str] = "fill"
    squares: tuple[Square, ...]
    role: str

    def __init__(self, squares: Iterable[SquareLike], role: str) -> None:
        _check("role", role, ROLES)
        object.__setattr__(self, "squares", _squares(squares))
        object.__setattr__(self, "role", role)

    def to_json(self) -> dict[str, Any]:
        """Return the overlay as plain data."""
        return {"kind": self.kind, "role": self.role, "squares": _pairs(self.squares)}


@dataclass(frozen=True)
class Heat:
    """A value on each of some squares, drawn as colour with a legend.

    Parameters
    ----------
    values
        Value of each square; a square without a finite value stays untinted.
    low, high
        Ends of the scale; where left out, the smallest and the largest value (on a ``log`` scale the smallest above 0).
    scale
        ``linear`` or ``log``.
    label
        What the values are, for the legend.
    """

    kind: ClassVar[str] = "heat"
    values: Mapping[Square, float] = field(hash=False)
    low: float
    high: float
    scale: str = "linear"
    label: str = ""

    def __init__(
        self,
        values: Mapping[SquareLike, float],
        low: float | None = None,
        high: float | None = None,
        scale: Literal["linear", "log"] = "linear",
        label: str = "",
    ) -> None:
        _check("scale", scale, SCALES)
        finite = {Square(*square): float(value) for square, value in values.items() if math.isfinite(value)}
        usable = [value for value in finite.values() if scale == "linear" or value > 0] or [1.0]
        object.__setattr__(self, "values", dict(sorted(finite.items())))
        object.__setattr__(self, "low", min(usable) if low is None else float(low))
        object.__setattr__(self, "high", max(usable) if high is None else float(high))
        object.__setattr__(self, "scale", scale)
        object.__setattr__(self, "label", label)
        self._check_ends()

    def _check_ends(self) -> None:
        """Raise where the ends of the scale are the wrong way round, or a logarithm of them does not exist."""
        if self.low > self.high or (self.scale == "log" and self.low <= 0):
            rule = "0 < low <= high" if self.scale == "log" else "low <= high"
            message = f"expected {rule} on a {self.scale} scale, found low={self.low:g} and high={self.high:g}"
            raise ValueError(message)

    @property
    def squares(self) -> tuple[Square, ...]:
        """The squares that have a value."""
        return tuple(self.values)

    def share_of(self, value: float) -> float:
        """Place of a value on the scale, 0 at `low` and 1 at `high`."""
        if self.low == self.high:
            return 1.0 if value >= self.high else 0.0
        if self.scale == "linear":
            share = (value - self.low) / (self.high - self.low)
        else:
            share = math.log(max(value, self.low) / self.low) / math.log(self.high / self.low)
        return min(max(share, 0.0), 1.0)

    def to_json(self) -> dict[str, Any]:
        """Return the overlay as plain data, colours included, so that no other part needs the scale."""
        return {
            "kind": self.kind,
            "squares": [[*square, color_of(self.share_of(value))] for square, value in self.values.items()],
            "low": f"{self.low:.3g}",
            "high": f"{self.high:.3g}",
            "label": " · ".join(part for part in (self.label, "logarithmic" if self.scale == "log" else "") if part),
            "colors": [color_of(index / 23) for index in range(24)],
        }


@dataclass(frozen=True)
class Arrow:
    """An arrow from one square to another.

    Parameters
    ----------
    source, target
        Where it starts and ends.
    role
        One of `ROLES`.
    label
        A short text beside it.
    """

    kind: ClassVar[str] = "arrow"
    source: Square
    target: Square
    role: str
    label: str = ""

    def __init__(self, source: SquareLike, target: SquareLike, role: str, label: str = "") -> None:
        _check("role", role, ROLES)
        object.__setattr__(self, "source", Square(*source))
        object.__setattr__(self, "target", Square(*target))
        object.__setattr__(self, "role", role)
        object.__setattr__(self, "label", label)

    @property
    def squares(self) -> tuple[Square, ...]:
        """Both ends."""
        return (self.source, self.target)

    def to_json(self) -> dict[str, Any]:
        """Return the overlay as plain data."""
        return {"kind": self.kind, "role": self.role, "squares": _pairs(self.squares), "label": self.label}


@dataclass(frozen=True)
class Mark:
    """A sign on one square.

    Parameters
    ----------
    square
        Where it stands.
    role
        One of `ROLES`.
    shape
        ``ring``, ``cross`` or ``dot``.
    text
        A short text in the middle of the square.
    """

    kind: ClassVar[str] = "mark"
    square: Square
    role: str
    shape: str = "ring"
    text: str = ""

    def __init__(
        self, square: SquareLike, role: str, shape: Literal["ring", "cross", "dot"] = "ring", text: str = ""
    ) -> None:
        _check("role", role, ROLES)
        _check("shape", shape, SHAPES)
        object.__setattr__(self, "square", Square(*square))
        object.__setattr__(self, "role", role)
        object.__setattr__(self, "shape", shape)
        object.__setattr__(self, "text", text)

    @property
    def squares(self) -> tuple[Square, ...]:
        """The one square."""
        return (self.square,)

    def to_json(self) -> dict[str, Any]:
        """Return the overlay as plain data."""
        return {
            "kind": self.kind,
            "role": self.role,
            "squares": _pairs(self.squares),
            "shape": self.shape,
            "text": self.text,
        }


@dataclass(frozen=True)
class Path:
    """A line through squares, in order.

    Parameters
    ----------
    squares
        The squares from start to end.
    role
        One of `ROLES`.
    """

    kind: ClassVar[str] = "path"
    squares: tuple[Square, ...]
    role: str

    def __init__(self, squares: Iterable[SquareLike], role: str = "player") -> None:
        _check("role", role, ROLES)
        object.__setattr__(self, "squares", tuple(Square(*square) for square in squares))
        object.__setattr__(self, "role", role)

    def to_json(self) -> dict[str, Any]:
        """Return the overlay as plain data."""
        return {"kind": self.kind, "role": self.role, "squares": _pairs(self.squares)}


Overlay: TypeAlias = Fill | Heat | Arrow | Mark | Path
