"""A board to play in a notebook. Python holds the board and the rules; the page shows scenes and sends messages."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, ClassVar

import traitlets

from sokoviz.board import Board
from sokoviz.errors import LevelError, MoveError, SokovizError
from sokoviz.levels import Level
from sokoviz.widgets.base import loading as warmup
from sokoviz.widgets.base.background import SECONDS_BETWEEN_WORDS, every
from sokoviz.widgets.base.modules import join_modules, join_styles
from sokoviz.widgets.base.widget import BaseWidget
from sokoviz.widgets.board.glides import ways_between
from sokoviz.widgets.board.play import Play
from sokoviz.widgets.board.scene import Overlays, picture_of, scene_of, status_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sokoviz.actions import Deadlock
    from sokoviz.picture import Picture

_NO_ENTRY: dict[str, Any] = {"what": "", "error": "", "start": None, "end": None}

#: Messages that go along with a running replay; any other ends it.
_REPLAY_GOES_ON = {"next", "replay", "dismiss"}


class TakenIn(traitlets.TraitType[str, str]):
    """Text that the widget takes in by a method of its own, which raises before anything changes.

    Parameters
    ----------
    method
        Name of the widget's method; it sets the trait itself, to the text as the board writes it.
    """

    def __init__(self, method: str) -> None:
        super().__init__(default_value="")
        self._method = method

    def validate(self, _widget: traitlets.HasTraits, value: object) -> str:
        """Refuse what is no text; called by traitlets."""
        if not isinstance(value, str):
            message = f"expected text for the trait {self.name!r}, found {value!r}"
            raise traitlets.TraitError(message)
        return value

    def set(self, widget: BoardWidget, value: str) -> None:  # type: ignore[override]
        """Take a value in; called by traitlets."""
        # When held notifications are released, traitlets sets every value once more as it is.
        is_release = widget._cross_validation_lock and value == getattr(widget, self.name or "")  # noqa: SLF001
        if widget.is_publishing or is_release:
            super().set(widget, value)
        else:
            getattr(widget, self._method)(self.validate(widget, value))


class BoardWidget(BaseWidget):
    """A board to play with keys, mouse or touch.

    Parameters
    ----------
    level
        The level, or a board in any position; the board is used as it is, so that both show the same.
    options
        Traits to begin with: ``moves``, ``component``, ``pushes``, ``dead_squares``, ``coordinates``, ``replay_speed``,
        ``cell_size``; and ipywidgets' ``layout``.

    Raises
    ------
    TypeError
        If an option is unknown.
    MoveError
        If `moves` cannot be played; later too, when the trait is set.
    LevelError
        If the trait `position` is set to something that is no level.
    """

    OPTIONS: ClassVar[tuple[str, ...]] = (
        *("moves", "component", "pushes", "dead_squares", "coordinates", "replay_speed", "cell_size", "layout"),
    )
    _esm = join_modules("board_widget")
    _css = join_styles("board", "widget")

    moves = TakenIn("_take_moves").tag(sync=True)
    """what was done since the level's start, as a move string; set it to go there, with replay from the start"""

    position = TakenIn("_take_position").tag(sync=True)
    """the position as level text; set it to begin a new level there"""

    component = traitlets.Bool(default_value=False).tag(sync=True)
    """whether the squares are tinted that the player can reach"""

    pushes = traitlets.Bool(default_value=False).tag(sync=True)
    """whether an arrow shows each legal push"""

    dead_squares = traitlets.Bool(default_value=False).tag(sync=True)
    """whether the squares are crossed from which a box never reaches a goal"""

    coordinates = traitlets.Bool(default_value=False).tag(sync=True)
    """whether columns and rows are lettered"""

    replaying = traitlets.Bool(default_value=False).tag(sync=True)
    """whether moves are being played one by one"""

    replay_speed = traitlets.Float(4.0, min=0.1, max=60.0).tag(sync=True)
    """moves a second"""

    cell_size = traitlets.Float(None, allow_none=True, min=8, max=120)
    """side of a square in pixels at most; chosen by the size of the board where None"""

    scene = traitlets.Dict().tag(sync=True)
    """what the page shows"""

    entry = traitlets.Dict(_NO_ENTRY).tag(sync=True)
    """answer to the text that was pasted last"""

    def __init__(self, level: Level | Board, **options: Any) -> None:
        self._check_options(options)
        self.is_publishing = True
        self._play = Play(_board_of(level))
        self._n_levels = 0
        self._shown = ("", self.board.player)
        moves = options.pop("moves", None)
        super().__init__(options, moves=self.board.moves, position=self.board.position, scene={})
        self.is_publishing = False
        if moves is not None:
            self.moves = moves
        self._begin()
        self.observe(self._redraw, ["component", "pushes", "dead_squares", "coordinates", "cell_size"])

    def _begin(self) -> None:
        """Show the board at once; what needs kernels follows when they are loaded."""
        if not warmup.is_warm():
            warmup.find_out(self._when_known)
        self._publish()

    def _when_known(self, error: Exception | None) -> None:
        """Say whether the kernels are only loaded or compiled first, and see to it that they are."""
        if error:
            self.show_exception(error)
        self._publish()
        every(SECONDS_BETWEEN_WORDS, self._say_again)
        warmup.warm_up(self._when_warm)

    def _say_again(self) -> bool:
        """Say how long the kernels still take; return whether somebody waits."""
        if not warmup.is_warm():
            self._publish()
        return not warmup.is_warm()

    def _when_warm(self, error: Exception | None) -> None:
        """Draw again now that the kernels are loaded."""
        if error:
            self.show_exception(error)
        self._publish()

    def __repr__(self) -> str:
        """The board."""
        return f"<BoardWidget: {self.board!r}>"

    def _repr_mimebundle_(self, **options: Any) -> tuple[dict[str, Any], dict[str, Any]] | None:
        """Show the live board, and leave a picture where there is no kernel to bring it to life."""
        bundle = super()._repr_mimebundle_(**options)
        if bundle is None:
            return None
        data, metadata = bundle
        picture = self._picture(self._find_deadlocks())
        spoken = {"image/svg+xml": {"alt": picture.label}}
        return {**data, **picture._repr_mimebundle_()}, {**metadata, **spoken}

    # --- what Python can ask for ----------------------------------------------------------------------------------

    @property
    def board(self) -> Board:
        """The board that is played; after changing it, call `refresh`."""
        return self._play.board

    def replay(self, moves: str | None = None) -> None:
        """Play moves one by one in the page.

        Parameters
        ----------
        moves
            A move string from the level's start; where left out, go on with what lies ahead, or else play all that was
            done.
        """
        if moves is not None:
            self.moves = moves
        if not self.board.future:
            self.board.restart()
        self._play.drop("" if self.board.future else "Nothing to replay yet: make some moves first.")
        self.replaying = bool(self.board.future)
        self._publish()

    def stop(self) -> None:
        """Stop a replay where it is; the moves ahead are kept."""
        self.replaying = False

    def refresh(self) -> None:
        """Show the board again after it was changed from outside."""
        self._play.drop()
        self._publish()

    # --- setting the traits ---------------------------------------------------------------------------------------

    def _take_moves(self, moves: str) -> None:
        """Go where moves lead from the start; nothing changes if they are against the rules."""
        Board(self.board.level).play(moves)
        self.stop()
        self.board.restart()
        self.board.play(moves)
        self.refresh()

    def _take_position(self, text: str) -> None:
        """Begin a new level; nothing changes if the text is none."""
        self._play = Play(Board(Level.parse(text)))
        self._n_levels += 1
        self.stop()
        self.refresh()

    # --- showing --------------------------------------------------------------------------------------------------

    def _redraw(self, _change: object) -> None:
        """Draw again, after an overlay was switched."""
        self._publish()

    def _find_deadlocks(self) -> tuple[Deadlock, ...]:
        """The deadlocks found, none while the kernels are loading."""
        return self.board.deadlocks if warmup.is_warm() else ()

    def _picture(self, deadlocks: tuple[Deadlock, ...]) -> Picture:
        """The position with the overlays that are switched on."""
        wanted = Overlays(self.component, self.pushes, self.dead_squares, self.coordinates)
        return picture_of(self.board, wanted, deadlocks, is_warm=warmup.is_warm())

    def _make_scene(self) -> dict[str, Any]:
        """What the page shows now."""
        deadlocks = self._find_deadlocks()
        here = (self.board.moves, self.board.player)
        scene = {
            **scene_of(self._play, self._picture(deadlocks)),
            "status": status_of(self._play, deadlocks, is_warm=warmup.is_warm()),
            "ways": ways_between(self._shown, here),
            "frame": self.scene.get("frame", 0) + 1,
            "level": self._n_levels,
            "cell_size": self.cell_size,
        }
        self._shown = here
        return scene

    @contextmanager
    def _publishing(self) -> Iterator[None]:
        """Let the traits be set as they are, and the page hear of them all at once."""
        self.is_publishing = True
        try:
            with self.hold_sync(), self.hold_trait_notifications():
                yield
        finally:
            self.is_publishing = False

    def _publish(self) -> None:
        """Bring all traits up to date with the board."""
        try:
            with self._publishing():
                self.scene = self._make_scene()
                self.position = self.board.position
                self.moves = self.board.moves
        except Exception:
            # Someone who observes a trait failed: the page must see the move nevertheless.
            self.send_state(["scene", "position", "moves"])
            raise

    # --- answering the page ---------------------------------------------------------------------------------------

    def _answer(self, kind: str, arguments: dict[str, Any]) -> None:
        """Answer a message of the page: most are actions on the board."""
        if kind not in _REPLAY_GOES_ON:
            self.replaying = False
        if kind in Play.ACTIONS:
            getattr(self._play, kind)(**arguments)
            self._publish()
        else:
            super()._answer(kind, arguments)

    def _on_replay(self) -> None:
        """Begin a replay, or stop it."""
        if self.replaying:
            self.stop()
        else:
            self.replay()

    def _on_next(self, frame: int) -> None:
        """The page has drawn a frame of a replay; a view that lags behind another is not heard."""
        if not self.replaying or frame != self.scene["frame"]:
            return
        if self.board.future:
            self.board.seek(self.board.n_moves + 1)
        if not self.board.future:
            self.replaying = False
        self._publish()

    def _on_load(self, what: str, text: str) -> None:
        """Take in a level or a move string; an error is shown under its text, and nothing else changes."""
        try:
            if what == "level":
                self.position = text
            else:
                self.moves = text
        except SokovizError as error:
            start, end = _place_of(error, text)
            self.entry = {"what": what, "error": str(error), "start": start, "end": end}
        else:
            self.entry = {**_NO_ENTRY, "what": what}


def _board_of(level: object) -> Board:
    """The board that was given, or one that begins with the level that was given."""
    if isinstance(level, Board):
        return level
    if isinstance(level, Level):
        return Board(level)
    message = f"expected a Level or a Board, found {level!r}"
    raise TypeError(message)


def _place_of(error: SokovizError, text: str) -> tuple[int | None, int | None]:
    """Where in a text an error is, as the offsets of a selection."""
    if isinstance(error, MoveError) and error.column is not None:
        return error.column - 1, error.column
    if isinstance(error, LevelError) and error.line is not None:
        lines = text.splitlines(keepends=True)
        start = sum(map(len, lines[: error.line - 1]))
        length = len(lines[error.line - 1].rstrip("\r\n")) if error.line <= len(lines) else 0
        column = error.column
        return (start, start + length) if column is None else (start + column - 1, start + column)
    return None, None
