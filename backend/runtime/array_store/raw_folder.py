"""Writing of folders of arrays without headers."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from backend.runtime.array_store.array_files import ArrayWriter, RawArrayInfo


class RawFolderWriter:
    """Writes the arrays of one folder; `files` receives those that are finished."""

    def __init__(self, folder: Path, dtypes: Mapping[str, str]) -> None:
        """dtypes: of the arrays, by name, where `append` is called without a type."""
        self.folder, self.dtypes = folder, dtypes
        self.files: dict[str, RawArrayInfo] = {}
        self._writers: dict[str, ArrayWriter] = {}
        self._pool_sizes: dict[str, int] = {}

    def append(self, name: str, part: NDArray[Any], dtype: str = "") -> None:
        """Append to an array; the first part creates it."""
        if name not in self._writers:
            self._writers[name] = ArrayWriter(self.folder / name, dtype or self.dtypes[name])
        self._writers[name].write(part)

    def append_strings(
        self, name: str, pool: NDArray[np.uint8], offsets: NDArray[np.int64]
    ) -> None:
        """Append strings to NAME.pool and NAME.offsets; `offsets` start at 0."""
        start = self._pool_sizes.get(name, 0)
        if f"{name}.offsets" not in self._writers:
            self.append(f"{name}.offsets", np.zeros(1, np.int64))
        self.append(f"{name}.offsets", offsets[1:] + start)
        self.append(f"{name}.pool", pool)
        self._pool_sizes[name] = start + int(offsets[-1])

    def write_array(self, name: str, array: NDArray[Any], dtype: str = "") -> None:
        self.append(name, array, dtype)
        self.finish()

    def finish(self) -> None:
        for name, writer in self._writers.items():
            _, checksum = writer.finish()
            self.files[name] = RawArrayInfo(writer.dtype.str, writer.element_count, checksum)
        self._writers.clear()

    def close(self) -> None:
        """Close without finishing, after an error."""
        for writer in self._writers.values():
            writer.close()


@contextmanager
def raw_folder_writer(folder: Path, dtypes: Mapping[str, str]) -> Iterator[RawFolderWriter]:
    writer = RawFolderWriter(folder, dtypes)
    try:
        yield writer
        writer.finish()
    finally:
        writer.close()
