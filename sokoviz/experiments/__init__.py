"""Experiments: what the papers report, run again here and set beside their figures; and benchmarks."""
