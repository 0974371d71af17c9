"""What a learner knows of a position, in a notebook: heatmaps, moves with probabilities, and who voted for them."""

from __future__ import annotations

import threading
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar

import traitlets

from sokoviz.board import Board
from sokoviz.errors import SearchError
from sokoviz.levels import Level
from sokoviz.search.loading import Announcement
from sokoviz.widgets.base import loading as warmup
from sokoviz.widgets.base.background import SECONDS_BETWEEN_WORDS, every, in_background
from sokoviz.widgets.base.modules import join_modules, join_styles, plotly_bundle
from sokoviz.widgets.board.widget import BoardWidget, TakenIn
from sokoviz.widgets.heatmaps import frames
from sokoviz.widgets.heatmaps.learners import check_learner
from sokoviz.widgets.heatmaps.pictures import heat_picture, side_by_side

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sokoviz.widgets.heatmaps.learners import Learner, Policy

TITLES = {"sources": "where boxes are moved from", "targets": "where they are moved to"}

_loaded = threading.Event()
"""set when a learner has been asked in this process: its kernels are there"""


def load_learner(learner: Learner) -> None:
    """See to it that the kernels of a learner are loaded."""
    if not is_loaded():
        learner.policy(learner.level.board(), n=0)
        _loaded.set()


def is_loaded() -> bool:
    """Whether a learner can be asked without waiting."""
    return _loaded.is_set()


def while_loading(learner: Learner) -> dict[str, Any]:
    """Return what a page is told while a learner cannot be asked yet."""
    return {"busy": True, "text": str(_announcement(is_compiled=learner.is_compiled()))}


@cache
def _announcement(*, is_compiled: bool) -> Announcement:
    """One for all widgets, which wait for the same."""
    return Announcement("learner", is_compiled=is_compiled, group="learner, asked")


class HeatmapWidget(BoardWidget):
    """What a learner's episodes say about a position: from where and to where they would move boxes, and why.

    The position can be played; heatmaps, moves and votes follow. Sliders go back to what was known after any stage, or
    after any number of episodes.

    Parameters
    ----------
    learner
        The learner, such as a `Curry`; after it has run on, call `refresh`.
    board
        The position to begin with: a board, which is used as it is, or a level; the learner's level where left out.
    options
        Traits to begin with: ``stage``, ``n``, ``move``, ``ends``, ``logarithmic``, ``moves``, ``component``,
        ``dead_squares``; and ipywidgets' ``layout``.

    Examples
    --------
    >>> curry = Curry(load("lessons#17"), seed=1)
    >>> curry.run(seconds=5)
    >>> HeatmapWidget(curry)
    """

    OPTIONS: ClassVar[tuple[str, ...]] = (
        *("stage", "n", "move", "ends", "logarithmic", "moves", "component", "dead_squares", "layout"),
    )
    _esm = join_modules("heatmap_widget")
    _css = join_styles("board", "widget", "explorer", "tree", "heatmap")

    stage = traitlets.Int(0).tag(sync=True)
    """which of the learner's stages, from 1 on; set it to see what was known at its end"""

    n = traitlets.Int(0).tag(sync=True)
    """how many episodes are known; set it to see what was known then"""

    move = TakenIn("_take_move").tag(sync=True)
    """name of the selected move, such as ``"Ee→Fe"``, or empty; set it to select another"""

    ends = traitlets.Enum(("both", *frames.ENDS), "both").tag(sync=True)
    """which heatmaps are shown: ``"sources"``, ``"targets"`` or ``"both"``"""

    logarithmic = traitlets.Bool(default_value=True).tag(sync=True)
    """whether colours tell orders of magnitude, as in the text; otherwise they tell the shares themselves"""

    episode = traitlets.Int(0).tag(sync=True)
    """number of the episode in the player, 0 for none; set it to open another"""

    about = traitlets.Dict().tag(sync=True)
    heat = traitlets.Dict().tag(sync=True)
    chances = traitlets.List[dict[str, Any]]().tag(sync=True)
    voters = traitlets.Dict().tag(sync=True)
    strip = traitlets.Dict().tag(sync=True)
    curves = traitlets.Dict().tag(sync=True)
    record = traitlets.Dict().tag(sync=True)

    def __init__(self, learner: Learner, board: Board | Level | None = None, **options: Any) -> None:
        self._check_options(options)
        self._learner = check_learner(learner)
        self._policy: Policy | None = None
        self._asked: tuple[object, ...] = ()  # what the policy is of
        self._stages = frames.stages_of(learner)
        self._is_following = True  # the likeliest move is selected where the selected one is none any more
        self._page = 0
        self._is_set_up = False
        self._drawn: tuple[object, ...] = ()  # what the voters and the strip show
        wishes = {name: options.pop(name) for name in ("stage", "n", "move") if name in options}
        super().__init__(self._position_of(board), **options)
        with self._publishing():
            self.about, self.curves = frames.about(learner), frames.curves(self._stages)
            self.stage, self.n = len(self._stages), len(learner.episodes)
        self.observe(self._go_where_asked, ["stage", "n"])
        self.observe(self._open_what_was_asked, ["episode"])
        self._is_set_up = True
        self._publish()
        for name, value in wishes.items():
            setattr(self, name, value)

    def _position_of(self, board: object) -> Board:
        """The position to begin with."""
        if board is None:
            return self._learner.level.board()
        if isinstance(board, Level):
            board = board.board()
        if not isinstance(board, Board):
            message = f"expected a Board or a Level, found {board!r}"
            raise TypeError(message)
        self._check_level(board.level)
        return board

    def _check_level(self, level: Level) -> None:
        """Raise where a position is on a board with other walls."""
        own = self._learner.level
        if level.floor != own.floor or level.width != own.width:
            message = f"expected a position of {own!r} or of its subcases, found one of {level!r}"
            raise SearchError(message)

    def __repr__(self) -> str:
        """What is shown."""
        return f"<HeatmapWidget: {self._learner!r}, {frames.count(self.n, 'episode')} known>"

    def _repr_mimebundle_(self, **options: Any) -> tuple[dict[str, Any], dict[str, Any]] | None:
        """Show the live widget, and leave both heatmaps as a picture where there is no kernel to bring it to life."""
        bundle = super()._repr_mimebundle_(**options)
        if bundle is None or self._policy is None:
            return bundle
        data, metadata = bundle
        policy = self._policy
        shown = frames.ENDS if self.ends == "both" else (self.ends,)
        pictures = [(TITLES[ends], heat_picture(policy, ends, logarithmic=self.logarithmic)) for ends in shown]
        label = f"Heatmaps of {self.about['game']}, {frames.count(self.n, 'episode')} known"
        spoken = {"image/svg+xml": {"alt": label}}
        picture = {"image/svg+xml": side_by_side(pictures, label), "text/plain": repr(self)}
        return {**data, **picture}, {**metadata, **spoken}

    # --- what Python can ask for -------------------------------------------------------------------------------------

    @property
    def learner(self) -> Learner:
        """The learner."""
        return self._learner

    @property
    def policy(self) -> Policy:
        """What the episodes say about the position that is shown.

        Raises
        ------
        SearchError
            If the learner's kernels are still being loaded.
        """
        if self._policy is None:
            message = "expected a learner that can be asked, found that it is still being loaded"
            raise SearchError(message)
        return self._policy

    def refresh(self) -> None:
        """Show board and learner again after one of them was changed from outside."""
        self._catch_up()
        super().refresh()

    def _catch_up(self) -> None:
        """Take notice of what has been learned since."""
        learner = self._learner
        if len(learner.episodes) == self.about["n_episodes"]:
            return
        was_at_end = self.n == self.about["n_episodes"]
        self._stages = frames.stages_of(learner)
        with self._publishing():
            self.about, self.curves = frames.about(learner), frames.curves(self._stages)
            if was_at_end:
                self.stage, self.n = len(self._stages), len(learner.episodes)

    # --- traits that were set ----------------------------------------------------------------------------------------

    @traitlets.validate("stage")
    def _check_stage(self, proposal: Mapping[str, Any]) -> int:
        """Refuse a stage that there is not."""
        return self._checked("a stage from 1", proposal["value"], 1, len(self._stages))

    @traitlets.validate("n")
    def _check_n(self, proposal: Mapping[str, Any]) -> int:
        """Refuse a number of episodes that there are not."""
        return self._checked("a number of episodes from 0", proposal["value"], 0, len(self._learner.episodes))

    @traitlets.validate("episode")
    def _check_episode(self, proposal: Mapping[str, Any]) -> int:
        """Refuse an episode that there is not."""
        return self._checked("an episode from 0", proposal["value"], 0, len(self._learner.episodes))

    def _checked(self, what: str, value: int, low: int, high: int) -> int:
        if not self.is_publishing and not low <= value <= high:
            message = f"expected {what} to {high}, found {value!r}"
            raise SearchError(message)
        return value

    def _go_where_asked(self, change: Mapping[str, Any]) -> None:
        """Somebody has set `stage` or `n`: each follows the other."""
        if self.is_publishing:
            return
        with self._publishing():
            if change["name"] == "stage":
                self.n = self._stages[self.stage - 1].last
            else:
                self.stage = self._stage_of(self.n)
        self._publish()

    def _stage_of(self, n: int) -> int:
        """The stage in which so many episodes were known: the present one if it may be, else the first."""
        here = self._stages[self.stage - 1] if self.stage else None
        if here is not None and here.first <= n <= here.last:
            return self.stage
        return next((place for place, each in enumerate(self._stages, 1) if n <= each.last), len(self._stages))

    def _open_what_was_asked(self, _change: object) -> None:
        """Somebody has set `episode`."""
        if not self.is_publishing:
            self._publish()

    def _take_move(self, move: str) -> None:
        """Select a move; nothing changes if it is none."""
        if move and self._policy is not None:
            move = self._policy.find(move).name
        self._is_following = bool(move)
        self._page = 0
        with self._publishing():
            self.move = move
        self._publish()

    def _take_position(self, text: str) -> None:
        """Begin at another position; nothing changes if the text is none of this level."""
        self._check_level(Level.parse(text))
        super()._take_position(text)

    # --- loading the kernels -----------------------------------------------------------------------------------------

    def _begin(self) -> None:
        """Show the board at once; what needs kernels follows when they are loaded."""
        super()._begin()
        if warmup.is_warm():
            self._load()

    def _when_warm(self, error: Exception | None) -> None:
        """The kernels of the board are there; those of the learner come next."""
        super()._when_warm(error)
        self._load()

    def _load(self) -> None:
        """See to it that the learner can be asked."""
        learner = self._learner
        every(SECONDS_BETWEEN_WORDS, self._say_again_of_learner)
        in_background(("learner", type(learner)), lambda: load_learner(learner), self._when_loaded)

    def _say_again_of_learner(self) -> bool:
        """Say how long its kernels still take; return whether somebody waits."""
        if not is_loaded():
            self.record = while_loading(self._learner)
        return not is_loaded()

    def _when_loaded(self, error: Exception | None) -> None:
        """Come alive."""
        if error:
            self.show_exception(error)
        self._publish()

    # --- showing -----------------------------------------------------------------------------------------------------

    def _publish(self) -> None:
        """Bring all traits up to date with the board and the learner."""
        with self.hold_sync():
            super()._publish()
            self._publish_policy()

    def _publish_policy(self) -> None:
        """Ask the episodes about the position, if it has changed."""
        if not self._is_set_up:
            return
        if not (is_loaded() and warmup.is_warm()):
            self.record = while_loading(self._learner)
            return
        asked = (self.board.level, self.board.key, self.n, self.about.get("n_episodes"))
        if asked != self._asked:
            self._policy = self._learner.policy(self.board, n=self.n)
            self._asked, self._page = asked, 0
            with self._publishing():
                self.heat, self.chances = frames.heat(self._policy), frames.move_rows(self._policy)
                self.record = {"busy": False, "text": ""}
        self._publish_votes()

    def _publish_votes(self) -> None:
        """Who voted for the selected move, and the open episode beside this position."""
        policy = self.policy
        names = {chance["name"] for chance in self.chances}
        if self.move not in names and self._is_following:
            likeliest = next(iter(self.chances), {"name": ""})["name"]
            with self._publishing():
                self.move = likeliest
        drawn = (self._asked, self.move, self._page, self.episode)
        if drawn == self._drawn:
            return
        self._drawn = drawn
        with self._publishing():
            self.voters = frames.voters(policy, self.move if self.move in names else "", self._page)
            self.strip = self._make_strip(policy)

    def _make_strip(self, policy: Policy) -> dict[str, Any]:
        """The open episode, with the state that suggests a move for this position."""
        if not self.episode:
            return {}
        episode = self._learner.episodes[self.episode - 1]
        index = next((vote.index for vote in policy.votes if vote.episode.number == episode.number), None)
        return frames.episode_view(episode, self.board.boxes, index)

    # --- messages of the page ----------------------------------------------------------------------------------------

    def _answer(self, kind: str, arguments: dict[str, Any]) -> None:
        """Answer a message of the page; what has been learned meanwhile is noticed."""
        if kind != "plotly":
            self._catch_up()
        super()._answer(kind, arguments)

    def _on_plotly(self) -> None:
        """Send the drawing library, which the page asks for once."""
        self.send({"kind": "plotly"}, buffers=[plotly_bundle()])

    def _on_stage(self, stage: int) -> None:
        """Go to the end of a stage."""
        if self._stages:
            self.stage = min(max(int(stage), 1), len(self._stages))

    def _on_episodes(self, n: int) -> None:
        """Go to where so many episodes were known."""
        self.n = min(max(int(n), 0), len(self._learner.episodes))

    def _on_choose(self, move: str) -> None:
        """Select a move."""
        self.move = move

    def _on_votes(self, page: int) -> None:
        """Turn to another page of votes."""
        self._page = int(page)
        self._publish()

    def _on_episode(self, number: int) -> None:
        """Open an episode."""
        self.episode = int(number)
