"""Uploads that are too large for memory, in files of FILE_UPLOAD_TEMP_DIR."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from django.core.files.uploadhandler import TemporaryFileUploadHandler


class RemovingUploadHandler(TemporaryFileUploadHandler):
    """Removes the file at once if it cannot be written, as on a full disk.

    Django's own leaves it to the garbage collector, while the disk is full.
    """

    def receive_data_chunk(self, raw_data: bytes, start: int) -> None:
        with self._removed_on_error():
            super().receive_data_chunk(raw_data, start)

    def file_complete(self, file_size: int) -> Any:
        with self._removed_on_error():
            return super().file_complete(file_size)

    @contextmanager
    def _removed_on_error(self) -> Iterator[None]:
        try:
            yield
        except OSError:
            with suppress(OSError):  # of the rest that is still in memory
                self.file.close()
            raise
