"""Zip archives with the same bytes for the same content."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo


@contextmanager
def open_zip(file: IO[bytes]) -> Iterator[ZipFile]:
    with ZipFile(file, "w", ZIP_DEFLATED) as archive:
        yield archive


@contextmanager
def open_part(archive: ZipFile, name: str) -> Iterator[IO[bytes]]:
    info = ZipInfo(name)
    info.compress_type = ZIP_DEFLATED
    with archive.open(info, "w", force_zip64=True) as part:
        yield part
