"""Influence of squares."""
