"""A tree search on display: its tree, the board of a node and the numbers, always at the moment where it stands."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sokoviz.search.loading import group_of, is_compiled, is_prepared, prepare
from sokoviz.search.mcts.views.view import View
from sokoviz.widgets.base.background import later
from sokoviz.widgets.base.following import Following
from sokoviz.widgets.board.glides import ways_between
from sokoviz.widgets.explorer import frames
from sokoviz.widgets.explorer.details import NO_DETAILS, NO_SOLUTION, details_of, solution_of
from sokoviz.widgets.explorer.views import Look, children_of, look_at, picture_of, squares_for

if TYPE_CHECKING:
    from collections.abc import Hashable

    from sokoviz.picture import Picture
    from sokoviz.search.contract import Moment
    from sokoviz.search.mcts.search import MCTS
    from sokoviz.search.mcts.views.explanation import LeftOut
    from sokoviz.search.result import Waypoint
    from sokoviz.squares import Square

SECONDS_TO_DETAILS = 0.02  # that what is told beside may lag behind the tree
AT_ONCE = 0.0  # seconds: after what is being sent
SECONDS_TO_COURSE = 0.1  # that ticks and charts may lag behind the tree
MOST_PRINTED = 100  # nodes of a tree that is printed, which cannot be zoomed
LAYERS = ("component", "pushes", "matching")


class SearchDisplay(Following):
    """Shows a tree search and follows it; `Explorer` adds what a reader can do.

    Parameters
    ----------
    search
        The search; the display and the search always stand at the same moment.
    options
        Traits to begin with.
    """

    _search: MCTS

    def __init__(self, search: MCTS, **options: Any) -> None:
        self._check_options(options)
        self._node = 0  # the selected node
        self._unfolded: set[int] = set()
        self._chosen: tuple[Moment, int, LeftOut] | None = None  # a successor that is no child, and of which node
        self._waypoint: Waypoint | None = None  # of the solution, that the board shows
        self._drawn_until = -1  # end of the record that ticks and charts show
        self._is_course_due = False
        self._shown: Look | None = None  # what was shown last
        self._is_rest_due = False
        self._are_details_due = False
        super().__init__(search, options, about=frames.about(search), tree=frames.bare_tree(search.standing, 0))
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
        from sokoviz.search.mcts.views.tree_svg import Scene, scene_svg

        if not is_prepared(self._search.game):
            prepare(self._search.game)
            self.come_alive()
        look = self._look(min(self.node_limit, MOST_PRINTED))
        picture, caption = self._picture(look)
        story = frames.story(self._search, look.moment, look.iteration)
        words = f"{story['heading']}: {''.join(text for text, _ in story['runs'])}"
        marks = self._marks(look)
        return scene_svg(Scene((repr(self._search), words), picture, caption, look.drawing, look.node, marks))

    # --- the kernels -------------------------------------------------------------------------------------------------

    def _is_prepared(self) -> bool:
        """Whether the search can be used without waiting."""
        return is_prepared(self._search.game)

    def _is_compiled(self) -> bool:
        """Whether the kernels only have to be loaded."""
        return is_compiled(self._search.game)

    def _group(self) -> str:
        """Name of the group of kernels."""
        return group_of(self._search.game, "explored")

    def _prepare(self) -> None:
        """Load the kernels."""
        prepare(self._search.game)

    def _kernels(self) -> Hashable:
        """The kernels depend on the game alone."""
        return type(self._search.game.tables)  # type: ignore[return-value]  # classes can be hashed

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
            later(AT_ONCE, self._publish_rest)
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

    def _look(self, limit: int) -> Look:
        """What is on display, that many nodes of the tree at most."""
        view = View(limit, self.max_depth or View.deepest, self.min_visits, unfolded=frozenset(self._unfolded))
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

    def _redraw(self, _change: object) -> None:
        """Draw again, after a filter was changed."""
        if not self._is_publishing:
            self._do(self._publish)
