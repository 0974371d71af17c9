"""How much squares influence each other, and which pushes have nothing to do with the pushes before them."""
