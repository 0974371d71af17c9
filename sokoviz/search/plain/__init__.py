"""Searches that people write in plain Python."""
