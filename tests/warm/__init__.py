"""The groups of kernels that are compiled ahead of use, and the processes that do it."""
