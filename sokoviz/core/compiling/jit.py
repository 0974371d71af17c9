"""The decorators of all kernels: how they are compiled."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from typing import Any

from numba import config
from numba.extending import overload

from sokoviz.core.compiling.drafting import Drafting, Kernel

OPTIONS = {"nopython": True, "nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True, "boundscheck": None}

# Decorates a function that tells, by the types of the arguments, what another one stands for.
standing_for = partial(overload, jit_options={"pipeline_class": Drafting})


@cache
def is_kept(compiled: Any, classes: tuple[type, ...]) -> bool:
    """Return whether the machine code of a kernel was in the cache when this was first asked.

    Parameters
    ----------
    compiled
        The kernel.
    classes
        Classes of named tuples that are among its arguments.
    """
    return bool(compiled.store.holds(classes))


def kernel(function: Callable[..., Any]) -> Any:
    """Compile a function on its first call with the options that all kernels share."""
    return _compile(function)


def lean(function: Callable[..., Any]) -> Any:
    """Compile a kernel that allocates nothing.

    It does without counting references to arrays. Where small kernels hand each other tuples of a dozen arrays the
    counting costs more than the work: the search is three times as fast without, and compiles in half the time.
    """
    return _compile(function, _nrt=False)


def inlined(function: Callable[..., Any]) -> Any:
    """Compile a kernel that allocates nothing, and let its machine code stand in whatever calls it."""
    return _compile(function, _nrt=False, forceinline=True)


def spliced(function: Callable[..., Any]) -> Any:
    """Put the text of a kernel that allocates nothing into its caller, as if it stood there.

    The optimizer makes less of long kernels, and numba has been seen to mix up variables of kernels with several
    returns: only for what a twin checks, and where it is measured to cost nothing.
    """
    return _compile(function, _nrt=False, inline="always")


def _compile(function: Callable[..., Any], **options: bool | str) -> Any:
    """Make a kernel of a function."""
    return function if config.DISABLE_JIT else Kernel(function, targetoptions={**OPTIONS, **options})
