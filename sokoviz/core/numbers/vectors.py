"""Four children scored at a time: of a loop over them the compiler makes branches that the processor cannot foresee.

A lane is one number of a vector register. The operations are those of a loop, so that every score is the same to the
last bit.
"""

from __future__ import annotations

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

LANES = 4

DOUBLE, INTEGER, NUMBER = ir.DoubleType(), ir.IntType(64), ir.IntType(32)
VECTOR, PAIRS = ir.VectorType(DOUBLE, LANES), ir.VectorType(DOUBLE, 2 * LANES)


def _rearranged(builder, vector, places):
    """A vector of the entries at some places of another."""
    mask = ir.Constant(ir.VectorType(NUMBER, len(places)), [ir.Constant(NUMBER, place) for place in places])
    return builder.shuffle_vector(vector, ir.Constant(vector.type, ir.Undefined), mask)


def _filled(builder, number):
    """A vector with the same number in each lane."""
    kind = ir.VectorType(number.type, LANES)
    single = builder.insert_element(ir.Constant(kind, ir.Undefined), number, ir.Constant(NUMBER, 0))
    return _rearranged(builder, single, [0] * LANES)


def _pointer(context, builder, array_type, array, place, kind):
    """Where a vector begins in an array, counted in its entries."""
    data = context.make_array(array_type)(context, builder, array).data
    return builder.bitcast(builder.gep(data, [place]), kind.as_pointer())


def _load(context, builder, array_type, array, place, kind):
    """The vector that begins at a place of an array."""
    vector = builder.load(_pointer(context, builder, array_type, array, place, kind))
    vector.align = 8
    return vector


def _larger(builder, one, other):
    """The larger of two vectors, lane by lane; none is NaN."""
    return builder.select(builder.fcmp_ordered(">", one, other), one, other)


@intrinsic
def score_lanes(typing_context, scores, slot, count, bonus, out, place):
    """Score up to four children: value + bonus * weight; write them to out, and return the highest.

    Parameters
    ----------
    scores : float64[2, n] of order F, values and weights; four columns are read
    slot : column of the first child
    count : how many children there are from there on; where they are fewer than four, minus infinity is written
    bonus : what weights are multiplied by
    out, place : float64[m], and where in it the scores begin; four are written
    """

    def generate(context, builder, signature, arguments):
        scores, slot, count, bonus, out, place = arguments
        start = builder.mul(slot, ir.Constant(INTEGER, 2))
        pairs = _load(context, builder, signature.args[0], scores, start, PAIRS)
        values = _rearranged(builder, pairs, range(0, 2 * LANES, 2))
        weights = _rearranged(builder, pairs, range(1, 2 * LANES, 2))
        found = builder.fadd(values, builder.fmul(_filled(builder, bonus), weights))
        lanes = ir.Constant(ir.VectorType(INTEGER, LANES), [ir.Constant(INTEGER, lane) for lane in range(LANES)])
        is_child = builder.icmp_signed("<", lanes, _filled(builder, count))
        found = builder.select(is_child, found, _filled(builder, ir.Constant(DOUBLE, -np.inf)))
        builder.store(found, _pointer(context, builder, signature.args[4], out, place, VECTOR)).align = 8
        halves = _larger(builder, found, _rearranged(builder, found, (2, 3, 0, 1)))
        highest = _larger(builder, halves, _rearranged(builder, halves, (1, 0, 3, 2)))
        return builder.extract_element(highest, ir.Constant(NUMBER, 0))

    integer, number = types.int64, types.float64
    return number(scores, integer, integer, number, out, integer), generate


@intrinsic
def find_lanes(typing_context, numbers, place, number):
    """Bits of a uint64 that tell which of four entries of float64[n], from a place on, equal a number."""

    def generate(context, builder, signature, arguments):
        numbers, place, number = arguments
        entries = _load(context, builder, signature.args[0], numbers, place, VECTOR)
        is_equal = builder.fcmp_ordered("==", entries, _filled(builder, number))
        return builder.zext(builder.bitcast(is_equal, ir.IntType(LANES)), INTEGER)

    return types.uint64(numbers, types.int64, types.float64), generate
