"""What an iteration of a search may be marked with, as bits of its flags."""

from __future__ import annotations

TIE, EXPANSION, TERMINAL, DEEPER, NEW_LEADER = 1, 2, 4, 8, 16
