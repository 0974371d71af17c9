"""Benchmarks: our kernels beside a reference, measured in the same run."""
