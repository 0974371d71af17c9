"""Learning to solve a level from its own easier subcases: SIMBA and curriculum learning (Curry)."""
