"""A format of a plugin: a first line `#titles`, then PMID, a tab and a title a line."""

from collections.abc import Iterator

from backend.graphs.importers.common.input_files import InputFile
from backend.graphs.literature.formats.base import PaperFormat
from backend.graphs.literature.paper_records import ReadPaper, check_paper


def read_papers(file: InputFile) -> Iterator[ReadPaper]:
    with file.open() as stream:
        for number, line in enumerate(stream, start=1):
            identifier, _, title = line.decode().rstrip("\n").partition("\t")
            if number > 1:
                yield ReadPaper(number, check_paper({"id": identifier, "title": title}))


FORMAT = PaperFormat(
    name="titles",
    title="Titles",
    file_hint="#titles",
    recognizes=lambda head: head.startswith("#titles\n"),
    read=read_papers,
)
