"""The bridge between a search that people hold and the arrays that the kernels work on.

An engine holds the tree at one moment of the record; `seek` takes it to any other. It grows its arrays when they are
full. Nothing here is kept in Python that is also in an array, so that an interrupt between two lines does no harm.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from sokoviz.core.compiling.jit import is_kept
from sokoviz.core.numbers.vectors import LANES
from sokoviz.core.tree import journal as records
from sokoviz.core.tree.arena import ACTION, AT, NODES, PARENT, VISITS, grow_arena, make_arena
from sokoviz.core.tree.excerpt import make_excerpt
from sokoviz.core.tree.flags import NO_REWARD, SOLUTION
from sokoviz.core.tree.formulas import make_formula
from sokoviz.core.tree.node_table import grow_states, make_states
from sokoviz.core.types import NO_LIMIT, NOWHERE
from sokoviz.errors import ScriptError, SearchError
from sokoviz.games.sokoban import Sokoban, SokobanTables
from sokoviz.search.contract import NO_STOP, Counters, first_marked, first_reached, step_of
from sokoviz.search.mcts import kernel as mcts
from sokoviz.search.mcts.arrays import CHOICES, IS_UNSOLVABLE, ITERATIONS, REACHED_AFTER, SOLUTION_NODE, Machine
from sokoviz.search.mcts.snapshots import FAR_JUMP, Snapshots
from sokoviz.search.mcts.sokoban_kernel import enter_root, find_node
from sokoviz.search.mcts.views.node_positions import Positions
from sokoviz.search.options import FORMULAS, as_numbers

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from sokoviz.core.tree.arena import Arena
    from sokoviz.core.tree.excerpt import Excerpt
    from sokoviz.core.types import Integers
    from sokoviz.games.game import Game
    from sokoviz.search.contract import Stop
    from sokoviz.search.mcts.views.view import View
    from sokoviz.search.options import Settings

FIRST_CAPACITY = 1 << 14
N_DETAILED_SCORES = 4096
TWO_PLAYERS = 2
REASONS = {mcts.MET: "until", mcts.SOLVED_NOW: "solved", mcts.UNSOLVABLE: "unsolvable", mcts.ENOUGH_NODES: "nodes"}


class Measured(NamedTuple):
    """What one iteration was decided by."""

    scores: NDArray[np.float64]
    """float64[n, 6]: parent, child, exploitation term, scale, weight and score, in the order of selection"""
    moves: tuple[int, ...]
    """moves of the rollout"""
    leaf: int
    """where selection ended"""
    considered: tuple[int, ...]
    """actions of the leaf that were looked at"""
    left_out: tuple[tuple[int, int, int], ...]
    """those that became no child: action, why, and the node that has the position, see `sokoviz.core.tree.journal`"""
    dead_by: int
    """the deadlock rule by which the simulated node was eliminated, 0 for none"""


class Engine:
    """The arrays of one search.

    Parameters
    ----------
    game
        What is searched.
    settings
        How it is searched.
    """

    def __init__(self, game: Game, settings: Settings) -> None:
        self.game = game
        self.memory = settings.memory
        self.deadlock_tests = settings.pushing.deadlocks
        if isinstance(game, Sokoban):
            game.prepare_tests(self.deadlock_tests)
        root = game.start()
        capacity = max(FIRST_CAPACITY, 2 * game.max_actions + 1 + LANES)
        self._is_sokoban = isinstance(game.tables, SokobanTables)
        self.machine = Machine(
            arena=make_arena(capacity),
            formula=make_formula(FORMULAS[settings.selection].kind, settings.c),
            sign=-1 if game.players == TWO_PLAYERS else 1,
            root=root,
            state=root.copy(),
            saved=root.copy(),
            actions=np.zeros(game.max_actions, dtype=np.int64),
            scores=np.zeros(game.max_actions + LANES, dtype=np.float64),
            generator=np.array([settings.seed], dtype=np.uint64),
            choices=np.array(as_numbers(settings.script.choices), dtype=np.int64),
            outcomes=np.array(as_numbers(settings.script.outcomes), dtype=np.int64),
            tip=np.array([0, 0, 0, NOWHERE, 0, NOWHERE, 0], dtype=np.int64),
            stop=np.array([0, NOWHERE, NO_LIMIT], dtype=np.int64),
            options=np.array(settings.pushing.as_numbers(), dtype=np.int64),
            states=make_states(capacity if self._is_sokoban else 1),
            boards=np.zeros((REACHED_AFTER + game.max_actions, max(len(root) - 1, 1)), dtype=np.uint64),
            keys=np.zeros(game.max_actions, dtype=np.uint64),
        )
        if self._is_sokoban:
            enter_root(game.tables.board, self.machine)
        self.journal = records.make_journal(FIRST_CAPACITY) if settings.journal else None
        self.positions = Positions(game)
        self._snapshots = Snapshots()
        self._solved_in: int | None = None
        self._expanded_in: dict[int, int] = {}
        self._n_expansions_seen = 0  # events that this takes in
        self._seen_rewards = 0  # events that the range of rewards takes in
        self._reward_range: tuple[int, int] | None = None

    def load(self) -> None:
        """Load the kernel, or compile it, so that this is not counted as time of the search."""
        mcts.advance(self.game.tables, self.machine, self.trace, 0)
        if self.journal is not None:
            self.seek(0)

    def is_compiled(self, *, in_detail: bool = False) -> bool:
        """Return whether the machine code is kept on this machine: that of `load`, or that of `measure`."""
        kernel, trace = (mcts.iterate, records.Detail) if in_detail else (mcts.advance, type(self.trace))
        return bool(is_kept(kernel, (type(self.game.tables), trace)))

    # --- the record ------------------------------------------------------------------------------------------------

    @property
    def trace(self) -> records.AnyTrace:
        """What the kernel writes to."""
        return records.Silent(0) if self.journal is None else self.journal

    @property
    def arena(self) -> Arena:
        """The tree at the moment where the engine is."""
        return self.machine.arena

    @property
    def last(self) -> int:
        """Number of iterations made; by the journal where there is one, because explaining borrows the tip."""
        return int(self.machine.tip[ITERATIONS] if self.journal is None else self.journal.sizes[records.STEPS])

    @property
    def n_nodes(self) -> int:
        """Number of nodes at the moment where the engine is."""
        return int(self.arena.counts[NODES])

    @property
    def steps(self) -> Integers:
        """int64[8, last]: what is known of each iteration, see `sokoviz.core.tree.journal`."""
        return self.written().steps[: self.last].T

    def written(self) -> records.Journal:
        """The journal; raises where none is kept."""
        if self.journal is None:
            message = "expected a search that keeps a record, found journal=False: it can only run and show its tree"
            raise SearchError(message)
        return self.journal

    def events_of(self, number: int) -> tuple[int, NDArray[np.int32]]:
        """Return where the events of an iteration begin, and the events, int32[n, 4]."""
        ends = self.steps[records.EVENTS_END]
        start = int(ends[number - 2]) if number > 1 else 0
        return start, self.written().events[start : int(ends[number - 1])]

    def end_of(self, number: int) -> int:
        """Return how many events are done after an iteration; 0 is before the first."""
        return int(self.steps[records.EVENTS_END, number - 1]) if number else 0

    def before_reward(self, number: int) -> int:
        """Return how many events are done just before the reward of an iteration goes up; none if there is none."""
        start, events = self.events_of(number)
        passed = np.flatnonzero(events[:, 0] == records.PASSED)
        return start + (int(passed[0]) if len(passed) else 0)

    def after_reward(self, number: int) -> int:
        """Return how many events are done before nodes are eliminated at the end of an iteration."""
        has_reward = not self.flags_of(number) & NO_REWARD
        return self.before_reward(number) + has_reward

    def simulated_in(self, number: int) -> int | None:
        """Return the node that an iteration simulated, None where it did not come to that."""
        _, events = self.events_of(number)
        nodes = events[events[:, 0] == records.PASSED, 1]
        return int(nodes[0]) if len(nodes) else None

    def has_elimination(self, number: int) -> bool:
        """Return whether an iteration ends with an elimination."""
        return self.after_reward(number) < self.end_of(number)

    def flags_of(self, number: int) -> int:
        """Return the bits that an iteration is marked with."""
        return int(self.steps[records.FLAGS, number - 1])

    @property
    def marks(self) -> Integers:
        """int64[last]: bits of the events of each iteration."""
        return self.written().steps[: self.last, records.FLAGS]

    @property
    def record(self) -> Engine | None:
        """Itself where it keeps a journal: only the arrays and the journal together say where a node was visited."""
        return None if self.journal is None else self

    @property
    def numbers_nodes(self) -> bool:
        """Nodes have numbers, whether a journal is kept or not."""
        return True

    @property
    def counters(self) -> Counters:
        """How much was done."""
        if self.journal is not None:
            return self.counters_after(self.last)
        return Counters(self.last, self.last, self.n_nodes)

    def counters_after(self, step: int) -> Counters:
        """Return how much was done by the end of an iteration; the root is there before the first."""
        return Counters(step, step, int(self.steps[records.NODES_AFTER, step - 1]) if step else 1)

    def first_reached(self, stop: Stop, done: int, upto: int) -> int | None:
        """Return the first of the moments from `done` to `upto` iterations at which a limit is reached.

        Nodes never become fewer, so it is found by halving.
        """
        return first_reached(self.counters_after, stop, done, upto)

    def first_visit(self, node: int, done: int, upto: int) -> int | None:
        """Return the first of the iterations after `done` up to `upto` that visits a node."""
        if node >= len(self.arena.sums):
            return None
        self.seek(self.end_of(done))
        before = self._visits(node)
        for number in range(done + 1, upto + 1):
            self.seek(self.end_of(number))
            if self._visits(node) > before:
                return number
        return None

    def _visits(self, node: int) -> int:
        """Visits of a node, 0 for one that is not there yet."""
        return int(self.arena.links[VISITS, node]) if node < self.n_nodes else 0

    @property
    def solution_node(self) -> int | None:
        """The first solution that was simulated, None while there is none."""
        node = int(self.machine.tip[SOLUTION_NODE])
        return None if node == NOWHERE else node

    def solved_in(self) -> int | None:
        """Return the iteration that simulated the first solution, None while there is none; it is looked for once."""
        if self._solved_in is None and self.solution_node is not None:
            self._solved_in = first_marked(self.marks, SOLUTION, 0, self.last)
        return self._solved_in

    @property
    def ending(self) -> str:
        """Why nothing is left to go on with; empty while there is something."""
        return "unsolvable" if self.is_unsolvable else ""

    @property
    def is_unsolvable(self) -> bool:
        """Whether the root was eliminated: no line of pushes is left."""
        return bool(self.machine.tip[IS_UNSOLVABLE])

    def actions_to(self, node: int) -> list[int]:
        """Return the actions that lead from the root to a node."""
        actions: list[int] = []
        while node:
            actions.append(self.action_of(node))
            node = int(self.arena.links[PARENT, node])
        return actions[::-1]

    def go_to_end(self) -> None:
        """Go to where the record ends; a search without a journal is always there."""
        if self.journal is not None:
            self.seek(int(self.journal.sizes[records.EVENTS]))

    def find_position(self, state: Integers, leaf: int) -> int | None:
        """Return the node that stands for a position of Sokoban where the engine is and a leaf is expanded, if any."""
        node = int(find_node(self.game.tables.board, self.machine, state, leaf))
        return None if node == NOWHERE else node

    def prepare_lookups(self) -> None:
        """Load what explaining a position of Sokoban uses beside."""
        if self._is_sokoban:
            self.find_position(self.machine.root.copy(), 0)

    def action_of(self, node: int) -> int:
        """Return the action that leads to a node."""
        return int(self.arena.links[ACTION, node])

    def check_node(self, node: int) -> None:
        """Raise where there is no node of a number at the moment where the engine is."""
        if not 0 <= node < self.n_nodes:
            message = f"expected a node from 0 to {self.n_nodes - 1}, found {node}"
            raise SearchError(message)

    # --- moving ----------------------------------------------------------------------------------------------------

    def seek(self, event: int) -> None:
        """Go to the moment at which that many events are done."""
        if abs(event - int(self.arena.counts[AT])) > FAR_JUMP:
            self._leap(event)
        self._walk(event)

    def _walk(self, event: int) -> None:
        """Go to a moment through all events between."""
        machine = self.machine
        records.seek(machine.arena, machine.formula, machine.sign, self.written().events, event)

    def _leap(self, event: int) -> None:
        """Come nearer to a moment by a copy of the tree, and make one on the way where there is none."""
        end, kept = self.end_of(self.last), self._snapshots
        kept.bring_near(self.arena, event, end)
        place = kept.stop_on_the_way(int(self.arena.counts[AT]), event, end)
        if place is not None:
            self._walk(place)
            kept.keep(self.arena, int(self.steps[records.NODES_AFTER, -1]), end)

    def advance(self, n: int, stop: Stop = NO_STOP) -> str:
        """Make n iterations from the end of the record; return why it made fewer, nothing where it did not.

        The reasons: "solved", "unsolvable", "until", "nodes", "iterations", "memory".

        Raises
        ------
        ScriptError
            If the script asks for what cannot happen; the iteration is undone.
        """
        wanted = self.last + n
        target = min(wanted, stop.iterations)
        self.machine.stop[:] = stop.marks, stop.node, stop.nodes
        self.go_to_end()
        while self.last < target:
            status = mcts.advance(self.game.tables, self.machine, self.trace, target - self.last)
            if status in REASONS:
                return REASONS[status]
            if status == mcts.FULL and not self._grow(target):
                return "memory"
            if status in {mcts.BAD_CHOICE, mcts.BAD_OUTCOME}:
                self._refuse_script(status)
        return "iterations" if self.last < wanted else ""

    @property
    def n_bytes(self) -> int:
        """Memory that tree and journal take."""
        arrays = (*self.arena, *self.machine.states, *(self.journal or ()))
        return sum(array.nbytes for array in arrays)

    def _grow(self, target: int) -> bool:
        """Double what is full, the tree or the journal; return whether the memory allows it.

        A tree is doubled as often as it will take to come to an iteration, so that nodes are not copied time and again.
        """
        n_bytes = 2 * self.n_bytes
        if n_bytes > self.memory:
            return False
        if not mcts.has_room_for_nodes.py_func(self.machine):
            capacity, expected = 2 * len(self.arena.sums), self.n_nodes * target / self.last
            while capacity < expected and 2 * n_bytes <= self.memory:
                capacity, n_bytes = 2 * capacity, 2 * n_bytes
            self._grow_tree(capacity)
        elif self.journal is not None:
            self.journal = records.grow_journal(self.journal, 2 * len(self.journal.steps))
        return True

    def _grow_tree(self, capacity: int) -> None:
        """Give the tree room for more nodes."""
        states = self.machine.states
        if self._is_sokoban:
            states = grow_states(states, self.n_nodes, capacity)
        self.machine = self.machine._replace(arena=grow_arena(self.arena, capacity), states=states)

    def _refuse_script(self, status: int) -> None:
        """Undo the iteration under way and say what was wrong with the script."""
        journal, tip, number = self.written(), self.machine.tip, self.last
        self.arena.counts[AT] = journal.sizes[records.EVENTS]
        self.seek(self.end_of(number))
        journal.sizes[records.EVENTS] = self.end_of(number)
        used = int(tip[CHOICES])
        tip[CHOICES] = journal.steps[number, records.CHOICES_USED]
        self.machine.generator[0] = journal.steps[number, records.GENERATOR].view(np.uint64)
        if status == mcts.BAD_CHOICE:
            choice = self.machine.choices[used - 1]
            what = f"choice {used} of the script to be a node that could be drawn, found node {choice}"
        else:
            outcome = self.machine.outcomes[number]
            what = f"outcome {number + 1} of the script to be possible; found {outcome}, which no rollout gives there"
        message = f"iteration {number + 1}: expected {what}"
        raise ScriptError(message)

    # --- looking ---------------------------------------------------------------------------------------------------

    def measure(self, number: int) -> Measured:
        """Return what decided an iteration, by making it again; the engine is then just after it."""
        room = N_DETAILED_SCORES
        detail = self._make_again(number, room)
        while detail.sizes[records.SCORES] > room:
            room = int(detail.sizes[records.SCORES])
            detail = self._make_again(number, room)
        n_scores, n_moves, leaf, n_considered, n_left_out, dead_by = map(int, detail.sizes)
        rows = [(action, why, node) for action, why, node in detail.left_out[:n_left_out].tolist()]
        return Measured(
            scores=detail.scores[:n_scores],
            moves=tuple(map(int, detail.moves[:n_moves])),
            leaf=leaf,
            considered=tuple(map(int, detail.considered[:n_considered])),
            left_out=tuple(rows),
            dead_by=dead_by,
        )

    def expanded_in(self, node: int) -> int | None:
        """Return the iteration in which a node got children, None where it never did; only what is new is looked at."""
        done, end = self._n_expansions_seen, self.end_of(self.last)
        if done < end:
            events = self.written().events[done:end]
            rows = np.flatnonzero((events[:, 0] == records.ADDED) | (events[:, 0] == records.JOINED))
            for row in rows.tolist():
                self._expanded_in.setdefault(int(events[row, 1]), self.iteration_of(done + row))
            self._n_expansions_seen = end
        return self._expanded_in.get(node)

    def iteration_of(self, event: int) -> int:
        """Return the iteration in which an event happened, found by halving."""
        return step_of(event, self.end_of, self.last)

    def _make_again(self, number: int, room: int) -> records.Detail:
        """Make an iteration again from where it began, with the random numbers that it had, and note the details."""
        step, machine = self.steps[:, number - 1], self.machine
        self.seek(self.end_of(number - 1))
        detail = records.make_detail(self.end_of(number), room, self.game.max_length, self.game.max_actions)
        kept = machine.tip.copy(), machine.generator.copy()
        try:
            machine.tip[ITERATIONS], machine.tip[CHOICES] = number - 1, step[records.CHOICES_USED]
            machine.generator[0] = step[records.GENERATOR].view(np.uint64)
            mcts.iterate(self.game.tables, machine, detail)
        finally:
            machine.tip[:], machine.generator[:] = kept
        return detail

    def score_children(self, node: int) -> NDArray[np.float64]:
        """Return the scores of a node's children as selection would find them now, as in `Measured.scores`."""
        machine, detail = self.machine, records.make_detail(0, self.game.max_actions, 0)
        kept = machine.tip.copy(), machine.generator.copy()
        mcts.choose_child(machine, detail, node)
        machine.tip[:], machine.generator[:] = kept
        return detail.scores[: detail.sizes[records.SCORES]]

    def score_nodes(self, nodes: Integers) -> NDArray[np.float64]:
        """Return the scores of some nodes, the root not among them, each seen from its parent."""
        scores = np.empty(len(nodes), dtype=np.float64)
        mcts.score_nodes(self.machine, nodes, scores)
        return scores

    def reward_range(self) -> tuple[int, int] | None:
        """Return the lowest and the highest reward of all iterations, None before the first.

        Rewards are as the player sees them who moved into the simulated node. Only what is new since the last call is
        looked at.
        """
        journal = self.written()
        end = int(journal.sizes[records.EVENTS])
        events = journal.events[self._seen_rewards : end]
        rewards = events[events[:, 0] == records.PASSED, 2]
        if len(rewards):
            low, high = int(rewards.min()), int(rewards.max())
            known = self._reward_range or (low, high)
            self._reward_range = min(low, known[0]), max(high, known[1])
        self._seen_rewards = end
        return self._reward_range

    def excerpt(self, must: Sequence[int], view: View) -> Excerpt:
        """Return the nodes to draw."""
        wanted = np.array([0, *must], dtype=np.int64)
        return make_excerpt(self.arena, wanted, view.limit, view.deepest, view.fewest, view.widest)
