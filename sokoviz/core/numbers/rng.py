"""Random numbers: splitmix64, an integer generator that gives the same numbers on every machine.

Reference: G. Steele, D. Lea, C. Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014.
"""

from __future__ import annotations

import numpy as np

from sokoviz.core.compiling.jit import lean
from sokoviz.core.types import Bits

GAMMA = np.uint64(0x9E3779B97F4A7C15)
MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
MIX_2 = np.uint64(0x94D049BB133111EB)
SHIFT_30, SHIFT_27, SHIFT_31, SHIFT_32 = np.uint64(30), np.uint64(27), np.uint64(31), np.uint64(32)


@lean
def next_random(state: Bits) -> int:
    """Advance the generator state, uint64[1], and return the next uint64."""
    state[0] += GAMMA
    z = state[0]
    z = (z ^ (z >> SHIFT_30)) * MIX_1
    z = (z ^ (z >> SHIFT_27)) * MIX_2
    return z ^ (z >> SHIFT_31)


@lean
def next_below(state: Bits, n: int) -> int:
    """A number from 0 to n - 1, 0 < n < 2**32, by multiplying the upper half; the bias is below n / 2**32."""
    return np.int64(((next_random(state) >> SHIFT_32) * np.uint64(n)) >> SHIFT_32)


@lean
def fill_random(state: Bits, out: Bits) -> None:
    """Fill out, uint64[n], with the next numbers."""
    for i in range(len(out)):
        out[i] = next_random(state)
