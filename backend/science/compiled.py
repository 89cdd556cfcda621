"""The compiler of the numeric kernels, in one place and with a type."""

from __future__ import annotations

from collections.abc import Callable
from typing import ParamSpec, TypeVar

from numba import njit

Given = ParamSpec("Given")
Answer = TypeVar("Answer")


def compiled(function: Callable[Given, Answer]) -> Callable[Given, Answer]:
    """Machine code, kept on disk between runs; other threads go on while it runs.

    It reads and writes without checking bounds: what it is given must have been checked before.
    """
    kernel: Callable[Given, Answer] = njit(cache=True, nogil=True)(function)
    return kernel


def vectorised(function: Callable[Given, Answer]) -> Callable[Given, Answer]:
    """As `compiled`, for loops that divide: x / 0 is infinite or NaN, as in numpy.

    Python's error for it would be a branch in the loop, and the compiler would then take one
    element at a time. The order of sums is kept as written.
    """
    kernel: Callable[Given, Answer] = njit(cache=True, nogil=True, error_model="numpy")(function)
    return kernel
