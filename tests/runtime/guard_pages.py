"""Arrays followed by inaccessible memory: reading beyond the end crashes the process."""

from __future__ import annotations

import ctypes
import mmap
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from backend.science.adjacency import Adjacency


def guarded(array: NDArray[Any]) -> NDArray[Any]:
    """A copy that ends where an inaccessible page begins."""
    size = -(-array.nbytes // mmap.PAGESIZE) * mmap.PAGESIZE
    memory = mmap.mmap(-1, size + mmap.PAGESIZE)
    start_address = ctypes.addressof(ctypes.c_char.from_buffer(memory))
    libc = ctypes.CDLL(None, use_errno=True)
    beyond = ctypes.c_void_p(start_address + size)
    if libc.mprotect(beyond, ctypes.c_size_t(mmap.PAGESIZE), 0):
        raise OSError(ctypes.get_errno(), "a page cannot be closed")
    value = np.frombuffer(memory, array.dtype, len(array), size - array.nbytes)
    value[:] = array
    return value


def guarded_side(side: Adjacency) -> Adjacency:
    return replace(side, offsets=guarded(side.offsets), neighbours=guarded(side.neighbours))
