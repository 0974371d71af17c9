"""The journal: what each type of trace writes, and that a silent one leaves no trace in the machine code."""

import re

import numba
import numpy as np
import pytest

from sokoviz.core.tree import journal as records
from sokoviz.core.tree.journal import emit_added, emit_move, emit_passed, emit_score, end_step

pytestmark = pytest.mark.kernels


def silent_loop(trace, values):
    total = 0.0
    for index in range(len(values)):
        emit_score(trace, index, index, values[index], 1.0, 1.0, values[index])
        emit_move(trace, index)
        emit_added(trace, index, index, 1)
        emit_passed(trace, index, 1)
        end_step(trace, 0, 0, 0, 0, 0)
        total += values[index]
    return total


def plain_loop(trace, values):  # noqa: ARG001  the same arguments as the other
    total = 0.0
    for index in range(len(values)):
        total += values[index]
    return total


def instructions(function):
    """The machine code of a function for a silent trace, names of symbols and comments left out."""
    compiled = numba.njit(error_model="numpy", _nrt=False)(function)
    compiled(records.Silent(0), np.ones(3))
    (assembly,) = compiled.inspect_asm().values()
    body = assembly.split("_ZN7cpython")[0]  # the wrapper for Python comes after the function itself
    lines = (re.sub(r"#.*", "", line).strip() for line in body.splitlines())
    return [line.split()[0] for line in lines if line and not line.startswith((".", "_", "N"))]


@pytest.mark.skipif(bool(numba.config.BOUNDSCHECK), reason="compares the code that runs without bounds checking")
def test_without_a_journal_there_is_no_cost():
    plain = instructions(plain_loop)
    assert len(plain) > 5
    assert instructions(silent_loop) == plain


def test_detail_that_does_not_fit_is_counted():
    @numba.njit
    def write(trace, n):
        for index in range(n):
            emit_score(trace, 0, index, 1.0, 1.0, 1.0, 2.0)
            emit_move(trace, index)

    detail = records.make_detail(0, n_scores=3, n_moves=2)
    write(detail, 5)
    assert detail.sizes.tolist() == [5, 5, 0, 0, 0, 0]
    assert detail.scores[:, records.SCORE_CHILD].tolist() == [0, 1, 2]
    assert detail.moves.tolist() == [0, 1]
