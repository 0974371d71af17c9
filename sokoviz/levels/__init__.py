"""Levels and collections of levels: immutable, checked, found by name, and downloaded."""

from __future__ import annotations

from sokoviz.levels.collection import Collection, available, collection, load, split_target
from sokoviz.levels.fetching import fetch
from sokoviz.levels.level import Level, SearchSpace

__all__ = ["Collection", "Level", "SearchSpace", "available", "collection", "fetch", "load", "split_target"]
