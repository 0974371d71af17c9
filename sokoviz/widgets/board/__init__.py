"""The board to play."""
