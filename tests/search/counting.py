"""Counts the entries of arrays that Python code looks at: what a step costs, without a clock."""

import numpy as np


class Counting(np.ndarray):
    """An array that notes how many of its entries are looked at. To take a slice of it looks at none."""

    touched = 0

    def __getitem__(self, key):
        found = super().__getitem__(key)
        if not isinstance(found, Counting):
            Counting.touched += 1
        elif not np.may_share_memory(found.view(np.ndarray), self.view(np.ndarray)):
            Counting.touched += found.size
        return found

    def __array_ufunc__(self, ufunc, method, *inputs, **options):
        out = options.pop("out", None)
        plain = [_plain(each) for each in inputs]
        if out is not None:
            options["out"] = tuple(_plain(each, is_counted=False) for each in out)
        return getattr(ufunc, method)(*plain, **options)

    def __array_function__(self, function, _types, arguments, options):
        return function(*_all_plain(arguments), **{name: _all_plain(entry) for name, entry in options.items()})

    def tolist(self):
        """Return the entries as a list."""
        Counting.touched += self.size
        return self.view(np.ndarray).tolist()


def _plain(each, *, is_counted=True):
    """An array as numpy has it, after its entries were counted."""
    if isinstance(each, Counting):
        Counting.touched += each.size * is_counted
        return each.view(np.ndarray)
    return each


def _all_plain(entry):
    """The same of arguments, and of arrays in lists."""
    if isinstance(entry, list | tuple):
        return type(entry)(map(_all_plain, entry))
    return _plain(entry)


def counting(array):
    """The same array, from now on counted."""
    return array.view(Counting)


def touched(work):
    """Do something; return how many entries were looked at."""
    Counting.touched = 0
    work()
    return Counting.touched
