"""The record of a search that expands positions, for IDA* and breadth-first search."""
