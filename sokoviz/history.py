"""Moves done and undone: one line of moves with a cursor in it, and the places where undo and redo stop."""

from __future__ import annotations


class History:
    """A line of moves and a cursor: what lies before it has been done, what lies behind can be done again."""

    def __init__(self) -> None:
        self.line = ""
        self.cursor = 0
        self._stops = [0]

    @property
    def done(self) -> str:
        """The moves before the cursor."""
        return self.line[: self.cursor]

    @property
    def undone(self) -> str:
        """The moves behind the cursor."""
        return self.line[self.cursor :]

    def add(self, moves: str, *, one_by_one: bool = False) -> None:
        """Put moves at the cursor and forget what lay behind; they are one action unless told otherwise."""
        if not moves:
            return
        end = self.cursor + len(moves)
        self._stops = [stop for stop in self._stops if stop <= self.cursor]
        if self._stops[-1] < self.cursor:  # the cursor stands within an action: that part becomes an action
            self._stops.append(self.cursor)
        self._stops.extend(range(self.cursor + 1, end + 1) if one_by_one else [end])
        self.line = self.done + moves
        self.cursor = end

    def stop_before(self) -> int:
        """Where undo goes: the end of the action before, or the start."""
        return max((stop for stop in self._stops if stop < self.cursor), default=0)

    def stop_behind(self) -> int:
        """Where redo goes: the end of the next action, or where the cursor is."""
        return min((stop for stop in self._stops if stop > self.cursor), default=self.cursor)

    def clear(self) -> None:
        """Forget everything."""
        self.__init__()  # type: ignore[misc]
