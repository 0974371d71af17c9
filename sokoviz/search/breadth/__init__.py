"""Breadth-first search over pushes with duplicate detection."""
