"""BioC XML, as PubTator exports it."""

from collections.abc import Iterator

from backend.graphs.importers.common.input_files import InputFile
from backend.graphs.literature.bioc import Passage, parse_document
from backend.graphs.literature.formats.base import PaperFormat
from backend.graphs.literature.paper_records import ReadPaper
from backend.graphs.literature.xml_records import XmlElement, read_records


def read_papers(file: InputFile) -> Iterator[ReadPaper]:
    for document in read_records(file, "collection", "document"):
        passages = [
            Passage(read_infons(it), it.find_text("text")) for it in document.find_all("passage")
        ]
        infons = read_infons(document)
        paper = parse_document(document.find_text("id"), infons.get("date", ""), infons, passages)
        yield ReadPaper(document.line, paper)


def read_infons(element: XmlElement) -> dict[str, str]:
    return {it.attributes.get("key", ""): it.text for it in element.find_all("infon")}


FORMAT = PaperFormat(
    name="bioc-xml",
    title="BioC XML",
    file_hint="<collection> with <document> elements",
    recognizes=lambda head: head.startswith("<") and "<collection" in head,
    read=read_papers,
)
