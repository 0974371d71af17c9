"""How kernels are compiled, kept, and hand each other large tuples."""
