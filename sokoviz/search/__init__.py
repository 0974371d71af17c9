"""Searches: compiled machines of arrays, and the faces through which people step them."""
