"""Arrays behind which no memory lies: whoever reads beyond one ends the process."""

from __future__ import annotations

import ctypes
import mmap
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from backend.science.adjacency import Adjacency


def guarded(array: NDArray[Any]) -> NDArray[Any]:
    """A copy that ends where a page begins that nobody may read."""
    size = -(-array.nbytes // mmap.PAGESIZE) * mmap.PAGESIZE
    room = mmap.mmap(-1, size + mmap.PAGESIZE)
    begin = ctypes.addressof(ctypes.c_char.from_buffer(room))
    libc = ctypes.CDLL(None, use_errno=True)
    beyond = ctypes.c_void_p(begin + size)
    if libc.mprotect(beyond, ctypes.c_size_t(mmap.PAGESIZE), 0):
        raise OSError(ctypes.get_errno(), "a page cannot be closed")
    held = np.frombuffer(room, array.dtype, len(array), size - array.nbytes)
    held[:] = array
    return held


def guarded_side(side: Adjacency) -> Adjacency:
    return replace(side, offsets=guarded(side.offsets), neighbours=guarded(side.neighbours))
