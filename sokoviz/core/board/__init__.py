"""The rules as kernels: where the player walks, which pushes there are, how far boxes have to go."""
