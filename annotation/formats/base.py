"""What a format of whole studies provides.

A format is a folder of `annotation/formats`, or of a plugin's `study_formats`, whose module
`format` defines FORMAT. The API, the commands and the page list what `registry` finds.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import IO, BinaryIO

from annotation.formats.archive_records import ArchiveRecord
from backend.studies.models import Study
from backend.validation.row_files.faults import RowFaultList

Write = Callable[[Study, IO[bytes], bool], None]
Read = Callable[[BinaryIO, RowFaultList], Iterator[tuple[int, ArchiveRecord]]]
Parts = Callable[[IO[bytes]], Iterator[tuple[int, object]]]


@dataclass(frozen=True)
class StudyFormat:
    """write: the study into a file, with the experts' names or without; None if it cannot.

    read: a file's records with their lines, after each fault has been added; None if it cannot.
    parts: of a file, with their lines; those of the export of an imported file must be the same.
    """

    name: str
    title: str
    description: str
    media_type: str
    extension: str
    write: Write | None = None
    read: Read | None = None
    parts: Parts | None = None
