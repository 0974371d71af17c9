"""Named tuples by their address: kernels read the same fields, and write into the same arrays."""

from __future__ import annotations

import pickle
from typing import TYPE_CHECKING, NamedTuple

import numba
import numpy as np
import pytest
from numba.core.errors import TypingError

from sokoviz.core.compiling.by_address import Reference, refer
from sokoviz.core.compiling.jit import lean

if TYPE_CHECKING:
    from sokoviz.core.types import Bits, Integers


class Inner(NamedTuple):
    """Arrays of one type, so that numba takes it for a uniform tuple."""

    low: Integers
    high: Integers


class Outer(NamedTuple):
    """Fields of all kinds."""

    width: int
    is_on: bool
    boards: Bits
    inner: Inner
    weights: Integers


def make():
    inner = Inner(np.arange(3), np.arange(10, 13))
    return Outer(7, is_on=True, boards=np.ones((2, 2), np.uint64), inner=inner, weights=np.zeros(4, np.int64))


@lean
def _fill(outer: Outer, n: int) -> int:
    for index in range(n):
        outer.weights[index] = outer.width + outer.inner.high[index]
    return _sum(outer.inner) + (1000 if outer.is_on else 0)


@lean
def _sum(inner: Inner) -> int:
    return inner.low[1] + inner.high[2]


@lean
def fill_by_address(outer: Outer, n: int) -> int:
    """Fill by handing on an address."""
    return _fill(refer(outer), n)


@lean
def fill_by_fields(outer: Outer, n: int) -> int:
    """Fill by handing on all fields."""
    return _fill(outer, n)


def test_fields_are_read_and_arrays_written_as_those_of_the_tuple():
    one, other = make(), make()
    assert fill_by_address(one, 3) == fill_by_fields(other, 3) == 1 + 12 + 1000
    assert one.weights.tolist() == other.weights.tolist() == [17, 18, 19, 0]


def test_a_flag_that_is_off_is_read_as_off():
    assert fill_by_address(make()._replace(is_on=False), 0) == 13


def test_a_field_that_is_not_there_is_refused():
    @numba.njit
    def wrong(outer):
        return refer(outer).nothing

    with pytest.raises(TypingError, match="nothing"):
        wrong(make())


def test_references_are_told_apart_by_all_that_they_refer_to():
    one, other = numba.typeof(make()), numba.typeof(make()._replace(weights=np.zeros(4, np.int32)))
    assert Reference(one) == Reference(numba.typeof(make())) != Reference(other)
    assert pickle.loads(pickle.dumps(Reference(one))) == Reference(one)  # noqa: S301  as numba's cache does
