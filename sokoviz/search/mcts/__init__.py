"""Monte Carlo Tree Search, with Vanillaban and Schokoban: kernels, engine, and the face that people hold."""
