"""The explorer: a search in a notebook, step by step. Python decides what is shown, the page draws it."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, ClassVar

import traitlets

from sokoviz.search.options import EVENTS
from sokoviz.search.protocol import Moment
from sokoviz.widgets.base import BaseWidget
from sokoviz.widgets.details import successors_of
from sokoviz.widgets.display import SECONDS_BETWEEN_FRAMES, SearchDisplay
from sokoviz.widgets.modules import join_modules, join_styles, plotly_bundle

if TYPE_CHECKING:
    from sokoviz.search.protocol import News
    from sokoviz.search.tree_search import MCTS

PHASE_OF = {"deadlock": "expansion", "duplicate": "expansion", "move": "expansion", "elimination": "elimination"}
"""the phase that shows an event; other events are seen when the iteration is done"""

STYLES = ("board", "widget", "explorer", "tree")
FRAMES_A_SECOND = 16  # beyond this speed, playing takes several iterations a frame


class Explorer(SearchDisplay):
    """A search to step through: its tree, the board of any node, and the numbers that decided.

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

    playing = traitlets.Bool(default_value=False).tag(sync=True)
    """whether steps are played one by one"""

    speed = traitlets.Float(2.0, min=0.1, max=240.0).tag(sync=True)
    """steps a second when playing"""

    play_unit = traitlets.Enum(("phase", "iteration"), default_value="iteration").tag(sync=True)
    """what a step is when playing"""

    large_type = traitlets.Bool(default_value=False).tag(sync=True)
    """whether all type is large, for a projector"""

    match = traitlets.Dict().tag(sync=True)
    """how a match stands, see `Match`; empty where none is played"""

    def __init__(self, search: MCTS, **options: Any) -> None:
        self._aim = ""  # the event that a run in the background looks for
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

    def _select_what_was_asked(self, _change: object) -> None:
        """Somebody has set `node`."""
        if not self._is_publishing:
            node = self.node
            self._do(lambda: self._on_select(node))

    # --- messages of the page ----------------------------------------------------------------------------------------

    def _answer(self, kind: str, arguments: dict[str, Any]) -> None:
        """Answer a message of the page."""
        if kind in {"plotly", "dismiss"}:
            super()._answer(kind, arguments)
        else:
            self._do(lambda: BaseWidget._answer(self, kind, arguments))  # noqa: SLF001  our own

    def _on_step(self, unit: str, direction: int) -> None:
        """Step or go back by a phase or an iteration."""
        self._notice = ""
        search = self._search
        if direction > 0 and self._is_over():
            return
        steps = {
            ("phase", 1): search.step_phase,
            ("phase", -1): search.back_phase,
            ("iteration", 1): search.step_iteration,
            ("iteration", -1): search.back,
        }
        steps[unit, 1 if direction > 0 else -1]()

    def _on_goto(self, iteration: int) -> None:
        """Go to an iteration."""
        self._notice = ""
        self._search.goto(min(max(0, int(iteration)), self._search.last))

    def _on_next(self, frame: int) -> None:
        """The page has drawn a frame while playing; a view that lags behind another is not heard."""
        if not self.playing or frame != self.tree["frame"] or self._is_over():
            return
        if self.play_unit == "phase":
            self._search.step_phase()
        else:
            self._search.step_iteration(max(1, round(self.speed / FRAMES_A_SECOND)))

    def _is_over(self) -> bool:
        """Whether there is nothing to go on with; says so, and plays no longer."""
        search = self._search
        if search.iteration < search.last or not search.engine.is_unsolvable:
            return False
        self.playing = False
        self._notice = "The level is proven unsolvable: nothing is left to search."
        with self._publishing():
            self._publish_record()
        return True

    def _on_previous(self, to: str) -> None:
        """Go back to an event of some kind, as it was shown when the search ran to it."""
        search = self._search
        self.playing = False
        search.stop()
        shown = search.iteration + bool(search.phase)
        number = search.previous_event(to, shown)
        if number is not None:
            search.goto(*moment_of(search, to, number))
        self._notice = arrival(to, number) if number is not None else f"No {noun(to)} before iteration {shown:,}."
        with self._publishing():
            self._publish_record()

    def _end_run(self, news: News) -> str:
        """Show the event that a run has found; say what came of it."""
        event, self._aim = self._aim, ""
        number = self._search.iteration
        is_found = news.reason == "until" or (event == "solution" and news.reason == "solved")
        if not event or news.reason in {"stopped", "error"}:
            return super()._end_run(news)
        if not is_found:
            where = "before the solution at" if news.reason == "solved" else "up to"
            return f"No {noun(event)} {where} iteration {number:,}."
        moment = moment_of(self._search, event, number)
        if moment != self._search.moment:
            self._search.goto(*moment)
        return arrival(event, number)

    def _on_run(self, to: str, value: int | None = None) -> None:
        """Run in the background to an iteration or an event."""
        search = self._search
        self.playing = False
        self._aim = ""
        if to == "iteration":
            target = int(value or 0)
            if target <= search.last:
                self._on_goto(target)
                return
            self._start(f"running to iteration {target:,}", iterations=target - search.iteration)
        else:
            search.stop()
            if search.phase:
                search.goto(search.iteration + 1)  # what this iteration shows is not the next
            if self._is_over():
                return
            self._aim = to
            self._start(f"running to the {EVENTS[to][1]}", until=to)

    def _start(self, words: str, **goal: Any) -> None:
        """Start a run in the background and show that it runs."""
        self._search.stop()  # its news must not come after those of the new run
        self._notice, self._share = words, 0.0
        self._next_frame_at = time.monotonic() + SECONDS_BETWEEN_FRAMES
        self._search.start(**goal)
        with self._publishing():
            self._publish_record()

    def _on_stop(self) -> None:
        """Stop a run, or playing."""
        self.playing = False
        self._search.stop()

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

    def _on_plotly(self) -> None:
        """Send the drawing library, which the page asks for once."""
        self.send({"kind": "plotly"}, buffers=[plotly_bundle()])


def moment_of(search: MCTS, event: str, number: int) -> Moment:
    """Return the moment that shows an event of an iteration: its phase, or all of it done."""
    phase = PHASE_OF.get(event, "")
    phases = search.phases_of(number)
    if phase == "elimination" and phase not in phases:
        phase = "expansion"  # a subtree that moved has left a node without children
    return Moment(number - 1, phase) if phase in phases else Moment(number)


def noun(event: str) -> str:
    """Return what one event of a kind is called."""
    return EVENTS[event][1].removeprefix("next ")


def arrival(event: str, number: int) -> str:
    """Return what to say where an event was found."""
    name = noun(event)
    return f"{name[0].upper()}{name[1:]} in iteration {number:,}; stopped where asked."
