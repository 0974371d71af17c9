"""What people read of a tree search: explanations, sentences, drawings and series, all taken from its record."""
