"""The explorer of tree searches: one in a notebook, step by step. Python decides what is shown, the page draws it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import traitlets

from sokoviz.search.contract import Moment
from sokoviz.widgets.base.modules import join_modules, join_styles
from sokoviz.widgets.base.stepping import FRAMES_A_SECOND, Stepping
from sokoviz.widgets.explorer.details import successors_of
from sokoviz.widgets.explorer.display import SearchDisplay

if TYPE_CHECKING:
    from sokoviz.search.mcts.search import MCTS

PHASE_OF = {"deadlock": "expansion", "duplicate": "expansion", "move": "expansion", "elimination": "elimination"}
"""the phase that shows an event; other events are seen when the iteration is done"""

STYLES = ("board", "widget", "explorer", "tree")


class Explorer(SearchDisplay, Stepping):
    """A tree search to step through: its tree, the board of any node, and the numbers that decided.

    Parameters
    ----------
    search
        The search; the explorer and the search always stand at the same moment.
    options
        Traits to begin with: ``speed``, ``play_unit``, ``max_depth``, ``min_visits``, ``node_limit``, ``follow``,
        ``large_type``; what boards of Sokoban show: ``component``, ``pushes``, ``matching``; ipywidgets' ``layout``.
    """

    OPTIONS: ClassVar[tuple[str, ...]] = (
        *("speed", "play_unit", "max_depth", "min_visits", "node_limit", "follow", "large_type", "layout"),
        *("component", "pushes", "matching"),
    )
    _esm = join_modules("explorer_widget")
    _css = join_styles(*STYLES)

    play_unit = traitlets.Enum(("phase", "iteration"), default_value="iteration").tag(sync=True)
    """what a step is when playing"""

    match = traitlets.Dict().tag(sync=True)
    """how a match stands, see `Match`; empty where none is played"""

    def __init__(self, search: MCTS, **options: Any) -> None:
        super().__init__(search, **options)
        self.observe(self._go_where_asked, ["iteration", "phase"])
        self.observe(self._select_what_was_asked, ["node"])

    def _change_search(self, search: MCTS) -> None:
        """Explore another search."""
        self.playing = False
        super()._change_search(search)

    # --- traits that were set ----------------------------------------------------------------------------------------

    def _go_where_asked(self, _change: object) -> None:
        """Somebody has set `iteration` or `phase`."""
        if not self._is_publishing:
            iteration, phase = self.iteration, self.phase  # what is shown may change before it is done
            self._do(lambda: self._search.goto(iteration, phase))

    def _go(self, moment: Moment) -> None:
        """Go to a moment of the record."""
        self._search.goto(*moment)

    def _has_ended(self) -> bool:
        """Whether there is nothing to go on with at the end of the record."""
        return self._search.engine.is_unsolvable

    def _find_previous(self, event: str, before: int) -> int | None:
        """The last iteration before one that is marked with a kind of event."""
        return self._search.previous_event(event, before)

    # --- messages of the page ----------------------------------------------------------------------------------------

    def _on_step(self, unit: str, direction: int) -> None:
        """Step or go back by a phase or an iteration."""
        self._notice = ""
        search = self._search
        if direction > 0 and self._is_over():
            return
        steps = {
            ("phase", 1): search.step_phase,
            ("phase", -1): search.back_phase,
            ("iteration", 1): search.step_on,
            ("iteration", -1): search.back,
        }
        steps[unit, 1 if direction > 0 else -1]()

    def _on_next(self, frame: int) -> None:
        """The page has drawn a frame while playing; a view that lags behind another is not heard."""
        if not self.playing or frame != self.tree["frame"] or self._is_over():
            return
        if self.play_unit == "phase":
            self._search.step_phase()
        else:
            self._search.step_on(max(1, round(self.speed / FRAMES_A_SECOND)))

    def _moment_of(self, event: str, number: int) -> Moment:
        """The moment that shows an event of an iteration: its phase, or all of it done."""
        return moment_of(self._search, event, number)

    def _on_select(self, node: int) -> None:
        """Select a node by hand; where a solution is shown and the node is none of it, it is shown no longer."""
        self._node, self._chosen = int(node), None
        if self._is_solution_shown:
            self._is_solution_shown = any(each.node == self._node for each in self._search.solution_line)
        if not self._is_solution_shown:
            with self._publishing():
                self.follow = False
        self._publish()

    def _on_solution(self, push: int) -> None:
        """Show the solution after some of its pushes."""
        line = self._search.solution_line
        if line:
            self._is_solution_shown = True
            self._on_select(line[min(max(0, int(push)), len(line) - 1)].node)

    def _on_successor(self, action: str) -> None:
        """Show the position that a push would lead to which became no child; nothing more when asked again."""
        self._publish_rest()  # whose children are shown
        look = self._look(self.node_limit)
        node, successors = successors_of(look, self.children["node"])
        chosen = next((each for each in successors if each.action == action), None)
        is_again = look.successor is not None and look.successor.action == action
        self._on_select(node)
        if chosen is not None and not is_again:
            self._chosen = self._search.moment, node, chosen
            self._publish()

    def _on_unfold(self, node: int) -> None:
        """Draw all children of a node."""
        self._unfolded.add(int(node))
        self._publish()

    def _on_fold(self) -> None:
        """Forget what was unfolded."""
        self._unfolded.clear()
        self._publish()

    def _on_find(self, text: str) -> None:
        """Select a node by its number."""
        n_nodes = self._search.standing.nodes  # ever made, for numbers are never used again
        if text.strip().isdecimal() and int(text) < n_nodes:
            self._on_select(int(text))
            found = self._node == int(text)
            self._notice = "" if found else f"Node {int(text)} is not in the tree any more: it was eliminated."
            with self._publishing():
                self._publish_record()
        else:
            self._notice = f"There is no node {text.strip()!r:.20} here; nodes go from 0 to {n_nodes - 1:,}."
            self._publish()

    def _on_square(self, square: list[int]) -> None:
        """Select the child that a square of the board leads to."""
        search, state = self._search, self._search.state(self._node)
        action = search.game.action_at(state, (int(square[0]), int(square[1])))
        if action is None:
            return
        name = search.game.action_name(state, action)
        child = next((each.node for each in search.candidates(self._node) if each.action == name), None)
        if child is not None:
            self._on_select(child)


def moment_of(search: MCTS, event: str, number: int) -> Moment:
    """Return the moment that shows an event of an iteration: its phase, or all of it done."""
    phase = PHASE_OF.get(event, "")
    phases = search.phases_of(number)
    if phase == "elimination" and phase not in phases:
        phase = "expansion"  # a subtree that moved has left a node without children
    return Moment(number - 1, phase) if phase in phases else Moment(number)
