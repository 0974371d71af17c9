"""Every exception class of the package, all of them under `ValueError`."""

from __future__ import annotations


class SokovizError(ValueError):
    """Anything that this package refuses; the message says what was expected, what came, and where."""


class LevelError(SokovizError):
    """A level that cannot be read, with its place in the text.

    Parameters
    ----------
    message : str
        What was expected and what was found, in lower case and without the place.
    line, column : int or None
        Place in the text as the user wrote it, both counted from 1; None where no single place is at fault.
    number : int or None
        Which level of the text it is, counted from 1; None where that is not known yet.
    title : str
        The title of that level, empty if it has none.
    """

    def __init__(
        self,
        message: str,
        line: int | None = None,
        column: int | None = None,
        number: int | None = None,
        title: str = "",
    ) -> None:
        super().__init__(message)
        self.message = message
        self.line = line
        self.column = column
        self.number = number
        self.title = title

    @property
    def place(self) -> str:
        """The place in words, such as ``"line 3, column 5"``; empty where there is none."""
        parts = (("line", self.line), ("column", self.column))
        return ", ".join(f"{word} {value}" for word, value in parts if value is not None)

    def __str__(self) -> str:
        """The place, then the message."""
        return f"{self.place}: {self.message}" if self.place else self.message


class NoPlayerError(LevelError):
    """A board without a player."""


class TwoPlayersError(LevelError):
    """A board with more than one player."""


class BoxesAndGoalsDifferError(LevelError):
    """A board with more boxes than goals or more goals than boxes."""


class OpenWallError(LevelError):
    """A board whose floor leaks: the player could leave it at the error's line and column."""


class UnknownCharacterError(LevelError):
    """A character that stands for nothing on a board."""


class EmptyLevelError(LevelError):
    """No board where one was expected."""


class LevelTooLargeError(LevelError):
    """A board beyond the size that this package reads."""


class RunLengthError(LevelError):
    """A run length that is malformed or absurd, or a group whose parentheses do not match."""


class MalformedXMLError(LevelError):
    """SLC text that is not well-formed XML, declares or uses entities, or lacks what SLC asks for."""


class MoveError(SokovizError):
    """A move string that cannot be read or played.

    Parameters
    ----------
    message : str
        What was expected and what was found, in lower case and without the place.
    index : int or None
        Position of the move in the expanded move string, counted from 0.
    column : int or None
        Position of the character in the text as given, counted from 1.
    """

    def __init__(self, message: str, index: int | None = None, column: int | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.index = index
        self.column = column

    def __str__(self) -> str:
        """The column where it is known, then the message."""
        return self.message if self.column is None else f"column {self.column}: {self.message}"


class IllegalMoveError(MoveError):
    """A move against the rules: into a wall, or against a box that cannot be pushed."""


class UnknownMoveError(MoveError):
    """A move string with a character that is no move, or with a malformed run length."""


class GameError(SokovizError):
    """A game whose rules or face break what a search relies on, or a position or action that the game has not."""


class LevelNotFoundError(SokovizError):
    """No level, file or collection of that name."""


class DownloadError(SokovizError):
    """A collection that could not be downloaded, or came with other contents than expected."""


class SearchError(SokovizError):
    """A search that is asked for what it cannot do."""


class ScriptError(SearchError):
    """A script that asks for what cannot happen in its search."""


class SearchFileError(SearchError):
    """A file that holds no search, or one that was damaged or written by another version."""
