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
