"""Load pickles of plain data, and PyTorch files of one tensor, without running code.

A pickle names functions for the unpickler to call. This one allows five, which all build plain
data; any other name is refused.
"""

from __future__ import annotations

import io
import math
import pickle  # only SafeUnpickler, which calls nothing that a file names
import zipfile
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path
from typing import IO

import numpy as np
from numpy.typing import NDArray

STORAGES = {"LongStorage": "<i8", "IntStorage": "<i4", "ShortStorage": "<i2"} | {
    "ByteStorage": "u1",
    "CharStorage": "i1",
}
SCALARS = {"f", "i", "u", "b", "U"}
PICKLE_ERRORS = (
    *(pickle.UnpicklingError, EOFError, ValueError, TypeError, KeyError, IndexError),
    *(AttributeError, OverflowError, MemoryError, RecursionError),
)


class PickleRefused(Exception):
    """A file is not plain data."""


def load_pickle(path: Path) -> object:
    with path.open("rb") as stream:
        return _load(SafeUnpickler(stream), path.name)


def load_tensor(path: Path) -> NDArray[np.integer]:
    """Load an integer tensor from a file of PyTorch 1.6 or later, which is a zip archive."""
    try:
        with zipfile.ZipFile(path) as archive:
            [index] = [name for name in archive.namelist() if name.endswith("/data.pkl")]
            reader = TensorUnpickler(archive, index)
            tensor = _load(reader, path.name)
    except (zipfile.BadZipFile, ValueError) as error:
        raise PickleRefused(f"{path.name} is not a tensor file of PyTorch 1.6 or later.") from error
    if not isinstance(tensor, np.ndarray):
        raise PickleRefused(f"{path.name} has no tensor of integers.")
    return tensor


def _load(reader: SafeUnpickler, name: str) -> object:
    try:
        return reader.load()
    except PICKLE_ERRORS as error:
        raise PickleRefused(f"{name} is not plain data: {error}") from error


class SafeUnpickler(pickle.Unpickler):
    """Allows numpy scalars and ordered dictionaries besides built-in types."""

    def __init__(self, stream: IO[bytes]) -> None:
        super().__init__(stream)
        self._known: dict[tuple[str, str], Callable[..., object]] = {
            ("collections", "OrderedDict"): OrderedDict,
            ("numpy", "dtype"): _dtype,
            ("numpy.core.multiarray", "scalar"): _scalar,
            ("numpy._core.multiarray", "scalar"): _scalar,
            ("_codecs", "encode"): _encode,
        }

    def find_class(self, module: str, name: str) -> Callable[..., object]:
        if (module, name) in self._known:
            return self._known[module, name]
        raise pickle.UnpicklingError(f"it names {module}.{name}, which is not allowed")


class _ScalarType:
    """A numpy scalar type by its code."""

    def __init__(self, code: str) -> None:
        self.dtype = np.dtype(code).newbyteorder("<")

    def __setstate__(self, state: object) -> None:
        if isinstance(state, tuple) and len(state) > 1 and state[1] == ">":
            self.dtype = self.dtype.newbyteorder(">")


def _dtype(code: str, *_: object) -> _ScalarType:
    if np.dtype(code).kind not in SCALARS:
        raise pickle.UnpicklingError(f"it has numpy data of the type {code}")
    return _ScalarType(code)


def _scalar(kind: _ScalarType, data: bytes) -> object:
    [value] = np.frombuffer(data, kind.dtype, count=1).tolist()
    return value


def _encode(text: str, encoding: str) -> bytes:
    """Decode bytes as written by old pickle protocols."""
    if encoding != "latin1":
        raise pickle.UnpicklingError(f"it has bytes as {encoding}")
    return text.encode("latin1")


class TensorUnpickler(SafeUnpickler):
    """Also allows a tensor of integers."""

    def __init__(self, archive: zipfile.ZipFile, index: str) -> None:
        super().__init__(io.BytesIO(archive.read(index)))
        self._archive = archive
        self._folder = index.removesuffix("data.pkl")
        self._known[("torch._utils", "_rebuild_tensor_v2")] = _tensor
        for name, code in STORAGES.items():
            self._known[("torch", name)] = _Storage(code)

    def persistent_load(self, pid: object) -> NDArray[np.integer]:
        """Read a storage, which is a raw array in the archive."""
        if not (isinstance(pid, tuple) and len(pid) == 5 and isinstance(pid[1], _Storage)):
            raise pickle.UnpicklingError("it refers to something outside")
        data = self._archive.read(f"{self._folder}data/{pid[2]}")
        numbers: NDArray[np.integer] = np.frombuffer(data, np.dtype(pid[1].code))
        return numbers


class _Storage:
    """The type of a storage, which a file may name but not call."""

    def __init__(self, code: str) -> None:
        self.code = code

    def __call__(self, *_: object) -> object:
        raise pickle.UnpicklingError("it calls a storage")


def _tensor(
    storage: NDArray[np.integer],
    offset: int,
    size: tuple[int, ...],
    stride: tuple[int, ...],
    *_: object,
) -> NDArray[np.integer]:
    """A strided view of the storage, after checking that it stays inside the storage."""
    if not isinstance(storage, np.ndarray) or len(size) != len(stride):
        raise pickle.UnpicklingError("its tensor has no storage")
    if min((offset, *size, *stride), default=0) < 0:
        raise pickle.UnpicklingError("its tensor has negative places")
    last = offset + sum((count - 1) * step for count, step in zip(size, stride, strict=True))
    if 0 in size:
        return np.zeros(size, storage.dtype)
    if last >= len(storage) or math.prod(size) > len(storage):
        raise pickle.UnpicklingError("its tensor reaches beyond its storage")
    steps = tuple(step * storage.itemsize for step in stride)
    return np.lib.stride_tricks.as_strided(storage[offset:], size, steps, writeable=False)
