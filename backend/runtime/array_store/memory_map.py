"""Read-only memory maps that hold no file descriptor.

`mmap.mmap` keeps a copy of the descriptor (until `trackfd` of Python 3.13). An open graph with its
indexes has about sixty maps, and many systems allow a process 1,024 descriptors.
"""

import ctypes
import errno
import mmap
import os
from functools import cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

FAILED: Final = ctypes.c_void_p(-1).value


@cache
def system_library() -> ctypes.CDLL:
    library = ctypes.CDLL(None, use_errno=True)
    pointer, size, number = ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int
    library.mmap.argtypes = (pointer, size, number, number, number, ctypes.c_long)
    library.mmap.restype = pointer
    library.munmap.argtypes = (pointer, size)
    library.madvise.argtypes = (pointer, size, number)
    return library


class MemoryMap:
    """The first `size` > 0 bytes of a file, unmapped with the last array that refers to them."""

    def __init__(self, descriptor: int, size: int) -> None:
        """Raises OSError if the system refuses the map."""
        self._library = system_library()
        address = self._library.mmap(None, size, mmap.PROT_READ, mmap.MAP_SHARED, descriptor, 0)
        if address == FAILED:
            raise system_error()
        self._address, self._size = address, size
        is_read_only = True
        self.__array_interface__ = {
            "version": 3,
            "shape": (size,),
            "typestr": "|u1",
            "data": (address, is_read_only),
        }

    def __del__(self) -> None:
        if hasattr(self, "_address"):
            self._library.munmap(self._address, self._size)

    def release_pages(self) -> None:
        if hasattr(mmap, "MADV_DONTNEED") and self._library.madvise(
            self._address, self._size, mmap.MADV_DONTNEED
        ):
            raise system_error()


def map_file(descriptor: int, size: int) -> NDArray[np.uint8]:
    """The bytes of a file as a read-only array. Raises OSError if the system refuses the map."""
    return np.asarray(MemoryMap(descriptor, size))


def release_pages(array: NDArray[Any]) -> None:
    """Release the resident pages of a mapped array; they remain in the system's page cache."""
    base: Any = array
    while isinstance(base, np.ndarray):
        base = base.base
    if isinstance(base, MemoryMap):
        base.release_pages()


def system_error() -> OSError:
    number = ctypes.get_errno() or errno.EIO
    return OSError(number, os.strerror(number))
