"""Tree searches side by side: what tells them apart, and where they first differ."""
