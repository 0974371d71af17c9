"""Sokoban search, made visible in Jupyter."""
