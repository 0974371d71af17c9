"""Influence of squares in a notebook: fields, paths with their breakdown, the whole table, and relevance cuts."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar

import traitlets

from sokoviz.actions import Push
from sokoviz.board import Board
from sokoviz.errors import SearchError
from sokoviz.levels import Level
from sokoviz.search.loading import Announcement, is_compiling
from sokoviz.squares import Square
from sokoviz.widgets.base import loading as warmup
from sokoviz.widgets.base.background import SECONDS_BETWEEN_WORDS, every, in_background
from sokoviz.widgets.base.modules import join_modules, join_styles
from sokoviz.widgets.board.widget import BoardWidget, TakenIn
from sokoviz.widgets.heatmaps.frames import level_name
from sokoviz.widgets.influence import frames

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sokoviz.analysis.influence import Influence

LOADING = "Measuring influence …"
GROUP = "influence"
PARAMETERS = ("k", "m", "threshold")


@cache
def _announcement() -> Announcement:
    """One for all widgets, which wait for the same."""
    return Announcement("measure of influence", is_compiled=False, group=GROUP)


def measure(level: Level, *, released: bool) -> Influence:
    """Measure a level, and see to it that all its kernels are loaded."""
    from sokoviz.analysis.influence import influence

    found = influence(level, released=released)
    found.between(found.squares[0], found.squares[-1])
    found.cuts(level)
    return found


class InfluenceWidget(BoardWidget):
    """How squares of a level influence each other, and what relevance cuts make of that.

    Point at a square to see the field of influence around it, pick two to see the most influential path between them.
    Play pushes on the board, and see which of the next ones a relevance cut would drop, and why.

    Parameters
    ----------
    level
        The level; a board, which is used as it is; or what `influence` has found.
    options
        Traits to begin with: ``source``, ``target``, ``direction``, ``k``, ``m``, ``threshold``, ``moves``; and
        ipywidgets' ``layout``.

    Examples
    --------
    >>> InfluenceWidget(load("lessons#17"))
    """

    OPTIONS: ClassVar[tuple[str, ...]] = ("source", "target", "direction", "k", "m", "threshold", "moves", "layout")
    _esm = join_modules("influence_widget")
    _css = join_styles("board", "widget", "explorer", "tree", "heatmap", "influence")

    source = TakenIn("_take_source").tag(sync=True)
    """name of the selected square, such as ``"Gh"``, or empty; set it to select another"""

    target = TakenIn("_take_target").tag(sync=True)
    """name of the square to which the most influential path leads, or empty; set it to choose another"""

    direction = traitlets.Enum(frames.DIRECTIONS, frames.FROM).tag(sync=True)
    """what is shown of a square: influence ``"from"`` it, ``"to"`` it, or the ``"asymmetry"`` of both"""

    k = traitlets.Int(1, min=0).tag(sync=True)
    """how many distant moves relevance cuts let pass within the last `m`"""

    m = traitlets.Int(0, min=0).tag(sync=True)
    """how many moves they look back at"""

    threshold = traitlets.Int(0, min=0).tag(sync=True)
    """the influence up to which squares are near"""

    coordinates = traitlets.Bool(default_value=True).tag(sync=True)
    """whether the board has letters: pushes are named by them"""

    about = traitlets.Dict().tag(sync=True)
    table = traitlets.Bytes(b"").tag(sync=True)
    pair = traitlets.Dict().tag(sync=True)
    cuts = traitlets.Dict().tag(sync=True)
    record = traitlets.Dict({"busy": True, "text": LOADING}).tag(sync=True)

    def __init__(self, level: Level | Board | Influence, **options: Any) -> None:
        self._check_options(options)
        self._found: Influence | None = None
        self._released = bool(getattr(level, "released", False))
        self._shown_pair: tuple[str, str] = ("", "")
        self._shown_cuts: tuple[object, ...] = ()
        self._is_set_up = False
        self._wishes = {name: options.pop(name) for name in ("source", "target", "m", "threshold") if name in options}
        is_measured = not isinstance(level, Level | Board)
        super().__init__(_position_of(level), **options)
        with self._publishing():
            self.about = {**frames.NOTHING, "game": level_name(self.board.level)}
            for name in ("source", "target"):
                if name in self._wishes:
                    setattr(self, name, self._checked(self._wishes[name]))
        self.observe(self._judge_again, PARAMETERS)
        self._is_set_up = True
        if is_measured:
            self._when_measured(None)
        elif warmup.is_warm():
            self._load()

    def __repr__(self) -> str:
        """What is shown."""
        pair = f", {self.source} to {self.target}" if self.target else f", {self.source}" * bool(self.source)
        return f"<InfluenceWidget: {self.board.level!r}{pair}>"

    def _repr_mimebundle_(self, **options: Any) -> tuple[dict[str, Any], dict[str, Any]] | None:
        """Show the live widget, and leave the field as a picture where there is no kernel to bring it to life."""
        bundle = super()._repr_mimebundle_(**options)
        if bundle is None or self._found is None or not self.source:
            return bundle
        data, metadata = bundle
        target = Square.parse(self.target) if self.target else None
        picture = frames.field_picture(self._found, self.board, Square.parse(self.source), target, self.direction)
        spoken = {"image/svg+xml": {"alt": f"Influence {self.direction} {self.source}. {picture.label}"}}
        return {**data, **picture._repr_mimebundle_(), "text/plain": repr(self)}, {**metadata, **spoken}

    # --- what Python can ask for -------------------------------------------------------------------------------------

    @property
    def influence(self) -> Influence:
        """What was measured.

        Raises
        ------
        SearchError
            If the kernels are still being loaded.
        """
        if self._found is None:
            message = "expected a level that has been measured, found that the kernels are still being loaded"
            raise SearchError(message)
        return self._found

    # --- traits that were set ----------------------------------------------------------------------------------------

    def _checked(self, name: str) -> str:
        """A square's name as it is written here; empty for none."""
        if not name:
            return ""
        square = Square.parse(name)
        if square not in self.board.level.floor:
            message = f"expected a floor square of {self.board.level!r}, found {square.name}"
            raise SearchError(message)
        return square.name

    def _take_source(self, name: str) -> None:
        """Select a square; nothing changes if it is none."""
        self._select(self._checked(name), self.target)

    def _take_target(self, name: str) -> None:
        """Choose where the path leads; nothing changes if it is no square."""
        self._select(self.source, self._checked(name))

    def _select(self, source: str, target: str) -> None:
        """Select a pair of squares."""
        with self._publishing():
            self.source, self.target = source, target
        self._publish_influence()

    def _take_position(self, text: str) -> None:
        """Begin at another position; nothing changes if the text is none of this level."""
        level, own = Level.parse(text), self.board.level
        if (level.floor, level.width, level.goals) != (own.floor, own.width, own.goals):
            message = f"expected a position of {own!r}, found one of {level!r}"
            raise SearchError(message)
        super()._take_position(text)

    def _judge_again(self, _change: object) -> None:
        """Somebody has set a parameter of the cuts."""
        if not self.is_publishing:
            self._publish_influence()

    # --- loading the kernels -----------------------------------------------------------------------------------------

    def _when_warm(self, error: Exception | None) -> None:
        """The kernels of the board are there; those of influence come next."""
        super()._when_warm(error)
        if self._is_set_up:
            self._load()

    def _load(self) -> None:
        """See to it that the level gets measured, if it is not yet."""
        level, released = self.board.level, self._released
        every(SECONDS_BETWEEN_WORDS, self._say_again_of_influence)
        in_background(("influence", level.rows), lambda: measure(level, released=released), self._when_measured)

    def _say_again_of_influence(self) -> bool:
        """Say how long its kernels still take to compile; return whether somebody waits."""
        if self._found is None and is_compiling(GROUP):
            self.record = {"busy": True, "text": str(_announcement())}
        return self._found is None

    def _when_measured(self, error: Exception | None) -> None:
        """Come alive: what was measured is known by now."""
        if error:
            self.show_exception(error)
            return
        found = self._found = measure(self.board.level, released=self._released)
        with self._publishing():
            self.about, self.table = frames.about(found), frames.table_bytes(found)
            self.m, self.threshold = (self._wishes.get(name, getattr(found, name)) for name in ("m", "threshold"))
            if not self.source and "source" not in self._wishes:
                source, target = frames.first_pair(found, self.board)
                self.source, self.target = source.name, self.target or (target.name if target else "")
            self.record = {"busy": False, "text": ""}
        self._publish_influence()

    # --- showing -----------------------------------------------------------------------------------------------------

    def _publish(self) -> None:
        """Bring all traits up to date with the board."""
        with self.hold_sync():
            super()._publish()
            self._publish_influence()

    def _publish_influence(self) -> None:
        """Bring the pair and the cuts up to date, where they have changed."""
        found = self._found
        if found is None or not self._is_set_up:
            return
        with self._publishing():
            if (self.source, self.target) != self._shown_pair:
                self._shown_pair = (self.source, self.target)
                is_pair = self.source and self.target
                self.pair = frames.pair_entry(found, found.between(self.source, self.target)) if is_pair else {}
            asked = (self.board.level, self.board.moves, self.k, self.m, self.threshold)
            if asked != self._shown_cuts:
                self._shown_cuts = asked
                parameters = {name: getattr(self, name) for name in PARAMETERS}
                judged = found.cuts(self.board, **parameters), found.line(self.board, **parameters)
                self.cuts = frames.cuts_entry(*judged)

    # --- messages of the page ----------------------------------------------------------------------------------------

    def _on_push(self, square: Sequence[int], direction: str) -> None:
        """Do a push."""
        self._play.drop()
        self.board.push(Push(Square(*square), direction))
        self._publish()

    def _on_reset(self) -> None:
        """Take the parameters of the level again."""
        with self._publishing():
            self.k, self.m, self.threshold = 1, self.influence.m, self.influence.threshold
        self._publish_influence()


def _position_of(level: object) -> Level | Board:
    """The position to begin with."""
    position = level if isinstance(level, Level | Board) else getattr(level, "level", None)
    if not isinstance(position, Level | Board):
        message = f"expected a Level, a Board or an Influence, found {level!r}"
        raise TypeError(message)
    return position
