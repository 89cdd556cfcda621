"""What a format of papers is: a folder whose module `format` exports FORMAT."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from backend.graphs.importers.common.input_files import InputFile
from backend.graphs.literature.paper_records import ReadPaper


@dataclass(frozen=True, slots=True)
class PaperFormat:
    """name: what users write. recognizes: whether a file's beginning is of this format.

    read: yields papers and faults while it reads; raises FileRefused where the rest of the file
    cannot be read.
    """

    name: str
    title: str
    file_hint: str
    recognizes: Callable[[str], bool]
    read: Callable[[InputFile], Iterator[ReadPaper]]
