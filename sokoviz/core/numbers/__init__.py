"""Kernels that know nothing of boards: bits, vectors, random numbers, hashes, ranks."""
