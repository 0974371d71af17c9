"""The tree of a Monte Carlo search as arrays, and the journal of what changed in it."""
