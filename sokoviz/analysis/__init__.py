"""What is asked of a level or a position without a search."""
