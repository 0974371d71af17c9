"""Compiled kernels: arrays in, arrays out; no classes with behaviour, no input or output."""
