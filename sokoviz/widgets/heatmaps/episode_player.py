"""An episode in a notebook, move by move, as it was found and without its detours."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import traitlets

from sokoviz.widgets.base.modules import join_modules, join_styles
from sokoviz.widgets.base.widget import BaseWidget
from sokoviz.widgets.heatmaps.frames import episode_view, states_of
from sokoviz.widgets.heatmaps.learners import check_episode

if TYPE_CHECKING:
    from sokoviz.board import Board
    from sokoviz.widgets.heatmaps.learners import Episode


class EpisodePlayer(BaseWidget):
    """A solved subcase as a strip of positions, to step and play through.

    Parameters
    ----------
    episode
        The episode, out of a learner's ``episodes`` or a vote.
    board
        A position to compare it with: the boxes that each state shares with it are marked; none where left out.
    options
        ipywidgets' ``layout``.

    Examples
    --------
    >>> EpisodePlayer(curry.episodes[-1])
    """

    _esm = join_modules("episode_widget")
    _css = join_styles("board", "widget", "explorer", "tree", "heatmap")

    strip = traitlets.Dict().tag(sync=True)

    def __init__(self, episode: Episode, board: Board | None = None, **options: Any) -> None:
        self._episode = check_episode(episode)
        super().__init__(options, strip=episode_view(episode, board.boxes if board else None, None))

    @property
    def episode(self) -> Episode:
        """The episode."""
        return self._episode

    def __repr__(self) -> str:
        """The episode in words."""
        return f"<EpisodePlayer: {self._episode!r}>"

    def _repr_mimebundle_(self, **options: Any) -> tuple[dict[str, Any], dict[str, Any]] | None:
        """Show the live player, and leave its first position where there is no kernel to bring it to life."""
        bundle = super()._repr_mimebundle_(**options)
        if bundle is None:
            return None
        data, metadata = bundle
        picture = states_of(self._episode, ())[0].picture()
        spoken = {"image/svg+xml": {"alt": repr(self._episode)}}
        return {**data, "image/svg+xml": picture.to_svg(), "text/plain": repr(self)}, {**metadata, **spoken}
