"""Compiles the kernels ahead of use: ``python -m sokoviz.warm`` fills the cache, with as many processes as cores."""
