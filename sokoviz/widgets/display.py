"""A search on display: its tree, the board of a node and the numbers, always at the moment where the search stands."""

from __future__ import annotations

import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from sokoviz.search.options import NO_LIMIT, View
from sokoviz.search.preparing import announcement, is_compiled, is_prepared, prepare
from sokoviz.widgets import frames
from sokoviz.widgets.background import in_background, later
from sokoviz.widgets.details import NO_DETAILS, NO_SOLUTION, details_of, solution_of
from sokoviz.widgets.looking import Look, children_of, look_at, picture_of, squares_for
from sokoviz.widgets.state import SearchState
from sokoviz.widgets.ways import ways_between

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sokoviz.picture import Picture
    from sokoviz.search.explanation import LeftOut
    from sokoviz.search.protocol import Moment, News
    from sokoviz.search.result import Waypoint
    from sokoviz.search.tree_search import MCTS
    from sokoviz.squares import Square

SECONDS_BETWEEN_FRAMES = 0.2  # of a run in the background: a page must not be sent more than it can draw
SECONDS_TO_DETAILS = 0.02  # that what is told beside may lag behind the tree
SECONDS_TO_REST = 0.03  # that all around the tree may lag behind it: work at once would hold up the tree's message
SECONDS_TO_COURSE = 0.1  # that ticks and charts may lag behind the tree
MOST_PRINTED = 100  # nodes of a tree that is printed, which cannot be zoomed
LAYERS = ("component", "pushes", "matching")
LOADING = "Loading the search …"  # until it is known whether it has to be compiled


class SearchDisplay(SearchState):
    """Shows a search and follows it; `Explorer` adds what a reader can do.

    Parameters
    ----------
    search
        The search; the display and the search always stand at the same moment.
    options
        Traits to begin with.
    """

    def __init__(self, search: MCTS, **options: Any) -> None:
        self._check_options(options)
        self._search = search
        self._node = 0  # the selected node
        self._unfolded: set[int] = set()
        self._pending: list[Callable[[], None]] = []  # what was asked for before the kernels were there
        self._loading = ""  # what to say while they are loaded; empty when nobody loads them
        self._chosen: tuple[Moment, int, LeftOut] | None = None  # a successor that is no child, and of which node
        self._is_solution_shown = False
        self._waypoint: Waypoint | None = None  # of the solution, that the board shows
        self._notice = ""
        self._share: float | None = None  # of the way that a run has behind it
        self._drawn_until = -1  # end of the record that ticks and charts show
        self._is_course_due = False
        self._shown: Look | None = None  # what was shown last
        self._is_rest_due = False
        self._are_details_due = False
        self._next_frame_at = 0.0
        super().__init__(options, about=frames.about(search), tree=frames.bare_tree(search.standing, 0))
        search.watch(self._on_news)
        self.observe(self._redraw, ["max_depth", "min_visits", "node_limit", "follow", *LAYERS])
        self._begin()

    @property
    def search(self) -> MCTS:
        """The search that is shown; set it to show another."""
        return self._search

    @search.setter
    def search(self, search: MCTS) -> None:
        """Show another search."""
        self._change_search(search)

    def _change_search(self, search: MCTS) -> None:
        """Show another search; what was asked of the one before is forgotten."""
        self._search.stop()
        self._search.unwatch(self._on_news)
        self._search = search
        self._node, self._notice, self._drawn_until = 0, "", -1
        self._chosen, self._is_solution_shown, self._waypoint = None, False, None
        self._unfolded.clear()
        self._pending.clear()
        search.watch(self._on_news)
        with self._publishing():
            self.about = frames.about(search)
        self._begin()

    def __repr__(self) -> str:
        """The search."""
        return f"<{type(self).__name__}: {self._search!r}>"

    # --- pictures --------------------------------------------------------------------------------------------------

    def _repr_mimebundle_(self, **options: Any) -> tuple[dict[str, Any], dict[str, Any]] | None:
        """Show the live widget, and leave a picture where there is no kernel to bring it to life."""
        bundle = super()._repr_mimebundle_(**options)
        if bundle is None:
            return None
        data, metadata = bundle
        label = f"{self._search!r}: board of node {self.node} and search tree"
        return {**data, "image/svg+xml": self._quick_svg(), "text/plain": repr(self)}, {
            **metadata,
            "image/svg+xml": {"alt": label},
        }

    def _quick_svg(self) -> str:
        """What is shown, without waiting for kernels: the board alone before they are there."""
        game = self._search.game
        return self.to_svg() if is_prepared(game) else game.picture(game.start()).to_svg()

    def to_svg(self) -> str:
        """Return what is shown, board and tree, as a self-contained SVG document."""
        from sokoviz.search.tree_svg import Scene, scene_svg

        if not is_prepared(self._search.game):
            prepare(self._search.game)
            self.come_alive()
        look = self._look(min(self.node_limit, MOST_PRINTED))
        picture, caption = self._picture(look)
        story = frames.story(self._search, look.moment, look.iteration)
        words = f"{story['heading']}: {''.join(text for text, _ in story['runs'])}"
        marks = self._marks(look)
        return scene_svg(Scene((repr(self._search), words), picture, caption, look.drawing, look.node, marks))

    # --- loading the kernels -----------------------------------------------------------------------------------------

    def _begin(self) -> None:
        """Show the first position, the controls and what is known at once; what needs kernels follows."""
        if is_prepared(self._search.game):
            self._publish()
            return
        game = self._search.game
        self._say(LOADING)
        in_background(("compiled?", type(game.tables)), lambda: is_compiled(game), self._when_known)

    def _when_known(self, error: Exception | None) -> None:
        """Say whether the kernels have to be compiled, now that this can be found out at once, and load them."""
        game = self._search.game
        if error is not None or is_prepared(game):
            self._when_prepared(error)
            return
        self._say(announcement("search", is_compiled=is_compiled(game)))
        in_background(("prepare", type(game.tables)), lambda: prepare(game), self._when_prepared)

    def _when_prepared(self, error: Exception | None) -> None:
        """Come alive now that the kernels are loaded, unless another search has taken the place of theirs."""
        if error is not None:
            self._give_up(error)
        elif is_prepared(self._search.game):
            self.come_alive()

    def come_alive(self) -> None:
        """Show everything now that the kernels are loaded, and do what was asked for meanwhile."""
        pending, self._pending, self._loading = self._pending, [], ""
        try:
            self._publish()
            for action in pending:
                action()
        except Exception as error:  # noqa: BLE001  whatever it is, the reader sees it
            self.show_exception(error)

    def _say(self, text: str) -> None:
        """Say what is being waited for."""
        self._loading = text
        self._publish()

    def _give_up(self, error: Exception) -> None:
        """Show why the kernels cannot be loaded; whatever is asked for next begins another attempt."""
        self._pending.clear()
        self._notice = "The search could not be loaded."
        self._say("")
        self.show_exception(error)

    def _do(self, action: Callable[[], None]) -> None:
        """Do something with the search, or note it down while the kernels are being loaded."""
        if is_prepared(self._search.game):
            action()
            return
        self._pending.append(action)
        if self._loading:
            self._publish()
        else:
            self._begin()

    # --- showing ---------------------------------------------------------------------------------------------------

    def _publish(self) -> None:
        """Bring all traits up to date with the search: what its record says, and where there are kernels the rest."""
        with self._guard:
            if is_prepared(self._search.game):
                self._publish_look(self._look(self.node_limit))
            else:
                self._publish_bare()

    def _publish_look(self, look: Look) -> None:
        """Show the tree at a moment; all else follows in a message of its own, which the tree need not wait for."""
        self._node, self._shown = look.node, look
        with self._publishing():
            self.iteration, self.phase = look.moment
            self.node = look.node
            self.tree = frames.tree_frame(look.drawing, self._marks(look), self.tree["frame"] + 1)
            self._publish_record()
        if not self.story:
            self._publish_rest()  # a page may be about to show it for the first time
        elif not self._is_rest_due:
            self._is_rest_due = True
            later(SECONDS_TO_REST, self._publish_rest)
        self._publish_course()

    def _publish_rest(self) -> None:
        """Bring all that stands around the tree up to date with it."""
        with self._guard, self._showing_trouble():
            self._is_rest_due = False
            look = self._current_look()
            if look is not None:
                self._publish_around(look)
                self._publish_details()

    def _publish_around(self, look: Look) -> None:
        """The words, the board and the numbers of a moment."""
        picture, caption = self._picture(look)
        squares = squares_for(self._search.game, self._search.state(look.node), self._names_to_click(look))
        with self._publishing():
            self.story = frames.story(self._search, look.moment, look.iteration)
            self.position = frames.position(picture, caption, squares, self._ways(look))
            self.children = children_of(look)
            self.solution = solution_of(look)

    def _current_look(self) -> Look | None:
        """What was shown last, unless the search has moved on: then that is due to be shown."""
        look, search = self._shown, self._search
        return look if look is not None and look.search is search and look.moment == search.moment else None

    @contextmanager
    def _showing_trouble(self) -> Iterator[None]:
        """Show what goes wrong in something that nobody waits for."""
        try:
            yield
        except Exception as error:  # noqa: BLE001  whatever it is, the reader sees it
            self.show_exception(error)

    def _publish_bare(self) -> None:
        """Show what can be shown before the kernels are loaded."""
        search, game = self._search, self._search.game
        standing = search.standing
        with self._publishing():
            self.iteration, self.phase = search.moment
            self.node = 0  # what a moment is about is only known when it can be explained
            self.tree = frames.bare_tree(standing, self.tree["frame"] + 1)
            self.story = frames.bare_story(search)
            self.position = frames.position(game.picture(game.start()), "the root", [])
            self.children = frames.children_table(search, 0, standing.visits, (), None)
            self.details, self.solution = NO_DETAILS, NO_SOLUTION
            self._publish_record()
        self._publish_course()

    def _publish_details(self) -> None:
        """What is told beside: a moment later, for it takes as long to find out as all the rest."""
        if not self._are_details_due:
            self._are_details_due = True
            later(SECONDS_TO_DETAILS, self._tell_details)

    def _tell_details(self) -> None:
        """Bring what is told beside up to date."""
        with self._guard, self._showing_trouble():
            self._are_details_due = False
            look = self._current_look()
            if look is not None:
                with self._publishing():
                    self.details = details_of(look, self.children["node"])

    def _publish_course(self) -> None:
        """Ticks and charts, where the record has grown: a moment later, so that the tree need not wait for them."""
        if self._drawn_until < 0:
            self._catch_up()
        elif self._drawn_until != self._search.last and not self._is_course_due:
            self._is_course_due = True
            later(SECONDS_TO_COURSE, self._catch_up)

    def _catch_up(self) -> None:
        """Bring ticks and charts up to date with the record."""
        with self._guard:
            self._is_course_due = False
            self._drawn_until = self._search.last
            with self._publishing():
                self.charts, self.ticks = frames.charts(self._search), frames.ticks(self._search)

    def _publish_record(self) -> None:
        """How long the record is, and how far a run is."""
        search = self._search
        is_running, is_loading = search.is_running, bool(self._loading)
        waiting = f"{self._loading} Your step follows." if self._pending else self._loading
        self.record = {
            "last": search.last,
            "running": is_running,
            "text": waiting or self._notice,
            "share": self._share if is_running and not is_loading else None,
            "busy": is_loading,
        }

    def _look(self, limit: int) -> Look:
        """What is on display, that many nodes of the tree at most."""
        view = View(limit, self.max_depth or NO_LIMIT, self.min_visits, unfolded=frozenset(self._unfolded))
        line = self._search.solution_line if self._is_solution_shown else ()
        chosen = self._chosen_successor()
        known = [chosen.node] if chosen is not None and chosen.node is not None else []
        must = [*(waypoint.node for waypoint in line), *known]
        look = look_at(self._search, self._node, view, follow=self.follow and not line, must=must)
        layers = frozenset(name for name in look.search.game.layers if getattr(self, name) and not line)
        return look._replace(layers=layers, successor=chosen if self._is_chosen(look.node) else None, solution=line)

    def _chosen_successor(self) -> LeftOut | None:
        """The successor that was chosen at this moment of the search."""
        return self._chosen[2] if self._chosen and self._chosen[0] == self._search.moment else None

    def _is_chosen(self, node: int) -> bool:
        """Whether the successor that was chosen is one of a node."""
        return self._chosen is not None and self._chosen[1] == node

    def _marks(self, look: Look) -> dict[str, Any]:
        """What is highlighted in the tree."""
        nodes = [waypoint.node for waypoint in look.solution]
        iteration = look.iteration if look.moment.phase else None  # between iterations there is nothing to mark
        marks = frames.tree_marks(iteration, look.moment.phase, look.drawing, nodes)
        if look.successor is not None and look.successor.node is not None:
            known = [look.node, look.successor.node, "context"]
            marks["links"] = [*(link for link in marks["links"] if link != known), known]
        return {**marks, "unfolded": len(self._unfolded)}

    def _ways(self, look: Look) -> list[list[Square]]:
        """The ways that the pieces took from one node of the solution to another, while it is shown."""
        before = self._waypoint
        self._waypoint = next((each for each in look.solution if each.node == look.node), None)
        if before is None or self._waypoint is None:
            return []
        return ways_between(before[1:], self._waypoint[1:])

    def _picture(self, look: Look) -> tuple[Picture, str]:
        """The board of the selected node, and a caption."""
        return picture_of(look)

    def _names_to_click(self, look: Look) -> set[str]:
        """Names of the moves that a click on the board may mean: those that lead to a child."""
        return {candidate.action for candidate in self._search.candidates(look.node)}

    # --- following the search ----------------------------------------------------------------------------------------

    def _on_news(self, news: News) -> None:
        """The search has moved, perhaps in another thread."""
        if news.kind == "progress":
            now = time.monotonic()
            if now < self._next_frame_at:
                return
            self._next_frame_at = now + SECONDS_BETWEEN_FRAMES
            self._notice, self._share = str(news.progress), news.progress.share if news.progress else None
        elif news.kind == "moved":
            self._notice, self._is_solution_shown = "", False
        elif news.kind == "ended":
            self._notice = self._end_run(news)
            if news.error is not None:
                self.show_exception(news.error)
        self._publish()

    def _end_run(self, news: News) -> str:
        """A run has ended; return what to say of it."""
        return _ending(news, self._search)

    def _redraw(self, _change: object) -> None:
        """Draw again, after a filter was changed."""
        if not self._is_publishing:
            self._do(self._publish)


def _ending(news: News, search: MCTS) -> str:
    """Why a run in the background ended."""
    words = {
        "until": "stopped where asked",
        "stopped": "stopped",
        "iterations": "done",
        "memory": "the memory allowed is full",
        "error": "stopped by an error",
    }
    return f"{words.get(news.reason, news.reason)} at iteration {search.iteration:,}"
