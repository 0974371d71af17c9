"""What an iteration of a tree search, or a step of iterative deepening, may be marked with, as bits of its flags."""

from __future__ import annotations

TIE, EXPANSION, TERMINAL, DEEPER, NEW_LEADER = 1, 2, 4, 8, 16
DEADLOCK, DUPLICATE, MOVE, ELIMINATION, SOLUTION = 32, 64, 128, 256, 512
NO_REWARD = 1024  # nothing was simulated: the leaf got no child

# Of a step of iterative deepening.
THRESHOLD, BOUND_CUT, TRANSPOSITION, GOAL_CUT, RELEVANCE, RESUMED, PATTERN = (1 << bit for bit in range(11, 18))

# Of a step of a search in plain Python.
REJECTION, RELINK, MEETING = (1 << bit for bit in range(18, 21))

# Of a step of breadth-first search: the first position with one push more than all before.
LAYER = 1 << 21
