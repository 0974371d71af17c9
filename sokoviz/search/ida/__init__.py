"""Iterative-deepening A* with Rolling Stone's parts: kernels, engine, record, and the face that people hold."""
