"""Heatmaps of a learner, one or several, and its episodes as films."""
