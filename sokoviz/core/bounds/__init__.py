"""How many pushes are left at least: matchings of boxes to goals, and rewards made of them."""
