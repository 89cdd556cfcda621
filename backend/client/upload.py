"""A file that counts what was read of it, so that an upload can show its progress."""

import io
from collections.abc import Callable
from pathlib import Path

Progress = Callable[[int, int], None]  # bytes sent, bytes in all


class UploadFile(io.FileIO):
    """Read in blocks from the disk; the whole file is never in memory."""

    def __init__(self, path: Path, progress: Progress | None) -> None:
        super().__init__(path, "rb")
        self._progress = progress
        self._size = path.stat().st_size

    def read(self, size: int | None = -1, /) -> bytes:
        block = super().read(-1 if size is None else size)
        if self._progress is not None:
            self._progress(self.tell(), self._size)
        return block
