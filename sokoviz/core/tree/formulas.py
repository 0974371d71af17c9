"""Selection formulas: score = value + c * scale(the parent's visits and children) * weight(the child's visits).

All arithmetic rounds alike on every machine: square roots and divisions are exact by the floating-point standard, and
logarithms come from a table that is rounded to 40 bits, because libraries differ in a logarithm's last bit.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sokoviz.core.compiling.jit import lean

N_LOGARITHMS = 1 << 16
LOGARITHM_BITS = 40

UCT, UCB1, PROGRAM, PUCT = range(4)

FACTORS = (2.0, 1.0, 2.0, 0.0)
"""what the logarithm is multiplied by under the square root, by kind; PUCT has none"""


class Formula(NamedTuple):
    """A selection formula as the kernels take it."""

    kind: int
    c: float
    logarithms: NDArray[np.float64]
    """float64[N_LOGARITHMS + 1]: natural logarithms of 0 to N_LOGARITHMS, that of 0 being 0"""
    scales: NDArray[np.float64]
    """float64[N_LOGARITHMS + 1]: what `scale_of` says of so many visits, the number of children left out"""


def make_formula(kind: int, c: float) -> Formula:
    """Return a formula with its table."""
    return Formula(kind, float(c), _logarithms(), _scales(kind))


@cache
def _logarithms() -> NDArray[np.float64]:
    """The table, made once."""
    counts = np.arange(N_LOGARITHMS + 1, dtype=np.float64)
    counts[0] = 1.0
    return np.round(np.log(counts) * 2.0**LOGARITHM_BITS) / 2.0**LOGARITHM_BITS


@cache
def _scales(kind: int) -> NDArray[np.float64]:
    """The scale for each number of visits in the table, made once."""
    if kind == PUCT:
        return np.sqrt(np.arange(N_LOGARITHMS + 1, dtype=np.float64))
    return np.asarray(np.sqrt(FACTORS[kind] * _logarithms()))


@lean
def logarithm(formula: Formula, n: int) -> float:
    """Natural logarithm of n; beyond the table by halving, with a straight line between entries (ten digits)."""
    table = formula.logarithms
    if n <= N_LOGARITHMS:
        return table[n]
    halvings, rest = 0, n
    while rest >= N_LOGARITHMS:
        rest >>= 1
        halvings += 1
    share = (n - (rest << halvings)) / (1 << halvings)
    return table[rest] + share * (table[rest + 1] - table[rest]) + halvings * table[2]


@lean
def scale_of(formula: Formula, visits: int, n_children: int) -> float:
    """The part of the exploration term that is the parent's, c left out.

    UCT is equation 3.2.5.1 of the thesis, c * sqrt(2 ln(n_p) / n_i); UCB1 lacks its factor 2 (Kocsis and Szepesvari
    2006 write it into c). The published Schokoban program divides outside the square root, c * sqrt(2 ln(n_p)) / n_i.
    PUCT is AlphaZero's rule (Silver et al. 2018) with equal priors.
    """
    scale = formula.scales[visits] if visits <= N_LOGARITHMS else _scale_beyond(formula, visits)
    return scale / max(n_children, 1) if formula.kind == PUCT else scale


@lean
def _scale_beyond(formula: Formula, visits: int) -> float:
    """The scale where the table ends, the number of children left out."""
    if formula.kind == PUCT:
        return np.sqrt(np.float64(visits))
    return np.sqrt(FACTORS[formula.kind] * logarithm(formula, visits))


@lean
def weight_of(formula: Formula, visits: int) -> float:
    """The part of the exploration term that is the child's, which has been visited."""
    if formula.kind == PROGRAM:
        return 1.0 / visits
    if formula.kind == PUCT:
        return 1.0 / (1 + visits)
    return 1.0 / np.sqrt(np.float64(visits))
