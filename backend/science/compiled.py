"""The compiler of the numeric kernels, in one place and with a type."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from hashlib import blake2b
from pathlib import Path
from typing import ParamSpec, TypeVar

from numba import config, njit

Given = ParamSpec("Given")
Answer = TypeVar("Answer")


BACKEND = Path(__file__).resolve().parents[1]
ROOMS = ("graphs", "science")  # that have kernels


def kept_in() -> Path:
    """The folder of machine code made of the sources as they are.

    numba looks whether the file of a kernel has changed, but not those of the kernels it calls:
    after an upgrade it would go on with what they were.
    """
    files = sorted(file for room in ROOMS for file in (BACKEND / room).rglob("*.py"))
    told = b"".join(file.read_bytes() for file in files)
    root = os.environ.get("NUMBA_CACHE_DIR") or BACKEND / "__pycache__"
    return Path(root) / "kernels" / blake2b(told, digest_size=8).hexdigest()


def forget_old_code() -> None:
    """Remove what was compiled of other sources. Who still runs them compiles again."""
    for folder in KEPT.parent.glob("*"):
        if folder != KEPT:
            shutil.rmtree(folder, ignore_errors=True)


KEPT = kept_in()
config.CACHE_DIR = str(KEPT)  # type: ignore[attr-defined]  # numba makes its settings when loaded


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
