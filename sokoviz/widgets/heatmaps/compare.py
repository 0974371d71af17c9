"""Heatmaps side by side in a notebook, on one scale: other stages, other episodes, other seeds, other positions."""

from __future__ import annotations

from pathlib import Path
from string import ascii_uppercase
from typing import TYPE_CHECKING, Any, ClassVar

import traitlets

from sokoviz.board import Board
from sokoviz.errors import SearchError
from sokoviz.levels import Level
from sokoviz.widgets.base.background import SECONDS_BETWEEN_WORDS, every, in_background
from sokoviz.widgets.base.modules import join_modules, join_styles
from sokoviz.widgets.base.standalone import make_page
from sokoviz.widgets.base.widget import BaseWidget
from sokoviz.widgets.heatmaps import frames
from sokoviz.widgets.heatmaps.learners import Learner, Policy
from sokoviz.widgets.heatmaps.pictures import (
    HeatDifference,
    difference_picture,
    heat_of,
    lowest_share,
    shares_of,
    side_by_side,
)
from sokoviz.widgets.heatmaps.widget import is_loaded, load_learner, while_loading

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import pandas as pd

    from sokoviz.picture import Picture

FEWEST = 2
MOST = len(ascii_uppercase)
MOVES_LISTED = 12
STYLES = ("board", "widget", "explorer", "tree", "heatmap", "compare_heatmaps")
SAVED = ("about", "views", "stages", "ends", "logarithmic", "selected", "speed", "record")


class CompareHeatmaps(BaseWidget):
    """Two or more heatmaps on one scale, what is different between them, and how much they share.

    Parameters
    ----------
    views
        Each a policy, such as ``curry.policy(board, stage=2)``, or a learner such as a `Curry`: then any of its stages
        can be looked at. All of the same level; seeds, episodes and positions may differ.
    board
        The position about which learners are asked; the level's start where left out.
    options
        Traits to begin with: ``stages``, ``ends``, ``logarithmic``, ``selected``, ``speed``; and ``layout``.

    Examples
    --------
    >>> CompareHeatmaps(curry.policy(stage=2), curry)
    """

    OPTIONS: ClassVar[tuple[str, ...]] = ("stages", "ends", "logarithmic", "selected", "speed", "layout")
    _esm = join_modules("compare_heatmaps_widget")
    _css = join_styles(*STYLES)

    stages = traitlets.List(traitlets.Int()).tag(sync=True)
    """which stage of each view is shown, from 1 on; 1 for a policy, which has no others"""

    ends = traitlets.Enum(frames.ENDS, "sources").tag(sync=True)
    """``"sources"`` or ``"targets"``: squares from which, or to which, boxes are moved"""

    logarithmic = traitlets.Bool(default_value=True).tag(sync=True)
    """whether colours tell orders of magnitude; otherwise they tell the shares themselves"""

    selected = traitlets.Int(0, min=0).tag(sync=True)
    """which view has its moves listed, from 0 on"""

    playing = traitlets.Bool(default_value=False).tag(sync=True)
    """whether the selected view, and one of every other learner, are led through their stages"""

    speed = traitlets.Float(1.5, min=0.1, max=30.0).tag(sync=True)
    """stages a second when playing"""

    about = traitlets.Dict().tag(sync=True)
    views = traitlets.List[dict[str, Any]]().tag(sync=True)
    record = traitlets.Dict().tag(sync=True)

    def __init__(self, *views: Learner | Policy, board: Board | Level | None = None, **options: Any) -> None:
        self._check_options(options)
        self._views = _checked_views(views)
        position = board.board() if isinstance(board, Level) else board
        self._boards = [self._board_of(view, position) for view in self._views]
        _check_levels(self._boards)
        self._is_set_up = False
        self._n_stages = [_n_stages(view) for view in self._views]
        self._policies: list[list[Policy]] = [[] for _ in views]
        first = {"stages": self._n_stages, "selected": self._first_selected(), **options}
        super().__init__(first, about=self._make_about(), views=self._make_views(), record={"busy": False, "text": ""})
        self._is_set_up = True
        self._check_stages({"value": self.stages})
        self._check_selected({"value": self.selected})
        self._load()

    def _board_of(self, view: Learner | Policy, board: object) -> Board:
        """The position that a view is about."""
        if isinstance(view, Policy):
            return view.board
        if board is not None and not isinstance(board, Board):
            message = f"expected a Board or a Level, found {board!r}"
            raise TypeError(message)
        return board or view.level.board()

    def _first_selected(self) -> int:
        """The last view that has stages, else the last."""
        live = [place for place, n in enumerate(self._n_stages) if n > 1]
        return live[-1] if live else len(self._views) - 1

    # --- in Python ---------------------------------------------------------------------------------------------------

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the views: A, B and so on."""
        return tuple(ascii_uppercase[: len(self._views)])

    @property
    def policies(self) -> tuple[Policy, ...]:
        """What each view shows.

        Raises
        ------
        SearchError
            If the learner's kernels are still being loaded.
        """
        if not all(self._policies):
            message = "expected learners that can be asked, found that they are still being loaded"
            raise SearchError(message)
        return tuple(known[stage - 1] for known, stage in zip(self._policies, self.stages, strict=True))

    @property
    def similarity(self) -> dict[str, float]:
        """How much each view shares with the first: over all squares, the sum of the smaller of both shares.

        It is 1 where all votes fall on the squares in the same proportions, and 0 where no square has votes in both.
        """
        first, *others = [shares_of(policy, self.ends) for policy in self.policies]
        return {
            name: sum(min(share, first.get(square, 0.0)) for square, share in shares.items())
            for name, shares in zip(self.names[1:], others, strict=True)
        }

    @property
    def table(self) -> pd.DataFrame:
        """Share of the votes that each square has in each view, and how much that is more than in the first."""
        import pandas as pd

        columns: dict[str, Any] = {
            name: {square.name: share for square, share in shares_of(policy, self.ends).items()}
            for name, policy in zip(self.names, self.policies, strict=True)
        }
        made = pd.DataFrame(columns).fillna(0.0)
        for name in self.names[1:]:
            made[f"{name} − A"] = made[name] - made["A"]
        return made.rename_axis("square")

    def export(self, path: str | Path) -> Path:
        """Write a page that works without a kernel, with all stages of all views in it; return where it is.

        Parameters
        ----------
        path
            Name of the file, such as ``"heatmaps.html"``.
        """
        target = Path(path)
        target.write_text(self._page(), encoding="utf-8")
        return target

    def _page(self) -> str:
        """The page as HTML."""
        _ = self.policies  # or it is too early
        values = {name: getattr(self, name) for name in SAVED}
        return make_page("compare_heatmaps_page", STYLES, values, f"Heatmaps of {self.about['game']}")

    def __repr__(self) -> str:
        """The views."""
        labels = (f"{view['name']}: {view['title']}" for view in self.views)
        return f"<CompareHeatmaps of {self.about['game']}: {'; '.join(labels)}>"

    def _repr_mimebundle_(self, **options: Any) -> tuple[dict[str, Any], dict[str, Any]] | None:
        """Show the live widget, and leave a picture where there is no kernel to bring it to life."""
        bundle = super()._repr_mimebundle_(**options)
        if bundle is None or not all(self._policies):
            return bundle
        data, metadata = bundle
        label = f"Heatmaps of {self.about['game']} compared"
        picture = {"image/svg+xml": side_by_side(self._pictures(), label), "text/plain": repr(self)}
        return {**data, **picture}, {**metadata, "image/svg+xml": {"alt": label}}

    def _pictures(self) -> list[tuple[str, Picture]]:
        """The views on one scale, and the differences, with their titles."""
        policies = self.policies
        all_shares = [shares_of(policy, self.ends) for policy in policies]
        low = lowest_share(policies)
        high = max((max(shares.values()) for shares in all_shares), default=1.0)
        made = []
        for name, policy, shares in zip(self.names, policies, all_shares, strict=True):
            heat = heat_of(shares, low, high, logarithmic=self.logarithmic, label="share of votes")
            made.append((f"{name}: {policy.label}", policy.board.picture().with_overlays(heat)))
        return made + self._difference_pictures(low)

    def _difference_pictures(self, low: float) -> list[tuple[str, Picture]]:
        """Each view minus the first, all on one scale."""
        first, *others = [shares_of(policy, self.ends) for policy in self.policies]
        changes = [{square: share - first.get(square, 0.0) for square, share in shares.items()} for shares in others]
        high = max(max(map(abs, change.values())) for change in changes)
        return [
            (f"{name} − A", difference_picture(policy, HeatDifference(change, low, high, self.logarithmic)))
            for name, policy, change in zip(self.names[1:], self.policies[1:], changes, strict=True)
        ]

    def refresh(self) -> None:
        """Show the learners again after they have run on."""
        were_at_end = [stage == n for stage, n in zip(self.stages, self._n_stages, strict=True)]
        self._n_stages = [_n_stages(view) for view in self._views]
        self._load()
        places = zip(self.stages, self._n_stages, were_at_end, strict=True)
        self.stages = [n if is_last else min(stage, n) for stage, n, is_last in places]

    # --- traits that were set ----------------------------------------------------------------------------------------

    @traitlets.validate("stages")
    def _check_stages(self, proposal: Mapping[str, Any]) -> list[int]:
        """Refuse stages that there are not."""
        value: list[int] = proposal["value"]
        most = self._n_stages
        if not self._is_set_up:
            return value
        if len(value) != len(most) or any(not 1 <= stage <= n for stage, n in zip(value, most, strict=False)):
            ranges = ", ".join(f"{name} 1 to {n}" for name, n in zip(self.names, most, strict=True))
            message = f"expected a stage for each view ({ranges}), found {value!r}"
            raise SearchError(message)
        return value

    @traitlets.validate("selected")
    def _check_selected(self, proposal: Mapping[str, Any]) -> int:
        """Refuse a view that there is not."""
        value: int = proposal["value"]
        if self._is_set_up and not 0 <= value < len(self._views):
            message = f"expected a view from 0 to {len(self._views) - 1}, found {value!r}"
            raise SearchError(message)
        return value

    # --- showing -----------------------------------------------------------------------------------------------------

    def _make_about(self) -> dict[str, Any]:
        """What is compared."""
        level = self._boards[0].level
        whole = next((view.level for view in self._views if isinstance(view, Learner)), level)
        positions = {(board.boxes, board.player) for board in self._boards}
        return {
            "title": "Heatmaps compared",
            "game": frames.level_name(whole),
            "settings": "same position" if len(positions) == 1 else f"{len(positions)} positions",
            "squares": [list(square) for square in sorted(level.floor)],
        }

    def _make_views(self) -> list[dict[str, Any]]:
        """The views, with what they say as far as it is known."""
        return [
            {
                "name": name,
                "title": _title_of(view),
                "learner": None
                if isinstance(view, Policy)
                else next(n for n, v in enumerate(self._views) if v is view),
                "picture": board.picture().to_json(),
                "frames": [_frame(*each) for each in zip(policies, _labels_of(view, policies), strict=True)],
            }
            for name, view, board, policies in zip(self.names, self._views, self._boards, self._policies, strict=True)
        ]

    # --- loading the kernels -----------------------------------------------------------------------------------------

    def _load(self) -> None:
        """Ask the learners, as soon as their kernels are loaded."""
        learners = [view for view in self._views if not isinstance(view, Policy)]
        if not learners or is_loaded():
            self._come_alive()
        else:
            self.record = while_loading(learners[0])
            every(SECONDS_BETWEEN_WORDS, self._say_again)
            in_background(("learner", type(learners[0])), lambda: load_learner(learners[0]), self._when_loaded)

    def _say_again(self) -> bool:
        """Say how long the kernels still take; return whether somebody waits."""
        if not is_loaded():
            self.record = while_loading(next(view for view in self._views if not isinstance(view, Policy)))
        return not is_loaded()

    def _when_loaded(self, error: Exception | None) -> None:
        """Come alive now that the kernels are loaded."""
        if error is not None:
            self.show_exception(error)
            return
        try:
            self._come_alive()
        except Exception as raised:  # noqa: BLE001  whatever it is, the reader sees it
            self.show_exception(raised)

    def _come_alive(self) -> None:
        """Ask everybody, and show it."""
        self._policies = [_policies_of(view, board) for view, board in zip(self._views, self._boards, strict=True)]
        with self.hold_sync():
            self.views = self._make_views()
            self.record = {"busy": False, "text": ""}

    # --- messages of the page ----------------------------------------------------------------------------------------

    def _on_export(self) -> None:
        """Send the page that works without a kernel, for the browser to save it."""
        self.send({"kind": "page", "name": "heatmaps.html"}, buffers=[self._page().encode()])


def _checked_views(views: Sequence[object]) -> list[Learner | Policy]:
    """Views as they were given.

    Raises
    ------
    TypeError
        If one of them is neither a policy nor a learner.
    SearchError
        If there are too few or too many.
    """
    found: list[Learner | Policy] = []
    for view in views:
        if not isinstance(view, Learner | Policy):
            message = f"expected policies or learners, found {view!r}"
            raise TypeError(message)
        found.append(view)
    if not FEWEST <= len(found) <= MOST:
        message = f"expected {FEWEST} to {MOST} policies or learners to compare, found {len(found)}"
        raise SearchError(message)
    return found


def _check_levels(boards: Sequence[Board]) -> None:
    """Raise where positions are on boards with different walls."""
    first = boards[0].level
    for board in boards:
        if board.level.floor != first.floor or board.level.width != first.width:
            message = f"expected heatmaps of one level, found {first!r} and {board.level!r}"
            raise SearchError(message)


def _n_stages(view: Learner | Policy) -> int:
    """How many stages a view has; a policy is as good as one."""
    return 1 if isinstance(view, Policy) else max(1, len(frames.stages_of(view)))


def _policies_of(view: Learner | Policy, board: Board) -> list[Policy]:
    """What a view says, stage by stage."""
    if isinstance(view, Policy):
        return [view]
    ends = [stage.last for stage in frames.stages_of(view)] or [0]
    return [view.policy(board, n=end) for end in ends]


def _title_of(view: Learner | Policy) -> str:
    """What a view is, whatever its stage."""
    return view.label if isinstance(view, Policy) else f"{view.name} · seed {view.options.seed}"


def _frame(policy: Policy, label: str) -> dict[str, Any]:
    """One stage of a view, or a policy."""
    heat = frames.heat(policy)
    rows = frames.move_rows(policy, MOVES_LISTED)
    for row in rows:
        row["sentence"] = str(policy.explain(row["name"]))
    kept = ("sources", "targets", "n_votes", "n_episodes")
    return {
        "label": label,
        **{name: heat[name] for name in kept},
        "moves": rows,
        "n_moves": len(policy.moves),
        "rest": sum(chance.probability for chance in policy.moves[MOVES_LISTED:]),
    }


def _labels_of(view: Learner | Policy, policies: Sequence[Policy]) -> list[str]:
    """Which episodes are asked, stage by stage."""
    if isinstance(view, Policy) or not policies:
        return [policy.label for policy in policies]
    n_boxes, stages = len(view.level.boxes), frames.stages_of(view)
    again = [f"pass {stage.restart + 1}, " if stage.restart else "" for stage in stages]
    texts = [f"{which}stage {stage.boxes} of {n_boxes}" for which, stage in zip(again, stages, strict=True)]
    asked = [frames.count(len(policy.votes), "episode") for policy in policies]
    seed = f"seed {view.options.seed}"
    return [f"{text} · {episodes} · {seed}" for text, episodes in zip(texts or ["nothing learned"], asked, strict=True)]
