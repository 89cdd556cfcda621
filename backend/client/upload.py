"""Files that are sent to a server, whole or in parts, with progress."""

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

from backend.client.connection import Connection
from backend.client.errors import UsageError
from backend.client.file_validation import unreadable

IN_PARTS_BYTES = 16 << 20  # larger files are sent in parts
PART_BYTES = 8 << 20
Progress = Callable[[int, int], None]  # bytes sent, bytes in all


class UploadFile(io.FileIO):
    """Read in blocks from the disk; the whole file is never in memory."""

    def __init__(self, path: Path, progress: Progress | None) -> None:
        super().__init__(path, "rb")
        self._progress = progress
        self.size = path.stat().st_size

    def read(self, size: int | None = -1, /) -> bytes:
        block = super().read(-1 if size is None else size)
        if self._progress is not None:
            self._progress(self.tell(), self.size)
        return block


def send_file(
    connection: Connection,
    address: str,
    fields: dict[str, str],
    path: Path,
    progress: Progress | None = None,
) -> Any:
    """Send a form and its file, which is sent in parts before if it is large.

    Raises UsageError for a file that cannot be read.
    """

    def open_upload() -> tuple[str, UploadFile]:
        try:
            name = path.name.encode("utf-8", "replace").decode()
            return name, UploadFile(path, progress)
        except (OSError, ValueError) as error:
            raise unreadable(path, error) from error

    name, file = open_upload()
    with file:
        if file.size >= IN_PARTS_BYTES:
            upload_id = connection.start_upload(name, file.size)
            try:
                send_in_parts(connection, name, file, upload_id)
                return connection.use_upload(address, fields, upload_id)
            finally:
                connection.delete_upload(upload_id)
    return connection.upload(address, fields, open_upload)


def send_in_parts(connection: Connection, name: str, file: UploadFile, upload_id: str) -> None:
    """Each part is repeated by itself, so a broken connection costs one part at most.

    Raises UsageError if the file becomes shorter meanwhile.
    """
    offset = 0
    while offset < file.size:
        file.seek(offset)
        content = file.read(min(PART_BYTES, file.size - offset))
        if not content:
            raise UsageError(f"{name} became shorter. Send it again.", code="file_changed")
        offset = connection.send_part(upload_id, offset, content)
