"""A level: immutable, checked, and able to show itself."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from sokoviz.errors import LevelError, LevelTooLargeError
from sokoviz.formats import CollectionText, LevelText, board_text, find_floor, read_levels, read_rows, write_levels
from sokoviz.formats.rows import place_row
from sokoviz.formats.symmetries import find_player, mirror_rows, normal_rows, rotate_rows
from sokoviz.squares import Square

if TYPE_CHECKING:
    from sokoviz.board import Board
    from sokoviz.picture import Picture
    from sokoviz.widgets.board.widget import BoardWidget


_MOST_DISTANCES = 500_000_000
_MOST_DIGITS = 15
_MOST_BITS = 10_000


class SearchSpace(NamedTuple):
    """How large the search in a level could get (thesis, appendix A)."""

    tiles: int
    """Squares that the player could reach were there no boxes."""
    live_tiles: int
    """Those of them from which a box can be pushed to a goal: no locking tiles."""
    boxes: int
    """Boxes on these squares."""
    size: int
    """Ways to put the boxes on live tiles and the player on a tile that is left."""

    def __str__(self) -> str:
        """A sentence for people."""
        tiles = f"{self.tiles} tiles, {self.live_tiles} of them live, {_count_boxes(self.boxes)}"
        return f"{_rounded(self.size)} positions ({tiles})"

    def __repr__(self) -> str:
        """All figures; a size of thousands of digits is rounded, since Python refuses to print it."""
        size = self.size if self.size.bit_length() < _MOST_BITS else _rounded(self.size)
        return f"SearchSpace(tiles={self.tiles}, live_tiles={self.live_tiles}, boxes={self.boxes}, size={size})"


@dataclass(frozen=True, repr=False)
class Level:
    """A level: its rows and what its author says about it.

    Parameters
    ----------
    rows : sequence of str
        The board from the top, in any of the usual characters. Kept in the seven characters ``# .$*@+``, padded to one
        width and without blank margins.
    title, author, comment : str
        Plain text.
    name : str
        What `load` finds it by, such as ``"microban#3"``; empty for a level of one's own.

    Raises
    ------
    LevelError
        The first thing wrong with the rows; each cause has a class of its own, with line and column.
    """

    rows: tuple[str, ...]
    title: str = ""
    author: str = ""
    comment: str = ""
    name: str = ""

    def __post_init__(self) -> None:
        """Check the rows and make them canonical."""
        given: object = self.rows
        if isinstance(given, str | bytes):
            message = "expected a sequence of rows, found one text: Level.parse reads that"
            raise TypeError(message)
        rows = read_rows([place_row(text, line) for line, text in enumerate(self.rows, start=1)])
        object.__setattr__(self, "rows", rows)

    @classmethod
    def parse(cls, text: str | bytes) -> Level:
        """Read the first level of a text in any format.

        Parameters
        ----------
        text : str or bytes
            XSB, SOK, run-length rows, SLC or Boxoban.

        Returns
        -------
        Level
            The only or first level.

        Raises
        ------
        LevelError
            What is wrong with that level, with line and column.

        Examples
        --------
        >>> Level.parse("#####|#@$.#|#####")
        Level, 5 x 3, 1 box
        """
        first = read_levels(text).levels[0]
        if isinstance(first, LevelError):
            raise first
        return cls(*first)

    def __repr__(self) -> str:
        """A short sentence."""
        words = ["Level", *([self.name] if self.name else []), *([repr(self.title)] if self.title else [])]
        return f"{' '.join(words)}, {self.width} x {self.height}, {_count_boxes(len(self.boxes))}"

    # --- text ---------------------------------------------------------------------------------------------------

    @property
    def text(self) -> str:
        """The board as XSB text, without title."""
        return board_text(self.rows)

    def to_text(self, format: str = "xsb") -> str:  # noqa: A002 - the word that users know
        """Write the level with title, author and comment.

        Parameters
        ----------
        format : str
            One of ``xsb``, ``sok``, ``rle`` (run-length rows), ``slc`` (XML) and ``boxoban`` (board and title only).

        Returns
        -------
        str
            Text that `Level.parse` reads back as the same level.
        """
        return write_levels(CollectionText((self.record,)), format)

    @property
    def record(self) -> LevelText:
        """The level as plain data, for the writers of `sokoviz.formats`."""
        return LevelText(self.rows, self.title, self.author, self.comment)

    # --- the board ----------------------------------------------------------------------------------------------

    @property
    def width(self) -> int:
        """Number of columns."""
        return len(self.rows[0])

    @property
    def height(self) -> int:
        """Number of rows."""
        return len(self.rows)

    @cached_property
    def player(self) -> Square:
        """Where the player starts."""
        return Square(*find_player(self.rows))

    @cached_property
    def boxes(self) -> tuple[Square, ...]:
        """Where the boxes start, row by row; also those that are walled off."""
        return self._squares("$*")

    @cached_property
    def goals(self) -> tuple[Square, ...]:
        """The goals, row by row; also those that are walled off."""
        return self._squares(".*+")

    @cached_property
    def floor(self) -> frozenset[Square]:
        """Squares that the player could reach were there no boxes."""
        squares, _ = find_floor(self.rows, *self.player)
        return frozenset(Square(*square) for square in squares)

    def _squares(self, characters: str) -> tuple[Square, ...]:
        """Squares that show one of some characters, row by row."""
        return tuple(
            Square(row, column)
            for row, text in enumerate(self.rows)
            for column, character in enumerate(text)
            if character in characters
        )

    # --- symmetry -----------------------------------------------------------------------------------------------

    def rotate(self, quarter_turns: int = 1) -> Level:
        """The level turned clockwise.

        Parameters
        ----------
        quarter_turns : int
            How often to turn it; negative numbers turn it the other way.

        Returns
        -------
        Level
            A new level with the same title.
        """
        rows = self.rows
        for _ in range(quarter_turns % 4):
            rows = rotate_rows(rows)
        return replace(self, rows=rows)

    def mirror(self) -> Level:
        """The level with left and right exchanged."""
        return replace(self, rows=mirror_rows(self.rows))

    def normal_form(self) -> Level:
        """The level as it looks in all its copies: two levels are the same if their normal forms have equal rows.

        Of the eight rotations and reflections the one whose rows come first in alphabetical order; walls exactly where
        they touch floor; walled-off squares and solved boxes on them dropped; the player on the first square, row by
        row, of those that it can reach without a push.

        Returns
        -------
        Level
            A new level with the same title.
        """
        return replace(self, rows=normal_rows(self.rows))

    # --- search -------------------------------------------------------------------------------------------------

    def search_space(self) -> SearchSpace:
        """Estimate the number of positions.

        Returns
        -------
        SearchSpace
            The counts, and the number of positions that a search which leaves locking tiles alone could meet.

        Raises
        ------
        LevelTooLargeError
            The push distances from all squares to all goals would not fit into memory.

        References
        ----------
        Kröger, *Schokoban*, appendix A: ``comb(live_tiles, boxes) * (tiles - boxes)``.
        """
        from sokoviz.core.board.grid import tables_of

        if len(self.goals) * self.width * self.height > _MOST_DISTANCES:
            message = f"expected a board with at most {_MOST_DISTANCES:,} pairs of goal and square, found more"
            raise LevelTooLargeError(message)
        tables = tables_of(self.rows)
        live = sum(int(word).bit_count() for word in tables.live)
        n_boxes = sum(box in self.floor for box in self.boxes)
        return SearchSpace(tables.n_floor, live, n_boxes, math.comb(live, n_boxes) * (tables.n_floor - n_boxes))

    # --- play and show ------------------------------------------------------------------------------------------

    def board(self) -> Board:
        """A board in the level's position, to play on."""
        from sokoviz.board import Board

        return Board(self)

    def play(self, **options: Any) -> BoardWidget:
        """A board to play on in the notebook.

        Parameters
        ----------
        **options
            Passed on to `sokoviz.BoardWidget`.

        Returns
        -------
        BoardWidget
            The widget.
        """
        from sokoviz.widgets.board.widget import BoardWidget

        return BoardWidget(self, **options)

    def picture(self, **overlays: Any) -> Picture:
        """Draw the level; `overlays` are those of `sokoviz.Board.picture`."""
        return self.board().picture(**overlays)

    def _repr_mimebundle_(self, **options: object) -> dict[str, str]:
        """What a notebook shows: a picture, and text where there are no pictures."""
        return self.picture()._repr_mimebundle_(**options)


def _rounded(number: int) -> str:
    """A number with commas, or its first digits and exponent where it is long."""
    if number < 10**_MOST_DIGITS:
        return f"{number:,}"
    exponent = math.floor(math.log10(number))
    digits = number // 10 ** (exponent - 2)
    return f"about {digits / 100:.1f}e{exponent}"


def _count_boxes(number: int) -> str:
    """A number of boxes in words."""
    return f"{number} box{'es' * (number != 1)}"
