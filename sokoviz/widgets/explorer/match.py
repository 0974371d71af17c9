"""A match against a search: the reader moves on the board and watches the tree think about the answer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import traitlets

from sokoviz.errors import GameError
from sokoviz.search.mcts.search import MCTS
from sokoviz.widgets.explorer.widget import Explorer

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sokoviz.games.game import Game
    from sokoviz.picture import Picture
    from sokoviz.search.watching import News
    from sokoviz.widgets.explorer.views import Look

TWO_PLAYERS = 2


class Match(Explorer):
    """A game for two, played against a search that shows how it thinks.

    For each of its moves a new search is begun at the position, as the thesis does (B.1); its tree grows while it
    thinks, and stays to be explored while the reader thinks.

    Parameters
    ----------
    game
        A game for two players.
    budget
        Iterations that the search may use for a move.
    first
        Whether the reader makes the first move.
    c, seed
        Exploration constant and seed of the searches.
    options
        Options of the `Explorer`.
    """

    OPTIONS: ClassVar[tuple[str, ...]] = (*Explorer.OPTIONS, "budget")

    budget = traitlets.Int(500, min=2, max=1_000_000).tag(sync=True)
    """iterations that the search may use for a move"""

    def __init__(self, game: Game, *, first: bool = True, c: float = 2.0, seed: int = 1, **options: Any) -> None:
        if game.players != TWO_PLAYERS:
            message = f"expected a game for two players, found {game!r}"
            raise GameError(message)
        self._game, self._c, self._seed = game, c, seed
        self._is_first = first
        self._is_thinking = False
        self._current = 0  # the node of the search at which the match stands
        self._past: list[tuple[MCTS, int]] = []
        super().__init__(self._search_from(game.start()), **{"follow": False, **options})
        self._go_on()

    # --- what Python can ask for -----------------------------------------------------------------------------------

    @property
    def state(self) -> NDArray[np.int64]:
        """The position of the match, as the game writes it."""
        return self._search.state(self._current) if self._current else self._search.game.start()

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return not self._legal_actions()

    @property
    def is_my_turn(self) -> bool:
        """Whether the reader is to move."""
        return not self._is_thinking and not self.is_over and self._to_move() == self._is_first

    def play(self, move: str) -> None:
        """Make a move by its name, such as ``"Bb"``; the search answers in the background.

        Raises
        ------
        GameError
            If it is not the reader's turn or there is no such move.
        """
        if not self.is_my_turn:
            message = f"expected to be asked when it is your turn, found {self.match['text']!r}"
            raise GameError(message)
        state = self.state
        names = {self._game.action_name(state, action): action for action in self._legal_actions()}
        if move not in names:
            message = f"expected a move out of {', '.join(names)}; found {move!r}"
            raise GameError(message)
        self._make(names[move])

    def take_back(self) -> None:
        """Take back the reader's last move and the answer to it."""
        self._stop_thinking()
        if not self._past:
            return
        search, self._current = self._past.pop()
        self._show(search)

    def restart(self, *, first: bool | None = None) -> None:
        """Begin a new game.

        Parameters
        ----------
        first
            Whether the reader makes the first move; as before where left out.
        """
        self._stop_thinking()
        self._is_first = self._is_first if first is None else first
        self._past.clear()
        self._current = 0
        self._show(self._search_from(self._game.start()))
        self._go_on()

    # --- playing ---------------------------------------------------------------------------------------------------

    def _search_from(self, state: NDArray[np.int64]) -> MCTS:
        """A new search at a position."""
        return MCTS(self._game.starting_at(state), c=self._c, seed=self._seed)

    def _legal_actions(self) -> list[int]:
        """Actions that can be played now; the rules as plain Python are fast enough for that."""
        actions = np.zeros(self._game.max_actions, dtype=np.int64)
        n = int(self._game.list_actions(self._game.tables, self.state, actions))
        return [int(action) for action in actions[:n]]

    def _to_move(self) -> bool:
        """Whether the player is to move who began."""
        return self._game.player_name(self.state) == self._game.player_name(self._game.start())

    def _make(self, action: int) -> None:
        """Make the reader's move, and let the search think about it."""
        state = self.state
        self._past.append((self._search, self._current))
        self._game.play(self._game.tables, state, action)
        self._current = 0
        self._show(self._search_from(state))
        self._go_on()

    def _show(self, search: MCTS) -> None:
        """Explore a search, the match's position on the board."""
        self.search = search
        self._select_current()

    def _select_current(self) -> None:
        """Put the match's position on the board."""
        self._node = self._current
        self._do(self._publish)
        self._publish_match()

    def _go_on(self) -> None:
        """Let the search think if it is its turn."""
        if not self.is_over and self._to_move() != self._is_first:
            self._is_thinking = True
            self._publish_match()
            self._do(lambda: self._start("thinking", iterations=self.budget))
        else:
            self._publish_match()

    def _stop_thinking(self) -> None:
        """Give up a search under way without taking its move."""
        self._is_thinking = False
        self._search.stop()

    def _on_news(self, news: News) -> None:
        """When the search has ended, by itself or because the reader would not wait, it moves."""
        super()._on_news(news)
        if news.kind == "ended" and self._is_thinking:
            if self._search.result.node is None and news.error is None:
                self._search.run(iterations=2, progress=False)  # stopped before it had seen a single move
            self._current = self._search.result.node or 0
            self._is_thinking = False
            self._select_current()

    # --- showing ---------------------------------------------------------------------------------------------------

    def _publish_match(self) -> None:
        """Say how the match stands."""
        names = [self._game.player_name(self._game.start())]
        with self._publishing():
            self.match = {
                "text": self._status(),
                "over": self.is_over,
                "mine": self.is_my_turn,
                "first": self._is_first,
                "begins": names[0],
                "back": bool(self._past),
            }

    def _status(self) -> str:
        """Whose turn it is, or how the game has ended."""
        if self.is_over:
            return f"The game is over: {self._game.outcome_name(self.state)}."
        if self._is_thinking:
            return f"It is thinking about its move, {self.budget:,} iterations …"
        return f"Your move: you are {self._game.player_name(self.state)}."

    def _picture(self, look: Look) -> tuple[Picture, str]:
        """The board, with a caption that says whether this is the match."""
        picture, caption = super()._picture(look)
        if look.node != self._current:
            return picture, caption
        last = look.drawing.actions[look.place]
        return picture, f"the match · last move {last}" if last else "the match"

    def _names_to_click(self, look: Look) -> set[str]:
        """Moves to make, where the board shows the match; those that lead to a child elsewhere."""
        if look.node != self._current:
            return super()._names_to_click(look)
        state = self.state
        return {self._game.action_name(state, action) for action in self._legal_actions() if self.is_my_turn}

    # --- messages of the page ----------------------------------------------------------------------------------------

    def _on_square(self, square: list[int]) -> None:
        """Move, where the board shows the match; explore elsewhere."""
        if self._node != self._current or not self.is_my_turn:
            super()._on_square(square)
            return
        action = self._game.action_at(self.state, (int(square[0]), int(square[1])))
        if action is not None:
            self._make(action)

    def _on_new_game(self) -> None:
        """Begin again."""
        self.restart()

    def _on_switch_sides(self) -> None:
        """Begin again with the other side."""
        self.restart(first=not self._is_first)

    def _on_take_back(self) -> None:
        """Take a move back."""
        self.take_back()

    def _on_show_match(self) -> None:
        """Return from exploring to the match."""
        self._select_current()
