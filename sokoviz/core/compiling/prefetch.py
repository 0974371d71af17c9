"""Memory as the processor sees it: lines of 64 bytes, which are best asked for before they are needed."""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic
from numpy.typing import NDArray

LINE = 64  # bytes


def aligned_zeros(shape: tuple[int, ...], dtype: Any) -> NDArray[Any]:
    """Return zeros with the first axis side by side (order F) that begin where a line of the cache begins."""
    n_bytes = int(np.prod(shape)) * np.dtype(dtype).itemsize
    raw = np.zeros(n_bytes + LINE, dtype=np.uint8)
    start = -raw.ctypes.data % LINE
    return raw[start : start + n_bytes].view(dtype).reshape(shape, order="F")


@intrinsic
def prefetch(typing_context, array, index):
    """Ask for the line of the cache that an entry of a one-dimensional array is on, or a column of one of order F."""

    def generate(context, builder, signature, arguments):
        array_type, value = signature.args[0], context.make_array(signature.args[0])(context, builder, arguments[0])
        zero = ir.Constant(ir.IntType(64), 0)
        place = [zero] * (array_type.ndim - 1) + [arguments[1]]
        pointer = cgutils.get_item_pointer(context, builder, array_type, value, place, wraparound=False)
        bytes_pointer = ir.IntType(8).as_pointer()
        flag = ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [bytes_pointer, flag, flag, flag])
        function = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0")
        # to be read (0), wanted in every cache (3), data (1)
        settings = [ir.Constant(flag, number) for number in (0, 3, 1)]
        builder.call(function, [builder.bitcast(pointer, bytes_pointer), *settings])
        return context.get_dummy_value()

    return types.void(array, types.int64), generate


@intrinsic
def read_afresh(typing_context, array, index):
    """An entry of a one-dimensional array, read anew: the compiler takes nothing for granted about it."""

    def generate(context, builder, signature, arguments):
        array_type, value = signature.args[0], context.make_array(signature.args[0])(context, builder, arguments[0])
        pointer = cgutils.get_item_pointer(context, builder, array_type, value, [arguments[1]], wraparound=False)
        return builder.load_atomic(pointer, "monotonic", array_type.dtype.bitwidth // 8)

    return array.dtype(array, types.int64), generate
