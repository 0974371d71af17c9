"""Slow and obvious twins of the games: Tic-Tac-Toe as a tuple of nine letters, and perfect play by trying everything.

They share no code with the package. A board is read row by row; X begins; a value is seen by the player to move: 1 he
wins, 0 a draw, -1 he loses.
"""

from __future__ import annotations

from functools import cache

EMPTY = (".",) * 9


def read(text):
    """The board of a text such as ``"X.O/.X./..."``."""
    return tuple(letter for letter in text if letter != "/")


def player(board):
    """Who is to move."""
    return "X" if board.count("X") == board.count("O") else "O"


def winner(board):
    """Who has three in a row; None if nobody has."""
    for row in range(3):
        for column in range(3):
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                places = [(row + k * down, column + k * right) for k in range(3)]
                if all(r in range(3) and c in range(3) for r, c in places):
                    letters = {board[3 * r + c] for r, c in places}
                    if letters in ({"X"}, {"O"}):
                        return letters.pop()
    return None


def actions(board):
    """The free cells, none when the game is over."""
    return [] if winner(board) else [cell for cell in range(9) if board[cell] == "."]


def after(board, cell):
    """The board after a move."""
    return (*board[:cell], player(board), *board[cell + 1 :])


def reward(board):
    """Reward of who made the last move of a game that is over."""
    return 1 if winner(board) else 0


@cache
def value(board):
    """Value of perfect play for the player to move, by trying everything."""
    if not actions(board):
        return -reward(board)
    return max(-value(after(board, cell)) for cell in actions(board))


def best_actions(board):
    """All moves that keep the value of perfect play."""
    return [cell for cell in actions(board) if -value(after(board, cell)) == value(board)]


def winning_actions(board):
    """All moves that win at once."""
    return [cell for cell in actions(board) if winner(after(board, cell))]


def reachable(board=EMPTY):
    """Every position that play can lead to, that board first."""
    found, todo = {board: None}, [board]
    while todo:
        here = todo.pop()
        for cell in actions(here):
            if after(here, cell) not in found:
                found[after(here, cell)] = None
                todo.append(after(here, cell))
    return list(found)


def best_digits(n_digits):
    """Largest reward of the game `Digits`, by trying every sequence: 0 where a 3 follows a 3, else the sum."""

    def rewards(digits):
        if digits[-2:] == [3, 3]:
            yield 0
        elif len(digits) == n_digits:
            yield sum(digits)
        else:
            for digit in (1, 2, 3):
                yield from rewards([*digits, digit])

    return max(rewards([]))


# --- Connect Four: a board is a tuple of columns, each a text of pieces from the bottom upwards ----------------------


def drop(columns, column):
    """The columns after a move."""
    mark = "X" if sum(map(len, columns)) % 2 == 0 else "O"
    return (*columns[:column], columns[column] + mark, *columns[column + 1 :])


def four_in_a_row(columns):
    """Squares, column and height, of all fours in a row."""
    pieces = {(c, h): mark for c, column in enumerate(columns) for h, mark in enumerate(column)}
    found = set()
    for c, h in pieces:
        for right, up in ((1, 0), (0, 1), (1, 1), (1, -1)):
            places = [(c + k * right, h + k * up) for k in range(4)]
            if {pieces.get(place) for place in places} in ({"X"}, {"O"}):
                found.update(places)
    return found


def open_columns(columns, n_rows):
    """Columns that can take a piece, none when the game is over."""
    return [] if four_in_a_row(columns) else [c for c, column in enumerate(columns) if len(column) < n_rows]
