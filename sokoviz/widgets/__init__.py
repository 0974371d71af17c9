"""Widgets for notebooks. Each is a small Python class that holds the truth and some plain ES modules that show it."""
