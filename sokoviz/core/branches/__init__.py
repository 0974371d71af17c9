"""What iterative deepening remembers: the record of its branches, and its transposition table."""
