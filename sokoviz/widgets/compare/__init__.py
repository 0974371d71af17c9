"""Tree searches side by side."""
